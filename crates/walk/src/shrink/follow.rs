//! Walking along a given list of steps, as far as it goes.

use crate::Stop;
use crate::enabled::candidate::{Candidate, fitting, list_ready};
use crate::enabled::firings::{Firings, is_open, receivers};
use crate::enabled::priority::PriorityFilter;
use crate::goal::{WalkGoal, Watch};
use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Delays;
use crate::plan::WalkPlan;
use crate::search::Failed;
use crate::state::State;
use crate::time::{FOREVER, Window};
use crate::walker::effort;
use crate::walker::{Fired, Record, Walker};
use std::time::Instant;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;

/// A step to be followed: who, and how long to wait before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedStep {
    /// In ticks, after the step before.
    pub(crate) delay: i64,
    /// Edge instances: the initiator's, then the receivers'.
    pub(crate) parts: Vec<InstanceId>,
    pub(crate) selects: Vec<i32>,
}

/// The steps of a record as planned steps.
pub(crate) fn planned_steps(record: &Record) -> Vec<PlannedStep> {
    let mut now = 0;
    (0..record.steps.len())
        .map(|index| {
            let (parts, selects) = record.step(index);
            let delay = record.steps[index].at - now;
            now = record.steps[index].at;
            PlannedStep {
                delay,
                parts: parts.to_vec(),
                selects: selects.to_vec(),
            }
        })
        .collect()
}

/// A moment of a run in which every planned step was taken: where it can go on in another way.
pub(crate) struct Moment {
    /// Number of steps that lead there.
    pub(crate) steps: usize,
    state: State,
}

impl Moment {
    pub(crate) fn of(walker: &Walker<'_>) -> Self {
        Moment {
            steps: walker.record.steps.len(),
            state: walker.state.clone(),
        }
    }
}

/// Purpose for which a run is followed.
#[derive(Clone, Copy)]
pub(crate) enum Target<'g> {
    Goal(&'g WalkGoal),
    /// The run-time error again, perhaps one of a goal.
    Fault(&'g Failed, Option<&'g WalkGoal>),
}

/// How the instant of a step is chosen in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// As close as possible to what is planned.
    AsPlanned,
    /// As early as possible.
    Early,
    /// A whole number of units close to what is planned where there is one.
    Whole,
}

/// Follows planned steps and leaves out what is not possible.
pub(crate) struct Follower<'p, 'g> {
    pub(crate) walker: Walker<'p>,
    /// None where a run-time error of the model is looked for.
    watch: Option<Watch<'g>>,
    mentions_deadlock: bool,
    candidates: Vec<Candidate>,
    sieve: PriorityFilter,
    /// Steps taken in all, and what costs as much; see [`Follower::effort`].
    pub(crate) steps: u64,
    /// Wishes that were taken, and those that were not possible.
    taken: u64,
    refused: u64,
    /// Cost of a return to an earlier state, in steps.
    restart: u64,
    /// When there is no more time.
    deadline: Option<Instant>,
}

/// Number of impossible planned steps that cost as much as a step.
const REFUSALS_PER_STEP: u64 = 4;
/// How often the clock is examined, in planned steps.
const PATIENCE: usize = 256;

impl<'p, 'g> Follower<'p, 'g> {
    pub(crate) fn new(plan: &'p WalkPlan<'p>, sought: Target<'g>, deadline: Option<Instant>) -> Option<Self> {
        let mut walker = Walker::new(plan).ok()??;
        let goal = match sought {
            Target::Goal(goal) => Some(goal),
            Target::Fault(failed, goal) => {
                walker.sought = Some(failed.stop);
                goal
            }
        };
        Some(Follower {
            walker,
            watch: goal.map(Watch::new),
            mentions_deadlock: goal.is_some_and(WalkGoal::mentions_deadlock),
            candidates: Vec::new(),
            sieve: PriorityFilter::default(),
            steps: 0,
            taken: 0,
            refused: 0,
            restart: effort::of_restart(plan),
            deadline,
        })
    }

    /// Cost of all of this, in steps of a small model. Counted and not measured, so that it is the same everywhere.
    pub(crate) fn effort(&self) -> u64 {
        self.steps + self.walker.extra_effort() + self.refused / REFUSALS_PER_STEP
    }

    /// Cost of a walk with that many steps, as far as that is known by now.
    pub(crate) fn walk_effort(&self, steps: u64) -> u64 {
        let step = (self.effort() / self.taken.max(1)).max(1);
        1 + self.restart + steps.saturating_mul(step)
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Follows the planned steps from the initial state until the goal holds. The instant at which it does, or `None`; the steps
    /// that were taken are in the walker's record. `see` is called after each of them with the number of its planned step.
    pub(crate) fn follow<'w>(
        &mut self,
        planned_steps: impl Iterator<Item = &'w PlannedStep>,
        timing: Timing,
        see: impl FnMut(&Walker<'p>, usize),
    ) -> Option<i64> {
        self.walker.fault = None;
        self.walker.restart();
        self.steps += self.restart;
        self.go_on(0, planned_steps, timing, see)
    }

    /// Follows from a moment of an earlier run, of which `record` has the steps. The planned steps are those that follow.
    pub(crate) fn follow_from<'w>(
        &mut self,
        moment: &Moment,
        record: &Record,
        planned_steps: impl Iterator<Item = &'w PlannedStep>,
        timing: Timing,
        see: impl FnMut(&Walker<'p>, usize),
    ) -> Option<i64> {
        self.walker.fault = None;
        self.walker.state.restore(&moment.state);
        self.steps += self.restart;
        self.walker.record.copy_first(record, moment.steps);
        self.go_on(moment.steps, planned_steps, timing, see)
    }

    fn go_on<'w>(
        &mut self,
        first: usize,
        planned_steps: impl Iterator<Item = &'w PlannedStep>,
        timing: Timing,
        mut see: impl FnMut(&Walker<'p>, usize),
    ) -> Option<i64> {
        let mut wished = first;
        for (number, wish) in (first..).zip(planned_steps) {
            if number % PATIENCE == PATIENCE - 1 && self.is_late() {
                return None;
            }
            let horizon = self.walker.horizon();
            if let Some(at) = self.check(horizon, None)? {
                return Some(at);
            }
            let last = self.walker.state.clocks.now;
            match self.take(wish, last + wish.delay, timing, horizon) {
                Ok(true) => {
                    self.steps += 1;
                    self.taken += 1;
                    wished += 1;
                    see(&self.walker, number);
                }
                Ok(false) => self.refused += 1,
                Err(_) => return None,
            }
        }
        let horizon = self.walker.horizon();
        if let Some(at) = self.check(horizon, None)? {
            return Some(at);
        }
        // A goal about deadlocks needs one at the end, or none, which is only known when all that can be done is.
        if self.mentions_deadlock {
            let mut firings = Firings::default();
            if let Some(alive) = firings.last_known_chance(&mut self.walker, horizon, &mut self.candidates)
                && let Some(at) = self.check(alive, Some(false))?
            {
                return Some(at);
            }
            if let Some(span) = Firings::default().silence(&mut self.walker, horizon, &mut self.candidates) {
                let (plan, state) = (self.walker.plan, &mut self.walker.state);
                return self.watch.as_mut()?.check_silence(plan, state, span).ok()?;
            }
            if wished > 0 && self.is_stuck(horizon) {
                return self.check(horizon, Some(true))?;
            }
        }
        None
    }

    /// The outer `None` is a run-time error of the goal.
    pub(crate) fn check(&mut self, horizon: i64, is_stuck: Option<bool>) -> Option<Option<i64>> {
        let plan = self.walker.plan;
        let met = self
            .watch
            .as_mut()
            .map(|watch| watch.check(plan, &mut self.walker.state, horizon, is_stuck));
        let Some(sought) = self.walker.sought else {
            return met?.ok();
        };
        match met {
            Some(Err(stop)) if stop == sought => Some(Some(self.walker.state.clocks.now)),
            _ => Some(self.walker.fault.as_ref().map(|fault| fault.at)),
        }
    }

    fn is_stuck(&mut self, horizon: i64) -> bool {
        let mut chooser = Chooser::new(Heuristic::Ret, Coverage::new(self.walker.plan));
        chooser.begin(Random::for_walk(0, 0), Delays::Uniform.parameters(0));
        matches!(chooser.step(&mut self.walker, horizon), Ok(Step::Stuck))
    }

    /// Lists what is or will be possible.
    pub(crate) fn list(&mut self, horizon: i64, candidates: &mut Vec<Candidate>) -> Result<(), Stop> {
        self.walker.is_certain()?;
        list_ready(&self.walker, horizon, &[], candidates, &mut false);
        if self.walker.plan.network.has_priorities {
            self.sieve.sift(&mut self.walker, candidates, None);
            candidates.retain(|c| !c.window.is_empty());
        }
        Ok(())
    }

    /// Takes a step if it is possible, at an instant close to what is planned.
    pub(crate) fn take(
        &mut self,
        wish: &PlannedStep,
        at: i64,
        timing: Timing,
        horizon: i64,
    ) -> Result<bool, Stop> {
        self.walker.is_certain()?;
        let plan = self.walker.plan;
        let (initiator, rest) = (wish.parts[0], &wish.parts[1..]);
        if wish.parts.iter().any(|&p| !self.is_ready(p)) {
            return Ok(false);
        }
        let channel = self.walker.state.edges[initiator.index()].channel;
        let is_broadcast = plan.is_broadcast(plan.edge(initiator), channel);
        let partner = if is_broadcast { None } else { rest.first().copied() };
        let edges = &self.walker.state.edges;
        if rest.iter().any(|p| edges[p.index()].channel != channel) {
            return Ok(false);
        }
        let Some(mut window) = self.window(initiator, partner, horizon, at)? else {
            return Ok(false);
        };
        for _ in 0..2 {
            let Some(instant) = instant(window, at, timing, self.walker.state.clocks.now, plan.unit) else {
                return Ok(false);
            };
            let parts = if is_broadcast {
                self.receivers(&wish.parts, instant)
            } else {
                wish.parts.clone()
            };
            // Values of selects belong to the parts that they were drawn for.
            let selects = if parts == wish.parts {
                wish.selects.clone()
            } else {
                self.smallest_selects(&parts)
            };
            match self.walker.fire(instant, &parts, &selects)? {
                Fired::Yes => return Ok(true),
                Fired::Only(allowed) => window = window.and(allowed),
                Fired::Failed(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    pub(crate) fn is_ready(&self, edge: InstanceId) -> bool {
        let state = &self.walker.state;
        let plan_edge = self.walker.plan.edge(edge);
        state.is_ready(self.walker.plan, edge) && state.location(plan_edge.process) == plan_edge.source
    }

    /// The window of a candidate; with priorities, that piece of it which is closest to what is planned.
    fn window(
        &mut self,
        initiator: InstanceId,
        partner: Option<InstanceId>,
        horizon: i64,
        wish: i64,
    ) -> Result<Option<Window>, Stop> {
        let Some(candidate) =
            fitting(&self.walker, initiator, partner, horizon).filter(|c| !c.window.is_empty())
        else {
            return Ok(None);
        };
        if !self.walker.plan.network.has_priorities {
            return Ok(Some(candidate.window));
        }
        let Window { lo, hi } = candidate.window;
        let wish = wish.clamp(lo + (lo & 1), hi & !1);
        list_ready(&self.walker, horizon, &[], &mut self.candidates, &mut false);
        let only = Some((initiator, partner));
        self.sieve.sift(&mut self.walker, &mut self.candidates, only);
        let pieces = self.candidates.iter().map(|c| c.window);
        let distance = |w: &Window| (w.lo - wish).max(wish - w.hi).max(0);
        Ok(pieces.filter(|w| !w.is_empty()).min_by_key(distance))
    }

    /// Receivers of a broadcast at an instant: every ready process, by the edge that was wished for where it is ready.
    fn receivers(&self, wished: &[InstanceId], at: i64) -> Vec<InstanceId> {
        let open = receivers(&self.walker, wished[0]).filter(|&r| is_open(&self.walker, r, at));
        let mut ready: Vec<InstanceId> = open.collect();
        ready.sort_unstable();
        let groups = self.walker.plan.by_process(&ready);
        let edge = |group: &[InstanceId]| {
            *group
                .iter()
                .find(|r| wished[1..].contains(r))
                .unwrap_or(&group[0])
        };
        std::iter::once(wished[0]).chain(groups.map(edge)).collect()
    }

    pub(crate) fn smallest_selects(&self, parts: &[InstanceId]) -> Vec<i32> {
        let mut values = Vec::new();
        self.walker.plan.first_selects(parts, &mut values);
        values
    }
}

/// An instant of a window close to a planned one; `None` when it has none.
fn instant(window: Window, wish: i64, timing: Timing, now: i64, unit: i64) -> Option<i64> {
    let window = window.and(Window { lo: now, hi: FOREVER });
    if window.is_empty() {
        return None;
    }
    let (lo, hi) = (window.lo + (window.lo & 1), window.hi & !1);
    // A strict bound is approached by a fraction that is easy to read.
    let inside = |from_below: bool| {
        let step = (unit / 2).min((hi - lo) / 2) & !1;
        if from_below { lo + step } else { hi - step }
    };
    let lowest = if window.lo & 1 == 1 && hi > lo {
        inside(true)
    } else {
        lo
    };
    let highest = if window.hi != FOREVER && window.hi & 1 == 1 && hi > lo {
        inside(false).max(lo)
    } else {
        hi
    };
    let close = match timing {
        Timing::Early => lowest,
        Timing::AsPlanned => wish.clamp(lo, hi),
        Timing::Whole => {
            let near = wish.clamp(lo, hi);
            let down = near.div_euclid(unit) * unit;
            let up = down + unit;
            match (down >= lo, up <= hi) {
                (true, true) if near - down <= up - near => down,
                (true, false) => down,
                (_, true) => up,
                _ if near == lo => lowest,
                _ if near == hi => highest,
                _ => near,
            }
        }
    };
    Some(close)
}
