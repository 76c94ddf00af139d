//! Shorter traces: a walk wanders, and most of what it does is not needed for where it arrives.
//!
//! First whole periods are cut out where the run has any (`periodic`), then cycles (two moments with the same locations and
//! variables), then steps are dropped in ever smaller pieces (delta debugging): each attempt walks again along what is left,
//! and leaves out what has become impossible. In the end delays become whole numbers where that works. An attempt that leaves out steps late in the run goes on from a moment
//! shortly before, of which the state was kept. Effort is counted in steps, not seconds, so that the same seed gives the
//! same trace everywhere.

use crate::goal::WalkGoal;
use crate::plan::WalkPlan;
use crate::run::retime::{retime, retime_fault};
use crate::search::{Failed, FoundWalk};
use crate::shrink::follow::{Follower, Moment, PlannedStep, Target, Timing, planned_steps};
use crate::state::State;
use crate::walker::{Record, Walker};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::time::Instant;
use zonewalk_network::Transition;
use zonewalk_run::Run;

pub use crate::run::retime::Objective;
pub use fewest::fewest_steps;

mod fewest;
pub(crate) mod follow;
pub(crate) mod imitate;
mod periodic;
pub(crate) mod periods;

/// A trace after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The trace. It reaches the goal as the found one does.
    pub run: Run,
    /// Its transitions at simpler or earlier times. They follow from conditions on clocks and were not walked: it
    /// counts only when it replays.
    pub retimed: Option<Run>,
    /// Its cost, in steps of a small model; attempts in vain that were given back do not count.
    pub effort: u64,
    /// Cost of another walk that is shorter by a step.
    pub walk_effort: u64,
    /// No run to the goal has fewer steps: a trace that has no more is a shortest one.
    pub fewest_steps: u64,
    record: Record,
}

impl Shrunk {
    /// The transitions of the trace, by edge instances of the network.
    pub fn transitions(&self) -> Vec<Transition> {
        self.record.transitions()
    }
}

/// How much may go into a shorter trace.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Steps of a small model, about, or what costs as much.
    pub budget: u64,
    /// No longer than until then.
    pub deadline: Option<Instant>,
}

/// Makes a trace shorter (or faster) by walking along it again and again.
pub fn shrink(
    plan: &WalkPlan<'_>,
    goal: &WalkGoal,
    found: &FoundWalk,
    means: Means,
    objective: Objective,
) -> Shrunk {
    let budget = means.budget;
    let fewest_steps = fewest_steps(plan, goal);
    let unchanged = || Shrunk {
        run: found.run.clone(),
        retimed: retime(plan, goal, &found.record, found.run.duration(), objective),
        effort: 0,
        walk_effort: found.run.steps.len() as u64,
        fewest_steps,
        record: found.record.clone(),
    };
    let Some(mut shrinker) = Shrinker::new(plan, Target::Goal(goal), means, objective) else {
        return unchanged();
    };
    if objective == Objective::Steps {
        shrinker.enough = fewest_steps;
    }
    let steps = planned_steps(&found.record);
    if !shrinker.attempt(&steps, Timing::AsPlanned) {
        return unchanged();
    }
    if objective == Objective::Time {
        shrinker.attempt(&steps, Timing::Early);
    }
    let has_periods = shrinker.cut_periods();
    shrinker.cut_cycles();
    shrinker.drop_pieces();
    // What is left of the budget is for other walks, unless this is known to work.
    if has_periods {
        shrinker.trim();
    }
    shrinker.tidy();
    let given_back = shrinker.budget - budget;
    let effort = shrinker.follower.effort().saturating_sub(given_back);
    match shrinker.best {
        Some(best) => {
            let run = best.record.run(plan, best.record.steps.len(), best.at);
            let retimed = retime(plan, goal, &best.record, best.at, objective);
            let shorter = (run.steps.len() as u64).saturating_sub(1);
            Shrunk {
                run,
                retimed,
                effort,
                walk_effort: shrinker.follower.walk_effort(shorter),
                fewest_steps,
                record: best.record,
            }
        }
        None => unchanged(),
    }
}

/// Makes the run to a run-time error shorter, by walking along it until the same error is met again. Its times are those of
/// a walk, or simpler ones, which count only when they replay.
///
/// `goal` is what may fail; none where the model does.
pub fn shrink_fault(
    plan: &WalkPlan<'_>,
    failed: &Failed,
    goal: Option<&WalkGoal>,
    means: Means,
) -> Option<(Failed, Option<Run>)> {
    let sought = Target::Fault(failed, goal.filter(|_| failed.attempt.parts.is_empty()));
    let mut shrinker = Shrinker::new(plan, sought, means, Objective::Steps)?;
    let steps = shrinker.all_planned_steps(&failed.found.record, failed.found.run.duration());
    if !shrinker.attempt(&steps, Timing::AsPlanned) {
        return None;
    }
    shrinker.cut_cycles();
    shrinker.drop_pieces();
    shrinker.tidy();
    let best = shrinker.best?;
    let found = FoundWalk {
        walk: failed.found.walk,
        run: best.record.run(plan, best.record.steps.len(), best.at),
        record: best.record,
    };
    let retimed = retime_fault(plan, &found);
    let failed = Failed {
        found,
        ..failed.clone()
    };
    Some((failed, retimed))
}

/// How many moments of a run are kept at most, and how many cells they may have together.
const MOST_MOMENTS: usize = 32;
const MOMENT_CELLS: usize = 1 << 22;

/// The best run so far.
struct Best {
    steps: Vec<PlannedStep>,
    record: Record,
    /// When the goal holds.
    at: i64,
    /// How its instants were chosen: following its steps in this way gives the same run.
    timing: Timing,
    /// Fingerprints of the discrete states on the way, once they are needed.
    states: Vec<u64>,
    /// When each of them is seen.
    moments: HashMap<u64, Vec<usize>, Hasher>,
}

struct Shrinker<'p, 'g> {
    follower: Follower<'p, 'g>,
    budget: u64,
    objective: Objective,
    /// A run of so few steps is as good as any.
    enough: u64,
    best: Option<Best>,
    /// Moments of the best run, in order.
    moments: Vec<Moment>,
    most_moments: usize,
    /// Transition to be tried after the run so that it fails.
    attempt: Option<Transition>,
}

type Hasher = BuildHasherDefault<DefaultHasher>;

impl<'p, 'g> Shrinker<'p, 'g> {
    fn new(plan: &'p WalkPlan<'p>, sought: Target<'g>, means: Means, objective: Objective) -> Option<Self> {
        let attempt = match sought {
            Target::Fault(failed, _) if !failed.attempt.parts.is_empty() => Some(failed.attempt.clone()),
            _ => None,
        };
        Some(Shrinker {
            follower: Follower::new(plan, sought, means.deadline)?,
            budget: means.budget,
            objective,
            enough: 0,
            best: None,
            moments: Vec::new(),
            most_moments: (MOMENT_CELLS / State::size(plan)).clamp(1, MOST_MOMENTS),
            attempt,
        })
    }

    /// The steps of a record that ends at an instant, with what must be tried then.
    fn all_planned_steps(&self, record: &Record, end: i64) -> Vec<PlannedStep> {
        let mut all = planned_steps(record);
        if let Some(attempt) = &self.attempt {
            all.push(PlannedStep {
                delay: end - record.steps.last().map_or(0, |step| step.at),
                parts: attempt.parts.clone(),
                selects: attempt.selects.clone(),
            });
        }
        all
    }

    fn timing(&self) -> Timing {
        match self.objective {
            Objective::Steps => Timing::AsPlanned,
            Objective::Time => Timing::Early,
        }
    }

    /// Whether nothing more is to be tried: the means are used up, or no run is better.
    fn is_over(&self) -> bool {
        let is_best = |best: &Best| best.record.steps.len() as u64 <= self.enough;
        self.best.as_ref().is_some_and(is_best)
            || self.follower.effort() >= self.budget
            || self.follower.is_late()
    }

    /// Walks along some steps; true when that reaches the goal and is better than what is known.
    fn attempt(&mut self, steps: &[PlannedStep], timing: Timing) -> bool {
        let Some(at) = self.follower.follow(steps.iter(), timing, |_, _| {}) else {
            return false;
        };
        let is_better = self.keep(at, timing);
        if is_better {
            self.moments.clear();
        }
        is_better
    }

    /// Walks along the best run without some of its steps; true when that is better.
    fn attempt_without(&mut self, start: usize, end: usize) -> bool {
        let timing = self.timing();
        let Some(best) = self.best.as_ref() else {
            return false;
        };
        let all = best.steps.len();
        let distance = all / self.most_moments + 1;
        // What is kept is a moment of this very run only when the run repeats itself.
        let is_same = best.timing == timing;
        let last = self.moments.iter().rposition(|m| m.steps <= start);
        let last_steps = last.map_or(0, |m| self.moments[m].steps);
        let mut new = Vec::new();
        let see = |walker: &Walker<'_>, number: usize| {
            let steps = number + 1;
            if is_same && steps <= start && steps >= last_steps + (new.len() + 1) * distance {
                new.push(Moment::of(walker));
            }
        };
        let at = match last {
            Some(last) => {
                let from = &self.moments[last];
                let planned_steps = best.steps[from.steps..start].iter().chain(&best.steps[end..]);
                self.follower
                    .follow_from(from, &best.record, planned_steps, timing, see)
            }
            None => {
                let planned_steps = best.steps[..start].iter().chain(&best.steps[end..]);
                self.follower.follow(planned_steps, timing, see)
            }
        };
        let next = last.map_or(0, |l| l + 1);
        self.moments.splice(next..next, new);
        let is_better = at.is_some_and(|at| self.keep(at, timing));
        if is_better {
            self.moments.retain(|m| m.steps <= start);
        }
        is_better
    }

    fn keep(&mut self, at: i64, timing: Timing) -> bool {
        let record = &self.follower.walker.record;
        let measure = |steps: usize, at: i64| match self.objective {
            Objective::Steps => (steps as i64, at),
            Objective::Time => (at, steps as i64),
        };
        let new = measure(record.steps.len(), at);
        let is_better = self
            .best
            .as_ref()
            .is_none_or(|b| new < measure(b.record.steps.len(), b.at));
        if is_better {
            self.best = Some(Best {
                steps: self.all_planned_steps(record, at),
                record: record.clone(),
                at,
                timing,
                states: Vec::new(),
                moments: HashMap::default(),
            });
        }
        is_better
    }

    /// Cuts stretches between two moments with the same discrete state: first those of about the whole length, then of half
    /// of it, and so on.
    fn cut_cycles(&mut self) {
        let mut length = self.best.as_ref().map_or(0, |b| b.steps.len());
        while length >= 2 && !self.is_over() {
            let mut from = 0;
            while let Some((start, end)) = self.cycle(from, length) {
                let is_cut = self.attempt_without(start, end);
                // After a cut the same place may allow another one; otherwise somewhere else is tried.
                from = if is_cut {
                    start
                } else {
                    start + (length / 2).max(1)
                };
                if self.is_over() {
                    return;
                }
            }
            length /= 2;
        }
    }

    /// The first stretch from `from` on, between half of `length` and all of it, that begins and ends in the same state.
    fn cycle(&mut self, from: usize, length: usize) -> Option<(usize, usize)> {
        let best = self.best.as_mut()?;
        if best.states.is_empty() {
            let steps = std::mem::take(&mut best.steps);
            let states = self.discrete_states(&steps);
            let best = self.best.as_mut()?;
            best.steps = steps;
            for (moment, state) in states.iter().enumerate() {
                best.moments.entry(*state).or_default().push(moment);
            }
            best.states = states;
        }
        let best = self.best.as_ref()?;
        (from..best.states.len()).find_map(|start| {
            let moments = &best.moments[&best.states[start]];
            let within = moments.partition_point(|&m| m <= start + length);
            let end = moments[within - 1];
            (end >= start + (length / 2).max(1)).then_some((start, end))
        })
    }

    /// A fingerprint of locations and variables before each step, and after the last.
    fn discrete_states(&mut self, steps: &[PlannedStep]) -> Vec<u64> {
        let cells = self.follower.walker.plan.network.layout.state as usize;
        let hasher = Hasher::default();
        let mut states = vec![hasher.hash_one(&self.follower.walker.plan.network.memory()[..cells])];
        self.follower.follow(steps.iter(), self.timing(), |walker, _| {
            states.push(hasher.hash_one(&walker.state.memory[..cells]));
        });
        states
    }

    /// Drops pieces of half the length, a quarter, and so on down to single steps, from the end.
    fn drop_pieces(&mut self) {
        let mut piece = self.best.as_ref().map_or(0, |b| b.steps.len() / 2).max(1);
        loop {
            let mut improved = false;
            let mut end = self.best.as_ref().map_or(0, |b| b.steps.len());
            while end > 0 && !self.is_over() {
                let Some(best) = &self.best else { return };
                end = end.min(best.steps.len());
                let start = end.saturating_sub(piece);
                improved |= self.attempt_without(start, end);
                end = start;
            }
            if self.is_over() || (piece == 1 && !improved) {
                return;
            }
            piece = if improved && piece == 1 {
                1
            } else {
                (piece / 2).max(1)
            };
        }
    }

    /// Delays as whole numbers where the goal is still reached by as many steps.
    fn tidy(&mut self) {
        let Some(best) = &self.best else { return };
        let (steps, count, at) = (best.steps.clone(), best.record.steps.len(), best.at);
        let Some(tidy_at) = self.follower.follow(steps.iter(), Timing::Whole, |_, _| {}) else {
            return;
        };
        let record = &self.follower.walker.record;
        let is_as_good = record.steps.len() <= count && (self.objective == Objective::Steps || tidy_at <= at);
        if is_as_good {
            self.best = Some(Best {
                steps: self.all_planned_steps(record, tidy_at),
                record: record.clone(),
                at: tidy_at,
                timing: Timing::Whole,
                states: Vec::new(),
                moments: HashMap::default(),
            });
        }
    }
}
