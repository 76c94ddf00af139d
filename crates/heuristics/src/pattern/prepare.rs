//! Selection and construction of pattern databases before a search. Limits are counts, so results are repeatable.

use super::downward::Refinement;
use super::project::Basis;
use super::{Database, PatternDatabases, Unavailable, select};
use zonewalk_network::Network;
use zonewalk_product::Pattern;
use zonewalk_search::{Limits, Progress};
use zonewalk_zones::Word;

/// Where the patterns of databases come from.
#[derive(Clone, Debug, Default)]
pub enum PatternSource {
    /// A pattern grows from the goal, for as long as shortest abstract traces get longer (`pattern::select`).
    #[default]
    Growing,
    /// Downward pattern refinement: everything that has to do with the goal, less what the relaxation can do without.
    Downward,
    /// Patterns given by the user.
    Given(Vec<Pattern>),
}

/// A network whose whole projection has no more states needs no choice.
const FEW_STATES: usize = 40_000;
/// States of one projection at most.
const MOST_STATES: usize = 2_000_000;
/// Transitions of one projection at most.
const MOST_TRANSITIONS: u64 = 20_000_000;
/// States of all projections that are explored for a choice, at most.
const MOST_FOR_CHOICE: usize = 4_000_000;
/// Cells of the states that these numbers are for, clocks counted by the entries of a zone; larger states cost more.
const USUAL_SIZE: usize = 1000;

/// The databases of the patterns that are given, or of one that is chosen. Memory and time are bounded as for any search.
///
/// # Errors
/// When the projections are too large, with the number of abstract states that were explored.
pub fn prepare<W: Word>(
    basis: &Basis<'_>,
    choice: &PatternSource,
    limits: &Limits<'_>,
) -> Result<PatternDatabases<W>, u64> {
    let is_large = |progress: &Progress| {
        progress.transitions > MOST_TRANSITIONS || limits.stop.is_some_and(|stop| stop(progress))
    };
    let within = |stored: usize| Limits {
        stored: Some(stored),
        explored: None,
        stop: Some(&is_large),
        ..*limits
    };
    let network = basis.network();
    let scaled = |states: usize| scaled(network, states);
    let mut spent = 0;
    if let PatternSource::Given(patterns) = choice {
        let mut databases = Vec::new();
        for pattern in patterns {
            let database = Database::new(basis, pattern, &within(scaled(MOST_STATES)))
                .map_err(|e| spent + explored(&e))?;
            spent += database.states;
            databases.push(database);
        }
        return Ok(PatternDatabases::new(network, databases));
    }
    match Database::new(basis, &basis.cone(), &within(scaled(FEW_STATES))) {
        Ok(database) => return Ok(PatternDatabases::new(network, vec![database])),
        Err(unavailable) => spent += explored(&unavailable),
    }
    let no_bounds = Limits {
        explored: None,
        stored: None,
        ..*limits
    };
    if matches!(choice, PatternSource::Downward) {
        return downward(basis, spent, &no_bounds, &within(scaled(MOST_STATES)));
    }
    let mut selection = select(basis, scaled(MOST_FOR_CHOICE) as u64, &no_bounds).map_err(|_| spent)?;
    spent += selection.states;
    loop {
        let error = match Database::new(basis, &selection.pattern, &within(scaled(MOST_STATES))) {
            Ok(database) => return Ok(PatternDatabases::new(network, vec![database]).after(spent)),
            Err(error) => error,
        };
        spent += explored(&error);
        // What was added last made it larger, and the traces longer.
        match (error, selection.before.take()) {
            (Unavailable::Limit(..), Some(before)) => selection.pattern = before,
            _ => return Err(spent),
        }
    }
}

/// The database of the pattern that downward refinement arrives at, made smaller until it fits.
fn downward<W: Word>(
    basis: &Basis<'_>,
    before: u64,
    choosing: &Limits<'_>,
    building: &Limits<'_>,
) -> Result<PatternDatabases<W>, u64> {
    let network = basis.network();
    let states = scaled(network, MOST_FOR_CHOICE) as u64;
    let mut spent = before;
    let mut refinement = Refinement::new(basis, states, choosing);
    let mut chosen = refinement.run();
    loop {
        let Ok(pattern) = chosen else {
            return Err(spent + refinement.spent());
        };
        match Database::new(basis, &pattern, building) {
            Ok(database) => {
                spent += refinement.spent();
                return Ok(PatternDatabases::new(network, vec![database]).after(spent));
            }
            Err(error) => spent += explored(&error),
        }
        let Some(smaller) = refinement.coarsen().transpose() else {
            return Err(spent + refinement.spent());
        };
        chosen = smaller;
    }
}

/// Number of states of this network that cost as much as `states` states of usual size.
fn scaled(network: &Network, states: usize) -> usize {
    let clocks = network.clocks.len();
    let size = network.layout.state as usize + clocks * clocks;
    states / size.div_ceil(USUAL_SIZE).max(1)
}

fn explored(unavailable: &Unavailable) -> u64 {
    match unavailable {
        Unavailable::Limit(_, states) => *states,
        Unavailable::Stop(_) => 0,
    }
}
