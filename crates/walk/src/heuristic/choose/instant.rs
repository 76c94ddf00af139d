//! When a chosen transition happens: an instant of its window, by the walk's distribution.

use super::Chooser;
use crate::enabled::candidate::Candidate;
use crate::heuristic::schedule::{self, Distribution};
use crate::plan::Role;
use crate::time::{FOREVER, Window};
use crate::walker::Walker;

impl Chooser {
    /// An instant for a candidate. With other receivers a broadcast is another transition (`semantics.md` 12): each has its own
    /// window, and one of them is drawn first.
    #[inline(always)]
    pub(crate) fn instant(&mut self, walker: &Walker<'_>, candidate: &Candidate) -> i64 {
        if is_broadcast(walker, candidate) {
            return self.broadcast_instant(walker, candidate);
        }
        self.delay(walker, candidate.window)
    }

    pub(super) fn broadcast_instant(&mut self, walker: &Walker<'_>, candidate: &Candidate) -> i64 {
        self.stretches.split(walker, *candidate);
        let stretches = &mut self.stretches.list;
        stretches.retain(|piece| !piece.is_empty());
        let window = match stretches.len() {
            0 | 1 => candidate.window,
            count => stretches[self.random.index(count)],
        };
        self.delay(walker, window)
    }

    /// Where a window without an end is cut: nothing new happens later, neither in the model nor for the goal.
    #[inline]
    pub(super) fn end_of_news(&self, walker: &Walker<'_>) -> i64 {
        let reach = walker.plan.open_end.max(self.reach);
        walker.state.clocks.now.saturating_add(reach)
    }

    /// An instant of a window by the walk's distribution. A window without an end is cut where nothing new happens, or at its
    /// beginning.
    #[inline(always)]
    pub(super) fn delay(&mut self, walker: &Walker<'_>, window: Window) -> i64 {
        let lo = window.lo.max(walker.state.clocks.now);
        let hi = if window.hi == self.open && self.is_prompt {
            (lo + (lo & 1)).min(self.open)
        } else if window.hi == self.open {
            // A strict bound may be farther away than that, with a difference to a clock that stands.
            (lo + (lo & 1)).max(self.end_of_news(walker)).min(self.open)
        } else {
            window.hi
        };
        schedule::choose(
            self.distribution,
            Window { lo, hi },
            walker.plan.unit,
            &mut self.random,
        )
    }

    /// An instant of a window that reaches beyond what time may pass now, by a given distribution.
    #[inline(never)]
    pub(crate) fn instant_of(
        &mut self,
        walker: &Walker<'_>,
        window: Window,
        distribution: Option<Distribution>,
    ) -> i64 {
        let first = window.lo + (window.lo & 1);
        let hi = match window.hi {
            FOREVER if self.is_prompt => first,
            FOREVER => first.max(self.end_of_news(walker)),
            hi => hi,
        };
        let window = Window { lo: window.lo, hi };
        schedule::choose(distribution, window, walker.plan.unit, &mut self.random)
    }
}

#[inline(always)]
pub(super) fn is_broadcast(walker: &Walker<'_>, candidate: &Candidate) -> bool {
    candidate.partner.get().is_none() && walker.plan.edge(candidate.initiator).role == Role::Send
}
