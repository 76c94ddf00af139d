//! `sup`, `inf` and `bounds` where clocks can be stopped: what is told of the value from both sides, and what of a "maybe".

use crate::command::{Run, Scratch, scratch_path, zonewalk, zonewalk_with};

/// The clock `x` stands still in the middle. Zones forget how far it is behind `z` then; no run has more than 10.
const INTERRUPTED: &str = "clock x, z, w;
process P() {
  state B { x <= 8 }, C { x' == 0 && w <= 2 }, D { x <= 8 };
  init B;
  trans B -> C { assign w = 0; }, C -> D { };
}
system P;
";

/// Two tasks on one processor; the job of the second is interrupted by that of the first.
const TASKS: &str = "clock work;
bool busy;
process High(const int PERIOD, const int WORST) {
  clock t, c;
  state Idle { t <= PERIOD }, Busy { c <= WORST };
  init Idle;
  trans Idle -> Busy { guard t == PERIOD; assign t = 0, c = 0, busy = true; },
        Busy -> Idle { guard c >= 1; assign busy = false; };
}
process Low(const int BEST, const int WORST) {
  clock t;
  state Ready { work <= WORST && work' == !busy }, Done { work' == 0 };
  init Ready;
  trans Ready -> Done { guard work >= BEST; };
}
H = High(5, 2);
L = Low(4, 7);
system H, L;
";

fn check(model: &str, queries: &[&str], more: &[&str]) -> Run {
    let queries = queries.iter().flat_map(|query| ["-q", query]);
    let args: Vec<&str> = ["check", "-"]
        .into_iter()
        .chain(queries)
        .chain(more.iter().copied())
        .collect();
    zonewalk_with(&args, model.as_bytes())
}

#[test]
fn a_value_that_a_run_reaches_is_certain() {
    let run = check(
        TASKS,
        &["sup{L.Ready}: L.t", "inf{L.Done}: L.t", "bounds{L.Ready}: work"],
        &[],
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn what_stays_open_is_told_from_both_sides() {
    let queries = [
        "sup{P.D}: z",
        "inf{P.D && z > 12}: z",
        "bounds{P.D}: z",
        "sup{P.D && z > 12}: z",
        "sup: z, x",
    ];
    let run = check(INTERRUPTED, &queries, &["--seed", "1"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn strict_bounds_are_certain_when_runs_come_as_close_as_one_likes() {
    let strict = INTERRUPTED.replace("<=", "<");
    let queries = ["sup: x", "sup{P.C}: w", "bounds{P.B && x > 1}: x", "sup{P.D}: z"];
    let run = check(&strict, &queries, &["--quiet", "--trace", "none"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn values_without_a_bound() {
    let free = INTERRUPTED.replace("D { x <= 8 }", "D");
    let queries = ["sup: z", "bounds{P.D && x > 8}: x", "inf{P.D && x > 8}: w"];
    let run = check(&free, &queries, &["--trace", "none"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

/// Round and round: ever longer runs reach ever more, and no single one shows that this goes on.
#[test]
fn what_has_no_upper_bound_is_told_from_below() {
    let round = INTERRUPTED.replace("C -> D { }", "C -> D { }, D -> B { assign x = 0; }");
    let run = check(&round, &["sup: z"], &["--trace", "none"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn a_maybe_tells_what_is_known_and_what_is_not() {
    let queries = [
        "E<> P.D && z > 10",
        "A[] P.D imply z <= 10",
        "P.B --> P.D && z <= 10",
    ];
    for search in ["bfs", "auto"] {
        let run = check(INTERRUPTED, &queries[..2], &["--search", search]);
        assert_eq!(run.status, 3, "{}", run.stderr);
        let (walks, told) = match search {
            "auto" => (true, "neither is a proof"),
            _ => (false, "this is not a proof"),
        };
        assert_eq!(run.stdout.matches(told).count(), 2, "{}", run.stdout);
        let has_walked = run.stdout.contains("exact walks of at most 2 steps");
        assert_eq!(has_walked, walks, "{}", run.stdout);
    }
    let run = check(INTERRUPTED, &queries, &["--search", "bfs"]);
    insta::assert_snapshot!(run.shown());
}

/// The effort is counted, so that a limit that is not reached changes nothing.
#[test]
fn a_time_limit_changes_nothing() {
    let values = |more: &[&str]| {
        let run = check(
            INTERRUPTED,
            &["sup{P.D}: z", "bounds{P.D}: z"],
            &[&["--format", "json"], more].concat(),
        );
        let document = run.json();
        let results = document["results"].as_array().unwrap();
        let told = |result: &serde_json::Value| {
            (
                result["values"].clone(),
                result["reason"].clone(),
                result["stats"].clone(),
            )
        };
        results.iter().map(told).collect::<Vec<_>>()
    };
    let free = values(&[]);
    assert_eq!(free[0].0[0]["value"], "18");
    assert_eq!(free[0].0[0]["reached"], "10");
    assert_eq!(free[0].0[0]["certain"], false);
    assert_eq!(free[1].0[0]["reached"], "[0, 10]");
    assert_eq!(values(&["--timeout", "120s"]), free);
    assert_eq!(values(&["--trace", "none"]), free);
}

/// Also without clocks that stop: the trace shows the value, and says which.
#[test]
fn the_run_that_is_shown_replays() {
    let model = Scratch::new(
        "extremes.xta",
        TASKS
            .replace(" && work' == !busy", "")
            .replace(" { work' == 0 }", "")
            .as_bytes(),
    );
    let file = scratch_path("extremes.json");
    let path = file.path();
    let run = zonewalk(&[
        "check",
        model.path(),
        "-q",
        "sup{L.Ready}: L.t",
        "--trace-file",
        path,
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let trace = std::fs::read_to_string(path).unwrap();
    assert!(
        trace.contains(r#"{"reason":"value","expression":"L.t","value":7}"#),
        "{trace}"
    );
    let replay = |text: &str| zonewalk_with(&["replay", model.path(), "-"], text.as_bytes());
    assert_eq!(replay(&trace).status, 0);
    let wrong = replay(&trace.replace(r#""value":7}"#, r#""value":8}"#));
    assert_eq!(wrong.status, 1);
    assert!(
        wrong
            .stdout
            .contains("the trace says that L.t is 8 at the end, but it is 7"),
        "{}",
        wrong.stdout
    );
    let other = replay(&trace.replace(r#""expression":"L.t""#, r#""expression":"work""#));
    assert!(
        other.stdout.contains("the query does not ask for work"),
        "{}",
        other.stdout
    );
}
