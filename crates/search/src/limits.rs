//! Bounds on a search, and what it has done so far.

use crate::alarm::Alarm;
use std::time::{Duration, Instant};

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number of states to be visited has been reached.
    States,
    /// The memory is used up, or the numbers of states are.
    Memory,
    /// No path may be longer (deep random search with a finite cutoff).
    Depth,
    /// No state waits any more, but some were left out that may lead to a goal: by chance (random and highway search), or
    /// because a [guide](crate::Guide) said so.
    LeftOut,
    /// The caller said so.
    Stopped,
    /// The model made an error, and the caller wanted no more than that.
    Fault,
}

/// Bounds on a search. The default has none.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// At most this many states stored.
    pub stored: Option<usize>,
    /// At most this many states expanded.
    pub explored: Option<u64>,
    /// At most this many bytes in the store, the side tables and the frontier together.
    pub memory: Option<usize>,
    /// Asked regularly, with the statistics so far: the search ends when it says yes.
    pub stop: Option<&'a dyn Fn(&Progress) -> bool>,
    /// For systems that can leave off within a state, where the caller does not make them.
    pub alarm: Option<&'a Alarm>,
    /// The first error of the model ends the search (by [`search`](crate::search) alone).
    pub ends_at_fault: bool,
}

/// Work counters of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States expanded: their successors were computed.
    pub states_explored: u64,
    /// States in the store.
    pub states_stored: usize,
    /// Successors generated, covered or not.
    pub transitions: u64,
    /// The longest path, in steps, by which a stored state was met.
    pub max_depth: u32,
    /// Number of states pruned by the guide.
    pub left_out: u64,
    /// Number of states stored again because they were reached in fewer steps; 0 unless depths count.
    pub reopened: u64,
    /// States that wait for being expanded.
    pub waiting: usize,
    /// Memory in the store, the side tables and the frontier.
    pub bytes: usize,
    /// The most that `bytes` has been.
    pub peak_bytes: usize,
}

/// Progress of a running search.
pub type Progress = Statistics;

/// New and expanded states between two questions whether to stop, at most. With a hundred clocks that is some ten milliseconds.
const ASK_EVERY: u32 = 64;
/// Time between two questions after which fewer states come before the next one.
const SLOW: Duration = Duration::from_millis(20);
/// Transitions between two questions where they lead to nothing new.
const COVERED: u64 = 1 << 10;
/// Size from which states are heavy, in bytes, as a power of two.
const HEAVY: u32 = 18;

/// Compares what was done with what is allowed. For searches over the same models that have loops of their own.
pub struct Meter<'a> {
    limits: Limits<'a>,
    until_asked: u32,
    /// States between two questions; when the last one was asked.
    interval: u32,
    asked: Option<Instant>,
    /// Work done so far.
    pub statistics: Statistics,
}

impl<'a> Meter<'a> {
    /// Creates a meter with all counters at zero.
    pub fn new(limits: &Limits<'a>) -> Self {
        Meter {
            limits: *limits,
            until_asked: 0,
            interval: 1,
            asked: None,
            statistics: Statistics::default(),
        }
    }

    /// Says what is held now.
    #[inline]
    pub fn hold(&mut self, stored: usize, waiting: usize, bytes: usize) {
        let s = &mut self.statistics;
        (s.states_stored, s.waiting, s.bytes) = (stored, waiting, bytes);
        s.peak_bytes = s.peak_bytes.max(bytes);
    }

    /// Whether one state more may be expanded. To be called after [`hold`](Self::hold), before counting it.
    #[inline]
    pub fn forbids_expansion(&mut self) -> Option<Limit> {
        if self
            .limits
            .explored
            .is_some_and(|most| self.statistics.states_explored >= most)
        {
            return Some(Limit::States);
        }
        self.exceeded()
    }

    /// Checks the limits after every state if states are large: a zone over a thousand clocks costs more than all the states
    /// between two ordinary checks.
    #[inline]
    pub(crate) fn stops_heavy(&self) -> Option<Limit> {
        let s = &self.statistics;
        let is_heavy = s.bytes >> HEAVY >= s.states_stored.max(1);
        (is_heavy && self.limits.stop.is_some_and(|stop| stop(s))).then_some(Limit::Stopped)
    }

    /// Checks the limits now and then where nothing new is met: one state may have any number of successors that are covered.
    #[inline]
    pub(crate) fn stops_among_covered(&self) -> Option<Limit> {
        let s = &self.statistics;
        let asked = s.transitions.is_multiple_of(COVERED);
        match asked && self.limits.stop.is_some_and(|stop| stop(s)) {
            true => Some(Limit::Stopped),
            false => self.stops_heavy(),
        }
    }

    /// Whether something that has failed is the end: an error of the model where the caller wants no more than that, and a state that was
    /// left off because the [alarm](crate::Alarm) rings. That is not the model's error, so to be called before noting it.
    pub(crate) fn forbids_fault(&self, has_failed: bool) -> Option<Limit> {
        if !has_failed {
            return None;
        }
        if self.limits.stop.is_some_and(|stop| stop(&self.statistics)) {
            return Some(Limit::Stopped);
        }
        self.limits.ends_at_fault.then_some(Limit::Fault)
    }

    /// Which limit, if any, forbids to go on. To be called after [`hold`](Self::hold).
    #[inline]
    pub fn exceeded(&mut self) -> Option<Limit> {
        let s = &self.statistics;
        if self.limits.stored.is_some_and(|most| s.states_stored > most) {
            return Some(Limit::States);
        }
        if self.limits.memory.is_some_and(|most| s.bytes > most) {
            return Some(Limit::Memory);
        }
        match self.until_asked.checked_sub(1) {
            Some(left) => {
                self.until_asked = left;
                self.stops_heavy()
            }
            None => self.ask(),
        }
    }

    /// Asks whether to stop, and settles when to ask again: a model decides how long a state takes.
    #[cold]
    fn ask(&mut self) -> Option<Limit> {
        let stop = self.limits.stop?;
        if stop(&self.statistics) {
            return Some(Limit::Stopped);
        }
        let now = Instant::now();
        let is_slow = |before: Instant| now - before > SLOW;
        self.interval = match self.asked.replace(now).is_some_and(is_slow) {
            true => (self.interval / 4).max(1),
            false => (self.interval * 2).min(ASK_EVERY),
        };
        self.until_asked = self.interval - 1;
        None
    }

    /// Limit that forbids states that are held for a while, besides what is held anyway, in bytes.
    #[inline]
    pub(crate) fn forbids_room(&self, bytes: usize) -> Option<Limit> {
        let is_over = |most| self.statistics.bytes + bytes > most;
        self.limits.memory.is_some_and(is_over).then_some(Limit::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_states_are_asked_about_each() {
        let stop = |_: &Progress| true;
        let mut meter = Meter::new(&Limits {
            stop: Some(&stop),
            ..Limits::default()
        });
        meter.hold(3, 0, 3 << HEAVY);
        assert_eq!(meter.stops_heavy(), Some(Limit::Stopped));
        meter.hold(3, 0, (3 << HEAVY) - 1);
        assert_eq!(meter.stops_heavy(), None);
    }
}
