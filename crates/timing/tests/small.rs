//! Small paths, against all their schedules in parts of a unit.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use zonewalk_timing::{
    Constraint, DEFAULT_BUDGET, Infimum, Objective, Reset, Schedule, Solution, Stage, TimedPath, Unsolved,
    check, solve, solve_from,
};

const CLOCKS: u32 = 2;
/// Three delays make four instants, and a circle through them has at most four strict limits.
const PARTS: i64 = 4;
/// Limits are at most 3 and values at most 2, so no least delay is longer than this.
const LONGEST: i64 = 5;

fn constraint() -> impl Strategy<Value = Constraint> {
    let clock = 0..CLOCKS;
    let bound = prop_oneof![
        (clock.clone(), 0..4).prop_map(|(c, b)| Constraint::at_most(c, b)),
        (clock.clone(), 0..4).prop_map(|(c, b)| Constraint::at_least(c, b)),
        (clock, -2..3).prop_map(|(c, b)| Constraint::difference(c, 1 - c, b)),
    ];
    (bound, any::<bool>()).prop_map(|(c, strict)| if strict { c.strictly() } else { c })
}

fn reset() -> impl Strategy<Value = (u32, Reset)> {
    let reset = prop_oneof![
        3 => (0..3).prop_map(Reset::To),
        1 => (0..CLOCKS, 0..2).prop_map(|(from, plus)| Reset::Copy { from, plus }),
    ];
    (0..CLOCKS, reset)
}

fn stage(stops: bool) -> impl Strategy<Value = Stage> {
    let some = || prop::collection::vec(constraint(), 0..2);
    let stopped = prop::collection::vec(0..CLOCKS, 0..if stops { 2 } else { 1 });
    let resets = prop::collection::vec(reset(), 0..3);
    let parts = (prop::bool::weighted(0.8), some(), some(), some(), stopped, resets);
    parts.prop_map(|(may_delay, during, at_entry, at_exit, stopped, resets)| Stage {
        may_delay,
        during,
        at_entry,
        at_exit,
        stopped,
        resets,
    })
}

fn path(stops: bool) -> impl Strategy<Value = TimedPath> {
    let initial = prop::collection::vec(0..2i32, CLOCKS as usize);
    let stages = prop::collection::vec(stage(stops), 0..3);
    (initial, stages, stage(stops)).prop_map(|(initial, stages, last)| TimedPath {
        initial,
        stages,
        last,
    })
}

/// All schedules in parts of a unit that satisfy the path.
fn all(path: &TimedPath, unit: i64) -> Vec<Schedule> {
    let count = path.stages.len() + 1;
    let mut schedule = Schedule {
        unit,
        delays: vec![0; count],
    };
    let mut found = Vec::new();
    loop {
        if check(path, &schedule).is_ok() {
            found.push(schedule.clone());
        }
        let Some(next) = schedule.delays.iter().position(|&d| d < LONGEST * unit) else {
            return found;
        };
        schedule.delays[..next].fill(0);
        schedule.delays[next] += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn simple_times_exist_and_are_whole_when_there_are_any(path in path(false)) {
        let is_possible = !all(&path, PARTS).is_empty() || !all(&path, 3).is_empty();
        match solve(&path, Objective::Simple, DEFAULT_BUDGET) {
            Ok(Solution { schedule, .. }) => {
                prop_assert_eq!(check(&path, &schedule), Ok(()));
                let coarsest = (1..=PARTS).find(|&unit| !all(&path, unit).is_empty());
                prop_assert_eq!(Some(schedule.unit), coarsest);
            }
            Err(error) => {
                prop_assert_eq!(error, Unsolved::Infeasible);
                prop_assert!(!is_possible);
            }
        }
    }

    #[test]
    fn nothing_is_faster_than_the_fastest(path in path(false)) {
        let Ok(Solution { schedule, infimum }) = solve(&path, Objective::Fastest, DEFAULT_BUDGET) else {
            return Ok(());
        };
        prop_assert_eq!(check(&path, &schedule), Ok(()));
        let Infimum { time, is_attained } = infimum.unwrap();
        let total = schedule.total().unwrap();
        if is_attained {
            prop_assert_eq!(total, time * schedule.unit);
        } else {
            prop_assert!(time * schedule.unit < total && total < (time + 1) * schedule.unit);
        }
        for other in (1..=PARTS).flat_map(|unit| all(&path, unit)) {
            let other_total = other.total().unwrap();
            prop_assert!(other_total >= time * other.unit, "{:?} is faster", other);
            prop_assert!(is_attained || other_total > time * other.unit, "{:?} attains it", other);
        }
    }

    #[test]
    fn clocks_that_stop_are_treated_too(path in path(true)) {
        let known = (1..=PARTS).flat_map(|unit| all(&path, unit)).last();
        for objective in [Objective::Simple, Objective::Fastest] {
            match solve_from(&path, objective, DEFAULT_BUDGET, known.as_ref()) {
                Ok(Solution { schedule, .. }) => prop_assert_eq!(check(&path, &schedule), Ok(())),
                Err(error) => prop_assert!(known.is_none(), "{:?}", error),
            }
            // Small programs are solved without any help.
            prop_assert_eq!(known.is_some(), solve(&path, objective, DEFAULT_BUDGET).is_ok());
        }
    }

    #[test]
    fn nothing_is_faster_where_clocks_stop(path in closed(path(true))) {
        let others: Vec<Schedule> = (1..=PARTS).flat_map(|unit| all(&path, unit)).collect();
        let solved = solve(&path, Objective::Fastest, DEFAULT_BUDGET);
        prop_assert_eq!(solved.is_ok(), !others.is_empty());
        let Ok(Solution { schedule, .. }) = solved else {
            return Ok(());
        };
        prop_assert_eq!(check(&path, &schedule), Ok(()));
        for other in others {
            prop_assert!(schedule.total().unwrap() * other.unit <= other.total().unwrap() * schedule.unit);
        }
    }
}

/// The same without strict limits.
fn closed(paths: impl Strategy<Value = TimedPath>) -> impl Strategy<Value = TimedPath> {
    paths.prop_map(|mut path| {
        for stage in path.stages.iter_mut().chain([&mut path.last]) {
            let all = stage
                .during
                .iter_mut()
                .chain(&mut stage.at_entry)
                .chain(&mut stage.at_exit);
            all.for_each(|c| c.strict = false);
        }
        path
    })
}
