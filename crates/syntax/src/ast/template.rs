//! Templates and the system that is made of them.

use super::{Decl, Expr, Ident, Param, TypeExpr};
use crate::span::Span;

/// `i : T`.
#[derive(Clone, Debug)]
pub struct Select {
    /// The bound name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
}

/// `c!`, `c?` or the CSP-style `c`.
#[derive(Clone, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: Expr,
    /// Which end of it.
    pub direction: Direction,
    /// Source span.
    pub span: Span,
}

/// How an edge takes part in a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `c!`
    Send,
    /// `c?`
    Receive,
    /// `c`, the style of CSP: every process that has the channel on some edge takes part, and none of them is a sender.
    Together,
}

/// Where something is drawn, as the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

/// Drawing attributes kept for editors; they have no meaning for the analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The element's own position.
    pub at: Option<Point>,
    /// `#rrggbb`
    pub color: Option<String>,
    /// Bends of an edge.
    pub nails: Vec<Point>,
    /// Positions of the labels, by kind.
    pub labels: Vec<(String, Point)>,
    /// The text of `comments` and `testcode` labels, by kind.
    pub comments: Vec<(String, String)>,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name, or `_` and its id where the file gives none.
    pub name: Ident,
    /// Whether the file names it.
    pub is_named: bool,
    /// Its `id` in an XML file.
    pub id: Option<Ident>,
    /// Invariant.
    pub invariant: Option<Expr>,
    /// Exponential rate: one expression, or two separated by `:`.
    pub rate: Option<(Expr, Option<Expr>)>,
    /// Committed.
    pub committed: bool,
    /// Urgent.
    pub urgent: bool,
    /// The element's place.
    pub span: Span,
    /// For editors.
    pub drawing: Drawing,
}

/// A branchpoint.
#[derive(Clone, Debug)]
pub struct Branchpoint {
    /// Its id or name.
    pub name: Ident,
    /// For editors.
    pub drawing: Drawing,
}

/// An edge, between locations or branchpoints by name.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its `id` in an XML file.
    pub id: Option<Ident>,
    /// Source of the edge.
    pub source: Ident,
    /// Target of the edge.
    pub target: Ident,
    /// Selections.
    pub selects: Vec<Select>,
    /// Guard.
    pub guard: Option<Expr>,
    /// Synchronisation.
    pub sync: Option<Sync>,
    /// Updates, left to right.
    pub updates: Vec<Expr>,
    /// Weight of a branch.
    pub weight: Option<Expr>,
    /// False for edges of the environment (timed games).
    pub controllable: bool,
    /// The ECDAR-style `action` attribute.
    pub action: Option<Ident>,
    /// The element's place.
    pub span: Span,
    /// For editors.
    pub drawing: Drawing,
}

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Local declarations.
    pub decls: Vec<Decl>,
    /// Locations.
    pub locations: Vec<Location>,
    /// Branchpoints.
    pub branchpoints: Vec<Branchpoint>,
    /// The initial location, by name.
    pub initial: Option<Ident>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Whether it comes from the textual format, where an empty template is legal.
    pub is_textual: bool,
    /// The element's place.
    pub span: Span,
}

/// A live sequence chart: read for its name and parameters, otherwise kept as it is.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// `Q(const T i) = P(i, 3);` or `Q = P(1, 3);`
#[derive(Clone, Debug)]
pub struct Instantiation {
    /// The new name.
    pub name: Ident,
    /// Its own parameters.
    pub params: Vec<Param>,
    /// The template, or an earlier partial instance.
    pub template: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// Source span.
    pub span: Span,
}

/// A part of the system section, in the order of the text.
#[derive(Clone, Debug)]
pub enum SystemItem {
    /// A declaration.
    Decl(Decl),
    /// An instantiation.
    Instantiation(Instantiation),
    /// `system A, B < C;`
    System(SystemLine),
    /// `IO A { i?, o! }`
    Io(IoLine),
}

/// `IO A(i) { in[i]?, out! }`: the actions of a timed I/O automaton.
#[derive(Clone, Debug)]
pub struct IoLine {
    /// A template or a process.
    pub process: Ident,
    /// Arguments for its parameters: new names, or values.
    pub args: Vec<Expr>,
    /// The actions: channels, or whole arrays of them.
    pub actions: Vec<Sync>,
    /// Source span.
    pub span: Span,
}

/// The `system` line: priority levels, lowest first, of process names.
#[derive(Clone, Debug)]
pub struct SystemLine {
    /// The levels.
    pub levels: Vec<Vec<Ident>>,
    /// Source span.
    pub span: Span,
}
