//! The task set of the scheduler family, by formula.
//!
//! Times are microseconds and multiples of [`QUANTUM`], so that every percentage of a worst case is a whole number.
//!
//! One control task with a short period has the highest priority, one background task the lowest, and both use
//! resource 0. Between them stand the workers, which share other resources in groups and keep the processor busy from the
//! start. So the background task locks resource 0 at the instant that is the sum of all execution times before it:
//! [`BEFORE_LOCK`] when all are worst cases, which lies in the second period of the control task, where nothing bad
//! happens. When they are so much shorter that the lock comes just before that second period, the control task has to
//! wait for the background task, longer than its deadline allows. That takes at most [`CRITICAL_PERCENT`] of the worst
//! case, nearly everywhere at a time.

/// A task: what it uses and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub offset: i64,
    pub period: i64,
    pub deadline: i64,
    /// Worst cases of its three sections: before, with and after its resource.
    pub sections: [i64; 3],
    pub resource: i64,
}

impl Task {
    pub(super) fn work(&self) -> i64 {
        self.sections.iter().sum()
    }
}

pub(super) const QUANTUM: i64 = 100;
/// The period of the control task.
const CONTROL_PERIOD: i64 = 50_000;
/// The work before the background task's lock, at the worst.
pub(super) const BEFORE_LOCK: i64 = 62_000;
/// The largest percentage of the worst case with which the lock comes before the control task's second release.
pub(super) const CRITICAL_PERCENT: i64 = (CONTROL_PERIOD * 100 - 1) / BEFORE_LOCK;
/// The last worker, with the highest priority, comes before this time: late enough to find resources taken, early
/// enough to leave the background task no room.
const WORKERS_COME: i64 = 30_000;

/// The tasks, highest priority first. Requires: `n >= 3`.
pub(super) fn tasks(n: i64) -> Vec<Task> {
    let control = Task {
        offset: 0,
        period: CONTROL_PERIOD,
        deadline: 19_000,
        sections: [2_000, 4_000, 4_000],
        resource: 0,
    };
    let background = Task {
        offset: 0,
        period: 4 * CONTROL_PERIOD,
        deadline: 2 * CONTROL_PERIOD,
        sections: [3_000, 12_000, 4_000],
        resource: 0,
    };
    let shared = BEFORE_LOCK - control.work() - background.sections[0];
    let mut tasks = vec![control];
    tasks.extend(workers(n - 2, shared));
    tasks.push(background);
    tasks
}

/// `count` tasks that share that much work. The lower its priority, the earlier a worker comes, so that the later ones
/// meet resources that are taken.
fn workers(count: i64, work: i64) -> Vec<Task> {
    let weight = |i: i64| 2 + 3 * i % 5;
    let weights: i64 = (0..count).map(weight).sum();
    let groups = (count / 3).max(1);
    let mut left = work;
    let worker = |i: i64| {
        let share = if i + 1 == count {
            left
        } else {
            whole(work * weight(i) / weights)
        };
        left -= share;
        let locked = whole(share / 4).max(QUANTUM);
        let first = whole(share / 2).max(QUANTUM);
        Task {
            offset: whole(WORKERS_COME * (count - 1 - i) / count),
            period: CONTROL_PERIOD * if i % 2 == 0 { 4 } else { 2 },
            deadline: 2 * CONTROL_PERIOD,
            sections: [first, locked, share - first - locked],
            resource: 1 + i % groups,
        }
    };
    (0..count).map(worker).collect()
}

fn whole(time: i64) -> i64 {
    time / QUANTUM * QUANTUM
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Properties promised by the module's description, which imply the expected verdicts.
    #[test]
    fn the_lock_comes_when_all_work_before_it_is_done() {
        for n in 3..=super::super::MAX_TASKS {
            let tasks = tasks(n);
            assert_eq!(tasks.len() as i64, n);
            let (background, others) = tasks.split_last().unwrap();
            let before: i64 = others.iter().map(Task::work).sum();
            assert_eq!(before + background.sections[0], BEFORE_LOCK, "n = {n}");
            for task in &tasks {
                assert!(
                    task.sections.iter().all(|&s| s > 0 && s % QUANTUM == 0),
                    "n = {n}: {task:?}"
                );
                assert!(task.deadline <= task.period);
                // At the critical percentage the processor is busy with what came before.
                let earlier = others.iter().filter(|t| t.offset < task.offset);
                let work: i64 = earlier.map(Task::work).sum();
                assert!(
                    task.offset == 0 || work * CRITICAL_PERCENT > task.offset * 100,
                    "n = {n}: {task:?}"
                );
            }
        }
    }

    #[test]
    fn everything_else_is_in_time() {
        for n in 3..=super::super::MAX_TASKS {
            let tasks = tasks(n);
            // All the work up to the control task's third release ends before it, in whatever order it is done.
            let once: i64 = tasks.iter().map(Task::work).sum();
            assert!(once + tasks[0].work() < 2 * CONTROL_PERIOD, "n = {n}");
            assert!(tasks[0].work() <= tasks[0].deadline);
            assert!(tasks.iter().skip(1).all(|t| t.deadline == 2 * CONTROL_PERIOD));
            // A worker waits at the worst for three control jobs, for every other worker once (those with a higher
            // priority come later, hence not twice) and for one critical section of the background task.
            let (background, others) = tasks.split_last().unwrap();
            let workers = &others[1..];
            assert!(workers.is_sorted_by(|higher, lower| higher.offset >= lower.offset));
            let work = workers.iter().map(Task::work).sum::<i64>() + background.sections[1];
            assert!(3 * tasks[0].work() + work < 2 * CONTROL_PERIOD, "n = {n}");
        }
    }

    #[test]
    fn the_critical_percentage_is_critical() {
        assert_eq!(CRITICAL_PERCENT, 80);
        let lock = BEFORE_LOCK * CRITICAL_PERCENT / 100;
        let [control, .., background] = &tasks(5)[..] else {
            panic!()
        };
        // The background task locks just in time and takes its worst case, and so does the control task.
        let response = lock + background.sections[1] - CONTROL_PERIOD + control.work();
        assert!(lock < CONTROL_PERIOD && response > control.deadline);
        let next = BEFORE_LOCK * (CRITICAL_PERCENT + 1) / 100;
        assert!(next >= CONTROL_PERIOD);
    }
}
