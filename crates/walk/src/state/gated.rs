//! The edges behind [gates](crate::plan::gate): which are ready, and which gates are open.

use crate::plan::gate::Gate;
use crate::state::segment_tree::Weights;
use zonewalk_network::ids::InstanceId;

/// The edges behind the gates, and which gates are open.
#[derive(Clone, Debug)]
pub(crate) struct Gated {
    /// By gate.
    lists: Vec<List>,
    /// By gate: the number of its transitions if it is open.
    weights: Weights,
}

/// Edges behind a gate.
#[derive(Clone, Debug)]
struct List {
    /// Edges that are ready but for the gate.
    edges: Vec<InstanceId>,
    /// How many transitions each of them is.
    ways: u64,
    is_open: bool,
}

impl List {
    /// How many transitions there are, if the gate is open.
    #[inline(always)]
    fn weight(&self) -> u64 {
        self.edges.len() as u64 * self.ways
    }
}

impl Gated {
    /// No edges behind gates that stand as `memory` says.
    pub(crate) fn new(gates: &[Gate], memory: &[i32]) -> Gated {
        let list = |gate: &Gate| List {
            edges: Vec::new(),
            ways: gate.ways,
            is_open: gate.is_open(memory),
        };
        Gated {
            lists: gates.iter().map(list).collect(),
            weights: Weights::new(gates.len()),
        }
    }

    #[inline]
    pub(crate) fn is_open(&self, gate: u32) -> bool {
        self.lists[gate as usize].is_open
    }

    /// The number of transitions behind open gates.
    #[inline]
    pub(crate) fn total(&self) -> u64 {
        self.weights.total()
    }

    /// The edge at a point below the total.
    #[inline]
    pub(crate) fn find(&self, point: u64) -> InstanceId {
        let (gate, offset) = self.weights.find(point);
        let list = &self.lists[gate];
        list.edges[(offset / list.ways) as usize]
    }

    /// Calls `visit` for every edge behind an open gate.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(InstanceId)) {
        self.weights
            .for_each(|gate| self.lists[gate].edges.iter().for_each(|&edge| visit(edge)));
    }

    /// Adds an edge, and gives its position.
    #[inline]
    pub(crate) fn push(&mut self, gate: u32, edge: InstanceId) -> u32 {
        let list = &mut self.lists[gate as usize];
        let position = list.edges.len() as u32;
        list.edges.push(edge);
        if list.is_open {
            self.weights.set(gate as usize, list.weight());
        }
        position
    }

    /// Takes out the edge at a position. The last one takes its place, and is returned if there is another one.
    #[inline]
    pub(crate) fn remove(&mut self, gate: u32, position: u32) -> Option<InstanceId> {
        let list = &mut self.lists[gate as usize];
        let last = list.edges.pop()?;
        if list.is_open {
            self.weights.set(gate as usize, list.weight());
        }
        list.edges.get_mut(position as usize).map(|place| {
            *place = last;
            last
        })
    }

    /// Opens or closes a gate.
    #[inline]
    pub(crate) fn set(&mut self, gate: u32, is_open: bool) {
        let list = &mut self.lists[gate as usize];
        list.is_open = is_open;
        let weight = if is_open { list.weight() } else { 0 };
        self.weights.set(gate as usize, weight);
    }

    /// Becomes a copy of `other` without giving back memory.
    pub(crate) fn restore(&mut self, other: &Gated) {
        for (mine, theirs) in self.lists.iter_mut().zip(&other.lists) {
            mine.edges.clone_from(&theirs.edges);
            mine.is_open = theirs.is_open;
        }
        self.weights.clone_from(&other.weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::NONE;

    #[test]
    fn a_gate_counts_while_it_is_open() {
        let gate = |value: i32| Gate {
            cell: 0,
            value,
            ways: 1,
        };
        let gates = [gate(3), gate(4)];
        let mut gated = Gated::new(&gates, &[4]);
        assert_eq!(
            [
                gated.push(0, InstanceId(10)),
                gated.push(0, InstanceId(11)),
                gated.push(1, InstanceId(12)),
            ],
            [0, 1, 0]
        );
        assert_eq!((gated.total(), gated.find(0)), (1, InstanceId(12)));
        gated.set(0, true);
        gated.set(1, false);
        assert_eq!(
            (gated.total(), gated.find(0), gated.find(1)),
            (2, InstanceId(10), InstanceId(11))
        );
        assert_eq!(gated.remove(0, 0), Some(InstanceId(11)));
        assert_eq!(gated.remove(1, 0), None);
        gated.set(1, true);
        let mut seen = Vec::new();
        gated.for_each(|e| seen.push(e));
        assert_eq!((seen, gated.total()), (vec![InstanceId(11)], 1));
    }

    #[test]
    fn a_list_of_selecting_edges_weighs_its_transitions() {
        let gates = [Gate {
            cell: NONE,
            value: 0,
            ways: 3,
        }];
        let mut gated = Gated::new(&gates, &[]);
        gated.push(0, InstanceId(7));
        gated.push(0, InstanceId(8));
        let found: Vec<u32> = (0..gated.total()).map(|point| gated.find(point).0).collect();
        assert_eq!(found, [7, 7, 7, 8, 8, 8]);
        gated.remove(0, 0);
        assert_eq!((gated.total(), gated.find(2)), (3, InstanceId(8)));
    }
}
