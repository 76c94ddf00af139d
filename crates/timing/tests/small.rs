//! Small paths, against all their schedules in parts of a unit.
#![allow(clippy::unwrap_used)]

use crate::support;

use proptest::prelude::*;
use support::{PARTS, all, path};
use zonewalk_timing::{
    DEFAULT_BUDGET, Infimum, Objective, Schedule, Solution, TimedPath, Unsolved, check, solve, solve_from,
};

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

/// Paths without strict limits.
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
