//! Run-time errors that a search has met: the run that leads there, judged as any other.

use crate::options::{Options, TraceWish};
use crate::outcome::{Fault, Origin, Outcome, Report, Stats, Times};
use crate::quest::{Failure, Quest};
use crate::rate_fault::rate_fault;
use crate::search::Search;
use crate::task::{Asked, Checker};
use crate::timed::timed;
use crate::witness::repeat;
use zonewalk_model::tree::Expr;
use zonewalk_reference::{Activity, Error, State};
use zonewalk_report::trace::End;
use zonewalk_symbolic::path::Transition;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::stop::Stop;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;
use zonewalk_walk::refresh::Stop as WalkStop;
use zonewalk_walk::retime::retime_fault;
use zonewalk_walk::search::Failed;
use zonewalk_walk::trace::Trace as Run;

/// The state predicates and expressions of a query.
pub(crate) fn expressions<'q>(asked: &Asked<'q>) -> Vec<&'q Expr> {
    match asked {
        Asked::States(state, _) | Asked::Run(state, _) => vec![state.expr],
        Asked::LeadsTo(from, to) => vec![from.expr, to.expr],
        Asked::Extremes { condition, exprs, .. } => condition.iter().map(|c| c.expr).chain(*exprs).collect(),
        Asked::Refused(_) | Asked::Beyond => Vec::new(),
    }
}

impl Checker<'_, '_> {
    /// An error that a walk has met, at simpler times if these replay.
    ///
    /// # Errors
    /// What is wrong with the run.
    pub(crate) fn walk_fault(
        &self,
        failed: &Failed,
        asked: &[&Expr],
        is_wanted: bool,
    ) -> Result<Fault, String> {
        let diagnostic = match &failed.stop {
            WalkStop::Trap(trap) => self.task.network.fault(*trap).to_diagnostic(),
            WalkStop::Rate { clock, rate, span } => rate_fault(&self.clock(*clock), *rate, *span),
        };
        let retimed = is_wanted
            .then(|| retime_fault(&self.plan, &failed.found))
            .flatten();
        let retimed = retimed.and_then(|run| self.judged_fault(&diagnostic, &run, asked, is_wanted).ok());
        match retimed {
            Some(fault) => Ok(fault),
            None => self.judged_fault(&diagnostic, &failed.found.trace, asked, is_wanted),
        }
    }

    /// An error that a search of the zone graph has met. `None` where clocks can be stopped and no run leads there.
    ///
    /// # Errors
    /// What is wrong with the path.
    pub(crate) fn zone_fault(
        &self,
        quest: &Quest<'_>,
        failure: &Failure,
        asked: &[&Expr],
    ) -> Result<Option<Fault>, String> {
        let transitions = match quest.transitions(&failure.path) {
            Ok(transitions) => transitions,
            Err(_) if failure.path.len() <= 1 => Vec::new(),
            Err(error) => return Err(error),
        };
        self.fault_behind(quest.plan, &transitions, &failure.stop, asked, quest.options)
    }

    /// The same behind some transitions.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn fault_behind(
        &self,
        plan: &Plan<'_>,
        transitions: &[Transition],
        stop: &Stop,
        asked: &[&Expr],
        options: &Options,
    ) -> Result<Option<Fault>, String> {
        let start = || Run {
            unit: 1,
            steps: Vec::new(),
            last_delay: 0,
        };
        let run = match timed(plan, &plan.network.bounds, transitions, None, options.trace) {
            Ok(Some((run, _))) => run,
            _ if transitions.is_empty() => start(),
            // With clocks that can be stopped the path need not exist.
            _ if plan.is_approximate() => return Ok(None),
            Ok(None) => return Err("the path to a run-time error has no times".to_owned()),
            Err(error) => return Err(error),
        };
        let is_wanted = options.trace != TraceWish::None;
        match self.judged_fault(&self.stop_diagnostic(stop), &run, asked, is_wanted) {
            Ok(fault) => Ok(Some(fault)),
            Err(_) if plan.is_approximate() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// An error behind a run that the reference interpreter repeats.
    fn judged_fault(
        &self,
        diagnostic: &Diagnostic,
        run: &Run,
        asked: &[&Expr],
        is_wanted: bool,
    ) -> Result<Fault, String> {
        let end = End::Error {
            message: diagnostic.message.clone(),
        };
        let (trace, last) = repeat(&self.task.interpreter, run, None, end, is_wanted).map_err(|error| {
            format!(
                "the trace to a run-time error ({}) does not replay: {error}",
                diagnostic.message
            )
        })?;
        let span = diagnostic.primary.span;
        let origin = match diagnostic.code {
            "unsupported" => Origin::Search,
            _ if asked.iter().any(|expr| self.fails_in_query(&last, expr, span)) => Origin::Query,
            _ => Origin::Model,
        };
        Ok(Fault {
            diagnostic: Box::new(diagnostic.clone()),
            // What only the search cannot do is no error of the model, and no run shows it.
            trace: trace.filter(|_| origin != Origin::Search).map(Box::new),
            origin,
        })
    }

    /// Whether it is the query that fails in a state, at this place.
    fn fails_in_query(&self, last: &State, expr: &Expr, span: Span) -> bool {
        match self.task.interpreter.holds(last, expr) {
            Err(Error::Fault { fault, activity, .. }) => {
                activity == Activity::Predicate && fault.span == span
            }
            _ => false,
        }
    }

    fn clock(&self, clock: u32) -> String {
        let clocks = &self.task.interpreter.system().clocks;
        clocks
            .get(clock as usize)
            .map_or_else(|| "a clock".to_owned(), |clock| clock.name.to_string())
    }

    /// Why successors cannot be computed, for a person.
    fn stop_diagnostic(&self, stop: &Stop) -> Diagnostic {
        match stop {
            Stop::Trap(trap) => self.task.network.fault(*trap).to_diagnostic(),
            Stop::Rate { clock, rate, span } => rate_fault(&self.clock(*clock), *rate, *span),
            Stop::Constant(number) => {
                let message = format!("a clock is compared with {number}, which is more than zones can hold");
                Diagnostic::error("unsupported", Span::NONE, message)
                    .help("walks can: --search ret; or choose a larger unit of time")
            }
            Stop::NegativeClock(clock) => {
                let message = format!("{} gets a value below zero", self.clock(*clock));
                Diagnostic::error("negative-clock", Span::NONE, message)
            }
        }
    }

    /// What there is to say when the initial invariants do not hold.
    pub(crate) fn no_initial_state(&self) -> Option<Outcome> {
        let error = self.task.interpreter.initial().err()?;
        Some(Outcome::Fault(Fault::without_run(error.to_diagnostic())))
    }

    pub(crate) fn no_zones(&self, stop: &Stop, by: Search) -> Report {
        Report {
            others: Vec::new(),
            outcome: Outcome::Fault(Fault::without_run(self.stop_diagnostic(stop))),
            fault: None,
            search: by.name(),
            stats: Stats::default(),
            times: Times::default(),
        }
    }
}
