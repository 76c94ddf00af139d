//! What keeps the zone graph from an answer: run-time errors of the model, and models that zones cannot hold.

use crate::options::{Options, TraceWish};
use crate::outcome::{Outcome, Report, Stats, Times};
use crate::quest::Quest;
use crate::rate_fault::rate_fault;
use crate::search::Search;
use crate::task::Checker;
use crate::timed::timed;
use crate::witness::confirm;
use zonewalk_report::trace::End;
use zonewalk_symbolic::path::Transition;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::stop::Stop;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;
use zonewalk_walk::trace::Trace as Run;

impl Checker<'_, '_> {
    /// A run-time error of the model behind a path.
    pub(crate) fn zone_fault(&self, quest: &Quest<'_>, stop: &Stop, path: &[u32]) -> Outcome {
        match quest.transitions(path) {
            Ok(transitions) => self.fault_behind(quest.plan, &transitions, stop, quest.options),
            Err(_) if path.is_empty() => self.fault_behind(quest.plan, &[], stop, quest.options),
            Err(error) => Outcome::Bug(error),
        }
    }

    /// A run-time error of the model behind some transitions.
    pub(crate) fn fault_behind(
        &self,
        plan: &Plan<'_>,
        transitions: &[Transition],
        stop: &Stop,
        options: &Options,
    ) -> Outcome {
        let start = || Run {
            unit: 1,
            steps: Vec::new(),
            last_delay: 0,
        };
        let run = match timed(plan, &plan.network.bounds, transitions, None, options.trace) {
            Ok(Some((run, _))) => run,
            _ if transitions.is_empty() => start(),
            Ok(None) => return Outcome::Bug("the path to a run-time error has no times".to_owned()),
            Err(error) => return Outcome::Bug(error),
        };
        let diagnostic = self.stop_diagnostic(stop);
        let end = End::Error {
            message: diagnostic.message.clone(),
        };
        let is_wanted = options.trace != TraceWish::None;
        match confirm(&self.task.interpreter, &run, None, end, is_wanted) {
            Ok(trace) => Outcome::Fault {
                diagnostic: Box::new(diagnostic),
                trace: trace.map(Box::new),
            },
            Err(error) => Outcome::Bug(format!(
                "the trace to a run-time error ({}) does not replay: {error}",
                diagnostic.message
            )),
        }
    }

    /// Why successors cannot be computed, for a person.
    pub(crate) fn stop_diagnostic(&self, stop: &Stop) -> Diagnostic {
        let clock = |clock: u32| {
            let clocks = &self.task.interpreter.system().clocks;
            clocks
                .get(clock as usize)
                .map_or_else(|| "a clock".to_owned(), |clock| clock.name.to_string())
        };
        match stop {
            Stop::Trap(trap) => self.task.network.fault(*trap).to_diagnostic(),
            Stop::Rate { clock: c, rate, span } => rate_fault(&clock(*c), *rate, *span),
            Stop::Constant(number) => {
                let message = format!("a clock is compared with {number}, which is more than zones can hold");
                Diagnostic::error("unsupported", Span::NONE, message)
                    .help("walks can: --search ret; or choose a larger unit of time")
            }
            Stop::NegativeClock(c) => {
                let message = format!("{} gets a value below zero", clock(*c));
                Diagnostic::error("negative-clock", Span::NONE, message)
            }
        }
    }

    /// What there is to say when the initial invariants do not hold.
    pub(crate) fn no_initial_state(&self) -> Option<Outcome> {
        let error = self.task.interpreter.initial().err()?;
        Some(Outcome::Fault {
            diagnostic: Box::new(error.to_diagnostic()),
            trace: None,
        })
    }

    pub(crate) fn no_zones(&self, stop: &Stop, by: Search) -> Report {
        Report {
            others: Vec::new(),
            outcome: Outcome::Fault {
                diagnostic: Box::new(self.stop_diagnostic(stop)),
                trace: None,
            },
            search: by.name(),
            stats: Stats::default(),
            times: Times::default(),
        }
    }
}
