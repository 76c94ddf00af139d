//! Boxes of processor time: a machine that others use makes a search slower, and must not make it shorter.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use zonewalk_checker::Control;
use zonewalk_checker::resources;

/// How often the clock is read.
const TICK: Duration = Duration::from_millis(5);

/// Calls `stop` when this process has used this much processor time from now on, or when `outer` is interrupted. One search at a
/// time is at work. Where the system does not tell what was used, the clock on the wall counts.
pub(super) fn watched<T>(
    time: Duration,
    outer: &Control,
    stop: impl Fn() + Sync,
    search: impl FnOnce() -> T,
) -> T {
    let (start, cpu) = (Instant::now(), resources::cpu_time());
    let used = || {
        let used = resources::cpu_time().saturating_sub(cpu);
        if cpu.is_zero() { start.elapsed() } else { used }
    };
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                if outer.is_interrupted() || used() >= time {
                    stop();
                }
                std::thread::park_timeout(TICK);
            }
        });
        let _over = Over(&is_over, watcher.thread());
        search()
    })
}

/// Runs searches that have a control of their own.
pub(super) fn within<T>(time: Duration, outer: &Control, search: impl FnOnce(&Control) -> T) -> T {
    let inner = Control::default();
    let stop = || {
        inner.interrupt();
    };
    watched(time, outer, stop, || search(&inner))
}

/// Ends the watch, also when the search panics.
struct Over<'a>(&'a AtomicBool, &'a std::thread::Thread);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_with_its_box_or_when_it_is_interrupted() {
        let spin = |control: &Control| {
            while !control.is_interrupted() {
                std::hint::spin_loop();
            }
            true
        };
        let outer = Control::default();
        assert!(within(Duration::from_millis(20), &outer, spin));
        assert!(!outer.is_interrupted(), "the next cell is measured");
        outer.interrupt();
        assert!(within(Duration::from_secs(3600), &outer, spin));
    }
}
