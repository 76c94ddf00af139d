//! Arithmetic that wraps is told of, once for each expression.

use crate::command::{Scratch, zonewalk, zonewalk_with};

const MODEL: &str = "const int TOP = 1 << 31;
int32_t hash = 200;
bool room(int lhs, int32_t rhs) { return INT32_MAX - lhs < rhs; }
process P(const int shift) {
    const int big = 200 << shift;
    state A, B, C;
    init A;
    trans A -> B { guard hash << 24 < 0; assign hash = hash * 65537; },
        B -> C { guard room(-5, big); };
}
Q = P(24);
system Q;
";

fn check(args: &[&str]) -> crate::command::Run {
    let args = [&["check", "-", "--search", "bfs", "--trace", "none"], args].concat();
    zonewalk_with(&args, MODEL.as_bytes())
}

#[test]
fn each_place_is_told_once() {
    let run = check(&["-q", "E<> Q.B && hash + INT32_MAX < 0", "-q", "A[] not Q.C"]);
    insta::assert_snapshot!(run.shown());
    assert_eq!(
        run.stderr.matches("warning[arithmetic-wraps]").count(),
        5,
        "{}",
        run.stderr
    );
}

#[test]
fn programs_are_told_too() {
    let run = check(&["-q", "E<> Q.C", "--format", "json", "--quiet"]);
    assert_eq!(run.stderr, "");
    let document = run.json();
    let places: Vec<(u64, u64, &str)> = document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| {
            assert_eq!(d["severity"], "warning");
            let place = |key: &str| d[key].as_u64().unwrap();
            (place("line"), place("column"), d["code"].as_str().unwrap())
        })
        .collect();
    let wraps = "arithmetic-wraps";
    assert_eq!(
        places,
        [(1, 17, wraps), (5, 21, wraps), (3, 42, wraps), (8, 26, wraps)]
    );
}

#[test]
fn other_commands_tell_of_it() {
    let model = Scratch::new("wraps.xta", MODEL.as_bytes());
    for command in ["explore", "simulate"] {
        let run = zonewalk(&[command, model.path()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(
            run.stderr.matches("warning[arithmetic-wraps]").count(),
            4,
            "{command}: {}",
            run.stderr
        );
    }
}
