//! Guards that count their comparisons, and updates that become assignments when they have run often.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::hits;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};

const WALKS: u64 = 40;

/// Asserts that every walk reaches the goal: nothing in the model may end before.
fn always_reached(text: &str, query: &str, max_steps: u32) {
    for heuristic in [Heuristic::Ret, Heuristic::Sem, Heuristic::RlcA] {
        let options = Options {
            schedule: Schedule::Tuned,
            heuristic,
            delays: Delays::Adaptive,
            seed: 1,
            max_steps: Some(max_steps),
            time_bound: None,
        };
        assert_eq!(hits(text, query, &options, WALKS), WALKS, "{heuristic:?}");
    }
}

/// All flags go up and down again, in any order, and then the one who waits for that may go.
#[test]
fn a_counter_follows_every_change() {
    always_reached(
        "int[0,1] f[4]; int[0,2] n[4]; int w = 5;
         process P() { state A; init A;
           trans A -> A { select i : int[0,3]; guard n[i] < 2; assign f[i] = 1 - f[i], n[i]++; }; }
         process W() { state A, B; init A;
           trans A -> B { guard f[0] == 0 && n[0] == 2 && forall (i : int[1,3]) (f[i] == 0 && n[i] == 2) && w > 3 && w <= 5; }; }
         system P, W;",
        "E<> W.B",
        9,
    );
}

/// The sender writes what the receiver takes back, and the other way round: in the end some cells are as before, some not.
#[test]
fn a_counter_sees_the_first_value_and_the_last() {
    always_reached(
        "chan c; int a; int b = 1; int d; int k;
         process S() { state A; init A; trans A -> A { guard k < 3; sync c!; assign a = 5, b = 0, d = 7, k = k + 1; }; }
         process R() { state A; init A; trans A -> A { sync c?; assign a = 0, b = 1, d = k; }; }
         process W() { state A, B; init A; trans A -> B { guard a == 0 && b == 1 && d == 3 && k == 3; }; }
         process V() { state A, B; init A; trans A -> B { guard a == 5 && b == 1; }; }
         system S, R, W, V;",
        "E<> W.B && V.A && deadlock",
        9,
    );
}

/// Enough changes that their list is gone through in between, and some of them twice.
#[test]
fn counters_are_right_after_a_write_of_everything() {
    always_reached(
        "int a[20000]; int f[2]; int g; chan c;
         process S() { void fill() { int[0,20000] i = 0; while (i < 20000) { a[i] = a[i] + 7; i++; } i = 0;
             while (i < 20000) { a[i] = a[i] - 6; f[0] = 1 - f[0]; i++; } f[0] = 1 - f[0]; }
           state A; init A; trans A -> A { guard g < 3; sync c!; assign fill(); }; }
         process R() { state A; init A; trans A -> A { sync c?; assign f[1] = 1, g = g + 1; }; }
         process W() { state A, B; init A; trans A -> B { guard f[0] == 1 && f[1] == 1 && g == 3 && a[9] == 3 && a[19999] == 3; }; }
         process V() { state A, B; init A; trans A -> B { guard f[0] == 0 && f[1] == 0 && g == 1; }; }
         system S, R, W, V;",
        "E<> W.B && V.A && deadlock",
        9,
    );
}

/// A function works on records, over and over: copies, chains of assignments, elements, a clock.
#[test]
fn an_update_that_has_run_often_does_the_same() {
    always_reached(
        "typedef struct { int x; int y; bool z; } rec; rec s; rec t; int v; int q[3]; clock x;
         void swap(rec &a, rec &b) { rec h = a; a = b; b = h; }
         void reset(rec &a) { a.x = a.y = 0; a.z = false; }
         process P(const int id) {
           rec r;
           state A { x <= 2 }, B { x <= 2 }; init A;
           trans A -> B { guard x >= 1; assign s.x = s.x + 1, r = s, t = r, reset(r), q[id] = r.x, x = 0; },
                 B -> A { guard x >= 1; assign r.y = t.x, reset(s), s = t, v = s.x, reset(t), q[id] = 1, q[id - 1] = q[id] = 2, x = 0; }; }
         process W() { state A, B; init A;
           trans A -> B { guard v >= 150 && s.x == v && s.y == 0 && t.x == 0 && q[1] == 2 && q[0] == 2 && x < 1; }; }
         Q = P(1); system Q, W;",
        "E<> W.B",
        400,
    );
}
