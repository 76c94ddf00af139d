//! Small random paths, and all their schedules in parts of a unit.

use proptest::prelude::*;
use zonewalk_timing::{Constraint, Reset, Schedule, Stage, TimedPath, check};

pub(crate) const CLOCKS: u32 = 2;
/// Three delays make four instants, and a circle through them has at most four strict limits.
pub(crate) const PARTS: i64 = 4;
/// Limits are at most 3 and values at most 2, so no least delay is longer than this.
const LONGEST: i64 = 5;

fn constraint() -> impl Strategy<Value = Constraint> {
    let clock = 0..CLOCKS;
    let bound = prop_oneof![
        (clock.clone(), 0..4_i64).prop_map(|(c, b)| Constraint::at_most(c, b)),
        (clock.clone(), 0..4_i64).prop_map(|(c, b)| Constraint::at_least(c, b)),
        (clock, -2..3_i64).prop_map(|(c, b)| Constraint::difference(c, 1 - c, b)),
    ];
    (bound, any::<bool>()).prop_map(|(c, strict)| if strict { c.strictly() } else { c })
}

fn reset() -> impl Strategy<Value = (u32, Reset)> {
    let reset = prop_oneof![
        3 => (0..3i64).prop_map(Reset::To),
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

pub(crate) fn path(stops: bool) -> impl Strategy<Value = TimedPath> {
    let initial = prop::collection::vec(0..2i64, CLOCKS as usize);
    let stages = prop::collection::vec(stage(stops), 0..3);
    (initial, stages, stage(stops)).prop_map(|(initial, stages, last)| TimedPath {
        initial,
        stages,
        last,
    })
}

/// All schedules in parts of a unit that satisfy the path.
pub(crate) fn all(path: &TimedPath, unit: i64) -> Vec<Schedule> {
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
