//! Several queues: the transition that led to a state says in which of them it waits (Kupferschmid, Wehrle: MCTA, FORMATS 2012,
//! Figure 3).
//!
//! Within a queue the estimates decide, and a queue is used only while all before it are empty. No state is lost, so that a
//! search that ends without a goal is a proof; but the first goal that is met need not be a nearest one.

mod context;
mod interference;
mod last;
mod switches;
mod useless;

use crate::estimate::{Estimate, Heuristic};
pub use context::Context;
pub use switches::{Switch, Switches};
pub use useless::Useless;
use zonewalk_network::ids::InstanceId;
use zonewalk_search::{StateId, Stored};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// A state that is to wait, with the transition that led to it.
pub struct Reached<'a, W = i32> {
    /// The state.
    pub state: &'a ZoneState<W>,
    /// Its estimate.
    pub estimate: Estimate,
    /// The edge instances of the transition, the initiator's first; none for an initial state.
    pub parts: &'a [InstanceId],
    /// State in which the transition begins; `None` for initial states.
    pub parent: Option<StateId>,
}

/// Rule that chooses the queue in which a state waits.
pub trait QueueRule<W: Word = i32> {
    /// Called for each transition from the state that is being expanded, whether it leads to a new state or not.
    fn on_generated(&mut self, _: &[InstanceId]) {}

    /// The number of the queue; those with smaller numbers are preferred.
    fn queue(&mut self, reached: &Reached<'_, W>, heuristic: &mut dyn Heuristic<W>) -> u32;

    /// Called when the state passed to [`queue`](Self::queue) last has been stored, under a new number or not.
    fn on_stored(&mut self, _: Stored) {}

    /// Called when all new successors of a state are known; their queues, in the order in which they were asked for, may still change.
    fn rank_together(&mut self, _: &mut [u32]) {}

    /// A state is about to be expanded.
    fn before_expand(&mut self, _: StateId, _: &ZoneState<W>) {}

    /// Memory held. Called often: it must cost next to nothing.
    fn bytes(&self) -> usize {
        0
    }
}
