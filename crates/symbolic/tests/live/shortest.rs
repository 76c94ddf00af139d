//! Shortest maximal runs of small models.

use super::support::{ask, model, shortest, unproved};
use zonewalk_search::{Limit, Limits};
use zonewalk_symbolic::lasso::{LassoEnd, LassoOptions, Unproved};

/// The length of the prefix and of the cycle of a shortest witness.
fn lengths(text: &str, query: &str) -> (usize, usize) {
    let lasso = shortest(&model(text), query, &LassoOptions::default()).unwrap();
    assert_eq!(lasso.end == LassoEnd::Cycle, !lasso.cycle.is_empty());
    (lasso.prefix.len(), lasso.cycle.len())
}

/// Depth first the ring is gone round before the two states beside it are met.
#[test]
fn a_short_cycle_beside_a_long_one() {
    let text = "clock x; process P() { state a { x <= 1 }, b { x <= 1 }, c { x <= 1 }, d { x <= 1 }, e { x <= 1 }, g;
        init a; trans
        a -> b { guard x >= 1; assign x = 0; }, b -> c { guard x >= 1; assign x = 0; },
        c -> d { guard x >= 1; assign x = 0; }, d -> a { guard x >= 1; assign x = 0; },
        b -> e { guard x >= 1; assign x = 0; }, e -> b { guard x >= 1; assign x = 0; }; } system P;";
    let first = ask(&model(text), "A<> P.g", &LassoOptions::default()).1.witness;
    assert_eq!(first.map(|lasso| lasso.transitions()), Some(4));
    assert_eq!(lengths(text, "A<> P.g"), (1, 2));
}

/// Zones repeat only when `y` is beyond 100, the transition at once.
#[test]
fn rounds_until_zones_repeat_do_not_count() {
    let text = "clock x, y; process P() { state a { x <= 1 }, b; init a; trans
        a -> a { guard x >= 1; assign x = 0; }, a -> b { guard y > 100; }; } system P;";
    assert_eq!(lengths(text, "A<> P.b"), (0, 1));
}

/// The loop can be gone round three times, and every way out leads to a longer cycle.
#[test]
fn a_cycle_that_ends_some_time_does_not_count() {
    let text = "clock x, y; process P() { state a { y <= 1 }, b { y <= 1 }, c; init a; trans
        a -> a { guard y >= 1 && x <= 3; assign y = 0; },
        a -> b { guard y >= 1; assign y = 0; }, b -> a { guard y >= 1; assign y = 0; }; } system P;";
    assert_eq!(lengths(text, "A<> P.c"), (0, 2));
    // Where `x` is set back on it, it does.
    let endless = text.replace("x <= 3; assign y = 0", "x <= 3; assign y = 0, x = 0");
    assert_eq!(lengths(&endless, "A<> P.c"), (0, 1));
}

/// Depth first `v` is forgotten in `a`, and the cycle begins a round later than in the second state.
#[test]
fn all_variables_come_back() {
    let text = "clock x; int[0,3] v; process P() { state a { x <= 1 }, b { x <= 1 }; init a;
        trans a -> b { guard x == 1; assign x = 0, v = 2; }, b -> a { guard v == 2; assign x = 0; }; } system P;";
    assert_eq!(lengths(text, "A<> x > 1"), (1, 2));
}

#[test]
fn the_way_to_the_trigger_counts() {
    // There is a cycle behind one transition, but the run must begin in `c`, two transitions away.
    let text = "clock x; process P() { state a { x <= 1 }, b { x <= 1 }, c { x <= 1 }, d { x <= 1 }, e; init a; trans
        a -> d { guard x >= 1; assign x = 0; }, d -> c { guard x >= 1; assign x = 0; },
        a -> b { guard x >= 1; assign x = 0; }, b -> b { guard x >= 1; assign x = 0; },
        c -> a { guard x >= 1; assign x = 0; }; } system P;";
    assert_eq!(lengths(text, "P.c --> P.e"), (2, 3));
    // On the way round `d` would be passed.
    assert_eq!(lengths(text, "P.c --> P.d"), (4, 1));
    assert_eq!(lengths(text, "P.a --> P.e"), (1, 1));
    // While `x <= 1` holds in `a` the run may begin after a delay.
    assert_eq!(lengths(text, "(P.a && x >= 1) --> P.e"), (1, 1));
}

#[test]
fn the_end_of_a_run_may_be_nearer_than_a_cycle() {
    let text = "clock x; process P() { state a { x <= 1 }, b { x <= 1 }, c, d { x <= 1 }; init a; trans
        a -> b { guard x >= 1; assign x = 0; }, b -> a { guard x >= 1; assign x = 0; },
        a -> d { guard x >= 1; assign x = 0; }, d -> c { guard x >= 1; }; } system P;";
    let lasso = shortest(&model(text), "E[] !P.b", &LassoOptions::default()).unwrap();
    assert_eq!((lasso.end, lasso.transitions()), (LassoEnd::Endless, 2));
}

/// Without time the first cycle is shorter.
#[test]
fn where_time_must_pass_longer_cycles_count() {
    let text = "clock x; process P() { state a, b; init a; trans
        a -> a { guard x <= 0; }, a -> b { guard x <= 0; }, b -> a { guard x >= 1; assign x = 0; }; } system P;";
    let query = "E[] x <= 1";
    assert_eq!(lengths(text, query), (0, 1));
    let options = LassoOptions {
        non_zeno: true,
        ..LassoOptions::default()
    };
    let lasso = shortest(&model(text), query, &options).unwrap();
    assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (0, 2));
}

/// Interleavings of toggles that never come to an end in time: there are too many to try all of them, or to store them.
#[test]
fn a_limit_ends_it() {
    let text = "clock x; bool on[16]; int[0,90] n; process P() { state a { x <= 1 }; init a; trans
            a -> a { guard x >= 1 && n < 90; assign x = 0, n++; }, a -> a { guard x >= 1 && n == 90; assign x = 0; }; }
        process Q(const int[0,15] i) { state s; init s; trans s -> s { guard x == 0 && n < 90 && !on[i]; assign on[i] = true; }; }
        system P, Q;";
    let options = LassoOptions {
        limits: Limits {
            stored: Some(5000),
            ..Limits::default()
        },
        ..LassoOptions::default()
    };
    assert_eq!(
        unproved(&model(text), "E[] x <= 1", &options),
        Some(Unproved::Limit(Limit::States))
    );
}
