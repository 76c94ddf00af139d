//! Long work while Python goes on: on a thread with a deep stack, without the GIL, watched for Ctrl-C.

use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use zonewalk::{Monitor, Progress};

/// Expressions nest up to 1,000 levels, and what works on them is recursive. The memory is reserved, and used only as far as a model
/// goes deep.
const STACK: usize = 256 << 20;

/// How often signals are looked for. The library asks a monitor every 50 ms: together that is less than 100 ms.
const SIGNALS: Duration = Duration::from_millis(15);

/// How often a callback hears of progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// State that the thread of the search and that of Python share.
#[derive(Default)]
pub(crate) struct Watch {
    is_cancelled: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

impl Monitor for Watch {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn progress(&self, progress: &Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress);
    }
}

/// Runs a job on a thread of its own. Signals that arrive meanwhile cancel it, and so does a callback that fails: their exception is
/// raised when the job has ended, which is at once.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    job: impl FnOnce(&Watch) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (send, mut receive) = sync_channel(1);
    let shared = Arc::clone(&watch);
    thread::Builder::new()
        .name("zonewalk".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| job(&shared)));
            // If nobody waits any more, there is nobody to tell.
            let _ = send.send(result);
        })?;
    let mut exception = None;
    let mut told = Instant::now();
    loop {
        let waiting = &mut receive;
        let result = py.detach(move || waiting.recv_timeout(SIGNALS));
        match result {
            Ok(Ok(result)) => return exception.map_or(Ok(result), Err),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(pyo3::exceptions::PyRuntimeError::new_err(
                    "a bug of zonewalk: it panicked; please report it with what stands above",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if exception.is_some() {
            continue;
        }
        let mut heard = py.check_signals();
        if let Some(callback) = callback.filter(|_| heard.is_ok() && told.elapsed() >= PROGRESS) {
            told = Instant::now();
            let progress = *watch.progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(progress) = progress {
                heard = crate::report::progress(py, &progress)
                    .and_then(|progress| callback.call1(py, (progress,)))
                    .map(|_| ());
            }
        }
        if let Err(error) = heard {
            watch.is_cancelled.store(true, Ordering::Relaxed);
            exception = Some(error);
        }
    }
}
