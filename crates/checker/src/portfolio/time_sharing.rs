//! Who may work when walks and an exhaustive search have less than a thread each.
//!
//! Effort is shared, and it is counted, in steps of walks and in what costs as much: never in seconds, so that whoever has the
//! processor alone finds the same again on every machine. On one thread exactly one of the two works at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The exhaustive search.
    Proof = 0,
    /// Walks, and the searches of states among them.
    Hunt = 1,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Proof => Side::Hunt,
            Side::Hunt => Side::Proof,
        }
    }
}

/// How effort is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Everybody has a thread.
    Free,
    /// One thread: each waits while the other works.
    Alternate,
    /// The hunt has all the threads, so many, and the exhaustive search half as much as one of them.
    Lag {
        /// How many.
        threads: u64,
    },
}

/// The first turns on one thread are this long: about a millisecond. Later ones are an eighth of what has gone before.
const FIRST_TURN: u64 = 1 << 12;
const TURN_PART: u64 = 8;

/// What the hunt may cost for what the exhaustive search has cost, in eighths: as much, as long as walks take edges that none took
/// before. Then it gets less: where all that walks can reach has been seen, a proof is what is left to wait for.
const FRESH: u64 = 8;
const STALE: u64 = 6;
const EIGHTHS: u64 = 8;

/// What an exhaustive search that lags behind may do at once: about a tenth of a second. What is decided quickly is decided by
/// then.
const CHANCE: u64 = 400_000;

/// Takes turns between a [`Side::Proof`] and a [`Side::Hunt`].
pub(crate) struct Turns {
    rule: Rule,
    ledger: Mutex<Ledger>,
    changed: Condvar,
}

#[derive(Debug)]
struct Ledger {
    /// What each has cost.
    spent: [u64; 2],
    /// Until when each may work.
    limit: [u64; 2],
    /// Whose turn it is.
    holder: Side,
    /// Who waits for nobody: the other one has left.
    is_alone: bool,
    is_fresh: bool,
}

impl Turns {
    pub(crate) fn new(rule: Rule) -> Self {
        Turns {
            rule,
            ledger: Mutex::new(Ledger {
                spent: [0; 2],
                limit: [FIRST_TURN, 0],
                holder: Side::Proof,
                is_alone: false,
                is_fresh: true,
            }),
            changed: Condvar::new(),
        }
    }

    /// Begins to work, when it is time to. Whoever has begun leaves when the result is dropped.
    pub(crate) fn enter(&self, side: Side) -> Place<'_> {
        let place = Place { turns: self, side };
        self.spend(side, 0);
        place
    }

    /// Work has cost so much more; waits while it is the other's turn.
    pub(crate) fn spend(&self, side: Side, effort: u64) {
        if self.rule == Rule::Free {
            return;
        }
        let mut ledger = self.ledger();
        ledger.spent[side as usize] += effort;
        if ledger.settle(self.rule) {
            self.changed.notify_all();
        }
        while !ledger.may_work(self.rule, side) {
            ledger = self.changed.wait(ledger).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the last round of walks took edges that none took before.
    pub(crate) fn set_fresh(&self, is_fresh: bool) {
        self.ledger().is_fresh = is_fresh;
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place among those who take turns.
pub(crate) struct Place<'a> {
    turns: &'a Turns,
    side: Side,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut ledger = self.turns.ledger();
        ledger.is_alone = true;
        ledger.holder = self.side.other();
        self.turns.changed.notify_all();
    }
}

impl Ledger {
    /// Finds out whose turn it is; true when somebody who waits should look.
    fn settle(&mut self, rule: Rule) -> bool {
        let [proof, hunt] = self.spent;
        if self.is_alone || rule != Rule::Alternate {
            return rule != Rule::Alternate;
        }
        let before = self.holder;
        match self.holder {
            Side::Proof if proof >= self.limit[0] => {
                let share = if self.is_fresh { FRESH } else { STALE };
                self.limit = [0, proof / EIGHTHS * share];
                if hunt < self.limit[1] {
                    self.holder = Side::Hunt;
                } else {
                    self.limit[0] = proof + turn(proof);
                }
            }
            Side::Hunt if hunt >= self.limit[1] => {
                self.limit = [proof + turn(proof), 0];
                self.holder = Side::Proof;
            }
            _ => {}
        }
        self.holder != before
    }

    fn may_work(&self, rule: Rule, side: Side) -> bool {
        self.is_alone
            || match rule {
                Rule::Free => true,
                Rule::Alternate => self.holder == side,
                Rule::Lag { threads } => {
                    side == Side::Hunt || self.spent[0] <= CHANCE + self.spent[1] / (2 * threads)
                }
            }
    }
}

/// How long the next turn of the exhaustive search is.
fn turn(spent: u64) -> u64 {
    (spent / TURN_PART).max(FIRST_TURN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Who works in which order, in turns of a thousand, and what each has cost when the exhaustive search is done.
    fn work(rule: Rule, proof: u64, is_fresh: bool) -> (Vec<Side>, [u64; 2]) {
        let (turns, order) = (Turns::new(rule), Mutex::new(Vec::new()));
        turns.set_fresh(is_fresh);
        let done = thread::scope(|scope| {
            let search = scope.spawn(|| {
                let _place = turns.enter(Side::Proof);
                for _ in 0..proof / 1000 {
                    order.lock().unwrap().push(Side::Proof);
                    turns.spend(Side::Proof, 1000);
                }
                turns.ledger().spent
            });
            let _place = turns.enter(Side::Hunt);
            while !search.is_finished() {
                order.lock().unwrap().push(Side::Hunt);
                turns.spend(Side::Hunt, 1000);
            }
            search.join().unwrap()
        });
        let mut order = order.into_inner().unwrap();
        // What the hunt does alone in the end does not matter.
        let last = order.iter().rposition(|&side| side == Side::Proof).unwrap();
        order.truncate(last);
        (order, done)
    }

    #[test]
    fn on_one_thread_shares_are_counted_and_repeat() {
        let first = work(Rule::Alternate, 1_000_000, true);
        assert_eq!(first, work(Rule::Alternate, 1_000_000, true));
        let [proof, hunt] = first.1;
        assert!(
            proof == 1_000_000 && hunt <= proof && hunt > proof / 8 * 7,
            "{hunt}"
        );
        // The first turns are short, so that a small model is proved at once.
        assert!(first.0[..5] == [Side::Proof; 5] && first.0[5..9] == [Side::Hunt; 4]);
        let [proof, hunt] = work(Rule::Alternate, 1_000_000, false).1;
        assert!(hunt <= proof / 8 * 6 && hunt > proof / 8 * 5, "{hunt}");
    }

    #[test]
    fn the_exhaustive_search_lags_behind_several_walks() {
        let [proof, hunt] = work(Rule::Lag { threads: 2 }, 1_000_000, true).1;
        assert!(proof == 1_000_000 && hunt / 4 + CHANCE + 1000 >= proof, "{hunt}");
    }

    #[test]
    fn nobody_waits_for_one_who_has_left() {
        let turns = Turns::new(Rule::Alternate);
        drop(turns.enter(Side::Proof));
        let _place = turns.enter(Side::Hunt);
        (0..100).for_each(|_| turns.spend(Side::Hunt, 1_000_000));
        assert_eq!(turns.ledger().spent, [0, 100_000_000]);
    }
}
