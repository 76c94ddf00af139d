//! Which may work when walks and an exhaustive search have less than a thread each.
//!
//! Effort is shared, and it is counted, in steps of walks and in what costs as much: never in seconds, so that a run that has the
//! processor alone finds the same again on every machine. On one thread exactly one of the two works at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The two that share the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The exhaustive search.
    Exhaustive = 0,
    /// Walks, and the searches of states among them.
    Walks = 1,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Exhaustive => Side::Walks,
            Side::Walks => Side::Exhaustive,
        }
    }
}

/// How effort is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Each has a thread.
    Free,
    /// One thread: each waits while the other works.
    Alternate,
    /// The walks have all the threads, whose number this is; the exhaustive search has half as much as one of them.
    Lag {
        /// How many.
        threads: u64,
    },
}

/// The first turns on one thread are this long: about a millisecond. Later ones are an eighth of what has gone before.
const FIRST_TURN: u64 = 1 << 12;
const TURN_PART: u64 = 8;

/// Allowance of the walks for each unit of the exhaustive search, in eighths: as much, as long as walks take edges that none took
/// before. Then they get less: where all that walks can reach has been seen, a proof is what is left to wait for.
const FRESH: u64 = 8;
const STALE: u64 = 6;
const EIGHTHS: u64 = 8;

/// Allowance at once of an exhaustive search that lags behind: about a tenth of a second. What is decided quickly is decided by
/// then.
const CHANCE: u64 = 400_000;

/// Shares the time between a [`Side::Exhaustive`] and a [`Side::Walks`].
pub(crate) struct TimeSharing {
    rule: Rule,
    ledger: Mutex<Ledger>,
    changed: Condvar,
}

#[derive(Debug)]
struct Ledger {
    /// Effort of each.
    spent: [u64; 2],
    /// Until when each may work.
    limit: [u64; 2],
    /// Side that has its turn.
    holder: Side,
    /// The other one has left, and there is none to wait for.
    is_alone: bool,
    is_fresh: bool,
}

impl TimeSharing {
    pub(crate) fn new(rule: Rule) -> Self {
        TimeSharing {
            rule,
            ledger: Mutex::new(Ledger {
                spent: [0; 2],
                limit: [FIRST_TURN, 0],
                holder: Side::Exhaustive,
                is_alone: false,
                is_fresh: true,
            }),
            changed: Condvar::new(),
        }
    }

    /// Begins to work, when it is time to. It takes part until the result is dropped.
    pub(crate) fn enter(&self, side: Side) -> Participation<'_> {
        let participation = Participation { time: self, side };
        self.spend(side, 0);
        participation
    }

    /// Adds to the work done; waits while it is the other's turn.
    pub(crate) fn spend(&self, side: Side, effort: u64) {
        if self.rule == Rule::Free {
            return;
        }
        let mut ledger = self.ledger();
        ledger.spent[side as usize] += effort;
        if ledger.hand_over(self.rule) {
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

/// Takes part until it is dropped.
pub(crate) struct Participation<'a> {
    time: &'a TimeSharing,
    side: Side,
}

impl Drop for Participation<'_> {
    fn drop(&mut self) {
        let mut ledger = self.time.ledger();
        ledger.is_alone = true;
        ledger.holder = self.side.other();
        self.time.changed.notify_all();
    }
}

impl Ledger {
    /// Determines whose turn it is; true when that has changed.
    fn hand_over(&mut self, rule: Rule) -> bool {
        let [proof, walks] = self.spent;
        if self.is_alone || rule != Rule::Alternate {
            return rule != Rule::Alternate;
        }
        let before = self.holder;
        match self.holder {
            Side::Exhaustive if proof >= self.limit[0] => {
                let share = if self.is_fresh { FRESH } else { STALE };
                self.limit = [0, proof / EIGHTHS * share];
                if walks < self.limit[1] {
                    self.holder = Side::Walks;
                } else {
                    self.limit[0] = proof + turn(proof);
                }
            }
            Side::Walks if walks >= self.limit[1] => {
                self.limit = [proof + turn(proof), 0];
                self.holder = Side::Exhaustive;
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
                    side == Side::Walks || self.spent[0] <= CHANCE + self.spent[1] / (2 * threads)
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

    /// The order of the sides in turns of a thousand, and what each has cost when the exhaustive search is done.
    fn work(rule: Rule, proof: u64, is_fresh: bool) -> (Vec<Side>, [u64; 2]) {
        let (time, order) = (TimeSharing::new(rule), Mutex::new(Vec::new()));
        time.set_fresh(is_fresh);
        let done = thread::scope(|scope| {
            let search = scope.spawn(|| {
                let _participation = time.enter(Side::Exhaustive);
                for _ in 0..proof / 1000 {
                    order.lock().unwrap().push(Side::Exhaustive);
                    time.spend(Side::Exhaustive, 1000);
                }
                time.ledger().spent
            });
            let _participation = time.enter(Side::Walks);
            while !search.is_finished() {
                order.lock().unwrap().push(Side::Walks);
                time.spend(Side::Walks, 1000);
            }
            search.join().unwrap()
        });
        let mut order = order.into_inner().unwrap();
        // What the walks do alone in the end does not matter.
        let last = order.iter().rposition(|&side| side == Side::Exhaustive).unwrap();
        order.truncate(last);
        (order, done)
    }

    #[test]
    fn on_one_thread_shares_are_counted_and_repeat() {
        let first = work(Rule::Alternate, 1_000_000, true);
        assert_eq!(first, work(Rule::Alternate, 1_000_000, true));
        let [proof, walks] = first.1;
        assert!(
            proof == 1_000_000 && walks <= proof && walks > proof / 8 * 7,
            "{walks}"
        );
        // The first turns are short, so that a small model is proved at once.
        assert!(first.0[..5] == [Side::Exhaustive; 5] && first.0[5..9] == [Side::Walks; 4]);
        let [proof, walks] = work(Rule::Alternate, 1_000_000, false).1;
        assert!(walks <= proof / 8 * 6 && walks > proof / 8 * 5, "{walks}");
    }

    #[test]
    fn the_exhaustive_search_lags_behind_several_walks() {
        let [proof, walks] = work(Rule::Lag { threads: 2 }, 1_000_000, true).1;
        assert!(
            proof == 1_000_000 && walks / 4 + CHANCE + 1000 >= proof,
            "{walks}"
        );
    }

    #[test]
    fn none_waits_for_one_that_has_left() {
        let time = TimeSharing::new(Rule::Alternate);
        drop(time.enter(Side::Exhaustive));
        let _participation = time.enter(Side::Walks);
        (0..100).for_each(|_| time.spend(Side::Walks, 1_000_000));
        assert_eq!(time.ledger().spent, [0, 100_000_000]);
    }
}
