//! The table of searches: what each is called, what it decides, what it needs, and which options it supports.
//!
//! Arguments, help, `info`, the facade and the tests of the documents read it; nothing of it is written down a second time.
//! [`Search::info`] matches every search, so a new one does not compile before it has its row.
//!
//! Invariant: it says what searches can do and knows none of the engines that do it.

mod estimate;
mod family;
mod named;
mod option;
mod question;
mod queueing;
mod table;

pub use estimate::Estimator;
pub use family::Family;
pub use named::NoSuchName;
pub use option::SearchOption;
pub use question::{Extent, Question};
pub use queueing::{Queueing, Switching};
pub use table::{Info, Planned, Purpose};

use std::fmt;
use std::str::FromStr;
use zonewalk_model::tree::QueryKind;

/// Declares the searches and lists them, so that none can be left out of the list.
macro_rules! searches {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A search that this version has.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Search {
            $($(#[$doc])* $name,)*
        }

        impl Search {
            /// All of them, in the order in which they are listed.
            pub const ALL: [Search; [$(Search::$name),*].len()] = [$(Search::$name),*];
        }
    };
}

searches! {
    /// Whatever suits: walks and an exhaustive search in parallel.
    Auto,
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Depth first, and the successors of a state in random order.
    Rdfs,
    /// Expands the state that looks closest to the goal first.
    Greedy,
    /// The least sum of steps and estimate first.
    Astar,
    /// Deep random search.
    Drs,
    /// Highway search.
    Highway,
    /// Random search.
    Random,
    /// Walks that draw a delay first.
    Sem,
    /// Walks that draw a transition first.
    Ret,
    /// Walks that take what they have taken least.
    Rlc,
    /// Walks that take what all walks have taken least.
    RlcA,
    /// Walks in which every process keeps to what it has drawn.
    Com,
    /// Walks that begin where others came close to the goal.
    Guided,
    /// Walks by the stochastic semantics.
    Smc,
}

impl Search {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether it walks through concrete states.
    pub fn walks(self) -> bool {
        matches!(self.info().family, Some(Family::Walks | Family::Statistical))
    }

    /// Whether it is one of the walks that FMICS 2021 describes, so that a schedule is for it.
    pub fn is_of_fmics(self) -> bool {
        matches!(self, Search::Sem | Search::Ret | Search::Rlc | Search::RlcA)
    }

    /// Whether it can decide such a query, at least in one direction.
    pub fn decides(self, kind: &QueryKind) -> bool {
        // Statistical queries are decided by sampling, whatever the search.
        matches!(kind, QueryKind::Statistical(_))
            || Question::of(kind).is_some_and(|question| self.info().extent(question) != Extent::Nothing)
    }

    /// Whether an option changes anything about how it decides such a question.
    pub fn supports(self, option: SearchOption, question: Question) -> bool {
        let supported = self.info().options.iter();
        supported
            .into_iter()
            .any(|(supported, when)| *supported == option && when.contains(&question))
    }

    /// The searches of which something holds, in the order of [`ALL`](Search::ALL).
    pub fn that(holds: impl Fn(Search) -> bool) -> Vec<Search> {
        Search::ALL.into_iter().filter(|search| holds(*search)).collect()
    }
}

/// The names of the searches that can decide such a query, at least in one direction.
pub fn deciders(kind: &QueryKind) -> Vec<&'static str> {
    let deciding = Search::that(|search| search.decides(kind));
    deciding.into_iter().map(Search::name).collect()
}

/// Names as a sentence has them: `bfs, dfs and rdfs`.
pub fn listed(searches: &[Search], last: &str) -> String {
    match searches {
        [] => String::new(),
        [only] => only.name().to_owned(),
        [first @ .., end] => {
            let first: Vec<_> = first.iter().map(|search| search.name()).collect();
            format!("{} {last} {}", first.join(", "), end.name())
        }
    }
}

/// A name that stands for no search of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It will be there one day.
    NotYet(&'static str),
    /// It was never announced.
    Unknown,
}

impl FromStr for Search {
    type Err = Unavailable;

    fn from_str(name: &str) -> Result<Self, Unavailable> {
        if let Some(search) = Search::ALL.into_iter().find(|search| search.name() == name) {
            return Ok(search);
        }
        let planned = Planned::ALL.iter().find(|planned| planned.name == name);
        Err(planned.map_or(Unavailable::Unknown, |planned| Unavailable::NotYet(planned.name)))
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::NotYet(name) => write!(f, "{name} is not available yet; this version has ")?,
            Unavailable::Unknown => f.write_str("the searches are ")?,
        }
        f.write_str(&Search::ALL.map(Search::name).join(", "))
    }
}

impl std::error::Error for Unavailable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for search in Search::ALL {
            assert_eq!(search.name().parse(), Ok(search));
        }
        for planned in Planned::ALL {
            assert_eq!(
                planned.name.parse::<Search>(),
                Err(Unavailable::NotYet(planned.name))
            );
        }
        assert_eq!("frob".parse::<Search>(), Err(Unavailable::Unknown));
    }

    #[test]
    fn sentences() {
        let explicit = Search::that(|search| search.info().is_for_explicit);
        assert_eq!(
            listed(&explicit, "and"),
            "auto, bfs, dfs, rdfs, drs, highway and random"
        );
        assert_eq!(listed(&[Search::Smc], "or"), "smc");
    }
}
