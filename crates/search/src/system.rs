//! Interface between searches and models.

/// Whether the receiver wants more. A system that gets `Break` emits nothing more and returns.
pub type Flow = std::ops::ControlFlow<()>;

/// Callback for a successor and the step that leads to it. Both are valid only during the call.
pub type Emit<'e, T> =
    &'e mut dyn for<'s> FnMut(&'s <T as TransitionSystem>::State, <T as TransitionSystem>::Step<'s>) -> Flow;

/// A model: initial states and successors.
///
/// States are emitted by reference, so that a system can build every one of them in the same buffer. A path is a list of
/// *ordinals*, the numbers of its steps among the successors of their sources; the first says which initial state it
/// starts from ([`replay`](crate::replay) follows it). The order of emission must therefore depend on nothing but the state.
///
/// A state without successors is a deadlock to those searches that look for one.
pub trait TransitionSystem {
    /// A state to work with, not as it is stored.
    type State: Clone;
    /// Description of a step for [guides](crate::Guide): the transition, an action. No search stores it.
    type Step<'s>;
    /// An error that the model makes while it runs.
    type Fault;

    /// Emits every initial state. An error says that some could not be computed; the others were emitted.
    fn initial<'e>(&'e mut self, emit: Emit<'e, Self>) -> Result<(), Self::Fault>;

    /// Emits every successor, in an order that depends on nothing but `state`.
    ///
    /// # Errors
    /// When some successors could not be computed; the others were emitted. Whether such a state is a deadlock is not known.
    fn successors<'e>(&'e mut self, state: &Self::State, emit: Emit<'e, Self>) -> Result<(), Self::Fault>;
}
