//! Queries that choose processes by a value: every family's are accepted, and all searches give the same answers
//! whatever the size.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use zonewalk_checker::{
    CompiledModel, Options, Outcome, Search, TraceKind, TraceOptions, WalkOptions, ZoneOptions, check_text,
};
use zonewalk_testkit::own;

#[test]
fn every_query_of_every_family_is_accepted() {
    for family in zonewalk_families::networks() {
        let member = own::member(family.name, "");
        let queries = member.queries();
        assert!(!queries.is_empty(), "{}", family.name);
        let asked: Vec<_> = queries.iter().map(|(query, _)| query).collect();
        let task = CompiledModel::new(&member.loaded.model, &member.loaded.system, &asked).unwrap();
        for (number, query) in asked.iter().enumerate() {
            let obstacle = task.obstacle(number).map(|d| &d.message);
            assert_eq!(obstacle, None, "{}: {}", family.name, query.text);
        }
    }
}

/// Processes that follow each other, so that there are few states however many processes there are.
fn relay(n: usize) -> String {
    format!(
        "const int N = {n}; typedef int[0,N-1] id_t; typedef int[0,1] side_t; typedef scalar[N] s_t;
         int[0,N] next; id_t last; clock x; int seen[N];
         process P(const id_t id, int &mark) {{
           int v, a[2]; clock y;
           state A {{ next != id || x <= 2 }}, B, C; init A;
           trans A -> B {{ guard next == id && x >= 1; assign v = id + 1, a[id % 2] = 1, mark = 1, last = id, next++, x = 0, y = 0; }},
                 B -> C {{ guard next == N && id == 0 && x > 1; }};
         }}
         Runner(const id_t id) = P(id, seen[id]);
         process Side(const id_t id, const side_t side) {{
           int w; state A, B; init A;
           trans A -> B {{ guard next == N && id == N - 1 && side == 1; assign w = 3; }};
         }}
         process Any(const s_t id) {{ int w = 1; state A; init A; }}
         system Runner, Side, Any;"
    )
}

/// Reachable predicates.
const REACHABLE: &[&str] = &[
    "(sum (i : id_t) Runner(i).B) == N",
    "(sum (i : id_t) Runner(i).v) == N * (N + 1) / 2 && (sum (i : id_t) Runner(i).C) == 1",
    "(sum (i : id_t) Runner(i).a[1]) == N / 2 && Runner(0).A + Runner(1).A == 0",
    "(sum (i : id_t) Runner(i).mark) == 2 && Runner(last).B && Runner(last).y > 1",
    "(sum (i : id_t) sum (s : side_t) Side(i, s).w) == 3 && x <= 1",
    "(sum (i : id_t) sum (s : side_t) Side(i, s).A) == 2 * N - 1",
    "(sum (i : s_t) Any(i).A + Any(i).w) == 2 * N && next == N",
    "exists (i : id_t) Runner(i).B && (sum (j : id_t) (j > i && Runner(j).A)) == N - 2",
];
const UNREACHABLE: &[&str] = &[
    "(sum (i : id_t) Runner(i).A) != N - next",
    "(sum (i : id_t) (Runner(i).B && (i > last || Runner(i).v != i + 1))) > 0",
    "(sum (i : id_t) Runner(i).C) > 1 || (sum (i : id_t) Runner(i).mark * (1 - seen[i])) > 0",
    "next > 0 && Runner(last).A || (sum (i : id_t) Runner(i).a[i % 2]) != next",
    "(sum (i : id_t) sum (s : side_t) Side(i, s).B) > (sum (i : id_t) Runner(i).B) / N + Runner(0).C",
    "forall (i : id_t) (sum (j : id_t) (Runner(j).v == i + 1)) == 2",
    "(sum (i : s_t) Any(i).w) != N",
];

fn verdict(model: &str, query: &str, search: Search) -> Option<bool> {
    let options = Options {
        search,
        seed: 1,
        threads: NonZeroUsize::MIN,
        zones: ZoneOptions {
            max_states: Some(5_000),
            ..ZoneOptions::default()
        },
        trace: TraceOptions {
            kind: TraceKind::Some,
            shrink_budget: 0,
        },
        walks: WalkOptions {
            max_walks: Some(40),
            max_steps: std::num::NonZero::new(200),
            ..WalkOptions::default()
        },
        ..Options::default()
    };
    let report = check_text("relay.xta", model, query, &options).unwrap_or_else(|e| panic!("{query}: {e}"));
    match report.outcome {
        Outcome::Decided { satisfied, .. } => Some(satisfied),
        Outcome::Undecided(_) => None,
        other => panic!("{query}: {other:?}"),
    }
}

#[test]
fn all_searches_agree() {
    let zones = [Search::Bfs, Search::Dfs, Search::Rdfs];
    let walks = ["sem", "ret", "rlc-a"].map(|name| name.parse::<Search>().unwrap());
    for model in [3, 60].map(relay) {
        for (text, reachable) in
            (REACHABLE.iter().map(|t| (t, true))).chain(UNREACHABLE.iter().map(|t| (t, false)))
        {
            for search in zones {
                let found = verdict(&model, &format!("E<> {text}"), search);
                assert_eq!(found, Some(reachable), "{text}: {}", search.name());
                let found = verdict(&model, &format!("A[] not ({text})"), search);
                assert_eq!(found, Some(!reachable), "{text}: {}", search.name());
            }
            // Walks find what there is, and are silent about the rest; the interpreter has confirmed what they find.
            for search in walks {
                let found = verdict(&model, &format!("E<> {text}"), search);
                assert_eq!(found, reachable.then_some(true), "{text}: {}", search.name());
            }
        }
    }
}

#[test]
fn extremes_of_sums() {
    for (n, model) in [3, 60].map(|n| (n, relay(n))) {
        let query = "sup: (sum (i : id_t) Runner(i).v) - (sum (i : id_t) Runner(i).A)";
        let report = check_text("relay.xta", &model, query, &Options::default()).unwrap();
        let Outcome::Values {
            values, doubt: None, ..
        } = report.outcome
        else {
            panic!("{:?}", report.outcome)
        };
        assert_eq!(values[0].value, (n * (n + 1) / 2).to_string());
    }
}
