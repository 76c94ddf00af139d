//! The zone graph of a compiled network.
//!
//! [`plan::ZonePlan`] lays a network out, [`graph::ZoneGraph`] computes its symbolic states and their successors in a
//! [`scratch::Scratch`], [`explorer::Explorer`] is both, [`explorer::Zones`] a [`zonewalk_search::TransitionSystem`], [`store::ZoneStore`] keeps states by inclusion or equality, [`goal::ZoneGoal`] is what
//! searches look for, and [`path`] turns what they find into a run with exact times.
//!
//! Invariant: a zone holds exactly the points that the model can be in there, up to the abstraction that was asked for and up
//! to clocks that can be stopped; nothing here decides the order in which states are visited.
//!
//! # Rooms
//!
//! The zone graph. `ZonePlan` is the product with what abstractions must know. `ZoneGraph` is a plan with bounds, an
//! abstraction and what is avoided or forgotten: it never changes, and threads can share it. `Scratch` is everything
//! that computing successors writes to. `Zones` is the graph as a `TransitionSystem`, which searches see; `Explorer` is a
//! shared graph with a scratch of its own.
//!
//! `successors` computes them: `moves` lists the transitions of a state, `fire` takes one, `enter` makes the zone that
//! is entered, `abstract_zone` reduces the number of zones, `existence` knows where transitions exist (for priorities
//! and deadlocks), `points` which points of a zone satisfy a `goal`. `store` keeps states, `infinite` is about runs
//! without end (`lasso` searches for maximal runs, `zeno` shows from the structure that time passes on every loop),
//! `suspects` are deadlocks that need not be real, `extremes` searches for the largest and smallest values, `path` derives
//! the conditions on times. `graph::stamps` keeps clocks that stand still so that delays are exact, `sweep` explores by fixed
//! instants and forgets. `certificate` makes nodes of stored states, for the judge of proofs, `stored` has those of a finished
//! search, and `sown` has bugs that the judge must find.

pub mod certificate;
mod condition;
pub mod explorer;
pub mod extremes;
pub mod goal;
pub mod graph;
mod infinite;
pub mod path;
pub mod plan;
#[cfg_attr(not(feature = "sown"), doc(hidden))]
pub mod sown;
pub mod state;
pub mod stop;
pub mod store;
pub mod stored;
mod successors;
pub mod suspects;
pub mod sweep;

pub use graph::{abstraction, scratch, stamps, width};
pub use infinite::{lasso, standstill, zeno};
pub use path::path_zones;
pub use plan::{diagonals, effort};
pub use state::constraint;
pub use successors::observe;
