//! Drawings as graphs for Graphviz, which finds the places itself.

use crate::{Drawing, End, Kind, Label, LabelKind};
use std::fmt::Write as _;

/// The graphs, one in each cluster, as one file.
pub fn file(drawings: &[Drawing]) -> String {
    let mut out = String::from(
        "digraph zonewalk {\n  node [shape=circle, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
    );
    for (number, drawing) in drawings.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{number} {{");
        let _ = writeln!(
            out,
            "    label=\"{}\";",
            escaped(&format!("{}{}", drawing.name, drawing.parameters))
        );
        for (place, location) in drawing.locations.iter().enumerate() {
            let mut lines: Vec<String> = lines(&location.labels);
            if location.name.is_none() {
                lines.insert(0, location.title.clone());
            }
            let shape = if location.is_initial {
                ", shape=doublecircle"
            } else {
                ""
            };
            let sign = match location.kind {
                Kind::Normal => None,
                Kind::Urgent => Some("urgent"),
                Kind::Committed => Some("committed"),
                Kind::Universal => Some("universal"),
                Kind::Inconsistent => Some("inconsistent"),
            };
            lines.extend(sign.map(|sign| format!("({sign})")));
            let color = location
                .color
                .as_ref()
                .map(|color| format!(", style=filled, fillcolor=\"{}\"", escaped(color)));
            let color = color.unwrap_or_default();
            let _ = writeln!(
                out,
                "    l{number}_{place} [label=\"{}\"{shape}{color}];",
                text(&lines)
            );
        }
        for place in 0..drawing.branchpoints.len() {
            let _ = writeln!(out, "    b{number}_{place} [shape=point, label=\"\"];");
        }
        for edge in &drawing.edges {
            let end = |end: End| match end {
                End::Location(place) => format!("l{number}_{place}"),
                End::Branchpoint(place) => format!("b{number}_{place}"),
            };
            let style = if edge.is_dashed { ", style=dashed" } else { "" };
            let head = if matches!(edge.target, End::Branchpoint(_)) {
                ", arrowhead=none"
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "    {} -> {} [label=\"{}\"{style}{head}];",
                end(edge.source),
                end(edge.target),
                text(&lines(&edge.labels))
            );
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// The labels, the names among them first.
fn lines(labels: &[Label]) -> Vec<String> {
    let mut labels: Vec<&Label> = labels.iter().collect();
    labels.sort_by_key(|label| label.kind != LabelKind::Name);
    labels
        .iter()
        .flat_map(|label| label.lines.iter().cloned())
        .collect()
}

fn text(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    lines.join("\\n")
}

/// As a string of the language of graphs.
fn escaped(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars()
        .map(plain)
        .collect::<String>()
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
}
