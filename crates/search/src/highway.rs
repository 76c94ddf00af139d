//! Random search and highway search: Engels, Groote, van Weerdenburg, Willemse, *Search algorithms for automated
//! validation* (2009).
//!
//! A *random search* follows one random path and looks at the successors of every state on it (Definition 3). A
//! *highway search* of width N follows N lanes at once: the next states are N random ones among the unvisited
//! successors of the present ones (Definition 5). Both look at all successors, also at those that they do not follow.
//! Neither is complete; a highway that never had to leave a state out was a breadth-first search, and says so.

use std::num::NonZeroUsize;

use crate::engine::{Fault, Outcome, Report};
use crate::expand::{Child, expand};
use crate::goal::Goal;
use crate::limits::{Limit, Limits, Meter};
use crate::path::Tree;
pub use crate::random_search::random_search;
use crate::store::{StateId, Store, Stored};
use crate::system::{TransitionSystem, Worker};
use zonewalk_numbers::Random;

/// How the next states of a highway are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Algorithm 1: a state that was passed over is a candidate again when another step leads to it, so that states
    /// with many predecessors are taken more often. Only the states taken are held.
    #[default]
    Approximate,
    /// Definition 5: every set of N candidates is equally likely. All candidates of a level are held.
    Exact,
}

/// The parameters of a highway search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highway {
    /// The number of lanes.
    pub width: NonZeroUsize,
    /// How the next states are chosen.
    pub choice: Choice,
    /// Seed of the random choices. Equal seeds give equal searches.
    pub seed: u64,
}

/// The states taken so far for the next level, and those that are not to be considered again.
struct Level<S: Store> {
    lanes: Vec<Lane<S::State>>,
    seen: S,
    /// Whether a state of `seen` keeps others from being considered.
    blocks: Vec<bool>,
    /// Candidates considered: the `c` of Algorithm 1.
    considered: usize,
}

struct Lane<S> {
    parent: Option<StateId>,
    child: Child<S>,
    seen: StateId,
}

impl<S: Store> Level<S> {
    fn new(seen: S) -> Self {
        Level {
            lanes: Vec::new(),
            seen,
            blocks: Vec::new(),
            considered: 0,
        }
    }

    /// Lines 6 to 13 of Algorithm 1. With `Choice::Exact` every candidate is considered once, which makes the same
    /// lines draw each set of N candidates with the same probability (the paper's Theorem 7).
    fn consider(
        &mut self,
        parent: Option<StateId>,
        child: Child<S::State>,
        highway: &Highway,
        random: &mut Random,
    ) {
        if self
            .seen
            .covering(&child.state)
            .is_some_and(|id| self.blocks[id.index()])
        {
            return;
        }
        self.considered += 1;
        let width = highway.width.get();
        // With probability N/c some lane is replaced, each equally likely.
        let slot = if self.lanes.len() < width {
            self.lanes.len()
        } else {
            random.index(self.considered)
        };
        if slot >= width && highway.choice == Choice::Approximate {
            return;
        }
        let seen = match self.seen.insert(&child.state) {
            Stored::New(id) => {
                self.blocks.push(true);
                id
            }
            Stored::Covered(id) => {
                self.blocks[id.index()] = true;
                id
            }
        };
        if slot >= width {
            return;
        }
        let lane = Lane { parent, child, seen };
        match self.lanes.get_mut(slot) {
            None => self.lanes.push(lane),
            Some(old) => {
                let old = std::mem::replace(old, lane);
                if highway.choice == Choice::Approximate && old.seen != seen {
                    self.blocks[old.seen.index()] = false;
                }
            }
        }
    }
}

/// Highway search. `store` makes empty stores: one for the visited states, one for the candidates of each level.
///
/// In the report, stored states are the visited ones (those that were on a lane). The outcome is
/// [`Limit::LeftOut`] if the lanes ended after a state had been left out, [`Outcome::Exhausted`] if none ever was.
pub fn highway_search<T, S>(
    worker: &mut Worker<'_, T>,
    mut store: impl FnMut() -> S,
    mut goal: Goal<'_, T::State>,
    highway: &Highway,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State>,
{
    let mut random = Random::new(highway.seed);
    let mut meter = Meter::new(limits);
    let (mut visited, mut tree) = (store(), Tree::new());
    // The lanes: numbers in the tree, and the states themselves. The initial states are the successors of nothing.
    let mut present: Vec<(Option<StateId>, Option<T::State>)> = vec![(None, None)];
    let (mut depth, mut left_out) = (0, false);
    let mut fault = None;
    let outcome = 'search: loop {
        let mut level = Level::new(store());
        for (node, state) in &present {
            // States of one level are about as large as each other.
            let of_state = state.as_ref().map_or(0, |state| visited.bytes_of(state));
            let bytes = visited.bytes()
                + level.seen.bytes()
                + level.blocks.capacity()
                + tree.bytes()
                + (present.len() + level.lanes.len()) * (size_of::<Lane<T::State>>() + of_state);
            meter.hold(visited.stored(), present.len(), bytes);
            if node.is_some() {
                if let Some(limit) = meter.forbids_expansion() {
                    break 'search Outcome::LimitReached(limit);
                }
                meter.statistics.states_explored += 1;
            }
            let expansion = expand(worker, state.as_ref(), &mut goal, (&meter, &visited));
            remember(&mut fault, expansion.fault, &tree, *node);
            if let Some(child) = expansion.goal {
                meter.statistics.transitions += u64::from(child.ordinal) + 1;
                break 'search Outcome::Found {
                    path: tree.path_over(*node, child.ordinal),
                    state: child.state,
                };
            }
            if let Some(limit) = expansion.limit {
                break 'search Outcome::LimitReached(limit);
            }
            if node.is_some() {
                meter.statistics.transitions += expansion.children.len() as u64;
            }
            for child in expansion.children {
                if visited.covering(&child.state).is_none() {
                    level.consider(*node, child, highway, &mut random);
                }
            }
        }
        left_out |= level.considered > level.lanes.len();
        if level.lanes.is_empty() {
            break if left_out {
                Outcome::LimitReached(Limit::LeftOut)
            } else {
                Outcome::Exhausted
            };
        }
        meter.statistics.max_depth = depth;
        depth += 1;
        present.clear();
        for lane in level.lanes {
            if tree.is_full() {
                break 'search Outcome::LimitReached(Limit::Memory);
            }
            let node = StateId(tree.len() as u32);
            tree.push(lane.parent, lane.child.ordinal);
            // One lane may include another; both are followed, under numbers of the tree's own.
            visited.insert(&lane.child.state);
            present.push((Some(node), Some(lane.child.state)));
        }
    };
    meter.hold(visited.stored(), present.len(), meter.statistics.bytes);
    Report {
        outcome,
        fault,
        statistics: meter.statistics,
    }
}

/// Keeps the first error, with the way to the state that fails: a present one, or one of its children.
fn remember<F>(
    first: &mut Option<Fault<F>>,
    met: Option<(Option<u32>, F)>,
    tree: &Tree,
    node: Option<StateId>,
) {
    if let (Some((child, fault)), None) = (met, &first) {
        let path = match child {
            Some(ordinal) => tree.path_over(node, ordinal),
            None => node.map_or_else(Vec::new, |node| tree.path(node)),
        };
        *first = Some(Fault { fault, path });
    }
}
