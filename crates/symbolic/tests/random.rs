//! Random small networks: all searches agree with each other, with the interpreter and with brute force.
//!
//! `ZONEWALK_NETWORKS` says how many (1,000 unless told otherwise), `ZONEWALK_SEED` which is the first.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::follow::{follow, stay_within};
use support::on_demand::{decide_by, decide_on_demand};
use support::{Case, Trouble, Verdict, agreed, confirm, every_zone, grid};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_testkit::generate::{Generated, LARGEST, network, network_of_differences};
use zonewalk_testkit::{number, xta};

/// At most so many states are stored; a search that needs more says nothing.
const STATES: usize = 400;

fn seeds() -> std::ops::Range<u64> {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    first..first + number("ZONEWALK_NETWORKS").unwrap_or(1000)
}

fn case(generated: &Generated) -> Case {
    let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
    Case::new(&generated.text, &questions).unwrap_or_else(|e| panic!("{e}\n{}", generated.text))
}

/// Runs a property on every network; all failures are shown, the shortest texts first.
fn on_networks(property: impl FnMut(u64, &Generated, &Case) -> Result<(), String>) {
    on_networks_of(network, seeds(), property);
}

/// Compares on networks that are made otherwise.
fn on_networks_of(
    make: fn(u64) -> Generated,
    seeds: std::ops::Range<u64>,
    mut property: impl FnMut(u64, &Generated, &Case) -> Result<(), String>,
) {
    let mut failures = Vec::new();
    for seed in seeds {
        let generated = make(seed);
        let case = case(&generated);
        // A broken precondition panics; which network does it must be seen.
        let run = std::panic::AssertUnwindSafe(|| property(seed, &generated, &case));
        let result = std::panic::catch_unwind(run).unwrap_or_else(|_| Err("it panics".to_owned()));
        if let Err(message) = result {
            failures.push(format!("seed {seed}: {message}\n{}", generated.text));
        }
    }
    failures.sort_by_key(String::len);
    let shown = &failures[..failures.len().min(4)];
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        shown.join("\n")
    );
}

#[test]
fn searches_agree_and_runs_confirm_them() {
    let (mut decided, mut reached, mut open) = (0, 0, 0);
    on_networks(|_, _, case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for (number, question) in case.questions.iter().enumerate() {
            // The negation of some: that is what `A[]` looks for.
            let holds = number % 3 != 2;
            match agreed(case, &plan, question, holds, STATES)? {
                Some(truth) => {
                    decided += 1;
                    reached += usize::from(truth);
                }
                None => open += 1,
            }
        }
        Ok(())
    });
    // The questions are neither too easy nor too hard.
    assert!(decided > 20 * open, "{decided} decided, {open} open");
    assert!(
        reached > decided / 10 && reached < decided * 9 / 10,
        "{reached} of {decided}"
    );
}

#[test]
fn deadlocks_are_found_on_demand() {
    let (mut reached, mut unreachable, mut refined) = (0, 0, 0);
    let mut compare = |_: u64, _: &Generated, case: &Case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for question in case.questions.iter().filter(|q| q.predicate.mentions_deadlock()) {
            let (bounds, by_m) = (case.bounds(question), Abstraction::M);
            let expected = decide_by(case, &plan, question, by_m, &bounds, STATES);
            let (found, rounds) = decide_on_demand(case, &plan, question, true, STATES);
            match (&expected, &found) {
                (Verdict::Unknown, _) | (_, Verdict::Unknown) => continue,
                (Verdict::Reached(_), Verdict::Reached(path)) => {
                    reached += 1;
                    if !plan.is_approximate() {
                        confirm(case, &plan, question, true, path)?;
                    }
                }
                (Verdict::Unreachable, Verdict::Unreachable) => unreachable += 1,
                // Abstractions differ in what they add where clocks stand still.
                _ if plan.is_approximate() => continue,
                _ => return Err(format!("{}: {expected:?}, {found:?} on demand", question.text)),
            }
            refined += usize::from(rounds > 1);
        }
        Ok(())
    };
    on_networks(&mut compare);
    on_networks_of(
        network_of_differences,
        seeds().start..seeds().start + 100,
        &mut compare,
    );
    assert!(
        reached > 50 && unreachable > 50 && refined > 0,
        "{reached} reached, {unreachable} unreachable, refined for {refined}"
    );
}

#[test]
fn walks_stay_in_the_zone_graph() {
    let (mut steps, mut points, mut failed) = (0, 0, 0);
    on_networks(|seed, _, case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for walk in 0..2 {
            let followed = follow(case, &plan, seed * 10 + walk, 12, None)?;
            steps += followed.steps;
            points += followed.points;
            failed += usize::from(followed.failed);
        }
        Ok(())
    });
    let networks = seeds().count();
    assert!(
        steps > 2 * networks && points > 2 * networks,
        "{steps} steps, {points} points"
    );
    assert_eq!(failed, 0, "these networks make no errors");
}

#[test]
fn what_is_avoided_is_neither_entered_nor_passed_through() {
    let mut steps = 0;
    on_networks(|seed, _, case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for question in case.questions.iter().skip((seed % 2) as usize).step_by(2) {
            let followed = follow(case, &plan, seed, 6, Some(question))
                .map_err(|e| format!("without {}: {e}", question.text))?;
            steps += followed.steps;
        }
        Ok(())
    });
    assert!(steps > seeds().count(), "{steps} steps");
}

#[test]
fn brute_force_agrees() {
    let (mut both, mut complete) = (0, 0);
    on_networks(|seed, generated, case| {
        // Two clocks on a grid are enough work for a few networks.
        if seed % 4 != 0 || generated.has_diagonals || generated.clocks > 2 {
            return Ok(());
        }
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        let grid = grid::explore(case, 2, LARGEST as i32 + 2, 200).map_err(|e| e.to_string())?;
        complete += usize::from(grid.is_complete);
        for (number, (question, on_grid)) in case.questions.iter().zip(&grid.holds).enumerate() {
            let Some(symbolic) = agreed(case, &plan, question, true, STATES)? else {
                continue;
            };
            both += usize::from(symbolic && *on_grid);
            if *on_grid && !symbolic {
                return Err(format!("{} is reached on the grid", question.text));
            }
            // The first two questions do not ask about clocks.
            if number < 2 && generated.is_closed && grid.is_complete && symbolic && !on_grid {
                return Err(format!("{} is not reached on the grid", question.text));
            }
        }
        Ok(())
    });
    assert!(
        both > 0 && complete > 0,
        "{both} reached by both, {complete} grids complete"
    );
}

/// A network with all its times multiplied, so that their sums need up to 33 bits.
fn network_of_long_times(seed: u64) -> Generated {
    let generated = network(seed);
    let factor = [1000, 40_000_000, i32::MAX / 4][seed as usize % 3];
    let loaded = xta(&generated.text);
    let question = |text: &String| {
        let query = loaded.stretched_query(&format!("E<> {text}"), factor).unwrap();
        query.strip_prefix("E<> ").unwrap().to_owned()
    };
    Generated {
        text: loaded.stretched(factor).unwrap(),
        questions: generated.questions.iter().map(question).collect(),
        ..generated
    }
}

#[test]
fn searches_agree_on_long_times() {
    let seeds = seeds().start..seeds().start + (seeds().end - seeds().start) / 4;
    let (mut decided, mut reached, mut steps) = (0, 0, 0);
    on_networks_of(network_of_long_times, seeds.clone(), |seed, _, case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for (number, question) in case.questions.iter().enumerate() {
            if let Some(truth) = agreed(case, &plan, question, number % 3 != 2, STATES)? {
                decided += 1;
                reached += usize::from(truth);
            }
        }
        steps += follow(case, &plan, seed, 12, None)?.steps;
        Ok(())
    });
    assert!(decided > 5 * seeds.clone().count(), "{decided}");
    assert!(
        reached > decided / 10 && reached < decided * 9 / 10,
        "{reached} of {decided}"
    );
    assert!(steps > seeds.count(), "{steps} steps");
}

/// Bounds of differences that vary, clocks that are set to variables and copies: the searches agree, what they reach is
/// confirmed, and the zones of a search that has ended have every state that the interpreter comes to.
#[test]
fn searches_agree_on_differences_that_vary() {
    let seeds = seeds().start..seeds().start + (seeds().end - seeds().start) / 4;
    let (mut decided, mut reached, mut steps, mut ended) = (0, 0, 0, 0);
    on_networks_of(network_of_differences, seeds.clone(), |seed, _, case| {
        let plan = ZonePlan::new(&case.network).map_err(|e| format!("{e:?}"))?;
        for (number, question) in case.questions.iter().enumerate() {
            match agreed(case, &plan, question, number % 3 != 2, STATES) {
                Ok(Some(truth)) => {
                    decided += 1;
                    reached += usize::from(truth);
                }
                Ok(None) | Err(Trouble::Model(_)) => {}
                Err(dissent) => return Err(dissent.into()),
            }
        }
        if let Some(zones) = every_zone(case, &plan, STATES) {
            ended += 1;
            for walk in 0..4 {
                steps += stay_within(case, &plan, &zones, seed * 10 + walk, 20)?;
            }
        }
        Ok(())
    });
    let networks = seeds.count();
    assert!(
        decided > 4 * networks && reached > decided / 10,
        "{reached} of {decided}"
    );
    assert!(
        ended > networks / 3 && steps > 4 * ended,
        "{steps} steps in {ended} networks"
    );
}
