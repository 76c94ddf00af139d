//! What a check came to.

pub(crate) mod optimality;

use crate::sanity::Overview;
use optimality::Optimality;
use std::fmt;
use std::time::Duration;
use zonewalk_report::statistics::Estimate;
use zonewalk_report::trace::{Time, Trace};
use zonewalk_report::verdict::{Closest, Value};
pub use zonewalk_report::verdict::{DirectedStats, Stats};
use zonewalk_searches::{Estimator, Queueing};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

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
    /// Why the answer may say less than it seems to.
    pub warnings: Vec<Diagnostic>,
    /// What all reachable states show; `None` where some were left out.
    pub(crate) overview: Option<Overview>,
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
    /// An answer by a search, and nothing else about it.
    pub fn new(search: &'static str, outcome: Outcome) -> Report {
        Report {
            outcome,
            fault: None,
            search,
            stats: Stats::default(),
            others: Vec::new(),
            lead: None,
            patterns: Vec::new(),
            closest: None,
            note: None,
            warnings: Vec::new(),
            overview: None,
            times: Times::default(),
        }
    }

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

/// Takes over what engines have counted.
pub(crate) trait Count {
    /// Counts of a search of states.
    fn count(&mut self, statistics: &zonewalk_search::Statistics);

    /// Counts of walks.
    fn add(&mut self, report: &zonewalk_walk::search::Report);
}

impl Count for Stats {
    fn count(&mut self, statistics: &zonewalk_search::Statistics) {
        self.states_explored += statistics.states_explored;
        self.states_stored += statistics.states_stored as u64;
        self.transitions += statistics.transitions;
        self.max_depth = self.max_depth.max(statistics.max_depth.into());
    }

    fn add(&mut self, report: &zonewalk_walk::search::Report) {
        self.walks += report.walks;
        self.steps += report.steps;
        self.max_depth = self.max_depth.max(report.max_depth);
        self.effort = self.effort.saturating_add(report.effort);
        self.ends.add(&report.ends);
    }
}
