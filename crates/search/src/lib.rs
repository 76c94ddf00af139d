//! Searches over any transition system.
//!
//! A model is whatever implements [`TransitionSystem`]; visited states live in a [`Store`]. Over these two there are
//! one engine ([`search`]: breadth-first, depth-first, randomised depth-first, best-first), and, each in a module of
//! its own, the searches that stop short of keeping an order over all waiting states.
//!
//! ```
//! use std::convert::Infallible;
//! use zonewalk_search::{Breadth, ExactStore, Flow, Goal, Limits, Outcome, TransitionSystem, search};
//!
//! /// Two jugs of 3 and 5 litres, a tap and a sink.
//! struct Jugs;
//!
//! impl TransitionSystem for Jugs {
//!     type State = (u8, u8);
//!     type Fault = Infallible;
//!
//!     fn initial(&mut self, emit: &mut dyn FnMut(&(u8, u8)) -> Flow) -> Result<(), Infallible> {
//!         let _ = emit(&(0, 0));
//!         Ok(())
//!     }
//!
//!     fn successors(&mut self, &(a, b): &(u8, u8), emit: &mut dyn FnMut(&(u8, u8)) -> Flow) -> Result<(), Infallible> {
//!         let (to_b, to_a) = (a.min(5 - b), b.min(3 - a));
//!         for next in [(3, b), (a, 5), (0, b), (a, 0), (a - to_b, b + to_b), (a + to_a, b - to_a)] {
//!             if emit(&next).is_break() {
//!                 break;
//!             }
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut four_litres = |jugs: &(u8, u8)| jugs.1 == 4;
//! let report = search(
//!     &mut Jugs,
//!     &mut ExactStore::new(),
//!     &mut Breadth::new(),
//!     Goal::state(&mut four_litres),
//!     &Limits::default(),
//! );
//! // Fill 5, pour, empty 3, pour, fill 5, pour: six steps after the choice of the initial state.
//! assert!(matches!(report.outcome, Outcome::Found { path, .. } if path == [0, 1, 5, 2, 5, 1, 5]));
//! ```

pub mod aut;
mod by_depth;
mod chunked;
pub mod drs;
mod engine;
mod expand;
mod frontier;
mod goal;
pub mod highway;
mod limits;
pub mod measure;
mod path;
mod random;
mod random_search;
mod store;
mod system;

pub use by_depth::{DepthStore, Reopening};
pub use engine::{Fault, Outcome, Report, search, search_by_depth};
pub use frontier::{BestFirst, Breadth, Depth, Frontier, RandomDepth};
pub use goal::Goal;
pub use limits::{Limit, Limits, Meter, Progress, Statistics};
pub use path::{ReplayError, Tree, replay, step};
pub use random::Random;
pub use store::{ExactStore, StateId, Store, Stored};
pub use system::{Flow, TransitionSystem};
