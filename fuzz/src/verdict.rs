//! Text as a model behind a query on its first line, decided within small limits by searches of the zone graph and by walks: no
//! panic, no run that the judge refuses, no two verdicts that differ.

use std::time::Duration;
use zonewalk_checker::{Options, Outcome, Search, TraceKind, check_text};

/// One of each kind.
const SEARCHES: [Search; 6] = [
    Search::Bfs,
    Search::Dfs,
    Search::Astar,
    Search::Highway,
    Search::Ret,
    Search::Auto,
];

fn options(search: Search) -> Options {
    let mut options = Options::new(search)
        .max_states(150)
        .max_walks(20)
        .max_steps(40)
        .memory(64 << 20)
        .trace(TraceKind::Shortest)
        .timeout(Duration::from_secs(1));
    options.trace.shrink_budget = 100;
    options
}

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Some((query, model)) = text.split_once('\n') else {
        return;
    };
    let query = query.trim_start_matches("//").trim();
    let mut known: Option<(bool, Search)> = None;
    for search in SEARCHES {
        // Refused: malformed, or not for this search.
        let Ok(report) = check_text("fuzz.xta", model, query, &options(search)) else {
            continue;
        };
        match report.outcome {
            Outcome::Bug(error) => panic!("{}: {error}", search.name()),
            Outcome::Decided { satisfied, evidence } if evidence.is_proof() => {
                let (truth, by) = *known.get_or_insert((satisfied, search));
                assert_eq!(truth, satisfied, "{} and {}", by.name(), search.name());
            }
            _ => {}
        }
    }
}
