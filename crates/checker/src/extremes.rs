//! `sup`, `inf` and `bounds`.
//!
//! A search of the zone graph gives all values. Where clocks can be stopped it gives more than there are, and runs that
//! attain the values make the answer a certain one, or say how far it is open ([`attain`]).

mod attain;
mod known_values;
mod subgoal;
mod value_set;
mod values_of_path;

use crate::certify::of_values;
use crate::control::Control;
use crate::judge::replay::written;
use crate::options::{Options, TraceKind};
use crate::order::Order;
use crate::outcome::Overview;
use crate::outcome::proof::{Evident, Gathered};
use crate::outcome::{CheckerReport, Count as _, Doubt, Effort, Limit, Outcome, Stats, Times};
use crate::task::{Checker, CompiledQuery, StatePredicate};
use crate::trace::allowance::effort_of;
use crate::trace::fault::expressions;
use crate::zones::search::bounds;
use attain::{Attempt, Budget};
use known_values::KnownValues;
use std::time::Instant;
use value_set::ValueSet;
use zonewalk_model::tree::{Expr, Extremum};
use zonewalk_network::Measure;
use zonewalk_report::verdict::Quantity;
use zonewalk_search::Limits;
use zonewalk_symbolic::extremes::{Extent, RequestedValues, clock_of, extremes};

/// Steps of walks for each state that was explored: about as much work again.
const STEPS_PER_STATE: u64 = 16;
/// Steps and states that are always worth a try: some tenths of a second.
const LEAST_STEPS: u64 = 1 << 17;
const LEAST_STATES: u64 = 1 << 12;
/// Budget of a run that only illustrates a value which is known anyway.
const ILLUSTRATION: Budget = Budget {
    steps: 1 << 13,
    states: 1 << 14,
};

/// A query, taken apart.
struct Question<'a, 'm> {
    quantity: Quantity,
    condition: Option<&'a StatePredicate<'m>>,
    measures: &'a [Measure],
    exprs: &'m [Expr],
    slots: usize,
}

/// Result of the runs.
struct RunsResult {
    outcome: Outcome,
    /// Effort that they took.
    effort: Stats,
}

impl<'m> Checker<'_, 'm> {
    /// Finds the extremes that a query asks for; `None` for any other.
    pub(crate) fn check_extremes(
        &self,
        asked: &CompiledQuery<'m>,
        by: Order,
        options: &Options,
        control: &Control,
    ) -> Option<CheckerReport> {
        let CompiledQuery::Extremes {
            kind,
            condition,
            measures,
            exprs,
            slots,
        } = asked
        else {
            return None;
        };
        let plan = match self.zone_plan() {
            Ok(plan) => plan,
            Err(stop) => return Some(self.no_zones(stop, by)),
        };
        let (quantity, wish) = match kind {
            Extremum::Sup => (Quantity::Sup, RequestedValues::Highest),
            Extremum::Inf => (Quantity::Inf, RequestedValues::Lowest),
            Extremum::Bounds => (Quantity::Bounds, RequestedValues::All),
        };
        let question = Question {
            quantity,
            condition: condition.as_ref(),
            measures,
            exprs,
            slots: *slots,
        };
        let start = Instant::now();
        let ask = control.stop_rule(by, options);
        let alarm = control.alarm(options.deadline);
        let limits = Limits {
            stop: Some(&ask),
            alarm: Some(&alarm),
            ..bounds(&options.zones, by)
        };
        let predicate = condition.as_ref().map(|state| &state.predicate);
        let most = options
            .proofs
            .most_nodes(self.task.interpreter.system().clocks.len());
        let found = extremes(plan, predicate, measures, wish, &limits, most);
        let mut times = Times::of_search(start);
        let mut stats = Stats::default();
        let mut others = Vec::new();
        let (mut overview, mut evident) = (None, None);
        let outcome = match found {
            Err(fault) => {
                let asked = expressions(asked);
                match self.fault_behind(plan, &fault, &asked, (options, effort_of(&stats))) {
                    Ok(Some(fault)) => Outcome::Fault(fault),
                    // Only the approximation fails, as far as is known, and it cannot go on.
                    Ok(None) => Outcome::undecided(Limit::Incomplete, stats, options),
                    Err(error) => Outcome::Bug(error),
                }
            }
            Ok((found, stored)) => {
                stats.count(&found.statistics);
                match found.limit {
                    Some(limit) => Outcome::undecided(Limit::of_states(limit, control), stats, options),
                    None => self.no_initial_state().unwrap_or_else(|| {
                        overview = Some(Overview::of_taken(found.taken));
                        evident = of_values(&found.extents, wish).map(|claim| Evident {
                            claim,
                            states: match stored {
                                Some(stored) => self.gather(Some(stored), options),
                                None => Some(Gathered::TooMany(stats.states_stored as usize)),
                            },
                        });
                        let answered = self.attain(&question, &found.extents, &stats, (options, control));
                        if answered.effort.walks + answered.effort.states_explored > 0 {
                            others.push(Effort {
                                search: RUNS,
                                stats: answered.effort,
                            });
                        }
                        times.replay = start.elapsed() - times.search;
                        answered.outcome
                    }),
                }
            }
        };
        for other in &others {
            stats.join(&other.stats);
        }
        Some(CheckerReport {
            overview,
            evident,
            others,
            ..CheckerReport::new(by.name(), outcome, stats, times)
        })
    }

    /// Looks for runs that attain the values.
    fn attain(
        &self,
        question: &Question<'_, 'm>,
        extents: &[Extent],
        done: &Stats,
        (options, control): (&Options, &Control),
    ) -> RunsResult {
        let is_approximate = self.is_approximate();
        let count = extents.len().max(1) as u64;
        let budget = Budget {
            steps: (done.states_explored * STEPS_PER_STATE).max(LEAST_STEPS) / count,
            states: done.states_explored.max(LEAST_STATES) / count,
        };
        let mut answered = RunsResult {
            outcome: Outcome::Bug("no expression".to_owned()),
            effort: Stats::default(),
        };
        let (mut values, mut doubt, mut witness) = (Vec::new(), None, None);
        for ((expr, measure), extent) in question.exprs.iter().zip(question.measures).zip(extents) {
            let is_integer = matches!(measure, Measure::Integer { .. });
            let known = KnownValues {
                quantity: question.quantity,
                is_integer,
                bound: ValueSet::of_extent(extent, is_integer),
                reached: ValueSet::default(),
            };
            let text = written(&self.task.interpreter, expr);
            let mut attempt = Attempt::new(
                self,
                (question.condition, expr, question.slots),
                clock_of(&self.task.network, measure),
                (options, control),
                known,
                if is_approximate { budget } else { ILLUSTRATION },
            );
            if is_approximate || !extent.is_certain {
                attempt.run();
            } else if witness.is_none() && options.trace.kind != TraceKind::None {
                attempt.illustrate();
            }
            answered.effort.join(&attempt.stats);
            let is_certain = attempt.known.is_exact() || extent.is_certain && !is_approximate;
            if !is_certain && doubt.is_none() {
                doubt = Some(match is_approximate {
                    true => Doubt::Approximate(self.better(question, &text, &attempt.known)),
                    false => Doubt::Unsettled,
                });
            }
            let run = if witness.is_none() {
                attempt.witness(&text, done)
            } else {
                None
            };
            let is_shown = run.as_ref().is_some_and(|run| run.trace.is_some());
            witness = witness.or(run);
            values.push(attempt.known.to_value(text, is_certain, is_shown));
        }
        answered.outcome = Outcome::Values {
            values,
            doubt,
            witness: witness.map(Box::new),
        };
        answered
    }

    /// A query about runs that do better than those which are known.
    fn better(&self, question: &Question<'_, 'm>, expression: &str, known: &KnownValues) -> String {
        let condition = question.condition.map(|state| {
            let text = written(&self.task.interpreter, state.expr);
            let is_plain = text.chars().all(|c| c.is_alphanumeric() || "_.()[]".contains(c));
            if is_plain { text } else { format!("({text})") }
        });
        let compare = |op: &str, (number, is_strict): (i32, bool)| {
            format!("{expression} {op}{} {number}", if is_strict { "" } else { "=" })
        };
        let range = known.missing().first().copied().unwrap_or_default();
        let low = range.low.map(|low| compare(">", low));
        let high = range.high.map(|high| compare("<", high));
        let parts: Vec<_> = condition.into_iter().chain(low).chain(high).collect();
        format!("E<> {}", parts.join(" && "))
    }
}

/// Name of the search for runs.
const RUNS: &str = "runs";
