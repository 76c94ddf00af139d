//! Small models, and what many runs of them come to.

#![allow(dead_code)] // Not every test asks for everything.

use std::ops::ControlFlow;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, ExprKind, Model, QueryKind};
use zonewalk_model::{check, instance};
use zonewalk_sampling::{Bound, ConditionId, Ended, ExpressionId, Monitor, Piece, RunError, Sampler};
use zonewalk_stochastic::{Options, Runner, StochasticPlan};
use zonewalk_syntax::read::{self, Format};
use zonewalk_syntax::source::SourceMap;

pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) system: System,
    pub(crate) conditions: Vec<Expr>,
    pub(crate) expressions: Vec<Expr>,
}

/// A model in the textual format, with conditions and with expressions of numbers.
pub(crate) fn load(text: &str, conditions: &[&str], expressions: &[&str]) -> Loaded {
    let mut sources = SourceMap::new();
    let (document, read) = read::read_model("oracle.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    let document = document.unwrap_or_else(|| panic!("{read:?}"));
    assert!(!read.has_errors(), "{read:?}");
    let typed = |texts: Vec<String>, sources: &mut SourceMap| -> Vec<_> {
        let formula = |t: &String| read::read_formula("query", t, sources);
        texts.iter().map(formula).collect()
    };
    let asked = typed(
        conditions.iter().map(|c| format!("E<> {c}")).collect(),
        &mut sources,
    );
    let valued = typed(
        expressions.iter().map(|e| format!("E<> ({e}) >= 0")).collect(),
        &mut sources,
    );
    let (model, diagnostics) = check::check(sources, &document, &[]);
    let model = model.unwrap_or_else(|_| panic!("{diagnostics:?}"));
    let system = instance::instantiate(&model).expect("a system");
    let predicates = |entries: &[zonewalk_syntax::ast::QueryEntry]| -> Vec<Expr> {
        let queries = check::queries(&model, entries);
        queries
            .into_iter()
            .map(|query| match query.expect("a query").kind {
                QueryKind::Reachable(p) => p,
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let conditions = predicates(&asked);
    let left = |e: Expr| match e.kind {
        ExprKind::Compare(_, a, _) | ExprKind::CompareClocks(_, a, _) => *a,
        other => panic!("{other:?}"),
    };
    let expressions = predicates(&valued).into_iter().map(left).collect();
    Loaded {
        model,
        system,
        conditions,
        expressions,
    }
}

impl Loaded {
    pub(crate) fn plan(&self, options: Options) -> StochasticPlan {
        let conditions: Vec<&Expr> = self.conditions.iter().collect();
        let expressions: Vec<&Expr> = self.expressions.iter().collect();
        StochasticPlan::new(&self.model, &self.system, &conditions, &expressions, options).expect("a plan")
    }
}

/// The first instant at which the first condition holds.
#[derive(Default)]
pub(crate) struct Reaches {
    pub(crate) at: Option<f64>,
    windows: Vec<(f64, f64)>,
}

impl Monitor for Reaches {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.windows.clear();
        piece.holds(ConditionId(0), &mut self.windows)?;
        if let Some((from, _)) = self.windows.first() {
            self.at = Some(*from);
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The largest value of the first expression.
pub(crate) struct Largest {
    pub(crate) value: f64,
    pub(crate) last: f64,
    points: Vec<(f64, f64)>,
}

impl Default for Largest {
    fn default() -> Largest {
        Largest {
            value: f64::NEG_INFINITY,
            last: f64::NAN,
            points: Vec::new(),
        }
    }
}

impl Monitor for Largest {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.points.clear();
        piece.values(ExpressionId(0), &mut self.points)?;
        for (_, value) in &self.points {
            self.value = self.value.max(*value);
            self.last = *value;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Counts the runs that reach a condition within a bound.
pub(crate) fn hits(text: &str, condition: &str, bound: Bound, runs: u64) -> u64 {
    hits_with(text, condition, &[], bound, runs)
}

pub(crate) fn hits_with(text: &str, condition: &str, expressions: &[&str], bound: Bound, runs: u64) -> u64 {
    let loaded = load(text, &[condition], expressions);
    let plan = loaded.plan(Options::default());
    let mut runner = Runner::new(&plan);
    let hit = |run: u64| {
        let mut monitor = Reaches::default();
        let ended = runner.run(42, run, &bound, &mut monitor);
        let ended = ended.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(monitor.at.is_some(), ended == Ended::Decided);
        u64::from(monitor.at.is_some())
    };
    (0..runs).map(hit).sum()
}

/// Asserts that a share of runs is as probable as it should be, within 4.5 standard errors.
pub(crate) fn assert_probability(text: &str, condition: &str, bound: Bound, exact: f64) {
    assert_probability_with(text, condition, &[], bound, exact);
}

pub(crate) fn assert_probability_with(
    text: &str,
    condition: &str,
    expressions: &[&str],
    bound: Bound,
    exact: f64,
) {
    const RUNS: u64 = 100_000;
    let share = hits_with(text, condition, expressions, bound, RUNS) as f64 / RUNS as f64;
    let error = (exact * (1.0 - exact) / RUNS as f64).sqrt();
    assert!(
        (share - exact).abs() <= 4.5 * error,
        "{condition}: {share} instead of {exact}, {} standard errors",
        (share - exact).abs() / error
    );
}

/// The largest values of an expression in so many runs.
pub(crate) fn largest(text: &str, expression: &str, bound: Bound, runs: u64) -> Vec<f64> {
    let loaded = load(text, &[], &[expression]);
    let plan = loaded.plan(Options::default());
    let mut runner = Runner::new(&plan);
    let value = |run: u64| {
        let mut monitor = Largest::default();
        let ended = runner.run(7, run, &bound, &mut monitor);
        ended.unwrap_or_else(|error| panic!("{error}"));
        monitor.value
    };
    (0..runs).map(value).collect()
}

/// Ending of one run.
pub(crate) fn outcome(text: &str, bound: Bound) -> Result<Ended, RunError> {
    let loaded = load(text, &["false"], &[]);
    let plan = loaded.plan(Options::default());
    Runner::new(&plan).run(1, 0, &bound, &mut Reaches::default())
}
