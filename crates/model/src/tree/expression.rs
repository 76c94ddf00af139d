//! Typed expressions.

use super::types::Type;
use super::{BinaryOp, Name};
use crate::ids::{FunctionId, GlobalId, LocalId, LocationId, ParamId, ProcessSetId, SlotId};
use zonewalk_syntax::span::Span;

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Kind of expression.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Source span.
    pub span: Span,
}

impl Expr {
    /// Calls `visit` for every direct operand.
    pub fn operands<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        use ExprKind as K;
        match &self.kind {
            K::Int(_) | K::Double(_) | K::Str(_) | K::Var(_) | K::Deadlock | K::Unsupported(_) => {}
            K::Index(a, b)
            | K::Imply(a, b)
            | K::Xor(a, b)
            | K::Compare(_, a, b)
            | K::CompareClocks(_, a, b)
            | K::Same(_, a, b)
            | K::SetRate(a, b)
            | K::Assign(a, b)
            | K::AssignWith(_, a, b) => {
                visit(a);
                visit(b);
            }
            K::Field(a, _)
            | K::Negate(a)
            | K::Not(a)
            | K::Rate(a)
            | K::Forall(_, a)
            | K::Exists(_, a)
            | K::Sum(_, a)
            | K::Step { place: a, .. } => visit(a),
            K::Arithmetic(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, e)| visit(e));
            }
            K::And(list) | K::Or(list) | K::Call(_, list) | K::Builtin(_, list) | K::Comma(list) => {
                list.iter().for_each(visit);
            }
            K::Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            K::AtLocation(p, _) | K::Member(p, _) | K::ParamMember(p, _) => p.args.iter().for_each(visit),
            K::ProcessCall(p, _, args) => {
                p.args.iter().for_each(&mut *visit);
                args.iter().for_each(visit);
            }
        }
    }
}

impl Expr {
    /// Whether it names a slot.
    pub fn names(&self, slot: SlotId) -> bool {
        if let ExprKind::Var(VarRef::Slot(named)) = self.kind {
            return named == slot;
        }
        let mut found = false;
        self.operands(&mut |e| found = found || e.names(slot));
        found
    }
}

/// The forms of typed expressions.
///
/// Operators are split by what they work on, so that an evaluator needs to look at no type: `Compare` compares
/// integers (or doubles), `Clock…` forms compare clocks, `Same` compares scalars, arrays and structs.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, boolean or scalar constant.
    Int(i32),
    /// A floating-point constant.
    Double(f64),
    /// A string.
    Str(Name),
    /// A variable.
    Var(VarRef),
    /// `a[i]`. The index type is in the array's type.
    Index(Box<Expr>, Box<Expr>),
    /// `s.f`, by the field's number.
    Field(Box<Expr>, usize),
    /// `-e`
    Negate(Box<Expr>),
    /// `!e`, on integers or conditions.
    Not(Box<Expr>),
    /// Left-to-right arithmetic of integers (or doubles): `first op e op e …`. Operators: `Power`, `Mul`, `Div`,
    /// `Mod`, `Add`, `Sub`, the shifts, `Min`, `Max`, the bit operators. On clocks: `x + 1`, `x - y`, `x - 1`.
    Arithmetic(Box<Expr>, Vec<(BinaryOp, Expr)>),
    /// Short-circuit conjunction of two or more, from left to right.
    And(Vec<Expr>),
    /// Short-circuit disjunction of two or more, from left to right.
    Or(Vec<Expr>),
    /// `a imply b`, short-circuit.
    Imply(Box<Expr>, Box<Expr>),
    /// `a xor b`
    Xor(Box<Expr>, Box<Expr>),
    /// Comparison of numbers: `Less` … `NotEqual`.
    Compare(BinaryOp, Box<Expr>, Box<Expr>),
    /// Comparison in which clocks, clock differences or clock sums take part.
    CompareClocks(BinaryOp, Box<Expr>, Box<Expr>),
    /// `==` (true) or `!=` (false) of scalars, structs, arrays or channels.
    Same(bool, Box<Expr>, Box<Expr>),
    /// `x' == e`: sets the rate of the clock, the first operand, to the second.
    SetRate(Box<Expr>, Box<Expr>),
    /// `x'` as a value (statistical models only).
    Rate(Box<Expr>),
    /// `c ? a : b`; also a left side.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall`, over all values of `ty`.
    Forall(Binder, Box<Expr>),
    /// `exists`
    Exists(Binder, Box<Expr>),
    /// `sum`
    Sum(Binder, Box<Expr>),
    /// `place = value`: of integers with a range check against the type of the place, of clocks, of whole structs
    /// and arrays. Its value is the place's new value, and it is a left side itself.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value` on integers.
    AssignWith(BinaryOp, Box<Expr>, Box<Expr>),
    /// `++p`, `p++`, `--p`, `p--`.
    Step {
        /// Up or down.
        increment: bool,
        /// The value is the new one rather than the old one; a prefix form is a left side too.
        prefix: bool,
        /// The integer that is changed.
        place: Box<Expr>,
    },
    /// `a, b` in the head of a loop: all are evaluated, the value is that of the last.
    Comma(Vec<Expr>),
    /// A function call; arguments for reference parameters are places.
    Call(FunctionId, Vec<Expr>),
    /// A built-in function, by name: `abs`, `fabs`, `random`, `sqrt`, ….
    Builtin(Builtin, Vec<Expr>),
    /// `deadlock` (queries).
    Deadlock,
    /// `P.loc`, `P(i).loc` (queries): 1 when the process is there.
    AtLocation(ProcessExpr, LocationId),
    /// `P.x`, `P(i).x` (queries): a variable of a process.
    Member(ProcessExpr, LocalId),
    /// `P(i).p` (queries): a constant or reference parameter of a process.
    ParamMember(ProcessExpr, ParamId),
    /// `P.f(x)`, `P(i).f(x)` (queries): a function of a process.
    ProcessCall(ProcessExpr, FunctionId, Vec<Expr>),
    /// A construct that is well-formed and that no engine runs, by name: `spawn`, the name of a location in a guard.
    Unsupported(&'static str),
}

/// A process in a query: a set and the values of its free parameters.
#[derive(Clone, Debug)]
pub struct ProcessExpr {
    /// Which name of the system line.
    pub set: ProcessSetId,
    /// One value per free parameter; empty for a single process.
    pub args: Vec<Expr>,
}

/// `i : T` in a quantifier.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Where the value lives.
    pub slot: SlotId,
    /// Its name.
    pub name: Name,
    /// A bounded integer or scalar type.
    pub ty: Type,
}

/// Variable that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarRef {
    /// A global.
    Global(GlobalId),
    /// A variable of the process.
    Local(LocalId),
    /// A constant or reference parameter of the process's template.
    Param(ParamId),
    /// A slot of the current activation.
    Slot(SlotId),
}

/// Built-in functions; `Builtin::ALL` has their names and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin(pub usize);
