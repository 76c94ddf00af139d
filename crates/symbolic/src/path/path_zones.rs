//! The zones of a given path: step by step, over all clocks and without abstraction, for display.

use crate::explorer::Explorer;
use crate::graph::abstraction::Abstraction;
use crate::graph::{Step, ZoneGraph};
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_search::Flow;
use zonewalk_zones::dbm;

/// Number of pieces of a split zone that are followed; one is enough nearly always.
const PIECES: usize = 1024;

/// The zones at one end of a path. The points of all pieces together are exactly those that the path can lead to, with any
/// delays before its transitions and after the last one; where clocks can be stopped, there may be more.
pub struct ZonesAlong<'n> {
    explorer: Explorer<'n, i64>,
    current: Vec<ZoneState<i64>>,
}

impl<'n> ZonesAlong<'n> {
    /// At the beginning. Every clock is in the zones, whether or not it matters there.
    ///
    /// # Errors
    /// When the model fails.
    pub fn new(plan: &'n ZonePlan<'n>) -> Result<Self, Stop> {
        let bounds = plan.network.bounds.with_all_active();
        let graph = ZoneGraph::new(plan, bounds, &[], Abstraction::None, &[]);
        let mut along = ZonesAlong {
            explorer: Explorer::from(graph),
            current: Vec::new(),
        };
        along.restart()?;
        Ok(along)
    }

    /// Back to the beginning.
    ///
    /// # Errors
    /// When the model fails.
    pub fn restart(&mut self) -> Result<(), Stop> {
        let mut next = Vec::new();
        let begun = self.explorer.initial(&mut |state, _| add(&mut next, state));
        self.current = next;
        if self.current.is_empty() { begun } else { Ok(()) }
    }

    /// Takes the transition that is wanted; false, with no zones left, when no point allows it.
    ///
    /// # Errors
    /// When the model fails on it.
    pub fn advance(&mut self, is_wanted: impl Fn(Step<'_>) -> bool) -> Result<bool, Stop> {
        let mut next = Vec::new();
        let mut failed = Ok(());
        for state in &self.current {
            let result = self.explorer.successors(state, &mut |state, step| {
                if is_wanted(step) {
                    return add(&mut next, state);
                }
                ControlFlow::Continue(())
            });
            failed = failed.and(result);
        }
        self.current = next;
        match self.current.is_empty() {
            false => Ok(true),
            // What is wanted may be what fails.
            true => failed.map(|()| false),
        }
    }

    /// The pieces; empty when the path is not one of the model's.
    pub fn zones(&self) -> &[ZoneState<i64>] {
        &self.current
    }

    /// Whether there may be pieces that were left out.
    pub fn is_cut(&self) -> bool {
        self.current.len() >= PIECES
    }
}

/// Keeps a piece that no other one includes.
fn add(pieces: &mut Vec<ZoneState<i64>>, state: &ZoneState<i64>) -> Flow {
    if pieces.len() >= PIECES {
        return ControlFlow::Break(());
    }
    let covers =
        |other: &ZoneState<i64>| other.discrete == state.discrete && dbm::includes(&other.zone, &state.zone);
    if !pieces.iter().any(covers) {
        pieces.push(state.clone());
    }
    ControlFlow::Continue(())
}
