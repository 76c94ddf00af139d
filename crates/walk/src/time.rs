//! Time as walks count it: windows of instants, and the values of clocks.
//!
//! All times are absolute ticks since the beginning of the walk. A clock that runs is stored as the instant at which it
//! was 0, so that a delay changes nothing but `now`. Instants are even numbers of ticks; a strict bound is the odd number
//! next to it, on the inside. Windows are then closed intervals of integers whose ends tell whether they belong to the
//! window, and every run on this grid is a run of the model.

use zonewalk_network::ids::ClockId;
use zonewalk_network::vm::Clocks;

/// No upper bound.
pub(crate) const FOREVER: i64 = i64::MAX;

/// The value of a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockValue {
    /// When a running clock was 0; the value of a stopped clock.
    pub(crate) origin: i64,
    pub(crate) runs: bool,
}

impl ClockValue {
    /// The value at an instant, in ticks.
    #[inline]
    pub(crate) fn at(self, instant: i64) -> i64 {
        if self.runs {
            instant - self.origin
        } else {
            self.origin
        }
    }
}

/// The valuation of the clocks.
#[derive(Clone, Debug)]
pub(crate) struct ClockValues {
    pub(crate) values: Vec<ClockValue>,
    pub(crate) now: i64,
    pub(crate) unit: i64,
    /// Clocks that the current transition has set or switched, with what they were before, latest last.
    pub(crate) log: Vec<(ClockId, ClockValue)>,
}

impl ClockValues {
    /// The value of a clock in ticks.
    #[inline]
    pub(crate) fn value(&self, clock: ClockId) -> i64 {
        self.values[clock.index()].at(self.now)
    }

    /// Sets a clock, and notes what it was.
    #[inline(always)]
    pub(crate) fn set_ticks(&mut self, clock: ClockId, value: i64) {
        let of = &mut self.values[clock.index()];
        self.log.push((clock, *of));
        of.origin = if of.runs { self.now - value } else { value };
    }

    /// Stops or starts a clock; its value stays.
    pub(crate) fn switch(&mut self, clock: ClockId, runs: bool) {
        let value = self.value(clock);
        let of = &mut self.values[clock.index()];
        self.log.push((clock, *of));
        of.runs = runs;
        of.origin = if runs { self.now - value } else { value };
    }

    /// Lets a clock stand at its value. The caller has noted what it was before.
    pub(crate) fn freeze(&mut self, clock: ClockId) {
        self.values[clock.index()] = ClockValue {
            origin: self.value(clock),
            runs: false,
        };
    }

    /// Takes back everything that was noted after the first `keep` entries.
    pub(crate) fn roll_back(&mut self, keep: usize) {
        while self.log.len() > keep
            && let Some((clock, before)) = self.log.pop()
        {
            self.values[clock.index()] = before;
        }
    }
}

impl Clocks for ClockValues {
    fn set(&mut self, clock: ClockId, value: i32) {
        self.set_ticks(clock, i64::from(value) * self.unit);
    }

    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool {
        let value = self.value(from) + i64::from(plus) * self.unit;
        self.set_ticks(to, value);
        value >= 0
    }
}

/// A window of absolute time. An odd end is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) lo: i64,
    pub(crate) hi: i64,
}

impl Window {
    pub(crate) const ALL: Window = Window {
        lo: i64::MIN,
        hi: FOREVER,
    };
    pub(crate) const NEVER: Window = Window {
        lo: FOREVER - 1,
        hi: i64::MIN,
    };

    #[inline]
    pub(crate) fn and(self, other: Window) -> Window {
        Window {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
        }
    }

    /// Whether no instant of the grid is in it.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.lo + (self.lo & 1) > self.hi
    }

    /// Whether there are instants in it, but none on the grid: it is an open interval of one step of the grid.
    pub(crate) fn is_between(self) -> bool {
        self.lo == self.hi && self.is_empty()
    }

    #[inline]
    pub(crate) fn contains(self, at: i64) -> bool {
        self.lo <= at && at <= self.hi
    }
}
