//! The syntax tree: what the text says, before any name is looked up.

mod declaration;
mod expression;
mod query;
mod statistical;
mod template;

pub use declaration::{
    Block, ChanPriority, Decl, Declarator, Dim, ExternFunction, Field, Function, GanttBar, GanttRow, Import,
    Param, ProgressMeasure, Stmt, StmtKind, TypeExpr, TypeKind, TypePrefix,
};
pub use expression::{AssignOp, BinaryOp, Expr, ExprKind, Init, Quantifier, UnaryOp};
pub use query::{
    Extremum, NoQuery, OtherQuery, OtherQueryFamily, Outcome, Queries, Query, QueryEntry, SkippedQuery,
};
pub use statistical::{BoundAxis, Filter, Mitl, Path, RunBound, Sampled, Statistical, Times, Written};
pub use template::{
    Branchpoint, Chart, Direction, Drawing, Edge, Instantiation, IoLine, Location, Point, Select, Sync,
    SystemItem, SystemLine, Template,
};

use crate::span::Span;
use std::sync::Arc;

/// An identifier's text, shared between its occurrences.
pub type Name = Arc<str>;

/// An identifier at a place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// Its text.
    pub name: Name,
    /// Source span.
    pub span: Span,
}

/// Which generation of the language a text is written in (`semantics.md` 24).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// UPPAAL 4 and later.
    New,
    /// Before UPPAAL 4: `const N 3;`, parameters by reference, commas for "and" in guards.
    Old,
}

/// A whole model as written.
#[derive(Clone, Debug)]
pub struct Document {
    /// Which generation of the language it was read as.
    pub dialect: Dialect,
    /// Global declarations.
    pub decls: Vec<Decl>,
    /// Templates.
    pub templates: Vec<Template>,
    /// Charts.
    pub charts: Vec<Chart>,
    /// The system section.
    pub system: Vec<SystemItem>,
    /// The end of the text, or of the system section: where something missing is reported.
    pub end: Span,
    /// Queries inside the file.
    pub queries: Queries,
}
