//! Number of instances of the edges of a network, and the edge to blame if they are too many.

use crate::error::{CompileError, Result};
use zonewalk_syntax::span::Span;

/// Edge instances of a whole network.
const MAX_INSTANCES: u64 = 1 << 22;

/// The instances so far.
#[derive(Default)]
pub(crate) struct Tally {
    sum: u64,
    /// The edge with the most instances of its own, and how many that are.
    largest: Option<(u64, Span)>,
    is_over: bool,
}

impl Tally {
    /// Counts the instances of an edge, and returns how many of them to make: none after the limit was passed, which is an
    /// error once. The place is that of the edge that needs most of the room, not of the one that happened to be the last.
    pub(crate) fn count(&mut self, instances: u64, edge: Span) -> Result<u64> {
        if self.is_over {
            return Ok(0);
        }
        self.sum = self.sum.saturating_add(instances);
        let largest = match self.largest {
            Some(largest) if largest.0 >= instances => largest,
            _ => (instances, edge),
        };
        self.largest = Some(largest);
        if self.sum <= MAX_INSTANCES {
            return Ok(instances);
        }
        self.is_over = true;
        let (most, edge) = largest;
        let message = format!(
            "the edges have more than {MAX_INSTANCES} instances, {most} of them from this edge: one for \
             each process and each combination of selected values that its guard or channel needs"
        );
        Err(CompileError::too_large(edge, message))
    }
}
