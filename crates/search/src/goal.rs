//! Goals of searches.

/// A state that satisfies a predicate, a deadlock (a state without successors), or either.
pub struct Goal<'a, S> {
    pub(crate) test: Option<&'a mut dyn FnMut(&S) -> bool>,
    pub(crate) when_expanded: bool,
    pub(crate) deadlock: bool,
}

impl<'a, S> Goal<'a, S> {
    /// No goal: the search visits all it can.
    pub fn none() -> Self {
        Goal {
            test: None,
            when_expanded: false,
            deadlock: false,
        }
    }

    /// A state that passes the test. It is tested as soon as it is generated, before it is looked up in the store, so
    /// every state that occurs is seen, covered or not.
    pub fn state(test: &'a mut dyn FnMut(&S) -> bool) -> Self {
        Goal {
            test: Some(test),
            when_expanded: false,
            deadlock: false,
        }
    }

    /// A state that passes the test, tested when the engine takes it from the frontier: with a best-first frontier
    /// the first one found is then a best one.
    pub fn when_expanded(test: &'a mut dyn FnMut(&S) -> bool) -> Self {
        Goal {
            test: Some(test),
            when_expanded: true,
            deadlock: false,
        }
    }

    /// A state without successors. Requires a store by equality: a deadlock may be included in a state that is not one.
    pub fn deadlock() -> Self {
        Goal {
            test: None,
            when_expanded: false,
            deadlock: true,
        }
    }

    /// This goal, or else a state without successors.
    #[must_use]
    pub fn or_deadlock(self) -> Self {
        Goal {
            deadlock: true,
            ..self
        }
    }

    #[inline]
    pub(crate) fn holds(&mut self, state: &S) -> bool {
        self.test.as_mut().is_some_and(|test| test(state))
    }
}
