//! Bugs that tests sow into the engine, to see that the judge of proofs finds them. Without the feature `sown` there are none.

/// A bug, each of a kind that engines have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// A state is covered by one that it includes.
    Covering,
    /// A clock that is set to another one and a number gets the other's value alone.
    Offset,
    /// The instant at which an urgent synchronisation stops time is left out.
    StopInstant,
    /// A transition is blocked by one of higher priority that does not exist.
    Blocking,
    /// No time passes where there is an invariant.
    Delay,
    /// A variable that the goal reads is forgotten.
    Liveness,
    /// A zone that does not fit into the words of the store is taken for the empty one.
    Packing,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 7] = [
        Bug::Covering,
        Bug::Offset,
        Bug::StopInstant,
        Bug::Blocking,
        Bug::Delay,
        Bug::Liveness,
        Bug::Packing,
    ];

    #[cfg(not(feature = "sown"))]
    pub(crate) const fn is_sown(self) -> bool {
        false
    }

    #[cfg(feature = "sown")]
    pub(crate) fn is_sown(self) -> bool {
        SOWN.get() == Some(self)
    }
}

#[cfg(feature = "sown")]
thread_local! {
    static SOWN: std::cell::Cell<Option<Bug>> = const { std::cell::Cell::new(None) };
}

/// From now on what this thread computes has this bug, or none.
#[cfg(feature = "sown")]
pub fn sow(bug: Option<Bug>) {
    SOWN.set(bug);
}
