//! Systems with symmetries: searches see one representative of all states that are alike.
//!
//! Clarke, Enders, Filkorn, Jha, *Exploiting symmetry in temporal logic model checking* (FMSD 1996). A [`Quotient`] stands
//! between the successor that the system has found and the store: what it emits is the representative, with the motion
//! that leads there. A search knows nothing of it. Its path is one from representative to representative, and
//! [`Quotient::unfold`] turns it into a path of the system.

use crate::path::{ReplayError, follow};
use crate::system::{Emit, Flow, TransitionSystem, Worker};

/// A group of motions under which a system is symmetric: the successors of a moved state are its successors moved, and the
/// initial states are moved onto each other.
///
/// Requires, for a search of the quotient: its goal holds in a state if it does in the moved one.
pub trait Symmetry {
    /// States of the system.
    type State;
    /// A member of the group, as a permutation of processes.
    type Motion;
    /// Buffers of one worker.
    type Scratch;

    /// The motion that leaves all as it is.
    fn identity(&self) -> Self::Motion;

    /// Replaces a state by the representative of the states that it can be moved to, and returns a motion that leads there.
    /// Depends on nothing but the state. Two representatives for states that are alike are sound; they are stored both.
    fn represent(&self, scratch: &mut Self::Scratch, state: &mut Self::State) -> Self::Motion;

    /// The motion `second` after the inverse of `first`.
    fn after_inverse(&self, second: &Self::Motion, first: &Self::Motion) -> Self::Motion;

    /// Moves a state.
    fn apply(&self, motion: &Self::Motion, state: &mut Self::State);
}

/// A system whose states are representatives.
pub struct Quotient<'q, T, Y> {
    system: &'q T,
    symmetry: &'q Y,
}

/// Scratch of a [`Quotient`].
pub struct QuotientScratch<T: TransitionSystem, Y: Symmetry> {
    system: T::Scratch,
    symmetry: Y::Scratch,
    /// A buffer for the representative.
    state: Option<T::State>,
}

impl<T: TransitionSystem, Y: Symmetry> QuotientScratch<T, Y> {
    /// The scratch of the system with that of its symmetry.
    pub fn new(system: T::Scratch, symmetry: Y::Scratch) -> Self {
        QuotientScratch {
            system,
            symmetry,
            state: None,
        }
    }
}

/// A step of the system to a state, and the motion that takes this state to its representative.
pub struct MovedStep<S, M> {
    /// Step of the system.
    pub step: S,
    /// The motion.
    pub motion: M,
}

/// One step of a path in the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded<S, M> {
    /// The motion that takes the step of the quotient to that of the system: the same for the source.
    pub motion: M,
    /// Target in the system.
    pub state: S,
}

/// A path in the system.
pub type UnfoldedPath<T, Y> = Vec<Unfolded<<T as TransitionSystem>::State, <Y as Symmetry>::Motion>>;

impl<'q, T, Y> Quotient<'q, T, Y>
where
    T: TransitionSystem,
    Y: Symmetry<State = T::State>,
{
    /// The quotient of a system. Requires: the system is symmetric.
    pub fn new(system: &'q T, symmetry: &'q Y) -> Self {
        Quotient { system, symmetry }
    }

    /// The path of the system that a path of the quotient stands for. Each step of the quotient leads to a state t whose
    /// representative is ρt; if the source was reached moved by σ, the target is reached as σt, which is the
    /// representative moved by σρ⁻¹.
    ///
    /// # Errors
    /// When the path cannot be followed.
    pub fn unfold(
        &self,
        scratch: &mut QuotientScratch<T, Y>,
        path: &[u32],
    ) -> Result<UnfoldedPath<T, Y>, ReplayError<T::Fault>> {
        let mut unfolded = Vec::with_capacity(path.len());
        let mut motion = self.symmetry.identity();
        follow(&mut Worker::new(self, scratch), path, |representative, step| {
            let mut state = representative.clone();
            let next = self.symmetry.after_inverse(&motion, &step.motion);
            self.symmetry.apply(&next, &mut state);
            let motion = std::mem::replace(&mut motion, next);
            unfolded.push(Unfolded { motion, state });
        })?;
        Ok(unfolded)
    }
}

/// Emits representatives in place of states.
fn represent<'e, T, Y>(
    symmetry: &'e Y,
    scratch: &'e mut Y::Scratch,
    buffer: &'e mut Option<T::State>,
    emit: Emit<'e, Quotient<'e, T, Y>>,
) -> impl FnMut(&T::State, T::Step<'_>) -> Flow
where
    T: TransitionSystem + 'e,
    Y: Symmetry<State = T::State>,
{
    move |state, step| {
        let representative = buffer.get_or_insert_with(|| state.clone());
        representative.clone_from(state);
        let motion = symmetry.represent(scratch, representative);
        emit(representative, MovedStep { step, motion })
    }
}

impl<T, Y> TransitionSystem for Quotient<'_, T, Y>
where
    T: TransitionSystem,
    Y: Symmetry<State = T::State>,
{
    type State = T::State;
    type Step<'s> = MovedStep<T::Step<'s>, Y::Motion>;
    type Fault = T::Fault;
    type Scratch = QuotientScratch<T, Y>;

    fn initial<'e>(&'e self, scratch: &'e mut Self::Scratch, emit: Emit<'e, Self>) -> Result<(), T::Fault> {
        let (symmetry, buffer) = (&mut scratch.symmetry, &mut scratch.state);
        let mut emit = represent::<T, Y>(self.symmetry, symmetry, buffer, emit);
        self.system.initial(&mut scratch.system, &mut emit)
    }

    fn successors<'e>(
        &'e self,
        scratch: &'e mut Self::Scratch,
        state: &T::State,
        emit: Emit<'e, Self>,
    ) -> Result<(), T::Fault> {
        let (symmetry, buffer) = (&mut scratch.symmetry, &mut scratch.state);
        let mut emit = represent::<T, Y>(self.symmetry, symmetry, buffer, emit);
        self.system.successors(&mut scratch.system, state, &mut emit)
    }
}
