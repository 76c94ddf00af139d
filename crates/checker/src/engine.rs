//! Which engine makes each search of the table.

use crate::order::Order;
use zonewalk_searches::Search;
use zonewalk_walk::choose::Heuristic;

/// Engine of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// All of them, in parallel.
    Portfolio,
    /// Random walks.
    Walks(Heuristic),
    /// A search of states.
    States(Order),
}

/// The heuristics in the order in which `auto` tries them: what the paper found most reliable comes first.
pub(crate) const ROTATION: [Heuristic; 4] = [Heuristic::Ret, Heuristic::Rlc, Heuristic::RlcA, Heuristic::Sem];

/// Every heuristic: those of `auto`, and those that have to be asked for.
pub(crate) const HEURISTICS: [Heuristic; 7] = [
    ROTATION[0],
    ROTATION[1],
    ROTATION[2],
    ROTATION[3],
    Heuristic::Smc,
    Heuristic::Com,
    Heuristic::Guided,
];

impl Engine {
    /// The engine of this search.
    pub(crate) fn of(search: Search) -> Engine {
        match search {
            Search::Auto => Engine::Portfolio,
            Search::Bfs => Engine::States(Order::Breadth),
            Search::Dfs => Engine::States(Order::Depth),
            Search::Rdfs => Engine::States(Order::RandomDepth),
            Search::Greedy => Engine::States(Order::Greedy),
            Search::Astar => Engine::States(Order::AStar),
            Search::Drs => Engine::States(Order::DeepRandom),
            Search::Highway => Engine::States(Order::Highway),
            Search::Random => Engine::States(Order::Random),
            Search::Sem => Engine::Walks(Heuristic::Sem),
            Search::Ret => Engine::Walks(Heuristic::Ret),
            Search::Rlc => Engine::Walks(Heuristic::Rlc),
            Search::RlcA => Engine::Walks(Heuristic::RlcA),
            Search::Smc => Engine::Walks(Heuristic::Smc),
            Search::Com => Engine::Walks(Heuristic::Com),
            Search::Guided => Engine::Walks(Heuristic::Guided),
        }
    }

    /// The order in which it visits states where there is nothing but states; `None` for walks, which need time, and for searches
    /// that are led by estimates, which need a model. A shortest path costs `auto` no more than any other then.
    pub(crate) fn order(self) -> Option<Order> {
        match self {
            Engine::Portfolio => Some(Order::Breadth),
            Engine::States(order) => Some(order).filter(|order| order.directed().is_none()),
            Engine::Walks(_) => None,
        }
    }
}

/// Whether the walks of a search depend on their numbers alone, so that a range of them can be made anywhere: RLC-A counts what earlier
/// walks took, guided walks begin where earlier ones came close, and `auto` gives turns by what earlier ones brought.
pub fn has_independent_walks(search: Search) -> bool {
    match Engine::of(search) {
        Engine::Walks(Heuristic::Sem | Heuristic::Ret | Heuristic::Rlc | Heuristic::Com | Heuristic::Smc) => {
            true
        }
        Engine::Walks(Heuristic::RlcA | Heuristic::Guided) | Engine::Portfolio | Engine::States(_) => false,
    }
}

pub(crate) fn heuristic_name(heuristic: Heuristic) -> &'static str {
    let search = match heuristic {
        Heuristic::Sem => Search::Sem,
        Heuristic::Ret => Search::Ret,
        Heuristic::Rlc => Search::Rlc,
        Heuristic::RlcA => Search::RlcA,
        Heuristic::Smc => Search::Smc,
        Heuristic::Com => Search::Com,
        Heuristic::Guided => Search::Guided,
    };
    search.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table and the engines call the same things by the same names.
    #[test]
    fn engines_are_those_of_the_table() {
        for search in Search::ALL {
            match Engine::of(search) {
                Engine::Portfolio => assert_eq!(search.info().family, None),
                Engine::Walks(heuristic) => {
                    assert!(search.walks());
                    assert_eq!(heuristic_name(heuristic), search.name());
                    assert!(HEURISTICS.contains(&heuristic));
                }
                Engine::States(order) => {
                    assert!(!search.walks());
                    assert_eq!(order.search(), search);
                }
            }
            assert_eq!(
                Engine::of(search).order().is_some(),
                search.info().is_for_explicit
            );
        }
    }
}
