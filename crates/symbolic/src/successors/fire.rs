//! Taking a transition: guards, updates, the target's invariant.

use crate::condition::Collected;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::state::ZoneState;
use crate::state::constraint::{ClockRef, Constraint};
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::Transition;
use zonewalk_network::vm::Clocks as _;
use zonewalk_product::Unprojected;
use zonewalk_search::Flow;
use zonewalk_zones::{Bound, Word};

impl ZoneGraph<'_> {
    /// Emits the successors by one of the listed transitions.
    pub(crate) fn fire<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        number: usize,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Flow {
        let Some(clock) = self.ticking else {
            scratch.is_tick = false;
            return match self.guard(scratch, state, number) {
                true => self.fire_guarded(scratch, state, emit),
                false => ControlFlow::Continue(()),
            };
        };
        let late = Constraint {
            left: ClockRef::ZERO,
            right: ClockRef::of(clock),
            bound: Bound::le(-1),
        };
        for (side, is_tick) in [(late, true), (late.complement(), false)] {
            if !self.guard(scratch, state, number) || !scratch.source.constrain(&mut scratch.guarded, &[side])
            {
                continue;
            }
            if self.is_recording {
                scratch.record.guard.push(side);
            }
            scratch.is_tick = is_tick;
            self.fire_guarded(scratch, state, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Emits the successors of the points in `guarded`. Where one choice of values fails, the others do not.
    fn fire_guarded<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Flow {
        self.plan.first_selects(&scratch.edges, &mut scratch.selects);
        if let Some(only) = &scratch.only_selects {
            if only.len() == scratch.selects.len() {
                scratch.selects.copy_from_slice(only);
                match self.land(scratch, state, emit) {
                    Ok(flow) => flow?,
                    Err(stop) => scratch.fail_now(stop),
                }
            }
            return ControlFlow::Continue(());
        }
        loop {
            match self.land(scratch, state, emit) {
                Ok(flow) => flow?,
                Err(stop) => scratch.fail_now(stop),
            }
            if scratch.is_to_leave_off() {
                scratch.leave_off();
                return ControlFlow::Break(());
            }
            if !self.plan.next_selects(&scratch.edges, &mut scratch.selects) {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Lands with the current values of selects.
    fn land<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        self.update(scratch, state)?;
        if let Some(clock) = self.ticking.filter(|_| scratch.is_tick) {
            scratch.assignments.set(clock, 0);
        }
        self.emit_successor(scratch, emit)
    }

    /// Leaves in `guarded` the part of the zone in which a transition is possible, as far as guards are concerned; false
    /// when there is none.
    pub(crate) fn guard<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        number: usize,
    ) -> bool {
        let chosen = &scratch.moves.list[number];
        let zone = match chosen.piece {
            Some(piece) => &scratch.moves.pieces[piece as usize],
            None => &state.zone,
        };
        scratch.guarded.clear();
        scratch.guarded.extend_from_slice(zone);
        scratch.edges.clear();
        if self.is_recording {
            scratch.record.guard.clear();
            if chosen.piece.is_some() {
                scratch.record.guard.extend(scratch.source.constraints_of(zone));
            }
        }
        for &edge in scratch.moves.parts(chosen) {
            scratch.edges.push(edge);
            let guard = &scratch.moves.about(edge).guard;
            let guard = &scratch.constraints[guard.start as usize..guard.end as usize];
            if !scratch.source.constrain(&mut scratch.guarded, guard) {
                return false;
            }
            if self.is_recording {
                scratch.record.guard.extend_from_slice(guard);
            }
        }
        true
    }

    /// Runs the updates of the current transition from a state. Memory then is the target's, and the assignments are known.
    pub(crate) fn update<W: Word>(&self, scratch: &mut Scratch<W>, state: &ZoneState<W>) -> Result<(), Stop> {
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        scratch.assignments.clear();
        let mut target = Unprojected {
            network: self.plan.network,
            memory: &mut scratch.memory,
            clocks: &mut scratch.assignments,
            work: scratch.loops,
        };
        if self.plan.is_projected {
            let mut target = self.plan.projected_state(target);
            let updated = self.plan.update(&scratch.edges, &scratch.selects, &mut target);
            scratch.loops = target.unprojected.work;
            updated?;
            self.plan.forget_removed(&scratch.edges, &mut scratch.memory);
        } else {
            let updated = self.plan.update(&scratch.edges, &scratch.selects, &mut target);
            scratch.loops = target.work;
            updated?;
        }
        scratch.no_negative_clock()
    }

    /// The discrete state after a transition, whatever the clocks.
    pub(crate) fn after<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        discrete: Vec<i32>,
        transition: &Transition,
    ) -> Result<Vec<i32>, Stop> {
        let state = ZoneState {
            discrete,
            ..ZoneState::default()
        };
        scratch.edges.clear();
        scratch.edges.extend_from_slice(&transition.parts);
        scratch.selects.clear();
        scratch.selects.extend_from_slice(&transition.selects);
        self.update(scratch, &state)?;
        Ok(scratch.memory[..state.discrete.len()].to_vec())
    }

    /// Collects the invariants of the current discrete state; false when data forbid it (`semantics.md` 9).
    pub(crate) fn list_invariants<W: Word>(&self, scratch: &mut Scratch<W>) -> Result<bool, Stop> {
        scratch.invariant.clear();
        let mut entered: Collected<'_, W> = Collected {
            network: self.plan.network,
            memory: &mut scratch.memory,
            loops: &mut scratch.loops,
            alarm: &mut scratch.alarm,
            into: &mut scratch.invariant,
            zone: None,
        };
        for process in self.plan.processes() {
            if !self.plan.invariant(process, &mut entered)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<W: Word> Scratch<W> {
    /// A clock must not get a negative value anywhere in the zone (`semantics.md` 17), nor one that zones cannot hold.
    fn no_negative_clock(&self) -> Result<(), Stop> {
        for &clock in self.assignments.touched() {
            let (_, plus) = self.assignments.value(clock);
            if W::from(plus) > W::MAX_CONSTANT {
                return Err(Stop::Constant(plus));
            }
        }
        for &(clock, origin, plus) in self.assignments.lowered() {
            if let Some((index, stamp)) = self.source.place(origin) {
                // The entry bounds 0 − x, so that its constant is the lower bound of x with the sign turned.
                let lowest = -self.guarded[stamp * self.source.dim() + index].constant().into();
                if lowest + i64::from(plus) < 0 {
                    return Err(Stop::NegativeClock(clock));
                }
            }
        }
        Ok(())
    }

    /// The points of the source zone from which the current transition leads to points that fulfil a constraint: what that
    /// constraint was before the assignments. `Err` is the constraint's truth where it does not depend on the clocks.
    pub(crate) fn before(&self, constraint: &Constraint) -> Result<Constraint, bool> {
        let (left, plus) = self.assignments.origin(constraint.left);
        let (right, minus) = self.assignments.origin(constraint.right);
        if constraint.bound.is_infinite() {
            return Err(true);
        }
        // left + plus − (right + minus) ≺ c
        let shift = i64::from(minus) - i64::from(plus);
        if left == right {
            let slack = constraint.bound.constant() + shift;
            return Err(slack > 0 || slack == 0 && !constraint.bound.is_strict());
        }
        Ok(Constraint {
            left,
            right,
            bound: Bound::new(constraint.bound.constant() + shift, constraint.bound.is_strict()),
        })
    }
}
