//! Budget of the search for a shortest run.

use crate::stop::Stop;
use zonewalk_search::{Limit, Limits, Meter};

/// Why a search for a shortest run ends before it is complete.
pub(super) enum Halt {
    Limit(Limit),
    /// Its effort is used up.
    Effort,
    /// The model fails.
    Fault,
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Halt {
        Halt::Fault
    }
}

/// Work of a search, and the rest of its limits.
pub(super) struct Budget<'l> {
    pub(super) meter: Meter<'l>,
    /// Counted in steps from one known state to the next.
    effort: u64,
}

/// The effort of computing a successor.
const SUCCESSOR: u64 = 128;

/// Steps between two looks at the limits.
const ASK_EVERY: u64 = 1 << 12;

impl<'l> Budget<'l> {
    pub(super) fn new(limits: &Limits<'l>, effort: u64) -> Budget<'l> {
        Budget {
            meter: Meter::new(limits),
            effort,
        }
    }

    /// A step from one known state to the next.
    pub(super) fn step(&mut self) -> Result<(), Halt> {
        if self.effort.is_multiple_of(ASK_EVERY) {
            self.check()?;
        }
        self.spend(1)
    }

    /// The successors of a state were computed.
    pub(super) fn expand(&mut self, successors: usize) -> Result<(), Halt> {
        self.meter.statistics.states_explored += 1;
        self.meter.statistics.transitions += successors as u64;
        self.check()?;
        self.spend(SUCCESSOR * (1 + successors as u64))
    }

    pub(super) fn spend(&mut self, effort: u64) -> Result<(), Halt> {
        self.effort = self.effort.saturating_sub(effort);
        if self.effort == 0 {
            return Err(Halt::Effort);
        }
        Ok(())
    }

    /// Whether a limit forbids to go on.
    pub(super) fn check(&mut self) -> Result<(), Halt> {
        self.meter
            .forbids_expansion()
            .map_or(Ok(()), |limit| Err(Halt::Limit(limit)))
    }
}
