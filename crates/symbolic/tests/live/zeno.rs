//! Runs on which time stands still, with and without them.

use super::support::{ask, compiled, judge, model, query};
use zonewalk_model::instance;
use zonewalk_network::Network;
use zonewalk_reference::rational::Rational;
use zonewalk_symbolic::lasso::{LassoEnd, LassoOptions, search};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::zeno::is_structurally_non_zeno;

const NON_ZENO: bool = true;

fn holds(text: &str, query: &str, non_zeno: bool) -> bool {
    let options = LassoOptions {
        non_zeno,
        ..LassoOptions::default()
    };
    ask(&model(text), query, &options).0
}

fn is_structural(text: &str) -> bool {
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let network = Network::compile(&model, &system).unwrap();
    is_structurally_non_zeno(&ZonePlan::new(&network).unwrap())
}

/// Steps on the spot in `a` for as long as it likes, but not beyond 5.
const SPOT: &str =
    "clock x; process P() { state a { x <= 5 }, b; init a; trans a -> a { }, a -> b { }; } system P;";

#[test]
fn a_zeno_loop_does_not_count() {
    assert!(!holds(SPOT, "A<> P.b", !NON_ZENO));
    assert!(holds(SPOT, "A<> P.b", NON_ZENO));
    assert!(!holds(SPOT, "E[] P.a", NON_ZENO));
    assert!(!holds(SPOT, "P.a --> P.b", !NON_ZENO));
    assert!(holds(SPOT, "P.a --> P.b", NON_ZENO));
    assert!(!is_structural(SPOT));
}

#[test]
fn time_may_pass_on_a_loop_that_need_not_take_any() {
    // The loop sets the clock back, so that it can be repeated slowly.
    let text = SPOT.replace("a -> a { }", "a -> a { assign x = 0; }");
    assert!(!holds(&text, "A<> P.b", NON_ZENO));
    // But not when φ keeps the clock at 0.
    assert!(holds(&text, "A<> (P.b || x > 0)", NON_ZENO));
    assert!(!holds(&text, "A<> (P.b || x > 0)", !NON_ZENO));
    // Rounds of any length but 0 may be as long as one likes.
    let slow = SPOT.replace("a -> a { }", "a -> a { guard x > 0; assign x = 0; }");
    assert!(!holds(&slow, "A<> P.b", NON_ZENO));
    // Rounds of less than a unit also add up, if they do not become ever shorter.
    assert!(!holds(&slow, "A<> (P.b || x >= 1)", NON_ZENO));
    assert!(!is_structural(&text) && !is_structural(&slow));
}

#[test]
fn a_round_of_a_witness_takes_time() {
    let text = "clock x; process P() { state a { x <= 5 }, b; init a; trans a -> a { assign x = 0; }, a -> b { }; } system P;";
    let model = model(text);
    let query = query(&model, "A<> P.b").unwrap();
    let system = instance::instantiate(&model).unwrap();
    let (network, asked) = compiled(&model, &system, &query).unwrap();
    let plan = ZonePlan::new(&network).unwrap();
    let options = LassoOptions {
        non_zeno: true,
        ..LassoOptions::default()
    };
    let verdict = search(&plan, &asked.question, &options);
    assert!(verdict.is_ticking);
    let lasso = verdict.witness.unwrap();
    assert_eq!(lasso.end, LassoEnd::Cycle);
    let duration = |rounds| judge(&model, &system, &plan, &asked, &lasso, rounds).unwrap();
    let more = duration(12).minus(duration(2)).unwrap();
    assert!(more >= Rational::new(10, 1).unwrap());
}

#[test]
fn time_locks_and_endless_delays() {
    let lock =
        "clock x; process P() { state a { x <= 5 }, b; init a; trans a -> b { guard x >= 6; }; } system P;";
    assert!(!holds(lock, "A<> P.b", !NON_ZENO));
    assert!(holds(lock, "A<> P.b", NON_ZENO));
    let idle = "clock x; process P() { state a, b; init a; trans a -> b { guard x >= 6; }; } system P;";
    assert!(!holds(idle, "A<> P.b", NON_ZENO));
}

#[test]
fn committed_loops_take_no_time() {
    let text = "int[0,1] v; process P() { state a, b; commit a, b; init a;
        trans a -> b { assign v = 1; }, b -> a { assign v = 0; }; } system P;";
    assert!(!holds(text, "A<> false", !NON_ZENO));
    assert!(holds(text, "A<> false", NON_ZENO));
}

#[test]
fn the_structural_test() {
    let good = "clock x; process P() { state a { x <= 5 }, b; init a;
        trans a -> b { guard x >= 1; assign x = 0; }, b -> a { }; } system P;";
    assert!(is_structural(good));
    // x >= 0, x > 0 and a value that is no 0 do not do.
    assert!(!is_structural(&good.replace("x >= 1", "x > 0")));
    assert!(!is_structural(&good.replace("x = 0", "x = 2")));
    assert!(!is_structural(&good.replace("assign x = 0;", "")));
    // Another process may set the clock ahead.
    let ahead = good.replace(
        "system P;",
        "process Q() { state c, d; init c; trans c -> d { assign x = 7; }; } system P, Q;",
    );
    assert!(!is_structural(&ahead));
    // A receiver goes along with any sender.
    let along = "clock x; chan go; process P() { state a; init a;
        trans a -> a { guard x == 3; sync go!; assign x = 0; }; }
        process Q() { state c; init c; trans c -> c { sync go?; }; } system P, Q;";
    assert!(is_structural(along));
    assert!(!is_structural(
        &along.replace("sync go!;", "").replace("sync go?;", "")
    ));
    // A bound in a variable whose range begins at 1, a reset in a function.
    let indirect = "clock x; int[1,4] n = 2; void back() { x = 0; }
        process P() { state a; init a; trans a -> a { guard x >= n; assign back(); }; } system P;";
    assert!(is_structural(indirect));
    assert!(!is_structural(&indirect.replace("int[1,4]", "int[0,4]")));
}

/// Where the structural test holds no clock is added, and both searches agree.
#[test]
fn a_structurally_non_zeno_model_needs_no_clock() {
    let text = "clock x; process P() { state a { x <= 5 }, b { x <= 5 }, c; init a;
        trans a -> b { guard x >= 1; assign x = 0; }, b -> a { }, b -> c { guard x >= 5; }; } system P;";
    for non_zeno in [false, true] {
        let options = LassoOptions {
            non_zeno,
            ..LassoOptions::default()
        };
        let (is_satisfied, verdict) = ask(&model(text), "A<> P.c", &options);
        assert!(!is_satisfied && !verdict.is_ticking);
    }
}

/// A cycle that is closed only by the second search: the way back from the tick leads through states that are left already.
#[test]
fn a_cycle_through_states_that_were_left() {
    let text = "clock x; int[0,3] v; process P() { state a, b, c, d; commit a, b, d; init a;
        trans a -> b { }, a -> c { assign x = 0; }, b -> d { }, d -> a { guard v == 3; }, d -> a { guard v < 3; assign v++; },
              c -> b { guard x >= 1 && x <= 2; }; }
        system P;";
    assert!(!holds(text, "A<> false", NON_ZENO));
    let fast = text.replace("x >= 1 && x <= 2", "x <= 0");
    // In c time may pass forever; without that nothing takes time.
    assert!(!holds(&fast, "A<> false", NON_ZENO));
    assert!(holds(&fast, "A<> (P.c && x > 0)", NON_ZENO));
}
