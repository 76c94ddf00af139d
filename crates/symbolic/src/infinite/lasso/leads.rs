//! `p --> q`: every reachable point with `p` and without `q` is the beginning of a search for a run that avoids `q`.

use super::{Fault, LassoQuestion, LassoSearchEnd, Overview, Search};
use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::graph::abstraction::Abstraction;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use zonewalk_network::Transition;
use zonewalk_search::{Limit, StateId, Store, Stored, Tree};
use zonewalk_zones::Word;

/// Number of states from whose trigger points runs are looked for at once, so that an error that is near is found early. From
/// later ones they are looked for when all states are known: most zones have been covered by larger ones by then.
const EAGER: usize = 20_000;

/// The reachable states, breadth first, so that the way to the trigger is short.
pub(super) struct Reachable<'n, W> {
    pub(super) explorer: Explorer<'n, W>,
    pub(super) store: ZoneStore<W>,
    tree: Tree,
    waiting: VecDeque<StateId>,
    depths: VecDeque<u32>,
}

/// Looks for a trigger point with a run from there on that avoids what it should lead to. What one search has learnt serves
/// all later ones.
pub(super) fn search<'n, W: Word>(
    question: &LassoQuestion,
    (trigger, overview): (&ZoneGoal, &mut Overview),
    reachable: &mut Reachable<'n, W>,
    search: &mut Search<'n, '_, W>,
) -> LassoSearchEnd<W> {
    let mut initial = Vec::new();
    let begun = reachable.explorer.initial(&mut |state, _| {
        initial.push(state.clone());
        ControlFlow::Continue(())
    });
    search.expander.remember(begun, Vec::new);
    for (ordinal, state) in (0..).zip(&initial) {
        reachable.add(None, ordinal, 0, state);
    }
    let mut state = ZoneState::default();
    let mut inner_bytes = 0;
    while let (Some(id), Some(depth)) = (reachable.waiting.pop_front(), reachable.depths.pop_front()) {
        if !reachable.store.is_alive(id) {
            continue;
        }
        let statistics = &mut search.meter.statistics;
        statistics.max_depth = statistics.max_depth.max(depth);
        let bytes = reachable.store.bytes() + reachable.tree.bytes() + inner_bytes;
        search
            .meter
            .hold(reachable.store.stored(), reachable.waiting.len(), bytes);
        if let Some(limit) = search.meter.forbids_expansion() {
            return LassoSearchEnd::Limit(limit);
        }
        if reachable.tree.is_full() {
            return LassoSearchEnd::Limit(Limit::Memory);
        }
        reachable.store.load(id, &mut state);
        if let Some(premise) = question.premise.as_ref().filter(|_| !overview.has_premise) {
            overview.has_premise = reachable.explorer.meets(premise, &state).unwrap_or(true);
        }
        if id.index() < EAGER {
            match reachable.triggered(trigger, id, &state, search) {
                LassoSearchEnd::Nothing => {}
                found => return found,
            }
            inner_bytes = search.bytes();
        }
        let mut successors = Vec::new();
        let expanded = reachable.explorer.successors(&state, &mut |next, _| {
            successors.push(next.clone());
            ControlFlow::Continue(())
        });
        let attempt = reachable.explorer.scratch().attempt();
        search
            .expander
            .remember_beside(expanded, attempt, || reachable.path(id));
        search.meter.statistics.states_explored += 1;
        search.meter.statistics.transitions += successors.len() as u64;
        for (ordinal, next) in (0..).zip(&successors) {
            reachable.add(Some(id), ordinal, depth + 1, next);
        }
    }
    for id in (EAGER..reachable.tree.len()).map(|id| StateId(id as u32)) {
        if reachable.store.is_alive(id) {
            reachable.store.load(id, &mut state);
            match reachable.triggered(trigger, id, &state, search) {
                LassoSearchEnd::Nothing => {}
                found => return found,
            }
        }
    }
    overview.taken = reachable.explorer.scratch().taken().to_vec();
    LassoSearchEnd::Nothing
}

impl<'n, W: Word> Reachable<'n, W> {
    /// None yet.
    pub(super) fn new(plan: &'n ZonePlan<'n>, question: &LassoQuestion, abstraction: Abstraction) -> Self {
        Reachable {
            explorer: question
                .free(plan, abstraction)
                .forgetting(&question.goals(), &[])
                .into(),
            store: ZoneStore::new(plan.network, Covering::Inclusion),
            tree: Tree::new(),
            waiting: VecDeque::new(),
            depths: VecDeque::new(),
        }
    }

    /// Looks for a run from the trigger points of a state on.
    fn triggered(
        &mut self,
        trigger: &ZoneGoal,
        id: StateId,
        state: &ZoneState<W>,
        search: &mut Search<'n, '_, W>,
    ) -> LassoSearchEnd<W> {
        search.expander.held = self.store.bytes() + self.tree.bytes();
        let points = self.explorer.points(trigger, state);
        let points = search.expander.remember_beside(points, None, || self.path(id));
        for zone in points.iter().flatten() {
            let known = search.expander.fault.take();
            let roots = search.expander.restart(state, zone);
            let found = search.from(roots);
            let met = search.expander.fault.take();
            search.expander.fault = known.or_else(|| met.map(|fault| self.behind(id, fault)));
            match found {
                LassoSearchEnd::Nothing => {}
                LassoSearchEnd::Limit(limit) => return LassoSearchEnd::Limit(limit),
                LassoSearchEnd::Lasso(mut lasso, last) => {
                    let mut prefix = self.path(id);
                    lasso.trigger = Some(prefix.len());
                    if !lasso.ticks.is_empty() {
                        lasso.ticks.splice(..0, vec![false; prefix.len()]);
                    }
                    prefix.append(&mut lasso.prefix);
                    lasso.prefix = prefix;
                    return LassoSearchEnd::Lasso(lasso, last);
                }
            }
        }
        LassoSearchEnd::Nothing
    }

    fn add(&mut self, parent: Option<StateId>, ordinal: u32, depth: u32, state: &ZoneState<W>) {
        if let Stored::New(id) = self.store.insert(state) {
            self.tree.push(parent, ordinal);
            self.waiting.push_back(id);
            self.depths.push_back(depth);
        }
    }

    /// The way to a state, which was gone before and did not fail.
    fn path(&mut self, id: StateId) -> Vec<Transition> {
        let path = self.tree.path(id);
        let transitions = self.explorer.transitions(&path);
        transitions.ok().flatten().unwrap_or_default()
    }

    /// Fault of a search that began in this state.
    fn behind(&mut self, id: StateId, fault: Fault) -> Fault {
        let mut path = self.path(id);
        path.extend(fault.path);
        Fault { path, ..fault }
    }
}
