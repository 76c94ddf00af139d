//! Decides queries, by the search that was asked for or by several in parallel.

use crate::by_zones::Coordination;
use crate::control::Control;
use crate::engine::Engine;
use crate::monitor::{Monitor, watch_control};
use crate::options::Options;
use crate::order::Order;
use crate::outcome::CheckerReport;
use crate::task::{Checker, CompiledQuery};
use zonewalk_report::trace::Time;

impl Checker<'_, '_> {
    /// Decides a query while a monitor watches, which may cancel the search.
    ///
    /// Returns `None` for a query that the search cannot decide, or that could not be compiled.
    pub fn check_with(
        &self,
        query: usize,
        options: &Options,
        monitor: &dyn Monitor,
    ) -> Option<CheckerReport> {
        watch_control(monitor, options, |control| {
            self.check(query, options, control, &mut |steps, time| {
                monitor.improved(steps, time);
            })
        })
    }

    /// Decides a query. `improved` is called for every better trace after the first one: its steps and its time.
    ///
    /// Returns `None` for a query that the search cannot decide, or that could not be compiled.
    pub fn check(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Option<CheckerReport> {
        let asked = self.task.compiled(query)?;
        let engine = Engine::of(options.search);
        // What is not about states needs all of them; `auto` takes the order that suits.
        let of_all = |suits: Order| match engine {
            Engine::Portfolio => Some(suits),
            Engine::States(order) => order.is_of_all().then_some(order),
            Engine::Walks(_) => None,
        };
        let report = match asked {
            CompiledQuery::States(sought) => match engine {
                Engine::Walks(_) => self.check_by_walks(query, options, control, improved),
                Engine::Portfolio => self.check_by_all(query, options, control, improved),
                Engine::States(order) => {
                    Some(self.check_by_zones(sought, order, options, control, &Coordination::ALONE))
                }
            },
            // Lassos are found depth first.
            CompiledQuery::Run(..) | CompiledQuery::LeadsTo(..) => {
                self.check_liveness(asked, of_all(Order::Depth)?, options, control)
            }
            CompiledQuery::Runs(sampling) => {
                Some(self.check_statistically(sampling, query, options, control))
            }
            CompiledQuery::Invalid(_) | CompiledQuery::Unsupported => None,
            CompiledQuery::Extremes { .. } => {
                self.check_extremes(asked, of_all(Order::Breadth)?, options, control)
            }
        };
        let report = report.map(CheckerReport::settled)?;
        let mut report = self.certified(Some(query), report, options, control);
        report.warnings = self.sanity_warnings(query, report.overview.take());
        Some(report)
    }
}
