//! The mistakes that people make at the command line, and the corners of the environment.

use crate::command::{Scratch, command, zonewalk, zonewalk_with};

#[test]
fn mistakes() {
    let mistakes: [&[&str]; 55] = [
        &[],
        &["chek", "models/fischer.xml"],
        &["models/fischer.xml"],
        &["info"],
        &["info", "models/fisher.xml"],
        &["info", "models"],
        &["info", "models/fischer.xml", "models/none.q"],
        &["info", "models/fischer.xml", "--search", "ret"],
        &["info", "models/fischer.xml", "--frobnicate"],
        &["info", "models/fischer.xml", "--format", "xml"],
        &["info", "models/fischer.xml", "--color", "blue"],
        &["info", "models/fischer.xml", "-D", "N"],
        &["info", "models/fischer.xml", "-D", "N=1", "-D", "N=2"],
        &["info", "models/fischer.xml", "-D", "NN=3"],
        &["simulate", "models/fischer.xml", "--steps", "many"],
        &["check"],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "astar",
            "--heuristic",
            "pdf",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "astar",
            "--heuristic",
            "pdb",
            "--pattern",
            "P(1),idd",
        ],
        &["check", "models/fischer.xml", "--queues", "several"],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "bfs",
            "--queues",
            "useless",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "astar",
            "--queues",
            "alternation",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "greedy",
            "--heuristic",
            "blind",
            "--queues",
            "alternation",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "greedy",
            "--heuristic",
            "blind",
            "--queues",
            "useless",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "bfs",
            "--queues",
            "icb",
            "--icb",
            "often",
        ],
        &["check", "models/vending.aut", "--queues", "icb"],
        &["check", "models/fischer.xml", "--search", "best"],
        &["check", "models/fischer.xml", "--search", "frob"],
        &["check", "models/fischer.xml", "--max-steps", "0"],
        &["check", "models/fischer.xml", "--max-steps", "-1"],
        &["check", "models/fischer.xml", "--max-walks", "0"],
        &["check", "models/fischer.xml", "--max-walks", "-1"],
        &["check", "models/fischer.xml", "--seed", "-1"],
        &["simulate", "models/fischer.xml", "--seed", "-1"],
        &["explore", "models/fischer.xml", "--max-states", "-1"],
        &["explore", "models/fischer.xml", "--search", "astar"],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "smc",
            "--time-bound",
            "0",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "smc",
            "--time-bound",
            "-1",
        ],
        &["check", "models/fischer.xml", "--time-bound", "100"],
        &[
            "check",
            "models/fischer.xml",
            "--search",
            "smc",
            "--time-bound",
            "soon",
        ],
        &["check", "models/fischer.xml", "--threads", "0"],
        &["check", "models/fischer.xml", "--timeout", "soon"],
        &["check", "models/fischer.xml", "--memory", "lots"],
        &["check", "models/fischer.xml", "--delays", "none"],
        &["check", "models/fischer.xml", "--trace", "all"],
        &[
            "check",
            "models/fischer.xml",
            "--trace",
            "none",
            "--trace-file",
            "t.json",
        ],
        &["check", "models/fischer.xml", "--query-index", "0"],
        &["check", "models/fischer.xml", "--query-index", "9"],
        &["check", "models/fischer.xml", "--store", "some"],
        &["check", "models/fischer.xml", "models/bridge.q", "-q", "E<> true"],
        &["replay", "-", "-"],
        &["generate"],
        &["generate", "fisher"],
        &["generate", "fischer", "--param", "buggy=very"],
        &["bench", "fmics-10"],
        &["bench", "--models", "nowhere"],
    ];
    let mut shown = String::new();
    for args in mistakes {
        let run = zonewalk(args);
        assert_eq!(run.status, 2, "{args:?}");
        assert_eq!(run.stdout, "", "{args:?}");
        shown.push_str(&format!("$ zonewalk {}\n{}\n", args.join(" "), run.stderr));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn an_interactive_run_needs_its_input_for_itself() {
    let run = zonewalk(&["simulate", "-", "--interactive"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("standard input"), "{}", run.stderr);
    let run = zonewalk(&[
        "simulate",
        "models/fischer.xml",
        "--interactive",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 2);
    let run = zonewalk(&["simulate", "models/fischer.xml", "--interactive", "--seed", "1"]);
    assert_eq!(run.status, 2);
}

#[test]
fn standard_input() {
    let model = std::fs::read(crate::command::root().join("models/heartbeat.xml")).unwrap();
    let run = zonewalk_with(&["info", "-", "--format", "json"], &model);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["model"], "<stdin>");
    let run = zonewalk_with(&["info", "-"], b"");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("empty"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn an_endless_device_and_an_unreadable_name() {
    let run = zonewalk(&["info", "/dev/zero"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("larger than"), "{}", run.stderr);
    let run = zonewalk(&["info", "models/fischer.xml/x"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("cannot read models/fischer.xml/x: "),
        "{}",
        run.stderr
    );
    let run = zonewalk(&["info", "no\u{1b}[31msuch"]);
    assert!(!run.stderr.contains('\u{1b}'));
}

#[test]
fn binary_and_truncated_files() {
    let binary: Vec<u8> = (0..4096u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let truncated = std::fs::read(crate::command::root().join("models/fischer.xml")).unwrap();
    for (name, content) in [
        ("binary.xml", &binary[..]),
        ("truncated.xml", &truncated[..truncated.len() / 2]),
    ] {
        let file = Scratch::new(name, content);
        let run = zonewalk(&["info", file.path()]);
        assert_eq!(run.status, 2, "{name}");
        assert_eq!(run.stdout, "", "{name}");
        assert!(run.stderr.contains("error"), "{name}: {}", run.stderr);
    }
}

#[test]
fn hopeless_files_are_refused_quickly() {
    let nested = format!("int i = {}1{};\n", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("int i = {}1;\n", "1 + ".repeat(5 << 20));
    let longer = "int i;\n".repeat(10 << 20);
    for (name, content, expected) in [
        ("nested.xta", nested, "nests deeper than 1000 levels"),
        ("long.xta", long, "MiB of code"),
        ("longer.xta", longer, "larger than 64 MiB"),
    ] {
        let file = Scratch::new(name, content.as_bytes());
        let run = zonewalk(&["info", file.path()]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{name}");
        assert!(run.stderr.contains(expected), "{name}: {}", run.stderr);
    }
}

#[test]
fn deep_expressions_are_safe() {
    let nested = format!("{}1{}", "(1 + ".repeat(480), ")".repeat(480));
    let unary = "!".repeat(900);
    let model = format!(
        "const int i = {nested};\nbool b = {unary}true;\nprocess P() {{ state a; init a; trans a -> a {{ guard {nested} > 3; }}; }}\nsystem P;\n"
    );
    let file = Scratch::new("deep.xta", model.as_bytes());
    for command in ["info", "simulate"] {
        let run = zonewalk(&[command, file.path()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let args = ["info", "crates/zonewalk/tests/diagnostics/unknown-name.xml"];
    let plain = zonewalk(&args).stderr;
    assert!(!plain.contains('\u{1b}'));
    let always = [&args[..], &["--color", "always"]].concat();
    assert!(zonewalk(&always).stderr.contains('\u{1b}'));
    let never = command(&[&args[..], &["--color", "never"]].concat())
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    assert!(!never.stderr.contains(&0x1b));
    let forced = command(&args)
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!forced.stderr.contains(&0x1b));
}

#[test]
fn quiet_keeps_errors() {
    let run = zonewalk(&[
        "info",
        "--quiet",
        "crates/zonewalk/tests/diagnostics/unknown-name.xml",
    ]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("error[unknown-name]"), "{}", run.stderr);
}
