//! Shorter runs of what happens periodically.
//!
//! A run of a scheduler reaches a deadline's miss in some period, and the periods before are not needed, or one of them. No
//! state recurs, and steps that are left out late in the run fit nowhere. So a stretch as long as a period is cut out and every
//! process goes on as it did ([`Imitator`]). Where that does not reach the goal it is varied: a period that others precede
//! need not be possible as the first one, but something like it often is.

use super::Shrinker;
use crate::shrink::follow::Timing;
use crate::shrink::imitate::{Imitator, Kinds, Script};
use crate::shrink::periods::Periods;

/// How eagerly stretches are cut out.
struct CutLimits {
    /// Only if a period has everything in it that the run has.
    needs_everything: bool,
    /// The part of the run that a cut may leave.
    most_left: (usize, usize),
    /// How often it is tried in another way after the last success.
    variations: u64,
    /// The number of the follower's step after which nothing more is tried.
    last_step: u64,
}

/// A third of the effort is kept for cycles and single steps.
const KEPT: u64 = 3;

/// Attempts in vain that are free.
const GIVEN_BACK: u64 = 1_000_000;

/// Shorter runs lose by single steps what they can.
const LONG: usize = 256;

/// Steps that a beginning may have of its own, besides a quarter of what is left.
const BEGINNING: usize = 16;

/// By default the budget ends it before; with a larger one other walks are the better choice in the end.
const VARIATIONS: u64 = 1 << 10;
const TRIMMINGS: u64 = 1 << 11;

impl Shrinker<'_, '_> {
    /// Cuts out whole periods, before anything else: it is what makes long runs short.
    /// True when the run has any.
    pub(super) fn cut_periods(&mut self) -> bool {
        let before = self.follower.effort();
        let left = self.budget.saturating_sub(before);
        let is_better = self.cut_while_better(&CutLimits {
            needs_everything: true,
            most_left: (2, 3),
            variations: VARIATIONS,
            last_step: self.budget - left / KEPT,
        });
        // What was tried in vain must not make the run longer than it would be without.
        if !is_better {
            self.budget += (self.follower.effort() - before).min(GIVEN_BACK);
        }
        is_better
    }

    /// Cuts out whatever comes again after some time, with the effort that is left in the end.
    pub(super) fn trim(&mut self) {
        self.cut_while_better(&CutLimits {
            needs_everything: false,
            most_left: (1, 1),
            variations: TRIMMINGS,
            last_step: self.budget,
        });
    }

    /// Cuts until nothing more comes of it; true when something did.
    fn cut_while_better(&mut self, limits: &CutLimits) -> bool {
        let mut is_better = false;
        let mut kinds = None;
        while self.follower.effort() < limits.last_step
            && !self.follower.is_late()
            && let Some(best) = self.best.as_ref().filter(|b| is_better || b.steps.len() >= LONG)
        {
            let kinds = kinds.get_or_insert_with(|| Kinds::of(self.follower.walker.plan));
            let times: Vec<i64> = best.record.steps.iter().map(|step| step.at).collect();
            let moves = kinds.steps(&best.steps);
            let periods = Periods::of(&times, &moves);
            if periods.is_empty() || (limits.needs_everything && !periods.have_everything(&moves)) {
                break;
            }
            let Some(script) = Script::of(&mut self.follower, &best.steps, kinds) else {
                break;
            };
            if !self.cut(&script, &periods.cuts(), limits) {
                break;
            }
            is_better = true;
        }
        is_better
    }

    /// Tries cuts until one makes the run better.
    fn cut(&mut self, script: &Script<'_>, cuts: &[(usize, usize)], limits: &CutLimits) -> bool {
        let Some(all) = self.best.as_ref().map(|b| b.steps.len()) else {
            return false;
        };
        let left = |(start, end): (usize, usize)| all - (end - start);
        let pays = |&cut: &(usize, usize)| limits.most_left.1 * left(cut) <= limits.most_left.0 * all;
        let paying = cuts.iter().copied().filter(pays);
        let exact = paying.clone().map(|cut| (0, cut));
        let varied = (1..=limits.variations).zip(paying.cycle());
        let mut imitator = Imitator::default();
        for (variation, cut) in exact.chain(varied) {
            if self.follower.effort() >= limits.last_step || self.follower.is_late() {
                return false;
            }
            let limit = (left(cut) + left(cut) / 4 + BEGINNING).min(all - 1);
            let at = imitator.imitate(&mut self.follower, script, cut, variation, limit);
            if at.is_some_and(|at| self.keep(at, Timing::AsPlanned)) {
                self.moments.clear();
                return true;
            }
        }
        false
    }
}
