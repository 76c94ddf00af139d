//! Runs with other times are runs all the same: the reference interpreter repeats them.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use zonewalk_model::instance;
use zonewalk_model::tree::{Expr, Model};
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

/// Who receives depends on the instant: the run needs one that comes too early and one in time.
const RECEIVERS: &str = "clock x, y; int n, m; broadcast chan c;
    process S() { state s { x <= 7 }; init s; trans s -> s { guard x >= 1; sync c!; assign x = 0, m++; }; }
    process R() { state r, t; init r; trans r -> t { guard y > 4 && y <= 9; sync c?; assign n++; }; } system S, R;";

/// Time stops when the urgent partners' guards are true, at 3 at the earliest.
const URGENT: &str = "clock x, y; urgent chan go;
    process A() { state a, b; init a; trans a -> b { guard x >= 3; sync go!; }; }
    process B() { state a, b; init a; trans a -> b { guard y >= 2; sync go?; }; }
    process C() { state a, b; init a; trans a -> b { guard y >= 1; assign y = 0; }; } system A, B, C;";

/// The lower transition is possible before the higher one is, and after.
const PRIORITIES: &str = "clock x; int n; chan high; chan priority default < high;
    process A() { state a, b, c; init a; trans a -> b { assign n = 1; }, a -> c { guard x >= 2 && x <= 5; sync high!; }; }
    process B() { state a, b; init a; trans a -> b { sync high?; }; } system A, B;";

const STRICT: &str = "clock x, y; process P() { state a { x < 3 }, b { x < 1 }, c; init a;
    trans a -> b { guard x > 0; assign x = 0; }, b -> c { guard x > 0 && y < 1; }; } system P;";

/// Stands still in `b`.
const STOPWATCH: &str = "clock x, y; process P() { state a { x <= 4 }, b { x' == 0 && y <= 9 }, c; init a;
    trans a -> b { guard x >= 1; }, b -> c { guard y >= 6; }, c -> c { guard x >= 3 && x <= 4; assign y = 0; };
    } system P;";

const COPIES: &str = "clock x, y; process P() { state a, b, c; init a;
    trans a -> b { guard x >= 2; assign y = x + 1, x = 0; }, b -> c { guard y >= 6 && x <= 4; }; } system P;";

/// Replays a run; whether the goal holds at its end.
fn replays(interpreter: &Interpreter<'_>, run: &Run, goal: &Expr) -> Result<bool, String> {
    let ticks = |ticks: i64| Rational::new(ticks.into(), run.unit.into()).unwrap();
    let mut state = interpreter.initial().unwrap();
    for (index, step) in run.steps.iter().enumerate() {
        let step = step.in_units(run.unit).unwrap();
        let next = interpreter.replay_step(&state, &step);
        state = next.map_err(|error| format!("step {}: {error}", index + 1))?;
    }
    let last = interpreter.delay(&state, ticks(run.last_delay));
    let last = last.map_err(|error| format!("at the end: {error}"))?;
    Ok(interpreter.holds(&last, goal).unwrap())
}

/// Makes walks with many seeds, gives what they find other times, and repeats it. The shortest duration, and how many parts
/// of a unit it is in.
fn retime_all(model: &Model, query: &str, objective: Objective) -> (i64, i64) {
    let system = instance::instantiate(model).unwrap();
    let interpreter = Interpreter::new(model, &system).unwrap();
    let (network, predicate, expr) = support::compiled(model, &system, query);
    let plan = WalkPlan::new(&network);
    let goal = WalkGoal::new(&plan, &predicate, true);
    let mut best: Option<(i64, i64)> = None;
    for seed in 0..60 {
        let options = Options {
            schedule: Schedule::Tuned,
            heuristic: Heuristic::Ret,
            delays: Delays::Adaptive,
            seed,
            max_steps: Some(12),
            time_bound: None,
        };
        let limits = Limits {
            max_walks: Some(40),
            ..Limits::default()
        };
        let report = search(&plan, &goal, &options, 1, &limits, &Control::default());
        let WalkOutcome::Found(found) = report.outcome else {
            continue;
        };
        for budget in [0, 1_000] {
            let shrunk = shrink(
                &plan,
                &goal,
                &found,
                Means {
                    budget,
                    deadline: None,
                },
                objective,
            );
            let retimed = shrunk.retimed.expect("the run has times");
            assert_eq!(
                replays(&interpreter, &retimed, &expr),
                Ok(true),
                "seed {seed}: {retimed:?}"
            );
            let new = (retimed.duration(), retimed.unit);
            if best.is_none_or(|old| new.0 * old.1 < old.0 * new.1) {
                best = Some(new);
            }
        }
    }
    best.expect("some walk reaches the goal")
}

fn fastest(text: &str, query: &str) -> (i64, i64) {
    let model = support::model(text);
    let (simple, unit) = retime_all(&model, query, Objective::Steps);
    let (time, parts) = retime_all(&model, query, Objective::Time);
    assert!(time * unit <= simple * parts, "{query}");
    (time, parts)
}

#[test]
fn receivers_stay_the_same() {
    // A signal that is received, after 4; one half of a unit is as close as it gets in coarse parts.
    assert_eq!(fastest(RECEIVERS, "E<> n == 1"), (9, 2));
    // Two signals that are not received: too early, or too late.
    assert_eq!(fastest(RECEIVERS, "E<> m == 2 && n == 0"), (2, 1));
    assert_eq!(fastest(RECEIVERS, "E<> m == 2 && n == 0 && y > 9"), (19, 2));
}

#[test]
fn urgency_is_respected() {
    assert_eq!(fastest(URGENT, "E<> A.b && C.a"), (3, 1));
    // The reset of `y` delays the synchronisation: it comes at 1 at the earliest, and 2 later both are ready.
    assert_eq!(fastest(URGENT, "E<> A.b && C.b"), (3, 1));
    assert_eq!(
        fastest(URGENT, "E<> A.b && B.b && C.b && y >= 2 && x == 4"),
        (4, 1)
    );
}

#[test]
fn priorities_are_respected() {
    assert_eq!(fastest(PRIORITIES, "E<> n == 1"), (0, 1));
    assert_eq!(fastest(PRIORITIES, "E<> A.c"), (2, 1));
    assert_eq!(fastest(PRIORITIES, "E<> n == 1 && x >= 2"), (2, 1));
}

#[test]
fn strict_bounds_are_respected() {
    assert_eq!(fastest(STRICT, "E<> P.c"), (2, 3));
    assert_eq!(fastest(STRICT, "E<> P.b && y > 2 && y < 3"), (5, 2));
}

#[test]
fn clocks_stand_still() {
    assert_eq!(fastest(STOPWATCH, "E<> P.c"), (6, 1));
    assert_eq!(fastest(STOPWATCH, "E<> P.c && y == 0"), (6, 1));
    assert_eq!(fastest(STOPWATCH, "E<> P.c && x == 4 && y == 1"), (7, 1));
}

#[test]
fn clocks_are_copied() {
    assert_eq!(fastest(COPIES, "E<> P.c"), (5, 1));
    assert_eq!(fastest(COPIES, "E<> P.c && x == 4"), (6, 1));
}
