//! Queries about probabilities and expected values, typed.

use super::Expr;
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
#[derive(Clone, Debug)]
pub enum BoundAxis {
    /// `<=T`: time.
    Time,
    /// `#<=N`: the number of transitions.
    Steps,
    /// `x<=N`: a clock.
    Clock(Expr),
}

/// Properties of a run.
#[derive(Clone, Debug)]
pub enum Path {
    /// `<> p`
    Eventually(Expr),
    /// `[] p`
    Always(Expr),
    /// `p U q`
    Until(Expr, Expr),
}

/// The runs that a simulation keeps: those that reach a state.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Maximal number of runs kept.
    pub keep: Option<u64>,
    /// The state.
    pub expr: Expr,
}

/// Metric interval temporal logic.
#[derive(Clone, Debug)]
pub enum Mitl {
    /// A state predicate.
    Atom(Expr),
    /// All of them.
    And(Vec<Mitl>),
    /// One of them.
    Or(Vec<Mitl>),
    /// `X m`
    Next(Box<Mitl>),
    /// `<>[a,b] m`
    Eventually(Times, Box<Mitl>),
    /// `[][a,b] m`
    Always(Times, Box<Mitl>),
    /// `(m U[a,b] m)`
    Until(Box<Mitl>, Times, Box<Mitl>),
    /// `(m R[a,b] m)`
    Release(Box<Mitl>, Times, Box<Mitl>),
}
