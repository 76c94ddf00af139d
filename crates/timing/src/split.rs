//! Better times from known ones where clocks stop: the conditions are made a little stronger, so that they are differences.
//!
//! The value of a clock that stopped is a sum of stretches of time. Known times share the limit of the sum out among the
//! stretches; a limit for each of them is a difference. What satisfies these satisfies the sum, and the known times still
//! do. So the least solution is no slower than what is known, though perhaps not the fastest.

use crate::graph::Graph;
use crate::instants::Difference;
use crate::least::least;
use crate::program::{Program, Sum};
use crate::schedule::Schedule;

/// Schedules in coarser and coarser parts of a unit, down to those of the known one, which always work.
/// Requires: the known schedule satisfies the path.
pub(crate) fn split(program: &Program<'_>, known: &Schedule, work: &mut u64) -> Vec<Schedule> {
    let Some(instants) = known_instants(program, known) else {
        return Vec::new();
    };
    let units = [1, 2, 4, known.unit];
    let useful = units.into_iter().filter(|&u| u <= known.unit);
    useful
        .filter_map(|unit| {
            let mut differences = Vec::new();
            for difference in program.collector.needed() {
                differences.push(in_parts(difference, unit)?);
            }
            for sum in program.sums {
                share(sum, &instants, known.unit, unit, &mut differences)?;
            }
            let labels = least(&Graph::new(program.instants.count(), &differences), 1, work).ok()?;
            Some(program.instants.schedule(unit, &labels))
        })
        .collect()
}

/// The known instants, in ticks.
fn known_instants(program: &Program<'_>, known: &Schedule) -> Option<Vec<i64>> {
    let mut instants = vec![0; program.instants.count()];
    let mut now = 0i64;
    for (&end, &delay) in program.instants.ends().iter().zip(&known.delays) {
        now = now.checked_add(delay)?;
        instants[end as usize] = now;
    }
    Some(instants)
}

fn in_parts(difference: Difference, unit: i64) -> Option<Difference> {
    let bound = difference.bound.checked_mul(unit)?;
    Some(Difference {
        bound: bound.checked_sub(i64::from(difference.strict))?,
        strict: false,
        ..difference
    })
}

/// A stretch of time that counts `factor` times in a sum.
struct WeightedSpan {
    from: u32,
    until: u32,
    factor: i64,
    /// The longest that it may take, or the shortest where the factor is negative, in parts.
    limit: i64,
    /// Whether it takes a little more than the limit (or less).
    is_short: bool,
}

/// Shares a limit out among the stretches of its sum. `None` when parts are too coarse for that.
fn share(
    sum: &Sum,
    instants: &[i64],
    known_unit: i64,
    unit: i64,
    differences: &mut Vec<Difference>,
) -> Option<()> {
    // Σ f·T = Σ (sum of the factors from here on) · (T − the T before), and the beginning is 0.
    let mut stretches = Vec::with_capacity(sum.terms.len());
    let mut factor: i64 = sum.terms.iter().map(|&(_, f)| f).sum();
    let mut from = 0;
    for &(until, f) in &sum.terms {
        if factor != 0 {
            let length = i128::from(instants[until as usize] - instants[from as usize]) * i128::from(unit);
            let (parts, rest) = (
                length.div_euclid(known_unit.into()),
                length.rem_euclid(known_unit.into()),
            );
            let is_short = rest != 0;
            let rounded = parts + i128::from(is_short && factor < 0);
            stretches.push(WeightedSpan {
                from,
                until,
                factor,
                limit: i64::try_from(rounded).ok()?,
                is_short,
            });
        }
        factor -= f;
        from = until;
    }
    let used = stretches.iter().try_fold(0i64, |used, s| {
        s.factor.checked_mul(s.limit).and_then(|l| used.checked_add(l))
    })?;
    let mut left = sum.bound.checked_mul(unit)?.checked_sub(used)? - i64::from(sum.strict);
    for stretch in stretches.iter_mut().filter(|s| s.is_short) {
        if left >= stretch.factor.abs() {
            left -= stretch.factor.abs();
            stretch.limit += stretch.factor.signum();
        }
    }
    if left < 0 {
        return None;
    }
    // What is left over goes to the last: the later a stretch, the fewer others depend on it.
    if let Some(last) = stretches.last_mut() {
        last.limit += left / last.factor.abs() * last.factor.signum();
    }
    differences.extend(stretches.iter().map(|s| {
        let (left, right, bound) = if s.factor > 0 {
            (s.until, s.from, s.limit)
        } else {
            (s.from, s.until, -s.limit)
        };
        Difference {
            left,
            right,
            bound,
            strict: false,
        }
    }));
    Some(())
}
