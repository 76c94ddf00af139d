//! Observations of a state of a model beyond its successors: whether guards hold, and whom an invariant keeps out.
//!
//! Sanity checks ask such questions of every state that they visit. Answers are about the zone as it is: where that is an
//! abstraction, what is seen nowhere is nowhere, and what is seen somewhere may not be real.

use crate::condition::Collected;
use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::state::ZoneState;
use crate::state::constraint::Constraint;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::EvaluatedPart;
use zonewalk_zones::{Bound, Word};

/// Which truth values a guard has among the points of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// It holds somewhere.
    pub holds: bool,
    /// It does not hold somewhere.
    pub fails: bool,
}

impl Truth {
    /// Nothing is certain.
    pub const BOTH: Truth = Truth {
        holds: true,
        fails: true,
    };
}

impl ZoneGraph<'_> {
    /// Looks at the guards of the edge instances that leave the locations of a state, as far as they are `wanted`. A guard
    /// that cannot be evaluated counts as both true and false.
    pub fn each_guard<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        wanted: &mut dyn FnMut(InstanceId) -> bool,
        see: &mut dyn FnMut(InstanceId, Truth),
    ) {
        self.load(scratch, state);
        // An abstraction may have points outside the invariant.
        let mut zone = None;
        for process in self.plan.processes() {
            for edge in self.plan.location_in(&scratch.memory, process).outgoing {
                if !wanted(edge) {
                    continue;
                }
                scratch.asked.clear();
                let mut valuation: Collected<'_, W> = Collected {
                    network: self.plan.network,
                    memory: &mut scratch.memory,
                    loops: &mut scratch.loops,
                    alarm: &mut scratch.alarm,
                    into: &mut scratch.asked,
                    zone: None,
                };
                let truth = match self.plan.enabled(edge, EvaluatedPart::Nothing, &mut valuation) {
                    Err(_) => Truth::BOTH,
                    Ok(None) => Truth {
                        holds: false,
                        fails: true,
                    },
                    Ok(Some(_)) => {
                        let asked = std::mem::take(&mut scratch.asked);
                        let points = zone.get_or_insert_with(|| self.kept_points(scratch, state));
                        let possible = |asked: &[Constraint]| {
                            let mut part = points.clone();
                            scratch.source.constrain(&mut part, asked)
                        };
                        let truth = Truth {
                            holds: possible(&asked),
                            fails: asked.iter().any(|one| possible(&[one.complement()])),
                        };
                        scratch.asked = asked;
                        truth
                    }
                };
                see(edge, truth);
            }
        }
    }

    /// The points of a state's zone that fulfil its invariants.
    fn kept_points<W: Word>(&self, scratch: &mut Scratch<W>, state: &ZoneState<W>) -> Vec<Bound<W>> {
        match self.within_invariant(scratch, state) {
            Ok(Some(inside)) => inside.zone,
            // What cannot be evaluated restricts nothing.
            _ => state.zone.clone(),
        }
    }

    /// Takes the transitions of a state in which a wanted edge instance takes part, and says of each whether the invariant of
    /// the location that it enters holds there for some point, whatever other processes' invariants say. What fails is left out.
    pub fn each_entry<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        wanted: &mut dyn FnMut(InstanceId) -> bool,
        see: &mut dyn FnMut(InstanceId, bool),
    ) {
        if self.begin_moves(scratch, state).is_err() {
            return;
        }
        while let Ok(true) = self.next_moves(scratch, state) {
            self.each_listed_entry(scratch, state, wanted, see);
        }
    }

    /// Counts the transitions that are listed.
    fn each_listed_entry<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        wanted: &mut dyn FnMut(InstanceId) -> bool,
        see: &mut dyn FnMut(InstanceId, bool),
    ) {
        let count = self.plan.network.layout.locations as usize;
        for number in 0..scratch.moves.list.len() {
            let parts = scratch.moves.parts(&scratch.moves.list[number]).to_vec();
            if !parts.iter().any(|&part| wanted(part)) || !self.guard(scratch, state, number) {
                continue;
            }
            self.plan.first_selects(&scratch.edges, &mut scratch.selects);
            loop {
                if self.update(scratch, state).is_ok() {
                    scratch.target.set(&self.bounds, &scratch.memory[..count]);
                    let mut entered = Vec::new();
                    if self.assigned_zone(scratch, &mut entered).is_ok() {
                        for &part in parts.iter().filter(|&&part| wanted(part)) {
                            see(part, self.admits(scratch, part, &entered));
                        }
                    }
                }
                if scratch.is_to_leave_off() || !self.plan.next_selects(&scratch.edges, &mut scratch.selects)
                {
                    break;
                }
            }
        }
    }

    /// Whether the invariant of the location that an edge enters holds for some point of a zone of the state that memory holds.
    fn admits<W: Word>(&self, scratch: &mut Scratch<W>, edge: InstanceId, entered: &[Bound<W>]) -> bool {
        let process = self.plan.network.instance(edge).process;
        scratch.asked.clear();
        let mut valuation: Collected<'_, W> = Collected {
            network: self.plan.network,
            memory: &mut scratch.memory,
            loops: &mut scratch.loops,
            alarm: &mut scratch.alarm,
            into: &mut scratch.asked,
            zone: None,
        };
        match self.plan.invariant(process, &mut valuation) {
            Ok(true) => {
                let mut zone = entered.to_vec();
                scratch.target.constrain(&mut zone, &scratch.asked)
            }
            Ok(false) => false,
            Err(_) => true,
        }
    }
}
