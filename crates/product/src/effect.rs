//! Effects of updates in projections.

use crate::influence::Guess;
use zonewalk_network::ids::{ClockId, InstanceId};

/// A cell whose value is chosen when an edge is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChosenCell {
    pub(crate) address: u32,
    pub(crate) lo: i32,
    pub(crate) hi: i32,
}

/// Effect of an update on kept components.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Effect {
    /// Always this: cells and clocks with their new values.
    Fixed(Vec<(u32, i32)>, Vec<(ClockId, i32)>),
    /// The effect of the edge instance's update, for all values of some removed cells.
    Of(InstanceId, Vec<Guess>),
}

impl Default for Effect {
    /// The empty effect.
    fn default() -> Effect {
        Effect::Fixed(Vec::new(), Vec::new())
    }
}
