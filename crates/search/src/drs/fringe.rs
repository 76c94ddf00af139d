//! The fringe: a set from which any member can be drawn or removed at once.

use crate::chunked::Chunked;
use crate::store::StateId;
use zonewalk_numbers::Random;

const ABSENT: u32 = u32::MAX;

/// Nodes with unvisited children.
#[derive(Debug)]
pub(super) struct NodeSet {
    members: Vec<u32>,
    /// The index in `members` of each node.
    places: Chunked<u32>,
}

impl NodeSet {
    pub(super) const fn new() -> Self {
        NodeSet {
            members: Vec::new(),
            places: Chunked::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn insert(&mut self, id: StateId) {
        while self.places.len() <= id.index() {
            self.places.push(ABSENT);
        }
        let place = self.places.get_mut(id.index());
        if *place == ABSENT {
            *place = self.members.len() as u32;
            self.members.push(id.0);
        }
    }

    pub(super) fn remove(&mut self, id: StateId) {
        if id.index() >= self.places.len() || *self.places.get(id.index()) == ABSENT {
            return;
        }
        let place = std::mem::replace(self.places.get_mut(id.index()), ABSENT);
        self.members.swap_remove(place as usize);
        if let Some(moved) = self.members.get(place as usize) {
            *self.places.get_mut(*moved as usize) = place;
        }
    }

    /// A member, each with the same probability.
    pub(super) fn draw(&self, random: &mut Random) -> Option<StateId> {
        let n = self.members.len();
        (n > 0).then(|| StateId(self.members[random.index(n)]))
    }

    pub(super) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<u32>() + self.places.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_and_go() {
        let mut set = NodeSet::new();
        let mut random = Random::new(1);
        for id in [3, 1, 4, 1, 5] {
            set.insert(StateId(id));
        }
        for id in [1, 9, 2, 5] {
            set.remove(StateId(id));
        }
        assert_eq!(set.len(), 2);
        let drawn: std::collections::BTreeSet<u32> = (0..50)
            .filter_map(|_| set.draw(&mut random))
            .map(|id| id.0)
            .collect();
        assert_eq!(drawn, [3, 4].into());
        set.remove(StateId(4));
        set.remove(StateId(3));
        assert_eq!(set.draw(&mut random), None);
    }
}
