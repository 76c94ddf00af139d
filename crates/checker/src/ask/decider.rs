//! Carries plans out.

use super::{PlannedQueries, QueryEngine, QueryRefusal};
use crate::control::Control;
use crate::load::Wrapped;
use crate::monitor::{Monitor, watch_control};
use crate::options::Options;
use crate::outcome::{CheckerReport, Outcome, Stats, Times};
use crate::statistical::check_in_doubles;
use crate::task::{Checker, CompiledModel};
use crate::zones::patterns::UnknownComponent;
use zonewalk_report::trace::Time;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Engines, ready to answer planned queries.
pub struct Decider<'p, 'm> {
    planned: &'p PlannedQueries<'m>,
    /// For searches; `None` where the search does not support the model.
    checker: Option<Checker<'p, 'm>>,
    /// Warnings about the model's variables that have not been reported yet.
    stale: Vec<Diagnostic>,
    /// Whether it has been reported why there is no proof.
    has_told_why_unproved: bool,
}

impl<'p, 'm> Decider<'p, 'm> {
    pub(super) fn new(planned: &'p PlannedQueries<'m>) -> Self {
        let task = planned.task.as_ref().ok();
        Decider {
            planned,
            checker: task.map(CompiledModel::checker),
            stale: task.map_or_else(Vec::new, CompiledModel::stale_variables),
            has_told_why_unproved: false,
        }
    }

    /// Has pattern databases be about these components: names with commas between them, patterns with semicolons.
    ///
    /// # Errors
    /// The model does not have one of them.
    pub fn set_patterns(&mut self, patterns: &str) -> Result<(), UnknownComponent> {
        match &mut self.checker {
            Some(checker) => checker.set_patterns(patterns),
            None => Ok(()),
        }
    }

    /// A warning where the search for the answer to a query may not end.
    pub fn may_not_end(&self, query: usize, options: &Options) -> Option<Diagnostic> {
        match self.planned.plan(query).engine {
            Ok(QueryEngine::Search { query }) => self.checker.as_ref()?.may_not_end(query, options),
            _ => None,
        }
    }

    /// Decides a query. `improved` is called for every better trace after the first one: its steps and its time.
    ///
    /// # Errors
    /// When its plan has no engine for it, with the reason.
    pub fn check(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Result<CheckerReport, QueryRefusal> {
        let report = match (self.planned.plan(query).engine.clone()?, &self.checker) {
            (QueryEngine::Search { query }, Some(checker)) => {
                checker.check(query, options, control, improved)
            }
            _ => {
                let set = self.planned.set;
                let of = (set.model, set.system);
                check_in_doubles(of, set.queries[query], query, options, control)
            }
        };
        Ok(report.unwrap_or_else(|| {
            let bug = "the planned engine does not answer the query".to_owned();
            let name = options.search.name();
            CheckerReport::new(name, Outcome::Bug(bug), Stats::default(), Times::default())
        }))
    }

    /// Decides a query while a monitor watches, which may cancel the search.
    ///
    /// # Errors
    /// When its plan has no engine for it, with the reason.
    pub fn check_with(
        &self,
        query: usize,
        options: &Options,
        monitor: &dyn Monitor,
    ) -> Result<CheckerReport, QueryRefusal> {
        watch_control(monitor, options, |control| {
            self.check(query, options, control, &mut |steps, time| {
                monitor.improved(steps, time);
            })
        })
    }

    /// Warnings about the model that were found since the last call, to go with the answer to a query; `None` for a malformed one.
    pub fn warnings(&mut self, query: Option<usize>, wrapped: &mut Wrapped) -> Vec<Diagnostic> {
        let places = self
            .planned
            .task()
            .map_or_else(|_| Vec::new(), CompiledModel::wraps);
        let mut warnings = wrapped.warnings(places);
        warnings.append(&mut self.stale);
        let unproved = query.map_or(&[][..], |query| &self.planned.plan(query).warnings);
        if !unproved.is_empty() && !std::mem::replace(&mut self.has_told_why_unproved, true) {
            warnings.extend_from_slice(unproved);
        }
        warnings
    }
}
