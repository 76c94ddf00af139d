//! Errors of the library as exceptions: the classes are those of `zonewalk._errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use zonewalk::{Error, Problem, Severity};

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error {
        Error::File(_) => "file",
        Error::Malformed(_) => "malformed",
        Error::MalformedQuery(_) => "query",
        Error::Unsupported(_) => "unsupported",
        Error::NoSuchQuery { .. } => "index",
        Error::DependentWalks { .. } => "value",
        Error::InvalidTrace(_) => "trace",
        Error::InvalidCertificate(_) => "certificate",
        Error::Query(_) => "query",
        _ => "internal",
    };
    let problems: PyResult<Vec<_>> = error.problems().iter().map(|found| problem(py, found)).collect();
    let exception = problems.and_then(|problems| {
        let module = py.import("zonewalk._errors")?;
        module.call_method1("make", (kind, error.to_string(), problems))
    });
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Errors and warnings, with their places.
pub(crate) fn problem<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(
        "severity",
        match problem.severity {
            Severity::Error => "error",
            _ => "warning",
        },
    )?;
    dict.set_item("code", problem.code)?;
    dict.set_item("message", &problem.message)?;
    dict.set_item("file", &problem.file)?;
    dict.set_item("line", problem.line)?;
    dict.set_item("column", problem.column)?;
    dict.set_item("hint", &problem.hint)?;
    dict.set_item("document", problem.to_json())?;
    Ok(dict)
}
