//! Numbers for the things of a network: those of the model where both have them, and edge instances.

pub use zonewalk_model::ids::{ChannelId, ClockId, LocationId, ProcessId};

/// An edge instance: index into [`Network::instances`](crate::Network::instances).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// As an index into a table of edge instances.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An invariant: index into [`Network::invariants`](crate::Network::invariants).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvariantId(pub u32);

impl InvariantId {
    /// As an index into the table of invariants.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Edge instances that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instances {
    start: u32,
    end: u32,
}

impl Instances {
    /// Range of edge instances from `start` to before `end`.
    pub fn new(start: u32, end: u32) -> Instances {
        Instances { start, end }
    }

    /// Both ends, to be numbered anew.
    pub(crate) fn ends(&mut self) -> [&mut u32; 2] {
        [&mut self.start, &mut self.end]
    }

    /// Whether an edge instance is before the first of them.
    #[inline(always)]
    pub fn begin_behind(self, instance: InstanceId) -> bool {
        instance.0 < self.start
    }

    /// Whether an edge instance is not after the last of them.
    #[inline(always)]
    pub fn reach(self, instance: InstanceId) -> bool {
        instance.0 < self.end
    }
}

impl Iterator for Instances {
    type Item = InstanceId;

    #[inline(always)]
    fn next(&mut self) -> Option<InstanceId> {
        if self.start >= self.end {
            return None;
        }
        self.start += 1;
        Some(InstanceId(self.start - 1))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = (self.end - self.start) as usize;
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Instances {
    fn next_back(&mut self) -> Option<InstanceId> {
        if self.start >= self.end {
            return None;
        }
        self.end -= 1;
        Some(InstanceId(self.end))
    }
}

impl ExactSizeIterator for Instances {}
