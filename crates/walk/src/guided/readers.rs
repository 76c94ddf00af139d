//! Which parts of a goal read what an update writes.

use std::collections::BTreeMap;
use zonewalk_network::{Network, SetId};

/// By variable: the numbers of the parts that read it.
#[derive(Debug, Default)]
pub(crate) struct Readers(BTreeMap<u32, Vec<u32>>);

impl Readers {
    pub(crate) fn add(&mut self, network: &Network, reads: SetId, number: u32) {
        for cell in network.sets.members(reads) {
            self.0.entry(cell).or_default().push(number);
        }
    }

    /// Readers of the variables of a set, sorted.
    pub(crate) fn of(&self, network: &Network, written: SetId) -> Vec<u32> {
        let extents = network.sets.get(written).iter();
        let mut numbers: Vec<u32> = extents
            .flat_map(|extent| self.0.range(extent.start..extent.end))
            .flat_map(|(_, numbers)| numbers.iter().copied())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
