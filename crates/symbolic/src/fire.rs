//! Taking a transition: guards, updates, the target's invariant.

use crate::condition::Constraint;
use crate::graph::{Step, ZoneGraph};
use crate::path::Transition;
use crate::scratch::Scratch;
use crate::state::ZoneState;
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::Routine;
use zonewalk_network::vm::{Clocks as _, run};
use zonewalk_search::Flow;
use zonewalk_zones::Bound;

impl ZoneGraph<'_> {
    /// Emits the successors by one of the listed transitions.
    pub(crate) fn fire(
        &self,
        scratch: &mut Scratch,
        state: &ZoneState,
        number: usize,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Flow {
        let Some(clock) = self.ticking else {
            scratch.is_tick = false;
            return match self.guard(scratch, state, number) {
                true => self.fire_guarded(scratch, state, emit),
                false => ControlFlow::Continue(()),
            };
        };
        let late = Constraint {
            left: 0,
            right: clock + 1,
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
    fn fire_guarded(
        &self,
        scratch: &mut Scratch,
        state: &ZoneState,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Flow {
        self.first_selects(scratch);
        loop {
            match self.land(scratch, state, emit) {
                Ok(flow) => flow?,
                Err(stop) => scratch.fail_now(stop),
            }
            if !self.next_selects(scratch) {
                return ControlFlow::Continue(());
            }
        }
    }

    /// The same with the current values of selects.
    fn land(
        &self,
        scratch: &mut Scratch,
        state: &ZoneState,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        self.update(scratch, state)?;
        if let Some(clock) = self.ticking.filter(|_| scratch.is_tick) {
            scratch.assignments.set(clock, 0);
        }
        self.enter(scratch, emit)
    }

    /// Leaves in `guarded` the part of the zone in which a transition is possible, as far as guards are concerned; false
    /// when there is none.
    pub(crate) fn guard(&self, scratch: &mut Scratch, state: &ZoneState, number: usize) -> bool {
        let chosen = &scratch.moves[number];
        let zone = match chosen.piece {
            Some(piece) => &scratch.pieces[piece as usize],
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
        for &part in &scratch.parts[chosen.parts.start as usize..chosen.parts.end as usize] {
            let ready = &scratch.ready[part as usize];
            scratch.edges.push(ready.edge);
            let guard = &scratch.constraints[ready.guard.start as usize..ready.guard.end as usize];
            if !scratch.source.constrain(&mut scratch.guarded, guard) {
                return false;
            }
            if self.is_recording {
                scratch.record.guard.extend_from_slice(guard);
            }
        }
        true
    }

    /// The smallest value of every select that only updates need.
    pub(crate) fn first_selects(&self, scratch: &mut Scratch) {
        scratch.selects.clear();
        let network = self.plan.network;
        for &edge in &scratch.edges {
            if self.plan.edges[edge as usize].has_free_selects {
                let selects = &network.edge(&network.instances[edge as usize]).selects;
                let free = selects.iter().filter(|s| !s.expanded);
                scratch.selects.extend(free.map(|s| s.lo));
            }
        }
    }

    /// The next combination of values; false after the last one.
    pub(crate) fn next_selects(&self, scratch: &mut Scratch) -> bool {
        if scratch.selects.is_empty() {
            return false;
        }
        let network = self.plan.network;
        let mut at = 0;
        for &edge in &scratch.edges {
            let selects = &network.edge(&network.instances[edge as usize]).selects;
            for select in selects.iter().filter(|s| !s.expanded) {
                let value = &mut scratch.selects[at];
                if *value < select.hi {
                    *value += 1;
                    return true;
                }
                *value = select.lo;
                at += 1;
            }
        }
        false
    }

    /// Runs the updates of the current transition from a state: sender first, then receivers (`semantics.md` 7). Memory
    /// then is the target's, and the assignments are known.
    pub(crate) fn update(&self, scratch: &mut Scratch, state: &ZoneState) -> Result<(), Stop> {
        let (plan, network) = (self.plan, self.plan.network);
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        scratch.assignments.clear();
        if plan.has_routines {
            self.routine(scratch, network.before_update)?;
        }
        let mut values = scratch.selects.iter();
        for &number in &scratch.edges {
            let edge = &plan.edges[number as usize];
            if edge.has_free_selects {
                let selects = &network.edge(&network.instances[number as usize]).selects;
                for select in selects.iter().filter(|s| !s.expanded) {
                    // Without an update nobody reads the value, and it has no cell.
                    if let Some(&value) = values.next()
                        && edge.update.is_some()
                    {
                        scratch.memory[edge.context.address(select.cell)] = value;
                    }
                }
            }
            if let Some(update) = edge.update {
                run(
                    &network.program,
                    update,
                    &edge.context,
                    &mut scratch.memory,
                    &mut scratch.assignments,
                )?;
            }
        }
        if plan.has_routines {
            self.routine(scratch, network.after_update)?;
        }
        for &number in &scratch.edges {
            let edge = &plan.edges[number as usize];
            scratch.memory[edge.process as usize] = edge.target as i32;
        }
        scratch.no_negative_clock()
    }

    /// The discrete state behind a transition, whatever the clocks.
    pub(crate) fn after(
        &self,
        scratch: &mut Scratch,
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

    fn routine(&self, scratch: &mut Scratch, routine: Option<Routine>) -> Result<(), Stop> {
        let network = self.plan.network;
        if let Some(routine) = routine {
            let context = network.global_context();
            let clocks = &mut scratch.assignments;
            run(
                &network.program,
                routine.entry,
                &context,
                &mut scratch.memory,
                clocks,
            )?;
        }
        Ok(())
    }

    /// Collects the invariants of the current discrete state; false when data forbid it.
    pub(crate) fn list_invariants(&self, scratch: &mut Scratch) -> Result<bool, Stop> {
        let plan = self.plan;
        scratch.invariant.clear();
        for process in 0..plan.network.processes.len() as u32 {
            let place = plan.place(process, scratch.memory[process as usize]);
            if place.invariant.is_trivial() {
                continue;
            }
            let into = &mut scratch.invariant;
            if !plan
                .conditions
                .evaluate(plan.network, &place.invariant, &mut scratch.memory, into)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Scratch {
    /// A clock must not get a negative value anywhere in the zone (`semantics.md` 17), nor one that zones cannot hold.
    fn no_negative_clock(&self) -> Result<(), Stop> {
        for &clock in self.assignments.touched() {
            let (_, plus) = self.assignments.value(clock);
            if plus > Bound::MAX_CONSTANT {
                return Err(Stop::Constant(plus));
            }
        }
        for &(clock, origin, plus) in self.assignments.lowered() {
            if let Some(index) = self.source.index(origin) {
                // The entry bounds 0 − x, so that its constant is the lower bound of x with the sign turned.
                let lowest = -i64::from(self.guarded[index].constant());
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
            let slack = i64::from(constraint.bound.constant()) + shift;
            return Err(slack > 0 || slack == 0 && !constraint.bound.is_strict());
        }
        let limit = i64::from(Bound::MAX_CONSTANT);
        let number = (i64::from(constraint.bound.constant()) + shift).clamp(-limit, limit);
        Ok(Constraint {
            left,
            right,
            bound: Bound::new(number as i32, constraint.bound.is_strict()),
        })
    }
}
