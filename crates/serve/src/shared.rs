//! State that can be read without the worker, which may be busy.

use crate::job::Job;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared by the worker, the routes and whatever stops the server.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    is_over: AtomicBool,
    news: Mutex<News>,
    job: Mutex<Option<Arc<Job>>>,
}

/// Status of the server for pages to be up to date.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct News {
    /// Counts the models: another one has been loaded when it differs.
    pub(crate) model: u64,
    /// Counts the changes of the run and of the place in it.
    pub(crate) revision: u64,
    /// Counts the changes of the run alone.
    pub(crate) trace: u64,
    /// Errors in the current model file, if it does not load; the earlier model stays.
    pub(crate) broken: Option<String>,
    /// Fate of the run when the model was reloaded.
    pub(crate) note: Option<String>,
}

impl Shared {
    /// Ends everything that is under way.
    pub(crate) fn stop(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(job) = self.job() {
            job.cancel();
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(crate) fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The query that is being decided, or was the last one.
    pub(crate) fn job(&self) -> Option<Arc<Job>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_job(&self, job: Arc<Job>) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        // The server may have been stopped a moment ago.
        if self.is_over() {
            self.stop();
        }
    }
}
