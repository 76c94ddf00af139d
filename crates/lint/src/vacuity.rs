//! Queries that hold for no good reason: `A[] p imply q` and `p --> q` where p never holds.

use crate::budget::{Budget, LintOptions};
use crate::check::Check;
use crate::expression::reachable;
use crate::report::{Extent, LintReport};
use crate::survey::Survey;
use zonewalk_checker::load::Loaded;
use zonewalk_checker::premise::{self, mentions_deadlock};
use zonewalk_checker::{Checker, Control, Outcome, Search, TraceKind};
use zonewalk_model::tree::{Query, QueryKind};
use zonewalk_network::{NetworkBuilder, Predicate};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Premise of a query.
pub(crate) struct Premise {
    /// Whether it ever holds.
    pub(crate) query: Query,
    /// Place of the premise in the query.
    span: Span,
    /// The query that it is part of.
    text: String,
    is_about_deadlock: bool,
}

/// The premises of all queries.
pub(crate) fn premises(loaded: &Loaded) -> Vec<Premise> {
    let mut found = Vec::new();
    for query in loaded
        .queries
        .iter()
        .filter_map(|query| query.typed.as_ref().ok())
    {
        for expr in premise::premises(query) {
            found.push(Premise {
                span: expr.span,
                text: query.text.clone(),
                is_about_deadlock: mentions_deadlock(&expr),
                query: reachable(expr, query.slots, query.span),
            });
        }
    }
    found
}

/// Compiles the premises that the survey can watch: those that need no finer zone graph.
pub(crate) fn watch(premises: &[Premise], builder: &mut NetworkBuilder<'_>) -> Vec<Option<Predicate>> {
    let mut predicate = |premise: &Premise| match &premise.query.kind {
        QueryKind::Reachable(expr) if !premise.is_about_deadlock => {
            builder.predicate(premise.query.slots, expr).ok()
        }
        _ => None,
    };
    premises.iter().map(&mut predicate).collect()
}

/// Checker, limits and options used to answer a vacuity question.
pub(crate) struct BoundedChecker<'a, 't, 'm> {
    pub(crate) checker: &'a Checker<'t, 'm>,
    pub(crate) budget: Budget,
    pub(crate) options: &'a LintOptions,
    pub(crate) control: &'a Control,
}

impl BoundedChecker<'_, '_, '_> {
    /// Whether no more questions are to be asked.
    pub(crate) fn is_over(&self) -> bool {
        self.budget.is_over() || self.control.is_interrupted()
    }

    /// Whether a state is reachable, by a search in a part of the time that is left; `None` when none is.
    pub(crate) fn ask(&self, query: usize, search: Search, part: f64) -> Option<Outcome> {
        if self.is_over() {
            return None;
        }
        let mut options = zonewalk_checker::Options {
            seed: self.options.seed,
            threads: self.options.threads,
            deadline: Some(self.budget.share(part).deadline()),
            ..zonewalk_checker::Options::new(search)
        }
        .trace(TraceKind::Some);
        options.zones.memory = self.options.memory;
        let report = self
            .checker
            .check(query, &options, self.control, &mut |_, _| ())?;
        Some(report.outcome)
    }
}

/// Tells which premises never hold. `first` is the number of the first one among the questions.
pub(crate) fn check(
    bounded: &BoundedChecker<'_, '_, '_>,
    (premises, first): (&[Premise], usize),
    survey: &Survey<'_>,
    report: &mut LintReport,
) {
    if !report.wants(Check::Queries) {
        return;
    }
    let mut open = 0;
    for (number, premise) in premises.iter().enumerate() {
        let is_vacuous = match &survey.premises[number] {
            (_, true) => Some(false),
            (Some(_), false) if survey.is_complete() => Some(true),
            _ => match bounded.ask(first + number, Search::Auto, 0.4) {
                Some(Outcome::Decided { satisfied, .. }) => Some(!satisfied),
                // What an approximation may reach is not vacuous for sure.
                Some(Outcome::Maybe { .. }) => Some(false),
                _ => None,
            },
        };
        match is_vacuous {
            Some(false) => {}
            None => open += 1,
            Some(true) => {
                let message = format!(
                    "the query holds trivially: its premise never does ({})",
                    premise.text
                );
                let found = Diagnostic::warning("vacuous-query", premise.span, message)
                    .help("what is to follow is never examined; correct the premise, or the model");
                report.find(Check::Queries, true, found);
            }
        }
    }
    if open > 0 {
        let why = format!(
            "{open} of {} premises undecided within the limits",
            premises.len()
        );
        report.extent(Check::Queries, Extent::CutShort(why));
    }
}
