//! Templates of UPPAAL with parameters, arrays of channels, data and `IO` lines.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use zonewalk_tioa::read::{load_file, load_file_with};
use zonewalk_tioa::{AlphabetOf, Component, Direction, Loaded};

fn loaded(text: &str) -> Loaded {
    load_file("model.xta", text.as_bytes()).unwrap_or_else(|error| panic!("{:#?}", error.diagnostics))
}

fn component<'l>(loaded: &'l Loaded, name: &str) -> &'l Component {
    let broken = loaded.project.broken.iter().find(|broken| broken.name == name);
    assert!(broken.is_none(), "{broken:#?}");
    loaded.project.component(name).unwrap()
}

/// `in? / out!` of a component, sorted by name.
fn actions(loaded: &Loaded, list: &[zonewalk_tioa::Action]) -> Vec<String> {
    let names = list
        .iter()
        .map(|action| loaded.project.action_name(*action).to_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The errors of a component that is broken.
fn errors(text: &str) -> Vec<String> {
    match load_file("model.xta", text.as_bytes()) {
        Err(error) => {
            let errors = error.diagnostics.iter().filter(|d| d.is_error());
            errors.map(|d| d.message.clone()).collect()
        }
        Ok(loaded) => {
            let errors = loaded.project.broken.iter().flat_map(|broken| &broken.errors);
            errors.map(|d| d.message.clone()).collect()
        }
    }
}

/// Milner's scheduler: a token goes round, and each node works once per round.
const MILNER: &str = "
const int N = 3;
const int D = 30;
const int d = 4;
const int V = 0;
typedef int[0, N-1] id_t;
chan rec[N];
chan w[N];

process Node(const id_t i) {
    clock x, y;
    state Start, Idle, Both { x <= D }, Pass { x <= D }, Work { x <= D };
    init Idle;
    trans
        Idle -> Both { sync rec[i]?; assign x = 0, y = 0; },
        Both -> Pass { sync w[i]!; },
        Both -> Work { guard y > d; sync rec[(i + 1) % N]!; },
        Pass -> Idle { guard y > d; sync rec[(i + 1) % N]!; },
        Work -> Idle { sync w[i]!; },
        Both -> Both { sync rec[i]?; },
        Pass -> Pass { sync rec[i]?; },
        Work -> Work { sync rec[i]?; };
}

process Spec() {
    clock z;
    state Only { z <= (N + 1) * D - V };
    init Only;
    trans
        Only -> Only { select e : id_t; sync rec[e]!; },
        Only -> Only { select e : id_t; guard e != 0; sync w[e]!; },
        Only -> Only { sync w[0]!; assign z = 0; };
}

system Node, Spec;
IO Node(k) { rec[k]?, w[k]!, rec[(k + 1) % N]! }
IO Spec { rec!, w! }
";

#[test]
fn free_parameters_make_components() {
    let loaded = loaded(MILNER);
    assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Declared));
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["Node(0)", "Node(1)", "Node(2)", "Spec"]);
    let node = component(&loaded, "Node(2)");
    assert_eq!(node.clocks, ["x", "y"]);
    assert_eq!(node.locations.len(), 5);
    assert_eq!(node.location(node.initial).name, "Idle");
    let declared = node.declared.as_ref().unwrap();
    assert_eq!(actions(&loaded, &declared.inputs), ["rec[2]"]);
    assert_eq!(actions(&loaded, &declared.outputs), ["rec[0]", "w[2]"]);
    assert_eq!(&node.alphabet, declared);
    assert_eq!(node.edges[2].guard.text(&node.clocks), "y > 4");
    let spec = component(&loaded, "Spec");
    assert_eq!(
        actions(&loaded, &spec.declared.as_ref().unwrap().outputs).len(),
        6
    );
    assert_eq!(spec.locations[0].invariant.text(&spec.clocks), "z <= 120");
    // A closed instance of the second edge stays, for there is no data that could drop it.
    let open = spec.edges.iter().filter(|edge| edge.guard.is_true());
    assert_eq!(open.count(), 3 + 2 + 1);
}

#[test]
fn named_instances_and_lines_for_templates() {
    let text = MILNER.replace(
        "system Node, Spec;",
        "N0 = Node(0); N1 = Node(1); Last = Node(N-1); system N0, N1, Last, Spec;",
    );
    let loaded = loaded(&text);
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["N0", "N1", "Last", "Spec"]);
    let last = component(&loaded, "Last");
    let declared = last.declared.as_ref().unwrap();
    assert_eq!(actions(&loaded, &declared.outputs), ["rec[0]", "w[2]"]);
}

#[test]
fn lines_for_single_values() {
    let text = MILNER.replace(
        "IO Node(k) { rec[k]?, w[k]!, rec[(k + 1) % N]! }",
        "IO Node(1) { rec[1]?, w[1]!, rec[2]! }",
    );
    let loaded = loaded(&text);
    assert!(component(&loaded, "Node(1)").declared.is_some());
    assert!(component(&loaded, "Node(0)").declared.is_none());
}

/// Leader election in a ring.
const LEADER: &str = "
const int N = 3;
const int MaxD = 2;
typedef int[0, N-1] id_t;
typedef int[0, N-1] prio_t;
chan send[N][N];
chan leader[N];

process Node(const id_t id, const prio_t pr) {
    clock x;
    prio_t cur = pr;
    state Run { x <= MaxD }, Elected { x <= 0 }, Done;
    init Run;
    trans
        Run -> Run { sync send[id][cur]!; assign x = 0; },
        Run -> Elected { sync send[(id + N - 1) % N][pr]?; assign x = 0; },
        Run -> Run { select p : prio_t; guard p != pr && p > cur; sync send[(id + N - 1) % N][p]?; assign cur = p; },
        Run -> Run { select p : prio_t; guard p != pr && p <= cur; sync send[(id + N - 1) % N][p]?; },
        Elected -> Done { sync leader[id]!; },
        Elected -> Elected { select p : prio_t; sync send[(id + N - 1) % N][p]?; },
        Done -> Done { select p : prio_t; sync send[(id + N - 1) % N][p]?; };
}

N0 = Node(0, 1);
N1 = Node(1, 2);
N2 = Node(2, 0);
system N0, N1, N2;
IO Node(i, p) { send[(i + N - 1) % N]?, send[i]!, leader[i]! }
";

#[test]
fn data_become_locations() {
    let loaded = loaded(LEADER);
    let node = component(&loaded, "N0");
    let titles: Vec<String> = node
        .locations
        .iter()
        .map(zonewalk_tioa::Location::title)
        .collect();
    assert_eq!(titles[0], "Run(cur=1)");
    assert!(titles.contains(&"Run(cur=2)".to_owned()), "{titles:?}");
    assert!(titles.contains(&"Elected(cur=2)".to_owned()), "{titles:?}");
    assert!(!titles.contains(&"Run(cur=0)".to_owned()), "{titles:?}");
    let sends: Vec<String> = node
        .edges
        .iter()
        .filter(|edge| edge.direction == Direction::Output)
        .map(|edge| loaded.project.action_name(edge.action).to_owned())
        .collect();
    assert_eq!(&sends[..2], ["send[0][1]", "send[0][2]"]);
    let declared = node.declared.as_ref().unwrap();
    assert_eq!(
        actions(&loaded, &declared.inputs),
        ["send[2][0]", "send[2][1]", "send[2][2]"]
    );
    assert_eq!(actions(&loaded, &declared.outputs).len(), 4);
    // The node with the highest priority never changes its mind.
    assert_eq!(component(&loaded, "N1").locations.len(), 3);
}

fn small(globals: &str, locals: &str, body: &str) -> String {
    format!("{globals}\nchan a, b;\nprocess P(const int[0,0] n) {{ {locals}\n{body} }}\nsystem P;\n")
}

#[test]
fn all_kinds_of_data() {
    let text = small(
        "const int MAX = 3; typedef struct { int[0,3] n; bool on; } S; int[0,9] twice(int[0,3] v) { return 2 * v; }",
        "S s; int[0,1] grid[2][int[1,2]]; clock x, y[2]; int[0,9] t; void go() { s.n++; s.on = true; x = 1; x = 2; }",
        "state A { s.on imply x <= MAX }, B; init A;
         trans A -> A { guard s.n < 3; sync a!; assign go(), grid[1][2] = 1, t = twice(s.n), y[1] = 0; },
               A -> B { guard forall (i : int[0,1]) y[i] >= i && (x < 2 || x > 3); sync b?; };",
    );
    let loaded = loaded(&text);
    let p = component(&loaded, "P(0)");
    assert_eq!(p.clocks, ["x", "y[0]", "y[1]"]);
    assert_eq!(
        p.locations[0].title(),
        "A(s.n=0, s.on=0, grid[0][1]=0, grid[0][2]=0, grid[1][1]=0, grid[1][2]=0, t=0)"
    );
    assert!(p.locations[0].invariant.is_true());
    let last = p.locations.iter().rev().find(|l| l.name == "A").unwrap();
    assert!(last.title().starts_with("A(s.n=3, s.on=1"), "{}", last.title());
    assert_eq!(last.invariant.text(&p.clocks), "x <= 3");
    let step = p.edges.iter().find(|e| e.direction == Direction::Output).unwrap();
    let updates: Vec<(&str, i32)> = (step.updates.iter())
        .map(|(clock, value)| (p.clocks[clock.index()].as_str(), *value))
        .collect();
    assert_eq!(updates, [("x", 2), ("y[1]", 0)]);
    let guard = p.edges.iter().find(|e| e.direction == Direction::Input).unwrap();
    let text = guard.guard.text(&p.clocks);
    assert_eq!(
        text,
        "y[0] >= 0 && (x < 2 || x > 3) && y[1] >= 1 && (x < 2 || x > 3)"
    );
}

#[test]
fn conditions_of_every_form() {
    let text = small(
        "",
        "clock x, y;",
        "state A { x < 5 && x > 1 || y == 3 }, B; init A;
         trans A -> B { guard !(x >= 2 && y <= 1); sync a!; },
               A -> B { guard x != 3; sync a!; },
               A -> B { guard x > 2 imply y > 2; sync a!; },
               A -> B { guard exists (i : int[1,2]) x == i; sync a!; },
               A -> B { guard 5 >= x - y + 2; sync a!; },
               A -> B { guard x < y; sync a!; },
               A -> B { guard false; sync b?; };",
    );
    let loaded = loaded(&text);
    let p = component(&loaded, "P(0)");
    let texts: Vec<String> = p.edges.iter().map(|edge| edge.guard.text(&p.clocks)).collect();
    assert_eq!(
        texts,
        [
            "!(x >= 2 && y <= 1)",
            "x < 3 || x > 3",
            "!(x > 2) || y > 2",
            "x == 1 || x == 2",
            "y - x >= -3",
            "x - y < 0",
            "false"
        ]
    );
    assert_eq!(
        p.locations[0].invariant.text(&p.clocks),
        "x < 5 && x > 1 || y == 3"
    );
    // The action of an edge that is never open is known all the same.
    assert_eq!(actions(&loaded, &p.alphabet.inputs), ["b"]);
}

#[test]
fn what_is_no_component_is_refused_by_name() {
    let edge = "state A; init A; trans A -> A { sync a!; assign v = 1; };";
    let cases = [
        (
            small("int v;", "", edge),
            "the global variable `v` is not supported in timed I/O automata",
        ),
        (
            small("clock v;", "", edge),
            "the global clock `v` is not supported in timed I/O automata",
        ),
        (
            small(
                "int v; void f() { v = 1; }",
                "",
                "state A; init A; trans A -> A { sync a!; assign f(); };",
            ),
            "the global variable `v` is not supported in timed I/O automata",
        ),
        (
            small(
                "",
                "clock v; clock u;",
                "state A { u' == 0 }; init A; trans A -> A { sync a!; assign v = 1; };",
            ),
            "the rate of a clock is not supported in timed I/O automata",
        ),
        (
            small(
                "",
                "clock v; clock u;",
                "state A; init A; trans A -> A { sync a!; assign v = u; };",
            ),
            "a clock that is set to anything but a number is not supported in timed I/O automata",
        ),
        (
            small(
                "",
                "clock v; int[-5,5] i = -1;",
                "state A; init A; trans A -> A { sync a!; assign v = i, i = i; };",
            ),
            "clock set to the negative value -1",
        ),
        (
            format!(
                "{}IO P(k) {{ a! }}\n",
                small("broadcast chan c;", "clock v;", edge)
            ),
            "a broadcast channel is not supported in timed I/O automata",
        ),
        (
            small("urgent chan u;", "clock v;", edge),
            "an urgent channel is not supported in timed I/O automata",
        ),
        (
            small("", "double v;", edge),
            "a floating-point number is not supported in timed I/O automata",
        ),
        (
            small("", "", "state A; init A; trans A -> A { };"),
            "an edge without a synchronisation: in a timed I/O automaton each edge has an action",
        ),
        (
            small(
                "",
                "",
                "state A; init A; trans A -> A { sync a!; }, A -> A { sync a?; };",
            ),
            "the action `a` is both an input and an output of component P(0)",
        ),
        (
            small("", "clock v = 3;", edge),
            "the clock `v` does not start at 0",
        ),
        (
            small(
                "",
                "int[0,3] v;",
                "state A; init A; trans A -> A { sync a!; assign v = v + 1; };",
            ),
            "value 4 is outside int[0,3]",
        ),
        (
            small(
                "",
                "int[0,3] v;",
                "state A; init A; trans A -> A { guard 1 / v > 0; sync a!; assign v = 1; };",
            ),
            "division by zero",
        ),
        (
            small("chan priority a < b;", "clock v;", edge).replace(
                "chan priority a < b;\nchan a, b;",
                "chan a, b; chan priority a < b;",
            ),
            "priorities of channels are not supported in timed I/O automata",
        ),
        (
            small("", "clock v;", edge)
                .replace("system P;", "process Q() { state A; init A; } system P < Q;"),
            "priorities of processes are not supported in timed I/O automata",
        ),
    ];
    for (text, message) in cases {
        let errors = errors(&text);
        assert!(
            errors.iter().any(|e| e == message),
            "{message}\n{errors:#?}\n{text}"
        );
    }
}

#[test]
fn what_is_not_supported_breaks_its_template_alone() {
    let text = "chan a[2], b[2];
        process Good(const int[0,1] i) { clock x; state A { x <= 3 }; init A; trans A -> A { sync a[i]!; }; }
        process Slow(const int[0,1] i) { clock x; state A { x' == 0 }; init A; trans A -> A { sync b[i]!; }; }
        process Copy(const int[0,1] i) { clock x, y; state A; init A; trans A -> A { sync b[i]!; assign x = y; }; }
        S = Slow(1);
        system Good, S, Copy;
        IO Good(i) { a[i]! }
        IO S { b[1]! }";
    let loaded = loaded(text);
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["Good(0)", "Good(1)"]);
    let broken = loaded.project.broken.iter();
    let told: Vec<String> = broken
        .map(|b| format!("{}: {}", b.name, b.errors[0].message))
        .collect();
    let rate = "the rate of a clock is not supported in timed I/O automata";
    let copy = "a clock that is set to anything but a number is not supported in timed I/O automata";
    assert_eq!(
        told,
        [
            format!("Slow: {rate}"),
            format!("Copy: {copy}"),
            format!("S: {rate}")
        ]
    );
    // An instance is as broken as its template.
    assert_eq!(loaded.project.broken("Copy(1)").unwrap().name, "Copy");
    // Without anything else the model is refused, as with what stands in no template.
    for (from, to) in [
        ("system Good, S, Copy", "system S"),
        ("chan a", "double d; chan a"),
    ] {
        assert!(
            load_file("model.xta", text.replace(from, to).as_bytes()).is_err(),
            "{to}"
        );
    }
}

#[test]
fn arithmetic_that_wraps_is_told() {
    let text = small(
        "const int BIG = 2147483647;",
        "clock x;",
        "state A { x <= BIG + 1 }; init A; trans A -> A { sync a!; };",
    );
    let loaded = loaded(&text);
    assert!(
        loaded.warnings.iter().any(|w| w.message.contains("wraps around")),
        "{:?}",
        loaded.warnings
    );
}

#[test]
fn a_thousand_processes_load_quickly() {
    let start = std::time::Instant::now();
    let loaded = loaded(&MILNER.replace("const int N = 3;", "const int N = 1000;"));
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(loaded.project.components.len(), 1001);
    assert_eq!(component(&loaded, "Spec").edges.len(), 2001);
    println!("{seconds} s");
    // A machine under load may be slow; this takes a fraction of a second otherwise.
    assert!(seconds < 30.0, "{seconds} s");
}

/// A model whose constant decides how long its machine takes.
const TIMED: &str = "const int N = 2, T = 3; int n; chan coin, tea;
    process M(const int k) { clock x; state i, w { x <= T * k }; init i; trans i -> w { sync coin?; assign x = 0; }, w -> i { sync tea!; }; }
    A = M(1); system A; IO A { coin?, tea! }";

#[test]
fn constants_take_other_values() {
    let load = |definitions: &[(&str, &str)]| {
        let constants: Vec<(String, String)> = definitions
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        load_file_with("model.xta", TIMED.as_bytes(), &constants)
    };
    let invariant = |definitions| {
        let loaded = load(definitions).unwrap_or_else(|error| panic!("{:#?}", error.diagnostics));
        let component = &loaded.project.components[0];
        component.locations[1].invariant.text(&component.clocks)
    };
    assert_eq!(invariant(&[]), "x <= 3");
    assert_eq!(invariant(&[("T", "N + 40")]), "x <= 42");
    let refused = |definitions| {
        let error = load(definitions).unwrap_err();
        let words = error.diagnostics.iter().filter(|d| d.is_error());
        words
            .map(|d| format!("{} {:?}", d.message, d.help))
            .collect::<Vec<_>>()
            .join("; ")
    };
    assert!(refused(&[("S", "1")]).contains("-D S: the project declares no global constant `S`"));
    assert!(refused(&[("n", "1")]).contains("only constants can be overridden"));
    assert!(!refused(&[("T", "1 +")]).is_empty() && !refused(&[("T", "{1, 2}")]).is_empty());
}
