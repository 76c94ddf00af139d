//! Answers to queries about timed I/O automata.

use std::time::Duration;

use zonewalk_reference::tioa::Start;
use zonewalk_tioa::{Component, Query, Reading, Run, System};

use super::reason::Reason;

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Satisfied,
    /// No.
    NotSatisfied,
    /// A limit was met first.
    Unknown,
}

/// A run that the judge has repeated.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub run: Run,
    /// Where each component starts, with the values of its clocks in ticks; nothing for the initial state.
    pub start: Option<Start>,
    /// How many steps it had when it was found.
    pub found_steps: usize,
    /// The systems it is a run of: both sides of a refinement, or one.
    pub systems: Vec<System>,
    /// How their components were read.
    pub reading: Reading,
}

/// A verdict with everything that a report tells.
#[derive(Clone, Debug)]
pub struct RefineAnswer {
    /// The kind of query, as queries write it.
    pub kind: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict needs no trust in a limit.
    pub proof: bool,
    /// Who found it.
    pub search: &'static str,
    /// Why, for everything but a plain yes.
    pub reason: Option<Reason>,
    /// Pairs of locations and zones of the relation that proves a refinement.
    pub relation: Option<(usize, usize)>,
    /// A run that shows the answer.
    pub evidence: Option<Evidence>,
    /// Component that `get-component` or `prune` has built.
    pub built: Option<Component>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Walks that were made.
    pub walks: u64,
    /// Steps of these walks.
    pub steps: u64,
    /// Zones that were explored by the complete search.
    pub explored: u64,
    /// How long it took until the answer was found, without shortening and judging a run.
    pub search_time: Duration,
    /// A run that the judge does not accept: an error of ours.
    pub bug: Option<String>,
}

impl RefineAnswer {
    pub(super) fn new(query: &Query, verdict: Verdict) -> RefineAnswer {
        RefineAnswer {
            kind: kind(query),
            verdict,
            proof: verdict != Verdict::Unknown,
            search: "symbolic",
            reason: None,
            relation: None,
            evidence: None,
            built: None,
            notes: Vec::new(),
            walks: 0,
            steps: 0,
            explored: 0,
            search_time: Duration::ZERO,
            bug: None,
        }
    }
}

/// The kind of a query, as queries write it.
pub fn kind(query: &Query) -> &'static str {
    match query {
        Query::Refinement { .. } => "refinement",
        Query::Consistency { .. } => "consistency",
        Query::Determinism(_) => "determinism",
        Query::Implementation(_) => "implementation",
        Query::Specification(_) => "specification",
        Query::Reachability { .. } => "reachability",
        Query::GetComponent { .. } => "get-component",
        Query::Prune { .. } => "prune",
        Query::Minimise(_) => "bisim-minim",
    }
}
