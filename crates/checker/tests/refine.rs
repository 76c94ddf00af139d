//! Answers about small components: what is told where theory and drawing leave room.

use zonewalk_checker::refine::{RefineAnswer, RefineControl, RefineOptions, RefineSearch, Verdict, decide};
use zonewalk_tioa::read::{File, load_folder};
use zonewalk_tioa::{Inputs, Project};

/// A component: locations as `(name, invariant, type)`, edges as `(source, target, sync, guard, update)`.
fn component(name: &str, locations: &[(&str, &str, &str)], edges: &[(&str, &str, &str, &str, &str)]) -> File {
    let places: Vec<String> = locations
        .iter()
        .map(|(id, invariant, kind)| {
            format!(r#"{{"id": "{id}", "invariant": "{invariant}", "type": "{kind}", "urgency": "NORMAL"}}"#)
        })
        .collect();
    let ways: Vec<String> = edges
        .iter()
        .map(|(source, target, sync, guard, update)| {
            let status = if sync.ends_with('?') { "INPUT" } else { "OUTPUT" };
            let action = sync.trim_end_matches(['?', '!']);
            format!(
                r#"{{"sourceLocation": "{source}", "targetLocation": "{target}", "status": "{status}",
                "sync": "{action}", "guard": "{guard}", "update": "{update}"}}"#
            )
        })
        .collect();
    let text = format!(
        r#"{{"name": "{name}", "declarations": "clock x, y;", "locations": [{}], "edges": [{}]}}"#,
        places.join(","),
        ways.join(",")
    );
    File {
        path: format!("Components/{name}.json"),
        bytes: Ok(text.into_bytes()),
    }
}

fn project(files: Vec<File>) -> Project {
    let loaded = load_folder("test", files).unwrap_or_else(|error| panic!("{error:?}"));
    assert!(loaded.project.broken.is_empty(), "{:?}", loaded.project.broken);
    loaded.project
}

fn ask(project: &Project, query: &str, options: &RefineOptions) -> RefineAnswer {
    let queries = zonewalk_tioa::query::parse(query).unwrap_or_else(|error| panic!("{error:?}"));
    let answer = decide(
        &mut project.clone(),
        &queries[0],
        options,
        &RefineControl::default(),
    );
    let answer = answer.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(answer.bug, None);
    answer
}

fn reason(answer: &RefineAnswer) -> (&str, &str) {
    let reason = answer.reason.as_ref();
    reason.map_or(("", ""), |reason| (reason.kind.name(), reason.text.as_str()))
}

#[test]
fn a_choice_of_the_left_side_is_no_bug() {
    // After `i` the left side may be where it sends too early, or where it does not.
    let left = component(
        "N",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL"), ("C", "", "NORMAL")],
        &[
            ("A", "B", "i?", "", "x=0"),
            ("A", "C", "i?", "", ""),
            ("B", "B", "o!", "", ""),
        ],
    );
    let right = component(
        "S",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL")],
        &[("A", "B", "i?", "", "x=0"), ("B", "B", "o!", "x>=1", "")],
    );
    let project = project(vec![left, right]);
    let options = RefineOptions {
        preconditions: false,
        ..RefineOptions::default()
    };
    let answer = ask(&project, "refinement: N <= S", &options);
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert_eq!(reason(&answer).0, "precondition");
    let answer = ask(&project, "refinement: N <= S", &RefineOptions::default());
    assert_eq!(answer.verdict, Verdict::NotSatisfied);
    assert!(reason(&answer).1.contains("N is not deterministic"), "{answer:?}");
}

/// Every search, without preconditions.
fn anything_goes() -> impl Iterator<Item = (RefineSearch, RefineOptions)> {
    use RefineSearch::{Auto, Rcf, Ret, Smc, Symbolic};
    [Auto, Symbolic, Ret, Rcf, Smc].into_iter().map(|search| {
        let options = RefineOptions {
            preconditions: false,
            search,
            max_walks: Some(2000),
            ..RefineOptions::default()
        };
        (search, options)
    })
}

/// No rule says who leads an action that one side sends and the other receives (`docs/tioa.md`, section 3.6).
#[test]
fn sides_that_clash_are_never_compared() {
    let sender = component(
        "Sends",
        &[("A", "", "INITIAL")],
        &[("A", "A", "coin!", "", ""), ("A", "A", "tea?", "", "")],
    );
    let receiver = component(
        "Receives",
        &[("A", "", "INITIAL")],
        &[("A", "A", "coin?", "", "")],
    );
    let project = project(vec![sender, receiver]);
    for query in ["refinement: Sends <= Receives", "refinement: Receives <= Sends"] {
        for (search, options) in anything_goes() {
            let answer = ask(&project, query, &options);
            assert_eq!(answer.verdict, Verdict::NotSatisfied, "{query}, {search:?}");
            assert_eq!(
                reason(&answer),
                (
                    "precondition",
                    "coin is an input of one side and an output of the other"
                ),
                "{query}, {search:?}"
            );
        }
    }
}

#[test]
fn a_side_stands_still_where_only_the_other_knows_the_action() {
    // The right side does not know `o`, and the left side does not know `i`. After both, `p` is forbidden.
    let left = component(
        "L",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL")],
        &[("A", "B", "o!", "", ""), ("B", "B", "p!", "", "")],
    );
    let right = component(
        "R",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL")],
        &[("A", "B", "i?", "", ""), ("A", "A", "p!", "", "")],
    );
    let project = project(vec![left, right]);
    for (search, options) in anything_goes().filter(|(search, _)| *search != RefineSearch::Smc) {
        let answer = ask(&project, "refinement: L <= R", &options);
        assert_eq!(answer.verdict, Verdict::NotSatisfied, "{search:?}");
        assert_eq!(reason(&answer).0, "output", "{search:?}: {answer:?}");
        let run = answer.evidence.expect("a run").run;
        let mut taken: Vec<&str> = run
            .steps
            .iter()
            .map(|step| project.action_name(step.action))
            .collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken, ["i", "o"], "{search:?}");
    }
}

#[test]
fn actions_that_no_side_leads_do_not_happen() {
    // After `j` the left side could send `p`, after `q` the right side would allow it: neither rule asks for these two.
    let left = component(
        "L",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL")],
        &[("A", "B", "j?", "", ""), ("B", "B", "p!", "", "")],
    );
    let right = component(
        "R",
        &[("A", "", "INITIAL"), ("B", "", "NORMAL")],
        &[("A", "B", "q!", "", ""), ("B", "B", "p!", "", "")],
    );
    let project = project(vec![left, right]);
    for (search, options) in anything_goes() {
        let walks = !matches!(search, RefineSearch::Auto | RefineSearch::Symbolic);
        let expected = if walks {
            Verdict::Unknown
        } else {
            Verdict::Satisfied
        };
        let answer = ask(&project, "refinement: L <= R", &options);
        assert_eq!(answer.verdict, expected, "{search:?}: {answer:?}");
    }
    let answer = ask(&project, "refinement: L <= R", &RefineOptions::default());
    assert_eq!(answer.verdict, Verdict::NotSatisfied);
    assert_eq!(reason(&answer).0, "precondition");
}

#[test]
fn inputs_that_are_refused_break_a_specification_in_the_strict_reading() {
    let project = project(vec![component(
        "A",
        &[("L", "", "INITIAL")],
        &[("L", "L", "i?", "x<=5", "")],
    )]);
    let answer = ask(&project, "specification: A", &RefineOptions::default());
    assert_eq!(answer.verdict, Verdict::Satisfied);
    assert_eq!(answer.notes.len(), 1);
    let strict = RefineOptions {
        inputs: Inputs::Strict,
        ..RefineOptions::default()
    };
    let answer = ask(&project, "specification: A", &strict);
    assert_eq!(answer.verdict, Verdict::NotSatisfied);
    assert_eq!(
        reason(&answer),
        ("input", "A does not accept i everywhere in location L")
    );
}

#[test]
fn inconsistency_has_a_place() {
    let drawn = component(
        "Inc",
        &[("L0", "", "INITIAL"), ("L1", "", "INCONSISTENT")],
        &[("L0", "L1", "i?", "x>=3", "")],
    );
    let late = component(
        "Late",
        &[("L0", "x>=1", "INITIAL")],
        &[("L0", "L0", "o!", "", "")],
    );
    let project = project(vec![drawn, late]);
    let options = RefineOptions::default();
    let answer = ask(&project, "consistency: Inc", &options);
    assert_eq!(answer.verdict, Verdict::NotSatisfied);
    assert!(reason(&answer).1.ends_with("in location L1"), "{answer:?}");
    let answer = ask(&project, "consistency: Late", &options);
    assert!(
        reason(&answer).1.contains("Late has no initial state"),
        "{answer:?}"
    );
    let answer = ask(&project, "consistency: Inc || Late", &options);
    assert_eq!(answer.notes.len(), 1, "{answer:?}");
}

/// The environment waits until the output is too late (`docs/tioa.md`, section 3.4).
#[test]
fn an_output_from_a_part_of_a_zone_is_not_enough() {
    let driven = |guard| {
        let project = project(vec![component(
            "G",
            &[("L0", "", "INITIAL"), ("L1", "x<=5", "NORMAL")],
            &[("L0", "L1", "i?", "", "x=0"), ("L1", "L0", "o!", guard, "")],
        )]);
        ask(&project, "consistency: G", &RefineOptions::default()).verdict
    };
    assert_eq!(driven("y<=3"), Verdict::NotSatisfied);
    assert_eq!(driven("x<=3"), Verdict::Satisfied);
}
