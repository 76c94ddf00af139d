//! Answers for people: the question, the answer, and how it was found.

use super::certificate::CertificateInfo;
use super::{Answer, Closest, Cycle, DirectedStats, Effort, QueryResult, Stats, TraceSummary};
use crate::decimal::readable;
use crate::palette::{Palette, Role};
use crate::statistics;
use std::fmt::Write as _;

/// A result as text; the trace itself is rendered elsewhere. `number` is that of the query where there are several.
pub fn render(result: &QueryResult, number: Option<usize>, palette: Palette) -> String {
    let mut text = String::new();
    let indent = match number {
        Some(number) => {
            let title = format!("{number}. ");
            text.push_str(&title);
            title.len()
        }
        None => 0,
    };
    let _ = writeln!(text, "{}", visible(result.query.as_deref().unwrap_or_default()));
    let mut line = |words: &str| {
        let _ = writeln!(text, "{}{words}", " ".repeat(indent));
    };
    if let Some(title) = result.title() {
        line(&format!("// {}", visible(&title)));
    }
    let answer = result.verdict.unwrap_or(Answer::Unknown);
    let word = painted(answer, palette);
    if let Some(estimate) = &result.statistics {
        let told = statistics::lines(estimate);
        for (index, words) in told.iter().enumerate() {
            let words = visible(words);
            line(&if index == 0 {
                format!("{word}: {words}")
            } else {
                words.to_string()
            });
        }
    } else {
        match (&result.trace, &result.reason) {
            // Values come with runs that reach them, and rest on the whole zone graph all the same.
            (Some(trace), _) if answer != Answer::Unknown && result.values.is_none() => {
                let shows = match answer {
                    Answer::Satisfied => "a run of",
                    _ => "violated by a run of",
                };
                line(&format!(
                    "{word}: {shows} {}",
                    extent(trace.steps, &trace.duration)
                ));
                line(&found(result, trace));
                if let Some(words) = standing(trace) {
                    line(&words);
                }
            }
            (_, Some(reason)) => {
                line(&format!("{word}: {}", visible(reason)));
                if result.stats.walks + result.stats.states_explored > 0 {
                    line(&format!(
                        "{}: {}{}",
                        result.search,
                        own_effort(result),
                        others(result)
                    ));
                }
            }
            _ => {
                let pruned = led_by(result).map_or(0, |directed| directed.pruned);
                let by_all = result.proof && !result.by_run && result.stats.states_explored + pruned > 0;
                let shown = result.trace.as_ref().filter(|_| result.values.is_some());
                let reason = match shown {
                    Some(trace) if by_all => format!(
                        "{word}: every reachable state was explored; with a run of {}",
                        extent(trace.steps, &trace.duration)
                    ),
                    _ if by_all && pruned > 0 => {
                        format!("{word}: every state that may lead to the goal was explored")
                    }
                    _ if by_all => format!("{word}: every reachable state was explored"),
                    _ => word,
                };
                line(&match result.certificate.as_ref().filter(|_| by_all) {
                    Some(certificate) => format!("{reason}; {}", visible(&certificate.in_words())),
                    None => reason,
                });
                line(&format!(
                    "{} by {}: {}{}",
                    if by_all { "proved" } else { "found" },
                    result.search,
                    own_effort(result),
                    others(result)
                ));
            }
        }
    }
    if let Some(closest) = result.closest.as_ref().and_then(closest) {
        line(&closest);
    }
    if let Some(note) = &result.note {
        line(&format!("note: {}", visible(note)));
    }
    if let Some(directed) = led_by(result) {
        line(&estimates(directed));
        for pattern in &result.guidance.patterns {
            let words = match pattern.as_str() {
                "" => "nothing that the goal mentions can be kept",
                pattern => pattern,
            };
            line(&format!("pattern: {}", visible(words)));
        }
        if result.guidance.patterns.is_empty() && directed.abstract_states > 0 {
            let other = result.guidance.heuristic.unwrap_or_default();
            line(&format!(
                "pattern: none; projections are too large, so {other} guided the search"
            ));
        }
        if let Some(words) = blindness(result) {
            line(&words);
        }
    }
    for value in result.values.iter().flatten() {
        let told = value.in_words();
        line(&format!("{}: {}", visible(&value.expression), readable(&told)));
    }
    for warning in &result.warnings {
        line(&palette.paint(Role::Open, &visible(&warning.to_string())));
    }
    if !result.warnings.is_empty() {
        line("try: zonewalk lint, which looks for mistakes in the model");
    }
    if let Some(advice) = &result.advice {
        line(&format!("try: {}", visible(advice)));
    }
    if let Some(file) = result.trace.as_ref().and_then(|trace| trace.file.as_deref()) {
        line(&format!("trace in {}", visible(file)));
    }
    if let Some(place) = result.certificate.as_ref().and_then(CertificateInfo::place) {
        line(&visible(&place));
    }
    if let Some(fault) = &result.fault {
        line(&format!("found elsewhere: {}", visible(&fault.message)));
        if let Some(file) = fault.trace.as_ref().and_then(|trace| trace.file.as_deref()) {
            line(&format!("its trace in {}", visible(file)));
        }
    }
    if let Some(expected) = &result.expected {
        line(&expected.line());
    }
    text
}

/// The question and the answer in one line.
pub fn line(result: &QueryResult) -> String {
    let answer = result.verdict.unwrap_or(Answer::Unknown).word();
    let question = visible(result.query.as_deref().unwrap_or_default());
    match &result.reason {
        Some(reason) => format!("{question}: {answer}: {}", visible(reason)),
        None => format!("{question}: {answer}"),
    }
}

fn found(result: &QueryResult, trace: &TraceSummary) -> String {
    let mut text = if trace.improve_s > 0.0 && result.stats.walks == 0 {
        let better = if trace.fastest.is_some() {
            "faster"
        } else {
            "shorter"
        };
        format!(
            "found by {}: {}; {better} ones searched for during {}",
            result.search,
            own_effort(result),
            seconds(trace.improve_s)
        )
    } else if trace.improve_s > 0.0 {
        format!(
            "found by {} in {}; better ones searched for during {}: {}, {} in all",
            result.search,
            seconds(result.cost.search_s),
            seconds(trace.improve_s),
            count(result.stats.walks, "walk"),
            count(result.stats.steps, "step")
        )
    } else {
        format!("found by {}: {}", result.search, own_effort(result))
    };
    if trace.improve_s == 0.0 {
        text.push_str(&others(result));
    }
    match shrunk(trace) {
        // Nothing was done to it: another one is better.
        Some(_) if trace.shrink_s == 0.0 => {
            let first = extent(trace.found_steps, &trace.found_duration);
            let _ = write!(text, "; the first one: {first}");
        }
        Some(how) => {
            let _ = write!(text, "; {how} in {}", seconds(trace.shrink_s));
        }
        None => {}
    }
    text
}

/// How the run compares with all others, where that was asked for.
fn standing(trace: &TraceSummary) -> Option<String> {
    let why = visible(trace.reason.as_deref().unwrap_or_default());
    Some(match (trace.shortest, trace.fastest) {
        (Some(true), _) => match trace.cycle {
            None => "shortest: no other run has fewer steps".to_owned(),
            Some(Cycle { start: 0, length }) => {
                format!("shortest: a cycle of {length}, counted once; no other run has fewer steps")
            }
            Some(Cycle { start, length }) => format!(
                "shortest: {} and a cycle of {length}, counted once; no other run has fewer in all",
                count(start as u64, "step")
            ),
        },
        (_, Some(true)) => "fastest: no other run takes less time".to_owned(),
        (Some(false), _) => format!("not proved shortest: {why}"),
        (_, Some(false)) => format!("not proved fastest: {why}"),
        (None, None) => return None,
    })
}

/// Formats how the found run was shortened. The duration of a walk is often an unreadable fraction; it is shown only where it can
/// be compared.
fn shrunk(trace: &TraceSummary) -> Option<String> {
    let is_fraction = trace.found_duration.contains('/');
    if trace.found_steps == trace.steps && trace.found_duration == trace.duration {
        return None;
    }
    if trace.found_steps == trace.steps && is_fraction {
        return Some("with simplified times".to_owned());
    }
    let duration = if is_fraction { "" } else { &trace.found_duration };
    Some(format!("shrunk from {}", extent(trace.found_steps, duration)))
}

/// Cost of the estimates that guided the answering search. Estimates of other searches run in parallel are excluded.
fn led_by(result: &QueryResult) -> Option<&DirectedStats> {
    let is_directed = matches!(result.search.as_str(), "greedy" | "astar");
    result.stats.directed.as_ref().filter(|_| is_directed)
}

/// Formats the effort of the search that gave the answer, without the others.
fn own_effort(result: &QueryResult) -> String {
    let mut own = result.stats;
    for Effort { stats, .. } in &result.others {
        own.walks = own.walks.saturating_sub(stats.walks);
        own.steps = own.steps.saturating_sub(stats.steps);
        own.states_explored = own.states_explored.saturating_sub(stats.states_explored);
        own.states_stored = own.states_stored.saturating_sub(stats.states_stored);
    }
    effort(&own, result.cost.search_s)
}

/// `; bfs beside it: 63 states explored, 60 stored`, `; bfs had not begun`
fn others(result: &QueryResult) -> String {
    let told = result.others.iter().map(|other| match counts(&other.stats) {
        Some(counts) if other.search == "runs" => format!("; search for runs: {counts}"),
        Some(counts) => format!("; {} in parallel: {counts}", other.search),
        None => format!("; {} had not started", other.search),
    });
    told.collect()
}

/// `12 walks, 3456 steps in 2.1 ms`, `63 states explored, 60 stored in 1.0 ms`
pub fn effort(stats: &Stats, search_s: f64) -> String {
    let counts = counts(stats).unwrap_or_else(|| "nothing had to be explored,".to_owned());
    format!("{counts} in {}", seconds(search_s))
}

/// A fraction with at most three decimals, rounded down: what is short of a bound is not shown as the bound.
fn decimal(exact: &str) -> String {
    let parts = exact.split_once('/').and_then(|(above, below)| {
        let (above, below): (i128, i128) = (above.parse().ok()?, below.parse().ok()?);
        above.checked_mul(1000)?.checked_div_euclid(below)
    });
    let Some(thousandths) = parts.filter(|&thousandths| thousandths >= 0) else {
        return exact.to_owned();
    };
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `closest: T(3) had x = 78169 of 82000; distance 1 by locations and variables`
fn closest(closest: &Closest) -> Option<String> {
    let margin = closest.margin.as_ref().map(|margin| {
        let own = format!("{}.", margin.process);
        let clock = margin.clock.strip_prefix(&own).unwrap_or(&margin.clock);
        let (process, clock) = (visible(&margin.process), visible(clock));
        let (value, bound) = (decimal(&margin.value), decimal(&margin.bound));
        format!("{process} had {clock} = {value} of {bound}")
    });
    let distance = closest.distance.map(|distance| {
        // Else the goal would have been reached.
        let rest = if distance == 0 {
            ", where the goal's conditions on clocks or deadlocks did not hold"
        } else {
            ""
        };
        format!("distance {distance} by locations and variables{rest}")
    });
    let parts: Vec<String> = margin.into_iter().chain(distance).collect();
    (!parts.is_empty()).then(|| format!("closest: {}", parts.join("; ")))
}

/// `estimates: 5432, 2100 of them known before; 12 states pruned; prepared in 1.2 ms, with 1234 abstract states`
fn estimates(stats: &DirectedStats) -> String {
    let mut text = format!(
        "estimates: {}, {} of them from the cache",
        stats.evaluations, stats.cache_hits
    );
    if stats.pruned > 0 {
        let _ = write!(text, "; {} pruned", count(stats.pruned, "state"));
    }
    if stats.reopened > 0 {
        let _ = write!(text, "; {} reopened", count(stats.reopened, "state"));
    }
    let _ = write!(text, "; prepared in {}", seconds(stats.preparation.as_secs_f64()));
    if stats.abstract_states > 0 {
        let states = count(stats.abstract_states, "abstract state");
        let _ = write!(text, ", with {states}");
    }
    text
}

/// Warning that the estimates give no guidance, if that is so.
fn blindness(result: &QueryResult) -> Option<String> {
    let name = result.guidance.heuristic.filter(|_| result.guidance.blind)?;
    let unseen = if name == "pdb" {
        "deadlocks and clocks that no pattern keeps"
    } else {
        "deadlocks and clocks"
    };
    Some(format!(
        "{name} is blind here: it does not measure {unseen}, and the goal mentions nothing else"
    ))
}

/// `None` where nothing was done.
fn counts(stats: &Stats) -> Option<String> {
    let mut parts = Vec::new();
    let pruned = stats.directed.map_or(0, |directed| directed.pruned);
    if stats.states_explored + pruned > 0 {
        parts.push(format!(
            "{} explored, {} stored",
            count(stats.states_explored, "state"),
            stats.states_stored
        ));
    }
    if stats.walks > 0 {
        parts.push(format!(
            "{}, {}",
            count(stats.walks, "walk"),
            count(stats.steps, "step")
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn extent(steps: usize, duration: &str) -> String {
    let steps = count(steps as u64, "step");
    if duration.is_empty() {
        return steps;
    }
    format!("{steps}, time {}", readable(duration))
}

/// `1 walk`, `2 walks`
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A span of time with two or three digits.
pub fn seconds(seconds: f64) -> String {
    if seconds < 0.000_95 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.095 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 0.95 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 99.5 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}

/// Bytes with a unit.
pub fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KiB", "MiB"] {
        if value < 1024.0 {
            return if unit == "B" {
                format!("{bytes} B")
            } else {
                format!("{value:.1} {unit}")
            };
        }
        value /= 1024.0;
    }
    format!("{value:.1} GiB")
}

/// Replaces control characters: text from a model must not reach the terminal unescaped.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

fn painted(answer: Answer, palette: Palette) -> String {
    let role = match answer {
        Answer::Satisfied => Role::Good,
        Answer::NotSatisfied => Role::Bad,
        _ => Role::Open,
    };
    palette.paint(role, answer.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        let times = [0.000_012, 0.0021, 0.21, 2.345, 123.4].map(seconds);
        assert_eq!(times, ["12 µs", "2.1 ms", "210 ms", "2.3 s", "123 s"]);
        let sizes = [17, 4096, 5 << 20, 3 << 30].map(bytes);
        assert_eq!(sizes, ["17 B", "4.0 KiB", "5.0 MiB", "3.0 GiB"]);
        assert_eq!(count(1, "walk") + ", " + &count(0, "step"), "1 walk, 0 steps");
    }

    #[test]
    fn what_was_done_to_a_run() {
        let how = |found_steps, found_duration: &str| {
            shrunk(&TraceSummary {
                steps: 2,
                duration: "4".to_owned(),
                found_steps,
                found_duration: found_duration.to_owned(),
                ..TraceSummary::default()
            })
        };
        assert_eq!(how(2, "4"), None);
        assert_eq!(how(2, "9").as_deref(), Some("shrunk from 2 steps, time 9"));
        assert_eq!(how(5, "9").as_deref(), Some("shrunk from 5 steps, time 9"));
        assert_eq!(how(5, "2097153/1048576").as_deref(), Some("shrunk from 5 steps"));
        assert_eq!(
            how(2, "2097153/1048576").as_deref(),
            Some("with simplified times")
        );
    }
}
