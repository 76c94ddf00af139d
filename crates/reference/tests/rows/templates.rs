//! `semantics.md` 21 to 24a: templates, instances, names, old syntax.

use super::common::{load, r, try_load};
use zonewalk_model::ids::ProcessSetId;
use zonewalk_syntax::read::Format;

fn names(m: &super::common::Loaded) -> Vec<&str> {
    m.system.processes.iter().map(|p| &*p.name).collect()
}

#[test]
fn row_21_free_parameters_make_one_process_per_value() {
    let m = load(
        "typedef int[0,2] id_t; int n; process P(const id_t id, int &v, const int k) { state A; init A;
             trans A -> A { guard id != 1; assign v := 10 * id + k; }; }
         Q(const id_t i) = P(i, n, 7); R = P(2, n, 1); system Q, R;",
    );
    assert_eq!(names(&m), ["Q(0)", "Q(1)", "Q(2)", "R"]);
    let mut run = m.run();
    assert_eq!(
        run.transitions(),
        [
            "Q(0).A -> A @ [0, inf)",
            "Q(2).A -> A @ [0, inf)",
            "R.A -> A @ [0, inf)"
        ]
    );
    run.take("0", "Q(2)");
    assert_eq!(run.int("n"), 27);
    for text in [
        "process P(const int i) { state A; init A; } system P;",
        "process P(int &v) { state A; init A; } system P;",
        "process P() { state A; init A; } system P, P;",
    ] {
        assert!(try_load(text, Format::Xta).is_err(), "{text}");
    }
}

#[test]
fn row_21a_order_of_processes() {
    let m = load(
        "process P(const int[0,1] i, const int[3,4] j) { clock x; state A; init A; }
         process Z() { clock x; state A; init A; } system Z, P;",
    );
    assert_eq!(names(&m), ["Z", "P(0,3)", "P(0,4)", "P(1,3)", "P(1,4)"]);
    let clocks: Vec<&str> = m.system.clocks.iter().map(|c| &*c.name).collect();
    assert_eq!(clocks, ["Z.x", "P(0,3).x", "P(0,4).x", "P(1,3).x", "P(1,4).x"]);
    let set = &m.system.sets[ProcessSetId(1).index()];
    assert_eq!(
        set.process(&[1, 3]).map(zonewalk_model::ids::ProcessId::index),
        Some(3)
    );
    assert_eq!(set.process(&[1, 5]), None);
}

#[test]
fn row_21b_by_value_parameters_are_variables() {
    let m = load(
        "int n; process P(int[0,5] k, const int c) { state A; init A;
             trans A -> A { guard k < c; assign k := k + 1, n := k; }; }
         A1 = P(1, 3); A2 = P(2, 3); system A1, A2;",
    );
    let mut run = m.run();
    run.take("0", "A1").take("0", "A1");
    assert_eq!(run.transitions(), ["A2.A -> A @ [0, inf)"]);
    assert!(run.holds("A1.k == 3 && A2.k == 2 && A1.c == 3"));
    let sized = "process P(int k) { int a[k]; state A; init A; } Q = P(2); system Q;";
    assert!(try_load(sized, Format::Xta).is_err());
}

#[test]
fn row_21c_references_name_one_variable() {
    let m = load(
        "int a[3]; clock t[2]; urgent broadcast chan u; chan c[2];
         process P(int &v, clock &x, urgent broadcast chan &s, chan &d) { state A, B; init A;
             trans A -> B { guard x >= 2; sync s!; assign v := 4, x := 0; }, B -> A { sync d!; }; }
         process R() { state A; init A; trans A -> A { select i : int[0,1]; sync c[i]?; }; }
         Q = P(a[1], t[1], u, c[1]); system Q, R;",
    );
    let mut run = m.run();
    assert_eq!(run.transitions(), ["Q.A -> B (u) @ [2, 2]"]);
    run.take("2", "Q");
    assert_eq!((run.clock("t[0]"), run.clock("t[1]")), (r("2"), r("0")));
    assert!(run.holds("a[1] == 4"));
    assert_eq!(
        run.transitions(),
        ["Q.B -> A, R.A -> A [i = 1] (c[1]) @ [0, inf)"]
    );
}

#[test]
fn row_21c_the_real_channel_decides() {
    // A plain channel for an urgent parameter is no reason to hurry.
    let m = load(
        "chan c; process P(urgent chan &s) { state A; init A; trans A -> A { sync s!; }; }
         process R() { state A; init A; trans A -> A { sync c?; }; } Q = P(c); system Q, R;",
    );
    assert_eq!(m.run().delays(), "[0, inf)");
}

#[test]
fn row_21c_arguments_are_checked() {
    let text = "process P(const int[0,5] k) { state A; init A; } Q = P(6); system Q;";
    let errors = try_load(text, Format::Xta).err().expect("an error");
    assert!(errors.iter().any(|e| e.contains('6')), "{errors:?}");
}

#[test]
fn row_22_scalars() {
    let m = load(
        "typedef scalar[3] id_t; int a[id_t]; id_t last; process P(const id_t id) { state A; init A;
             trans A -> A { select o : id_t; guard o != id && a[o] == 0; assign a[id]++, last := id; }; } system P;",
    );
    assert_eq!(names(&m), ["P(0)", "P(1)", "P(2)"]);
    let mut run = m.run();
    assert_eq!(run.transitions().len(), 6);
    run.take("0", "P(1).A -> A [o = 2]");
    assert_eq!(run.int("last"), 1);
    // No process picks 1 any more.
    assert_eq!(run.transitions().len(), 4);
}

#[test]
fn row_23_names_of_processes_in_queries() {
    let m = load(
        "int v = 1; process P(const int[0,1] i) { int v = 10 + i; clock x = i; int w[2] = {i, 5};
             int f(int k) { return v + k; } state A, B; init A; trans A -> B { assign v := 20; }; } system P;",
    );
    let mut run = m.run();
    assert!(run.holds("P(0).A && P(1).v == 11 && v == 1 && P(1).x == 1 && P(1).i == 1 && P(0).w[1] == 5"));
    run.take("1", "P(0)");
    assert!(run.holds("P(0).B && not P(0).A && P(0).v == 20 && P(1).x == 2 && P(0).f(2) == 22"));
    assert!(run.holds("exists (k : int[0,1]) P(k).B and P(k).w[0] == 0"));
}

#[test]
fn row_23_a_location_may_shadow_a_global() {
    let m = load("int A = 3; process P() { state A, B; init A; trans A -> B { }; } system P;");
    let mut run = m.run();
    assert!(run.holds("P.A && A == 3"));
    run.take("0", "A -> B");
    assert!(run.holds("!P.A && A == 3"));
}

#[test]
fn row_23_templates_do_not_see_the_system_section() {
    let model = |globals: &str, system: &str| {
        let text = format!(
            "<nta><declaration>{globals}</declaration><template><name>P</name><location id='a'/><init ref='a'/>
             <transition><source ref='a'/><target ref='a'/><label kind='guard'>late == 0</label></transition></template>
             <system>{system} system P;</system></nta>"
        );
        try_load(&text, Format::Xml).map(|m| m.run().transitions().len())
    };
    assert_eq!(model("int late;", ""), Ok(1));
    let errors = vec!["unknown-name: unknown name `late`".to_owned()];
    assert_eq!(model("", "int late;"), Err(errors));
}

#[test]
fn row_24_old_syntax() {
    let text = "const N 3; const A[2] {1, 2}; int i; clock x; chan c;
        process P(int v; const k) { state S { x <= 5, x <= 7 }, T; init S;
            trans S -> T { guard x >= k, i == 0; sync c!; assign v := A[1] + N, x := 0; }; }
        process Q { state S; init S; trans S -> S { sync c?; }; }
        P1 := P(i, 2); system P1, Q;";
    let m = try_load(text, Format::Ta).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let mut run = m.run();
    assert_eq!(run.transitions(), ["P1.S -> T, Q.S -> S (c) @ [2, 5]"]);
    run.take("2", "P1");
    assert_eq!((run.int("i"), run.clock("x")), (5, r("0")));
}

#[test]
fn row_24a_repeated_sources_and_uncontrollable_edges() {
    let m = load(
        "process P() { state A, B, C; commit A; init A; trans A -> B { }, -> C { }, A -u-> A { }; } system P;",
    );
    assert_eq!(
        m.run().transitions(),
        ["P.A -> B @ [0, 0]", "P.A -> C @ [0, 0]", "P.A -> A @ [0, 0]"]
    );
}

#[test]
fn two_thousand_instances_are_made_quickly() {
    let m = load(
        "const int N = 2000; typedef int[0,N-1] id_t; chan c[id_t]; int q[N];
         process P(const id_t id) { clock x; int v[3] = {id / 10, 1, 2}; state A { x <= 10 }, B; init A;
             trans A -> B { guard v[0] == 7 && x >= 3; sync c[id]!; assign q[id] := 1; }; }
         process R() { state A; init A; trans A -> A { select i : id_t; sync c[i]?; }; } system P, R;",
    );
    assert_eq!(
        (
            m.system.processes.len(),
            m.system.clocks.len(),
            m.system.channels.len()
        ),
        (2001, 2000, 2000)
    );
    let run = m.run();
    assert_eq!(run.interpreter.transitions(&run.state).map(|t| t.len()), Ok(10));
}

#[test]
fn systems_have_limits() {
    for (text, complaint) in [
        (
            "process P(const int[0,1000000] i) { state A; init A; } system P;",
            "1000001 processes",
        ),
        (
            "process P(const int[0,999] i) { int a[20000]; state A; init A; } system P;",
            "16777216 cells",
        ),
        (
            "int a[1000][20000]; process P() { state A; init A; } system P;",
            "array too large",
        ),
        (
            "int a[2147483647]; process P() { state A; init A; } system P;",
            "array too large",
        ),
    ] {
        let errors = try_load(text, Format::Xta).err().expect("an error");
        assert!(errors.iter().any(|e| e.contains(complaint)), "{errors:?}");
    }
}

#[test]
fn a_set_over_an_empty_range_has_no_process() {
    let m = load(
        "typedef int[-2147483647,2147483647] t; process Z() { state A; init A; }
         process P(const t i, const t j, const int[1,0] k) { state A; init A; } system P, Z;",
    );
    assert_eq!(names(&m), ["Z"]);
    assert!(m.system.sets[0].is_empty());
}
