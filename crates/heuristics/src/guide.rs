//! Directed search: a guide that orders a search by estimates.

use crate::estimate::{Estimate, Heuristic};
use zonewalk_search::{Guide, Met, Place, Preference, Queues, Ties, TransitionSystem, Verdict};
use zonewalk_symbolic::state::ZoneState;

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

    /// The place of a state that is no goal.
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
}

/// Orders a search by one heuristic.
#[derive(Clone, Debug)]
pub struct Directed<H> {
    /// The heuristic.
    pub heuristic: H,
    order: Order,
    prunes: bool,
    pruned: u64,
    best: Estimate,
}

impl<H: Heuristic> Directed<H> {
    /// States with an infinite estimate are left out. What they hide is no goal, but it may be an error of the model.
    pub fn new(heuristic: H, order: Order) -> Directed<H> {
        Directed {
            heuristic,
            order,
            prunes: true,
            pruned: 0,
            best: Estimate::INFINITE,
        }
    }

    /// The same, with states of infinite estimate visited last, for models whose run-time errors matter.
    #[must_use]
    pub fn keeping_all(mut self) -> Self {
        self.prunes = false;
        self
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// How many states were left out.
    pub fn pruned(&self) -> u64 {
        self.pruned
    }

    /// The smallest estimate so far.
    pub fn best(&self) -> Estimate {
        self.best
    }
}

impl<T, H> Guide<T> for Directed<H>
where
    T: TransitionSystem<State = ZoneState> + ?Sized,
    H: Heuristic,
{
    type Place = Place;

    fn rank(&mut self, met: &Met<'_, T>) -> Verdict<Place> {
        let estimate = self.heuristic.estimate(met.state);
        if estimate.is_infinite() && self.prunes {
            self.pruned += 1;
            return Verdict::LeaveOut { is_safe: true };
        }
        self.best = self.best.min(estimate);
        Verdict::Keep(Place {
            queue: 0,
            priority: self.order.priority(met.depth, estimate),
        })
    }

    fn bytes(&self) -> usize {
        self.heuristic.bytes()
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
