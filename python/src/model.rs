//! A loaded model.

use crate::error::{problem, raised};
use crate::{job, options, report};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use zonewalk::page::{Page, PageAnswer};
use zonewalk::trace::Trace;
use zonewalk::{Error, Judgement, Loader, Model, Simulation};

/// A model, and the queries in words that it was asked. Searches work on the model as it was when they began, so that a query can be added
/// while others run.
struct Shared {
    model: Arc<Model>,
    /// By their formulas and levels: what is asked a thousand times is added once.
    asked: HashMap<(String, Option<String>), usize>,
}

/// A loaded model. Its methods may be called from several threads.
#[pyclass(frozen, module = "zonewalk._native")]
pub(crate) struct NativeModel {
    shared: Mutex<Shared>,
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
            shared: Mutex::new(Shared {
                model: Arc::new(model),
                asked: HashMap::new(),
            }),
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

    /// The index of a query in words, to be estimated by importance splitting where there are levels.
    fn index(&self, py: Python<'_>, formula: &str, levels: Option<&str>) -> PyResult<usize> {
        let key = (formula.to_owned(), levels.map(str::to_owned));
        if let Some(index) = self.with(|shared| shared.asked.get(&key).copied()) {
            return Ok(index);
        }
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let model = Arc::make_mut(&mut shared.model);
        let added = match levels {
            None => model.add_query(formula),
            Some(levels) => model.add_query_with_levels(formula, levels),
        };
        let index = added.map_err(|error| raised(py, &error))?;
        shared.asked.insert(key, index);
        Ok(index)
    }

    /// Decides a query.
    #[pyo3(signature = (query, options, patterns, progress))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        query: usize,
        options: &Bound<'py, PyDict>,
        patterns: Option<String>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = options::search(options)?;
        let model = self.model();
        let checked = job::run(py, progress.as_ref(), move |watch| match patterns {
            None => model.check_with(query, &options, watch),
            Some(patterns) => model.check_with_patterns(query, &options, &patterns, watch),
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
        let options = options::search(options)?.bounded();
        let model = self.model();
        let explored = job::run(py, progress.as_ref(), move |watch| {
            model.explore_with(&options, watch)
        })?;
        report::exploration(py, &explored.map_err(|error| raised(py, &error))?)
    }

    /// A random run, as JSON.
    fn simulate(&self, py: Python<'_>, seed: u64, steps: usize) -> PyResult<String> {
        let model = self.model();
        let run = job::run(py, None, move |_| model.simulate(seed, steps))?;
        report::json(&run.map_err(|error| raised(py, &error))?)
    }

    /// A random run that goes on as long as it is asked to.
    fn simulation(&self, py: Python<'_>, seed: u64) -> PyResult<NativeSimulation> {
        let model = self.model();
        let shared = Arc::clone(&model);
        let begun = job::run(py, None, move |_| shared.simulation(seed))?;
        Ok(NativeSimulation {
            model,
            run: Arc::new(Mutex::new(begun.map_err(|error| raised(py, &error))?)),
        })
    }

    /// The page of answers, with their runs and those that lead to run-time errors, and of further runs with their titles.
    fn page(
        &self,
        py: Python<'_>,
        answers: Vec<(String, Option<String>, Option<String>)>,
        runs: Vec<(String, String)>,
    ) -> PyResult<String> {
        let model = self.model();
        let made = job::run(py, None, move |_| page(&model, &answers, &runs))?;
        made.map_err(|error| raised(py, &error))
    }

    /// Has the reference interpreter repeat a trace.
    fn replay(&self, py: Python<'_>, trace: &str, query: Option<usize>) -> PyResult<()> {
        let trace: Trace = serde_json::from_str(trace)
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(format!("this is no trace: {error}")))?;
        let model = self.model();
        let replayed = job::run(py, None, move |_| model.replay(&trace, query))?;
        replayed.map_err(|error| raised(py, &error))
    }

    /// Has the judge of proofs look at a certificate.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        certificate: Vec<u8>,
        query: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let model = self.model();
        let judged = job::run(py, None, move |_| model.judge(&certificate, query))?;
        let dict = PyDict::new(py);
        dict.set_item("accepted", false)?;
        match judged.map_err(|error| raised(py, &error))? {
            Judgement::Accepted {
                nodes, obligations, ..
            } => {
                dict.set_item("accepted", true)?;
                dict.set_item("nodes", nodes)?;
                dict.set_item("obligations", obligations)?;
            }
            Judgement::Refused {
                obligation,
                line,
                message,
                left,
                point,
                ..
            } => {
                dict.set_item("obligation", obligation)?;
                dict.set_item("line", line)?;
                dict.set_item("reason", message)?;
                dict.set_item("left", left)?;
                dict.set_item("point", point)?;
            }
            Judgement::NotCovered(construct) => {
                dict.set_item("is_covered", false)?;
                dict.set_item("reason", format!("the judge does not cover {construct}"))?;
            }
            _ => dict.set_item("is_covered", false)?,
        }
        Ok(dict)
    }
}

/// A random run under way.
#[pyclass(frozen, module = "zonewalk._native")]
pub(crate) struct NativeSimulation {
    model: Arc<Model>,
    run: Arc<Mutex<Simulation>>,
}

#[pymethods]
impl NativeSimulation {
    /// The next steps as JSON, at most so many; fewer where the run ends.
    fn steps(&self, py: Python<'_>, count: usize) -> PyResult<Vec<String>> {
        let (model, run) = (Arc::clone(&self.model), Arc::clone(&self.run));
        let steps = job::run(py, None, move |_| {
            let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
            run.steps(&model, count)
        })?;
        let steps = steps.map_err(|error| raised(py, &error))?;
        let text = |step| serde_json::to_string(step);
        let steps = steps.iter().map(text).collect::<Result<_, _>>();
        steps.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

/// A page with what was kept as JSON.
fn page(
    model: &Model,
    answers: &[(String, Option<String>, Option<String>)],
    runs: &[(String, String)],
) -> Result<String, Error> {
    let read = |text: &String| {
        let read = serde_json::from_str::<Trace>(text);
        read.map_err(|error| Error::Query(format!("this is no trace: {error}")))
    };
    let mut page = Page::new(model);
    for (answer, run, fault) in answers {
        let answer = PageAnswer::from_json(answer)?;
        let run = run.as_ref().map(read).transpose()?;
        let fault = fault.as_ref().map(read).transpose()?;
        page.answer(&answer, run.as_ref(), fault.as_ref());
    }
    for (title, run) in runs {
        page.run(title, &read(run)?)?;
    }
    Ok(page.html())
}

impl NativeModel {
    fn with<T>(&self, see: impl FnOnce(&Shared) -> T) -> T {
        see(&self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The model with the queries that it was asked so far.
    fn model(&self) -> Arc<Model> {
        self.with(|shared| Arc::clone(&shared.model))
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
