//! Expressions and initialisers.

use super::{Ident, Name, TypeExpr};
use crate::span::Span;

/// An expression at a place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Kind of expression.
    pub kind: ExprKind,
    /// Source span, parentheses included.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Placeholder for text that did not parse; an error has been reported.
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
        /// Span from brace to brace.
        span: Span,
    },
}

impl Init {
    /// Source span.
    pub fn span(&self) -> Span {
        match self {
            Init::Expr(e) => e.span,
            Init::List { span, .. } => *span,
        }
    }
}
