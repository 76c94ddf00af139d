//! Small models and what walks make of them.

// Each target takes what it needs.
#![allow(dead_code)]

pub(crate) mod replay;
pub(crate) mod walks;

use std::ops::Range;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model, QueryKind};
use zonewalk_model::{check, instance};
use zonewalk_network::{Network, NetworkBuilder, Predicate};
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::xta;
use zonewalk_walk::explore::Options;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::search::{Control, Limits, WalkOutcome, WalkReport, search};

/// A model in the textual format.
pub(crate) fn model(text: &str) -> Model {
    xta(text).model
}

/// How many of so many single walks, each with a seed of its own, reach the goal of a query.
pub(crate) fn hits(text: &str, query: &str, options: &Options, walks: u64) -> u64 {
    hits_of_walk(0, text, query, options, walks)
}

/// Hits of walks that begin with another number.
pub(crate) fn hits_of_walk(number: u64, text: &str, query: &str, options: &Options, walks: u64) -> u64 {
    let mut hits = 0;
    searched(text, query, |plan, goal| {
        for seed in 0..walks {
            let report = walk(plan, goal, &Options { seed, ..*options }, number..number + 1);
            hits += u64::from(matches!(report.outcome, WalkOutcome::Found(_)));
        }
    });
    hits
}

/// Report of a number of walks about a query.
pub(crate) fn report(text: &str, query: &str, options: &Options, walks: u64) -> WalkReport {
    let mut report = None;
    searched(text, query, |plan, goal| {
        report = Some(walk(plan, goal, options, 0..walks));
    });
    report.unwrap()
}

/// Report of the walk with this number about a query.
pub(crate) fn report_of_walk(number: u64, text: &str, query: &str, options: &Options) -> WalkReport {
    let mut report = None;
    searched(text, query, |plan, goal| {
        report = Some(walk(plan, goal, options, number..number + 1));
    });
    report.unwrap()
}

fn walk(plan: &WalkPlan<'_>, goal: &WalkGoal, options: &Options, numbers: Range<u64>) -> WalkReport {
    let limits = Limits {
        first_walk: numbers.start,
        max_walks: Some(numbers.end),
        ..Limits::default()
    };
    search(plan, goal, options, 1, &limits, &Control::default())
}

/// Looks at a goal in the plan of its model.
pub(crate) fn searched(text: &str, query: &str, look: impl FnOnce(&WalkPlan<'_>, &WalkGoal)) {
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let (network, predicate, _) = compiled(&model, &system, query);
    let plan = WalkPlan::new(&network);
    let goal = WalkGoal::new(&plan, &predicate, true);
    look(&plan, &goal);
}

/// The network of a model with what a query asks of states: compiled, and as an expression.
pub(crate) fn compiled(model: &Model, system: &System, query: &str) -> (Network, Predicate, Expr) {
    let entry = read::read_formula("query", query, &mut SourceMap::new());
    let query = check::queries(model, &[entry]).remove(0).unwrap();
    let QueryKind::Reachable(expr) = query.kind else {
        panic!("not a reachability query")
    };
    let mut builder = NetworkBuilder::new(model, system).unwrap();
    let predicate = builder.predicate(query.slots, &expr).unwrap();
    (builder.finish(), predicate, expr)
}
