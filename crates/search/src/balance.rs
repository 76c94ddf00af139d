//! Several orders over the same states, one of them by an expensive estimate: they take turns, and each may spend as much as the others.

use crate::frontier::Frontier;
use crate::queues::{Queue, Ties};
use crate::store::StateId;
use crate::types::Types;
use std::cell::Cell;
use std::rc::Rc;

/// Participants that take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Best first, by an expensive estimate.
    #[default]
    Informed,
    /// By type: a pair of a cheap estimate and a depth is drawn, then a state of that type.
    Types,
    /// Depth first among the states with the least cheap estimate: runs to errors are often long, and plateaus wide.
    Deep,
}

impl Side {
    /// All of them.
    pub const ALL: [Side; 3] = [Side::Informed, Side::Types, Side::Deep];
}

/// Effort spent per side, shared by guide and frontier: the frontier says whose turn it is, the guide what it costs. Effort is
/// counted, not measured, so that searches are repeatable.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Rc<Accounts>);

#[derive(Debug, Default)]
struct Accounts {
    turn: Cell<Side>,
    spent: [Cell<u64>; Side::ALL.len()],
}

impl Ledger {
    /// Side whose turn it is.
    pub fn turn(&self) -> Side {
        self.0.turn.get()
    }

    /// Puts down what was spent in this turn.
    pub fn spend(&self, effort: u64) {
        let spent = &self.0.spent[self.turn() as usize];
        spent.set(spent.get().saturating_add(effort));
    }

    /// Effort spent by a side.
    pub fn spent(&self, side: Side) -> u64 {
        self.0.spent[side as usize].get()
    }
}

/// A state that leads nowhere: it comes after all others.
pub const NOWHERE: u32 = u32::MAX;

/// Where a state waits, by side: its priority for [`Side::Informed`], its estimate for the others. No side is given a state twice.
pub type Waits = [Option<u64>; Side::ALL.len()];

/// A set of states.
#[derive(Clone, Debug, Default)]
pub struct StateSet(Vec<u64>);

impl StateSet {
    /// Adds a state; true if it is new.
    pub fn insert(&mut self, id: StateId) -> bool {
        let (word, bit) = (id.index() / 64, 1 << (id.0 % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Memory held.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

/// The frontier: of the sides that have a state to take, the one that has spent least takes the next one.
///
/// Each side has its own order of its own states, as if it were alone; what another side has expanded it expands again, to
/// know where that leads. The search ends when every state has been expanded by some side.
#[derive(Clone, Debug)]
pub struct Balanced {
    ledger: Ledger,
    informed: Queue,
    types: Types,
    deep: Queue,
    /// The new successors of a state, until all of them are known.
    siblings: Vec<(u64, (u32, u32))>,
    /// Number of waiting states of each side.
    sizes: [usize; Side::ALL.len()],
    met: StateSet,
    expanded: StateSet,
    waiting: usize,
}

impl Balanced {
    /// An empty frontier; types are drawn by the seed.
    pub fn new(ledger: Ledger, seed: u64) -> Balanced {
        Balanced {
            ledger,
            informed: Queue::default(),
            types: Types::new(seed),
            deep: Queue::default(),
            siblings: Vec::new(),
            sizes: [0; Side::ALL.len()],
            met: StateSet::default(),
            expanded: StateSet::default(),
            waiting: 0,
        }
    }
}

impl Frontier<Waits> for Balanced {
    fn push(&mut self, id: StateId, depth: u32, waits: Waits) {
        let entry = (id.0, depth);
        self.waiting += usize::from(self.met.insert(id));
        for (side, priority) in Side::ALL.into_iter().zip(waits) {
            let Some(priority) = priority else { continue };
            self.sizes[side as usize] += 1;
            match side {
                Side::Informed => self.informed.push(priority, entry),
                // What leads nowhere is one type.
                Side::Types if priority == u64::from(NOWHERE) => self.types.push(u64::MAX, entry),
                Side::Types => self.types.push(priority << 32 | u64::from(depth), entry),
                Side::Deep => self.siblings.push((priority, entry)),
            }
        }
    }

    fn close(&mut self) {
        // The first successor is to be on top.
        for (estimate, entry) in self.siblings.drain(..).rev() {
            self.deep.push(estimate, entry);
        }
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.waiting == 0 {
            return None;
        }
        let able = Side::ALL
            .into_iter()
            .filter(|&side| self.sizes[side as usize] > 0);
        let turn = able.min_by_key(|&side| self.ledger.spent(side))?;
        let (id, depth) = match turn {
            Side::Informed => self.informed.pop(Ties::Oldest),
            Side::Types => self.types.pop(),
            Side::Deep => self.deep.pop(Ties::Newest),
        }?;
        self.sizes[turn as usize] -= 1;
        self.ledger.0.turn.set(turn);
        self.waiting -= usize::from(self.expanded.insert(StateId(id)));
        Some((StateId(id), depth))
    }

    fn waiting(&self) -> usize {
        self.waiting
    }

    fn bytes(&self) -> usize {
        let queues = self.informed.bytes() + self.types.bytes() + self.deep.bytes();
        queues + self.met.bytes() + self.expanded.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frontier() -> (Ledger, Balanced) {
        let ledger = Ledger::default();
        (ledger.clone(), Balanced::new(ledger, 1))
    }

    #[test]
    fn the_side_that_has_spent_least_has_its_turn() {
        let (ledger, mut frontier) = frontier();
        for id in 0..4 {
            frontier.push(
                StateId(id),
                0,
                [Some(u64::from(10 - id)), Some(2), Some(id.into())],
            );
        }
        frontier.close();
        assert_eq!(frontier.pop(), Some((StateId(3), 0)), "the best one");
        assert_eq!(ledger.turn(), Side::Informed);
        ledger.spend(5);
        frontier.pop();
        assert_eq!(ledger.turn(), Side::Types);
        ledger.spend(9);
        assert_eq!(frontier.pop(), Some((StateId(0), 0)), "the nearest");
        assert_eq!(ledger.turn(), Side::Deep);
        ledger.spend(6);
        frontier.pop();
        assert_eq!(ledger.turn(), Side::Informed, "5 of 6 and 9");
    }

    #[test]
    fn depth_goes_first_and_the_first_successor() {
        let (_, mut frontier) = frontier();
        for ids in [[0, 1], [2, 3]] {
            ids.iter()
                .for_each(|&id| frontier.push(StateId(id), 1, [None, None, Some(4)]));
            frontier.close();
        }
        let order: Vec<u32> = std::iter::from_fn(|| frontier.pop())
            .map(|(id, _)| id.0)
            .collect();
        assert_eq!(order, [2, 3, 0, 1]);
    }

    #[test]
    fn it_ends_when_every_state_was_expanded_by_some_side() {
        let (ledger, mut frontier) = frontier();
        for id in 0..50 {
            // All are the informed side's too, which has no turn.
            let place = if id % 2 == 0 {
                [Some(1), Some(3), None]
            } else {
                [Some(1), None, Some(3)]
            };
            frontier.push(StateId(id), id, place);
        }
        frontier.close();
        ledger.spend(1000);
        let mut all: Vec<u32> = std::iter::from_fn(|| frontier.pop())
            .map(|(id, _)| id.0)
            .collect();
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
        assert_eq!(frontier.waiting(), 0);
    }
}
