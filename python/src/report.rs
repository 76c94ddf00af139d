//! Answers of the library as dictionaries.

use crate::error::problem;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use zonewalk::page::PageAnswer;
use zonewalk::refine::{RefineReport, RefineVerdict};
use zonewalk::trace::Trace;
use zonewalk::{
    Coverage, Exploration, Limit, Optimality, Options, Progress, Report, RuntimeError, Statistics, Unreached,
    Verdict, Witness,
};

/// A trace as JSON.
pub(crate) fn json(trace: &Trace) -> PyResult<String> {
    serde_json::to_string(trace).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Outcome of a check.
pub(crate) fn check<'py>(
    py: Python<'py>,
    report: &Report,
    options: &Options,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let verdict = match &report.verdict {
        Verdict::Satisfied
        | Verdict::Estimated {
            satisfied: Some(true),
        } => "satisfied",
        Verdict::NotSatisfied
        | Verdict::Estimated {
            satisfied: Some(false),
        } => "not satisfied",
        Verdict::MaybeSatisfied => "maybe satisfied",
        Verdict::MaybeNotSatisfied => "maybe not satisfied",
        Verdict::Values(_) if report.is_proof => "satisfied",
        Verdict::Values(_) => "maybe satisfied",
        _ => "unknown",
    };
    dict.set_item("verdict", verdict)?;
    dict.set_item("proof", report.is_proof)?;
    dict.set_item("search", report.search)?;
    dict.set_item("seed", options.seed)?;
    dict.set_item("threads", options.threads.get())?;
    dict.set_item("reason", &report.reason)?;
    let limit = match &report.verdict {
        Verdict::Unknown(limit) => Some(limit_name(*limit)),
        _ => None,
    };
    dict.set_item("limit", limit)?;
    dict.set_item("stats", statistics(py, &report.statistics)?)?;
    dict.set_item("values", values(py, &report.verdict)?)?;
    if let Some(estimate) = &report.estimate {
        let about = PyDict::new(py);
        about.set_item("value", estimate.value)?;
        about.set_item("interval", estimate.interval.map(|[low, high]| (low, high)))?;
        about.set_item("confidence", estimate.confidence)?;
        about.set_item("runs", estimate.runs)?;
        about.set_item("satisfied", estimate.satisfied)?;
        about.set_item("undecided", estimate.undecided)?;
        dict.set_item("estimate", about)?;
    } else {
        dict.set_item("estimate", py.None())?;
    }
    dict.set_item(
        "error",
        report.error.as_ref().map(|error| fault(py, error)).transpose()?,
    )?;
    let witness = report.witness.as_deref();
    dict.set_item("witness", witness.map(|found| run(py, found)).transpose()?)?;
    let problems = report.problems.iter().map(|found| problem(py, found));
    dict.set_item("problems", problems.collect::<PyResult<Vec<_>>>()?)?;
    let warnings = report.warnings.iter().map(|found| problem(py, found));
    dict.set_item("warnings", warnings.collect::<PyResult<Vec<_>>>()?)?;
    let certificate = report.certificate.as_ref();
    let text = certificate.and_then(|certificate| certificate.to_bytes(false));
    dict.set_item("certificate", text.map(|text| PyBytes::new(py, &text)))?;
    dict.set_item("document", report.to_json())?;
    dict.set_item("answer", PageAnswer::new(report).to_json())?;
    Ok(dict)
}

fn values<'py>(py: Python<'py>, verdict: &Verdict) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
    let Verdict::Values(values) = verdict else {
        return Ok(None);
    };
    let value = |of: &zonewalk::Value| {
        let dict = PyDict::new(py);
        dict.set_item("expression", &of.expression)?;
        dict.set_item("value", &of.value)?;
        dict.set_item("reached", &of.reached)?;
        dict.set_item("certain", of.certain)?;
        Ok(dict)
    };
    values.iter().map(value).collect::<PyResult<Vec<_>>>().map(Some)
}

/// A run that shows the answer.
fn run<'py>(py: Python<'py>, witness: &Witness) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("steps", witness.steps)?;
    dict.set_item("duration", witness.duration.to_string())?;
    dict.set_item("found_steps", witness.found_steps)?;
    dict.set_item("found_duration", witness.found_duration.to_string())?;
    let (shortest, fastest) = match &witness.optimality {
        Optimality::Shortest => (Some(true), None),
        Optimality::Fastest => (None, Some(true)),
        Optimality::UnprovenShortest(_) => (Some(false), None),
        Optimality::UnprovenFastest(_) => (None, Some(false)),
        _ => (None, None),
    };
    dict.set_item("shortest", shortest)?;
    dict.set_item("fastest", fastest)?;
    dict.set_item("trace", witness.trace.as_ref().map(json).transpose()?)?;
    Ok(dict)
}

fn fault<'py>(py: Python<'py>, error: &RuntimeError) -> PyResult<Bound<'py, PyDict>> {
    let dict = problem(py, &error.problem)?;
    dict.set_item("trace", error.trace.as_deref().map(json).transpose()?)?;
    Ok(dict)
}

fn statistics<'py>(py: Python<'py>, stats: &Statistics) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("walks", stats.walks)?;
    dict.set_item("steps", stats.steps)?;
    dict.set_item("effort", stats.effort)?;
    dict.set_item("max_depth", stats.max_depth)?;
    dict.set_item("states_explored", stats.states_explored)?;
    dict.set_item("states_stored", stats.states_stored)?;
    dict.set_item("transitions", stats.transitions)?;
    dict.set_item("search_s", stats.search_time.as_secs_f64())?;
    dict.set_item("trace_s", stats.trace_time.as_secs_f64())?;
    Ok(dict)
}

/// The name of a limit.
fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "time",
        Limit::Walks => "walks",
        Limit::Cancelled => "cancelled",
        Limit::Memory => "memory",
        Limit::States => "states",
        Limit::Depth => "depth",
        Limit::Incomplete => "incomplete",
        _ => "other",
    }
}

/// Result of an exploration.
pub(crate) fn exploration<'py>(py: Python<'py>, explored: &Exploration) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("complete", explored.is_complete)?;
    dict.set_item("limit", explored.limit.map(limit_name))?;
    dict.set_item(
        "error",
        explored
            .error
            .as_ref()
            .map(|error| fault(py, error))
            .transpose()?,
    )?;
    dict.set_item("stats", statistics(py, &explored.statistics)?)?;
    dict.set_item("coverage", coverage(py, &explored.coverage)?)?;
    Ok(dict)
}

fn coverage<'py>(py: Python<'py>, coverage: &Coverage) -> PyResult<Bound<'py, PyDict>> {
    let unreached = |list: &[Unreached]| {
        let one = |of: &Unreached| {
            let dict = PyDict::new(py);
            dict.set_item("template", &of.template)?;
            dict.set_item("name", &of.name)?;
            dict.set_item("line", of.line)?;
            dict.set_item("missed", of.missed)?;
            dict.set_item("processes", of.processes)?;
            Ok(dict)
        };
        list.iter().map(one).collect::<PyResult<Vec<_>>>()
    };
    let dict = PyDict::new(py);
    dict.set_item("locations", coverage.locations)?;
    dict.set_item("edges", coverage.edges)?;
    dict.set_item("unreached_locations", unreached(&coverage.unreached_locations)?)?;
    dict.set_item("unreached_edges", unreached(&coverage.unreached_edges)?)?;
    Ok(dict)
}

/// Result of a query about timed I/O automata.
pub(crate) fn refinement<'py>(py: Python<'py>, report: &RefineReport) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let verdict = match report.verdict {
        RefineVerdict::Satisfied => "satisfied",
        RefineVerdict::NotSatisfied => "not satisfied",
        _ => "unknown",
    };
    dict.set_item("verdict", verdict)?;
    dict.set_item("proof", report.is_proof)?;
    dict.set_item("search", report.search)?;
    dict.set_item("reason", report.reason.as_ref().map(|reason| reason.text.clone()))?;
    dict.set_item("notes", &report.notes)?;
    let text = |run| serde_json::to_string(run).map_err(|error| PyRuntimeError::new_err(error.to_string()));
    dict.set_item("run", report.run.as_ref().map(text).transpose()?)?;
    dict.set_item("document", report.to_json())?;
    dict.set_item("component", &report.component)?;
    dict.set_item("walks", report.walks)?;
    dict.set_item("steps", report.steps)?;
    dict.set_item("zones_explored", report.zones_explored)?;
    dict.set_item("search_s", report.search_time.as_secs_f64())?;
    Ok(dict)
}

/// A moment of a search.
pub(crate) fn progress<'py>(py: Python<'py>, progress: &Progress) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("walks", progress.walks)?;
    dict.set_item("steps", progress.steps)?;
    dict.set_item("search", progress.search)?;
    dict.set_item("depth", progress.depth)?;
    dict.set_item("best_steps", progress.best_steps)?;
    dict.set_item("is_shrinking", progress.is_shrinking)?;
    let states = progress.states.as_ref();
    dict.set_item("states_explored", states.map(|states| states.explored))?;
    dict.set_item("states_stored", states.map(|states| states.stored))?;
    dict.set_item("states_waiting", states.map(|states| states.waiting))?;
    Ok(dict)
}
