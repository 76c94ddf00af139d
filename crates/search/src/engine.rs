//! The one loop of all searches that visit every reachable state once.

use crate::by_depth::DepthStore;
use crate::frontier::Frontier;
use crate::goal::Goal;
use crate::limits::{Limit, Limits, Meter, Statistics};
use crate::path::Tree;
use crate::store::{StateId, Store, Stored};
use crate::system::{Flow, TransitionSystem};

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
    /// Every reachable state was visited, and none is a goal. What lies behind an error of the model is not reachable.
    Exhausted,
    /// The search had to stop early: nothing is known about the rest.
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
    /// found is one all the same; that there is none is not known then.
    pub fault: Option<Fault<F>>,
    /// What it did.
    pub statistics: Statistics,
}

/// Visits the states of a system in the order of the frontier until a goal is met, all are visited or a limit is
/// reached. Requires: store and frontier are empty.
///
/// A waiting state that was retired by the store, because a later one covers it, is passed over.
pub fn search<T, S, F>(
    system: &mut T,
    store: &mut S,
    frontier: &mut F,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier<T::State> + ?Sized,
{
    run(system, store, frontier, goal, limits, |store, state, _| {
        store.insert(state)
    })
}

/// The same with a store of nodes: a state is covered only by those met after no more steps.
///
/// This is what breadth-first search needs for finding *shortest* paths when states are covered by inclusion: with
/// [`search`] a state that waits can be retired by one that was met a step later. By equality there is no difference.
pub fn search_by_depth<T, S, F>(
    system: &mut T,
    store: &mut S,
    frontier: &mut F,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: DepthStore<State = T::State> + ?Sized,
    F: Frontier<T::State> + ?Sized,
{
    run(system, store, frontier, goal, limits, |store, state, depth| {
        store.insert_at(state, depth)
    })
}

fn run<T, S, F>(
    system: &mut T,
    store: &mut S,
    frontier: &mut F,
    goal: Goal<'_, T::State>,
    limits: &Limits<'_>,
    insert: impl Fn(&mut S, &T::State, u32) -> Stored,
) -> Report<T::State, T::Fault>
where
    T: TransitionSystem,
    S: Store<State = T::State> + ?Sized,
    F: Frontier<T::State> + ?Sized,
{
    let mut run = Run {
        store,
        insert,
        frontier,
        goal,
        meter: Meter::new(limits),
        tree: Tree::new(),
        end: None,
    };
    let mut fault = None;
    let outcome = run.run(system, &mut fault);
    run.measure();
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

struct Run<'a, 'g, 'l, S: Store + ?Sized, F: ?Sized, I> {
    store: &'a mut S,
    insert: I,
    frontier: &'a mut F,
    goal: Goal<'g, S::State>,
    meter: Meter<'l>,
    tree: Tree,
    end: Option<End<S::State>>,
}

impl<S, F, I> Run<'_, '_, '_, S, F, I>
where
    S: Store + ?Sized,
    S::State: Clone,
    F: Frontier<S::State> + ?Sized,
    I: Fn(&mut S, &S::State, u32) -> Stored,
{
    fn run<T: TransitionSystem<State = S::State>>(
        &mut self,
        system: &mut T,
        met: &mut Option<Fault<T::Fault>>,
    ) -> Outcome<S::State> {
        let mut ordinal = 0;
        // Loading needs a state to load into, and no other way to make one is known here than to copy one.
        let mut working = None;
        let result = system.initial(&mut |state| {
            working.get_or_insert_with(|| state.clone());
            self.meet(None, &mut ordinal, 0, state)
        });
        if let Err(fault) = result {
            *met = Some(Fault {
                fault,
                path: Vec::new(),
            });
        }
        if let Some(end) = self.end.take() {
            return self.ended(end);
        }
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
            self.meter.statistics.states_explored += 1;
            let mut ordinal = 0;
            let result = system.successors(&working, &mut |state| {
                self.meet(Some(id), &mut ordinal, depth + 1, state)
            });
            let has_failed = result.is_err();
            if let (Err(fault), None) = (result, &met) {
                let path = self.tree.path(id);
                *met = Some(Fault { fault, path });
            }
            if let Some(end) = self.end.take() {
                return self.ended(end);
            }
            if let Some(limit) = self.meter.forbids_fault(has_failed) {
                return Outcome::LimitReached(limit);
            }
            if ordinal == 0 && self.goal.deadlock && !has_failed {
                return Outcome::Found {
                    path: self.tree.path(id),
                    state: working,
                };
            }
            self.frontier.close();
        }
        Outcome::Exhausted
    }

    /// Takes in one generated state.
    #[inline]
    fn meet(&mut self, parent: Option<StateId>, ordinal: &mut u32, depth: u32, state: &S::State) -> Flow {
        // Systems need not obey at once when they are told to break.
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
        if let Stored::New(id) = (self.insert)(self.store, state, depth) {
            debug_assert_eq!(
                id.index(),
                self.tree.len(),
                "stores number new states consecutively"
            );
            self.tree.push(parent, this);
            self.frontier.push(id, depth, state);
            let deepest = &mut self.meter.statistics.max_depth;
            *deepest = depth.max(*deepest);
            // Checked here as well: one state alone may have more successors than fit.
            self.measure();
            if let Some(limit) = self.meter.exceeded() {
                self.end = Some(End::Limit(limit));
                return Flow::Break(());
            }
        }
        Flow::Continue(())
    }

    fn measure(&mut self) {
        let bytes = self.store.bytes() + self.tree.bytes() + self.frontier.bytes();
        self.meter
            .hold(self.store.stored(), self.frontier.waiting(), bytes);
    }

    fn ended(&self, end: End<S::State>) -> Outcome<S::State> {
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
