//! Ctrl-C: the search stops and what it has is printed; a second time the process ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use zonewalk_checker::Control;
use zonewalk_checker::refine::RefineControl;

/// Makes Ctrl-C interrupt what `control` controls.
pub(crate) fn listen(control: &Arc<Control>) {
    let control = Arc::clone(control);
    on_interrupt(move || control.interrupt());
}

/// Controls that Ctrl-C interrupts while each query has its own.
#[derive(Default)]
pub(crate) struct Interruption {
    is_asked: AtomicBool,
    current: Mutex<Option<Arc<RefineControl>>>,
}

impl Interruption {
    /// Makes Ctrl-C interrupt the queries.
    pub(crate) fn listen() -> Arc<Interruption> {
        let interruption = Arc::new(Interruption::default());
        let listener = Arc::clone(&interruption);
        on_interrupt(move || {
            let is_second = listener.is_asked.swap(true, Ordering::Relaxed);
            if let Ok(current) = listener.current.lock()
                && let Some(control) = current.as_ref()
            {
                control.stop();
            }
            is_second
        });
        interruption
    }

    /// A control for the next query.
    pub(crate) fn next(&self) -> Arc<RefineControl> {
        let control = Arc::new(RefineControl::default());
        if let Ok(mut current) = self.current.lock() {
            *current = Some(Arc::clone(&control));
        }
        // It may have come between two queries.
        if self.is_asked() {
            control.stop();
        }
        control
    }

    /// Whether the user has interrupted.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }
}

/// Makes Ctrl-C end something in an orderly way; a second time the process ends at once.
#[cfg(feature = "serve")]
pub(crate) fn on_first(end: impl Fn() + Send + 'static) {
    let is_asked = AtomicBool::new(false);
    on_interrupt(move || {
        let is_second = is_asked.swap(true, Ordering::Relaxed);
        end();
        is_second
    });
}

/// Makes Ctrl-C set a flag; a second time the process ends at once.
pub(crate) fn set_on_first(flag: &Arc<AtomicBool>) {
    let flag = Arc::clone(flag);
    on_interrupt(move || flag.swap(true, Ordering::Relaxed));
}

/// `interrupt` tells whether that was the second time.
fn on_interrupt(interrupt: impl Fn() -> bool + Send + 'static) {
    // Without a handler Ctrl-C ends the process, as it does everywhere: nothing to report.
    let _ = ctrlc::set_handler(move || {
        if interrupt() {
            #[allow(clippy::exit, reason = "the user has asked twice")]
            std::process::exit(130);
        }
    });
}
