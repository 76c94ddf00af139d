//! `p --> q`: every reachable point with `p` and without `q` is the beginning of a search for a run that avoids `q`.

use super::{Fault, Found, Question, Search};
use crate::abstraction::Abstraction;
use crate::goal::Goal;
use crate::graph::ZoneGraph;
use crate::path::Transition;
use crate::plan::Plan;
use crate::state::ZoneState;
use crate::stop::Stop;
use crate::store::{Covering, ZoneStore};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use zonewalk_search::{Limit, StateId, Store, Stored, Tree};

/// Runs are looked for at once from the trigger points of so many states, so that an error that is near is found early. From
/// later ones they are looked for when all states are known: most zones have been covered by larger ones by then.
const EAGER: usize = 20_000;

/// The reachable states, breadth first, so that the way to the trigger is short.
struct Reachable<'n> {
    graph: ZoneGraph<'n>,
    store: ZoneStore,
    tree: Tree,
    waiting: VecDeque<StateId>,
    depths: VecDeque<u32>,
}

/// Looks for a trigger point with a run from there on that avoids what it should lead to. What one search has learnt serves
/// all later ones.
pub(super) fn search<'n>(
    plan: &'n Plan<'n>,
    question: &Question,
    trigger: &Goal,
    abstraction: Abstraction,
    search: &mut Search<'n, '_>,
) -> Result<Found, Fault> {
    let mut reachable = Reachable {
        graph: question
            .free(plan, abstraction)
            .forgetting(&question.goals(), &[]),
        store: ZoneStore::new(plan.network, Covering::Inclusion),
        tree: Tree::new(),
        waiting: VecDeque::new(),
        depths: VecDeque::new(),
    };
    let failed = |stop| Fault {
        stop,
        path: Vec::new(),
    };
    let mut initial = Vec::new();
    let begun = reachable.graph.each_initial(&mut |state, _| {
        initial.push(state.clone());
        ControlFlow::Continue(())
    });
    begun.map_err(failed)?;
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
            return Ok(Found::Limit(limit));
        }
        if reachable.tree.is_full() {
            return Ok(Found::Limit(Limit::Memory));
        }
        reachable.store.load(id, &mut state);
        if id.index() < EAGER {
            match reachable.triggered(trigger, id, &state, search)? {
                Found::Nothing => {}
                found => return Ok(found),
            }
            inner_bytes = search.bytes();
        }
        let mut successors = Vec::new();
        let expanded = reachable.graph.each_successor(&state, &mut |next, _| {
            successors.push(next.clone());
            ControlFlow::Continue(())
        });
        expanded.map_err(|stop| reachable.fault(stop, id, None))?;
        search.meter.statistics.states_explored += 1;
        search.meter.statistics.transitions += successors.len() as u64;
        for (ordinal, next) in (0..).zip(&successors) {
            reachable.add(Some(id), ordinal, depth + 1, next);
        }
    }
    for id in (EAGER..reachable.tree.len()).map(|id| StateId(id as u32)) {
        if reachable.store.is_alive(id) {
            reachable.store.load(id, &mut state);
            match reachable.triggered(trigger, id, &state, search)? {
                Found::Nothing => {}
                found => return Ok(found),
            }
        }
    }
    Ok(Found::Nothing)
}

impl<'n> Reachable<'n> {
    /// Looks for a run from the trigger points of a state on.
    fn triggered(
        &mut self,
        trigger: &Goal,
        id: StateId,
        state: &ZoneState,
        search: &mut Search<'n, '_>,
    ) -> Result<Found, Fault> {
        search.expander.held = self.store.bytes() + self.tree.bytes();
        let points = self.graph.points(trigger, state);
        let points = points.map_err(|stop| self.fault(stop, id, None))?;
        for zone in &points {
            let roots = search.expander.restart(state, zone);
            let roots = roots.map_err(|stop| self.fault(stop, id, None))?;
            match search.from(roots) {
                Ok(Found::Nothing) => {}
                Ok(Found::Limit(limit)) => return Ok(Found::Limit(limit)),
                Ok(Found::Lasso(mut lasso, last)) => {
                    let path = self.path(id);
                    let mut prefix = path.map_err(|stop| self.fault(stop, id, None))?;
                    lasso.trigger = Some(prefix.len());
                    if !lasso.ticks.is_empty() {
                        lasso.ticks.splice(..0, vec![false; prefix.len()]);
                    }
                    prefix.append(&mut lasso.prefix);
                    lasso.prefix = prefix;
                    return Ok(Found::Lasso(lasso, last));
                }
                Err(fault) => return Err(self.fault(fault.stop, id, Some(fault.path))),
            }
        }
        Ok(Found::Nothing)
    }

    fn add(&mut self, parent: Option<StateId>, ordinal: u32, depth: u32, state: &ZoneState) {
        if let Stored::New(id) = self.store.insert(state) {
            self.tree.push(parent, ordinal);
            self.waiting.push_back(id);
            self.depths.push_back(depth);
        }
    }

    fn path(&mut self, id: StateId) -> Result<Vec<Transition>, Stop> {
        let path = self.tree.path(id);
        Ok(self.graph.transitions(&path)?.unwrap_or_default())
    }

    fn fault(&mut self, stop: Stop, id: StateId, beyond: Option<Vec<Transition>>) -> Fault {
        // The way there was gone before, and did not fail.
        let mut path = self.path(id).unwrap_or_default();
        path.extend(beyond.into_iter().flatten());
        Fault { stop, path }
    }
}
