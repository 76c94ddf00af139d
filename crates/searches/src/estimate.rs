//! Estimates of the distance to a goal, by name.

use crate::Search;
use crate::named::{NoSuchName, find};
use std::str::FromStr;

/// An estimate that leads a directed search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// Nothing is known.
    Blind,
    /// The farthest process, in its own graph.
    Dl,
    /// The same, added up.
    Du,
    /// The farthest process of each group that moves together, added up.
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

    /// What leads a search in place of databases that are too large: the same kind of bound.
    pub fn without_databases(search: Search) -> Estimator {
        match search {
            Search::Astar => Estimator::Hl,
            _ => Estimator::Hu,
        }
    }

    /// What a search takes if nothing else is said: A* is for shortest traces, greedy search for errors.
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
