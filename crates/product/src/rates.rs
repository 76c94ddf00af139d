//! Stopwatches: the rates that locations set (`semantics.md` 3).

use crate::condition::ClockForm;
use crate::stop::Stop;
use crate::tables::Product;
use crate::valuation::{CodeOf, Valuation};
use zonewalk_network::constraint::RateSetting;
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};

impl<'n, F: ClockForm, X, Y> Product<'n, F, X, Y> {
    /// The rates that a location sets, as they are written.
    pub fn rate_settings(&self, process: ProcessId, location: LocationId) -> &'n [RateSetting] {
        let variant = self.network.processes[process.index()].variant;
        &self.network.variants[variant as usize].locations[location.index()].rates
    }

    /// Calls `set` with every clock whose rate a location sets in this state, and whether it runs.
    ///
    /// # Errors
    /// When the model fails, or `set` says so, or a rate is neither 0 nor 1.
    pub fn rates<V: Valuation, E: From<V::Stop> + From<Stop>>(
        &self,
        process: ProcessId,
        location: LocationId,
        valuation: &mut V,
        mut set: impl FnMut(&RateSetting, ClockId, bool) -> Result<(), Stop>,
    ) -> Result<(), E> {
        let context = self.network.context(process);
        for setting in self.rate_settings(process, location) {
            if let Some(when) = &setting.when
                && !valuation.condition(when, &context)?
            {
                continue;
            }
            if let Some(setup) = setting.setup {
                let results = [setting.clock, setting.rate];
                valuation.prepare(CodeOf::Other, setup, &results, &context)?;
            }
            let get = |cell| valuation.memory()[context.address(cell)];
            let (clock, rate) = (ClockId(get(setting.clock) as u32), get(setting.rate));
            match rate {
                0 | 1 => set(setting, clock, rate == 1)?,
                _ => {
                    let span = setting.span;
                    return Err(Stop::Rate { clock, rate, span }.into());
                }
            }
        }
        Ok(())
    }
}
