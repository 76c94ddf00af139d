//! Runs of schedulers get short although no state of theirs recurs.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use zonewalk_model::instance;
use zonewalk_model::tree::Model;
use zonewalk_reference::Interpreter;
use zonewalk_reference::rational::Rational;
use zonewalk_run::Run;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::search::{Control, Limits, WalkOutcome, search};
use zonewalk_walk::shrink::{Means, Objective, shrink};

/// Tasks preempt those with larger numbers. The first one has a period that fits into no other; the last one misses its
/// deadline when nearly all others take as long as they may. Rounds are counted, so no state comes again.
const SCHEDULER: &str = "const int N = 10; int ready[N]; int rounds;
    bool runs(int i) { int j; for (j = 0; j < i; j++) if (ready[j] == 1) return false; return true; }
    process Task(const int i, const int period, const int least, const int most) { clock t, c;
        state idle { t <= period }, work { c <= most && c' == runs(i) }; init idle;
        trans idle -> work { guard t == period; assign t = 0, c = 0, ready[i] = 1; },
            work -> idle { guard c >= least && runs(i); assign ready[i] = 0; }; }
    process Last(const int i, const int period, const int cost, const int deadline) { clock t, c;
        state idle { t <= period }, work { c <= cost && c' == runs(i) }, miss; init idle;
        trans idle -> work { guard t == period; assign t = 0, c = 0, ready[i] = 1, rounds++; },
            work -> idle { guard c == cost && runs(i); assign ready[i] = 0; },
            work -> miss { guard t > deadline; }; }
    A = Task(0, 37, 1, 2); B = Task(1, 100, 6, 9); C = Task(2, 100, 6, 9); D = Task(3, 100, 6, 9); E = Task(4, 100, 6, 9);
    F = Task(5, 100, 6, 9); G = Task(6, 100, 6, 9); H = Task(7, 100, 6, 9); I = Task(8, 100, 6, 9);
    L = Last(9, 100, 20, 94);
    system A, B, C, D, E, F, G, H, I, L;";

/// Run that a walk finds, and the one that shrinking makes of it.
struct Result {
    found: usize,
    shrunk: Run,
    tried_steps: u64,
}

fn shrink_one(model: &Model, goal: &str, seed: u64, budget: u64) -> Result {
    let system = instance::instantiate(model).unwrap();
    let interpreter = Interpreter::new(model, &system).unwrap();
    let (network, predicate, expr) = support::compiled(model, &system, goal);
    let plan = WalkPlan::new(&network);
    let goal = WalkGoal::new(&plan, &predicate, true);
    let options = Options {
        schedule: Schedule::Tuned,
        heuristic: Heuristic::Ret,
        delays: Delays::Predefined,
        seed,
        max_steps: Some(1 << 17),
        time_bound: None,
    };
    let report = search(&plan, &goal, &options, 1, &Limits::default(), &Control::default());
    let WalkOutcome::Found(found) = report.outcome else {
        panic!("seed {seed}: nothing found")
    };
    let shrunk = shrink(
        &plan,
        &goal,
        &found,
        Means {
            budget,
            deadline: None,
        },
        Objective::Steps,
    );
    // It is a run of the model, and comes to the goal.
    let ticks = |ticks: i64| Rational::new(ticks.into(), shrunk.run.unit.into()).unwrap();
    let mut state = interpreter.initial().unwrap();
    for step in &shrunk.run.steps {
        let step = step.in_units(shrunk.run.unit).unwrap();
        state = interpreter.replay_step(&state, &step).unwrap();
    }
    let last = interpreter.delay(&state, ticks(shrunk.run.last_delay)).unwrap();
    assert!(interpreter.holds(&last, &expr).unwrap());
    Result {
        found: found.run.steps.len(),
        shrunk: shrunk.run,
        tried_steps: shrunk.effort,
    }
}

#[test]
fn needless_periods_are_cut_out() {
    let model = support::model(SCHEDULER);
    for seed in 0..6 {
        let result = shrink_one(&model, "E<> L.miss", seed, 200_000);
        // All tasks are released, the first one twice, and all but the last one end. With cycles and single steps
        // alone 192 steps are left at best, and 20,000 of the longest runs.
        assert!(result.found > 800, "seed {seed}: {}", result.found);
        assert!(
            result.shrunk.steps.len() <= 30,
            "seed {seed}: {} of {}",
            result.shrunk.steps.len(),
            result.found
        );
        assert!(
            result.tried_steps < 200_000,
            "seed {seed}: {}",
            result.tried_steps
        );
    }
}

#[test]
fn the_same_run_is_always_shrunk_to_the_same() {
    let model = support::model(SCHEDULER);
    let (first, second) = (
        shrink_one(&model, "E<> L.miss", 2, 50_000),
        shrink_one(&model, "E<> L.miss", 2, 50_000),
    );
    assert_eq!(first.shrunk, second.shrunk);
    assert_eq!(first.tried_steps, second.tried_steps);
}

/// A process that waits without a limit has no last instant to move at.
#[test]
fn imitation_stays_within_time() {
    let model = support::model(
        "int n; int c; broadcast chan go; urgent broadcast chan u;
        process S() { clock s; state A, B; init A; trans A -> B { guard s >= 3; sync go!; }; }
        process T() { clock t; state I, L, End; init I; trans I -> L { sync go?; assign t := 0; },
            L -> L { select s : int[0,60]; guard t >= 10; sync u!; assign t := 0, n := n + 1, c := s; },
            L -> End { guard c == 7 && n >= 30; }; }
        process N() { clock w; state I, L; init I; trans I -> L { sync go?; assign w := 0; },
            L -> L { guard w >= 1; sync u!; assign w := 0; }; }
        system S, T, N;",
    );
    for seed in 0..4 {
        let result = shrink_one(&model, "E<> T.End", seed, 100_000);
        // Thirty periods of ten, and three units before.
        assert!(
            result.shrunk.duration() >= 303 * result.shrunk.unit,
            "seed {seed}"
        );
    }
}
