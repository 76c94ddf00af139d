//! The parser on small texts: shapes, recovery, limits.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use zonewalk_syntax::ast::{BinaryOp, Decl, Dialect, Document, Expr, ExprKind, Query, StmtKind};
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};

fn expr(text: &str) -> Expr {
    let mut cx = Context::new(Dialect::New);
    let expr = parser::expression(&Fragment::plain(text, 1), &mut cx).unwrap();
    assert!(!cx.diagnostics.has_errors(), "{text}: {:?}", cx.diagnostics);
    expr
}

/// Fully parenthesised, to see the structure.
fn shape(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Name(n) => n.to_string(),
        ExprKind::Int(i) => i.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Chain { first, rest } => rest.iter().fold(shape(first), |left, (op, right)| {
            format!("({left} {} {})", op.symbol(), shape(right))
        }),
        ExprKind::Unary(op, e) => format!("{op:?}({})", shape(e)),
        ExprKind::Conditional(a, b, c) => format!("({} ? {} : {})", shape(a), shape(b), shape(c)),
        ExprKind::Assign(_, a, b) => format!("({} = {})", shape(a), shape(b)),
        ExprKind::Index(a, i) => format!("{}[{}]", shape(a), shape(i)),
        ExprKind::Field(a, f) => format!("{}.{}", shape(a), f.name),
        ExprKind::Quantifier { binder, body, .. } => format!("all {} {{{}}}", binder.name, shape(body)),
        ExprKind::Rate(e) => format!("{}'", shape(e)),
        ExprKind::Step { prefix, operand, .. } => {
            if *prefix {
                format!("++{}", shape(operand))
            } else {
                format!("{}++", shape(operand))
            }
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn precedence_follows_semantics_24b_and_24c() {
    for (text, expected) in [
        ("a imply b imply c", "((a imply b) imply c)"),
        ("not a == b", "(Not(a) == b)"),
        ("i & 1 == 0", "(i & (1 == 0))"),
        ("a && forall(i : T) p || q", "(a && all i {(p || q)})"),
        ("a || b && c", "(a || (b && c))"),
        ("a or b imply c or d", "(((a || b) imply c) || d)"),
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("a << 1 + 2 <? b", "((a << (1 + 2)) <? b)"),
        ("-a ** b", "(Minus(a) ** b)"),
        ("b ? i : j = 3", "(b ? i : (j = 3))"),
        ("(b ? i : j) = 3", "((b ? i : j) = 3)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a = b = c", "(a = (b = c))"),
        ("s.a[i].b++", "s.a[i].b++"),
        ("x' == 0 && y <= 5", "((x' == 0) && (y <= 5))"),
        ("-2147483648", "-2147483648"),
        ("!a[1]", "Not(a[1])"),
        ("a ^ b | c & d", "((a ^ b) | (c & d))"),
    ] {
        assert_eq!(shape(&expr(text)), expected, "{text}");
    }
}

#[test]
fn long_chains_stay_flat() {
    let text = vec!["a"; 100_000].join(" + ");
    let ExprKind::Chain { rest, .. } = expr(&text).kind else {
        panic!("not a chain")
    };
    assert_eq!(rest.len(), 99_999);
    assert!(rest.iter().all(|(op, _)| *op == BinaryOp::Add));
}

fn errors(text: &str, parse: fn(&Fragment<'_>, &mut Context)) -> Vec<String> {
    let mut cx = Context::new(Dialect::New);
    parse(&Fragment::plain(text, 1), &mut cx);
    cx.diagnostics
        .iter()
        .map(|d| format!("{}: {}", d.primary.span.start, d.message))
        .collect()
}

#[test]
fn nesting_has_a_limit() {
    // Unit tests run on small stacks; the limit must hold on those that the readers provide.
    let check = || {
        for (open, close) in [
            ("(", ")"),
            ("-", ""),
            ("a[", "]"),
            ("forall(i : T) ", ""),
            ("f(", ")"),
            ("a ? ", ": b"),
        ] {
            let text = format!("{}a{}", open.repeat(100_000), close.repeat(100_000));
            let found = errors(&text, |f, cx| {
                parser::expression(f, cx);
            });
            assert_eq!(found.len(), 1, "{open}: {found:?}");
            assert!(found[0].contains("nests deeper"), "{found:?}");
        }
        for (text, what) in [("{".repeat(100_000), "block"), ("if (a) ".repeat(100_000), "if")] {
            let found = errors(&format!("void f() {{ {text} }}"), |f, cx| {
                parser::declarations(f, cx);
            });
            assert!(
                found.iter().any(|e| e.contains("nests deeper")),
                "{what}: {found:?}"
            );
        }
        let deep = format!("{}a{}", "(".repeat(900), ")".repeat(900));
        assert_eq!(shape(&expr(&deep)), "a");
    };
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

fn document(text: &str, dialect: Dialect) -> (Document, Vec<String>) {
    let mut cx = Context::new(dialect);
    let document = parser::document(&Fragment::plain(text, 1), &mut cx);
    (
        document,
        cx.diagnostics.iter().map(|d| d.message.clone()).collect(),
    )
}

#[test]
fn errors_do_not_stop_the_parser() {
    let text = "int a = ;\nint b[3;\nchan c\nint d;\nvoid f() { a = 1 a = 2; b = ; }\nint e;\n";
    let found = errors(text, |f, cx| {
        parser::declarations(f, cx);
    });
    assert!(found.len() >= 4, "{found:#?}");
    let mut cx = Context::new(Dialect::New);
    let decls = parser::declarations(&Fragment::plain(text, 1), &mut cx);
    assert!(
        matches!(decls.last(), Some(Decl::Variables { declarators, .. }) if &*declarators[0].name.name == "e")
    );
}

#[test]
fn textual_templates() {
    let (d, errors) = document(
        "clock x; chan c; typedef int[0,3] id_t;
         process P(const id_t id, int &v) {
           clock y; int f(int k) { int z = 1; for (i : id_t) z += i; return z; }
           state A { x <= 3 && x' == 1 }, B { ; 2 }, C;
           branchpoint b; commit C; urgent B;
           init A;
           trans A -> B { select i : id_t; guard x >= 1 && i == id; sync c!; assign v = f(i), x = 0; },
                 -> C { sync c?; }, B -u-> A { };
         }
         Q = P(1, v); system Q, P;",
        Dialect::New,
    );
    assert_eq!(errors, Vec::<String>::new());
    let t = &d.templates[0];
    assert_eq!(t.locations.len(), 3);
    assert!(t.locations[2].committed && t.locations[1].urgent);
    assert_eq!(t.edges.len(), 3);
    assert_eq!(&*t.edges[1].source.name, "A");
    assert!(!t.edges[2].controllable);
    assert_eq!(d.system.len(), 2);
    let Decl::Function(f) = &t.decls[1] else { panic!() };
    assert!(matches!(f.body.stmts[0].kind, StmtKind::ForIn { .. }));
}

#[test]
fn old_syntax() {
    let text = "const N 3, M 4; const A[2] {1, 2}; chan exit; int i := 0;
        process P { clock x; state S { x =< N, i <= 2 }; init S; trans S -> S { guard x > 1, i == 0; assign x := 0; }; }
        process R(int a, b; const k) { state S; init S; }
        Q := R(i, i, 3); system P, Q;";
    let (d, errors) = document(text, Dialect::Old);
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(d.templates[1].params.len(), 3);
    assert!(d.templates[1].params[1].by_reference && !d.templates[1].params[2].by_reference);
    assert!(!document(text, Dialect::New).1.is_empty());
}

#[test]
fn queries() {
    let parse = |text: &str| {
        let mut cx = Context::new(Dialect::New);
        let q = parser::query(&Fragment::plain(text, 1), &mut cx);
        (q, cx.diagnostics.error_count())
    };
    assert!(matches!(
        parse("E<> P.cs and deadlock"),
        (Some(Query::Reachable(_)), 0)
    ));
    assert!(matches!(
        parse("A[] forall (i : id_t) not P(i).cs"),
        (Some(Query::Invariant(_)), 0)
    ));
    assert!(matches!(parse("P.a --> P.b"), (Some(Query::LeadsTo(..)), 0)));
    assert!(matches!(
        parse("sup{P.a}: x, y"),
        (Some(Query::Extremum { .. }), 0)
    ));
    assert!(matches!(
        parse("Pr[<=100](<> P.a)"),
        (Some(Query::Statistical(_)), 0)
    ));
    assert!(matches!(
        parse("E[<=100; 5](max: x)"),
        (Some(Query::Statistical(_)), 0)
    ));
    assert!(matches!(parse("E[] P.a"), (Some(Query::PotentiallyAlways(_)), 0)));
    assert!(matches!(
        parse("control: A[] not P.bad"),
        (Some(Query::Other(_)), 0)
    ));
    assert!(matches!(parse("A[] x < 3 under Opt"), (Some(Query::Other(_)), 0)));
    assert!(matches!(parse("// nothing"), (None, 0)));
    assert!(matches!(parse("A [] true"), (None | Some(Query::Other(_)), _)));
    assert!(matches!(parse("E<> P.a)"), (None, 1)));
    assert!(matches!(parse("E<> sup.X == Pr"), (Some(Query::Reachable(_)), 0)));
}
