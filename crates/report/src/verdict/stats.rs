//! Statistics of searches: the one set that all searches fill and reports show.

use serde::{Serialize, Serializer};
use std::time::Duration;
use zonewalk_run::WalkEndCounts;

/// Counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Walks that were begun.
    pub walks: u64,
    /// Transitions that walks fired.
    pub steps: u64,
    /// States whose successors were computed.
    pub states_explored: u64,
    /// States in the store at the end.
    pub states_stored: u64,
    /// Successors that were computed.
    pub transitions: u64,
    /// Steps of the longest walk or path.
    pub max_depth: u64,
    /// Cost of the walks, in steps of a small model.
    #[serde(skip)]
    pub effort: u64,
    /// How walks ended; shown in words where it matters.
    #[serde(skip)]
    pub ends: WalkEndCounts,
    /// Cost of the estimates; `None` if the search used none.
    #[serde(flatten)]
    pub directed: Option<DirectedStats>,
}

/// Cost of the estimates of a directed search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DirectedStats {
    /// Number of estimates requested.
    pub evaluations: u64,
    /// Number of estimates answered from the cache.
    pub cache_hits: u64,
    /// Number of states pruned because no goal can be reached from them.
    pub pruned: u64,
    /// Number of states stored again because they were reached in fewer steps.
    pub reopened: u64,
    /// States of abstractions that were explored before the search.
    pub abstract_states: u64,
    /// The time before the search, which is part of that of the search.
    #[serde(rename = "preparation_s", serialize_with = "in_seconds")]
    pub preparation: Duration,
}

fn in_seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

impl DirectedStats {
    fn join(&mut self, other: &DirectedStats) {
        self.evaluations += other.evaluations;
        self.cache_hits += other.cache_hits;
        self.pruned += other.pruned;
        self.reopened += other.reopened;
        self.abstract_states += other.abstract_states;
        self.preparation += other.preparation;
    }
}

impl Stats {
    /// Adds the counts of another search, but for how its walks ended.
    pub fn join(&mut self, other: &Stats) {
        self.walks += other.walks;
        self.steps += other.steps;
        self.effort = self.effort.saturating_add(other.effort);
        self.max_depth = self.max_depth.max(other.max_depth);
        self.states_explored += other.states_explored;
        self.states_stored += other.states_stored;
        self.transitions += other.transitions;
        self.count_directed(other.directed.as_ref());
    }

    /// Adds what the estimates of one more search have cost, if any led it.
    pub fn count_directed(&mut self, other: Option<&DirectedStats>) {
        if let Some(other) = other {
            self.directed.get_or_insert_default().join(other);
        }
    }

    /// Advice for the case that every walk got stuck, usually through a mistake in the model. Walks cut by their depth before the
    /// longest stuck one could not have got there, and do not count against it.
    pub fn stuck(&self) -> Option<String> {
        let ends = &self.ends;
        let finished = ends.depth + ends.deadlocks + ends.time_locks + ends.off_grid;
        let stuck = [
            (
                ends.deadlocks,
                "a deadlock: no transition is possible, and time can pass forever",
            ),
            (
                ends.time_locks,
                "a time-lock: no transition is possible, and time cannot pass forever either",
            ),
            (
                ends.zeno,
                "a Zeno run: infinitely many transitions in which no time passes",
            ),
            (
                ends.off_grid,
                "a state whose transitions are possible only in windows finer than the time grid",
            ),
        ];
        let sum: u64 = stuck.iter().map(|(count, _)| count).sum();
        let cut = finished.saturating_sub(sum);
        if sum == 0 || ends.late > 0 || (cut > 0 && ends.cut_steps >= ends.stuck_steps) {
            return None;
        }
        let all = if cut == 0 {
            "every walk"
        } else {
            "every walk that was not cut short"
        };
        let kinds: Vec<_> = stuck.iter().filter(|(count, _)| *count > 0).collect();
        let words = match kinds.as_slice() {
            [(_, only)] => format!("{all} ended in {only}"),
            several => {
                let parts: Vec<_> = several
                    .iter()
                    .map(|(n, words)| format!("{n} in {words}"))
                    .collect();
                format!("{all} got stuck ({})", parts.join("; "))
            }
        };
        let numbers = match cut {
            0 => String::new(),
            1 => format!(
                " ({sum} of {finished} walks; the other one was cut off at {} steps)",
                ends.cut_steps
            ),
            _ => format!(
                " ({sum} of {finished} walks; the others were cut off at {} steps or fewer)",
                ends.cut_steps
            ),
        };
        Some(format!("{words}{numbers}. Is this intended?"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_in_words(ends: WalkEndCounts) -> Option<String> {
        let stats = Stats {
            ends,
            ..Stats::default()
        };
        stats.stuck()
    }

    #[test]
    fn walks_that_were_cut_early_say_nothing_against_a_deadlock() {
        let ends = WalkEndCounts {
            depth: 33,
            time_locks: 17,
            cut_steps: 64,
            stuck_steps: 100,
            ..WalkEndCounts::default()
        };
        assert_eq!(
            ends_in_words(ends).as_deref(),
            Some(
                "every walk that was not cut short ended in a time-lock: no transition is possible, and \
                 time cannot pass forever either (17 of 50 walks; the others were cut off at 64 steps or \
                 fewer). Is this intended?"
            )
        );
        // A walk that went on for longer than those that got stuck, one that met a time bound, none that got stuck.
        assert_eq!(
            ends_in_words(WalkEndCounts {
                cut_steps: 128,
                ..ends
            }),
            None
        );
        assert_eq!(ends_in_words(WalkEndCounts { late: 1, ..ends }), None);
        assert_eq!(
            ends_in_words(WalkEndCounts {
                time_locks: 0,
                ..ends
            }),
            None
        );
    }

    #[test]
    fn zeno_stretches_are_among_the_walks_that_reach_their_depth() {
        let ends = WalkEndCounts {
            depth: 40,
            zeno: 39,
            cut_steps: 16,
            stuck_steps: 512,
            ..WalkEndCounts::default()
        };
        let told = ends_in_words(ends).unwrap_or_default();
        assert!(told.contains("ended in a Zeno run"), "{told}");
        assert!(
            told.contains("(39 of 40 walks; the other one was cut off at 16 steps)"),
            "{told}"
        );
    }
}
