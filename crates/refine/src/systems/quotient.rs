//! The quotient `whole // part`: the most permissive component that makes `whole` together with `part`.
//!
//! Its states are those of both operands, which here only watch, and two of its own: in the universal state `part` has done what
//! the contract does not bind us to, or was let down, and everything is allowed; in the error state the environment has done what
//! `whole` forbids, and time stops. The numbers of the rules are those of `docs/tioa.md`, section 3.2.

use std::sync::Arc;

use zonewalk_tioa::{Action, Alphabet, Inputs, Taken};

use crate::systems::automaton::{Automaton, ClockBounds, Edge, Location};
use crate::systems::product::{Tuples, shifted, shifted_bounds};
use crate::systems::set::{Bound, Constraint, Set, TooLarge};

/// Number of the universal state.
const UNIVERSAL: u32 = 1;
/// Number of the error state.
const ERROR: u32 = 2;
/// Pairs of operands have the number 0, and those from here on.
const PAIRS: u32 = 3;

/// The operands, and the pairs of their locations that were met.
#[derive(Clone, Debug)]
pub struct Quotient {
    pub(crate) alphabet: Alphabet,
    pub(crate) clocks: u16,
    /// Which quotient of its side it is.
    number: u32,
    /// The input by which the environment shows that time has run out for `whole`.
    fresh: Action,
    whole: Automaton,
    part: Automaton,
    pairs: Tuples,
    inputs: Inputs,
}

impl Quotient {
    /// Requires: no output of `part` is an input of `whole`.
    pub(crate) fn new(
        whole: Automaton,
        part: Automaton,
        fresh: Action,
        number: u32,
        inputs: Inputs,
    ) -> Quotient {
        let (t, s) = (&whole.alphabet, &part.alphabet);
        let mut received: Vec<Action> = t
            .inputs
            .iter()
            .chain(&s.outputs)
            .copied()
            .chain([fresh])
            .collect();
        received.sort_unstable();
        received.dedup();
        let kept = t
            .outputs
            .iter()
            .filter(|action| s.outputs.binary_search(action).is_err());
        let turned = s
            .inputs
            .iter()
            .filter(|action| t.inputs.binary_search(action).is_err());
        let mut outputs: Vec<Action> = kept.chain(turned).copied().collect();
        outputs.sort_unstable();
        outputs.dedup();
        let mut pairs = Tuples::default();
        pairs.number(&[whole.initial, part.initial]);
        Quotient {
            alphabet: Alphabet {
                inputs: received,
                outputs,
            },
            // One more: it is zero on entering the error state and may not grow there.
            clocks: whole.clocks + part.clocks + 1,
            number,
            fresh,
            whole,
            part,
            pairs,
            inputs,
        }
    }

    pub(crate) fn diagonals(&self) -> Vec<Constraint> {
        let part = shifted(&self.part.diagonals, self.whole.clocks);
        self.whole.diagonals.iter().copied().chain(part).collect()
    }

    pub(crate) fn components(&self) -> usize {
        self.whole.components() + self.part.components()
    }

    pub(crate) fn at(&mut self, places: &[Option<u32>]) -> Option<u32> {
        let (whole, part) = places.split_at(self.whole.components());
        let pair = [self.whole.at(whole)?, self.part.at(part)?];
        Some(self.id_of(pair))
    }

    pub(crate) fn clock_offsets(&self, base: u16, out: &mut Vec<u16>) {
        self.whole.clock_offsets(base, out);
        self.part.clock_offsets(base + self.whole.clocks, out);
    }

    pub(crate) fn largest_constant(&self) -> i64 {
        self.whole.largest_constant().max(self.part.largest_constant())
    }

    pub(crate) fn largest_update(&self) -> i64 {
        self.whole.largest_update.max(self.part.largest_update)
    }

    pub(crate) fn places(&self, id: u32, out: &mut Vec<Option<u32>>) {
        match self.pair(id) {
            Some([t, s]) => {
                self.whole.places(t, out);
                self.part.places(s, out);
            }
            None => out.extend(std::iter::repeat_n(None, self.components())),
        }
    }

    fn pair(&self, id: u32) -> Option<[u32; 2]> {
        let number = match id {
            0 => 0,
            UNIVERSAL | ERROR => return None,
            _ => id - PAIRS + 1,
        };
        match self.pairs.get(number) {
            &[t, s] => Some([t, s]),
            _ => None,
        }
    }

    fn id_of(&mut self, pair: [u32; 2]) -> u32 {
        match self.pairs.number(&pair) {
            0 => 0,
            number => number - 1 + PAIRS,
        }
    }

    pub(crate) fn location(&mut self, id: u32) -> Result<Location, TooLarge> {
        match self.pair(id) {
            Some(pair) => self.watching(pair),
            None => Ok(self.own(id)),
        }
    }

    /// The universal state and the error state: rules 9 and 10.
    fn own(&self, id: u32) -> Location {
        let is_error = id == ERROR;
        let loops = |action: &Action, is_output: bool| Edge {
            action: *action,
            is_output,
            allowed: Set::everything(),
            updates: Vec::new(),
            target: id,
            taken: vec![self.taken(is_error)],
        };
        let mut edges: Vec<Edge> = self
            .alphabet
            .inputs
            .iter()
            .map(|action| loops(action, false))
            .collect();
        if !is_error {
            edges.extend(self.alphabet.outputs.iter().map(|action| loops(action, true)));
        }
        let stopped = Constraint {
            left: self.clocks,
            right: 0,
            bound: Bound::le(0),
        };
        let bounds = ClockBounds {
            clock: self.clocks,
            lower: 0,
            upper: 0,
        };
        Location {
            invariant: if is_error {
                Set::conjunction(&[stopped])
            } else {
                Set::everything()
            },
            edges,
            bounds: if is_error { vec![bounds] } else { Vec::new() },
            is_universal: !is_error,
            is_inconsistent: is_error,
        }
    }

    fn taken(&self, error: bool) -> Taken {
        match error {
            true => Taken::Error {
                quotient: self.number,
            },
            false => Taken::Universal {
                quotient: self.number,
            },
        }
    }

    /// A pair of locations: rules 1 to 8. It has no invariant.
    fn watching(&mut self, [t, s]: [u32; 2]) -> Result<Location, TooLarge> {
        let offset = self.whole.clocks;
        let whole = Arc::clone(self.whole.expand(t)?);
        let part = Arc::clone(self.part.expand(s)?);
        let part_invariant = part.invariant.shifted(offset);
        let part_broken = part_invariant.complement()?;
        let mut edges = Vec::new();
        let actions: Vec<Action> = self
            .alphabet
            .inputs
            .iter()
            .chain(&self.alphabet.outputs)
            .copied()
            .collect();
        for action in actions {
            let is_output = self.alphabet.outputs.binary_search(&action).is_ok();
            let first = edges.len();
            let moves_whole = allowed(&whole, action, 0)?;
            let moves_part = allowed(&part, action, offset)?;
            let (in_whole, in_part) = (self.whole.knows(action), self.part.knows(action));
            let mut push = |allowed: Set, updates: Vec<(u16, i32)>, target: u32, mut taken: Vec<Taken>| {
                taken.sort_unstable();
                if !allowed.is_nothing() {
                    edges.push(Edge {
                        action,
                        is_output,
                        allowed,
                        updates,
                        target,
                        taken,
                    });
                }
            };
            let sends_part = self.part.alphabet.outputs.binary_search(&action).is_ok();
            // 1: both move.
            for a in moves_whole.iter().filter(|_| in_part) {
                for b in &moves_part {
                    let target = self.id_of([a.target, b.target]);
                    let updates = a.updates.iter().chain(&b.updates).copied().collect();
                    push(
                        a.allowed.and(&b.allowed)?,
                        updates,
                        target,
                        [&a.taken[..], &b.taken[..]].concat(),
                    );
                }
            }
            // 2: the part moves alone.
            for b in moves_part.iter().filter(|_| !in_whole) {
                let target = self.id_of([t, b.target]);
                push(b.allowed.clone(), b.updates.clone(), target, b.taken.clone());
            }
            // 3 to 5: the part does what it may not, or is where it may not be.
            let mut escapes = part_broken.clone();
            if sends_part {
                escapes = union(&moves_part).complement()?.or(escapes).reduced();
            }
            push(escapes, Vec::new(), UNIVERSAL, vec![self.taken(false)]);
            let entry = vec![(self.clocks, 0)];
            // 6: the part sends what the whole forbids.
            if sends_part && self.whole.alphabet.outputs.binary_search(&action).is_ok() {
                let forbidden = union(&moves_whole).complement()?;
                let sent = union(&moves_part).and(&forbidden)?;
                push(sent, entry.clone(), ERROR, vec![self.taken(true)]);
            }
            // 7: time has run out for the whole, and not for the part.
            if action == self.fresh {
                let late = part_invariant.and(&whole.invariant.complement()?)?;
                push(late, entry, ERROR, vec![self.taken(true)]);
            }
            // 8: the whole moves alone.
            for a in moves_whole.iter().filter(|_| !in_part) {
                let target = self.id_of([a.target, s]);
                push(
                    a.allowed.and(&part_invariant)?,
                    a.updates.clone(),
                    target,
                    a.taken.clone(),
                );
            }
            // What no rule mentions is ignored, as a component ignores it: the whole is late, and the part is not.
            if !is_output && self.inputs == Inputs::Complete {
                let covered = edges[first..]
                    .iter()
                    .fold(Set::nothing(), |set, edge| set.or(edge.allowed.clone()));
                let allowed = covered.complement()?;
                if !allowed.is_nothing() {
                    let target = self.id_of([t, s]);
                    edges.push(Edge {
                        action,
                        is_output,
                        allowed,
                        updates: Vec::new(),
                        target,
                        taken: Vec::new(),
                    });
                }
            }
        }
        Ok(Location {
            invariant: Set::everything(),
            edges,
            bounds: whole
                .bounds
                .iter()
                .copied()
                .chain(shifted_bounds(&part.bounds, offset))
                .collect(),
            is_universal: false,
            is_inconsistent: false,
        })
    }
}

/// An edge of an operand, with its source's invariant in the condition.
struct Move {
    allowed: Set,
    updates: Vec<(u16, i32)>,
    target: u32,
    taken: Vec<Taken>,
}

fn allowed(location: &Location, action: Action, offset: u16) -> Result<Vec<Move>, TooLarge> {
    let moves = location.on(action).iter().map(|edge| {
        Ok(Move {
            allowed: edge.allowed.and(&location.invariant)?.shifted(offset),
            updates: edge
                .updates
                .iter()
                .map(|&(clock, value)| (clock + offset, value))
                .collect(),
            target: edge.target,
            taken: edge.taken.clone(),
        })
    });
    moves.collect()
}

fn union(moves: &[Move]) -> Set {
    moves
        .iter()
        .fold(Set::nothing(), |set, a| set.or(a.allowed.clone()))
        .reduced()
}
