//! Composition and conjunction as one automaton: its locations are tuples.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use zonewalk_tioa::{Action, Alphabet};

use crate::systems::automaton::{Automaton, ClockBounds, Edge, Location};
use crate::systems::set::{Constraint, Set, TooLarge};

/// Which operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// All run together: an action is joint for the systems that know it.
    Composition,
    /// Actions that all of them allow, and know.
    Conjunction,
}

/// The automata of an operator, and the tuples that were met.
#[derive(Clone, Debug)]
pub struct Product {
    pub(crate) alphabet: Alphabet,
    pub(crate) clocks: u16,
    operator: Operator,
    children: Vec<Automaton>,
    offsets: Vec<u16>,
    tuples: Tuples,
}

/// Tuples of locations with numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tuples {
    list: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
}

impl Tuples {
    pub(crate) fn number(&mut self, tuple: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(tuple) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(tuple.into());
        self.numbers.insert(tuple.into(), number);
        number
    }

    pub(crate) fn get(&self, number: u32) -> &[u32] {
        &self.list[number as usize]
    }
}

impl Product {
    /// Requires: the alphabets fit, see [`crate::systems::system`].
    pub(crate) fn new(operator: Operator, children: Vec<Automaton>) -> Product {
        let alphabet = match operator {
            Operator::Composition => composed(children.iter().map(|child| &child.alphabet)),
            Operator::Conjunction => common(children.iter().map(|child| &child.alphabet)),
        };
        let mut offsets = Vec::with_capacity(children.len());
        let mut clocks = 0;
        for child in &children {
            offsets.push(clocks);
            clocks += child.clocks;
        }
        let mut tuples = Tuples::default();
        tuples.number(&children.iter().map(|child| child.initial).collect::<Vec<u32>>());
        Product {
            alphabet,
            clocks,
            operator,
            children,
            offsets,
            tuples,
        }
    }

    pub(crate) fn diagonals(&self) -> Vec<Constraint> {
        let lists = self.children.iter().zip(&self.offsets);
        lists
            .flat_map(|(child, &offset)| shifted(&child.diagonals, offset))
            .collect()
    }

    pub(crate) fn components(&self) -> usize {
        self.children.iter().map(Automaton::components).sum()
    }

    pub(crate) fn at(&mut self, places: &[Option<u32>]) -> Option<u32> {
        let mut rest = places;
        let mut tuple = Vec::with_capacity(self.children.len());
        for child in &mut self.children {
            let (own, others) = rest.split_at(child.components());
            rest = others;
            tuple.push(child.at(own)?);
        }
        Some(self.tuples.number(&tuple))
    }

    pub(crate) fn clock_offsets(&self, base: u16, out: &mut Vec<u16>) {
        for (child, &offset) in self.children.iter().zip(&self.offsets) {
            child.clock_offsets(base + offset, out);
        }
    }

    pub(crate) fn largest_constant(&self) -> i64 {
        self.children
            .iter()
            .map(Automaton::largest_constant)
            .fold(0, i64::max)
    }

    pub(crate) fn largest_update(&self) -> i64 {
        let children = self.children.iter();
        children.map(|child| child.largest_update).fold(0, i64::max)
    }

    pub(crate) fn places(&self, id: u32, out: &mut Vec<Option<u32>>) {
        for (child, &place) in self.children.iter().zip(self.tuples.get(id)) {
            child.places(place, out);
        }
    }

    pub(crate) fn location(&mut self, id: u32) -> Result<Location, TooLarge> {
        let tuple: Vec<u32> = self.tuples.get(id).to_vec();
        let mut at = Vec::with_capacity(tuple.len());
        for (child, &place) in self.children.iter_mut().zip(&tuple) {
            at.push(Arc::clone(child.expand(place)?));
        }
        let mut location = Location {
            invariant: Set::everything(),
            is_universal: at.iter().all(|part| part.is_universal),
            is_inconsistent: at.iter().any(|part| part.is_inconsistent),
            ..Location::default()
        };
        for (part, &offset) in at.iter().zip(&self.offsets) {
            location.invariant = location.invariant.and(&part.invariant.shifted(offset))?;
            location.bounds.extend(shifted_bounds(&part.bounds, offset));
        }
        let actions: Vec<Action> = self
            .alphabet
            .inputs
            .iter()
            .chain(&self.alphabet.outputs)
            .copied()
            .collect();
        for action in actions {
            let takes_part: Vec<usize> = match self.operator {
                Operator::Conjunction => (0..at.len()).collect(),
                Operator::Composition => (0..at.len())
                    .filter(|&k| self.children[k].knows(action))
                    .collect(),
            };
            let start = Edge {
                action,
                is_output: self.alphabet.outputs.binary_search(&action).is_ok(),
                allowed: Set::everything(),
                updates: Vec::new(),
                target: 0,
                taken: Vec::new(),
            };
            self.join(&at, &takes_part, start, &mut tuple.clone(), &mut location.edges)?;
        }
        Ok(location)
    }

    /// All combinations of edges of the systems that take part.
    fn join(
        &mut self,
        at: &[Arc<Location>],
        takes_part: &[usize],
        so_far: Edge,
        tuple: &mut Vec<u32>,
        out: &mut Vec<Edge>,
    ) -> Result<(), TooLarge> {
        let Some((&first, rest)) = takes_part.split_first() else {
            let mut edge = so_far;
            edge.taken.sort_unstable();
            edge.target = self.tuples.number(tuple);
            out.push(edge);
            return Ok(());
        };
        let offset = self.offsets[first];
        let before = tuple[first];
        for edge in at[first].on(so_far.action) {
            let mut joint = so_far.clone();
            joint.allowed = joint.allowed.and(&edge.allowed.shifted(offset))?;
            if joint.allowed.is_nothing() {
                continue;
            }
            joint
                .updates
                .extend(edge.updates.iter().map(|&(clock, value)| (clock + offset, value)));
            joint.taken.extend_from_slice(&edge.taken);
            tuple[first] = edge.target;
            self.join(at, rest, joint, tuple, out)?;
        }
        tuple[first] = before;
        Ok(())
    }
}

impl Automaton {
    /// Whether the action is in the alphabet.
    pub fn knows(&self, action: Action) -> bool {
        self.alphabet.inputs.binary_search(&action).is_ok()
            || self.alphabet.outputs.binary_search(&action).is_ok()
    }
}

pub(crate) fn shifted(constraints: &[Constraint], offset: u16) -> impl Iterator<Item = Constraint> {
    let moved = move |clock: u16| if clock == 0 { 0 } else { clock + offset };
    constraints.iter().map(move |c| Constraint {
        left: moved(c.left),
        right: moved(c.right),
        bound: c.bound,
    })
}

pub(crate) fn shifted_bounds(bounds: &[ClockBounds], offset: u16) -> impl Iterator<Item = ClockBounds> {
    bounds.iter().map(move |bounds| ClockBounds {
        clock: bounds.clock + offset,
        ..*bounds
    })
}

/// The alphabet of a composition: what one part sends is not an input any more.
pub fn composed<'a>(alphabets: impl Iterator<Item = &'a Alphabet>) -> Alphabet {
    let mut all = Alphabet::default();
    for alphabet in alphabets {
        all.inputs.extend_from_slice(&alphabet.inputs);
        all.outputs.extend_from_slice(&alphabet.outputs);
    }
    all.outputs.sort_unstable();
    all.outputs.dedup();
    all.inputs.sort_unstable();
    all.inputs.dedup();
    all.inputs
        .retain(|action| all.outputs.binary_search(action).is_err());
    all
}

/// The alphabet of a conjunction: what all of them know.
fn common<'a>(mut alphabets: impl Iterator<Item = &'a Alphabet>) -> Alphabet {
    let mut all = alphabets.next().cloned().unwrap_or_default();
    for alphabet in alphabets {
        all.inputs
            .retain(|action| alphabet.inputs.binary_search(action).is_ok());
        all.outputs
            .retain(|action| alphabet.outputs.binary_search(action).is_ok());
    }
    all
}
