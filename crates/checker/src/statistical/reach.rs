//! `E<>` and `A[]` on models that exact time does not reach: random runs in doubles look for a state, and prove nothing.

use crate::control::Control;
use crate::judge::doubles::{recorded, trace_of};
use crate::options::Options;
use crate::outcome::{Evidence, Fault, Limit, Outcome, Stats, Witness};
use std::ops::ControlFlow;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, ExprKind, Model, Query, QueryKind};
use zonewalk_model::types::{Condition, Type};
use zonewalk_reference::doubles::{holds, judge};
use zonewalk_report::trace::{End, Time};
use zonewalk_sampling::{Bound, ConditionId, Ended, Monitor, Piece, RunError, Sampler};
use zonewalk_stochastic::{Options as RunOptions, Runner, StochasticPlan};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

/// Runs without any other limit.
const RUNS: u64 = 100_000;

/// Transitions of the first runs; of later ones there may be more.
const STEPS: u64 = 1 << 10;

/// Runs until twice as many transitions are allowed.
const GROWTH: u64 = 64;

/// Note of an answer without a proof.
pub(super) const NO_PROOF: &str = "only random runs in doubles support the model; `zonewalk info` shows which part of it rules out searches and proofs";

/// Looks for a state by random runs; `None` for a query that asks for no state.
pub(super) fn look(
    (model, system): (&Model, &System),
    query: &Query,
    options: &Options,
    control: &Control,
    stats: &mut Stats,
) -> Option<Outcome> {
    let (goal, satisfied) = match &query.kind {
        QueryKind::Reachable(p) => (p.clone(), true),
        QueryKind::Invariant(p) => (negated(p), false),
        _ => return None,
    };
    let plan = match StochasticPlan::new(model, system, &[&goal], &[], RunOptions::default()) {
        Ok(plan) => plan,
        Err(found) => {
            let message = format!("random runs do not support {}", found.construct);
            let diagnostic = Diagnostic::error(Code::UNSUPPORTED, found.span, message);
            return Some(Outcome::Fault(Fault::without_run(diagnostic)));
        }
    };
    let mut runner = Runner::new(&plan);
    let mut fault = None;
    for run in 0..options.walks.max_walks.unwrap_or(RUNS) {
        let bound = bound(options, run);
        let mut monitor = ReachMonitor::new(options, control);
        let ended = runner.run(options.seed, run, &bound, &mut monitor);
        stats.walks += 1;
        stats.steps += monitor.steps;
        stats.max_depth = stats.max_depth.max(monitor.steps);
        if let Some(at) = monitor.found {
            let (record, _) = runner.record(
                options.seed,
                run,
                &bound,
                &mut ReachMonitor::new(options, control),
            );
            let mut found = recorded(&record);
            found.end = at;
            return Some(confirmed((model, system), &found, &goal, satisfied, run));
        }
        if monitor.is_stopped {
            let limit = if control.is_interrupted() {
                Limit::Cancelled
            } else {
                Limit::Time
            };
            return Some(Outcome::undecided(limit, *stats, options));
        }
        match ended {
            Ok(Ended::Decided | Ended::Bound | Ended::Deadlock | Ended::StepLimit) => {}
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    Some(match fault {
        Some(error) => {
            let diagnostic = Diagnostic::error("run-time", error.span, error.to_string());
            Outcome::Fault(Fault::without_run(diagnostic))
        }
        None => Outcome::undecided(Limit::Walks, *stats, options),
    })
}

fn negated(p: &Expr) -> Expr {
    Expr {
        span: p.span,
        ty: Type::Condition(Condition::Constraint),
        kind: ExprKind::Not(Box::new(p.clone())),
    }
}

fn bound(options: &Options, run: u64) -> Bound {
    match (options.walks.time_bound, options.walks.max_steps) {
        (Some(time), _) => Bound::Time(time as f64),
        (None, Some(steps)) => Bound::Steps(u32::from(steps).into()),
        (None, None) => Bound::Steps(STEPS << (run / GROWTH).min(10)),
    }
}

/// The answer, with the run that shows it, once the reference interpreter has computed that again.
fn confirmed(
    (model, system): (&Model, &System),
    run: &zonewalk_reference::doubles::DoubleRun,
    goal: &Expr,
    satisfied: bool,
    number: u64,
) -> Outcome {
    match witness((model, system), run, goal, number) {
        Ok(Some(witness)) => Outcome::Decided {
            satisfied,
            evidence: Evidence::RoundedRun(witness),
        },
        Ok(None) => Outcome::Bug(format!("the end of run {number} is not confirmed")),
        Err(bug) => Outcome::Bug(bug),
    }
}

/// The run with a number, once the reference interpreter has computed it again; `None` if its end does not show the goal, which a
/// rounding error may be the reason for.
///
/// # Errors
/// The objection of the interpreter.
pub(super) fn witness(
    (model, system): (&Model, &System),
    run: &zonewalk_reference::doubles::DoubleRun,
    goal: &Expr,
    number: u64,
) -> Result<Option<Box<Witness>>, String> {
    let states = judge(model, system, run)
        .map_err(|objection| format!("run {number} is not confirmed: {objection}"))?;
    let shows = states.last().map(|last| holds(model, system, last, goal));
    if shows != Some(Ok(true)) {
        return Ok(None);
    }
    let duration = Time::double(run.end);
    Ok(Some(Box::new(Witness {
        steps: run.steps.len(),
        duration,
        found_steps: run.steps.len(),
        found_duration: duration,
        walk: number,
        optimality: Default::default(),
        failing: None,
        trace: Some(trace_of((model, system), run, &states, End::Goal)),
    })))
}

/// Looks for the goal in each piece.
struct ReachMonitor<'a> {
    options: &'a Options,
    control: &'a Control,
    windows: Vec<(f64, f64)>,
    found: Option<f64>,
    steps: u64,
    is_stopped: bool,
}

impl<'a> ReachMonitor<'a> {
    fn new(options: &'a Options, control: &'a Control) -> ReachMonitor<'a> {
        ReachMonitor {
            options,
            control,
            windows: Vec::new(),
            found: None,
            steps: 0,
            is_stopped: false,
        }
    }
}

impl Monitor for ReachMonitor<'_> {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.steps = piece.steps();
        // The clock of the machine is not asked for at every step.
        if self.steps.is_multiple_of(256) && (self.control.is_interrupted() || self.options.is_late()) {
            self.is_stopped = true;
            return Ok(ControlFlow::Break(()));
        }
        self.windows.clear();
        piece.holds(ConditionId(0), &mut self.windows)?;
        self.found = self.windows.first().map(|(from, _)| *from);
        Ok(match self.found {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        })
    }
}
