//! Tables that walks look at: the automata of a pair, flat.
//!
//! Places (locations of an automaton) are made when a walk first gets there, because those of quotients and conjunctions are.

use zonewalk_tioa::{Action, Side as Which};

use crate::symbolic::pair::Pair;
use crate::systems::automaton::Location;
use crate::systems::set::TooLarge;
use crate::walk::instant::{Atom, largest_constant, unit};
use crate::walk::layout::{EdgeLayout, LocationLayout, Slot};

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// A stretch of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// An automaton of the pair. Those of the left side come first.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) which: Which,
    /// Number in its side.
    pub(super) number: u32,
    /// Number of clocks of the pair before its own.
    pub(super) base: u16,
    /// Its actions, sorted. Their places in this list are the local numbers of actions.
    pub(super) actions: Vec<Action>,
    /// For each of them whether the automaton sends it.
    pub(super) outputs: Vec<bool>,
    /// For each of them the offer that this automaton has to take part in to make it.
    pub(super) offers: Vec<u32>,
    /// The place of each location that walks have met.
    pub(super) places: Vec<u32>,
}

/// Something that may happen next: an action and the process that leads. A channel in the words of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) action: Action,
    /// Whether the left side sends the action; else the right side receives it.
    pub(super) is_output: bool,
    /// Whose transitions are drawn. Inputs that both sides know are drawn from the left side, as the paper has it.
    pub(super) leader: Which,
    /// Who takes part: automata of the leader, with the local number of the action.
    pub(super) leaders: Span,
    /// Followers of the other side; none if it does not know the action and stands still.
    pub(super) followers: Span,
    /// Whether the left side makes the offer too, and this one counts only where the left side may refuse it.
    pub(super) is_refusal: bool,
}

/// The tables.
#[derive(Clone, Debug)]
pub(super) struct PairPlan {
    /// Halves of a tick in a unit of time.
    pub(super) unit: i64,
    /// One unit more than the largest constant: where nothing new happens to a clock.
    pub(super) beyond: i64,
    pub(super) pair: Pair,
    pub(super) parts: Vec<Part>,
    /// How many of them are on the left side.
    pub(super) middle: usize,
    /// Clocks of the pair, and the one that is always zero.
    pub(super) clocks: usize,
    pub(super) offers: Vec<Offer>,
    pub(super) participants: Vec<(u32, u32)>,
    pub(super) places: Vec<LocationLayout>,
    pub(super) slots: Vec<Slot>,
    pub(super) edges: Vec<EdgeLayout>,
    pub(super) conjunctions: Vec<Span>,
    pub(super) atoms: Vec<Atom>,
    pub(super) updates: Vec<(u32, i64)>,
    pub(super) changes: Vec<(u32, bool)>,
}

impl PairPlan {
    /// The tables of a pair.
    pub(super) fn new(pair: &Pair) -> PairPlan {
        let unit = unit(pair);
        let sides = [
            (Which::Left, &pair.left, 0),
            (Which::Right, &pair.right, pair.left.clocks),
        ];
        let mut parts = Vec::with_capacity(pair.left.parts.len() + pair.right.parts.len());
        for (which, side, base) in sides {
            for (number, (automaton, offset)) in side.parts.iter().zip(&side.offsets).enumerate() {
                let alphabet = &automaton.alphabet;
                let mut actions = [&alphabet.inputs[..], &alphabet.outputs[..]].concat();
                actions.sort_unstable();
                let sends = |action: &Action| alphabet.outputs.binary_search(action).is_ok();
                parts.push(Part {
                    which,
                    number: number as u32,
                    base: base + offset,
                    outputs: actions.iter().map(sends).collect(),
                    offers: vec![NONE; actions.len()],
                    actions,
                    places: Vec::new(),
                });
            }
        }
        let mut plan = PairPlan {
            unit,
            beyond: (largest_constant(pair) + 1) * unit,
            pair: pair.clone(),
            parts,
            middle: pair.middle(),
            clocks: usize::from(pair.left.clocks) + usize::from(pair.right.clocks) + 1,
            offers: Vec::new(),
            participants: Vec::new(),
            places: Vec::new(),
            slots: Vec::new(),
            edges: Vec::new(),
            conjunctions: Vec::new(),
            atoms: Vec::new(),
            updates: Vec::new(),
            changes: Vec::new(),
        };
        plan.make_offers();
        plan
    }

    /// Outputs of the left side and inputs of the right side, as refinement asks for them. No side leads an action that is neither, or
    /// both; alphabets that allow such actions are refused beforehand.
    fn make_offers(&mut self) {
        for action in self.pair.left.alphabet.outputs.clone() {
            if !self.pair.right.receives(action) {
                self.offer(action, true, Which::Left, false);
            }
        }
        for action in self.pair.right.alphabet.inputs.clone() {
            if self.pair.left.receives(action) {
                self.offer(action, false, Which::Left, false);
                if self.may_refuse(action) {
                    self.offer(action, false, Which::Right, true);
                }
            } else if !self.pair.left.sends(action) {
                self.offer(action, false, Which::Right, false);
            }
        }
    }

    fn offer(&mut self, action: Action, is_output: bool, leader: Which, is_refusal: bool) {
        let number = self.offers.len() as u32;
        let left = self.list_participants(action, Which::Left);
        let right = self.list_participants(action, Which::Right);
        let (leaders, followers) = match leader {
            Which::Left => (left, right),
            Which::Right => (right, left),
        };
        for &(part, local) in &self.participants[leaders.range()] {
            self.parts[part as usize].offers[local as usize] = number;
        }
        self.offers.push(Offer {
            action,
            is_output,
            leader,
            leaders,
            followers,
            is_refusal,
        });
    }

    fn list_participants(&mut self, action: Action, which: Which) -> Span {
        let (side, first) = match which {
            Which::Left => (&self.pair.left, 0),
            Which::Right => (&self.pair.right, self.middle as u32),
        };
        let from = self.participants.len() as u32;
        for &part in side.participants(action) {
            let number = first + part;
            let local = self.parts[number as usize]
                .actions
                .partition_point(|known| *known < action);
            self.participants.push((number, local as u32));
        }
        Span {
            from,
            to: self.participants.len() as u32,
        }
    }

    /// Whether the left side may refuse an input somewhere: components that are completed never do.
    fn may_refuse(&self, action: Action) -> bool {
        self.pair.left.participants(action).iter().any(|&part| {
            let automaton = &self.pair.left.parts[part as usize];
            !automaton.is_component() || !automaton.known().all(|location| accepts(location, action))
        })
    }

    #[inline]
    pub(super) fn participants(&self, span: Span) -> &[(u32, u32)] {
        &self.participants[span.range()]
    }

    /// One of the participants of an offer.
    pub(super) fn participant(&self, at: usize) -> (u32, u32) {
        self.participants[at]
    }

    /// Counts time in other parts of a unit, of which there are at least two.
    pub(super) fn rescale(&mut self, unit: i64) {
        let old = std::mem::replace(&mut self.unit, unit);
        for atom in &mut self.atoms {
            atom.rescale(old, unit);
        }
        for (_, value) in &mut self.updates {
            *value = *value / old * unit;
        }
        self.beyond = self.beyond / old * unit;
    }

    /// About how much memory the tables have.
    pub(super) fn bytes(&self) -> usize {
        fn of<T>(list: &[T]) -> usize {
            std::mem::size_of_val(list)
        }
        let tables = of(&self.places) + of(&self.slots) + of(&self.edges) + of(&self.conjunctions);
        // The automata hold about the same once more.
        2 * (tables + of(&self.atoms) + of(&self.updates) + of(&self.changes))
    }
}

/// Whether an input is accepted wherever the invariant holds.
fn accepts(location: &Location, action: Action) -> bool {
    let mut rest = location.invariant.clone();
    for edge in location.on(action) {
        match rest.minus(&edge.allowed) {
            Ok(less) => rest = less,
            Err(TooLarge) => return false,
        }
    }
    rest.is_nothing()
}
