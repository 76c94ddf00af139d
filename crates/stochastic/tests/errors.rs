//! Models that run into errors: which error, where and when.

mod support;

use support::{load, outcome};
use zonewalk_sampling::{Bound, Ended, RunErrorKind};
use zonewalk_stochastic::{Options, StochasticPlan};

fn error(text: &str) -> (RunErrorKind, String, String) {
    let error = outcome(text, Bound::Time(100.0)).expect_err("an error");
    // Position 0 is nowhere.
    let (start, end) = (error.span.start as usize, error.span.end as usize);
    let place = text[start.max(1) - 1..end.max(1) - 1].to_owned();
    (error.kind, error.message, place)
}

#[test]
fn a_time_lock_names_the_process() {
    let text =
        "process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { guard x >= 5; }; } system P;";
    let (kind, message, _) = error(text);
    assert_eq!(kind, RunErrorKind::TimeLock);
    assert_eq!(
        message,
        "time cannot pass and no process can move: P.A has an invariant that ends"
    );
    let run = outcome(text, Bound::Time(100.0)).expect_err("an error");
    assert_eq!((run.time, run.steps), (3.0, 0));
    // Before the bound nothing is wrong.
    assert_eq!(outcome(text, Bound::Time(2.0)), Ok(Ended::Bound));
    let committed = "process P() { state A, B; commit A; init A; trans A -> B { guard false; }; } system P;";
    assert_eq!(
        error(committed).1,
        "time cannot pass and no process can move: P.A is committed"
    );
    let urgent =
        "process P() { clock x; state A, B; urgent A; init A; trans A -> B { guard x > 1; }; } system P;";
    assert_eq!(
        error(urgent).1,
        "time cannot pass and no process can move: P.A is urgent"
    );
}

/// Another process may move when an invariant ends.
#[test]
fn an_invariant_may_end_by_another_process() {
    let text = "broadcast chan go; process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { sync go?; }; }
        process Q() { clock y; state A, B; init A; trans A -> B { guard y >= 3; sync go!; }; } system P, Q;";
    assert_eq!(outcome(text, Bound::Time(100.0)), Ok(Ended::Bound));
}

#[test]
fn a_run_without_divergence_ends() {
    let text = "process P() { state A; urgent A; init A; trans A -> A { }; } system P;";
    let (kind, message, _) = error(text);
    assert_eq!(kind, RunErrorKind::Zeno);
    assert!(
        message.starts_with("the run does not diverge: 1000000 transitions without time passing, in P.A")
    );
}

#[test]
fn numbers_that_are_none() {
    let text = "double d = 0.0; process P() { clock x; state A, B; init A; trans A -> B { guard x >= d / d; }; } system P;";
    let (kind, _, place) = error(text);
    assert_eq!((kind, place.as_str()), (RunErrorKind::Fault, "x >= d / d"));
    let text = "double d = 0.0; process P() { clock x; state A, B; init A; trans A -> B { guard x >= 1 / d; }; } system P;";
    assert_eq!(error(text).1, "a comparison with an infinite number (inf)");
    let text = "int[0,3] n = 3; process P() { state A; init A; trans A -> A { assign n++; }; } system P;";
    assert_eq!(error(text).1, "value 4 is outside int[0,3]");
}

#[test]
fn receivers_must_be_able_to_enter() {
    let text = "broadcast chan go; process P() { clock x; state A { x <= 3 }, B; init A; trans A -> B { guard x >= 2; sync go!; }; }
        process Q() { clock y; state A, B { y <= 1 }; init A; trans A -> B { sync go?; }; } system P, Q;";
    let (kind, message, _) = error(text);
    assert_eq!(kind, RunErrorKind::ReceiverInvariant);
    assert_eq!(message, "Q receives and would violate the invariant of B");
}

#[test]
fn weights_that_cannot_be() {
    let text = |first: &str, second: &str| {
        format!(
            "int n = -2; process P() {{ state L0 {{ ; 9 }}, A; branchpoint F; init L0;
                trans L0 -> F {{ }}, F -> A {{ probability {first}; }}, F -> L0 {{ probability {second}; }}; }} system P;"
        )
    };
    let (kind, message, _) = error(&text("0", "n + 2"));
    assert_eq!(kind, RunErrorKind::Weights);
    assert_eq!(message, "all branches of the edge have the weight 0");
    assert_eq!(error(&text("1", "n")).1, "a branch with the weight -2");
}

#[test]
fn two_rates_for_one_clock() {
    let text = "clock t; process P() { state A { t' == 2 }; init A; } process Q() { state A { t' == 3 }; init A; } system P, Q;";
    assert_eq!(error(text).0, RunErrorKind::Rates);
}

#[test]
fn a_rate_of_zero_never_moves() {
    let text = "process P() { state A { ; 0 }, B; init A; trans A -> B { }; } system P;";
    assert_eq!(outcome(text, Bound::Time(1e6)), Ok(Ended::Bound));
    assert_eq!(outcome(text, Bound::Steps(5)), Ok(Ended::Deadlock));
}

#[test]
fn what_is_not_stochastic_is_refused_by_name() {
    let refused = |text: &str| {
        let loaded = load(text, &[], &[]);
        let plan = StochasticPlan::new(&loaded.model, &loaded.system, &[], &[], Options::default());
        plan.map(drop).expect_err("an error").construct
    };
    assert_eq!(
        refused("chan c; process P() { state A; init A; trans A -> A { sync c!; }; } system P;"),
        "handshakes: channels that are not `broadcast`"
    );
    assert_eq!(
        refused("broadcast chan c; chan priority c < default; process P() { state A; init A; } system P;"),
        "channel priorities"
    );
    assert_eq!(
        refused("process P() { clock x; state A; init A; trans A -> A { guard x < random(3); }; } system P;"),
        "a random number outside of updates and weights"
    );
}
