//! `semantics.md` 26 and 28: predicates of queries, and `deadlock`; simulation as a whole.

use super::common::{load, r};
use zonewalk_reference::simulate::{Move, RandomRun, Session};

#[test]
fn row_26_predicates_see_complete_transitions_only() {
    let m = load(
        "int n; chan c; process P(const int[0,2] i) { state A, cs; init A; trans A -> cs { sync c!; assign n := 1; }; }
         process Q() { state A; init A; trans A -> A { sync c?; assign n := 2; }; } system P, Q;",
    );
    let mut run = m.run();
    assert!(run.holds("n == 0 && (sum (k : int[0,2]) P(k).cs) == 0"));
    run.take("0", "P(0)").take("0", "P(2)");
    assert!(run.holds("n == 2"));
    assert!(run.holds("(sum (k : int[0,2]) P(k).cs) == 2 && P(0).cs + P(1).cs <= 1"));
    // Integers count as booleans.
    assert!(run.holds("n && !(n - 2)"));
}

#[test]
fn row_28_deadlock() {
    let m = load(
        "clock x; process P() { state A { x <= 9 }, B, C; init A;
             trans A -> B { guard x >= 2 && x <= 4; }, B -> C { guard x < 1; }; } system P;",
    );
    let mut run = m.run();
    assert!(!run.holds("deadlock"));
    // After 4 no delay leads to a transition any more.
    assert_eq!(run.during("9", "deadlock"), "(4, 9]");
    assert_eq!(run.during("9", "not deadlock && x >= 3"), "[3, 4]");
    run.take("3", "A -> B");
    assert!(run.holds("deadlock && P.B"));
}

#[test]
fn row_28_deadlock_under_urgency() {
    let m = load(
        "clock x; urgent broadcast chan u; process P() { state A, B { x <= 1 }; init A;
             trans A -> B { guard x >= 2; sync u!; }, A -> A { guard x >= 5; }; } system P;",
    );
    // Time stops at 2, the urgent edge cannot be taken, and the other one is never reached.
    assert!(m.run().holds("deadlock"));
}

const TRAIN: &str = "
    clock x; int[0,3] n; chan go, stop;
    process Train() { clock y; state Far, Near { y <= 4 }, On { y <= 2 }; init Far; trans
        Far -> Near { sync go!; assign y := 0; }, Near -> On { guard y > 1; assign y := 0; },
        On -> Far { guard y >= 1; sync stop!; }; }
    process Gate() { state Up, Down; init Up; trans Up -> Down { guard n < 3; sync go?; assign n++; },
        Down -> Up { sync stop?; }; }
    system Train, Gate;";

#[test]
fn random_runs_replay_and_repeat() {
    let m = load(TRAIN);
    let run = m.run();
    let play = |seed| {
        let mut random = RandomRun::new(&run.interpreter, seed).unwrap();
        let mut steps = Vec::new();
        while let Some(taken) = random.step().unwrap() {
            steps.push(taken);
        }
        steps
    };
    let steps = play(5);
    // Three rounds of three steps, then the counter ends it.
    assert_eq!(steps.len(), 9);
    assert_eq!(steps, play(5));
    assert_ne!(steps, play(6));
    let mut state = run.interpreter.initial().unwrap();
    for taken in &steps {
        state = run.interpreter.replay_step(&state, &taken.step).unwrap();
        assert_eq!(state, taken.state);
    }
}

#[test]
fn sessions_can_be_undone() {
    let m = load(TRAIN);
    let run = m.run();
    let mut session = Session::new(&run.interpreter).unwrap();
    assert_eq!(session.choices().len(), 1);
    session.delay(r("2")).unwrap();
    session.take(0, None).unwrap();
    assert_eq!(session.delays().to_string(), "[0, 4]");
    let near = session.state().clone();
    // The guard is strict: a small delay beyond its bound is chosen.
    assert_eq!(session.choices()[0].windows.to_string(), "(1, 4]");
    assert!(session.take(0, Some(r("1"))).is_err());
    assert!(session.take(1, None).is_err());
    assert!(session.delay(r("5")).is_err());
    assert_eq!(session.state(), &near);
    session.take(0, None).unwrap();
    assert!(matches!(
        session.moves(),
        [Move::Delay(_), Move::Step(_), Move::Step(_)]
    ));
    assert_eq!(session.state().time, r("4"));
    assert!(session.undo().unwrap());
    assert_eq!(session.state(), &near);
    assert!(session.undo().unwrap() && session.undo().unwrap());
    assert!(!session.undo().unwrap());
    assert_eq!(session.state().time, r("0"));
}
