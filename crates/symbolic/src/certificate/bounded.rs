//! Nodes for goals that are not reached by few steps, or not early.

use super::NodeMaker;
use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::infinite::lasso::NoProof;
use crate::state::ZoneState;
use crate::stop::Stop;
use crate::store::{Covering, ZoneStore};
use std::ops::ControlFlow;
use zonewalk_certificate::{Columns, End, Node};
use zonewalk_model::system::Memory;
use zonewalk_search::{DepthStore as _, Limits, Meter, StateId, Store as _, Stored};
use zonewalk_zones::{Bound, Word};

/// Nodes with depths that prove that no run with fewer than `steps` transitions reaches the goal.
///
/// The states are explored anew, level by level: a shallow state must not be covered by a deep one. Requires: nothing but the goal
/// looks at variables that the graph forgets; `columns` and `initial` are as for [`NodeMaker::new`].
///
/// # Errors
/// Why there is no proof.
pub fn nodes_by_depth<W: Word>(
    explorer: &mut Explorer<'_, W>,
    goal: &ZoneGoal,
    steps: u32,
    limits: &Limits<'_>,
    (columns, initial): (&Columns, &Memory),
) -> Result<Vec<Node>, NoProof> {
    let store = levels(explorer, Some(steps), limits, |explorer, state| {
        Ok(if explorer.meets(goal, state)? {
            State::Decides
        } else {
            State::Counts
        })
    })?;
    let nodes = NodeMaker::new(explorer.graph(), columns, initial).nodes(&store);
    let nodes = store.ids().zip(nodes).map(|(id, node)| Node {
        depth: store.depth(id),
        ..node
    });
    Ok(nodes.collect())
}

/// Nodes with the time that prove that no run reaches the goal before an end, or, if that is strict, up to it.
///
/// Requires: the graph has one extra clock with that end as its upper constant, and none below; nothing but the goal looks at
/// variables that the graph forgets; `columns` and `initial` are as for [`NodeMaker::new`].
///
/// # Errors
/// Why there is no proof.
pub fn nodes_before<W: Word>(
    explorer: &mut Explorer<'_, W>,
    goal: &ZoneGoal,
    end: End,
    limits: &Limits<'_>,
    (columns, initial): (&Columns, &Memory),
) -> Result<Vec<Node>, NoProof> {
    // The clock is the last one of each zone, and the entry bounds zero minus it.
    let counts = |zone: &[Bound<W>], dim: usize| {
        let (earliest, is_open): (i64, bool) = (-zone[dim - 1].constant().into(), zone[dim - 1].is_strict());
        earliest < end.at || earliest == end.at && end.strict && !is_open
    };
    let store = levels(explorer, None, limits, |explorer, state| {
        if !counts(&state.zone, state.dim()) {
            return Ok(State::Beyond);
        }
        let met = explorer.points(goal, state)?;
        let is_met = met.iter().any(|zone| counts(zone, state.dim()));
        Ok(if is_met { State::Decides } else { State::Counts })
    })?;
    Ok(NodeMaker::new(explorer.graph(), columns, initial).nodes(&store))
}

/// Part that a state has in a proof.
enum State {
    /// It is a node.
    Counts,
    /// It is not needed.
    Beyond,
    /// The claim is wrong.
    Decides,
}

/// All states that count, each with the least depth at which one that covers it was met; only those less deep than `steps`.
fn levels<'n, W: Word>(
    explorer: &mut Explorer<'n, W>,
    steps: Option<u32>,
    limits: &Limits<'_>,
    mut look: impl FnMut(&mut Explorer<'n, W>, &ZoneState<W>) -> Result<State, Stop>,
) -> Result<ZoneStore<W>, NoProof> {
    let mut store = ZoneStore::new(explorer.graph().plan().network, Covering::Inclusion);
    let mut meter = Meter::new(limits);
    let mut met = Vec::new();
    let begun = explorer.initial(&mut |state, _| {
        met.push(state.clone());
        ControlFlow::Continue(())
    });
    begun.map_err(|_| NoProof::Fault)?;
    let (mut depth, mut level, mut state) = (0, Vec::<StateId>::new(), ZoneState::default());
    while !met.is_empty() && steps.is_none_or(|steps| depth < steps) {
        level.clear();
        for state in met.drain(..) {
            match look(explorer, &state).map_err(|_| NoProof::Fault)? {
                State::Beyond => {}
                State::Decides => return Err(NoProof::Witness),
                State::Counts => {
                    if let Stored::New(id) = store.insert_at(&state, depth) {
                        level.push(id);
                    }
                }
            }
        }
        for &id in &level {
            if !store.is_alive(id) {
                continue;
            }
            meter.hold(store.stored(), met.len(), store.bytes());
            if let Some(limit) = meter.forbids_expansion() {
                return Err(NoProof::Limit(limit));
            }
            store.load(id, &mut state);
            let all = explorer.successors(&state, &mut |next, _| {
                if store.covering_at(next, depth).is_none() {
                    met.push(next.clone());
                }
                ControlFlow::Continue(())
            });
            all.map_err(|_| NoProof::Fault)?;
            meter.statistics.states_explored += 1;
        }
        depth += 1;
    }
    Ok(store)
}
