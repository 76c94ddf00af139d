//! Whether a cycle of transitions can be gone round for ever.

use super::expand::{Expander, Successor};
use crate::path::Transition;
use crate::state::ZoneState;
use crate::stop::Stop;
use zonewalk_zones::dbm;

/// So many rounds are gone at least: whoever shows a cycle wants to show that it closes.
const SHOWN: usize = 2;

/// What came of going round.
pub(super) enum Repeats {
    /// It can be gone round for ever. The steps of the rounds until that is certain: whether each sets the extra clock back.
    Forever(Vec<bool>),
    /// Some round is not possible.
    Not,
    /// It took too long.
    Unknown,
}

/// A set of points behind some of the transitions.
struct Piece {
    state: ZoneState,
    /// In the layer before.
    parent: usize,
    is_tick: bool,
    /// Whether there was a tick in this round.
    has_ticked: bool,
}

impl Piece {
    /// Whether the other one is not needed beside this one.
    fn covers(&self, other: &Piece) -> bool {
        self.has_ticked >= other.has_ticked
            && self.state.discrete == other.state.discrete
            && dbm::includes(&self.state.zone, &other.state.zone)
    }
}

/// Goes round from the points of a state.
///
/// The points behind `n` rounds are never none exactly if some run goes round for ever: their regions are finitely many, so
/// runs of every length have a run without end in common with infinitely many of them (König). Rounds are monotonic: once
/// the points behind a round include those behind an earlier one, so do all later ones, and none of them is empty. Abstracted
/// zones are finitely many, so that this is seen sooner or later; as a round is compared with the last one whose number is a
/// power of two only, any period will do (Brent).
///
/// In the ticking graph a round counts only if time has ticked in it.
pub(super) fn repeats(
    expander: &mut Expander<'_>,
    start: &ZoneState,
    cycle: &[&Transition],
    is_ticking: bool,
    effort: &mut u64,
) -> Result<Repeats, Stop> {
    let first = Piece {
        state: start.clone(),
        parent: 0,
        is_tick: false,
        has_ticked: false,
    };
    let mut layers = vec![vec![first]];
    let mut checkpoint = 0;
    for round in 1usize.. {
        for piece in layers.last_mut().into_iter().flatten() {
            piece.has_ticked = !is_ticking;
        }
        for transition in cycle {
            let Some(from) = layers.last() else {
                return Ok(Repeats::Not);
            };
            let next = layer(expander, from, transition, effort)?;
            if next.is_empty() {
                return Ok(Repeats::Not);
            }
            layers.push(next);
        }
        let Some(last) = layers.last_mut() else {
            return Ok(Repeats::Not);
        };
        last.retain(|piece| piece.has_ticked);
        if last.is_empty() {
            return Ok(Repeats::Not);
        }
        if *effort == 0 {
            return Ok(Repeats::Unknown);
        }
        let last = &layers[layers.len() - 1];
        let is_included = |known: &Piece| {
            let includes = |piece: &Piece| {
                piece.state.discrete == known.state.discrete
                    && dbm::includes(&piece.state.zone, &known.state.zone)
            };
            last.iter().any(includes)
        };
        let known: &[Piece] = &layers[checkpoint];
        if round >= SHOWN && known.iter().all(is_included) {
            return Ok(Repeats::Forever(ticks(&layers)));
        }
        if round.is_power_of_two() {
            checkpoint = layers.len() - 1;
        }
    }
    Ok(Repeats::Unknown)
}

/// The points behind one transition more, the largest sets of them.
fn layer(
    expander: &mut Expander<'_>,
    from: &[Piece],
    transition: &Transition,
    effort: &mut u64,
) -> Result<Vec<Piece>, Stop> {
    let mut next: Vec<Piece> = Vec::new();
    for (parent, piece) in from.iter().enumerate() {
        let successors = expander.successors(&piece.state)?;
        *effort = effort.saturating_sub(super::shortest::SUCCESSOR * (1 + successors.len() as u64));
        for successor in successors
            .into_iter()
            .filter(|s| s.by.as_ref() == Some(transition))
        {
            let Successor { state, is_tick, .. } = successor;
            let piece = Piece {
                state,
                parent,
                is_tick,
                has_ticked: piece.has_ticked || is_tick,
            };
            if !next.iter().any(|known| known.covers(&piece)) {
                next.push(piece);
            }
        }
    }
    Ok(next)
}

/// The ticks on a way to the last layer.
fn ticks(layers: &[Vec<Piece>]) -> Vec<bool> {
    let mut ticks = Vec::with_capacity(layers.len());
    let mut at = 0;
    for layer in layers.iter().skip(1).rev() {
        let piece = &layer[at];
        ticks.push(piece.is_tick);
        at = piece.parent;
    }
    ticks.reverse();
    ticks
}
