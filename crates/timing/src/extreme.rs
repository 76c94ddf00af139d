//! How large or small a clock can be at the end of a path.
//!
//! The conditions of a path are linear in its instants, so its schedules are a convex set, and so are the values that a
//! clock has at their ends. Where some schedule satisfies a path and another one satisfies it with every strict limit made
//! weak, all schedules on the line between the two but the last satisfy the path: the value at that end is approached as
//! closely as desired. Where a direction satisfies the path with every number replaced by 0, any multiple of it can be
//! added to a schedule. Both are found with rounded numbers and judged with exact ones.

use crate::check::{check, judged};
use crate::graph::Collector;
use crate::instants::{Condition, Instants, conditions};
use crate::path::{Constraint, Reset, TimedPath};
use crate::program::{Program, Sum};
use crate::schedule::Schedule;
use crate::solution::{Objective, Unsolved};
use crate::solve::solve_from;

/// In which direction a value is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extremum {
    /// The largest.
    Highest,
    /// The smallest.
    Lowest,
}

/// Bounds of the values that a clock can have at the end of a path. True ones may be larger or smaller: this is what
/// there is a proof of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The largest or smallest value that is known; `None` where every value is exceeded.
    pub limit: Option<Limit>,
    /// A schedule whose value is the limit, or near it where the limit is not attained.
    pub schedule: Schedule,
    /// Where the limit is not attained or does not exist: a schedule that goes farther.
    pub beyond: Option<Schedule>,
}

/// A value of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many parts of a unit.
    pub parts: i128,
    /// How many parts are one unit; positive.
    pub unit: i64,
    /// Whether a schedule has this value. Otherwise schedules come arbitrarily close to it.
    pub is_attained: bool,
}

/// Looks for the largest or smallest value of a clock at the end of a path, with about `budget` steps of work for each
/// system that is solved. Times that are known to satisfy the path save looking for the first ones.
///
/// # Errors
/// When no times of the path were found.
pub fn extreme(
    path: &TimedPath,
    clock: u32,
    aim: Extremum,
    budget: u64,
    known: Option<&Schedule>,
) -> Result<Extreme, Unsolved> {
    let first = match known.filter(|known| check(path, known).is_ok()) {
        Some(known) => known.clone(),
        None => solve_from(path, Objective::Simple, budget, None)?.schedule,
    };
    let value = |path: &TimedPath, schedule: &Schedule| {
        let values = judged(path, schedule).ok()?;
        values.get(clock as usize).map(|&parts| (parts, schedule.unit))
    };
    let from = value(path, &first).ok_or(Unsolved::NoClock(clock))?;
    let own = |(parts, unit): (i128, i64), schedule: Schedule| Extreme {
        limit: Some(Limit {
            parts,
            unit,
            is_attained: true,
        }),
        schedule,
        beyond: None,
    };
    let closed = path.closed();
    let Some(last) = farthest(&closed, clock, aim) else {
        let ray = if aim == Extremum::Highest {
            ray(path, clock, budget)
        } else {
            None
        };
        let farther = ray.and_then(|ray| added(&first, &ray, FAR));
        let farther = farther.filter(|farther| check(path, farther).is_ok());
        return Ok(match farther {
            Some(farther) => Extreme {
                limit: None,
                schedule: first,
                beyond: Some(farther),
            },
            None => own(from, first),
        });
    };
    let Some(to) = value(&closed, &last).filter(|&to| is_farther(aim, to, from)) else {
        return Ok(own(from, first));
    };
    // A schedule with simple numbers is worth another solution; the one that was found may do as well.
    let attained = whole(to).and_then(|number| {
        let path = path.ending_with(bound(aim, clock, number, false));
        solve_from(&path, Objective::Simple, budget, None).ok()
    });
    let attained = attained
        .map(|solution| solution.schedule)
        .or_else(|| check(path, &last).is_ok().then(|| last.clone()));
    if let Some(schedule) = attained {
        return Ok(own(to, schedule));
    }
    let near = whole_beyond(aim, to).and_then(|number| {
        let path = path.ending_with(bound(aim, clock, number, true));
        solve_from(&path, Objective::Simple, budget, None).ok()
    });
    let Some(beyond) = between(&first, &last).filter(|schedule| check(path, schedule).is_ok()) else {
        return Ok(own(from, first));
    };
    Ok(Extreme {
        limit: Some(Limit {
            parts: to.0,
            unit: to.1,
            is_attained: false,
        }),
        schedule: near.map_or(first, |solution| solution.schedule),
        beyond: Some(beyond),
    })
}

/// How many times a direction is added to a schedule for an example.
const FAR: i64 = 1_000;

/// How much closer to the limit an example is than the schedule that is known: this part of the way is left.
const CLOSE: i64 = 1_024;

/// Programs with more instants or conditions are not worth their time here: there are other paths.
const MOST_INSTANTS: usize = 300;

/// The schedule with the largest or smallest value of a clock, where that is found. Requires: no strict limits.
fn farthest(closed: &TimedPath, clock: u32, aim: Extremum) -> Option<Schedule> {
    let instants = Instants::new(closed).ok()?;
    if instants.count() > MOST_INSTANTS {
        return None;
    }
    let mut collector = Collector::new(instants.count());
    let mut sums = Vec::new();
    let tracker = conditions(closed, &instants, |condition| match condition {
        Condition::Difference(difference) => collector.push(difference),
        Condition::Sum { terms, bound, strict } => sums.push(Sum { terms, bound, strict }),
    });
    let mut price = tracker
        .and_then(|tracker| tracker.terms(clock, instants.end(closed.stages.len())))
        .ok()?;
    if aim == Extremum::Highest {
        for (_, factor) in &mut price {
            *factor = -*factor;
        }
    }
    let program = Program {
        instants: &instants,
        collector: &collector,
        sums: &sums,
    };
    program.cheapest(closed, &price)
}

/// A direction in which a path can be followed forever while a clock grows.
fn ray(path: &TimedPath, clock: u32, budget: u64) -> Option<Schedule> {
    let directions = path.homogeneous();
    let growing = directions.ending_with(Constraint::at_least(clock, 1));
    let ray = solve_from(&growing, Objective::Simple, budget, None)
        .ok()?
        .schedule;
    check(&growing, &ray).is_ok().then_some(ray)
}

/// `schedule + times · direction`
fn added(schedule: &Schedule, direction: &Schedule, times: i64) -> Option<Schedule> {
    combined(schedule, 1, direction, times, 1)
}

/// A schedule most of the way from one to another.
fn between(first: &Schedule, last: &Schedule) -> Option<Schedule> {
    combined(first, 1, last, CLOSE - 1, CLOSE)
}

/// `(a · first + b · second) / parts`
fn combined(first: &Schedule, a: i64, second: &Schedule, b: i64, parts: i64) -> Option<Schedule> {
    let unit = first.unit.checked_mul(second.unit)?.checked_mul(parts)?;
    let (a, b) = (a.checked_mul(second.unit)?, b.checked_mul(first.unit)?);
    let delays = first
        .delays
        .iter()
        .zip(&second.delays)
        .map(|(&one, &other)| a.checked_mul(one)?.checked_add(b.checked_mul(other)?));
    let delays = delays.collect::<Option<_>>()?;
    Some(Schedule { unit, delays }.in_lowest_terms())
}

/// `clock ≥ number` for the highest, `clock ≤ number` for the lowest.
fn bound(aim: Extremum, clock: u32, number: i64, strict: bool) -> Constraint {
    let constraint = match aim {
        Extremum::Highest => Constraint::at_least(clock, number),
        Extremum::Lowest => Constraint::at_most(clock, number),
    };
    Constraint { strict, ..constraint }
}

fn is_farther(aim: Extremum, (a, unit_a): (i128, i64), (b, unit_b): (i128, i64)) -> bool {
    let (Some(a), Some(b)) = (a.checked_mul(unit_b.into()), b.checked_mul(unit_a.into())) else {
        return false;
    };
    match aim {
        Extremum::Highest => a > b,
        Extremum::Lowest => a < b,
    }
}

/// The number itself, if it is whole.
fn whole((parts, unit): (i128, i64)) -> Option<i64> {
    let unit = i128::from(unit);
    (parts % unit == 0)
        .then(|| i64::try_from(parts / unit).ok())
        .flatten()
}

/// The last whole number before a value is reached.
fn whole_beyond(aim: Extremum, (parts, unit): (i128, i64)) -> Option<i64> {
    let unit = i128::from(unit);
    let number = match aim {
        Extremum::Highest => (parts - 1).div_euclid(unit),
        Extremum::Lowest => parts.div_euclid(unit) + 1,
    };
    i64::try_from(number).ok()
}

impl TimedPath {
    /// Adds one more condition at the end.
    fn ending_with(&self, constraint: Constraint) -> TimedPath {
        let mut path = self.clone();
        path.last.at_exit.push(constraint);
        path
    }

    /// The path with every strict limit made weak.
    fn closed(&self) -> TimedPath {
        self.with(|constraint| constraint.strict = false, |_| {})
    }

    /// Conditions on directions in which a schedule can be moved forever: every number is 0.
    fn homogeneous(&self) -> TimedPath {
        let mut path = self.with(
            |constraint| {
                constraint.strict = false;
                constraint.bound = 0;
            },
            |reset| match reset {
                Reset::To(value) => *value = 0,
                Reset::Copy { plus, .. } => *plus = 0,
            },
        );
        path.initial.fill(0);
        path
    }

    fn with(&self, constraint: impl Fn(&mut Constraint), reset: impl Fn(&mut Reset)) -> TimedPath {
        let mut path = self.clone();
        for stage in path.stages.iter_mut().chain([&mut path.last]) {
            let lists = [&mut stage.during, &mut stage.at_entry, &mut stage.at_exit];
            lists.into_iter().flatten().for_each(&constraint);
            stage.resets.iter_mut().for_each(|(_, to)| reset(to));
        }
        path
    }
}
