//! Who decides a query: the search that was asked for, or several beside each other.

use crate::control::Control;
use crate::options::Options;
use crate::outcome::Report;
use crate::search::{Order, Search};
use crate::task::{Asked, Checker};
use crate::zones::Company;
use zonewalk_report::trace::Time;

impl Checker<'_, '_> {
    /// Decides a query. `improved` hears of every better trace after the first one: its steps and its time.
    ///
    /// Returns `None` for a query that the search cannot decide, or that could not be compiled.
    pub fn check(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Option<Report> {
        let report = match (self.task.asked(query)?, options.search) {
            (Asked::States(..), Search::Walks(_)) => self.check_by_walks(query, options, control, improved),
            (Asked::States(..), Search::Auto) => self.check_by_all(query, options, control, improved),
            (Asked::States(state, wanted), by) => {
                Some(self.check_by_zones((state, *wanted), by, options, control, &Company::NONE))
            }
            (asked, by) => {
                let by = match by {
                    // Depth first is what lassos are found by.
                    Search::Auto => Search::Zones(Order::Depth),
                    by => by,
                };
                self.check_liveness(asked, by, options, control)
                    .or_else(|| self.check_extremes(asked, options, control))
            }
        };
        report.map(Report::settled)
    }
}
