//! Values of a list of transitions: those that its times allow, and the run that is shown.

use super::attain::Attempt;
use super::known_values::Range;
use super::subgoal::Subgoal;
use super::value_set::Span;
use crate::judge::confirm::measure;
use crate::options::TraceKind;
use crate::outcome::optimality::Optimality;
use crate::outcome::ticks;
use crate::outcome::{Stats, Witness};
use crate::trace::allowance::effort_of;
use crate::trace::timed::{run_of, timed};
use zonewalk_network::Transition;
use zonewalk_reference::rational::Rational;
use zonewalk_report::trace::End;
use zonewalk_run::Run;
use zonewalk_symbolic::path::conditions;
use zonewalk_timing::{Extremum, Schedule, extreme};
use zonewalk_walk::search::FoundWalk;
use zonewalk_walk::shrink::{Objective, shrink};

/// Work for the times of a path.
const TIMING: u64 = 3_000_000;
/// Why a run is not said to be the best of all.
const NOT_COMPARED: &str = "runs that reach a value are not compared with all others";

/// A run that was repeated, and the value at its end.
pub(crate) struct Best {
    value: Rational,
    run: Run,
    transitions: Vec<Transition>,
}

impl Attempt<'_, '_, '_> {
    /// Takes from a list of transitions what it has to give; true when that is something new. `walked`: times that are
    /// possible.
    pub(super) fn take_values(
        &mut self,
        subgoal: &Subgoal<'_>,
        transitions: &[Transition],
        walked: Option<&Run>,
    ) -> bool {
        let before = self.known.reached.clone();
        let known = walked.map(|run| Schedule {
            unit: run.unit,
            delays: run
                .steps
                .iter()
                .map(|step| step.delay)
                .chain([run.last_delay])
                .collect(),
        });
        let path = self.clock.and_then(|clock| {
            let path = conditions(
                &subgoal.zones,
                &subgoal.bounds,
                transitions,
                Some(&subgoal.goal),
                None,
            );
            Some((path.ok()??, clock))
        });
        if let Some((path, clock)) = path {
            let mut span: Option<Span> = None;
            for &aim in self.known.aims() {
                let Ok(found) = extreme(&path, clock.0, aim, TIMING, known.as_ref()) else {
                    break;
                };
                let Some(value) = self.repeat(subgoal, transitions, &found.schedule) else {
                    break;
                };
                let own = Span::point(value, false);
                let span = span.get_or_insert(own);
                span.join(own);
                // What lies beyond the run that is shown is sure when a run that goes farther is one, too.
                let farther = found
                    .beyond
                    .and_then(|beyond| self.repeat(subgoal, transitions, &beyond));
                if farther.is_none() {
                    continue;
                }
                let limit = found
                    .limit
                    .map(|limit| Rational::new(limit.parts, limit.unit.into()));
                match (aim, limit) {
                    (Extremum::Highest, None) => span.high = None,
                    (Extremum::Highest, Some(Ok(limit))) => span.join(Span {
                        high: Some((limit, false)),
                        ..own
                    }),
                    (Extremum::Lowest, Some(Ok(limit))) => span.join(Span {
                        low: (limit, true),
                        ..own
                    }),
                    _ => {}
                }
            }
            if let Some(span) = span {
                self.known.reached.add(span);
            }
        }
        if self.known.reached == before {
            let run = match walked {
                Some(run) => Some(run.clone()),
                None => timed(
                    &subgoal.zones,
                    &subgoal.bounds,
                    transitions,
                    Some(&subgoal.goal),
                    TraceKind::Some,
                )
                .ok()
                .flatten()
                .map(|(run, _)| run),
            };
            if let Some(value) = run.and_then(|run| self.keep(subgoal, transitions, run)) {
                self.known.reached.add(Span::point(value, self.known.is_integer));
            }
        }
        self.runs += 1;
        self.known.reached != before
    }

    /// Repeats transitions at given times; the value at the end.
    fn repeat(
        &mut self,
        subgoal: &Subgoal<'_>,
        transitions: &[Transition],
        schedule: &Schedule,
    ) -> Option<Rational> {
        let (run, _) = run_of(subgoal.network, transitions, schedule);
        self.keep(subgoal, transitions, run)
    }

    /// Repeats a run, and keeps it if it is the best one.
    fn keep(&mut self, subgoal: &Subgoal<'_>, transitions: &[Transition], run: Run) -> Option<Rational> {
        let interpreter = &self.checker.task.interpreter;
        let goal = (subgoal.sought.expr, self.expr);
        let (value, _) = measure(interpreter, &run, Some(goal.0), goal.1, None).ok()?;
        let is_better = |best: &Best| {
            self.known.prefers(value, best.value)
                || value == best.value && run.steps.len() < best.run.steps.len()
        };
        if self.best.as_ref().is_none_or(is_better) {
            let transitions = transitions.to_vec();
            self.best = Some(Best {
                value,
                run,
                transitions,
            });
        }
        Some(value)
    }

    /// The best run, made shorter and repeated once more to be shown. `done` is what the search for the values has done.
    pub(crate) fn witness(&mut self, expression: &str, done: &Stats) -> Option<Witness> {
        let best = self.best.take()?;
        let is_wanted = self.options.trace.kind != TraceKind::None;
        let shorter = if is_wanted && self.options.shrinks() {
            self.shorter(&best, effort_of(done).saturating_add(effort_of(&self.stats)))
        } else {
            None
        };
        let interpreter = &self.checker.task.interpreter;
        let condition = self.condition.map(|state| state.expr);
        let end = |value: Rational| End::Value {
            expression: expression.to_owned(),
            value: crate::judge::record::time(value),
        };
        let judged = |run: &Run| measure(interpreter, run, condition, self.expr, Some(&end)).ok();
        let (run, trace) = [shorter.as_ref(), Some(&best.run)]
            .into_iter()
            .flatten()
            .find_map(|run| {
                let (value, trace) = judged(run)?;
                (!self.known.prefers(best.value, value)).then_some((run, trace))
            })?;
        Some(Witness {
            steps: run.steps.len(),
            duration: ticks(run.duration(), run.unit),
            found_steps: best.run.steps.len(),
            found_duration: ticks(best.run.duration(), best.run.unit),
            failing: None,
            walk: 0,
            optimality: match self.options.trace.kind {
                TraceKind::Shortest => Optimality::UnprovenShortest(NOT_COMPARED.to_owned()),
                TraceKind::Fastest => Optimality::UnprovenFastest(NOT_COMPARED.to_owned()),
                TraceKind::None | TraceKind::Some | TraceKind::Short => Optimality::NotRequested,
            },
            trace: trace.filter(|_| is_wanted),
        })
    }

    /// A shorter run with a value that is as good.
    fn shorter(&mut self, best: &Best, searched: u64) -> Option<Run> {
        if best.value.denominator() != 1 || !self.checker.task.can_walk() {
            return None;
        }
        let number = i32::try_from(best.value.floor()).ok()?;
        let range = match self.known.aims() {
            [Extremum::Lowest] => Range {
                low: None,
                high: Some((number, false)),
            },
            _ => Range {
                low: Some((number, false)),
                high: None,
            },
        };
        let budget = self.options.means(self.options.trace.allowance(searched));
        let mut shorter = None;
        self.on_subgoal(range, |_, subgoal| {
            let plan = &subgoal.plan;
            let goal = zonewalk_walk::goal::WalkGoal::new(plan, &subgoal.sought.predicate, true);
            let shrunk = shrink(
                plan,
                &goal,
                &FoundWalk::from_run(plan, &best.run, &best.transitions),
                budget,
                Objective::Steps,
            );
            if shrunk.run.steps.len() < best.run.steps.len() {
                shorter = Some(shrunk.retimed.unwrap_or(shrunk.run));
            }
            true
        });
        shorter
    }
}
