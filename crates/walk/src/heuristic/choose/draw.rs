//! Which transition is next: by RET, by RLC and RLC-A, by SEM.

use super::Chooser;
use crate::Stop;
use crate::enabled::candidate::{Candidate, draw_weighted, drawn};
use crate::walker::Walker;
use zonewalk_numbers::Random;

/// Draws before all candidates are listed. Most of the time the first or second one will do.
const DRAWS: u32 = 8;

impl Chooser {
    /// RET: a uniform draw among the candidates that will be enabled. Drawing from all ready edges and throwing away what
    /// does not fit gives that distribution without counting them.
    #[inline(always)]
    pub(super) fn uniform(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
    ) -> Result<Option<(Candidate, i64)>, Stop> {
        let total = walker.state.candidates();
        let is_free = walker.state.committed.is_empty() && !walker.plan.network.has_priorities;
        if is_free && self.refused.is_empty() && total > 0 {
            for _ in 0..DRAWS {
                let point = self.random.below(total);
                if let Some(candidate) = drawn(walker, point, horizon).filter(|c| !c.window.is_empty()) {
                    let at = self.instant(walker, &candidate);
                    return Ok(Some((candidate, at)));
                }
            }
        }
        self.list(walker, horizon)?;
        if self.candidates.is_empty() {
            return Ok(None);
        }
        let candidate = self.any_of(walker, |_| true);
        let at = self.instant(walker, &candidate);
        Ok(Some((candidate, at)))
    }

    /// RLC and RLC-A.
    pub(super) fn least_covered(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
    ) -> Result<Option<(Candidate, i64)>, Stop> {
        self.list(walker, horizon)?;
        let mut least = u32::MAX;
        self.least.clear();
        for (index, candidate) in (0..).zip(&self.candidates) {
            let edge = walker.plan.edge(candidate.initiator);
            let (count, mut ways) = self.coverage.of(edge, self.grain);
            if let Some(partner) = candidate.partner.get() {
                ways *= walker.plan.edge(partner).own.ways;
            }
            if count < least {
                least = count;
                self.least.clear();
            }
            if count == least {
                self.least.push((index, ways));
            }
        }
        if self.least.is_empty() {
            return Ok(None);
        }
        let ways = self.least.iter().map(|&(_, ways)| ways);
        let pick = self.least[draw_weighted(ways, &mut self.random)].0;
        let candidate = self.candidates[pick as usize];
        let at = self.instant(walker, &candidate);
        Ok(Some((candidate, at)))
    }

    /// SEM: an instant drawn uniformly from the union of all windows, then one of the candidates that are enabled then.
    pub(super) fn semantic(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
    ) -> Result<Option<(Candidate, i64)>, Stop> {
        self.list(walker, horizon)?;
        let end = self.end_of_news(walker);
        self.pieces.clear();
        self.pieces.extend(self.candidates.iter().map(|c| {
            let first = c.window.lo + (c.window.lo & 1);
            let hi = if c.window.hi == self.open {
                first.max(end).min(self.open)
            } else {
                c.window.hi
            };
            (c.window.lo, hi)
        }));
        let Some(at) = draw_from_union(&mut self.pieces, &mut self.random) else {
            return Ok(None);
        };
        let candidate = self.any_of(walker, |c| c.window.contains(at));
        Ok(Some((candidate, at)))
    }

    /// One of the candidates that are wanted, in proportion to the transitions that they are. Requires: there is one.
    #[inline(never)]
    pub(crate) fn any_of(
        &mut self,
        walker: &Walker<'_>,
        is_wanted: impl Fn(&Candidate) -> bool + Copy,
    ) -> Candidate {
        let plan = walker.plan;
        let ways = |c: &Candidate| if plan.has_ways { c.ways(plan) } else { 1 };
        let weights = self
            .candidates
            .iter()
            .map(|c| if is_wanted(c) { ways(c) } else { 0 });
        self.candidates[draw_weighted(weights, &mut self.random)]
    }
}

/// A uniformly random instant of the union of windows; `None` when there is none.
fn draw_from_union(pieces: &mut Vec<(i64, i64)>, random: &mut Random) -> Option<i64> {
    pieces.sort_unstable();
    let mut kept: usize = 0;
    for i in 0..pieces.len() {
        if kept > 0 && pieces[i].0 <= pieces[kept - 1].1 {
            pieces[kept - 1].1 = pieces[kept - 1].1.max(pieces[i].1);
        } else {
            pieces[kept] = pieces[i];
            kept += 1;
        }
    }
    pieces.truncate(kept);
    // Instants are even; an odd one alone is not an instant.
    let count = |lo: i64, hi: i64| (((hi & !1) - (lo + (lo & 1))) / 2 + 1).max(0) as u64;
    let total: u64 = pieces.iter().map(|&(lo, hi)| count(lo, hi)).sum();
    if total == 0 {
        return None;
    }
    let mut point = random.below(total);
    for &(lo, hi) in pieces.iter() {
        if point < count(lo, hi) {
            return Some(lo + (lo & 1) + 2 * point as i64);
        }
        point -= count(lo, hi);
    }
    None
}
