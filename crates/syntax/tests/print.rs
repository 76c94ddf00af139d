//! Parse, print, parse: the same tree.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{skeleton, without_spans};
use zonewalk_syntax::ast::{Dialect, Document, Expr};
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::print;

fn expr(text: &str) -> Expr {
    let mut cx = Context::new(Dialect::New);
    let expr = parser::expression(&Fragment::plain(text, 1), &mut cx).unwrap();
    assert!(!cx.diagnostics.has_errors(), "{text}: {:?}", cx.diagnostics);
    expr
}

fn document(text: &str, dialect: Dialect) -> Document {
    let mut cx = Context::new(dialect);
    let document = parser::document(&Fragment::plain(text, 1), &mut cx);
    assert!(!cx.diagnostics.has_errors(), "{text}: {:?}", cx.diagnostics);
    document
}

/// Prints, parses again and compares the trees.
fn round_trip(text: &str, dialect: Dialect) -> String {
    let first = document(text, dialect);
    let printed = print::document(&first);
    let second = document(&printed, Dialect::New);
    assert_eq!(skeleton(&first), skeleton(&second), "{printed}");
    assert_eq!(print::document(&second), printed);
    printed
}

#[test]
fn parentheses_that_mean_nothing_go() {
    for (text, printed) in [
        ("((a))", "a"),
        ("(a * b) + (c)", "a * b + c"),
        ("(a && b) or (not c)", "a && b || !c"),
        ("(x) := (y := (z))", "x = y = z"),
        ("a ? (b) : (c ? d : e)", "a ? b : c ? d : e"),
        ("f((a), (b + c))[(i)].g", "f(a, b + c)[i].g"),
        ("(x') == (0)", "x' == 0"),
        ("(-(a)) ** b", "-a ** b"),
        ("-(+a)", "-+a"),
        ("a && (forall (i : T) b)", "a && forall (i : T) b"),
        (
            "(a && forall (i : int[0, 3]) b) || c",
            "a && (forall (i : int[0, 3]) b) || c",
        ),
    ] {
        assert_eq!(print::expr(&expr(text)), printed, "{text}");
        let (first, second) = (format!("{:?}", expr(text)), format!("{:?}", expr(printed)));
        assert_eq!(without_spans(&first), without_spans(&second), "{text}");
    }
}

#[test]
fn parentheses_that_mean_something_stay() {
    for text in [
        "(a + b) * c",
        "a - (b - c)",
        "(a - b) - c",
        "a imply (b imply c)",
        "(a imply b) imply c",
        "(a ? b : c) = 3",
        "(a = b) = c",
        "(a ? b : c) ? d : e",
        "-(a + b)",
        "!(a && b)",
        "(a + b)[c]",
        "(-a)[b]",
        "a && (forall (i : T) b) || c",
        "(forall (i : T) b)(c)",
        "!(sum (i : T) a[i]) == 3",
        "(exists (i : T) a) ? b : c",
        "- -a",
        "- --a",
        "+ ++a",
        "- -2147483648",
        "(-2147483648)[0]",
        "(++a)++",
        "a - -b",
        "(a = b) + c",
        "a + (b ? c : d)",
        "1.0 + 1.5e-7 + 1e300",
        "spawn P(1, 2) + numOf(Q)",
        "a <<= b >> 1",
    ] {
        assert_eq!(print::expr(&expr(text)), text);
    }
}

#[test]
fn queries_print_as_they_are_written() {
    for text in [
        "E<> P.a && x <= 3",
        "A[] !deadlock",
        "E[] forall (i : T) P(i).a",
        "A<> a",
        "a --> b || c",
        "sup{a}: x, y",
        "inf: x",
        "bounds: x",
    ] {
        let mut cx = Context::new(Dialect::New);
        let query = parser::query(&Fragment::plain(text, 1), &mut cx).unwrap();
        assert_eq!(print::query(&query).as_deref(), Some(text));
    }
}

const DECLARATIONS: &str = r#"
const int N = 3, M = -2147483648;
typedef int[0, N - 1] id_t;
typedef struct { int a, b[2]; clock c; } pair;
typedef scalar[N] set_t;
meta bool flag = true;
int grid[N][id_t][int[0, 1]] = { { { 1, 2 } } };
pair p = { a: 1, b: { 2, 3 }, c: 0 };
urgent broadcast chan go[N];
broadcast chan b;
hybrid clock h;
double d = 1.5e3;
string s = "a b";
chan priority go[0], b < default < go;
before_update { x = 1, y = 2 }
after_update { f() }
progress { a; a > 1 : b; }
gantt { row(i : id_t) : for (j : id_t, k : int[0, 1]) a[j] > k -> i, x -> 2; other : true -> 1; }
dynamic Worker(const int n, chan &c);
import "lib/x.so" { int f(int x); g = double h(); };
void noop() { }
int work(int a, int &b, const id_t c[2]) {
    int i, total = 0;
    typedef int[0, 3] small;
    { int inner; inner = 1; }
    for (i = 0, total = 1; i < N; i++) total += i;
    for (k : id_t) { if (k == 1) total--; else if (k == 2) { total = 3; } else ; }
    while (total > 0 and not flag) total = total / 2;
    do { total++; } while (total < 3);
    if (a > 0) if (b > 0) return 1; else return 2;
    assert total > 0;
    return a ? b : total <? 3 >? 4;
}
"#;

#[test]
fn declarations_come_back() {
    round_trip(&format!("{DECLARATIONS} system P;"), Dialect::New);
}

#[test]
fn templates_come_back() {
    let printed = round_trip(
        "chan c; clock x;
         process P(const int[0, 3] id, int &v, chan c[2]) {
             clock y;
             state A { y <= 3 && x' == 0 }, B { x < 2; 1 : 3 }, C { ; 5 }, D;
             branchpoint b1, b2;
             commit C;
             urgent B, D;
             init A;
             trans A -> B { select i : int[0, 3], j : T; guard y > 1; sync c[i]!; assign y = 0, v = i; },
                   -> b1 { sync c?; },
                   b1 -> D { probability 3; },
                   B -u-> C { sync c[0]; };
         }
         process Q() { state S; init S; }
         int late = 1;
         P1(const int i) = P(i, late, c);
         P2 = P(1, late, c);
         int later;
         system P1, Q < P2;
         progress { late; }",
        Dialect::New,
    );
    assert!(printed.contains("A -> b1 { sync c?; }"), "{printed}");
    assert!(printed.contains("B -u-> C { sync c[0]; }"), "{printed}");
    assert!(printed.contains("system P1, Q < P2;"), "{printed}");
}

#[test]
fn the_old_dialect_prints_as_new() {
    let printed = round_trip(
        "const N 3, A[2] {1, 2};
         int x, y; chan c;
         process P(int v; const k) {
             state S { x =< 3, y >= 1 }, T;
             init S;
             trans S -> T { guard x > 0, y == k or x < 2; sync c!; assign v := 1; };
         }
         Q := P(x, 3);
         system Q;",
        Dialect::Old,
    );
    assert!(printed.contains("const int N = 3, A[2] = { 1, 2 };"), "{printed}");
    assert!(printed.contains("process P(int &v, const int k)"), "{printed}");
    assert!(printed.contains("guard x > 0 && (y == k || x < 2);"), "{printed}");
}

/// An `else` must not move to an inner `if`, even in a tree that no text gives.
#[test]
fn an_else_stays_where_it_is() {
    let text = "void f() { if (a) while (b) if (c) x = 1; }";
    let mut tree = document(text, Dialect::New);
    let zonewalk_syntax::ast::Decl::Function(function) = &mut tree.decls[0] else {
        panic!("no function")
    };
    let zonewalk_syntax::ast::StmtKind::If { otherwise, then, .. } = &mut function.body.stmts[0].kind else {
        panic!("no if")
    };
    *otherwise = Some(then.clone());
    let printed = print::document(&tree);
    assert!(
        printed.contains("if (a) { while (b) if (c) x = 1; } else while"),
        "{printed}"
    );
    document(&printed, Dialect::New);
}
