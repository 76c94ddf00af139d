//! Exact times for a path of transitions.
//!
//! A search finds *which* transitions lead to a goal; *when* they happen is a question of its own, with many answers. This
//! crate takes the conditions on clocks along such a path ([`TimedPath`]) and finds the times that are easiest to read, or
//! the earliest ones ([`Objective`]). It knows nothing of models: a walk and a symbolic search describe their runs in the
//! same way, and [`check()`] judges the result independently of how it was found.
//!
//! While all clocks run, the conditions are differences of instants, and the least solution of such a system is a longest
//! path in a graph ([`solve()`] says more). Clocks that stop make it a linear program.
//!
//! # Rooms
//!
//! The crate says when the transitions of a path happen, apart from which they are: `TimedPath` is what the clocks must
//! satisfy stage by stage, `solve` finds delays (a longest path in a graph of instants; a linear program where clocks
//! stop), `extreme` those with the largest or smallest value of a clock at the end, `check` judges them on its own.

#![warn(missing_docs)]

mod check;
mod extreme;
mod graph;
mod instants;
mod least;
mod linear;
mod path;
mod program;
mod schedule;
mod simple;
mod solution;
mod solve;
mod split;

pub use check::{Cause, Moment, Violation, check};
pub use extreme::{Extreme, Extremum, Limit, extreme};
pub use path::{Constraint, Reset, Stage, TimedPath};
pub use schedule::{Schedule, TooLarge};
pub use solution::{Infimum, Objective, Solution, Unsolved};
pub use solve::{DEFAULT_BUDGET, solve, solve_from};
