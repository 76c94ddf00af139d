//! `zonewalk check`

use crate::command::{Scratch, command, scratch_path, zonewalk, zonewalk_with};
use serde_json::Value;

/// One run is possible, so that every search finds the same one: at time 3 to `b`, at once to `c`, and there it stays.
pub(crate) const LINE: &str = "\
clock x;
int[0, 9] i;

process P() {
    state a { x <= 3 }, b, c;
    urgent b;
    init a;
    trans
        a -> b { guard x >= 3; assign i = 1, x = 0; },
        b -> c { guard i == 1; assign i = 2; };
}

system P;
";

/// `zonewalk check` of [`LINE`] with more arguments, on one thread unless they say otherwise.
pub(crate) fn check_line(args: &[&str]) -> crate::command::Run {
    let threads: &[&str] = if args.contains(&"--threads") {
        &[]
    } else {
        &["--threads", "1"]
    };
    zonewalk_with(&[&["check", "-"], args, threads].concat(), LINE.as_bytes())
}

#[test]
fn verdicts_as_text() {
    let run = check_line(&[
        "-q",
        "E<> P.c",
        "-q",
        "A[] i < 2",
        "-q",
        "E<> i == 3",
        "--max-walks",
        "5",
        "--search",
        "ret",
    ]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn verdicts_as_json() {
    let args = [
        "-q",
        "E<> P.c",
        "-q",
        "E<> i == 3",
        "--max-walks",
        "5",
        "--seed",
        "7",
        "--search",
        "rlc",
        "--format",
        "json",
    ];
    let run = check_line(&args);
    assert_eq!((run.status, run.stderr.as_str()), (3, ""));
    let document = run.json();
    assert_eq!(document["zonewalk"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["schema"], 1);
    assert_eq!(document["model"], "<stdin>");
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["search"], "rlc");
        assert_eq!(
            (&result["seed"], &result["threads"]),
            (&Value::from(7), &Value::from(1))
        );
        let seconds = |key: &str| result[key].as_f64().unwrap();
        assert!(seconds("load_s") > 0.0 && seconds("search_s") > 0.0 && seconds("cpu_s") >= 0.0);
        assert!(seconds("time_s") >= seconds("load_s") + seconds("search_s"));
        if cfg!(target_os = "linux") {
            assert!(result["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
        }
        let stats = &result["stats"];
        for key in ["states_explored", "states_stored", "transitions"] {
            assert_eq!(stats[key], 0, "{key}");
        }
        assert_eq!(stats["max_depth"], 2);
    }
    let (found, missed) = (&results[0], &results[1]);
    assert_eq!(found["query"], "E<> P.c");
    assert_eq!(found["verdict"], "satisfied");
    assert_eq!(found["proof"], true);
    assert_eq!(found["reason"], Value::Null);
    assert_eq!(
        (&found["stats"]["walks"], &found["stats"]["steps"]),
        (&Value::from(1), &Value::from(2))
    );
    let trace = &found["trace"];
    assert_eq!(
        (&trace["steps"], &trace["found_steps"]),
        (&Value::from(2), &Value::from(2))
    );
    assert_eq!(trace["duration"], "3");
    assert_eq!(trace["file"], Value::Null);
    assert_eq!(missed["verdict"], "unknown");
    assert_eq!(missed["proof"], false);
    assert_eq!(missed["trace"], Value::Null);
    assert_eq!(
        (&missed["stats"]["walks"], &missed["stats"]["steps"]),
        (&Value::from(5), &Value::from(10))
    );
    assert!(
        missed["reason"]
            .as_str()
            .unwrap()
            .starts_with("5 walks found nothing; every walk ended in a deadlock")
    );
}

#[test]
fn every_search_and_every_choice_of_delays() {
    for search in ["auto", "sem", "ret", "rlc", "rlc-a", "com", "guided", "smc"] {
        for delays in ["adaptive", "uniform", "pd"] {
            let args = [
                "-q", "E<> P.c", "--search", search, "--delays", delays, "--format", "json",
            ];
            let run = check_line(&args);
            assert_eq!(run.status, 0, "{search} {delays}: {}", run.stderr);
            let expected = if search == "auto" { "ret" } else { search };
            assert_eq!(run.json()["results"][0]["search"], expected);
        }
    }
}

#[test]
fn the_first_example_finds_the_error() {
    let run = zonewalk(&["check", "models/fischer-broken.xml", "--query-index", "1"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("\nnot satisfied: violated by a run of "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("wait → critical\n\ngoal reached (after "),
        "{}",
        run.stdout
    );
}

#[test]
fn statuses() {
    let expected: [(&[&str], i32); 12] = [
        (&["-q", "E<> P.c"], 0),
        (&["-q", "A[] i < 2"], 1),
        (&["-q", "E<> P.c", "-q", "A[] i < 2"], 1),
        (&["-q", "E<> P.c && i == 0", "--max-walks", "3"], 3),
        (&["-q", "A[] i < 3", "--max-walks", "3"], 3),
        // One that is not satisfied counts more than an unknown one.
        (&["-q", "A[] i < 3", "-q", "A[] i < 2", "--max-walks", "3"], 1),
        (&["-q", "E<> P.c", "--timeout", "0"], 3),
        (&["-q", "E<> Q.c"], 2),
        (&["-q", "A[] i < 2", "-q", "E<> Q.c"], 2),
        (&["-q", "A<> P.c", "--search", "ret"], 2),
        (&["-q", "E<> deadlock"], 0),
        (&["-q", "A[] not deadlock"], 1),
    ];
    for (args, status) in expected {
        let run = check_line(args);
        assert_eq!(run.status, status, "{args:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn queries_that_cannot_be_used() {
    let mut shown = String::new();
    for query in [
        "E<> Q.c",
        "E<> P.d",
        "E<> P",
        "E<> i = 3",
        "A<> P.c",
        "Pr[<=10](<> P.c) under s",
        "sup: i",
        "E<> (",
        "E<> x",
    ] {
        let run = check_line(&["-q", query, "--search", "ret"]);
        assert_eq!(run.status, 2, "{query}: {}", run.stdout);
        assert!(run.stdout.contains("unknown: "), "{query}: {}", run.stdout);
        shown.push_str(&format!("{}\n", run.stderr));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_bad_query_does_not_keep_others_from_their_answers() {
    let run = check_line(&["-q", "E<> Q.c", "-q", "E<> P.c", "--format", "json"]);
    assert_eq!(run.status, 2);
    let document = run.json();
    assert_eq!(document["results"][0]["verdict"], "unknown");
    assert_eq!(document["results"][0]["reason"], "unknown name `Q`");
    assert_eq!(document["results"][1]["verdict"], "satisfied");
    assert_eq!(document["errors"], 1);
    assert_eq!(document["diagnostics"][0]["code"], "unknown-name");
}

#[test]
fn models_that_walks_cannot_treat() {
    let doubled = LINE.replace("clock x;", "clock x;\ndouble h;");
    let run = zonewalk_with(&["check", "-", "-q", "A<> P.c"], doubled.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(run.stderr);
    let run = zonewalk_with(
        &["check", "-", "-q", "A<> P.c", "--format", "json"],
        doubled.as_bytes(),
    );
    assert_eq!(run.status, 2);
    assert_eq!(run.json()["results"].as_array().unwrap().len(), 0);
    assert_eq!(run.json()["diagnostics"][0]["code"], "unsupported");
    let run = zonewalk_with(&["explore", "-"], doubled.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
}

/// Models that no search supports are checked by random runs in doubles, which find errors but prove nothing.
#[test]
fn random_runs_where_no_search_can_treat_the_model() {
    let model = "double d = 0.5; clock c;
        process P() { clock x; state A { x <= 4 && c' == 2.5 }, B { c' == 0 }; init A;
            trans A -> B { guard x >= d; assign d = random(3); }; }
        system P;";
    let check = |query: &str| {
        let args = [
            "check",
            "-",
            "-q",
            query,
            "--max-walks",
            "200",
            "--max-steps",
            "10",
            "--format",
            "json",
        ];
        zonewalk_with(&args, model.as_bytes())
    };
    let found = check("E<> P.B && d > 1.5 && c > 4");
    assert_eq!(found.status, 0, "{}", found.stdout);
    let result = &found.json()["results"][0];
    assert_eq!(
        (&result["verdict"], &result["proof"]),
        (&"satisfied".into(), &false.into()),
        "{result}"
    );
    let duration: f64 = result["trace"]["duration"].as_str().unwrap().parse().unwrap();
    assert!(duration > 1.6, "{result}");
    assert_eq!(check("A[] d <= 1").status, 1);
    let open = check("E<> d > 3.5");
    assert_eq!(open.status, 3, "{}", open.stdout);
    let text = zonewalk_with(&["check", "-", "-q", "A[] d <= 1"], model.as_bytes()).stdout;
    assert!(text.contains("P A → B; d: 0.5 → "), "{text}");
}

#[test]
fn synchronisation_without_direction() {
    let model = |system: &str| {
        let process = |name: &str, guard: &str| {
            format!("process {name}() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c; }}; }}\n")
        };
        let all = ["x >= 2", "x <= 2", "true"];
        let processes: String = ["P", "Q", "R"]
            .iter()
            .zip(all)
            .map(|(p, g)| process(p, g))
            .collect();
        format!("clock x; chan c;\n{processes}system {system};\n")
    };
    let args = ["check", "-", "--search", "ret", "-q", "E<> P.B"];
    let run = zonewalk_with(&args, model("P, Q").as_bytes());
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("c: P A → B, Q A → B"), "{}", run.stdout);
    // Walks do not treat three.
    let run = zonewalk_with(&args, model("P, Q, R").as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(run.stderr);
    let run = zonewalk_with(&["simulate", "-", "--steps", "1"], model("P, Q, R").as_bytes());
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.contains("c: P A → B, Q A → B, R A → B"),
        "{}",
        run.stdout
    );
}

#[test]
fn models_that_the_stochastic_semantics_does_not_cover() {
    let args = ["models/train-gate.xml", "--search", "smc"];
    let run = zonewalk(&[&["check"], &args[..]].concat());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    insta::assert_snapshot!(run.stderr);
    let run = zonewalk(&[&["explore"], &args[..]].concat());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
}

#[test]
fn stochastic_walks_end_at_the_time_bound() {
    let smc = |bound: &str, query: &str| {
        let args = [
            "--search",
            "smc",
            "--max-walks",
            "20",
            "--time-bound",
            bound,
            "-q",
            query,
        ];
        check_line(&args)
    };
    assert_eq!(smc("2", "E<> P.b").status, 3);
    assert_eq!(smc("3", "E<> P.b").status, 0);
    // Time goes on where nothing else does.
    assert_eq!(smc("9", "E<> P.c && x == 6").status, 0);
    let undecided = smc("9", "E<> P.c && x > 6");
    assert!(
        undecided.stdout.contains("20 walks found nothing"),
        "{}",
        undecided.stdout
    );
}

#[test]
fn stochastic_walks_depend_on_their_seed_alone() {
    let found = || {
        let run = zonewalk(&[
            "check",
            "models/fischer-broken.xml",
            "--query-index",
            "3",
            "--search",
            "smc",
            "--seed",
            "5",
            "--threads",
            "2",
            "--format",
            "json",
        ]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let trace = &run.json()["results"][0]["trace"];
        ["steps", "duration", "found_steps", "found_duration"].map(|key| trace[key].clone())
    };
    assert_eq!(found(), found());
}

#[test]
fn no_queries_and_no_initial_state() {
    let run = check_line(&[]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains("<stdin> has no queries; give one with -q"),
        "{}",
        run.stderr
    );
    let model = LINE.replace("x <= 3", "x > 3");
    let run = zonewalk_with(&["check", "-", "-q", "E<> P.c"], model.as_bytes());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("error[no-initial-state]"), "{}", run.stderr);
}

/// Divides by zero in its last step, number 10,000.
const DIVISION: &str = "\
int[0, 20000] i;
int j;
clock x;
process P() {
    state a { x <= 1 };
    init a;
    trans a -> a { guard x >= 1; assign i++, x = 0, j = 100 / (10000 - i); };
}
system P;
";

#[test]
fn an_error_of_the_model_comes_with_its_trace() {
    let file = scratch_path("division.json");
    let args = [
        "check",
        "-",
        "-q",
        "E<> j == 77",
        "--max-steps",
        "20000",
        "--max-walks",
        "1",
        "--threads",
        "1",
    ];
    let run = zonewalk_with(&args, DIVISION.as_bytes());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("error[division-by-zero]: division by zero"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("j = 100 / (10000 - i)"), "{}", run.stderr);
    assert!(
        run.stdout
            .contains("unknown: run-time error in the model: division by zero"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("\n 9999     9999        1  P a → a; i: 9998 → 9999"),
        "{}",
        run.stdout
    );

    let with_file = [&args[..], &["--trace-file", file.path(), "--format", "json"]].concat();
    let run = zonewalk_with(&with_file, DIVISION.as_bytes());
    assert_eq!(run.status, 2);
    let result = &run.json()["results"][0];
    assert_eq!(result["verdict"], "unknown");
    assert_eq!(result["trace"]["steps"], 9999);
    let trace: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
    assert_eq!(trace["end"]["reason"], "error");
    let run = zonewalk_with(&["replay", "-", file.path()], DIVISION.as_bytes());
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (
            0,
            "valid: 9999 steps, time 10000; it ends with the error: division by zero\n"
        )
    );
}

#[test]
fn the_model_on_standard_input_and_its_queries_beside_it() {
    let run = zonewalk(&[
        "check",
        "models/bridge.xta",
        "--query-index",
        "1",
        "--timeout",
        "60s",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    // On the fastest run all are there after 60.
    assert_eq!(run.json()["results"][0]["trace"]["duration"], "60");
    let run = zonewalk(&[
        "check",
        "models/fischer.xml",
        "models/bridge.q",
        "--max-walks",
        "1",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("models/bridge.q:"), "{}", run.stderr);
}

#[test]
fn constants_can_be_overridden() {
    let args = [
        "check",
        "models/fischer-broken.xml",
        "-q",
        "E<> Process(7).critical",
        "--trace",
        "none",
    ];
    assert_eq!(zonewalk(&args).status, 2);
    assert_eq!(zonewalk(&[&args[..], &["-D", "N=7"]].concat()).status, 0);
}

#[test]
fn answers_compared_with_those_that_the_model_records() {
    let expect = |model: &str, index: &str, walks: &str| {
        zonewalk(&[
            "check",
            model,
            "--expect",
            "--query-index",
            index,
            "--max-walks",
            walks,
        ])
    };
    let run = expect("models/fischer-broken.xml", "1", "1000");
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!(run.stdout.contains("as recorded: failure"), "{}", run.stdout);
    assert_eq!(expect("models/fischer-broken.xml", "2", "1000").status, 0);
    // It holds, which walks cannot show.
    let run = expect("models/fischer.xml", "1", "10");
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("not as recorded: success"), "{}", run.stdout);
    let run = check_line(&["--expect", "-q", "E<> P.c"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("records no outcomes"), "{}", run.stderr);
}

/// The first walks have few steps: they are over before the deadlock.
#[test]
fn walks_that_get_stuck_late_are_told_of() {
    let model = "int n; process P() { clock x; state a { x <= 2 }; init a; \
                 trans a -> a { guard x >= 1 && n < 100; assign n++, x = 0; }; } system P;";
    for (walks, told) in [
        ("20", None),
        (
            "50",
            Some("(17 of 50 walks; the others were cut off at 64 steps or fewer)"),
        ),
    ] {
        let args = [
            "check",
            "-",
            "-q",
            "E<> n == 200",
            "--search",
            "ret",
            "--max-walks",
            walks,
        ];
        let run = zonewalk_with(&args, model.as_bytes());
        assert_eq!(run.status, 3, "{}", run.stderr);
        let lock = "every walk that was not cut short ended in a time-lock";
        assert_eq!(run.stdout.contains(lock), told.is_some(), "{}", run.stdout);
        assert!(run.stdout.contains(told.unwrap_or_default()), "{}", run.stdout);
    }
}

#[test]
fn walks_that_all_get_stuck_are_told_of() {
    let reason = |model: &str| {
        let run = zonewalk_with(
            &[
                "check",
                "-",
                "-q",
                "E<> i == 9",
                "--max-walks",
                "30",
                "--format",
                "json",
            ],
            model.as_bytes(),
        );
        assert_eq!(run.status, 3, "{}", run.stderr);
        run.json()["results"][0]["reason"].as_str().unwrap().to_owned()
    };
    assert!(reason(LINE).contains("every walk ended in a deadlock"));
    let lock = LINE.replace("b, c;", "b, c { x <= 5 };");
    assert!(
        reason(&lock).contains("every walk ended in a time-lock"),
        "{}",
        reason(&lock)
    );
    let zeno = LINE
        .replace("i = 2; };", "i = 2; }, c -> b { assign i = 1; };")
        .replace("urgent b", "urgent b, c");
    assert!(
        reason(&zeno).contains("every walk ended in a Zeno run"),
        "{}",
        reason(&zeno)
    );
}

#[test]
fn goals_inside_of_a_delay() {
    let file = scratch_path("inside.json");
    let args = [
        "-q",
        "E<> P.a && x > 1 && x < 2",
        "--trace-file",
        file.path(),
        "--format",
        "json",
    ];
    let run = check_line(&args);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["results"][0]["trace"]["steps"], 0);
    let trace: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
    assert!(trace["last_delay"].is_string(), "{trace}");
    let replay = zonewalk_with(&["replay", "-", file.path()], LINE.as_bytes());
    assert_eq!(replay.status, 0, "{}", replay.stdout);
}

#[test]
fn the_best_trace_is_asked_for() {
    for wish in ["shortest", "fastest"] {
        let run = zonewalk(&[
            "check",
            "models/fischer-broken.xml",
            "--query-index",
            "1",
            "--trace",
            wish,
            "--timeout",
            "1500ms",
            "--format",
            "json",
        ]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        let trace = &run.json()["results"][0]["trace"];
        if wish == "shortest" {
            // Two processes ask, write, and enter.
            assert_eq!(trace["steps"], 6, "{trace}");
        } else {
            // The first one waits for 2 before it enters, while the second one writes; that one waits again.
            assert_eq!(trace["duration"], "4", "{trace}");
        }
        assert_eq!(
            zonewalk(&[
                "check",
                "models/fischer-broken.xml",
                "--trace",
                wish,
                "--timeout",
                "0"
            ])
            .status,
            3
        );
    }
}

#[test]
fn a_reader_that_goes_away_while_a_long_trace_is_printed() {
    let model = Scratch::new("long.xta", DIVISION.as_bytes());
    let mut child = command(&[
        "check",
        model.path(),
        "-q",
        "E<> i == 9000",
        "--max-steps",
        "9000",
    ])
    .stdout(std::process::Stdio::piped())
    .stderr(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(
        (ended.status.code(), ended.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

/// The report names the deciding search and the effort of the others, with one thread too.
#[test]
fn auto_tells_who_decided_and_what_the_others_had_done() {
    for threads in ["1", "2"] {
        let run = check_line(&[
            "-q",
            "E<> P.c",
            "-q",
            "A[] i < 3",
            "--threads",
            threads,
            "--trace",
            "none",
        ]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let by: Vec<_> = run.stdout.lines().filter(|line| line.contains(" by ")).collect();
        assert!(by[0].contains("found by ret: 1 walk, 2 steps in "), "{}", by[0]);
        assert!(by[0].ends_with("; bfs had not started"), "{}", by[0]);
        assert!(
            by[1].contains("proved by bfs: 3 states explored, 3 stored in "),
            "{}",
            by[1]
        );
        // On a busy machine random depth-first searches may have had a turn as well.
        assert!(by[1].contains("; walks in parallel: "), "{}", by[1]);
        let args = ["-q", "A[] i < 3", "--threads", threads, "--format", "json"];
        let result = &check_line(&args).json()["results"][0];
        let other = &result["others"][0];
        assert_eq!(
            (&result["search"], &other["search"]),
            (&"bfs".into(), &"walks".into())
        );
        assert_eq!(other["stats"]["walks"], result["stats"]["walks"]);
        assert_eq!(other["stats"]["states_explored"], 0);
    }
}

/// The run that leads to an error has simple times, and what fails is still possible at its end.
#[test]
fn errors_of_the_model_have_simple_times() {
    let range = "clock x; int[0,7] n; process P() { state a; init a; \
                 trans a -> a { guard x > 1 && x < 2; assign n += 3, x = 0; }; } system P;";
    let index = "clock x; int a[3], k; process P() { state s; init s; \
                 trans s -> s { guard x > 1 && a[k] == 0; assign k++, x = 0; }; } system P;";
    // The last transition is possible only when the clocks differ by so much.
    let difference = "clock x, y; int i; process P() { state a, b; init a; \
                      trans a -> b { guard x > 2 && x < 9; assign y = 0; }, \
                      b -> b { guard x - y > 5 && y > 1 && y < 2; assign i = 1 / i; }; } system P;";
    for (model, steps) in [(range, 2), (index, 3), (difference, 1)] {
        let file = scratch_path("fault.json");
        let args = [
            "check",
            "-",
            "-q",
            "E<> false",
            "--search",
            "ret",
            "--trace-file",
            file.path(),
        ];
        let run = zonewalk_with(&[&args[..], &["--timeout", "20s"]].concat(), model.as_bytes());
        assert_eq!(run.status, 2, "{}", run.stdout);
        let trace: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
        let taken = trace["steps"].as_array().unwrap();
        let delays = taken
            .iter()
            .map(|step| &step["delay"])
            .chain([&trace["last_delay"]]);
        let delays: Vec<f64> = delays.map(simple_number).collect();
        assert_eq!(delays.len(), steps + 1, "{trace}");
        let last = delays[steps];
        if model == range {
            assert_eq!(last, 1.5, "{trace}");
        }
        if model == difference {
            assert!(delays[0] > 5.0 && last > 1.0 && last < 2.0, "{trace}");
        }
        let replay = zonewalk_with(&["replay", "-", file.path()], model.as_bytes());
        assert_eq!(replay.status, 0, "{}", replay.stdout);
    }
}

/// A number that is whole or has few parts.
fn simple_number(delay: &Value) -> f64 {
    let text = delay.to_string();
    let (number, parts) = text
        .trim_matches('"')
        .split_once('/')
        .unwrap_or((text.trim_matches('"'), "1"));
    assert_eq!(parts.len(), 1, "{delay}");
    number.parse::<f64>().unwrap() / parts.parse::<f64>().unwrap()
}
