//! Searches of models that compare differences of clocks: they end, or say beforehand that they may not.

use crate::command::zonewalk_with;

/// Time never ends, and `g` is set again and again.
fn model(declarations: &str, update: &str) -> Vec<u8> {
    format!(
        "int[0,1] v; clock g, x; {declarations}
process P() {{ state A {{ g <= 2 }}; init A; trans A -> A {{ assign {update}; }}; }}
system P;"
    )
    .into_bytes()
}

fn check(model: &[u8], query: &str, more: &[&str]) -> (i32, String, String) {
    let args = [&["check", "-", "-q", query], more].concat();
    let run = zonewalk_with(&args, model);
    (run.status, run.stdout, run.stderr)
}

#[test]
fn what_varies_in_a_difference_has_a_range() {
    let cases = [
        ("", "g = v", "E<> x - g == -5", 1),
        ("", "g = v", "E<> x - g == 5", 0),
        ("", "g = 0, v = 1 - v", "E<> g - x > v", 1),
        ("clock y;", "g = 0, y = x", "E<> y - x > 0", 1),
        ("clock y;", "g = 0, y = x + 1", "E<> y - x > 1", 1),
        ("clock y;", "g = 0, y = x + 1", "E<> y - x == 1 && x > 5", 0),
        (
            "clock c[2];",
            "g = 0, c[v] = 0, v = 1 - v",
            "A[] g - c[v] <= 2",
            0,
        ),
    ];
    for (declarations, update, query, status) in cases {
        for search in ["auto", "bfs", "drs"] {
            let (found, stdout, stderr) = check(&model(declarations, update), query, &["--search", search]);
            assert_eq!(found, status, "{update}: {query} by {search}: {stdout}{stderr}");
            assert!(!stderr.contains("may not end"), "{update}: {query}: {stderr}");
        }
    }
}

#[test]
fn what_may_not_end_is_said_before() {
    let warned = |declarations, update, query: &str, words: &str| {
        let limits = ["--search", "bfs", "--timeout", "500ms", "-q", "E<> x - g == -7"];
        let (status, _, stderr) = check(&model(declarations, update), query, &limits);
        assert_eq!(status, 3, "{update}: {stderr}");
        // Once for all queries, and before the first answer.
        assert!(stderr.starts_with("warning[endless-zones]"), "{stderr}");
        assert_eq!(stderr.matches("may not end").count(), 1, "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    };
    warned(
        "",
        "g = 0, x = x + 1",
        "E<> x - g == -5",
        "the clock `x` is set to a clock plus a number",
    );
    warned(
        "int n;",
        "g = n * n * n",
        "E<> x - g == -5",
        "the clock `g` is set to numbers of unknown size",
    );
    let json = ["--search", "bfs", "--timeout", "500ms", "--format", "json"];
    let run = zonewalk_with(
        &[&["check", "-", "-q", "E<> x - g < -n"], &json[..]].concat(),
        &model("int n;", "g = 0"),
    );
    let warning = &run.json()["diagnostics"][0];
    assert_eq!(warning["code"], "endless-zones");
    assert_eq!(
        warning["message"],
        "the search may not end: a difference of clocks is compared with too many numbers"
    );
    // Walks have no zones, and who asks for none of the abstractions knows.
    let shift = model("", "g = 0, x = x + 1");
    for more in [
        &["--search", "ret", "--max-walks", "5"][..],
        &["--search", "bfs", "--extrapolation", "none", "--timeout", "500ms"],
    ] {
        let (_, _, stderr) = check(&shift, "E<> x - g == -5", more);
        assert!(!stderr.contains("may not end"), "{stderr}");
    }
    let explored = zonewalk_with(
        &["explore", "-", "--search", "bfs", "--timeout", "500ms"],
        b"clock g, x; process P() { state A; init A; trans A -> A { guard g - x < 4; assign x = x + 1; }; } system P;",
    );
    assert!(
        explored.stderr.starts_with("warning[endless-zones]"),
        "{}",
        explored.stderr
    );
}
