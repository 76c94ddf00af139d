//! Concrete states.

use zonewalk_tioa::LocationId;

/// A state of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// State of a component.
    Component(ComponentState),
    /// State of a composition or conjunction: the states of its operands.
    Product(Vec<State>),
    /// State of a quotient as long as both operands play their parts.
    Quotient {
        /// State of the whole.
        whole: Box<State>,
        /// State of the part.
        part: Box<State>,
    },
    /// The universal state of a quotient.
    Universal,
    /// The error state of a quotient.
    Error {
        /// Whether time has passed there nevertheless, as it can inside another quotient.
        overdue: bool,
    },
}

/// Where a component is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ComponentState {
    /// Its location.
    pub location: LocationId,
    /// The values of its clocks, in ticks.
    pub clocks: Vec<i128>,
    /// Whether time has passed in a location where it must not, as it can inside a quotient.
    pub overdue: bool,
}
