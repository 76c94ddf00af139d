//! The states that a search without a witness has left, in an order that proves it.
//!
//! A depth-first search leaves a state when all its transitions lead to states that it has left before, or to parts of such
//! states. So along a run that avoids the goal the number of the state falls with every transition: there is no cycle, and none
//! of the states is an end. Nothing that was left may be retired for a larger state which was left later: then a number would
//! rise. In the graph that was explored, covering a state by a larger one may close cycles that no run has.

use super::depth::Memory;
use super::leads::{self, Reachable};
use super::{Kind, LassoEnd, LassoOptions, LassoQuestion, LassoSearchEnd, Overview, Search};
use crate::explorer::Explorer;
use crate::graph::abstraction::Abstraction;
use crate::plan::ZonePlan;
use crate::store::{Covering, ZoneStore};
use std::fmt;
use zonewalk_search::{Limit, Limits};
use zonewalk_zones::Word;

/// Reason why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// A run shows that the claim is wrong.
    Witness,
    /// There is a run that avoids the goal, and perhaps time does not pass without bound on it.
    NonZeno,
    /// The model fails somewhere.
    Fault,
    /// A limit was reached.
    Limit(Limit),
}

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoProof::Witness => "a run shows the opposite",
            NoProof::NonZeno => "ranks are about zeno runs and runs that end, too",
            NoProof::Fault => "the model fails in a reachable state",
            NoProof::Limit(_) => "a limit was reached before all states were explored",
        })
    }
}

/// States that show that there is no witness.
pub(crate) struct Absence<'n, W> {
    /// The states on which the goal is avoided, in the order in which they were left.
    pub(crate) left: (Explorer<'n, W>, ZoneStore<W>),
    /// All reachable states, where a trigger is looked for among them.
    pub(crate) reachable: Option<(Explorer<'n, W>, ZoneStore<W>)>,
}

/// Explores all runs that avoid the goal, zeno runs among them.
pub(crate) fn absence<'n, W: Word>(
    plan: &'n ZonePlan<'n>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
) -> Result<Absence<'n, W>, NoProof> {
    let result = match attempt(plan, question, &options.limits, Abstraction::LuPlus) {
        // It need not be one: lower and upper bounds apart add points in which nothing is possible.
        Err(Failure::Witness(LassoEnd::Deadlock)) => attempt(plan, question, &options.limits, Abstraction::M),
        result => result,
    };
    result.map_err(|failure| match failure {
        Failure::Witness(_) if options.non_zeno => NoProof::NonZeno,
        Failure::Witness(_) => NoProof::Witness,
        Failure::Other(reason) => reason,
    })
}

enum Failure {
    Witness(LassoEnd),
    Other(NoProof),
}

fn attempt<'n, W: Word>(
    plan: &'n ZonePlan<'n>,
    question: &LassoQuestion,
    limits: &Limits<'_>,
    abstraction: Abstraction,
) -> Result<Absence<'n, W>, Failure> {
    let options = LassoOptions {
        non_zeno: false,
        limits: *limits,
    };
    let mut search: Search<'_, '_, W> = Search::new(plan, question, &options, false, abstraction);
    search.kind = Kind::Any(Box::new(Memory::new(plan.network, Covering::Kept)));
    let mut reachable = None;
    let found = match &question.trigger {
        Some(trigger) => {
            let mut overview = Overview::default();
            let reachable = reachable.insert(Reachable::new(plan, question, abstraction));
            leads::search(question, (trigger, &mut overview), reachable, &mut search)
        }
        None => {
            let roots = search.expander.initial();
            search.from(roots)
        }
    };
    let Search { expander, kind, .. } = search;
    let memory = match (found, kind) {
        (LassoSearchEnd::Limit(limit), _) => return Err(Failure::Other(NoProof::Limit(limit))),
        (LassoSearchEnd::Lasso(lasso, _), _) => return Err(Failure::Witness(lasso.end)),
        (LassoSearchEnd::Nothing, Kind::Any(memory)) if expander.fault.is_none() => memory,
        (LassoSearchEnd::Nothing, _) => return Err(Failure::Other(NoProof::Fault)),
    };
    Ok(Absence {
        left: (expander.explorer, memory.into_dead()),
        reachable: reachable.map(|reachable| (reachable.explorer, reachable.store)),
    })
}
