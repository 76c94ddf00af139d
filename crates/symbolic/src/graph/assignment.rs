//! Effect of a transition on the clocks: each gets a number, or the value of a clock before plus a number.

use crate::state::constraint::ClockRef;
use zonewalk_network::ids::ClockId;
use zonewalk_network::vm::Clocks;

/// The clocks' new values in terms of the old ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignments {
    /// By clock: the clock before, or zero; and what is added.
    values: Vec<(ClockRef, i32)>,
    touched: Vec<ClockId>,
    /// Clocks that got, if only for a moment, the value of a clock before and a negative number.
    lowered: Vec<(ClockId, ClockRef, i32)>,
}

impl Assignments {
    pub(crate) fn new(clocks: usize) -> Assignments {
        Assignments {
            values: (0..clocks as u32)
                .map(|clock| (ClockRef::of(ClockId(clock)), 0))
                .collect(),
            touched: Vec::new(),
            lowered: Vec::new(),
        }
    }

    /// Every clock keeps its value.
    pub(crate) fn clear(&mut self) {
        self.lowered.clear();
        for clock in self.touched.drain(..) {
            self.values[clock.index()] = (ClockRef::of(clock), 0);
        }
    }

    /// The new value of a clock.
    #[inline]
    pub(crate) fn value(&self, clock: ClockId) -> (ClockRef, i32) {
        self.values[clock.index()]
    }

    /// The clocks that are assigned to, perhaps more than once.
    pub(crate) fn touched(&self) -> &[ClockId] {
        &self.touched
    }

    /// Values that must not be negative anywhere in the zone: the clock, where its value comes from, and what is added.
    pub(crate) fn lowered(&self) -> &[(ClockId, ClockRef, i32)] {
        &self.lowered
    }

    /// Where the value of a constraint's clock comes from, and what is added; zero stays what it is.
    #[inline]
    pub(crate) fn origin(&self, clock: ClockRef) -> (ClockRef, i32) {
        match clock.clock() {
            Some(clock) => self.value(clock),
            None => (ClockRef::ZERO, 0),
        }
    }
}

impl Clocks for Assignments {
    fn set(&mut self, clock: ClockId, value: i32) {
        self.values[clock.index()] = (ClockRef::ZERO, value);
        self.touched.push(clock);
    }

    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool {
        let (origin, before) = self.values[from.index()];
        let Some(sum) = before.checked_add(plus) else {
            return false;
        };
        self.values[to.index()] = (origin, sum);
        self.touched.push(to);
        if origin != ClockRef::ZERO && sum < 0 {
            self.lowered.push((to, origin, sum));
        }
        // Whether the value of a clock is large enough is seen on the zone.
        origin != ClockRef::ZERO || sum >= 0
    }
}
