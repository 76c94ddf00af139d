//! A search that rests while others work.

use std::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};

/// Work at full speed: what is decided quickly is decided by then.
const CHANCE: Duration = Duration::from_millis(100);

/// How much longer a rest takes than the work before it.
const REST: u32 = 7;

/// The longest time until somebody who rests looks up.
const NAP: Duration = Duration::from_millis(5);

/// The pace of a search that has had its chance, and leaves the processors to others from then on.
///
/// It is one of the two things in `auto` that look at a clock: work in the zone graph and steps of walks have no common count, and
/// what is shared here is time.
pub(crate) struct Pace {
    begin: Instant,
    awake_since: Cell<Instant>,
}

impl Pace {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Pace {
            begin: now,
            awake_since: Cell::new(now),
        }
    }

    /// Rests when it is time to, unless `is_over` or until then.
    pub(crate) fn rest(&self, is_over: &dyn Fn() -> bool) {
        if self.begin.elapsed() < CHANCE {
            return;
        }
        let end = Instant::now() + self.awake_since.get().elapsed() * REST;
        while !is_over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min(NAP));
        }
        self.awake_since.set(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_rests_when_it_is_over() {
        let pace = Pace::new();
        let asked = Cell::new(0);
        let is_over = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        // At full speed nobody is asked.
        pace.rest(&is_over);
        assert_eq!(asked.get(), 0);
        thread::sleep(CHANCE);
        pace.rest(&is_over);
        assert_eq!(asked.get(), 3);
    }
}
