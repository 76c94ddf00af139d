//! `--search guided`: what it says, the scheduling models, and the page of measurements.

use crate::command::{root, zonewalk, zonewalk_with};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// The errors of the scheduling models are found, and everything is as their files say.
#[test]
fn scheduling_models_keep_their_promises() {
    for model in ["backlog", "modes", "inversion"] {
        let path = format!("models/scheduling/{model}.xta");
        let run = zonewalk(&[
            "check",
            &path,
            "--search",
            "guided",
            "--seed",
            "1",
            "--threads",
            "2",
            "--expect",
            "--format",
            "json",
        ]);
        assert_eq!(run.status, 0, "{model}: {}", run.stderr);
        let json = run.json();
        assert_eq!(json["results"].as_array().map(Vec::len), Some(2));
        for result in json["results"].as_array().unwrap() {
            assert_eq!(
                (&result["search"], &result["proof"]),
                (&"guided".into(), &true.into())
            );
            assert_eq!(result["expected"]["agrees"], true, "{model}");
            assert!(result.get("closest").is_none() && result.get("note").is_none());
        }
    }
}

/// A seed gives the same trace on one thread and on several.
#[test]
fn a_seed_gives_the_same_trace() {
    let trace = |threads: &str| {
        let run = zonewalk(&[
            "check",
            "models/scheduling/inversion.xta",
            "--query-index",
            "1",
            "--search",
            "guided",
            "--seed",
            "5",
            "--threads",
            threads,
            "--shrink",
            "none",
        ]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        let start = run.stdout.find("locations").unwrap();
        run.stdout[start..].to_owned()
    };
    assert_eq!(trace("1"), trace("3"));
}

const LATE: &str = "clock x; bool late; int n;
    process P() { state A { x <= 7 }, B; init A; trans A -> A { guard x >= 2; assign x = 0; }, A -> B { guard x > 9; assign late = true; }; }
    system P;";

#[test]
fn how_close_it_came_is_told() {
    let check = |query: &str, more: &[&str]| {
        let limits = [
            "check",
            "-",
            "-q",
            query,
            "--search",
            "guided",
            "--max-walks",
            "200",
            "--threads",
            "1",
        ];
        zonewalk_with(&[&limits, more].concat(), LATE.as_bytes())
    };
    let run = check("E<> late", &[]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    let line = "closest: P had x = 7 of 9; distance 1 by locations and variables";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    let json = check("A[] !late", &["--format", "json"]).json();
    let closest = &json["results"][0]["closest"];
    assert_eq!(closest["distance"], 1);
    let expected = serde_json::json!({"process": "P", "clock": "x", "value": "7", "bound": "9"});
    assert_eq!(closest["margin"], expected);
    // Without a deadline there is the distance alone.
    let run = check("E<> n == 40", &[]);
    assert!(
        run.stdout
            .contains("closest: distance 40 by locations and variables"),
        "{}",
        run.stdout
    );
    // No distance is left, and the goal was not reached: it is the clock that did not fit.
    let run = check("E<> P.A && x > 50", &[]);
    let line = "closest: distance 0 by locations and variables, where the goal's conditions on clocks or deadlocks did not hold\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    // Where nothing can be measured that is told.
    for query in ["E<> deadlock", "E<> x > 50"] {
        let run = check(query, &[]);
        assert!(
            run.stdout
                .contains("note: the distance to this goal cannot be estimated"),
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("closest"), "{}", run.stdout);
    }
}

#[test]
fn what_it_cannot_do_is_refused() {
    let run = zonewalk_with(
        &["check", "-", "-q", "A<> late", "--search", "guided"],
        LATE.as_bytes(),
    );
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("guided cannot decide this kind of query"),
        "{}",
        run.stderr
    );
    let run = zonewalk_with(
        &[
            "check",
            "-",
            "-q",
            "E<> late",
            "--search",
            "guided",
            "--schedule",
            "paper",
        ],
        LATE.as_bytes(),
    );
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("guided is not one of them"), "{}", run.stderr);
}

/// Runs with more steps than this are failures, as in `benches/guided`.
const STEPS: u64 = 60_000_000;

/// Step counts on the page agree with the recorded runs.
#[test]
fn the_page_says_what_was_measured() {
    let mut steps: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    for line in fs::read_to_string(root().join("benches/guided.jsonl"))
        .unwrap()
        .lines()
    {
        let run: Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| run[key].as_str().unwrap().to_owned();
        if !(1..=9).contains(&run["seed"].as_u64().unwrap()) {
            continue;
        }
        let taken = run["steps"].as_u64().unwrap();
        let is_success = run["found"] == true && taken <= STEPS;
        let of = steps.entry((word("row"), word("search"))).or_default();
        of.push(if is_success { taken } else { u64::MAX });
    }
    let page = fs::read_to_string(root().join("docs/guided.md")).unwrap();
    let table = page
        .split("<!-- steps: benches/guided --page -->")
        .nth(1)
        .unwrap();
    let table = table.split("<!-- end of table -->").next().unwrap();
    let mut rows = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = |row: &str| -> Vec<String> { row.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let searches = cells(rows.next().unwrap());
    let mut compared = 0;
    for row in rows {
        let row = cells(row);
        for (search, cell) in searches.iter().zip(&row).skip(1) {
            let mut runs = steps
                .get(&(row[0].clone(), search.clone()))
                .cloned()
                .unwrap_or_default();
            let failed = runs.iter().filter(|&&steps| steps == u64::MAX).count();
            // After five failures there is no median, whatever the others do.
            if runs.len() < 9 && failed < 5 {
                assert_eq!(cell, "not measured", "{} by {search}", row[0]);
                continue;
            }
            runs.sort_unstable();
            let failures = format!("({failed} of {} failed)", runs.len());
            assert_eq!(
                cell.contains(&failures),
                failed > 0,
                "{} by {search}: {cell}",
                row[0]
            );
            let median = if failed >= 5 { u64::MAX } else { runs[4] };
            let told = cell.split(" (").next().unwrap();
            let number = told.trim_end_matches(" million").replace(',', "");
            if median == u64::MAX {
                assert_eq!(told, "–");
            } else {
                let unit = if told.ends_with("million") { 1e6 } else { 1.0 };
                let number: f64 = number.parse::<f64>().unwrap() * unit;
                assert!(
                    (number / median as f64 - 1.0).abs() < 0.06,
                    "{} by {search}: {cell}, {median}",
                    row[0]
                );
            }
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} medians were compared");
}
