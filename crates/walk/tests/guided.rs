//! Guided walks: they find what is rare, each run is one from the initial state, and they say how close they came.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use zonewalk_model::instance;
use zonewalk_reference::Interpreter;
use zonewalk_run::Run;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::{self, Options};
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::search::{Control, Limits, WalkOutcome, WalkReport, search};

fn options(heuristic: Heuristic, seed: u64) -> Options {
    Options {
        schedule: Schedule::Tuned,
        heuristic,
        delays: Delays::Adaptive,
        seed,
        max_steps: None,
        time_bound: None,
    }
}

/// A lock with sixteen wheels: one way forward and three that lead back to the beginning.
const LOCK: &str = "clock x; int n; int wrong;
    process P() { state A { x <= 3 }; init A;
        trans A -> A { guard x >= 1; assign n = n + 1, x = 0; }, A -> A { assign n = 0, x = 0; },
              A -> A { assign n = 0, wrong = 1, x = 0; }, A -> A { guard x >= 2; assign n = 0, wrong = 2, x = 0; }; } system P;";

fn found(report: &WalkReport) -> Option<(u64, &Run)> {
    match &report.outcome {
        WalkOutcome::Found(found) => Some((found.walk, &found.run)),
        _ => None,
    }
}

#[test]
fn what_is_rare_is_found_step_by_step() {
    for seed in 0..5 {
        let guided = support::report(LOCK, "E<> n == 16", &options(Heuristic::Guided, seed), 20_000);
        assert!(found(&guided).is_some(), "seed {seed}");
        assert!(guided.steps < 100_000, "{}", guided.steps);
    }
    let ret = support::report(LOCK, "E<> n == 16", &options(Heuristic::Ret, 1), 3_000);
    assert!(found(&ret).is_none() && ret.steps > 100_000, "{}", ret.steps);
}

/// Also where the last part of it was walked from a state of the archive.
#[test]
fn a_run_begins_in_the_initial_state() {
    let model = support::model(LOCK);
    let system = instance::instantiate(&model).unwrap();
    let interpreter = Interpreter::new(&model, &system).unwrap();
    let report = support::report(LOCK, "E<> n == 16", &options(Heuristic::Guided, 3), 20_000);
    let (_, trace) = found(&report).unwrap();
    assert!(trace.steps.len() >= 16);
    let mut state = interpreter.initial().unwrap();
    for step in &trace.steps {
        let step = step.in_units(trace.unit).unwrap();
        state = interpreter.replay_step(&state, &step).unwrap();
    }
}

fn on_threads(threads: usize, limits: &Limits<'_>, options: &Options) -> WalkReport {
    let model = support::model(LOCK);
    let system = instance::instantiate(&model).unwrap();
    let (network, predicate, _) = support::compiled(&model, &system, "E<> n == 16");
    let plan = WalkPlan::new(&network);
    let goal = WalkGoal::new(&plan, &predicate, true);
    search(&plan, &goal, options, threads, limits, &Control::default())
}

/// The restarts are the same, whichever thread makes them.
#[test]
fn a_seed_finds_the_same_run_on_any_number_of_threads() {
    let options = options(Heuristic::Guided, 7);
    let [one, again, three] = [1, 1, 3].map(|threads| on_threads(threads, &Limits::default(), &options));
    let (walk, trace) = found(&one).unwrap();
    for other in [&again, &three] {
        let (other_walk, other_trace) = found(other).unwrap();
        assert_eq!((walk, &trace.steps), (other_walk, &other_trace.steps));
    }
    assert_eq!(one.steps, again.steps);
}

#[test]
fn limits_are_kept() {
    let options = Options {
        max_steps: Some(12),
        ..options(Heuristic::Guided, 7)
    };
    let limits = Limits {
        max_walks: Some(1_000),
        ..Limits::default()
    };
    let report = on_threads(1, &limits, &options);
    assert!(found(&report).is_none(), "sixteen steps are needed");
    assert_eq!((report.walks, report.max_depth), (1_000, 12));
    // The best of all is that many steps in the right direction.
    assert_eq!(report.closest.unwrap().distance, Some(4));
    let control = Control::default();
    control
        .interrupted
        .store(true, std::sync::atomic::Ordering::Relaxed);
    let model = support::model(LOCK);
    let system = instance::instantiate(&model).unwrap();
    let (network, predicate, _) = support::compiled(&model, &system, "E<> n == 16");
    let plan = WalkPlan::new(&network);
    let goal = WalkGoal::new(&plan, &predicate, true);
    let report = search(&plan, &goal, &options, 1, &Limits::default(), &control);
    assert!(matches!(report.outcome, WalkOutcome::Interrupted));
}

/// The end of a longest run is nothing to go on from: walks of one step are all fresh.
#[test]
fn short_runs_do_not_starve_fresh_walks() {
    let options = Options {
        max_steps: Some(1),
        ..options(Heuristic::Guided, 7)
    };
    let limits = Limits {
        max_walks: Some(512),
        ..Limits::default()
    };
    let report = on_threads(1, &limits, &options);
    assert_eq!((report.walks, report.steps), (512, 512));
}

/// A job with a stopwatch: it is never later than 17, and that takes its longest time and every interruption.
const JOB: &str = "clock t, x, work; bool runs = true; bool late;
    process P() { state A { work <= 9 && work' == runs }, B; init A;
        trans A -> A { guard runs && work >= 3; assign work = 0, x = 0; }, A -> B { guard x > 20; assign late = true; }; }
    process T() { state A { t <= 3 }, B { t <= 2 }; init A;
        trans A -> B { guard t == 3; assign t = 0, runs = false; }, B -> A { guard t >= 1; assign t = 0, runs = true; }; }
    system P, T;";

#[test]
fn the_closest_margin_is_told() {
    let report = support::report(JOB, "E<> late", &options(Heuristic::Guided, 1), 5_000);
    let closest = report.closest.unwrap();
    assert_eq!(closest.distance, Some(1));
    let margin = closest.margin.unwrap();
    assert_eq!(
        (margin.process.0, margin.clock.0, margin.bound / margin.unit),
        (0, 1, 20)
    );
    assert_eq!(margin.value, 17 * margin.unit);
    // Others do not measure.
    let report = support::report(JOB, "E<> late", &options(Heuristic::Com, 1), 10);
    assert!(report.closest.is_none());
}

/// Only deadlocks, only clocks, no goal at all: COM and RET take turns.
#[test]
fn without_anything_to_measure_walks_are_plain() {
    let text = "clock x; process P() { state A, B; init A; trans A -> A { guard x <= 4; assign x = 0; }, A -> B { guard x == 3; }; } system P;";
    for query in ["E<> deadlock", "E<> x > 100"] {
        let report = support::report(text, query, &options(Heuristic::Guided, 1), 200);
        assert!(found(&report).is_some() && report.closest.is_none(), "{query}");
    }
    let report = support::report(text, "E<> deadlock && P.B", &options(Heuristic::Guided, 1), 2_000);
    assert!(found(&report).is_some());
    let model = support::model(text);
    let system = instance::instantiate(&model).unwrap();
    let (network, ..) = support::compiled(&model, &system, "E<> P.B");
    let plan = WalkPlan::new(&network);
    let limits = Limits {
        max_walks: Some(40),
        ..Limits::default()
    };
    let control = Control::default();
    let (report, taken) = explore::explore(&plan, &options(Heuristic::Guided, 1), 1, &limits, &control);
    assert_eq!((report.walks, taken), (40, vec![true, true]));
}
