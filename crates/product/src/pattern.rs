//! Patterns: what a projection keeps of a network.

use crate::influence::{Guess, Influences, combinations};
use zonewalk_network::constraint::{ClockBound, Condition, Term};
use zonewalk_network::ids::{ClockId, InstanceId, ProcessId};
use zonewalk_network::{Context, Network, Routine, SetId};

/// Limit on combinations of removed values tried for an update that computes something kept from them.
const MOST_GUESSES: u64 = 16;
/// Limit on combinations where nothing kept depends on them: these are tried once for all.
const MOST_FIXED_GUESSES: u64 = 256;

/// Some of the processes, variables and clocks of a network. A process is kept by the cell that holds its location.
///
/// `meta` variables are never kept: states are not told apart by them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// By cell of the discrete state, `meta` variables included.
    cells: Vec<bool>,
    /// By clock.
    clocks: Vec<bool>,
}

/// Removed cells on which an update's effect on kept components depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guesses {
    /// The removed cells with their values.
    pub(crate) cells: Vec<Guess>,
    /// Whether the effect depends on kept components, too.
    pub(crate) depends: bool,
}

impl Pattern {
    /// The pattern that keeps everything.
    pub fn whole(network: &Network) -> Pattern {
        let mut cells = vec![true; network.layout.meta as usize];
        cells[network.layout.state as usize..].fill(false);
        Pattern {
            cells,
            clocks: vec![true; network.clocks.len()],
        }
    }

    /// The pattern that keeps nothing.
    pub fn empty(network: &Network) -> Pattern {
        Pattern {
            cells: vec![false; network.layout.meta as usize],
            clocks: vec![false; network.clocks.len()],
        }
    }

    /// Whether a cell is kept. What is not part of the state, such as constants, always is.
    #[inline]
    pub fn keeps(&self, cell: u32) -> bool {
        self.cells.get(cell as usize).copied().unwrap_or(true)
    }

    /// Whether the locations of a process are told apart.
    #[inline]
    pub fn keeps_process(&self, process: ProcessId) -> bool {
        self.keeps(process.0)
    }

    /// Whether a clock is kept.
    #[inline]
    pub fn keeps_clock(&self, clock: ClockId) -> bool {
        self.clocks.get(clock.index()).copied().unwrap_or(false)
    }

    /// Keeps a cell from now on, or not any more. `meta` variables stay out.
    pub fn set(&mut self, network: &Network, cell: u32, is_kept: bool) {
        if cell < network.layout.state {
            self.cells[cell as usize] = is_kept;
        }
    }

    /// Keeps a clock from now on, or not any more.
    pub fn set_clock(&mut self, clock: ClockId, is_kept: bool) {
        if let Some(kept) = self.clocks.get_mut(clock.index()) {
            *kept = is_kept;
        }
    }

    /// The cells that are kept, locations first.
    pub fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        (0..)
            .zip(&self.cells)
            .filter(|(_, kept)| **kept)
            .map(|(cell, _)| cell)
    }

    /// The clocks that are kept.
    pub fn clocks(&self) -> impl Iterator<Item = ClockId> + '_ {
        let kept = (0..).zip(&self.clocks).filter(|(_, kept)| **kept);
        kept.map(|(clock, _)| ClockId(clock))
    }

    /// Whether some member of a set of cells is removed.
    pub fn misses(&self, network: &Network, set: SetId) -> bool {
        network.sets.members(set).any(|cell| !self.keeps(cell))
    }

    /// Whether something kept is among some cells and clocks.
    fn keeps_any(&self, network: &Network, cells: SetId, clocks: SetId) -> bool {
        network.sets.members(cells).any(|cell| self.keeps(cell))
            || network.sets.clocks(clocks).any(|clock| self.keeps_clock(clock))
    }

    /// Whether the update of an edge instance does something to what is kept.
    pub fn is_changed_by(&self, network: &Network, instance: InstanceId) -> bool {
        let instance = network.instance(instance);
        self.keeps_any(network, instance.writes, instance.clock_writes)
    }

    /// Whether a routine that runs around every transition changes anything that is kept.
    pub fn is_changed_by_routine(&self, network: &Network, routine: &Routine) -> bool {
        self.keeps_any(network, routine.writes, routine.clock_writes)
    }

    /// Whether a condition is about what is kept alone. `context` says where it finds its cells.
    pub fn knows(&self, network: &Network, condition: &Condition, context: &Context) -> bool {
        let reads = network.condition_reads(condition, context);
        reads.into_iter().all(|cell| self.keeps(cell))
    }

    /// Whether a bound on clocks is about kept components alone.
    pub fn knows_bound(&self, network: &Network, bound: &ClockBound, context: &Context) -> bool {
        if bound
            .when
            .is_some_and(|when| !self.knows(network, &when, context))
        {
            return false;
        }
        let code = bound.setup.map(|entry| network.code_reads(entry, context));
        let mut reads = code.iter().flatten().flat_map(|e| e.start..e.end);
        if reads.any(|cell| !self.keeps(cell)) || !self.keeps(context.address(bound.bound) as u32) {
            return false;
        }
        // Which clock it is must be the same in every state.
        let is_kept = |cell| {
            let clock = network.constant(cell, context);
            clock.is_some_and(|clock| self.keeps_clock(ClockId(clock as u32)))
        };
        is_kept(bound.left) && bound.right.is_none_or(is_kept)
    }

    /// Whether a part of a guard or an invariant is about kept components alone.
    pub fn knows_term(&self, network: &Network, term: &Term, context: &Context) -> bool {
        match term {
            Term::Data(condition) => self.knows(network, condition, context),
            Term::Clock(bound) => self.knows_bound(network, bound, context),
        }
    }

    /// The removed cells that the update of an edge instance computes something kept from; `None` if they have too many values.
    pub(crate) fn guesses(
        &self,
        network: &Network,
        number: InstanceId,
        influences: &Influences,
    ) -> Option<Guesses> {
        let keeps = |cell| self.keeps(cell);
        let matter = influences.matter(network, number, keeps, |clock| self.keeps_clock(clock));
        let mut guesses = Guesses {
            cells: Vec::new(),
            depends: false,
        };
        for cell in matter {
            if self.keeps(cell) {
                guesses.depends = true;
            } else {
                let (lo, hi) = influences.values(cell)?;
                guesses.cells.push((cell, lo, hi));
            }
        }
        let most = if guesses.depends {
            MOST_GUESSES
        } else {
            MOST_FIXED_GUESSES
        };
        let count = combinations(&guesses.cells)?;
        (count <= most).then_some(guesses)
    }

    /// Removes what cannot be kept, because its values or its rate follow from what is removed.
    pub fn close(&mut self, network: &Network, influences: &Influences) {
        while self.close_once(network, influences) {}
    }

    fn close_once(&mut self, network: &Network, influences: &Influences) -> bool {
        let before = self.clone();
        let is_whole = *self == Pattern::whole(network);
        for number in (0..network.instances.len() as u32).map(InstanceId) {
            if !self.is_changed_by(network, number) {
                continue;
            }
            let instance = network.instance(number);
            if !is_whole && !network.sets.get(instance.clock_sources).is_empty() {
                // What a clock is copied from may be known less well than it is, and then the copy may seem to be negative.
                self.drop_clocks(network, instance.clock_writes);
            }
            if self.misses(network, instance.update_needs)
                && self.guesses(network, number, influences).is_none()
            {
                self.drop_cells(network, instance.writes);
                self.drop_clocks(network, instance.clock_writes);
            }
        }
        for routine in [network.before_update, network.after_update]
            .into_iter()
            .flatten()
        {
            let copies = !network.sets.get(routine.clock_sources).is_empty();
            if self.misses(network, routine.reads) || copies {
                self.drop_cells(network, routine.writes);
                self.drop_clocks(network, routine.clock_writes);
            }
        }
        for invariant in &network.invariants {
            if !self.keeps_process(invariant.process) || self.misses(network, invariant.reads) {
                self.drop_clocks(network, invariant.rate_clocks);
            }
        }
        *self != before
    }

    fn drop_cells(&mut self, network: &Network, set: SetId) {
        for cell in network.sets.members(set) {
            self.set(network, cell, false);
        }
    }

    fn drop_clocks(&mut self, network: &Network, set: SetId) {
        for clock in network.sets.clocks(set) {
            self.set_clock(clock, false);
        }
    }
}
