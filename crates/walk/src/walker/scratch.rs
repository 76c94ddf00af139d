//! Changes that one transition has made, and who must be examined because of them.

use crate::plan::rates::are_computed;
use crate::plan::{NONE, WalkPlan};
use crate::state::State;
use zonewalk_network::ids::{ClockId, InstanceId, ProcessId};

/// Lists that are used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Cells that have changed, with the value before. A cell may be here more than once: then its first value is the one
    /// before the transition.
    pub(crate) changed: Vec<(u32, i32)>,
    /// All that the transition does was known before: see [`crate::plan::EdgeFacts::clock_readers`].
    pub(crate) is_decoded: bool,
    /// Processes whose invariants must be examined, besides those that the plan lists for the edges.
    pub(super) invariants: Vec<ProcessId>,
    /// Marks of the current transition: processes in another location than before, processes whose invariants are listed,
    /// extents of readers that have been examined.
    pub(crate) moved_mark: Vec<u64>,
    pub(super) invariant_mark: Vec<u64>,
    pub(crate) extent_mark: Vec<u64>,
    /// Marks of counted cells.
    pub(crate) count_mark: Vec<u64>,
    /// Edges whose [counters](crate::plan::counts) have reached zero or left it.
    pub(crate) crossed: Vec<u32>,
    pub(crate) mark: u64,
    /// Processes whose rates must be examined, all of them, and the mark of those that are listed.
    pub(super) rated: Vec<ProcessId>,
    pub(super) rated_mark: Vec<u64>,
    /// Rates, in [`WalkPlan::rate_cells`], that may have changed.
    pub(super) rate_cells: Vec<u32>,
    pub(super) rates: Vec<(ClockId, bool)>,
    pub(super) switched: Vec<ClockId>,
}

impl Scratch {
    /// Forgets the changes of the last transition.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.changed.clear();
        self.invariants.clear();
        self.rated.clear();
        self.rate_cells.clear();
    }

    /// Lists processes that have moved, whose rates may change.
    pub(super) fn mark_rated(&mut self, plan: &WalkPlan<'_>, parts: &[InstanceId]) {
        for &part in parts {
            let edge = plan.edge(part);
            if edge.source != edge.target {
                self.rated.push(edge.process);
                self.rated_mark[edge.process.index()] = self.mark;
            }
        }
    }

    /// Lists processes whose invariants or rates read a cell that has changed.
    pub(super) fn mark_readers(&mut self, plan: &WalkPlan<'_>, state: &State) {
        for i in 0..self.changed.len() {
            let cell = self.changed[i].0;
            let Some(watcher) = plan.dependents.watchers.get(cell as usize) else {
                continue;
            };
            if !watcher.is_bounding {
                continue;
            }
            for &extent in plan.network.invariant_readers.extents_at(cell) {
                let processes = &plan.dependents.invariants[extent as usize];
                self.mark_invariants(processes);
                if plan.has_rates {
                    self.mark_computed_rates(plan, processes, state);
                }
            }
            if watcher.rates != NONE {
                self.mark_rates(plan, watcher.rates, state);
            }
        }
    }

    /// Lists processes whose rates may depend in any way on what has changed.
    pub(super) fn mark_computed_rates(
        &mut self,
        plan: &WalkPlan<'_>,
        processes: &[ProcessId],
        state: &State,
    ) {
        for &process in processes {
            let mark = &mut self.rated_mark[process.index()];
            if *mark != self.mark && are_computed(plan.location(process, state.location(process))) {
                *mark = self.mark;
                self.rated.push(process);
            }
        }
    }

    /// Lists the rates that are the value of a cell, of processes that have not moved.
    pub(super) fn mark_rates(&mut self, plan: &WalkPlan<'_>, first: u32, state: &State) {
        let rates = &plan.rate_cells[first as usize..];
        for (number, of) in (first..).zip(rates.chunk_by(|a, b| a.cell == b.cell).next().unwrap_or_default())
        {
            let place = plan.location_number(of.process, state.location(of.process));
            if place == of.place && self.rated_mark[of.process.index()] != self.mark {
                self.rate_cells.push(number);
            }
        }
    }

    pub(super) fn mark_invariants(&mut self, processes: &[ProcessId]) {
        for &process in processes {
            let mark = &mut self.invariant_mark[process.index()];
            if *mark != self.mark {
                *mark = self.mark;
                self.invariants.push(process);
            }
        }
    }
}
