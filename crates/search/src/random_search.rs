//! Random search: Engels, Groote, van Weerdenburg, Willemse, *Search algorithms for automated validation* (2009).

use crate::engine::{Fault, Outcome, Report};
use crate::expand::{Child, expand};
use crate::goal::Goal;
use crate::limits::{Limit, Limits, Meter};
use crate::path::Tree;
use crate::store::{StateId, Store, Stored};
use crate::system::{TransitionSystem, Worker};
use zonewalk_numbers::Random;

/// Limit on the states remembered when the walk is repeated for its path.
const KNOWN: usize = 1 << 16;

/// A random walk: where it is, and how it goes on.
struct Walk<S> {
    random: Random,
    /// Current state; `None` before the initial state.
    state: Option<S>,
    steps: u64,
}

impl<S> Walk<S> {
    fn new(seed: u64) -> Self {
        Walk {
            random: Random::new(seed),
            state: None,
            steps: 0,
        }
    }

    /// The next step: one of `children`, each with the same probability.
    fn choose(&mut self, children: &[Child<S>]) -> usize {
        self.random.index(children.len())
    }

    fn go_to(&mut self, child: Child<S>) {
        self.state = Some(child.state);
        self.steps += 1;
    }
}

/// Random search: one random path (Definition 3), whose steps are drawn from all steps of a state with equal probability,
/// until a goal is among the successors, there are none, or a limit is reached.
///
/// "For random search the memory usage is constant" (section 5): nothing but the present state is held. What is found is
/// walked again from the same seed, and then the path is noted. It is shorter than the walk: it leads to each state from
/// where the walk first had it in sight. The paper does not say how its traces are made; they are much shorter than its
/// walks (1394(2): 158 for 3,266 states), and of the rules tried this one comes nearest. It needs a memory of the states
/// seen, which ends with the first 2^16: from the last one of these that the walk reached, the path is the walk itself.
///
/// In the report, explored states are the steps of the walk, and one is stored. `seen` is for the second walk alone.
/// Requires: it is by equality, and empty.
pub fn random_search<T, S>(
    worker: &mut Worker<'_, T>,
    seen: &mut S,
    mut goal: Goal<'_, T::State>,
    seed: u64,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State>,
{
    let mut walk = Walk::new(seed);
    let mut meter = Meter::new(limits);
    // The first error, with the steps of the walk until then, and the child that fails if it is one.
    let mut failed: Option<(u64, Option<u32>, T::Fault)> = None;
    let mut found = None;
    let end = loop {
        let is_begun = walk.state.is_some();
        meter.hold(usize::from(is_begun), 1, size_of::<T::State>());
        if is_begun {
            if let Some(limit) = meter.forbids_expansion() {
                break Outcome::LimitReached(limit);
            }
            meter.statistics.states_explored += 1;
        }
        let expansion = expand(worker, walk.state.as_ref(), &mut goal, (&meter, &*seen));
        if let (Some((child, fault)), None) = (expansion.fault, &failed) {
            failed = Some((walk.steps, child, fault));
        }
        if expansion.goal.is_some() {
            found = expansion.goal;
            break Outcome::Exhausted;
        }
        if let Some(limit) = expansion.limit {
            break Outcome::LimitReached(limit);
        }
        let mut children = expansion.children;
        if is_begun {
            meter.statistics.transitions += children.len() as u64;
        }
        if children.is_empty() {
            break if is_begun {
                Outcome::LimitReached(Limit::LeftOut)
            } else {
                Outcome::Exhausted
            };
        }
        let chosen = walk.choose(&children);
        walk.go_to(children.swap_remove(chosen));
        meter.statistics.max_depth = u32::try_from(walk.steps - 1).unwrap_or(u32::MAX);
    };
    let stops = [
        failed.as_ref().map(|(steps, ..)| *steps),
        found.as_ref().map(|_| walk.steps),
    ];
    let [to_failed, to_found] = paths(worker, seen, seed, stops);
    Report {
        outcome: match found {
            Some(Child { ordinal, state }) => Outcome::Found {
                path: to_found.into_iter().chain([ordinal]).collect(),
                state,
            },
            None => end,
        },
        fault: failed.map(|(_, child, fault)| Fault {
            fault,
            path: to_failed.into_iter().chain(child).collect(),
        }),
        statistics: meter.statistics,
    }
}

/// Walks again, and gives paths to where the walk is after given numbers of steps. Requires: the numbers do not fall.
fn paths<T, S>(worker: &mut Worker<'_, T>, seen: &mut S, seed: u64, stops: [Option<u64>; 2]) -> [Vec<u32>; 2]
where
    T: TransitionSystem,
    S: Store<State = T::State>,
{
    let mut walk = Walk::new(seed);
    let mut way = Way {
        seen,
        tree: Tree::new(),
        node: None,
        rest: Vec::new(),
    };
    stops.map(|steps| {
        while steps.is_some_and(|steps| walk.steps < steps) {
            let unlimited = (&Meter::new(&Limits::default()), &*way.seen);
            let mut children = expand(worker, walk.state.as_ref(), &mut Goal::none(), unlimited).children;
            // They are the same as before, so there are some.
            if children.is_empty() {
                break;
            }
            let chosen = walk.choose(&children);
            way.see(&children, chosen);
            walk.go_to(children.swap_remove(chosen));
        }
        way.path()
    })
}

/// The path of a walk to its present state.
struct Way<'s, S> {
    seen: &'s mut S,
    /// How each remembered state was seen first.
    tree: Tree,
    /// The last of these that the walk reached, and how it went on from there.
    node: Option<StateId>,
    rest: Vec<u32>,
}

impl<S: Store> Way<'_, S> {
    /// Takes one of the steps that the walk can choose from.
    fn see(&mut self, children: &[Child<S::State>], chosen: usize) {
        let source = self.node;
        for (index, child) in children.iter().enumerate() {
            let id = if self.tree.len() < KNOWN {
                let (Stored::Covered(id) | Stored::New(id)) = self.seen.insert(&child.state);
                if id.index() == self.tree.len() {
                    self.tree.push(source, child.ordinal);
                }
                Some(id)
            } else {
                self.seen.covering(&child.state)
            };
            match id {
                _ if index != chosen => {}
                Some(id) => {
                    self.node = Some(id);
                    self.rest.clear();
                }
                None => self.rest.push(child.ordinal),
            }
        }
    }

    fn path(&self) -> Vec<u32> {
        let known = self.node.map_or_else(Vec::new, |node| self.tree.path(node));
        known.into_iter().chain(self.rest.iter().copied()).collect()
    }
}
