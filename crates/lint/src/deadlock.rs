//! Deadlocks that are not intended.
//!
//! A deadlock counts as intended where a process has reached a location without outgoing edges, and where the predicate of a query
//! that mentions `deadlock` holds: `E<> deadlock and P.done` asks for one, `A[] (deadlock imply P.done)` allows it.

use crate::check::Check;
use crate::expression::{at, boolean, not, reachable};
use crate::report::{Extent, LintReport};
use crate::vacuity::BoundedChecker;
use zonewalk_checker::load::Loaded;
use zonewalk_checker::premise::mentions_deadlock;
use zonewalk_checker::{Evidence, Outcome, Search, Witness};
use zonewalk_model::ids::{LocationId, ProcessId};
use zonewalk_model::tree::{Expr, ExprKind, Query, QueryKind};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Whether there is such a deadlock; `None` when nothing in the model ever moves.
pub(crate) fn question(loaded: &Loaded) -> Option<Query> {
    let (model, system) = (&loaded.model, &loaded.system);
    let mut ends = Vec::new();
    let mut moves = false;
    for (index, process) in system.processes.iter().enumerate() {
        let template = &model.templates[process.template.index()];
        moves |= !template.edges.is_empty();
        for location in (0..template.locations.len()).map(LocationId::from_index) {
            let is_left = template.edges.iter().any(|edge| edge.source == location);
            // A process that never moves does not end anywhere.
            let is_entered = template.edges.iter().any(|edge| edge.target == location);
            if is_entered && !is_left {
                ends.extend(at(system, ProcessId::from_index(index), location));
            }
        }
    }
    if !moves {
        return None;
    }
    let mut parts = vec![boolean(ExprKind::Deadlock)];
    match ends.len() {
        0 => {}
        1 => parts.extend(ends.pop().map(not)),
        _ => parts.push(not(boolean(ExprKind::Or(ends)))),
    }
    let mut slots = 0;
    for query in loaded
        .queries
        .iter()
        .filter_map(|query| query.typed.as_ref().ok())
    {
        match &query.kind {
            QueryKind::Reachable(p)
            | QueryKind::Invariant(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Inevitable(p)
                if mentions_deadlock(p) =>
            {
                parts.push(not(intended(p).clone()));
                slots = slots.max(query.slots);
            }
            _ => {}
        }
    }
    let sought = match parts.len() {
        1 => parts.pop()?,
        _ => boolean(ExprKind::And(parts)),
    };
    Some(reachable(sought, slots, Span::NONE))
}

/// Where a predicate asks for a deadlock or allows one. `A[] (full imply deadlock)` holds in all of them, and is about those that are
/// full.
fn intended(predicate: &Expr) -> &Expr {
    match &predicate.kind {
        ExprKind::Imply(place, what) if matches!(what.kind, ExprKind::Deadlock) => place,
        _ => predicate,
    }
}

/// Looks for one, as question 0.
pub(crate) fn check(
    loaded: &Loaded,
    bounded: &BoundedChecker<'_, '_, '_>,
    search: Search,
    report: &mut LintReport,
) {
    if !report.wants(Check::Deadlock) {
        return;
    }
    if bounded.is_over() {
        let why = "the time was over before it was looked for".to_owned();
        report.extent(Check::Deadlock, Extent::CutShort(why));
        return;
    }
    let extent = match bounded.ask(0, search, 0.7) {
        Some(Outcome::Decided {
            satisfied: true,
            evidence: Evidence::Run(witness),
        }) => {
            report.find(Check::Deadlock, true, describe(loaded, &witness));
            Extent::Complete
        }
        Some(Outcome::Decided { .. }) => Extent::Complete,
        Some(Outcome::Maybe { .. }) => Extent::Partial(
            "clocks that can be stopped are over-approximated: there may be a deadlock, and no run shows it"
                .to_owned(),
        ),
        Some(Outcome::Undecided(reason)) => Extent::CutShort(reason.to_string()),
        Some(Outcome::Fault(fault)) => Extent::Partial(format!(
            "a run-time error of the model: {}",
            fault.diagnostic.message
        )),
        _ => Extent::Skipped("no search decides it".to_owned()),
    };
    report.extent(Check::Deadlock, extent);
}

/// The processes that are named.
const NAMED: usize = 6;

fn describe(loaded: &Loaded, witness: &Witness) -> Diagnostic {
    let Some(trace) = &witness.trace else {
        return Diagnostic::warning("deadlock", Span::NONE, "the system can deadlock");
    };
    let mut places = trace.initial.locations.clone();
    let mut last = None;
    for step in &trace.steps {
        for edge in &step.edges {
            if let Some(index) = places.iter().position(|place| place.process == edge.process) {
                places[index].location.clone_from(&edge.target);
                last = Some(index);
            }
        }
    }
    let named: Vec<String> = places
        .iter()
        .take(NAMED)
        .map(|place| format!("{}.{}", place.process, place.location))
        .collect();
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let steps = match witness.steps {
        0 => "at once".to_owned(),
        1 => "after 1 step".to_owned(),
        n => format!("after {n} steps"),
    };
    let message = format!("the system can deadlock {steps}: {}{more}", named.join(", "));
    let span = location_span(loaded, last.unwrap_or(0), &places);
    Diagnostic::warning("deadlock", span, message)
        .help("`zonewalk check MODEL -q 'E<> deadlock'` shows a run; if it is intended, say so by a query that mentions deadlock")
}

fn location_span(loaded: &Loaded, process: usize, places: &[zonewalk_report::trace::At]) -> Span {
    let template = loaded
        .system
        .processes
        .get(process)
        .map(|process| process.template);
    let template = template.map(|id| &loaded.model.templates[id.index()]);
    let name = places.get(process).map(|place| place.location.as_str());
    template
        .and_then(|template| {
            template
                .locations
                .iter()
                .find(|location| Some(&*location.name) == name)
        })
        .map_or(Span::NONE, |location| location.span)
}
