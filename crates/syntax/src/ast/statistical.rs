//! Queries about probabilities and expected values, which are answered by random runs. Parts that have the same form once they are
//! typed are generic over expressions.

use super::Expr;
use crate::span::Span;

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
        /// Source span.
        span: Span,
    },
    /// `Pr[<=T](<> p) >= Pr[<=T](<> q)`
    Comparison(Box<Sampled>, Box<Sampled>),
    /// `E[<=T; N](max: e)`
    Expectation {
        /// The runs.
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
        /// The expressions.
        exprs: Vec<Written>,
        /// Which runs are kept.
        filter: Option<Filter>,
    },
    /// `Pr (p U[a,b] q)`
    Mitl(Mitl),
}

/// An expression with its text.
#[derive(Clone, Debug)]
pub struct Written {
    /// The expression.
    pub expr: Expr,
    /// How it is written.
    pub text: String,
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
    pub limit: Expr,
    /// The number of runs.
    pub runs: Option<u64>,
    /// Source span.
    pub span: Span,
}

/// Quantity that a bound limits.
#[derive(Clone, Debug)]
pub enum BoundAxis<E = Expr> {
    /// `<=T`: time.
    Time,
    /// `#<=N`: the number of transitions.
    Steps,
    /// `x<=N`: a clock.
    Clock(E),
}

/// Properties of a run.
#[derive(Clone, Debug)]
pub enum Path<E = Expr> {
    /// `<> p`
    Eventually(E),
    /// `[] p`
    Always(E),
    /// `p U q`
    Until(E, E),
}

/// The runs that a simulation keeps: those that reach a state.
#[derive(Clone, Debug)]
pub struct Filter<E = Expr> {
    /// Maximal number of runs kept.
    pub keep: Option<u64>,
    /// The state.
    pub expr: E,
}

/// Metric interval temporal logic.
#[derive(Clone, Debug)]
pub enum Mitl<E = Expr> {
    /// A state predicate.
    Atom(E),
    /// All of them.
    And(Vec<Mitl<E>>),
    /// One of them.
    Or(Vec<Mitl<E>>),
    /// `X m`
    Next(Box<Mitl<E>>),
    /// `<>[a,b] m`
    Eventually(Times, Box<Mitl<E>>),
    /// `[][a,b] m`
    Always(Times, Box<Mitl<E>>),
    /// `(m U[a,b] m)`
    Until(Box<Mitl<E>>, Times, Box<Mitl<E>>),
    /// `(m R[a,b] m)`
    Release(Box<Mitl<E>>, Times, Box<Mitl<E>>),
}

/// `[a,b]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Start of the interval.
    pub from: u64,
    /// Up to this value.
    pub to: u64,
}
