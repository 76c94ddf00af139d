//! Several searches for the same answer: the first one has it, and the others stop.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A search that looks for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    /// Walks by several heuristics.
    Walks = 1,
    /// The exhaustive search.
    Exhaustive = 2,
    /// Searches that go deep in the zone graph, again and again.
    Deep = 3,
}

const NONE: usize = 0;

/// Which search has the answer. An answer is claimed before the work on its trace begins, so that this work is not stopped.
#[derive(Debug, Default)]
pub(crate) struct FirstAnswer {
    winner: AtomicUsize,
}

impl FirstAnswer {
    /// Claims the answer. False when another search was first.
    pub(crate) fn claim(&self, member: Member) -> bool {
        let claimed =
            self.winner
                .compare_exchange(NONE, member as usize, Ordering::Relaxed, Ordering::Relaxed);
        claimed.map_or_else(|winner| winner == member as usize, |_| true)
    }

    /// Whether another search has the answer.
    pub(crate) fn is_lost_by(&self, member: Member) -> bool {
        let winner = self.winner.load(Ordering::Relaxed);
        winner != NONE && winner != member as usize
    }

    /// Whether this one has the answer.
    pub(crate) fn is_won_by(&self, member: Member) -> bool {
        self.winner.load(Ordering::Relaxed) == member as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_wins() {
        let first = FirstAnswer::default();
        assert!(!first.is_lost_by(Member::Walks));
        assert!(first.claim(Member::Deep) && first.claim(Member::Deep));
        assert!(!first.claim(Member::Walks) && !first.claim(Member::Exhaustive));
        assert!(first.is_won_by(Member::Deep) && !first.is_won_by(Member::Walks));
        assert!(first.is_lost_by(Member::Walks) && !first.is_lost_by(Member::Deep));
    }
}
