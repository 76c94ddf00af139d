//! Gates: internal edges of many processes that wait for the same value of the same variable.
//!
//! In Fischer's protocol every idle process waits for `id == 0`. Such edges are listed together, whether the variable has
//! the value or not, and a change of the variable opens or closes the whole list at once: it costs the same for ten
//! processes and for a thousand.

use crate::tree::Weights;

/// No fewer edges make a gate: a single one is quicker to look at by itself.
pub(crate) const FEWEST: usize = 2;

/// What a gate waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) cell: u32,
    pub(crate) value: i32,
}

/// The edges behind the gates, and which gates are open.
#[derive(Clone, Debug)]
pub(crate) struct Gated {
    /// By gate: edges that are ready but for the gate.
    edges: Vec<Vec<u32>>,
    is_open: Vec<bool>,
    /// By gate: the number of its edges if it is open.
    weights: Weights,
}

impl Gated {
    /// No edges behind gates that stand as `memory` says.
    pub(crate) fn new(gates: &[Gate], memory: &[i32]) -> Gated {
        Gated {
            edges: vec![Vec::new(); gates.len()],
            is_open: gates.iter().map(|g| memory[g.cell as usize] == g.value).collect(),
            weights: Weights::new(gates.len()),
        }
    }

    #[inline]
    pub(crate) fn is_open(&self, gate: u32) -> bool {
        self.is_open[gate as usize]
    }

    /// The number of edges behind open gates.
    #[inline]
    pub(crate) fn total(&self) -> u64 {
        self.weights.total()
    }

    /// The edge at a point below the total.
    #[inline]
    pub(crate) fn find(&self, point: u64) -> u32 {
        let (gate, offset) = self.weights.find(point);
        self.edges[gate][offset as usize]
    }

    /// Calls `visit` for every edge behind an open gate.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u32)) {
        self.weights
            .for_each(|gate| self.edges[gate].iter().for_each(|&edge| visit(edge)));
    }

    /// Adds an edge, and gives its position.
    #[inline]
    pub(crate) fn push(&mut self, gate: u32, edge: u32) -> u32 {
        let list = &mut self.edges[gate as usize];
        list.push(edge);
        let count = list.len();
        self.reweigh(gate, count);
        count as u32 - 1
    }

    /// Takes out the edge at a position. The last one takes its place, and is returned if there is another one.
    #[inline]
    pub(crate) fn remove(&mut self, gate: u32, position: u32) -> Option<u32> {
        let list = &mut self.edges[gate as usize];
        let last = list.pop()?;
        let count = list.len();
        let moved = list.get_mut(position as usize).map(|place| {
            *place = last;
            last
        });
        self.reweigh(gate, count);
        moved
    }

    /// Opens or closes a gate.
    #[inline]
    pub(crate) fn set(&mut self, gate: u32, is_open: bool) {
        self.is_open[gate as usize] = is_open;
        let count = if is_open {
            self.edges[gate as usize].len()
        } else {
            0
        };
        self.weights.set(gate as usize, count as u64);
    }

    #[inline]
    fn reweigh(&mut self, gate: u32, count: usize) {
        if self.is_open[gate as usize] {
            self.weights.set(gate as usize, count as u64);
        }
    }

    /// Becomes a copy of `other` without giving back memory.
    pub(crate) fn restore(&mut self, other: &Gated) {
        for (mine, theirs) in self.edges.iter_mut().zip(&other.edges) {
            mine.clone_from(theirs);
        }
        self.is_open.clone_from(&other.is_open);
        self.weights.clone_from(&other.weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_counts_while_it_is_open() {
        let gates = [Gate { cell: 0, value: 3 }, Gate { cell: 0, value: 4 }];
        let mut gated = Gated::new(&gates, &[4]);
        assert_eq!(
            [gated.push(0, 10), gated.push(0, 11), gated.push(1, 12)],
            [0, 1, 0]
        );
        assert_eq!((gated.total(), gated.find(0)), (1, 12));
        gated.set(0, true);
        gated.set(1, false);
        assert_eq!((gated.total(), gated.find(0), gated.find(1)), (2, 10, 11));
        assert_eq!(gated.remove(0, 0), Some(11));
        assert_eq!(gated.remove(1, 0), None);
        gated.set(1, true);
        let mut seen = Vec::new();
        gated.for_each(|e| seen.push(e));
        assert_eq!((seen, gated.total()), (vec![11], 1));
    }
}
