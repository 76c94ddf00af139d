//! One iteration: procedures `Bounded-DRS`, `Random-Walk` and `Nonaccepting-Interior-Children` of Fig. 3.

use super::fringe::NodeSet;
use super::{Fringe, Parameters};
use crate::by_depth::DepthStore;
use crate::chunked::Chunked;
use crate::engine::{Fault, Outcome};
use crate::expand::has_successors;
use crate::goal::Goal;
use crate::limits::{Limit, Meter};
use crate::path::Tree;
use crate::store::{StateId, Stored};
use crate::system::{Flow, TransitionSystem, Worker};
use zonewalk_numbers::Random;

/// Why an iteration is left early.
pub(super) enum End<S> {
    Found {
        parent: Option<StateId>,
        ordinal: u32,
        state: S,
    },
    Limit(Limit),
}

/// A child that was not met before.
struct Child<S> {
    parent: Option<StateId>,
    ordinal: u32,
    state: S,
}

/// Classification of a child.
enum ChildStatus {
    Covered,
    /// Covered, but by nodes that are deeper: to be opened again if walks are cut off.
    CoveredDeeper,
    Free,
}

/// Invariant: every live node above the bound is in the fringe, or marked as owing deeper children, or has only
/// children that are leaves or covered, or is on the walk that is going on. All stored states are interior and no goal.
pub(super) struct Iteration<'a, 'g, 'l, S: DepthStore, F> {
    store: S,
    goal: &'a mut Goal<'g, S::State>,
    meter: &'a mut Meter<'l>,
    random: &'a mut Random,
    parameters: &'a Parameters,
    bound: u32,
    tree: Tree,
    depths: Chunked<u32>,
    fringe: NodeSet,
    /// Nodes with children that are covered by deeper nodes only, one bit each.
    owing: Vec<u64>,
    /// Whether states met at a smaller depth are opened again now.
    reopening: bool,
    pub(super) leaf_tests: u64,
    /// The first error of the model.
    fault: &'a mut Option<Fault<F>>,
}

/// A value, or why the iteration ends.
type Unless<S, V = ()> = Result<V, End<S>>;

impl<'a, 'g, 'l, S, F> Iteration<'a, 'g, 'l, S, F>
where
    S: DepthStore,
    S::State: Clone,
{
    pub(super) fn new(
        store: S,
        goal: &'a mut Goal<'g, S::State>,
        meter: &'a mut Meter<'l>,
        random: &'a mut Random,
        parameters: &'a Parameters,
        bound: u32,
        fault: &'a mut Option<Fault<F>>,
    ) -> Self {
        Iteration {
            store,
            goal,
            meter,
            random,
            parameters,
            bound,
            tree: Tree::new(),
            depths: Chunked::new(),
            fringe: NodeSet::new(),
            owing: Vec::new(),
            reopening: false,
            leaf_tests: 0,
            fault,
        }
    }

    /// Procedure `Bounded-DRS`: meets every state within the bound. Returns early with what was found.
    pub(super) fn run<T>(&mut self, worker: &mut Worker<'_, T>) -> Unless<S::State>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        let mut found = self.children(worker, None)?;
        // Loading needs a state to load into, and no other way to make one is known here than to copy one.
        let Some(mut working) = found.first().map(|child| child.state.clone()) else {
            return Ok(());
        };
        let mut roots = Vec::new();
        while let Some(root) = self.draw_interior(worker, &mut found)? {
            roots.extend(self.admit(&root, 0)?);
        }
        roots.retain(|root| self.store.is_alive(*root));
        if self.bound == 0 {
            return Ok(());
        }
        self.initial_walks(worker, &roots, &mut working)?;
        self.drain_fringe(worker, &mut working)?;
        if self.was_cut_off() {
            self.reopening = true;
            for index in 0..self.tree.len() {
                let id = StateId(index as u32);
                if self
                    .owing
                    .get(index / 64)
                    .is_some_and(|word| word >> (index % 64) & 1 == 1)
                    && self.store.is_alive(id)
                {
                    self.fringe.insert(id);
                }
            }
            self.drain_fringe(worker, &mut working)?;
        }
        Ok(())
    }

    /// Whether a state within the bound remains unexpanded because it lies at the bound.
    pub(super) fn was_cut_off(&self) -> bool {
        (0..self.tree.len())
            .any(|index| *self.depths.get(index) == self.bound && self.store.is_alive(StateId(index as u32)))
    }

    /// The size of `generated`, and how often a state was put into it.
    pub(super) fn generated(&self) -> (usize, usize) {
        (self.store.stored(), self.tree.len())
    }

    pub(super) fn outcome(&self, end: End<S::State>) -> Outcome<S::State> {
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

    /// Walks from as many children of the roots as the parameter says.
    fn initial_walks<T>(
        &mut self,
        worker: &mut Worker<'_, T>,
        roots: &[StateId],
        working: &mut S::State,
    ) -> Unless<S::State>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        let mut pool = Vec::new();
        for root in roots {
            self.store.load(*root, working);
            pool.append(&mut self.children(worker, Some((*root, working)))?);
        }
        let mut walks = 0;
        while walks < self.parameters.walks {
            let Some(child) = self.draw_interior(worker, &mut pool)? else {
                break;
            };
            if let Some(id) = self.admit(&child, 1)? {
                walks += 1;
                self.walk(worker, id, working)?;
            }
        }
        match self.parameters.fringe {
            Fringe::Node => roots.iter().for_each(|root| self.fringe.insert(*root)),
            Fringe::Children => {
                while let Some(child) = self.draw_interior(worker, &mut pool)? {
                    if let Some(id) = self.admit(&child, 1)? {
                        self.fringe.insert(id);
                    }
                }
            }
        }
        Ok(())
    }

    fn drain_fringe<T>(&mut self, worker: &mut Worker<'_, T>, working: &mut S::State) -> Unless<S::State>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        while let Some(id) = self.fringe.draw(self.random) {
            if self.store.is_alive(id) {
                self.walk(worker, id, working)?;
            } else {
                self.fringe.remove(id);
            }
        }
        Ok(())
    }

    /// Procedure `Random-Walk`. Requires: `at` is alive.
    fn walk<T>(
        &mut self,
        worker: &mut Worker<'_, T>,
        mut at: StateId,
        working: &mut S::State,
    ) -> Unless<S::State>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        loop {
            let depth = *self.depths.get(at.index());
            if depth >= self.bound {
                self.fringe.remove(at);
                return Ok(());
            }
            self.store.load(at, working);
            let mut children = self.children(worker, Some((at, working)))?;
            let at_bound = depth + 1 == self.bound;
            if at_bound || self.parameters.fringe == Fringe::Children {
                self.fringe.remove(at);
                let mut opened = Vec::new();
                while let Some(child) = self.draw_interior(worker, &mut children)? {
                    opened.extend(self.admit(&child, depth + 1)?);
                }
                // With covering by inclusion a sibling may have retired another.
                opened.retain(|id| self.store.is_alive(*id));
                if at_bound || opened.is_empty() {
                    return Ok(());
                }
                at = opened.swap_remove(self.random.index(opened.len()));
                opened.iter().for_each(|id| self.fringe.insert(*id));
            } else {
                let next = loop {
                    match self.draw_interior(worker, &mut children)? {
                        None => break None,
                        Some(child) => match self.admit(&child, depth + 1)? {
                            None => {}
                            Some(id) => break Some(id),
                        },
                    }
                };
                // The child taken is stored now, so equal ones among the others do not count.
                match self.draw_interior(worker, &mut children)? {
                    Some(_) => self.fringe.insert(at),
                    None => self.fringe.remove(at),
                }
                match next {
                    Some(id) => at = id,
                    None => return Ok(()),
                }
            }
        }
    }

    /// The uncovered children of a node, or the initial states; none of them is a goal. Leaves are still among them.
    fn children<T>(
        &mut self,
        worker: &mut Worker<'_, T>,
        node: Option<(StateId, &S::State)>,
    ) -> Unless<S::State, Vec<Child<S::State>>>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        let parent = node.map(|(id, _)| id);
        let depth = parent.map_or(0, |id| *self.depths.get(id.index()) + 1);
        if parent.is_some() {
            self.measure();
            if let Some(limit) = self.meter.forbids_expansion() {
                return Err(End::Limit(limit));
            }
            self.meter.statistics.states_explored += 1;
        }
        let (mut children, mut end, mut ordinal) = (Vec::new(), None, 0u32);
        let mut bytes = 0;
        let mut emit = |state: &S::State, _: T::Step<'_>| {
            if end.is_some() {
                return Flow::Break(());
            }
            self.meter.statistics.transitions += u64::from(parent.is_some());
            if self.goal.holds(state) {
                end = Some(End::Found {
                    parent,
                    ordinal,
                    state: state.clone(),
                });
                return Flow::Break(());
            }
            if ordinal == u32::MAX {
                end = Some(End::Limit(Limit::Memory));
                return Flow::Break(());
            }
            match self.standing(state, depth) {
                ChildStatus::Covered => {}
                ChildStatus::CoveredDeeper => self.owe(parent),
                ChildStatus::Free => {
                    bytes += size_of::<Child<S::State>>() + self.store.bytes_of(state);
                    if let Some(limit) = self.meter.forbids_room(bytes) {
                        end = Some(End::Limit(limit));
                        return Flow::Break(());
                    }
                    children.push(Child {
                        parent,
                        ordinal,
                        state: state.clone(),
                    });
                }
            }
            ordinal += 1;
            Flow::Continue(())
        };
        let result = match node {
            Some((_, state)) => worker.successors(state, &mut emit),
            None => worker.initial(&mut emit),
        };
        if end.is_none() && self.meter.forbids_fault(result.is_err()) == Some(Limit::Stopped) {
            return Err(End::Limit(Limit::Stopped));
        }
        if let (Err(fault), None) = (result, &self.fault) {
            let path = parent.map_or_else(Vec::new, |id| self.tree.path(id));
            *self.fault = Some(Fault { fault, path });
        }
        match end {
            Some(end) => Err(end),
            None => Ok(children),
        }
    }

    /// Removes a random child that is uncovered and no leaf; those that are found to be otherwise go as well.
    fn draw_interior<T>(
        &mut self,
        worker: &mut Worker<'_, T>,
        children: &mut Vec<Child<S::State>>,
    ) -> Unless<S::State, Option<Child<S::State>>>
    where
        T: TransitionSystem<State = S::State, Fault = F>,
    {
        while !children.is_empty() {
            let child = children.swap_remove(self.random.index(children.len()));
            let depth = child.parent.map_or(0, |id| *self.depths.get(id.index()) + 1);
            match self.standing(&child.state, depth) {
                ChildStatus::Covered => continue,
                ChildStatus::CoveredDeeper => {
                    self.owe(child.parent);
                    continue;
                }
                ChildStatus::Free => {}
            }
            self.leaf_tests += 1;
            match has_successors(worker, &child.state) {
                Ok(true) => return Ok(Some(child)),
                Ok(false) if self.goal.deadlock => {
                    let Child {
                        parent,
                        ordinal,
                        state,
                    } = child;
                    return Err(End::Found {
                        parent,
                        ordinal,
                        state,
                    });
                }
                Ok(false) => {}
                // Nothing is known behind it, not even whether it is a leaf.
                Err(fault) => {
                    if let Some(limit) = self.meter.forbids_fault(true) {
                        return Err(End::Limit(limit));
                    }
                    let path = || self.tree.path_over(child.parent, child.ordinal);
                    self.fault.get_or_insert_with(|| Fault { fault, path: path() });
                }
            }
        }
        Ok(None)
    }

    fn standing(&self, state: &S::State, depth: u32) -> ChildStatus {
        let covering = self
            .store
            .covering_at(state, if self.reopening { depth } else { u32::MAX });
        match covering {
            None => ChildStatus::Free,
            Some(_) if self.reopening || self.bound == u32::MAX => ChildStatus::Covered,
            Some(id) if *self.depths.get(id.index()) <= depth => ChildStatus::Covered,
            Some(_) => ChildStatus::CoveredDeeper,
        }
    }

    /// Marks a node whose children must be examined again if walks are cut off.
    fn owe(&mut self, node: Option<StateId>) {
        let Some(id) = node else { return };
        let word = id.index() / 64;
        if self.owing.len() <= word {
            self.owing.resize(word + 1, 0);
        }
        self.owing[word] |= 1 << (id.index() % 64);
    }

    /// Puts a child into `generated`, unless it is covered.
    fn admit(&mut self, child: &Child<S::State>, depth: u32) -> Unless<S::State, Option<StateId>> {
        if self.tree.is_full() {
            return Err(End::Limit(Limit::Memory));
        }
        let Stored::New(id) = self.store.insert_at(&child.state, depth) else {
            return Ok(None);
        };
        debug_assert_eq!(
            id.index(),
            self.tree.len(),
            "stores number new states consecutively"
        );
        self.tree.push(child.parent, child.ordinal);
        self.depths.push(depth);
        let deepest = &mut self.meter.statistics.max_depth;
        *deepest = depth.max(*deepest);
        self.measure();
        match self.meter.exceeded() {
            Some(limit) => Err(End::Limit(limit)),
            None => Ok(Some(id)),
        }
    }

    fn measure(&mut self) {
        let tables = self.tree.bytes() + self.depths.bytes() + self.owing.capacity() * 8;
        let bytes = self.store.bytes() + tables + self.fringe.bytes();
        self.meter.hold(self.store.stored(), self.fringe.len(), bytes);
    }
}
