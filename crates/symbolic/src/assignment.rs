//! What a transition does to the clocks: each gets a number, or the value of a clock before plus a number.

use zonewalk_network::vm::Clocks;

/// The clocks' new values in terms of the old ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignments {
    /// By clock: the clock before, plus one, or 0 for none; and what is added.
    values: Vec<(u32, i32)>,
    touched: Vec<u32>,
    /// Clocks that got, if only for a moment, the value of a clock before (plus one, as above) and a negative number.
    lowered: Vec<(u32, u32, i32)>,
}

impl Assignments {
    pub(crate) fn new(clocks: usize) -> Assignments {
        Assignments {
            values: (0..clocks as u32).map(|clock| (clock + 1, 0)).collect(),
            touched: Vec::new(),
            lowered: Vec::new(),
        }
    }

    /// Every clock keeps its value.
    pub(crate) fn clear(&mut self) {
        self.lowered.clear();
        for clock in self.touched.drain(..) {
            self.values[clock as usize] = (clock + 1, 0);
        }
    }

    /// The new value of a clock.
    #[inline]
    pub(crate) fn value(&self, clock: u32) -> (u32, i32) {
        self.values[clock as usize]
    }

    /// The clocks that are assigned to, perhaps more than once.
    pub(crate) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Values that must not be negative anywhere in the zone: the clock, where its value comes from, and what is added.
    pub(crate) fn lowered(&self) -> &[(u32, u32, i32)] {
        &self.lowered
    }

    /// What becomes of a constraint's clock (0 is zero itself).
    #[inline]
    pub(crate) fn origin(&self, clock: u32) -> (u32, i32) {
        match clock.checked_sub(1) {
            Some(clock) => self.value(clock),
            None => (0, 0),
        }
    }
}

impl Clocks for Assignments {
    fn set(&mut self, clock: u32, value: i32) {
        self.values[clock as usize] = (0, value);
        self.touched.push(clock);
    }

    fn copy(&mut self, to: u32, from: u32, plus: i32) -> bool {
        let (origin, before) = self.values[from as usize];
        let Some(sum) = before.checked_add(plus) else {
            return false;
        };
        self.values[to as usize] = (origin, sum);
        self.touched.push(to);
        if origin != 0 && sum < 0 {
            self.lowered.push((to, origin, sum));
        }
        // Whether the value of a clock is large enough is seen on the zone.
        origin != 0 || sum >= 0
    }
}
