//! Statistical queries on models that exact time does not reach: runs in doubles.

use super::parameters::StatisticsOptions;
use super::question::Question;
use super::runs::Runs;
use super::{Asking, outcome, reach, report};
use crate::control::Control;
use crate::options::Options;
use crate::outcome::{Fault, Outcome, Report, Stats};
use std::time::Instant;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, ExprKind, Model, Query, QueryKind};
use zonewalk_model::types::{Condition, Type};
use zonewalk_stochastic::{Options as RunOptions, Plan, Runner};
use zonewalk_syntax::diagnostic::Diagnostic;

/// Answers a statistical query on a model that need not be one for searches, and looks for what `E<>` and `A[]` ask for by random
/// runs; `None` for other queries. `number` is that of the query among those that are asked.
pub fn check_in_doubles(
    (model, system): (&Model, &System),
    query: &Query,
    number: usize,
    options: &Options,
    control: &Control,
) -> Option<Report> {
    let start = Instant::now();
    let QueryKind::Statistical(statistical) = &query.kind else {
        let mut stats = Stats::default();
        let outcome = reach::look((model, system), query, options, control, &mut stats)?;
        return Some(Report {
            note: Some(reach::NO_PROOF),
            ..report(outcome, stats, start)
        });
    };
    let question = Question::new(statistical);
    let asking = Asking {
        number,
        recorded: &query.options,
        options,
        control,
    };
    let mut stats = Stats::default();
    let outcome = sample((model, system), &question, &asking, &mut stats);
    Some(report(outcome, stats, start))
}

/// Makes runs of a question in doubles.
pub(super) fn sample(
    (model, system): (&Model, &System),
    question: &Question<'_>,
    asking: &Asking<'_>,
    stats: &mut Stats,
) -> Outcome {
    let conditions: Vec<Expr> = question.conditions.iter().map(looked_for).collect();
    let conditions: Vec<&Expr> = conditions.iter().collect();
    let run_options = run_options(asking.options, &asking.options.statistics);
    let plan = match Plan::new(model, system, &conditions, &question.expressions, run_options) {
        Ok(plan) => plan,
        Err(found) => {
            let message = format!("statistical queries do not support {}", found.construct);
            let diagnostic = Diagnostic::error("unsupported", found.span, message);
            return Outcome::Fault(Fault::without_run(diagnostic));
        }
    };
    let is_late = || asking.options.is_late();
    let runs: Runs<'_> = asking.runs(question.conditions.len(), &is_late);
    outcome(
        runs.answer(&question.form, &|| Ok(Runner::new(&plan))),
        stats,
        |_| Ok(None),
    )
}

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

fn run_options(options: &Options, statistics: &StatisticsOptions) -> RunOptions {
    let default = RunOptions::default();
    RunOptions {
        max_steps: options
            .walks
            .max_steps
            .map_or(default.max_steps, |steps| u64::from(u32::from(steps))),
        discretization: statistics.discretization.unwrap_or(default.discretization),
        truncation_error: statistics.truncation_error.unwrap_or(default.truncation_error),
        ..default
    }
}
