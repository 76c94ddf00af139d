//! Keeps the unexpected from the user.

use crate::status::Status;
use std::panic::PanicHookInfo;
use std::thread;

/// Expressions nest up to 1,000 levels, and what works on them is recursive. The memory is reserved, and used only
/// as far as a model goes deep.
const STACK: usize = 256 << 20;

/// Runs the job on a thread of its own with plenty of stack. A panic is a bug of zonewalk and ends as one.
pub(crate) fn on_a_deep_stack(job: impl FnOnce() -> Status + Send + 'static) -> Status {
    std::panic::set_hook(Box::new(report_bug));
    let thread = thread::Builder::new()
        .name("zonewalk".into())
        .stack_size(STACK)
        .spawn(job);
    match thread {
        Ok(thread) => thread.join().unwrap_or(Status::Bug),
        Err(error) => {
            anstream::eprintln!(
                "error: cannot start a thread with {} MiB of stack: {error}",
                STACK >> 20
            );
            Status::Failure
        }
    }
}

#[allow(clippy::print_stderr, reason = "the streams may be what panicked")]
fn report_bug(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let place = panic
        .location()
        .map(|at| format!(" at {}:{}", at.file(), at.line()))
        .unwrap_or_default();
    eprintln!("internal error, please report{place}: {message}");
    eprintln!(
        "(this is a bug in zonewalk {}, not in the model)",
        env!("CARGO_PKG_VERSION")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug() {
        let missing: Option<u8> = None;
        assert_eq!(
            on_a_deep_stack(move || missing.map(|_| Status::Success).unwrap()),
            Status::Bug
        );
        assert_eq!(on_a_deep_stack(|| Status::Success), Status::Success);
    }

    #[test]
    fn the_stack_is_deep() {
        fn depth(n: u32) -> u32 {
            let pad = std::hint::black_box([n; 256]);
            if n == 0 { 0 } else { depth(n - 1) + pad[7] - n + 1 }
        }
        let job = || {
            if depth(100_000) == 100_000 {
                Status::Success
            } else {
                Status::Failure
            }
        };
        assert_eq!(on_a_deep_stack(job), Status::Success);
    }
}
