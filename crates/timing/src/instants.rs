//! Conditions on clocks as conditions on the instants at which stages begin and end.
//!
//! A clock that has run since it was set to `v` at instant `s` has the value `T − T_s + v`; one that stood still on the
//! way has the lengths of those stretches less. Copying a clock copies this description.

use crate::path::{Constraint, Reset, Stage, TimedPath};
use crate::schedule::Schedule;
use crate::solution::Unsolved;

/// How many terms the conditions of clocks that stopped may have in all. A clock that is stopped a thousand times and never
/// set again has a thousand terms in each.
const MOST_TERMS: usize = 2_000_000;

/// A condition on instants, which are numbered as in [`Instants`]. Instant 0 is the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// `later − earlier ≤ bound`, or the like with either order of the two.
    Difference(Difference),
    /// `Σ factor · instant ≤ bound`, where that is not a difference.
    Sum {
        terms: Vec<(u32, i64)>,
        bound: i64,
        strict: bool,
    },
}

/// `left − right ≤ bound`, or `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) left: u32,
    pub(crate) right: u32,
    pub(crate) bound: i64,
    pub(crate) strict: bool,
}

/// The instants of a path that may differ: stages in which no time passes begin and end together.
pub(crate) struct Instants {
    /// The number of each stage's end; the beginning has the number 0.
    ends: Vec<u32>,
}

impl Instants {
    pub(crate) fn new(path: &TimedPath) -> Result<Self, Unsolved> {
        let mut ends = Vec::with_capacity(path.stages.len() + 1);
        let mut vertex = 0u32;
        for stage in path.stages.iter().chain([&path.last]) {
            if stage.may_delay {
                vertex = vertex.checked_add(1).ok_or(Unsolved::TooLarge)?;
            }
            ends.push(vertex);
        }
        Ok(Instants { ends })
    }

    /// The number of the instant at which a stage ends.
    pub(crate) fn end(&self, stage: usize) -> u32 {
        self.ends[stage]
    }

    /// When each stage ends.
    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Times of these instants as delays.
    pub(crate) fn schedule(&self, unit: i64, labels: &[i64]) -> Schedule {
        let ends = self.ends.iter().map(|&end| labels[end as usize]);
        Schedule::from_instants(unit, ends)
    }

    /// How many instants there are.
    pub(crate) fn count(&self) -> usize {
        // There is always the last stage.
        self.ends[self.ends.len() - 1] as usize + 1
    }
}

/// Where a clock's value comes from.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// The instant at which it had `value`.
    since: u32,
    value: i64,
    /// Stretches since then in which it stood still: instants in rising order.
    pauses: Vec<(u32, u32)>,
}

impl Origin {
    /// The time that the clock has run until now.
    fn add_terms(&self, now: u32, sign: i64, terms: &mut Vec<(u32, i64)>) {
        terms.extend([(now, sign), (self.since, -sign)]);
        for &(from, until) in &self.pauses {
            terms.extend([(until, -sign), (from, sign)]);
        }
    }
}

/// Calls `emit` with every condition of a path, in the order of the instants at which they must hold. Conditions that hold
/// whatever the times are left out. Returns what the clocks are at the end.
pub(crate) fn conditions(
    path: &TimedPath,
    instants: &Instants,
    mut emit: impl FnMut(Condition),
) -> Result<Tracker, Unsolved> {
    let mut tracker = Tracker {
        origins: path
            .initial
            .iter()
            .map(|&value| Origin {
                value,
                ..Origin::default()
            })
            .collect(),
        terms_left: MOST_TERMS,
    };
    let mut begin = 0;
    for (number, stage) in path.stages.iter().chain([&path.last]).enumerate() {
        let end = instants.end(number);
        for constraint in stage.during.iter().chain(&stage.at_entry) {
            tracker.condition(constraint, begin, &mut emit)?;
        }
        tracker.stop(stage, begin, end)?;
        for constraint in stage.during.iter().chain(&stage.at_exit) {
            tracker.condition(constraint, end, &mut emit)?;
        }
        if number < path.stages.len() {
            tracker.reset(stage, end)?;
        }
        begin = end;
    }
    Ok(tracker)
}

/// Where the values of all clocks come from.
pub(crate) struct Tracker {
    origins: Vec<Origin>,
    terms_left: usize,
}

fn origin(origins: &[Origin], clock: u32) -> Result<&Origin, Unsolved> {
    origins.get(clock as usize).ok_or(Unsolved::NoClock(clock))
}

impl Tracker {
    /// The value of a clock at an instant, as a sum of instants; the number that is added to it is left out.
    pub(crate) fn terms(&self, clock: u32, now: u32) -> Result<Vec<(u32, i64)>, Unsolved> {
        let mut terms = Vec::new();
        origin(&self.origins, clock)?.add_terms(now, 1, &mut terms);
        Ok(collected(terms))
    }

    fn stop(&mut self, stage: &Stage, begin: u32, end: u32) -> Result<(), Unsolved> {
        for &clock in &stage.stopped {
            let origin = self
                .origins
                .get_mut(clock as usize)
                .ok_or(Unsolved::NoClock(clock))?;
            match origin.pauses.last_mut() {
                _ if begin == end => {}
                None if origin.since == begin => origin.since = end,
                Some((_, until)) if *until == begin => *until = end,
                // A clock that is named twice has been stopped already.
                Some((_, until)) if *until == end => {}
                _ if origin.since == end => {}
                _ => origin.pauses.push((begin, end)),
            }
        }
        Ok(())
    }

    fn reset(&mut self, stage: &Stage, now: u32) -> Result<(), Unsolved> {
        for &(clock, reset) in &stage.resets {
            let origin = match reset {
                Reset::To(value) => Origin {
                    since: now,
                    value,
                    pauses: Vec::new(),
                },
                Reset::Copy { from, plus } => {
                    let mut origin = origin(&self.origins, from)?.clone();
                    origin.value = origin.value.checked_add(plus.into()).ok_or(Unsolved::TooLarge)?;
                    origin
                }
            };
            *self
                .origins
                .get_mut(clock as usize)
                .ok_or(Unsolved::NoClock(clock))? = origin;
        }
        Ok(())
    }

    fn condition(
        &mut self,
        constraint: &Constraint,
        now: u32,
        emit: &mut impl FnMut(Condition),
    ) -> Result<(), Unsolved> {
        let origins = &self.origins;
        let side = |clock: Option<u32>| clock.map(|clock| origin(origins, clock)).transpose();
        let (left, right) = (side(constraint.left)?, side(constraint.right)?);
        let value = |origin: Option<&Origin>| origin.map_or(0, |o| o.value);
        // Values begin with 32 bits and grow by 32 bits a step; a path that gets to the end of 64 is not one.
        let bound = constraint
            .bound
            .checked_sub(value(left))
            .and_then(|b| b.checked_add(value(right)))
            .ok_or(Unsolved::TooLarge)?;
        let strict = constraint.strict;
        let pauses = |origin: Option<&Origin>| origin.map_or(0, |o| o.pauses.len());
        let count = pauses(left) + pauses(right);
        if count == 0 {
            // `T − T_l − (T − T_r)`: with both sides the present falls out.
            let (left, right) = match (left, right) {
                (None, None) => (0, 0),
                (Some(l), None) => (now, l.since),
                (None, Some(r)) => (r.since, now),
                (Some(l), Some(r)) => (r.since, l.since),
            };
            return difference(left, right, bound, strict, emit);
        }
        self.terms_left = self
            .terms_left
            .checked_sub(2 * count + 3)
            .ok_or(Unsolved::TooLarge)?;
        let mut terms = Vec::with_capacity(2 * count + 3);
        for (origin, sign) in [(left, 1), (right, -1)] {
            if let Some(origin) = origin {
                origin.add_terms(now, sign, &mut terms);
            }
        }
        let terms = collected(terms);
        match terms[..] {
            [] => difference(0, 0, bound, strict, emit),
            [(a, 1)] => difference(a, 0, bound, strict, emit),
            [(a, -1)] => difference(0, a, bound, strict, emit),
            [(a, 1), (b, -1)] | [(b, -1), (a, 1)] => difference(a, b, bound, strict, emit),
            _ => {
                emit(Condition::Sum { terms, bound, strict });
                Ok(())
            }
        }
    }
}

fn difference(
    left: u32,
    right: u32,
    bound: i64,
    strict: bool,
    emit: &mut impl FnMut(Condition),
) -> Result<(), Unsolved> {
    // Instants are in order, so only a bound below 0 says something about an earlier less a later one.
    let is_empty = |bound: i64| bound > 0 || (bound == 0 && !strict);
    if left == right {
        return if is_empty(bound) {
            Ok(())
        } else {
            Err(Unsolved::Infeasible)
        };
    }
    if left > right || !is_empty(bound) {
        emit(Condition::Difference(Difference {
            left,
            right,
            bound,
            strict,
        }));
    }
    Ok(())
}

/// Terms of each instant added up; the beginning is 0 and falls out.
fn collected(mut terms: Vec<(u32, i64)>) -> Vec<(u32, i64)> {
    terms.sort_unstable();
    let mut sums: Vec<(u32, i64)> = Vec::with_capacity(terms.len());
    for (instant, factor) in terms {
        match sums.last_mut() {
            Some((last, sum)) if *last == instant => *sum += factor,
            _ => sums.push((instant, factor)),
        }
    }
    sums.retain(|&(instant, factor)| instant != 0 && factor != 0);
    sums
}
