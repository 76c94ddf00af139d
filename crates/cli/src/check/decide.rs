//! Decides queries one after the other; a handler reports the answers.

use super::QueryOutcome;
use crate::config::SearchConfig;
use crate::interrupt;
use crate::load::{Loaded, LoadedQuery};
use crate::progress::{self, StatusLine, Turn};
use crate::resources;
use crate::status::Error;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::{Checker, Control, Plain, Task, answers_in_doubles, check_in_doubles, deciders};
use zonewalk_model::tree::{OtherQuery, OtherQueryFamily, Query, QueryKind};
use zonewalk_report::trace::Time;
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Severity};
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
    /// Of the process: all that it has used counts.
    pub(crate) fn of_process() -> Self {
        Start {
            clock: Instant::now(),
            cpu: Duration::ZERO,
        }
    }

    /// Of one of several models.
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
    let symbolic: Vec<&Query> = typed
        .iter()
        .copied()
        .filter(|query| !is_statistical(query))
        .collect();
    let mut no_searches = Vec::new();
    let mut positions: Vec<Option<usize>> = (0..typed.len()).map(Some).collect();
    let search = config.options().search;
    let plain: Plain;
    let task = match Task::new(&loaded.model, &loaded.system, &typed).and_then(|task| task.fit_for(search)) {
        Ok(task) => Some(task),
        Err(mut refusals) => {
            // Searches ignore hybrid clocks.
            let without = match zonewalk_checker::plain(&loaded.model, &symbolic) {
                Some(Ok(found)) => {
                    plain = found;
                    Task::new(&plain.model, &plain.system, &symbolic).and_then(|task| task.fit_for(search))
                }
                Some(Err(influence)) => {
                    refusals.retain(|refusal| !refusal.message.ends_with("hybrid clocks"));
                    refusals.insert(0, *influence);
                    Err(refusals)
                }
                None => Err(refusals),
            };
            match without {
                Ok(task) => {
                    let mut next = 0..symbolic.len();
                    let position = |query: &&Query| if is_statistical(query) { None } else { next.next() };
                    positions = typed.iter().map(position).collect();
                    Some(task)
                }
                // What is wrong with a query comes before what keeps searches from the model, and statistical queries may be
                // answered all the same, by runs in doubles.
                Err(refusals)
                    if typed.len() < selected.len()
                        || typed
                            .iter()
                            .any(|query| is_refused(query) || has_runs(loaded, query)) =>
                {
                    no_searches = refusals;
                    None
                }
                Err(refusals) => return Ok(Err(refusals)),
            }
        }
    };
    let mut checker = task.as_ref().map(Task::checker);
    if let Some(checker) = &mut checker
        && let Some(pattern) = &config.pattern
        && let Err(error) = checker.set_patterns(pattern)
    {
        let message = format!("--pattern: {error}");
        let refusal = Diagnostic::error("unknown-component", Span::NONE, message).help(error.help());
        return Ok(Err(vec![refusal]));
    }
    let decision = Decision {
        config,
        checker,
        positions,
        no_searches: no_searches.clone(),
        loaded,
        load: start.clock.elapsed(),
        cpu_before: start.cpu,
        control,
    };
    interrupt::listen(control);
    let mut wrapped = Wrapped::known(&loaded.diagnostics);
    let mut stale = task.as_ref().map_or_else(Vec::new, Task::stale_variables);
    let mut warned = BTreeSet::new();
    let mut no_proof: Vec<Diagnostic> = no_searches.iter().map(without_proof).collect();
    let mut index = 0;
    for (place, (number, query)) in selected.iter().enumerate() {
        handler.begin(*number, query)?;
        let turn = Turn {
            place: place + 1,
            of: selected.len(),
        };
        let early = decision.may_not_end(query, index);
        let early = early.filter(|warning| warned.insert((warning.primary.span, warning.message.clone())));
        let early = early.and_then(|warning| handler.warn_early(warning));
        let mut outcome = decision.make(query, index, turn, handler);
        outcome.warnings = early.into_iter().collect();
        outcome.warnings.extend(
            task.as_ref()
                .map_or_else(Vec::new, |task| wrapped.warnings(task.wraps())),
        );
        outcome.warnings.append(&mut stale);
        // What rules a proof out, told once, where there is an answer without one.
        let is_unproved = |query: &Query| !is_statistical(query) && has_runs(loaded, query);
        if !no_proof.is_empty() && query.typed.as_ref().is_ok_and(is_unproved) {
            outcome.warnings.append(&mut no_proof);
        }
        handler.handle(*number, query, outcome)?;
        index += usize::from(query.typed.is_ok());
    }
    Ok(Ok(()))
}

struct Decision<'a, 'm, 't> {
    config: &'a SearchConfig,
    /// For searches; `None` where none supports the model.
    checker: Option<Checker<'m, 't>>,
    /// By number among the queries that fit the model: which one it is for searches; `None` for those that runs in doubles answer.
    positions: Vec<Option<usize>>,
    /// Why there are no searches.
    no_searches: Vec<Diagnostic>,
    loaded: &'a Loaded,
    load: Duration,
    cpu_before: Duration,
    control: &'a Control,
}

impl<'m, 't> Decision<'_, 'm, 't> {
    /// Decides a query; `index` is its number among those that fit the model.
    fn make(
        &self,
        query: &LoadedQuery,
        index: usize,
        turn: Turn,
        handler: &mut dyn OutcomeHandler,
    ) -> QueryOutcome {
        let (start, cpu) = (Instant::now(), resources::cpu_time());
        let options = self.config.options();
        let mut outcome = match &query.typed {
            Err(errors) => QueryOutcome::refused(errors.clone()),
            Ok(typed) => match self.obstacle(typed, index) {
                Some(obstacle) => QueryOutcome::refused(vec![obstacle]),
                None if self.control.is_interrupted() => {
                    QueryOutcome::undecided("interrupted before it started")
                }
                None => {
                    let report = progress::watch(
                        self.config.progress,
                        turn,
                        &options,
                        self.control,
                        |status_line| {
                            let mut improved = |steps, time| {
                                handler.improved(status_line, start.elapsed(), steps, time);
                            };
                            match self.searched(index) {
                                Some((checker, at)) => {
                                    checker.check(at, &options, self.control, &mut improved)
                                }
                                None => {
                                    let of = (&self.loaded.model, &self.loaded.system);
                                    check_in_doubles(of, typed, index, &options, self.control)
                                }
                            }
                        },
                    );
                    report.map_or_else(
                        || QueryOutcome::undecided("walks cannot decide it"),
                        QueryOutcome::from_report,
                    )
                }
            },
        };
        let result = &mut outcome.result;
        result.set_question(&query.entry.text, &query.entry.comment);
        if result.search.is_empty() {
            result.search = options.search.name().to_owned();
        }
        options.tell(result);
        result.load_s = self.load.as_secs_f64();
        result.time_s = (self.load + start.elapsed()).as_secs_f64();
        // Of the first query on its own: everything since the start. Of later ones: loading is not counted twice.
        let cpu_now = resources::cpu_time();
        let cpu = if turn.place == 1 { self.cpu_before } else { cpu };
        result.cpu_s = cpu_now.saturating_sub(cpu).as_secs_f64();
        result.peak_memory_bytes = resources::peak_memory();
        outcome
    }

    /// A warning where the search may not end.
    fn may_not_end(&self, query: &LoadedQuery, index: usize) -> Option<Diagnostic> {
        let typed = query.typed.as_ref().ok()?;
        let (checker, at) = self.searched(index)?;
        let options = self.config.options();
        let is_decided = options.search.decides(&typed.kind);
        is_decided.then(|| checker.may_not_end(at, &options)).flatten()
    }

    /// Who searches for the answer, and which of its queries it is.
    fn searched(&self, index: usize) -> Option<(&Checker<'m, 't>, usize)> {
        Some((
            self.checker.as_ref()?,
            self.positions.get(index).copied().flatten()?,
        ))
    }

    /// Why the query cannot be decided by the chosen search.
    fn obstacle(&self, query: &Query, index: usize) -> Option<Diagnostic> {
        let search = self.config.options().search;
        if let QueryKind::Other(other) = &query.kind {
            return Some(unsupported(*other, query.span));
        }
        let Some((checker, index)) = self.searched(index) else {
            return self
                .no_searches
                .first()
                .filter(|_| !has_runs(self.loaded, query))
                .cloned();
        };
        if search.decides(&query.kind) {
            return checker.obstacle(index).cloned();
        }
        let message = format!("{} cannot decide this kind of query", search.name());
        let help = format!("{} can", deciders(&query.kind).join(", "));
        Some(Diagnostic::error(Code::UNDECIDABLE, query.span, message).help(help))
    }
}

fn has_runs(loaded: &Loaded, query: &Query) -> bool {
    answers_in_doubles(&loaded.model, &loaded.system, query)
}

/// Whether zonewalk has no answer to a query, whatever the model.
fn is_refused(query: &Query) -> bool {
    matches!(query.kind, QueryKind::Other(_))
}

fn is_statistical(query: &Query) -> bool {
    matches!(query.kind, QueryKind::Statistical(_))
}

/// What rules searches out leaves random runs, which prove nothing.
fn without_proof(refusal: &Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        message: format!("no proof, random runs alone: {}", refusal.message),
        ..refusal.clone()
    }
}

/// Refuses a kind of query by its name.
fn unsupported(query: OtherQuery, span: Span) -> Diagnostic {
    let why = match (query.family, query.form) {
        (_, "A[… U …]") => "zonewalk does not check until",
        (_, "under") => "zonewalk has no strategies",
        (OtherQueryFamily::Game, _) => "zonewalk solves no games",
        (OtherQueryFamily::Strategy, _) => "zonewalk neither computes nor reads strategies",
        (OtherQueryFamily::Ecdar, _) => "`zonewalk refine` compares timed I/O automata",
        (OtherQueryFamily::Scenario, _) => "zonewalk does not check live sequence charts",
    };
    let message = format!("`{}` is not supported: {why}", query.form);
    Diagnostic::error(Code::UNSUPPORTED, span, message).help(
        "zonewalk decides `E<> p`, `A[] p`, `E[] p`, `A<> p`, `p --> q`, `sup: e`, `inf: e`, `bounds: e`, `Pr[…]`, `E[…]` and `simulate`",
    )
}
