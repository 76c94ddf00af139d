//! Advice where clocks can be stopped: the zone graph over-approximates there, and only a run shows that something is reachable.

use zonewalk_checker::{Claim, Stats};

/// Advice that could settle it.
pub(super) fn advice(claim: Claim, stats: &Stats) -> &'static str {
    match claim {
        Claim::Run => {
            "a query about states (E<>, A[]): exact walks can settle those; no search settles this one"
        }
        Claim::State if stats.walks == 0 => {
            "--search auto, which also makes walks: they are exact, and a run settles the query"
        }
        Claim::State => {
            "--search ret with a --timeout, or another --seed: walks are exact, and only a run settles the query"
        }
    }
}

/// How to look longer for a better run.
pub(super) fn query(query: &str) -> String {
    format!("-q '{query}' with a --timeout: a run narrows the gap")
}
