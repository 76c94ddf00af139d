//! One walk, step by step.

use super::WalkThread;
use crate::Stop;
use crate::goal::{WalkGoal, Watch};
use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::schedule::Schedule;
use crate::heuristic::smc::{StepOutcome, last_instant};
use crate::search::explore::End;
use crate::state::State;
use crate::time::{FOREVER, Window};
use crate::walker::Walker;
use std::sync::atomic::Ordering;

/// Steps between two looks at what else there is: the clock, the answer of another search, other searches that want the processor.
const PATIENCE: u32 = 1 << 9;

/// Effort after which the clock is looked at earlier, in instructions of code: some ten milliseconds. It is counted and not measured, so
/// that a walk takes as many instructions on every machine.
const MUCH: u64 = 1 << 22;

/// An observer that sees every step of a walk, and may end it.
pub(crate) trait Observer {
    /// A step was made.
    fn see_step(&mut self, _walker: &mut Walker<'_>) {}

    /// Whether the walk is to make no further step.
    fn is_over(&self) -> bool {
        false
    }
}

/// None.
impl Observer for () {}

/// How a walk ended.
pub(crate) enum WalkEnd {
    Found(i64),
    Ended(End),
    /// Stopped from outside.
    Cut,
}

impl WalkThread<'_> {
    /// Makes a walk, by its number, of at most `depth` steps.
    pub(crate) fn walk(
        &self,
        walker: &mut Walker<'_>,
        chooser: &mut Chooser,
        mut watch: Option<&mut Watch<'_>>,
        (number, depth): (u64, u32),
        observer: &mut impl Observer,
    ) -> WalkEnd {
        let is_race = self.options.heuristic == Heuristic::Smc;
        // A race says itself how much time passes, and a walk of the paper looks no further than it goes.
        let is_tuned = self.options.schedule == Schedule::Tuned;
        let is_looking_ahead = !is_race && is_tuned;
        let limit = self.limits.last_instant.unwrap_or(FOREVER);
        let bound = last_instant(self.options.time_bound, self.plan.unit);
        let denies_deadlock = self.goal.is_some_and(WalkGoal::denies_deadlock);
        if let Some(watch) = &mut watch {
            watch.begin();
        }
        let mut enough = walker.state.effort + MUCH;
        for step in 0..=depth {
            // A model decides how long a step takes.
            if walker.state.effort >= enough {
                if self.is_over() {
                    return WalkEnd::Cut;
                }
                enough = walker.state.effort + MUCH;
            }
            if step % PATIENCE == PATIENCE - 1 {
                self.spend(walker);
                if self.is_over() || self.best.load(Ordering::Relaxed) < number {
                    return WalkEnd::Cut;
                }
            }
            let last = match &mut watch {
                Some(watch) if is_tuned => limit.min(watch.last_instant(&walker.state)),
                _ => limit,
            };
            if last < walker.state.clocks.now {
                return WalkEnd::Ended(End::TimeBound);
            }
            let bound = bound.min(last);
            let deadline = walker.horizon();
            let horizon = deadline.min(last);
            chooser.set_open(if deadline == FOREVER { last } else { FOREVER });
            // Until then the state is not a deadlock.
            let alive = denies_deadlock
                .then(|| chooser.last_known_chance(walker, deadline))
                .flatten();
            // A walk that looks no further sees the goal while time passes; a race after its last step, too.
            if (!is_race || step == depth)
                && let Some(watch) = &mut watch
            {
                let until = if is_looking_ahead {
                    horizon
                } else {
                    walker.state.clocks.now
                };
                match self.check(watch, &mut walker.state, until, alive) {
                    Ok(Some(at)) => return WalkEnd::Found(at),
                    Ok(None) => {}
                    // Whether the goal holds here is not known; elsewhere it may be.
                    Err(stop) => {
                        let (now, steps) = (walker.state.clocks.now, walker.record.steps.len());
                        walker.note_goal(stop, now, steps);
                    }
                }
                // To wait too long is a way into a deadlock, too.
                if is_looking_ahead
                    && self.goal.is_some_and(WalkGoal::mentions_deadlock)
                    && let Some(silence) = chooser.silence(walker, deadline)
                    && let span = silence.and(Window { lo: 0, hi: last })
                    && let Ok(Some(at)) = watch.check_silence(self.plan, &mut walker.state, span)
                {
                    return WalkEnd::Found(at);
                }
            }
            if step == depth || observer.is_over() {
                break;
            }
            let outcome = if is_looking_ahead {
                chooser.step(walker, horizon).map(StepOutcome::from)
            } else {
                let (mut failed, steps) = (None, walker.record.steps.len());
                let mut meets = |state: &mut State, until: i64| {
                    let met = watch.as_mut().map(|watch| self.check(watch, state, until, alive));
                    met.unwrap_or(Ok(None)).unwrap_or_else(|stop| {
                        failed.get_or_insert((stop, state.clocks.now));
                        None
                    })
                };
                let outcome = if is_race {
                    chooser.stochastic_step(walker, bound, &mut meets)
                } else {
                    chooser
                        .step_meeting(walker, horizon, &mut meets)
                        .map(StepOutcome::from)
                };
                if let Some((stop, at)) = failed {
                    walker.note_goal(stop, at, steps);
                }
                outcome
            };
            match outcome {
                Ok(StepOutcome::Taken) => observer.see_step(walker),
                Ok(StepOutcome::Met(at)) => return WalkEnd::Found(at),
                Ok(StepOutcome::TimeBound) => return WalkEnd::Ended(End::TimeBound),
                Ok(StepOutcome::OffGrid) => return WalkEnd::Ended(End::OffGrid),
                Ok(StepOutcome::Stuck) => {
                    let horizon = walker.horizon();
                    chooser.set_open(FOREVER);
                    // Nothing can be done before the last instant; is that a deadlock?
                    if !is_race && horizon > last && !matches!(chooser.step(walker, horizon), Ok(Step::Stuck))
                    {
                        return WalkEnd::Ended(End::TimeBound);
                    }
                    let until = horizon.min(if is_race { bound } else { last });
                    if (!is_tuned || self.goal.is_some_and(WalkGoal::mentions_deadlock))
                        && let Some(watch) = &mut watch
                        && let Ok(Some(at)) = watch.check(self.plan, &mut walker.state, until, Some(true))
                    {
                        return WalkEnd::Found(at);
                    }
                    return WalkEnd::Ended(if horizon == FOREVER {
                        End::Deadlock
                    } else {
                        End::TimeLock
                    });
                }
                Err(stop) => {
                    walker.note(stop, walker.state.clocks.now, &[], &[]);
                    return WalkEnd::Ended(End::Error(stop));
                }
            }
        }
        WalkEnd::Ended(End::Depth)
    }

    /// The first instant from now to `until` at which the goal is known to hold, in a state that is not a deadlock until `alive`.
    fn check(
        &self,
        watch: &mut Watch<'_>,
        state: &mut State,
        until: i64,
        alive: Option<i64>,
    ) -> Result<Option<i64>, Stop> {
        let met = watch.check(self.plan, state, until, None)?;
        match alive {
            Some(alive) if met.is_none() => watch.check(self.plan, state, until.min(alive), Some(false)),
            _ => Ok(met),
        }
    }
}
