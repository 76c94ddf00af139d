//! What a check came to.

pub(crate) mod optimality;

use optimality::Optimality;
use std::fmt;
use std::time::Duration;
use zonewalk_report::statistics::Estimate;
use zonewalk_report::trace::{Time, Trace};
use zonewalk_report::verdict::{Closest, Value};
use zonewalk_searches::{Estimator, Queueing};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_walk::search::Ends;

/// What a check came to, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// A run-time error that was met on the way. The search has gone on without what failed, and the answer is certain all
    /// the same.
    pub fault: Option<Fault>,
    /// Who gave it.
    pub search: &'static str,
    /// Counts, of the others too.
    pub stats: Stats,
    /// What the others had done by then, where several searched in parallel.
    pub others: Vec<Effort>,
    /// What led the search to it; `None` where nothing did.
    pub lead: Option<Guidance>,
    /// The patterns of pattern databases, where such led the search.
    pub patterns: Vec<String>,
    /// Of guided walks without an answer: how close they came to the goal.
    pub closest: Option<Closest>,
    /// What to know about how it was searched.
    pub note: Option<&'static str>,
    /// Times.
    pub times: Times,
}

/// What led a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// The estimates, where there are any. They are not those that were asked for where these take too much room.
    pub estimator: Option<Estimator>,
    /// The queues.
    pub queueing: Queueing,
    /// Whether the goal names nothing that the estimates measure.
    pub is_blind: bool,
}

/// What a search had done when another one had the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Its name; `walks` for walks by several heuristics in turn.
    pub search: &'static str,
    /// Its counts; all zero when it had not begun.
    pub stats: Stats,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Decided.
    Decided {
        /// Whether the query is satisfied.
        satisfied: bool,
        /// The run that shows it; `None` where looking at everything does.
        witness: Option<Box<Witness>>,
    },
    /// Clocks that can be stopped are over-approximated, and this is what the approximation says.
    Maybe {
        /// Whether the query may be satisfied.
        satisfied: bool,
        /// What the approximation has found.
        claim: Claim,
    },
    /// The extremes that a query asks for.
    Values {
        /// Each expression, and how large or small it becomes.
        values: Vec<Value>,
        /// What is missing where some value is not certain.
        doubt: Option<Doubt>,
        /// A run that reaches the value of the first expression that has one.
        witness: Option<Box<Witness>>,
    },
    /// What random runs say.
    Estimated {
        /// Whether the query is satisfied; `None` where that is not decided.
        satisfied: Option<bool>,
        /// The numbers.
        estimate: Box<Estimate>,
        /// A run that meets what was looked for.
        witness: Option<Box<Witness>>,
    },
    /// Not decided.
    Undecided(Reason),
    /// A run-time error, and no answer that would be certain in spite of it.
    Fault(Fault),
    /// zonewalk contradicts itself, in words.
    Bug(String),
}

/// What an over-approximation has found, and no exact times for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A state.
    State,
    /// A maximal run.
    Run,
}

/// Why values are not certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Clocks that can be stopped are over-approximated, and no run reaches as far as the approximation. A query that asks
    /// for a run which does better comes with it.
    Approximate(String),
    /// The search could not settle how far the values go.
    Unsettled,
}

/// The model or the query does what the language forbids.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What and where.
    pub diagnostic: Box<Diagnostic>,
    /// The run that leads there; `None` when it was not wanted, or when there is none.
    pub trace: Option<Box<Trace>>,
    /// Who does it.
    pub origin: Origin,
}

/// Who raises an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The model.
    Model,
    /// The query.
    Query,
    /// None: the search does not support the model.
    Search,
}

impl Fault {
    /// An error that no run leads to.
    pub(crate) fn without_run(diagnostic: Diagnostic) -> Fault {
        let origin = match diagnostic.code {
            Code::UNSUPPORTED => Origin::Search,
            _ => Origin::Model,
        };
        Fault {
            diagnostic: Box::new(diagnostic),
            trace: None,
            origin,
        }
    }
}

impl Report {
    /// An answer that a run shows is certain, whatever fails elsewhere. Any other is given up for an error that was met:
    /// what lies behind it is not known.
    pub(crate) fn settled(mut self) -> Report {
        let is_certain = matches!(
            self.outcome,
            Outcome::Decided { witness: Some(_), .. } | Outcome::Fault(_) | Outcome::Bug(_)
        );
        if !is_certain && let Some(fault) = self.fault.take() {
            self.outcome = Outcome::Fault(fault);
        }
        self
    }

    /// Takes over an error that was met, or what is wrong with it.
    pub(crate) fn with_fault(mut self, fault: Result<Option<Fault>, String>) -> Report {
        match fault {
            Ok(fault) => self.fault = fault,
            Err(error) => self.outcome = Outcome::Bug(error),
        }
        self
    }
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
    /// How it compares with all others.
    pub optimality: Optimality,
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
    /// Steps of the longest walk or path.
    pub max_depth: u64,
    /// How walks ended.
    pub ends: Ends,
    /// States whose successors were computed.
    pub states_explored: u64,
    /// States in the store at the end.
    pub states_stored: u64,
    /// Successors that were computed.
    pub transitions: u64,
    /// What estimates have cost; `None` where none led the search.
    pub directed: Option<DirectedStats>,
}

/// What the estimates of a directed search have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectedStats {
    /// How often an estimate was asked for.
    pub evaluations: u64,
    /// How often it was known from before.
    pub cache_hits: u64,
    /// How often a state was left out because no goal can be reached from it.
    pub pruned: u64,
    /// How often a state was stored again because it was met after fewer steps.
    pub reopened: u64,
    /// States of abstractions that were explored before the search.
    pub abstract_states: u64,
    /// What was done before the search.
    pub preparation: Duration,
}

impl DirectedStats {
    fn join(&mut self, other: &DirectedStats) {
        self.evaluations += other.evaluations;
        self.cache_hits += other.cache_hits;
        self.pruned += other.pruned;
        self.reopened += other.reopened;
        self.abstract_states += other.abstract_states;
        self.preparation += other.preparation;
    }
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
    /// It was interrupted.
    Interrupted(Stats),
    /// The memory.
    Memory(Stats),
    /// The number of states.
    States(Stats),
    /// The depth of paths.
    Depth(Stats),
    /// A search that may miss states has found nothing.
    Nothing(Stats),
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
                    Some(1) => f.write_str(" of at most 1 step found nothing")?,
                    Some(depth) => write!(f, " of at most {depth} steps found nothing")?,
                    None => f.write_str(" found nothing")?,
                }
                stats
            }
            Reason::Interrupted(stats) => {
                f.write_str("interrupted")?;
                stats
            }
            Reason::Memory(stats) => {
                let plural = if stats.states_stored == 1 { "" } else { "s" };
                write!(
                    f,
                    "memory limit reached after {} state{plural}",
                    stats.states_stored
                )?;
                stats
            }
            Reason::States(stats) => {
                let states = stats.states_stored.max(stats.states_explored);
                let plural = if states == 1 { "" } else { "s" };
                write!(f, "state limit reached after {states} state{plural}")?;
                stats
            }
            Reason::Depth(stats) => {
                f.write_str("nothing was found on paths within the cutoff")?;
                stats
            }
            Reason::Nothing(stats) => {
                write!(f, "nothing was found among {} states", stats.states_explored)?;
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
    /// Counts of a search of states.
    pub(crate) fn count(&mut self, statistics: &zonewalk_search::Statistics) {
        self.states_explored += statistics.states_explored;
        self.states_stored += statistics.states_stored as u64;
        self.transitions += statistics.transitions;
        self.max_depth = self.max_depth.max(statistics.max_depth.into());
    }

    /// Counts of another search.
    pub(crate) fn join(&mut self, other: &Stats) {
        self.walks += other.walks;
        self.steps += other.steps;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.states_explored += other.states_explored;
        self.states_stored += other.states_stored;
        self.transitions += other.transitions;
        self.count_directed(other.directed.as_ref());
    }

    /// What the estimates of one more search have cost, if any led it.
    pub(crate) fn count_directed(&mut self, other: Option<&DirectedStats>) {
        if let Some(other) = other {
            self.directed.get_or_insert_default().join(other);
        }
    }

    pub(crate) fn add(&mut self, report: &zonewalk_walk::search::Report) {
        self.walks += report.walks;
        self.steps += report.steps;
        self.max_depth = self.max_depth.max(report.max_depth);
        self.ends.add(&report.ends);
    }

    /// What to tell the user when every walk got stuck: it is usually a mistake of the model. Walks that were cut before the
    /// longest of these got stuck could not have come there, and say nothing against it.
    pub fn stuck(&self) -> Option<String> {
        let ends = &self.ends;
        let finished = ends.depth + ends.deadlocks + ends.time_locks + ends.off_grid;
        let stuck = [
            (
                ends.deadlocks,
                "a deadlock: no transition is possible, and time can pass forever",
            ),
            (
                ends.time_locks,
                "a time-lock: no transition is possible, and time cannot pass forever either",
            ),
            (
                ends.zeno,
                "a Zeno run: infinitely many transitions in which no time passes",
            ),
            (
                ends.off_grid,
                "a state whose transitions are possible only in windows finer than the time grid",
            ),
        ];
        let sum: u64 = stuck.iter().map(|(count, _)| count).sum();
        let cut = finished.saturating_sub(sum);
        if sum == 0 || ends.late > 0 || (cut > 0 && ends.cut_steps >= ends.stuck_steps) {
            return None;
        }
        let all = if cut == 0 {
            "every walk"
        } else {
            "every walk that was not cut short"
        };
        let kinds: Vec<_> = stuck.iter().filter(|(count, _)| *count > 0).collect();
        let words = match kinds.as_slice() {
            [(_, only)] => format!("{all} ended in {only}"),
            several => {
                let parts: Vec<_> = several
                    .iter()
                    .map(|(n, words)| format!("{n} in {words}"))
                    .collect();
                format!("{all} got stuck ({})", parts.join("; "))
            }
        };
        let numbers = match cut {
            0 => String::new(),
            1 => format!(
                " ({sum} of {finished} walks; the other one was cut off at {} steps)",
                ends.cut_steps
            ),
            _ => format!(
                " ({sum} of {finished} walks; the others were cut off at {} steps or fewer)",
                ends.cut_steps
            ),
        };
        Some(format!("{words}{numbers}. Is this intended?"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ends: Ends) -> Option<String> {
        let stats = Stats {
            ends,
            ..Stats::default()
        };
        stats.stuck()
    }

    #[test]
    fn walks_that_were_cut_early_say_nothing_against_a_deadlock() {
        let ends = Ends {
            depth: 33,
            time_locks: 17,
            cut_steps: 64,
            stuck_steps: 100,
            ..Ends::default()
        };
        assert_eq!(
            told(ends).as_deref(),
            Some(
                "every walk that was not cut short ended in a time-lock: no transition is possible, and \
                 time cannot pass forever either (17 of 50 walks; the others were cut off at 64 steps or \
                 fewer). Is this intended?"
            )
        );
        // A walk that went on for longer than those that got stuck, one that met a time bound, none that got stuck.
        assert_eq!(
            told(Ends {
                cut_steps: 128,
                ..ends
            }),
            None
        );
        assert_eq!(told(Ends { late: 1, ..ends }), None);
        assert_eq!(
            told(Ends {
                time_locks: 0,
                ..ends
            }),
            None
        );
    }

    #[test]
    fn zeno_stretches_are_among_the_walks_that_reach_their_depth() {
        let ends = Ends {
            depth: 40,
            zeno: 39,
            cut_steps: 16,
            stuck_steps: 512,
            ..Ends::default()
        };
        let told = told(ends).unwrap_or_default();
        assert!(told.contains("ended in a Zeno run"), "{told}");
        assert!(
            told.contains("(39 of 40 walks; the other one was cut off at 16 steps)"),
            "{told}"
        );
    }
}
