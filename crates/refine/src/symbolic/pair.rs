//! Two sides next to each other: one list of locations, one numbering of clocks.

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::Word;

use crate::symbolic::delay::Invariant;
use crate::symbolic::frame::Frame;
use crate::systems::set::{Constraint, TooLarge};
use crate::systems::side::Side;

/// The sides of `left <= right`. Clocks of the left side come first.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Side whose steps have to be allowed.
    pub left: Side,
    /// Side that allows them.
    pub right: Side,
    /// Outputs of the left side, which the right side has to match, and inputs of the right side, which the left side has to. No side
    /// leads an action that is both.
    pub actions: Vec<(Action, Which)>,
    /// Comparisons of differences on both sides.
    pub diagonals: Vec<Constraint>,
}

impl Pair {
    /// Puts two sides next to each other.
    pub fn new(left: Side, right: Side) -> Pair {
        let outputs = left.alphabet.outputs.iter().map(|&action| (action, Which::Left));
        let inputs = right.alphabet.inputs.iter().map(|&action| (action, Which::Right));
        let is_both = |action| left.sends(action) && right.receives(action);
        let actions = outputs
            .chain(inputs)
            .filter(|&(action, _)| !is_both(action))
            .collect();
        let diagonals = [(&left, 0), (&right, left.clocks)]
            .into_iter()
            .flat_map(|(side, base)| {
                side.parts
                    .iter()
                    .zip(&side.offsets)
                    .flat_map(move |(part, offset)| {
                        crate::systems::product::shifted(&part.diagonals, offset + base)
                    })
            })
            .collect();
        Pair {
            left,
            right,
            actions,
            diagonals,
        }
    }

    /// Where both sides start.
    pub fn initial(&self) -> Vec<u32> {
        [self.left.initial(), self.right.initial()].concat()
    }

    /// How many automata the left side has: where the right side begins in a state.
    pub fn middle(&self) -> usize {
        self.left.parts.len()
    }

    /// A side, with the number of clocks before its own.
    pub fn side(&self, which: Which) -> (&Side, u16) {
        match which {
            Which::Left => (&self.left, 0),
            Which::Right => (&self.right, self.left.clocks),
        }
    }

    /// The part of a state that belongs to a side.
    pub fn of<'a>(&self, state: &'a [u32], which: Which) -> &'a [u32] {
        match which {
            Which::Left => &state[..self.middle()],
            Which::Right => &state[self.middle()..],
        }
    }

    /// Makes the locations of a state.
    ///
    /// # Errors
    /// When a guard has too many alternatives.
    pub fn expand(&mut self, state: &[u32]) -> Result<(), TooLarge> {
        let (left, right) = state.split_at(self.middle());
        self.left.expand(left)?;
        self.right.expand(right)
    }

    /// The clocks that matter in a state.
    pub fn frame<W: Word>(&self, state: &[u32]) -> Frame<W> {
        let (left, right) = state.split_at(self.middle());
        let base = self.left.clocks;
        let lists = self.left.locations(left);
        let more = self
            .right
            .locations(right)
            .map(|(offset, location)| (offset + base, location));
        Frame::new(
            lists
                .chain(more)
                .map(|(offset, location)| (offset, location.bounds.as_slice())),
        )
    }

    /// The invariant of a side.
    pub fn invariant<W: Word>(&self, state: &[u32], frame: &Frame<W>, which: Which) -> Invariant<W> {
        let (side, base) = self.side(which);
        Invariant::new(side, self.of(state, which), frame, base)
    }
}
