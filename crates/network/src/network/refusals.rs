//! Locations at which it matters what a process cannot do.
//!
//! A lower bound `x >= c` says what a larger `x` can do, and an upper bound what a smaller one can. Whoever asks whether
//! something is *not* possible in a location needs the constants of its guards and invariants on both sides.

use crate::code::ids::{LocationId, ProcessId};
use crate::network::Network;

/// A set of locations, by process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusals {
    /// By process, then by location.
    marked: Vec<Vec<bool>>,
}

impl Refusals {
    /// No location of any process.
    pub fn nowhere(network: &Network) -> Refusals {
        Refusals::all(network, false)
    }

    /// All locations of all processes.
    pub fn everywhere(network: &Network) -> Refusals {
        Refusals::all(network, true)
    }

    fn all(network: &Network, is_marked: bool) -> Refusals {
        let locations = |variant: u32| network.variants[variant as usize].locations.len();
        let processes = network.processes.iter();
        Refusals {
            marked: processes
                .map(|process| vec![is_marked; locations(process.variant)])
                .collect(),
        }
    }

    /// Adds a location of a process; false when it was there.
    pub fn add(&mut self, process: ProcessId, location: LocationId) -> bool {
        let locations = self.marked.get_mut(process.index());
        match locations.and_then(|locations| locations.get_mut(location.index())) {
            Some(mark) => !std::mem::replace(mark, true),
            None => false,
        }
    }

    /// Whether it has no location.
    pub fn is_empty(&self) -> bool {
        !self.marked.iter().flatten().any(|&mark| mark)
    }

    /// By process, then by location.
    pub(crate) fn marked(&self) -> &[Vec<bool>] {
        &self.marked
    }
}
