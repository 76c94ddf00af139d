//! The end of a search, whichever engine made it: the first of three steps from a search to its result.
//!
//! A [`SearchEnd`] becomes an [`Outcome`](crate::Outcome) once what was found is replayed, and that becomes a `QueryResult` of the
//! report.

use crate::control::Control;
use crate::outcome::Limit;
use zonewalk_search as search;

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd<F> {
    /// It found the goal.
    Found(F),
    /// It visited every reachable state, and none is the goal.
    Exhausted,
    /// There is no initial state.
    NoInitialState,
    /// It ended early.
    Stopped(Limit),
}

impl<F> SearchEnd<F> {
    /// Whether the search settles the question.
    pub(crate) fn has_answer(&self) -> bool {
        !matches!(self, SearchEnd::Stopped(_))
    }
}

impl SearchEnd<Vec<u32>> {
    /// The end of a search of states, which finds paths.
    pub(crate) fn of_states<S>(outcome: search::Outcome<S>, control: &Control) -> Self {
        match outcome {
            search::Outcome::Found { path, .. } => SearchEnd::Found(path),
            search::Outcome::Exhausted => SearchEnd::Exhausted,
            search::Outcome::LimitReached(limit) => SearchEnd::Stopped(Limit::of_states(limit, control)),
        }
    }
}

impl Limit {
    /// The limit of a search of states that was stopped.
    pub(crate) fn of_states(limit: search::Limit, control: &Control) -> Limit {
        match limit {
            search::Limit::Memory => Limit::Memory,
            search::Limit::States => Limit::States,
            search::Limit::Depth => Limit::Depth,
            search::Limit::LeftOut => Limit::Incomplete,
            search::Limit::Stopped if control.is_interrupted() => Limit::Cancelled,
            search::Limit::Stopped | search::Limit::Fault => Limit::Time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_has_left_states_out_proves_nothing() {
        let control = Control::default();
        let end = |outcome| SearchEnd::of_states::<()>(outcome, &control);
        let left_out = end(search::Outcome::LimitReached(search::Limit::LeftOut));
        assert_eq!(left_out, SearchEnd::Stopped(Limit::Incomplete));
        assert!(!left_out.has_answer());
        assert_eq!(end(search::Outcome::Exhausted), SearchEnd::Exhausted);
    }
}
