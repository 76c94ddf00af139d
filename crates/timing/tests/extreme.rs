//! The largest and smallest values of a clock at the end of small paths, against all their schedules in parts of a unit.
#![allow(clippy::unwrap_used)]

use crate::support;

use proptest::prelude::*;
use support::{CLOCKS, PARTS, all, path};
use zonewalk_timing::{
    Constraint, DEFAULT_BUDGET, Extremum, Reset, Schedule, Stage, TimedPath, check, extreme,
};

/// The value of a clock at the end, in ticks.
fn value(path: &TimedPath, schedule: &Schedule, clock: u32) -> i128 {
    let unit = i128::from(schedule.unit);
    let mut values: Vec<i128> = path.initial.iter().map(|&v| i128::from(v) * unit).collect();
    let stages = path.stages.iter().chain([&path.last]);
    for (number, (stage, &delay)) in stages.zip(&schedule.delays).enumerate() {
        for (clock, value) in (0..).zip(&mut values) {
            if !stage.stopped.contains(&clock) {
                *value += i128::from(delay);
            }
        }
        let resets = stage.resets.iter().filter(|_| number < path.stages.len());
        for &(clock, reset) in resets {
            values[clock as usize] = match reset {
                Reset::To(to) => i128::from(to) * unit,
                Reset::Copy { from, plus } => values[from as usize] + i128::from(plus) * unit,
            };
        }
    }
    values[clock as usize]
}

fn compare(aim: Extremum, a: (i128, i64), b: (i128, i64)) -> std::cmp::Ordering {
    let order = (a.0 * i128::from(b.1)).cmp(&(b.0 * i128::from(a.1)));
    match aim {
        Extremum::Highest => order,
        Extremum::Lowest => order.reverse(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn nothing_lies_beyond_the_limit(path in path(true), clock in 0..CLOCKS, highest in any::<bool>()) {
        let aim = if highest { Extremum::Highest } else { Extremum::Lowest };
        let others: Vec<Schedule> = (1..=PARTS).flat_map(|unit| all(&path, unit)).collect();
        let found = extreme(&path, clock, aim, DEFAULT_BUDGET, None);
        prop_assert_eq!(found.is_ok(), !others.is_empty());
        let Ok(found) = found else { return Ok(()) };
        prop_assert_eq!(check(&path, &found.schedule), Ok(()));
        let shown = (value(&path, &found.schedule, clock), found.schedule.unit);
        if let Some(beyond) = &found.beyond {
            prop_assert_eq!(check(&path, beyond), Ok(()));
        }
        let Some(limit) = found.limit else {
            let beyond = found.beyond.unwrap();
            let farther = (value(&path, &beyond, clock), beyond.unit);
            prop_assert_eq!(aim, Extremum::Highest);
            prop_assert!(farther.0 >= i128::from(farther.1) * 1_000);
            return Ok(());
        };
        let end = (limit.parts, limit.unit);
        if limit.is_attained {
            prop_assert_eq!(compare(aim, shown, end), std::cmp::Ordering::Equal);
        } else {
            let beyond = found.beyond.unwrap();
            let farther = (value(&path, &beyond, clock), beyond.unit);
            prop_assert!(compare(aim, shown, end).is_lt());
            prop_assert!(compare(aim, farther, end).is_lt());
            // Less than a unit is left of what was five units at most.
            let left = end.0 * i128::from(farther.1) - farther.0 * i128::from(end.1);
            prop_assert!(left.abs() * 100 < i128::from(end.1) * i128::from(farther.1));
        }
        for other in &others {
            let order = compare(aim, (value(&path, other, clock), other.unit), end);
            prop_assert!(order.is_lt() || (order.is_eq() && limit.is_attained), "{:?} lies beyond", other);
        }
    }
}

/// One stage in which a clock runs, with these conditions at its end.
fn single(at_exit: Vec<Constraint>) -> TimedPath {
    TimedPath {
        initial: vec![0, 0],
        stages: Vec::new(),
        last: Stage {
            may_delay: true,
            at_exit,
            ..Stage::default()
        },
    }
}

#[test]
fn attained_approached_and_without_a_limit() {
    let highest = |path: &TimedPath| extreme(path, 0, Extremum::Highest, DEFAULT_BUDGET, None).unwrap();
    let told = |path: &TimedPath| {
        highest(path)
            .limit
            .map(|l| (l.parts / i128::from(l.unit), l.is_attained))
    };
    assert_eq!(told(&single(vec![Constraint::at_most(0, 7)])), Some((7, true)));
    assert_eq!(
        told(&single(vec![Constraint::at_most(0, 7).strictly()])),
        Some((7, false))
    );
    assert_eq!(told(&single(vec![])), None);
    assert_eq!(told(&single(vec![Constraint::at_least(1, 3)])), None);
}

#[test]
fn a_limit_need_not_be_a_whole_number() {
    // One clock runs in the first stage, another in the second, and both are the same in the end: half of 15.
    let path = TimedPath {
        initial: vec![0, 0, 0],
        stages: vec![Stage {
            may_delay: true,
            stopped: vec![1],
            ..Stage::default()
        }],
        last: Stage {
            may_delay: true,
            stopped: vec![0],
            at_exit: vec![
                Constraint::at_most(2, 15),
                Constraint::difference(0, 1, 0),
                Constraint::difference(1, 0, 0),
            ],
            ..Stage::default()
        },
    };
    let found = extreme(&path, 0, Extremum::Highest, DEFAULT_BUDGET, None).unwrap();
    let limit = found.limit.unwrap();
    assert_eq!((limit.parts, limit.unit, limit.is_attained), (15, 2, true));
    assert_eq!(found.schedule.delays, [15, 15]);
}
