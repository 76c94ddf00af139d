//! `-D` for arrays and structs.

use crate::command::{Run, Scratch, command, zonewalk, zonewalk_with};

const MODEL: &str = "const int N = 3; const bool B = false;
typedef struct { int[0,9] least; bool late; } task_t;
const int D[N] = {1, 2, 3};
const int[0,9] M[2][2] = {{1, 2}, {3, 4}};
const task_t T = {1, false};
const task_t S[2] = {{1, false}, {2, true}};
int v = 7;
process P() {
    state A, B;
    init A;
    trans A -> B { guard D[0] + D[1] + D[2] == 48 && M[1][0] == 9 && T.least == 5 && T.late && S[1].least == 8; };
}
system P;
";

const ALL: [&str; 8] = [
    "-D",
    "D={10,20,18}",
    "-D",
    "M={{0,0},{9,0}}",
    "-D",
    "T={late: true, least: 5}",
    "-D",
    "S={{1, true}, {least: N + 5, late: B}}",
];

fn check(args: &[&str]) -> Run {
    zonewalk_with(
        &[&["check", "-", "-q", "E<> P.B"], args].concat(),
        MODEL.as_bytes(),
    )
}

#[test]
fn arrays_and_structs_are_defined_by_position_and_by_name() {
    assert_eq!(check(&[]).status, 1, "without definitions");
    let run = check(&ALL);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(check(&[&ALL[2..], &["-D", "D={10,20,17}"]].concat()).status, 1);
    assert_eq!(check(&["-D", "B=true"]).status, 1);
}

#[test]
fn every_command_takes_them() {
    let model = Scratch::new("defines.xta", MODEL.as_bytes());
    let with = |args: &[&str]| zonewalk(&[args, &ALL].concat());
    assert_eq!(with(&["info", model.path()]).status, 0);
    let run = with(&["simulate", model.path(), "--steps", "1"]);
    assert!(run.stdout.contains("A → B"), "{}", run.stdout);
    let run = with(&["explore", model.path(), "--search", "bfs"]);
    assert!(run.stdout.contains("2 of 2"), "{}", run.stdout);
}

/// A trace remembers what it was found with, and is replayed with it.
#[test]
fn traces_remember_them() {
    let model = Scratch::new("defined.xta", MODEL.as_bytes());
    let trace = Scratch::new("defined.json", b"");
    let args = [
        "check",
        model.path(),
        "-q",
        "E<> P.B",
        "--trace-file",
        trace.path(),
    ];
    let run: Run = command(&[&args[..], &ALL].concat()).output().unwrap().into();
    assert_eq!(run.status, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(trace.path()).unwrap();
    assert!(text.contains(r#""D":"{10,20,18}""#), "{text}");
    let run = zonewalk(&["replay", model.path(), trace.path()]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let run = zonewalk(&["replay", model.path(), trace.path(), "-D", "D={1,2,3}"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
}

#[test]
fn what_does_not_fit_is_told_with_both_places() {
    let shown = [
        "D={10,20}",
        "D={10,20,18,4}",
        "D=7",
        "D={10,{20},18}",
        "D={10,20,v}",
        "M={1,2,3,4}",
        "M={{0,0},{12,0}}",
        "T={1}",
        "T={1, late: true, last: 3}",
        "T={1, true, 3}",
        "N={1,2}",
        "D={10,20",
        "D={10,20,18} 3",
        "D={}",
        "v={1}",
        "E={1}",
    ]
    .map(|definition| {
        let run = check(&["--search", "bfs", "-D", definition]);
        format!("-D '{definition}': status {}\n{}", run.status, run.stderr)
    });
    insta::assert_snapshot!(shown.join("\n"));
}
