//! Which instructions have wrapped.
//!
//! An addition that leaves 32 bits takes a way out of the ordinary anyway, so that noting it there costs those nothing
//! that do not wrap. Constants are not folded where that would wrap: the code is left to do it, and to say so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// By position in the code: whether the instruction has wrapped in any run, on any thread.
#[derive(Clone, Debug, Default)]
pub struct Wraps(Arc<[AtomicBool]>);

impl Wraps {
    /// For code of a length, with what is known already.
    pub(crate) fn grown(&self, length: usize) -> Wraps {
        let known = self.0.iter().map(|flag| flag.load(Ordering::Relaxed));
        let flags = known.chain(std::iter::repeat(false)).take(length);
        Wraps(flags.map(AtomicBool::new).collect())
    }

    /// An instruction has wrapped.
    #[cold]
    pub(crate) fn note(&self, at: u32) {
        // Code that always wraps only reads here, so that threads do not wait for each other.
        if let Some(flag) = self.0.get(at as usize)
            && !flag.load(Ordering::Relaxed)
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The positions of those that have.
    pub fn positions(&self) -> impl Iterator<Item = u32> {
        let flags = self.0.iter().zip(0..);
        flags.filter_map(|(flag, at)| flag.load(Ordering::Relaxed).then_some(at))
    }
}
