//! Statistics of random runs. Nothing here knows a model: an engine makes runs (`zonewalk_sampling::Sampler`), a monitor looks at each of
//! them ([`monitor`]), and outcomes are folded in the order of the runs' numbers ([`fold`]) into an estimate or a test.
//!
//! Logarithms come from one portable implementation, so that every number is the same on every machine.

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
