//! What a search needs to know about a model.

/// Whether the receiver wants more. A system that is told to break emits nothing more and returns.
pub type Flow = std::ops::ControlFlow<()>;

/// A model: initial states and successors.
///
/// States are emitted by reference, so that a system can build every one of them in the same buffer. A step has no
/// name of its own: it is known by its *ordinal* among the successors of its source, and a path is a list of ordinals
/// whose first number says which initial state it starts from ([`replay`](crate::replay) follows it). The order of
/// emission must therefore depend on nothing but the state.
///
/// A state without successors is a deadlock to those searches that look for one.
pub trait TransitionSystem {
    /// A state to work with, not as it is stored.
    type State: Clone;
    /// An error that the model makes while it runs.
    type Fault;

    /// Emits every initial state. An error says that some could not be computed; the others were emitted.
    fn initial(&mut self, emit: &mut dyn FnMut(&Self::State) -> Flow) -> Result<(), Self::Fault>;

    /// Emits every successor, in an order that depends on nothing but `state`. What was emitted is valid during the
    /// call of `emit` only.
    ///
    /// # Errors
    /// When some successors could not be computed; the others were emitted. Whether such a state is a deadlock is not known.
    fn successors(
        &mut self,
        state: &Self::State,
        emit: &mut dyn FnMut(&Self::State) -> Flow,
    ) -> Result<(), Self::Fault>;
}
