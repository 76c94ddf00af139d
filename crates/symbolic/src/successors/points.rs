//! The points of a state that fulfil a goal.

use crate::goal::{Deadlocks, Evaluation, ZoneGoal};
use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::state::ZoneState;
use crate::stop::Stop;
use zonewalk_zones::{Bound, Federation, Word};

impl ZoneGraph<'_> {
    /// The points of a state that fulfil a goal, whatever fails elsewhere.
    ///
    /// # Errors
    /// When the model fails and no point is certain.
    pub fn points<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        goal: &ZoneGoal,
        state: &ZoneState<W>,
    ) -> Result<Federation<W>, Stop> {
        self.load(scratch, state);
        match goal.by_data(goal.form.root, self.plan.network, &mut scratch.memory)? {
            Some(true) => return Ok(Federation::from_zone(&state.zone, state.dim())),
            Some(false) => return Ok(Federation::new(state.dim())),
            None => {}
        }
        let mut zone = &state.zone;
        let mut dead = None;
        let within;
        if goal.mentions_deadlock() {
            // Points outside the invariant are no states: that nothing is possible there, or something, says nothing.
            within = self.within_invariant(scratch, state)?;
            let Some(within) = &within else {
                return Ok(Federation::new(state.dim()));
            };
            zone = &within.zone;
            dead = Some(self.deadlocks_beside_failures(scratch, within)?);
            self.load(scratch, state);
        }
        let mut place = Evaluation {
            network: self.plan.network,
            memory: &mut scratch.memory,
            frame: &scratch.source,
            dead: &mut || Ok(dead.clone().unwrap_or_else(|| Deadlocks::none(state.dim()))),
            doubt: None,
        };
        let points = place.points(goal, goal.form.root, Federation::from_zone(zone, state.dim()))?;
        match place.doubt {
            Some(stop) if points.is_empty() => Err(stop),
            _ => Ok(points),
        }
    }

    /// Whether some point of a state fulfils a goal.
    ///
    /// # Errors
    /// When the model fails.
    pub fn meets<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        goal: &ZoneGoal,
        state: &ZoneState<W>,
    ) -> Result<bool, Stop> {
        // Most states are told apart by their data, and that needs no zones.
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        match goal.by_data(goal.form.root, self.plan.network, &mut scratch.memory)? {
            Some(truth) => Ok(truth),
            None => Ok(!self.points(scratch, goal, state)?.is_empty()),
        }
    }

    /// The points of a zone of the state that is being entered that fulfil a goal: neither more nor fewer.
    pub(crate) fn satisfying<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        goal: &ZoneGoal,
        zone: &[Bound<W>],
    ) -> Result<Federation<W>, Stop> {
        let dim = scratch.target.dim();
        match goal.by_data(goal.form.root, self.plan.network, &mut scratch.memory)? {
            Some(true) => return Ok(Federation::from_zone(zone, dim)),
            Some(false) => return Ok(Federation::new(dim)),
            None => {}
        }
        let network = self.plan.network;
        let entered = ZoneState {
            discrete: scratch.memory[..network.layout.meta as usize].to_vec(),
            clocks: scratch.target.clocks.clone(),
            zone: zone.to_vec(),
        };
        let inner = &mut scratch.inner;
        let mut place = Evaluation {
            network,
            memory: &mut scratch.memory,
            frame: &scratch.target,
            // The state is being entered, and the lists that this is done with are in use.
            dead: &mut || {
                let inner = inner.get_or_insert_with(|| Box::new(self.scratch()));
                self.deadlocks_beside_failures(inner, &entered)
            },
            doubt: None,
        };
        let points = place.points(goal, goal.form.root, Federation::from_zone(zone, dim))?;
        place.doubt.map_or(Ok(points), Err)
    }
}
