//! Queries about probabilities and expected values, typed.

use super::Expr;
use zonewalk_syntax::ast;
pub use zonewalk_syntax::ast::Times;
use zonewalk_syntax::span::Span;

/// A statistical query.
#[derive(Clone, Debug)]
pub enum Statistical {
    /// `Pr[<=T](<> p)`
    Probability(Sampled),
    /// `Pr[<=T](<> p) >= 0.9`
    Test {
        /// The runs and what is asked of each.
        sampled: Sampled,
        /// `>=` rather than `<=`.
        is_at_least: bool,
        /// The number on the right.
        threshold: f64,
    },
    /// `Pr[<=T](<> p) >= Pr[<=T](<> q)`
    Comparison(Box<Sampled>, Box<Sampled>),
    /// `E[<=T; N](max: e)`
    Expectation {
        /// The runs; how many there are may be said elsewhere.
        bound: RunBound,
        /// `max` rather than `min`.
        is_maximum: bool,
        /// The expression.
        expr: Expr,
    },
    /// `simulate [<=T; N] { e, f } : K : p`
    Simulation {
        /// The runs.
        bound: RunBound,
        /// The expressions, each with its text.
        exprs: Vec<(Expr, String)>,
        /// Which runs are kept.
        filter: Option<Filter>,
    },
    /// `Pr (p U[a,b] q)`
    Mitl(Mitl),
}

/// Runs, and what is asked of each.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// Bound on the length of the runs.
    pub bound: RunBound,
    /// Property of a run.
    pub path: Path,
}

/// `[<=T; N]`: how long runs are, and how many.
#[derive(Clone, Debug)]
pub struct RunBound {
    /// Bounded quantity.
    pub axis: BoundAxis,
    /// The bound.
    pub limit: i32,
    /// The number of runs.
    pub runs: Option<u64>,
    /// Source span.
    pub span: Span,
}

/// Quantity that a bound limits.
pub type BoundAxis = ast::BoundAxis<Expr>;
/// Properties of a run.
pub type Path = ast::Path<Expr>;
/// The runs that a simulation keeps: those that reach a state.
pub type Filter = ast::Filter<Expr>;
/// Metric interval temporal logic.
pub type Mitl = ast::Mitl<Expr>;
