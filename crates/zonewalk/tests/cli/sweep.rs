//! `check --sweep` and `--format csv`.

use crate::command::{Run, Scratch, scratch_path, zonewalk, zonewalk_with};
use serde_json::Value;

const COUNTER: &str = "const int N = 2; const int D[2] = {1, 1}; const int[0, 3] B = 1; int n;
process P() { state a; init a; trans a -> a { guard n < N * D[0]; assign n = n + D[1]; }; }
system P;
";

fn check(args: &[&str]) -> Run {
    let fixed = ["check", "-", "-q", "E<> n == 3", "--search", "bfs"];
    zonewalk_with(&[&fixed, args].concat(), COUNTER.as_bytes())
}

/// The rows without their times.
fn timeless(text: &str) -> String {
    let row = |line: &str| match line.split_once(" ms").or(line.split_once(" µs")) {
        Some((before, rest)) => {
            let end = before.rfind(' ').unwrap_or(0);
            format!("{}{rest}", before[..end].trim_end())
        }
        None => line.to_owned(),
    };
    text.lines().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn one_table_as_text() {
    let run = check(&["--sweep", "N=2..4", "--sweep", "D={1,1},{1,2}"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(timeless(&run.stdout));
}

#[test]
fn several_queries_have_a_column() {
    let run = check(&["-q", "A[] n <= 3", "-q", "sup: n", "--sweep", "N=2,4"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(timeless(&run.stdout));
}

#[test]
fn documents_have_the_constants_of_each_result() {
    let run = check(&[
        "--sweep",
        "N=2..3",
        "--sweep",
        "D={1,1},{1,2}",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let told: Vec<_> = document["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            (
                result["constants"].to_string(),
                result["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (r#"{"D":"{1,1}","N":2}"#.to_owned(), "not satisfied"),
            (r#"{"D":"{1,2}","N":2}"#.to_owned(), "not satisfied"),
            (r#"{"D":"{1,1}","N":3}"#.to_owned(), "satisfied"),
            (r#"{"D":"{1,2}","N":3}"#.to_owned(), "not satisfied"),
        ]
    );
    assert_eq!(crate::schema::errors(&document), [""; 0]);
}

/// Each row of a sweep agrees with a run under the same `-D`.
#[test]
fn a_row_is_what_its_constants_give() {
    let run = check(&["--sweep", "N=1..5", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    for result in document["results"].as_array().unwrap() {
        let define = format!("N={}", result["constants"]["N"]);
        let alone = check(&["-D", &define, "--format", "json"]);
        let alone: Value = serde_json::from_str(&alone.stdout).unwrap();
        let alone = &alone["results"][0];
        for field in ["query", "verdict", "proof", "search", "stats"] {
            assert_eq!(result[field], alone[field], "{define}: {field}");
        }
        assert_eq!(result["trace"]["steps"], alone["trace"]["steps"], "{define}");
    }
}

#[test]
fn tables_for_programs() {
    let run = check(&["--sweep", "D={1,1},{1,2}", "-D", "N=3", "--format", "csv"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].starts_with("D,query_number,query,verdict,proof,search,"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("\"{1,1}\",1,E<> n == 3,satisfied,true,bfs,"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("\"{1,2}\",1,E<> n == 3,not satisfied,true,bfs,"),
        "{}",
        lines[2]
    );
    // Also of a model as it is.
    let run = check(&["--format", "csv"]);
    assert_eq!((run.status, run.stdout.lines().count()), (1, 2));
    assert!(run.stdout.starts_with("query_number,"), "{}", run.stdout);
}

/// A value that the model cannot have makes its row an error, and no others.
#[test]
fn one_bad_combination_of_many() {
    let run = check(&["--sweep", "B=3,4", "-D", "N=3"]);
    assert_eq!(run.status, 2);
    assert!(run.stdout.contains("3  satisfied"), "{}", run.stdout);
    assert!(run.stdout.contains("4  error"), "{}", run.stdout);
    assert!(run.stderr.contains("error"), "{}", run.stderr);
    let run = check(&["--sweep", "B=3,4", "-D", "N=3", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["results"][1]["query"], Value::Null);
    assert!(document["results"][1]["reason"].is_string(), "{document}");
    assert_eq!(document["errors"], 1);
    assert_eq!(crate::schema::errors(&document), [""; 0]);
}

#[test]
fn what_cannot_be_swept_is_said() {
    for (args, words) in [
        (&["--sweep", "N"][..], "expected NAME=LO..HI"),
        (&["--sweep", "N=4..2"], "is empty"),
        (
            &["--sweep", "N=2", "--sweep", "N=3"],
            "--sweep N=… is given twice",
        ),
        (&["--sweep", "N=2..3", "-D", "N=3"], "leave one of them out"),
        (
            &["--sweep", "N=0..10000"],
            "10001 combinations are more than the 10000",
        ),
        (
            &["--sweep", "M=1,2"],
            "--sweep M: the model declares no global constant `M`",
        ),
        (&["--sweep", "n=1,2"], "only constants can be overridden"),
        (&["--sweep", "N=1,2", "--expect"], "does not go with --sweep"),
    ] {
        let run = check(args);
        assert_eq!(run.status, 2, "{args:?}");
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{args:?}");
    }
    let run = zonewalk(&["check", "models/vending.aut", "--sweep", "N=1,2"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("has no constants"), "{}", run.stderr);
}

/// Traces are written and replayed with their constants, and reports name them.
#[test]
fn files_of_each_combination() {
    let model = Scratch::new("swept.xta", COUNTER.as_bytes());
    let (trace, report) = (scratch_path("swept.json"), scratch_path("swept.md"));
    let kind = format!("md:{}", report.path());
    let run = zonewalk(&[
        "check",
        model.path(),
        "-q",
        "E<> n == 3",
        "--search",
        "bfs",
        "--sweep",
        "N=3..4",
        "--trace-file",
        trace.path(),
        "--report",
        &kind,
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for value in [3, 4] {
        let file = trace.path().replace(".json", &format!("-N={value}.json"));
        let run = zonewalk(&["replay", model.path(), &file]);
        assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
        std::fs::remove_file(file).unwrap();
    }
    let report = std::fs::read_to_string(report.path()).unwrap();
    assert!(
        report.contains("for N = 3") && report.contains("for N = 4"),
        "{report}"
    );
}
