//! Pattern databases: exact distances in projections of the network, computed before the search.
//!
//! Culberson, Schaeffer: Pattern databases, Computational Intelligence 14(3), 1998; Edelkamp: Planning with pattern databases,
//! ECP 2001; for timed automata Kupferschmid, Wehrle: Abstractions and pattern databases: The quest for succinctness and
//! accuracy, TACAS 2011, as MCTA-2012 has them. A [`Pattern`] is some of the processes, variables and clocks. The
//! [projection](zonewalk_product::Product::projected) of the network onto it can do all that the network can, in no more
//! transitions. It is explored forwards with zones, distances are propagated backwards, and the estimate of a state is read off
//! the abstract states that its points may be in.

mod additive;
mod downward;
mod flaw;
mod prepare;
mod project;
mod select;
mod table;

use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use additive::Additive;
pub use downward::refine;
pub use prepare::{PatternSource, prepare};
use project::Explored;
pub use project::{AbstractDistance, Basis};
pub use select::{Selection, select};
use table::Table;
use zonewalk_network::Network;
use zonewalk_product::Pattern;
use zonewalk_search::{Limit, Limits};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_zones::Word;

/// Distances in one projection.
#[derive(Clone, Debug)]
pub struct Database<W = i32> {
    /// Pattern of the database.
    pub pattern: Pattern,
    /// Abstract states explored.
    pub states: u64,
    /// The distance of the initial state. If it is infinite, no goal can be reached at all.
    pub initial: Estimate,
    table: Table<W>,
}

/// Why there is no database.
#[derive(Clone, Copy, Debug)]
pub enum Unavailable {
    /// The projection is too large. So many abstract states were explored.
    Limit(Limit, u64),
    /// The network cannot be laid out.
    Stop(Stop),
}

impl<W: Word> Database<W> {
    /// The database of a pattern, which is closed before.
    ///
    /// # Errors
    /// When the projection is larger than the limits allow.
    pub fn new(
        basis: &Basis<'_>,
        pattern: &Pattern,
        limits: &Limits<'_>,
    ) -> Result<Database<W>, Unavailable> {
        let mut pattern = pattern.clone();
        basis.close(&mut pattern);
        let explored = basis.explore(&pattern, limits);
        match explored.map_err(Unavailable::Stop)? {
            Explored::All {
                states,
                table,
                initial,
            } => Ok(Database {
                pattern,
                states,
                initial,
                table,
            }),
            Explored::Limit(limit, states) => Err(Unavailable::Limit(limit, states)),
        }
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// `pdb`: the estimates of one or several databases. Those of which no transition changes two are added; of the ways to
/// add the best counts.
#[derive(Clone, Debug)]
pub struct PatternDatabases<W = i32> {
    databases: Vec<Database<W>>,
    additive: Additive,
    counters: Counters,
    /// States that no abstract state fits. There must not be any.
    unknown: u64,
    scratch: table::Scratch<W>,
    estimates: Vec<Estimate>,
    bytes: usize,
}

impl<W: Word> PatternDatabases<W> {
    /// The estimates of some databases of a network.
    pub fn new(network: &Network, databases: Vec<Database<W>>) -> PatternDatabases<W> {
        let patterns: Vec<&Pattern> = databases.iter().map(|database| &database.pattern).collect();
        PatternDatabases {
            additive: Additive::new(network, &patterns),
            counters: Counters {
                abstract_states: databases.iter().map(|database| database.states).sum(),
                ..Counters::default()
            },
            unknown: 0,
            scratch: table::Scratch::default(),
            estimates: Vec::new(),
            bytes: databases.iter().map(Database::bytes).sum(),
            databases,
        }
    }

    /// Counts the abstract states explored while choosing the patterns.
    #[must_use]
    pub fn after(mut self, states: u64) -> Self {
        self.counters.abstract_states += states;
        self
    }

    /// The databases.
    pub fn databases(&self) -> &[Database<W>] {
        &self.databases
    }

    /// The cells that estimates depend on: a search must not forget them.
    pub fn cells(&self) -> Vec<u32> {
        let mut cells: Vec<u32> = self.databases.iter().flat_map(|d| d.pattern.cells()).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Number of looked-up states that no abstract state matches; zero unless there is a bug.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }
}

impl<W: Word> Estimator for PatternDatabases<W> {
    fn is_admissible(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        "pdb"
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

impl<W: Word> Heuristic<W> for PatternDatabases<W> {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        self.counters.evaluations += 1;
        self.estimates.clear();
        for database in &self.databases {
            let found = database.table.get(state, &mut self.scratch);
            self.unknown += u64::from(found.is_none());
            self.estimates.push(found.unwrap_or(Estimate::ZERO));
        }
        self.additive.best(&self.estimates)
    }
}
