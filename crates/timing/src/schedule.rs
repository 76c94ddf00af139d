//! Delays of a path, as exact numbers.

use zonewalk_numbers::gcd;

/// Delays in parts of a unit: one for each stage, and one for the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How many ticks are one unit of time; positive.
    pub unit: i64,
    /// Ticks in each stage, the last one included.
    pub delays: Vec<i64>,
}

/// A number does not fit into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Schedule {
    /// The sum of all delays, in ticks.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn total(&self) -> Result<i64, TooLarge> {
        self.delays
            .iter()
            .try_fold(0i64, |sum, &delay| sum.checked_add(delay))
            .ok_or(TooLarge)
    }

    /// From the instants at which stages end, in ticks.
    pub(crate) fn from_instants(unit: i64, instants: impl Iterator<Item = i64>) -> Schedule {
        let mut now = 0;
        let delays = instants
            .map(|instant| {
                let delay = instant - now;
                now = instant;
                delay
            })
            .collect();
        Schedule { unit, delays }.in_lowest_terms()
    }

    /// Reduces the schedule to the smallest unit.
    #[must_use]
    pub fn in_lowest_terms(mut self) -> Schedule {
        let divisor = self.delays.iter().fold(self.unit, |d, &delay| gcd(d, delay));
        if divisor > 1 {
            self.unit /= divisor;
            for delay in &mut self.delays {
                *delay /= divisor;
            }
        }
        self
    }
}
