//! Short ways to write typed trees, and programs of them.

pub(super) use crate::eval::*;
pub(super) use crate::ids::{ClockId, FunctionId, GlobalId, LocationId};
pub(super) use crate::tree::{
    BinaryOp, Binder, Block, ExprKind, FunctionParam, SlotVariable, Statement, VarRef,
};
pub(super) use crate::types::{ArrayType, Bound, IndexType, StructType};
pub(super) use std::sync::Arc;

pub(super) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: Span::new(1, 2),
    }
}

pub(super) fn int(i: i32) -> Expr {
    expr(ExprKind::Int(i), Type::Int)
}

pub(super) fn global(i: u32, ty: Type) -> Expr {
    expr(ExprKind::Var(VarRef::Global(GlobalId(i))), ty)
}

pub(super) fn slot(i: u32, ty: Type) -> Expr {
    expr(ExprKind::Var(VarRef::Slot(SlotId(i))), ty)
}

pub(super) fn index(base: Expr, i: Expr) -> Expr {
    let Type::Array(a) = base.ty.clone() else {
        panic!("no array")
    };
    expr(ExprKind::Index(Box::new(base), Box::new(i)), a.element.clone())
}

pub(super) fn field(base: Expr, n: usize) -> Expr {
    let Type::Struct(s) = base.ty.clone() else {
        panic!("no struct")
    };
    expr(ExprKind::Field(Box::new(base), n), s.fields[n].1.clone())
}

pub(super) fn arith(first: Expr, rest: Vec<(BinaryOp, Expr)>) -> Expr {
    expr(ExprKind::Arithmetic(Box::new(first), rest), Type::Int)
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    arith(a, vec![(BinaryOp::Add, b)])
}

pub(super) fn cmp(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Compare(op, Box::new(a), Box::new(b)), Type::Bool)
}

pub(super) fn assign(place: Expr, value: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty)
}

pub(super) fn assign_with(op: BinaryOp, place: Expr, value: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::AssignWith(op, Box::new(place), Box::new(value)), ty)
}

pub(super) fn step(increment: bool, prefix: bool, place: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(
        ExprKind::Step {
            increment,
            prefix,
            place: Box::new(place),
        },
        ty,
    )
}

pub(super) fn conditional(c: Expr, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.clone();
    expr(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty)
}

pub(super) fn call(f: u32, args: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Call(FunctionId(f), args), ty)
}

pub(super) fn array_of(element: Type, n: i32) -> Type {
    Type::Array(Arc::new(ArrayType {
        element,
        index: IndexType::Size(Bound::Const(n)),
    }))
}

pub(super) fn record(fields: &[(&str, Type)]) -> Type {
    let fields = fields.iter().map(|(n, t)| ((*n).into(), t.clone())).collect();
    Type::Struct(Arc::new(StructType { fields }))
}

pub(super) fn variable(name: &str, ty: Type, is_const: bool) -> Variable {
    Variable {
        name: name.into(),
        ty,
        is_const,
        is_meta: false,
        init: None,
        from_param: None,
        span: Span::new(5, 6),
    }
}

pub(super) fn binder(slot: u32, ty: Type) -> Binder {
    Binder {
        slot: SlotId(slot),
        name: "i".into(),
        ty,
    }
}

pub(super) fn param(name: &str, ty: Type, by_reference: bool) -> FunctionParam {
    FunctionParam {
        name: name.into(),
        ty,
        by_reference,
        is_const: false,
    }
}

pub(super) fn function(
    name: &str,
    result: Type,
    params: Vec<FunctionParam>,
    body: Vec<Statement>,
) -> Function {
    function_with(name, result, params, Vec::new(), body)
}

pub(super) fn function_with(
    name: &str,
    result: Type,
    params: Vec<FunctionParam>,
    variables: Vec<SlotVariable>,
    statements: Vec<Statement>,
) -> Function {
    Function {
        name: name.into(),
        template: None,
        result,
        slots: params.len() + variables.len(),
        params,
        body: Some(Block {
            variables,
            statements,
        }),
        has_side_effects: false,
        reads_state: false,
        span: Span::NONE,
    }
}

/// A little program: globals with their values, and functions.
#[derive(Default)]
pub(super) struct Program {
    pub(super) globals: Vec<Variable>,
    pub(super) functions: Vec<Function>,
    pub(super) memory: Memory,
}

impl Program {
    pub(super) fn global(&mut self, name: &str, ty: Type, value: Value) -> Expr {
        self.globals.push(variable(name, ty.clone(), false));
        self.memory.globals.push(value);
        global(self.globals.len() as u32 - 1, ty)
    }

    pub(super) fn code(&self) -> Code<'_> {
        Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &[],
            wraps: None,
        }
    }

    pub(super) fn run(&mut self, e: &Expr) -> Result<Value, FaultKind> {
        let code = Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &[],
            wraps: None,
        };
        let result = Evaluator::new(code, Store::Exclusive(&mut self.memory), &mut CompileTime).value(e);
        result.map_err(|fault| fault.kind)
    }
}

pub(super) fn eval(e: &Expr) -> Result<Value, FaultKind> {
    Program::default().run(e)
}

pub(super) fn out_of_range(value: i32, lo: i32, hi: i32) -> FaultKind {
    FaultKind::OutOfRange {
        value,
        lo,
        hi,
        subject: Subject::Value,
    }
}
