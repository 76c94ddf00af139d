//! Models in which every run ends.

use super::reach::Reach;
use crate::task::Checker;
use zonewalk_model::ids::LocationId;
use zonewalk_symbolic::standstill::standstill;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Processes that are named.
const NAMED: usize = 6;

impl Checker<'_, '_> {
    /// A warning where every run ends, and none in a location that has no edges and so is meant to be the end.
    pub(super) fn ends(&self, reach: &Reach<'_>) -> Option<Diagnostic> {
        let network = reach.network;
        if network.instances.is_empty() || reach.has_final_location() || !reach.has_no_cycle() {
            return None;
        }
        let plan = self.zone_plan().ok()?;
        // Without cycles no edge is taken twice.
        let last = standstill(plan, network.instances.len())?;
        let place = self.place(&last.locations);
        let and_time = if last.stops_time { ", and time stops" } else { "" };
        Some(if reach.is_trivial() {
            let message = format!("no transition is ever possible: the model stays in {place}{and_time}");
            Diagnostic::warning("trivial-state-space", Span::NONE, message)
        } else {
            let kind = if last.stops_time { "time-lock" } else { "deadlock" };
            let steps = match last.steps {
                1 => "1 step".to_owned(),
                n => format!("{n} steps"),
            };
            let message = format!("every run ends; one ends after {steps} in a {kind} in {place}");
            Diagnostic::warning("every-run-ends", Span::NONE, message)
        })
    }

    /// `Gate.Free, Train(0).Safe and 3 more`
    fn place(&self, locations: &[LocationId]) -> String {
        let (model, system) = (self.task.interpreter.model(), self.task.interpreter.system());
        let named: Vec<String> = system
            .processes
            .iter()
            .zip(locations)
            .take(NAMED)
            .map(|(process, location)| {
                let template = &model.templates[process.template.index()];
                format!("{}.{}", process.name, template.locations[location.index()].name)
            })
            .collect();
        match locations.len().saturating_sub(NAMED) {
            0 => named.join(", "),
            more => format!("{} and {more} more", named.join(", ")),
        }
    }
}
