//! Statistical queries on models that exact time does not reach: runs in doubles.

use super::runs::{Runs, Sample};
use super::{StatisticalRequest, outcome, reach, report, watch};
use crate::control::Control;
use crate::judge::doubles::recorded;
use crate::options::{Options, TraceKind};
use crate::outcome::{CheckerReport, Fault, Outcome, Stats};
use crate::statistical_query::{Form, PathFormula, StatisticalQuestion};
use std::time::Instant;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, ExprKind, Model, Query, QueryKind};
use zonewalk_model::types::{Condition, Type};
use zonewalk_reference::doubles::DoubleRun;
use zonewalk_sampling::ConditionId;
use zonewalk_statistics::splitting;
use zonewalk_stochastic::{Options as RunOptions, Runner, StochasticPlan};
use zonewalk_syntax::diagnostic::Diagnostic;

/// Answers a statistical query on a model that need not be one for searches, and looks for what `E<>` and `A[]` ask for by random
/// runs; `None` for other queries. `number` is that of the query among those that are asked.
pub fn check_in_doubles(
    (model, system): (&Model, &System),
    query: &Query,
    number: usize,
    options: &Options,
    control: &Control,
) -> Option<CheckerReport> {
    let start = Instant::now();
    let QueryKind::Statistical(statistical) = &query.kind else {
        let mut stats = Stats::default();
        let outcome = reach::look((model, system), query, options, control, &mut stats)?;
        return Some(CheckerReport {
            note: Some(reach::NO_PROOF),
            ..report(outcome, stats, start)
        });
    };
    let question = StatisticalQuestion::new(statistical, query.levels.as_ref());
    let request = StatisticalRequest {
        number,
        recorded: &query.options,
        options,
        control,
    };
    let mut stats = Stats::default();
    let outcome = sample((model, system), &question, &request, &mut stats);
    Some(report(outcome, stats, start))
}

/// Makes runs of a question in doubles.
pub(super) fn sample(
    (model, system): (&Model, &System),
    question: &StatisticalQuestion<'_>,
    request: &StatisticalRequest<'_>,
    stats: &mut Stats,
) -> Outcome {
    let conditions: Vec<Expr> = question.conditions.iter().map(looked_for).collect();
    let conditions: Vec<&Expr> = conditions.iter().collect();
    let run_options = run_options(request);
    let plan = match StochasticPlan::new(model, system, &conditions, &question.expressions, run_options) {
        Ok(plan) => plan,
        Err(found) => {
            let message = format!("statistical queries do not support {}", found.construct);
            let diagnostic = Diagnostic::error("unsupported", found.span, message);
            return Outcome::Fault(Fault::without_run(diagnostic));
        }
    };
    let is_late = || request.options.is_late();
    let runs: Runs<'_> = request.runs(question.conditions.len(), &is_late);
    let is_wanted = request.options.trace.kind != TraceKind::None;
    outcome(
        runs.answer(&question.form, &|| Ok(Runner::new(&plan))),
        stats,
        |sample| {
            if !is_wanted {
                return Ok(None);
            }
            let made = again(&mut Runner::new(&plan), question, (&runs, sample));
            let Some((mut run, goal)) = made else {
                return Ok(None);
            };
            run.end = sample.instant;
            reach::witness((model, system), &run, conditions[goal.0], sample.number)
        },
    )
}

/// Makes a run again and keeps it, with the condition that it reaches. `None` where none is looked for, or the run is too long to be
/// of interest.
fn again(
    runner: &mut Runner<'_>,
    question: &StatisticalQuestion<'_>,
    (runs, sample): (&Runs<'_>, &Sample),
) -> Option<(DoubleRun, ConditionId)> {
    let number = (runs.seed, sample.number);
    let (record, (goal, instant)) = match (&question.form, &sample.way) {
        (Form::Splitting { side, goal, levels }, Some(way)) => {
            let of = runs.split(side, *goal, levels);
            runner.recording(|runner| {
                let made = splitting::again(runner, number, &of, way);
                (*goal, made.ok().flatten())
            })
        }
        (Form::Probability(side) | Form::Test { side, .. }, _) => {
            let PathFormula::Reach(goal) = side.formula else {
                return None;
            };
            runner.recording(|runner| {
                let made = watch::alone(runner, number, side, question.conditions.len());
                (goal, made.and_then(|made| made.instant))
            })
        }
        _ => return None,
    };
    let is_same = instant == Some(sample.instant);
    (is_same && record.steps.len() <= LONG).then(|| (recorded(&record), goal))
}

/// Transitions of a run that is shown, at most: the interpreter is slow.
const LONG: usize = 10_000;

/// A condition whose truth is looked for.
fn looked_for(&(condition, truth): &(&Expr, bool)) -> Expr {
    if truth {
        return condition.clone();
    }
    Expr {
        span: condition.span,
        ty: Type::Condition(Condition::Constraint),
        kind: ExprKind::Not(Box::new(condition.clone())),
    }
}

fn run_options(request: &StatisticalRequest<'_>) -> RunOptions {
    let default = RunOptions::default();
    let parameters = request.parameters();
    RunOptions {
        max_steps: request
            .options
            .walks
            .max_steps
            .map_or(default.max_steps, |steps| u64::from(u32::from(steps))),
        discretization: parameters.discretization,
        truncation_error: parameters.truncation_error,
        truncation_time_error: parameters.truncation_time_error,
        ..default
    }
}
