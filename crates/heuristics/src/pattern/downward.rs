//! Downward pattern refinement: beginning with everything that has to do with the goal, components are removed as long as that
//! seems to make no difference.
//!
//! Kupferschmid, Wehrle: Abstractions and pattern databases: The quest for succinctness and accuracy, TACAS 2011. A pattern is as
//! good as the whole network if no abstract error trace is shorter than the shortest real one. That is as hard to know as the
//! shortest trace itself, so it is asked of the monotonicity abstraction: a component may go if the relaxed trace of the smaller projection is
//! as long as before, and also one of the network. Clocks, which the relaxation does not know, are decided one by one by searching the projections
//! themselves, as MCTA-2012 does (Wehrle, Kupferschmid: Mcta: Heuristics and Search for Timed Systems, FORMATS 2012, section 4.2).

use super::flaw::Component;
use super::project::{AbstractDistance, Basis};
use crate::relaxed::{Free, Relaxed};
use rustc_hash::FxHashSet;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_product::Pattern;
use zonewalk_search::{Limits, Progress};
use zonewalk_symbolic::stop::Stop;

/// Limit on abstract states explored for one pattern.
const MOST_EACH: u64 = 100_000;
/// Limit on abstract states per pattern where many patterns are compared.
const FEW_EACH: u64 = 20_000;
/// Largest domain of a removed variable whose values the relaxation distinguishes.
const MOST_VALUES: i64 = 256;

/// The pattern that downward refinement arrives at, exploring a limited number of abstract states for it.
///
/// # Errors
/// When the network cannot be laid out.
pub fn refine(basis: &Basis<'_>, states: u64, limits: &Limits<'_>) -> Result<Pattern, Stop> {
    Refinement::new(basis, states, limits).run()
}

/// A refinement under way.
pub(super) struct Refinement<'a, 'n> {
    basis: &'a Basis<'n>,
    limits: &'a Limits<'a>,
    relaxed: Relaxed<'n>,
    /// The initial state.
    initial: Vec<i32>,
    /// Components of the goal, which are never removed.
    goal: Pattern,
    pattern: Pattern,
    left: u64,
    spent: u64,
}

impl<'a, 'n> Refinement<'a, 'n> {
    /// Begins with the cone of influence of the goal, exploring a limited number of abstract states.
    pub(super) fn new(basis: &'a Basis<'n>, states: u64, limits: &'a Limits<'a>) -> Refinement<'a, 'n> {
        let network = basis.network();
        let mut pattern = basis.cone();
        basis.close(&mut pattern);
        let mut goal = basis.goal_pattern();
        basis.close(&mut goal);
        Refinement {
            basis,
            limits,
            relaxed: Relaxed::lower(network, &basis.aim),
            initial: network.memory()[..network.layout.meta as usize].to_vec(),
            goal,
            pattern,
            left: states,
            spent: 0,
        }
    }

    /// Number of explored abstract states.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether the time is over: what has been found so far is the answer then.
    fn is_over(&self) -> bool {
        self.limits.stop.is_some_and(|stop| stop(&Progress::default()))
    }

    /// The pattern.
    ///
    /// # Errors
    /// When the network cannot be laid out.
    pub(super) fn run(&mut self) -> Result<Pattern, Stop> {
        self.by_relaxation();
        self.by_search()?;
        Ok(self.pattern.clone())
    }

    /// Removes processes and variables until the relaxation misses each of the others. The largest domains go first.
    fn by_relaxation(&mut self) {
        let Some(layers) = self.layers(&self.pattern.clone()) else {
            return;
        };
        loop {
            let mut is_smaller = false;
            let cells = self.removable().into_iter();
            for component in cells.filter(|component| matches!(component, Component::Cell(_))) {
                if self.is_over() {
                    return;
                }
                let Some(smaller) = self.without(component) else {
                    continue;
                };
                if self.layers(&smaller) == Some(layers) && self.is_real() {
                    self.pattern = smaller;
                    is_smaller = true;
                }
            }
            if !is_smaller {
                return;
            }
        }
    }

    /// Removes clocks, and then whatever is left, as long as shortest abstract traces have as many transitions. Where the search is cut off that
    /// is not known, and everything stays.
    fn by_search(&mut self) -> Result<(), Stop> {
        let before = self.distance(&self.pattern.clone())?;
        if matches!(before, AbstractDistance::AtLeast(_)) {
            return Ok(());
        }
        let (mut components, cells): (Vec<_>, Vec<_>) = self
            .removable()
            .into_iter()
            .partition(|component| matches!(component, Component::Clock(_)));
        components.extend(cells);
        for component in components {
            if self.is_over() {
                break;
            }
            if let Some(smaller) = self.without(component)
                && self.distance(&smaller)? == before
            {
                self.pattern = smaller;
            }
        }
        Ok(())
    }

    /// A smaller pattern, because the projection is too large: components are removed until a search of it is not cut off. `None` if nothing
    /// but the goal is left, or the time is over.
    ///
    /// # Errors
    /// When the network cannot be laid out.
    pub(super) fn coarsen(&mut self) -> Result<Option<Pattern>, Stop> {
        if self.is_over() || !self.remove_one()? {
            return Ok(None);
        }
        while self.left > 0
            && matches!(
                self.distance(&self.pattern.clone())?,
                AbstractDistance::AtLeast(_)
            )
        {
            if !self.remove_one()? {
                break;
            }
        }
        self.by_search()?;
        Ok(Some(self.pattern.clone()))
    }

    /// Removes the component that costs fewest steps of shortest abstract traces for what its domain takes. False if nothing but the goal is
    /// left.
    fn remove_one(&mut self) -> Result<bool, Stop> {
        let before = self.distance_within(&self.pattern.clone(), FEW_EACH)?.least();
        let mut best: Option<(f64, Pattern)> = None;
        for component in self.removable() {
            if self.is_over() {
                break;
            }
            let Some(smaller) = self.without(component) else {
                continue;
            };
            // When nothing may be explored any more the largest domain goes.
            let lost = if self.left == 0 {
                0
            } else {
                before.saturating_sub(self.distance_within(&smaller, FEW_EACH)?.least())
            };
            let loss = (f64::from(lost) + 1.0) / self.size(component);
            if best.as_ref().is_none_or(|(least, _)| loss < *least) {
                best = Some((loss, smaller));
            }
        }
        let Some((_, smaller)) = best else {
            return Ok(false);
        };
        self.pattern = smaller;
        Ok(true)
    }

    /// Removable components, those with the largest domains first.
    fn removable(&self) -> Vec<Component> {
        let clocks = (0..self.basis.network().clocks.len() as u32).map(ClockId);
        let clocks = clocks.filter(|&clock| self.pattern.keeps_clock(clock) && !self.goal.keeps_clock(clock));
        let cells = self.pattern.cells().filter(|&cell| !self.goal.keeps(cell));
        let mut all: Vec<Component> = cells
            .map(Component::Cell)
            .chain(clocks.map(Component::Clock))
            .collect();
        all.sort_by(|&a, &b| self.size(b).total_cmp(&self.size(a)));
        all
    }

    /// The logarithm of the number of values, at least 1.
    fn size(&self, component: Component) -> f64 {
        let range = match component {
            Component::Cell(cell) => self.basis.values(cell),
            Component::Clock(_) => None,
        };
        let count = range.map_or(MOST_VALUES, |(low, high)| i64::from(high) - i64::from(low) + 1);
        (count as f64).log2().max(1.0)
    }

    /// The pattern without a component, and without what cannot be kept then; `None` if the goal would be lost.
    fn without(&self, component: Component) -> Option<Pattern> {
        let network = self.basis.network();
        let mut pattern = self.pattern.clone();
        match component {
            // Something else may have taken it along.
            Component::Cell(cell) if pattern.keeps(cell) => pattern.set(network, cell, false),
            Component::Clock(clock) if pattern.keeps_clock(clock) => pattern.set_clock(clock, false),
            _ => return None,
        }
        self.basis.close(&mut pattern);
        let mut clocks = (0..network.clocks.len() as u32).map(ClockId);
        let is_whole = self.goal.cells().all(|cell| pattern.keeps(cell))
            && clocks.all(|clock| pattern.keeps_clock(clock) || !self.goal.keeps_clock(clock));
        is_whole.then_some(pattern)
    }

    /// `hL` of the initial state in the projection onto a pattern.
    fn layers(&mut self, pattern: &Pattern) -> Option<u32> {
        let network = self.basis.network();
        let range = |cell: u32| match network.processes.get(cell as usize) {
            Some(process) => {
                let count = network.variants[process.variant as usize].locations.len();
                Some((0, count as i32 - 1))
            }
            None => {
                let few = |(low, high): &(i32, i32)| i64::from(*high) - i64::from(*low) < MOST_VALUES;
                self.basis.values(cell).filter(few)
            }
        };
        let removed = self
            .relaxed
            .relevant()
            .iter()
            .filter(|&&cell| !pattern.keeps(cell));
        let removed = removed.map(|&cell| Free {
            cell,
            range: range(cell),
        });
        let removed = removed.collect();
        self.relaxed.layers_without(&self.initial, removed)
    }

    /// Whether the network, too, has the relaxed trace that was found last.
    fn is_real(&mut self) -> bool {
        let edges = self
            .relaxed
            .marked()
            .iter()
            .flat_map(|marked| marked.parts.iter().copied());
        let edges: FxHashSet<InstanceId> = edges.collect();
        self.relaxed.reaches_with(&self.initial, edges)
    }

    fn distance(&mut self, pattern: &Pattern) -> Result<AbstractDistance, Stop> {
        self.distance_within(pattern, MOST_EACH)
    }

    fn distance_within(&mut self, pattern: &Pattern, states: u64) -> Result<AbstractDistance, Stop> {
        let limits = Limits {
            explored: Some(states.min(self.left)),
            ..*self.limits
        };
        let (reach, states, _) = self.basis.distance(pattern, &limits)?;
        self.left = self.left.saturating_sub(states + 1);
        self.spent += states;
        Ok(reach)
    }
}
