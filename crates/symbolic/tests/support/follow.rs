//! Concrete walks, followed in the zone graph without abstraction.

use super::{Case, Question};
use std::ops::ControlFlow;
use zonewalk_network::ids::{ClockId, ProcessId};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Error, Interpreter, Part, State};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::constraint::{ClockRef, Constraint};
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::{StepRecord, ZoneGraph};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::{Bound, dbm};

/// Parts of a unit on which points are sampled.
const SCALE: i64 = 16;

/// Result of following a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Followed {
    pub(crate) steps: usize,
    /// Points at which the transitions of both sides were compared.
    pub(crate) points: usize,
    /// The model failed: where is not compared.
    pub(crate) failed: bool,
}

/// A state of the zone graph, and what its entry asks for.
#[derive(Clone)]
struct Piece {
    state: ZoneState<i64>,
    record: StepRecord,
    parts: Vec<Part>,
}

/// Walks at random for some steps. Wherever the walk is, the zone graph is too; what is possible at the points of the walk,
/// and at others of the same zones, is the same for both, and so are the delays (which zones only contain where clocks
/// can be stopped). Neither enters states in which the predicate to be avoided holds, nor lets time pass through them.
pub(crate) fn follow(
    case: &Case,
    plan: &ZonePlan<'_>,
    seed: u64,
    steps: usize,
    avoided: Option<&Question>,
) -> Result<Followed, String> {
    let interpreter = case.interpreter();
    let graph = match avoided {
        Some(question) => {
            let goal = ZoneGoal::new(&case.network, &question.predicate, true);
            let graph = ZoneGraph::new(plan, case.bounds(question), &[], Abstraction::None, &[&goal]);
            graph.avoiding(goal)
        }
        None => ZoneGraph::new(plan, case.network.bounds.clone(), &[], Abstraction::None, &[]),
    };
    let mut follower = Follower {
        case,
        interpreter: &interpreter,
        explorer: graph.recording().into(),
        random: Random::new(seed),
        avoided,
        followed: Followed::default(),
    };
    follower.run(steps)?;
    Ok(follower.followed)
}

/// Walks at random for some steps, and fails where some state is in none of these zones. Gives the number of steps.
pub(crate) fn stay_within(
    case: &Case,
    plan: &ZonePlan<'_>,
    zones: &[ZoneState<i64>],
    seed: u64,
    steps: usize,
) -> Result<usize, String> {
    let interpreter = case.interpreter();
    let graph = ZoneGraph::new(plan, case.network.bounds.clone(), &[], Abstraction::None, &[]);
    let mut follower = Follower {
        case,
        interpreter: &interpreter,
        explorer: graph.into(),
        random: Random::new(seed),
        avoided: None,
        followed: Followed::default(),
    };
    let Ok(mut state) = interpreter.initial() else {
        return Ok(0);
    };
    for number in 0..steps {
        let (Ok(delays), Ok(mut transitions)) = (interpreter.delays(&state), interpreter.transitions(&state))
        else {
            return Ok(number);
        };
        for transition in &mut transitions {
            transition.windows = transition.windows.and(&delays);
        }
        transitions.retain(|t| !t.windows.is_empty());
        if transitions.is_empty() {
            return Ok(number);
        }
        let chosen = &transitions[follower.random.below(transitions.len() as u64) as usize];
        let delay = follower.delay_in(&chosen.windows);
        let delayed = interpreter.delay(&state, delay).map_err(|e| e.to_string())?;
        for point in [&state, &delayed] {
            let is_known = |zone: &ZoneState<i64>| follower.is_discrete(zone, point) && contains(zone, point);
            if !zones.iter().any(is_known) {
                let here = follower.describe(point);
                return Err(format!("after {number} steps, {here} is in no zone"));
            }
        }
        let Ok(next) = interpreter.fire(&delayed, &chosen.parts) else {
            return Ok(number);
        };
        state = next;
    }
    Ok(steps)
}

struct Follower<'c, 'p> {
    case: &'c Case,
    interpreter: &'c Interpreter<'c>,
    explorer: Explorer<'p, i64>,
    random: Random,
    avoided: Option<&'c Question>,
    followed: Followed,
}

impl Follower<'_, '_> {
    fn run(&mut self, steps: usize) -> Result<(), String> {
        let mut pieces = Vec::new();
        let begun = self.explorer.initial(&mut |state, step| {
            pieces.push(Piece {
                state: state.clone(),
                record: step.record.cloned().unwrap_or_default(),
                parts: Vec::new(),
            });
            ControlFlow::Continue(())
        });
        let mut state = match self.interpreter.initial() {
            Ok(state) => state,
            Err(Error::NoInitialState { .. }) if pieces.is_empty() => return Ok(()),
            Err(_) if begun.is_err() => {
                self.followed.failed = true;
                return Ok(());
            }
            Err(e) => return Err(format!("the interpreter has no initial state: {e}")),
        };
        if begun.is_err() {
            // Guards of urgent synchronisations are examined when a state is entered.
            return self.fails(&state, "the initial state");
        }
        pieces.retain(|piece| self.is_entered(piece, &state));
        for number in 0..=steps {
            let here = self.describe(&state);
            let at = |e: String| format!("after {number} steps, at {here}: {e}");
            let (Ok(delays), Ok(mut transitions)) =
                (self.allowed(&state), self.interpreter.transitions(&state))
            else {
                self.followed.failed = true;
                return Ok(());
            };
            // Where clocks can be stopped, less is avoided than could be.
            if delays.is_empty() && self.explorer.graph().plan().is_approximate() {
                return Ok(());
            }
            if pieces.is_empty() != delays.is_empty() {
                let count = pieces.len();
                return Err(at(format!(
                    "the zone graph has the state {count} times, delays are {delays}"
                )));
            }
            if pieces.is_empty() {
                return Ok(());
            }
            self.same_delays(&pieces, &state, &delays).map_err(at)?;
            for transition in &mut transitions {
                transition.windows = transition.windows.and(&delays);
            }
            transitions.retain(|t| !t.windows.is_empty());
            if transitions.is_empty() || number == steps {
                return Ok(());
            }
            let chosen = &transitions[self.random.below(transitions.len() as u64) as usize];
            let delay = self.delay_in(&chosen.windows);
            let delayed = self.interpreter.delay(&state, delay).map_err(|e| e.to_string())?;
            pieces.retain(|piece| contains(&piece.state, &delayed));
            let here = self.describe(&delayed);
            let at = |e: String| format!("after {number} steps, at {here}: {e}");
            if pieces.is_empty() {
                return Err(at("no zone of the state has the point".into()));
            }
            let next = self
                .interpreter
                .fire(&delayed, &chosen.parts)
                .map_err(|e| e.to_string())?;
            let mut entered = Vec::new();
            for piece in &pieces {
                match self.successors(&piece.state) {
                    Some(list) => entered.extend(
                        list.into_iter()
                            .filter(|p| p.parts == chosen.parts && self.is_entered(p, &next)),
                    ),
                    None => return self.fails(&delayed, "successors"),
                }
            }
            self.same_transitions(&pieces[0], &delayed).map_err(at)?;
            let other = State {
                clocks: self.sample(&pieces[0].state, &delayed),
                ..delayed.clone()
            };
            let there = self.describe(&other);
            self.same_transitions(&pieces[0], &other)
                .map_err(|e| format!("after {number} steps, at {there}: {e}"))?;
            if !entered.iter().any(|p| contains(&p.state, &next)) && !self.is_avoided(&next) {
                let text = format!(
                    "no zone is entered by {:?} at {}",
                    chosen.parts,
                    self.describe(&next)
                );
                return Err(at(text));
            }
            self.followed.steps += 1;
            pieces = entered;
            state = next;
        }
        Ok(())
    }

    /// The delays of a state up to where it is to be avoided.
    fn allowed(&self, state: &State) -> Result<Windows, Error> {
        let delays = self.interpreter.delays(state)?;
        let Some(question) = self.avoided else {
            return Ok(delays);
        };
        let holds = self.interpreter.holds_within(state, &delays, &question.expr)?;
        Ok(if holds.contains(Rational::ZERO) {
            Windows::none()
        } else {
            delays.minus(&holds).prefix()
        })
    }

    fn is_avoided(&self, state: &State) -> bool {
        let holds = |q: &Question| self.interpreter.holds(state, &q.expr);
        self.avoided.is_some_and(|q| holds(q).unwrap_or(false))
    }

    /// The zone graph failed: the model does so somewhere, though not necessarily here.
    fn fails(&mut self, _: &State, _: &str) -> Result<(), String> {
        self.followed.failed = true;
        Ok(())
    }

    fn successors(&mut self, state: &ZoneState<i64>) -> Option<Vec<Piece>> {
        let mut list = Vec::new();
        let case = self.case;
        let result = self.explorer.successors(state, &mut |next, step| {
            list.push(Piece {
                state: next.clone(),
                record: step.record.cloned().unwrap_or_default(),
                parts: case.parts(step.parts, step.selects),
            });
            ControlFlow::Continue(())
        });
        result.is_ok().then_some(list)
    }

    /// Whether a concrete state is one that a piece is entered with. Where time is stopped in the middle, its zone may begin
    /// later, and another piece with the same entry has the state itself.
    fn is_entered(&self, piece: &Piece, state: &State) -> bool {
        self.is_discrete(&piece.state, state)
            && hold(&piece.record.invariant, &state.clocks)
            && hold(&piece.record.entry, &state.clocks)
    }

    fn is_discrete(&self, symbolic: &ZoneState<i64>, state: &State) -> bool {
        let network = &self.case.network;
        let mut memory = network.memory();
        network.write_values(&state.memory, &mut memory);
        for (cell, location) in memory.iter_mut().zip(&state.locations) {
            *cell = location.index() as i32;
        }
        memory[..symbolic.discrete.len()] == symbolic.discrete
    }

    fn same_delays(&mut self, pieces: &[Piece], state: &State, delays: &Windows) -> Result<(), String> {
        for quarters in 0..20 {
            let delay = quarter(quarters);
            let stopped = &pieces[0].record.stopped;
            let later: Vec<Rational> = (0..)
                .map(ClockId)
                .zip(&state.clocks)
                .map(|(clock, &value)| {
                    if stopped.contains(&clock) {
                        value
                    } else {
                        sum(value, delay)
                    }
                })
                .collect();
            let point = State {
                clocks: later.clone(),
                ..state.clone()
            };
            let allows = |p: &&Piece| {
                (quarters == 0 || p.record.may_delay)
                    && hold(&p.record.invariant, &later)
                    && hold(&p.record.exit, &later)
            };
            let symbolic = pieces.iter().find(allows);
            let concrete = delays.contains(delay);
            if concrete && !pieces.iter().any(|p| contains(&p.state, &point)) {
                return Err(format!("the delay {delay} leaves the zones"));
            }
            if symbolic.is_some() != concrete && !self.explorer.graph().plan().is_approximate() {
                return Err(format!("the delay {delay} is possible: {concrete} by {delays}"));
            }
        }
        Ok(())
    }

    /// Compares the transitions at a point of a piece, at once, with those of the interpreter.
    fn same_transitions(&mut self, piece: &Piece, state: &State) -> Result<(), String> {
        let Ok(mut enabled) = self.interpreter.enabled_now(state) else {
            return Ok(());
        };
        enabled.retain(|t| {
            let next = self.interpreter.fire(state, &t.parts);
            next.is_ok_and(|next| !self.is_avoided(&next))
        });
        let Some(successors) = self.successors(&piece.state) else {
            return Ok(());
        };
        let mut found: Vec<&[Part]> = Vec::new();
        let mut contained: Vec<&[Part]> = Vec::new();
        for next in &successors {
            let clocks = assigned(&next.record.assigned, &state.clocks);
            let is_possible = hold(&next.record.guard, &state.clocks)
                && hold(&next.record.invariant, &clocks)
                && hold(&next.record.entry, &clocks);
            if !is_possible {
                continue;
            }
            let fired = self
                .interpreter
                .fire(state, &next.parts)
                .map_err(|e| format!("{:?} is possible for the zone graph alone: {e}", next.parts))?;
            if !self.is_entered(next, &fired) {
                return Err(format!(
                    "{:?} leads to {} and not to {:?}",
                    next.parts,
                    self.describe(&fired),
                    next.state
                ));
            }
            found.push(&next.parts);
            if contains(&next.state, &fired) {
                contained.push(&next.parts);
            }
        }
        for transition in &enabled {
            let parts = transition.parts.as_slice();
            if found.contains(&parts) && !contained.contains(&parts) {
                return Err(format!("no zone has the state behind {parts:?}"));
            }
            if !found.contains(&parts) {
                let listed: Vec<_> = successors.iter().map(|s| (&s.parts, &s.record)).collect();
                return Err(format!(
                    "{:?} is not in the zone graph, which has {listed:?}",
                    transition.parts
                ));
            }
        }
        for parts in found {
            let may_be_more = self.avoided.is_some() && self.explorer.graph().plan().is_approximate();
            if !enabled.iter().any(|t| t.parts == parts) && !may_be_more {
                return Err(format!("{parts:?} is in the zone graph alone"));
            }
        }
        self.followed.points += 1;
        Ok(())
    }

    /// A delay of a set that is not empty, in quarters unless the window is narrower.
    fn delay_in(&mut self, windows: &Windows) -> Rational {
        let list: Vec<Rational> = (0..24).map(quarter).filter(|d| windows.contains(*d)).collect();
        if !list.is_empty() {
            return list[self.random.below(list.len() as u64) as usize];
        }
        let window = windows.iter().next().expect("windows are not empty");
        let (lower, is_closed) = window.lower();
        if is_closed || window.contains(lower) {
            return lower;
        }
        let upper = window
            .upper()
            .map_or_else(|| sum(lower, Rational::from(2)), |u| u.0);
        sum(lower, upper).over(Rational::from(2)).expect("small numbers")
    }

    /// The clocks of another point of a zone; those that do not matter stay.
    fn sample(&mut self, symbolic: &ZoneState<i64>, state: &State) -> Vec<Rational> {
        let dim = symbolic.dim();
        let mut ticks = vec![0i64];
        for i in 1..dim {
            let (mut low, mut high) = (0, i64::MAX);
            for (j, &other) in ticks.iter().enumerate() {
                let above = symbolic.zone[i * dim + j];
                if !above.is_infinite() {
                    let limit = above.constant() * SCALE - i64::from(above.is_strict());
                    high = high.min(other + limit);
                }
                let below = symbolic.zone[j * dim + i];
                if !below.is_infinite() {
                    let limit = below.constant() * SCALE - i64::from(below.is_strict());
                    low = low.max(other - limit);
                }
            }
            if high < low {
                return state.clocks.clone();
            }
            let room = (high - low).min(4 * SCALE) as u64 + 1;
            // The ends are where errors are.
            ticks.push(match self.random.below(4) {
                0 => low,
                1 => low + room as i64 - 1,
                _ => low + self.random.below(room) as i64,
            });
        }
        let mut clocks = state.clocks.clone();
        for (&clock, &value) in symbolic.clocks.iter().zip(&ticks[1..]) {
            clocks[clock.index()] = Rational::new(value.into(), SCALE.into()).expect("small numbers");
        }
        clocks
    }

    fn describe(&self, state: &State) -> String {
        let names = (0..).zip(&state.locations).map(|(p, &l)| {
            let process = ProcessId(p);
            format!(
                "{}.{}",
                self.interpreter.name(process),
                self.interpreter.location(process, l).name
            )
        });
        let names: Vec<String> = names.collect();
        format!("{} {:?}", names.join(" "), state.clocks)
    }
}

fn quarter(n: i128) -> Rational {
    Rational::new(n, 4).expect("small numbers")
}

fn sum(a: Rational, b: Rational) -> Rational {
    a.plus(b).expect("small numbers")
}

/// The clocks after a transition.
fn assigned(list: &[(ClockId, ClockRef, i32)], clocks: &[Rational]) -> Vec<Rational> {
    let mut after = clocks.to_vec();
    for &(clock, origin, plus) in list {
        let old = origin.clock().map_or(Rational::ZERO, |o| clocks[o.index()]);
        after[clock.index()] = sum(old, Rational::from(plus));
    }
    after
}

/// Whether all constraints hold at a point.
fn hold(constraints: &[Constraint], clocks: &[Rational]) -> bool {
    let value = |clock: ClockRef| clock.clock().map_or(Rational::ZERO, |c| clocks[c.index()]);
    constraints.iter().all(|c| {
        let difference = value(c.left).minus(value(c.right)).expect("small numbers");
        let limit = Rational::from(c.bound.constant());
        c.bound == Bound::INFINITY || difference < limit || difference == limit && !c.bound.is_strict()
    })
}

/// Whether the zone of a state has the clocks of another.
fn contains(symbolic: &ZoneState<i64>, state: &State) -> bool {
    let values = symbolic.clocks.iter().map(|&c| state.clocks[c.index()]);
    let values: Vec<Rational> = values.collect();
    let scale = values.iter().fold(1i128, |scale, v| {
        let (mut a, mut b) = (scale, v.denominator());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        scale / a * v.denominator()
    });
    let mut point = vec![0i64];
    for value in values {
        let scaled = value.numerator() * (scale / value.denominator());
        point.push(i64::try_from(scaled).expect("small numbers"));
    }
    let scale = i64::try_from(scale).expect("small numbers");
    dbm::contains(&symbolic.zone, symbolic.dim(), &point, scale)
}
