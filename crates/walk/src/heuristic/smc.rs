//! Walks by the stochastic semantics of UPPAAL SMC, the baseline that the papers compare with.
//!
//! Every process that can begin a transition before time must stop draws an instant of its own: uniformly between the
//! first instant at which one of its edges is enabled and the end of its invariant, or, where its invariant has no end,
//! exponentially with the rate of its location after that first instant. The earliest one wins and takes one of the edges
//! that are enabled then; where none is, time has passed, and the race begins anew. Where time must stop, those that draw no
//! delay win: committed processes, then those in urgent locations, with an enabled edge on an urgent channel or at the end of
//! their invariants. Only where none of them can move, all others that can have the same chance.

mod obstacle;
mod piece;
mod quantity;
mod sample;

pub use obstacle::{Obstacle, obstacle};
pub use sample::{ExactSampler, ExactState, Explain, Observed, SampleError};

use crate::Stop;
use crate::enabled::candidate::{Candidate, fitting};
use crate::enabled::firings::Drawn;
use crate::heuristic::choose::{Chooser, REDRAWS, Step};
use crate::plan::Role;
use crate::state::State;
use crate::time::{FOREVER, Window};
use crate::walker::{Fired, Walker};
pub(crate) use quantity::pick;
use zonewalk_network::ids::{InstanceId, ProcessId};

/// No walk goes beyond this instant: sums of two times must fit into 64 bits.
pub(crate) const END_OF_TIME: i64 = 1 << 61;

/// Number of times that an edge is tried in one state, at different instants, before it counts as impossible there.
const TRIES: u32 = 4;

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    Taken,
    /// The goal was met at this instant, while time passed.
    Met(i64),
    /// The next transition would be later than the time bound.
    TimeBound,
    /// No transition is or will be enabled.
    Stuck,
    /// One would be enabled, but at no instant of the grid.
    OffGrid,
}

impl From<Step> for StepOutcome {
    fn from(step: Step) -> StepOutcome {
        match step {
            Step::Taken => StepOutcome::Taken,
            Step::Met(at) => StepOutcome::Met(at),
            Step::Stuck => StepOutcome::Stuck,
            Step::OffGrid => StepOutcome::OffGrid,
        }
    }
}

/// An edge whose target's invariants do not hold when it is taken outside a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    edge: InstanceId,
    allowed: Window,
    tries: u32,
}

/// Precedence where time must stop, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// It could move, and would have drawn a later instant.
    Open,
    /// It draws this instant.
    Due,
    Committed,
}

/// The end of a race: which process won, if any can move then, and when.
struct Winner {
    process: Option<ProcessId>,
    at: i64,
}

/// Looks for the goal from now to an instant, and gives the first one at which it holds.
pub(crate) type Meets<'a> = dyn FnMut(&mut State, i64) -> Option<i64> + 'a;

/// A time bound in ticks.
pub(crate) fn last_instant(time_bound: Option<u64>, unit: i64) -> i64 {
    let units = time_bound.map_or(END_OF_TIME, |t| i64::try_from(t).unwrap_or(END_OF_TIME));
    units.saturating_mul(unit).min(END_OF_TIME)
}

impl Chooser {
    /// Makes one step that begins not later than `bound`. `meets` is asked about every stretch of time before it
    /// passes.
    pub(crate) fn stochastic_step(
        &mut self,
        walker: &mut Walker<'_>,
        bound: i64,
        meets: &mut Meets<'_>,
    ) -> Result<StepOutcome, Stop> {
        self.smc.refusals.clear();
        self.failed = None;
        loop {
            let horizon = walker.horizon();
            let winner = self.race(walker, horizon)?;
            let until = winner.as_ref().map_or(horizon, |w| w.at).min(bound);
            if let Some(at) = meets(&mut walker.state, until) {
                return Ok(StepOutcome::Met(at));
            }
            match winner {
                None => return self.stuck(walker, horizon),
                Some(winner) if winner.at > bound => return Ok(StepOutcome::TimeBound),
                Some(winner) => {
                    let acted = match winner.process {
                        Some(process) => self.act(walker, process, winner.at),
                        None => Ok(false),
                    };
                    if acted == Ok(true) {
                        return Ok(StepOutcome::Taken);
                    }
                    // An error happens then, too.
                    walker.state.clocks.now = winner.at;
                    acted?;
                }
            }
        }
    }

    /// No process can move. That is certain only where no other way to take an edge that was refused exists.
    fn stuck(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<StepOutcome, Stop> {
        if let Some(stop) = self.failed.or(walker.failing()) {
            return Err(stop);
        }
        if self.missed {
            return Ok(StepOutcome::OffGrid);
        }
        for i in 0..self.smc.refusals.len() {
            let Some(candidate) = fitting(walker, self.smc.refusals[i].edge, None, horizon) else {
                continue;
            };
            if self.firings.draw(walker, candidate, &mut self.random)? != Drawn::None {
                return Ok(StepOutcome::OffGrid);
            }
        }
        Ok(StepOutcome::Stuck)
    }

    /// Lets every process that can begin a transition until `horizon` draw an instant. `None` when there is none.
    ///
    /// Each race in the same state finds fewer edges: the winner of one that ends without a transition has missed the
    /// edge that it could have taken first.
    fn race(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<Option<Winner>, Stop> {
        self.missed = false;
        self.smc.racers.clear();
        for process in walker.plan.processes() {
            if let Some(first) = self.first_instant(walker, process, horizon) {
                self.smc.racers.push((process, first));
            }
        }
        if self.smc.racers.is_empty() {
            return Ok(None);
        }
        // The last instant of the grid before time must stop.
        let last = if horizon == FOREVER { FOREVER } else { horizon & !1 };
        if last <= walker.state.clocks.now {
            return Ok(Some(self.any_mover(walker, walker.state.clocks.now)));
        }
        let mut earliest: Option<(ProcessId, i64)> = None;
        let mut ties = 0;
        for i in 0..self.smc.racers.len() {
            let (process, first) = self.smc.racers[i];
            let at = self.draw(walker, process, first)?;
            match earliest {
                Some((_, best)) if at > best => continue,
                // Each of those that draw the same instant has the same chance.
                Some((_, best)) if at == best => ties += 1,
                _ => ties = 1,
            }
            if ties == 1 || self.random.index(ties) == 0 {
                earliest = Some((process, at));
            }
        }
        Ok(match earliest {
            Some((process, at)) if at <= last => Some(Winner {
                process: Some(process),
                at,
            }),
            // No process moves before time must stop.
            _ => Some(self.any_mover(walker, last)),
        })
    }

    /// The first instant of the grid at which a process can begin a transition.
    fn first_instant(&mut self, walker: &Walker<'_>, process: ProcessId, horizon: i64) -> Option<i64> {
        let state = &walker.state;
        let mut first = None;
        for edge in walker.plan.location(process, state.location(process)).outgoing {
            if let Some(window) = self.window(walker, edge, horizon) {
                if window.is_empty() {
                    self.missed |= window.is_between();
                } else {
                    let lo = window.lo + (window.lo & 1);
                    first = Some(first.map_or(lo, |f: i64| f.min(lo)));
                }
            }
        }
        first
    }

    /// When an edge can begin a transition from now to `horizon`; `None` when it cannot begin any.
    #[inline]
    fn window(&self, walker: &Walker<'_>, edge: InstanceId, horizon: i64) -> Option<Window> {
        if !walker.state.is_ready(walker.plan, edge) || walker.plan.edge(edge).role == Role::Receive {
            return None;
        }
        let window = fitting(walker, edge, None, horizon)?.window;
        let refusal = self.smc.refusals.iter().find(|r| r.edge == edge);
        Some(refusal.map_or(window, |r| window.and(r.allowed)))
    }

    /// The instant that a process draws.
    fn draw(&mut self, walker: &mut Walker<'_>, process: ProcessId, first: i64) -> Result<i64, Stop> {
        let deadline = walker.state.deadlines.get(process.index());
        if deadline != FOREVER {
            // Racers can move before time must stop, so before their own invariants end.
            return Ok(2 * self.random.between(first >> 1, (deadline >> 1).max(first >> 1)));
        }
        let rate = quantity::rate(walker, process)?;
        if rate <= 0.0 {
            return Ok(FOREVER);
        }
        let ticks = self.random.exponential(rate) * walker.plan.unit as f64;
        // Conversion saturates; an instant beyond the end of time ends the walk, whichever it is.
        Ok(first + ((ticks as i64).min(END_OF_TIME) & !1))
    }

    /// One of the processes that can move at an instant at which time must stop: a committed one, else one whose time has
    /// come, else any; drawn uniformly from the first of these classes that is not empty.
    fn any_mover(&mut self, walker: &Walker<'_>, at: i64) -> Winner {
        let (plan, state) = (walker.plan, &walker.state);
        let (mut process, mut count, mut best) = (None, 0, Precedence::Open);
        for i in 0..self.smc.racers.len() {
            let (candidate, _) = self.smc.racers[i];
            let place = plan.location(candidate, state.location(candidate));
            let mut precedence = if place.committed {
                Precedence::Committed
            } else if place.urgent || state.deadlines.get(candidate.index()) >> 1 <= at >> 1 {
                Precedence::Due
            } else {
                Precedence::Open
            };
            let mut is_open = false;
            for edge in place.outgoing {
                if self
                    .window(walker, edge, at)
                    .is_some_and(|window| window.contains(at))
                {
                    is_open = true;
                    if precedence == Precedence::Open && state.is_urgent_sender(plan, edge) {
                        precedence = Precedence::Due;
                    }
                }
            }
            if !is_open || precedence < best {
                continue;
            }
            if precedence > best {
                (best, count) = (precedence, 0);
            }
            count += 1;
            if self.random.index(count) == 0 {
                process = Some(candidate);
            }
        }
        Winner { process, at }
    }

    /// The winner takes one of the edges that it can take at an instant. False when there is none.
    fn act(&mut self, walker: &mut Walker<'_>, process: ProcessId, at: i64) -> Result<bool, Stop> {
        let mut redraws = 0;
        loop {
            let mut moves = std::mem::take(&mut self.smc.moves);
            moves.clear();
            let place = walker.plan.location(process, walker.state.location(process));
            let is_open = |edge: &InstanceId| {
                self.window(walker, *edge, at)
                    .is_some_and(|window| window.contains(at))
            };
            moves.extend(place.outgoing.filter(is_open));
            let chosen = if moves.is_empty() {
                None
            } else {
                Some(moves[pick(walker, &moves, &mut self.random)?])
            };
            self.smc.moves = moves;
            let Some(initiator) = chosen else {
                return Ok(false);
            };
            let candidate = Candidate {
                initiator,
                partner: None.into(),
                window: Window { lo: at, hi: at },
            };
            self.assemble(walker, candidate, at)?;
            match walker.fire(at, &self.parts, &self.selects)? {
                Fired::Yes => return Ok(true),
                Fired::Only(_) if self.has_choice && redraws < REDRAWS => redraws += 1,
                Fired::Only(allowed) => self.refuse(initiator, at, allowed),
                Fired::Failed(stop) => {
                    self.failed = Some(stop);
                    self.refuse(initiator, at, Window::NEVER);
                }
            }
        }
    }

    /// Notes that an edge cannot be taken at an instant, because of the invariants of its target.
    fn refuse(&mut self, edge: InstanceId, at: i64, allowed: Window) {
        let refusals = &mut self.smc.refusals;
        let index = refusals.iter().position(|r| r.edge == edge).unwrap_or_else(|| {
            refusals.push(Refusal {
                edge,
                allowed: Window::ALL,
                tries: 0,
            });
            refusals.len() - 1
        });
        let refusal = &mut refusals[index];
        refusal.tries += 1;
        refusal.allowed = refusal.allowed.and(allowed);
        // The receivers of a broadcast, and so the target, may change with the instant.
        if refusal.tries >= TRIES || refusal.allowed.contains(at) {
            refusal.allowed = Window::NEVER;
        }
    }
}

/// Lists that are used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Processes that can begin a transition, and the first instant at which they can.
    racers: Vec<(ProcessId, i64)>,
    /// The edges that the winner can take.
    moves: Vec<InstanceId>,
    /// Edges of the current state that cannot be taken after all.
    refusals: Vec<Refusal>,
}
