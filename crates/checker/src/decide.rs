//! Who decides a query: the search that was asked for, or several beside each other.

use crate::control::Control;
use crate::engine::Engine;
use crate::options::Options;
use crate::order::Order;
use crate::outcome::Report;
use crate::task::{Asked, Checker};
use crate::zones::check::Company;
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
        let asked = self.task.asked(query)?;
        let engine = Engine::of(options.search);
        // What is not about states needs all of them; `auto` takes the order that suits.
        let of_all = |suits: Order| match engine {
            Engine::Portfolio => Some(suits),
            Engine::States(order) => order.is_of_all().then_some(order),
            Engine::Walks(_) => None,
        };
        let report = match asked {
            Asked::States(state, wanted) => match engine {
                Engine::Walks(_) => self.check_by_walks(query, options, control, improved),
                Engine::Portfolio => self.check_by_all(query, options, control, improved),
                Engine::States(order) => {
                    Some(self.check_by_zones((state, *wanted), order, options, control, &Company::NONE))
                }
            },
            // Depth first is what lassos are found by.
            Asked::Run(..) | Asked::LeadsTo(..) => {
                self.check_liveness(asked, of_all(Order::Depth)?, options, control)
            }
            Asked::Refused(_) | Asked::Beyond => None,
            Asked::Extremes { .. } => self.check_extremes(asked, of_all(Order::Breadth)?, options, control),
        };
        report.map(Report::settled)
    }
}
