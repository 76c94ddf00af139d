//! Entering a discrete state: the zone after the assignments, the invariant, the delay.

use crate::condition::Constraint;
use crate::effort;
use crate::graph::{Step, ZoneGraph};
use crate::moves::channel;
use crate::plan::Role;
use crate::state::{Frame, ZoneState};
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::vm::{Clocks as _, NoClocks, run};
use zonewalk_search::Flow;
use zonewalk_zones::{Bound, Federation, dbm};

/// How time may pass in the current discrete state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delay {
    /// Not at all.
    None,
    /// As long as the invariant holds.
    Free,
    /// Until one of the sets of constraints in `urgent` holds.
    Until,
}

impl ZoneGraph<'_> {
    /// Enters the discrete state that memory holds, from the points of `guarded` by the current assignments, and emits what
    /// becomes of it.
    pub(crate) fn enter(&mut self, emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow) -> Result<Flow, Stop> {
        if let Some(liveness) = &self.liveness {
            liveness.forget(&self.work.edges, &mut self.memory);
        }
        let count = self.plan.network.layout.locations as usize;
        self.target
            .set(&self.bounds, &self.everywhere, &self.memory[..count]);
        let mut zone = std::mem::take(&mut self.work.zone);
        let flow = match self.assigned_zone(&mut zone) {
            Ok(()) => self.enter_zone(&mut zone, emit),
            Err(stop) => Err(stop),
        };
        self.work.zone = zone;
        flow
    }

    /// Begins in a zone of a known discrete state, as if it had just been entered there with these points. Clocks of the
    /// search's own that the state does not know begin at 0.
    pub(crate) fn restart(
        &mut self,
        state: &ZoneState,
        zone: &[Bound],
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        let count = self.plan.network.layout.locations as usize;
        self.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        self.target
            .set(&self.bounds, &self.everywhere, &self.memory[..count]);
        debug_assert!(self.target.clocks.starts_with(&state.clocks));
        let (dim, known) = (self.target.dim(), state.dim());
        // A clock that is 0 is compared with others as 0 itself is.
        let place = |i: usize| if i < known { i } else { 0 };
        let mut entered: Vec<Bound> = (0..dim * dim)
            .map(|at| zone[place(at / dim) * known + place(at % dim)])
            .collect();
        self.work.edges.clear();
        self.work.selects.clear();
        self.work.assignments.clear();
        for clock in self.plan.network.clocks.len()..self.everywhere.len() {
            self.work.assignments.set(clock as u32, 0);
        }
        self.work.record.guard.clear();
        self.work.is_tick = false;
        self.work.failed = None;
        self.work.attempt = None;
        let flow = self.enter_zone(&mut entered, emit)?;
        self.work.failure()?;
        Ok(flow)
    }

    fn enter_zone(
        &mut self,
        zone: &mut Vec<Bound>,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        if !self.list_invariants()? || !self.target.constrain(zone, &self.work.invariant) {
            return Ok(ControlFlow::Continue(()));
        }
        let is_running = self.list_running()?;
        let delay = self.delay();
        if self.is_recording {
            self.start_record(delay);
        }
        if delay == Delay::Until || self.avoided.is_some() {
            return self.split(zone, delay, is_running, emit);
        }
        if delay == Delay::Free {
            self.up(zone, is_running);
            // The zone has points that fulfil the invariant, and time can only add some.
            self.target.constrain(zone, &self.work.invariant);
        }
        self.abstracted(zone, emit)
    }

    /// The zone behind the assignments: clock `x` has the value of its origin plus a number, so every difference of two
    /// clocks is one of two origins, shifted. Closedness is kept.
    fn assigned_zone(&mut self, zone: &mut Vec<Bound>) -> Result<(), Stop> {
        let work = &mut self.work;
        let (dim, before) = (self.target.dim(), self.source.dim());
        work.origins.clear();
        work.origins.push((0, 0));
        for &clock in &self.target.clocks {
            let (origin, plus) = work.assignments.value(clock);
            let index = if origin == 0 {
                0
            } else {
                self.source.index(origin).map_or(Frame::ABSENT, |i| i as u32)
            };
            debug_assert!(
                index != Frame::ABSENT,
                "a clock that begins to matter has been assigned to"
            );
            work.origins.push((index, plus));
        }
        zone.clear();
        zone.resize(dim * dim, Bound::INFINITY);
        for (i, &(origin, plus)) in work.origins.iter().enumerate() {
            let row = &mut zone[i * dim..(i + 1) * dim];
            if origin == Frame::ABSENT {
                row[i] = Bound::LE_ZERO;
                continue;
            }
            let old = &work.guarded[origin as usize * before..(origin as usize + 1) * before];
            for (j, (entry, &(other, minus))) in row.iter_mut().zip(&work.origins).enumerate() {
                if other == Frame::ABSENT {
                    if i == 0 {
                        *entry = Bound::LE_ZERO;
                    }
                    debug_assert!(i != j);
                    continue;
                }
                let bound = old[other as usize];
                *entry = if bound.is_infinite() || plus == minus {
                    bound
                } else {
                    let sum = i64::from(bound.constant()) + i64::from(plus) - i64::from(minus);
                    match i32::try_from(sum) {
                        Ok(sum) if sum.unsigned_abs() <= Bound::MAX_CONSTANT.unsigned_abs() => {
                            Bound::new(sum, bound.is_strict())
                        }
                        _ => return Err(Stop::Constant(plus.max(minus))),
                    }
                };
            }
        }
        Ok(())
    }

    /// Finds out which clocks run; true when all of them do.
    pub(crate) fn list_running(&mut self) -> Result<bool, Stop> {
        if !self.plan.has_rates {
            return Ok(true);
        }
        let (plan, network) = (self.plan, self.plan.network);
        let work = &mut self.work;
        work.rates.clear();
        work.rate_of.clear();
        work.rate_of.resize(network.clocks.len(), None);
        for process in 0..network.processes.len() as u32 {
            let place = plan.place(process, self.memory[process as usize]);
            if !place.has_rates {
                continue;
            }
            let context = network.context(process);
            let variant = network.processes[process as usize].variant as usize;
            let location = &network.variants[variant].locations[self.memory[process as usize] as usize];
            self.effort += effort::of_rates(location.rates.len());
            for setting in &location.rates {
                if let Some(when) = &setting.when
                    && !when.holds(&network.program, &context, &mut self.memory)?
                {
                    continue;
                }
                if let Some(setup) = setting.setup {
                    run(&network.program, setup, &context, &mut self.memory, &mut NoClocks)?;
                }
                let clock = self.memory[context.address(setting.clock)] as u32;
                let rate = self.memory[context.address(setting.rate)];
                // Everybody may rate everybody's clocks: one look, and not one for each rate before.
                let other = work.rate_of[clock as usize].replace(rate);
                if !(0..=1).contains(&rate) || other.is_some_and(|r| r != rate) {
                    let span = setting.span;
                    return Err(Stop::Rate { clock, rate, span });
                }
                if other.is_none() {
                    work.rates.push((clock, rate));
                }
            }
        }
        work.running.clear();
        work.running.resize(self.target.dim(), true);
        let mut all = true;
        for &(clock, rate) in &work.rates {
            if rate == 0
                && let Some(index) = self.target.index(clock + 1)
            {
                work.running[index] = false;
                all = false;
            }
        }
        Ok(all)
    }

    /// Lets time pass in a zone, whatever the invariant.
    pub(crate) fn up(&self, zone: &mut [Bound], is_running: bool) {
        let dim = self.target.dim();
        if is_running {
            dbm::up(zone, dim);
        } else {
            dbm::up_some(zone, dim, &self.work.running);
        }
    }

    /// How time may pass in the current discrete state (`semantics.md` 1, 2). Where that fails, it certainly need not pass.
    pub(crate) fn delay(&mut self) -> Delay {
        let plan = self.plan;
        let mut has_urgent_edges = false;
        for process in 0..plan.network.processes.len() as u32 {
            let place = plan.place(process, self.memory[process as usize]);
            if place.committed || place.urgent {
                return Delay::None;
            }
            has_urgent_edges |= !place.urgent_edges.is_empty();
        }
        self.work.urgent.clear();
        if !has_urgent_edges {
            return Delay::Free;
        }
        self.list_urgent().unwrap_or_else(|stop| {
            self.work.fail(stop, &[], &[]);
            Delay::None
        })
    }

    /// Looks for synchronisations on urgent channels: both partners of a handshake, the sender of a broadcast.
    fn list_urgent(&mut self) -> Result<Delay, Stop> {
        let (plan, network) = (self.plan, self.plan.network);
        // Process, channel, role, what the guard asks of the clocks.
        let mut found: Vec<(u32, u32, Role, Vec<Constraint>)> = Vec::new();
        for process in 0..network.processes.len() as u32 {
            let place = plan.place(process, self.memory[process as usize]);
            let edges = place.urgent_edges.start as usize..place.urgent_edges.end as usize;
            for &number in &plan.urgent_edges[edges] {
                let edge = &plan.edges[number as usize];
                let mut guard = Vec::new();
                if !plan
                    .conditions
                    .evaluate(network, &edge.guard, &mut self.memory, &mut guard)?
                {
                    continue;
                }
                let channel = channel(network, number, edge.channel, &mut self.memory)?;
                if network.channels[channel as usize].urgent {
                    found.push((process, channel, edge.role, guard));
                }
            }
        }
        for (process, channel, _, guard) in found.iter().filter(|f| f.2 == Role::Send) {
            if network.channels[*channel as usize].broadcast {
                self.work.urgent.push(guard.clone());
                continue;
            }
            let partners = found
                .iter()
                .filter(|f| f.2 == Role::Receive && f.1 == *channel && f.0 != *process);
            for partner in partners {
                self.work.urgent.push([guard.as_slice(), &partner.3].concat());
            }
        }
        self.list_urgent_together(&found);
        Ok(match self.work.urgent.as_slice() {
            [] => Delay::Free,
            sets if sets.iter().any(Vec::is_empty) => Delay::None,
            _ => Delay::Until,
        })
    }

    /// Synchronisations of all the processes that have an urgent channel, among the enabled edges.
    fn list_urgent_together(&mut self, found: &[(u32, u32, Role, Vec<Constraint>)]) {
        let mut channels: Vec<u32> = found
            .iter()
            .filter(|f| f.2 == Role::Together)
            .map(|f| f.1)
            .collect();
        channels.sort_unstable();
        channels.dedup();
        for channel in channels {
            let mut sets = vec![Vec::new()];
            for &participant in &self.plan.network.channels[channel as usize].participants {
                let own: Vec<_> = found
                    .iter()
                    .filter(|f| f.1 == channel && f.0 == participant)
                    .collect();
                sets = sets
                    .iter()
                    .flat_map(|set| own.iter().map(move |f| [set.as_slice(), &f.3].concat()))
                    .collect();
            }
            self.work.urgent.append(&mut sets);
        }
    }

    /// Lets time pass where something stops it in the middle: an urgent synchronisation, which may just become possible, or
    /// a state that is to be avoided, which must not be entered at all.
    ///
    /// The points in which time is stopped at once are a piece of their own. A set of points from which time runs into a
    /// convex stop set leaves that set's strict future out: no line in the direction of time leaves a convex set and meets
    /// it again.
    fn split(
        &mut self,
        zone: &mut [Bound],
        delay: Delay,
        is_running: bool,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        let dim = self.target.dim();
        let mut future = zone.to_vec();
        if delay != Delay::None {
            self.up(&mut future, is_running);
            self.target.constrain(&mut future, &self.work.invariant);
        }
        let avoided = match self.avoided.take() {
            // While clocks stand still dead ends are known from above alone, and nothing that is none may be avoided.
            Some(goal) if goal.mentions_deadlock() && !is_running => {
                self.avoided = Some(goal);
                Federation::new(dim)
            }
            Some(goal) => {
                let found = self.satisfying(&goal, &future);
                self.avoided = Some(goal);
                found?
            }
            None => Federation::new(dim),
        };
        let mut entered = Self::federation(dim, zone);
        entered.subtract_federation(&avoided);
        let mut stops = Federation::new(dim);
        if delay == Delay::Until {
            for set in &self.work.urgent {
                let mut stop = future.clone();
                if self.target.constrain(&mut stop, set) {
                    stops.push(&stop);
                }
            }
        }
        let mut pieces: Vec<(Vec<Bound>, Vec<Bound>, bool)> = Vec::new();
        let mut stopped = entered.clone();
        stopped.intersect_federation(&stops);
        for piece in &stopped {
            pieces.push((piece.to_vec(), piece.to_vec(), false));
        }
        entered.subtract_federation(&stops);
        for piece in &entered {
            if delay == Delay::None {
                pieces.push((piece.to_vec(), piece.to_vec(), false));
                continue;
            }
            let mut later = piece.to_vec();
            self.up(&mut later, is_running);
            self.target.constrain(&mut later, &self.work.invariant);
            let mut rest = Self::federation(dim, &later);
            for (set, is_entered) in avoided
                .iter()
                .map(|s| (s, false))
                .chain(stops.iter().map(|s| (s, true)))
            {
                let mut beyond = set.to_vec();
                if !dbm::intersect(&mut beyond, &later, dim) {
                    continue;
                }
                if is_running {
                    dbm::up(&mut beyond, dim);
                    if is_entered && !strictly_later(&mut beyond, dim) {
                        continue;
                    }
                } else if is_entered {
                    // The future of a set is only known from above while a clock stands still, and points that can be
                    // reached must not be taken away.
                    continue;
                }
                rest.subtract(&beyond);
            }
            for part in &rest {
                pieces.push((piece.to_vec(), part.to_vec(), true));
            }
        }
        for (entry, mut exit, may_delay) in pieces {
            if self.is_recording {
                self.work.record.entry = self.target.constraints_of(&entry);
                self.work.record.exit = self.target.constraints_of(&exit);
                self.work.record.may_delay = may_delay;
            }
            if self.abstracted(&mut exit, emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn start_record(&mut self, delay: Delay) {
        let work = &mut self.work;
        work.record.assigned.clear();
        for &clock in work.assignments.touched() {
            let (origin, plus) = work.assignments.value(clock);
            if !work.record.assigned.iter().any(|a| a.0 == clock) {
                work.record.assigned.push((clock, origin, plus));
            }
        }
        work.record.invariant.clone_from(&work.invariant);
        work.record.entry.clear();
        work.record.exit.clear();
        work.record.may_delay = delay != Delay::None;
        let stopped = work.rates.iter().filter(|(_, rate)| *rate == 0);
        work.record.stopped.clear();
        work.record.stopped.extend(stopped.map(|(clock, _)| *clock));
    }
}

/// From the future of a set, itself included, to its strict future; false when that is empty. A point of the future from
/// which some time can be taken back without leaving it is one that lies above all lower bounds.
fn strictly_later(zone: &mut [Bound], dim: usize) -> bool {
    (1..dim).all(|i| {
        let lowest = zone[i];
        dbm::constrain(zone, dim, 0, i, Bound::lt(lowest.constant()))
    })
}
