//! Values that clocks are set to, anywhere in the network.

use crate::clocks::bounds::Sources;
use crate::code::cell::Extent;
use crate::code::ids::ClockId;

/// Effects of all updates on clocks, whichever edge they belong to.
#[derive(Clone, Debug, Default)]
pub struct ClockUpdates {
    /// The copies of clocks, each once.
    pub copies: Vec<ClockCopy>,
    /// By clock: the largest number that it is set to.
    numbers: Vec<Option<i32>>,
}

/// `to = from + amount`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockCopy {
    /// The clocks that may be set.
    pub to: Vec<Extent>,
    /// The clocks that may be copied.
    pub from: Vec<Extent>,
    /// Between which values lies what is added.
    pub amount: (i32, i32),
}

impl ClockUpdates {
    /// Collects the updates of all edges, and those around every transition.
    pub(crate) fn of(sources: &Sources, clocks: usize) -> ClockUpdates {
        let mut found = ClockUpdates {
            copies: Vec::new(),
            numbers: vec![None; clocks],
        };
        let edges = sources.processes.iter().flat_map(|p| &p.edges);
        for write in sources.around.iter().chain(edges.flat_map(|e| &e.writes)) {
            let Some(from) = &write.from else {
                let (_, most) = write.amount;
                for clock in write.to.iter().flat_map(|e| e.start..e.end) {
                    if let Some(number) = found.numbers.get_mut(clock as usize) {
                        // A negative number is a run-time error.
                        *number = (*number).max(Some(most.max(0)));
                    }
                }
                continue;
            };
            let copy = ClockCopy {
                to: write.to.clone(),
                from: from.clone(),
                amount: write.amount,
            };
            if !found.copies.contains(&copy) {
                found.copies.push(copy);
            }
        }
        found
    }

    /// The largest number that a clock is set to; `None` when it is set to none. Where nothing is known of the number it is
    /// [`i32::MAX`].
    pub fn largest_number(&self, clock: ClockId) -> Option<i32> {
        self.numbers.get(clock.index()).copied().flatten()
    }
}
