//! The models of this repository: recorded verdicts are met by every kind of search, what is found is confirmed by the judge, and
//! shortest runs are as short whatever covers what.

use crate::support::{decide, shortest, values};
use zonewalk_checker::refine::{self, RefineControl, RefineOptions, RefineSearch, Verdict};
use zonewalk_checker::{Covering, Search};
use zonewalk_model::tree::QueryKind;
use zonewalk_testkit::own;

/// Enough for the small ones; larger ones stay open.
const STATES: u64 = 400;

#[test]
fn recorded_verdicts_are_met() {
    let mut met = 0;
    for model in own::models() {
        // The judge is slow on long runs of large models, which only breadth-first search avoids.
        let searches: &[&str] = match model.name.starts_with("families") {
            true => &["bfs"],
            false => &["bfs", "dfs", "astar"],
        };
        for (query, recorded) in model.queries() {
            // Queries for values have a test of their own.
            let has_value = query
                .outcome
                .as_ref()
                .is_some_and(|outcome| outcome.value.is_some());
            let Some(recorded) = recorded.filter(|_| !has_value) else {
                continue;
            };
            let mut is_decided = false;
            for search in searches {
                let search: Search = search.parse().unwrap();
                if !search.decides(&query.kind) {
                    continue;
                }
                if let Ok(satisfied) = decide(&model.name, &model.loaded, &query, search, STATES) {
                    let name = search.name();
                    assert_eq!(satisfied, recorded, "{}: {} ({name})", model.name, query.text);
                    met += 1;
                    is_decided = true;
                }
            }
            // The small ones are decided, whatever they are about.
            let is_small = model.name.starts_with("language");
            assert!(is_decided || !is_small, "{}: {} is open", model.name, query.text);
        }
    }
    assert!(met > 90, "{met}");
}

#[test]
fn recorded_values_are_met() {
    let mut count = 0;
    for model in own::models() {
        for (query, _) in model.queries() {
            let recorded = query
                .outcome
                .as_ref()
                .and_then(|outcome| outcome.value.as_deref());
            let Some(recorded) = recorded else { continue };
            let values = values(&model.loaded, &query);
            assert_eq!(values, [recorded], "{}: {}", model.name, query.text);
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}

#[test]
fn recorded_refinements_are_met() {
    let mut count = 0;
    for project in own::projects() {
        let path = project.path.display();
        let mut loaded =
            zonewalk_tioa::load(&project.path).unwrap_or_else(|error| panic!("{path}: {error:?}"));
        for (text, is_satisfied) in &project.queries {
            let query = zonewalk_tioa::query::parse(text).unwrap().remove(0);
            for search in [RefineSearch::Auto, RefineSearch::Symbolic] {
                let options = RefineOptions {
                    search,
                    ..RefineOptions::default()
                };
                let answer = refine::decide(&mut loaded.project, &query, &options, &RefineControl::default());
                let answer = answer.unwrap_or_else(|error| panic!("{path}: {text}: {error}"));
                assert_eq!(answer.bug, None, "{path}: {text}");
                let expected = match is_satisfied {
                    true => Verdict::Satisfied,
                    false => Verdict::NotSatisfied,
                };
                assert_eq!(answer.verdict, expected, "{path}: {text} ({search:?})");
                count += 1;
            }
        }
    }
    assert!(count >= 22, "{count}");
}

#[test]
fn inclusion_by_depth_is_as_short_as_equality() {
    let mut compared = 0;
    for path in own::paths() {
        let name = path.to_string_lossy();
        let text = std::fs::read_to_string(&path).unwrap();
        for query in zonewalk_testkit::load_file(&path).unwrap().queries() {
            if !matches!(query.kind, QueryKind::Reachable(_) | QueryKind::Invariant(_)) {
                continue;
            }
            let length = |covering| shortest(&name, &text, &query.text, covering, 300);
            if let (Some(by_depth), Some(exact)) = (length(Covering::Inclusion), length(Covering::Equality)) {
                assert_eq!(by_depth, exact, "{name} {}", query.text);
                compared += 1;
            }
        }
    }
    assert!(compared > 15, "{compared}");
}
