//! Watching a search and ending it: one trait for all searches.

use crate::control::{Control, Progress};
use crate::options::Options;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use zonewalk_report::trace::Time;

/// Watches a search, and may end it. A thread of its own asks and tells about twenty times a second while the search runs.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use zonewalk_checker::{Monitor, Progress};
///
/// /// Ends a search when a button is pressed.
/// struct Button(AtomicBool);
///
/// impl Monitor for Button {
///     fn is_cancelled(&self) -> bool {
///         self.0.load(Ordering::Relaxed)
///     }
/// }
/// ```
pub trait Monitor: Sync {
    /// Whether the search is to end with what it has.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// How far the search is.
    fn progress(&self, _progress: &Progress) {}

    /// A better trace was found while the search goes on: its steps and its time.
    fn improved(&self, _steps: usize, _time: Time) {}
}

/// Watches nothing and never cancels.
impl Monitor for () {}

/// How often a monitor is asked.
const INTERVAL: Duration = Duration::from_millis(50);

/// Runs a search while a monitor watches.
pub(crate) fn watch<T>(
    monitor: &dyn Monitor,
    progress: &(dyn Fn() -> Progress + Sync),
    cancel: &(dyn Fn() + Sync),
    search: impl FnOnce() -> T,
) -> T {
    // What is cancelled before it begins does not begin.
    if monitor.is_cancelled() {
        cancel();
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                if monitor.is_cancelled() {
                    cancel();
                }
                monitor.progress(&progress());
                thread::park_timeout(INTERVAL);
            }
        });
        // Also when the search panics: the scope waits for the watcher.
        let _end = EndOfSearch {
            is_over: &is_over,
            watcher: watcher.thread().clone(),
        };
        search()
    })
}

/// Runs a search that a [`Control`] is about while a monitor watches.
pub(crate) fn watch_control<T>(
    monitor: &dyn Monitor,
    options: &Options,
    search: impl FnOnce(&Control) -> T,
) -> T {
    let control = Control::default();
    let cancel = || {
        control.interrupt();
    };
    watch(monitor, &|| control.progress(options), &cancel, || {
        search(&control)
    })
}

struct EndOfSearch<'a> {
    is_over: &'a AtomicBool,
    watcher: thread::Thread,
}

impl Drop for EndOfSearch<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}
