//! Options that are for some searches only.

use crate::{Question, Search};

/// An option of the command line that not every search supports. Those that bound time, memory and threads are for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOption {
    /// Which delays walks choose.
    Delays,
    /// Steps of a walk.
    MaxSteps,
    /// Number of walks.
    MaxWalks,
    /// Time of the model at which a walk ends.
    TimeBound,
    /// States to store or visit.
    MaxStates,
    /// Rule by which one state covers another.
    Store,
    /// How zones are made fewer.
    Extrapolation,
    /// States are told apart by variables that do not matter.
    KeepVariables,
    /// Estimator of a directed search.
    Estimates,
    /// Variables kept by pattern databases.
    Patterns,
    /// Which queue a state waits in.
    Queues,
    /// Definition of a context switch.
    Contexts,
    /// Depth of deep random search.
    Cutoff,
    /// Depth added in each round.
    Increment,
    /// Number of initial walks.
    Walks,
    /// States that the search returns to.
    Fringe,
    /// States of a level of highway search.
    Width,
    /// Highway search by its definition.
    Exact,
    /// Which runs without end count.
    NonZeno,
}

impl SearchOption {
    /// All of them.
    pub const ALL: [SearchOption; 19] = [
        SearchOption::Delays,
        SearchOption::MaxSteps,
        SearchOption::MaxWalks,
        SearchOption::TimeBound,
        SearchOption::MaxStates,
        SearchOption::Store,
        SearchOption::Extrapolation,
        SearchOption::KeepVariables,
        SearchOption::Estimates,
        SearchOption::Patterns,
        SearchOption::Queues,
        SearchOption::Contexts,
        SearchOption::Cutoff,
        SearchOption::Increment,
        SearchOption::Walks,
        SearchOption::Fringe,
        SearchOption::Width,
        SearchOption::Exact,
        SearchOption::NonZeno,
    ];

    /// Name shown to the user, without the leading hyphens.
    pub fn name(self) -> &'static str {
        match self {
            SearchOption::Delays => "delays",
            SearchOption::MaxSteps => "max-steps",
            SearchOption::MaxWalks => "max-walks",
            SearchOption::TimeBound => "time-bound",
            SearchOption::MaxStates => "max-states",
            SearchOption::Store => "store",
            SearchOption::Extrapolation => "extrapolation",
            SearchOption::KeepVariables => "keep-variables",
            SearchOption::Estimates => "heuristic",
            SearchOption::Patterns => "pattern",
            SearchOption::Queues => "queues",
            SearchOption::Contexts => "icb",
            SearchOption::Cutoff => "cutoff",
            SearchOption::Increment => "increment",
            SearchOption::Walks => "walks",
            SearchOption::Fringe => "fringe",
            SearchOption::Width => "width",
            SearchOption::Exact => "exact",
            SearchOption::NonZeno => "non-zeno",
        }
    }

    /// The searches that support it for some question.
    pub fn supported_by(self) -> Vec<Search> {
        Search::that(|search| {
            Question::ALL
                .iter()
                .any(|question| search.supports(self, *question))
        })
    }
}
