//! Monitors: they watch a run for a query.

mod extreme;
mod mitl;
mod reach;
mod series;
#[cfg(test)]
mod testing;
mod until;

pub use extreme::Extreme;
pub use mitl::{Formula, Recorder};
pub use reach::Reach;
pub use series::{Curves, Observed, Series};
pub use until::Until;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use zonewalk_sampling::{Monitor, Piece, RunError};

/// Both look at the same run, each until it has seen enough.
pub struct Both<'a> {
    first: &'a mut dyn Monitor,
    second: &'a mut dyn Monitor,
    is_open: (bool, bool),
}

impl<'a> Both<'a> {
    /// At the beginning of a run.
    pub fn new(first: &'a mut dyn Monitor, second: &'a mut dyn Monitor) -> Both<'a> {
        Both {
            first,
            second,
            is_open: (true, true),
        }
    }
}

impl Monitor for Both<'_> {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.is_open.0 = self.is_open.0 && self.first.piece(piece)?.is_continue();
        self.is_open.1 = self.is_open.1 && self.second.piece(piece)?.is_continue();
        Ok(if self.is_open.0 || self.is_open.1 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    }
}

/// Ends a run when all of them were ended.
pub struct Interruptible<'a> {
    monitor: &'a mut dyn Monitor,
    flags: [&'a AtomicBool; 2],
    is_late: &'a dyn Fn() -> bool,
    pieces: u32,
    /// The transitions before the first piece, and before the last one.
    steps: Option<(u64, u64)>,
    /// Whether the run was ended.
    pub is_interrupted: bool,
}

/// Pieces between two looks at the clock.
const PATIENCE: u32 = 256;

impl<'a> Interruptible<'a> {
    /// At the beginning of a run. Either flag ends it, and so does the clock, which is examined now and then.
    pub fn new(
        monitor: &'a mut dyn Monitor,
        flags: [&'a AtomicBool; 2],
        is_late: &'a dyn Fn() -> bool,
    ) -> Interruptible<'a> {
        Interruptible {
            monitor,
            flags,
            is_late,
            pieces: 0,
            steps: None,
            is_interrupted: false,
        }
    }

    /// The transitions that have been seen.
    pub fn steps(&self) -> u64 {
        self.steps.map_or(0, |(first, last)| last.saturating_sub(first))
    }
}

impl Monitor for Interruptible<'_> {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        let is_set = |flag: &&AtomicBool| flag.load(Ordering::Relaxed);
        let looks = self.pieces.is_multiple_of(PATIENCE);
        self.pieces = self.pieces.wrapping_add(1);
        if self.flags.iter().any(is_set) || (looks && (self.is_late)()) {
            self.is_interrupted = true;
            return Ok(ControlFlow::Break(()));
        }
        let steps = piece.steps();
        self.steps = Some((self.steps.map_or(steps, |(first, _)| first), steps));
        self.monitor.piece(piece)
    }
}
