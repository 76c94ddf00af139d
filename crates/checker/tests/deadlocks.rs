//! Goals about deadlocks. Zones have suspects that are none; walks know that a state is none only while something can still be done.

use zonewalk_checker::{
    Abstraction, Limit, Options, Outcome, Schedule, WalkOptions, ZoneOptions, check_text,
};
use zonewalk_testkit::own;

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

fn by_zones(model: &str, query: &str, extrapolation: Option<Abstraction>) -> (Option<bool>, u64) {
    let options = Options {
        search: "bfs".parse().unwrap(),
        zones: ZoneOptions {
            extrapolation,
            ..ZoneOptions::default()
        },
        ..Options::default()
    };
    let report = check_text("m.xta", model, query, &options).unwrap();
    let verdict = match report.outcome {
        Outcome::Decided { satisfied, .. } => Some(satisfied),
        _ => None,
    };
    (verdict, report.stats.states_explored)
}

/// Nothing looks like a deadlock: as many states as for an invariant.
#[test]
fn proofs_without_suspects_cost_as_much_as_an_invariant() {
    let path = own::paths()
        .into_iter()
        .find(|path| path.ends_with("models/fischer.xml"));
    let model = std::fs::read_to_string(path.unwrap()).unwrap();
    assert_eq!(by_zones(&model, "A[] not deadlock", None), (Some(true), 3_458));
    let exclusion =
        "A[] forall (i : pid_t) forall (j : pid_t) Process(i).critical && Process(j).critical imply i == j";
    assert_eq!(by_zones(&model, exclusion, None), (Some(true), 3_458));
}

/// By lower and upper bounds `x` is beyond 3 where `y` is at most 2, which no run shows.
#[test]
fn suspects_that_are_none_do_not_count() {
    let model = |until| {
        format!(
            "clock x, y; process P() {{ state A {{ y <= {until} }}; init A;
               trans A -> A {{ guard x <= 3; assign x = 0, y = 0; }}; }} system P;"
        )
    };
    for (until, lives) in [(2, true), (4, false)] {
        for extrapolation in [
            None,
            Some(Abstraction::Lu),
            Some(Abstraction::M),
            Some(Abstraction::None),
        ] {
            let (verdict, _) = by_zones(&model(until), "A[] not deadlock", extrapolation);
            assert_eq!(verdict, Some(lives), "{extrapolation:?}");
        }
        let beside = by_zones(&model(until), "E<> deadlock && x > 3 || y > 5", None);
        assert_eq!(beside.0, Some(!lives));
    }
}
