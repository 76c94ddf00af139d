//! Table 1: what each technique can say about the schedulability of the Herschel-Planck system, by the best case of execution times in
//! per cent of the worst.

use super::column::Method;
use super::source;
use crate::boxed;
use crate::grid::{Cell, Grid, Number, line};
use crate::model::{Effort, Subject};
use crate::output::Error;
use crate::results::Key;
use crate::session::Session;
use serde_json::Value;
use zonewalk_checker::{Control, Evidence, Outcome};

/// The hardest of each range of the paper: what is unsafe there is unsafe below, and what is safe at 90 is safe above.
const PERCENT: [(u32, &str); 5] = [
    (71, "0–71"),
    (80, "72–80"),
    (86, "81–86"),
    (89, "87–90"),
    (90, "90–100"),
];

/// The techniques, with the searches that stand for them here and what the paper says.
const TECHNIQUES: [(&str, &str, [&str; 5]); 5] = [
    ("Symbolic MC", "BFS", ["maybe", "maybe", "maybe", "n/a", "safe"]),
    (
        "Symbolic MC, depth first",
        "DFS",
        ["maybe", "maybe", "maybe", "n/a", "safe"],
    ),
    (
        "Statistical MC",
        "SMC(160)",
        ["unsafe", "maybe", "maybe", "maybe", "maybe"],
    ),
    (
        "Randomized MC",
        "RET",
        ["unsafe", "unsafe", "maybe", "maybe", "maybe"],
    ),
    (
        "Randomized MC by COM, which is ours",
        "COM",
        ["unsafe", "unsafe", "maybe", "maybe", "maybe"],
    ),
];

pub(super) fn run(session: &mut Session<'_>, effort: &Effort) -> Result<Value, Error> {
    let config = session.config;
    let grid = Grid {
        id: "fmics-1".to_owned(),
        title: "Table 1: schedulability of the Herschel-Planck system".to_owned(),
        lines: "technique",
        columns: PERCENT
            .iter()
            .map(|(f, range)| format!("f = {f} ({range})"))
            .collect(),
    };
    session.print(&format!(
        "Each cell: what {} s on one thread come to, with seed 1 / what the paper says of the range in parentheses. safe: proved; unsafe: a run to a missed deadline; \
         maybe: a run of the over-approximation of clocks that stop; not known: neither; not run: it is not in the results. Breadth-first search stands for symbolic, walks by the stochastic semantics over 160 cycles for statistical, \
         RET for randomized model checking.\n",
        effort.timeout.as_secs_f64()
    ))?;
    session.print(&grid.header())?;
    let mut lines = Vec::new();
    let wanted = TECHNIQUES.iter().filter(|(name, ..)| config.wants_row(name));
    for (name, search, paper) in wanted {
        let mut cells = Vec::new();
        for ((f, _), paper) in PERCENT.iter().zip(paper) {
            let member = format!("Herschel-f{f}");
            let method = Method::of(search);
            // A cycle is one of the authors' models.
            let has_cycles = method.is_some_and(|method| method.time_bound.is_some());
            let source = source(config, 4, &member).filter(|_| config.models.is_some() || !has_cycles);
            let ours = match (source, method) {
                (Some(source), Some(method)) => {
                    let key = Key {
                        table: grid.id.clone(),
                        row: (*name).to_owned(),
                        column: format!("f = {f}"),
                        settings: Effort { seeds: 1, ..*effort }.settings(&source),
                    };
                    session.cell(key, effort.timeout, |control| {
                        verdict(&Subject::load(&source)?, method, effort, control).map(Number::Word)
                    })?
                }
                _ => Some(Number::Missing("no model".to_owned())),
            };
            cells.push(Cell { ours, paper });
        }
        session.print(&line(name, &cells))?;
        lines.push(((*name).to_owned(), cells));
    }
    let places = session.places();
    session.print(&format!("\nSeed 1, one thread. {places}.\n"))?;
    Ok(grid.document(&lines, &Effort { seeds: 1, ..*effort }, &places))
}

/// Verdict of a search about the error.
fn verdict(subject: &Subject, method: Method, effort: &Effort, control: &Control) -> Result<String, Error> {
    subject.with_checker(|task, checker, _| {
        if task.obstacle_to(method.search).is_some() {
            return Ok("not supported".to_owned());
        }
        let options = method.options(1);
        let report = boxed::within(effort.timeout, control, |control| {
            checker.check(0, &options, control, &mut |_, _| {})
        });
        let Some(report) = report else {
            return Err(Error::new("the query of the row is not about states"));
        };
        Ok(match report.outcome {
            Outcome::Decided {
                evidence: Evidence::Run(_) | Evidence::RoundedRun(_),
                ..
            } => "unsafe",
            Outcome::Decided {
                evidence: Evidence::Exhaustion,
                ..
            } => "safe",
            Outcome::Maybe { .. } => "maybe",
            Outcome::Undecided(_) | Outcome::Values { .. } | Outcome::Estimated { .. } => "not known",
            Outcome::Fault(fault) => return Err(Error::new(fault.diagnostic.message)),
            Outcome::Bug(message) => return Err(Error::new(format_args!("bug in zonewalk: {message}"))),
        }
        .to_owned())
    })
}
