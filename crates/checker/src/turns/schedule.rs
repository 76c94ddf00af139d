//! The turns of `auto`: which member is next, and how much it may cost.
//!
//! In the first round every member has a turn. In each later one RET has, which the paper found most reliable, one of the other
//! heuristics, which take turns, then short walks and a search of states, or walks by commitment where clocks can be stopped:
//! where RET is best, as it mostly is, the others may not cost much. A round goes four times as deep as the one before: had it
//! doubled, like the depth of a single heuristic, the schedule before the one that is deep enough would cost as much as that one.
//! Shares follow what the last round brought. All of it is counted in walks, steps and states, never in seconds, so that the
//! same seed gives the same turns on every machine.

use crate::engine::ROTATION;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::schedule::{ADAPTIVE, cycle_depth};

/// Walks of a whole turn: one cycle of distributions.
const TURN: u64 = ADAPTIVE.len() as u64;

/// The turn after those of the heuristics: RET again, in many short walks. Where a walk has its one chance at the beginning,
/// the growing depth of the others leaves ever fewer chances.
pub(crate) const SHORT: usize = ROTATION.len();

/// The last turn: a search of states, which goes deep in the zone graph, where walks may have no chance at all; or walks by
/// commitment.
pub(crate) const LAST: usize = SHORT + 1;

const MEMBERS: usize = LAST + 1;

/// Binary logarithm of how much deeper each round goes.
const GROWTH: u64 = 2;

/// Shares are counted in quarters of a turn.
const WHOLE: u64 = 4;
/// For RET while others alone take new edges, and for states while no member does.
const HALF: u64 = 2;
/// For short walks, states, and the other heuristics. No member gets less: a heuristic that takes no new edge may still be the one
/// that finds the goal.
const LEAST: u64 = 1;
/// The place of RET.
const RET: usize = 0;
/// How many times more walks a turn has when they end early. RET gets most of that: where the end of walks is near, what it has
/// left out and others look for is not far behind either, and it is what the paper found most reliable.
const MOST_RET_WALKS: u64 = 64;
const MOST_WALKS: u64 = 4;

/// Steps of a walk that cost as much as a state of the zone graph with a single clock.
const STATE_STEPS: u64 = 16;
/// States of a turn that is worth a store of its own: the exhaustive search visits as many in no time.
const FEWEST_STATES: u64 = 1000;
/// Steps of walks before the first such turn: small models are decided by then.
const PATIENCE: u64 = 1 << 17;
/// States of a turn that must fit in memory beside those of the exhaustive search.
const MOST_STORED: u64 = 1 << 20;

/// The member that has the last turn of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    None,
    /// A search of states, with the steps that a state costs.
    States(u64),
    /// Walks by commitment. Where clocks can be stopped, errors are mostly missed deadlines, which commitment is for, and the
    /// zone graph is no help.
    Commitment,
}

/// Allowance of a member of the portfolio in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortfolioTurn {
    /// Walks of this depth, for the heuristic at this place of [`ROTATION`] or for [`SHORT`].
    Walks { depth: u32, walks: u64 },
    /// A search that stores this many states.
    States { stored: u64 },
}

/// Result of a member's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TurnResult {
    pub(crate) walks: u64,
    pub(crate) steps: u64,
    /// Walks that ended before their depth.
    pub(crate) early: u64,
    /// Edge instances that no member had taken when the round began.
    pub(crate) fresh: u64,
}

/// The turns of all members, round by round.
#[derive(Clone, Debug)]
pub(crate) struct TurnSchedule {
    round: u64,
    turn: usize,
    /// By member, in quarters.
    shares: [u64; MEMBERS],
    /// By member: the last turn.
    results: [TurnResult; MEMBERS],
    /// By member: whether that was in this round.
    walked: [bool; MEMBERS],
    /// Steps of walks so far.
    steps: u64,
    /// Whether a member took a new edge in the last round.
    is_fresh: bool,
    last: Last,
}

impl TurnSchedule {
    /// Walks alone.
    pub(crate) fn of_walks() -> Self {
        debug_assert_eq!(ROTATION[RET], Heuristic::Ret);
        let mut shares = [WHOLE; MEMBERS];
        shares[SHORT] = LEAST;
        shares[LAST] = LEAST;
        TurnSchedule {
            round: 0,
            turn: 0,
            shares,
            results: [TurnResult::default(); MEMBERS],
            walked: [false; MEMBERS],
            steps: 0,
            is_fresh: true,
            last: Last::None,
        }
    }

    /// From now on walks by commitment take part.
    pub(crate) fn commit(&mut self) {
        self.last = Last::Commitment;
    }

    /// Walks, and a search of states of a network with this many clocks: the cost of a zone grows with their square.
    pub(crate) fn with_states(clocks: usize) -> Self {
        TurnSchedule {
            last: Last::States(TurnSchedule::steps_of_a_state(clocks)),
            ..TurnSchedule::of_walks()
        }
    }

    /// Steps of a walk that cost as much as a state of the zone graph with this number of clocks.
    pub(crate) fn steps_of_a_state(clocks: usize) -> u64 {
        let clocks = clocks as u64;
        STATE_STEPS + clocks.saturating_mul(clocks) / 4
    }

    /// The current turn: a place in [`ROTATION`], [`SHORT`] or [`LAST`].
    pub(crate) fn member(&self) -> usize {
        self.turn
    }

    /// Whether the next turn is the first one of a round.
    pub(crate) fn is_new_round(&self) -> bool {
        self.turn == 0
    }

    /// Whether a member took a new edge in the last round.
    pub(crate) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Allowance of the next turn; every walk has depth `fixed`, if that is given.
    pub(crate) fn turn(&self, fixed: Option<u32>) -> PortfolioTurn {
        let deep = fixed.unwrap_or_else(|| cycle_depth(self.round.saturating_mul(GROWTH)));
        let steps = (TURN * u64::from(deep)).saturating_mul(self.shares[self.turn]) / WHOLE;
        match self.turn {
            LAST => match self.last {
                Last::None => PortfolioTurn::States { stored: 0 },
                Last::States(steps_of_one) => PortfolioTurn::States {
                    stored: (steps / steps_of_one).min(MOST_STORED),
                },
                // As much as RET.
                Last::Commitment => PortfolioTurn::Walks {
                    depth: deep,
                    walks: TURN,
                },
            },
            SHORT => {
                // Depths in the order 0; 0, 1; 0, 1, 2; …: every one comes again and again, the small ones most often.
                let (mut level, mut row) = (self.round, 1);
                while level >= row {
                    level -= row;
                    row += 1;
                }
                let shallow = fixed.unwrap_or_else(|| cycle_depth(level.saturating_mul(GROWTH)));
                PortfolioTurn::Walks {
                    depth: shallow,
                    walks: (steps / u64::from(shallow)).max(1),
                }
            }
            _ => {
                // A heuristic that walks into deadlocks gets more walks for as many steps.
                let most = match ROTATION[self.turn] {
                    Heuristic::Ret => MOST_RET_WALKS,
                    _ => MOST_WALKS,
                };
                let last = &self.results[self.turn];
                let times = if last.early * 2 > last.walks {
                    (u64::from(deep) * last.walks / last.steps.max(1)).clamp(1, most)
                } else {
                    1
                };
                PortfolioTurn::Walks {
                    depth: deep,
                    walks: (TURN * self.shares[self.turn]).div_ceil(WHOLE) * times,
                }
            }
        }
    }

    /// The turn is over.
    pub(crate) fn end(&mut self, result: TurnResult) {
        if self.turn == RET {
            // What others took in earlier schedule is not new in this one.
            self.results.iter_mut().for_each(|result| result.fresh = 0);
            self.walked = [false; MEMBERS];
        }
        self.walked[self.turn] = true;
        self.results[self.turn] = result;
        self.steps += result.steps;
        self.turn += 1;
        if self.round > 0 && self.turn < SHORT {
            self.turn = if self.turn <= self.second() {
                self.second()
            } else {
                SHORT
            };
        }
        if self.turn == LAST && !self.has_last() {
            self.turn = MEMBERS;
        }
        if self.turn == MEMBERS {
            self.assign_shares();
            (self.turn, self.round) = (0, self.round + 1);
        }
    }

    /// The heuristic that walks beside RET in this round.
    fn second(&self) -> usize {
        1 + (self.round.saturating_sub(1) % (SHORT as u64 - 1)) as usize
    }

    /// Whether the last turn is worth its while yet.
    fn has_last(&self) -> bool {
        match self.turn(None) {
            PortfolioTurn::States { stored } => stored >= FEWEST_STATES && self.steps >= PATIENCE,
            PortfolioTurn::Walks { .. } => true,
        }
    }

    /// Shares of the next round. Walks that take no new edge while others do get less; where walks end early or take nothing
    /// new at all, the search of states gets more.
    fn assign_shares(&mut self) {
        let walks = &self.results[..SHORT];
        let is_growing = walks.iter().any(|result| result.fresh > 0);
        self.is_fresh = is_growing;
        let (made, early) = walks.iter().fold((0, 0), |(made, early), result| {
            (made + result.walks, early + result.early)
        });
        for (member, (share, result)) in self.shares.iter_mut().zip(walks).enumerate() {
            *share = match (member, result.fresh > 0, is_growing) {
                (RET, false, true) => HALF,
                (RET, ..) => WHOLE,
                (_, true, _) => WHOLE,
                (_, false, false) => LEAST,
                // A member without a turn has not failed.
                (_, false, true) if !self.walked[member] => *share,
                (_, false, true) => LEAST,
            };
        }
        let dies = early * 10 > made * 9;
        let most = match (is_growing, dies) {
            (true, _) => LEAST,
            (false, false) => HALF,
            (false, true) => WHOLE,
        };
        let share = &mut self.shares[LAST];
        *share = (*share * 2).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(turn: PortfolioTurn, is_early: bool, fresh: u64) -> TurnResult {
        let PortfolioTurn::Walks { depth, walks } = turn else {
            return TurnResult::default();
        };
        let length = if is_early { 10 } else { u64::from(depth) };
        TurnResult {
            walks,
            steps: walks * length,
            early: if is_early { walks } else { 0 },
            fresh,
        }
    }

    /// The turns of a round when each member has these results.
    fn round(
        schedule: &mut TurnSchedule,
        is_early: bool,
        fresh: [u64; MEMBERS],
    ) -> Vec<(usize, PortfolioTurn)> {
        let mut turns = Vec::new();
        loop {
            let (member, turn) = (schedule.member(), schedule.turn(None));
            turns.push((member, turn));
            schedule.end(result(turn, is_early, fresh[member]));
            if schedule.is_new_round() {
                return turns;
            }
        }
    }

    fn steps(turn: PortfolioTurn) -> u64 {
        match turn {
            PortfolioTurn::Walks { depth, walks } => u64::from(depth) * walks,
            PortfolioTurn::States { .. } => 0,
        }
    }

    /// The number of walks of every heuristic, in the order of their turns.
    fn walks(turns: &[(usize, PortfolioTurn)]) -> Vec<(usize, u64)> {
        let heuristics = turns.iter().filter(|(member, _)| *member < SHORT);
        heuristics
            .map(|&(member, turn)| match turn {
                PortfolioTurn::Walks { walks, .. } => (member, walks),
                PortfolioTurn::States { .. } => (member, 0),
            })
            .collect()
    }

    #[test]
    fn each_round_is_four_times_as_deep() {
        let mut schedule = TurnSchedule::of_walks();
        for (number, depth) in [16, 64, 256, 1024].into_iter().enumerate() {
            let turns = round(&mut schedule, false, [1; MEMBERS]);
            assert_eq!(turns.len(), if number == 0 { SHORT + 1 } else { 3 });
            let heuristics = turns.iter().filter(|(member, _)| *member < SHORT);
            assert!(
                heuristics
                    .into_iter()
                    .all(|&(_, turn)| matches!(turn, PortfolioTurn::Walks { depth: d, .. } if d == depth))
            );
        }
        // Short walks come in all depths, the first one again and again.
        let shallow: Vec<u32> = (0..20)
            .filter_map(|_| match round(&mut schedule, false, [1; MEMBERS])[2].1 {
                PortfolioTurn::Walks { depth, .. } => Some(depth.ilog2()),
                PortfolioTurn::States { .. } => None,
            })
            .collect();
        assert_eq!(shallow[..11], [6, 8, 4, 6, 8, 10, 4, 6, 8, 10, 12]);
    }

    #[test]
    fn the_others_take_turns_beside_ret() {
        let mut schedule = TurnSchedule::of_walks();
        let all = walks(&round(&mut schedule, false, [0; MEMBERS]));
        assert_eq!(all, [(0, 11), (1, 11), (2, 11), (3, 11)]);
        for second in [1, 2, 3, 1] {
            let turns = round(&mut schedule, false, [0; MEMBERS]);
            assert_eq!(walks(&turns), [(0, 11), (second, 3)]);
            let short: u64 = turns
                .iter()
                .filter(|(m, _)| *m == SHORT)
                .map(|&(_, turn)| steps(turn))
                .sum();
            let ret = steps(turns[0].1);
            assert!((3..6).contains(&(ret / short)), "{ret} {short}");
        }
    }

    #[test]
    fn who_takes_nothing_new_gets_less_until_none_does() {
        let mut schedule = TurnSchedule::of_walks();
        round(&mut schedule, false, [3, 0, 1, 0, 0, 0]);
        // RLC took nothing new while others did; RLC-A did.
        assert_eq!(
            walks(&round(&mut schedule, false, [0, 2, 0, 0, 0, 0])),
            [(0, 11), (1, 3)]
        );
        // Now RLC alone does: RET gets less.
        assert_eq!(
            walks(&round(&mut schedule, false, [1, 0, 0, 0, 0, 0])),
            [(0, 6), (2, 11)]
        );
        assert_eq!(
            walks(&round(&mut schedule, false, [0; MEMBERS])),
            [(0, 11), (3, 3)]
        );
        assert_eq!(
            walks(&round(&mut schedule, false, [0; MEMBERS])),
            [(0, 11), (1, 3)]
        );
    }

    #[test]
    fn walks_that_end_early_are_made_up_for() {
        let mut schedule = TurnSchedule::of_walks();
        for _ in 0..3 {
            round(&mut schedule, true, [0; MEMBERS]);
        }
        // Walks of 10 steps in turns of 1024, for RET and for another.
        let turns = round(&mut schedule, true, [0; MEMBERS]);
        assert_eq!(walks(&turns), [(0, 11 * 64), (3, 3 * 4)]);
    }

    #[test]
    fn commitment_has_as_much_as_ret() {
        let mut schedule = TurnSchedule::of_walks();
        let before = round(&mut schedule, false, [1; MEMBERS]);
        schedule.commit();
        let turns = round(&mut schedule, false, [0; MEMBERS]);
        assert_eq!((before.len(), turns.len()), (SHORT + 1, 4));
        assert_eq!(turns[3], (LAST, turns[0].1));
    }

    #[test]
    fn states_get_more_where_walks_get_nowhere() {
        let stored = |is_early, fresh: u64| {
            let mut schedule = TurnSchedule::with_states(2);
            let mut last = 0;
            for _ in 0..7 {
                for (_, turn) in round(&mut schedule, is_early, [fresh; MEMBERS]) {
                    if let PortfolioTurn::States { stored } = turn {
                        last = stored;
                    }
                }
            }
            last
        };
        let (growing, stale, dying) = (stored(false, 1), stored(false, 0), stored(true, 0));
        assert_eq!(growing, 11 * 65536 / 4 / 17);
        assert_eq!((stale, dying), (11 * 65536 / 2 / 17, 11 * 65536 / 17));
        // A zone of a thousand clocks cannot compete with a walk.
        let mut schedule = TurnSchedule::with_states(1000);
        assert!((0..6).all(|_| round(&mut schedule, false, [1; MEMBERS]).len() <= SHORT + 1));
    }
}
