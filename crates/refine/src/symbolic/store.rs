//! The zones that were met: for each pair of locations a union.

use std::marker::PhantomData;

use zonewalk_search::{StateId, Store, Stored};
use zonewalk_zones::{Bound, Federation, Word, dbm};

use crate::symbolic::graph::Node;

/// Number of zones beyond which a new one is compared with single zones only: subtracting them all would take longer than it saves.
const UNION_LIMIT: usize = 24;

/// A store in which the zones of a pair of locations cover a new one together.
#[derive(Debug)]
pub(crate) struct ZoneStore<W, E> {
    /// Automata of both sides.
    automata: usize,
    /// For each pair of locations the numbers of its zones.
    lists: Vec<Vec<u32>>,
    /// For each number its pair of locations and its zone, which is gone when another one covers it.
    zones: Vec<(u32, Box<[Bound<W>]>)>,
    /// Zones that are not covered.
    alive: usize,
    bytes: usize,
    ends: PhantomData<fn(&E)>,
}

impl<W: Word, E> ZoneStore<W, E> {
    /// An empty store for the states of so many automata.
    pub(crate) fn new(automata: usize) -> Self {
        ZoneStore {
            automata,
            lists: Vec::new(),
            zones: Vec::new(),
            alive: 0,
            bytes: 0,
            ends: PhantomData,
        }
    }

    /// How many pairs of locations have a zone.
    pub(crate) fn pairs(&self) -> usize {
        self.lists.iter().filter(|list| !list.is_empty()).count()
    }

    /// The zone of this pair of locations that includes another one.
    fn including(&self, node: &Node<W, E>) -> Option<StateId> {
        let mut list = self.lists.get(node.state as usize)?.iter();
        let known = list.find(|&&known| dbm::includes(&self.zones[known as usize].1, &node.zone));
        known.map(|&known| StateId(known))
    }

    /// Retires the zones that a new one includes.
    fn retire_included(&mut self, node: &Node<W, E>) {
        self.lists[node.state as usize].retain(|&known| {
            let known = &mut self.zones[known as usize].1;
            let is_included = dbm::includes(&node.zone, known);
            if is_included {
                self.alive -= 1;
                self.bytes -= size_of_val(&**known);
                *known = Box::default();
            }
            !is_included
        });
    }

    /// The last of the zones that cover a new one together.
    fn union_covering(&self, node: &Node<W, E>) -> Option<StateId> {
        let list = &self.lists[node.state as usize];
        if !(2..=UNION_LIMIT).contains(&list.len()) {
            return None;
        }
        let mut rest = Federation::from_zone(&node.zone, node.zone.len().isqrt());
        let last = list.iter().find(|&&known| {
            rest.subtract(&self.zones[known as usize].1);
            rest.is_empty()
        });
        last.map(|&known| StateId(known))
    }

    /// Makes room for the zones of a pair of locations that has none yet.
    fn open(&mut self, node: &Node<W, E>) {
        let state = node.state as usize;
        if self.lists.len() <= state {
            self.lists.resize(state + 1, Vec::new());
        }
        if self.lists[state].is_empty() {
            // Its locations and its frame, twice, and what holds them.
            let dim = node.zone.len().isqrt();
            self.bytes += 2 * size_of::<u32>() * self.automata + (2 + 2 * size_of::<W>()) * dim + 160;
        }
    }
}

impl<W: Word, E> Store for ZoneStore<W, E> {
    type State = Node<W, E>;

    fn insert(&mut self, node: &Node<W, E>) -> Stored {
        if let Some(known) = self.including(node) {
            return Stored::Covered(known);
        }
        self.open(node);
        self.retire_included(node);
        if let Some(known) = self.union_covering(node) {
            return Stored::Covered(known);
        }
        let number = self.zones.len() as u32;
        self.lists[node.state as usize].push(number);
        self.alive += 1;
        self.bytes += size_of_val(&*node.zone) + size_of::<(u32, Box<[Bound<W>]>)>() + size_of::<u32>();
        self.zones.push((node.state, node.zone.as_slice().into()));
        Stored::New(StateId(number))
    }

    fn covering(&self, node: &Node<W, E>) -> Option<StateId> {
        self.including(node)
    }

    fn load(&self, id: StateId, into: &mut Node<W, E>) {
        let (state, zone) = &self.zones[id.index()];
        into.state = *state;
        into.zone.clear();
        into.zone.extend_from_slice(zone);
        into.end = None;
    }

    fn is_alive(&self, id: StateId) -> bool {
        !self.zones[id.index()].1.is_empty()
    }

    fn stored(&self) -> usize {
        self.alive
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}
