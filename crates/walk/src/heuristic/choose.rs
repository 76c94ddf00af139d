//! How the heuristics choose among the candidates for the next transition (FMICS 2021, section 2).

mod draw;
mod instant;
mod list;

use crate::Stop;
use crate::enabled::candidate::{Candidate, draw_weighted};
use crate::enabled::firings::{Drawn, Firings, Pieces, is_open, receivers};
use crate::enabled::priority::PriorityFilter;
use crate::heuristic::commit::Commitments;
use crate::heuristic::coverage::{Coverage, Granularity};
#[cfg(doc)]
use crate::heuristic::schedule::Schedule;
use crate::heuristic::schedule::{Distribution, WalkParameters};
use crate::heuristic::smc::{self, Meets};
use crate::plan::Role;
use crate::time::{FOREVER, Window};
use crate::walker::{Fired, Walker};
use instant::is_broadcast;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;

/// How the next transition and its delay are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Semantic exploration: a meaningful delay, then a transition that is enabled then.
    Sem,
    /// A uniformly random transition that is or will be enabled, then a delay from its window.
    Ret,
    /// RET among the edges that this walk has initiated least.
    Rlc,
    /// RLC with counts over the last few cycles of walks of the thread; by [`Schedule::Paper`] over all walks.
    RlcA,
    /// The stochastic semantics: a race of the processes.
    Smc,
    /// Commitment: every process keeps to the edge and the instant that it has drawn in its location.
    Com,
    /// Walks by [`Heuristic::Com`] and [`Heuristic::Ret`] that begin where others came close to the goal.
    Guided,
}

impl Heuristic {
    /// Whether it draws the delay from the window of a transition, by a distribution of its own.
    pub fn draws_from_windows(self) -> bool {
        match self {
            Heuristic::Ret | Heuristic::Rlc | Heuristic::RlcA => true,
            Heuristic::Sem | Heuristic::Smc | Heuristic::Com | Heuristic::Guided => false,
        }
    }
}

/// Number of times in a step that a transition is drawn anew when the invariants of its target refuse what was drawn for it: who receives,
/// and the values of selects. What is refused is as if it were not there, so that all others keep the same chance.
pub(crate) const REDRAWS: u32 = 64;

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Taken,
    /// The goal was met at this instant, while time passed.
    Met(i64),
    /// No transition is or will be enabled.
    Stuck,
    /// One would be enabled, but at no instant of the grid.
    OffGrid,
}

/// The random part of a walk.
pub(crate) struct Chooser {
    pub(crate) heuristic: Heuristic,
    pub(crate) random: Random,
    pub(crate) distribution: Option<Distribution>,
    /// A window without an end is entered as early as possible.
    is_prompt: bool,
    /// The end of windows that have none.
    open: i64,
    /// How far delays must reach for the goal.
    reach: i64,
    grain: Granularity,
    generation: u64,
    coverage: Coverage,
    pub(crate) candidates: Vec<Candidate>,
    /// Candidates that are covered least, each with its number of transitions.
    least: Vec<(u32, u64)>,
    /// Candidates that could not be taken because of the invariants of their targets.
    refused: Vec<Candidate>,
    /// A candidate is enabled only between two instants of the grid.
    pub(crate) missed: bool,
    /// A candidate of this step could not be taken because it fails.
    pub(crate) failed: Option<Stop>,
    pub(crate) parts: Vec<InstanceId>,
    /// Edges that may receive.
    receivers: Vec<InstanceId>,
    pub(crate) selects: Vec<i32>,
    /// These could have been others for the same candidate.
    pub(crate) has_choice: bool,
    /// How often in this step they were drawn anew.
    redraws: u32,
    /// Nothing is taken before the observer has seen what was chosen, and when.
    is_pausing: bool,
    paused: Option<(Candidate, i64)>,
    pub(crate) smc: smc::Scratch,
    pieces: Vec<(i64, i64)>,
    stretches: Pieces,
    sieve: PriorityFilter,
    pub(crate) firings: Firings,
    pub(crate) commitments: Commitments,
}

impl Chooser {
    pub(crate) fn new(heuristic: Heuristic, coverage: Coverage) -> Self {
        Chooser {
            heuristic,
            random: Random::for_walk(0, 0),
            distribution: None,
            is_prompt: false,
            grain: Granularity::Process,
            generation: 0,
            coverage,
            candidates: Vec::new(),
            least: Vec::new(),
            refused: Vec::new(),
            missed: false,
            failed: None,
            parts: Vec::new(),
            receivers: Vec::new(),
            selects: Vec::new(),
            has_choice: false,
            redraws: 0,
            is_pausing: false,
            paused: None,
            open: FOREVER,
            reach: 0,
            smc: smc::Scratch::default(),
            pieces: Vec::new(),
            stretches: Pieces::default(),
            sieve: PriorityFilter::default(),
            firings: Firings::default(),
            commitments: Commitments::default(),
        }
    }

    /// Lets delays reach farther than the model asks for, because a goal does.
    pub(crate) fn reach_for(&mut self, ticks: i64) {
        self.reach = ticks;
    }

    /// Prepares for another walk.
    pub(crate) fn begin(&mut self, random: Random, parameters: WalkParameters) {
        self.random = random;
        self.distribution = parameters.distribution;
        self.is_prompt = parameters.is_prompt;
        self.grain = parameters.grain;
        self.open = FOREVER;
        self.commitments.begin(parameters.turned);
        if self.heuristic == Heuristic::Rlc || self.generation != parameters.generation {
            self.generation = parameters.generation;
            self.coverage.clear();
        }
    }

    /// Coverage counted so far.
    pub(crate) fn into_coverage(self) -> Coverage {
        self.coverage
    }

    /// Nothing but the end of the search, at the instant `last`, ends windows that reach until then.
    #[inline]
    pub(crate) fn set_open(&mut self, last: i64) {
        self.open = last;
    }

    /// See [`Firings::last_known_chance`].
    pub(crate) fn last_known_chance(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Option<i64> {
        self.firings
            .last_known_chance(walker, horizon, &mut self.candidates)
    }

    /// See [`Firings::silence`].
    pub(crate) fn silence(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Option<Window> {
        self.firings.silence(walker, horizon, &mut self.candidates)
    }

    /// Makes one step. Requires: the heuristic chooses single steps, unlike [`Heuristic::Smc`] and
    /// [`Heuristic::Guided`].
    #[inline(always)]
    pub(crate) fn step(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Step, Stop> {
        walker.is_certain()?;
        self.refused.clear();
        self.missed = false;
        self.failed = None;
        self.redraws = 0;
        self.try_some(walker, horizon)
    }

    /// Steps where the goal has not been checked beyond now: `meets` is asked about the delay before it passes.
    #[inline(never)]
    pub(crate) fn step_meeting(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
        meets: &mut Meets<'_>,
    ) -> Result<Step, Stop> {
        self.is_pausing = true;
        let mut step = self.step(walker, horizon);
        while let Some((candidate, at)) = self.paused.take() {
            if let Some(at) = meets(&mut walker.state, at) {
                step = Ok(Step::Met(at));
                break;
            }
            step = self.go_on(walker, horizon, (candidate, at));
        }
        self.is_pausing = false;
        step
    }

    /// Chooses, takes, and chooses again where what was chosen cannot be taken. There is one copy of this loop, because the
    /// compiler does better with it: a caller that needs to know what was chosen lets it pause.
    #[inline(never)]
    fn try_some(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Step, Stop> {
        loop {
            let chosen = match self.heuristic {
                Heuristic::Sem => self.semantic(walker, horizon)?,
                Heuristic::Ret | Heuristic::Smc | Heuristic::Guided => self.uniform(walker, horizon)?,
                Heuristic::Rlc | Heuristic::RlcA => self.least_covered(walker, horizon)?,
                Heuristic::Com => self.committed(walker, horizon)?,
            };
            let Some((candidate, at)) = chosen else {
                return self.try_all(walker, horizon);
            };
            if self.is_pausing {
                self.paused = Some((candidate, at));
                return Ok(Step::Stuck);
            }
            let is_alone = walker.plan.edge(candidate.initiator).own.is_alone;
            if self.take(walker, candidate, at, is_alone)? {
                self.cover(walker, candidate);
                return Ok(Step::Taken);
            }
            if !self.draws_anew(walker, candidate.initiator) {
                self.refused.push(candidate);
            }
        }
    }

    /// Takes what was chosen before a pause, or chooses again.
    #[inline(never)]
    fn go_on(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
        (candidate, at): (Candidate, i64),
    ) -> Result<Step, Stop> {
        if self.take(walker, candidate, at, false)? {
            self.cover(walker, candidate);
            return Ok(Step::Taken);
        }
        if !self.draws_anew(walker, candidate.initiator) {
            self.refused.push(candidate);
        }
        self.try_some(walker, horizon)
    }

    /// Whether another draw for a candidate may fare better, after the invariants of the target have forbidden one.
    #[cold]
    #[inline(never)]
    fn draws_anew(&mut self, walker: &Walker<'_>, initiator: InstanceId) -> bool {
        let is_alone = walker.plan.edge(initiator).own.is_alone;
        let may_differ = !is_alone && self.has_choice && self.redraws < REDRAWS;
        self.redraws += u32::from(may_differ);
        may_differ
    }

    /// When nothing that was drawn could be taken: tries every way to take any of the candidates that were refused, because
    /// the next state may depend on who receives and on values of selects. A walk is stuck only when none of them exists.
    #[cold]
    fn try_all(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Step, Stop> {
        if !self.refused.is_empty() {
            self.refused.clear();
            self.list_pieces(walker, horizon)?;
            for i in 0..self.candidates.len() {
                let candidate = self.candidates[i];
                match self.firings.draw(walker, candidate, &mut self.random) {
                    Ok(Drawn::None) => {}
                    Ok(Drawn::Unknown) => self.missed = true,
                    Ok(Drawn::Firing(window)) => {
                        let at = self.delay(walker, window);
                        if walker.fire(at, &self.firings.parts, &self.firings.selects)? == Fired::Yes {
                            self.cover(walker, candidate);
                            return Ok(Step::Taken);
                        }
                        self.missed = true;
                    }
                    Err(stop) => self.failed = Some(stop),
                }
            }
        }
        // Nothing is left but what fails: that is not a deadlock.
        match self.failed.or(walker.failing()) {
            Some(stop) => Err(stop),
            None if self.missed => Ok(Step::OffGrid),
            None => Ok(Step::Stuck),
        }
    }

    #[inline(always)]
    fn cover(&mut self, walker: &Walker<'_>, candidate: Candidate) {
        if matches!(self.heuristic, Heuristic::Rlc | Heuristic::RlcA) {
            self.coverage.count(walker.plan.edge(candidate.initiator));
        }
    }

    /// Takes a candidate at an instant, or at another one where the invariants of its target allow only that. False when
    /// they never do. Whether the candidate is taken as a transition by itself is up to the caller.
    #[inline(always)]
    fn take(
        &mut self,
        walker: &mut Walker<'_>,
        candidate: Candidate,
        at: i64,
        is_alone: bool,
    ) -> Result<bool, Stop> {
        let mut at = at;
        let mut window = candidate.window;
        // Each round narrows the window; the receivers of a broadcast may change with the instant, so one round need
        // not be enough.
        for round in 0..4 {
            let fired = if is_alone {
                walker.fire_alone(at, candidate.initiator)?
            } else {
                // Values of selects stay; with the instant the receivers of a broadcast change.
                if round == 0 || is_broadcast(walker, &candidate) {
                    self.assemble(walker, candidate, at)?;
                }
                walker.fire(at, &self.parts, &self.selects)?
            };
            match fired {
                Fired::Yes => return Ok(true),
                Fired::Only(allowed) => {
                    window = window.and(allowed);
                    if window.is_empty() {
                        return Ok(false);
                    }
                    at = self.delay(walker, window);
                }
                Fired::Failed(stop) => {
                    self.failed = Some(stop);
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// The edges of a transition in the order of their updates, and values for selects that only updates need.
    pub(crate) fn assemble(
        &mut self,
        walker: &mut Walker<'_>,
        candidate: Candidate,
        at: i64,
    ) -> Result<(), Stop> {
        let plan = walker.plan;
        self.parts.clear();
        self.parts.push(candidate.initiator);
        self.selects.clear();
        self.has_choice = false;
        if let Some(partner) = candidate.partner.get() {
            self.parts.push(partner);
        } else if plan.edge(candidate.initiator).role == Role::Send {
            let open = receivers(walker, candidate.initiator).filter(|&r| is_open(walker, r, at));
            self.receivers.clear();
            self.receivers.extend(open);
            self.one_per_process(walker)?;
        }
        for &part in &self.parts {
            if !plan.edge(part).has_free_selects {
                continue;
            }
            for select in plan.free_selects(part) {
                self.has_choice |= select.lo < select.hi;
                self.selects
                    .push(self.random.between(i64::from(select.lo), i64::from(select.hi)) as i32);
            }
        }
        Ok(())
    }

    /// Receivers in the order of the processes; a process with several enabled edges takes any one (`semantics.md` 11), and
    /// every transition that they are has the same chance.
    fn one_per_process(&mut self, walker: &mut Walker<'_>) -> Result<(), Stop> {
        let plan = walker.plan;
        self.receivers.sort_unstable();
        for edges in plan.by_process(&self.receivers) {
            let ways = edges.iter().map(|&edge| plan.edge(edge).own.ways);
            self.has_choice |= edges.len() > 1;
            let pick = match (edges.len(), self.heuristic) {
                (1, _) => 0,
                (_, Heuristic::Smc) => smc::pick(walker, edges, &mut self.random)?,
                _ => draw_weighted(ways, &mut self.random),
            };
            self.parts.push(edges[pick]);
        }
        Ok(())
    }
}
