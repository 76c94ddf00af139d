//! Certificates of searches, and what the judge of proofs says of them.

use std::num::NonZeroUsize;
use zonewalk_certificate::{Certificate, Claim, Columns, Constraint, End, Header, Node};
use zonewalk_model::ids::ClockId;
use zonewalk_model::tree::{Expr, Query, QueryKind};
use zonewalk_network::refusals::Refusals;
use zonewalk_network::{NetworkBuilder, Predicate};
use zonewalk_reference::proof::{Judgement, Limits as JudgeLimits, judge};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Interpreter, State};
use zonewalk_search::{Breadth, Depth, Goal as SearchGoal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::certificate::{NoProof, NodeMaker, nodes_before, nodes_by_depth, ranked_nodes};
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::{ExtraClock, ZoneGraph};
use zonewalk_symbolic::lasso::{LassoOptions, LassoQuestion};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_testkit::generate::{Generated, network, network_of_differences};
use zonewalk_testkit::{Loaded, number, xta};

/// A way to explore all states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exploration {
    pub(crate) abstraction: Abstraction,
    pub(crate) covering: Covering,
    /// Whether variables that do not matter are forgotten.
    pub(crate) forgets: bool,
    /// Depth first, and not breadth first.
    pub(crate) is_deep: bool,
    /// Whether the goal does not end the search: then a certificate may claim what is not true.
    pub(crate) goes_on: bool,
    /// At most so many states are stored.
    pub(crate) most: usize,
}

/// Larger state spaces of random networks are not explored.
pub(crate) const STATES: usize = 400;

/// Each abstraction, store and order, with and without variables that do not matter.
pub(crate) const WAYS: [Exploration; 8] = {
    const fn way(abstraction: Abstraction, covering: Covering, forgets: bool, is_deep: bool) -> Exploration {
        Exploration {
            abstraction,
            covering,
            forgets,
            is_deep,
            goes_on: false,
            most: STATES,
        }
    }
    [
        way(Abstraction::LuPlus, Covering::Inclusion, true, false),
        way(Abstraction::M, Covering::Inclusion, false, true),
        way(Abstraction::Lu, Covering::Equality, true, false),
        way(Abstraction::None, Covering::Inclusion, false, false),
        way(Abstraction::LuPlus, Covering::Kept, false, true),
        way(Abstraction::M, Covering::Equality, true, true),
        way(Abstraction::None, Covering::Equality, true, true),
        way(Abstraction::Lu, Covering::Inclusion, false, true),
    ]
};

/// Random networks, every fourth with differences of clocks: as many as `ZONEWALK_PROOFS` says.
pub(crate) fn networks(unless_told: u64) -> impl Iterator<Item = (u64, Generated, Loaded)> {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    let count: u64 = number("ZONEWALK_PROOFS").unwrap_or(unless_told);
    (first..first + count).map(|seed| {
        let generated = if seed % 4 == 0 {
            network_of_differences(seed)
        } else {
            network(seed)
        };
        let loaded = xta(&generated.text);
        (seed, generated, loaded)
    })
}

/// Result of a search.
#[derive(Debug)]
pub(crate) enum Shown {
    /// The state that decides the query by a run is reachable.
    Reached,
    /// All states were explored, and none is.
    Proved(Certificate),
    /// Too many states, or a run-time error.
    Nothing,
}

/// Explores the states of a model with a query `E<>` or `A[]`; `None` for others, and for what cannot be compiled.
pub(crate) fn explore(loaded: &Loaded, query: &Query, way: Exploration) -> Option<Shown> {
    let (expr, sought) = match &query.kind {
        QueryKind::Reachable(expr) => (expr, true),
        QueryKind::Invariant(expr) => (expr, false),
        _ => return None,
    };
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).ok()?;
    let predicate = builder.predicate(query.slots, expr).ok()?;
    let network = builder.finish();
    let plan = ZonePlan::new(&network).ok()?;
    let goal = ZoneGoal::new(&network, &predicate, sought);
    // A search for deadlocks begins with bounds that do not say what is refused, and most proofs come from there.
    let bounds = if way.covering == Covering::Inclusion {
        network.bounds_with(&[&predicate], &[], &Refusals::nowhere(&network))
    } else {
        network.bounds_for(&[&predicate])
    };
    let graph = ZoneGraph::new(&plan, bounds, &[], way.abstraction, &[&goal]);
    let mut explorer: Explorer<'_, i64> = Explorer::from(if way.forgets {
        graph.forgetting(&[&goal], &[])
    } else {
        graph
    });
    let mut tester = explorer.another();
    let mut has_failed = false;
    let mut test = |state: &ZoneState<i64>| {
        let is_met = tester.meets(&goal, state).unwrap_or_else(|_| {
            has_failed = true;
            true
        });
        is_met && !way.goes_on
    };
    let mut store = ZoneStore::new(&network, way.covering);
    let (worker, goal, limits) = (
        &mut explorer.worker(),
        SearchGoal::state(&mut test),
        limits(way.most),
    );
    let report = if way.is_deep {
        search(worker, &mut store, &mut Depth::new(), goal, &limits)
    } else {
        search(worker, &mut store, &mut Breadth::new(), goal, &limits)
    };
    let is_certain = report.fault.is_none() && !has_failed;
    Some(match report.outcome {
        Outcome::Found { .. } if is_certain => Shown::Reached,
        Outcome::Exhausted if is_certain => {
            let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
            let nodes = NodeMaker::new(explorer.graph(), &columns, &loaded.system.initial).nodes(&store);
            Shown::Proved(certificate(Claim::Unreachable, nodes))
        }
        _ => Shown::Nothing,
    })
}

pub(crate) fn certificate(claim: Claim, nodes: Vec<Node>) -> Certificate {
    Certificate {
        header: Header::default(),
        claim,
        nodes,
    }
}

fn limits(most: usize) -> Limits<'static> {
    Limits {
        stored: Some(most),
        explored: Some(most as u64),
        ..Limits::default()
    }
}

/// Shows that a goal must be reached, for queries `A<>`, `-->` and `E[]`; `None` for others, and for what cannot be compiled.
pub(crate) fn explore_ranked(loaded: &Loaded, query: &Query, most: usize) -> Option<Shown> {
    let exprs: Vec<&Expr> = match &query.kind {
        QueryKind::Inevitable(goal) | QueryKind::PotentiallyAlways(goal) => vec![goal],
        QueryKind::LeadsTo(from, to) => vec![from, to],
        _ => return None,
    };
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).ok()?;
    let predicates = exprs
        .into_iter()
        .map(|expr| builder.predicate(query.slots, expr).ok());
    let predicates: Vec<Predicate> = predicates.collect::<Option<_>>()?;
    let network = builder.finish();
    let plan = ZonePlan::new(&network).ok()?;
    let question = match (&query.kind, &predicates[..]) {
        (QueryKind::PotentiallyAlways(_), [goal]) => LassoQuestion::always(&network, goal),
        (_, [goal]) => LassoQuestion::inevitable(&network, goal),
        (_, [from, to]) => LassoQuestion::leads_to(&network, from, to),
        _ => return None,
    };
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let options = LassoOptions {
        limits: limits(most),
        ..LassoOptions::default()
    };
    let nodes = ranked_nodes(&plan, &question, &options, &columns, &loaded.system.initial);
    Some(shown(Claim::Inevitable, nodes))
}

fn shown(claim: Claim, nodes: Result<Vec<Node>, NoProof>) -> Shown {
    match nodes {
        Ok(nodes) => Shown::Proved(certificate(claim, nodes)),
        Err(NoProof::Witness) => Shown::Reached,
        Err(_) => Shown::Nothing,
    }
}

/// Shows that a goal is not reached by few transitions, or not early, for queries `E<>` and `A[]`.
pub(crate) fn explore_within(
    loaded: &Loaded,
    query: &Query,
    claim: Claim,
    way: Exploration,
) -> Option<Shown> {
    let (expr, sought) = match &query.kind {
        QueryKind::Reachable(expr) => (expr, true),
        QueryKind::Invariant(expr) => (expr, false),
        _ => return None,
    };
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).ok()?;
    let predicate = builder.predicate(query.slots, expr).ok()?;
    let network = builder.finish();
    let plan = ZonePlan::new(&network).ok()?;
    let goal = ZoneGoal::new(&network, &predicate, sought);
    let bounds = network.bounds_for(&[&predicate]);
    let time = |end: End| ExtraClock {
        lower: None,
        upper: Some(end.at as i32),
    };
    let extra = match claim {
        Claim::Time(end) => vec![time(end)],
        _ => Vec::new(),
    };
    let graph = ZoneGraph::new(&plan, bounds, &extra, way.abstraction, &[&goal]);
    let mut explorer: Explorer<'_, i64> = Explorer::from(if way.forgets {
        graph.forgetting(&[&goal], &[])
    } else {
        graph
    });
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let shape = (&columns, &loaded.system.initial);
    let nodes = match &claim {
        Claim::Steps(steps) => nodes_by_depth(&mut explorer, &goal, *steps, &limits(way.most), shape),
        Claim::Time(end) => nodes_before(&mut explorer, &goal, *end, &limits(way.most), shape),
        _ => return None,
    };
    Some(shown(claim, nodes))
}

/// The judgement of a certificate after it was written to a file and read again.
pub(crate) fn judged(loaded: &Loaded, query: &Query, certificate: &Certificate) -> Judgement {
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let text = certificate.to_text(&columns).unwrap();
    let read = Certificate::read(&text, &columns).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        read.nodes, certificate.nodes,
        "writing and reading is the identity"
    );
    let limits = JudgeLimits {
        threads: NonZeroUsize::MIN,
        ..JudgeLimits::default()
    };
    judge(&loaded.model, &loaded.system, Some(query), &read, &limits)
}

/// Whether a node stands for a state.
pub(crate) fn stands_for(node: &Node, state: &State, columns: &Columns) -> bool {
    let values = columns.values(&state.memory);
    let agrees = |(given, value): (&Option<i32>, &Option<i32>)| given.is_none() || given == value;
    let clock = |clock: Option<ClockId>| clock.map_or(Rational::ZERO, |clock| state.clocks[clock.index()]);
    let holds = |c: &Constraint| {
        let difference = clock(c.left).minus(clock(c.right)).unwrap();
        let bound = Rational::from(c.bound);
        difference < bound || difference == bound && !c.strict
    };
    node.locations == state.locations
        && node.values.iter().zip(&values).all(agrees)
        && node.constraints.iter().all(holds)
}

/// States of random runs in which time does not stand still: a certificate may leave out the others.
pub(crate) fn states_of_runs(loaded: &Loaded, runs: u64, steps: usize) -> Vec<State> {
    let Ok(interpreter) = Interpreter::new(&loaded.model, &loaded.system) else {
        return Vec::new();
    };
    let mut states = Vec::new();
    for seed in 0..runs {
        let Ok(mut run) = RandomRun::new(&interpreter, seed) else {
            return Vec::new();
        };
        for _ in 0..steps {
            let before = run.state().clone();
            let Ok(Some(taken)) = run.step() else {
                break;
            };
            states.extend(interpreter.delay(&before, taken.step.delay).ok());
            states.push(before);
        }
        states.push(run.state().clone());
    }
    let stops_time = |state: &State| {
        let places = state.locations.iter().zip(&loaded.system.processes);
        places.into_iter().any(|(location, process)| {
            let location = &loaded.model.templates[process.template.index()].locations[location.index()];
            location.committed || location.urgent
        })
    };
    states.retain(|state| !stops_time(state));
    states
}
