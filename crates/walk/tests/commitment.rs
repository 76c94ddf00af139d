//! COM: a process keeps to the edge and the instant that it has drawn in its location.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Distribution, Schedule};

fn options(heuristic: Heuristic, delays: Delays, max_steps: u32) -> Options {
    Options {
        schedule: Schedule::Tuned,
        heuristic,
        delays,
        seed: 0,
        max_steps: Some(max_steps),
        time_bound: None,
    }
}

fn half() -> Delays {
    Delays::Fixed(Distribution::new(50, 50).unwrap())
}

/// A job that takes 10 to 20 while a clock ticks beside it. An edge that is never enabled seems to set `x`, or else a walk would
/// end where `x` is too large for the goal.
const JOB: &str =
    "clock x, t; process P() { state A { x <= 20 }, B; commit B; init A; trans A -> B { guard x >= 10; }; }
    process T() { state A { t <= 1 }; init A;
        trans A -> A { guard t == 1; assign t = 0; }, A -> A { guard t > 1; assign x = 0; }; } system P, T;";

/// Four standard deviations of a binomial distribution with one half.
fn is_half(hits: u64, walks: u64) -> bool {
    (hits as f64 - walks as f64 / 2.0).abs() < 2.0 * (walks as f64).sqrt()
}

#[test]
fn what_others_do_does_not_change_an_instant() {
    let hits = |heuristic, query| support::hits(JOB, query, &options(heuristic, half(), 30), 1_000);
    for query in ["E<> P.B && x == 10", "E<> P.B && x == 20"] {
        let met = hits(Heuristic::Com, query);
        assert!(is_half(met, 1_000), "{query}: {met}");
    }
    // Drawn anew in each step, it is a race with eleven ticks.
    assert!(hits(Heuristic::Ret, "E<> P.B && x == 20") < 20);
}

/// A job that others interrupt: its window moves while its clock stands, and the choice with it.
#[test]
fn a_job_that_is_interrupted_keeps_its_execution_time() {
    let text = "clock t, work; bool runs = true;
        process P() { state A { work <= 20 && work' == runs }, B; commit B; init A;
            trans A -> B { guard runs && work >= 10; }; }
        process T() { state A { t <= 3 }, B { t <= 2 }; init A;
            trans A -> B { guard t == 3; assign t = 0, runs = false; },
                  B -> A { guard t == 2; assign t = 0, runs = true; }; } system P, T;";
    for (delays, query, expected) in [
        (half(), "E<> P.B && work == 10", 500),
        (half(), "E<> P.B && work == 20", 500),
        (Delays::Uniform, "E<> P.B && (work == 10 || work == 20)", 0),
    ] {
        let met = support::hits(text, query, &options(Heuristic::Com, delays, 60), 1_000);
        assert!(met.abs_diff(expected) < 64, "{query}: {met}");
    }
}

/// Each edge of a location is as likely as any other, and so is each partner of it, whatever else happens meanwhile.
#[test]
fn edges_and_partners_are_equally_likely() {
    let text = "clock x, t; chan c[2];
        process P() { state A { x <= 5 }, G, H; init A; trans A -> G { guard x == 5; sync c[0]!; }, A -> H { guard x == 5; sync c[1]!; }; }
        process Q(const int[0,1] i) { state A, B; init A; trans A -> B { sync c[i]?; }; }
        process T() { state A { t <= 1 }; init A; trans A -> A { guard t == 1; assign t = 0; }; }
        system P, Q, T;";
    let met = support::hits(
        text,
        "E<> P.G",
        &options(Heuristic::Com, Delays::Adaptive, 30),
        1_000,
    );
    assert!(is_half(met, 1_000), "{met}");
    let partners = "chan c; process P() { state A, B; commit A; init A; trans A -> B { sync c!; }; }
        process Q(const int[0,1] i) { state A, B; init A; trans A -> B { sync c?; }; } system P, Q;";
    let met = support::hits(
        partners,
        "E<> Q(1).B",
        &options(Heuristic::Com, Delays::Adaptive, 1),
        1_000,
    );
    assert!(is_half(met, 1_000), "{met}");
}

/// A process whose choice goes away for a while comes back to it.
#[test]
fn a_choice_outlives_a_time_without_it() {
    let text = "clock x, t; bool open = true;
        process P() { state A { x <= 9 }, G, H; init A;
            trans A -> G { guard open && x >= 9; }, A -> H { guard x >= 9; }; }
        process T() { state A { t <= 2 }; init A; trans A -> A { guard t == 2; assign t = 0, open = !open; }; }
        system P, T;";
    let met = support::hits(text, "E<> P.G", &options(Heuristic::Com, half(), 9), 1_000);
    assert!(is_half(met, 1_000), "{met}");
}

/// A process has its habit for all of a walk: in the second walk of a cycle processes take their time, and a fifth of them
/// hurries instead, always.
#[test]
fn processes_have_habits() {
    let text = "clock g; process P() { clock x; int[0,6] n = 0; state A { x <= 9 }; init A;
            trans A -> A { guard x >= 3; assign x = 0, n = n < 6 ? n + 1 : 6; },
                  A -> A { guard x > 9; assign g = 0; }; } system P;";
    let share = |query: &str| {
        let options = options(Heuristic::Com, Delays::Adaptive, 6);
        support::hits_of_walk(1, text, query, &options, 1_000)
    };
    // 0.2 of 0.9 to the power of 6, and the rest of it.
    let (hurried, patient) = (
        share("E<> P.n == 6 && g == 18"),
        share("E<> P.n == 6 && P.x == 0 && g == 54"),
    );
    assert!((70..145).contains(&hurried), "{hurried}");
    assert!((360..490).contains(&patient), "{patient}");
}

/// A process that can always do something at once does not keep the others from acting.
#[test]
fn loops_without_a_delay_give_way() {
    for text in [
        "chan c; process P() { state A; init A; trans A -> A { sync c!; }; }
         process R() { state A; init A; trans A -> A { sync c?; }; }
         process Q() { clock x; state A, B; init A; trans A -> B { guard x >= 7; }; } system P, R, Q;",
        // Here time stands until a process acts that wants to wait.
        "clock y; process P() { state A { y <= 0 }; init A; trans A -> A { guard y <= 0; assign y = 0; }; }
         process Q() { clock x; state A { x <= 9 }, B; init A; trans A -> B { }; } system P, Q;",
    ] {
        let late = Delays::Fixed(Distribution::new(10, 90).unwrap());
        let met = support::hits(text, "E<> Q.B", &options(Heuristic::Com, late, 200), 100);
        assert!(met > 90, "{met} {text}");
    }
}
