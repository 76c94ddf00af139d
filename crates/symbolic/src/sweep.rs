//! Exploration in the order of fixed instants, which forgets what lies behind.
//!
//! In models of periodic tasks some clocks are set back at fixed instants of time only. The latest of these instants never
//! becomes smaller along a run, so states are explored *instant by instant*, and when all states of one are explored they are forgotten
//! (Christensen, Kristensen, Mailund: A sweep-line method for state space exploration, TACAS 2001). Time since the instant is one more clock of
//! the zones, so where the same pattern of releases comes again, the same states do; those at instants that few states lead to
//! are kept, and end the search.
//!
//! States of one instant with equal discrete parts and equal fixed differences of clocks are a *configuration*. Before one is
//! expanded its zones are merged: where the union of two is a zone, and beyond a limit of zones also where it is not, so that their hull takes
//! their place. Everything here makes sets larger or is exact, so that what is not found is not there. Which instant a
//! state is counted to and which configuration comes first are matters of effort alone.

mod configuration;
mod rigid;

use crate::goal::ZoneGoal;
use crate::graph::scratch::Scratch;
use crate::graph::{ExtraClock, ZoneGraph};
use crate::state::ZoneState;
use crate::stop::Stop;
use configuration::{Configurations, Kept};
use rigid::{Key, Rigid};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use zonewalk_zones::Word;

/// The clock of the search's own that the graph of a sweep needs: the time since an instant.
pub const TIME: ExtraClock = ExtraClock {
    lower: Some(i32::MAX),
    upper: Some(i32::MAX),
};

/// States that lead to an instant are kept when they have at most so many zones.
const NARROW: usize = 64;

/// Without a new instant among so many zones there is probably none.
const FRUITLESS: u64 = 200_000;

/// How a sweep goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merging {
    /// Zones of a configuration that wait, beyond which hulls take their place.
    pub most: usize,
}

impl Merging {
    /// Zones are merged only where their union is a zone.
    pub const LOSSLESS: Merging = Merging { most: usize::MAX };
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Zones whose successors are known.
    pub expanded: u64,
    /// Zones that were met.
    pub met: u64,
    /// Zones that others of their configuration include.
    pub covered: u64,
    /// Times that two zones became one, without loss and with it.
    pub joined: u64,
    /// See `joined`.
    pub hulls: u64,
    /// Configurations so far.
    pub configurations: u64,
    /// Instants that are explored.
    pub instants: u64,
    /// The last of them.
    pub now: i64,
    /// Zones that are stored now.
    pub stored: usize,
    /// Memory that they take, at least.
    pub bytes: usize,
}

/// How a sweep ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepEnd {
    /// No state fulfils the goal.
    Unreachable,
    /// A zone has points that do, perhaps because zones are larger than what can be reached: after the instant `now`.
    Found,
    /// It was stopped.
    Stopped,
    /// No clock is set back at fixed instants, or time may pass between two of them without end.
    NoInstants,
    /// The model fails.
    Failed(Stop),
}

/// A sweep over a graph with the clock [`TIME`].
pub struct Sweep<'g, 'n, W: Word> {
    graph: &'g ZoneGraph<'n>,
    goal: &'g ZoneGoal,
    merging: Merging,
    scratch: Scratch<W>,
    judge: Scratch<W>,
    /// By instant: what leads to it.
    ahead: BTreeMap<i64, Configurations<W>>,
    kept: Kept<W>,
    /// By clock of the network: whether it never stops.
    goes_on: Vec<bool>,
    progress: Progress,
    /// Zones expanded since the last new instant.
    fruitless: u64,
}

impl<'g, 'n, W: Word> Sweep<'g, 'n, W> {
    /// Requires: the graph's only clock of the search's own is [`TIME`].
    pub fn new(graph: &'g ZoneGraph<'n>, goal: &'g ZoneGoal, merging: Merging) -> Self {
        let network = graph.plan().network;
        let mut goes_on = vec![true; network.clocks.len()];
        for invariant in &network.invariants {
            network
                .sets
                .clocks(invariant.rate_clocks)
                .for_each(|clock| goes_on[clock.index()] = false);
        }
        Sweep {
            graph,
            goal,
            merging,
            scratch: graph.scratch(),
            judge: graph.scratch(),
            ahead: BTreeMap::new(),
            kept: Kept::default(),
            goes_on,
            progress: Progress::default(),
            fruitless: 0,
        }
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Explores everything, unless `stop` says otherwise, which is asked again and again.
    pub fn run(&mut self, stop: &mut dyn FnMut(&Progress) -> bool) -> SweepEnd {
        let mut here = Configurations::default();
        if let Some(end) = self.begin(&mut here) {
            return end;
        }
        self.ahead.insert(0, here);
        while let Some((now, mut here)) = self.ahead.pop_first() {
            (self.progress.now, self.progress.instants) = (now, self.progress.instants + 1);
            self.fruitless = 0;
            if here.zones() <= NARROW {
                self.progress.covered += self.kept.cover(&mut here);
            }
            while let Some(next) = here.next() {
                if let Some(end) = self.expand(now, &mut here, next) {
                    return end;
                }
                let all = || self.ahead.values().chain([&here]);
                self.progress.stored = all().map(Configurations::zones).sum();
                self.progress.bytes = self.kept.bytes() + all().map(Configurations::bytes).sum::<usize>();
                if stop(&self.progress) {
                    return SweepEnd::Stopped;
                }
                if self.fruitless > FRUITLESS && self.ahead.is_empty() {
                    return SweepEnd::NoInstants;
                }
            }
        }
        SweepEnd::Unreachable
    }

    fn begin(&mut self, here: &mut Configurations<W>) -> Option<SweepEnd> {
        let mut met = Vec::new();
        let begun = self.graph.each_initial(&mut self.scratch, &mut |state, _| {
            met.push(state.clone());
            ControlFlow::Continue(())
        });
        if let Err(stop) = begun {
            return Some(SweepEnd::Failed(stop));
        }
        let mut ahead = Ahead {
            graph: self.graph,
            goal: self.goal,
            judge: &mut self.judge,
            merging: self.merging,
            now: 0,
            here,
            later: &mut self.ahead,
            goes_on: &self.goes_on,
            progress: &mut self.progress,
            end: None,
        };
        met.iter().for_each(|state| ahead.meet(state, 0));
        ahead.end
    }

    /// Expands the zones of a configuration that wait.
    fn expand(&mut self, now: i64, here: &mut Configurations<W>, next: usize) -> Option<SweepEnd> {
        let mut state = ZoneState::default();
        let rank = here.rank(next) + 1;
        for zone in here.take(next) {
            here.load(next, &zone, &mut state);
            self.progress.expanded += 1;
            self.fruitless += 1;
            let mut ahead = Ahead {
                graph: self.graph,
                goal: self.goal,
                judge: &mut self.judge,
                merging: self.merging,
                now,
                here,
                later: &mut self.ahead,
                goes_on: &self.goes_on,
                progress: &mut self.progress,
                end: None,
            };
            let result = self
                .graph
                .each_successor(&mut self.scratch, &state, &mut |state, _| {
                    ahead.meet(state, rank);
                    match ahead.end {
                        Some(_) => ControlFlow::Break(()),
                        None => ControlFlow::Continue(()),
                    }
                });
            if ahead.end.is_some() {
                return ahead.end;
            }
            if let Err(stop) = result {
                return Some(SweepEnd::Failed(stop));
            }
            here.keep(next, zone, &mut self.progress);
        }
        None
    }
}

/// Where states that are met belong.
struct Ahead<'a, 'n, W: Word> {
    graph: &'a ZoneGraph<'n>,
    goal: &'a ZoneGoal,
    judge: &'a mut Scratch<W>,
    merging: Merging,
    now: i64,
    here: &'a mut Configurations<W>,
    later: &'a mut BTreeMap<i64, Configurations<W>>,
    goes_on: &'a [bool],
    progress: &'a mut Progress,
    end: Option<SweepEnd>,
}

impl<W: Word> Ahead<'_, '_, W> {
    fn meet(&mut self, state: &ZoneState<W>, rank: u32) {
        self.progress.met += 1;
        match self.graph.meets(self.judge, self.goal, state) {
            Ok(true) => return self.end = Some(SweepEnd::Found),
            Ok(false) => {}
            Err(stop) => return self.end = Some(SweepEnd::Failed(stop)),
        }
        let time = self.graph.extra_clock(0);
        let Some(index) = state
            .clocks
            .iter()
            .position(|&clock| clock == time)
            .map(|at| at + 1)
        else {
            return self.end = Some(SweepEnd::NoInstants);
        };
        if state.zone[index * state.dim()].is_infinite() {
            return self.end = Some(SweepEnd::NoInstants);
        }
        let mut rigid = Rigid::of(&state.zone, state.dim());
        // The latest instant at which one of the clocks was set back whose difference to the time is fixed.
        let is_set = |clock: usize| self.goes_on.get(clock).is_some_and(|goes_on| *goes_on);
        let rows = (1..)
            .zip(&state.clocks)
            .filter(|(_, clock)| is_set(clock.index()));
        let since = rows.filter_map(|(row, _)| rigid.difference(index, row)).max();
        let since = since.unwrap_or(0).max(0);
        rigid.shift(index, since);
        let key = Key::new(&state.discrete, &rigid.places);
        let configurations = match since {
            0 => &mut *self.here,
            since => self.later.entry(self.now + since).or_default(),
        };
        let rank = if since > 0 { 0 } else { rank };
        configurations.insert(key, state, rigid, rank, self.merging, self.progress);
    }
}
