//! What a check came to.

use std::fmt;
use std::time::Duration;
use zonewalk_report::trace::{Time, Trace};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_walk::search::Ends;

/// What a check came to, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// Who gave it.
    pub search: &'static str,
    /// Counts.
    pub stats: Stats,
    /// Times.
    pub times: Times,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Decided, with the run that shows it.
    Decided {
        /// Whether the query is satisfied.
        satisfied: bool,
        /// The run.
        witness: Box<Witness>,
    },
    /// Not decided.
    Undecided(Reason),
    /// The model does what its language forbids.
    Fault {
        /// What and where.
        diagnostic: Box<Diagnostic>,
        /// The run that leads there; `None` when it was not wanted.
        trace: Option<Box<Trace>>,
    },
    /// zonewalk contradicts itself, in words.
    Bug(String),
}

/// A run that shows what it should, as the reference interpreter confirms.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Its number of transitions.
    pub steps: usize,
    /// The time that passes in it.
    pub duration: Time,
    /// Its number of transitions when it was found.
    pub found_steps: usize,
    /// The time that passed in it when it was found.
    pub found_duration: Time,
    /// The walk that found it.
    pub walk: u64,
    /// The run itself; `None` when it was not wanted.
    pub trace: Option<Trace>,
}

/// Counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Walks that were begun.
    pub walks: u64,
    /// Transitions that walks fired.
    pub steps: u64,
    /// Steps of the longest walk.
    pub max_depth: u64,
    /// How walks ended.
    pub ends: Ends,
}

/// Times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Until the goal was found, or until the search gave up.
    pub search: Duration,
    /// Making traces shorter.
    pub shrink: Duration,
    /// Repeating the trace on the reference interpreter.
    pub replay: Duration,
    /// Looking for better traces after the first one.
    pub improve: Duration,
}

/// Why a query is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit.
    Time(Stats),
    /// The number of walks, and their depth where it is fixed.
    Walks(Stats, Option<u32>),
    /// Somebody interrupted it.
    Interrupted(Stats),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = match self {
            Reason::Time(stats) => {
                f.write_str("the time limit was reached")?;
                stats
            }
            Reason::Walks(stats, depth) => {
                let plural = if stats.walks == 1 { "" } else { "s" };
                write!(f, "{} walk{plural}", stats.walks)?;
                match depth {
                    Some(depth) => write!(f, " of at most {depth} steps found nothing")?,
                    None => f.write_str(" found nothing")?,
                }
                stats
            }
            Reason::Interrupted(stats) => {
                f.write_str("interrupted")?;
                stats
            }
        };
        match stats.stuck() {
            Some(stuck) => write!(f, "; {stuck}"),
            None => Ok(()),
        }
    }
}

impl Stats {
    pub(crate) fn add(&mut self, report: &zonewalk_walk::search::Report) {
        self.walks += report.walks;
        self.steps += report.steps;
        self.max_depth = self.max_depth.max(report.max_depth);
        self.ends.depth += report.ends.depth;
        self.ends.dead_ends += report.ends.dead_ends;
        self.ends.time_locks += report.ends.time_locks;
        self.ends.off_grid += report.ends.off_grid;
        self.ends.zeno += report.ends.zeno;
    }

    /// What to tell the user when every walk got stuck: it is usually a mistake of the model.
    pub fn stuck(&self) -> Option<String> {
        let ends = &self.ends;
        let finished = ends.depth + ends.dead_ends + ends.time_locks + ends.off_grid;
        let stuck = [
            (
                ends.dead_ends,
                "a dead end: no transition is possible any more, and time passes for ever",
            ),
            (
                ends.time_locks,
                "a time-lock: no transition is possible any more, and time cannot pass for ever either",
            ),
            (
                ends.zeno,
                "a zeno stretch: transitions without end, and no time passes",
            ),
            (
                ends.off_grid,
                "a state whose transitions are possible only in windows smaller than the grid of times",
            ),
        ];
        let sum: u64 = stuck.iter().map(|(count, _)| count).sum();
        if finished == 0 || sum < finished {
            return None;
        }
        let kinds: Vec<_> = stuck.iter().filter(|(count, _)| *count > 0).collect();
        let words = match kinds.as_slice() {
            [(_, only)] => format!("every walk ended in {only}"),
            several => {
                let parts: Vec<_> = several
                    .iter()
                    .map(|(n, words)| format!("{n} in {words}"))
                    .collect();
                format!("every walk got stuck ({})", parts.join("; "))
            }
        };
        Some(format!("{words}. Is that meant?"))
    }
}
