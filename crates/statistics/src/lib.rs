//! Statistics of random runs. Nothing here knows a model: an engine makes runs (`zonewalk_sampling::Sampler`), a monitor looks at each of
//! them ([`monitor`]), and outcomes are folded in the order of the runs' numbers ([`fold`]) into an estimate or a test.
//!
//! Logarithms come from one portable implementation, so that every number is the same on every machine.
//!
//! # Rooms
//!
//! Random runs become numbers. `monitor` looks at a run piece by piece, `fold` makes runs on threads and hands their
//! outcomes over in the order of their numbers, `proportion` has intervals for probabilities (Clopper–Pearson) and
//! `mean` for expected values (Student), `stop` says when there are enough runs, `test` and `comparison` are the
//! sequential tests; `splitting` estimates rare events: it starts runs again (`Restart`) from states that earlier runs
//! have reached. The facade (`statistical`) puts a query, an engine and these together.

mod beta;
pub mod comparison;
pub mod fold;
pub mod histogram;
pub mod mean;
pub mod monitor;
pub mod proportion;
pub mod splitting;
pub mod stop;
pub mod test;
mod thin;

pub use thin::thin;
