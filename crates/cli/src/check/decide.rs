//! Decides queries one after the other; a handler reports the answers.

use super::QueryOutcome;
use crate::config::SearchConfig;
use crate::interrupt;
use crate::load::{Loaded, LoadedQuery};
use crate::progress::{self, QueryProgress, StatusLine};
use crate::status::Error;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::resources;
use zonewalk_checker::{Control, Decider, PlannedQueries, QuerySet};
use zonewalk_model::tree::Query;
use zonewalk_report::trace::Time;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Reports the queries of a run as they are decided.
pub(crate) trait OutcomeHandler {
    /// A query is about to be decided.
    fn begin(&mut self, _number: usize, _query: &LoadedQuery) -> Result<(), Error> {
        Ok(())
    }

    /// A warning that is of use before the query is decided. What is given back becomes part of the outcome.
    fn warn_early(&mut self, warning: Diagnostic) -> Option<Diagnostic> {
        Some(warning)
    }

    /// A better trace has been found while the search goes on.
    fn improved(&mut self, _status_line: &StatusLine, _after: Duration, _steps: usize, _time: Time) {}

    /// A query is decided, or not.
    fn handle(&mut self, number: usize, query: &LoadedQuery, outcome: QueryOutcome) -> Result<(), Error>;
}

/// When loading began.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    clock: Instant,
    /// The time that processors had given to the process.
    cpu: Duration,
}

impl Start {
    /// Start of the process: all that it has used counts.
    pub(crate) fn of_process() -> Self {
        Start {
            clock: Instant::now(),
            cpu: Duration::ZERO,
        }
    }

    /// Start of one of several models.
    pub(crate) fn of_model() -> Self {
        Start {
            clock: Instant::now(),
            cpu: resources::cpu_time(),
        }
    }

    /// On the clock.
    pub(crate) fn clock(&self) -> Instant {
        self.clock
    }
}

/// Decides the queries with these numbers. The inner error says why the search does not support the model.
pub(crate) fn decide_all(
    config: &SearchConfig,
    loaded: &Loaded,
    selected: &[(usize, &LoadedQuery)],
    start: Start,
    control: &Arc<Control>,
    handler: &mut dyn OutcomeHandler,
) -> Result<Result<(), Vec<Diagnostic>>, Error> {
    let typed: Vec<&Query> = selected
        .iter()
        .filter_map(|(_, query)| query.typed.as_ref().ok())
        .collect();
    let is_well_formed = typed.len() == selected.len();
    let queries = QuerySet::new(&loaded.model, &loaded.system, typed);
    let planned = queries.plan(config.options().search);
    // An error in a query comes before the refusal of the model.
    if let Some(refusals) = planned.refusals()
        && is_well_formed
    {
        return Ok(Err(refusals.to_vec()));
    }
    let mut decider = planned.decider();
    if let Some(pattern) = &config.pattern
        && let Err(error) = decider.set_patterns(pattern)
    {
        let message = format!("--pattern: {error}");
        let refusal = Diagnostic::error("unknown-component", Span::NONE, message).help(error.help());
        return Ok(Err(vec![refusal]));
    }
    let decision = Decision {
        config,
        planned: &planned,
        load: start.clock.elapsed(),
        cpu_before: start.cpu,
        control,
    };
    interrupt::listen(control);
    let mut wrapped = Wrapped::known(&loaded.diagnostics);
    let mut warned = BTreeSet::new();
    let mut indices = 0..;
    for (place, (number, query)) in selected.iter().enumerate() {
        handler.begin(*number, query)?;
        let position = QueryProgress {
            place: place + 1,
            of: selected.len(),
        };
        // Its number among those that fit the model.
        let index = query.typed.as_ref().map(|_| indices.next().unwrap_or_default());
        let early = index
            .ok()
            .and_then(|index| decider.may_not_end(index, &config.options()))
            .filter(|warning| warned.insert((warning.primary.span, warning.message.clone())))
            .and_then(|warning| handler.warn_early(warning));
        let mut outcome = decision.make(query, index, position, &decider, handler);
        outcome.warnings = early.into_iter().collect();
        outcome
            .warnings
            .append(&mut decider.warnings(index.ok(), &mut wrapped));
        handler.handle(*number, query, outcome)?;
    }
    Ok(Ok(()))
}

struct Decision<'a, 'm> {
    config: &'a SearchConfig,
    planned: &'a PlannedQueries<'m>,
    load: Duration,
    cpu_before: Duration,
    control: &'a Control,
}

impl Decision<'_, '_> {
    /// Decides a query; `index` is its number among those that fit the model, or its errors.
    fn make(
        &self,
        query: &LoadedQuery,
        index: Result<usize, &Vec<Diagnostic>>,
        position: QueryProgress,
        decider: &Decider<'_, '_>,
        handler: &mut dyn OutcomeHandler,
    ) -> QueryOutcome {
        let (start, cpu) = (Instant::now(), resources::cpu_time());
        let options = self.config.options();
        let mut outcome = match index.map(|index| (index, &self.planned.plan(index).engine)) {
            Err(errors) => QueryOutcome::refused(errors.clone()),
            Ok((_, Err(refusal))) => QueryOutcome::refused(refusal.errors.iter().take(1).cloned().collect()),
            Ok(_) if self.control.is_interrupted() => {
                QueryOutcome::undecided("interrupted before it started")
            }
            Ok((index, Ok(_))) => {
                let progress = self.config.progress;
                let answer = progress::watch(progress, position, &options, self.control, |status_line| {
                    let mut improved = |steps, time| {
                        handler.improved(status_line, start.elapsed(), steps, time);
                    };
                    decider.check(index, &options, self.control, &mut improved)
                });
                match answer {
                    Ok(report) => QueryOutcome::from_report(report),
                    Err(refusal) => QueryOutcome::refused(refusal.errors),
                }
            }
        };
        let result = &mut outcome.result;
        result.set_question(&query.entry.text, &query.entry.comment);
        if result.search.is_empty() {
            result.search = options.search.name().to_owned();
        }
        options.record_in(result);
        result.cost.load_s = self.load.as_secs_f64();
        result.cost.time_s = (self.load + start.elapsed()).as_secs_f64();
        // Of the first query on its own: everything since the start. Of later ones: loading is not counted twice.
        let cpu_now = resources::cpu_time();
        let cpu = if position.place == 1 { self.cpu_before } else { cpu };
        result.cost.cpu_s = cpu_now.saturating_sub(cpu).as_secs_f64();
        result.cost.peak_memory_bytes = resources::peak_memory();
        outcome
    }
}
