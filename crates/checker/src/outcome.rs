//! Outcome of a check.

pub(crate) mod optimality;
mod overview;
pub(crate) mod proof;

pub(crate) use overview::Overview;

use crate::options::Options;
use optimality::Optimality;
use proof::{Evident, Proof};
use std::fmt;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use zonewalk_report::statistics::Estimate;
use zonewalk_report::trace::{Time, Trace};
use zonewalk_report::verdict::text::count;
use zonewalk_report::verdict::{Closest, Value};
pub use zonewalk_report::verdict::{DirectedStats, Stats};
use zonewalk_run::Run;
use zonewalk_searches::{Estimator, Queueing};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

/// Outcome of a check, and its cost.
#[derive(Clone, Debug)]
pub struct CheckerReport {
    /// The answer.
    pub outcome: Outcome,
    /// A run-time error that was met on the way. The search has gone on without what failed, and the answer is certain all
    /// the same.
    pub fault: Option<Fault>,
    /// Search that gave the answer.
    pub search: &'static str,
    /// Counts, of the others too.
    pub stats: Stats,
    /// Effort of the others by then, where several searched in parallel.
    pub others: Vec<Effort>,
    /// Estimates and queues that led the search to it; `None` where none did.
    pub lead: Option<Guidance>,
    /// The patterns of pattern databases, where such led the search.
    pub patterns: Vec<String>,
    /// How close guided walks without an answer got to the goal.
    pub closest: Option<Closest>,
    /// Note about how it was searched.
    pub note: Option<&'static str>,
    /// Why the answer may say less than it seems to.
    pub warnings: Vec<Diagnostic>,
    /// Overview of all reachable states; `None` where some were left out.
    pub(crate) overview: Option<Overview>,
    /// Proof that the answer rests on where all states were explored, until it is judged.
    pub(crate) evident: Option<Evident>,
    /// The proof of an answer that rests on having explored all states.
    pub proof: Option<Box<Proof>>,
    /// Times.
    pub times: Times,
}

/// Estimates and queues that led a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// The estimates, where there are any. They are not those that were asked for where these take too much room.
    pub estimator: Option<Estimator>,
    /// The queues.
    pub queueing: Queueing,
    /// Whether the goal names nothing that the estimates measure.
    pub is_blind: bool,
}

/// Effort of a search when another one had the answer.
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
        /// The reason why that is certain.
        evidence: Evidence,
    },
    /// Clocks that can be stopped are over-approximated, and this is what the approximation says.
    Maybe {
        /// Whether the query may be satisfied.
        satisfied: bool,
        /// Claim of the approximation.
        claim: Claim,
    },
    /// The extremes that a query asks for.
    Values {
        /// Each expression, and how large or small it becomes.
        values: Vec<Value>,
        /// Missing part where some value is not certain.
        doubt: Option<Doubt>,
        /// A run that reaches the value of the first expression that has one.
        witness: Option<Box<Witness>>,
    },
    /// Estimates from random runs.
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

/// The reason why an answer is certain.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A run that the reference interpreter has replayed in exact time.
    Run(Box<Witness>),
    /// A run in doubles that the reference interpreter has computed again. It is rounded, and so no proof.
    RoundedRun(Box<Witness>),
    /// The search has visited every reachable state.
    Exhaustion,
}

impl Evidence {
    /// The run that shows the answer, if a run does.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Evidence::Run(witness) | Evidence::RoundedRun(witness) => Some(witness),
            Evidence::Exhaustion => None,
        }
    }

    /// The run itself.
    pub fn into_witness(self) -> Option<Box<Witness>> {
        match self {
            Evidence::Run(witness) | Evidence::RoundedRun(witness) => Some(witness),
            Evidence::Exhaustion => None,
        }
    }

    /// Whether it proves the answer.
    pub fn is_proof(&self) -> bool {
        !matches!(self, Evidence::RoundedRun(_))
    }
}

impl Outcome {
    /// An answer that a replayed run shows.
    pub(crate) fn by_run(satisfied: bool, witness: Witness) -> Outcome {
        let evidence = Evidence::Run(Box::new(witness));
        Outcome::Decided { satisfied, evidence }
    }

    /// An answer that follows from a search of all reachable states.
    pub(crate) fn by_exhaustion(satisfied: bool) -> Outcome {
        let evidence = Evidence::Exhaustion;
        Outcome::Decided { satisfied, evidence }
    }

    /// Whether everything was explored, and that is the answer.
    pub(crate) fn is_by_exhaustion(&self) -> bool {
        matches!(
            self,
            Outcome::Decided {
                evidence: Evidence::Exhaustion,
                ..
            }
        )
    }

    /// No answer, since a limit ended the search.
    pub(crate) fn undecided(limit: Limit, stats: Stats, options: &Options) -> Outcome {
        Outcome::Undecided(Reason {
            limit,
            stats,
            max_steps: options.walks.max_steps,
        })
    }
}

/// Claim of an over-approximation, without exact times for it.
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
    /// The error and its place.
    pub diagnostic: Box<Diagnostic>,
    /// The run that leads there; `None` when it was not wanted, or when there is none.
    pub trace: Option<Box<Trace>>,
    /// Part that raises the error.
    pub origin: Origin,
}

/// Parts that raise errors.
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

impl CheckerReport {
    /// An answer by a search, and what it cost.
    pub fn new(search: &'static str, outcome: Outcome, stats: Stats, times: Times) -> CheckerReport {
        CheckerReport {
            outcome,
            fault: None,
            search,
            stats,
            others: Vec::new(),
            lead: None,
            patterns: Vec::new(),
            closest: None,
            note: None,
            warnings: Vec::new(),
            overview: None,
            evident: None,
            proof: None,
            times,
        }
    }

    /// The limit that left the query open, if one did.
    pub fn limit(&self) -> Option<Limit> {
        match &self.outcome {
            Outcome::Undecided(reason) => Some(reason.limit),
            _ => None,
        }
    }

    /// An answer that a run shows is certain, whatever fails elsewhere. Any other is given up for an error that was met:
    /// what lies behind it is not known.
    pub(crate) fn settled(mut self) -> CheckerReport {
        if let Outcome::Decided {
            evidence: Evidence::Run(witness),
            ..
        } = &mut self.outcome
            && let Some(failing) = witness.failing.take()
        {
            self.fault.get_or_insert(*failing);
        }
        let is_certain = matches!(
            self.outcome,
            Outcome::Decided {
                evidence: Evidence::Run(_) | Evidence::RoundedRun(_),
                ..
            } | Outcome::Fault(_)
                | Outcome::Bug(_)
        );
        if !is_certain && let Some(fault) = self.fault.take() {
            self.outcome = Outcome::Fault(fault);
        }
        self
    }

    /// Takes over an error that was met, or what is wrong with it.
    pub(crate) fn with_fault(mut self, fault: Result<Option<Fault>, String>) -> CheckerReport {
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
    /// A run-time error at its end, beside the transition that makes it no deadlock.
    pub(crate) failing: Option<Box<Fault>>,
}

impl Witness {
    /// A run that is shown as it was found.
    pub(crate) fn new(run: &Run, trace: Option<Trace>) -> Witness {
        let duration = ticks(run.duration(), run.unit);
        Witness {
            steps: run.steps.len(),
            duration,
            found_steps: run.steps.len(),
            found_duration: duration,
            walk: 0,
            optimality: Optimality::NotRequested,
            trace,
            failing: None,
        }
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
    /// Judging the proof.
    pub judge: Duration,
}

impl Times {
    /// Times of a search that began at `start` and is over.
    pub(crate) fn of_search(start: Instant) -> Times {
        Times {
            search: start.elapsed(),
            ..Times::default()
        }
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The time limit.
    Time,
    /// The number of walks.
    Walks,
    /// It was interrupted: a user or a [`Monitor`](crate::Monitor) cancelled it, or another search had the answer.
    Cancelled,
    /// The memory limit.
    Memory,
    /// The number of states.
    States,
    /// The depth of paths.
    Depth,
    /// A search that may miss states has found nothing.
    Incomplete,
}

/// Why a query is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The limit that ended the search.
    pub limit: Limit,
    /// Counts of that search alone.
    pub stats: Stats,
    /// The depth of its walks, where that is fixed.
    pub max_steps: Option<NonZeroU32>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = &self.stats;
        match self.limit {
            Limit::Time => f.write_str("the time limit was reached")?,
            Limit::Walks => {
                f.write_str(&count(stats.walks, "walk"))?;
                match self.max_steps.map(u32::from) {
                    Some(1) => f.write_str(" of at most 1 step")?,
                    Some(depth) => write!(f, " of at most {depth} steps")?,
                    None => {}
                }
                f.write_str(" found nothing")?;
            }
            Limit::Cancelled => f.write_str("interrupted")?,
            Limit::Memory => {
                let states = count(stats.states_stored, "state");
                write!(f, "memory limit reached after {states}")?;
            }
            Limit::States => {
                let states = count(stats.states_stored.max(stats.states_explored), "state");
                write!(f, "state limit reached after {states}")?;
            }
            Limit::Depth => f.write_str("nothing was found on paths within the cutoff")?,
            Limit::Incomplete => write!(f, "nothing was found among {} states", stats.states_explored)?,
        }
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
    fn add(&mut self, report: &zonewalk_walk::search::WalkReport);
}

impl Count for Stats {
    fn count(&mut self, statistics: &zonewalk_search::Statistics) {
        self.states_explored += statistics.states_explored;
        self.states_stored += statistics.states_stored as u64;
        self.transitions += statistics.transitions;
        self.max_depth = self.max_depth.max(statistics.max_depth.into());
    }

    fn add(&mut self, report: &zonewalk_walk::search::WalkReport) {
        self.walks += report.walks;
        self.steps += report.steps;
        self.max_depth = self.max_depth.max(report.max_depth);
        self.effort = self.effort.saturating_add(report.effort);
        self.ends.add(&report.ends);
    }
}

/// A number of ticks as a time.
pub(crate) fn ticks(ticks: i64, unit: i64) -> Time {
    Time::new(ticks.into(), unit.into()).unwrap_or(Time::ZERO)
}
