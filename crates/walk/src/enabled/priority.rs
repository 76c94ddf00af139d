//! Priorities (`semantics.md` 15): a transition is blocked at the instants at which a higher one exists.
//!
//! A higher transition that the invariants of its target forbid at an instant does not exist then and blocks nothing, so
//! it is tried out: highest level first, because what is blocked itself blocks nothing and need not be tried. Where a
//! trial says nothing, because it fails, clocks are copied or the ways to take the transition are too many, it counts as
//! existing: a step of the model may then be missed, and no other step is ever taken.

use crate::enabled::candidate::Candidate;
use crate::enabled::firings::{Firings, Pieces, WindowRegions, is_open, receivers};
use crate::plan::Role;
use crate::time::Window;
use crate::walker::Walker;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::{Level, Regions, sift};

/// Number of ways to take one transition that are tried: choices of receiving edges and of values for selects.
const WAYS: u32 = 64;

/// Finds out which transitions are not blocked. Its lists are used again and again.
#[derive(Default)]
pub(crate) struct PriorityFilter {
    split: Pieces,
    /// Candidates in windows in which their partners, and so their levels, stay the same.
    pieces: Vec<Candidate>,
    levels: Vec<(Level, usize)>,
    /// Windows of the levels above, and of the level that is being examined.
    above: Vec<Window>,
    here: Vec<Window>,
    left: Vec<Window>,
    found: Vec<Window>,
    firings: Firings,
}

impl PriorityFilter {
    /// Cuts from every window the instants at which a higher transition exists. Candidates without any left are dropped; one
    /// whose window falls apart is there several times, one after the other. `only` is the one candidate that matters.
    pub(crate) fn sift(
        &mut self,
        walker: &mut Walker<'_>,
        candidates: &mut Vec<Candidate>,
        only: Option<(InstanceId, Option<InstanceId>)>,
    ) {
        self.pieces.clear();
        for candidate in candidates.drain(..) {
            self.split.split(walker, candidate);
            let pieces = self.split.list.iter();
            self.pieces
                .extend(pieces.map(|&window| Candidate { window, ..candidate }));
        }
        self.pieces
            .sort_unstable_by_key(|c| (c.initiator, c.partner, c.window.lo));
        self.levels.clear();
        let levels = self.pieces.iter().map(|c| level(walker, c, c.window.lo));
        self.levels.extend(levels.zip(0..));
        let matters = |c: &Candidate| only.is_none_or(|only| only == (c.initiator, c.partner.get()));
        let needed = self.levels.iter().filter(|l| matters(&self.pieces[l.1]));
        let Some(lowest) = needed.map(|l| l.0).min() else {
            return;
        };
        self.levels.retain(|l| l.0 >= lowest);
        let room = (&mut self.above, &mut self.here);
        sift(&mut self.levels, room, |(level, number), above, here| {
            let candidate = self.pieces[number];
            join(above);
            self.left.clear();
            WindowRegions.without(&candidate.window, above.iter(), &mut self.left);
            for &window in &self.left {
                let piece = Candidate { window, ..candidate };
                if level == lowest {
                    // It blocks nothing that matters.
                    candidates.push(piece);
                    continue;
                }
                find_existing(walker, piece, &mut self.firings, &mut self.found);
                here.extend_from_slice(&self.found);
                let found = self.found.iter();
                candidates.extend(found.map(|&window| Candidate { window, ..candidate }));
            }
        });
        candidates.retain(matters);
        candidates.sort_unstable_by_key(|c| (c.initiator, c.partner, c.window.lo));
        // What was split for the sake of receivers and is left on both sides is one window.
        candidates.dedup_by(|next, kept| {
            let touches = next.is_same(kept) && next.window.lo <= kept.window.hi.saturating_add(1);
            if touches {
                kept.window.hi = kept.window.hi.max(next.window.hi);
            }
            touches
        });
    }
}

/// When a transition exists: the windows in which the invariants of its target hold, by some way to take it. What fails is
/// noted: it leaves open whether anything below exists, and nothing else depends on it (`semantics.md` 17).
/// Requires: the same partners are enabled all through the window of the candidate. Ensures: disjoint and sorted.
fn find_existing(
    walker: &mut Walker<'_>,
    candidate: Candidate,
    firings: &mut Firings,
    found: &mut Vec<Window>,
) {
    let window = candidate.window;
    found.clear();
    if window.is_empty() {
        // No instant of the grid is concerned.
        found.push(window);
        return;
    }
    firings.begin(walker, candidate);
    for _ in 0..WAYS {
        let allowed = match firings.try_out(walker, window) {
            Ok(allowed) => allowed.unwrap_or(window),
            Err(stop) => {
                walker.note(
                    stop,
                    window.lo + (window.lo & 1),
                    &firings.parts,
                    &firings.selects,
                );
                window
            }
        };
        if allowed.lo <= allowed.hi {
            found.push(allowed);
            join(found);
        }
        if found.first() == Some(&window) || !firings.next(walker) {
            return;
        }
    }
    found.clear();
    found.push(window);
}

/// The candidates with a higher priority at an instant.
pub(crate) fn above(
    walker: &Walker<'_>,
    candidate: &Candidate,
    others: &[Candidate],
    at: i64,
) -> Vec<Candidate> {
    let own = level(walker, candidate, at);
    others
        .iter()
        .filter(|c| level(walker, c, at) > own)
        .copied()
        .collect()
}

/// The level of a candidate at an instant.
fn level(walker: &Walker<'_>, candidate: &Candidate, at: i64) -> Level {
    let (plan, initiator) = (walker.plan, candidate.initiator);
    let partner = candidate.partner.get();
    let receivers = receivers(walker, initiator).filter(|&r| partner.is_none() && is_open(walker, r, at));
    let is_internal = plan.edge(initiator).role == Role::Internal;
    let channel = (!is_internal).then(|| walker.state.edges[initiator.index()].channel);
    plan.level(initiator, channel, partner.into_iter().chain(receivers))
}

/// Sorts windows and joins those that overlap.
fn join(windows: &mut Vec<Window>) {
    windows.sort_by_key(|w| w.lo);
    windows.dedup_by(|next, kept| {
        let overlaps = next.lo <= kept.hi;
        if overlaps {
            kept.hi = kept.hi.max(next.hi);
        }
        overlaps
    });
}

#[cfg(test)]
mod tests;
