//! Arithmetic wraps at 32 bits wherever a model computes (`semantics.md` 17), the same in every engine and in the
//! interpreter that repeats what they find; and every place is told of.
#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use zonewalk_checker::{CompiledModel, Control, Options, Outcome, WalkOptions};
use zonewalk_model::check;
use zonewalk_syntax::read::read_formula;
use zonewalk_testkit::xta;

/// Answer of a search to `E<> goal` on a process that goes from `A` to `B` by an edge, and the expressions that wrapped: in
/// constants, and in the search.
fn decide(declarations: &str, edge: &str, goal: &str, search: &str) -> (Outcome, Vec<String>, Vec<String>) {
    let text = format!(
        "{declarations} clock x; broadcast chan c[2]; process P() {{ state A, B; init A; trans A -> B {{ {edge} }}; }} system P;"
    );
    let mut loaded = xta(&text);
    // What wraps in the query has a place, too.
    let entry = read_formula("query", &format!("E<> {goal}"), &mut loaded.model.sources);
    let query = check::queries(&loaded.model, &[entry]).remove(0).unwrap();
    let task = CompiledModel::new(&loaded.model, &loaded.system, &[&query]).unwrap();
    let options = Options {
        search: search.parse().unwrap(),
        walks: WalkOptions {
            max_walks: (search == "ret").then_some(50),
            ..WalkOptions::default()
        },
        ..Options::default()
    };
    let report = task
        .checker()
        .check(0, &options, &Control::default(), &mut |_, _| {});
    let text = |span| loaded.model.sources.slice(span).to_owned();
    let constants = loaded
        .warnings
        .iter()
        .filter(|d| d.code.as_str() == "arithmetic-wraps");
    (
        report.unwrap().outcome,
        constants.map(|d| text(d.primary.span)).collect(),
        task.wraps().into_iter().map(text).collect(),
    )
}

const SEARCHES: [&str; 3] = ["auto", "bfs", "ret"];

/// Declarations, an edge, a goal that is reached by it, and the expressions that wrap on the way there.
const CASES: &[(&str, &str, &str, &[&str])] = &[
    // Guards.
    (
        "int32_t n = 200;",
        "guard n << 24 == -939524096;",
        "P.B",
        &["n << 24"],
    ),
    ("", "guard 1 << 31 == INT32_MIN;", "P.B", &["1 << 31"]),
    (
        "int32_t d = -1;",
        "guard INT32_MIN / d < 0 && INT32_MIN % d == 0;",
        "P.B",
        &["INT32_MIN / d"],
    ),
    (
        "int32_t lhs = -7;",
        "guard INT32_MAX - lhs == INT32_MIN + 6;",
        "P.B",
        &["INT32_MAX - lhs"],
    ),
    // Updates.
    (
        "int32_t n;",
        "assign n = abs(INT32_MIN);",
        "P.B && n == INT32_MIN",
        &["abs(INT32_MIN)"],
    ),
    (
        "int32_t n = 3;",
        "assign n = n ** 20;",
        "P.B && n == -808182895",
        &["n ** 20"],
    ),
    (
        "int32_t n = -2147483648;",
        "assign n = -n;",
        "P.B && n == INT32_MIN",
        &["-n"],
    ),
    (
        "int32_t n = INT32_MAX;",
        "assign n++;",
        "P.B && n == INT32_MIN",
        &["n++"],
    ),
    (
        "int32_t n = INT32_MIN;",
        "assign n -= 1;",
        "P.B && n == INT32_MAX",
        &["n -= 1"],
    ),
    (
        "int32_t n = 65536;",
        "assign n *= n;",
        "P.B && n == 0",
        &["n *= n"],
    ),
    (
        "int32_t n = 65536; bool b;",
        "assign b = n * n == 0;",
        "P.B && b",
        &["n * n"],
    ),
    (
        "int32_t n;",
        "assign n = sum (i : int[0,2]) 1000000000;",
        "P.B && n == -1294967296",
        &["sum (i : int[0,2]) 1000000000"],
    ),
    // Functions.
    (
        "bool safe(int lhs, int rhs) { return INT32_MAX - lhs < rhs; }",
        "guard safe(-5, 0);",
        "P.B",
        &["INT32_MAX - lhs"],
    ),
    (
        "int32_t n = 5; int32_t hash(int32_t h) { int32_t z = h; for (i : int[0,3]) z = z * 31 + (z << 24); return z; }",
        "assign n = hash(n);",
        "P.B && n == 1816556933",
        &["z * 31"],
    ),
    // Channels, and time.
    ("", "sync c[1 + (1 << 31 >> 31)]!;", "P.B", &["1 << 31"]),
    ("int32_t a = 2000000000;", "guard x >= a + a;", "P.B", &["a + a"]),
    // Queries.
    (
        "int32_t n = 2;",
        "",
        "P.B && n + INT32_MAX < 0",
        &["n + INT32_MAX"],
    ),
    ("", "", "P.B && INT32_MAX + 1 < 0", &["INT32_MAX + 1"]),
    ("int32_t a = 2000000000;", "", "P.B && x > a + a", &["a + a"]),
    (
        "int32_t a = INT32_MAX;",
        "",
        "P.B && x == 6 && 5 - a > a + x",
        &["5 - a > a + x"],
    ),
];

#[test]
fn every_engine_wraps_and_says_where() {
    for (declarations, edge, goal, wrapped) in CASES {
        for search in SEARCHES {
            let (outcome, _, places) = decide(declarations, edge, goal, search);
            let is_reached = matches!(outcome, Outcome::Decided { satisfied: true, .. });
            assert!(
                is_reached,
                "{declarations} {edge} {goal} by {search}: {outcome:?}"
            );
            assert!(
                wrapped.iter().all(|w| places.iter().any(|p| p == w)),
                "{declarations} {edge} {goal} by {search}: {places:?}"
            );
        }
    }
}

#[test]
fn what_wraps_past_a_goal_does_not_reach_it() {
    let cases = [
        ("int32_t n = 200;", "guard n << 24 > 0;", "P.B"),
        ("int32_t a = 2000000000;", "guard x <= a + a;", "P.B"),
        ("int32_t a = 2000000000;", "", "P.B && x == a + a"),
    ];
    for (declarations, edge, goal) in cases {
        for search in ["auto", "bfs"] {
            let (outcome, _, places) = decide(declarations, edge, goal, search);
            let is_refuted = matches!(outcome, Outcome::Decided { satisfied: false, .. });
            assert!(
                is_refuted,
                "{declarations} {edge} {goal} by {search}: {outcome:?}"
            );
            assert!(!places.is_empty(), "{declarations} {edge} {goal} by {search}");
        }
    }
}

#[test]
fn constants_wrap_where_they_are_declared() {
    let declarations = "const int TOP = 1 << 31; const int T[2] = {INT32_MAX + 1, 5}; int32_t n = TOP - 1;
        typedef int[0, (1 << 31) - 2147483643] five_t; five_t v = 5;";
    for search in SEARCHES {
        let (outcome, constants, places) =
            decide(declarations, "", "P.B && TOP == T[0] && n == INT32_MAX", search);
        assert!(
            matches!(outcome, Outcome::Decided { satisfied: true, .. }),
            "{outcome:?}"
        );
        assert_eq!(
            constants,
            [
                "1 << 31",
                "INT32_MAX + 1",
                "TOP - 1",
                "(1 << 31) - 2147483643",
                "1 << 31"
            ]
        );
        assert!(places.is_empty(), "{places:?}");
    }
}

/// A value that a variable cannot hold, or an operation without result, is an error as before.
#[test]
fn errors_stay_errors() {
    let cases = [
        (
            "int n;",
            "assign n = INT32_MAX + 1;",
            "value -2147483648 is outside int[-32768,32767]",
        ),
        (
            "int n = 32767;",
            "assign n++;",
            "value 32768 is outside int[-32768,32767]",
        ),
        (
            "int n = 32;",
            "guard 1 << n == 0;",
            "shift by 32 is outside 0..31",
        ),
        (
            "int n = -1;",
            "guard 1 >> n == 0;",
            "shift by -1 is outside 0..31",
        ),
        (
            "int n = -1;",
            "guard 2 ** n == 0;",
            "integer raised to the negative power -1",
        ),
        ("int n;", "guard INT32_MIN / n == 0;", "division by zero"),
        (
            "int32_t a = 2000000000;",
            "assign x = a + a;",
            "clock set to the negative value -294967296",
        ),
        (
            "int a[2];",
            "guard a[1 << 31] == 0;",
            "index -2147483648 is outside the array's 0..1",
        ),
    ];
    for (declarations, edge, message) in cases {
        for search in SEARCHES {
            let (outcome, _, _) = decide(declarations, edge, "P.B", search);
            match outcome {
                Outcome::Fault(fault) => assert_eq!(fault.diagnostic.message, message),
                other => panic!("{declarations} {edge} by {search}: {other:?}"),
            }
        }
    }
}

#[test]
fn arithmetic_that_fits_is_not_told_of() {
    for search in SEARCHES {
        let (_, constants, places) = decide(
            "const int K = -1 << 31; int32_t n = INT32_MAX;",
            "guard n - 1 + 1 > 0; assign n = n / -1 - 1;",
            "P.B && n == INT32_MIN",
            search,
        );
        assert!(
            constants.is_empty() && places.is_empty(),
            "{constants:?} {places:?}"
        );
    }
}
