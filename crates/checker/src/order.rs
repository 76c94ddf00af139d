//! The searches of states over any transition system: which algorithm an order is, written once for zone graphs and
//! explicit systems.

use crate::options::{Options, TraceKind};
use zonewalk_search::drs::{Parameters, deep_random_search};
use zonewalk_search::highway::{Choice, Highway, highway_search, random_search};
use zonewalk_search::{
    Breadth, Depth, DepthStore, Frontier, Goal, Limits, RandomDepth, Report, Statistics, Store,
    TransitionSystem, Worker, search, search_by_depth,
};
use zonewalk_searches::Search;

/// The order in which a search of states visits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Closest to the initial state first.
    Breadth,
    /// Deepest first.
    Depth,
    /// Deepest first, and the successors of a state in random order.
    RandomDepth,
    /// States that look closest to the goal first.
    Greedy,
    /// The least sum of steps and estimate first.
    AStar,
    /// Deep random search.
    DeepRandom,
    /// Highway search.
    Highway,
    /// Random search.
    Random,
}

impl Order {
    /// The search that visits states in this order.
    pub(crate) fn search(self) -> Search {
        match self {
            Order::Breadth => Search::Bfs,
            Order::Depth => Search::Dfs,
            Order::RandomDepth => Search::Rdfs,
            Order::Greedy => Search::Greedy,
            Order::AStar => Search::Astar,
            Order::DeepRandom => Search::Drs,
            Order::Highway => Search::Highway,
            Order::Random => Search::Random,
        }
    }

    /// The name of that search.
    pub(crate) fn name(self) -> &'static str {
        self.search().name()
    }

    /// Whether it is an order over everything that waits. The others are about the shape of the graph, so they see the
    /// graph as it is and are not repeated for better traces.
    pub(crate) fn is_of_all(self) -> bool {
        match self {
            Order::Breadth | Order::Depth | Order::RandomDepth | Order::Greedy | Order::AStar => true,
            Order::DeepRandom | Order::Highway | Order::Random => false,
        }
    }

    /// The order of a search that is led by estimates.
    pub(crate) fn directed(self) -> Option<zonewalk_heuristics::Order> {
        match self {
            Order::Greedy => Some(zonewalk_heuristics::Order::Greedy),
            Order::AStar => Some(zonewalk_heuristics::Order::AStar),
            _ => None,
        }
    }

    /// Whether limits count the states that it visits, because it does not keep them in store.
    pub(crate) fn counts_visits(self) -> bool {
        match self {
            Order::Highway | Order::Random => true,
            Order::Breadth
            | Order::Depth
            | Order::RandomDepth
            | Order::Greedy
            | Order::AStar
            | Order::DeepRandom => false,
        }
    }
}

/// Makes empty stores for the states of a system.
pub(crate) trait Stores {
    /// A state to work with.
    type State;
    /// Known states, covered as the user wants it.
    type Visited: Store<State = Self::State>;
    /// A store in which a state is covered only by those that are no deeper.
    type Nodes: DepthStore<State = Self::State>;
    /// Known states by equality.
    type Equal: Store<State = Self::State>;

    fn visited(&self) -> Self::Visited;
    fn nodes(&self) -> Self::Nodes;
    fn equal(&self) -> Self::Equal;

    /// Takes the states of a search that is over.
    fn keep(&self, _visited: Self::Visited) {}

    /// Takes the states of a search that is over.
    fn keep_nodes(&self, _nodes: Self::Nodes) {}

    /// Whether states are covered by inclusion, so that a shortest path needs [`nodes`](Stores::nodes).
    fn includes(&self) -> bool;
}

/// Visits the states of a system in the given order.
pub(crate) fn search_in_order<T, S>(
    worker: &mut Worker<'_, T>,
    stores: &S,
    goal: Goal<'_, T::State>,
    order: Order,
    options: &Options,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Stores<State = T::State>,
{
    let seed = options.seed;
    match order {
        Order::Breadth if options.trace.kind == TraceKind::Shortest && stores.includes() => {
            let mut nodes = stores.nodes();
            let report = search_by_depth(worker, &mut nodes, &mut Breadth::new(), goal, limits);
            stores.keep_nodes(nodes);
            report
        }
        // Without a goal that estimates could be about, the search is led by nothing.
        Order::Breadth | Order::Greedy | Order::AStar => {
            search_all(worker, stores, &mut Breadth::new(), goal, limits)
        }
        Order::Depth => search_all(worker, stores, &mut Depth::new(), goal, limits),
        Order::RandomDepth => search_all(worker, stores, &mut RandomDepth::new(seed), goal, limits),
        Order::DeepRandom => {
            let parameters = Parameters { seed, ..options.drs };
            let report = deep_random_search(worker, || stores.nodes(), goal, &parameters, limits);
            Report {
                outcome: report.outcome,
                fault: report.fault,
                statistics: Statistics {
                    states_stored: report.generated,
                    ..report.statistics
                },
            }
        }
        // The sets of Definitions 3 and 5 are of states: what is included in a visited state is not visited.
        Order::Highway => highway_search(worker, || stores.equal(), goal, &highway(options), limits),
        Order::Random => random_search(worker, &mut stores.equal(), goal, seed, limits),
    }
}

/// Searches with one store of visited states, which is kept afterwards.
fn search_all<T, S>(
    worker: &mut Worker<'_, T>,
    stores: &S,
    frontier: &mut impl Frontier,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Stores<State = T::State>,
{
    let mut visited = stores.visited();
    let report = search(worker, &mut visited, frontier, goal, limits);
    stores.keep(visited);
    report
}

/// The parameters of highway search.
fn highway(options: &Options) -> Highway {
    Highway {
        width: options.highway.width,
        choice: if options.highway.is_exact {
            Choice::Exact
        } else {
            Choice::Approximate
        },
        seed: options.seed,
    }
}
