//! Searches for deadlocks by lower and upper bounds that are refined for suspects.

use super::{Case, Question, Verdict};
use zonewalk_network::bounds::ClockBounds;
use zonewalk_search::{Breadth, Goal as SearchGoal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::suspects::Suspects;

/// Searches breadth first with these bounds. What it reaches may be a suspect.
pub(crate) fn decide_by(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    abstraction: Abstraction,
    bounds: &ClockBounds,
    most: usize,
) -> Verdict {
    let goal = ZoneGoal::new(&case.network, &question.predicate, true);
    decide_goal(case, plan, &goal, abstraction, bounds, most)
}

fn decide_goal(
    case: &Case,
    plan: &ZonePlan<'_>,
    goal: &ZoneGoal,
    abstraction: Abstraction,
    bounds: &ClockBounds,
    most: usize,
) -> Verdict {
    let graph = || ZoneGraph::new(plan, bounds.clone(), &[], abstraction, &[goal]);
    let mut system: Explorer<'_, i64> = Explorer::from(graph().forgetting(&[goal], &[]));
    let mut judge = system.another();
    let mut failure = None;
    let mut test = |state: &ZoneState<i64>| {
        judge.meets(goal, state).unwrap_or_else(|stop| {
            failure = Some(stop);
            true
        })
    };
    let limits = Limits {
        stored: Some(most),
        explored: Some(most as u64),
        ..Limits::default()
    };
    let report = search(
        &mut system.worker(),
        &mut ZoneStore::new(&case.network, Covering::Inclusion),
        &mut Breadth::new(),
        SearchGoal::state(&mut test),
        &limits,
    );
    if let Some(stop) = failure.or(report.fault.map(|fault| fault.fault)) {
        return Verdict::Failed(stop);
    }
    match report.outcome {
        Outcome::Found { path, .. } => {
            let transitions = Explorer::<'_, i64>::from(graph()).transitions(&path);
            Verdict::Reached(transitions.unwrap().expect("a path that can be followed"))
        }
        Outcome::Exhausted => Verdict::Unreachable,
        Outcome::LimitReached(_) => Verdict::Unknown,
    }
}

/// Searches by Extra-LU+ until no suspect is left, and says how often.
pub(crate) fn decide_on_demand(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    holds: bool,
    most: usize,
) -> (Verdict, usize) {
    let goal = ZoneGoal::new(&case.network, &question.predicate, holds);
    let mut suspects = Suspects::new(&case.network, &question.predicate);
    for round in 1.. {
        let bounds = suspects.bounds(&case.network);
        let verdict = decide_goal(case, plan, &goal, Abstraction::LuPlus, &bounds, most);
        let is_doubted = match &verdict {
            Verdict::Reached(path) => suspects.doubts(plan, path, &goal),
            _ => false,
        };
        if !is_doubted {
            return (verdict, round);
        }
    }
    unreachable!("every round adds a location")
}
