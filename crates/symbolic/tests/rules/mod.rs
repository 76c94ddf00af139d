//! A small model for every row of `semantics.md` that says what zones must do, with known answers.
//!
//! Every question is decided by every search order, store and abstraction, and what is reachable is repeated by the
//! interpreter.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod actions;
mod data;
mod errors;
mod queries;
mod sharing;
mod time;
mod urgency;

use crate::support::{Case, METHODS, Verdict, agreed, decide};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::Stop;

/// More than any model here needs.
const STATES: usize = 500;

/// Asserts which predicates are reachable.
#[track_caller]
fn check(model: &str, reachable: &[&str], unreachable: &[&str]) {
    let questions = [reachable, unreachable].concat();
    let case = Case::new(model, &questions).unwrap_or_else(|e| panic!("{e}"));
    let plan = ZonePlan::new(&case.network).unwrap();
    for (number, question) in case.questions.iter().enumerate() {
        let truth = agreed(&case, &plan, question, true, STATES).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(truth, Some(number < reachable.len()), "{}", question.text);
        // `A[] not p` looks for the same.
        let text = format!("not ({})", question.text);
        let negated = Case::new(model, &[&text]).unwrap();
        let plan = ZonePlan::new(&negated.network).unwrap();
        let truth = agreed(&negated, &plan, &negated.questions[0], false, STATES).unwrap();
        assert_eq!(truth, Some(number < reachable.len()), "A[] {text}");
    }
}

/// Error that every method stops with.
#[track_caller]
fn failure(model: &str, question: &str) -> Stop {
    let case = Case::new(model, &[question]).unwrap_or_else(|e| panic!("{e}"));
    let plan = match ZonePlan::new(&case.network) {
        Ok(plan) => plan,
        Err(stop) => return stop,
    };
    let stops: Vec<Stop> = METHODS
        .iter()
        .map(
            |&method| match decide(&case, &plan, &case.questions[0], true, method, STATES) {
                Verdict::Failed(stop) => stop,
                other => panic!("{method:?}: {other:?}"),
            },
        )
        .collect();
    assert!(stops.windows(2).all(|pair| pair[0] == pair[1]), "{stops:?}");
    stops[0]
}

/// One process `P` over locations `A`, `B`, `C` with clocks `x`, `y` and an integer `i`.
fn one(places: &str, edges: &str) -> String {
    format!(
        "clock x, y; int i; process P() {{ state {places}; init A; trans {edges}; }}
         system P;"
    )
}
