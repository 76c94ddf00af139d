//! Hand-built typed trees.

use super::*;
use crate::ids::{ClockId, FunctionId, GlobalId, LocationId};
use crate::tree::{BinaryOp, Binder, Block, ExprKind, FunctionParam, SlotVariable, Statement, VarRef};
use crate::types::{ArrayType, Bound, IndexType, StructType};
use std::sync::Arc;

// ---------------------------------------------------------------- builders

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: Span::new(1, 2),
    }
}

fn int(i: i32) -> Expr {
    expr(ExprKind::Int(i), Type::Int)
}

fn global(i: u32, ty: Type) -> Expr {
    expr(ExprKind::Var(VarRef::Global(GlobalId(i))), ty)
}

fn slot(i: u32, ty: Type) -> Expr {
    expr(ExprKind::Var(VarRef::Slot(SlotId(i))), ty)
}

fn index(base: Expr, i: Expr) -> Expr {
    let Type::Array(a) = base.ty.clone() else {
        panic!("no array")
    };
    expr(ExprKind::Index(Box::new(base), Box::new(i)), a.element.clone())
}

fn field(base: Expr, n: usize) -> Expr {
    let Type::Struct(s) = base.ty.clone() else {
        panic!("no struct")
    };
    expr(ExprKind::Field(Box::new(base), n), s.fields[n].1.clone())
}

fn arith(first: Expr, rest: Vec<(BinaryOp, Expr)>) -> Expr {
    expr(ExprKind::Arithmetic(Box::new(first), rest), Type::Int)
}

fn add(a: Expr, b: Expr) -> Expr {
    arith(a, vec![(BinaryOp::Add, b)])
}

fn cmp(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Compare(op, Box::new(a), Box::new(b)), Type::Bool)
}

fn assign(place: Expr, value: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty)
}

fn assign_with(op: BinaryOp, place: Expr, value: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::AssignWith(op, Box::new(place), Box::new(value)), ty)
}

fn step(increment: bool, prefix: bool, place: Expr) -> Expr {
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

fn conditional(c: Expr, a: Expr, b: Expr) -> Expr {
    let ty = a.ty.clone();
    expr(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)), ty)
}

fn call(f: u32, args: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Call(FunctionId(f), args), ty)
}

fn array_of(element: Type, n: i32) -> Type {
    Type::Array(Arc::new(ArrayType {
        element,
        index: IndexType::Size(Bound::Const(n)),
    }))
}

fn record(fields: &[(&str, Type)]) -> Type {
    let fields = fields.iter().map(|(n, t)| ((*n).into(), t.clone())).collect();
    Type::Struct(Arc::new(StructType { fields }))
}

fn variable(name: &str, ty: Type, is_const: bool) -> Variable {
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

fn binder(slot: u32, ty: Type) -> Binder {
    Binder {
        slot: SlotId(slot),
        name: "i".into(),
        ty,
    }
}

fn param(name: &str, ty: Type, by_reference: bool) -> FunctionParam {
    FunctionParam {
        name: name.into(),
        ty,
        by_reference,
        is_const: false,
    }
}

fn function(name: &str, result: Type, params: Vec<FunctionParam>, body: Vec<Statement>) -> Function {
    function_with(name, result, params, Vec::new(), body)
}

fn function_with(
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
struct Program {
    globals: Vec<Variable>,
    functions: Vec<Function>,
    memory: Memory,
}

impl Program {
    fn global(&mut self, name: &str, ty: Type, value: Value) -> Expr {
        self.globals.push(variable(name, ty.clone(), false));
        self.memory.globals.push(value);
        global(self.globals.len() as u32 - 1, ty)
    }

    fn code(&self) -> Code<'_> {
        Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &[],
        }
    }

    fn run(&mut self, e: &Expr) -> Result<Value, FaultKind> {
        let code = Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &[],
        };
        let result = Evaluator::new(code, Store::Exclusive(&mut self.memory), &mut CompileTime).value(e);
        result.map_err(|fault| fault.kind)
    }
}

fn eval(e: &Expr) -> Result<Value, FaultKind> {
    Program::default().run(e)
}

fn out_of_range(value: i32, lo: i32, hi: i32) -> FaultKind {
    FaultKind::OutOfRange {
        value,
        lo,
        hi,
        subject: Subject::Value,
    }
}

// ---------------------------------------------------------------- expressions

#[test]
fn chains_fold_to_the_left() {
    use BinaryOp::*;
    let chain = arith(int(10), vec![(Sub, int(4)), (Sub, int(3)), (Mul, int(2))]);
    assert_eq!(eval(&chain), Ok(Value::Int(6)));
    assert_eq!(
        eval(&arith(int(i32::MAX), vec![(Add, int(1))])),
        Err(FaultKind::Overflow)
    );
    let half = arith(int(1), vec![(Div, expr(ExprKind::Double(2.0), Type::Double))]);
    assert_eq!(eval(&half), Ok(Value::Double(0.5)));
}

#[test]
fn logic_stops_early() {
    let bad = || {
        cmp(
            BinaryOp::Equal,
            arith(int(1), vec![(BinaryOp::Div, int(0))]),
            int(1),
        )
    };
    let no = || int(0);
    let and = expr(ExprKind::And(vec![no(), bad()]), Type::Bool);
    let or = expr(ExprKind::Or(vec![int(7), bad()]), Type::Bool);
    let imply = expr(ExprKind::Imply(Box::new(no()), Box::new(bad())), Type::Bool);
    let xor = expr(ExprKind::Xor(Box::new(no()), Box::new(bad())), Type::Bool);
    let choice = conditional(int(1), int(5), bad());
    assert_eq!(eval(&and), Ok(Value::Int(0)));
    assert_eq!(eval(&or), Ok(Value::Int(1)));
    assert_eq!(eval(&imply), Ok(Value::Int(1)));
    assert_eq!(eval(&xor), Err(FaultKind::DivisionByZero));
    assert_eq!(eval(&choice), Ok(Value::Int(5)));
}

#[test]
fn quantifiers_go_through_the_type() {
    let i = || slot(0, Type::Int);
    let over = |lo, hi| binder(0, Type::range(lo, hi));
    let sum = |lo, hi| expr(ExprKind::Sum(over(lo, hi), Box::new(i())), Type::Int);
    assert_eq!(eval(&sum(1, 4)), Ok(Value::Int(10)));
    assert_eq!(eval(&sum(1, 0)), Ok(Value::Int(0)));
    let below = |n| Box::new(cmp(BinaryOp::Less, i(), int(n)));
    assert_eq!(
        eval(&expr(ExprKind::Forall(over(0, 3), below(4)), Type::Bool)),
        Ok(Value::Int(1))
    );
    assert_eq!(
        eval(&expr(ExprKind::Forall(over(0, 3), below(3)), Type::Bool)),
        Ok(Value::Int(0))
    );
    assert_eq!(
        eval(&expr(ExprKind::Exists(over(0, 3), below(1)), Type::Bool)),
        Ok(Value::Int(1))
    );
    assert_eq!(
        eval(&expr(ExprKind::Forall(over(3, 2), below(0)), Type::Bool)),
        Ok(Value::Int(1))
    );
    assert_eq!(
        eval(&expr(ExprKind::Exists(over(3, 2), below(9)), Type::Bool)),
        Ok(Value::Int(0))
    );
}

#[test]
fn assignments_check_ranges() {
    let mut p = Program::default();
    let a = p.global("a", Type::range(0, 5), Value::Int(0));
    let i = p.global("i", Type::Int, Value::Int(0));
    let b = p.global("b", Type::Bool, Value::Int(0));
    assert_eq!(p.run(&assign(a.clone(), int(7))), Err(out_of_range(7, 0, 5)));
    assert_eq!(
        p.run(&assign(i.clone(), int(32768))),
        Err(out_of_range(32768, -32768, 32767))
    );
    assert_eq!(p.run(&assign(i.clone(), int(-32768))), Ok(Value::Int(-32768)));
    assert_eq!(p.run(&assign(b.clone(), int(5))), Ok(Value::Int(1)));
    assert_eq!(
        p.run(&assign_with(BinaryOp::BitAnd, b, int(2))),
        Ok(Value::Int(0))
    );
    assert_eq!(p.run(&step(true, true, a.clone())), Ok(Value::Int(1)));
    assert_eq!(p.run(&step(true, false, a.clone())), Ok(Value::Int(1)));
    assert_eq!(p.run(&a), Ok(Value::Int(2)));
    assert_eq!(
        p.run(&assign_with(BinaryOp::Sub, a, int(3))),
        Err(out_of_range(-1, 0, 5))
    );
    assert_eq!(
        out_of_range(7, 0, 5).to_string(),
        "value 7 is outside of int[0,5]"
    );
}

#[test]
fn left_sides() {
    let mut p = Program::default();
    let i = p.global("i", Type::Int, Value::Int(1));
    let j = p.global("j", Type::Int, Value::Int(2));
    let a = p.global(
        "a",
        array_of(Type::Int, 3),
        Value::Array(vec![Value::Int(0); 3].into()),
    );
    // (0 ? i : j) = 3
    p.run(&assign(conditional(int(0), i.clone(), j.clone()), int(3)))
        .unwrap();
    assert_eq!((p.run(&i), p.run(&j)), (Ok(Value::Int(1)), Ok(Value::Int(3))));
    // (i = 5) += 2, and i's value is the result
    let chained = assign_with(BinaryOp::Add, assign(i.clone(), int(5)), int(2));
    assert_eq!(p.run(&chained), Ok(Value::Int(7)));
    // a[--j] = 9: the index is evaluated once
    let stepped = assign(index(a.clone(), step(false, true, j.clone())), int(9));
    assert_eq!(p.run(&stepped), Ok(Value::Int(9)));
    assert_eq!(p.run(&j), Ok(Value::Int(2)));
    let cells = Value::Array(vec![Value::Int(0), Value::Int(0), Value::Int(9)].into());
    assert_eq!(p.run(&a), Ok(cells));
    let outside = FaultKind::IndexOutOfRange {
        index: 3,
        lo: 0,
        hi: 2,
    };
    assert_eq!(p.run(&index(a.clone(), int(3))), Err(outside));
    assert_eq!(
        p.run(&index(a, int(-1))).unwrap_err().to_string(),
        "index -1 is outside of the array's 0..2"
    );
}

#[test]
fn indices_may_begin_anywhere() {
    let mut p = Program::default();
    let range = crate::types::RangeType {
        lo: Bound::Const(3),
        hi: Bound::Const(4),
    };
    let index_type = IndexType::Range(Arc::new(range));
    let ty = Type::Array(Arc::new(ArrayType {
        element: Type::Int,
        index: index_type,
    }));
    let a = p.global("a", ty, Value::Array(vec![Value::Int(30), Value::Int(40)].into()));
    assert_eq!(p.run(&index(a.clone(), int(4))), Ok(Value::Int(40)));
    let outside = FaultKind::IndexOutOfRange {
        index: 2,
        lo: 3,
        hi: 4,
    };
    assert_eq!(p.run(&index(a, int(2))), Err(outside));
}

#[test]
fn structs_copy_and_compare() {
    let mut p = Program::default();
    let ty = record(&[("n", Type::Int), ("a", array_of(Type::Int, 2))]);
    let value = |n| Value::Struct(vec![Value::Int(n), Value::Array(vec![Value::Int(n); 2].into())].into());
    let s = p.global("s", ty.clone(), value(1));
    let t = p.global("t", ty, value(2));
    let same = expr(
        ExprKind::Same(true, Box::new(s.clone()), Box::new(t.clone())),
        Type::Bool,
    );
    assert_eq!(p.run(&same), Ok(Value::Int(0)));
    p.run(&assign(s.clone(), t.clone())).unwrap();
    assert_eq!(p.run(&same), Ok(Value::Int(1)));
    p.run(&assign(index(field(s.clone(), 1), int(1)), int(7)))
        .unwrap();
    assert_eq!(p.run(&index(field(t, 1), int(1))), Ok(Value::Int(2)));
    assert_eq!(p.run(&index(field(s, 1), int(1))), Ok(Value::Int(7)));
}

// ---------------------------------------------------------------- functions

/// `int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }`
fn triangle() -> Function {
    let (n, s) = (|| slot(0, Type::Int), || slot(1, Type::Int));
    let body = Block {
        variables: vec![],
        statements: vec![
            Statement::Expr(assign_with(BinaryOp::Add, s(), n())),
            Statement::Expr(step(false, false, n())),
        ],
    };
    let condition = cmp(BinaryOp::Greater, n(), int(0));
    function_with(
        "triangle",
        Type::Int,
        vec![param("n", Type::range(0, 1000), false)],
        vec![SlotVariable {
            slot: SlotId(1),
            variable: variable("s", Type::Int, false),
        }],
        vec![
            Statement::While {
                condition,
                body: Box::new(Statement::Block(body)),
            },
            Statement::Return(Some(s())),
        ],
    )
}

#[test]
fn calls_have_their_own_slots() {
    let mut p = Program::default();
    p.functions.push(triangle());
    let f = |n: Expr| call(0, vec![n], Type::Int);
    assert_eq!(p.run(&f(int(4))), Ok(Value::Int(10)));
    assert_eq!(p.run(&f(add(f(int(2)), f(int(1))))), Ok(Value::Int(10)));
    let subject = Subject::Argument("n".into());
    let fault = FaultKind::OutOfRange {
        value: 1001,
        lo: 0,
        hi: 1000,
        subject,
    };
    assert_eq!(
        fault.to_string(),
        "argument 1001 for `n` is outside of int[0,1000]"
    );
    assert_eq!(p.run(&f(int(1001))), Err(fault));
    // The sum itself leaves the range of a local variable on the way.
    assert_eq!(p.run(&f(int(256))), Err(out_of_range(32776, -32768, 32767)));
    p.functions.push(function(
        "g",
        Type::Int,
        vec![],
        vec![Statement::Return(Some(int(40_000)))],
    ));
    let subject = Subject::Result("g".into());
    let fault = FaultKind::OutOfRange {
        value: 40_000,
        lo: -32768,
        hi: 32767,
        subject,
    };
    assert_eq!(
        fault.to_string(),
        "result 40000 of `g` is outside of int[-32768,32767]"
    );
    assert_eq!(p.run(&call(1, vec![], Type::Int)), Err(fault));
}

#[test]
fn references_reach_the_callers_variable() {
    let mut p = Program::default();
    let a = p.global(
        "a",
        array_of(Type::Int, 2),
        Value::Array(vec![Value::Int(1), Value::Int(2)].into()),
    );
    // void inc(int &x) { x++; }   void twice(int &y) { inc(y); inc(y); }
    let inc = Statement::Expr(step(true, false, slot(0, Type::Int)));
    p.functions.push(function(
        "inc",
        Type::Void,
        vec![param("x", Type::Int, true)],
        vec![inc],
    ));
    let inner = || Statement::Expr(call(0, vec![slot(0, Type::Int)], Type::Void));
    let twice = vec![inner(), inner()];
    p.functions.push(function(
        "twice",
        Type::Void,
        vec![param("y", Type::Int, true)],
        twice,
    ));
    p.run(&call(1, vec![index(a.clone(), int(1))], Type::Void))
        .unwrap();
    assert_eq!(
        p.run(&a),
        Ok(Value::Array(vec![Value::Int(1), Value::Int(4)].into()))
    );
    // int local() { int k; twice(k); return k; }
    let k = SlotVariable {
        slot: SlotId(0),
        variable: variable("k", Type::Int, false),
    };
    let body = vec![
        Statement::Expr(call(1, vec![slot(0, Type::Int)], Type::Void)),
        Statement::Return(Some(slot(0, Type::Int))),
    ];
    p.functions
        .push(function_with("local", Type::Int, vec![], vec![k], body));
    assert_eq!(p.run(&call(2, vec![], Type::Int)), Ok(Value::Int(2)));
}

#[test]
fn arrays_are_passed_by_copy() {
    let mut p = Program::default();
    let ty = array_of(Type::Int, 2);
    let a = p.global(
        "a",
        ty.clone(),
        Value::Array(vec![Value::Int(1), Value::Int(2)].into()),
    );
    let body = vec![
        Statement::Expr(assign(index(slot(0, ty.clone()), int(0)), int(9))),
        Statement::Return(Some(index(slot(0, ty.clone()), int(0)))),
    ];
    p.functions
        .push(function("f", Type::Int, vec![param("x", ty, false)], body));
    assert_eq!(p.run(&call(0, vec![a.clone()], Type::Int)), Ok(Value::Int(9)));
    assert_eq!(p.run(&index(a, int(0))), Ok(Value::Int(1)));
}

#[test]
fn loops_end() {
    let mut p = Program::default();
    let forever = Statement::While {
        condition: int(1),
        body: Box::new(Statement::Expr(int(0))),
    };
    p.functions
        .push(function("forever", Type::Void, vec![], vec![forever]));
    assert_eq!(
        p.run(&call(0, vec![], Type::Void)),
        Err(FaultKind::DoesNotTerminate)
    );
    // for (i : int[0,3]) do s += i; while (0);
    let s = p.global("s", Type::Int, Value::Int(0));
    let once = Statement::DoWhile {
        body: Box::new(Statement::Expr(assign_with(
            BinaryOp::Add,
            s.clone(),
            slot(0, Type::Int),
        ))),
        condition: int(0),
    };
    let body = Statement::ForIn {
        slot: SlotId(0),
        ty: Type::range(0, 3),
        body: Box::new(once),
    };
    p.functions.push(function("f", Type::Void, vec![], vec![body]));
    p.run(&call(1, vec![], Type::Void)).unwrap();
    assert_eq!(p.run(&s), Ok(Value::Int(6)));
    let failing = Statement::Assert(int(0));
    p.functions.push(function("g", Type::Void, vec![], vec![failing]));
    assert_eq!(
        p.run(&call(2, vec![], Type::Void)),
        Err(FaultKind::AssertionFailed)
    );
    // The evaluator is usable after a fault in a call.
    assert_eq!(p.run(&s), Ok(Value::Int(6)));
}

#[test]
fn nesting_is_limited() {
    let mut nested = int(1);
    for _ in 0..1000 {
        nested = expr(ExprKind::Negate(Box::new(nested)), Type::Int);
    }
    assert_eq!(eval(&nested), Ok(Value::Int(1)));
    let mut p = Program::default();
    let a = p.global(
        "a",
        array_of(Type::Int, 1),
        Value::Array(vec![Value::Int(0)].into()),
    );
    let nested = (0..1000).fold(int(0), |i, _| index(a.clone(), i));
    assert_eq!(p.run(&nested), Ok(Value::Int(0)));
    // f0 returns 1, f(i+1) returns f(i) + 0: a chain of calls as long as the text is.
    let mut p = Program::default();
    p.functions.push(function(
        "f",
        Type::Int,
        vec![],
        vec![Statement::Return(Some(int(1)))],
    ));
    for i in 0..5000 {
        let inner = add(call(i, vec![], Type::Int), int(0));
        p.functions.push(function(
            "f",
            Type::Int,
            vec![],
            vec![Statement::Return(Some(inner))],
        ));
    }
    assert_eq!(p.run(&call(200, vec![], Type::Int)), Ok(Value::Int(1)));
    assert_eq!(p.run(&call(5000, vec![], Type::Int)), Err(FaultKind::TooDeep));
}

// ---------------------------------------------------------------- compile time

#[test]
fn constants_only() {
    let mut p = Program::default();
    let n = p.global("n", Type::Int, Value::Int(100_000));
    p.globals[0].is_const = true;
    let i = p.global("i", Type::Int, Value::Int(1));
    let value = |e: &Expr| constant(p.code(), &p.memory, None, &[], e).map_err(|f| f.kind);
    assert_eq!(value(&add(n, int(1))), Ok(Value::Int(100_001)));
    assert_eq!(value(&i), Err(FaultKind::NotConstant("i".into())));
    assert_eq!(
        value(&slot(0, Type::Int)),
        Err(FaultKind::NotConstant("variable".into()))
    );
    let param = expr(ExprKind::Var(VarRef::Param(crate::ids::ParamId(0))), Type::Int);
    assert_eq!(value(&param), Err(FaultKind::NotConstant("parameter".into())));
    let bindings = [Binding::Value(Value::Int(4))];
    let scope = Scope {
        process: ProcessId(0),
        bindings: &bindings,
        variables: &[],
    };
    assert_eq!(
        constant(p.code(), &p.memory, Some(scope), &[], &param),
        Ok(Value::Int(4))
    );
    assert_eq!(
        constant(p.code(), &p.memory, None, &[Value::Int(8)], &slot(0, Type::Int)),
        Ok(Value::Int(8))
    );
}

fn initial(ty: &Type, is_const: bool, init: impl Into<Option<Init>>) -> Result<Value, FaultKind> {
    let p = Program::default();
    let value = initial_value(
        p.code(),
        &p.memory,
        None,
        &[],
        ty,
        is_const,
        init.into().as_ref(),
        Span::NONE,
    );
    value.map_err(|f| f.kind)
}

#[test]
fn initial_values() {
    assert_eq!(initial(&Type::Int, false, None), Ok(Value::Int(0)));
    assert_eq!(initial(&Type::range(1, 2), false, None), Ok(Value::Int(1)));
    assert_eq!(initial(&Type::range(-5, -2), false, None), Ok(Value::Int(-5)));
    assert_eq!(
        initial(&Type::range(2, 1), false, None),
        Err(FaultKind::EmptyRange { lo: 2, hi: 1 })
    );
    let big = || Some(Init::Expr(int(70_000)));
    assert_eq!(initial(&Type::Int, true, big()), Ok(Value::Int(70_000)));
    assert_eq!(
        initial(&Type::Int, false, big()),
        Err(out_of_range(70_000, -32768, 32767))
    );
    let list = |n: i32| Some(Init::List((0..n).map(|i| Init::Expr(int(i))).collect()));
    let ty = array_of(Type::range(0, 1), 2);
    assert_eq!(
        initial(&ty, false, list(2)),
        Ok(Value::Array(vec![Value::Int(0), Value::Int(1)].into()))
    );
    assert_eq!(
        initial(&ty, false, list(3)),
        Err(FaultKind::ElementCount {
            expected: 2,
            found: 3
        })
    );
    assert_eq!(
        initial(&array_of(Type::range(0, 1), 3), false, list(3)),
        Err(out_of_range(2, 0, 1))
    );
    assert_eq!(
        initial(&Type::Double, false, list(1)).unwrap_err().code(),
        "unsupported"
    );
}

#[test]
fn large_arrays_are_refused_before_they_are_made() {
    let huge = array_of(array_of(Type::Int, 1_000_000), 1_000_000);
    let cells = 1_000_000_000_000;
    assert_eq!(initial(&huge, false, None), Err(FaultKind::TooLarge { cells }));
    assert_eq!(
        initial(&array_of(Type::Int, -1), false, None),
        Err(FaultKind::NegativeSize(-1))
    );
    let hollow = array_of(array_of(Type::Int, 0), i32::MAX);
    assert_eq!(
        initial(&hollow, false, None),
        Err(FaultKind::TooLarge {
            cells: i32::MAX as u64
        })
    );
    let mut deep = Type::Int;
    for _ in 0..100 {
        deep = array_of(deep, i32::MAX);
    }
    assert_eq!(
        initial(&deep, false, None),
        Err(FaultKind::TooLarge { cells: u64::MAX })
    );
}

// ---------------------------------------------------------------- clocks

/// Two clocks with integer values, and a process in location 3.
struct Clocks([i64; 2]);

impl Clocks {
    fn value(&self, term: ClockTerm) -> i64 {
        let read = |c: Option<ClockId>| c.map_or(0, |c| self.0[c.index()]);
        read(term.plus) - read(term.minus) + term.constant
    }
}

impl World for Clocks {
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        arithmetic::compare(op, &self.value(term), &0)
    }

    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        self.0[clock.index()] = self.value(term);
        Ok(())
    }

    fn location(&self, _: ProcessId) -> Option<LocationId> {
        Some(LocationId(3))
    }
}

#[test]
fn clock_bounds_and_updates() {
    const CLOCK: Type = Type::Clock { hybrid: false };
    let mut p = Program::default();
    let x = p.global("x", CLOCK, Value::Clock(ClockId(0)));
    let y = p.global("y", CLOCK, Value::Clock(ClockId(1)));
    let mut world = Clocks([7, 4]);
    let code = Code {
        globals: &p.globals,
        functions: &[],
        scalar_sets: &[],
    };
    let mut memory = p.memory.clone();
    let mut e = Evaluator::new(code, Store::Exclusive(&mut memory), &mut world);
    let bound = |op, a: &Expr, b: Expr| {
        let ty = Type::Condition(crate::types::Condition::Guard);
        expr(ExprKind::CompareClocks(op, Box::new(a.clone()), Box::new(b)), ty)
    };
    let combine = |op, a: &Expr, b: Expr| {
        expr(
            ExprKind::Arithmetic(Box::new(a.clone()), vec![(op, b)]),
            Type::Difference,
        )
    };
    assert!(e.holds(&bound(BinaryOp::GreaterEqual, &x, int(7))).unwrap());
    let difference = combine(BinaryOp::Sub, &x, y.clone());
    assert!(e.holds(&bound(BinaryOp::Equal, &difference, int(3))).unwrap());
    assert!(
        !e.holds(&bound(BinaryOp::Less, &x, combine(BinaryOp::Add, &y, int(3))))
            .unwrap()
    );
    // y = x + 1
    e.run(&assign(y.clone(), combine(BinaryOp::Add, &x, int(1))))
        .unwrap();
    assert!(e.holds(&bound(BinaryOp::Equal, &y, int(8))).unwrap());
    let twice = combine(BinaryOp::Mul, &x, int(2));
    let refused = FaultKind::unsupported("clock arithmetic");
    assert_eq!(
        e.holds(&bound(BinaryOp::Less, &twice, int(9))).unwrap_err().kind,
        refused
    );
    let sum = combine(BinaryOp::Add, &x, y);
    assert_eq!(
        e.holds(&bound(BinaryOp::Less, &sum, int(9))).unwrap_err().kind,
        refused
    );
}
