//! Conditions of a run on its clocks, when its times are not known.

/// The conditions of a path: stages with a transition after each of them, and the stage in which it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedPath {
    /// Values of the clocks at the beginning. Their number is the number of clocks.
    pub initial: Vec<i64>,
    /// Stages before the transitions.
    pub stages: Vec<Stage>,
    /// Stage after the last transition. Its end is the end of the path: what a goal asks of clocks stands in
    /// `at_exit`. Its resets mean nothing.
    pub last: Stage,
}

/// Conditions between two transitions, and at the one that ends the stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Whether time may pass at all: not where a location is urgent or committed.
    pub may_delay: bool,
    /// Hold at both ends, hence all the time: a set of valuations that is given by differences is convex.
    pub during: Vec<Constraint>,
    /// Hold when the stage begins, after the resets before it.
    pub at_entry: Vec<Constraint>,
    /// Hold when the stage ends, before its resets: guards, who receives, when urgency ends the delay.
    pub at_exit: Vec<Constraint>,
    /// Clocks that stand still.
    pub stopped: Vec<u32>,
    /// Resets of clocks by the transition, in this order.
    pub resets: Vec<(u32, Reset)>,
}

/// New value of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// A number.
    To(i64),
    /// The value that another clock (or the same) has at this moment, and a number.
    Copy {
        /// The other clock.
        from: u32,
        /// The number.
        plus: i32,
    },
}

/// `left − right ≤ bound`, or `<`; a side that is `None` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// A clock.
    pub left: Option<u32>,
    /// A clock.
    pub right: Option<u32>,
    /// The largest difference.
    pub bound: i64,
    /// Whether the bound itself is excluded.
    pub strict: bool,
}

impl Constraint {
    /// `clock ≤ bound`
    pub const fn at_most(clock: u32, bound: i64) -> Self {
        Constraint {
            left: Some(clock),
            right: None,
            bound,
            strict: false,
        }
    }

    /// `clock ≥ bound`. Requires: `bound > i64::MIN`.
    pub const fn at_least(clock: u32, bound: i64) -> Self {
        Constraint {
            left: None,
            right: Some(clock),
            bound: -bound,
            strict: false,
        }
    }

    /// `left − right ≤ bound`
    pub const fn difference(left: u32, right: u32, bound: i64) -> Self {
        Constraint {
            left: Some(left),
            right: Some(right),
            bound,
            strict: false,
        }
    }

    /// The limit without the bound itself.
    #[must_use]
    pub const fn strictly(self) -> Self {
        Constraint { strict: true, ..self }
    }
}
