//! Two small trees over a fixed number of leaves: the smallest of many deadlines, and a draw by weight.
//!
//! A step changes a few leaves; both trees then cost a logarithm of the network's size.

/// The minimum of an array that changes one element at a time.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    /// A complete binary tree: node `i` has the children `2i` and `2i + 1`, leaf `k` is node `leaves + k`.
    nodes: Vec<i64>,
    leaves: usize,
}

impl Minimum {
    /// `count` elements, all `i64::MAX`.
    pub(crate) fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two().max(1);
        Minimum {
            nodes: vec![i64::MAX; 2 * leaves],
            leaves,
        }
    }

    /// Sets an element.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, value: i64) {
        let (mut node, mut value) = (self.leaves + index, value);
        let nodes = self.nodes.as_mut_slice();
        while nodes[node] != value {
            nodes[node] = value;
            if node == 1 {
                break;
            }
            value = value.min(nodes[node ^ 1]);
            node /= 2;
        }
    }

    /// An element.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> i64 {
        self.nodes[self.leaves + index]
    }

    /// The smallest element.
    #[inline]
    pub(crate) fn min(&self) -> i64 {
        self.nodes[1]
    }
}

/// Weights that change one at a time, and draws in proportion to them.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Nodes of the tree, with sums.
    nodes: Vec<u64>,
    leaves: usize,
}

impl Weights {
    /// `count` weights of 0.
    pub(crate) fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two().max(1);
        Weights {
            nodes: vec![0; 2 * leaves],
            leaves,
        }
    }

    /// Sets a weight.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, weight: u64) {
        let mut node = self.leaves + index;
        let nodes = self.nodes.as_mut_slice();
        // Wrapping: the difference may be negative, the sums never are.
        let difference = weight.wrapping_sub(nodes[node]);
        if difference == 0 {
            return;
        }
        while node > 0 {
            nodes[node] = nodes[node].wrapping_add(difference);
            node /= 2;
        }
    }

    /// The sum of all weights.
    #[inline]
    pub(crate) fn total(&self) -> u64 {
        self.nodes[1]
    }

    /// The element that `point` falls into, and how far. Requires: `point < total()`.
    #[inline]
    pub(crate) fn find(&self, mut point: u64) -> (usize, u64) {
        debug_assert!(point < self.total());
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            let left = self.nodes[node];
            if point >= left {
                point -= left;
                node += 1;
            }
        }
        (node - self.leaves, point)
    }

    /// Calls `visit` for every element with a weight, in order. Stretches without any cost next to nothing.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        let mut node = 1;
        loop {
            if self.nodes[node] > 0 && node < self.leaves {
                node *= 2;
                continue;
            }
            if self.nodes[node] > 0 {
                visit(node - self.leaves);
            }
            // Up while this is a right child, then on to the sibling.
            while node % 2 == 1 {
                if node == 1 {
                    return;
                }
                node /= 2;
            }
            node += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_follows_its_elements() {
        let mut m = Minimum::new(5);
        assert_eq!(m.min(), i64::MAX);
        m.set(3, 7);
        m.set(1, 9);
        assert_eq!((m.min(), m.get(1)), (7, 9));
        m.set(3, 11);
        assert_eq!(m.min(), 9);
        m.set(1, i64::MAX);
        m.set(3, i64::MAX);
        assert_eq!(m.min(), i64::MAX);
    }

    #[test]
    fn weights_are_found_in_proportion() {
        let mut w = Weights::new(6);
        w.set(0, 2);
        w.set(4, 3);
        w.set(5, 1);
        assert_eq!(w.total(), 6);
        let found: Vec<_> = (0..6).map(|p| w.find(p)).collect();
        assert_eq!(found, [(0, 0), (0, 1), (4, 0), (4, 1), (4, 2), (5, 0)]);
        let mut seen = Vec::new();
        w.for_each(|i| seen.push(i));
        assert_eq!(seen, [0, 4, 5]);
        Weights::new(1).for_each(|_| panic!("nothing has a weight"));
        w.set(4, 0);
        assert_eq!((w.total(), w.find(2)), (3, (5, 0)));
    }
}
