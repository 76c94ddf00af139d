//! Whether a cycle of transitions can be repeated forever.

use super::budget::{Budget, Halt};
use super::expand::Expander;
use crate::state::ZoneState;
use zonewalk_network::Transition;
use zonewalk_zones::{Word, dbm};

/// Least number of rounds that are made: a cycle is shown until it closes.
const SHOWN: usize = 2;

/// A cycle that can be repeated forever.
pub(super) struct Forever {
    /// Number of rounds that make it certain.
    pub(super) rounds: usize,
    /// Transitions of the ticking graph that set the extra clock back.
    pub(super) ticks: Vec<bool>,
}

/// A set of points after some of the transitions.
struct Piece<W> {
    state: ZoneState<W>,
    /// Its number among those after one transition less.
    parent: usize,
    is_tick: bool,
    /// Whether there was a tick in this round.
    has_ticked: bool,
}

/// Goes round from the points of a state; `None` when some round is not possible.
///
/// The points after `n` rounds are never none exactly if some run repeats the cycle forever: their regions are finitely many, so
/// that runs of every length have the beginning of one without end in common (König). Rounds are monotonic: once the points
/// after a round include those after an earlier one, the same is true of all later ones, and none of them is empty.
/// Abstracted zones are finitely many, so that this is seen sooner or later; a round is compared with the last one whose
/// number is a power of two only, which is enough for any period (Brent).
///
/// In the ticking graph a round counts only if time has ticked in it.
pub(super) fn repeats<W: Word>(
    expander: &mut Expander<'_, W>,
    start: &ZoneState<W>,
    cycle: &[Transition],
    is_ticking: bool,
    budget: &mut Budget<'_>,
) -> Result<Option<Forever>, Halt> {
    let mut pieces = vec![Piece {
        state: start.clone(),
        parent: 0,
        is_tick: false,
        has_ticked: false,
    }];
    let mut known = vec![start.clone()];
    let mut history: Vec<Vec<(usize, bool)>> = Vec::new();
    let mut round = 0usize;
    loop {
        round += 1;
        for piece in &mut pieces {
            piece.has_ticked = !is_ticking;
        }
        for (number, transition) in (1..).zip(cycle) {
            pieces = behind(expander, &pieces, transition, budget)?;
            if number == cycle.len() {
                pieces.retain(|piece| piece.has_ticked);
            }
            if pieces.is_empty() {
                return Ok(None);
            }
            if is_ticking {
                history.push(pieces.iter().map(|piece| (piece.parent, piece.is_tick)).collect());
            }
        }
        let is_included = |known: &ZoneState<W>| pieces.iter().any(|piece| includes(&piece.state, known));
        if round >= SHOWN && known.iter().all(is_included) {
            return Ok(Some(Forever {
                rounds: round,
                ticks: ticks(&history),
            }));
        }
        if round.is_power_of_two() {
            known = pieces.iter().map(|piece| piece.state.clone()).collect();
        }
    }
}

/// The points after one transition more, the largest sets of them.
fn behind<W: Word>(
    expander: &mut Expander<'_, W>,
    pieces: &[Piece<W>],
    transition: &Transition,
    budget: &mut Budget<'_>,
) -> Result<Vec<Piece<W>>, Halt> {
    let mut next: Vec<Piece<W>> = Vec::new();
    for (parent, piece) in pieces.iter().enumerate() {
        let successors = expander.successors(&piece.state, Vec::new);
        budget.expand(successors.len())?;
        for successor in successors {
            let has_ticked = piece.has_ticked || successor.is_tick;
            let covers =
                |known: &Piece<W>| known.has_ticked >= has_ticked && includes(&known.state, &successor.state);
            if successor.by.as_ref() == Some(transition) && !next.iter().any(covers) {
                next.push(Piece {
                    state: successor.state,
                    parent,
                    is_tick: successor.is_tick,
                    has_ticked,
                });
            }
        }
    }
    Ok(next)
}

fn includes<W: Word>(state: &ZoneState<W>, other: &ZoneState<W>) -> bool {
    state.discrete == other.discrete && dbm::includes(&state.zone, &other.zone)
}

/// The ticks on a way to the last of these.
fn ticks(history: &[Vec<(usize, bool)>]) -> Vec<bool> {
    let mut at = 0;
    let mut ticks: Vec<bool> = history
        .iter()
        .rev()
        .map(|pieces| {
            let (parent, is_tick) = pieces[at];
            at = parent;
            is_tick
        })
        .collect();
    ticks.reverse();
    ticks
}
