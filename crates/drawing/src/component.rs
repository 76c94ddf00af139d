//! Timed I/O automata, always in layers: what unfolds from data has no place in the file.

use crate::label::{joined, label, of_text};
use crate::{Bounds, Drawing, Edge, End, Kind, Label, LabelKind, Location, Point, layout};
use zonewalk_tioa::{Comparison, Component, Direction, Formula, Kind as Place};

/// A component. `actions` are the names of the project's actions.
pub fn component(component: &Component, actions: &[String]) -> Drawing {
    let clocks = &component.clocks;
    let locations = component.locations.iter().enumerate().map(|(number, location)| {
        let title = location.title();
        let mut labels = vec![of_text(LabelKind::Name, &title)];
        labels.extend(condition(LabelKind::Invariant, &location.invariant, clocks));
        Location {
            name: Some(title.clone()),
            title,
            at: Point::default(),
            is_initial: component.initial.index() == number,
            kind: match (location.kind, location.urgent) {
                (Place::Universal, _) => Kind::Universal,
                (Place::Inconsistent, _) => Kind::Inconsistent,
                (Place::Normal, true) => Kind::Urgent,
                (Place::Normal, false) => Kind::Normal,
            },
            color: None,
            labels,
            comment: None,
        }
    });
    let edges = component.edges.iter().map(|edge| {
        let mut labels = Vec::new();
        labels.extend(condition(LabelKind::Guard, &edge.guard, clocks));
        let action = actions.get(edge.action.index()).map_or("", String::as_str);
        let sign = match edge.direction {
            Direction::Input => '?',
            Direction::Output => '!',
        };
        labels.push(label(LabelKind::Sync, vec![format!("{action}{sign}")]));
        if !edge.updates.is_empty() {
            let updates = edge.updates.iter();
            let parts: Vec<String> = updates
                .map(|(clock, value)| format!("{} = {value}", name(clocks, clock.index())))
                .collect();
            labels.push(joined(LabelKind::Update, &parts, ","));
        }
        Edge {
            source: End::Location(edge.source.index()),
            target: End::Location(edge.target.index()),
            nails: Vec::new(),
            labels,
            color: None,
            is_dashed: edge.direction == Direction::Output,
            comment: None,
        }
    });
    let mut drawing = Drawing {
        name: component.name.clone(),
        parameters: String::new(),
        is_authored: false,
        locations: locations.collect(),
        branchpoints: Vec::new(),
        edges: edges.collect(),
        bounds: Bounds {
            min: Point::default(),
            max: Point::default(),
        },
    };
    layout::draw(&mut drawing);
    drawing.measure();
    drawing
}

fn condition(kind: LabelKind, formula: &Formula, clocks: &[String]) -> Option<Label> {
    if formula.is_true() {
        return None;
    }
    Some(match formula {
        Formula::And(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| text(part, clocks, true)).collect();
            joined(kind, &parts, " &&")
        }
        _ => label(kind, vec![text(formula, clocks, false)]),
    })
}

/// Formats a formula in the language's syntax. Its depth is that of the text, which the reader bounds.
fn text(formula: &Formula, clocks: &[String], inside: bool) -> String {
    let list = |parts: &[Formula], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|part| text(part, clocks, true)).collect();
        let joined = parts.join(sign);
        if inside { format!("({joined})") } else { joined }
    };
    match formula {
        Formula::Constant(value) => value.to_string(),
        Formula::Compare(comparison) => compare(comparison, clocks),
        Formula::And(parts) if parts.is_empty() => "true".to_owned(),
        Formula::Or(parts) if parts.is_empty() => "false".to_owned(),
        Formula::And(parts) => list(parts, " && "),
        Formula::Or(parts) => list(parts, " || "),
        Formula::Not(part) => format!("!({})", text(part, clocks, false)),
    }
}

fn compare(comparison: &Comparison, clocks: &[String]) -> String {
    let clock = name(clocks, comparison.clock.index());
    let minus = comparison
        .minus
        .map(|minus| format!(" - {}", name(clocks, minus.index())))
        .unwrap_or_default();
    format!(
        "{clock}{minus} {} {}",
        comparison.relation.sign(),
        comparison.bound
    )
}

fn name(clocks: &[String], index: usize) -> &str {
    clocks.get(index).map_or("?", String::as_str)
}
