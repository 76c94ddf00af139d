//! Paths of the zone graph become runs: times, the best of them, shrinking, and the judgement of the reference interpreter.

use crate::judge::confirm::{confirm, failing_at_the_end};
use crate::options::{Options, TraceKind};
use crate::order::Order;
use crate::outcome::optimality::{FAILS, Optimality};
use crate::outcome::ticks;
use crate::outcome::{Claim, Outcome, Times, Witness};
use crate::task::{Checker, StateGoal};
use crate::trace::fastest::{Fastest, applies_to, fastest};
use crate::zones::search::ZoneSearch;
use std::time::Instant;
use zonewalk_network::Network;
use zonewalk_network::Transition;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_report::trace::End;
use zonewalk_run::Run;
use zonewalk_searches::Queueing;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::path::{conditions, conditions_of_attempt};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, Schedule, solve};
use zonewalk_walk::search::FoundWalk;
use zonewalk_walk::shrink::{Means, Objective as Shorten, shrink};

/// A run, and its transitions by edge instances, as walks take them.
pub(crate) type Timed = (Run, Vec<Transition>);

/// Transitions with the times that suit a wish best; `None` when there are no such times. The end must meet the goal, if
/// there is one.
pub(crate) fn timed(
    plan: &ZonePlan<'_>,
    bounds: &ClockBounds,
    transitions: &[Transition],
    goal: Option<&ZoneGoal>,
    wish: TraceKind,
) -> Result<Option<Timed>, String> {
    let path = conditions(plan, bounds, transitions, goal, None)
        .map_err(|stop| format!("repeating the path without abstraction fails: {stop:?}"))?;
    let Some(path) = path else { return Ok(None) };
    let objective = match wish {
        TraceKind::Fastest => Objective::Fastest,
        _ => Objective::Simple,
    };
    let Ok(solution) = solve(&path, objective, DEFAULT_BUDGET) else {
        return Ok(None);
    };
    Ok(Some(run_of(plan.network, transitions, &solution.schedule)))
}

/// Transitions with simple times at which another one, which fails, can be tried at the end; `None` where none are found.
pub(crate) fn timed_attempt(
    plan: &ZonePlan<'_>,
    transitions: &[Transition],
    attempt: &Transition,
) -> Option<Timed> {
    let path = conditions_of_attempt(plan, &plan.network.bounds, transitions, attempt).ok()??;
    let solution = solve(&path, Objective::Simple, DEFAULT_BUDGET).ok()?;
    Some(run_of(plan.network, transitions, &solution.schedule))
}

/// Transitions at given times.
pub(crate) fn run_of(network: &Network, transitions: &[Transition], schedule: &Schedule) -> Timed {
    let run = network.run(schedule.unit, transitions, &schedule.delays);
    (run, transitions.to_vec())
}

impl Checker<'_, '_> {
    /// A path to the goal as a run that is repeated by the reference interpreter.
    pub(crate) fn reached(
        &self,
        search: &mut ZoneSearch<'_>,
        path: &[u32],
        sought: &StateGoal<'_>,
        by: Order,
        times: &mut Times,
    ) -> Outcome {
        let options = search.options;
        let made = search.transitions(path).and_then(|transitions| {
            timed(
                search.plan,
                &search.bounds,
                &transitions,
                search.goal.as_ref(),
                options.trace.kind,
            )
        });
        let maybe = Outcome::Maybe {
            satisfied: sought.wanted,
            claim: Claim::State,
        };
        let (run, given) = match made {
            Ok(Some(made)) => made,
            // With clocks that can be stopped the path need not exist.
            _ if search.plan.is_approximate() => return maybe,
            Ok(None) => return Outcome::Bug("a path of the zone graph has no times".to_owned()),
            Err(error) => return Outcome::Bug(error),
        };
        let found = (run.steps.len(), ticks(run.duration(), run.unit));
        let (run, given, optimality) = match self.faster(search, by, &run, times) {
            Ok((Some(faster), optimality)) => (faster.0, faster.1, optimality),
            Ok((None, optimality)) => (run, given, optimality),
            Err(error) => return Outcome::Bug(error),
        };
        let means = options.means(options.trace.allowance(search.effort));
        let shrunk = self.shrunk(&run, &given, sought, by, (options, means), times);
        let start = Instant::now();
        let goal = Some((sought.expr, sought.wanted));
        let is_wanted = options.trace.kind != TraceKind::None;
        let best = shrunk.as_ref().unwrap_or(&run);
        let outcome = match confirm(&self.task.interpreter, best, goal, End::Goal, is_wanted) {
            Ok(trace) => {
                let witness = Witness {
                    found_steps: found.0,
                    found_duration: found.1,
                    optimality,
                    failing: failing_at_the_end(&self.task.interpreter, best, sought.expr, is_wanted),
                    ..Witness::new(best, trace)
                };
                Outcome::by_run(sought.wanted, witness)
            }
            Err(_) if search.plan.is_approximate() => maybe,
            Err(error) => Outcome::Bug(format!(
                "the trace that {} found does not replay: {error}",
                by.name()
            )),
        };
        times.replay = start.elapsed();
        outcome
    }

    /// The fastest run of all, where that is asked for, the limits allow it and the given one is not as fast; and what is
    /// known then of the faster one of both.
    fn faster(
        &self,
        search: &mut ZoneSearch<'_>,
        by: Order,
        run: &Run,
        times: &mut Times,
    ) -> Result<(Option<Box<Timed>>, Optimality), String> {
        let options = search.options;
        // What fails is left out, and what it would have led to is not known.
        let first = match &search.failure {
            Some(_) => Optimality::open(options.trace.kind, FAILS),
            None => Optimality::of_first(by, options, search.plan.is_approximate()),
        };
        if options.trace.kind != TraceKind::Fastest || !applies_to(by) || search.plan.is_approximate() {
            return Ok((None, first));
        }
        let start = Instant::now();
        let known = run.duration().div_euclid(run.unit).saturating_add(1);
        let Ok(known) = i32::try_from(known) else {
            return Ok((
                None,
                Optimality::UnprovenFastest("its time is too long".to_owned()),
            ));
        };
        let found = fastest(search, known, options)?;
        times.improve = start.elapsed();
        let duration = |run: &Run| ticks(run.duration(), run.unit);
        Ok(match found {
            Fastest::Unknown => {
                let why = "a limit or a run-time error was reached while searching for faster runs";
                (None, Optimality::UnprovenFastest(why.to_owned()))
            }
            Fastest::Found { made, infimum } => {
                let made = Some(made).filter(|made| duration(&made.0).is_less_than(duration(run)));
                let best = duration(made.as_ref().map_or(run, |made| &made.0));
                let optimality = if infimum.is_less_than(best) {
                    Optimality::UnprovenFastest(format!(
                        "there is none: runs get arbitrarily close to time {infimum}"
                    ))
                } else {
                    Optimality::Fastest
                };
                (made, optimality)
            }
        })
    }

    /// The run made shorter by walking along it; `None` where that does not help or is not asked for.
    fn shrunk(
        &self,
        run: &Run,
        given: &[Transition],
        sought: &StateGoal<'_>,
        by: Order,
        (options, means): (&Options, Means),
        times: &mut Times,
    ) -> Option<Run> {
        let is_short = by == Order::Breadth && options.queueing() == Queueing::Plain;
        let is_wanted = matches!(
            options.trace.kind,
            TraceKind::Some | TraceKind::Short | TraceKind::Shortest
        );
        if !is_wanted || !options.shrinks() || is_short || !self.task.can_walk() {
            return None;
        }
        let start = Instant::now();
        let goal = zonewalk_walk::goal::WalkGoal::new(self.walk_plan(), &sought.predicate, sought.wanted);
        let given = FoundWalk::from_run(self.walk_plan(), run, given);
        let shrunk = shrink(self.walk_plan(), &goal, &given, means, Shorten::Steps);
        times.shrink = start.elapsed();
        (shrunk.run.steps.len() < run.steps.len()).then_some(shrunk.run)
    }
}
