//! The run and the model as the page gets them.

use crate::command::Page;
use serde_json::{Value, json};
use zonewalk_checker::load::Loaded;
use zonewalk_checker::{Recorder, time};
use zonewalk_reference::Transition;
use zonewalk_reference::simulate::earliest;
use zonewalk_reference::window::Windows;
use zonewalk_report::diagnostic::text::{Style, render};
use zonewalk_session::{Session, Zone};

/// Choices that are listed; the others are counted.
const LISTED: usize = 1000;

/// Steps that one request gets at most.
const STEPS: usize = 2000;

/// The run at its present place.
pub(crate) fn run(session: &mut Session<'_, '_>, revision: u64, trace: u64) -> Value {
    let recorder = session.recorder();
    let (mut choices, mut count, mut delays, mut error) = (Vec::new(), 0, Value::Null, Value::Null);
    match session.choices() {
        Ok(found) => {
            count = found.transitions.len();
            let listed = found.transitions.iter().take(LISTED);
            choices = listed.map(|choice| transition(&recorder, choice)).collect();
            delays = windows(&found.delays);
        }
        Err(found) => error = found.to_string().into(),
    }
    let is_deadlock = error.is_null() && count == 0;
    json!({
        "revision": revision,
        "trace": trace,
        "steps": session.len(),
        "position": session.position(),
        "changes": session.changes(),
        "time": time(session.state().time),
        "last_delay": time(session.last_delay()),
        "end": session.ending().end,
        "query": session.ending().query,
        "state": recorder.state(session.state()),
        "choices": choices,
        "choice_count": count,
        "delays": delays,
        "deadlock": is_deadlock,
        "time_stops": is_deadlock && recorder.time_stops(session.state()),
        "error": error,
    })
}

fn transition(recorder: &Recorder<'_, '_>, transition: &Transition) -> Value {
    let parts = transition.parts.iter();
    let edges: Vec<_> = parts.map(|part| recorder.participant(part)).collect();
    json!({
        "channel": recorder.channel(transition.channel),
        "edges": edges,
        "windows": windows(&transition.windows),
        "earliest": earliest(&transition.windows).ok().map(time),
    })
}

/// A set of delays: as text, and its intervals.
fn windows(windows: &Windows) -> Value {
    let intervals = windows.iter().map(|window| {
        let (lower, has_lower) = window.lower();
        let upper = window.upper();
        json!({
            "lower": time(lower),
            "has_lower": has_lower,
            "upper": upper.map(|(upper, _)| time(upper)),
            "has_upper": upper.is_some_and(|(_, has_upper)| has_upper),
        })
    });
    json!({ "text": windows.to_string(), "intervals": intervals.collect::<Vec<_>>() })
}

/// Some steps of the run.
pub(crate) fn steps(session: &Session<'_, '_>, page: Page) -> Value {
    let from = page.from.min(session.len());
    let until = from.saturating_add(page.count.min(STEPS)).min(session.len());
    let steps: Vec<_> = (from..until).filter_map(|index| session.step(index)).collect();
    json!({ "from": from, "total": session.len(), "steps": steps })
}

/// A zone.
pub(crate) fn zone(zone: &Zone, position: usize) -> Value {
    json!({
        "position": position,
        "pieces": zone.pieces,
        "approximate": zone.is_approximate,
        "cut": zone.is_cut,
    })
}

/// The model. `variables` are the names of cells, as traces have them.
pub(crate) fn model(loaded: &Loaded, number: u64, variables: Vec<String>, no_runs: Option<&str>) -> Value {
    let page = zonewalk_page::model_of(&loaded.model, &loaded.system, &loaded.templates, variables);
    let (model, system, sources) = (&loaded.model, &loaded.system, &loaded.model.sources);
    let processes = system.processes.iter().map(|process| {
        let template = &model.templates[process.template.index()];
        json!({ "name": &*process.name, "template": &*template.name })
    });
    let queries = loaded.numbered_queries().into_iter().map(|(number, query)| {
        let errors = query.typed.as_ref().err().into_iter().flatten();
        let errors: Vec<_> = errors
            .map(|error| render(error, sources, Style::default()))
            .collect();
        json!({
            "number": number,
            "text": query.entry.text,
            "comment": query.entry.comment,
            "error": (!errors.is_empty()).then(|| errors.concat()),
        })
    });
    let warnings = loaded
        .diagnostics
        .iter()
        .map(|warning| render(warning, sources, Style::default()));
    json!({
        "model": number,
        "name": loaded.name,
        "zonewalk": env!("CARGO_PKG_VERSION"),
        "processes": processes.collect::<Vec<_>>(),
        "clocks": system.clocks.iter().map(|clock| &*clock.name).collect::<Vec<_>>(),
        "page": page,
        "queries": queries.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
        "no_runs": no_runs,
    })
}
