//! Estimates of how far a state is from a goal, for directed searches of the zone graph.
//!
//! A [`GoalFormula`] is what a query looks for, in the form that estimates need: negations at the leaves, and the locations that a
//! process is wanted in taken together. A [`Heuristic`] estimates the number of transitions from a state to it:
//!
//! | name | type | idea | never too large |
//! |---|---|---|---|
//! | `dL` | [`LocalDistance`] | the farthest process, in its own graph of locations | yes |
//! | `dU` | [`LocalDistance`] | the same, added up over the processes | no |
//! | `dg` | [`GroupDistance`] | the farthest process of each group that can move together, added up over the groups | yes |
//! | `hL` | [`Relaxed`] | the layers of sets of values that only grow | yes |
//! | `hU` | [`Relaxed`] | the transitions of a way through these layers | no |
//! | `pdb` | [`PatternDatabases`] | the distances in projections of the network | yes |
//!
//! `dL` and `dU` are those of Edelkamp, Leue, Lluch-Lafuente: Directed explicit-state model checking in the validation of
//! communication protocols, STTT 5(2), 2004, as MCTA has them. `hL` and `hU` rest on the abstraction of Kupferschmid, Hoffmann,
//! Dierks, Behrmann: Adapting an AI planning heuristic for directed model checking, SPIN 2006; `hU` is new in MCTA-2012. `dg` is
//! ours.
//!
//! [`Directed`] is the guide that makes A* or greedy search of one, [`Alternation`] one with several orders in turn, for which there is a cheap
//! estimate of ours, [`GoalCount`].
//!
//! Invariant: an infinite estimate is a proof that no goal can be reached. Whatever is assumed here about what a model may do
//! only adds behaviour to it.
//!
//! # Rooms
//!
//! How far a state is from a goal. `estimate` has the trait `Heuristic` of all estimates, `goal` the goal in the form
//! that estimates need, `local` the distances of single processes, `group` what adds up over processes that never move
//! together, `relaxed` the layers of sets that only grow and the ways through them, `pattern` the databases: which part
//! of the model is kept, its distances and how a state is looked up in them. `guide` has the orders of A* and greedy
//! search, `queueing` those with several queues: useless transitions, context switches, interference; `alternation` has
//! several orders in turn, by effort. Relaxed updates and guards are run by `vm::run`, for every combination of the
//! values that they read.

mod alive;
mod alternation;
mod blind;
mod cache;
mod count;
mod estimate;
mod goal;
mod group;
mod guide;
mod local;
mod pattern;
mod queueing;
mod relaxed;

pub use alternation::Alternation;
pub use blind::Blind;
pub use count::GoalCount;
pub use estimate::{Counters, Estimate, Estimator, Heuristic};
pub use goal::{GoalFormula, Locations, MOST_ATOMS, Part, PartId};
pub use group::GroupDistance;
pub use guide::{Directed, Order};
pub use local::{Combine, LocalDistance};
pub use pattern::{
    AbstractDistance, Basis, Database, PatternDatabases, PatternSource, Selection, Unavailable, prepare,
    refine, select,
};
pub use queueing::{Context, QueueRule, Reached, Switch, Switches, Useless};
pub use relaxed::{Marked, Measure, Relaxed};
