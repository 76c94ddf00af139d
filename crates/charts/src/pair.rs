//! Runs of timed I/O automata, in the form that charts are made of.

use std::collections::BTreeMap;
use zonewalk_report::refinement::{Move, Run, StatePart};
use zonewalk_report::trace::{At, End, Participant, State, Step, Trace};

/// A component or a quotient: its side, whether it is a quotient, and its place there.
type Part = (usize, bool, u32);

/// The components of one system, or of two side by side, as processes. Where a component is on both sides, its names say which. Components
/// that are not in the run's states are not known here, and have no row.
pub fn trace_of(run: &Run) -> Trace {
    let mut names: BTreeMap<Part, (String, String)> = BTreeMap::new();
    // Where each part is first heard of is where it began.
    for step in &run.steps {
        for (side, moves) in sides(step) {
            for one in moves {
                let (part, name, from, _) = of(side, one);
                names.entry(part).or_insert_with(|| (name, from));
            }
        }
    }
    let right = run.end.right.as_deref().unwrap_or_default();
    for (side, parts) in [(0, run.end.left.as_slice()), (1, right)] {
        for part in parts {
            let (part, name, at) = match part {
                StatePart::Location {
                    part,
                    component,
                    location,
                    ..
                } => ((side, false, *part), component.clone(), location.clone()),
                StatePart::Universal { quotient } => quotient_in(side, *quotient, "universal"),
                StatePart::Error { quotient } => quotient_in(side, *quotient, "error"),
            };
            names.entry(part).or_insert((name, at));
        }
    }
    let is_on_both = |name: &str, side: usize| {
        names
            .iter()
            .any(|(part, (other, _))| part.0 != side && other == name)
    };
    let titles: BTreeMap<Part, String> = names
        .iter()
        .map(|(part, (name, _))| {
            let title = match (is_on_both(name, part.0), part.0) {
                (false, _) => name.clone(),
                (true, 0) => format!("{name} (left)"),
                (true, _) => format!("{name} (right)"),
            };
            (*part, title)
        })
        .collect();
    let locations = names.iter().map(|(part, (_, location))| At {
        process: titles[part].clone(),
        location: location.clone(),
    });
    let steps = run.steps.iter().map(|step| Step {
        delay: step.delay,
        time: step.time,
        channel: Some(format!("{}{}", step.action, step.direction.sign())),
        edges: sides(step)
            .into_iter()
            .flat_map(|(side, moves)| moves.iter().map(move |one| of(side, one)))
            .map(|(part, _, source, target)| Participant {
                process: titles[&part].clone(),
                source,
                target,
                edge: None,
                selects: Vec::new(),
            })
            .collect(),
        changes: Vec::new(),
    });
    Trace {
        initial: State {
            locations: locations.collect(),
            ..State::default()
        },
        steps: steps.collect(),
        last_delay: run.last_delay,
        end: End::Goal,
    }
}

fn sides(step: &zonewalk_report::refinement::Step) -> [(usize, &[Move]); 2] {
    [
        (0, step.left.as_slice()),
        (1, step.right.as_deref().unwrap_or_default()),
    ]
}

/// Returns the moving part, the name of the move, its source and its target.
fn of(side: usize, one: &Move) -> (Part, String, String, String) {
    match one {
        Move::Edge {
            part,
            component,
            source,
            target,
            ..
        } => (
            (side, false, *part),
            component.clone(),
            source.clone(),
            target.clone(),
        ),
        Move::Ignores {
            part,
            component,
            location,
        }
        | Move::Stays {
            part,
            component,
            location,
        } => (
            (side, false, *part),
            component.clone(),
            location.clone(),
            location.clone(),
        ),
        Move::Universal { quotient } => moved(quotient_in(side, *quotient, "universal")),
        Move::Error { quotient } => moved(quotient_in(side, *quotient, "error")),
    }
}

fn quotient_in(side: usize, number: u32, place: &str) -> (Part, String, String) {
    (
        (side, true, number),
        format!("quotient {}", number + 1),
        place.to_owned(),
    )
}

fn moved((part, name, to): (Part, String, String)) -> (Part, String, String, String) {
    (part, name, "in its components".to_owned(), to)
}
