//! What comes before a search with pattern databases, within limits that are counts: results repeat.

use super::project::Basis;
use super::{Database, PatternDatabases, Unavailable, select};
use zonewalk_network::Network;
use zonewalk_product::Pattern;
use zonewalk_search::{Limits, Progress};

/// A network whose whole projection has no more states needs no choice.
const FEW_STATES: usize = 40_000;
/// States of one projection at most.
const MOST_STATES: usize = 2_000_000;
/// Transitions of one projection at most.
const MOST_TRANSITIONS: u64 = 20_000_000;
/// States of all projections that are explored for a choice, at most.
const MOST_FOR_CHOICE: usize = 4_000_000;
/// These numbers are for states of so many cells, clocks counted by the entries of a zone; larger ones cost more.
const USUAL_SIZE: usize = 1000;

/// The databases of some patterns, or of one that is chosen. Memory and time are bounded as for any search.
///
/// # Errors
/// When the projections are too large, with the number of abstract states that were explored.
pub fn prepare(
    basis: &Basis<'_>,
    patterns: &[Pattern],
    limits: &Limits<'_>,
) -> Result<PatternDatabases, u64> {
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
    if !patterns.is_empty() {
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

/// As many states of a network as cost what so many usual ones do.
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
