//! Explores models with directed searches and prints what that took.
//!
//! `measure <states> <model> <state predicate> [search...]`, searches being `breadth`, `AStar-hL`, `Greedy-hU` and so on; all of
//! them if none is named.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};
use support::{Case, Space, all};
use zonewalk_heuristics::{Counters, Estimate, Estimator, GoalFormula, Heuristic, Order};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::Covering;

/// Adds up the time that estimates take.
struct Timed<H> {
    inner: H,
    spent: Duration,
}

impl<H: Heuristic> Heuristic for Timed<H> {
    fn estimate(&mut self, state: &ZoneState) -> Estimate {
        let start = Instant::now();
        let estimate = self.inner.estimate(state);
        self.spent += start.elapsed();
        estimate
    }
}

impl<H: Estimator> Estimator for Timed<H> {
    fn is_admissible(&self) -> bool {
        self.inner.is_admissible()
    }

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, most, model, query, wanted @ ..] = &arguments[..] else {
        println!("measure <states> <model> <state predicate> [search...]");
        return;
    };
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let most: usize = most.parse().unwrap();
    let case = Case::read(model, &std::fs::read(model).unwrap(), &[query]).unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    let goal = case.goal();
    let predicate = &case.predicates[0];
    let new_space = || Space::new(&case, &plan, predicate, true, Abstraction::LuPlus, true);
    if is_wanted("breadth") {
        let start = Instant::now();
        let (found, done) = new_space().breadth(Covering::Inclusion, most);
        println!(
            "{:20} {found:?}, {} explored, {} generated, {:.3} s",
            "breadth",
            done.states_explored,
            done.transitions,
            start.elapsed().as_secs_f64()
        );
    }
    let rows = all(&case.network, &goal).into_iter().flat_map(|h| {
        let is_admissible = h.is_admissible();
        [Order::AStar, Order::Greedy]
            .into_iter()
            .filter(move |&order| order == Order::Greedy || is_admissible)
            .map(move |order| (h.name(), order))
    });
    for (name, order) in rows {
        let title = format!("{order:?}-{name}");
        if !is_wanted(&title) {
            continue;
        }
        let goal = GoalFormula::new(&case.network, predicate, true);
        let inner = all(&case.network, &goal)
            .into_iter()
            .find(|h| h.name() == name)
            .unwrap();
        let mut timed = Timed {
            inner,
            spent: Duration::ZERO,
        };
        let first = case.first(&mut timed.inner);
        let start = Instant::now();
        let (found, done) = new_space().directed(&mut timed, order, Covering::Inclusion, most);
        let all = start.elapsed();
        let Counters {
            evaluations,
            cache_hits,
            ..
        } = timed.counters();
        let each = timed.spent.as_secs_f64() * 1e6 / (evaluations - cache_hits).max(1) as f64;
        let step = (all - timed.spent).as_secs_f64() * 1e6 / done.transitions.max(1) as f64;
        println!(
            "{:20} {found:?}, {} explored, {} generated, {} pruned, h0 {first:?}, {:.3} s, \
             {evaluations} estimates, {cache_hits} known, {each:.2} us each, {step:.2} us a successor",
            title,
            done.states_explored,
            done.transitions,
            done.left_out,
            all.as_secs_f64(),
        );
    }
}
