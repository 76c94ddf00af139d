//! Interface between searches and models.

/// Whether the receiver wants more. A system that gets `Break` emits nothing more and returns.
pub type Flow = std::ops::ControlFlow<()>;

/// Callback for a successor and the step that leads to it. Both are valid only during the call.
pub type Emit<'e, T> =
    &'e mut dyn FnMut(&<T as TransitionSystem>::State, <T as TransitionSystem>::Step<'_>) -> Flow;

/// A model: initial states and successors.
///
/// Nothing in a system changes. What computing successors writes to is a [`Scratch`](TransitionSystem::Scratch), so that
/// threads can share the system, each with a scratch of its own.
///
/// States are emitted by reference, so that a system can build every one of them in the same buffer. A path is a list of
/// *ordinals*, the numbers of its steps among the successors of their sources; the first says which initial state it
/// starts from ([`follow`](crate::follow) gives the states and steps of a path). The order of emission must therefore
/// depend on nothing but the state.
///
/// A state without successors is a deadlock to those searches that look for one.
pub trait TransitionSystem {
    /// A state to work with, not as it is stored.
    type State: Clone;
    /// Description of a step for [guides](crate::Guide): the transition, an action. No search stores it.
    type Step<'s>;
    /// An error that the model makes while it runs.
    type Fault;
    /// Buffers and counters of one worker; `()` where there are none.
    type Scratch;

    /// Emits every initial state. An error says that some could not be computed; the others were emitted.
    fn initial<'e>(&'e self, scratch: &'e mut Self::Scratch, emit: Emit<'e, Self>)
    -> Result<(), Self::Fault>;

    /// Emits every successor, in an order that depends on nothing but `state`.
    ///
    /// # Errors
    /// When some successors could not be computed; the others were emitted. Whether such a state is a deadlock is not known.
    fn successors<'e>(
        &'e self,
        scratch: &'e mut Self::Scratch,
        state: &Self::State,
        emit: Emit<'e, Self>,
    ) -> Result<(), Self::Fault>;
}

/// One explorer of a system: the system, which others may share, and a scratch, which they do not.
pub struct Worker<'w, T: TransitionSystem + ?Sized> {
    system: &'w T,
    scratch: &'w mut T::Scratch,
}

impl<'w, T: TransitionSystem + ?Sized> Worker<'w, T> {
    /// A worker with this scratch, which still belongs to the caller: its counters can be read when the worker is done.
    pub fn new(system: &'w T, scratch: &'w mut T::Scratch) -> Self {
        Worker { system, scratch }
    }

    /// The system.
    pub fn system(&self) -> &'w T {
        self.system
    }

    /// Emits every initial state: see [`TransitionSystem::initial`].
    ///
    /// # Errors
    /// When some could not be computed.
    #[inline]
    pub fn initial<'e>(&'e mut self, emit: Emit<'e, T>) -> Result<(), T::Fault> {
        self.system.initial(self.scratch, emit)
    }

    /// Emits every successor: see [`TransitionSystem::successors`].
    ///
    /// # Errors
    /// When some could not be computed.
    #[inline]
    pub fn successors<'e>(&'e mut self, state: &T::State, emit: Emit<'e, T>) -> Result<(), T::Fault> {
        self.system.successors(self.scratch, state, emit)
    }
}
