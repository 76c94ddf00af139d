//! `E[]`, `A<>` and `-->`: a maximal run is looked for, and shown when there is one.

use crate::control::Control;
use crate::maximal::{Judged, confirm_maximal};
use crate::options::{Options, TraceWish};
use crate::outcome::{Outcome, Report, Stats, Times, Witness};
use crate::quest::bounds;
use crate::search::Search;
use crate::standing::Standing;
use crate::task::{Asked, Checker, State};
use crate::witness::ticks;
use crate::zones::reason;
use std::time::Instant;
use zonewalk_report::trace::End;
use zonewalk_search::Limits;
use zonewalk_symbolic::lasso::{self, Lasso, Question, search, times};
use zonewalk_symbolic::plan::Plan;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, solve};
use zonewalk_walk::trace::{Trace as Run, TraceStep};

/// A cycle is gone round so often in what is shown: once would not show that it can be repeated.
const ROUNDS: usize = 2;

impl Checker<'_, '_> {
    /// Decides a query about maximal runs; `None` for any other.
    pub(crate) fn check_liveness(
        &self,
        asked: &Asked<'_>,
        by: Search,
        options: &Options,
        control: &Control,
    ) -> Option<Report> {
        let network = &self.task.network;
        // A witness shows `E[]`, and shows the others to be wrong.
        let (question, shows, kept) = match asked {
            Asked::Run(state, true) => (Question::always(network, &state.predicate), true, (state, true)),
            Asked::Run(state, false) => {
                let question = Question::inevitable(network, &state.predicate);
                (question, false, (state, false))
            }
            Asked::LeadsTo(from, to) => {
                let question = Question::leads_to(network, &from.predicate, &to.predicate);
                (question, false, (to, false))
            }
            _ => return None,
        };
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return Some(self.no_zones(stop, by)),
        };
        let start = Instant::now();
        let ask = control.stop_rule(by, options);
        let found = search(
            plan,
            &question,
            &lasso::Options {
                non_zeno: options.zones.non_zeno,
                limits: Limits {
                    stop: Some(&ask),
                    ..bounds(&options.zones, by)
                },
            },
        );
        let mut times = Times {
            search: start.elapsed(),
            ..Times::default()
        };
        let mut stats = Stats::default();
        let outcome = match found {
            Err(fault) => self.fault_behind(plan, &fault.path, &fault.stop, options),
            Ok(verdict) => {
                stats.count(&verdict.statistics);
                match (verdict.witness, verdict.limit) {
                    (Some(lasso), _) => {
                        let start = Instant::now();
                        let judged = judged(kept, lasso.trigger);
                        let outcome = self.show_lasso(plan, &question, &lasso, shows, &judged, options);
                        times.replay = start.elapsed();
                        outcome
                    }
                    (None, Some(limit)) => Outcome::Undecided(reason(limit, stats, control)),
                    (None, None) => self.no_initial_state().unwrap_or(Outcome::Decided {
                        satisfied: !shows,
                        witness: None,
                    }),
                }
            }
        };
        Some(Report {
            others: Vec::new(),
            outcome,
            search: by.name(),
            stats,
            times,
        })
    }

    /// A maximal run with exact times, judged by the reference interpreter.
    fn show_lasso(
        &self,
        plan: &Plan<'_>,
        question: &Question,
        lasso: &Lasso,
        shows: bool,
        judged: &Judged<'_>,
        options: &Options,
    ) -> Outcome {
        let maybe = Outcome::Maybe { satisfied: shows };
        let conditions = match times(plan, question, lasso, ROUNDS) {
            Ok(Some(conditions)) => conditions,
            _ if plan.is_approximate() => return maybe,
            Ok(None) => return Outcome::Bug("a maximal run of the zone graph has no times".to_owned()),
            Err(stop) => return Outcome::Bug(format!("repeating a maximal run fails: {stop:?}")),
        };
        let Ok(solution) = solve(&conditions.path, Objective::Simple, DEFAULT_BUDGET) else {
            if plan.is_approximate() {
                return maybe;
            }
            return Outcome::Bug("the conditions of a maximal run have no solution".to_owned());
        };
        let delays = conditions.delays(&solution.schedule);
        let rounds = std::iter::repeat_n(&lasso.cycle, ROUNDS).flatten();
        let steps: Vec<TraceStep> = lasso
            .prefix
            .iter()
            .chain(rounds)
            .zip(&delays)
            .map(|(t, &delay)| TraceStep::new(plan.network, delay, &t.parts, &t.selects))
            .collect();
        let run = Run {
            unit: solution.schedule.unit,
            last_delay: delays.get(steps.len()).copied().unwrap_or(0),
            steps,
        };
        let end = match lasso.end {
            lasso::End::Cycle => End::Cycle {
                start: lasso.prefix.len(),
                length: lasso.cycle.len(),
            },
            lasso::End::Endless => End::Endless,
            lasso::End::DeadEnd => End::Deadlock { time_stops: true },
        };
        let is_wanted = options.trace != TraceWish::None;
        match confirm_maximal(&self.task.interpreter, &run, judged, &end, is_wanted) {
            Ok(trace) => Outcome::Decided {
                satisfied: shows,
                witness: Some(Box::new(Witness {
                    steps: run.steps.len(),
                    duration: ticks(run.duration(), run.unit),
                    found_steps: run.steps.len(),
                    found_duration: ticks(run.duration(), run.unit),
                    walk: 0,
                    standing: Standing::open(options.trace, "depth first does not compare runs"),
                    trace,
                })),
            },
            Err(_) if plan.is_approximate() => maybe,
            Err(error) => Outcome::Bug(format!("the maximal run that was found does not replay: {error}")),
        }
    }
}

/// What must hold on a maximal run, for the judge.
fn judged<'a>((state, always): (&'a State<'_>, bool), from: Option<usize>) -> Judged<'a> {
    Judged {
        expr: state.expr,
        always,
        from,
    }
}
