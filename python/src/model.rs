//! A loaded model.

use crate::error::{problem, raised};
use crate::{job, options, report};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use zonewalk::{Error, Loader, Model};

/// A model, and the queries in words that it was asked.
struct Shared {
    model: Model,
    /// By their formulas: what is asked a thousand times is added once.
    asked: HashMap<String, usize>,
}

/// A loaded model. Its methods may be called from several threads.
#[pyclass(frozen, module = "zonewalk._native")]
pub(crate) struct NativeModel {
    shared: Arc<RwLock<Shared>>,
}

/// Where a model and its queries come from.
#[derive(FromPyObject)]
struct Source {
    #[pyo3(item)]
    path: Option<PathBuf>,
    #[pyo3(item)]
    text: Option<String>,
    #[pyo3(item)]
    name: String,
    #[pyo3(item)]
    constants: Vec<(String, String)>,
    #[pyo3(item)]
    queries: Option<Vec<String>>,
    #[pyo3(item)]
    query_file: Option<PathBuf>,
}

#[pymethods]
impl NativeModel {
    #[new]
    fn new(py: Python<'_>, source: Source) -> PyResult<Self> {
        let loaded = job::run(py, None, move |_| load(source))?;
        let model = loaded.map_err(|error| raised(py, &error))?;
        Ok(NativeModel {
            shared: Arc::new(RwLock::new(Shared {
                model,
                asked: HashMap::new(),
            })),
        })
    }

    fn name(&self) -> String {
        self.with(|shared| shared.model.name().to_owned())
    }

    /// Formulas and comments; those that were asked in words later are behind them.
    fn queries(&self) -> Vec<(String, String)> {
        self.with(|shared| {
            let queries = shared.model.queries();
            queries
                .map(|query| (query.formula().to_owned(), query.comment().to_owned()))
                .collect()
        })
    }

    /// Names, locations and numbers of edges.
    fn templates(&self) -> Vec<(String, Vec<String>, usize)> {
        self.with(|shared| {
            let templates = shared.model.templates();
            templates
                .map(|template| {
                    let locations = template.locations.iter().map(|&name| name.to_owned());
                    (template.name.to_owned(), locations.collect(), template.edges)
                })
                .collect()
        })
    }

    /// Names and templates.
    fn processes(&self) -> Vec<(String, String)> {
        self.with(|shared| {
            let processes = shared.model.processes();
            processes
                .map(|process| (process.name.to_owned(), process.template.to_owned()))
                .collect()
        })
    }

    fn clocks(&self) -> Vec<String> {
        self.with(|shared| shared.model.clocks().map(str::to_owned).collect())
    }

    fn features(&self) -> Vec<&'static str> {
        self.with(|shared| shared.model.features())
    }

    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let warnings = self.with(|shared| shared.model.warnings());
        warnings.iter().map(|warning| problem(py, warning)).collect()
    }

    /// The index of a query in words.
    fn index(&self, py: Python<'_>, formula: &str) -> PyResult<usize> {
        if let Some(index) = self.with(|shared| shared.asked.get(formula).copied()) {
            return Ok(index);
        }
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let added = shared.model.add_query(formula);
        let index = added.map_err(|error| raised(py, &error))?;
        shared.asked.insert(formula.to_owned(), index);
        Ok(index)
    }

    /// Decides a query.
    fn check<'py>(
        &self,
        py: Python<'py>,
        query: usize,
        options: &Bound<'py, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = options::search(options)?;
        let shared = Arc::clone(&self.shared);
        let checked = job::run(py, progress.as_ref(), move |watch| {
            let shared = shared.read().unwrap_or_else(PoisonError::into_inner);
            shared.model.check_with(query, &options, watch)
        })?;
        report::check(py, &checked.map_err(|error| raised(py, &error))?, &options)
    }

    /// Explores the model.
    fn explore<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = options::search(options)?;
        let shared = Arc::clone(&self.shared);
        let explored = job::run(py, progress.as_ref(), move |watch| {
            let shared = shared.read().unwrap_or_else(PoisonError::into_inner);
            shared.model.explore_with(&options, watch)
        })?;
        report::exploration(py, &explored.map_err(|error| raised(py, &error))?)
    }

    /// A random run, as JSON.
    fn simulate(&self, py: Python<'_>, seed: u64, steps: usize) -> PyResult<String> {
        let shared = Arc::clone(&self.shared);
        let run = job::run(py, None, move |_| {
            let shared = shared.read().unwrap_or_else(PoisonError::into_inner);
            shared.model.simulate(seed, steps)
        })?;
        report::json(&run.map_err(|error| raised(py, &error))?)
    }

    /// Has the reference interpreter repeat a trace.
    fn replay(&self, py: Python<'_>, trace: &str, query: Option<usize>) -> PyResult<()> {
        let trace: zonewalk::trace::Trace = serde_json::from_str(trace)
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("this is no trace: {error}")))?;
        let shared = Arc::clone(&self.shared);
        let replayed = job::run(py, None, move |_| {
            let shared = shared.read().unwrap_or_else(PoisonError::into_inner);
            shared.model.replay(&trace, query)
        })?;
        replayed.map_err(|error| raised(py, &error))
    }
}

impl NativeModel {
    fn with<T>(&self, see: impl FnOnce(&Shared) -> T) -> T {
        see(&self.shared.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn load(source: Source) -> Result<Model, Error> {
    let mut loader = Loader::new();
    for (name, value) in source.constants {
        loader = loader.constant(name, value);
    }
    for formula in source.queries.iter().flatten() {
        loader = loader.query(formula);
    }
    if source.queries.is_some_and(|queries| queries.is_empty()) {
        loader = loader.without_queries();
    }
    if let Some(file) = source.query_file {
        loader = loader.query_file(file);
    }
    match (source.path, source.text) {
        (Some(path), _) => loader.load(path),
        (None, text) => loader.load_text(&source.name, &text.unwrap_or_default()),
    }
}
