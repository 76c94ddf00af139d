//! Public models: recorded verdicts are met, and published lengths of shortest runs.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod ecdar_rows;
mod smc_rows;
#[path = "../support/mod.rs"]
mod support;

use ecdar_rows::recorded_verdicts_are_met;
use smc_rows::{recorded_estimates_are_met, recorded_run_counts_follow_the_stop_rule};
use std::path::Path;
use support::scaled::{self, Comparison};
use support::{decide, shortest};
use zonewalk_checker::{
    Covering, Evidence, Optimality, Options, Outcome, Search, TraceKind, TraceOptions, check_text,
};
use zonewalk_searches::Queueing;
use zonewalk_testkit::{MODEL, corpus, corpus_tests, files, load_file, number};

corpus_tests! {
    no_recorded_verdict_is_contradicted,
    inclusion_by_depth_is_as_short_as_equality,
    lengths_of_the_mcta_benchmarks,
    useless_transitions_lead_past_inputs_that_do_not_matter,
    answers_about_small_models_scale,
    recorded_verdicts_are_met,
    recorded_estimates_are_met,
    recorded_run_counts_follow_the_stop_rule,
}

/// Rows whose record does not fit the file as it is now; `docs/verdicts.md` has the reasons.
const OUTDATED: &[(&str, &str)] = &[
    ("smc_non-deterministic_input2.xml", "E<> Cat.s == Mouse.s"),
    (
        "An-Electronic-Examination-Model-Based-on-UPPAAL.xml",
        "A[] not deadlock",
    ),
    ("nrtLkExample.xml", "A[] (P.s1 imply P.x1 < 3)"),
    ("SegundoModeloReducido.xml", "-->"),
];

/// As far as a few thousand states decide them. `ZONEWALK_STATES` sets the number of states.
fn no_recorded_verdict_is_contradicted(folder: &Path) {
    let states = number("ZONEWALK_STATES").unwrap_or(2_000);
    let (mut agreed, mut open) = (0, 0);
    let rows = corpus::verdicts(folder).into_iter();
    for row in rows.filter(|row| !row.is_about_runs()) {
        let file = &row.file;
        let loaded = load_file(&folder.join(file)).ok();
        let Some((loaded, query)) = loaded.and_then(|loaded| {
            let query = loaded.query(&row.query).ok()?;
            Some((loaded, query))
        }) else {
            open += 2;
            continue;
        };
        for search in [Search::Bfs, Search::Dfs] {
            match decide(file, &loaded, &query, search, states) {
                Ok(satisfied) if satisfied == row.is_satisfied => agreed += 1,
                Ok(satisfied) => {
                    let mut known = OUTDATED.iter();
                    let is_known = known.any(|(name, text)| file.ends_with(name) && row.query.contains(text));
                    assert!(is_known, "{file} {}: {satisfied} ({})", row.query, search.name());
                }
                Err(_) => open += 1,
            }
        }
    }
    assert!(agreed > 100, "{agreed} rows agree, {open} are open");
}

/// Models that come with queries, as far as a few hundred states decide those: with all times multiplied, so that the largest one has
/// nearly 31 bits, verdicts, lengths, counts of states and, multiplied, times stay the same.
fn answers_about_small_models_scale(folder: &Path) {
    let states = number("ZONEWALK_STATES").unwrap_or(300);
    let mut sum = Comparison::default();
    let mut failures = Vec::new();
    for path in files(folder, &MODEL) {
        let small = std::fs::metadata(&path).is_ok_and(|data| data.len() < 200_000);
        let Some(loaded) = small.then(|| load_file(&path).ok()).flatten() else {
            continue;
        };
        let name = path.display().to_string();
        for query in loaded.queries().iter().take(3) {
            match scaled::model(&loaded, query, Search::Bfs, states) {
                Ok(one) => sum += one,
                Err(why) => failures.push(format!("{name}, {why}")),
            }
        }
    }
    println!("{sum:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(sum.compared > 200 && sum.decided > 100, "{sum:?}");
}

/// Every recorded row about states that a few thousand states decide: covering by inclusion is as short as equality.
fn inclusion_by_depth_is_as_short_as_equality(folder: &Path) {
    let states = number("ZONEWALK_STATES").unwrap_or(1_000);
    let (mut compared, mut open) = (0, 0);
    let rows = corpus::verdicts(folder).into_iter();
    for row in rows.filter(|row| !row.is_about_runs()) {
        let (file, query) = (&row.file, &row.query);
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            continue;
        };
        let length = |covering| shortest(file, &text, query, covering, states);
        let Some(by_depth) = length(Covering::Inclusion) else {
            open += 1;
            continue;
        };
        match length(Covering::Equality) {
            Some(exact) => {
                assert_eq!(by_depth, exact, "{file} {query}");
                compared += 1;
            }
            None => open += 1,
        }
    }
    assert!(compared > 40, "{compared} rows compared, {open} are open");
}

/// Table 2 of the paper on MCTA (`docs/mcta.md`) has the lengths of the shortest error traces; the
/// states are those that a search explores that keeps only what no state at most as deep includes. Without that the first
/// model takes 70,711 states and the second one 132,634.
fn lengths_of_the_mcta_benchmarks(folder: &Path) {
    let table = [
        ("M_1.xml", 47, 14_519),
        ("N_1.xml", 49, 28_134),
        ("C_1.xml", 54, 19_859),
        ("C_2.xta", 54, 53_707),
    ];
    for (name, length, explored) in table {
        let path = folder.join("mcta/paper").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let query = load_file(&path).unwrap().queries().remove(0).text;
        let options = Options {
            search: Search::Bfs,
            trace: TraceOptions {
                kind: TraceKind::Shortest,
                shrink_budget: 10_000,
            },
            ..Options::default()
        };
        let report = check_text(name, &text, &query, &options).unwrap();
        assert_eq!(report.stats.states_explored, explored, "{name}");
        let Outcome::Decided {
            evidence: Evidence::Run(best),
            ..
        } = report.outcome
        else {
            panic!("{name}: {:?}", report.outcome)
        };
        assert_eq!(
            (best.steps, best.optimality),
            (length, Optimality::Shortest),
            "{name}"
        );
    }
}

/// The model of a single-track line with all of its inputs: what no breadth-first search finds in a minute.
fn useless_transitions_lead_past_inputs_that_do_not_matter(folder: &Path) {
    let model = std::fs::read_to_string(folder.join("mcta/XtaBenchmarkSuite/STLS.xta")).unwrap();
    let mut options = Options {
        search: "greedy".parse().unwrap(),
        trace: TraceOptions {
            kind: TraceKind::Shortest,
            shrink_budget: 0,
        },
        ..Options::default()
    };
    options.directed.queueing = Queueing::Useless;
    let query = "E<> AKT1.Driving and AKT2.Driving";
    let report = check_text("m.xta", &model, query, &options).unwrap();
    let explored = report.stats.states_explored;
    let Outcome::Decided {
        evidence: Evidence::Run(found),
        ..
    } = report.outcome
    else {
        panic!("{:?}", report.outcome)
    };
    let steps = found.steps;
    assert!(
        explored <= 1000 && steps <= 90,
        "{explored} states, {steps} steps"
    );
}
