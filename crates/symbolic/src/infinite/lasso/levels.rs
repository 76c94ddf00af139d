//! The states on which nothing avoided holds, by the number of transitions that lead to them.
//!
//! States are equal or different; none covers another, because a cycle is looked for between them. Variables that do not
//! matter are kept: a cycle comes back to all of them.

use super::budget::{Budget, Halt};
use super::expand::{Expander, Successor};
use super::{LassoEnd, LassoQuestion};
use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::graph::abstraction::Abstraction;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};
use zonewalk_network::Transition;
use zonewalk_search::{DepthStore, StateId, Store, Stored};
use zonewalk_zones::Word;

/// A state.
pub(super) struct Node {
    /// The fewest transitions that lead to it.
    pub(super) depth: u32,
    /// The number of its discrete part.
    pub(super) discrete: u32,
    /// How it was met first.
    from: Origin,
    /// Among [`Levels::edges`]; empty until it is expanded.
    edges: Range<u32>,
}

#[derive(Clone, Copy)]
enum Origin {
    /// An initial state, or the points with the trigger of this state of the free graph.
    Root(Option<u32>),
    Step {
        parent: u32,
        by: u32,
        is_tick: bool,
    },
}

/// A transition between two states.
#[derive(Clone, Copy)]
pub(super) struct LevelEdge {
    pub(super) target: u32,
    /// Among [`Levels::transitions`].
    pub(super) by: u32,
}

/// The graph, as deep as it has been explored.
pub(super) struct Levels<'n, W> {
    pub(super) expander: Expander<'n, W>,
    /// States before `p` of `p --> q`.
    before: Option<Before<'n, W>>,
    store: ZoneStore<W>,
    pub(super) nodes: Vec<Node>,
    edges: Vec<LevelEdge>,
    pub(super) transitions: Vec<Transition>,
    numbers: FxHashMap<Transition, u32>,
    discrete: FxHashMap<Box<[i32]>, u32>,
    /// The states of the deepest level.
    last: Range<usize>,
    /// The number of that level.
    pub(super) depth: u32,
    compared: usize,
    bytes: usize,
}

/// The states of the free graph, with the trigger to look for in them.
struct Before<'n, W> {
    explorer: Explorer<'n, W>,
    trigger: ZoneGoal,
    /// Here a state that includes another one and is no deeper will do in its place.
    store: ZoneStore<W>,
    tree: Vec<(Option<u32>, Option<Transition>)>,
    last: Range<usize>,
}

impl<'n, W: Word> Levels<'n, W> {
    /// No level yet.
    pub(super) fn new(
        plan: &'n ZonePlan<'n>,
        question: &LassoQuestion,
        expander: Expander<'n, W>,
    ) -> Levels<'n, W> {
        let before = question.trigger.clone().map(|trigger| Before {
            explorer: question.free(plan, Abstraction::M).into(),
            trigger,
            store: ZoneStore::new(plan.network, Covering::Inclusion),
            tree: Vec::new(),
            last: 0..0,
        });
        Levels {
            expander,
            before,
            store: ZoneStore::new(plan.network, Covering::Equality),
            nodes: Vec::new(),
            edges: Vec::new(),
            transitions: Vec::new(),
            numbers: FxHashMap::default(),
            discrete: FxHashMap::default(),
            last: 0..0,
            depth: 0,
            compared: plan.network.layout.state as usize,
            bytes: 0,
        }
    }

    /// The first level.
    pub(super) fn begin(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        match &mut self.before {
            None => {
                for root in self.expander.initial() {
                    self.add(&root.state, Origin::Root(None));
                }
            }
            Some(before) => {
                before.begin()?;
                self.trigger(budget)?;
            }
        }
        self.last = 0..self.nodes.len();
        Ok(())
    }

    /// One level more. False when there was none.
    pub(super) fn grow(&mut self, budget: &mut Budget<'_>) -> Result<bool, Halt> {
        let first = self.nodes.len();
        self.depth += 1;
        let mut state = ZoneState::default();
        for source in self.last.clone() {
            self.store.load(StateId(source as u32), &mut state);
            self.charge(budget)?;
            let successors = self.expander.successors(&state, Vec::new);
            budget.expand(successors.len())?;
            let begin = self.edges.len() as u32;
            for successor in successors {
                self.connect(source as u32, successor);
            }
            self.nodes[source].edges = begin..self.edges.len() as u32;
        }
        let mut has_more = false;
        if let Some(before) = &mut self.before {
            has_more = before.grow(self.depth, budget)?;
            self.trigger(budget)?;
        }
        self.last = first..self.nodes.len();
        budget.meter.statistics.max_depth = self.depth;
        Ok(has_more || !self.last.is_empty())
    }

    /// A state of the deepest level in which a run may end.
    pub(super) fn end(&mut self) -> Result<Option<(u32, LassoEnd)>, Halt> {
        let mut state = ZoneState::default();
        for node in self.last.clone() {
            self.store.load(StateId(node as u32), &mut state);
            let end = self.expander.end(&state);
            if let Some(end) = self.expander.remember(end, Vec::new).flatten() {
                return Ok(Some((node as u32, end)));
            }
        }
        Ok(None)
    }

    /// Adds the points with the trigger of the deepest states of the free graph.
    fn trigger(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        let Some(mut before) = self.before.take() else {
            return Ok(());
        };
        let mut state = ZoneState::default();
        let mut result = Ok(());
        for id in before.last.clone().map(|id| StateId(id as u32)) {
            if !before.store.is_alive(id) {
                continue;
            }
            before.store.load(id, &mut state);
            result = self
                .charge(budget)
                .and_then(|()| self.restart(&mut before, id, &state));
            if result.is_err() {
                break;
            }
        }
        self.before = Some(before);
        result
    }

    fn restart(&mut self, before: &mut Before<'_, W>, id: StateId, state: &ZoneState<W>) -> Result<(), Halt> {
        for zone in &before.explorer.points(&before.trigger, state)? {
            for root in self.expander.restart(state, zone) {
                self.add(&root.state, Origin::Root(Some(id.0)));
            }
        }
        Ok(())
    }

    fn add(&mut self, state: &ZoneState<W>, from: Origin) -> u32 {
        let id = match self.store.insert(state) {
            Stored::Covered(id) => return id.0,
            Stored::New(id) => id,
        };
        let key = &state.discrete[..self.compared];
        let number = match self.discrete.get(key) {
            Some(&number) => number,
            None => {
                let number = self.discrete.len() as u32;
                self.bytes += size_of_val(key) + 32;
                self.discrete.insert(key.into(), number);
                number
            }
        };
        self.nodes.push(Node {
            depth: self.depth,
            discrete: number,
            from,
            edges: 0..0,
        });
        id.0
    }

    fn connect(&mut self, parent: u32, successor: Successor<W>) {
        let Some(transition) = successor.by else {
            return;
        };
        let by = *self.numbers.entry(transition).or_insert_with_key(|transition| {
            self.transitions.push(transition.clone());
            self.transitions.len() as u32 - 1
        });
        let origin = Origin::Step {
            parent,
            by,
            is_tick: successor.is_tick,
        };
        let target = self.add(&successor.state, origin);
        self.edges.push(LevelEdge { target, by });
    }

    fn charge(&self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        let before = self.before.as_ref().map_or((0, 0), Before::held);
        let lists = self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<LevelEdge>();
        let bytes = self.store.bytes() + self.bytes + lists + before.1;
        budget
            .meter
            .hold(self.nodes.len() + before.0, self.last.len(), bytes);
        budget.check()
    }

    /// How many discrete parts there are.
    pub(super) fn discrete_parts(&self) -> usize {
        self.discrete.len()
    }

    /// The transitions from a state; none until it is expanded.
    pub(super) fn edges(&self, node: u32) -> &[LevelEdge] {
        let edges = &self.nodes[node as usize].edges;
        &self.edges[edges.start as usize..edges.end as usize]
    }

    pub(super) fn load(&self, node: u32, state: &mut ZoneState<W>) {
        self.store.load(StateId(node), state);
    }

    /// The transitions to a state, with their ticks, and how many of them lead to the trigger.
    pub(super) fn path(&self, node: u32) -> (Vec<(Transition, bool)>, Option<usize>) {
        let mut steps = Vec::new();
        let mut at = node;
        let root = loop {
            match self.nodes[at as usize].from {
                Origin::Root(root) => break root,
                Origin::Step { parent, by, is_tick } => {
                    steps.push((self.transitions[by as usize].clone(), is_tick));
                    at = parent;
                }
            }
        };
        let mut trigger = None;
        if let (Some(before), Some(root)) = (&self.before, root) {
            let free = before.path(root);
            trigger = Some(free.len());
            steps.extend(free.into_iter().map(|transition| (transition, false)));
        }
        steps.reverse();
        (steps, trigger)
    }
}

impl<W: Word> Before<'_, W> {
    fn begin(&mut self) -> Result<(), Halt> {
        let mut roots = Vec::new();
        self.explorer.initial(&mut |state, _| {
            roots.push(state.clone());
            ControlFlow::Continue(())
        })?;
        for state in &roots {
            self.add(state, 0, (None, None));
        }
        self.last = 0..self.tree.len();
        Ok(())
    }

    fn grow(&mut self, depth: u32, budget: &mut Budget<'_>) -> Result<bool, Halt> {
        let first = self.tree.len();
        let mut state = ZoneState::default();
        for source in self.last.clone() {
            if !self.store.is_alive(StateId(source as u32)) {
                continue;
            }
            budget.check()?;
            self.store.load(StateId(source as u32), &mut state);
            let mut successors = Vec::new();
            self.explorer.successors(&state, &mut |next, step| {
                successors.push((next.clone(), step.to_transition()));
                ControlFlow::Continue(())
            })?;
            budget.expand(successors.len())?;
            for (next, by) in successors {
                self.add(&next, depth, (Some(source as u32), Some(by)));
            }
        }
        self.last = first..self.tree.len();
        Ok(!self.last.is_empty())
    }

    fn add(&mut self, state: &ZoneState<W>, depth: u32, from: (Option<u32>, Option<Transition>)) {
        if let Stored::New(_) = self.store.insert_at(state, depth) {
            self.tree.push(from);
        }
    }

    /// States and bytes.
    fn held(&self) -> (usize, usize) {
        let step = size_of::<(Option<u32>, Option<Transition>)>() + 16;
        (self.store.stored(), self.store.bytes() + self.tree.len() * step)
    }

    /// The transitions to a state, the last one first.
    fn path(&self, id: u32) -> Vec<Transition> {
        let mut steps = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let (parent, by) = &self.tree[id as usize];
            steps.extend(by.clone());
            at = *parent;
        }
        steps
    }
}
