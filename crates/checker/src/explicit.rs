//! Explicit transition systems: the searches of states over what a file lists.

use crate::control::Control;
use crate::engine::Engine;
use crate::options::Options;
use crate::order::{Order, Stores, search_in_order};
use crate::outcome::{Count as _, Limit, Reason, Stats, Times};
use crate::zones::search::bounds;
use std::convert::Infallible;
use std::time::Instant;
use zonewalk_search::aut::{Aut, AutState, AutSystem};
use zonewalk_search::measure::Trial;
use zonewalk_search::{self as search, ExactStore, Goal, Limits, Outcome, Reopening, Statistics, Worker};

/// Goal in an explicit system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplicitGoal<'a> {
    /// Nothing: all states are visited.
    Nothing,
    /// A state without transitions.
    Deadlock,
    /// A transition with a label that names this action.
    Action(&'a str),
}

/// Result of a search of an explicit system, and its cost.
#[derive(Clone, Debug)]
pub struct ExplicitReport {
    /// The answer.
    pub outcome: ExplicitOutcome,
    /// Search that gave the answer.
    pub search: &'static str,
    /// Counts.
    pub stats: Stats,
    /// Times.
    pub times: Times,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum ExplicitOutcome {
    /// It was found: the labels of the transitions that lead there.
    Found(Vec<String>),
    /// Every reachable state was visited, and it was not there.
    Exhausted,
    /// Not decided.
    Undecided(Reason),
    /// zonewalk contradicts itself, in words.
    Bug(String),
}

/// Searches an explicit system. `None` for a search that needs a model with time.
pub fn search_explicit(
    aut: &Aut,
    sought: ExplicitGoal<'_>,
    options: &Options,
    control: &Control,
) -> Option<ExplicitReport> {
    let by = Engine::of(options.search).order()?;
    let start = Instant::now();
    let ask = control.stop_rule(by, options);
    let limits = Limits {
        stop: Some(&ask),
        ..bounds(&options.zones, by)
    };
    let report = run(aut, sought, by, options, &limits);
    let times = Times::of_search(start);
    let mut stats = Stats::default();
    stats.count(&report.statistics);
    let outcome = match report.outcome {
        Outcome::Found { path, .. } => confirmed(aut, sought, &path),
        Outcome::Exhausted => ExplicitOutcome::Exhausted,
        Outcome::LimitReached(limit) => ExplicitOutcome::Undecided(Reason {
            limit: Limit::of_states(limit, control),
            stats,
            max_steps: None,
        }),
    };
    Some(ExplicitReport {
        outcome,
        search: by.name(),
        stats,
        times,
    })
}

/// Searches an explicit system once, visiting at most `visits` states. `None` for a search that needs a model with time.
pub fn explicit_trial(
    aut: &Aut,
    sought: ExplicitGoal<'_>,
    options: &Options,
    visits: u64,
    control: &Control,
) -> Option<Trial> {
    let by = Engine::of(options.search).order()?;
    let ask = |_: &Statistics| control.is_interrupted();
    let limits = Limits {
        explored: Some(visits),
        stop: Some(&ask),
        ..Limits::default()
    };
    let report = run(aut, sought, by, options, &limits);
    let (found, trace) = match &report.outcome {
        Outcome::Found { path, .. } => (true, path.len().saturating_sub(1) as u64),
        _ => (false, 0),
    };
    Some(Trial {
        found,
        states: report.statistics.states_explored,
        trace,
    })
}

fn run(
    aut: &Aut,
    sought: ExplicitGoal<'_>,
    by: Order,
    options: &Options,
    limits: &Limits<'_>,
) -> search::Report<AutState, Infallible> {
    let plain = || AutSystem::new(aut);
    let system = match sought {
        // In a system without the action, the search for it finds nothing.
        ExplicitGoal::Action(action) => AutSystem::with_action(aut, action).unwrap_or_else(plain),
        _ => plain(),
    };
    let mut by_action = |state: &AutState| state.by_action;
    let goal = match sought {
        ExplicitGoal::Nothing => Goal::none(),
        ExplicitGoal::Deadlock => Goal::deadlock(),
        ExplicitGoal::Action(_) => Goal::state(&mut by_action),
    };
    search_in_order(
        &mut Worker::new(&system, &mut ()),
        &Numbers,
        goal,
        by,
        options,
        limits,
    )
}

/// Stores of the states of an explicit system, which are numbers.
struct Numbers;

impl Stores for Numbers {
    type State = AutState;
    type Visited = ExactStore<AutState>;
    type Nodes = Reopening<ExactStore<AutState>>;
    type Equal = ExactStore<AutState>;

    fn visited(&self) -> Self::Visited {
        ExactStore::new()
    }

    fn nodes(&self) -> Self::Nodes {
        Reopening::new(ExactStore::new())
    }

    fn equal(&self) -> Self::Equal {
        ExactStore::new()
    }

    fn includes(&self) -> bool {
        false
    }
}

/// Follows a path once more, through the system and nothing else, and looks at where it ends.
fn confirmed(aut: &Aut, sought: ExplicitGoal<'_>, path: &[u32]) -> ExplicitOutcome {
    let (mut at, mut last, mut labels) = (aut.initial(), None, Vec::new());
    for ordinal in path.iter().skip(1) {
        let Some((label, target)) = aut.steps(at).nth(*ordinal as usize) else {
            return ExplicitOutcome::Bug("a path that was found cannot be followed".to_owned());
        };
        labels.push(aut.label(label).into_owned());
        (at, last) = (target, Some(label));
    }
    let is_there = match sought {
        ExplicitGoal::Nothing => false,
        ExplicitGoal::Deadlock => aut.is_deadlock(at),
        ExplicitGoal::Action(action) => {
            last.is_some_and(|label| aut.labels_of_action(action).get(label as usize) == Some(&true))
        }
    };
    if is_there {
        ExplicitOutcome::Found(labels)
    } else {
        ExplicitOutcome::Bug("a path that was found does not end where it should".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{TraceKind, TraceOptions, ZoneOptions};
    use std::num::NonZeroUsize;
    use zonewalk_searches::Search;

    /// A ring with an exit: 0 → 1 → 2 → 0, 2 → 3.
    const RING: &str = "des (0,4,4)\n(0,\"a\",1)\n(1,\"b(1)\",2)\n(2,\"a\",0)\n(2,\"out(2)\",3)\n";

    fn options(search: Search) -> Options {
        Options {
            search,
            seed: 3,
            threads: NonZeroUsize::MIN,
            deadline: None,
            zones: ZoneOptions::default(),
            trace: TraceOptions {
                kind: TraceKind::Some,
                shrink_budget: 0,
            },
            ..Options::default()
        }
    }

    #[test]
    fn every_search_of_states_finds_the_way_out() {
        let aut = Aut::read(RING.as_bytes()).unwrap();
        for search in Search::ALL {
            for sought in [ExplicitGoal::Deadlock, ExplicitGoal::Action("out")] {
                let report = search_explicit(&aut, sought, &options(search), &Control::default());
                assert_eq!(report.is_some(), search.info().is_for_explicit, "{search:?}");
                if let Some(report) = report {
                    assert!(
                        matches!(&report.outcome, ExplicitOutcome::Found(labels) if labels == &["a", "b(1)", "out(2)"]),
                        "{search:?} {sought:?}: {:?}",
                        report.outcome
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_not_there_is_proved_absent() {
        let aut = Aut::read(RING.as_bytes()).unwrap();
        for search in ["auto", "bfs", "dfs", "rdfs", "drs", "highway"] {
            let search = search.parse().unwrap();
            let report = search_explicit(
                &aut,
                ExplicitGoal::Action("c"),
                &options(search),
                &Control::default(),
            );
            assert!(
                matches!(report.unwrap().outcome, ExplicitOutcome::Exhausted),
                "{search:?}"
            );
        }
    }
}
