//! Transitions enabled after each step.

use super::ENABLED_STEPS;
use crate::document::Enabled;
use rustc_hash::FxHashMap;

/// Transitions that are kept of a state.
const KEPT: usize = 200;
/// Steps times processes that are examined.
const EFFORT: usize = 400_000;

/// The transitions of states, with their windows by number.
#[derive(Clone)]
pub(super) struct EnabledTable {
    states: Vec<Enabled>,
    windows: FxHashMap<String, usize>,
}

impl EnabledTable {
    /// `None` for runs that are too long.
    pub(super) fn new(steps: usize, processes: usize, notes: &mut Vec<String>) -> Option<Self> {
        if steps > ENABLED_STEPS {
            notes.push(format!(
                "the run has more than {ENABLED_STEPS} steps: what else is possible in its states is not shown"
            ));
            return None;
        }
        if steps.saturating_mul(processes) > EFFORT {
            notes.push(format!(
                "{steps} steps of {processes} processes: what else is possible in the states is not shown"
            ));
            return None;
        }
        Some(EnabledTable {
            states: Vec::new(),
            windows: FxHashMap::default(),
        })
    }

    pub(super) fn push(&mut self, found: Vec<(usize, String)>) {
        let state = found.into_iter().take(KEPT).map(|(transition, window)| {
            let next = self.windows.len();
            (transition, *self.windows.entry(window).or_insert(next))
        });
        let state = state.collect();
        self.states.push(state);
    }

    pub(super) fn finish(self) -> (Vec<Enabled>, Vec<String>) {
        let mut windows = vec![String::new(); self.windows.len()];
        let mut pairs: Vec<(String, usize)> = self.windows.into_iter().collect();
        pairs.sort_by_key(|(_, number)| *number);
        for (window, number) in pairs {
            windows[number] = window;
        }
        (self.states, windows)
    }
}
