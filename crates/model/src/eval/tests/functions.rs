//! Functions: slots, references, loops, nesting.

use super::build::*;

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
    assert_eq!(fault.to_string(), "argument 1001 for `n` is outside int[0,1000]");
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
        "result 40000 of `g` is outside int[-32768,32767]"
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

/// A quantifier ends by itself: in a label only the number of its values is limited, in a function every step counts.
#[test]
fn quantifiers_of_labels_are_no_endless_loops() {
    let mut p = Program::default();
    let all = |count| {
        let below = cmp(BinaryOp::Less, slot(0, Type::Int), int(count));
        expr(
            ExprKind::Forall(binder(0, Type::range(0, count - 1)), Box::new(below)),
            Type::Bool,
        )
    };
    assert_eq!(p.run(&all(3_400_000)), Ok(Value::Int(1)));
    let result = vec![Statement::Return(Some(all(3_400_000)))];
    p.functions.push(function("f", Type::Bool, vec![], result));
    assert_eq!(
        p.run(&call(0, vec![], Type::Bool)),
        Err(FaultKind::DoesNotTerminate)
    );
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
