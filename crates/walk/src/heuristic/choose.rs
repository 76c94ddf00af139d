//! How the heuristics choose among the candidates for the next transition (FMICS 2021, section 2).

use crate::Stop;
use crate::enabled::candidate::{Candidate, draw_weighted, drawn, list_ready};
use crate::enabled::priority::Sieve;
use crate::enabled::ways::{Drawn, Pieces, Ways, is_open, receivers};
use crate::heuristic::commit::Commitments;
use crate::heuristic::coverage::{Coverage, Grain};
use crate::heuristic::random::Random;
#[cfg(doc)]
use crate::heuristic::schedule::Schedule;
use crate::heuristic::schedule::{self, Distribution, Manner};
use crate::heuristic::smc::{self, Meets};
use crate::plan::Role;
use crate::state::{FOREVER, Window};
use crate::walker::{Fired, Walker};
use zonewalk_network::ids::InstanceId;

/// How the next transition and its delay are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Semantic exploration: a meaningful delay, then a transition that is enabled then.
    Sem,
    /// A uniformly random transition that is or will be enabled, then a delay from its window.
    Ret,
    /// The same among those whose initiating edge this walk has taken least.
    Rlc,
    /// The same, counted over the last few cycles of walks of the thread; by [`Schedule::Paper`] over all walks.
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

/// Draws before all candidates are listed. Most of the time the first or second one will do.
const DRAWS: u32 = 8;

/// So often in a step a transition is drawn anew when the invariants of its target refuse what was drawn for it: who receives,
/// and the values of selects. What is refused is as if it were not there, so that all others keep the same chance.
pub(crate) const REDRAWS: u32 = 64;

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Taken,
    /// The goal was met at this instant, while time passed.
    Met(i64),
    /// No transition is or will be enabled.
    Stuck,
    /// One would be, but at no instant of the grid.
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
    grain: Grain,
    generation: u64,
    coverage: Coverage,
    pub(crate) candidates: Vec<Candidate>,
    /// Those of them that are covered least, and how many transitions each is.
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
    /// Nothing is taken before somebody has seen what was chosen, and when.
    is_pausing: bool,
    paused: Option<(Candidate, i64)>,
    pub(crate) smc: smc::Scratch,
    pieces: Vec<(i64, i64)>,
    stretches: Pieces,
    sieve: Sieve,
    pub(crate) ways: Ways,
    pub(crate) commitments: Commitments,
}

impl Chooser {
    pub(crate) fn new(heuristic: Heuristic, coverage: Coverage) -> Self {
        Chooser {
            heuristic,
            random: Random::for_walk(0, 0),
            distribution: None,
            is_prompt: false,
            grain: Grain::Process,
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
            sieve: Sieve::default(),
            ways: Ways::default(),
            commitments: Commitments::default(),
        }
    }

    /// Lets delays reach farther than the model asks for, because a goal does.
    pub(crate) fn reach_for(&mut self, ticks: i64) {
        self.reach = ticks;
    }

    /// Prepares for another walk.
    pub(crate) fn begin(&mut self, random: Random, manner: Manner) {
        self.random = random;
        self.distribution = manner.distribution;
        self.is_prompt = manner.is_prompt;
        self.grain = manner.grain;
        self.open = FOREVER;
        self.commitments.begin(manner.turned);
        if self.heuristic == Heuristic::Rlc || self.generation != manner.generation {
            self.generation = manner.generation;
            self.coverage.clear();
        }
    }

    /// What was counted.
    pub(crate) fn into_coverage(self) -> Coverage {
        self.coverage
    }

    /// Nothing but the end of the search, at the instant `last`, ends windows that reach until then.
    #[inline]
    pub(crate) fn set_open(&mut self, last: i64) {
        self.open = last;
    }

    /// See [`Ways::silence`].
    pub(crate) fn silence(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Option<Window> {
        self.ways.silence(walker, horizon, &mut self.candidates)
    }

    /// Makes one step. Requires: the heuristic is none of those that do not choose single steps, [`Heuristic::Smc`] and
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

    /// The same where nobody has looked for the goal beyond now: `meets` is asked about the delay before it passes.
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
    /// compiler does better with it: who wants to know what was chosen lets it pause.
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
                match self.ways.draw(walker, candidate, &mut self.random) {
                    Ok(Drawn::None) => {}
                    Ok(Drawn::Unknown) => self.missed = true,
                    Ok(Drawn::Way(window)) => {
                        let at = self.delay(walker, window);
                        if walker.fire(at, &self.ways.parts, &self.ways.selects)? == Fired::Yes {
                            self.cover(walker, candidate);
                            return Ok(Step::Taken);
                        }
                        self.missed = true;
                    }
                    Err(stop) => self.failed = Some(stop),
                }
            }
        }
        // Nothing is left but what fails: that is no dead end.
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

    /// An instant for a candidate. With other receivers a broadcast is another transition (`semantics.md` 12): each has its own
    /// window, and one of them is drawn first.
    #[inline(always)]
    pub(crate) fn instant(&mut self, walker: &Walker<'_>, candidate: &Candidate) -> i64 {
        if is_broadcast(walker, candidate) {
            return self.broadcast_instant(walker, candidate);
        }
        self.delay(walker, candidate.window)
    }

    fn broadcast_instant(&mut self, walker: &Walker<'_>, candidate: &Candidate) -> i64 {
        self.stretches.split(walker, *candidate);
        let stretches = &mut self.stretches.list;
        stretches.retain(|piece| !piece.is_empty());
        let window = match stretches.len() {
            0 | 1 => candidate.window,
            count => stretches[self.random.index(count)],
        };
        self.delay(walker, window)
    }

    /// Where a window without an end is cut: nothing new happens later, neither in the model nor for the goal.
    #[inline]
    fn end_of_news(&self, walker: &Walker<'_>) -> i64 {
        let reach = walker.plan.open_end.max(self.reach);
        walker.state.clocks.now.saturating_add(reach)
    }

    /// An instant of a window by the walk's distribution. A window without an end is cut where nothing new happens, or at its
    /// beginning.
    #[inline(always)]
    fn delay(&mut self, walker: &Walker<'_>, window: Window) -> i64 {
        let lo = window.lo.max(walker.state.clocks.now);
        let hi = if window.hi == self.open && self.is_prompt {
            (lo + (lo & 1)).min(self.open)
        } else if window.hi == self.open {
            // A strict bound may be farther away than that, with a difference to a clock that stands.
            (lo + (lo & 1)).max(self.end_of_news(walker)).min(self.open)
        } else {
            window.hi
        };
        schedule::choose(
            self.distribution,
            Window { lo, hi },
            walker.plan.unit,
            &mut self.random,
        )
    }

    /// An instant of a window that reaches beyond what time may pass now, by a given distribution.
    #[inline(never)]
    pub(crate) fn instant_of(
        &mut self,
        walker: &Walker<'_>,
        window: Window,
        distribution: Option<Distribution>,
    ) -> i64 {
        let first = window.lo + (window.lo & 1);
        let hi = match window.hi {
            FOREVER if self.is_prompt => first,
            FOREVER => first.max(self.end_of_news(walker)),
            hi => hi,
        };
        let window = Window { lo: window.lo, hi };
        schedule::choose(distribution, window, walker.plan.unit, &mut self.random)
    }

    // ------------------------------------------------------------ heuristics

    /// RET: a uniform draw among the candidates that will be enabled. Drawing from all ready edges and throwing away what
    /// does not fit gives that distribution without counting them.
    #[inline(always)]
    fn uniform(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Option<(Candidate, i64)>, Stop> {
        let total = walker.state.candidates();
        let is_free = walker.state.committed.is_empty() && !walker.plan.network.has_priorities;
        if is_free && self.refused.is_empty() && total > 0 {
            for _ in 0..DRAWS {
                let point = self.random.below(total);
                if let Some(candidate) = drawn(walker, point, horizon).filter(|c| !c.window.is_empty()) {
                    let at = self.instant(walker, &candidate);
                    return Ok(Some((candidate, at)));
                }
            }
        }
        self.list(walker, horizon)?;
        if self.candidates.is_empty() {
            return Ok(None);
        }
        let candidate = self.any_of(walker, |_| true);
        let at = self.instant(walker, &candidate);
        Ok(Some((candidate, at)))
    }

    /// RLC and RLC-A.
    fn least_covered(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
    ) -> Result<Option<(Candidate, i64)>, Stop> {
        self.list(walker, horizon)?;
        let mut least = u32::MAX;
        self.least.clear();
        for (index, candidate) in (0..).zip(&self.candidates) {
            let edge = walker.plan.edge(candidate.initiator);
            let (count, mut ways) = self.coverage.of(edge, self.grain);
            if let Some(partner) = candidate.partner.get() {
                ways *= walker.plan.edge(partner).own.ways;
            }
            if count < least {
                least = count;
                self.least.clear();
            }
            if count == least {
                self.least.push((index, ways));
            }
        }
        if self.least.is_empty() {
            return Ok(None);
        }
        let ways = self.least.iter().map(|&(_, ways)| ways);
        let pick = self.least[draw_weighted(ways, &mut self.random)].0;
        let candidate = self.candidates[pick as usize];
        let at = self.instant(walker, &candidate);
        Ok(Some((candidate, at)))
    }

    /// SEM: an instant drawn uniformly from the union of all windows, then one of the candidates that are enabled then.
    fn semantic(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Option<(Candidate, i64)>, Stop> {
        self.list(walker, horizon)?;
        let end = self.end_of_news(walker);
        self.pieces.clear();
        self.pieces.extend(self.candidates.iter().map(|c| {
            let first = c.window.lo + (c.window.lo & 1);
            let hi = if c.window.hi == self.open {
                first.max(end).min(self.open)
            } else {
                c.window.hi
            };
            (c.window.lo, hi)
        }));
        let Some(at) = draw_from_union(&mut self.pieces, &mut self.random) else {
            return Ok(None);
        };
        let candidate = self.any_of(walker, |c| c.window.contains(at));
        Ok(Some((candidate, at)))
    }

    /// One of the candidates that are wanted, in proportion to the transitions that they are. Requires: there is one.
    #[inline(never)]
    pub(crate) fn any_of(
        &mut self,
        walker: &Walker<'_>,
        is_wanted: impl Fn(&Candidate) -> bool + Copy,
    ) -> Candidate {
        let plan = walker.plan;
        let ways = |c: &Candidate| if plan.has_ways { c.ways(plan) } else { 1 };
        let weights = self
            .candidates
            .iter()
            .map(|c| if is_wanted(c) { ways(c) } else { 0 });
        self.candidates[draw_weighted(weights, &mut self.random)]
    }

    // ------------------------------------------------------------ all candidates

    /// Lists every candidate that is or will be enabled, windows cut to what is left of the future.
    pub(crate) fn list(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<(), Stop> {
        self.list_pieces(walker, horizon)?;
        if walker.plan.network.has_priorities {
            self.keep_one_piece();
        }
        Ok(())
    }

    /// The same, with a candidate for every piece of a window that priorities let fall apart.
    fn list_pieces(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<(), Stop> {
        let (candidates, refused) = (&mut self.candidates, &self.refused);
        if !walker.plan.network.has_priorities {
            list_ready(walker, horizon, refused, candidates, &mut self.missed);
            return Ok(());
        }
        // What was refused at one instant may still block others at another one.
        list_ready(walker, horizon, &[], candidates, &mut self.missed);
        self.sieve.sift(walker, candidates, None);
        candidates.retain(|c| {
            let is_on_grid = !c.window.is_empty();
            self.missed |= !is_on_grid;
            is_on_grid && !refused.iter().any(|r| r.is_same(c))
        });
        Ok(())
    }

    /// Keeps one piece of every candidate at random, so that a candidate stays one candidate.
    fn keep_one_piece(&mut self) {
        let candidates = &mut self.candidates;
        let (mut kept, mut first) = (0, 0);
        while first < candidates.len() {
            let group = candidates[first..].iter();
            let count = group.take_while(|c| c.is_same(&candidates[first])).count();
            candidates[kept] = candidates[first + self.random.index(count)];
            kept += 1;
            first += count;
        }
        candidates.truncate(kept);
    }
}

#[inline(always)]
fn is_broadcast(walker: &Walker<'_>, candidate: &Candidate) -> bool {
    candidate.partner.get().is_none() && walker.plan.edge(candidate.initiator).role == Role::Send
}

/// A uniformly random instant of the union of windows; `None` when there is none.
fn draw_from_union(pieces: &mut Vec<(i64, i64)>, random: &mut Random) -> Option<i64> {
    pieces.sort_unstable();
    let mut kept: usize = 0;
    for i in 0..pieces.len() {
        if kept > 0 && pieces[i].0 <= pieces[kept - 1].1 {
            pieces[kept - 1].1 = pieces[kept - 1].1.max(pieces[i].1);
        } else {
            pieces[kept] = pieces[i];
            kept += 1;
        }
    }
    pieces.truncate(kept);
    // Instants are even; an odd one alone is none.
    let count = |lo: i64, hi: i64| (((hi & !1) - (lo + (lo & 1))) / 2 + 1).max(0) as u64;
    let total: u64 = pieces.iter().map(|&(lo, hi)| count(lo, hi)).sum();
    if total == 0 {
        return None;
    }
    let mut point = random.below(total);
    for &(lo, hi) in pieces.iter() {
        if point < count(lo, hi) {
            return Some(lo + (lo & 1) + 2 * point as i64);
        }
        point -= count(lo, hi);
    }
    None
}
