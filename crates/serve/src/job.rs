//! A query that is decided on a thread of its own.

use crate::failure::Failure;
use crate::host::{Checked, Host, LoadFailure};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use zonewalk_checker::Control;
use zonewalk_checker::load::Loaded;
use zonewalk_report::trace::Trace;

/// Expressions nest deep, and what works on them is recursive; see `zonewalk_checker::check_text`.
pub(crate) const STACK: usize = 256 << 20;

/// A query, how far it is, and its result.
pub(crate) struct Job {
    number: u64,
    formula: String,
    start: Instant,
    control: Arc<Control>,
    host: Arc<dyn Host>,
    end: Mutex<Option<(Duration, Result<Checked, LoadFailure>)>>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job {} {}", self.number, self.formula)
    }
}

/// Query to be decided.
pub(crate) enum Asked {
    /// A query of the model, by its index.
    Known(Arc<Loaded>, usize, String),
    /// Another one.
    Formula(String),
}

impl Job {
    /// Begins to decide a query.
    pub(crate) fn start(host: &Arc<dyn Host>, number: u64, asked: Asked) -> Result<Arc<Job>, Failure> {
        let formula = match &asked {
            Asked::Known(_, _, text) | Asked::Formula(text) => text.clone(),
        };
        let job = Arc::new(Job {
            number,
            formula,
            start: Instant::now(),
            control: Arc::default(),
            host: Arc::clone(host),
            end: Mutex::new(None),
        });
        let made = Arc::clone(&job);
        let thread = thread::Builder::new().name(format!("query {number}"));
        let started = thread.stack_size(STACK).spawn(move || made.run(&asked));
        match started {
            Ok(_) => Ok(job),
            Err(error) => Err(Failure::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("cannot start a thread for the query: {error}"),
            )),
        }
    }

    fn run(&self, asked: &Asked) {
        // Also after a panic, which is a bug and reported as such: the page must not wait for ever.
        let _end = EndGuard(self);
        let checked = match asked {
            Asked::Known(loaded, index, _) => Ok(self.host.check(loaded, *index, &self.control)),
            Asked::Formula(formula) => match self.host.load_with(formula) {
                Ok(loaded) => Ok(self.host.check(&loaded, 0, &self.control)),
                Err(failure) => Err(failure),
            },
        };
        self.finish(checked);
    }

    fn finish(&self, checked: Result<Checked, LoadFailure>) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if end.is_none() {
            *end = Some((self.start.elapsed(), checked));
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn is_running(&self) -> bool {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.is_none()
    }

    /// Asks it to stop; it ends with what it has.
    pub(crate) fn cancel(&self) {
        self.control.interrupt();
    }

    /// The run that it has found, and the query.
    pub(crate) fn trace(&self) -> Option<(Trace, String)> {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        match end.as_ref()? {
            (_, Ok(checked)) => Some((checked.trace.clone()?, self.formula.clone())),
            (_, Err(_)) => None,
        }
    }

    /// For the page.
    pub(crate) fn view(&self) -> Value {
        let is_cancelled = self.control.is_interrupted();
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let mut view = json!({
            "number": self.number,
            "query": self.formula,
            "running": end.is_none(),
            "cancelled": is_cancelled,
            "progress": [],
            "result": null,
            "text": null,
            "error": null,
            "has_run": false,
        });
        let elapsed = match end.as_ref() {
            None => {
                let elapsed = self.start.elapsed();
                view["progress"] = self.host.progress(&self.control, elapsed).into();
                elapsed
            }
            Some((elapsed, Ok(checked))) => {
                view["result"] = checked.result.clone();
                view["text"] = checked.text.clone().into();
                view["has_run"] = checked.trace.is_some().into();
                *elapsed
            }
            Some((elapsed, Err(failure))) => {
                view["error"] = failure.message.clone().into();
                *elapsed
            }
        };
        view["elapsed_s"] = elapsed.as_secs_f64().into();
        view
    }
}

/// Ends a job that ends without an answer.
struct EndGuard<'j>(&'j Job);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.finish(Err(LoadFailure {
            message: "internal error, please report: the search has ended without an answer".to_owned(),
        }));
    }
}
