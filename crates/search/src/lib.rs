//! Searches over any transition system.
//!
//! A model is whatever implements [`TransitionSystem`]; visited states live in a [`Store`]. Over these two there are
//! one engine, and, each in a module of its own, the searches that stop short of keeping an order over all waiting states.
//!
//! The engine, [`search`], expands states in the order of a [`Frontier`]: breadth-first, depth-first, randomised
//! depth-first. Directed searches are the same engine with a [`Guide`] ([`guided_search`]): it sees each state before
//! it is stored, with the step that led there, and says where in the frontier it waits ([`Queues`]: greedy search, A*,
//! several queues; [`Balanced`]: several orders in turn) or that it is left out. [`Predecessors`] is a guide that keeps every step, for distances to goals.
//!
//! A search explores by a [`Worker`]: a system, in which nothing changes, and the scratch of one thread. A system with
//! symmetries is searched as its [`Quotient`], and paths of that are unfolded. Threads that visit the states of one system
//! together have a worker each, and a [`SharedStore`] in common.
//!
//! A search that has visited everything ends with [`Outcome::Exhausted`], which is a proof. One that has left out what
//! may lead to a goal ends with [`Limit::LeftOut`] instead.
//!
//! ```
//! use std::convert::Infallible;
//! use zonewalk_search::{Breadth, Emit, ExactStore, Goal, Limits, Outcome, TransitionSystem, Worker, search};
//!
//! /// Two jugs of 3 and 5 litres, a tap and a sink.
//! struct Jugs;
//!
//! impl TransitionSystem for Jugs {
//!     type State = (u8, u8);
//!     type Step<'s> = ();
//!     type Fault = Infallible;
//!     type Scratch = ();
//!
//!     fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Infallible> {
//!         let _ = emit(&(0, 0), ());
//!         Ok(())
//!     }
//!
//!     fn successors<'e>(&'e self, _: &'e mut (), &(a, b): &(u8, u8), emit: Emit<'e, Self>) -> Result<(), Infallible> {
//!         let (to_b, to_a) = (a.min(5 - b), b.min(3 - a));
//!         for next in [(3, b), (a, 5), (0, b), (a, 0), (a - to_b, b + to_b), (a + to_a, b - to_a)] {
//!             if emit(&next, ()).is_break() {
//!                 break;
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut four_litres = |jugs: &(u8, u8)| jugs.1 == 4;
//! let report = search(
//!     &mut Worker::new(&Jugs, &mut ()),
//!     &mut ExactStore::new(),
//!     &mut Breadth::new(),
//!     Goal::state(&mut four_litres),
//!     &Limits::default(),
//! );
//! // Fill 5, pour, empty 3, pour, fill 5, pour: six steps after the choice of the initial state.
//! assert!(matches!(report.outcome, Outcome::Found { path, .. } if path == [0, 1, 5, 2, 5, 1, 5]));
//! ```

mod alarm;
pub mod aut;
mod balance;
mod by_depth;
mod chunked;
pub mod drs;
mod engine;
mod expand;
mod frontier;
mod goal;
mod guide;
pub mod highway;
mod limits;
pub mod measure;
mod path;
mod predecessors;
mod queues;
mod quotient;
mod random_search;
mod shared_store;
mod store;
mod system;
mod types;

pub use alarm::Alarm;
pub use balance::{Balanced, Ledger, NOWHERE, Side, StateSet, Waits};
pub use by_depth::{DepthStore, Reopening};
pub use engine::{Fault, Outcome, Report, guided_search, guided_search_by_depth, search, search_by_depth};
pub use frontier::{Breadth, Depth, Frontier, RandomDepth};
pub use goal::Goal;
pub use guide::{GeneratedState, Guide, Verdict};
pub use limits::{Limit, Limits, Meter, Progress, Statistics};
pub use path::{ReplayError, Tree, follow, replay};
pub use predecessors::{Distances, Predecessors, Reversed};
pub use queues::{Alternation, ByValue, Preference, Queues, Rank, Ties, Turns};
pub use quotient::{MovedStep, Quotient, QuotientScratch, Symmetry, Unfolded, UnfoldedPath};
pub use shared_store::SharedStore;
pub use store::{ExactStore, StateId, Store, Stored};
pub use system::{Emit, Flow, TransitionSystem, Worker};
pub use zonewalk_numbers::Random;

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
