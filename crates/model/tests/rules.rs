//! Accepted and rejected forms: one line per form that `semantics.md` names.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use zonewalk_model::check;
use zonewalk_syntax::read::{self, Format};
use zonewalk_syntax::source::SourceMap;

/// Codes of the errors of a textual model.
fn errors(text: &str) -> Vec<&'static str> {
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) =
        read::read_model("test.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    if let Some(document) = document
        && !diagnostics.has_errors()
    {
        let (_, more) = check::check(sources, &document, &[]);
        diagnostics.append(more);
    }
    diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code.as_str())
        .collect()
}

const HEAD: &str = "
    const int N = 3; typedef int[0,N-1] id_t; typedef scalar[3] s_t; typedef scalar[3] o_t; typedef struct { int a; bool b; } rec_t;
    int i, j; int[0,5] small, smalls[3]; bool b, b2; clock x, y, c[3]; int a[3], a2[N], grid[2][2]; id_t id;
    chan ch, chs[3]; urgent chan uch; broadcast chan bch; s_t s, s2; o_t o; rec_t r, r2; double d; meta int m;
    const int K[3] = {1, 2, 3};
    int f(int k) { return k + 1; } void g() { i = 1; } bool p() { return i == 0; } void h(int &v) { v = 1; }
";

fn with_edge(labels: &str) -> Vec<&'static str> {
    errors(&format!(
        "{HEAD} process P() {{ state L; init L; trans L -> L {{ {labels} }}; }} system P;"
    ))
}

fn with_invariant(invariant: &str) -> Vec<&'static str> {
    errors(&format!(
        "{HEAD} process P() {{ state L {{ {invariant} }}; init L; }} system P;"
    ))
}

fn with_declaration(declaration: &str) -> Vec<&'static str> {
    errors(&format!(
        "{HEAD} {declaration} process P() {{ state L; init L; }} system P;"
    ))
}

#[track_caller]
fn all(check: fn(&str) -> Vec<&'static str>, accepted: &[&str], refused: &[&str]) {
    for text in accepted {
        assert_eq!(check(text), Vec::<&str>::new(), "should be accepted: {text}");
    }
    for text in refused {
        assert_ne!(check(text), Vec::<&str>::new(), "should be refused: {text}");
    }
}

#[test]
fn guards() {
    let guard = |g: &str| with_edge(&format!("guard {g};"));
    all(
        guard,
        &[
            "b imply x > 3",
            "b || x > 3",
            "x == y + 1",
            "x - y == 3",
            "x == y",
            "3 < x",
            "forall(k : id_t) c[k] > 3",
            "x > 3 && y < 5 && i == 0",
            "x <= i",
            "x <= a[i]",
            "x <= f(2)",
            "x >= (b ? 1 : 2)",
            "p()",
            "i",
            "exists(k : id_t) a[k] == 1",
            "i > 0 && (b or x <= 3)",
            "x < 3 and not b",
            "sum(k : id_t) a[k] > 3",
            "s == s2",
            "r == r2",
            "a == a2",
            "2 * x <= 5",
            "x + y <= 3",
            "-x <= 3",
        ],
        &[
            "x != 3",
            "!(x > 3)",
            "x > 3 imply b",
            "x > 3 || y > 3",
            "exists(k : id_t) c[k] > 3",
            "b ? x > 3 : y > 3",
            "1 <= x <= 2",
            "x > 1, y > 1",
            "i = 1",
            "g()",
            "i++ > 1",
            "ch",
            "s < s2",
            "x' == 1",
            "unknown > 1",
            "a",
            "r",
            "s + 1 == s2",
            "s == o",
            "P.L",
        ],
    );
}

#[test]
fn invariants() {
    all(
        with_invariant,
        &[
            "x <= 5",
            "x < 5",
            "x >= 5",
            "x - y >= 3",
            "x <= 5 && i == 0",
            "x' == 0",
            "x' == 1 && y <= 3",
            "0 == x'",
            "forall(k : id_t) c[k] <= 3",
            "b imply x' == 0",
            "b || x' == 0",
            "forall(k : id_t) c[k]' == a[k]",
            "i == 0",
            "b imply x <= 5",
            "x' == i",
        ],
        &[
            "x == 5",
            "x - y == 3",
            "x' == 0 || x <= 5",
            "x < 3 || x >= 7",
            "i = 1",
            "x != 3",
            "x' == 0 || y' == 0",
        ],
    );
}

#[test]
fn updates() {
    let update = |u: &str| with_edge(&format!("assign {u};"));
    all(
        update,
        &[
            "x = 0",
            "x = y",
            "x = y + 1",
            "x = x + 1",
            "x = i",
            "i = b",
            "b = 5",
            "i += b",
            "b &= b2",
            "a = a2",
            "r = r2",
            "s = s2",
            "i++, j--",
            "++i",
            "(b ? i : j) = 3",
            "i = j = 2",
            "g()",
            "h(i)",
            "h(a[i])",
            "m = 2",
            "id = 2",
            "i := 1",
            "i = K[j]",
            "r.a = 2",
            "grid[1][0] = 3",
            "x = 1.5",
            "i = i <? j >? 2",
            "true",
            "i <<= 1",
        ],
        &[
            "x++",
            "x += 1",
            "i = x",
            "b++",
            "b += 1",
            "N = 4",
            "K[0] = 1",
            "ch = ch",
            "small = x",
            "a = K2",
            "a = smalls",
            "s = o",
            "h(small)",
            "h(3)",
            "h(N)",
            "f(1) = 2",
            "i == x",
            "s = 1",
            "i = s",
            "r = 1",
            "a = 3",
            "f(1, 2)",
            "h()",
        ],
    );
}

#[test]
fn synchronisation() {
    let sync = |s: &str| with_edge(&format!("sync {s};"));
    all(
        sync,
        &["ch!", "ch?", "chs[i]!", "chs[f(0)]?", "bch!", "uch?"],
        &["i!", "chs!", "chs[x]!", "chs[i++]!", "x?"],
    );
    // Without either, on a channel that is no broadcast, and never beside the others (16a).
    all(sync, &["ch", "chs[i]", "uch"], &["bch", "chs", "i"]);
    let mixed = format!(
        "{HEAD} process P() {{ state L; init L; trans L -> L {{ sync ch; }}, L -> L {{ sync ch!; }}; }} system P;"
    );
    assert_eq!(errors(&mixed), ["sync"]);
}

#[test]
fn selections() {
    let select = |s: &str| with_edge(&format!("select {s};"));
    all(
        select,
        &[
            "k : id_t",
            "k : int[0,3]",
            "k : s_t",
            "k : int",
            "k : id_t, l : int[1,N]",
            "i : id_t",
            "k : int[1,0]",
        ],
        &[
            "k : bool",
            "k : int[0,i]",
            "k : id_t, l : int[0,k]",
            "k : clock",
            "k : rec_t",
        ],
    );
    assert_eq!(with_edge("select k : id_t; assign k = 1;"), ["left-side"]);
}

#[test]
fn declarations() {
    all(
        with_declaration,
        &[
            "int q[N];",
            "int q[id_t];",
            "int q[s_t];",
            "int[1,2] turn;",
            "clock z = 3;",
            "struct { int u; clock v; } w;",
            "const int big = 100000;",
            "int q[3] = {1,2,3};",
            "int q[2][2] = {{1,2},{3,4}};",
            "rec_t q = {1, true};",
            "rec_t q = {b: true, a: 2};",
            "int q = f(2);",
            "meta int q = 2;",
            "typedef int[0,2] t1, t2;",
            "int E, A, U, sup;",
            "const int[0,5] q = 5;",
            "const int[0,5] q = 6;",
            "int x1$, y#2;",
            "urgent broadcast chan ub;",
            "const bool cb = true;",
            "chan priority ch, chs[0] < default < bch;",
            "int q[3] = {1,2};",
            "int q[2] = {1,2,3};",
            "typedef const int[1,N] pid_t; pid_t q = 1;",
            "hybrid clock hc;",
            "double dd = 1.5;",
            "int q = INT8_MAX;",
            "const int q = -2147483648;",
            "string str;",
        ],
        &[
            "int q = i;",
            "int q[i];",
            "int q[2][2] = {1,2,3,4};",
            "rec_t q = {1};",
            "int[0,5] q = 6;",
            "int q = 40000;",
            "const int q;",
            "broadcast urgent chan bu;",
            "urgent int q;",
            "const clock q;",
            "hybrid int q;",
            "int i;",
            "typedef int int8_t;",
            "s_t q = 1;",
            "chan q = 1;",
            "void q;",
            "int q[-1];",
            "int abs;",
            "rec_t q = {c: 1, a: 2};",
            "chan priority ch < default; chan priority bch;",
            "struct { int u; int u; } w;",
            "int q = g();",
            "const int z1 = z2; const int z2 = z1;",
            "typedef t3 t4; typedef t4 t3;",
            "int exit;",
            "int q = 1 / 0;",
            "int q[1000000000];",
            "int q[100000][100000];",
            "scalar[0] q;",
            "unknown_t q;",
            "int q = 3000000000;",
        ],
    );
}

#[test]
fn functions() {
    all(
        with_declaration,
        &[
            "int q(int k) { if (k > 0) return 1; else return 2; }",
            "void q() { int k; for (k = 0; k < 3; k++) i = k; }",
            "void q() { for (k : id_t) a[k] = k; }",
            "rec_t q() { return r; }",
            "void q(int v[3]) { v[0] = 1; }",
            "void q(int &v[3]) { v[0] = 1; }",
            "int q() { int k = i; { int k = 2; i = k; } return k; }",
            "void q() { while (i < 3) i++; do { i--; } while (i > 0); }",
            "void q() { assert(i > 0); }",
            "bool q() { const int L = 2; int t[L]; t[0] = 1; return t[0] == 1; }",
            "void q() { x = 0; }",
            "void q() { ; }",
            "int q(const int k) { return k; }",
            "s_t q() { return s; }",
        ],
        &[
            "int q() { while (true) { return 1; } }",
            "int q() { return q2(); } int q2() { return 1; }",
            "int q(int k) { return q(k - 1); }",
            "void q() { for (int k = 0; k < 3; k++) i = k; }",
            "int q() { return; }",
            "void q() { return 1; }",
            "int q() { return x; }",
            "a q() { return a; }",
            "void q(int k, int k) { }",
            "void q(int k) { int k; }",
            "void q() { for (k : id_t) k = 1; }",
            "void q() { int k; k = 1; int l; }",
            "void q() { int k = i++; }",
            "int q() { return s; }",
            "void q(const int k) { k = 1; }",
            "void q() { break; }",
            "void q() { clock z; }",
            "struct { int u[2]; } q() { }",
            "void q() { assert(i++ > 0); }",
        ],
    );
}

#[test]
fn templates_and_instances() {
    let p = |params: &str, body: &str, system: &str| {
        errors(&format!(
            "{HEAD} process P({params}) {{ {body} state L; init L; }} {system}"
        ))
    };
    for (params, body, system) in [
        ("const id_t k", "", "system P;"),
        ("id_t k, const int[0,1] l", "", "system P;"),
        ("s_t k", "", "system P;"),
        ("int &v, const int k", "int q[k];", "Q = P(i, 3); system Q;"),
        (
            "int &v, const id_t k",
            "",
            "Q(const id_t k) = P(a[k], k); system Q;",
        ),
        ("chan &q, clock &z", "", "Q = P(ch, c[1]); system Q;"),
        ("int v[3]", "", "Q = P(K); system Q;"),
        ("const int v", "", "Q = P(f(2)); R = P(N); system Q < R;"),
        ("int v", "", "Q = P(3); system Q;"),
        ("chan &q", "", "Q = P(chs[1]); system Q;"),
        ("urgent chan &q", "", "Q = P(uch); R = P(ch); system Q, R;"),
        ("broadcast chan &q", "", "Q = P(bch); R = P(ch); system Q, R;"),
        ("const int &v", "", "Q = P(3); system Q;"),
    ] {
        assert_eq!(
            p(params, body, system),
            Vec::<&str>::new(),
            "P({params}) {{{body}}} {system}"
        );
    }
    for (params, body, system) in [
        ("int k", "", "system P;"),
        ("bool k", "", "system P;"),
        ("int &v", "", "system P;"),
        ("const id_t k", "int q[k];", "system P;"),
        ("id_t k", "int q = k;", "system P;"),
        ("int &v", "", "Q = P(a[i]); system Q;"),
        ("int &v", "", "Q = P(small); system Q;"),
        ("int v", "", "Q = P(i); system Q;"),
        ("chan &q", "", "Q = P(uch); system Q;"),
        ("chan &q", "", "Q = P(bch); system Q;"),
        ("int v", "", "Q = P(1, 2); system Q;"),
        ("int v", "", "Q = P(1); system Q, Q;"),
        ("int v", "", "Q = P(1); Q = P(2); system Q;"),
        ("int v", "", "Q = R(1); system Q;"),
        ("int v", "", "system Z;"),
        ("int v", "", "i = P(1); system i;"),
        ("int v", "int L;", "Q = P(1); system Q;"),
        ("int L", "", "Q = P(1); system Q;"),
        ("int v", "", ""),
    ] {
        assert_ne!(
            p(params, body, system),
            Vec::<&str>::new(),
            "P({params}) {{{body}}} {system}"
        );
    }
}

#[test]
fn locations() {
    let body = |b: &str| errors(&format!("{HEAD} process P() {{ {b} }} system P;"));
    all(
        body,
        &[
            "state A, B; commit A; urgent B; init A;",
            "state A { ; 2 }, i; init A;",
            "",
        ],
        &[
            "state A; commit A; urgent A; init A;",
            "state A, A; init A;",
            "state A;",
            "state A; init B;",
            "state A; init A; trans A -> B { };",
            "state A; commit B; init A;",
        ],
    );
}

#[test]
fn branchpoints_are_flattened() {
    let text = "int i; process P() { state A, B, C; branchpoint b; init A;
        trans A -> b { select k : int[0,1]; assign i = k; }, b -> B { assign i = i + k; probability 3; }, b -> C { }; } system P;";
    let mut sources = SourceMap::new();
    let (document, _) = read::read_model("test.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    let (model, diagnostics) = check::check(sources, &document.unwrap(), &[]);
    let model = model.unwrap_or_else(|_| panic!("{diagnostics:?}"));
    let edges = &model.templates[0].edges;
    assert_eq!(edges.len(), 2);
    assert_eq!((edges[0].updates.len(), edges[1].updates.len()), (2, 1));
    assert!(
        edges
            .iter()
            .all(|e| e.branch.as_ref().is_some_and(|b| b.group == 0))
    );
}

#[test]
fn constants_can_be_overridden() {
    let text = "const int N = 3; const int M = 2 * N; int a[M]; process P(const int[0,N-1] k) { state L; init L; } system P;";
    let mut sources = SourceMap::new();
    let (document, _) = read::read_model("test.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    let document = document.unwrap();
    let five = read::read_definition("N", "5", &mut sources).unwrap();
    let (model, _) = check::check(sources.clone(), &document, &[("N".into(), five.clone())]);
    let system = zonewalk_model::instance::instantiate(&model.unwrap()).unwrap();
    assert_eq!(system.processes.len(), 5);
    let (model, diagnostics) = check::check(sources, &document, &[("Q".into(), five)]);
    assert!(model.is_err());
    assert_eq!(
        diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(),
        ["override"]
    );
}

#[test]
fn queries() {
    let text = format!(
        "{HEAD} process P(const id_t k) {{ int v; clock z; int w() {{ return v; }} state A, B; init A; }}
         process Q() {{ state A; init A; }} system P, Q;"
    );
    let mut sources = SourceMap::new();
    let (document, _) = read::read_model("test.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    let (model, diagnostics) = check::check(sources.clone(), &document.unwrap(), &[]);
    let model = model.unwrap_or_else(|_| panic!("{diagnostics:?}"));
    let check = |text: &str| {
        let entry = read::read_formula("-q", text, &mut sources.clone());
        check::queries(&model, &[entry])
            .remove(0)
            .map_err(|e| e[0].code.as_str())
    };
    for good in [
        "E<> P(0).A",
        "A[] not deadlock",
        "E<> deadlock && Q.A",
        "A[] forall(k : id_t) P(k).v < 3",
        "E<> P(1).z > 3 || x != 3",
        "P(0).A --> P(1).B",
        "sup: x, i",
        "inf{P(0).A}: P(0).z",
        "E<> P(2).w() == 1",
        "A[] sum(k : id_t) P(k).A <= 1",
        "E<> P(0).k == 0",
        "E[] x <= 5",
        "A<> not (x > 3)",
        "bounds: i",
        "Pr[<=10](<> Q.A)",
        "E<> exists(k : id_t) c[k] > 2",
        "E<> x - y < 3 and (x < 2 or y > 2)",
        "control: A[] Q.A",
        "strategy S = control: A[] Q.A",
        "A[] i == N",
    ] {
        assert!(check(good).is_ok(), "{good}: {:?}", check(good));
    }
    for bad in [
        "E<> P.A",
        "E<> P[0].A",
        "E<> P(0).C",
        "E<> R.A",
        "E<> Q(1).A",
        "E<> P(0)",
        "A<> deadlock",
        "deadlock --> Q.A",
        "E<> i = 1",
        "sup: x - y",
        "E<> P(x).A",
        "E<> ch",
        "E<> L",
        "E<> E<> Q.A",
        "not E<> Q.A",
        "E<> P(0).A)",
        "E<> i++ > 1",
        "Q.A",
        "E<> Q",
    ] {
        assert!(check(bad).is_err(), "{bad}");
    }
}
