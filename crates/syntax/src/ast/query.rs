//! Queries.

use super::Expr;
use crate::span::Span;

/// A query as the file holds it.
#[derive(Clone, Debug)]
pub struct QueryEntry {
    /// What it asks; `None` when it did not parse (an error has been recorded in `errors`).
    pub query: Option<Query>,
    /// The formula's text, trimmed, on one line.
    pub text: String,
    /// Where the formula stands.
    pub span: Span,
    /// The author's comment.
    pub comment: String,
    /// Options, key and value.
    pub options: Vec<(String, String)>,
    /// What was recorded or expected.
    pub outcome: Option<Outcome>,
    /// What is wrong with it; no error of the model.
    pub errors: Vec<crate::diagnostic::Diagnostic>,
}

/// A verdict that a file records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `success`, `failure`, `maybe_true`, `maybe_false` …
    pub outcome: String,
    /// `quality`, `quantity` …
    pub kind: String,
    /// The value of a quantity.
    pub value: Option<String>,
    /// From `<expect>` or an `EXPECT:` comment rather than from an earlier run's `<result>`.
    pub expected: bool,
}

/// What a query asks.
#[derive(Clone, Debug)]
pub enum Query {
    /// `E<> p`
    Reachable(Expr),
    /// `A[] p`
    Invariant(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Inevitable(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `sup{p}: e, f`, `inf`, `bounds`
    Extremum {
        /// Which.
        kind: Extremum,
        /// The states to look at.
        predicate: Option<Expr>,
        /// The expressions.
        exprs: Vec<Expr>,
    },
    /// A form that no engine of zonewalk decides, by name: `Pr`, `simulate`, `control`, `strategy`, `refinement` ….
    Other(OtherQuery),
}

/// `sup`, `inf`, `bounds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Extremum {
    Sup,
    Inf,
    Bounds,
}

/// Families of queries that are recognised and refused by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OtherQuery {
    Statistical,
    Game,
    Strategy,
    Ecdar,
    Scenario,
}
