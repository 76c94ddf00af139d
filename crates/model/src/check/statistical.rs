//! Statistical queries, typed.

use super::TypeChecker;
use crate::system::Value;
use crate::tree::statistical::{BoundAxis, Filter, Mitl, Path, RunBound, Sampled, Statistical};
use crate::tree::{Expr, ExprKind, QueryKind};
use crate::types::{Condition, Type};
use zonewalk_syntax::ast;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl TypeChecker<'_> {
    /// `None` after an error.
    pub(super) fn statistical(&mut self, query: &ast::Statistical) -> Option<Statistical> {
        Some(match query {
            ast::Statistical::Probability(sampled) => Statistical::Probability(self.sampled(sampled)?),
            ast::Statistical::Test {
                sampled,
                is_at_least,
                threshold,
                ..
            } => {
                if matches!(sampled.path, ast::Path::Until(..)) {
                    let message = "the probability of `p U q` is estimated, not tested";
                    self.error("until", sampled.bound.span, message);
                    return None;
                }
                self.forbid_runs(&sampled.bound, "a test");
                Statistical::Test {
                    sampled: self.sampled(sampled)?,
                    is_at_least: *is_at_least,
                    threshold: *threshold,
                }
            }
            ast::Statistical::Comparison(first, second) => {
                for side in [first, second] {
                    self.forbid_runs(&side.bound, "a comparison");
                    if matches!(side.path, ast::Path::Until(..)) {
                        let message = "probabilities of `p U q` are estimated, not compared";
                        self.error("until", side.bound.span, message);
                        return None;
                    }
                }
                let first = self.sampled(first)?;
                Statistical::Comparison(Box::new(first), Box::new(self.sampled(second)?))
            }
            ast::Statistical::Expectation {
                bound,
                is_maximum,
                expr,
            } => {
                let typed = self.run_bound(bound);
                let expr = self.quantity(expr);
                Statistical::Expectation {
                    bound: typed?,
                    is_maximum: *is_maximum,
                    expr,
                }
            }
            ast::Statistical::Simulation { bound, exprs, filter } => {
                let bound = self.run_bound(bound);
                let mut cells = Vec::new();
                for written in exprs {
                    let expr = self.expression(&written.expr);
                    cells.extend(self.cells(expr, written.text.clone()));
                }
                cells.iter().for_each(|(expr, _)| self.require_quantity(expr));
                let filter = filter.as_ref().map(|filter| Filter {
                    keep: filter.keep,
                    expr: self.predicate(&filter.expr, Condition::Constraint),
                });
                Statistical::Simulation {
                    bound: bound?,
                    exprs: cells,
                    filter,
                }
            }
            ast::Statistical::Mitl(formula) => Statistical::Mitl(self.mitl(formula)),
        })
    }

    fn forbid_runs(&mut self, bound: &ast::RunBound, what: &str) {
        if bound.runs.is_some() {
            self.report(
                Diagnostic::error(
                    "runs",
                    bound.span,
                    format!("{what} determines the number of runs itself"),
                )
                .help("leave out the number of runs"),
            );
        }
    }

    fn sampled(&mut self, sampled: &ast::Sampled) -> Option<Sampled> {
        let bound = self.run_bound(&sampled.bound);
        let path = match &sampled.path {
            ast::Path::Eventually(p) => Path::Eventually(self.predicate(p, Condition::Constraint)),
            ast::Path::Always(p) => Path::Always(self.predicate(p, Condition::Constraint)),
            ast::Path::Until(p, q) => {
                let p = self.predicate(p, Condition::Constraint);
                Path::Until(p, self.predicate(q, Condition::Constraint))
            }
        };
        Some(Sampled { bound: bound?, path })
    }

    fn run_bound(&mut self, bound: &ast::RunBound) -> Option<RunBound> {
        let axis = match &bound.axis {
            ast::BoundAxis::Time => BoundAxis::Time,
            ast::BoundAxis::Steps => BoundAxis::Steps,
            ast::BoundAxis::Clock(clock) => BoundAxis::Clock(self.bounding_clock(clock)?),
        };
        if bound.runs == Some(0) {
            self.report(
                Diagnostic::error("runs", bound.span, "zero runs show nothing")
                    .help("ask for at least one run"),
            );
            return None;
        }
        let limit = self.expression(&bound.limit);
        if matches!(limit.ty, Type::Error) {
            return None;
        }
        if !limit.ty.is_integral() {
            self.type_error(&limit, "a constant integer");
            return None;
        }
        if !self.require_pure(&limit, "a bound") || !self.require_computable(&limit) {
            return None;
        }
        let Value::Int(value) = self.evaluate(&limit)? else {
            return None;
        };
        if value < 0 {
            self.report(
                Diagnostic::error("bound", limit.span, format!("the bound {value} is negative"))
                    .help("runs begin at 0"),
            );
            return None;
        }
        Some(RunBound {
            axis,
            limit: value,
            runs: bound.runs,
            span: bound.span,
        })
    }

    /// A clock by its name.
    fn bounding_clock(&mut self, clock: &ast::Expr) -> Option<Expr> {
        let typed = self.expression(clock);
        let is_name = !matches!(typed.kind, ExprKind::Call(..) | ExprKind::Conditional(..));
        match &typed.ty {
            Type::Error => None,
            Type::Clock { .. } if is_name => Some(typed),
            _ => {
                self.report(
                    Diagnostic::error(
                        "bound",
                        typed.span,
                        "runs are bounded by a clock, and this is not one",
                    )
                    .help("write `<=T` for time, `#<=N` for steps, or `x<=N` for a clock x"),
                );
                None
            }
        }
    }

    /// Checks the level expression of importance splitting: the progress of a state towards the query's goal.
    pub(super) fn levels(
        &mut self,
        levels: &ast::Written,
        query: &QueryKind,
        at: Span,
    ) -> Option<(Expr, String)> {
        let is_split = matches!(query, QueryKind::Statistical(statistical)
            if matches!(&**statistical, Statistical::Probability(Sampled { path: Path::Eventually(_), .. })));
        if !is_split {
            self.report(
                Diagnostic::error("levels", at, "this query has no use for levels")
                    .help("--levels is for estimates of rare events, `Pr[bound](<> p)`, alone"),
            );
            return None;
        }
        let typed = self.expression(&levels.expr);
        if matches!(typed.ty, Type::Error) {
            return None;
        }
        let is_number = typed.ty.is_integral()
            || typed.ty.is_clock()
            || matches!(typed.ty, Type::Double | Type::Difference | Type::Rate);
        if !is_number {
            self.type_error(&typed, "an integer, a clock or a floating-point number");
            return None;
        }
        self.require_pure(&typed, "a level")
            .then_some((typed, levels.text.clone()))
    }

    /// Checks the quantity of an expected value.
    fn quantity(&mut self, expr: &ast::Expr) -> Expr {
        let typed = self.expression(expr);
        self.require_quantity(&typed);
        typed
    }

    /// Complains about what is neither a number nor a condition, or has effects.
    fn require_quantity(&mut self, typed: &Expr) {
        let is_number = typed.ty.is_integral()
            || typed.ty.is_clock()
            || matches!(typed.ty, Type::Double | Type::Difference | Type::Rate);
        let is_condition = matches!(&typed.ty, Type::Condition(kind)
            if !matches!(kind, Condition::Formula | Condition::InvariantWithRates));
        if matches!(typed.ty, Type::Array(_) | Type::Struct(_)) {
            self.report(
                Diagnostic::error("type", typed.span, "this is not a single value")
                    .help("name an element or a field of it"),
            );
        } else if !is_number && !is_condition {
            self.type_error(
                typed,
                "an integer, a clock, a floating-point number or a condition",
            );
        } else {
            self.require_pure(typed, "a query");
        }
    }

    fn mitl(&mut self, formula: &ast::Mitl) -> Mitl {
        let all = |checker: &mut Self, list: &[ast::Mitl]| list.iter().map(|m| checker.mitl(m)).collect();
        match formula {
            ast::Mitl::Atom(p) => Mitl::Atom(self.predicate(p, Condition::Constraint)),
            ast::Mitl::And(list) => Mitl::And(all(self, list)),
            ast::Mitl::Or(list) => Mitl::Or(all(self, list)),
            ast::Mitl::Next(m) => Mitl::Next(Box::new(self.mitl(m))),
            ast::Mitl::Eventually(times, m) => Mitl::Eventually(*times, Box::new(self.mitl(m))),
            ast::Mitl::Always(times, m) => Mitl::Always(*times, Box::new(self.mitl(m))),
            ast::Mitl::Until(p, times, q) => {
                let p = self.mitl(p);
                Mitl::Until(Box::new(p), *times, Box::new(self.mitl(q)))
            }
            ast::Mitl::Release(p, times, q) => {
                let p = self.mitl(p);
                Mitl::Release(Box::new(p), *times, Box::new(self.mitl(q)))
            }
        }
    }
}
