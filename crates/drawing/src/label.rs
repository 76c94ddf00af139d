//! Labels beside locations and edges, and the room they need.

use crate::{LINE, Label, LabelKind, Point};
use zonewalk_syntax::ast::{Direction, Edge, Location, Sync};
use zonewalk_syntax::print;

/// Width of a letter. Which font shows the text is not known, so this is a little more than most need.
const LETTER: f64 = 6.8;
/// Longer texts are broken where a conjunction or a list allows it.
const LONG: usize = 34;

/// Width and height of a label.
pub(crate) fn size(label: &Label) -> (f64, f64) {
    let lines = &label.lines;
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    // Names are bold.
    let letter = if label.kind == LabelKind::Name {
        1.12 * LETTER
    } else {
        LETTER
    };
    (longest as f64 * letter, lines.len() as f64 * LINE)
}

/// A label without a place.
pub(crate) fn label(kind: LabelKind, lines: Vec<String>) -> Label {
    Label {
        kind,
        lines,
        at: Point::default(),
    }
}

/// One text; its line breaks count.
pub(crate) fn of_text(kind: LabelKind, text: &str) -> Label {
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    label(
        kind,
        if lines.is_empty() {
            vec![String::new()]
        } else {
            lines
        },
    )
}

/// Parts that belong together, on one line if it is short enough, with the sign after each but the last.
pub(crate) fn joined(kind: LabelKind, parts: &[String], sign: &str) -> Label {
    let mut lines: Vec<String> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let sign = if i + 1 < parts.len() { sign } else { "" };
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() < LONG => {
                line.push(' ');
                line.push_str(part);
                line.push_str(sign);
            }
            _ => lines.push(format!("{part}{sign}")),
        }
    }
    label(kind, lines)
}

/// A condition, broken at its conjunctions.
fn condition(kind: LabelKind, expr: &zonewalk_syntax::ast::Expr) -> Label {
    let text = print::expr(expr);
    if text.chars().count() <= LONG {
        return label(kind, vec![text]);
    }
    joined(kind, &conjuncts(&text), " &&")
}

/// The parts of a conjunction that is not part of anything in brackets.
fn conjuncts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        // `||` binds less: the parts on its sides would no longer be parts of a conjunction, but is shown as one text anyway.
        if depth == 0 && rest.starts_with(" && ") {
            parts.push(String::new());
            rest = &rest[4..];
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
        rest = &rest[letter.len_utf8()..];
    }
    parts
}

pub(crate) fn of_location(location: &Location) -> Vec<Label> {
    let mut labels = Vec::new();
    if location.is_named {
        labels.push(of_text(LabelKind::Name, &location.name.name));
    }
    if let Some(invariant) = &location.invariant {
        labels.push(condition(LabelKind::Invariant, invariant));
    }
    if let Some((rate, second)) = &location.rate {
        let mut text = print::expr(rate);
        if let Some(second) = second {
            text.push_str(" : ");
            text.push_str(&print::expr(second));
        }
        labels.push(label(LabelKind::Rate, vec![text]));
    }
    labels
}

pub(crate) fn of_edge(edge: &Edge) -> Vec<Label> {
    let mut labels = Vec::new();
    if !edge.selects.is_empty() {
        let selects = edge.selects.iter();
        let parts: Vec<String> = selects
            .map(|select| format!("{} : {}", select.name.name, print::type_expr(&select.ty)))
            .collect();
        labels.push(joined(LabelKind::Select, &parts, ","));
    }
    if let Some(guard) = &edge.guard {
        labels.push(condition(LabelKind::Guard, guard));
    }
    if let Some(sync) = &edge.sync {
        labels.push(label(LabelKind::Sync, vec![synchronisation(sync)]));
    }
    if !edge.updates.is_empty() {
        let parts: Vec<String> = edge.updates.iter().map(print::expr).collect();
        labels.push(joined(LabelKind::Update, &parts, ","));
    }
    if let Some(weight) = &edge.weight {
        labels.push(label(LabelKind::Weight, vec![print::expr(weight)]));
    }
    labels
}

fn synchronisation(sync: &Sync) -> String {
    let sign = match sync.direction {
        Direction::Send => "!",
        Direction::Receive => "?",
        Direction::Together => "",
    };
    format!("{}{sign}", print::expr(&sync.channel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_are_broken_outside_of_brackets() {
        let parts = conjuncts("a[i && j] == 1 && (b && c) && forall (i : int[0, 3]) (d && e)");
        assert_eq!(
            parts,
            ["a[i && j] == 1", "(b && c)", "forall (i : int[0, 3]) (d && e)"]
        );
    }

    #[test]
    fn long_lists_are_broken_after_their_signs() {
        let parts: Vec<String> = (0..6).map(|i| format!("count[{i}] = {i}")).collect();
        let label = joined(LabelKind::Update, &parts, ",");
        assert_eq!(label.lines.first().unwrap(), "count[0] = 0, count[1] = 1,");
        assert_eq!(label.lines.last().unwrap(), "count[4] = 4, count[5] = 5");
    }
}
