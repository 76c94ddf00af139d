//! How a run compares with all others that show the same.

use crate::options::{Options, TraceWish};
use crate::order::Order;
use crate::outcome::{Outcome, Report, Witness};
use zonewalk_searches::{Queueing, Search};

/// What is known about how a run compares with all others that show the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nothing, and nobody asked.
    #[default]
    Unasked,
    /// None has fewer transitions. Of a run without end those up to its cycle count, and those of one round of the cycle.
    Shortest,
    /// None takes less time.
    Fastest,
    /// A shortest one was asked for. This one is not proved to be that, for this reason.
    PerhapsNotShortest(String),
    /// The same of a fastest one.
    PerhapsNotFastest(String),
}

impl Standing {
    /// Not proved to be what was wished for.
    pub(crate) fn open(wish: TraceWish, why: &str) -> Standing {
        match wish {
            TraceWish::None | TraceWish::Some => Standing::Unasked,
            TraceWish::Shortest => Standing::PerhapsNotShortest(why.to_owned()),
            TraceWish::Fastest => Standing::PerhapsNotFastest(why.to_owned()),
        }
    }

    /// Of the first run that a search of states meets, but for its time.
    ///
    /// Breadth first with a store by depth a state is left out only for one that includes it and is no deeper, so every level
    /// holds all that is reached with so few transitions; deep random search has it by its Theorem 5.
    pub(crate) fn of_first(by: Order, options: &Options, is_approximate: bool) -> Standing {
        let is_by_depth = match by {
            Order::Breadth => options.trace == TraceWish::Shortest && options.queueing() == Queueing::Plain,
            Order::DeepRandom => {
                options.zones.drs.increment.get() == 1 && options.trace != TraceWish::Fastest
            }
            Order::AStar => options.zones.finds_shortest(),
            Order::Depth | Order::RandomDepth | Order::Greedy | Order::Highway | Order::Random => false,
        };
        match options.trace {
            wish if is_approximate => Standing::open(wish, APPROXIMATE),
            _ if is_by_depth => Standing::Shortest,
            wish if options.queueing() != Queueing::Plain => {
                let (search, queues) = (by.name(), options.queueing().name());
                let words = format!(
                    "{search} with --queues {queues} does not compare runs; with plain queues it does"
                );
                Standing::open(wish, &words)
            }
            wish if by == Order::AStar => {
                let name = options.zones.estimator(Search::Astar).name();
                let words = format!("--heuristic {name} may be too large; dl, dg, hl and pdb never are");
                Standing::open(wish, &words)
            }
            wish => {
                let words = format!("{} does not compare runs; bfs does", by.name());
                Standing::open(wish, &words)
            }
        }
    }

    /// Of the best run that walks have met.
    pub(crate) fn of_walks(wish: TraceWish, steps: usize, is_instant: bool) -> Standing {
        match wish {
            TraceWish::Shortest if steps == 0 => Standing::Shortest,
            TraceWish::Fastest if is_instant => Standing::Fastest,
            wish => Standing::open(wish, "walks do not see every run; bfs does"),
        }
    }

    /// Whether nothing is left to be wished for.
    fn is_open(&self) -> bool {
        matches!(
            self,
            Standing::PerhapsNotShortest(_) | Standing::PerhapsNotFastest(_)
        )
    }
}

/// Where the zone graph is an approximation it shows runs that do not exist.
pub(crate) const APPROXIMATE: &str = "clocks that can be stopped are over-approximated";

/// Behind an error of the model there may be anything.
pub(crate) const FAILS: &str = "the model fails on another run";

/// Whether what walks have found is better than what a search of states has found beside them.
pub(crate) fn is_better(walks: &Report, states: &Report, wish: TraceWish) -> bool {
    let (Some(walked), Some(found)) = (witness(walks), witness(states)) else {
        return false;
    };
    found.standing.is_open()
        && match wish {
            TraceWish::Shortest => walked.steps < found.steps,
            TraceWish::Fastest => walked.duration.is_less_than(found.duration),
            TraceWish::None | TraceWish::Some => false,
        }
}

/// Lets a search by depth that came to no end say what it knows of the run that walks have found. When it meets the first
/// state behind `n` transitions it has looked at all that are reached by fewer: no run has fewer than `n`.
pub(crate) fn compare_with_levels(walks: &mut Report, levels: &Report, is_approximate: bool) {
    let Outcome::Undecided(reason) = &levels.outcome else {
        return;
    };
    let Outcome::Decided {
        witness: Some(witness),
        ..
    } = &mut walks.outcome
    else {
        return;
    };
    match &mut witness.standing {
        Standing::PerhapsNotShortest(why) if is_approximate => APPROXIMATE.clone_into(why),
        Standing::PerhapsNotShortest(why) if levels.fault.is_some() => FAILS.clone_into(why),
        Standing::PerhapsNotShortest(_) if witness.steps as u64 <= levels.stats.max_depth => {
            witness.standing = Standing::Shortest;
        }
        Standing::PerhapsNotShortest(why) => {
            *why = format!("{reason}; no run has fewer than {}", levels.stats.max_depth);
        }
        Standing::PerhapsNotFastest(why) => *why = reason.to_string(),
        Standing::Unasked | Standing::Shortest | Standing::Fastest => {}
    }
}

fn witness(report: &Report) -> Option<&Witness> {
    match &report.outcome {
        Outcome::Decided { witness, .. } => witness.as_deref(),
        _ => None,
    }
}
