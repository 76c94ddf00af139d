//! Run-time errors that a search has met: the run that leads there, judged as any other.

use crate::judge::confirm::repeat;
use crate::judge::rate_fault::rate_fault;
use crate::judge::record::Recorder;
use crate::options::{Options, TraceKind};
use crate::order::Order;
use crate::outcome::{CheckerReport, Fault, Origin, Outcome, Stats, Times};
use crate::task::{Checker, CompiledQuery};
use crate::trace::timed::{timed, timed_attempt};
use crate::zones::search::{Failure, ZoneSearch};
use zonewalk_model::tree::Expr;
use zonewalk_network::Transition;
use zonewalk_network::ids::ClockId;
use zonewalk_reference::{Error, ExpectedError, Failure as GeneratedState};
use zonewalk_report::trace::{Attempt, Cell, End};
use zonewalk_run::Run;
use zonewalk_symbolic::lasso::Fault as ZoneFault;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::{ModelError, Stop};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::span::Span;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::retime::retime_fault;
use zonewalk_walk::search::Failed;
use zonewalk_walk::search::FoundWalk;
use zonewalk_walk::shrink::shrink_fault;

/// The state predicates and expressions of a query.
pub(crate) fn expressions<'q>(asked: &CompiledQuery<'q>) -> Vec<&'q Expr> {
    match asked {
        CompiledQuery::States(goal) | CompiledQuery::Run(goal) => vec![goal.expr],
        CompiledQuery::LeadsTo(from, to) => vec![from.expr, to.expr],
        CompiledQuery::Extremes { condition, exprs, .. } => {
            condition.iter().map(|c| c.expr).chain(*exprs).collect()
        }
        CompiledQuery::Runs(_) | CompiledQuery::Invalid(_) | CompiledQuery::Unsupported => Vec::new(),
    }
}

impl Checker<'_, '_> {
    /// An error that a walk has met, after a search of this much effort. Its run is made shorter, as far as the same error is met
    /// again, and its times simpler; whatever the reference interpreter does not confirm is given up.
    ///
    /// # Errors
    /// The first thing that is wrong with the run.
    pub(crate) fn walk_fault(
        &self,
        failed: &Failed,
        asked: &[&Expr],
        goal: Option<&WalkGoal>,
        (options, searched): (&Options, u64),
    ) -> Result<Fault, String> {
        let diagnostic = self.error_diagnostic(&failed.stop);
        let is_wanted = options.trace.kind != TraceKind::None;
        if is_wanted && options.shrinks() {
            let shrunk = self.shrunk_fault(failed, goal, (options, searched));
            let retimed = retime_fault(self.walk_plan(), &failed.found);
            for run in shrunk.iter().chain(&retimed) {
                if let Ok((fault, true)) = self.judged_fault(&diagnostic, run, asked, is_wanted) {
                    return Ok(fault);
                }
            }
        }
        let judged = self.judged_fault(&diagnostic, &failed.found.run, asked, is_wanted);
        judged.map(|(fault, _)| fault)
    }

    /// Shorter runs to the same error, the better one first.
    fn shrunk_fault(
        &self,
        failed: &Failed,
        goal: Option<&WalkGoal>,
        (options, searched): (&Options, u64),
    ) -> Vec<Run> {
        let means = options.means(options.trace.allowance(searched));
        let Some((shrunk, retimed)) = shrink_fault(self.walk_plan(), failed, goal, means) else {
            return Vec::new();
        };
        retimed.into_iter().chain([shrunk.found.run]).collect()
    }

    /// An error that a search of the zone graph has met. `None` where clocks can be stopped and no run leads there.
    ///
    /// # Errors
    /// The first thing that is wrong with the path.
    pub(crate) fn zone_fault(
        &self,
        search: &ZoneSearch<'_>,
        failure: &Failure,
        asked: &[&Expr],
    ) -> Result<Option<Fault>, String> {
        let path = match search.transitions(&failure.path) {
            Ok(transitions) => transitions,
            Err(_) if failure.path.len() <= 1 => Vec::new(),
            Err(error) => return Err(error),
        };
        let fault = ZoneFault {
            stop: failure.stop,
            path,
            attempt: failure.attempt.clone(),
        };
        self.fault_behind(search.plan, &fault, asked, (search.options, search.effort))
    }

    /// Finds the fault after some transitions.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub(crate) fn fault_behind(
        &self,
        plan: &ZonePlan<'_>,
        fault: &ZoneFault,
        asked: &[&Expr],
        (options, searched): (&Options, u64),
    ) -> Result<Option<Fault>, String> {
        let transitions = &fault.path[..];
        let tried = fault
            .attempt
            .as_ref()
            .and_then(|a| timed_attempt(plan, transitions, a));
        let made = match tried {
            Some(made) => Ok(Some(made)),
            None => timed(plan, &plan.network.bounds, transitions, None, options.trace.kind),
        };
        let (run, given) = match made {
            Ok(Some(made)) => made,
            _ if transitions.is_empty() => (Run::EMPTY, Vec::new()),
            // With clocks that can be stopped the path need not exist.
            _ if plan.is_approximate() => return Ok(None),
            Ok(None) => return Err("the path to a run-time error has no times".to_owned()),
            Err(error) => return Err(error),
        };
        let is_wanted = options.trace.kind != TraceKind::None;
        let diagnostic = self.stop_diagnostic(&fault.stop);
        if is_wanted
            && options.shrinks()
            && let Some(failed) = self.as_walk(&run, &given, fault)
        {
            for run in self.shrunk_fault(&failed, None, (options, searched)) {
                if let Ok((fault, true)) = self.judged_fault(&diagnostic, &run, asked, is_wanted) {
                    return Ok(Some(fault));
                }
            }
        }
        match self.judged_fault(&diagnostic, &run, asked, is_wanted) {
            Ok((fault, _)) => Ok(Some(fault)),
            Err(_) if plan.is_approximate() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A run to an error as if a walk had met it; `None` where walks cannot or where it is not known what was tried.
    fn as_walk(&self, run: &Run, given: &[Transition], fault: &ZoneFault) -> Option<Failed> {
        let Stop::Model(stop @ ModelError::Trap(_)) = fault.stop else {
            return None;
        };
        let attempt = fault.attempt.as_ref().filter(|_| self.task.can_walk())?;
        Some(Failed {
            stop,
            found: FoundWalk::from_run(self.walk_plan(), run, given),
            attempt: attempt.clone(),
        })
    }

    /// An error after a run that the reference interpreter repeats, and whether it meets the error there itself.
    fn judged_fault(
        &self,
        diagnostic: &Diagnostic,
        run: &Run,
        asked: &[&Expr],
        is_wanted: bool,
    ) -> Result<(Fault, bool), String> {
        let end = End::Error {
            message: diagnostic.message.clone(),
            attempt: None,
        };
        let (mut trace, last) =
            repeat(&self.task.interpreter, run, None, end, is_wanted).map_err(|error| {
                format!(
                    "the trace to a run-time error ({}) does not replay: {error}",
                    diagnostic.message
                )
            })?;
        if diagnostic.code == Code::UNSUPPORTED {
            // What only the search cannot do is not an error of the model, and no run shows it.
            return Ok((Fault::without_run(diagnostic.clone()), false));
        }
        let wanted = match diagnostic.primary.span {
            Span::NONE => ExpectedError::NegativeClock,
            span => ExpectedError::At(span),
        };
        let mut fault = Fault {
            diagnostic: Box::new(diagnostic.clone()),
            trace: None,
            origin: Origin::Model,
        };
        let failure = self.task.interpreter.failure(&last, wanted, asked);
        let is_met = failure.is_some();
        if let Some(failure) = failure {
            let attempt = self.attempt(&failure);
            let readings = match attempt.values.is_empty() {
                true => String::new(),
                false => format!(", where {}", attempt.readings()),
            };
            let told = failure.error.to_diagnostic();
            *fault.diagnostic = told.label(format!("{}{readings}", attempt.place()));
            if attempt.label == "query" {
                fault.origin = Origin::Query;
            }
            if let Some(trace) = &mut trace {
                trace.end = End::Error {
                    message: fault.diagnostic.message.clone(),
                    attempt: Some(Box::new(attempt)),
                };
            }
        }
        fault.trace = trace.map(Box::new);
        Ok((fault, is_met))
    }

    /// Attempt that failed, in words.
    fn attempt(&self, failure: &GeneratedState) -> Attempt {
        let recorder = Recorder::new(&self.task.interpreter);
        let mut attempt = Attempt {
            label: String::new(),
            process: None,
            channel: recorder.channel(failure.channel),
            edges: failure
                .parts
                .iter()
                .map(|part| recorder.participant(part))
                .collect(),
            values: Vec::new(),
        };
        if let Error::Fault {
            fault,
            activity,
            process,
        } = &failure.error
        {
            attempt.label = activity.to_string();
            attempt.process = process.as_ref().map(ToString::to_string);
            for &(span, value) in fault.read.iter().flatten() {
                let written = self.task.interpreter.model().sources.slice(span);
                let name = written.split_whitespace().collect::<Vec<_>>().join(" ");
                let cell = Cell { name, value };
                if !attempt.values.contains(&cell) {
                    attempt.values.push(cell);
                }
            }
        }
        attempt
    }

    pub(crate) fn clock(&self, clock: ClockId) -> String {
        let clocks = &self.task.interpreter.system().clocks;
        clocks
            .get(clock.index())
            .map_or_else(|| "a clock".to_owned(), |clock| clock.name.to_string())
    }

    /// An error of the model, for a person.
    pub(crate) fn error_diagnostic(&self, error: &ModelError) -> Diagnostic {
        match error {
            ModelError::Trap(trap) => self.task.network.fault(*trap).to_diagnostic(),
            ModelError::Rate { clock, rate, span } => rate_fault(&self.clock(*clock), *rate, *span),
            ModelError::Exponential { process, location } => {
                let network = &self.task.network;
                let process = &network.processes[process.index()];
                let template = network.variants[process.variant as usize].template;
                let model = self.task.interpreter.model();
                let place = &model.templates[template.index()].locations[location.index()];
                let message = format!(
                    "the exponential rate of {}.{} is negative, infinite or no number",
                    process.name, place.name
                );
                Diagnostic::error("rate", place.span, message)
                    .help("a rate says how often the process moves in a unit of time; with a rate of 0 it never does")
            }
            ModelError::Weights { edge, is_negative } => {
                let network = &self.task.network;
                let instance = network.instance(*edge);
                let variant = network.processes[instance.process.index()].variant as usize;
                let template = network.variants[variant].template;
                let model = self.task.interpreter.model();
                let branch = &model.templates[template.index()].edges[network.edge(instance).id.index()];
                let message = if *is_negative {
                    "the weight of a branch is negative"
                } else {
                    "all branches of an edge have the weight 0"
                };
                Diagnostic::error("weights", branch.span, message)
                    .help("the probability of a branch is its weight divided by the sum of all: give weights of which none is negative and one is not 0")
            }
        }
    }

    /// Why successors cannot be computed, for a person.
    fn stop_diagnostic(&self, stop: &Stop) -> Diagnostic {
        match stop {
            Stop::Model(error) => self.error_diagnostic(error),
            Stop::Constant(number) => {
                let message = format!("a clock is compared with {number}, which is too large for zones");
                Diagnostic::error(Code::UNSUPPORTED, Span::NONE, message)
                    .help("use walks (--search ret), or choose a larger time unit")
            }
            Stop::TooManyTransitions => {
                let message = "a state has too many transitions to be put in the order of their priorities";
                Diagnostic::error(Code::UNSUPPORTED, Span::NONE, message)
                    .help("leave out the priorities, or let fewer edges receive the same broadcast")
            }
            Stop::Alarm => {
                let message = "a limit was reached while the successors of a state were computed";
                Diagnostic::error(Code::UNSUPPORTED, Span::NONE, message)
            }
            Stop::NegativeClock(clock) => {
                let message = format!("{} gets a negative value", self.clock(*clock));
                Diagnostic::error("negative-clock", Span::NONE, message)
            }
        }
    }

    /// Outcome where the initial invariants do not hold.
    pub(crate) fn no_initial_state(&self) -> Option<Outcome> {
        let error = self.task.interpreter.initial().err()?;
        Some(Outcome::Fault(Fault::without_run(error.to_diagnostic())))
    }

    pub(crate) fn no_zones(&self, stop: &Stop, by: Order) -> CheckerReport {
        let fault = Fault::without_run(self.stop_diagnostic(stop));
        CheckerReport::new(
            by.name(),
            Outcome::Fault(fault),
            Stats::default(),
            Times::default(),
        )
    }
}
