//! Queries.

use super::{Expr, Statistical};
use crate::span::Span;

/// Queries of a file or a command line.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    /// The queries.
    pub entries: Vec<QueryEntry>,
    /// Headings and blanks listed among the queries.
    pub skipped: Vec<SkippedQuery>,
}

impl Queries {
    /// Adds the next query, or what stands in its place. Skipping one changes no other query's number.
    pub fn push(&mut self, query: Result<QueryEntry, NoQuery>) {
        let number = self.entries.len() + self.skipped.len() + 1;
        match query {
            Ok(entry) => self.entries.push(QueryEntry { number, ..entry }),
            Err(kind) => self.skipped.push(SkippedQuery { number, kind }),
        }
    }
}

/// A heading or a blank listed among the queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedQuery {
    /// Its number among all, from 1.
    pub number: usize,
    /// Kind of entry.
    pub kind: NoQuery,
}

/// Why a formula is not a query (`semantics.md` 25b, 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoQuery {
    /// There is nothing.
    Empty,
    /// There are only comments.
    Comment,
    /// A heading of the queries after it: `== Safety ==`, `Mutual exclusion:`.
    Heading,
}

/// A query as the file holds it.
#[derive(Clone, Debug)]
pub struct QueryEntry {
    /// Its number in its file, from 1; those that are skipped count, too.
    pub number: usize,
    /// Parsed query; `None` if it did not parse (`errors` says why).
    pub query: Option<Query>,
    /// The formula's text, trimmed, on one line.
    pub text: String,
    /// Where the formula stands.
    pub span: Span,
    /// The author's comment.
    pub comment: String,
    /// Options, key and value.
    pub options: Vec<(String, String)>,
    /// Recorded or expected outcome.
    pub outcome: Option<Outcome>,
    /// Progress measure for importance splitting: the level of a state on its way to the goal, written outside the query.
    pub levels: Option<super::Written>,
    /// Errors of the query; they are not errors of the model.
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
    /// Whether it comes from `<expect>` or an `EXPECT:` comment rather than from an earlier run's `<result>`.
    pub expected: bool,
}

/// The parsed queries by kind.
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
    /// Probabilities and expected values.
    Statistical(Box<Statistical>),
    /// A form that no engine of zonewalk decides, by name: `control`, `strategy`, `refinement` ….
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

/// A query of a kind that is recognised and refused by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherQuery {
    /// The kind of question.
    pub family: OtherQueryFamily,
    /// The form that it was recognised by, such as `control:`.
    pub form: &'static str,
}

/// Kinds of questions that no engine of zonewalk answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherQueryFamily {
    /// Timed games: who wins.
    Game,
    /// Strategies: computed, learned, stored or used.
    Strategy,
    /// Timed I/O automata: refinement, consistency.
    Ecdar,
    /// Live sequence charts.
    Scenario,
}
