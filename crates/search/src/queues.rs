//! Best-first frontiers: queues of priorities, and whose turn it is.

use std::collections::{BTreeMap, VecDeque};

use crate::frontier::Frontier;
use crate::guide::{GeneratedState, Guide, Verdict};
use crate::store::StateId;
use crate::system::TransitionSystem;

/// Where a state waits: in one of the [`Queues`], the smallest priority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The number of the queue. Queues exist as they are used.
    pub queue: u32,
    /// Several criteria fit into one number: the first in the high bits.
    pub priority: u64,
}

/// Which of several states with the same priority comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The one that waits longest.
    #[default]
    Oldest,
    /// The one that came last.
    Newest,
}

/// Says from which queue the next state is taken.
pub trait Turns {
    /// The number of a queue that is not empty, given how many entries each one has. Some queue has one; any other
    /// answer means the first such queue.
    fn next(&mut self, sizes: &[usize]) -> usize;
}

/// A queue is used only while all before it are empty: states in the first are preferred. Looks at the empty ones each
/// time; levels without number, such as switches of context, are better kept in the high bits of the priority.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preference;

impl Turns for Preference {
    fn next(&mut self, sizes: &[usize]) -> usize {
        sizes.iter().position(|size| *size > 0).unwrap_or(0)
    }
}

/// The queues take turns in their order, each with as many states in a row as its weight says. A queue that runs empty
/// loses the rest of its turn.
#[derive(Clone, Debug, Default)]
pub struct Alternation {
    weights: Vec<u32>,
    at: usize,
    taken: u32,
}

impl Alternation {
    /// Turns of these lengths. Queues without a weight, or with 0, have turns of one state.
    pub fn new(weights: &[u32]) -> Self {
        Alternation {
            weights: weights.to_vec(),
            ..Alternation::default()
        }
    }
}

impl Turns for Alternation {
    fn next(&mut self, sizes: &[usize]) -> usize {
        let weight = self.weights.get(self.at).copied().unwrap_or(1).max(1);
        let has_turn = self.taken < weight && sizes.get(self.at).is_some_and(|size| *size > 0);
        if !has_turn {
            let after = self.at + 1;
            self.at = (0..sizes.len())
                .map(|i| (after + i) % sizes.len())
                .find(|queue| sizes[*queue] > 0)
                .unwrap_or(0);
            self.taken = 0;
        }
        self.taken += 1;
        self.at
    }
}

/// Waiting states with their depths, in buckets of equal priority: there are few different estimates and many states,
/// so that a bucket is found by a short way, and its order is that of arrival.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    buckets: BTreeMap<u64, VecDeque<(u32, u32)>>,
    /// The memory of a bucket that ran empty, for the next one.
    spare: VecDeque<(u32, u32)>,
    /// Entries for which there is room in all buckets.
    room: usize,
}

impl Queue {
    pub(crate) fn push(&mut self, priority: u64, entry: (u32, u32)) {
        let bucket = self
            .buckets
            .entry(priority)
            .or_insert_with(|| std::mem::take(&mut self.spare));
        let before = bucket.capacity();
        bucket.push_back(entry);
        self.room += bucket.capacity() - before;
    }

    pub(crate) fn pop(&mut self, ties: Ties) -> Option<(u32, u32)> {
        let mut first = self.buckets.first_entry()?;
        let bucket = first.get_mut();
        let entry = match ties {
            Ties::Oldest => bucket.pop_front(),
            Ties::Newest => bucket.pop_back(),
        };
        if bucket.is_empty() {
            let empty = first.remove();
            let smaller = if empty.capacity() < self.spare.capacity() {
                empty
            } else {
                std::mem::replace(&mut self.spare, empty)
            };
            self.room -= smaller.capacity();
        }
        entry
    }

    pub(crate) fn bytes(&self) -> usize {
        // A tree of buckets is two thirds full on average.
        self.room * size_of::<(u32, u32)>()
            + self.buckets.len() * size_of::<(u64, VecDeque<(u32, u32)>)>() * 3 / 2
    }
}

/// Best first: several queues, each with its smallest priority first, and a rule whose turn it is.
///
/// With one queue, the priority says which search it is: the estimate alone is greedy search; depth plus estimate is A*,
/// which needs [`guided_search_by_depth`](crate::guided_search_by_depth); depth plus a multiple of the estimate is weighted A*.
///
/// A [`Rank`] puts a state into one queue. An array of priorities puts it into several at once, one for each, as
/// alternation between estimates needs; it is expanded when the first of them takes it.
#[derive(Clone, Debug)]
pub struct Queues<R = Preference> {
    turns: R,
    ties: Ties,
    queues: Vec<Queue>,
    sizes: Vec<usize>,
    waiting: usize,
    /// Memory of the entries.
    held: usize,
    /// By number: the states in several queues that one of them has taken already.
    taken: Vec<u64>,
    is_shared: bool,
}

impl<R: Turns> Queues<R> {
    /// Empty queues.
    pub fn new(turns: R, ties: Ties) -> Self {
        Queues {
            turns,
            ties,
            queues: Vec::new(),
            sizes: Vec::new(),
            waiting: 0,
            held: 0,
            taken: Vec::new(),
            is_shared: false,
        }
    }

    fn add(&mut self, id: StateId, depth: u32, rank: Rank) {
        let queue = rank.queue as usize;
        if queue >= self.queues.len() {
            self.queues.resize_with(queue + 1, Queue::default);
            self.sizes.resize(queue + 1, 0);
        }
        self.held -= self.queues[queue].bytes();
        self.queues[queue].push(rank.priority, (id.0, depth));
        self.held += self.queues[queue].bytes();
        self.sizes[queue] += 1;
    }

    /// Takes the next entry of a queue.
    fn remove(&mut self, queue: usize) -> Option<(u32, u32)> {
        self.held -= self.queues[queue].bytes();
        let entry = self.queues[queue].pop(self.ties);
        self.held += self.queues[queue].bytes();
        self.sizes[queue] -= usize::from(entry.is_some());
        entry
    }

    /// Marks a state as taken; false if it was already.
    fn take(&mut self, id: u32) -> bool {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if word >= self.taken.len() {
            self.taken.resize(word + 1, 0);
        }
        let is_first = self.taken[word] & bit == 0;
        self.taken[word] |= bit;
        is_first
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        while self.waiting > 0 {
            let mut queue = self.turns.next(&self.sizes);
            // States must not be lost by a wrong answer: that would end a search with a proof.
            if self.sizes.get(queue).is_none_or(|size| *size == 0) {
                queue = Preference.next(&self.sizes);
            }
            while let Some((id, depth)) = self.remove(queue) {
                if !self.is_shared || self.take(id) {
                    self.waiting -= 1;
                    return Some((StateId(id), depth));
                }
            }
        }
        None
    }

    fn bytes(&self) -> usize {
        self.held
            + self.queues.capacity() * (size_of::<Queue>() + size_of::<usize>())
            + self.taken.capacity() * size_of::<u64>()
    }
}

impl<R: Turns> Frontier<Rank> for Queues<R> {
    fn push(&mut self, id: StateId, depth: u32, rank: Rank) {
        self.add(id, depth, rank);
        self.waiting += 1;
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        Queues::pop(self)
    }

    fn waiting(&self) -> usize {
        self.waiting
    }

    fn bytes(&self) -> usize {
        Queues::bytes(self)
    }
}

/// A priority for each queue in which the state waits. Requires: there is at least one.
impl<R: Turns, const N: usize> Frontier<[Option<u64>; N]> for Queues<R> {
    fn push(&mut self, id: StateId, depth: u32, priorities: [Option<u64>; N]) {
        debug_assert!(priorities.iter().any(Option::is_some), "the state waits nowhere");
        self.is_shared = true;
        for (queue, priority) in (0..).zip(priorities) {
            if let Some(priority) = priority {
                self.add(id, depth, Rank { queue, priority });
            }
        }
        self.waiting += 1;
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        Queues::pop(self)
    }

    fn waiting(&self) -> usize {
        self.waiting
    }

    fn bytes(&self) -> usize {
        Queues::bytes(self)
    }
}

/// Smallest value of a function of the state first.
///
/// If the value never falls along a step, and a state that covers another has no greater one, states are expanded
/// in order of their values; with [`Goal::when_expanded`](crate::Goal::when_expanded) the goal found is then a best one.
#[derive(Clone, Debug)]
pub struct ByValue<F>(pub F);

impl<T, F> Guide<T> for ByValue<F>
where
    T: TransitionSystem + ?Sized,
    F: FnMut(&T::State) -> u64,
{
    type Rank = Rank;
    const LOOKS_UP_FIRST: bool = false;

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Rank> {
        let priority = (self.0)(met.state);
        Verdict::Keep(Rank { queue: 0, priority })
    }
}
