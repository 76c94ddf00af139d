//! Certificates from stored states: what the judge of proofs is shown of a search.
//!
//! A node says the least that a search relies on: clocks and variables that do not matter in a state are left open, and a zone
//! is given by the fewest constraints. The judge does not trust that they do not matter; it refuses a node if they do.

mod bounded;
mod ranked;

pub use crate::infinite::lasso::NoProof;
pub use bounded::{nodes_before, nodes_by_depth};
pub use ranked::ranked_nodes;

use crate::graph::ZoneGraph;
use crate::graph::stamps::Stamps;
use crate::state::ZoneState;
use crate::state::constraint::{ClockRef, widened};
use crate::store::ZoneStore;
use zonewalk_certificate::{Columns, Constraint, LARGEST_BOUND, Node};
use zonewalk_model::ids::{ClockId, LocationId};
use zonewalk_model::system::Memory;
use zonewalk_network::live_variables::Liveness;
use zonewalk_search::{StateId, Store as _};
use zonewalk_zones::{Word, minimal};

/// Makes nodes of symbolic states.
pub struct NodeMaker<'c> {
    liveness: Option<&'c Liveness>,
    /// Where clocks that stand still have stamps, which files do not know.
    stamps: Option<&'c Stamps>,
    /// Number of processes.
    processes: usize,
    /// By column of values: where the network has the variable.
    addresses: Vec<usize>,
    /// By address: its column.
    columns: Vec<Option<usize>>,
    /// Memory of the network, for what does not change.
    memory: Vec<i32>,
}

impl<'c> NodeMaker<'c> {
    /// For the states of a graph. Requires: `columns` and `initial`, the initial values, are those of the model that the
    /// network of the graph is compiled from.
    pub fn new(graph: &'c ZoneGraph<'_>, columns: &Columns, initial: &Memory) -> Self {
        let network = graph.plan().network;
        let memory = network.memory();
        // Every cell holds its own address.
        let addresses: Vec<i32> = (0..memory.len() as i32).collect();
        let mut shape = initial.clone();
        network.read_values(&addresses, &mut shape);
        let values = columns.values(&shape);
        let addresses: Vec<usize> = values.iter().map(|at| at.unwrap_or(0) as usize).collect();
        let mut by_address = vec![None; memory.len()];
        for (column, &address) in addresses.iter().enumerate() {
            by_address[address] = Some(column);
        }
        NodeMaker {
            liveness: graph.liveness.as_ref(),
            stamps: graph.stamps.as_ref(),
            processes: network.layout.locations as usize,
            addresses,
            columns: by_address,
            memory,
        }
    }

    /// The node of a state: all points that the state stands for, and more where variables or clocks do not matter.
    pub fn node<W: Word>(&mut self, state: &ZoneState<W>) -> Node {
        self.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        let locations = self.memory[..self.processes].iter();
        let mut values: Vec<Option<i32>> = self.addresses.iter().map(|&at| Some(self.memory[at])).collect();
        if let Some(liveness) = self.liveness {
            for address in liveness.dead(&self.memory) {
                if let Some(column) = self.columns[address as usize] {
                    values[column] = None;
                }
            }
        }
        Node {
            locations: locations.map(|&at| LocationId(at as u32)).collect(),
            values,
            constraints: match self.stamps {
                Some(stamps) => constraints(&stamps.values(state)),
                None => constraints(state),
            },
            depth: None,
            rank: None,
        }
    }

    /// The nodes of all states of a store, in the order in which they were found.
    pub fn nodes<W: Word>(&mut self, store: &ZoneStore<W>) -> Vec<Node> {
        let mut state = ZoneState::default();
        let node = |id: StateId| {
            store.load(id, &mut state);
            self.node(&state)
        };
        store.ids().map(node).collect()
    }
}

/// The fewest constraints of a zone. A bound beyond what files can have is left out, which makes the set larger.
fn constraints<W: Word>(state: &ZoneState<W>) -> Vec<Constraint> {
    // The clocks of the network are those of the model, one by one.
    let clock = |index: u16| {
        let clock = ClockRef::at(index.into(), &state.clocks).clock();
        clock.map(|clock| ClockId::from_index(clock.index()))
    };
    let minimal = minimal::constraints(&state.zone, state.dim());
    let constraints = minimal.into_iter().map(|constraint| {
        let bound = widened(constraint.bound);
        Constraint {
            left: clock(constraint.left),
            right: clock(constraint.right),
            bound: bound.constant(),
            strict: bound.is_strict(),
        }
    });
    constraints
        .filter(|constraint| constraint.bound.abs() <= LARGEST_BOUND)
        .collect()
}
