//! `E[]`, `A<>` and `-->`: a maximal run is looked for, and shown when there is one.

use crate::control::Control;
use crate::form::follows;
use crate::judge::maximal::{MaximalRun, confirm_maximal};
use crate::options::{Options, TraceKind};
use crate::order::Order;
use crate::outcome::Overview;
use crate::outcome::optimality::{APPROXIMATE, Optimality};
use crate::outcome::ticks;
use crate::outcome::{CheckerReport, Claim, Count as _, Limit, Outcome, Stats, Times, Witness};
use crate::task::{Checker, CompiledQuery};
use crate::trace::allowance::effort_of;
use crate::trace::fault::expressions;
use crate::zones::search::bounds;
use std::time::Instant;
use zonewalk_report::trace::End;
use zonewalk_run::{Run, Step};
use zonewalk_search::Limits;
use zonewalk_symbolic::lasso::{self, Lasso, LassoQuestion, search, times};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, solve};

/// Rounds of a cycle that are shown: one would not show that it can be repeated.
const ROUNDS: usize = 2;

/// Times are found for more rounds where the first ones do not yet show that there are always more, but not for more
/// transitions than this.
const TIMED: usize = 20_000;

impl Checker<'_, '_> {
    /// Decides a query about maximal runs; `None` for any other.
    pub(crate) fn check_liveness(
        &self,
        asked: &CompiledQuery<'_>,
        by: Order,
        options: &Options,
        control: &Control,
    ) -> Option<CheckerReport> {
        let question = self.lasso_question(asked)?;
        // A witness shows `E[]`, and shows the others to be wrong.
        let (shows, kept) = match asked {
            CompiledQuery::Run(goal) => (goal.wanted, goal.expr),
            CompiledQuery::LeadsTo(_, to) => (false, to.expr),
            _ => return None,
        };
        if let CompiledQuery::LeadsTo(from, to) = asked
            && follows(from.expr, to.expr)
        {
            let outcome = self
                .no_initial_state()
                .unwrap_or_else(|| Outcome::by_exhaustion(true));
            return Some(CheckerReport::new(
                by.name(),
                outcome,
                Stats::default(),
                Times::default(),
            ));
        }
        let plan = match self.zone_plan() {
            Ok(plan) => plan,
            Err(stop) => return Some(self.no_zones(stop, by)),
        };
        let start = Instant::now();
        let ask = control.stop_rule(by, options);
        let wanted = lasso::LassoOptions {
            non_zeno: options.zones.non_zeno,
            limits: Limits {
                stop: Some(&ask),
                ..bounds(&options.zones, by)
            },
        };
        let found = search(plan, &question, &wanted);
        let mut times = Times::of_search(start);
        let mut stats = Stats::default();
        stats.count(&found.statistics);
        let outcome = match (found.witness, found.limit) {
            (Some(lasso), _) => {
                let start = Instant::now();
                let shown = shorter(plan, &question, lasso, &wanted, options.trace.kind);
                if options.trace.kind == TraceKind::Shortest {
                    times.improve = start.elapsed();
                }
                let start = Instant::now();
                let judged = MaximalRun {
                    expr: kept,
                    always: shows,
                    from: shown.lasso.trigger,
                };
                let outcome = self.show_lasso(plan, &question, shown, shows, &judged, options);
                times.replay = start.elapsed();
                outcome
            }
            (None, Some(limit)) => Outcome::undecided(Limit::of_states(limit, control), stats, options),
            // Something may lie behind an error that no run leads to.
            (None, None) if found.fault.is_some() && plan.is_approximate() => {
                Outcome::undecided(Limit::Incomplete, stats, options)
            }
            (None, None) => self
                .no_initial_state()
                .unwrap_or_else(|| Outcome::by_exhaustion(!shows)),
        };
        let fault = found.fault.map_or(Ok(None), |fault| {
            self.fault_behind(plan, &fault, &expressions(asked), (options, effort_of(&stats)))
        });
        let report = CheckerReport {
            overview: found.overview.map(Overview::from),
            ..CheckerReport::new(by.name(), outcome, stats, times)
        };
        Some(report.with_fault(fault))
    }

    /// The maximal runs that a query asks about; `None` for a query about something else.
    pub(crate) fn lasso_question(&self, asked: &CompiledQuery<'_>) -> Option<LassoQuestion> {
        let network = &self.task.network;
        Some(match asked {
            CompiledQuery::Run(goal) if goal.wanted => LassoQuestion::always(network, &goal.predicate),
            CompiledQuery::Run(goal) => LassoQuestion::inevitable(network, &goal.predicate),
            CompiledQuery::LeadsTo(from, to) => {
                LassoQuestion::leads_to(network, &from.predicate, &to.predicate)
            }
            _ => return None,
        })
    }

    /// A maximal run with exact times, judged by the reference interpreter.
    fn show_lasso(
        &self,
        plan: &ZonePlan<'_>,
        question: &LassoQuestion,
        found: ShownLasso,
        shows: bool,
        judged: &MaximalRun<'_>,
        options: &Options,
    ) -> Outcome {
        let maybe = Outcome::Maybe {
            satisfied: shows,
            claim: Claim::Run,
        };
        let run = match timed(plan, question, &found.lasso) {
            Ok(run) => run,
            Err(_) if plan.is_approximate() => return maybe,
            Err(error) => return Outcome::Bug(error),
        };
        let first = found.first.and_then(|first| timed(plan, question, &first).ok());
        let first = first.as_ref().unwrap_or(&run);
        let end = match found.lasso.end {
            lasso::LassoEnd::Cycle => End::Cycle {
                start: found.lasso.prefix.len(),
                length: found.lasso.cycle.len(),
            },
            lasso::LassoEnd::Endless => End::Endless,
            lasso::LassoEnd::Deadlock => End::Deadlock { time_stops: true },
        };
        let is_wanted = options.trace.kind != TraceKind::None;
        match confirm_maximal(&self.task.interpreter, &run, judged, &end, is_wanted) {
            Ok(trace) => {
                let witness = Witness {
                    found_steps: first.steps.len(),
                    found_duration: ticks(first.duration(), first.unit),
                    optimality: found.optimality,
                    ..Witness::new(&run, trace)
                };
                Outcome::by_run(shows, witness)
            }
            Err(_) if plan.is_approximate() => maybe,
            Err(error) => Outcome::Bug(format!("the maximal run that was found does not replay: {error}")),
        }
    }
}

/// The transitions of a maximal run, with two rounds of its cycle, at simple times.
fn timed(plan: &ZonePlan<'_>, question: &LassoQuestion, lasso: &Lasso) -> Result<Run, String> {
    let rounds = match lasso.cycle.len() {
        0 => 0,
        length => ROUNDS.max(lasso.rounds().min(TIMED / length)),
    };
    let conditions = match times(plan, question, lasso, rounds) {
        Ok(Some(conditions)) => conditions,
        Ok(None) => return Err("a maximal run of the zone graph has no times".to_owned()),
        Err(stop) => return Err(format!("repeating a maximal run fails: {stop:?}")),
    };
    let solution = solve(&conditions.path, Objective::Simple, DEFAULT_BUDGET)
        .map_err(|_| "the conditions of a maximal run have no solution".to_owned())?;
    let delays = conditions.delays(&solution.schedule);
    let shown = std::iter::repeat_n(&lasso.cycle, ROUNDS).flatten();
    let steps: Vec<Step> = lasso
        .prefix
        .iter()
        .chain(shown)
        .zip(&delays)
        .map(|(t, &delay)| plan.network.step(delay, &t.parts, &t.selects))
        .collect();
    // Behind the rounds that are shown there may be more, which begin with delays of their own.
    let last_delay = if rounds > ROUNDS {
        0
    } else {
        delays.get(steps.len()).copied().unwrap_or(0)
    };
    Ok(Run {
        unit: solution.schedule.unit,
        last_delay,
        steps,
    })
}

/// A maximal run to show.
struct ShownLasso {
    lasso: Lasso,
    optimality: Optimality,
    /// The one that was found first, where that is another one.
    first: Option<Lasso>,
}

/// A shorter run than the given one where a shortest one is asked for, as far as the limits allow it.
fn shorter(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    known: Lasso,
    wanted: &lasso::LassoOptions<'_>,
    wish: TraceKind,
) -> ShownLasso {
    let why = match wish {
        TraceKind::Fastest => Some("infinite runs are not compared by time"),
        TraceKind::Shortest if plan.is_approximate() => Some(APPROXIMATE),
        TraceKind::Shortest => None,
        TraceKind::None | TraceKind::Some | TraceKind::Short => Some(""),
    };
    if let Some(why) = why {
        return ShownLasso {
            lasso: known,
            optimality: Optimality::open(wish, why),
            first: None,
        };
    }
    let found = lasso::shortest(plan, question, wanted, &known);
    let optimality = match found.unproved {
        None => Optimality::Shortest,
        Some(unproved) => Optimality::UnprovenShortest(unproved.to_string()),
    };
    let (lasso, first) = match found.better {
        Some(better) => (better, Some(known)),
        None => (known, None),
    };
    ShownLasso {
        lasso,
        optimality,
        first,
    }
}
