//! From conditions to times.

use crate::check::check;
use crate::graph::{Collector, Graph};
use crate::instants::{Condition, Instants, conditions};
use crate::least::least;
use crate::linear;
use crate::path::TimedPath;
use crate::program::{Program, Sum};
use crate::schedule::Schedule;
use crate::simple::{coarsest, round_up};
use crate::solution::{Infimum, Objective, Solution, Unsolved};

/// Enough for a path of 100,000 transitions, and a matter of seconds at most.
pub const DEFAULT_BUDGET: u64 = 300_000_000;

/// Finds times for a path with about `budget` steps of work.
///
/// Let `T_k` be the instants at which stages end. While no clock stops, each condition is `T_a − T_b ≤ c` or `< c` with
/// integers `c`. The least solution takes each `T_k` as the longest path from the beginning; being least in every
/// component, it is also the fastest. Strict limits are one part of a unit tighter, in parts that are as coarse as
/// possible; [`Objective::Simple`] thus gives whole numbers whenever there are any.
///
/// # Errors
/// When there are no times, or none were found.
pub fn solve(path: &TimedPath, objective: Objective, budget: u64) -> Result<Solution, Unsolved> {
    solve_from(path, objective, budget, None)
}

/// Solves a path of which times are known. They help with clocks that stop: what was possible once stays possible,
/// and the result is not slower than what is known.
///
/// # Errors
/// When there are no times, or none were found.
pub fn solve_from(
    path: &TimedPath,
    objective: Objective,
    budget: u64,
    known: Option<&Schedule>,
) -> Result<Solution, Unsolved> {
    let instants = Instants::new(path)?;
    let mut collector = Collector::new(instants.count());
    let mut sums = Vec::new();
    conditions(path, &instants, |condition| match condition {
        Condition::Difference(difference) => collector.push(difference),
        Condition::Sum { terms, bound, strict } => sums.push(Sum { terms, bound, strict }),
    })?;
    let mut work = budget;
    if !sums.is_empty() {
        let program = Program {
            instants: &instants,
            collector: &collector,
            sums: &sums,
        };
        return linear::solve(path, &program, objective, known, &mut work);
    }
    let (infimum, graph) = match objective {
        Objective::Simple => (None, collector.graph(None)),
        Objective::Fastest => {
            let infimum = infimum(&collector.graph(None), &mut work)?;
            let total = if infimum.is_attained {
                (infimum.time, false)
            } else {
                (infimum.time.checked_add(1).ok_or(Unsolved::TooLarge)?, true)
            };
            (Some(infimum), collector.graph(Some(total)))
        }
    };
    let (unit, mut labels) = coarsest(&graph, &mut work)?;
    round_up(&graph, unit, &mut labels, &mut work);
    let schedule = instants.schedule(unit, &labels);
    debug_assert_eq!(check(path, &schedule), Ok(()));
    Ok(Solution { schedule, infimum })
}

/// The limit of the least solutions for ever finer parts of a unit (see [`least`]).
fn infimum(graph: &Graph, work: &mut u64) -> Result<Infimum, Unsolved> {
    let scale = graph.instants() as i64 + 1;
    let labels = least(graph, scale, work)?;
    let last = labels[labels.len() - 1];
    Ok(Infimum {
        time: last.div_euclid(scale),
        is_attained: last.rem_euclid(scale) == 0,
    })
}
