//! Constants computed before a model runs.

use super::build::*;

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
        initial(&ty, false, list(2)),
        "what is too much is ignored, whatever it is"
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
