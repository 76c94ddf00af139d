//! Entering a discrete state: the zone after the assignments, the invariant, the delay.

use crate::condition::Collected;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::plan::effort;
use crate::sown::Bug;
use crate::state::constraint::ClockRef;
use crate::state::{ABSENT, ZoneState};
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::ids::{ClockId, LocationId};
use zonewalk_network::vm::Clocks as _;
use zonewalk_product::Delay;
use zonewalk_search::Flow;
use zonewalk_zones::{Bound, Federation, Word, dbm};

impl ZoneGraph<'_> {
    /// Enters the discrete state that memory holds, from the points of `guarded` by the current assignments, and emits what
    /// becomes of it.
    pub(crate) fn emit_successor<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        if let Some(liveness) = &self.liveness {
            liveness.forget(&scratch.edges, &mut scratch.memory);
        }
        let count = self.plan.network.layout.locations as usize;
        scratch.target.set(&self.bounds, &scratch.memory[..count]);
        if let Some(stamps) = &self.stamps {
            return self.emit_stamped(scratch, stamps, emit);
        }
        let mut zone = std::mem::take(&mut scratch.zone);
        let flow = match self.assigned_zone(scratch, &mut zone) {
            Ok(()) => self.emit_entered(scratch, &mut zone, emit),
            Err(stop) => Err(stop),
        };
        scratch.zone = zone;
        flow
    }

    /// Begins in a zone of a known discrete state, as if it had just been entered there with these points. Clocks of the
    /// search's own that the state does not know begin at 0.
    pub(crate) fn restart<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        zone: &[Bound<W>],
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        let count = self.plan.network.layout.locations as usize;
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        scratch.target.set(&self.bounds, &scratch.memory[..count]);
        debug_assert!(scratch.target.clocks.starts_with(&state.clocks));
        let (dim, known) = (scratch.target.dim(), state.dim());
        // A clock that is 0 is compared with others as 0 itself is.
        let place = |i: usize| if i < known { i } else { 0 };
        let mut entered: Vec<Bound<W>> = (0..dim * dim)
            .map(|at| zone[place(at / dim) * known + place(at % dim)])
            .collect();
        scratch.edges.clear();
        scratch.selects.clear();
        scratch.assignments.clear();
        for clock in self.plan.network.clocks.len()..self.everywhere.len() {
            scratch.assignments.set(ClockId::from_index(clock), 0);
        }
        scratch.record.guard.clear();
        scratch.is_tick = false;
        scratch.failed = None;
        scratch.attempt = None;
        let flow = self.emit_entered(scratch, &mut entered, emit)?;
        scratch.failure()?;
        Ok(flow)
    }

    fn emit_entered<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut Vec<Bound<W>>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        if !self.list_invariants(scratch)? || !scratch.target.constrain(zone, &scratch.invariant) {
            return Ok(ControlFlow::Continue(()));
        }
        let is_running = self.list_running(scratch)?;
        let delay = self.delay(scratch);
        if self.is_recording {
            self.start_record(scratch, delay);
        }
        if delay == Delay::Until || self.avoided.is_some() {
            return self.split(scratch, zone, delay, is_running, emit);
        }
        if delay == Delay::Free && (!Bug::Delay.is_sown() || scratch.invariant.is_empty()) {
            scratch.up(zone, is_running);
            // The zone has points that fulfil the invariant, and time can only add some.
            scratch.target.constrain(zone, &scratch.invariant);
        }
        self.abstracted(scratch, zone, emit)
    }

    /// The zone after the assignments: clock `x` has the value of its origin plus a number, so every difference of two
    /// clocks is one of two origins, shifted. Closedness is kept.
    pub(crate) fn assigned_zone<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut Vec<Bound<W>>,
    ) -> Result<(), Stop> {
        let (dim, before) = (scratch.target.dim(), scratch.source.dim());
        scratch.origins.clear();
        scratch.origins.push((0, 0));
        for &clock in &scratch.target.clocks {
            let (origin, plus) = scratch.assignments.value(clock);
            let index = if origin == ClockRef::ZERO {
                0
            } else {
                scratch.source.index(origin).map_or(ABSENT, |i| i as u32)
            };
            debug_assert!(
                index != ABSENT,
                "a clock that begins to matter has been assigned to"
            );
            let is_lost = Bug::Offset.is_sown() && index != 0;
            scratch.origins.push((index, if is_lost { 0 } else { plus }));
        }
        zone.clear();
        zone.resize(dim * dim, Bound::INFINITY);
        for (i, &(origin, plus)) in scratch.origins.iter().enumerate() {
            let row = &mut zone[i * dim..(i + 1) * dim];
            if origin == ABSENT {
                row[i] = Bound::LE_ZERO;
                continue;
            }
            let old = &scratch.guarded[origin as usize * before..(origin as usize + 1) * before];
            for (j, (entry, &(other, minus))) in row.iter_mut().zip(&scratch.origins).enumerate() {
                if other == ABSENT {
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
                    let sum = bound.constant().into() + i64::from(plus) - i64::from(minus);
                    match Bound::<i64>::new(sum, bound.is_strict()).to_width() {
                        Some(sum) => sum,
                        None => return Err(Stop::Constant(plus.max(minus))),
                    }
                };
            }
        }
        Ok(())
    }

    /// Finds out which clocks run; true when all of them do.
    pub(crate) fn list_running<W: Word>(&self, scratch: &mut Scratch<W>) -> Result<bool, Stop> {
        if !self.plan.has_rates {
            return Ok(true);
        }
        let plan = self.plan;
        scratch.rates.clear();
        scratch.rate_of.clear();
        scratch.rate_of.resize(plan.network.clocks.len(), None);
        for process in plan.processes() {
            let location = LocationId(scratch.memory[process.index()] as u32);
            if !plan.location(process, location).has_rates {
                continue;
            }
            scratch.effort += effort::of_rates(plan.rate_settings(process, location).len());
            let mut entered: Collected<'_, W> = Collected {
                network: plan.network,
                memory: &mut scratch.memory,
                loops: &mut scratch.loops,
                alarm: &mut scratch.alarm,
                into: &mut scratch.asked,
                zone: None,
            };
            let (rates, rate_of) = (&mut scratch.rates, &mut scratch.rate_of);
            plan.rates::<_, Stop>(process, location, &mut entered, |setting, clock, runs| {
                // Every process may set the rates of all clocks: one pass, not one for each rate before.
                match rate_of[clock.index()].replace(runs) {
                    None => rates.push((clock, runs)),
                    Some(other) if other == runs => {}
                    Some(_) => {
                        let (rate, span) = (i32::from(runs), setting.span);
                        return Err(zonewalk_product::Stop::Rate { clock, rate, span });
                    }
                }
                Ok(())
            })?;
        }
        scratch.running.clear();
        scratch.running.resize(scratch.target.dim(), true);
        let mut all = true;
        for &(clock, runs) in &scratch.rates {
            if !runs && let Some(index) = scratch.target.index(ClockRef::of(clock)) {
                scratch.running[index] = false;
                all = false;
            }
        }
        Ok(all)
    }

    /// How time may pass in the current discrete state. Where that fails, it certainly need not pass.
    pub(crate) fn delay<W: Word>(&self, scratch: &mut Scratch<W>) -> Delay {
        scratch.stops.clear();
        scratch.asked.clear();
        let mut entered: Collected<'_, W> = Collected {
            network: self.plan.network,
            memory: &mut scratch.memory,
            loops: &mut scratch.loops,
            alarm: &mut scratch.alarm,
            into: &mut scratch.asked,
            zone: None,
        };
        let delay = self.plan.delay(&mut entered, &mut scratch.urgent);
        let delay = delay.unwrap_or_else(|stop| {
            scratch.fail(stop, &[], &[]);
            Delay::None
        });
        if delay == Delay::Until {
            for set in &scratch.urgent.sets {
                let guards = set
                    .iter()
                    .flat_map(|g| &scratch.asked[g.start as usize..g.end as usize]);
                scratch.stops.push(guards.copied().collect());
            }
        }
        delay
    }

    /// Lets time pass where something stops it in the middle: an urgent synchronisation, which may just become possible, or
    /// a state that is to be avoided, which must not be entered at all.
    ///
    /// The points in which time is stopped at once are a piece of their own. A set of points from which time runs into a
    /// convex stop set leaves that set's strict future out: no line in the direction of time leaves a convex set and meets
    /// it again.
    pub(crate) fn split<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut [Bound<W>],
        delay: Delay,
        is_running: bool,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        let dim = scratch.target.dim();
        let mut future = zone.to_vec();
        if delay != Delay::None {
            scratch.up(&mut future, is_running);
            scratch.target.constrain(&mut future, &scratch.invariant);
        }
        let avoided = match &self.avoided {
            // While clocks stand still, deadlocks are over-approximated: a state that may not be one must not be avoided.
            Some(goal) if !goal.mentions_deadlock() || is_running => {
                self.satisfying(scratch, goal, &future)?
            }
            _ => Federation::new(dim),
        };
        let mut entered = Federation::from_zone(zone, dim);
        entered.subtract_federation(&avoided);
        let mut stops = Federation::new(dim);
        if delay == Delay::Until {
            for set in &scratch.stops {
                let mut stop = future.clone();
                if scratch.target.constrain(&mut stop, set) {
                    stops.push(&stop);
                }
            }
        }
        let mut pieces: Vec<Piece<W>> = Vec::new();
        let mut stopped = entered.clone();
        stopped.intersect_federation(&stops);
        for piece in &stopped {
            pieces.push(Piece::without_delay(piece.to_vec()));
        }
        entered.subtract_federation(&stops);
        for piece in &entered {
            if delay == Delay::None {
                pieces.push(Piece::without_delay(piece.to_vec()));
                continue;
            }
            let mut later = piece.to_vec();
            scratch.up(&mut later, is_running);
            scratch.target.constrain(&mut later, &scratch.invariant);
            let mut rest = Federation::from_zone(&later, dim);
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
                    if is_entered && !Bug::StopInstant.is_sown() && !strictly_later(&mut beyond, dim) {
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
                pieces.push(Piece {
                    entry: piece.to_vec(),
                    exit: part.to_vec(),
                    may_delay: true,
                });
            }
        }
        for Piece {
            entry,
            mut exit,
            may_delay,
        } in pieces
        {
            if self.is_recording {
                scratch.record.entry = scratch.target.constraints_of(&entry);
                scratch.record.exit = scratch.target.constraints_of(&exit);
                scratch.record.may_delay = may_delay;
            }
            if self.abstracted(scratch, &mut exit, emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    pub(crate) fn start_record<W: Word>(&self, scratch: &mut Scratch<W>, delay: Delay) {
        scratch.record.assigned.clear();
        for &clock in scratch.assignments.touched() {
            let (origin, plus) = scratch.assignments.value(clock);
            if !scratch.record.assigned.iter().any(|a| a.0 == clock) {
                scratch.record.assigned.push((clock, origin, plus));
            }
        }
        scratch.record.invariant.clone_from(&scratch.invariant);
        scratch.record.entry.clear();
        scratch.record.exit.clear();
        scratch.record.may_delay = delay != Delay::None;
        let stopped = scratch.rates.iter().filter(|(_, runs)| !runs);
        scratch.record.stopped.clear();
        scratch.record.stopped.extend(stopped.map(|(clock, _)| *clock));
    }
}

/// A part of a successor that is convex when the state is entered and when it is left.
struct Piece<W> {
    entry: Vec<Bound<W>>,
    exit: Vec<Bound<W>>,
    may_delay: bool,
}

impl<W: Word> Piece<W> {
    fn without_delay(zone: Vec<Bound<W>>) -> Self {
        Self {
            entry: zone.clone(),
            exit: zone,
            may_delay: false,
        }
    }
}

/// From the future of a set, itself included, to its strict future; false when that is empty. A point of the future from
/// which some time can be taken back without leaving it is one that lies above all lower bounds.
fn strictly_later<W: Word>(zone: &mut [Bound<W>], dim: usize) -> bool {
    (1..dim).all(|i| {
        let lowest = zone[i];
        dbm::constrain(zone, dim, 0, i, Bound::lt(lowest.constant()))
    })
}
