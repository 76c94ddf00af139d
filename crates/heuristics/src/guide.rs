//! Directed search: a guide that orders a search by estimates.

use crate::estimate::{Estimate, Heuristic};
use crate::queueing::{QueueRule, Reached};
use zonewalk_search::{
    GeneratedState, Guide, Preference, Queues, Rank, StateId, Stored, Ties, TransitionSystem, Verdict,
};
use zonewalk_symbolic::graph::Step;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// Position of the number of a queue in a priority.
const QUEUE: u32 = 48;
/// The queue of states that lead nowhere.
const LAST: u32 = u16::MAX as u32;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least number of transitions so far plus estimate first; of equals the one with the smaller estimate, then the newest
    /// (Asai, Fukunaga: Tie-breaking strategies for cost-optimal best first search, JAIR 58, 2017). For
    /// [`guided_search_by_depth`](zonewalk_search::guided_search_by_depth); with an admissible heuristic what it finds is
    /// shortest.
    AStar,
    /// Least estimate first; of equals the one with fewer transitions so far, then the oldest.
    Greedy,
}

impl Order {
    /// The frontier for this order.
    pub fn frontier(self) -> Queues<Preference> {
        let ties = match self {
            Order::AStar => Ties::Newest,
            Order::Greedy => Ties::Oldest,
        };
        Queues::new(Preference, ties)
    }

    /// The rank of a state that is not a goal.
    ///
    /// A goal is then a transition away at least, so no estimate counts less than 1. With that, it is enough for A* to test
    /// for goals when states are generated: a state taken from the frontier has `depth + 1 <= f`, and `f` is at most the
    /// length of a shortest way.
    pub fn priority(self, depth: u32, estimate: Estimate) -> u64 {
        let g = u64::from(depth);
        let Some(h) = estimate.number().map(|h| u64::from(h.max(1))) else {
            // No goal is behind it. It is visited all the same, after all others, where errors of the model may be; breadth
            // first, since A* would visit again and again what it has met too deep.
            return u64::from(u32::MAX) << 32 | g;
        };
        match self {
            Order::AStar => (g + h).min(u64::from(u32::MAX) - 1) << 32 | h,
            Order::Greedy => h << 32 | g,
        }
    }

    /// The rank of a state in one of several queues, of which the first that is not empty is used: they are one, with the numbers
    /// in front. What leads nowhere comes after all of them.
    fn priority_in(self, queue: u32, depth: u32, estimate: Estimate) -> u64 {
        const MOST: u64 = (1 << 24) - 1;
        let queue = match estimate.number() {
            Some(_) => queue.min(LAST - 1),
            None => LAST,
        };
        let priority = self.priority(depth, estimate);
        u64::from(queue) << QUEUE
            | (priority >> 32).min(MOST) << 24
            | (priority & u64::from(u32::MAX)).min(MOST)
    }
}

fn queue_of(rank: Rank) -> u32 {
    (rank.priority >> QUEUE) as u32
}

/// Orders a search by one heuristic.
pub struct Directed<'r, H, W = i32> {
    /// The heuristic.
    pub heuristic: H,
    order: Order,
    rule: Option<Box<dyn QueueRule<W> + 'r>>,
    /// Queues of the new successors of the current state.
    queues: Vec<u32>,
    prunes: bool,
    pruned: u64,
    best: Estimate,
}

impl<'r, W: Word, H: Heuristic<W>> Directed<'r, H, W> {
    /// States with an infinite estimate are left out. What they hide is not a goal, but it may be an error of the model.
    pub fn new(heuristic: H, order: Order) -> Self {
        Directed {
            heuristic,
            order,
            rule: None,
            queues: Vec::new(),
            prunes: true,
            pruned: 0,
            best: Estimate::INFINITE,
        }
    }

    /// Visits states of infinite estimate last instead of pruning them, for models whose run-time errors matter.
    #[must_use]
    pub fn keeping_all(mut self) -> Self {
        self.prunes = false;
        self
    }

    /// Distributes the states over several queues.
    #[must_use]
    pub fn with_queues(mut self, rule: impl QueueRule<W> + 'r) -> Self {
        self.rule = Some(Box::new(rule));
        self
    }

    /// Whether what leads nowhere is left out.
    pub(crate) fn prunes(&self) -> bool {
        self.prunes
    }

    /// Another state was left out.
    pub(crate) fn count_pruned(&mut self) {
        self.pruned += 1;
    }

    /// Undoes the count of the last pruned state, which is stored after all.
    pub(crate) fn uncount_pruned(&mut self) {
        self.pruned -= 1;
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Number of pruned states.
    pub fn pruned(&self) -> u64 {
        self.pruned
    }

    /// The smallest estimate so far.
    pub fn best(&self) -> Estimate {
        self.best
    }
}

impl<T, H, W> Guide<T> for Directed<'_, H, W>
where
    T: for<'s> TransitionSystem<State = ZoneState<W>, Step<'s> = Step<'s>> + ?Sized,
    H: Heuristic<W>,
    W: Word,
{
    type Rank = Rank;
    const RANKS_TOGETHER: bool = true;

    fn on_generated(&mut self, met: &GeneratedState<'_, '_, T>) {
        if let Some(rule) = &mut self.rule {
            rule.on_generated(met.step.parts);
        }
    }

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Rank> {
        let estimate = self.heuristic.estimate(met.state);
        if estimate.is_infinite() && self.prunes {
            self.pruned += 1;
            return Verdict::LeaveOut { is_safe: true };
        }
        self.best = self.best.min(estimate);
        let priority = match &mut self.rule {
            None => self.order.priority(met.depth, estimate),
            Some(rule) => {
                let reached = Reached {
                    state: met.state,
                    estimate,
                    parts: met.step.parts,
                    parent: met.parent,
                };
                let queue = rule.queue(&reached, &mut self.heuristic);
                self.order.priority_in(queue, met.depth, estimate)
            }
        };
        Verdict::Keep(Rank { queue: 0, priority })
    }

    fn on_stored(&mut self, _: Option<StateId>, at: Stored) {
        if let Some(rule) = &mut self.rule {
            rule.on_stored(at);
        }
    }

    fn rank_together(&mut self, new: &mut [(StateId, Rank)]) {
        let Some(rule) = &mut self.rule else {
            return;
        };
        self.queues.clear();
        self.queues.extend(new.iter().map(|(_, rank)| queue_of(*rank)));
        rule.rank_together(&mut self.queues);
        for ((_, rank), &queue) in new.iter_mut().zip(&self.queues) {
            // What leads nowhere stays after all others.
            if queue_of(*rank) != LAST {
                let within = rank.priority & ((1 << QUEUE) - 1);
                rank.priority = u64::from(queue.min(LAST - 1)) << QUEUE | within;
            }
        }
    }

    fn before_expand(&mut self, id: StateId, state: &ZoneState<W>, _: u32) -> Verdict {
        if let Some(rule) = &mut self.rule {
            rule.before_expand(id, state);
        }
        Verdict::Keep(())
    }

    fn bytes(&self) -> usize {
        self.heuristic.bytes() + self.rule.as_ref().map_or(0, |rule| rule.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities() {
        let finite = Estimate::finite;
        let a_star = |g, h| Order::AStar.priority(g, finite(h));
        assert!(a_star(2, 3) < a_star(1, 5), "f decides");
        assert!(a_star(3, 2) < a_star(2, 3), "then h");
        assert_eq!(a_star(4, 0), a_star(4, 1), "what is no goal is a transition away");
        let greedy = |g, h| Order::Greedy.priority(g, finite(h));
        assert!(greedy(9, 2) < greedy(1, 3), "h decides");
        assert!(greedy(1, 3) < greedy(2, 3), "then g");
        for order in [Order::AStar, Order::Greedy] {
            assert!(order.priority(5, finite(1000)) < order.priority(5, Estimate::INFINITE));
            assert!(order.priority(5, Estimate::INFINITE) < order.priority(6, Estimate::INFINITE));
        }
    }
}
