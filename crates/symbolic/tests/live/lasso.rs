//! `E[]`, `A<>`, `-->` on small models.

use super::support::{ask, end, holds, model};
use zonewalk_search::{Limit, Limits};
use zonewalk_symbolic::lasso::{LassoEnd, LassoOptions, search};

/// Waits at most 3, then goes to `b`, where it stays.
const WAIT: &str = "clock x; process P() { state a { x <= 3 }, b; init a;
    trans a -> b { guard x >= 2; }; } system P;";

#[test]
fn an_upper_bound_forces_and_its_absence_does_not() {
    assert!(holds(WAIT, "A<> P.b"));
    assert!(!holds(WAIT, "E[] P.a"));
    let free = WAIT.replace("{ x <= 3 }", "");
    assert!(!holds(&free, "A<> P.b"));
    assert_eq!(end(&free, "A<> P.b"), Some(LassoEnd::Endless));
    assert_eq!(end(&free, "E[] P.a"), Some(LassoEnd::Endless));
}

#[test]
fn clock_conditions_hold_all_the_time() {
    // In `a` until 2 or 3, then `b` forever.
    assert!(holds(WAIT, "E[] (P.a imply x <= 2)"));
    assert!(!holds(WAIT, "E[] (P.a imply x < 2)"));
    assert!(!holds(WAIT, "E[] x <= 100"));
    assert!(holds(WAIT, "E[] (P.b imply x > 2)"));
    assert!(!holds(WAIT, "E[] (P.b imply x > 3)"));
    // The very first point is where it fails.
    assert!(!holds(WAIT, "E[] x > 0"));
    assert!(!holds(WAIT, "E[] (P.b || x > 0)"));
    assert!(holds(WAIT, "A<> x >= 2"));
    assert!(holds(WAIT, "A<> x == 7"));
    assert!(holds(WAIT, "A<> (P.b && x > 3)"));
    assert!(!holds(WAIT, "A<> (P.b && x <= 2)"));
    // A hole in the middle of a delay cannot be passed.
    assert!(!holds(WAIT, "E[] x != 5"));
    assert!(!holds(WAIT, "E[] (x < 5 || x > 6)"));
}

#[test]
fn strict_limits() {
    let text =
        "clock x; process P() { state a { x < 3 }, b; init a; trans a -> b { guard x > 2; }; } system P;";
    assert!(holds(text, "A<> P.b"));
    assert!(holds(text, "E[] (P.a imply x < 3)"));
    assert!(!holds(text, "E[] (P.a imply x <= 2)"));
    assert!(holds(text, "A<> (P.b && x > 2)"));
}

#[test]
fn cycles() {
    let text = "clock x; int[0,1] v; process P() { state a { x <= 1 }, b { x <= 1 }, c; init a;
        trans a -> b { guard x == 1; assign x = 0; }, b -> a { assign x = 0; }, b -> c { guard v == 1; }; }
        system P;";
    assert_eq!(end(text, "A<> P.c"), Some(LassoEnd::Cycle));
    assert_eq!(end(text, "E[] x <= 1"), Some(LassoEnd::Cycle));
    assert!(holds(text, "A<> P.b"));
    // The cycle passes through both.
    assert!(!holds(text, "E[] P.a"));
    assert!(holds(text, "E[] (P.a || x <= 0)"));
    assert!(holds(text, "E[] (P.b imply x < 1)"));
}

/// In `a` the value of `v` does not matter, so the first way back there closes a cycle, but with another value than in the
/// beginning. What is shown comes back to the same values.
#[test]
fn a_cycle_comes_back_to_variables_that_do_not_matter() {
    let text = "clock x; int[0,3] v; process P() { state a { x <= 1 }, b { x <= 1 }; init a;
        trans a -> b { guard x == 1; assign x = 0, v = 2; }, b -> a { guard v == 2; assign x = 0; }; } system P;";
    let verdict = ask(&model(text), "A<> x > 1", &LassoOptions::default()).1;
    let lasso = verdict.witness.unwrap();
    assert_eq!(lasso.end, LassoEnd::Cycle);
    assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (2, 2));
    // Without the variable there is nothing to wait for.
    let same = text.replace("v = 2;", "v = v;").replace("v == 2", "v == 0");
    let verdict = ask(&model(&same), "A<> x > 1", &LassoOptions::default()).1;
    assert_eq!(verdict.witness.unwrap().prefix.len(), 0);
}

/// The clock is never set back, so a second round would need it below its limit again.
#[test]
fn a_loop_that_cannot_be_repeated_is_no_cycle() {
    let text = "clock x, y; process P() { state a { y <= 1 }, b; init a;
        trans a -> a { guard y >= 1 && x <= 3; assign y = 0; }, a -> b { guard x > 3; }; } system P;";
    // Three rounds, and then b has to be entered before x is beyond 4.
    assert!(holds(text, "A<> P.b"));
    assert!(!holds(text, "A<> (P.b && x < 4)"));
    assert!(holds(text, "A<> (P.b && x <= 4)"));
    assert!(!holds(text, "E[] x <= 3"));
}

#[test]
fn deadlocks() {
    // Nothing leads on from b, whose invariant ends time.
    let lock = "clock x; process P() { state a { x <= 1 }, b { x <= 5 }, c; init a;
        trans a -> b { }, b -> c { guard x > 7; }; } system P;";
    assert_eq!(end(lock, "A<> P.c"), Some(LassoEnd::Deadlock));
    assert_eq!(end(lock, "E[] x <= 5"), Some(LassoEnd::Deadlock));
    // The time-lock is behind what must not happen.
    assert!(!holds(lock, "E[] x <= 4"));
    assert!(!holds(lock, "E[] (P.a || x != 3)"));
    assert!(holds(lock, "A<> P.b"));
    let strict = lock.replace("x <= 5", "x < 5");
    assert!(holds(&strict, "E[] x < 5"));
    assert!(!holds(&strict, "E[] x < 4"));
    // An urgent location that cannot be left.
    let urgent = "clock x; process P() { state a { x <= 1 }, b, c; urgent b; init a;
        trans a -> b { }, b -> c { guard x >= 2; }; } system P;";
    assert_eq!(end(urgent, "A<> P.c"), Some(LassoEnd::Deadlock));
    assert!(holds(urgent, "E[] x <= 1"));
}

/// A transition exists, if only to where it must not lead: the run has to leave.
#[test]
fn a_forced_way_out_is_no_end() {
    let text =
        "clock x; process P() { state a { x <= 2 }, b; init a; trans a -> b { guard x >= 2; }; } system P;";
    assert!(!holds(text, "E[] P.a"));
    // The only transition is possible after x < 1 has ended.
    assert!(!holds(text, "E[] (P.a && x < 1)"));
    assert!(holds(text, "A<> x >= 1"));
    // It leads from one piece to the other: neither is an end of its own.
    assert!(!holds(text, "E[] (P.a || x > 2)"));
    let dead =
        "clock x; process P() { state a { x <= 2 }, b; init a; trans a -> b { guard x >= 3; }; } system P;";
    assert!(holds(dead, "E[] P.a"));
    assert!(!holds(dead, "E[] x < 1"));
}

#[test]
fn committed_loops_and_selects() {
    let text = "int[0,2] v; process P() { state a, b; commit a, b; init a;
        trans a -> b { select i : int[0,2]; guard i != 1; assign v = i; }, b -> a { select j : int[0,1]; assign v = j; }; }
        system P;";
    assert_eq!(end(text, "E[] v != 1"), Some(LassoEnd::Cycle));
    assert_eq!(end(text, "E[] v == 0"), Some(LassoEnd::Cycle));
    assert!(!holds(text, "E[] v >= 1"));
    assert!(holds(text, "A<> P.b"));
    assert!(!holds(text, "A<> v == 1"));
}

#[test]
fn urgent_channels_stop_time() {
    let text = "clock x; urgent chan go; process P() { state a, b; init a; trans a -> b { guard x >= 3; sync go!; }; }
        process Q() { state c; init c; trans c -> c { sync go?; }; } system P, Q;";
    // By semantics 2 time stops at 3 and P has to go.
    assert!(holds(text, "A<> P.b"));
    assert!(!holds(text, "E[] x <= 3"));
    assert!(holds(text, "A<> (P.b && x == 3)"));
    let alone = text.replace("sync go?", "sync go!");
    assert_eq!(end(&alone, "A<> P.b"), Some(LassoEnd::Endless));
    // A partner, and a target that cannot be entered: time stops for good.
    let stuck = text.replace("state a, b;", "state a, b { x <= 2 };");
    assert_eq!(end(&stuck, "A<> P.b"), Some(LassoEnd::Deadlock));
    assert!(holds(&stuck, "E[] x <= 3"));
    assert!(!holds(&stuck, "E[] x < 3"));
}

#[test]
fn clocks_that_matter_nowhere() {
    let text =
        "clock x; process P() { state a, b; init a; trans a -> b { assign x = 0; }, b -> a { }; } system P;";
    assert_eq!(end(text, "A<> P.b"), Some(LassoEnd::Endless));
    assert_eq!(end(text, "E[] x <= 5"), Some(LassoEnd::Cycle));
    assert_eq!(end(text, "E[] (P.a && x <= 5)"), None);
}

#[test]
fn leads_to() {
    let text = "clock x; process P() { state a, b { x <= 4 }, c; init a;
        trans a -> b { assign x = 0; }, b -> c { guard x >= 1; }, c -> a { }; } system P;";
    assert!(holds(text, "P.b --> P.c"));
    assert!(holds(text, "P.b --> (P.c && x <= 4)"));
    assert!(!holds(text, "P.b --> (P.c && x <= 1)"));
    assert!(!holds(text, "P.a --> P.b"));
    assert!(!holds(text, "P.c --> P.a"));
    // The trigger holds in the middle of a delay only.
    assert!(holds(text, "(P.b && x == 3) --> (P.c && x >= 3)"));
    assert!(!holds(text, "(P.b && x == 3) --> (P.c && x > 3)"));
    assert!(!holds(text, "(P.b && x == 3) --> x == 2"));
    assert!(holds(text, "(P.b && x == 3) --> (P.c || x == 4)"));
    // What holds at the trigger itself is enough.
    assert!(holds(text, "(P.b && x <= 2) --> (P.b && x <= 2)"));
    assert!(holds(text, "(P.b && x > 4) --> false"));
    assert!(!holds(text, "(P.b && x > 3) --> false"));
}

/// Being forced through `q` before the trigger does not count.
#[test]
fn what_was_before_the_trigger_does_not_count() {
    let text =
        "clock x; process P() { state a { x <= 9 }, b; init a; trans a -> b { guard x >= 8; }; } system P;";
    assert!(!holds(text, "x >= 5 --> (P.a && x < 5)"));
    assert!(!holds(text, "x == 5 --> (P.a && x == 4)"));
    assert!(holds(text, "x == 5 --> x == 6"));
    assert!(holds(text, "x == 5 --> P.b"));
    assert!(!holds(text, "P.b --> P.a"));
}

#[test]
fn differences_of_clocks() {
    let text = "clock x, y; process P() { state a { x <= 5 }, b; init a;
        trans a -> a { guard x >= 1; assign x = 0; }, a -> b { guard y - x >= 3; }; } system P;";
    assert!(holds(text, "E[] y - x <= 0 || P.a"));
    assert!(!holds(text, "A<> P.b"));
    assert!(!holds(text, "E[] y - x <= 2"));
    assert!(!holds(text, "E[] y - x <= 2 && P.a"));
    assert!(holds(text, "E[] y - x <= 0 || y - x >= 1"));
}

#[test]
fn broadcast_with_clock_guards() {
    let text = "clock x; broadcast chan go; process P() { state a { x <= 5 }, b; init a; trans a -> b { sync go!; }; }
        process Q() { state c, d; init c; trans c -> d { guard x >= 3; sync go?; }; } system P, Q;";
    assert!(holds(text, "A<> P.b"));
    assert!(!holds(text, "A<> Q.d"));
    assert!(holds(text, "A<> (Q.d || P.b && x >= 1)"));
    assert!(holds(text, "E[] (P.b imply Q.d)"));
    assert!(!holds(text, "E[] (P.b imply Q.d) && x <= 5"));
}

#[test]
fn limits_end_a_search_without_an_answer() {
    let model = model(
        "int v; process P() { state a; commit a; init a; trans a -> a { guard v < 30000; assign v++; }; } system P;",
    );
    let system = zonewalk_model::instance::instantiate(&model).unwrap();
    let query = super::support::query(&model, "A<> v == 30000").unwrap();
    let (network, asked) = super::support::compiled(&model, &system, &query).unwrap();
    let plan = zonewalk_symbolic::plan::ZonePlan::new(&network).unwrap();
    let look = |limits: Limits<'_>| {
        let options = LassoOptions {
            limits,
            ..LassoOptions::default()
        };
        search(&plan, &asked.question, &options)
    };
    let few = look(Limits {
        explored: Some(100),
        ..Limits::default()
    });
    assert_eq!((few.limit, few.witness), (Some(Limit::States), None));
    let little = look(Limits {
        memory: Some(1 << 16),
        ..Limits::default()
    });
    assert_eq!(little.limit, Some(Limit::Memory));
    // 30,000 deep, and no recursion.
    let all = look(Limits::default());
    assert_eq!((all.limit, all.witness), (None, None));
    assert_eq!(all.statistics.max_depth, 29_999);
}

#[test]
fn errors_of_the_model_come_with_a_path() {
    let model = model("int[0,3] v; process P() { state a; init a; trans a -> a { assign v++; }; } system P;");
    let system = zonewalk_model::instance::instantiate(&model).unwrap();
    let query = super::support::query(&model, "v == 2 --> v == 1").unwrap();
    let (network, asked) = super::support::compiled(&model, &system, &query).unwrap();
    let plan = zonewalk_symbolic::plan::ZonePlan::new(&network).unwrap();
    // Time may pass forever with v at 2, but time is not wanted.
    let found = search(&plan, &asked.question, &LassoOptions::default());
    assert_eq!(found.witness.unwrap().prefix.len(), 2);
    let query = super::support::query(&model, "v == 9 --> v == 1").unwrap();
    let (network, asked) = super::support::compiled(&model, &system, &query).unwrap();
    let plan = zonewalk_symbolic::plan::ZonePlan::new(&network).unwrap();
    let found = search(&plan, &asked.question, &LassoOptions::default());
    assert_eq!((found.witness, found.limit), (None, None));
    assert_eq!(found.fault.unwrap().path.len(), 3);
}

#[test]
fn a_lasso_beside_an_error_is_found_and_what_fails_is_no_deadlock() {
    // The only edge of `b` fails; `c` has a cycle.
    let model = model(
        "int a[2]; int i = 5; process P() { state s, b, c; commit s, b, c; init s;
         trans s -> b { }, b -> b { assign a[i] = 1; }, s -> c { }, c -> c { }; } system P;",
    );
    let (holds, verdict) = ask(&model, "E[] not P.s || P.s", &LassoOptions::default());
    assert!(holds);
    assert_eq!(verdict.witness.unwrap().end, LassoEnd::Cycle);
    assert_eq!(verdict.fault.unwrap().path.len(), 1);
    let (_, verdict) = ask(&model, "E[] not P.c", &LassoOptions::default());
    assert_eq!(verdict.witness, None);
    assert_eq!(verdict.fault.unwrap().path.len(), 1);
    let (_, verdict) = ask(&model, "P.b --> P.c", &LassoOptions::default());
    assert_eq!(verdict.witness, None);
    assert_eq!(verdict.fault.unwrap().path.len(), 1);
}

#[test]
fn a_witness_names_its_trigger() {
    let text = "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 2; }; } system P;";
    let (is_satisfied, verdict) = ask(&model(text), "P.b --> false", &LassoOptions::default());
    assert!(!is_satisfied);
    let lasso = verdict.witness.unwrap();
    assert_eq!(
        (lasso.trigger, lasso.prefix.len(), lasso.end),
        (Some(1), 1, LassoEnd::Endless)
    );
}
