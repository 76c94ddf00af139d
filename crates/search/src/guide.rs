//! Guides: they say which states are worth a visit, and when.

use crate::store::{StateId, Stored};
use crate::system::TransitionSystem;

/// A state that a step has led to and that is not stored yet.
pub struct GeneratedState<'a, 's, T: TransitionSystem + ?Sized> {
    /// The state.
    pub state: &'a T::State,
    /// Model-specific description of the step.
    pub step: T::Step<'s>,
    /// The number of the step among those of its source, or of the initial state.
    pub ordinal: u32,
    /// The source, which is being expanded; none for an initial state.
    pub parent: Option<StateId>,
    /// Steps from an initial state on the way by which it was met.
    pub depth: u32,
}

/// Decision about a generated state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<P = ()> {
    /// Keep the state, with this rank in the frontier.
    Keep(P),
    /// Do not visit the state; errors of the model behind it are not found either.
    LeaveOut {
        /// Whether no goal that counts can be reached from it. One state that was not safe to leave out, and a search
        /// that finds nothing has proved nothing.
        is_safe: bool,
    },
}

/// Goes along with a search: ranks the states before they are stored, and sees what becomes of them.
///
/// A state is tested for being the goal, looked up in the store, ranked, stored, and pushed to the frontier, in this
/// order: estimates are the most expensive part of a directed search, and a state that is covered needs none. What is left
/// out takes no memory; it is ranked again when it is met again.
///
/// Values that belong to a stored state (an estimate, the transition that led there) are the guide's own, in a table by
/// [`StateId`]: [`on_stored`](Self::on_stored) tells the number after each call of [`rank`](Self::rank) whose state was
/// stored, and [`GeneratedState::parent`] is the key for the source's. With a [`DepthStore`](crate::DepthStore) a state that is met
/// again after fewer steps is ranked and stored again under a new number, which reopens it.
pub trait Guide<T: TransitionSystem + ?Sized> {
    /// Information about a state that the frontier needs.
    type Rank;

    /// Whether states that the store covers are kept from the guide. A guide that answers faster than the store may
    /// rather be asked about all of them; a state that it leaves out may then be one that is stored.
    const LOOKS_UP_FIRST: bool = true;

    /// Whether the new successors of a state are ranked together. They go to the frontier when all of them
    /// are known then.
    const RANKS_TOGETHER: bool = false;

    /// Called for each state that a step leads to and that is not a goal, stored already or not.
    fn on_generated(&mut self, _: &GeneratedState<'_, '_, T>) {}

    /// The rank of a new state in the frontier, or that it is left out.
    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Self::Rank>;

    /// Called for a state that a stored one covers. A rank puts the stored one into the frontier, whether it was expanded or not. For
    /// guides with several orders, of which not all know every state. Only with [`LOOKS_UP_FIRST`](Self::LOOKS_UP_FIRST).
    fn requeue(&mut self, _met: &GeneratedState<'_, '_, T>, _covering: StateId) -> Option<Self::Rank> {
        None
    }

    /// Called when a step from `parent`, or to an initial state, has led to a stored state: the one ranked last under a new
    /// number, or one that was there before and covers what was met.
    fn on_stored(&mut self, _parent: Option<StateId>, _at: Stored) {}

    /// Called before a state is expanded; [`Verdict::LeaveOut`] skips it. For estimates that
    /// are put off until here, and for what all steps from the state have in common.
    fn before_expand(&mut self, _id: StateId, _state: &T::State, _depth: u32) -> Verdict {
        Verdict::Keep(())
    }

    /// Called when all steps from the state expanded last, or all initial states, are generated. The ranks of the new ones may still be
    /// changed. Only with [`RANKS_TOGETHER`](Self::RANKS_TOGETHER).
    fn rank_together(&mut self, _new: &mut [(StateId, Self::Rank)]) {}

    /// Called when all steps from the state expanded last are generated, unless the search ends before.
    fn after_expand(&mut self, _id: StateId) {}

    /// Memory held, which counts against the limit. Called often: it must cost next to nothing.
    fn bytes(&self) -> usize {
        0
    }
}

/// Keeps every state, in the order of arrival.
pub(crate) struct Unguided;

impl<T: TransitionSystem + ?Sized> Guide<T> for Unguided {
    type Rank = ();
    const LOOKS_UP_FIRST: bool = false;

    #[inline]
    fn rank(&mut self, _: &GeneratedState<'_, '_, T>) -> Verdict {
        Verdict::Keep(())
    }
}
