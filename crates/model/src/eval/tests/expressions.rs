//! Expressions, with and without clocks.

use super::build::*;

#[test]
fn chains_fold_to_the_left() {
    use BinaryOp::*;
    let chain = arith(int(10), vec![(Sub, int(4)), (Sub, int(3)), (Mul, int(2))]);
    assert_eq!(eval(&chain), Ok(Value::Int(6)));
    assert_eq!(
        eval(&arith(int(i32::MAX), vec![(Add, int(1))])),
        Ok(Value::Int(i32::MIN))
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
    assert_eq!(out_of_range(7, 0, 5).to_string(), "value 7 is outside int[0,5]");
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
        "index -1 is outside the array's 0..2"
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
        wraps: None,
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

#[test]
fn quantifiers_are_their_bodies_one_by_one() {
    use ExprKind as K;
    // What does not depend on the variable is false, true or fails; what does is a set of values.
    let fixed = |which| match which {
        0 | 1 => int(which),
        _ => arith(int(1), vec![(BinaryOp::Div, int(0))]),
    };
    let varied = |set: i32, j: &Expr| {
        let ops = vec![(BinaryOp::ShiftRight, j.clone()), (BinaryOp::Mod, int(2))];
        cmp(BinaryOp::Equal, arith(int(set), ops), int(1))
    };
    let boolean = |kind| expr(kind, Type::Bool);
    let not = |e| boolean(K::Not(Box::new(e)));
    let imply = |a, b| boolean(K::Imply(Box::new(a), Box::new(b)));
    let body = |form, (a, b): (i32, i32), set, j: &Expr| {
        let (a, b, v) = (fixed(a), fixed(b), varied(set, j));
        match form {
            0 => boolean(K::And(vec![a, b, v])),
            1 => boolean(K::Or(vec![a, v, b])),
            2 => not(boolean(K::And(vec![a, v, b]))),
            3 => not(boolean(K::Or(vec![a, b, v]))),
            4 => imply(boolean(K::And(vec![a, v])), b),
            5 => imply(not(boolean(K::Or(vec![a, v]))), b),
            6 => imply(a, imply(v, b)),
            7 => imply(v, boolean(K::And(vec![a, b]))),
            _ => not(not(boolean(K::Or(vec![boolean(K::And(vec![a, b])), v])))),
        }
    };
    let choices = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
    for (form, fixed, set) in (0..9).flat_map(|form| {
        choices
            .clone()
            .flat_map(move |f| (0..8).map(move |s| (form, f, s)))
    }) {
        let over = || binder(0, Type::range(0, 2));
        let whole = || Box::new(body(form, fixed, set, &slot(0, Type::Int)));
        let all: Vec<_> = (0..3).map(|j| eval(&body(form, fixed, set, &int(j)))).collect();
        let until = |end: i32| {
            let found = all.iter().find(|value| **value != Ok(Value::Int(1 - end)));
            found.cloned().unwrap_or(Ok(Value::Int(1 - end)))
        };
        let sum = all.iter().try_fold(0, |sum, value| match value {
            Ok(Value::Int(i)) => Ok(sum + i),
            Ok(_) => panic!("no integer"),
            Err(fault) => Err(fault.clone()),
        });
        let what = format!("form {form} of {fixed:?} and {set}");
        assert_eq!(eval(&boolean(K::Forall(over(), whole()))), until(0), "{what}");
        assert_eq!(eval(&boolean(K::Exists(over(), whole()))), until(1), "{what}");
        assert_eq!(
            eval(&expr(K::Sum(over(), whole()), Type::Int)),
            sum.map(Value::Int),
            "{what}"
        );
    }
}
