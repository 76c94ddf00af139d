//! When to leave off in the middle of a state.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tells a system of transitions when to leave off within one state, whose successors may take longer than the search may.
///
/// Searches ask their [stop rule](crate::Limits::stop) between states. A model decides how long one state takes: a select can have a billion
/// values, a broadcast as many receivers as it likes. So the system counts what it does there, in nanoseconds or
/// so, and the alarm looks at the clock several times in a millisecond of it. Once it rings, it keeps ringing.
///
/// A system that has left off reports an error. The stop rule must say yes from then on, too: it takes precedence over the error.
#[derive(Clone, Debug, Default)]
pub struct Alarm {
    deadline: Option<Instant>,
    interrupted: Option<Arc<AtomicBool>>,
    /// Work until the clock is looked at again.
    left: u64,
    is_ringing: bool,
}

/// Work between two looks at the clock.
const INTERVAL: u64 = 1 << 18;

impl Alarm {
    /// Rings at a moment, if one is given, and when the flag is set. [`Alarm::default`] never rings.
    pub fn new(deadline: Option<Instant>, interrupted: Arc<AtomicBool>) -> Alarm {
        Alarm {
            deadline,
            interrupted: Some(interrupted),
            ..Alarm::default()
        }
    }

    /// Counts work that is done. Whether to leave off.
    #[inline]
    pub fn rings_after(&mut self, work: u64) -> bool {
        if let Some(left) = self.left.checked_sub(work) {
            self.left = left;
            return self.is_ringing;
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        self.left = INTERVAL;
        let is_interrupted = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        self.is_ringing |= self.interrupted.as_ref().is_some_and(is_interrupted);
        self.is_ringing |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_ringing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_after_some_work() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut alarm = Alarm::new(None, Arc::clone(&flag));
        assert!(!alarm.rings_after(1));
        flag.store(true, Ordering::Relaxed);
        assert!(!alarm.rings_after(INTERVAL / 2));
        assert!(alarm.rings_after(INTERVAL));
        flag.store(false, Ordering::Relaxed);
        assert!(alarm.rings_after(1), "it keeps ringing");
    }

    #[test]
    fn a_moment_that_is_over_rings() {
        let mut alarm = Alarm::new(Some(Instant::now()), Arc::default());
        assert!(alarm.rings_after(1));
        assert!(!Alarm::default().rings_after(u64::MAX));
    }
}
