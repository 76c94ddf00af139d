//! Code made for one process does what the code of its template does.
//!
//! `labels.rs` and `corpus.rs` compare both on random and on public models; here are the cases that are easily got wrong.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::xta;
use zonewalk_model::eval::arithmetic::Undefined;
use zonewalk_network::constraint::{Condition, Relation, Term};
use zonewalk_network::instr::Instr;
use zonewalk_network::specialise::Specialised;
use zonewalk_network::vm::{Cause, Code, NoClocks, Trap, run};
use zonewalk_network::{Cell, Network};

fn network(text: &str) -> Network {
    let loaded = xta(text);
    Network::compile(&loaded.model, &loaded.system).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Runs the update of the first edge in both ways; gives what the variables are then, and the specialised code.
fn update(text: &str) -> (Result<Vec<i32>, Trap>, Vec<Instr>) {
    let network = network(text);
    let instance = &network.instances[0];
    let context = network.instance_context(instance);
    let entry = network.edge(instance).update.unwrap();
    let mut specialised = Specialised::new(&network);
    let made = specialised.add(&network, entry, &context, &[]).unwrap();
    let (mut plain, mut other) = (network.memory(), network.memory());
    let code = Code::new(&network.program, entry, &context);
    let result = run(code, &mut plain, &mut NoClocks, &mut ());
    let same = run(specialised.code(made), &mut other, &mut NoClocks, &mut ());
    assert_eq!(same, result);
    let variables = network.layout.locations as usize..network.layout.meta as usize;
    assert_eq!(other[variables.clone()], plain[variables.clone()]);
    let code = specialised.program().code.to_vec();
    (result.map(|_| plain[variables].to_vec()), code)
}

fn process(declarations: &str, body: &str) -> String {
    format!(
        "{declarations} process P(const int id) {{ void f() {{ {body} }} state A; init A; trans A -> A {{ assign f(); }}; }}
         Q = P(3); system Q;"
    )
}

#[test]
fn loops_with_known_bounds_are_straight() {
    let (result, code) = update(&process(
        "int s; int a[4] = {5, 6, 7, 8};",
        "int i = 0; s = 0; while (i < id) { s += a[i]; i++; }",
    ));
    assert_eq!(result.unwrap()[0], 18);
    let is_jump = |instr: &Instr| {
        matches!(
            instr,
            Instr::Jump { .. } | Instr::Loop { .. } | Instr::Call { .. }
        )
    };
    assert!(!code.iter().any(is_jump), "{code:?}");
    assert!(code.len() <= 8, "{code:?}");
}

#[test]
fn a_value_outlives_the_variable_that_it_was_read_from() {
    let (result, _) = update(&process(
        "int a[2] = {1, 2}; int b; int c;",
        "int t = a[0]; int u = a[1]; a[0] = 7; b = t; a[b] = 9; c = u;",
    ));
    assert_eq!(result.unwrap(), [7, 9, 1, 2]);
}

#[test]
fn temporaries_change_places() {
    let (result, _) = update(&process(
        "int x = 1; int y = 2; int n = 5;",
        "int a = x; int b = y; int i = 0; while (i < n) { int t = a; a = b; b = t; i++; } x = a; y = b;",
    ));
    assert_eq!(result.unwrap(), [2, 1, 5]);
}

#[test]
fn records_and_references_are_followed() {
    let (result, _) = update(&process(
        "typedef struct { int p; int q[2]; } rec; rec r; rec s; int k = 1;
         void put(rec &to, int at, int v) { to.q[at] = v; to.p += v; }",
        "rec t = r; put(t, k, 4); put(r, 0, t.p); s = t; t.p = 0;",
    ));
    assert_eq!(result.unwrap(), [4, 4, 0, 4, 0, 4, 1]);
}

#[test]
fn what_becomes_too_long_is_a_loop_again() {
    let (result, code) = update(&process(
        "int s; int n = 30000;",
        "int i = 0; while (i < n) { if (i % 2 == 0) s++; i++; }",
    ));
    assert_eq!(result.unwrap()[0], 15_000);
    assert!(code.len() < 20_000, "{}", code.len());
    assert!(code.iter().any(|i| matches!(i, Instr::Loop { .. })), "{code:?}");
}

#[test]
fn failures_are_those_of_the_model() {
    // The index leaves the array in an unrolled round.
    let text = process(
        "int a[3]; int n = 9;",
        "int i = 0; while (i < n) { a[i] = i; i++; }",
    );
    let (result, _) = update(&text);
    let cause = Cause::Index {
        index: 3,
        lo: 0,
        len: 3,
    };
    assert_eq!(result.unwrap_err().cause, cause);
    let (result, _) = update(&process("int[0,4] v;", "v = id; v = v + id;"));
    assert!(matches!(
        result.unwrap_err().cause,
        Cause::OutOfRange { value: 6, .. }
    ));
    let (result, _) = update(&process("int v;", "v = 10 / (id - 3);"));
    assert_eq!(
        result.unwrap_err().cause,
        Cause::Undefined(Undefined::DivisionByZero)
    );
}

#[test]
fn loops_without_end_are_noticed() {
    for body in [
        "while (true) { v = 1 - v; }",
        "int i = 0; while (i >= 0) { i = (i + 1) % 7; if (v > 0) v = 0; else v = 1; }",
        "int i = 0; do { i = 1 - i; if (i > v) i = 0; } while (true);",
    ] {
        let (result, _) = update(&process("int v;", body));
        let trap = result.unwrap_err();
        assert_eq!(trap.cause, Cause::DoesNotTerminate, "{body}");
    }
}

/// The way back of a search is far from its place once what comes after a find has been written down.
#[test]
fn long_code_behind_a_loop_does_not_make_it_endless() {
    let (result, _) = update(&process(
        "const int N = 3000; const int M = 2400; int[0,1] a[N]; int[0,1] b[M]; int n = N; int first; int off; int k;
         int find() { int i = first + off; while (i < n) { if (a[i] == 1) return i; i++; } return -1; }",
        "int j = 0; k = find(); while (j < M) { b[j] = 1 - b[j]; j++; }",
    ));
    assert_eq!(result.unwrap().last(), Some(&-1));
}

/// Which loop has no end is told by the interpreter of the original code, and [`update`] compares.
#[test]
fn the_loop_without_end_is_named() {
    let (result, _) = update(&process(
        "int g; int h; int n; int first; int off;",
        "while (h >= 0) { if (g == 1) h = 1; else { int j = first + off; while (j < n) j++; } }",
    ));
    assert_eq!(result.unwrap_err().cause, Cause::DoesNotTerminate);
}

#[test]
fn guards_are_written_out_where_they_are_comparisons() {
    let n = network(
        "const int N = 6; bool used[N]; bool other;
         process M(const int id) { bool free() { int i = 0; while (i < id) { if (!used[i]) return false; i++; } return true; }
           state A; init A; trans A -> A { guard free() && !other; }; }
         M0 = M(0); M1 = M(1); M4 = M(4); system M0, M1, M4;",
    );
    let base = n.layout.locations;
    let compared = |number: usize| -> Vec<(Relation, u32)> {
        let terms = n.guard(&n.instances[number]).iter();
        terms
            .map(|term| match *term {
                Term::Data(Condition::Compare { relation, a, .. }) => (relation, cell(a) - base),
                _ => panic!("{term:?}"),
            })
            .collect()
    };
    let used = |count: u32| (0..count).map(|i| (Relation::NotEqual, i));
    let other = (Relation::Equal, 6);
    assert_eq!(compared(0), [other]);
    assert_eq!(compared(1), used(1).chain([other]).collect::<Vec<_>>());
    assert_eq!(compared(2), used(4).chain([other]).collect::<Vec<_>>());
    // A change concerns those that look at the element.
    let readers = |cell: u32| {
        n.guard_readers
            .of_cell(base + cell)
            .map(|i| i.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(readers(0), [1, 2]);
    assert_eq!(readers(3), [2]);
    assert_eq!(readers(4), [0; 0]);
    assert_eq!(readers(6), [0, 1, 2]);
}

fn cell(cell: Cell) -> u32 {
    cell.offset()
}

#[test]
fn guards_that_can_fail_or_branch_stay_code() {
    let n = network(
        "int i; int a[3]; int b;
         process P() { state A; init A; trans A -> A { guard a[i] == 1; }, A -> A { guard i == 1 || b == 2; }; }
         system P;",
    );
    for instance in &n.instances {
        assert!(
            matches!(n.guard(instance), [Term::Data(Condition::Code(_))]),
            "{:?}",
            n.guard(instance)
        );
    }
}

#[test]
fn comparisons_come_out_of_conjunctions_in_their_order() {
    let n = network(
        "int i; int a[3]; int b;
         process P() { state A; init A; trans A -> A { guard i < 3 && b == 2 && a[i] == 1 && b > 0; }; }
         system P;",
    );
    let guard = n.guard(&n.instances[0]);
    let [
        Term::Data(Condition::Compare { .. }),
        Term::Data(Condition::Compare { .. }),
        Term::Data(Condition::Code(_)),
    ] = guard
    else {
        panic!("{guard:?}")
    };
}

#[test]
fn doubles_stay_where_they_are() {
    let declarations = "const double PART = 0.25; int n = 7; int r; int s; int t;
         double mean(double a, double b) { return (a + b) / 2; }
         void add(double &to, double by) { to = to + by; }";
    let body = "double z = id; double w[2]; int i = 0; int k = id; w[1] = PART;
         while (i < 4) { add(w[i % 2], mean(z, i)); z = z * 1.5; i++; }
         r = fint(w[0] * 100); s = fint(w[1] * 100); t = k + (w[0] < w[1]) + fint(z) / n;";
    let (result, _) = update(&process(declarations, body));
    // w[0]: (3 + 0) / 2 + (6.75 + 2) / 2, w[1]: 0.25 + (4.5 + 1) / 2 + (10.125 + 3) / 2; z: 15.1875.
    assert_eq!(result.unwrap(), [7, 587, 956, 3 + 1 + 2]);
    let (result, _) = update(&process("int r = 30;", "double z = 10; r = fint(pow(z, r));"));
    assert_eq!(result.unwrap_err().cause, Cause::NoInteger);
}
