//! `zonewalk lint`

use crate::command::{zonewalk, zonewalk_with};

/// A model with a mistake of most kinds.
const MISTAKES: &str = "
int n, lonely; clock x, y; chan go, nobody;
process P() {
    state a { x <= 5 }, b, c, d { x < 2 }, e;
    init a;
    trans a -> b { guard x >= 1 && n == 0; sync go!; assign x = 0; },
        a -> c { guard n == 7; },
        b -> a { assign x = 0; },
        a -> d { guard x > 3; },
        b -> b { sync nobody?; },
        b -> b { guard y < 3; },
        a -> e { guard x >= 0; };
}
process Q() { state a; init a; trans a -> a { sync go?; }; }
process R() { state a; init a; }
system P, Q;
";

#[test]
fn mistakes_of_every_kind() {
    let args = ["lint", "-", "-q", "A[] P.c imply n == 7", "--threads", "1"];
    let run = zonewalk_with(&args, MISTAKES.as_bytes());
    insta::assert_snapshot!(run.shown());
    let run = zonewalk_with(&[&args[..], &["--format", "json"]].concat(), MISTAKES.as_bytes());
    assert_eq!(run.status, 1);
    let document = run.json();
    assert_eq!(document["complete"], true);
    let findings = document["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .all(|found| found["proof"] == true && found["line"].is_u64())
    );
    let mut codes: Vec<_> = findings
        .iter()
        .map(|found| found["code"].as_str().unwrap())
        .collect();
    codes.dedup();
    insta::assert_snapshot!(codes.join("\n"));
}

#[test]
fn a_model_without_mistakes() {
    let run = zonewalk(&["lint", "models/heartbeat.xml"]);
    assert_eq!(run.status, 0, "{}", run.shown());
    insta::assert_snapshot!(run.shown());
}

#[test]
fn some_checks_only() {
    let only = zonewalk_with(&["lint", "-", "--only", "templates,zeno"], MISTAKES.as_bytes());
    assert_eq!(only.status, 1);
    assert_eq!(
        only.stdout.matches("warning[").count(),
        only.stdout.matches("warning[unused-template]").count()
            + only.stdout.matches("warning[zeno-cycle]").count()
    );
    let skip = zonewalk_with(
        &[
            "lint",
            "-",
            "--skip",
            "variables,channels,locations,edges,guards,invariants,queries,deadlock,zeno",
        ],
        MISTAKES.as_bytes(),
    );
    assert_eq!(skip.stdout.matches("warning[").count(), 1);
    let all = "templates,variables,channels,locations,edges,guards,invariants,queries,deadlock,zeno";
    let none = zonewalk_with(&["lint", "-", "--skip", all], MISTAKES.as_bytes());
    assert_eq!(none.status, 2);
    let wrong = zonewalk_with(&["lint", "-", "--only", "typos"], MISTAKES.as_bytes());
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("the checks are templates"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_limit_is_said() {
    let large = "int n, m;
        process P() { state a, b; init a; trans
            a -> a { guard n < 30000; assign n++; }, a -> a { guard m < 30000; assign m++; }, a -> b { guard n + m > 59990; }; }
        system P;";
    let run = zonewalk_with(
        &["lint", "-", "--only", "locations", "--timeout", "200ms"],
        large.as_bytes(),
    );
    assert_eq!(run.status, 3, "{}", run.shown());
    assert!(run.stdout.contains("was not reached"), "{}", run.shown());
    assert!(
        run.stdout.contains("locations: cut short: time limit reached"),
        "{}",
        run.shown()
    );
}

#[test]
fn what_cannot_be_checked() {
    let bad = zonewalk_with(&["lint", "-"], b"process P() { state a; init b; } system P;");
    assert_eq!(bad.status, 2);
    let doubles =
        "double d; process P() { state a; init a; trans a -> a { assign d = d + 0.5; }; } system P;";
    let run = zonewalk_with(&["lint", "-"], doubles.as_bytes());
    insta::assert_snapshot!(run.shown());
    let explicit = zonewalk(&["lint", "models/vending.aut"]);
    assert_eq!(explicit.status, 2);
}
