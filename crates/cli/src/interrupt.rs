//! Ctrl-C: the search stops and what it has is printed; a second time the process ends at once.

use std::sync::Arc;
use zonewalk::Control;

/// Makes Ctrl-C interrupt what `control` controls.
pub(crate) fn listen(control: &Arc<Control>) {
    let control = Arc::clone(control);
    // Without a handler Ctrl-C ends the process, as it does everywhere: nothing to report.
    let _ = ctrlc::set_handler(move || {
        if control.interrupt() {
            #[allow(clippy::exit, reason = "the user has asked twice")]
            std::process::exit(130);
        }
    });
}
