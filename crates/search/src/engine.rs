//! The one loop of all searches that visit every reachable state once.

use std::marker::PhantomData;

use crate::by_depth::DepthStore;
use crate::frontier::Frontier;
use crate::goal::Goal;
use crate::guide::{GeneratedState, Guide, Unguided, Verdict};
use crate::limits::{Limit, Limits, Meter, Statistics};
use crate::path::Tree;
use crate::store::{StateId, Store, Stored};
use crate::system::{Flow, TransitionSystem, Worker};

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<S> {
    /// A goal was met.
    Found {
        /// The ordinals of its steps; the first says which initial state.
        path: Vec<u32>,
        /// The state that is the goal.
        state: S,
    },
    /// Every reachable state was visited, but for those that were safe to leave out, and none is a goal: this is a proof.
    /// States after an error of the model are not reachable.
    Exhausted,
    /// The search had to stop early or, with [`Limit::LeftOut`], has ended without a proof: nothing is known about the
    /// rest.
    LimitReached(Limit),
}

/// An error of the model that was met on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<F> {
    /// The error.
    pub fault: F,
    /// The way to the state some of whose successors could not be computed; empty if the initial states failed.
    pub path: Vec<u32>,
}

/// The end of a search, with what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<S, F> {
    /// How it ended.
    pub outcome: Outcome<S>,
    /// The first error of the model that was met. The search has gone on without the failing step, so that a goal that was
    /// found is a goal all the same; but finding none then proves nothing.
    pub fault: Option<Fault<F>>,
    /// Effort of the search.
    pub statistics: Statistics,
}

/// Visits the states of a system in the order of the frontier until a goal is met, all are visited or a limit is
/// reached. Requires: store and frontier are empty.
///
/// A waiting state that was retired by the store, because a later one covers it, is passed over.
pub fn search<T, S, F>(
    worker: &mut Worker<'_, T>,
    store: &mut S,
    frontier: &mut F,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier + ?Sized,
{
    guided_search(worker, store, frontier, &mut Unguided, goal, limits)
}

/// Searches with a store of nodes: a state is covered only by states reached in no more steps.
///
/// This is what breadth-first search needs for finding *shortest* paths when states are covered by inclusion: with
/// [`search`] a state that waits can be retired by one that was met a step later. By equality there is no difference.
pub fn search_by_depth<T, S, F>(
    worker: &mut Worker<'_, T>,
    store: &mut S,
    frontier: &mut F,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: DepthStore<State = T::State> + ?Sized,
    F: Frontier + ?Sized,
{
    guided_search_by_depth(worker, store, frontier, &mut Unguided, goal, limits)
}

/// [`search`] with a guide, which says where in the frontier states belong and which of them are left out.
pub fn guided_search<T, S, F, G>(
    worker: &mut Worker<'_, T>,
    store: &mut S,
    frontier: &mut F,
    guide: &mut G,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier<G::Rank> + ?Sized,
    G: Guide<T> + ?Sized,
{
    run::<_, _, _, _, AtAnyDepth>(worker, store, frontier, guide, goal, limits)
}

/// [`search_by_depth`] with a guide. A state that is met again after fewer steps is reopened, expanded before or not.
///
/// This is what A* needs. With an estimate that is never too large its paths are shortest, also where the estimate falls
/// by more than one along a step: of the live nodes on a shortest path, or covering its states, one always waits, with a
/// priority that is not greater than the path's length. The goal must be tested when it is
/// [expanded](Goal::when_expanded), unless the estimate of what is not a goal is at least 1.
pub fn guided_search_by_depth<T, S, F, G>(
    worker: &mut Worker<'_, T>,
    store: &mut S,
    frontier: &mut F,
    guide: &mut G,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: DepthStore<State = T::State> + ?Sized,
    F: Frontier<G::Rank> + ?Sized,
    G: Guide<T> + ?Sized,
{
    run::<_, _, _, _, NoDeeper>(worker, store, frontier, guide, goal, limits)
}

/// Which stored states may cover one that is met.
trait Covering<S: Store + ?Sized> {
    fn insert(store: &mut S, state: &S::State, depth: u32) -> Stored;
    fn covering(store: &S, state: &S::State, depth: u32) -> Option<StateId>;
    fn reopened(store: &S) -> u64;
}

struct AtAnyDepth;

impl<S: Store + ?Sized> Covering<S> for AtAnyDepth {
    fn insert(store: &mut S, state: &S::State, _: u32) -> Stored {
        store.insert(state)
    }

    fn covering(store: &S, state: &S::State, _: u32) -> Option<StateId> {
        store.covering(state)
    }

    fn reopened(_: &S) -> u64 {
        0
    }
}

struct NoDeeper;

impl<S: DepthStore + ?Sized> Covering<S> for NoDeeper {
    fn insert(store: &mut S, state: &S::State, depth: u32) -> Stored {
        store.insert_at(state, depth)
    }

    fn covering(store: &S, state: &S::State, depth: u32) -> Option<StateId> {
        store.covering_at(state, depth)
    }

    fn reopened(store: &S) -> u64 {
        store.reopened()
    }
}

fn run<T, S, F, G, C>(
    worker: &mut Worker<'_, T>,
    store: &mut S,
    frontier: &mut F,
    guide: &mut G,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier<G::Rank> + ?Sized,
    G: Guide<T> + ?Sized,
    C: Covering<S>,
{
    let mut run = Run::<T, S, F, G, C> {
        store,
        covering: PhantomData,
        frontier,
        guide,
        goal,
        fresh: Vec::new(),
        meter: Meter::new(limits),
        tree: Tree::new(),
        is_complete: true,
        end: None,
    };
    let mut fault = None;
    let outcome = run.run(worker, &mut fault);
    run.measure();
    run.meter.statistics.reopened = C::reopened(run.store);
    Report {
        outcome,
        fault,
        statistics: run.meter.statistics,
    }
}

/// Why the loop is left.
enum End<S> {
    Found {
        parent: Option<StateId>,
        ordinal: u32,
        state: S,
    },
    Limit(Limit),
}

struct Run<'a, 'g, 'l, T: TransitionSystem, S: ?Sized, F: ?Sized, G: Guide<T> + ?Sized, C> {
    store: &'a mut S,
    covering: PhantomData<C>,
    frontier: &'a mut F,
    guide: &'a mut G,
    goal: Goal<'g, T::State>,
    /// New states whose ranks may still change.
    fresh: Vec<(StateId, G::Rank)>,
    meter: Meter<'l>,
    tree: Tree,
    /// Whether no state was left out that may lead to a goal.
    is_complete: bool,
    end: Option<End<T::State>>,
}

impl<T, S, F, G, C> Run<'_, '_, '_, T, S, F, G, C>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier<G::Rank> + ?Sized,
    G: Guide<T> + ?Sized,
    C: Covering<S>,
{
    fn run(&mut self, worker: &mut Worker<'_, T>, met: &mut Option<Fault<T::Fault>>) -> Outcome<T::State> {
        let mut ordinal = 0;
        // Loading needs a state to load into, and no other way to make one is known here than to copy one.
        let mut working = None;
        let result = worker.initial(&mut |state, step| {
            working.get_or_insert_with(|| state.clone());
            self.receive(None, &mut ordinal, 0, state, step)
        });
        if let Err(fault) = result {
            if let Some(Limit::Stopped) = self.meter.forbids_fault(true) {
                return Outcome::LimitReached(Limit::Stopped);
            }
            *met = Some(Fault {
                fault,
                path: Vec::new(),
            });
        }
        if let Some(end) = self.end.take() {
            return self.ended(end);
        }
        self.push_together(0);
        self.frontier.close();
        let Some(mut working) = working else {
            return Outcome::Exhausted;
        };
        while let Some((id, depth)) = self.frontier.pop() {
            if !self.store.is_alive(id) {
                continue;
            }
            self.measure();
            if let Some(limit) = self.meter.forbids_expansion() {
                return Outcome::LimitReached(limit);
            }
            self.store.load(id, &mut working);
            if self.goal.when_expanded && self.goal.holds(&working) {
                return Outcome::Found {
                    path: self.tree.path(id),
                    state: working,
                };
            }
            if let Verdict::LeaveOut { is_safe } = self.guide.before_expand(id, &working, depth) {
                self.leave_out(is_safe);
                continue;
            }
            self.meter.statistics.states_explored += 1;
            let mut ordinal = 0;
            let result = worker.successors(&working, &mut |state, step| {
                self.receive(Some(id), &mut ordinal, depth + 1, state, step)
            });
            let has_failed = result.is_err();
            let forbidden = self.meter.forbids_fault(has_failed);
            if let (Err(fault), None) = (result, &met)
                && forbidden != Some(Limit::Stopped)
            {
                let path = self.tree.path(id);
                *met = Some(Fault { fault, path });
            }
            if let Some(end) = self.end.take() {
                return self.ended(end);
            }
            if let Some(limit) = forbidden {
                return Outcome::LimitReached(limit);
            }
            if ordinal == 0 && self.goal.deadlock && !has_failed {
                return Outcome::Found {
                    path: self.tree.path(id),
                    state: working,
                };
            }
            self.push_together(depth + 1);
            self.guide.after_expand(id);
            self.frontier.close();
        }
        if self.is_complete {
            Outcome::Exhausted
        } else {
            Outcome::LimitReached(Limit::LeftOut)
        }
    }

    /// Takes in one generated state.
    #[inline]
    fn receive(
        &mut self,
        parent: Option<StateId>,
        ordinal: &mut u32,
        depth: u32,
        state: &T::State,
        step: T::Step<'_>,
    ) -> Flow {
        // Systems need not stop at once when the flow is broken.
        if self.end.is_some() {
            return Flow::Break(());
        }
        let this = *ordinal;
        self.meter.statistics.transitions += u64::from(parent.is_some());
        if !self.goal.when_expanded && self.goal.holds(state) {
            self.end = Some(End::Found {
                parent,
                ordinal: this,
                state: state.clone(),
            });
            return Flow::Break(());
        }
        if self.tree.is_full() || this == u32::MAX {
            self.end = Some(End::Limit(Limit::Memory));
            return Flow::Break(());
        }
        *ordinal += 1;
        let met = GeneratedState {
            state,
            step,
            ordinal: this,
            parent,
            depth,
        };
        self.guide.on_generated(&met);
        if G::LOOKS_UP_FIRST
            && let Some(id) = C::covering(self.store, state, depth)
        {
            let requeued = self.guide.requeue(&met, id);
            self.guide.on_stored(parent, Stored::Covered(id));
            if let Some(rank) = requeued {
                self.wait(id, depth, rank);
            }
            return Flow::Continue(());
        }
        let rank = match self.guide.rank(&met) {
            Verdict::Keep(rank) => rank,
            Verdict::LeaveOut { is_safe } => {
                self.leave_out(is_safe);
                return Flow::Continue(());
            }
        };
        let stored = C::insert(self.store, state, depth);
        self.guide.on_stored(parent, stored);
        if let Stored::New(id) = stored {
            debug_assert_eq!(
                id.index(),
                self.tree.len(),
                "stores number new states consecutively"
            );
            self.tree.push(parent, this);
            self.wait(id, depth, rank);
            let deepest = &mut self.meter.statistics.max_depth;
            *deepest = depth.max(*deepest);
            // Checked here as well: one state alone may have more successors than fit.
            self.measure();
        }
        let limit = match stored {
            Stored::New(_) => self.meter.exceeded(),
            Stored::Covered(_) => self.meter.stops_among_covered(),
        };
        if let Some(limit) = limit {
            self.end = Some(End::Limit(limit));
            return Flow::Break(());
        }
        Flow::Continue(())
    }

    /// Lets a state wait, when its rank is final.
    #[inline]
    fn wait(&mut self, id: StateId, depth: u32, rank: G::Rank) {
        if G::RANKS_TOGETHER {
            self.fresh.push((id, rank));
        } else {
            self.frontier.push(id, depth, rank);
        }
    }

    /// Brings the new states to the frontier, where they have waited for each other.
    #[inline]
    fn push_together(&mut self, depth: u32) {
        if G::RANKS_TOGETHER {
            self.guide.rank_together(&mut self.fresh);
            for (id, rank) in self.fresh.drain(..) {
                self.frontier.push(id, depth, rank);
            }
        }
    }

    fn leave_out(&mut self, is_safe: bool) {
        self.meter.statistics.left_out += 1;
        self.is_complete &= is_safe;
    }

    fn measure(&mut self) {
        let bytes = self.store.bytes() + self.tree.bytes() + self.frontier.bytes() + self.guide.bytes();
        self.meter
            .hold(self.store.stored(), self.frontier.waiting(), bytes);
    }

    fn ended(&self, end: End<T::State>) -> Outcome<T::State> {
        match end {
            End::Found {
                parent,
                ordinal,
                state,
            } => Outcome::Found {
                path: self.tree.path_over(parent, ordinal),
                state,
            },
            End::Limit(limit) => Outcome::LimitReached(limit),
        }
    }
}
