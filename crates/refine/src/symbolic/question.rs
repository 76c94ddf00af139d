//! Questions to the zone graph of a pair: which steps a search takes, what ends it, and what it finds.

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::{Bound, Word};

use crate::symbolic::delay::DelayedZone;
use crate::symbolic::frame::Frame;
use crate::symbolic::joint::{Joint, alternatives};
use crate::symbolic::pair::Pair;
use crate::systems::set::Constraint;

/// A zone that was reached.
pub struct Visit<'a, W = i32> {
    /// Both sides, or a system whose right side is empty.
    pub pair: &'a Pair,
    /// Where its automata are.
    pub state: &'a [u32],
    /// The clocks that matter.
    pub frame: &'a Frame<W>,
    /// The points.
    pub zone: &'a [Bound<W>],
}

/// Event that ends a search, and the points that have it: a zone that is not empty.
pub type Sighting<T, W> = Option<(T, Vec<Bound<W>>)>;

/// A joint step, with what of the zone it starts from.
pub type PossibleStep<W> = (Joint, Vec<Bound<W>>);

/// Fate of a zone that was just entered.
pub enum Entry<T, W> {
    /// The search goes on from there.
    Open,
    /// Nothing that lies behind it is asked for.
    Closed,
    /// The search ends.
    End(T, Vec<Bound<W>>),
}

/// Purpose of a search of the zone graph: which steps it takes, and what ends it.
pub trait Question {
    /// A description of what ends it.
    type End: Clone;

    /// Whether others are shown how far the search is.
    const IS_SHOWN: bool = false;

    /// Looks at a zone whose steps are about to be taken.
    fn find<W: Word>(&self, _: &Visit<'_, W>) -> Sighting<Self::End, W> {
        None
    }

    /// Looks at a zone that was entered, at the start or by a step, and at what is reached from it by waiting.
    fn enter<W: Word>(&self, _: &Visit<'_, W>, _is_start: bool, _: &[DelayedZone<W>]) -> Entry<Self::End, W> {
        Entry::Open
    }

    /// Lists the steps on an action, unless the search ends there.
    fn steps<W: Word>(
        &self,
        visit: &Visit<'_, W>,
        (action, leader): (Action, Which),
        steps: &mut Vec<PossibleStep<W>>,
    ) -> Sighting<Self::End, W> {
        for step in alternatives(visit.pair, visit.state, action, leader) {
            let mut guarded = visit.zone.to_vec();
            if visit.frame.constrain(&mut guarded, &step.guard, 0) {
                steps.push((step, guarded));
            }
        }
        None
    }
}

/// Where a search starts.
pub struct Start {
    /// Where the automata are.
    pub state: Vec<u32>,
    /// Constraints on clocks; `None` for all clocks zero.
    pub clocks: Option<Vec<Constraint>>,
}

impl Start {
    /// Where a pair starts: all clocks zero.
    pub fn of(pair: &Pair) -> Vec<Start> {
        vec![Start {
            state: pair.initial(),
            clocks: None,
        }]
    }
}

/// Find of a search, with the way to it. Times are not chosen yet.
#[derive(Debug)]
pub struct FoundState<T> {
    /// Event that was found in the last state.
    pub what: T,
    /// The states from the initial one to the last one.
    pub states: Vec<Box<[u32]>>,
    /// Steps from each to the next.
    pub steps: Vec<Joint>,
    /// Where in the last state: constraints over the clocks of the pair.
    pub witness: Vec<Constraint>,
    /// Which of the starts it comes from.
    pub start: usize,
}
