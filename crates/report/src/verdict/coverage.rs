//! Coverage of walks without a goal.

use super::QueryResult;
use super::text::{bytes, count, seconds};
use crate::layout::{Page, list, paragraph};
use serde::Serialize;
use std::fmt::Write as _;

/// Locations or edges that are listed for people; programs get all of them.
const LISTED: usize = 40;

/// Coverage of locations and edges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CoverageInfo {
    /// Locations of processes.
    pub locations: Counted,
    /// Edges of processes.
    pub edges: Counted,
    /// Locations that some process of their template never reached.
    pub unreached_locations: Vec<UnreachedInfo>,
    /// Edges that some process of their template never took.
    pub unreached_edges: Vec<UnreachedInfo>,
}

/// A number reached out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Number reached.
    pub reached: usize,
    /// All of them.
    pub total: usize,
}

/// A location or edge that some process of its template never reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreachedInfo {
    /// The template.
    pub template: String,
    /// `Waiting`, or `Waiting → Busy` with its channel.
    pub name: String,
    /// File of the location or edge.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// Processes of the template that did not reach it.
    pub missed: usize,
    /// Processes of the template.
    pub processes: usize,
}

/// The whole result as text within a number of columns.
pub fn render(result: &QueryResult, coverage: &CoverageInfo, width: usize) -> String {
    let mut text = Page::new(width);
    text.push_str(&summary(result, width));
    part(
        &mut text,
        "locations",
        coverage.locations,
        &coverage.unreached_locations,
    );
    part(&mut text, "edges", coverage.edges, &coverage.unreached_edges);
    text.into_text()
}

/// The counts alone, for systems without locations and edges.
pub fn summary(result: &QueryResult, width: usize) -> String {
    let mut text = Page::new(width);
    let stats = &result.stats;
    if stats.states_explored > 0 {
        states(&mut text, result);
    } else {
        walks(&mut text, result);
    }
    if result.cost.peak_memory_bytes > 0 {
        let _ = writeln!(text, "{:<14}{}", "memory", bytes(result.cost.peak_memory_bytes));
    }
    if let Some(certificate) = &result.certificate {
        paragraph(&mut text, "proof", &certificate.in_figures());
        if let Some(place) = certificate.place() {
            paragraph(&mut text, "", &place);
        }
    }
    if let Some(reason) = &result.reason {
        paragraph(&mut text, "ended", reason);
    }
    text.into_text()
}

fn states(text: &mut Page, result: &QueryResult) {
    let stats = &result.stats;
    let all = if result.proof {
        "all of them"
    } else {
        "not all of them"
    };
    let _ = writeln!(
        text,
        "{:<14}{} explored, {} stored by {}, {all}",
        "states", stats.states_explored, stats.states_stored, result.search
    );
    let speed = stats.states_explored as f64 / result.cost.search_s.max(1e-9);
    let _ = writeln!(
        text,
        "{:<14}{} in {}, {speed:.0} states per second; the deepest state is {} away",
        "transitions",
        stats.transitions,
        seconds(result.cost.search_s),
        count(stats.max_depth, "step")
    );
}

fn walks(text: &mut Page, result: &QueryResult) {
    let stats = &result.stats;
    let _ = writeln!(
        text,
        "{:<14}{} by {} on {}, seed {}",
        "walks",
        stats.walks,
        result.search,
        count(result.threads as u64, "thread"),
        result.seed
    );
    let speed = stats.steps as f64 / result.cost.search_s.max(1e-9);
    let _ = writeln!(
        text,
        "{:<14}{} in {}, {speed:.0} per second; the longest walk has {}",
        "steps",
        stats.steps,
        seconds(result.cost.search_s),
        count(stats.max_depth, "step")
    );
}

fn part(text: &mut Page, title: &str, counted: Counted, unreached: &[UnreachedInfo]) {
    let _ = writeln!(
        text,
        "\n{title:<14}{} of {} reached",
        counted.reached, counted.total
    );
    let place = |u: &UnreachedInfo| u.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    let (never, sometimes): (Vec<_>, Vec<_>) = unreached.iter().partition(|u| u.missed == u.processes);
    let never: Vec<_> = never
        .iter()
        .map(|u| format!("{}: {}{}", u.template, u.name, place(u)))
        .collect();
    let sometimes: Vec<_> = sometimes
        .iter()
        .map(|u| {
            format!(
                "{}: {}{}, {} of {}",
                u.template,
                u.name,
                place(u),
                u.missed,
                u.processes
            )
        })
        .collect();
    list(text, "not reached", &never, LISTED);
    list(text, "not by all", &sometimes, LISTED);
}
