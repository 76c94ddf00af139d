//! Other times for the steps of a trace: exact ones, as simple as they can be.
//!
//! The conditions of the steps are differences of instants, which `timing` solves. What they leave out (an invariant with alternatives
//! on the way, say) is examined afterwards: the trace is repeated with the new times, and counts only if it ends in a violation then.

use zonewalk_timing::{self as timing, Objective, Stage, TimedPath, solve};
use zonewalk_tioa::Side as Which;

use crate::systems::set::{Constraint, Set, TooLarge};
use crate::walk::instant::END_OF_TIME;
use crate::walk::plan::PairPlan;
use crate::walk::record::{Choice, Ending, Record, RecordedStep, held};
use crate::walk::state::Move;
use crate::walk::walker::{StepResult, Unobserved, Violation, WalkEnd, Walker};

/// Steps of work that the solver may spend on one trace.
const BUDGET: u64 = 20_000_000;
/// Parts of a unit beyond which a solution is not simple any more.
const FINEST: i64 = 1 << 20;

/// Condition at the end of a trace for its rule to be broken.
#[derive(Debug)]
pub(super) struct EndCondition {
    /// Conditions under which the right side does not allow what the left side does: over clocks of the pair.
    witness: Vec<Constraint>,
    /// The automaton whose conditions these are, and the location in which it has them.
    watched: (u32, u32),
    /// For each automaton where it is at the end.
    pub(super) locations: Vec<u32>,
    /// The alternatives of their invariants that hold then.
    held: Vec<Option<u32>>,
}

impl Walker {
    /// Repeats a trace, up to the first rule that is broken on the way. Gives nothing if none is, or if a step is not possible.
    pub(super) fn repeat(&mut self, trace: &Record) -> Result<Option<(Record, EndCondition)>, TooLarge> {
        self.rescale(trace.unit)?;
        let last = match &trace.end {
            Ending::Late(_) => None,
            Ending::Alone(step) => Some(step),
        };
        for (number, step) in trace.steps.iter().chain(last).enumerate() {
            if let Some(found) = self.late(trace, number) {
                return Ok(Some(found));
            }
            let may_wait = (self.state.now..=self.state.horizon(Which::Left)).contains(&step.at);
            if !may_wait {
                return Ok(None);
            }
            self.state.now = step.at;
            if !self.lead(step) {
                return Ok(None);
            }
            match self.follow(step.offer, &mut Unobserved)? {
                StepResult::Taken => {}
                StepResult::Ended(WalkEnd::Violation(Violation::Unmatched { offer, at })) => {
                    let end = Ending::Alone(self.alone(offer, at));
                    let goal = self.goal(&end);
                    return Ok(goal.map(|goal| (cut(trace, number, end), goal)));
                }
                _ => return Ok(None),
            }
        }
        Ok(self.late(trace, trace.steps.len()))
    }

    /// The trace up to now, if the left side can wait longer than the right side.
    fn late(&self, trace: &Record, number: usize) -> Option<(Record, EndCondition)> {
        let (left, right) = (self.state.horizon(Which::Left), self.state.horizon(Which::Right));
        if right >= left {
            return None;
        }
        // A whole number if possible, else a tick, else half a tick.
        let unit = trace.unit;
        let whole = (right.div_euclid(unit) + 1) * unit;
        let tick = (right + 2) & !1;
        let at = [whole, tick]
            .into_iter()
            .find(|at| *at <= left)
            .unwrap_or(right + 1);
        let end = Ending::Late(at);
        let goal = self.goal(&end)?;
        Some((cut(trace, number, end), goal))
    }

    /// Sets the leader's moves, if they are possible now.
    fn lead(&mut self, step: &RecordedStep) -> bool {
        self.moves.clear();
        let about = self.plan.offers[step.offer as usize];
        for &(part, local) in self.plan.participants(about.leaders) {
            let place = self.state.places[part as usize];
            let location = self.plan.places[place as usize].location;
            let choice = step.choices.iter().find(|choice| choice.part == part);
            let Some(choice) = choice.filter(|choice| choice.location == location) else {
                return false;
            };
            let Some(edge) = self.plan.edge(place, local, choice.edge) else {
                return false;
            };
            let alternative = self.plan.edges[edge as usize].alternatives.from + choice.alternative;
            if !self
                .plan
                .holds(alternative as usize, &self.state.since, self.state.now)
            {
                return false;
            }
            self.moves.push(Move {
                part,
                edge,
                alternative,
            });
        }
        true
    }

    /// Why the rule is broken in this state: of every alternative that would allow what happens, a comparison that fails.
    fn goal(&self, end: &Ending) -> Option<EndCondition> {
        let (plan, state) = (&self.plan, &self.state);
        let (part, at, sets): (u32, i64, Vec<&Set>) = match end {
            Ending::Late(_) => {
                // Whose deadline comes first; at the next instant its invariant is broken.
                let right = plan.middle..plan.parts.len();
                let part = right.min_by_key(|&part| state.deadlines[part])? as u32;
                let (_, location) = plan.location(part, self.location(part));
                (
                    part,
                    state.deadlines[part as usize] + 1,
                    vec![&location.invariant],
                )
            }
            Ending::Alone(step) => {
                let about = plan.offers[step.offer as usize];
                let refuses = |&&(part, local): &&(u32, u32)| {
                    let edges = plan.on(state.places[part as usize], local);
                    let mut parts = edges.flat_map(|edge| plan.edges[edge].alternatives.range());
                    !parts.any(|k| plan.holds(k, &state.since, state.now))
                };
                let (part, _) = *plan.participants(about.followers).iter().find(refuses)?;
                let (_, location) = plan.location(part, self.location(part));
                let edges = location.on(about.action).iter();
                (part, state.now, edges.map(|edge| &edge.allowed).collect())
            }
        };
        let base = plan.parts[part as usize].base;
        let mut witness = Vec::new();
        for conjunction in sets.into_iter().flat_map(Set::parts) {
            let broken = conjunction
                .iter()
                .find(|c| !plan.satisfies(c, base, &state.since, at))?;
            let complement = Constraint {
                left: broken.right,
                right: broken.left,
                bound: broken.bound.complement(),
            };
            witness.extend(crate::systems::product::shifted(&[complement], base));
        }
        let parts = 0..plan.parts.len() as u32;
        Some(EndCondition {
            witness,
            watched: (part, self.location(part)),
            locations: parts.clone().map(|part| self.location(part)).collect(),
            held: parts.map(|part| held(plan, state, part)).collect(),
        })
    }

    fn location(&self, part: u32) -> u32 {
        self.plan.places[self.state.places[part as usize] as usize].location
    }

    /// New times for some steps that are to end as a goal says. Gives nothing if the steps are not possible one after the other.
    /// `effort` pays for every step that is examined.
    pub(super) fn retime(
        &mut self,
        steps: &[&RecordedStep],
        end: &Ending,
        goal: &EndCondition,
        effort: &mut u64,
    ) -> Result<Option<Record>, TooLarge> {
        let Some((path, steps)) = self.path(steps, end, goal, effort)? else {
            return Ok(None);
        };
        // Solving costs more than looking.
        *effort = effort.saturating_sub(8 * steps.len() as u64);
        let Ok(solution) = solve(&path, Objective::Simple, BUDGET) else {
            return Ok(None);
        };
        let schedule = solution.schedule;
        let has_time = schedule.total().is_ok_and(|total| total <= END_OF_TIME / 2);
        if schedule.unit > FINEST || !has_time {
            return Ok(None);
        }
        let mut now = 0;
        let mut instants = schedule.delays.iter().map(|delay| {
            now += 2 * delay;
            now
        });
        let mut next = || instants.next().unwrap_or(0);
        let steps = steps
            .into_iter()
            .map(|step| RecordedStep { at: next(), ..step })
            .collect();
        let end = match end {
            Ending::Late(_) => Ending::Late(next()),
            Ending::Alone(step) => Ending::Alone(RecordedStep {
                at: next(),
                ..step.clone()
            }),
        };
        Ok(Some(Record {
            unit: 2 * schedule.unit,
            steps,
            end,
        }))
    }

    /// The conditions of steps, and the steps with what the other side does now. An automaton's invariant has to hold when it leaves a
    /// location, or at the end: it was entered by an edge that says it holds, and upper bounds do not break in between.
    fn path(
        &mut self,
        steps: &[&RecordedStep],
        end: &Ending,
        goal: &EndCondition,
        effort: &mut u64,
    ) -> Result<Option<(TimedPath, Vec<RecordedStep>)>, TooLarge> {
        self.restart();
        let mut places = self.state.places.clone();
        let mut stages = Vec::with_capacity(steps.len());
        let mut resolved = Vec::with_capacity(steps.len());
        for &step in steps {
            *effort = effort.saturating_sub(1);
            let mut stage = Stage {
                may_delay: true,
                ..Stage::default()
            };
            let mut choices = Vec::with_capacity(step.choices.len());
            let about = self.plan.offers[step.offer as usize];
            for (span, is_leader) in [(about.leaders, true), (about.followers, false)] {
                for at in span.range() {
                    let (part, local) = self.plan.participant(at);
                    let place = places[part as usize];
                    let Some(choice) = choose(&self.plan, step, part, place, local, is_leader) else {
                        return Ok(None);
                    };
                    let Some(edge) = self.plan.edge(place, local, choice.edge) else {
                        return Ok(None);
                    };
                    condition(&self.plan, &choice, &mut stage);
                    let (target, _) = self.plan.target(part, place, edge)?;
                    places[part as usize] = target;
                    choices.push(choice);
                }
            }
            stages.push(stage);
            resolved.push(RecordedStep {
                at: 0,
                offer: step.offer,
                choices,
            });
        }
        let at = |part: u32| self.plan.places[places[part as usize] as usize].location;
        if at(goal.watched.0) != goal.watched.1 {
            return Ok(None);
        }
        let mut last = Stage {
            may_delay: true,
            ..Stage::default()
        };
        if let Ending::Alone(step) = end {
            for choice in &step.choices {
                if at(choice.part) != choice.location {
                    return Ok(None);
                }
                condition(&self.plan, choice, &mut last);
            }
            last.resets.clear();
        }
        for (part, &held) in (0..).zip(&goal.held) {
            let is_right = part as usize >= self.plan.middle;
            if !(is_right && matches!(end, Ending::Late(_))) {
                invariant(&self.plan, part, at(part), held, &mut last);
            }
        }
        last.at_exit.extend(goal.witness.iter().map(timed));
        Ok(Some((
            TimedPath {
                initial: vec![0; self.plan.clocks - 1],
                stages,
                last,
            },
            resolved,
        )))
    }
}

fn cut(trace: &Record, number: usize, end: Ending) -> Record {
    Record {
        unit: trace.unit,
        steps: trace.steps[..number].to_vec(),
        end,
    }
}

/// Choice of an automaton in a step: as before, if it is where it was then. The follower may also be elsewhere, if there
/// is only one answer.
fn choose(
    plan: &PairPlan,
    step: &RecordedStep,
    part: u32,
    place: u32,
    local: u32,
    is_leader: bool,
) -> Option<Choice> {
    let location = plan.places[place as usize].location;
    let same = step.choices.iter().find(|choice| choice.part == part);
    if let Some(choice) = same.filter(|choice| choice.location == location) {
        return Some(*choice);
    }
    let slot = plan.slot(plan.places[place as usize].first, local);
    (!is_leader && slot.is_single()).then(|| Choice {
        part,
        location,
        edge: plan.edges[slot.edges().start].number,
        alternative: 0,
        held: None,
    })
}

/// Adds what must hold when an edge is taken, and what it sets.
fn condition(plan: &PairPlan, choice: &Choice, stage: &mut Stage) {
    let base = plan.parts[choice.part as usize].base;
    let (_, location) = plan.location(choice.part, choice.location);
    let edge = &location.edges[choice.edge as usize];
    invariant(plan, choice.part, choice.location, choice.held, stage);
    if let Some(guard) = edge.allowed.parts().get(choice.alternative as usize) {
        let guard = crate::systems::product::shifted(guard, base);
        stage.at_exit.extend(guard.map(|c| timed(&c)));
    }
    let set = edge.updates.iter();
    stage
        .resets
        .extend(set.map(|&(clock, value)| (u32::from(clock + base) - 1, timing::Reset::To(value.into()))));
}

/// Adds an invariant: its only alternative, or the one that held before.
fn invariant(plan: &PairPlan, part: u32, location: u32, held: Option<u32>, stage: &mut Stage) {
    let base = plan.parts[part as usize].base;
    let (_, location) = plan.location(part, location);
    let parts = location.invariant.parts();
    let chosen = match parts {
        [only] => Some(only),
        _ => held.and_then(|k| parts.get(k as usize)),
    };
    if let Some(chosen) = chosen {
        let shifted = crate::systems::product::shifted(chosen, base);
        stage.at_exit.extend(shifted.map(|c| timed(&c)));
    }
}

fn timed(c: &Constraint) -> timing::Constraint {
    let clock = |clock: u16| (clock != 0).then(|| u32::from(clock) - 1);
    timing::Constraint {
        left: clock(c.left),
        right: clock(c.right),
        bound: c.bound.constant(),
        strict: c.bound.is_strict(),
    }
}
