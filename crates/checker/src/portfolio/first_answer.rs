//! Several who look for the same answer: the first one has it, and the others stop.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Somebody who looks for the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// Walks by several heuristics.
    Walks = 1,
    /// The exhaustive search.
    Exhaustive = 2,
    /// Searches that go deep in the zone graph, again and again.
    Deep = 3,
}

const NOBODY: usize = 0;

/// Who has the answer. An answer is claimed before the work on its trace begins, so that nobody stops that work.
#[derive(Debug, Default)]
pub(crate) struct Race {
    winner: AtomicUsize,
}

impl Race {
    /// Claims the answer. False when somebody else was first.
    pub(crate) fn claim(&self, runner: Runner) -> bool {
        let claimed =
            self.winner
                .compare_exchange(NOBODY, runner as usize, Ordering::Relaxed, Ordering::Relaxed);
        claimed.map_or_else(|winner| winner == runner as usize, |_| true)
    }

    /// Whether somebody else has the answer.
    pub(crate) fn is_lost_by(&self, runner: Runner) -> bool {
        let winner = self.winner.load(Ordering::Relaxed);
        winner != NOBODY && winner != runner as usize
    }

    /// Whether this one has the answer.
    pub(crate) fn is_won_by(&self, runner: Runner) -> bool {
        self.winner.load(Ordering::Relaxed) == runner as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_one_wins() {
        let race = Race::default();
        assert!(!race.is_lost_by(Runner::Walks));
        assert!(race.claim(Runner::Deep) && race.claim(Runner::Deep));
        assert!(!race.claim(Runner::Walks) && !race.claim(Runner::Exhaustive));
        assert!(race.is_won_by(Runner::Deep) && !race.is_won_by(Runner::Walks));
        assert!(race.is_lost_by(Runner::Walks) && !race.is_lost_by(Runner::Deep));
    }
}
