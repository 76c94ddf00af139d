//! `semantics.md`, "Data".

use super::common::{fault, load, r, try_load, with_loop};
use zonewalk_model::system::Value;
use zonewalk_syntax::read::Format;

/// The run-time error of an update, or what it leaves in `n`.
fn update(declarations: &str, update: &str) -> Result<i32, String> {
    let m = with_loop(declarations, &format!("assign {update};"));
    let mut run = m.run();
    match run.try_take("0", "L -> L") {
        Ok(()) => Ok(run.int("n")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn row_17_values_out_of_range_are_errors() {
    let declarations = "const int BIG = 100000; int n; int[0,5] s; int a[2]; bool b; clock x; int z;
        int[0,9] f(int[0,5] k) { return 2 * k; } ";
    for (text, expected) in [
        ("n := 32767", Ok(32767)),
        ("n := 32768", Err("value 32768 is outside int[-32768,32767]")),
        ("n := -32768", Ok(-32768)),
        ("n := -32769", Err("value -32769 is outside int[-32768,32767]")),
        ("n := BIG / 100", Ok(1000)),
        ("n := BIG * 2 - 190000", Ok(10000)),
        ("s := 6", Err("value 6 is outside int[0,5]")),
        ("s := 5, s++", Err("value 6 is outside int[0,5]")),
        ("s--", Err("value -1 is outside int[0,5]")),
        ("n := a[2]", Err("index 2 is outside the array's 0..1")),
        ("a[-1] := 0", Err("index -1 is outside the array's 0..1")),
        ("n := 1 / z", Err("division by zero")),
        ("n := 1 % z", Err("division by zero")),
        ("n := 1 << (z - 1)", Err("shift by -1 is outside 0..31")),
        ("n := 1 >> 32", Err("shift by 32 is outside 0..31")),
        ("x := z - 1", Err("clock set to the negative value -1")),
        ("n := f(6)", Err("argument 6 for `k` is outside int[0,5]")),
        ("n := f(5)", Err("result 10 of `f` is outside int[0,9]")),
        ("n := f(4)", Ok(8)),
        (
            "n := BIG * BIG",
            Err("value 1410065408 is outside int[-32768,32767]"),
        ),
    ] {
        let expected = expected.map_err(|e: &str| format!("{e} (in the update of P)"));
        assert_eq!(update(declarations, text), expected, "{text}");
    }
}

#[test]
fn row_17_intermediate_values_wrap() {
    for (text, expected) in [
        ("n := BIG * BIG / BIG", 14100),
        ("n := -(-2147483647 - 1) < 0", 1),
        ("n := 1073741824 * 2 > 0", 0),
        ("n := (200 << 24) >> 24", -56),
        ("n := (1 << 31) / -1 < 0", 1),
        ("n := INT32_MAX - z - INT32_MIN", 4),
        ("n := abs(INT32_MIN) >> 31", -1),
        ("n := 7 ** 12 % 1000", 313),
        ("n := (sum (i : int[0,2]) BIG * 10000) >> 16", -19760),
    ] {
        assert_eq!(
            update("const int BIG = 100000; int n; int z = -5;", text),
            Ok(expected),
            "{text}"
        );
    }
    // A bound is added up in 32 bits as well, wherever its integers stand.
    let never = with_loop("int32_t a = 2000000000; clock x;", "guard x <= a + a;");
    assert!(never.run().try_transitions().unwrap().is_empty());
    let always = with_loop("int32_t a = 2000000000; clock x;", "guard x - a >= a;");
    let run = always.run();
    assert_eq!(run.try_transitions().unwrap().len(), 1);
    let places = run.interpreter.wraps();
    assert_eq!(places.len(), 1);
    assert_eq!(always.model.sources.slice(places[0]), "x - a >= a");
}

#[test]
fn row_17_errors_stop_the_analysis_wherever_they_are() {
    let declarations = "int a[2], i = 2; chan c[2]; clock x;";
    let m = with_loop(declarations, "guard a[i] == 0;");
    let run = m.run();
    let error = run.try_transitions().unwrap_err();
    assert_eq!(
        error.to_string(),
        "index 2 is outside the array's 0..1 (in the guard of P)"
    );
    assert_eq!(run.source(&error), "i");
    let m = with_loop(declarations, "guard x >= a[i];");
    assert!(fault(m.run().try_transitions()).contains("in the guard"));
    let m = load(
        "int a[2], i; process P() { state A, B { a[i] == 0 }; init A; trans A -> B { assign i := 2; }; } system P;",
    );
    assert!(fault(m.run().try_transitions()).contains("in the invariant of P"));
    // After the index is gone wrong, another process's invariant shows it too.
    let m = load(
        "int a[2], i; process P() { state A; init A; trans A -> A { assign i := 2; }; }
         process Q() { state A { a[i] == 0 }; init A; } system P, Q;",
    );
    assert!(fault(m.run().try_transitions()).contains("in the invariant of Q"));
}

#[test]
fn row_17_old_models_learn_of_the_old_rule() {
    let text =
        "int[0,3] i := 3; process P { state A; init A; trans A -> A { assign i := i + 1; }; } system P;";
    let m = try_load(text, Format::Ta).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let run = m.run();
    let diagnostic = run.interpreter.diagnose(&run.try_transitions().unwrap_err());
    assert_eq!(diagnostic.message, "value 4 is outside int[0,3]");
    assert!(diagnostic.help.is_some_and(|help| help.contains("nearest bound")));
}

#[test]
fn row_17a_division_and_shifts_are_those_of_c() {
    for (text, value) in [
        ("n := -7 / 2", -3),
        ("n := -7 % 2", -1),
        ("n := 7 % -2", 1),
        ("n := -8 >> 1", -4),
        ("n := 3 << 4", 48),
        ("n := 2 ** 10", 1024),
        ("n := 7 <? 3 >? 5", 5),
        ("n := 6 & 3 | 8 ^ 1", 11),
    ] {
        assert_eq!(update("int n;", text), Ok(value), "{text}");
    }
}

#[test]
fn row_17b_booleans_are_integers() {
    let declarations = "int n = 3; bool b = true, f = false;";
    for (text, value) in [
        ("n := b + b", 2),
        ("n += b", 4),
        ("n := b", 1),
        ("b &= f, n := b", 0),
        ("f := 5, n := f", 1),
        ("n := (5 == true)", 0),
        ("n := !7", 0),
        ("n := (n && 4)", 1),
    ] {
        assert_eq!(update(declarations, text), Ok(value), "{text}");
    }
    for text in ["b++", "b += 1"] {
        let model = format!(
            "bool b; process P() {{ state L; init L; trans L -> L {{ assign {text}; }}; }} system P;"
        );
        assert!(try_load(&model, Format::Xta).is_err(), "{text}");
    }
}

#[test]
fn row_17c_predeclared_names() {
    let declarations = "int n; int8_t small; uint8_t byte = 255; int8_t lowest = INT8_MIN; int W, R, sup;";
    assert_eq!(update(declarations, "n := INT16_MAX"), Ok(32767));
    assert_eq!(update(declarations, "n := abs(lowest) + byte"), Ok(383));
    assert_eq!(update(declarations, "n := fint(1000 * M_PI)"), Ok(3141));
    assert!(
        update(declarations, "small := 128")
            .unwrap_err()
            .contains("outside int[-128,127]")
    );
    assert_eq!(
        update("int n, a$1, b#2;", "a$1 := 2, b#2 := 3, n := a$1 * b#2"),
        Ok(6)
    );
}

#[test]
fn row_18_meta_variables_are_carried_along() {
    let m = load(
        "meta int t = 4; int n; process P() { state A, B; init A; trans A -> B { assign t := t + 1; },
         B -> A { assign n := t; }; } system P;",
    );
    let mut run = m.run();
    run.take("0", "A -> B").take("0", "B -> A");
    assert_eq!(run.int("n"), 5);
}

#[test]
fn row_19_initialisers_are_compile_time() {
    let m = load(
        "const int N = 3; int sq(int k) { return k * k; } const int M = sq(N) + 1; int a[M], q = M;
         process P(const int k) { const int twice = 2 * k; int v = twice + sq(k); state A; init A;
             trans A -> A { guard v == 8; }; } Q = P(2); system Q;",
    );
    let run = m.run();
    assert_eq!(run.int("q"), 10);
    assert_eq!(run.global("a"), &Value::Array(vec![Value::Int(0); 10].into()));
    assert_eq!(run.transitions(), ["Q.A -> A @ [0, inf)"]);
    let variable = "int i = 1; int q = i; process P() { state A; init A; } system P;";
    assert!(try_load(variable, Format::Xta).is_err());
    // Locals of functions may read anything.
    let m = with_loop(
        "int n = 4; int f() { int k = n + 1; return k; }",
        "assign n := f();",
    );
    let mut run = m.run();
    run.take("0", "L");
    assert_eq!(run.int("n"), 5);
}

#[test]
fn row_19_initialisers_end() {
    let text = "int f() { while (true) { } return 1; } const int N = f(); process P() { state A; init A; } system P;";
    let errors = try_load(text, Format::Xta).err().expect("an error");
    assert!(errors.iter().any(|e| e.contains("does not end")), "{errors:?}");
    let m = with_loop(
        "int n; int f() { while (n == 0) { } return 1; }",
        "assign n := f();",
    );
    assert_eq!(
        fault(m.run().try_transitions()),
        "does not end within 10000000 steps: an endless loop, or quantifiers over too many values (in the update of P)"
    );
}

#[test]
fn row_19a_defaults() {
    let m = load(
        "int[1,2] turn; int[-5,-3] low; int[-1,4] around; bool b; typedef scalar[3] s_t; s_t s;
         struct { int[2,3] f; bool g; } rec[2]; process P() { state A; init A; } system P;",
    );
    let run = m.run();
    assert_eq!((run.int("turn"), run.int("low"), run.int("around")), (1, -5, 0));
    assert_eq!((run.int("b"), run.int("s")), (0, 0));
    let field = Value::Struct(vec![Value::Int(2), Value::Int(0)].into());
    assert_eq!(
        run.global("rec"),
        &Value::Array(vec![field.clone(), field].into())
    );
}

#[test]
fn row_19b_lists() {
    let m = load(
        "struct { int n; bool m; } s = { 3, true }, t = { m: true, n: 2 }; int g[2][2] = { {1, 2}, {3, 4} };
         process P() { state A; init A; trans A -> A { guard s.n == 3 && t.m && t.n == 2 && g[1][0] == 3; }; }
         system P;",
    );
    assert_eq!(m.run().transitions().len(), 1);
    for text in ["int[0,3] a[2] = {1, 4};", "int g[2][2] = {1, 2, 3, 4};"] {
        let model = format!("{text} process P() {{ state A; init A; }} system P;");
        assert!(try_load(&model, Format::Xta).is_err(), "{text}");
    }
}

/// Too many values are cut, too few filled up, wherever the array is declared; in a process the size may be a parameter.
#[test]
fn row_19b_other_numbers_of_values() {
    let m = load(
        "int a[2] = {1, 2, 700000}, b[3] = {4}; int[2,5] c[2] = {3}; clock x[1] = {5, 6};
         int g[2][2] = { {1, 2, 3}, {4}, {5, 6} }; int n;
         int f() { int k[2] = {7, 8, 9}; return k[1]; }
         process P(const int size) {
             int l[size] = {1, 2, 3};
             int h() { int k[size] = {7, 8, 9}; return k[size - 1]; }
             state A; init A;
             trans A -> A { assign n := f() * 100 + h(); };
         }
         Q = P(2); R = P(4); system Q, R;",
    );
    let mut run = m.run();
    let ints =
        |values: &[i32]| Value::Array(values.iter().map(|&i| Value::Int(i)).collect::<Vec<_>>().into());
    assert_eq!(run.global("a"), &ints(&[1, 2]));
    assert_eq!(run.global("b"), &ints(&[4, 0, 0]));
    assert_eq!(run.global("c"), &ints(&[3, 2]));
    assert_eq!(
        run.global("g"),
        &Value::Array(vec![ints(&[1, 2]), ints(&[4, 0])].into())
    );
    assert_eq!(m.system.clocks.len(), 1);
    assert_eq!(m.system.initial.locals[0][0], ints(&[1, 2]));
    assert_eq!(m.system.initial.locals[1][0], ints(&[1, 2, 3, 0]));
    run.take("0", "Q.A -> A");
    assert_eq!(run.int("n"), 808);
    let warnings: Vec<&str> = m.system.warnings.iter().map(|w| &*w.message).collect();
    assert_eq!(
        warnings,
        [
            "the array has 2 elements, its initialiser has 3",
            "the array has 4 elements, its initialiser has 3"
        ]
    );
}

#[test]
fn row_19b_ranges_count_where_there_is_a_process() {
    let template = "process P(const int k) { const int n = 3; int[0,3] a[2] = {1, n + 1}; int[0,3] b = k; state A; init A; }
        process Q() { state A; init A; }";
    let idle = load(&format!("{template} system Q;"));
    let warnings: Vec<(&str, &str)> = idle
        .system
        .warnings
        .iter()
        .map(|w| (w.code.as_str(), &*w.message))
        .collect();
    assert_eq!(warnings, [("value-out-of-range", "value 4 is outside int[0,3]")]);
    assert!(!idle.system.warnings[0].is_error());
    let errors = try_load(&format!("{template} R = P(1); system Q, R;"), Format::Xta).err();
    assert_eq!(
        errors,
        Some(vec!["value-out-of-range: value 4 is outside int[0,3]".to_owned()])
    );
}

#[test]
fn row_17d_constants_may_be_out_of_their_range() {
    let text = "const int MAXL = 7; const int[0,MAXL] lane = 15; const int[0,3] speeds[2] = {2, 9};
         int[0,20] at = lane; int n = speeds[1];
         process P() { const int[0,2] own = 5; state A; init A; trans A -> A { assign n = own + lane; }; } system P;";
    let m = load(text);
    let mut run = m.run();
    assert_eq!((run.int("at"), run.int("n")), (15, 9));
    run.take("0", "P.A -> A");
    assert_eq!(run.int("n"), 20);
    let refused = |text: &str| try_load(text, Format::Xta).err();
    let rest = "process P() { state A; init A; } system P;";
    assert_eq!(
        refused(&format!("int[0,7] lane = 15; {rest}")),
        Some(vec![
            "value-out-of-range: value 15 is outside int[0,7]".to_owned()
        ])
    );
    // What is out of range here is no constant.
    assert!(
        refused(&format!(
            "int f() {{ int[0,7] k = 15; return k; }} const int[0,7] lane = f(); {rest}"
        ))
        .is_some()
    );
}

#[test]
fn row_19c_clocks_have_initialisers_and_live_in_structs() {
    let m = load(
        "clock x = 3, c[2] = {1, 2}; struct { clock t; int n; } s[2];
         process P() { clock own = 7; state A; init A; trans A -> A { guard s[1].t >= 2; assign s[1].t := 0; }; }
         system P;",
    );
    let mut run = m.run();
    let names: Vec<&str> = m.system.clocks.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["x", "c[0]", "c[1]", "s[0].t", "s[1].t", "P.own"]);
    assert_eq!(
        (run.clock("x"), run.clock("c[1]"), run.clock("P.own")),
        (r("3"), r("2"), r("7"))
    );
    run.take("2", "A -> A");
    assert_eq!(
        (run.clock("s[0].t"), run.clock("s[1].t"), run.clock("x")),
        (r("2"), r("0"), r("5"))
    );
}

#[test]
fn row_19d_structs_and_arrays_copy_and_compare() {
    let m = load(
        "const int N = 3; typedef struct { int n; int a[2]; } rec_t; rec_t r1 = {1, {2, 3}}, r2; int a[3] = {7, 8, 9}, b[N];
         process P() { state A, B, C; init A; trans
             A -> B { guard r1 != r2 && a != b; assign r2 := r1, b := a, r2.a[0] := 5, a[0] := 0; },
             B -> C { guard r1 != r2 && r1.a[0] == 2 && b[0] == 7; }, B -> A { guard r1 == r2 || a == b; }; } system P;",
    );
    let mut run = m.run();
    run.take("0", "A -> B");
    assert_eq!(run.transitions(), ["P.B -> C @ [0, inf)"]);
}

#[test]
fn row_19e_clock_updates() {
    let m = load(
        "clock x, y, c[2], d[2] = {4, 6}; process P() { state A, B, C; init A; trans
             A -> B { assign x := 5, y := x + 1, x := x + 1; }, A -> C { assign c := d, d[0] := 0, y := c[1] - 2; }; }
         system P;",
    );
    let mut run = m.run();
    run.take("1", "A -> B");
    assert_eq!((run.clock("x"), run.clock("y")), (r("6"), r("6")));
    let mut run = m.run();
    run.take("1/2", "A -> C");
    assert_eq!((run.clock("c[0]"), run.clock("c[1]")), (r("9/2"), r("13/2")));
    assert_eq!(
        (run.clock("d[0]"), run.clock("d[1]"), run.clock("y")),
        (r("0"), r("13/2"), r("9/2"))
    );
    for text in ["x++", "x += 1", "i := x"] {
        let model = format!(
            "clock x; int i; process P() {{ state L; init L; trans L -> L {{ assign {text}; }}; }} system P;"
        );
        assert!(try_load(&model, Format::Xta).is_err(), "{text}");
    }
}
