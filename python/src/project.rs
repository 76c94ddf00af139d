//! A project of timed I/O automata.

use crate::error::{problem, raised};
use crate::{job, options, report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use zonewalk::refine::{Project, Run};

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

    fn name(&self) -> String {
        let project = self.project.lock().unwrap_or_else(PoisonError::into_inner);
        project.name().to_owned()
    }

    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let project = self.project.lock().unwrap_or_else(PoisonError::into_inner);
        project
            .warnings()
            .iter()
            .map(|found| problem(py, found))
            .collect()
    }

    /// The page of a run.
    fn page(&self, py: Python<'_>, title: String, run: &str) -> PyResult<String> {
        let run: Run = serde_json::from_str(run)
            .map_err(|error| PyValueError::new_err(format!("this is no run: {error}")))?;
        let project = Arc::clone(&self.project);
        let made = job::run(py, None, move |_| {
            let project = project.lock().unwrap_or_else(PoisonError::into_inner);
            project.page(&title, &run)
        })?;
        made.map_err(|error| raised(py, &error))
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
