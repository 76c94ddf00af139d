//! Shared parts of both searches for cycles: successors with their transitions, and the stack.

use super::{Fault, Lasso, LassoEnd, LassoSearchEnd};
use crate::explorer::Explorer;
use crate::graph::Step;
use crate::state::ZoneState;
use crate::stop::Stop;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use zonewalk_network::Transition;
use zonewalk_network::ids::ClockId;
use zonewalk_search::{Flow, Meter};
use zonewalk_zones::{Bound, Word, dbm};

/// Which ends of runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedEnds {
    /// Deadlocks, and states in which time can pass forever.
    All,
    /// Only the latter.
    Endless,
    /// Neither.
    None,
}

/// A state with the transition to it.
pub(super) struct Successor<W> {
    pub(super) state: ZoneState<W>,
    /// None for the states that a search begins with.
    pub(super) by: Option<Transition>,
    pub(super) is_tick: bool,
}

impl<W: Word> Successor<W> {
    fn root(state: &ZoneState<W>) -> Successor<W> {
        Successor {
            state: state.clone(),
            by: None,
            is_tick: false,
        }
    }

    /// The transition to it, and whether it sets the extra clock back.
    pub(super) fn step(&self) -> Option<(Transition, bool)> {
        self.by.clone().map(|by| (by, self.is_tick))
    }
}

/// Computes successors and looks for ends.
pub(super) struct Expander<'n, W> {
    pub(super) explorer: Explorer<'n, W>,
    pub(super) ends: CountedEnds,
    /// Memory in use elsewhere, in bytes.
    pub(super) held: usize,
    /// A clock that no transition may set.
    pub(super) untouched: Option<ClockId>,
    /// The first run-time error of the model, with the way from where the search began.
    pub(super) fault: Option<Fault>,
}

impl<'n, W: Word> Expander<'n, W> {
    pub(super) fn new(explorer: impl Into<Explorer<'n, W>>, ends: CountedEnds) -> Expander<'n, W> {
        Expander {
            explorer: explorer.into(),
            ends,
            held: 0,
            untouched: None,
            fault: None,
        }
    }

    /// Remembers what failed first. What does not depend on it goes on.
    pub(super) fn remember<T>(
        &mut self,
        result: Result<T, Stop>,
        path: impl FnOnce() -> Vec<Transition>,
    ) -> Option<T> {
        let attempt = result
            .is_err()
            .then(|| self.explorer.scratch().attempt())
            .flatten();
        self.remember_beside(result, attempt, path)
    }

    /// Remembers a failure in another graph.
    pub(super) fn remember_beside<T>(
        &mut self,
        result: Result<T, Stop>,
        attempt: Option<Transition>,
        path: impl FnOnce() -> Vec<Transition>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(stop) => {
                self.fault.get_or_insert_with(|| Fault {
                    stop,
                    path: path(),
                    attempt,
                });
                None
            }
        }
    }

    pub(super) fn initial(&mut self) -> Vec<Successor<W>> {
        let mut roots = Vec::new();
        let begun = self.explorer.initial(&mut |state, _| {
            roots.push(Successor::root(state));
            ControlFlow::Continue(())
        });
        self.remember(begun, Vec::new);
        roots
    }

    /// Begins a search with some points of a state.
    pub(super) fn restart(&mut self, state: &ZoneState<W>, zone: &[Bound<W>]) -> Vec<Successor<W>> {
        let mut roots = Vec::new();
        let (graph, scratch) = self.explorer.parts();
        let begun = graph.restart(scratch, state, zone, &mut |state, _| {
            roots.push(Successor::root(state));
            ControlFlow::Continue(())
        });
        self.remember(begun, Vec::new);
        roots
    }

    /// The successors of a state that has this way to it.
    pub(super) fn successors(
        &mut self,
        state: &ZoneState<W>,
        path: impl FnOnce() -> Vec<Transition>,
    ) -> Vec<Successor<W>> {
        let mut list = Vec::new();
        let network = self.explorer.graph().plan().network;
        let untouched = self.untouched;
        let may_set = |set, clock| network.sets.clocks(set).any(|member| member == clock);
        let is_left_alone = |step: &Step<'_>, clock| {
            let mut routines = network.before_update.iter().chain(&network.after_update);
            let mut parts = step.parts.iter().map(|&part| network.instance(part).clock_writes);
            !routines.any(|routine| may_set(routine.clock_writes, clock))
                && !parts.any(|set| may_set(set, clock))
        };
        let mut take = |state: &ZoneState<W>, step: Step<'_>| -> Flow {
            if untouched.is_some_and(|clock| !is_left_alone(&step, clock)) {
                return ControlFlow::Continue(());
            }
            list.push(Successor {
                state: state.clone(),
                by: Some(step.to_transition()),
                is_tick: step.is_tick,
            });
            ControlFlow::Continue(())
        };
        let all = self.explorer.successors(state, &mut take);
        self.remember(all, path);
        list
    }

    /// How a run may end in a state, if it may.
    pub(super) fn end(&mut self, state: &ZoneState<W>) -> Result<Option<LassoEnd>, Stop> {
        if self.ends == CountedEnds::None {
            return Ok(None);
        }
        let (graph, scratch) = self.explorer.parts();
        // Abstraction may add points beyond the invariant, where nothing is possible.
        let Some(state) = &graph.within_invariant(scratch, state)? else {
            return Ok(None);
        };
        if !graph.endless(scratch, state)?.is_empty() {
            return Ok(Some(LassoEnd::Endless));
        }
        if self.ends == CountedEnds::All && !graph.stuck(scratch, state)?.is_empty() {
            return Ok(Some(LassoEnd::Deadlock));
        }
        Ok(None)
    }

    /// Puts a state on the stack and returns its successors, unless the search is over: at a limit, or because a run may end
    /// there. `known` is what is remembered beside the stack: the number of states, and their bytes.
    pub(super) fn visit(
        &mut self,
        next: Successor<W>,
        stack: &mut Stack<W>,
        known: (usize, usize),
        meter: &mut Meter<'_>,
    ) -> ControlFlow<LassoSearchEnd<W>, Vec<Successor<W>>> {
        let (stored, bytes) = known;
        meter.hold(stored, stack.frames.len(), bytes + stack.bytes() + self.held);
        if let Some(limit) = meter.forbids_expansion() {
            return ControlFlow::Break(LassoSearchEnd::Limit(limit));
        }
        let end = self.end(&next.state);
        if let Some(end) = self.remember(end, || stack.path(Some(&next))).flatten() {
            let last = Box::new(next.state.clone());
            stack.push(next);
            return ControlFlow::Break(LassoSearchEnd::Lasso(stack.run(end), last));
        }
        let successors = self.successors(&next.state, || stack.path(Some(&next)));
        meter.statistics.states_explored += 1;
        meter.statistics.transitions += successors.len() as u64;
        stack.push(next);
        let depth = stack.frames.len() as u32 - 1;
        meter.statistics.max_depth = meter.statistics.max_depth.max(depth);
        ControlFlow::Continue(successors)
    }
}

/// A state of the stack.
pub(super) struct Frame<W> {
    pub(super) state: ZoneState<W>,
    by: Option<Transition>,
    pub(super) is_tick: bool,
    /// Successors left to be visited.
    next: std::vec::IntoIter<Successor<W>>,
}

/// The states on the way from the beginning, which can be looked up.
pub(super) struct Stack<W> {
    pub(super) frames: Vec<Frame<W>>,
    /// By discrete part, the frames that have it.
    places: FxHashMap<Box<[i32]>, Vec<u32>>,
    /// Cells that are compared.
    compared: usize,
    /// The frames that were entered with a tick.
    ticks: Vec<u32>,
    bytes: usize,
}

impl<W: Word> Stack<W> {
    pub(super) fn new(compared: usize) -> Stack<W> {
        Stack {
            frames: Vec::new(),
            places: FxHashMap::default(),
            compared,
            ticks: Vec::new(),
            bytes: 0,
        }
    }

    /// The next state to visit: a successor that the highest state still has, or a root where there is none. `None` means that all
    /// of that has been visited.
    pub(super) fn next(&mut self, roots: &mut impl Iterator<Item = Successor<W>>) -> Option<Successor<W>> {
        match self.frames.last_mut() {
            Some(frame) => frame.next.next(),
            None => roots.next(),
        }
    }

    /// Leaves successors of the highest state to be visited.
    pub(super) fn go_on_with(&mut self, successors: Vec<Successor<W>>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = successors.into_iter();
        }
    }

    pub(super) fn push(&mut self, visited: Successor<W>) {
        let key = &visited.state.discrete[..self.compared];
        let number = self.frames.len() as u32;
        match self.places.get_mut(key) {
            Some(list) => list.push(number),
            None => {
                self.places.insert(key.into(), vec![number]);
            }
        }
        if visited.is_tick {
            self.ticks.push(number);
        }
        let frame = Frame {
            state: visited.state,
            by: visited.by,
            is_tick: visited.is_tick,
            next: Vec::new().into_iter(),
        };
        self.bytes += frame.bytes();
        self.frames.push(frame);
    }

    pub(super) fn pop(&mut self) -> Option<Frame<W>> {
        let frame = self.frames.pop()?;
        self.bytes = self.bytes.saturating_sub(frame.bytes());
        if frame.is_tick {
            self.ticks.pop();
        }
        let key = &frame.state.discrete[..self.compared];
        if let Some(list) = self.places.get_mut(key) {
            list.pop();
            if list.is_empty() {
                self.places.remove(key);
            }
        }
        Some(frame)
    }

    /// The highest state on the stack that a state includes: the shortest cycle. Others are passed over.
    pub(super) fn included_in(&self, state: &ZoneState<W>, counts: impl Fn(usize) -> bool) -> Option<usize> {
        let list = self.places.get(&state.discrete[..self.compared])?;
        let includes = |frame: usize| dbm::includes(&state.zone, &self.frames[frame].state.zone);
        let frames = list.iter().rev().map(|&frame| frame as usize);
        frames
            .filter(|&frame| counts(frame))
            .find(|&frame| includes(frame))
    }

    /// The first cycle that one of these successors of the highest state closes, if it counts from where it starts.
    pub(super) fn closed_by(
        &self,
        successors: &[Successor<W>],
        counts: impl Fn(&Successor<W>, usize) -> bool,
    ) -> Option<LassoSearchEnd<W>> {
        successors.iter().find_map(|successor| {
            let start = self.included_in(&successor.state, |start| counts(successor, start))?;
            Some(self.cycle_by(start, successor.step().into_iter().collect()))
        })
    }

    /// The cycle that begins at a state of the stack and has these steps beyond it.
    pub(super) fn cycle_by(&self, start: usize, beyond: Vec<(Transition, bool)>) -> LassoSearchEnd<W> {
        let first = Box::new(self.frames[start].state.clone());
        LassoSearchEnd::Lasso(self.cycle(start, beyond), first)
    }

    /// The highest state that was entered with a tick.
    pub(super) fn last_tick(&self) -> Option<usize> {
        self.ticks.last().map(|&frame| frame as usize)
    }

    /// Position of an equal state on the stack.
    pub(super) fn position(&self, state: &ZoneState<W>, is_tick: bool) -> Option<usize> {
        let list = self.places.get(&state.discrete[..self.compared])?;
        let is_same = |&&frame: &&u32| {
            let frame = &self.frames[frame as usize];
            frame.is_tick == is_tick && frame.state.zone == state.zone
        };
        list.iter().rev().find(is_same).map(|&frame| frame as usize)
    }

    /// A run along the stack that ends with the highest state.
    pub(super) fn run(&self, end: LassoEnd) -> Lasso {
        let steps = self.frames.iter().filter_map(Frame::step);
        let (prefix, ticks) = steps.unzip();
        Lasso {
            prefix,
            cycle: Vec::new(),
            end,
            trigger: None,
            ticks,
            rounds: 1,
        }
    }

    /// A run along the stack, with a cycle that begins at one of its states and has these steps beyond the stack.
    fn cycle(&self, start: usize, beyond: Vec<(Transition, bool)>) -> Lasso {
        let mut lasso = self.run(LassoEnd::Cycle);
        // The state at `start` is reached by the last step of the prefix; roots are reached by none.
        let kept = self.frames[..=start].iter().filter_map(Frame::step).count();
        lasso.cycle = lasso.prefix.split_off(kept);
        for (transition, is_tick) in beyond {
            lasso.cycle.push(transition);
            lasso.ticks.push(is_tick);
        }
        lasso
    }

    /// The transitions along the stack, and to one state more.
    pub(super) fn path(&self, last: Option<&Successor<W>>) -> Vec<Transition> {
        let along = self.frames.iter().filter_map(|frame| frame.by.clone());
        along.chain(last.and_then(|s| s.by.clone())).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl<W: Word> Frame<W> {
    pub(super) fn step(&self) -> Option<(Transition, bool)> {
        self.by.clone().map(|by| (by, self.is_tick))
    }

    fn bytes(&self) -> usize {
        let state = (self.state.discrete.len() * 2 + self.state.clocks.len() + self.state.zone.len()) * 4;
        size_of::<Frame<W>>() + state
    }
}
