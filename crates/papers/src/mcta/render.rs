//! Tables for people and for programs.

use super::measure::{Failure, MEMORY, Measured, Method, SearchEnding};
use super::paper::Printed;
use super::row::Source;
use crate::grid::digits;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// A table: what is printed beside what.
pub(super) struct Sheet {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// Columns of what was printed.
    pub(super) tools: Vec<&'static str>,
    /// Whether all of the tools found shortest runs, so that there is one length to print.
    pub(super) has_one_length: bool,
    /// Columns of what is measured.
    pub(super) methods: Vec<&'static Method>,
}

/// A row.
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) source: Source,
    pub(super) printed: Vec<Printed>,
    /// By method; nothing if it was interrupted.
    pub(super) ours: Vec<Option<Measured>>,
}

impl Line {
    /// Why a cell that was not measured is empty.
    fn missing(&self) -> &'static str {
        match self.source {
            Source::Missing(_) => "no model",
            _ => "not run",
        }
    }
}

/// Meaning of the cells.
pub(super) fn legend(timeout: Duration) -> String {
    format!(
        "What was printed about MCTA, UPPAAL/DMC and UPPAAL stands left, what zonewalk does right. Seconds of the processor in all but loading, and in parentheses \
         those of the search alone, where an abstraction is explored before it; (+ n): n states of abstractions besides. time: not within {} s of the processor; memory: not within \
         {MEMORY}; > n: that many states by then; –: out of memory in the paper. bfs and astar give shortest runs, greedy gives some run, whose length is that before it is shrunk. \
         own: a model of our own families in place of one that was not published or is not at hand; the other models are published files.\n",
        timeout.as_secs_f64()
    )
}

/// Which number of a cell a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    Seconds,
    Explored,
    Length,
}

impl Sheet {
    /// The title and the columns.
    pub(super) fn header(&self, aspect: Aspect) -> String {
        let what = match aspect {
            Aspect::Seconds => "seconds",
            Aspect::Explored => "explored states",
            Aspect::Length => "length of the run",
        };
        let mut columns = vec!["row"];
        match (aspect, self.has_one_length) {
            (Aspect::Length, true) => columns.push("paper"),
            _ => columns.extend(&self.tools),
        }
        columns.extend(self.methods.iter().map(|method| method.name));
        if aspect == Aspect::Seconds {
            columns.push("model");
        }
        titles(&format!("{}: {what}", self.title), &columns)
    }

    /// One row.
    pub(super) fn line(&self, line: &Line, aspect: Aspect) -> String {
        let shown = match (aspect, self.has_one_length) {
            (Aspect::Length, true) => 1,
            _ => line.printed.len(),
        };
        let theirs = line.printed.iter().take(shown);
        let mut cells: Vec<_> = theirs.map(|cell| printed(cell, aspect)).collect();
        cells.extend(line.ours.iter().map(|ours| {
            ours.as_ref()
                .map_or_else(|| line.missing().to_owned(), |ours| measured(ours, aspect))
        }));
        if aspect == Aspect::Seconds {
            cells.push(line.source.describe());
        }
        row(line.name, &cells)
    }

    /// A table for programs.
    pub(super) fn document(&self, lines: &[Line], timeout: Duration, places: &str) -> Value {
        let number = |text: &str| text.parse::<f64>().map_or(Value::Null, |number| json!(number));
        let tool = |(name, cell): (&&str, &Printed)| {
            let (seconds, search) = cell.seconds.split_once('/').unwrap_or((cell.seconds, ""));
            json!({
                "tool": name,
                "seconds": number(seconds),
                "search_seconds": number(search),
                "explored": number(cell.explored),
                "length": number(cell.length),
            })
        };
        let cell = |line: &Line, method: &Method, ours: &Option<Measured>| {
            let failure = match ours {
                Some(ours) => ours.answer.as_ref().err().map(Failure::text),
                None => Some(line.missing()),
            };
            let ours = ours.as_ref();
            let length = ours.and_then(|ours| match ours.answer {
                Ok(SearchEnding::Run(length)) => Some(length),
                _ => None,
            });
            json!({
                "search": method.name,
                "shortest": method.is_shortest,
                "length": length,
                "proof": ours.map(|ours| ours.answer == Ok(SearchEnding::Proof)),
                "failure": failure,
                "explored": ours.map(|ours| ours.explored),
                "abstract_states": ours.map(|ours| ours.abstract_states),
                "cpu_s": ours.map(|ours| ours.seconds),
                "preparation_s": ours.map(|ours| ours.preparation),
                "wall_s": ours.map(|ours| ours.wall),
                "peak_memory_bytes": ours.map(|ours| ours.peak_memory),
            })
        };
        let line = |line: &Line| {
            let cells = self.methods.iter().zip(&line.ours);
            json!({
                "row": line.name,
                "model": line.source.describe(),
                "own": line.source.is_own(),
                "printed": self.tools.iter().zip(&line.printed).map(tool).collect::<Vec<_>>(),
                "cells": cells.map(|(method, ours)| cell(line, method, ours)).collect::<Vec<_>>(),
            })
        };
        json!({
            "table": self.id,
            "title": self.title,
            "seeds": 1,
            "threads": 1,
            "timeout_s": timeout.as_secs_f64(),
            "memory": MEMORY,
            "machine": places,
            "rows": lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

/// The best of the methods that prove a run shortest, with its name.
pub(super) fn best(sheet: &Sheet, line: &Line) -> String {
    let cells = sheet.methods.iter().zip(&line.ours);
    let found = cells.filter_map(|(method, ours)| {
        let ours = ours
            .as_ref()
            .filter(|ours| method.is_shortest && ours.answer.is_ok())?;
        Some((method.name, ours.seconds))
    });
    let failures = || {
        line.ours
            .iter()
            .flatten()
            .filter_map(|ours| ours.answer.as_ref().err())
    };
    found.min_by(|a, b| a.1.total_cmp(&b.1)).map_or_else(
        || failures().next().map_or(line.missing(), Failure::text).to_owned(),
        |(name, seconds)| format!("{} ({name})", digits(seconds)),
    )
}

/// The machines and options of the measurements.
pub(super) fn footer(lines: &[Line], places: &str) -> String {
    let all = || lines.iter().flat_map(|line| line.ours.iter().flatten());
    let cells = all().count();
    let failed = all().filter(|ours| ours.answer.is_err()).count();
    let wall: f64 = all().map(|ours| ours.wall).sum();
    let cpu: f64 = all().map(|ours| ours.seconds).sum();
    let most = all().map(|ours| ours.peak_memory).max().unwrap_or(0) >> 20;
    format!(
        "\n{cells} search{}, {failed} without an answer. One thread, which had the processor for {:.0} % of the time; seed 1; at most {most} MiB. {places}.\n",
        if cells == 1 { "" } else { "es" },
        100.0 * cpu.max(0.0) / wall.max(f64::MIN_POSITIVE),
    )
}

/// A title, and those of the columns.
pub(super) fn titles(title: &str, columns: &[&str]) -> String {
    format!(
        "\n### {title}\n\n| {} |\n|{}\n",
        columns.join(" | "),
        "---|".repeat(columns.len())
    )
}

/// One row of a table.
pub(super) fn row(name: &str, cells: &[String]) -> String {
    let mut text = format!("| {name} |");
    for cell in cells {
        // Writing to a string cannot fail.
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
    text
}

fn printed(cell: &Printed, aspect: Aspect) -> String {
    match aspect {
        Aspect::Seconds => match cell.seconds.split_once('/') {
            Some((all, search)) => format!("{all} ({search})"),
            None => cell.seconds.to_owned(),
        },
        Aspect::Explored => cell.explored.to_owned(),
        Aspect::Length => cell.length.to_owned(),
    }
}

fn measured(ours: &Measured, aspect: Aspect) -> String {
    match (&ours.answer, aspect) {
        (Err(failure), Aspect::Seconds | Aspect::Length) => failure.text().to_owned(),
        (Ok(_), Aspect::Seconds) if ours.abstract_states > 0 => {
            let search = ours.seconds - ours.preparation;
            format!("{} ({})", digits(ours.seconds), digits(search))
        }
        (Ok(_), Aspect::Seconds) => digits(ours.seconds),
        (Ok(SearchEnding::Run(length)), Aspect::Length) => length.to_string(),
        (Ok(SearchEnding::Proof), Aspect::Length) => "no run".to_owned(),
        (answer, Aspect::Explored) => {
            let more = if answer.is_err() { "> " } else { "" };
            let before = match ours.abstract_states {
                0 => String::new(),
                states => format!(" (+ {states})"),
            };
            format!("{more}{}{before}", ours.explored)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        let ours = Measured {
            answer: Ok(SearchEnding::Run(57)),
            explored: 6644,
            abstract_states: 120_922,
            seconds: 0.25,
            preparation: 0.2,
            wall: 0.5,
            peak_memory: 1 << 20,
        };
        let aspects = [Aspect::Seconds, Aspect::Explored, Aspect::Length];
        let shown = |ours: &Measured| aspects.map(|aspect| measured(ours, aspect));
        assert_eq!(shown(&ours), ["0.250 (0.0500)", "6644 (+ 120922)", "57"]);
        let plain = Measured {
            abstract_states: 0,
            ..ours.clone()
        };
        assert_eq!(shown(&plain), ["0.250", "6644", "57"]);
        let late = Measured {
            answer: Err(Failure::Time),
            ..plain.clone()
        };
        assert_eq!(shown(&late), ["time", "> 6644", "time"]);
        let proof = Measured {
            answer: Ok(SearchEnding::Proof),
            ..plain
        };
        assert_eq!(shown(&proof), ["0.250", "6644", "no run"]);
        let theirs = Printed {
            seconds: "2.2/0.3",
            explored: "29029",
            length: "47",
        };
        assert_eq!(
            aspects.map(|aspect| printed(&theirs, aspect)),
            ["2.2 (0.3)", "29029", "47"]
        );
    }
}
