//! One side of a refinement: automata that run together, as the engines see them.

use zonewalk_tioa::{Action, Alphabet};

use crate::systems::automaton::{Automaton, Edge, Location};
use crate::systems::product::composed;
use crate::systems::set::TooLarge;

/// Automata in parallel. Its discrete state is a list of their locations.
#[derive(Clone, Debug)]
pub struct Side {
    /// The automata.
    pub parts: Vec<Automaton>,
    /// Actions that the side receives and sends.
    pub alphabet: Alphabet,
    /// For each automaton, the number of clocks before its own.
    pub offsets: Vec<u16>,
    /// How many clocks there are.
    pub clocks: u16,
    /// For each action of the project the automata that know it.
    participants: Vec<Vec<u32>>,
}

impl Side {
    /// Requires: no action is sent by two of them.
    pub(crate) fn new(parts: Vec<Automaton>) -> Side {
        let alphabet = composed(parts.iter().map(|part| &part.alphabet));
        let mut offsets = Vec::with_capacity(parts.len());
        let mut clocks = 0;
        let mut participants: Vec<Vec<u32>> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            offsets.push(clocks);
            clocks += part.clocks;
            for action in part.alphabet.inputs.iter().chain(&part.alphabet.outputs) {
                if participants.len() <= action.index() {
                    participants.resize(action.index() + 1, Vec::new());
                }
                participants[action.index()].push(number as u32);
            }
        }
        Side {
            parts,
            alphabet,
            offsets,
            clocks,
            participants,
        }
    }

    /// The automata that take part in an action; none if the side does not know it.
    pub fn participants(&self, action: Action) -> &[u32] {
        self.participants.get(action.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether the side sends the action.
    pub fn sends(&self, action: Action) -> bool {
        self.alphabet.outputs.binary_search(&action).is_ok()
    }

    /// Whether the side receives the action.
    pub fn receives(&self, action: Action) -> bool {
        self.alphabet.inputs.binary_search(&action).is_ok()
    }

    /// Where all automata start.
    pub fn initial(&self) -> Vec<u32> {
        self.parts.iter().map(|part| part.initial).collect()
    }

    /// The state in which components are at given places, if there is one. Tuples that were never met are made; states of quotients
    /// cannot be named.
    ///
    /// # Errors
    /// When a guard has too many alternatives.
    pub fn at(&mut self, places: &[Option<u32>]) -> Result<Option<Vec<u32>>, TooLarge> {
        let mut rest = places;
        let mut state = Vec::with_capacity(self.parts.len());
        for part in &mut self.parts {
            let (own, others) = rest.split_at(part.components());
            rest = others;
            let Some(id) = part.at(own) else { return Ok(None) };
            state.push(id);
        }
        self.expand(&state)?;
        Ok(Some(state))
    }

    /// Makes the locations of a state, if they were not made before.
    ///
    /// # Errors
    /// When a guard has too many alternatives.
    pub fn expand(&mut self, state: &[u32]) -> Result<(), TooLarge> {
        for (part, &location) in self.parts.iter_mut().zip(state) {
            part.expand(location)?;
        }
        Ok(())
    }

    /// The locations of a state, each with the number of clocks before its own.
    pub fn locations<'a>(&'a self, state: &'a [u32]) -> impl Iterator<Item = (u16, &'a Location)> {
        let parts = self.parts.iter().zip(&self.offsets).zip(state);
        parts.map(|((part, &offset), &id)| (offset, part.location(id)))
    }

    /// Whether everything is allowed forever.
    pub fn is_universal(&self, state: &[u32]) -> bool {
        self.locations(state).all(|(_, location)| location.is_universal)
    }

    /// Calls `see` with every way in which the side can do the action: an edge of each automaton that takes part. A side that does not
    /// know the action can stand still, with no edge at all.
    pub fn ways<'a>(&'a self, state: &[u32], action: Action, see: &mut impl FnMut(&[TakenEdge<'a>])) {
        let mut chosen = Vec::with_capacity(2);
        self.choose(state, action, self.participants(action), &mut chosen, see);
    }

    fn choose<'a>(
        &'a self,
        state: &[u32],
        action: Action,
        rest: &[u32],
        chosen: &mut Vec<TakenEdge<'a>>,
        see: &mut impl FnMut(&[TakenEdge<'a>]),
    ) {
        let Some((&part, rest)) = rest.split_first() else {
            see(chosen);
            return;
        };
        let number = part as usize;
        for edge in self.parts[number].location(state[number]).on(action) {
            chosen.push(TakenEdge {
                part,
                offset: self.offsets[number],
                edge,
            });
            self.choose(state, action, rest, chosen, see);
            chosen.pop();
        }
    }
}

/// An edge that an automaton of a side takes.
#[derive(Clone, Copy, Debug)]
pub struct TakenEdge<'a> {
    /// Which automaton.
    pub part: u32,
    /// Number of clocks of the side before its own.
    pub offset: u16,
    /// Which edge.
    pub edge: &'a Edge,
}
