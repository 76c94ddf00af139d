//! A statistical query in terms of conditions, expressions and bounds.

use zonewalk_model::tree::Expr;
use zonewalk_model::tree::statistical::{BoundAxis, Mitl, Path, RunBound, Sampled, Statistical, Times};
use zonewalk_model::types::Type;
use zonewalk_network::{Measure, Predicate};
use zonewalk_sampling::{Bound, ConditionId, ExpressionId};
use zonewalk_statistics::monitor::{Formula, Observed};
use zonewalk_syntax::span::Span;

/// Runs of formulas with `X` wait so long for the next transition.
const LONGEST: f64 = 1e9;

/// A statistical query.
pub(crate) struct Sampling<'m> {
    pub(crate) question: StatisticalQuestion<'m>,
    /// Compiled for walks; `None` where only doubles can compute what it asks.
    pub(crate) exact: Option<Exact>,
    /// Options that the file records for the query.
    pub(crate) recorded: &'m [(String, String)],
}

/// Predicates and measures that walks look at.
pub(crate) struct Exact {
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) measures: Vec<Measure>,
}

/// Statistical query as a question about runs, by the numbers of conditions and expressions.
pub(crate) struct StatisticalQuestion<'m> {
    pub(crate) form: Form<'m>,
    /// Conditions, and the truth value that is looked for.
    pub(crate) conditions: Vec<(&'m Expr, bool)>,
    pub(crate) expressions: Vec<&'m Expr>,
}

pub(crate) enum Form<'m> {
    Probability(Side),
    Test {
        side: Side,
        threshold: f64,
    },
    Comparison(Side, Side),
    /// A probability, by importance splitting.
    Splitting {
        side: Side,
        goal: ConditionId,
        levels: Levels<'m>,
    },
    Expectation {
        bound: Bound,
        over: String,
        /// As the query says.
        runs: Option<u64>,
        is_maximum: bool,
        observed: Observed,
    },
    Simulation {
        bound: Bound,
        over: String,
        runs: u64,
        curves: Vec<(Observed, &'m str)>,
        filter: Option<(ConditionId, Option<u64>)>,
    },
}

/// How far states are on their way to the goal.
pub(crate) struct Levels<'m> {
    pub(crate) expression: ExpressionId,
    pub(crate) text: &'m str,
    pub(crate) span: Span,
}

/// Runs, and when one counts.
pub(crate) struct Side {
    pub(crate) bound: Bound,
    pub(crate) over: String,
    pub(crate) runs: Option<u64>,
    pub(crate) formula: PathFormula,
    /// It counts when what is asked does not hold.
    pub(crate) is_negated: bool,
    /// How it is written: `<>`, `[]`, `U`, or nothing for formulas with times.
    pub(crate) path: &'static str,
}

/// Question about a single run.
pub(crate) enum PathFormula {
    Reach(ConditionId),
    Until(ConditionId, ConditionId),
    Formula(Formula),
}

impl<'m> StatisticalQuestion<'m> {
    /// `levels` is the expression for importance splitting with its text. Requires: then the query is `Pr[…](<> p)`.
    pub(crate) fn new(query: &'m Statistical, levels: Option<&'m (Expr, String)>) -> StatisticalQuestion<'m> {
        let mut builder = QuestionBuilder {
            conditions: Vec::new(),
            expressions: Vec::new(),
        };
        let mut form = builder.form(query);
        if let Some((expr, text)) = levels
            && let Form::Probability(side) = form
        {
            form = match side.formula {
                PathFormula::Reach(goal) if !side.is_negated => Form::Splitting {
                    side,
                    goal,
                    levels: Levels {
                        expression: builder.expression(expr),
                        text,
                        span: expr.span,
                    },
                },
                _ => Form::Probability(side),
            };
        }
        StatisticalQuestion {
            form,
            conditions: builder.conditions,
            expressions: builder.expressions,
        }
    }
}

struct QuestionBuilder<'m> {
    conditions: Vec<(&'m Expr, bool)>,
    expressions: Vec<&'m Expr>,
}

impl<'m> QuestionBuilder<'m> {
    fn form(&mut self, query: &'m Statistical) -> Form<'m> {
        match query {
            Statistical::Probability(sampled) => Form::Probability(self.side(sampled)),
            Statistical::Test {
                sampled,
                is_at_least,
                threshold,
            } => {
                let mut side = self.side(sampled);
                // `<> p` with probability p at most is `[] !p` with probability 1-p at least.
                side.is_negated ^= !is_at_least;
                Form::Test {
                    side,
                    threshold: if *is_at_least { *threshold } else { 1.0 - threshold },
                }
            }
            Statistical::Comparison(first, second) => {
                let first = self.side(first);
                Form::Comparison(first, self.side(second))
            }
            Statistical::Expectation {
                bound,
                is_maximum,
                expr,
            } => {
                let runs = bound.runs;
                let (bound, over) = self.bound(bound);
                Form::Expectation {
                    bound,
                    over,
                    runs,
                    is_maximum: *is_maximum,
                    observed: self.observed(expr),
                }
            }
            Statistical::Simulation { bound, exprs, filter } => {
                let runs = bound.runs.unwrap_or(1);
                let (bound, over) = self.bound(bound);
                Form::Simulation {
                    bound,
                    over,
                    runs,
                    curves: exprs
                        .iter()
                        .map(|(e, text)| (self.observed(e), text.as_str()))
                        .collect(),
                    filter: filter.as_ref().map(|f| (self.condition(&f.expr, true), f.keep)),
                }
            }
            Statistical::Mitl(formula) => {
                let formula = self.formula(formula);
                Form::Probability(Side {
                    bound: Bound::Time(formula.horizon().unwrap_or(LONGEST)),
                    over: "time".to_owned(),
                    runs: None,
                    formula: PathFormula::Formula(formula),
                    is_negated: false,
                    path: "",
                })
            }
        }
    }

    fn condition(&mut self, expr: &'m Expr, truth: bool) -> ConditionId {
        self.conditions.push((expr, truth));
        ConditionId(self.conditions.len() - 1)
    }

    fn expression(&mut self, expr: &'m Expr) -> ExpressionId {
        self.expressions.push(expr);
        ExpressionId(self.expressions.len() - 1)
    }

    fn observed(&mut self, expr: &'m Expr) -> Observed {
        match expr.ty {
            Type::Condition(_) => Observed::Truth(self.condition(expr, true)),
            _ => Observed::Value(self.expression(expr)),
        }
    }

    fn bound(&mut self, bound: &'m RunBound) -> (Bound, String) {
        let limit = f64::from(bound.limit);
        match &bound.axis {
            BoundAxis::Time => (Bound::Time(limit), "time".to_owned()),
            // It is not negative.
            BoundAxis::Steps => (Bound::Steps(bound.limit as u64), "steps".to_owned()),
            BoundAxis::Clock(clock) => (
                Bound::Clock {
                    clock: self.expression(clock),
                    limit,
                },
                "clock".to_owned(),
            ),
        }
    }

    fn side(&mut self, sampled: &'m Sampled) -> Side {
        let (formula, is_negated, path) = match &sampled.path {
            Path::Eventually(p) => (PathFormula::Reach(self.condition(p, true)), false, "<>"),
            Path::Always(p) => (PathFormula::Reach(self.condition(p, false)), true, "[]"),
            Path::Until(p, q) => {
                let p = self.condition(p, true);
                (PathFormula::Until(p, self.condition(q, true)), false, "U")
            }
        };
        let (bound, over) = self.bound(&sampled.bound);
        Side {
            bound,
            over,
            runs: sampled.bound.runs,
            formula,
            is_negated,
            path,
        }
    }

    fn formula(&mut self, formula: &'m Mitl) -> Formula {
        let times = |times: &Times| (times.from as f64, times.to as f64);
        match formula {
            Mitl::Atom(expr) => Formula::Atom(self.condition(expr, true)),
            Mitl::And(all) => Formula::And(all.iter().map(|m| self.formula(m)).collect()),
            Mitl::Or(any) => Formula::Or(any.iter().map(|m| self.formula(m)).collect()),
            Mitl::Next(m) => Formula::Next(Box::new(self.formula(m))),
            Mitl::Eventually(when, m) => {
                Formula::Until(Box::new(Formula::True), times(when), Box::new(self.formula(m)))
            }
            Mitl::Always(when, m) => {
                Formula::Release(Box::new(Formula::False), times(when), Box::new(self.formula(m)))
            }
            Mitl::Until(p, when, q) => {
                let p = self.formula(p);
                Formula::Until(Box::new(p), times(when), Box::new(self.formula(q)))
            }
            Mitl::Release(p, when, q) => {
                let p = self.formula(p);
                Formula::Release(Box::new(p), times(when), Box::new(self.formula(q)))
            }
        }
    }
}
