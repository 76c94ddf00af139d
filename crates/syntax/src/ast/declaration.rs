//! Types, declarations and functions.

use super::{Expr, Ident, Init, Name, Select};
use crate::span::Span;

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// Words before the type.
    pub prefix: TypePrefix,
    /// The type itself.
    pub kind: TypeKind,
    /// Source span, prefix included.
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
    /// Span from brace to brace.
    pub span: Span,
}

/// A statement at a place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Kind of statement.
    pub kind: StmtKind,
    /// Source span.
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
