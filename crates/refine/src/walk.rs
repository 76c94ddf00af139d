//! Refinement by random walks: violations are looked for in single runs, nothing is stored, and nothing is proved.
//!
//! The heuristics are those of Kiviriga, Larsen and Nyman, "Randomized refinement checking of timed I/O automata" (SETTA 2020). A walk
//! has one pair of states. It compares how long both sides can wait, chooses a transition of the left side, chooses a delay, and lets
//! the right side follow. What the paper leaves open is settled by `docs/tioa.md`, section 5:
//!
//! - every alternative of a guard is a transition of its own;
//! - inputs that the right side alone knows are offered too, as further channels, and the left side stands still; so are inputs that
//!   the left side may refuse;
//! - a window without an end reaches one unit beyond the largest constant of both sides; its end is the upper bound that adaptive
//!   delays take;
//! - a strict bound is moved inwards by a tick, of which 2^20 make a unit of time, or fewer where constants are large;
//! - a walk ends where the right side has two different answers (it is not deterministic then) and where it is universal;
//! - without a given number of steps walks have different depths in turns (`schedule`).

mod candidate;
mod instant;
mod layout;
mod plan;
mod record;
mod retime;
mod schedule;
mod search;
mod shrink;
mod smc;
mod state;
mod walker;

use zonewalk_tioa::Run;

use crate::control::{Control, Limit, Limits};
use crate::symbolic::pair::Pair;
use crate::systems::set::TooLarge;
use plan::PairPlan;
use walker::Walker;

pub use schedule::Delays;

/// How a walk chooses its transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Heuristic {
    /// Random enabled transition: each of them is as likely as the others.
    Ret,
    /// Random channel first: each channel that has one is as likely as the others, then each transition of that channel.
    #[default]
    Rcf,
    /// Statistical model checking of the left side with the complement of the right side. It has delays of its own.
    Smc,
}

/// Options of walks.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// How they choose their transitions.
    pub heuristic: Heuristic,
    /// How they choose their delays.
    pub delays: Delays,
    /// The seed: it determines the walks.
    pub seed: u64,
    /// On how many threads. The result does not depend on it.
    pub threads: usize,
    /// Steps of a walk; without a number walks have different depths.
    pub max_steps: Option<u32>,
    /// Walks in all.
    pub max_walks: Option<u64>,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions {
            heuristic: Heuristic::default(),
            delays: Delays::default(),
            seed: 1,
            threads: 1,
            max_steps: None,
            max_walks: None,
        }
    }
}

/// Result of walks.
#[derive(Clone, Debug)]
pub enum WalkOutcome {
    /// A violation.
    Found(Box<FoundViolation>),
    /// None, until this put an end to the walks.
    NotFound(Limit),
}

/// A walk that found a violation.
#[derive(Clone, Debug)]
pub struct FoundViolation {
    /// The run, shortened and with simple times.
    pub run: Run,
    /// The number of the walk, from 0 on.
    pub walk: u64,
    /// How many steps it had before it was shortened.
    pub found_steps: usize,
}

/// Looks for a violation of `left <= right`. Requires: the alphabets fit together.
///
/// Makes walks: of those that find a violation that with the smallest number wins, so that the result depends on pair, seed and options alone.
pub fn check(pair: &Pair, options: &WalkOptions, limits: Limits, control: &Control) -> WalkOutcome {
    match search::search(pair, options, limits, control) {
        Ok(walk) => {
            control.finds();
            found(pair, options, walk).map_or(WalkOutcome::NotFound(Limit::TooLarge), |found| {
                WalkOutcome::Found(Box::new(found))
            })
        }
        Err(limit) => WalkOutcome::NotFound(limit),
    }
}

/// The run of a walk that found a violation.
fn found(pair: &Pair, options: &WalkOptions, walk: u64) -> Result<FoundViolation, TooLarge> {
    let mut walker = Walker::new(PairPlan::new(pair))?;
    let Some(trace) = record::record(&mut walker, pair, options, walk)? else {
        unreachable!("a walk is determined by its number");
    };
    let found_steps = trace.steps.len();
    let trace = shrink::shrink(&mut walker, trace)?;
    Ok(FoundViolation {
        run: record::run(&walker.plan, &trace),
        walk,
        found_steps,
    })
}

/// Looks for a violation as [`check`] does, and only gives the number of the walk that finds one: what measurements repeat.
///
/// # Errors
/// The limit that put an end to the walks before one was found.
pub fn first_violation(
    pair: &Pair,
    options: &WalkOptions,
    limits: Limits,
    control: &Control,
) -> Result<u64, Limit> {
    search::search(pair, options, limits, control)
}
