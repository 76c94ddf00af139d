//! Estimates of the distance to a goal, by name.

use crate::Search;
use crate::named::{NoSuchName, find};
use std::str::FromStr;

/// An estimate that leads a directed search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// Constant estimate: every state looks equally far.
    Blind,
    /// Distance of the farthest process, each in its own graph.
    Dl,
    /// Sum of the processes' distances, each in its own graph.
    Du,
    /// Sum over groups of processes that move together of the farthest process's distance.
    Dg,
    /// Layers of the monotonicity abstraction.
    Hl,
    /// Transitions of a trace of the monotonicity abstraction.
    Hu,
    /// Distances in projections.
    Pdb,
}

impl Estimator {
    /// All of them.
    pub const ALL: [Estimator; 7] = [
        Estimator::Blind,
        Estimator::Dl,
        Estimator::Du,
        Estimator::Dg,
        Estimator::Hl,
        Estimator::Hu,
        Estimator::Pdb,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Estimator::Blind => "blind",
            Estimator::Dl => "dl",
            Estimator::Du => "du",
            Estimator::Dg => "dg",
            Estimator::Hl => "hl",
            Estimator::Hu => "hu",
            Estimator::Pdb => "pdb",
        }
    }

    /// Whether it is never larger than the number of steps that it takes: A* then finds shortest traces.
    pub fn is_admissible(self) -> bool {
        match self {
            Estimator::Blind | Estimator::Dl | Estimator::Dg | Estimator::Hl | Estimator::Pdb => true,
            Estimator::Du | Estimator::Hu => false,
        }
    }

    /// Estimator that replaces databases too large to build: the one with the same kind of bound.
    pub fn without_databases(search: Search) -> Estimator {
        match search {
            Search::Astar => Estimator::Hl,
            _ => Estimator::Hu,
        }
    }

    /// Default estimator of a search: admissible for A*, whose traces are shortest; informative for greedy search, which looks
    /// for errors.
    pub fn default_for(search: Search) -> Estimator {
        match search {
            Search::Astar => Estimator::Hl,
            _ => Estimator::Hu,
        }
    }
}

impl FromStr for Estimator {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        find(&Estimator::ALL, Estimator::name, name, "estimates")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for estimator in Estimator::ALL {
            assert_eq!(estimator.name().parse(), Ok(estimator));
        }
        let told = |name: &str| name.parse::<Estimator>().map_err(|e| e.to_string());
        let list = "the estimates are blind, dl, du, dg, hl, hu, pdb";
        assert_eq!(told("h"), Err(list.to_owned()));
        assert!(Estimator::default_for(Search::Astar).is_admissible());
    }
}
