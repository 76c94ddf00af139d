//! Successors of symbolic states: the transitions that data and guards allow (`moves`), taking one (`fire`), the zone that is
//! entered (`enter`) and its abstraction (`abstract_zone`).

mod abstract_zone;
mod enter;
pub(crate) mod existence;
mod fire;
mod moves;
pub mod observe;
mod points;
mod stamped;

use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::plan::effort;
use crate::state::ZoneState;
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::ids::ClockId;
use zonewalk_search::Flow;
use zonewalk_zones::{Bound, Word};

impl ZoneGraph<'_> {
    /// Emits the initial states; none when the initial invariants do not hold (`semantics.md` 6a).
    ///
    /// # Errors
    /// When the model fails. What does not depend on that was emitted.
    pub fn each_initial<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        let network = self.plan.network;
        scratch.memory.copy_from_slice(&self.plan.image);
        scratch.source.clocks.clear();
        scratch.source.pairs.clear();
        scratch.assignments.clear();
        for clock in 0..self.everywhere.len() {
            let value = network.clocks.get(clock).copied().unwrap_or(0);
            zonewalk_network::vm::Clocks::set(&mut scratch.assignments, ClockId::from_index(clock), value);
        }
        scratch.guarded.clear();
        scratch.guarded.push(Bound::LE_ZERO);
        scratch.selects.clear();
        scratch.edges.clear();
        scratch.is_tick = false;
        if self.is_recording {
            scratch.record.guard.clear();
        }
        if let Some(liveness) = &self.liveness {
            liveness.forget_all(&mut scratch.memory);
        }
        scratch.failed = None;
        scratch.attempt = None;
        let _ = self.emit_successor(scratch, emit)?;
        scratch.failure()
    }

    /// Emits every successor, in an order that depends on the state alone.
    ///
    /// # Errors
    /// When the model fails in some transition. The others were emitted.
    pub fn each_successor<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        self.begin_moves(scratch, state)?;
        let mut effort = 0;
        let mut taken = std::mem::take(&mut scratch.taken);
        let mut emit = |state: &ZoneState<W>, step: Step<'_>| {
            effort += effort::of_successor(state);
            for &part in step.parts {
                taken[part.index()] = true;
            }
            emit(state, step)
        };
        while let Ok(true) = self.next_moves(scratch, state) {
            let all = 0..scratch.moves.list.len();
            let fire = |number| self.fire(scratch, state, number, &mut emit);
            let flow = all.map(fire).find(ControlFlow::is_break);
            if let Some(long) = &self.plan.long_code {
                let moves = scratch.moves.list.iter();
                scratch.effort += moves
                    .map(|of| long.of_updates(scratch.moves.parts(of)))
                    .sum::<u64>();
            }
            if flow.is_some() || scratch.moves.is_complete() {
                break;
            }
        }
        scratch.effort += effort;
        scratch.taken = taken;
        scratch.failure()
    }
}
