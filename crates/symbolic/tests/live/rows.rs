//! Queries about runs without end, decided on whole models.

use super::support::{Side, compiled, judge};
use std::time::{Duration, Instant};
use zonewalk_search::{Limits, Progress};
use zonewalk_symbolic::lasso::{LassoOptions, search};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_testkit::Loaded;

/// Answer of a search to a query.
pub(crate) enum Answer {
    /// Whether it is satisfied, and how that was found.
    Holds(bool, String),
    /// Why there is no answer.
    Open(String),
}

/// Decides a query by a search for maximal runs, within so many seconds or 3,000 states. What it finds is replayed.
pub(crate) fn decide(name: &str, loaded: &Loaded, text: &str, seconds: Option<u64>) -> Answer {
    let query = match loaded.query(text) {
        Ok(query) => query,
        Err(refused) => return Answer::Open(format!("query: {refused}")),
    };
    let (model, system) = (&loaded.model, &loaded.system);
    let (network, asked) = match compiled(model, system, &query) {
        Ok(made) => made,
        Err(error) => return Answer::Open(error),
    };
    let plan = ZonePlan::new(&network).unwrap();
    let start = Instant::now();
    let stop = |_: &Progress| seconds.is_some_and(|most| start.elapsed() > Duration::from_secs(most));
    let options = LassoOptions {
        limits: Limits {
            memory: Some(3 << 30),
            explored: seconds.is_none().then_some(3_000),
            stop: Some(&stop),
            ..Limits::default()
        },
        ..LassoOptions::default()
    };
    let verdict = search(&plan, &asked.question, &options);
    if let (Some(fault), None) = (&verdict.fault, &verdict.witness) {
        return Answer::Open(format!("fault: {:?}", fault.stop));
    }
    let statistics = format!(
        "{:.2?}, {} explored",
        start.elapsed(),
        verdict.statistics.states_explored
    );
    if let Some(limit) = verdict.limit {
        return Answer::Open(format!("{limit:?}, {statistics}"));
    }
    if let Some(lasso) = &verdict.witness {
        if plan.is_approximate() {
            return Answer::Open("stopwatches: a witness is a maybe".into());
        }
        if let Err(error) = judge(model, system, &plan, &asked, lasso, 2) {
            panic!("{name} {text}: {error}");
        }
        let shape = format!(
            "{statistics}, {} + {} {:?}",
            lasso.prefix.len(),
            lasso.cycle.len(),
            lasso.end
        );
        return Answer::Holds(asked.side == Side::Satisfies, shape);
    }
    Answer::Holds(asked.side == Side::Violates, statistics)
}
