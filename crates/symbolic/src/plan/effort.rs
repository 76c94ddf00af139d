//! Cost of work in the zone graph: counted and not measured, so that shares of effort are the same on every machine.
//!
//! The figures were fitted to the processor time of breadth-first searches of 24 models, and are rather too low than too high. Most
//! of it goes into successors: their zones are made, closed and compared, many bounds at once, and their discrete parts written
//! and hashed. In models of many processes it goes into looking for the edges that are enabled, and where clocks can be stopped, into
//! asking whether they run. Code counts where it is long (`LongCode`). How many stored zones a new one is compared with is not
//! counted.

use crate::condition::Zones;
use crate::state::ZoneState;
use zonewalk_network::effort::Efforts;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::{General, Product};
use zonewalk_zones::Word;

/// Units that cost as much as a step of a walk in a small model, some 250 ns.
pub const UNITS_PER_STEP: u64 = 20;

/// Cost of looking for the enabled edges of processes, by the number of edges where they are.
pub(crate) fn of_listing(processes: usize, edges: usize) -> u64 {
    6 * processes as u64 + 3 * edges as u64
}

/// Cost of asking for rates of clocks.
pub(crate) fn of_rates(rates: usize) -> u64 {
    3 * rates as u64
}

/// Cost of making a state and looking for it in a store.
pub fn of_successor<W: Word>(state: &ZoneState<W>) -> u64 {
    16 + 8 * state.dim() as u64 + state.discrete.len() as u64 / 2
}

/// Number of instructions that cost as much as a step of a walk. What is known of code before it runs counts every loop to its
/// end and both sides of every branch, so it is twice what walks take it for.
const INSTRUCTIONS_PER_STEP: u32 = 128;

/// Code that is shorter than this, in instructions, is part of what the other figures were fitted to.
const LEAST_INSTRUCTIONS: u32 = 64;

/// Cost of long code, by edge instance: of functions that search a board, say, in guards and updates.
pub(crate) struct LongCode {
    guards: Vec<u32>,
    updates: Vec<u32>,
}

impl LongCode {
    /// `None` for most networks: none of their edges has long code.
    pub(crate) fn of(product: &Product<'_, Zones>) -> Option<LongCode> {
        let mut efforts = Efforts::default();
        let mut cost = |entry| match efforts.of(product.network, entry) {
            short if short < LEAST_INSTRUCTIONS => 0,
            long => (u64::from(long) * UNITS_PER_STEP / u64::from(INSTRUCTIONS_PER_STEP)) as u32,
        };
        let conditions = &product.conditions;
        let mut long = LongCode {
            guards: Vec::with_capacity(product.edges.len()),
            updates: Vec::with_capacity(product.edges.len()),
        };
        for edge in &product.edges {
            let guard = conditions.rest(&edge.guard).iter().map(|part| match *part {
                General::Code(entry) => cost(Some(entry)),
                General::Clock(bound) => cost(conditions.clock_bounds[bound as usize].0.setup),
                General::Compare(_) => 0,
            });
            long.guards.push(guard.fold(0, u32::saturating_add));
            long.updates.push(cost(edge.update));
        }
        let is_long = |costs: &[u32]| costs.iter().any(|&cost| cost > 0);
        (is_long(&long.guards) || is_long(&long.updates)).then_some(long)
    }

    /// Cost of the guards that are asked in a discrete state. A guard's code runs where what comes before it holds.
    pub(crate) fn of_guards(&self, product: &Product<'_, Zones>, memory: &[i32]) -> u64 {
        let outgoing = product
            .processes()
            .flat_map(|process| product.location_in(memory, process).outgoing);
        outgoing
            .filter(|edge| self.guards[edge.index()] > 0)
            .filter(|&edge| {
                let compares = product.conditions.compares(&product.edge(edge).guard);
                compares.iter().all(|compare| compare.holds(memory))
            })
            .map(|edge| u64::from(self.guards[edge.index()]))
            .sum()
    }

    /// Cost of the updates of a transition.
    pub(crate) fn of_updates(&self, parts: &[InstanceId]) -> u64 {
        parts
            .iter()
            .map(|edge| u64::from(self.updates[edge.index()]))
            .sum()
    }
}
