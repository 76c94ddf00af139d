//! The syntax tree: what the text says, before any name is looked up.

use crate::span::Span;
use std::sync::Arc;

/// An identifier's text, shared between its occurrences.
pub type Name = Arc<str>;

/// An identifier at a place.
#[derive(Clone, Debug)]
pub struct Ident {
    /// Its text.
    pub name: Name,
    /// Where it stands.
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

// ---------------------------------------------------------------- expressions

/// An expression at a place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, parentheses included.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Something that did not parse; an error has been reported.
    Error,
    /// An integer literal that fits into 32 bits.
    Int(i32),
    /// A floating-point literal.
    Double(f64),
    /// `true`, `false`.
    Bool(bool),
    /// A string literal, without its quotes.
    Str(Name),
    /// A name.
    Name(Name),
    /// `deadlock` (queries).
    Deadlock,
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.b`.
    Field(Box<Expr>, Ident),
    /// `f(x, y)`; also `P(1)` in queries.
    Call(Box<Expr>, Vec<Expr>),
    /// `x'`.
    Rate(Box<Expr>),
    /// `-x`, `+x`, `!x`, `not x`.
    Unary(UnaryOp, Box<Expr>),
    /// `++x`, `x--` and so on.
    Step {
        /// `++` rather than `--`.
        increment: bool,
        /// Before the operand rather than after it.
        prefix: bool,
        /// The operand.
        operand: Box<Expr>,
    },
    /// Left-associative operators of one precedence level: `a + b - c` is one chain of three. Chains keep the
    /// tree's depth independent of the number of operands (generated models have thousands).
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// Operators and their right operands; never empty.
        rest: Vec<(BinaryOp, Expr)>,
    },
    /// `x = e`, `x += e` ….
    Assign(AssignOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall (i : T) e` and its kin.
    Quantifier {
        /// Which.
        quantifier: Quantifier,
        /// The bound name.
        binder: Ident,
        /// Its type.
        ty: TypeExpr,
        /// The expression that it binds in.
        body: Box<Expr>,
    },
    /// `a, b` in the head of a loop: the value is that of the last one. Two or more.
    Comma(Vec<Expr>),
    /// `spawn P(1, 2)`.
    Spawn(Ident, Vec<Expr>),
    /// `exit()`.
    Exit,
    /// `numOf(P)`.
    NumOf(Ident),
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Power,
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    Min,
    Max,
    Less,
    LessEqual,
    GreaterEqual,
    Greater,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Xor,
    Imply,
}

impl BinaryOp {
    /// How tightly it binds (`semantics.md` 24b); larger is tighter. All binary operators associate to the left.
    pub fn precedence(self) -> u8 {
        use BinaryOp::*;
        match self {
            Power => 12,
            Mul | Div | Mod => 11,
            Add | Sub => 10,
            ShiftLeft | ShiftRight => 9,
            Min | Max => 8,
            Less | LessEqual | GreaterEqual | Greater => 7,
            Equal | NotEqual => 6,
            BitAnd => 5,
            BitXor => 4,
            BitOr => 3,
            And => 2,
            Or | Xor | Imply => 1,
        }
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Power => "**",
            Mul => "*",
            Div => "/",
            Mod => "%",
            Add => "+",
            Sub => "-",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Min => "<?",
            Max => ">?",
            Less => "<",
            LessEqual => "<=",
            GreaterEqual => ">=",
            Greater => ">",
            Equal => "==",
            NotEqual => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
            Xor => "xor",
            Imply => "imply",
        }
    }
}

/// Assignment: plain, or combined with an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`, `:=`
    Plain,
    /// `+=` and so on: the operator before the `=`.
    With(BinaryOp),
}

/// `forall`, `exists`, `sum`, and their forms over dynamic processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Quantifier {
    Forall,
    Exists,
    Sum,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// A plain value.
    Expr(Expr),
    /// `{ a, b }` or `{ x: a, y: b }`.
    List {
        /// The elements, with their field names where given.
        items: Vec<(Option<Ident>, Init)>,
        /// From brace to brace.
        span: Span,
    },
}

impl Init {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Init::Expr(e) => e.span,
            Init::List { span, .. } => *span,
        }
    }
}

// ---------------------------------------------------------------- types and declarations

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// Words before the type.
    pub prefix: TypePrefix,
    /// The type itself.
    pub kind: TypeKind,
    /// Where it stands, prefix included.
    pub span: Span,
}

/// The words that may stand before a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TypePrefix {
    pub is_const: bool,
    pub is_meta: bool,
    pub is_urgent: bool,
    pub is_broadcast: bool,
    pub is_hybrid: bool,
}

/// The forms of types.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TypeKind {
    Error,
    Void,
    Bool,
    Int,
    /// `int[lo, hi]`
    Range(Box<Expr>, Box<Expr>),
    Double,
    Clock,
    Chan,
    Str,
    /// `scalar[n]`
    Scalar(Box<Expr>),
    /// `struct { … }`
    Struct(Vec<Field>),
    /// The name of a type.
    Name(Ident),
}

/// A line of a struct: one type, several names.
#[derive(Clone, Debug)]
pub struct Field {
    /// The type of all of them.
    pub ty: TypeExpr,
    /// Their names and array dimensions; no initialisers.
    pub declarators: Vec<Declarator>,
}

/// A declared name with its array dimensions and initialiser.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// Array dimensions, outermost first.
    pub dims: Vec<Dim>,
    /// The initialiser.
    pub init: Option<Init>,
}

/// An array dimension.
#[derive(Clone, Debug)]
pub enum Dim {
    /// `[n]`; the name of a type looks the same until names are known.
    Size(Expr),
    /// `[int[0, 3]]`: obviously a type.
    Type(TypeExpr),
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// `int a = 1, b[3];`
    Variables {
        /// The type of all of them.
        ty: TypeExpr,
        /// The names.
        declarators: Vec<Declarator>,
    },
    /// `typedef int[0, 3] id_t;`
    Typedef {
        /// The type.
        ty: TypeExpr,
        /// The names, with dimensions.
        declarators: Vec<Declarator>,
    },
    /// A function with its body.
    Function(Function),
    /// `chan priority a < default < b;`
    ChanPriority(ChanPriority),
    /// `progress { … }`
    Progress(Vec<ProgressMeasure>),
    /// `gantt { … }`
    Gantt(Vec<GanttRow>),
    /// `before_update { … }`
    BeforeUpdate(Vec<Expr>),
    /// `after_update { … }`
    AfterUpdate(Vec<Expr>),
    /// `dynamic P(int x);`
    Dynamic {
        /// The name of the template to come.
        name: Ident,
        /// Its parameters.
        params: Vec<Param>,
    },
    /// `import "lib.so" { … };`
    Import(Import),
}

/// `chan priority` with its levels, lowest first.
#[derive(Clone, Debug)]
pub struct ChanPriority {
    /// Every level is a list of channels; `None` stands for `default`.
    pub levels: Vec<Vec<Option<Expr>>>,
    /// Where the declaration stands.
    pub span: Span,
}

/// A line of a `progress` section: `guard : measure;`.
#[derive(Clone, Debug)]
pub struct ProgressMeasure {
    /// Condition.
    pub guard: Option<Expr>,
    /// Measure.
    pub measure: Expr,
}

/// A row of a `gantt` section.
#[derive(Clone, Debug)]
pub struct GanttRow {
    /// The row's title.
    pub name: Ident,
    /// Its parameters.
    pub selects: Vec<Select>,
    /// `for (i : T) condition -> colour` bars.
    pub bars: Vec<GanttBar>,
}

/// A bar of a Gantt row.
#[derive(Clone, Debug)]
pub struct GanttBar {
    /// Bound names.
    pub selects: Vec<Select>,
    /// When it shows.
    pub condition: Expr,
    /// Its colour number.
    pub color: Expr,
}

/// External functions of a library.
#[derive(Clone, Debug)]
pub struct Import {
    /// The library's path as written.
    pub library: Name,
    /// The functions declared, without bodies.
    pub functions: Vec<ExternFunction>,
    /// Where the declaration stands.
    pub span: Span,
}

/// A function of a library: `int f(int x);` or `g = int f(int x);`.
#[derive(Clone, Debug)]
pub struct ExternFunction {
    /// Its type.
    pub result: TypeExpr,
    /// Its name in the model.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// A parameter of a function, a template or a partial instance.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: TypeExpr,
    /// Passed by reference.
    pub by_reference: bool,
    /// Its name.
    pub name: Ident,
    /// Array dimensions.
    pub dims: Vec<Dim>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The type of its result.
    pub result: TypeExpr,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Block,
}

/// `{ … }`: declarations, then statements.
#[derive(Clone, Debug)]
pub struct Block {
    /// Declarations at the head.
    pub decls: Vec<Decl>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement at a place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    Error,
    Empty,
    Expr(Expr),
    Block(Block),
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        init: Expr,
        condition: Expr,
        step: Expr,
        body: Box<Stmt>,
    },
    ForIn {
        binder: Ident,
        ty: TypeExpr,
        body: Box<Stmt>,
    },
    Return(Option<Expr>),
    Assert(Expr),
}

// ---------------------------------------------------------------- templates

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
    /// Where it stands.
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

/// What an editor keeps about an element: nothing of it has a meaning for the analysis.
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
    /// Where it leaves.
    pub source: Ident,
    /// Where it enters.
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
    /// From the textual format, where an empty template is legal.
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
    /// Where it stands.
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
}

/// The `system` line: priority levels, lowest first, of process names.
#[derive(Clone, Debug)]
pub struct SystemLine {
    /// The levels.
    pub levels: Vec<Vec<Ident>>,
    /// Where it stands.
    pub span: Span,
}

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
    pub queries: Vec<QueryEntry>,
}
