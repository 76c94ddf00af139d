//! The searches by name, and what each of them decides.

use crate::visit::Order;
use std::fmt;
use std::str::FromStr;
use zonewalk_model::tree::QueryKind;
use zonewalk_walk::choose::Heuristic;

/// A search that this version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Whatever suits: walks and an exhaustive search beside each other.
    Auto,
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Depth first, and the successors of a state in random order.
    Rdfs,
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
    /// Walks by the stochastic semantics.
    Smc,
}

/// Who makes a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// All of them, beside each other.
    Portfolio,
    /// Random walks.
    Walks(Heuristic),
    /// A search of states.
    States(Order),
}

/// The heuristics in the order in which `auto` tries them: what the paper found most reliable comes first.
pub(crate) const ROTATION: [Heuristic; 4] = [Heuristic::Ret, Heuristic::Rlc, Heuristic::RlcA, Heuristic::Sem];

/// Every heuristic: those of `auto`, and those that have to be asked for.
pub(crate) const HEURISTICS: [Heuristic; 5] =
    [ROTATION[0], ROTATION[1], ROTATION[2], ROTATION[3], Heuristic::Smc];

/// Searches to come, by name.
const TO_COME: [&str; 2] = ["greedy", "astar"];

/// A name that stands for no search of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It will be there one day.
    NotYet(&'static str),
    /// Nobody ever promised it.
    Unknown,
}

impl Search {
    /// Those of this version.
    pub const ALL: [Search; 12] = [
        Search::Auto,
        Search::Bfs,
        Search::Dfs,
        Search::Rdfs,
        Search::Drs,
        Search::Highway,
        Search::Random,
        Search::Sem,
        Search::Ret,
        Search::Rlc,
        Search::RlcA,
        Search::Smc,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Search::Auto => "auto",
            Search::Bfs => "bfs",
            Search::Dfs => "dfs",
            Search::Rdfs => "rdfs",
            Search::Drs => "drs",
            Search::Highway => "highway",
            Search::Random => "random",
            Search::Sem => "sem",
            Search::Ret => "ret",
            Search::Rlc => "rlc",
            Search::RlcA => "rlc-a",
            Search::Smc => "smc",
        }
    }

    /// Who makes it.
    pub(crate) fn engine(self) -> Engine {
        match self {
            Search::Auto => Engine::Portfolio,
            Search::Bfs => Engine::States(Order::Breadth),
            Search::Dfs => Engine::States(Order::Depth),
            Search::Rdfs => Engine::States(Order::RandomDepth),
            Search::Drs => Engine::States(Order::DeepRandom),
            Search::Highway => Engine::States(Order::Highway),
            Search::Random => Engine::States(Order::Random),
            Search::Sem => Engine::Walks(Heuristic::Sem),
            Search::Ret => Engine::Walks(Heuristic::Ret),
            Search::Rlc => Engine::Walks(Heuristic::Rlc),
            Search::RlcA => Engine::Walks(Heuristic::RlcA),
            Search::Smc => Engine::Walks(Heuristic::Smc),
        }
    }

    /// The order in which it visits states where there is nothing but states; `None` for walks, which need time. A shortest
    /// path costs `auto` no more than any other then.
    pub(crate) fn order(self) -> Option<Order> {
        match self.engine() {
            Engine::Portfolio => Some(Order::Breadth),
            Engine::States(order) => Some(order),
            Engine::Walks(_) => None,
        }
    }

    /// Whether it walks through concrete states.
    pub fn walks(self) -> bool {
        matches!(self.engine(), Engine::Walks(_))
    }

    /// Whether it is one of the walks that FMICS 2021 describes, so that a schedule is for it.
    pub fn is_of_fmics(self) -> bool {
        self.walks() && self != Search::Smc
    }

    /// Whether it can decide such a query, at least in one direction.
    pub fn decides(self, kind: &QueryKind) -> bool {
        deciders(kind).contains(&self.name())
    }
}

/// The searches that can decide such a query.
pub fn deciders(kind: &QueryKind) -> &'static [&'static str] {
    match kind {
        QueryKind::Reachable(_) | QueryKind::Invariant(_) => &[
            "auto", "bfs", "dfs", "rdfs", "drs", "highway", "random", "sem", "ret", "rlc", "rlc-a", "smc",
        ],
        QueryKind::Other(_) => &[],
        _ => &["auto", "bfs", "dfs", "rdfs"],
    }
}

pub(crate) fn heuristic_name(heuristic: Heuristic) -> &'static str {
    let search = match heuristic {
        Heuristic::Sem => Search::Sem,
        Heuristic::Ret => Search::Ret,
        Heuristic::Rlc => Search::Rlc,
        Heuristic::RlcA => Search::RlcA,
        Heuristic::Smc => Search::Smc,
    };
    search.name()
}

impl FromStr for Search {
    type Err = Unavailable;

    fn from_str(name: &str) -> Result<Self, Unavailable> {
        if let Some(search) = Search::ALL.into_iter().find(|search| search.name() == name) {
            return Ok(search);
        }
        let to_come = TO_COME.into_iter().find(|known| *known == name);
        Err(to_come.map_or(Unavailable::Unknown, Unavailable::NotYet))
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::NotYet(name) => write!(f, "{name} is not available yet; this version has ")?,
            Unavailable::Unknown => f.write_str("the searches are ")?,
        }
        let names: Vec<_> = Search::ALL.iter().map(|search| search.name()).collect();
        f.write_str(&names.join(", "))
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
        assert_eq!("astar".parse::<Search>(), Err(Unavailable::NotYet("astar")));
        assert_eq!("frob".parse::<Search>(), Err(Unavailable::Unknown));
        let message = "greedy".parse::<Search>().map_err(|e| e.to_string());
        assert!(message.is_err_and(|m| m.starts_with("greedy is not available yet")));
    }
}
