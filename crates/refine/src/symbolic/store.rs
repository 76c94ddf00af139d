//! The pairs of states that were met: for each pair of locations a union of zones.

use rustc_hash::FxHashMap;
use zonewalk_tioa::Action;
use zonewalk_zones::{Bound, Federation, Word, dbm};

use crate::symbolic::frame::Frame;

/// Number of zones beyond which a new one is compared with single zones only: subtracting them all would take longer than it saves.
const UNION_LIMIT: usize = 24;

/// How a zone was reached.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The zone before.
    pub parent: u32,
    /// By which action.
    pub action: Action,
    /// Which of the ways to do the action, in the order of enumeration.
    pub way: u32,
}

/// A zone of a pair of locations.
#[derive(Debug)]
pub struct Node<W = i32> {
    /// Number of the pair of locations.
    pub state: u32,
    /// The points, while the zone waits to be explored or is part of the relation.
    pub zone: Box<[Bound<W>]>,
    /// How it was reached; nothing at the start.
    pub arrival: Option<Arrival>,
}

/// The relation as far as it was built.
#[derive(Debug)]
pub struct Store<W = i32> {
    states: Vec<Box<[u32]>>,
    frames: Vec<Frame<W>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// The zones of each pair of locations, by number of their nodes.
    zones: Vec<Vec<u32>>,
    nodes: Vec<Node<W>>,
    bytes: usize,
}

impl<W: Word> Default for Store<W> {
    fn default() -> Self {
        Store {
            states: Vec::new(),
            frames: Vec::new(),
            numbers: FxHashMap::default(),
            zones: Vec::new(),
            nodes: Vec::new(),
            bytes: 0,
        }
    }
}

impl<W: Word> Store<W> {
    /// The number of a state, if it is known.
    pub fn number(&self, state: &[u32]) -> Option<u32> {
        self.numbers.get(state).copied()
    }

    /// Makes a state known.
    pub fn insert_state(&mut self, state: &[u32], frame: Frame<W>) -> u32 {
        let number = self.states.len() as u32;
        self.bytes += 2 * size_of_val(state) + (2 + 2 * size_of::<W>()) * frame.dim() + 160;
        self.states.push(state.into());
        self.numbers.insert(state.into(), number);
        self.frames.push(frame);
        self.zones.push(Vec::new());
        number
    }

    /// The locations of a state.
    pub fn state(&self, number: u32) -> &[u32] {
        &self.states[number as usize]
    }

    /// The clocks that matter in a state.
    pub fn frame(&self, number: u32) -> &Frame<W> {
        &self.frames[number as usize]
    }

    /// A node.
    pub fn node(&self, number: u32) -> &Node<W> {
        &self.nodes[number as usize]
    }

    /// Adds a zone, if it brings something new. Zones that it covers are taken out of the relation.
    pub fn insert(&mut self, state: u32, zone: Vec<Bound<W>>, arrival: Option<Arrival>) -> Option<u32> {
        let list = &mut self.zones[state as usize];
        let nodes = &self.nodes;
        if list
            .iter()
            .any(|&known| dbm::includes(&nodes[known as usize].zone, &zone))
        {
            return None;
        }
        list.retain(|&known| !dbm::includes(&zone, &nodes[known as usize].zone));
        if (2..=UNION_LIMIT).contains(&list.len()) {
            let mut rest = Federation::from_zone(&zone, self.frames[state as usize].dim());
            for &known in list.iter() {
                rest.subtract(&nodes[known as usize].zone);
                if rest.is_empty() {
                    return None;
                }
            }
        }
        let number = nodes.len() as u32;
        list.push(number);
        self.bytes += zone.len() * size_of::<W>() + size_of::<Node<W>>() + 4;
        self.nodes.push(Node {
            state,
            zone: zone.into_boxed_slice(),
            arrival,
        });
        Some(number)
    }

    /// Whether a zone that waited is still part of the relation.
    pub fn is_current(&self, node: u32) -> bool {
        self.zones[self.nodes[node as usize].state as usize].contains(&node)
    }

    /// How many pairs of locations have been met, possible or not.
    pub fn pairs(&self) -> usize {
        self.states.len()
    }

    /// How many pairs of locations have a zone.
    pub fn related_pairs(&self) -> usize {
        self.zones.iter().filter(|zones| !zones.is_empty()).count()
    }

    /// How many zones there are.
    pub fn zones(&self) -> usize {
        self.zones.iter().map(Vec::len).sum()
    }

    /// How many bytes it holds, nearly.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
