//! `semantics.md` 20 and 20a: functions.

use super::common::{fault, load, try_load, with_loop};
use zonewalk_syntax::read::Format;

#[track_caller]
fn result(declarations: &str, call: &str) -> i32 {
    let m = with_loop(declarations, &format!("assign {call};"));
    let mut run = m.run();
    run.take("0", "L");
    run.int("n")
}

#[test]
fn row_20_statements() {
    let loops = "int n; int f(int k) { int s; int i; for (i = 0; i <= k; i++) { if (i % 2 == 0) s += i; else s += 10; }
        while (k > 0) { k--; s++; } do { s += 100; } while (s < 300); for (t : int[1,3]) s += t; return s; }";
    // 0+10+2+10+4 = 26, then 4 more, then 30 -> 330, then 6.
    assert_eq!(result(loops, "n := f(4)"), 336);
}

#[test]
fn row_20_locals_are_initialised_at_each_call() {
    let text = "int n; int f() { int[3,9] k; { int j = k; k = j + 1; } return k; }";
    assert_eq!(result(text, "n := 10 * f() + f()"), 44);
}

#[test]
fn row_20_parameters_by_value_copy_and_by_reference_refer() {
    let text = "int n, a[3] = {1, 2, 3}, i = 1; struct { int v; } s[2];
        int total(int b[3]) { b[0] = 100; return b[0] + b[1] + b[2]; }
        void bump(int &v) { v = v + 10; } void both(int &u, int &v) { bump(u); bump(v); }
        void clear(int &b[3]) { for (k : int[0,2]) b[k] = 0; }";
    assert_eq!(result(text, "n := total(a) + a[0]"), 106);
    assert_eq!(result(text, "bump(a[i]), i := 0, n := a[1]"), 12);
    assert_eq!(result(text, "both(a[2], a[2]), n := a[2]"), 23);
    assert_eq!(result(text, "both(s[i].v, n), n := n * 100 + s[1].v"), 1010);
    assert_eq!(result(text, "clear(a), n := a[0] + a[1] + a[2] + 7"), 7);
}

#[test]
fn row_20_clocks_and_channels_by_reference() {
    let m = load(
        "clock x, c[2]; int i = 1; void reset(clock &t) { t = 3; }
         process P() { state A; init A; trans A -> A { assign reset(c[i]), reset(x); }; } system P;",
    );
    let mut run = m.run();
    run.take("9", "A");
    assert_eq!(
        (run.clock("c[0]"), run.clock("c[1]"), run.clock("x")),
        ("9".parse().unwrap(), 3.into(), 3.into())
    );
}

#[test]
fn row_20_results() {
    let text =
        "typedef struct { int a; bool b; } rec_t; int n; rec_t g(int k) { rec_t r = { k, true }; return r; }
        void v() { n = 5; return; } bool p(int k) { return k; }";
    assert_eq!(result(text, "n := g(7).a + p(12)"), 8);
    assert_eq!(result(text, "v()"), 5);
}

#[test]
fn row_20_refused_functions() {
    for text in [
        "int f() { return f(); }",
        "int f() { return g(); } int g() { return 1; }",
        "int f(int k) { if (k > 0) return 1; }",
        "int f() { while (true) return 1; }",
        "int f() { for (int k = 0; k < 3; k++) { } return 1; }",
        "void h(int &v) { v = 1; } int[0,5] s; void f() { h(s); }",
    ] {
        let model = format!("{text} process P() {{ state A; init A; }} system P;");
        assert!(try_load(&model, Format::Xta).is_err(), "{text}");
    }
}

#[test]
fn row_20_assertions() {
    let m = with_loop("int n; void f() { assert(n < 2); n++; }", "assign f();");
    let mut run = m.run();
    run.take("0", "L").take("0", "L");
    assert_eq!(
        fault(run.try_transitions()),
        "assertion failed (in the update of P)"
    );
}

#[test]
fn row_20a_left_sides() {
    let text = "int n, i, j; bool b = true;";
    assert_eq!(result(text, "(b ? i : j) = 3, n := 10 * i + j"), 30);
    assert_eq!(result(text, "(!b ? i : j) = 3, n := 10 * i + j"), 3);
    assert_eq!(result(text, "(i = 4) += 2, n := i"), 6);
    assert_eq!(result(text, "++(++i), n := i + i++ * 10"), 22);
    assert_eq!(result(text, "n = i = j = 9, n += i"), 18);
}
