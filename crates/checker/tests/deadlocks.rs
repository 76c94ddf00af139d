//! Goals that ask for states that are no deadlock: walks know that only of states in which something can still be done.

use zonewalk_checker::{Limit, Options, Outcome, Schedule, WalkOptions, check_text};

/// Counts to three and stops; a clock that must be left in time; a lock that time leads into.
const MODELS: [&str; 3] = [
    "int n; process P() { state A; init A; trans A -> A { guard n < 3; assign n++; }; } system P;",
    "clock x; int n; process P() { state A { x <= 4 }, B; init A; trans A -> B { guard x >= 1 && x < 2; assign n = 3; }; } system P;",
    "clock x; int n; process P() { state A, B; init A; trans A -> A { guard x < 2 && n < 3; assign n++; }; } system P;",
];

fn verdict(model: &str, query: &str, search: &str, schedule: Schedule) -> Option<bool> {
    let options = Options {
        search: search.parse().unwrap(),
        walks: WalkOptions {
            max_walks: (search != "auto" && search != "bfs").then_some(300),
            schedule,
            ..WalkOptions::default()
        },
        ..Options::default()
    };
    match check_text("m.xta", model, query, &options).unwrap().outcome {
        Outcome::Decided { satisfied, .. } => Some(satisfied),
        Outcome::Undecided(reason) if reason.limit == Limit::Walks => None,
        other => panic!("{search}, {query}: {other:?}"),
    }
}

#[test]
fn a_state_is_no_deadlock_only_while_something_can_be_done() {
    let mut found = 0;
    for model in MODELS {
        for query in [
            "E<> n == 3 && !deadlock",
            "E<> n == 2 && !deadlock",
            "E<> n == 0 && !deadlock",
            "A[] n == 3 imply deadlock",
            "A[] not deadlock",
            "A[] deadlock",
            "E<> !deadlock",
        ] {
            let truth = verdict(model, query, "bfs", Schedule::Tuned);
            assert!(truth.is_some(), "{query}");
            for search in ["auto", "sem", "ret", "rlc", "rlc-a", "com", "guided"] {
                for schedule in [Schedule::Tuned, Schedule::Paper] {
                    let by_walks = verdict(model, query, search, schedule);
                    assert!(
                        by_walks.is_none() || by_walks == truth,
                        "{search} {schedule:?}: {query} in {model}"
                    );
                    found += u32::from(by_walks.is_some() && search != "auto");
                }
            }
        }
    }
    // What can be found is found, by every kind of walk.
    assert!(found >= 12 * 10, "{found}");
}
