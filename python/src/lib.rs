//! The part of the package `zonewalk` for Python that is written in Rust. It has no logic of its own: values go over to the public
//! library and back as plain data, and `python/zonewalk` makes objects of them.
//!
//! # Rooms
//!
//! The package for Python, on the public library alone. `src` is the native module: `options` reads dictionaries, `job`
//! runs a search on a thread with a deep stack while the calling thread waits without the GIL and looks for signals,
//! `report` and `error` give back plain data. All objects that users see are Python (`zonewalk/_model.py`,
//! `_results.py`, `_trace.py`, `_errors.py`), so that they pickle and have types. `zonewalk/cluster`: `_worker` has the
//! tasks, which depend on their arguments alone; `_walks` cuts walk numbers into ranges and decides which walk wins;
//! `_session` speaks with Ray, and nothing else does.

mod error;
mod job;
mod model;
mod options;
mod project;
mod report;

use error::raised;
use pyo3::prelude::*;
use std::ffi::OsString;

/// The version of the library.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Does what the command `zonewalk` does with these arguments; its exit status.
#[pyfunction]
fn command(py: Python<'_>, args: Vec<OsString>, program: Vec<OsString>) -> u8 {
    py.detach(|| zonewalk::command::run(args, &program))
}

/// The XML of a member of a family.
#[pyfunction]
fn generate(py: Python<'_>, family: &str, parameters: Vec<(String, String)>) -> PyResult<String> {
    let parameters: Vec<(&str, &str)> = parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    zonewalk::families::generate(family, &parameters).map_err(|error| raised(py, &error))
}

/// A family: its name, its summary, and its parameters with their defaults and summaries.
type FamilyData = (
    &'static str,
    &'static str,
    Vec<(&'static str, String, &'static str)>,
);

/// All families.
#[pyfunction]
fn families() -> Vec<FamilyData> {
    let all = zonewalk::families::all().into_iter();
    all.map(|family| {
        let parameters = family.parameters.into_iter();
        let parameters = parameters.map(|of| (of.name, of.default, of.summary));
        (family.name, family.summary, parameters.collect())
    })
    .collect()
}

/// The combinations of a sweep: lists of names and values.
#[pyfunction]
fn combinations(axes: Vec<(String, Vec<String>)>) -> PyResult<Vec<zonewalk::Combination>> {
    let wrong = |error: zonewalk::SweepError| pyo3::exceptions::PyValueError::new_err(error.to_string());
    let mut sweep = zonewalk::Sweep::new();
    for (name, values) in axes {
        sweep = sweep.values(name, values).map_err(wrong)?;
    }
    Ok(sweep.combinations().collect())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", VERSION)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(combinations, module)?)?;
    module.add_class::<model::NativeModel>()?;
    module.add_class::<model::NativeSimulation>()?;
    module.add_class::<project::NativeProject>()?;
    Ok(())
}
