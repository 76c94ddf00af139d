//! A run from a start that a query describes: first a point to start from, then times.

use zonewalk_timing::{TimedPath, Unsolved};
use zonewalk_tioa::{Rule, Run, Side as Which};
use zonewalk_zones::{dbm, minimal};

use crate::symbolic::concretise;
use crate::symbolic::joint::Joint;
use crate::symbolic::pair::Pair;
use crate::systems::set::{Bound, Constraint};

/// A run, and the values of the clocks of the system at its start, in ticks.
#[derive(Clone, Debug)]
pub struct Started {
    /// The run.
    pub run: Run,
    /// The values, clock by clock.
    pub clocks: Vec<i64>,
}

/// Times for steps that begin where `start` holds and end where `witness` does. Nothing if none are found, or if an invariant on the
/// way has alternatives.
pub fn timed(
    pair: &mut Pair,
    states: &[Box<[u32]>],
    steps: &[Joint],
    start: &[Constraint],
    witness: &[Constraint],
) -> Option<Started> {
    let dim = usize::from(pair.left.clocks) + 1;
    let mut invariants = Vec::with_capacity(states.len());
    for state in states {
        let mut all = Vec::new();
        for (offset, location) in pair.left.locations(pair.of(state, Which::Left)) {
            let [only] = location.invariant.parts() else {
                return None;
            };
            all.extend(crate::systems::product::shifted(only, offset));
        }
        invariants.push(all);
    }
    // Backwards: from where can the rest of the way be gone?
    let mut zone = vec![Bound::INFINITY; dim * dim];
    minimal::expand(witness, dim, &mut zone);
    for place in (0..states.len()).rev() {
        if let Some(step) = steps.get(place) {
            zone = before(&zone, step, dim)?;
        }
        constrain(&mut zone, &invariants[place], dim)?;
        dbm::down(&mut zone, dim);
        constrain(&mut zone, &invariants[place], dim)?;
    }
    constrain(&mut zone, start, dim)?;
    let (scale, clocks) = point(&zone, dim)?;
    let mut adapt = |path: &TimedPath| scaled(path, scale, &clocks);
    let mut run = concretise::timed_by(pair, states, steps, witness, Rule::Reached, &mut adapt).ok()?;
    // The solver counts ticks of its own in each of ours.
    let per_tick = run.scale;
    run.scale *= scale;
    let clocks = clocks.iter().map(|value| value * per_tick).collect();
    Some(Started { run, clocks })
}

fn constrain(zone: &mut [Bound], part: &[Constraint], dim: usize) -> Option<()> {
    let holds = part
        .iter()
        .all(|c| dbm::constrain(zone, dim, c.left.into(), c.right.into(), c.bound));
    (holds && !dbm::is_empty(zone)).then_some(())
}

/// The points from which a step leads into a zone.
fn before(zone: &[Bound], step: &Joint, dim: usize) -> Option<Vec<Bound>> {
    let mut zone = zone.to_vec();
    for &(clock, value) in &step.updates {
        let value = i64::from(value);
        let set = [(clock, 0, Bound::le(value)), (0, clock, Bound::le(-value))];
        for (left, right, bound) in set {
            constrain(&mut zone, &[Constraint { left, right, bound }], dim)?;
        }
    }
    for &(clock, _) in &step.updates {
        dbm::free(&mut zone, dim, clock.into());
    }
    constrain(&mut zone, &step.guard, dim)?;
    Some(zone)
}

/// A point of a zone: ticks in a unit, and the value of each clock.
fn point(zone: &[Bound], dim: usize) -> Option<(i64, Vec<i64>)> {
    // A strict bound takes a tick from its clock and, through differences, from every other one.
    let scale = 2 * dim as i64;
    if dbm::magnitude(zone) >= Bound::MAX_CONSTANT / (2 * scale) {
        return None;
    }
    let finer = |bound: &Bound| match bound.is_infinite() {
        true => *bound,
        false => Bound::new(bound.constant() * scale, bound.is_strict()),
    };
    let mut zone: Vec<Bound> = zone.iter().map(finer).collect();
    let mut values = Vec::with_capacity(dim - 1);
    for x in 1..dim {
        let lowest = zone[x];
        let value = -lowest.constant() + i64::from(lowest.is_strict());
        for (left, right, bound) in [(x, 0, Bound::le(value)), (0, x, Bound::le(-value))] {
            if !dbm::constrain(&mut zone, dim, left, right, bound) {
                return None;
            }
        }
        values.push(value);
    }
    // Whole numbers need no ticks.
    if values.iter().all(|value| value % scale == 0) {
        return Some((1, values.iter().map(|value| value / scale).collect()));
    }
    Some((scale, values))
}

/// Conditions in ticks, from given values on.
fn scaled(path: &TimedPath, scale: i64, clocks: &[i64]) -> Result<TimedPath, Unsolved> {
    let mut path = path.clone();
    path.initial = clocks.to_vec();
    for stage in path.stages.iter_mut().chain([&mut path.last]) {
        let lists = [&mut stage.during, &mut stage.at_entry, &mut stage.at_exit];
        for c in lists.into_iter().flatten() {
            c.bound = c.bound.checked_mul(scale).ok_or(Unsolved::TooLarge)?;
        }
        for (_, reset) in &mut stage.resets {
            if let zonewalk_timing::Reset::To(value) = reset {
                *value = value.checked_mul(scale).ok_or(Unsolved::TooLarge)?;
            }
        }
    }
    Ok(path)
}
