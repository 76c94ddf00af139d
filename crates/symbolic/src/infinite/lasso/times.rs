//! Exact times for a maximal run: its prefix and some rounds of its cycle.

use super::{Lasso, LassoEnd, LassoQuestion};
use crate::explorer::Explorer;
use crate::graph::abstraction::Abstraction;
use crate::path::{Layers, named};
use crate::plan::ZonePlan;
use crate::stop::Stop;
use zonewalk_timing::{Schedule, TimedPath};

/// Conditions of a maximal run on its times.
#[derive(Clone, Debug)]
pub struct LassoTimes {
    /// The conditions of prefix and cycle. A stage after which nothing happens ends at the trigger of `p --> q`.
    pub path: TimedPath,
    /// The number of that stage: it and the next one are one delay of the run.
    pub pause: Option<usize>,
}

impl LassoTimes {
    /// The delays of a schedule for [`LassoTimes::path`], one before each transition and one at the end, in ticks.
    pub fn delays(&self, schedule: &Schedule) -> Vec<i64> {
        let mut delays = schedule.delays.clone();
        if let Some(pause) = self.pause
            && pause + 1 < delays.len()
        {
            let rest = delays.remove(pause + 1);
            delays[pause] = delays[pause].saturating_add(rest);
        }
        delays
    }
}

/// The conditions on the times of a run with a number of rounds of its cycle, so that nothing avoided holds on it and that it
/// can go on as its end says; `None` when there are no such times, which a lasso that was found never has.
///
/// # Errors
/// When the model fails on the way.
pub fn times(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    lasso: &Lasso,
    rounds: usize,
) -> Result<Option<LassoTimes>, Stop> {
    let is_ticking = !lasso.ticks.is_empty();
    let confined = question.confined(plan, Abstraction::None, is_ticking);
    let mut confined = Explorer::from(confined.recording());
    let mut free = Explorer::from(question.free(plan, Abstraction::None).recording());
    let mut layers = Layers::default();
    let mut pause = None;
    match lasso.trigger {
        Some(_) => layers.begin(&mut free)?,
        None => layers.begin(&mut confined)?,
    }
    let first = lasso.prefix.len();
    let cycle = lasso.cycle.len();
    for number in 0..=first + cycle * rounds {
        if let Some(trigger) = &question.trigger
            && lasso.trigger == Some(number)
        {
            pause = Some(number);
            if !layers.change(&mut free, &mut confined, trigger)? {
                return Ok(None);
            }
        }
        if number == first + cycle * rounds {
            break;
        }
        let at = if number < first {
            number
        } else {
            first + (number - first) % cycle
        };
        let transition = lasso.prefix.get(at).or_else(|| lasso.cycle.get(at - first));
        let is_free = lasso.trigger.is_some_and(|trigger| number < trigger);
        let explorer = if is_free { &mut free } else { &mut confined };
        let tick = lasso.ticks.get(number).or_else(|| lasso.ticks.get(at));
        let is_tick = tick.copied().filter(|_| !is_free);
        let is_there = layers.advance(explorer, |step| {
            transition.is_some_and(|t| step.is(t)) && is_tick.is_none_or(|tick| tick == step.is_tick)
        })?;
        if !is_there {
            return Ok(None);
        }
    }
    let (graph, scratch) = confined.parts();
    for (state, node) in &layers.current {
        let points = match lasso.end {
            LassoEnd::Cycle => {
                let path = layers.timed_path(plan, usize::from(is_ticking), *node, &[]);
                return Ok(Some(LassoTimes { path, pause }));
            }
            LassoEnd::Endless => graph.endless(scratch, state)?,
            LassoEnd::Deadlock => graph.stuck(scratch, state)?,
        };
        if let Some(zone) = points.iter().next() {
            let exit = named(zone, &state.clocks);
            let path = layers.timed_path(plan, usize::from(is_ticking), *node, &exit);
            return Ok(Some(LassoTimes { path, pause }));
        }
    }
    Ok(None)
}
