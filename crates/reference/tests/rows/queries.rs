//! `semantics.md` 26 and 28: predicates of queries, and `deadlock`; simulation as a whole.

use super::common::{Run, load, r};
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

/// Whether `deadlock` holds, and whether its opposite does; the same error for both.
fn deadlock(run: &Run<'_>) -> Result<bool, String> {
    let holds = |predicate: &str| {
        let predicate = run.loaded.predicate(predicate);
        let holds = run.interpreter.holds(&run.state, &predicate);
        holds.map_err(|error| error.to_string())
    };
    let is = holds("deadlock");
    assert_eq!(is, holds("not deadlock").map(|not| !not));
    is
}

/// A process with an edge whose update fails up to 9, and more edges.
fn failing_update(more: &str) -> String {
    format!(
        "int[0,1] v = 1; clock x; chan c; process P() {{ state A, B; init A;
         trans A -> B {{ guard x <= 9; assign v = v + 1; }}{more}; }} system P;"
    )
}

#[test]
fn row_28a_an_update_that_fails_is_no_transition_and_makes_no_deadlock() {
    let now = |more: &str| deadlock(&load(&failing_update(more)).run());
    let fails = |result: Result<bool, String>| result.unwrap_err().contains("value 2 is outside int[0,1]");
    assert!(fails(now("")));
    assert_eq!(now(", A -> A { guard x >= 2; }"), Ok(false));
    assert!(fails(now(", A -> A { guard x >= 2; sync c!; }")));
    // The other edge is gone, and then the one that fails is, too.
    let m = load(&failing_update(", A -> A { guard x <= 3; }"));
    assert_eq!(m.run().during("3", "not deadlock"), "[0, 3]");
    assert!(fails(deadlock(m.run().delay("5"))));
    assert_eq!(deadlock(m.run().delay("10")), Ok(true));
    assert_eq!(m.run().delay("10").during("2", "deadlock"), "[0, 2]");
}

#[test]
fn row_28a_a_guard_that_fails_leaves_open_what_depends_on_it() {
    let now = |first: &str, second: &str, system: &str| {
        let m = load(&format!(
            "int a[2]; int i = 5; clock x; broadcast chan b; urgent chan u;
             process P() {{ state A, B; init A; trans A -> B {{ {first} }}; }}
             process Q() {{ state A; init A; trans A -> A {{ guard a[i] == 0; {second} }}; }}
             process R() {{ state A; init A; trans A -> A {{ sync u?; }}; }} system {system};"
        ));
        deadlock(&m.run())
    };
    assert_eq!(now("guard x >= 1;", "", "P, Q"), Ok(false));
    // It may have priority, receive the broadcast, or stop time before 1.
    now("guard x >= 1;", "", "P < Q").unwrap_err();
    now("sync b!;", "sync b?;", "P, Q").unwrap_err();
    now("guard x >= 1;", "sync u!;", "P, Q, R").unwrap_err();
    assert_eq!(now("", "sync u!;", "P, Q, R"), Ok(false));
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
