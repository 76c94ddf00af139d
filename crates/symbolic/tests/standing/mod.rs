//! Clocks that stand still: zones with stamps against exact polyhedra.
//!
//! `ZONEWALK_STOPWATCHES` says how many networks (150 unless told otherwise), `ZONEWALK_SEED` which is the first.

mod networks;
mod polyhedra;

use crate::support::Case;
use crate::support::proof::{certificate, judged};
use networks::{Network, Truth};
use zonewalk_certificate::{Claim, Columns};
use zonewalk_model::tree::QueryKind;
use zonewalk_network::NetworkBuilder;
use zonewalk_reference::proof::Judgement;
use zonewalk_search::{Breadth, Goal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::certificate::NodeMaker;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::sweep::{self, Merging, Sweep, SweepEnd};
use zonewalk_testkit::{number, xta};

/// Polyhedra of the oracle, and zones of a search.
const SETS: usize = 60;
const ZONES: usize = 1_000;

/// Whether zones reach the goal; `None` where they are too many.
fn by_zones(case: &Case, plan: &ZonePlan<'_>, has_stamps: bool, abstraction: Abstraction) -> Option<bool> {
    let question = &case.questions[0];
    let goal = ZoneGoal::new(&case.network, &question.predicate, true);
    let graph = ZoneGraph::new(plan, case.bounds(question), &[], abstraction, &[&goal]);
    let graph = if has_stamps {
        graph.with_stamps(&[&goal])
    } else {
        graph
    };
    assert_eq!(graph.has_stamps(), has_stamps);
    let mut system: Explorer<'_, i64> = graph.forgetting(&[&goal], &[]).into();
    let mut judge = system.another();
    let mut test = |state: &ZoneState<i64>| judge.meets(&goal, state).expect("models without errors");
    let limits = Limits {
        stored: Some(ZONES),
        explored: Some(2 * ZONES as u64),
        ..Limits::default()
    };
    let mut store = ZoneStore::new(&case.network, Covering::Inclusion);
    let wanted = Goal::state(&mut test);
    let report = search(
        &mut system.worker(),
        &mut store,
        &mut Breadth::new(),
        wanted,
        &limits,
    );
    assert!(report.fault.is_none());
    match report.outcome {
        Outcome::Found { .. } => Some(true),
        Outcome::Exhausted => Some(false),
        Outcome::LimitReached(_) => None,
    }
}

/// Whether a sweep reaches the goal.
fn by_sweep(case: &Case, plan: &ZonePlan<'_>, merging: Merging) -> Option<bool> {
    let question = &case.questions[0];
    let goal = ZoneGoal::new(&case.network, &question.predicate, true);
    let graph = ZoneGraph::new(
        plan,
        case.bounds(question),
        &[sweep::TIME],
        Abstraction::LuPlus,
        &[&goal],
    );
    let graph = graph.with_stamps(&[&goal]).forgetting(&[&goal], &[]);
    let mut sweep: Sweep<'_, '_, i64> = Sweep::new(&graph, &goal, merging);
    match sweep.run(&mut |progress| progress.expanded > ZONES as u64) {
        SweepEnd::Unreachable => Some(false),
        SweepEnd::Found => Some(true),
        SweepEnd::Stopped | SweepEnd::NoInstants => None,
        SweepEnd::Failed(stop) => panic!("models without errors: {stop:?}"),
    }
}

#[test]
fn sweeps_agree_with_polyhedra() {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    let count = number("ZONEWALK_STOPWATCHES").unwrap_or(150);
    let (mut reachable, mut unreachable, mut open, mut open_with_hulls) = (0, 0, 0, 0);
    for seed in first..first + count {
        let network = Network::new(seed);
        if !network.ticks() {
            continue;
        }
        let truth = network.truth(SETS);
        let text = network.text();
        let question = network.question();
        let case = Case::new(&text, &[&question]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let plan = ZonePlan::new(&case.network).unwrap();
        if !plan.is_approximate() {
            continue;
        }
        let lossless = by_sweep(&case, &plan, Merging::LOSSLESS);
        let hulls = by_sweep(&case, &plan, Merging { most: 2 });
        let shown = || format!("seed {seed}: {truth:?}\n{question}\n{text}");
        match truth {
            Truth::Reachable => {
                assert_ne!(lossless, Some(false), "lossless: {}", shown());
                assert_ne!(hulls, Some(false), "hulls: {}", shown());
                reachable += 1;
            }
            Truth::Unreachable => {
                unreachable += 1;
                open += usize::from(lossless != Some(false));
                open_with_hulls += usize::from(hulls != Some(false));
            }
            Truth::Unknown => {}
        }
    }
    eprintln!(
        "{reachable} reachable; {unreachable} unreachable, of these open: {open}, with hulls {open_with_hulls}"
    );
    if count >= 150 {
        assert!(reachable > 10 && unreachable > 5, "{reachable} and {unreachable}");
        assert!(open * 4 <= unreachable, "{open} of {unreachable}");
    }
}

#[test]
fn verdicts_agree_with_polyhedra() {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    let count = number("ZONEWALK_STOPWATCHES").unwrap_or(150);
    let (mut reachable, mut unreachable, mut endless) = (0, 0, 0);
    let (mut maybe_before, mut maybe) = (0, 0);
    for seed in first..first + count {
        let network = Network::new(seed);
        let truth = network.truth(SETS);
        let text = network.text();
        let question = network.question();
        let case = Case::new(&text, &[&question]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let plan = ZonePlan::new(&case.network).unwrap();
        if !plan.is_approximate() {
            continue;
        }
        let shown = || format!("seed {seed}: {truth:?}\n{question}\n{text}");
        for abstraction in [Abstraction::LuPlus, Abstraction::M] {
            let before = by_zones(&case, &plan, false, abstraction);
            let found = by_zones(&case, &plan, true, abstraction);
            match truth {
                Truth::Reachable => {
                    assert_ne!(before, Some(false), "values: {}", shown());
                    assert_ne!(found, Some(false), "stamps: {}", shown());
                    reachable += 1;
                }
                Truth::Unreachable => {
                    assert!(
                        before != Some(false) || found != Some(true),
                        "stamps lose a proof: {}",
                        shown()
                    );
                    unreachable += 1;
                    maybe_before += usize::from(before == Some(true));
                    maybe += usize::from(found == Some(true));
                }
                Truth::Unknown => {}
            }
            endless += usize::from(found.is_none());
        }
    }
    eprintln!(
        "{reachable} reachable; {unreachable} unreachable, of these open: {maybe_before} by values, {maybe} by stamps; \
         {endless} searches without end"
    );
    if count >= 150 {
        assert!(
            reachable > 40 && unreachable > 40,
            "{reachable} and {unreachable}"
        );
        assert!(maybe <= maybe_before, "{maybe} of {maybe_before}");
    }
}

/// Certificates are about values: zones with stamps are larger there, and the judge lets time pass as zones over values do, so it need not
/// accept them all.
#[test]
fn proofs_by_stamps_are_about_clocks_of_the_model() {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    let (mut proofs, mut accepted) = (0, 0);
    for seed in first..first + number("ZONEWALK_STOPWATCHES").unwrap_or(80) {
        let made = Network::new(seed);
        let loaded = xta(&made.text());
        let query = loaded.query(&format!("E<> {}", made.question())).unwrap();
        let QueryKind::Reachable(expr) = &query.kind else {
            panic!("a question about states")
        };
        let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
        let predicate = builder.predicate(query.slots, expr).unwrap();
        let network = builder.finish();
        let plan = ZonePlan::new(&network).unwrap();
        let goal = ZoneGoal::new(&network, &predicate, true);
        let bounds = network.bounds_for(&[&predicate]);
        let graph = ZoneGraph::new(&plan, bounds, &[], Abstraction::LuPlus, &[&goal]).with_stamps(&[&goal]);
        let mut system: Explorer<'_, i64> = graph.into();
        let mut judge = system.another();
        let mut test = |state: &ZoneState<i64>| judge.meets(&goal, state).unwrap();
        let mut store = ZoneStore::new(&network, Covering::Inclusion);
        let limits = Limits {
            explored: Some(200),
            ..Limits::default()
        };
        let wanted = Goal::state(&mut test);
        let report = search(
            &mut system.worker(),
            &mut store,
            &mut Breadth::new(),
            wanted,
            &limits,
        );
        if !matches!(report.outcome, Outcome::Exhausted) {
            continue;
        }
        let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
        let nodes = NodeMaker::new(system.graph(), &columns, &loaded.system.initial).nodes(&store);
        proofs += 1;
        let judgement = judged(&loaded, &query, &certificate(Claim::Unreachable, nodes));
        accepted += usize::from(matches!(judgement, Judgement::Accepted(_)));
    }
    eprintln!("{accepted} of {proofs} proofs by stamps are accepted");
    assert!(proofs > 10 && accepted * 2 > proofs, "{accepted} of {proofs}");
}
