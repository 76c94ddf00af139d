//! Walking without a goal: speed, and what was reached.

use crate::choose::{Chooser, Heuristic, Step};
use crate::plan::Plan;
use crate::random::Random;
use crate::refresh::Stop;
use crate::schedule::{Delays, depth};
use crate::search::{Control, Limits, Report, run};
use crate::trace::Trace;
use crate::walker::Walker;

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How transitions are chosen.
    pub heuristic: Heuristic,
    /// How delays are chosen.
    pub delays: Delays,
    /// The seed.
    pub seed: u64,
    /// The depth of every walk, in place of the growing one.
    pub max_steps: Option<u32>,
}

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has reached its depth.
    Depth,
    /// No transition is or will be enabled, and time can pass for ever.
    DeadEnd,
    /// No transition is or will be enabled, and time cannot pass for ever.
    TimeLock,
    /// A transition is possible, but at no instant of the grid of times.
    OffGrid,
    /// A run-time error of the model.
    Error(Stop),
}

/// Makes walks without a goal until a limit is reached, and marks the edge instances of the network that they take.
pub fn explore(
    plan: &Plan<'_>,
    options: &Options,
    threads: usize,
    limits: &Limits,
    control: &Control,
) -> (Report, Vec<bool>) {
    run(plan, None, options, threads, limits, control)
}

/// Makes one walk and calls nobody: the trace is returned.
pub fn walk(plan: &Plan<'_>, options: &Options, number: u64) -> Result<Option<(Trace, End)>, Stop> {
    let Some(mut walker) = Walker::new(plan)? else {
        return Ok(None);
    };
    let mut chooser = Chooser::new(options.heuristic, plan.coverage_count);
    chooser.begin(
        Random::for_walk(options.seed, number),
        options.delays.distribution(number),
    );
    let mut end = End::Depth;
    for _ in 0..depth(number, options.max_steps) {
        let horizon = walker.horizon();
        match chooser.step(&mut walker, horizon) {
            Ok(Step::Taken) => {}
            Ok(Step::OffGrid) => {
                end = End::OffGrid;
                break;
            }
            Ok(Step::Stuck) => {
                end = if horizon == i64::MAX {
                    End::DeadEnd
                } else {
                    End::TimeLock
                };
                break;
            }
            Err(stop) => {
                end = End::Error(stop);
                break;
            }
        }
    }
    let now = walker.record.steps.last().map_or(0, |s| s.at);
    Ok(Some((
        Trace::from_record(plan, &walker.record, walker.record.steps.len(), now),
        end,
    )))
}
