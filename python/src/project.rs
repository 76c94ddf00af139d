//! A project of timed I/O automata.

use crate::error::raised;
use crate::{job, options, report};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use zonewalk::refine::Project;

/// A project of timed I/O automata.
#[pyclass(frozen, module = "zonewalk._native")]
pub(crate) struct NativeProject {
    project: Arc<Mutex<Project>>,
}

#[pymethods]
impl NativeProject {
    #[new]
    fn new(py: Python<'_>, path: Option<PathBuf>, text: Option<String>, name: String) -> PyResult<Self> {
        let loaded = job::run(py, None, move |_| match path {
            Some(path) => Project::load(path),
            None => Project::load_text(&name, &text.unwrap_or_default()),
        })?;
        let project = loaded.map_err(|error| raised(py, &error))?;
        Ok(NativeProject {
            project: Arc::new(Mutex::new(project)),
        })
    }

    fn queries(&self) -> Vec<String> {
        let project = self.project.lock().unwrap_or_else(PoisonError::into_inner);
        project.queries().to_vec()
    }

    /// Decides a query.
    fn check<'py>(
        &self,
        py: Python<'py>,
        query: String,
        options: &Bound<'py, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = options::refine(options)?;
        let project = Arc::clone(&self.project);
        let checked = job::run(py, progress.as_ref(), move |watch| {
            // A copy: queries add to a project, and it is asked again and again.
            let mut project = project.lock().unwrap_or_else(PoisonError::into_inner).clone();
            project.check_with(&query, &options, watch)
        })?;
        report::refinement(py, &checked.map_err(|error| raised(py, &error))?)
    }
}
