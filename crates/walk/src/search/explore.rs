//! Walking without a goal: speed, and what was reached.

use crate::Stop;
use crate::heuristic::choose::{Chooser, Heuristic};
use crate::heuristic::coverage::Coverage;
pub use crate::heuristic::options::Options;
use crate::heuristic::smc::{StepOutcome, last_instant};
use crate::plan::WalkPlan;
use crate::search::{Control, Limits, WalkReport, run};
use crate::time::FOREVER;
use crate::walker::Walker;
use zonewalk_numbers::Random;
use zonewalk_run::Run;

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has reached its depth.
    Depth,
    /// It has reached the time bound.
    TimeBound,
    /// No transition is or will be enabled, and time can pass forever.
    Deadlock,
    /// No transition is or will be enabled, and time cannot pass forever.
    TimeLock,
    /// A transition is possible, but at no instant of the grid of times.
    OffGrid,
    /// A run-time error of the model.
    Error(Stop),
}

/// Makes walks without a goal until a limit is reached, and marks the edge instances of the network that they take.
pub fn explore(
    plan: &WalkPlan<'_>,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> (WalkReport, Vec<bool>) {
    run(plan, None, options, threads, limits, control)
}

/// Makes one walk without callbacks: the trace is returned.
pub fn walk(plan: &WalkPlan<'_>, options: &Options, number: u64) -> Result<Option<(Run, End)>, Stop> {
    let Some(mut walker) = Walker::new(plan)? else {
        return Ok(None);
    };
    let mut chooser = Chooser::new(options.heuristic, Coverage::new(plan));
    chooser.begin(Random::for_walk(options.seed, number), options.parameters(number));
    let bound = last_instant(options.time_bound, plan.unit);
    let mut end = End::Depth;
    for _ in 0..options.schedule.depth(number, options.max_steps) {
        let outcome = if options.heuristic == Heuristic::Smc {
            chooser.stochastic_step(&mut walker, bound, &mut |_, _| None)
        } else {
            let horizon = walker.horizon();
            chooser.step(&mut walker, horizon).map(StepOutcome::from)
        };
        end = match outcome {
            Ok(StepOutcome::Taken | StepOutcome::Met(_)) => continue,
            Ok(StepOutcome::TimeBound) => End::TimeBound,
            Ok(StepOutcome::OffGrid) => End::OffGrid,
            Ok(StepOutcome::Stuck) if walker.horizon() == FOREVER => End::Deadlock,
            Ok(StepOutcome::Stuck) => End::TimeLock,
            Err(stop) => End::Error(stop),
        };
        break;
    }
    // Time may have passed after the last step.
    let now = walker.state.clocks.now;
    Ok(Some((
        walker.record.run(plan, walker.record.steps.len(), now),
        end,
    )))
}
