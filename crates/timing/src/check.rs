//! The judge: carries clock values along a path with given delays, and looks at every condition. It shares nothing with
//! what finds the delays.

use crate::path::{Constraint, Reset, Stage, TimedPath};
use crate::schedule::Schedule;

/// Where a schedule breaks a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which stage; the number of stages for the last.
    pub stage: usize,
    /// At which end of it.
    pub moment: Moment,
    /// The error.
    pub cause: Cause,
}

/// An end of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// When it begins.
    Entry,
    /// When it ends.
    Exit,
}

/// Reason why a schedule is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A condition does not hold.
    Broken(Constraint),
    /// The delay is negative, or there is one where time stands still.
    Delay,
    /// The schedule has too few or too many delays, or a unit that is not positive.
    Shape,
    /// There is no such clock.
    NoClock(u32),
    /// A value does not fit into 127 bits.
    TooLarge,
}

/// Whether delays satisfy all conditions of a path.
///
/// # Errors
/// The first condition that does not hold.
pub fn check(path: &TimedPath, schedule: &Schedule) -> Result<(), Violation> {
    judged(path, schedule).map(|_| ())
}

/// The values of the clocks at the end of a path, in ticks, where delays satisfy all its conditions.
pub(crate) fn judged(path: &TimedPath, schedule: &Schedule) -> Result<Vec<i128>, Violation> {
    let mut stage = 0;
    judge(path, schedule, &mut stage).map_err(|(moment, cause)| Violation { stage, moment, cause })
}

type Judgement = Result<Vec<i128>, (Moment, Cause)>;

fn judge(path: &TimedPath, schedule: &Schedule, at: &mut usize) -> Judgement {
    if schedule.unit <= 0 || schedule.delays.len() != path.stages.len() + 1 {
        return Err((Moment::Entry, Cause::Shape));
    }
    let unit = i128::from(schedule.unit);
    let mut clocks: Vec<i128> = path.initial.iter().map(|&v| i128::from(v) * unit).collect();
    let mut is_stopped = vec![false; clocks.len()];
    let stages = path.stages.iter().chain([&path.last]);
    for (number, (stage, &delay)) in stages.zip(&schedule.delays).enumerate() {
        *at = number;
        for constraint in stage.during.iter().chain(&stage.at_entry) {
            holds(constraint, &clocks, unit).map_err(|cause| (Moment::Entry, cause))?;
        }
        let exit = |cause| (Moment::Exit, cause);
        if delay < 0 || (delay > 0 && !stage.may_delay) {
            return Err(exit(Cause::Delay));
        }
        pass(stage, delay.into(), &mut clocks, &mut is_stopped).map_err(exit)?;
        for constraint in stage.during.iter().chain(&stage.at_exit) {
            holds(constraint, &clocks, unit).map_err(exit)?;
        }
        if number < path.stages.len() {
            reset(stage, unit, &mut clocks).map_err(exit)?;
        }
    }
    Ok(clocks)
}

fn pass(stage: &Stage, delay: i128, clocks: &mut [i128], is_stopped: &mut [bool]) -> Result<(), Cause> {
    for &clock in &stage.stopped {
        *is_stopped.get_mut(clock as usize).ok_or(Cause::NoClock(clock))? = true;
    }
    for (value, stopped) in clocks.iter_mut().zip(is_stopped) {
        if !std::mem::take(stopped) {
            *value = value.checked_add(delay).ok_or(Cause::TooLarge)?;
        }
    }
    Ok(())
}

fn reset(stage: &Stage, unit: i128, clocks: &mut [i128]) -> Result<(), Cause> {
    for &(clock, reset) in &stage.resets {
        let value = match reset {
            Reset::To(value) => i128::from(value) * unit,
            Reset::Copy { from, plus } => value(clocks, from)?
                .checked_add(i128::from(plus) * unit)
                .ok_or(Cause::TooLarge)?,
        };
        *clocks.get_mut(clock as usize).ok_or(Cause::NoClock(clock))? = value;
    }
    Ok(())
}

fn value(clocks: &[i128], clock: u32) -> Result<i128, Cause> {
    clocks.get(clock as usize).copied().ok_or(Cause::NoClock(clock))
}

fn holds(constraint: &Constraint, clocks: &[i128], unit: i128) -> Result<(), Cause> {
    let side = |clock: Option<u32>| clock.map_or(Ok(0), |clock| value(clocks, clock));
    let difference = side(constraint.left)?
        .checked_sub(side(constraint.right)?)
        .ok_or(Cause::TooLarge)?;
    let bound = i128::from(constraint.bound) * unit;
    let is_kept = difference < bound || (difference == bound && !constraint.strict);
    is_kept.then_some(()).ok_or(Cause::Broken(*constraint))
}
