//! Certificates of searches, and what the judge of proofs says of them.

use std::num::NonZeroUsize;
use zonewalk_certificate::{Certificate, Claim, Columns, Header};
use zonewalk_model::tree::{Query, QueryKind};
use zonewalk_network::NetworkBuilder;
use zonewalk_reference::proof::{Judgement, Limits as JudgeLimits, judge};
use zonewalk_search::{Breadth, Goal as SearchGoal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::certificate::NodeMaker;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_testkit::Loaded;

/// A way to explore all states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exploration {
    pub(crate) abstraction: Abstraction,
    pub(crate) covering: Covering,
    /// Whether variables that do not matter are forgotten.
    pub(crate) forgets: bool,
    /// At most so many states are stored.
    pub(crate) most: usize,
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
    let bounds = network.bounds_for(&[&predicate]);
    let graph = ZoneGraph::new(&plan, bounds, &[], way.abstraction, &[&goal]);
    let mut explorer: Explorer<'_, i64> = Explorer::from(if way.forgets {
        graph.forgetting(&[&goal], &[])
    } else {
        graph
    });
    let mut tester = explorer.another();
    let mut has_failed = false;
    let mut test = |state: &ZoneState<i64>| {
        tester.meets(&goal, state).unwrap_or_else(|_| {
            has_failed = true;
            true
        })
    };
    let mut store = ZoneStore::new(&network, way.covering);
    let limits = Limits {
        stored: Some(way.most),
        explored: Some(way.most as u64),
        ..Limits::default()
    };
    let report = search(
        &mut explorer.worker(),
        &mut store,
        &mut Breadth::new(),
        SearchGoal::state(&mut test),
        &limits,
    );
    let is_certain = report.fault.is_none() && !has_failed;
    Some(match report.outcome {
        Outcome::Found { .. } if is_certain => Shown::Reached,
        Outcome::Exhausted if is_certain => {
            let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
            let nodes = NodeMaker::new(explorer.graph(), &columns, &loaded.system.initial).nodes(&store);
            Shown::Proved(Certificate {
                header: Header::default(),
                claim: Claim::Unreachable,
                nodes,
            })
        }
        _ => Shown::Nothing,
    })
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
