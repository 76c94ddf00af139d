//! Counts of walks by the way they ended.

/// How the walks ended that did not find the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkEndCounts {
    /// Walks that reached their depth or the time bound.
    pub depth: u64,
    /// No transition is or will be enabled, and time can pass forever.
    pub deadlocks: u64,
    /// No transition is or will be enabled, and time cannot pass forever.
    pub time_locks: u64,
    /// No transition was enabled on the grid of times.
    pub off_grid: u64,
    /// Walks that reached their depth without time passing in their second half.
    pub zeno: u64,
    /// Walks that reached the time bound; also counted in `depth`.
    pub late: u64,
    /// The most steps after which a walk was cut by its depth though time passed in it.
    pub cut_steps: u64,
    /// The most steps of a walk that led nowhere: to a deadlock, a time-lock, off the grid, or through a Zeno run.
    pub stuck_steps: u64,
}

impl WalkEndCounts {
    /// Counts other walks too.
    pub fn add(&mut self, other: &WalkEndCounts) {
        self.depth += other.depth;
        self.deadlocks += other.deadlocks;
        self.time_locks += other.time_locks;
        self.off_grid += other.off_grid;
        self.zeno += other.zeno;
        self.late += other.late;
        self.cut_steps = self.cut_steps.max(other.cut_steps);
        self.stuck_steps = self.stuck_steps.max(other.stuck_steps);
    }
}
