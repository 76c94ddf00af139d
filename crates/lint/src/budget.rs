//! Limits on the effort of a check.

use crate::check::Check;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// How to check.
#[derive(Clone, Debug)]
pub struct LintOptions {
    /// The checks to make.
    pub checks: Vec<Check>,
    /// Time for all of them together.
    pub timeout: Duration,
    /// Memory for states, in bytes.
    pub memory: Option<u64>,
    /// Threads for searches that have several.
    pub threads: NonZeroUsize,
    /// Seed of random choices.
    pub seed: u64,
}

impl Default for LintOptions {
    /// All checks, half a minute.
    fn default() -> Self {
        LintOptions {
            checks: Check::ALL.to_vec(),
            timeout: Duration::from_secs(30),
            memory: None,
            threads: NonZeroUsize::MIN,
            seed: 1,
        }
    }
}

/// A time limit that several questions share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    end: Instant,
}

impl Budget {
    pub(crate) fn new(options: &LintOptions) -> Budget {
        let now = Instant::now();
        Budget {
            // More than a lifetime is not a limit.
            end: now
                .checked_add(options.timeout)
                .unwrap_or(now + Duration::from_secs(u64::from(u32::MAX))),
        }
    }

    /// A part of the time that is left.
    pub(crate) fn share(&self, part: f64) -> Budget {
        let now = Instant::now();
        Budget {
            end: now + self.end.saturating_duration_since(now).mul_f64(part),
        }
    }

    /// When it ends.
    pub(crate) fn deadline(&self) -> Instant {
        self.end
    }

    /// Whether it is used up.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }
}
