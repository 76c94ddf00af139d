//! The monotonicity abstraction: `hL` and `hU`.
//!
//! Kupferschmid, Hoffmann, Dierks, Behrmann: Adapting an AI planning heuristic for directed model checking, SPIN 2006; `hU` is
//! in MCTA since 2012. Variables have sets of values, processes sets of locations, and sets only grow: what was once possible
//! stays so. A transition is possible when each of its conditions on its own can be fulfilled. Clocks, committed locations,
//! urgency, priorities and invariants, which all only forbid, are ignored.
//!
//! `hL` is the number of the first layer of sets in which the goal can hold. The k-th state of any run lies in the k-th
//! layer, so `hL` is never too large, and a goal that is in no layer cannot be reached. `hU` is the number of transitions in
//! a relaxed way that is taken back from the layers.

mod build;
mod combine;
mod effort;
mod extract;
mod facts;
mod layers;
mod look;
mod perform;
mod problem;
mod relevance;
mod split;
mod sync;
mod updates;

use crate::cache::Cache;
use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use crate::goal::GoalFormula;
use extract::Extraction;
pub use extract::Marked;
pub(crate) use facts::Free;
use layers::{Layers, MOST_LAYERS};
use problem::Problem;
use rustc_hash::FxHashSet;
use zonewalk_network::Network;
use zonewalk_network::ids::InstanceId;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// Default size of the estimate cache, in bytes.
const CACHE: usize = 64 << 20;

/// Estimates read off the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Number of layers; gives `hL`.
    Layers,
    /// Number of transitions of a relaxed plan; gives `hU`.
    Transitions,
}

/// Cached estimates of a discrete part.
#[derive(Clone, Copy, Debug)]
struct CachedEstimates {
    /// The number of layers.
    layers: Estimate,
    /// Value of the chosen measure.
    measured: Estimate,
}

/// A relaxed way.
#[derive(Clone, Debug, Default)]
struct RelaxedPath {
    /// The state that it begins in; nothing before the first one.
    from: Vec<i32>,
    marked: Vec<Marked>,
}

/// `hL` and `hU`.
#[derive(Clone, Debug)]
pub struct Relaxed<'n> {
    problem: Problem<'n>,
    layers: Layers,
    extraction: Extraction,
    /// The way from a state whose transitions are examined.
    path: RelaxedPath,
    measure: Measure,
    cache: Cache<CachedEstimates>,
    counters: Counters,
    bytes: usize,
}

impl<'n> Relaxed<'n> {
    /// The distances to a goal.
    pub fn new(network: &'n Network, goal: &GoalFormula, measure: Measure) -> Relaxed<'n> {
        let problem = Problem::new(network, goal);
        Relaxed {
            layers: Layers::new(&problem),
            extraction: Extraction::default(),
            path: RelaxedPath::default(),
            measure,
            cache: Cache::new(network.layout.meta as usize, CACHE),
            counters: Counters::default(),
            bytes: problem.bytes(),
            problem,
        }
    }

    /// `hL`.
    pub fn lower(network: &'n Network, goal: &GoalFormula) -> Relaxed<'n> {
        Relaxed::new(network, goal, Measure::Layers)
    }

    /// `hU`.
    pub fn upper(network: &'n Network, goal: &GoalFormula) -> Relaxed<'n> {
        Relaxed::new(network, goal, Measure::Transitions)
    }

    /// Sets the size of the estimate cache in bytes; the default is 64 MiB.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Self {
        self.cache = Cache::new(self.problem.network.layout.meta as usize, bytes);
        self
    }

    /// Limits the effort of each estimate, in the units of [`zonewalk_symbolic::effort`]. The number of layers built by then is
    /// still a lower bound.
    #[must_use]
    pub fn with_most_effort(mut self, effort: u64) -> Self {
        self.layers.most_effort = effort;
        self
    }

    /// The cells that have to do with the goal, as far as that can be seen without clocks.
    pub fn relevant(&self) -> &[u32] {
        &self.problem.cells
    }

    /// The smallest and the largest value that each cell may have in any state that can be reached from a discrete state; `None`
    /// for a cell that has nothing to do with the goal, or that may have any value.
    pub fn reachable_values(&mut self, discrete: &[i32]) -> Vec<Option<(i32, i32)>> {
        self.layers.banned.clear();
        self.layers.saturate(&self.problem, discrete)
    }

    /// `hL` in the projection that removes some cells, which have no more to do with the goal then; `None` if it is infinite.
    /// The relaxed way is in [`marked`](Self::marked).
    pub(crate) fn layers_without(&mut self, discrete: &[i32], removed: Vec<Free>) -> Option<u32> {
        self.layers.banned.clear();
        self.layers.free = removed;
        let found = self.layers.run(&self.problem, discrete, MOST_LAYERS);
        self.layers.free.clear();
        self.extraction.clear();
        if found.is_some() {
            self.extraction.run(&self.problem, &self.layers);
        }
        found
    }

    /// Whether the goal can be reached in the relaxation with some edge instances alone.
    pub(crate) fn reaches_with(&mut self, discrete: &[i32], only: FxHashSet<InstanceId>) -> bool {
        self.layers.banned.clear();
        self.layers.only = Some(only);
        let found = self.layers.run(&self.problem, discrete, MOST_LAYERS);
        self.layers.only = None;
        found.is_some() && self.layers.holds(&self.problem.wanted)
    }

    /// The estimate, computed anew, with the relaxed way in [`marked`](Self::marked) whatever is measured.
    pub fn explain<W: Word>(&mut self, state: &ZoneState<W>) -> Estimate {
        self.evaluate(state, &[], true).measured
    }

    /// The estimate in the network without one transition, given by the edge instances of its step: of a handshake that pair,
    /// of a broadcast its sender. A transition without `!` and `?` stays. The relaxed way is in [`marked`](Self::marked).
    pub fn estimate_without<W: Word>(&mut self, state: &ZoneState<W>, parts: &[InstanceId]) -> Estimate {
        self.evaluate(state, parts, true).measured
    }

    /// The transitions of the relaxed way that was found last by [`explain`](Self::explain) or
    /// [`estimate_without`](Self::estimate_without); none if there is no way.
    pub fn marked(&self) -> &[Marked] {
        &self.extraction.marked
    }

    /// The layers, at most `most`, without a transition if one is given.
    fn lay<W: Word>(&mut self, state: &ZoneState<W>, banned: &[InstanceId], most: u32) -> Option<u32> {
        self.counters.evaluations += 1;
        self.layers.banned.clear();
        self.layers.banned.extend_from_slice(banned);
        let found = self.layers.run(&self.problem, &state.discrete, most);
        let facts = self.layers.facts.all.len() as u64;
        self.layers.work += facts;
        self.layers.effort += facts * effort::FACT + self.problem.size() / effort::CLEARED;
        found
    }

    /// Work of all evaluations: combinations of values that code ran on, and facts.
    pub fn work(&self) -> u64 {
        self.layers.work
    }

    fn evaluate<W: Word>(
        &mut self,
        state: &ZoneState<W>,
        banned: &[InstanceId],
        explains: bool,
    ) -> CachedEstimates {
        self.extraction.clear();
        let Some(count) = self.lay(state, banned, MOST_LAYERS) else {
            return CachedEstimates {
                layers: Estimate::INFINITE,
                measured: Estimate::INFINITE,
            };
        };
        let layers = Estimate::finite(count);
        if explains || self.measure == Measure::Transitions {
            self.extraction.run(&self.problem, &self.layers);
        }
        let measured = match self.measure {
            Measure::Layers => layers,
            // Where the layers ended before the goal, their number says more than the little that leads nowhere.
            Measure::Transitions if !self.layers.holds(&self.problem.wanted) => layers,
            Measure::Transitions => Estimate::finite(self.extraction.marked.len() as u32),
        };
        CachedEstimates { layers, measured }
    }

    fn known<W: Word>(&mut self, state: &ZoneState<W>) -> CachedEstimates {
        if let Some(known) = self.cache.get(&state.discrete) {
            self.counters.evaluations += 1;
            self.counters.cache_hits += 1;
            return known;
        }
        let known = self.evaluate(state, &[], false);
        self.cache.put(&state.discrete, known);
        known
    }

    /// Whether the relaxed way from a state takes a transition.
    fn takes<W: Word>(&mut self, state: &ZoneState<W>, transition: &[InstanceId]) -> bool {
        if self.path.from != state.discrete {
            self.explain(state);
            std::mem::swap(&mut self.path.marked, &mut self.extraction.marked);
            self.path.from.clone_from(&state.discrete);
        }
        self.path.marked.iter().any(|marked| marked.is(transition))
    }
}

impl Estimator for Relaxed<'_> {
    fn is_admissible(&self) -> bool {
        self.measure == Measure::Layers
    }

    fn name(&self) -> &'static str {
        match self.measure {
            Measure::Layers => "hL",
            Measure::Transitions => "hU",
        }
    }

    fn bytes(&self) -> usize {
        self.bytes + self.cache.bytes() + self.layers.bytes() + self.extraction.bytes()
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn effort(&self) -> u64 {
        self.layers.effort
    }
}

impl<W: Word> Heuristic<W> for Relaxed<'_> {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        self.known(state).measured
    }

    /// By the number of layers, whatever is measured: how many transitions a way through them has depends on which of several
    /// equal supporters are taken, and a difference of one says little.
    fn is_useless(
        &mut self,
        source: &ZoneState<W>,
        transition: &[InstanceId],
        target: &ZoneState<W>,
    ) -> bool {
        // Without a transition there are no fewer layers, and as many if the relaxed way does not take it.
        let after = self.known(target).layers;
        let layers = self.known(source).layers;
        if layers > after || !self.takes(source, transition) {
            return layers <= after;
        }
        // More layers than there are after the transition need not be counted.
        let most = after
            .number()
            .map_or(MOST_LAYERS, |count| MOST_LAYERS.min(count + 1));
        let without = self.lay(source, transition, most);
        without.is_some_and(|count| Estimate::finite(count) <= after)
    }
}
