//! Paths as long as those that walks find.
#![allow(clippy::unwrap_used)]

use zonewalk_timing::{
    Constraint, DEFAULT_BUDGET, Objective, Reset, Schedule, Stage, TimedPath, Unsolved, check, solve,
    solve_from,
};

/// A small generator of its own, so that the paths are the same forever.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

const CLOCKS: u32 = 30;

/// A random run with its conditions around it: limits that its own clock values keep, in ticks of a third.
fn run(length: usize, stops: bool, seed: u64) -> (TimedPath, Schedule) {
    let mut numbers = Numbers(seed);
    let mut values = vec![0i64; CLOCKS as usize];
    let mut path = TimedPath {
        initial: vec![0; CLOCKS as usize],
        ..TimedPath::default()
    };
    let mut delays = Vec::new();
    for number in 0..=length {
        let mut stage = Stage {
            may_delay: numbers.below(3) > 0,
            ..Stage::default()
        };
        let delay = if stage.may_delay {
            numbers.below(10) as i64
        } else {
            0
        };
        let entered = values.clone();
        if stops && numbers.below(4) == 0 {
            stage.stopped = vec![numbers.below(u64::from(CLOCKS)) as u32];
        }
        for (clock, value) in values.iter_mut().enumerate() {
            if !stage.stopped.contains(&(clock as u32)) {
                *value += delay;
            }
        }
        for _ in 0..3 {
            let clock = numbers.below(u64::from(CLOCKS)) as u32;
            let value = values[clock as usize];
            let slack = numbers.below(12) as i64;
            let (lower, upper) = (Constraint::at_least, Constraint::at_most);
            match numbers.below(4) {
                0 => stage.at_exit.push(lower(clock, ((value - slack) / 3).max(0))),
                1 => stage
                    .at_exit
                    .push(upper(clock, (value + slack + 3) / 3).strictly()),
                2 => stage.during.push(upper(clock, (value + slack + 2) / 3)),
                _ if entered[clock as usize] > 3 => stage.at_entry.push(lower(clock, 1).strictly()),
                _ => {}
            }
        }
        let clock = numbers.below(u64::from(CLOCKS)) as u32;
        if numbers.below(2) == 0 {
            stage.resets.push((clock, Reset::To(0)));
            values[clock as usize] = 0;
        }
        delays.push(delay);
        if number < length {
            path.stages.push(stage);
        } else {
            path.last = stage;
        }
    }
    (path, Schedule { unit: 3, delays })
}

#[test]
fn a_hundred_thousand_transitions() {
    let (path, known) = run(100_000, false, 1);
    assert_eq!(check(&path, &known), Ok(()));
    for objective in [Objective::Simple, Objective::Fastest] {
        let solution = solve(&path, objective, DEFAULT_BUDGET).unwrap();
        assert_eq!(check(&path, &solution.schedule), Ok(()));
        let (total, known) = (solution.schedule.total().unwrap(), known.total().unwrap());
        if objective == Objective::Fastest {
            assert!(total * 3 <= known * solution.schedule.unit);
        }
    }
}

#[test]
fn a_contradiction_at_the_end_of_a_long_path_is_found() {
    let (mut path, _) = run(20_000, false, 2);
    path.initial.extend([0, 0]);
    path.stages[0].resets.push((CLOCKS, Reset::To(0)));
    path.stages[1].resets.push((CLOCKS + 1, Reset::To(0)));
    assert!(solve(&path, Objective::Simple, DEFAULT_BUDGET).is_ok());
    // The clock that was set first is never the smaller one.
    let smaller = Constraint::difference(CLOCKS, CLOCKS + 1, 0).strictly();
    path.last.at_exit.push(smaller);
    assert_eq!(
        solve(&path, Objective::Simple, DEFAULT_BUDGET),
        Err(Unsolved::Infeasible)
    );
}

#[test]
fn long_paths_with_clocks_that_stop_keep_what_is_known() {
    let (path, known) = run(20_000, true, 3);
    assert_eq!(check(&path, &known), Ok(()));
    let solution = solve_from(&path, Objective::Fastest, DEFAULT_BUDGET, Some(&known)).unwrap();
    assert_eq!(check(&path, &solution.schedule), Ok(()));
    let (total, old) = (solution.schedule.total().unwrap(), known.total().unwrap());
    assert!(total * 3 < old * solution.schedule.unit);
}

#[test]
fn no_budget_is_no_answer() {
    let (path, _) = run(1_000, false, 4);
    assert_eq!(solve(&path, Objective::Simple, 10), Err(Unsolved::Spent));
}
