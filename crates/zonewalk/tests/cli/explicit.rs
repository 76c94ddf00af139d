//! `zonewalk check` and `zonewalk explore` on explicit systems, and the searches that both kinds of systems have.

use crate::command::{Scratch, scratch_path, zonewalk};

/// A ring of three states with an exit, and an unreachable state.
const RING: &str =
    "des (0,5,5)\n(0,\"a\",1)\n(1,\"b(1)\",2)\n(2,\"a\",0)\n(2,\"out(2)\",3)\n(4,\"lost\",4)\n";

fn ring(name: &str) -> Scratch {
    Scratch::new(&format!("{name}.aut"), RING.as_bytes())
}

#[test]
fn an_action_is_found_by_every_search() {
    let file = ring("found");
    for search in ["auto", "bfs", "dfs", "rdfs", "drs", "highway", "random"] {
        let args = ["check", file.path(), "--action", "out", "--search", search];
        let run = zonewalk(&[&args[..], &["--format", "json", "--max-states", "1000"]].concat());
        assert_eq!(run.status, 0, "{search}: {}", run.shown());
        let result = &run.json()["results"][0];
        assert_eq!(result["query"], "action out");
        assert_eq!(result["verdict"], "satisfied");
        assert_eq!(result["proof"], true);
        assert_eq!(result["search"], if search == "auto" { "bfs" } else { search });
        assert_eq!(result["trace"]["steps"], 3, "{search}");
        assert_eq!(
            result["trace"]["labels"],
            serde_json::json!(["a", "b(1)", "out(2)"])
        );
        assert!(result["trace"].get("duration").is_none(), "there is no time");
    }
}

#[test]
fn what_is_not_there_is_proved_absent() {
    let file = ring("absent");
    for search in ["auto", "dfs", "rdfs", "drs", "highway"] {
        let run = zonewalk(&["check", file.path(), "--action", "lost", "--search", search]);
        assert_eq!(run.status, 1, "{search}: {}", run.shown());
        assert!(
            run.stdout
                .starts_with("action lost\nnot satisfied: every reachable state was explored\nproved by"),
            "{}",
            run.shown()
        );
        assert_eq!(run.stderr, "");
    }
    let run = zonewalk(&["check", file.path(), "--action", "los"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.contains("no label in the file names the action `los`"),
        "{}",
        run.shown()
    );
    // A random path of a ring has no end of its own.
    let args = [
        "check",
        file.path(),
        "--action",
        "lost",
        "--search",
        "random",
        "--max-states",
        "50",
    ];
    let run = zonewalk(&args);
    assert_eq!(run.status, 3, "{}", run.shown());
}

#[test]
fn a_deadlock_without_an_action() {
    let file = ring("deadlock");
    let run = zonewalk(&["check", file.path(), "--search", "bfs"]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let expected = "deadlock\nsatisfied: a run of 3 steps\nfound by bfs: ";
    assert!(run.stdout.starts_with(expected), "{}", run.shown());
    assert!(
        run.stdout
            .ends_with("\n\n step  label\n    1  a\n    2  b(1)\n    3  out(2)\n")
    );
}

#[test]
fn without_a_trace_a_find_is_no_proof_by_all_states() {
    let file = ring("no-trace");
    let run = zonewalk(&["check", file.path(), "--trace", "none"]);
    assert_eq!(run.status, 0, "{}", run.shown());
    assert!(
        run.stdout.starts_with("deadlock\nsatisfied\nfound by bfs: "),
        "{}",
        run.shown()
    );
    let model = [
        "check",
        "models/families/diamond.xml",
        "--query-index",
        "1",
        "--trace",
        "none",
    ];
    let run = zonewalk(&[&model[..], &["--search", "bfs"]].concat());
    assert!(
        run.stdout.contains("\nsatisfied\nfound by bfs: "),
        "{}",
        run.shown()
    );
}

#[test]
fn traces_in_files() {
    let file = ring("traces");
    let text = scratch_path("labels.txt");
    let run = zonewalk(&["check", file.path(), "--trace-file", text.path()]);
    assert_eq!(run.status, 0, "{}", run.shown());
    assert!(run.stdout.contains("trace in "), "{}", run.shown());
    assert_eq!(
        std::fs::read_to_string(text.path()).unwrap(),
        " step  label\n    1  a\n    2  b(1)\n    3  out(2)\n"
    );
    let json = scratch_path("labels.json");
    let run = zonewalk(&["check", file.path(), "--action", "b", "--trace-file", json.path()]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json.path()).unwrap()).unwrap();
    assert_eq!(document["query"], "action b");
    assert_eq!(document["labels"], serde_json::json!(["a", "b(1)"]));
}

#[test]
fn states_are_counted() {
    let file = ring("explored");
    let run = zonewalk(&["explore", file.path(), "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let result = &run.json()["results"][0];
    assert_eq!(
        (&result["query"], &result["proof"]),
        (&serde_json::Value::Null, &true.into())
    );
    assert_eq!(result["stats"]["states_stored"], 4);
    assert_eq!(result["stats"]["transitions"], 4);
    let run = zonewalk(&["explore", file.path(), "--search", "dfs"]);
    assert!(
        run.stdout.contains("4 explored, 4 stored by dfs, all of them"),
        "{}",
        run.shown()
    );
    assert!(
        run.stdout.contains("in the file   5 states, 5 transitions"),
        "{}",
        run.shown()
    );
    let run = zonewalk(&["explore", file.path(), "--max-states", "2"]);
    assert_eq!(run.status, 3, "{}", run.shown());
    let run = zonewalk(&["explore", file.path(), "--search", "highway", "--width", "1"]);
    assert_eq!(run.status, 0, "{}", run.shown());
}

#[test]
fn arguments_that_make_no_sense() {
    let file = ring("refused");
    for (args, reason) in [
        (
            &["-q", "E<> P.a"][..],
            "-q does not apply to explicit systems (.aut): they have no formulas",
        ),
        (
            &["-D", "N=3"],
            "-D does not apply to explicit systems (.aut): they have no constants",
        ),
        (
            &["--delays", "adaptive"],
            "--delays does not apply to explicit systems (.aut): they have no time",
        ),
        (
            &["--store", "inclusion"],
            "--store does not apply to explicit systems (.aut)",
        ),
        (&["--max-walks", "3"], "walks do not support them"),
        (&["--search", "ret"], "ret makes walks in time"),
        (&["--trace", "fastest"], "they have no time"),
        (
            &["--trace", "shortest", "--search", "dfs"],
            "dfs does not find shortest traces",
        ),
        (&["--expect"], "they record no outcomes"),
    ] {
        let run = zonewalk(&[&["check", file.path()], args].concat());
        assert_eq!(run.status, 2, "{args:?}: {}", run.shown());
        assert!(run.stderr.contains(reason), "{args:?}: {}", run.shown());
    }
    let run = zonewalk(&["check", "models/fischer.xml", "--action", "a"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--action applies to explicit systems"),
        "{}",
        run.shown()
    );
    for command in ["info", "simulate"] {
        let run = zonewalk(&[command, file.path()]);
        assert_eq!(run.status, 2, "{}", run.shown());
        assert!(
            run.stderr.contains("which only check and explore support"),
            "{}",
            run.shown()
        );
    }
}

#[test]
fn bad_files_are_refused_at_their_place() {
    for (text, place, message) in [
        (
            "des (0,1,2)\n(0,\"a\",7)\n",
            ":2:8",
            "the target state must be below the number of states, 2",
        ),
        (
            "des (0,2,2)\n(0,\"a\",1)\n",
            ":2:1",
            "the file ends after 1 transitions",
        ),
        (
            "hello\n",
            ":1:1",
            "expected `des (first state, transitions, states)`",
        ),
        ("", ":1:1", "the file is empty"),
    ] {
        let file = Scratch::new("bad.aut", text.as_bytes());
        let run = zonewalk(&["check", file.path()]);
        assert_eq!(run.status, 2, "{}", run.shown());
        assert!(run.stderr.contains(message), "{}", run.shown());
        let place = format!("{}{place}", file.path());
        assert!(run.stderr.contains(&place), "{place} in {}", run.shown());
        let run = zonewalk(&["explore", file.path(), "--format", "json"]);
        assert_eq!((run.status, &run.json()["valid"]), (2, &false.into()));
    }
    let run = zonewalk(&["check", "no-such-file.aut"]);
    assert_eq!(run.status, 2, "{}", run.shown());
}

#[test]
fn models_are_searched_by_highways_and_at_random() {
    for search in ["highway", "random"] {
        let args = [
            "check",
            "models/families/diamond.xml",
            "--query-index",
            "1",
            "--search",
            search,
        ];
        let run = zonewalk(&[&args[..], &["--format", "json"]].concat());
        assert_eq!(run.status, 0, "{search}: {}", run.shown());
        let result = &run.json()["results"][0];
        assert_eq!(
            (&result["verdict"], &result["search"]),
            (&"satisfied".into(), &search.into())
        );
    }
    // A highway that leaves nothing out is a proof, one that does is none.
    let safe = [
        "check",
        "models/families/diamond.xml",
        "-q",
        "A[] Diamond.i < 100",
        "--search",
        "highway",
    ];
    let run = zonewalk(&[&safe[..], &["--width", "1000"]].concat());
    assert_eq!(run.status, 0, "{}", run.shown());
    for way in ["--exact", "--quiet"] {
        let run = zonewalk(&[&safe[..], &["--width", "2", way]].concat());
        assert_eq!(run.status, 3, "{}", run.shown());
        assert!(run.stdout.contains("nothing was found among"), "{}", run.shown());
    }
    let run = zonewalk(&[&safe[..], &["--max-states", "5"]].concat());
    assert_eq!(run.status, 3, "{}", run.shown());
}
