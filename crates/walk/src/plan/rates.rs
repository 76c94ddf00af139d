//! Rates of clocks that are the values of variables.

use crate::plan::{LocationInstance, WalkPlan};
use zonewalk_network::ids::LocationId;
use zonewalk_network::ids::{ClockId, ProcessId};
use zonewalk_product::LocationInstanceId;

/// A cell whose value is the rate that a location sets for a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RateCell {
    pub(crate) cell: u32,
    pub(crate) process: ProcessId,
    /// The location instance.
    pub(crate) place: LocationInstanceId,
    /// Which of the rates of the location.
    pub(crate) index: u32,
    pub(crate) clock: ClockId,
}

/// Whether a change of a variable may change rates in a way that only `State::refresh_rates` sees.
pub(crate) fn are_computed(place: &LocationInstance) -> bool {
    place.has_rates && place.own.plain_rates.is_none()
}

impl WalkPlan<'_> {
    /// All the cells that are rates, sorted.
    pub(crate) fn rate_cells(&self) -> Vec<RateCell> {
        let mut cells = Vec::new();
        for (process, of) in self.processes().zip(&self.network.processes) {
            let locations = self.network.variants[of.variant as usize].locations.len();
            for location in (0..locations as u32).map(LocationId) {
                let place = self.location_number(process, location);
                let plain = self.locations[place.index()].own.plain_rates.clone();
                let plain = plain.unwrap_or_default();
                let settings = &self.rates[plain.start as usize..plain.end as usize];
                cells.extend((0..).zip(settings).map(|(index, &(clock, cell))| RateCell {
                    cell,
                    process,
                    place,
                    index,
                    clock,
                }));
            }
        }
        cells.sort_unstable();
        cells
    }
}
