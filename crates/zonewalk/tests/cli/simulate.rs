//! `zonewalk simulate`

use crate::command::{Scratch, zonewalk, zonewalk_with};

#[test]
fn a_run_with_a_seed() {
    insta::assert_snapshot!(
        zonewalk(&[
            "simulate",
            "models/train-gate.xml",
            "--seed",
            "7",
            "--steps",
            "12"
        ])
        .shown()
    );
    insta::assert_snapshot!(
        zonewalk(&["simulate", "models/scheduler.xml", "--seed", "3", "--steps", "10"]).shown()
    );
}

#[test]
fn a_run_as_json() {
    let args = [
        "simulate",
        "models/heartbeat.xml",
        "-D",
        "N=2",
        "--seed",
        "2",
        "--steps",
        "3",
        "--format",
        "json",
    ];
    insta::assert_snapshot!(zonewalk(&args).shown());
}

#[test]
fn the_seed_decides() {
    let run =
        |seed: &str| zonewalk(&["simulate", "models/fischer.xml", "--seed", seed, "--steps", "30"]).stdout;
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

#[test]
fn every_shipped_model_runs() {
    for name in [
        "fischer.xml",
        "fischer-broken.xml",
        "train-gate.xml",
        "scheduler.xml",
        "bridge.xta",
        "crossing.ta",
    ] {
        let run = zonewalk(&[
            "simulate",
            &format!("models/{name}"),
            "--steps",
            "200",
            "--format",
            "json",
        ]);
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let trace = &run.json()["trace"];
        // None of these can get stuck.
        assert_eq!(trace["end"]["reason"], "steps", "{name}");
        assert_eq!(trace["steps"].as_array().unwrap().len(), 200, "{name}");
    }
}

#[test]
fn a_deadlock_ends_the_run() {
    let run = zonewalk(&["simulate", "models/heartbeat.xml", "--steps", "1000"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout
            .contains("deadlock: no transition is possible; time can pass forever"),
        "{}",
        run.stdout
    );
}

#[test]
fn time_that_stops() {
    let model = "clock x;\nprocess P() {\n    state a { x <= 3 };\n    init a;\n}\nsystem P;\n";
    let file = Scratch::new("timelock.xta", model.as_bytes());
    let run = zonewalk(&["simulate", file.path()]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("time cannot pass forever"), "{}", run.stdout);
}

#[test]
fn an_error_of_the_model_is_told_with_the_run_that_leads_to_it() {
    let model = "int[0, 5] i = 2;\nint j;\n\nprocess P() {\n    state a;\n    init a;\n    trans a -> a { \
                 assign i--, j = 100 / i; };\n}\n\nsystem P;\n";
    let run = zonewalk_with(&["simulate", "-"], model.as_bytes());
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.shown());
    let json = zonewalk_with(&["simulate", "-", "--format", "json"], model.as_bytes());
    assert_eq!(json.status, 2);
    assert_eq!(json.json()["trace"]["end"]["reason"], "error");
    assert_eq!(json.json()["errors"], 1);
}

#[test]
fn no_initial_state() {
    let model = "clock x;\nprocess P() {\n    state a { x > 3 };\n    init a;\n}\nsystem P;\n";
    let run = zonewalk_with(&["simulate", "-"], model.as_bytes());
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.stderr);
}

/// Models that exact time does not support run by the stochastic semantics, in doubles.
#[test]
fn what_runs_in_doubles() {
    let model = "double d;\nprocess P() {\n    state a;\n    init a;\n    trans a -> a { assign d = 1.5; };\n}\nsystem P;\n";
    let info = zonewalk_with(&["info", "-"], model.as_bytes());
    assert_eq!(info.status, 0);
    insta::assert_snapshot!(info.shown());
    let model = "double d = 0.5; clock c;
        process P() { clock x; state A { x <= 4 && c' == 2 }, B { c' == 0 }; init A;
            trans A -> B { guard x >= d; assign d = random(3); }; }
        system P;";
    let simulate = |args: &[&str]| {
        let all: Vec<&str> = ["simulate", "-", "--seed", "3"]
            .into_iter()
            .chain(args.iter().copied())
            .collect();
        zonewalk_with(&all, model.as_bytes())
    };
    let run = simulate(&[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("doubles       d = 0.5"), "{}", run.stdout);
    assert!(run.stdout.contains("P A → B; d: 0.5 → "), "{}", run.stdout);
    assert!(run.stdout.contains("deadlock"), "{}", run.stdout);
    assert_eq!(run.stdout, simulate(&[]).stdout);
    let json: serde_json::Value = serde_json::from_str(&simulate(&["--format", "json"]).stdout).unwrap();
    let step = &json["trace"]["steps"][0];
    let (delay, drawn) = (
        step["delay"].as_f64().unwrap(),
        step["changes"][0]["new"].as_f64().unwrap(),
    );
    assert!(
        (0.5..=4.0).contains(&delay) && (0.0..3.0).contains(&drawn),
        "{step}"
    );
}

#[test]
fn what_does_not_run() {
    let model = "chan c; double d; process P() { state a; init a; trans a -> a { sync c!; assign d = 1.5; }; } system P;";
    let run = zonewalk_with(&["simulate", "-"], model.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr
            .contains("the reference interpreter does not support variables of type double")
    );
    assert!(
        run.stderr.contains("no run in doubles either: handshakes"),
        "{}",
        run.stderr
    );
}

#[test]
fn no_steps_at_all() {
    let run = zonewalk(&["simulate", "models/fischer.xml", "--steps", "0"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.ends_with("stopped (after 0 steps, at time 0)\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn by_hand() {
    let commands = b"h\n2\nd 1/2\ns\n1 2\n1 9\nfrob\nu\nu\nu\nu\n7\nd -1\nd 99\nl\nq\n";
    let run = zonewalk_with(&["simulate", "models/crossing.ta", "--interactive"], commands);
    assert_eq!(run.status, 0);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn by_hand_until_the_input_ends() {
    let run = zonewalk_with(&["simulate", "models/crossing.ta", "--interactive"], b"1");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.contains("approach: Express Far → Near"),
        "{}",
        run.stdout
    );
}
