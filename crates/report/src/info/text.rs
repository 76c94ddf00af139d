//! Facts about a model for people.

use super::capability::Engine;
use super::{ModelInfo, QueryInfo, RecordedOutcome};
use crate::layout::{INDENT, Page, hanging, paragraph};
use crate::verdict::text::visible;
use std::fmt::Write as _;

/// Templates that are listed; generated models have thousands.
const TEMPLATES: usize = 40;

/// Formats the information in `width` columns, ending with a line break.
pub fn render(info: &ModelInfo, width: usize) -> String {
    let mut text = Page::new(width);
    let _ = write!(text, "{}\n\n", visible(&info.model));
    if info.syntax == "old" {
        paragraph(
            &mut text,
            "syntax",
            "old syntax, from before version 4 of the language",
        );
    }
    templates(&mut text, info);
    sizes(&mut text, info);
    features(&mut text, info);
    queries(&mut text, info);
    engines(&mut text, info);
    loading(&mut text, info);
    text.into_text()
}

fn templates(text: &mut Page, info: &ModelInfo) {
    let listed = &info.templates[..info.templates.len().min(TEMPLATES)];
    let width = listed
        .iter()
        .map(|t| t.name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(8, 30);
    let _ = writeln!(
        text,
        "{:<INDENT$}{:<width$} locations   edges  processes",
        "templates", "name"
    );
    for template in listed {
        let _ = writeln!(
            text,
            "{:INDENT$}{:<width$} {:>9} {:>7} {:>10}",
            "", template.name, template.locations, template.edges, template.processes
        );
    }
    if info.templates.len() > TEMPLATES {
        let _ = writeln!(text, "{:INDENT$}… {} more", "", info.templates.len() - TEMPLATES);
    }
}

fn sizes(text: &mut Page, info: &ModelInfo) {
    let system = format!(
        "{}, {}, {}",
        count(info.processes, "process", "processes"),
        count(info.locations, "location", "locations"),
        count(info.edges, "edge", "edges")
    );
    paragraph(text, "system", &system);

    let mut variables = count(info.variables.integers, "integer cell", "integer cells");
    if info.variables.meta > 0 {
        let _ = write!(
            variables,
            ", {} of meta variables",
            count(info.variables.meta, "cell", "cells")
        );
    }
    if info.variables.doubles > 0 {
        let _ = write!(
            variables,
            ", {}",
            count(
                info.variables.doubles,
                "floating-point cell",
                "floating-point cells"
            )
        );
    }
    paragraph(text, "variables", &variables);
    paragraph(text, "clocks", &number(info.clocks));

    let channels = &info.channels;
    let kinds = [
        (channels.plain, "plain"),
        (channels.broadcast, "broadcast"),
        (channels.urgent, "urgent"),
    ];
    let kinds: Vec<_> = kinds
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, kind)| format!("{} {kind}", number(*n)))
        .collect();
    match kinds.as_slice() {
        [] => paragraph(text, "channels", "none"),
        kinds => paragraph(
            text,
            "channels",
            &format!("{}: {}", number(channels.total), kinds.join(", ")),
        ),
    }

    let vector = &info.state_vector;
    let vector = format!(
        "{} = {} + {} + {}",
        number(vector.size),
        count(vector.locations, "location", "locations"),
        count(vector.integers, "integer", "integers"),
        count(vector.clocks, "clock", "clocks")
    );
    paragraph(text, "state vector", &vector);
}

fn features(text: &mut Page, info: &ModelInfo) {
    let mut title = "features";
    for feature in &info.features {
        let times = if feature.count == 1 {
            "once".to_owned()
        } else {
            format!("{} times", number(feature.count as usize))
        };
        let first = if feature.count == 1 { "" } else { "first " };
        let place = place(feature.file.as_deref(), feature.line)
            .map_or(String::new(), |p| format!(", {first}at {p}"));
        paragraph(text, title, &format!("{}: {times}{place}", feature.feature));
        title = "";
    }
    if info.features.is_empty() {
        paragraph(text, title, "plain timed automata");
    }
}

fn queries(text: &mut Page, info: &ModelInfo) {
    text.push_str("\n");
    if info.queries.is_empty() {
        paragraph(text, "queries", "none");
    }
    for (index, query) in info.queries.iter().enumerate() {
        let title = if index == 0 { "queries" } else { "" };
        let mut heading = format!("{}. {}", query.number, status(query));
        if let Some(recorded) = &query.recorded {
            let _ = write!(heading, ", {}", outcome(recorded));
        }
        paragraph(text, title, &heading);
        set_in(text, &query.query);
    }
    let skipped: Vec<_> = info
        .skipped_queries
        .iter()
        .map(|query| format!("{} ({})", query.number, query.kind))
        .collect();
    if !skipped.is_empty() {
        paragraph(text, "skipped", &skipped.join(", "));
    }
}

/// A paragraph below the number of a query.
fn set_in(text: &mut Page, content: &str) {
    hanging(text, &" ".repeat(INDENT + QUERY), content, QUERY);
}

/// Columns that what is below the number of a query is set in.
const QUERY: usize = 3;

fn status(query: &QueryInfo) -> String {
    match query.kind {
        Some(kind) if query.decided_by.is_empty() => format!("{kind} (no search decides it)"),
        Some(kind) => match &query.no_claim {
            // Of estimates nobody expects a proof.
            Some(why) if why.starts_with("the judge") => format!("{kind}; proofs are not judged: {why}"),
            _ => kind.to_owned(),
        },
        None => "not a query of this model".to_owned(),
    }
}

fn outcome(recorded: &RecordedOutcome) -> String {
    let word = if recorded.expected { "expected" } else { "recorded" };
    match &recorded.value {
        Some(value) => format!("{word}: {} {value}", recorded.outcome),
        None => format!("{word}: {}", recorded.outcome),
    }
}

fn engines(text: &mut Page, info: &ModelInfo) {
    text.push_str("\n");
    let mut title = "engines";
    for engine in &info.engines {
        hanging(text, title, &verdict(engine), 2);
        title = "";
    }
}

fn verdict(engine: &Engine) -> String {
    let mut text = format!("{} ({}): ", engine.engine, engine.searches.join(", "));
    if engine.suitable {
        let to_come: Vec<_> = engine
            .searches
            .iter()
            .filter(|search| !engine.available_searches.contains(search))
            .copied()
            .collect();
        match (engine.available, to_come.as_slice()) {
            (false, _) => text.push_str("suitable, but not available yet"),
            (true, []) => text.push_str("yes"),
            (true, to_come) => {
                let _ = write!(text, "yes ({} not available yet)", to_come.join(", "));
            }
        }
    } else {
        let obstacles: Vec<_> = engine
            .obstacles
            .iter()
            .map(|o| match place(o.file.as_deref(), o.line) {
                Some(place) => format!("{} ({place})", o.feature),
                None => o.feature.clone(),
            })
            .collect();
        let _ = write!(text, "no, because of {}", obstacles.join(", "));
    }
    for remark in &engine.remarks {
        let _ = write!(text, "; {remark}");
    }
    text
}

fn loading(text: &mut Page, info: &ModelInfo) {
    text.push_str("\n");
    if let Some(compiled) = &info.compiled {
        let sizes = format!(
            "{}, {}, {}, {} per state",
            count(compiled.edges, "edge", "edges"),
            count(compiled.instructions, "instruction", "instructions"),
            bytes(compiled.bytes),
            bytes(compiled.state_bytes)
        );
        paragraph(text, "compiled", &sizes);
    }
    let load = &info.load;
    let phases = [
        ("read", load.read_s),
        ("check", load.check_s),
        ("instantiate", load.instantiate_s),
        ("compile", load.compile_s),
    ];
    let phases: Vec<_> = phases
        .iter()
        .map(|(name, time)| format!("{name} {:.1}", time * 1e3))
        .collect();
    paragraph(
        text,
        "loaded in",
        &format!("{:.1} ms ({})", load.total_s * 1e3, phases.join(", ")),
    );
}

fn place(file: Option<&str>, line: Option<u32>) -> Option<String> {
    Some(format!("{}:{}", file?, line?))
}

fn bytes(value: usize) -> String {
    match value {
        0..10_240 => format!("{value} bytes"),
        10_240..10_485_760 => format!("{} KiB", value / 1024),
        _ => format!("{} MiB", value / (1024 * 1024)),
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// With commas between the thousands.
fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
