//! How a run compares with all others that show the same.

use crate::options::{Options, TraceKind};
use crate::order::Order;
use crate::outcome::{CheckerReport, Evidence, Outcome, Witness};
use zonewalk_searches::{Queueing, Search};

/// Comparison of a run with all others that show the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Optimality {
    /// Nothing, and nothing was asked for.
    #[default]
    NotRequested,
    /// None has fewer transitions. Of a run without end those up to its cycle count, and those of one round of the cycle.
    Shortest,
    /// None takes less time.
    Fastest,
    /// A shortest one was asked for. This one is not proved to be that, for this reason.
    UnprovenShortest(String),
    /// Fastest as far as is known, with the reason why that is not proved.
    UnprovenFastest(String),
}

impl Optimality {
    /// Not proved to be what was wished for.
    pub(crate) fn open(wish: TraceKind, why: &str) -> Optimality {
        match wish {
            TraceKind::None | TraceKind::Some | TraceKind::Short => Optimality::NotRequested,
            TraceKind::Shortest => Optimality::UnprovenShortest(why.to_owned()),
            TraceKind::Fastest => Optimality::UnprovenFastest(why.to_owned()),
        }
    }

    /// Optimality of the first run that a search of states meets, but for its time.
    ///
    /// Breadth first with a store by depth a state is left out only for one that includes it and is no deeper, so every level
    /// holds all that is reached with so few transitions; deep random search has it by its Theorem 5.
    pub(crate) fn of_first(by: Order, options: &Options, is_approximate: bool) -> Optimality {
        let is_by_depth = match by {
            Order::Breadth => {
                options.trace.kind == TraceKind::Shortest && options.queueing() == Queueing::Plain
            }
            Order::DeepRandom => options.drs.increment.get() == 1 && options.trace.kind != TraceKind::Fastest,
            Order::AStar => options.directed.finds_shortest(),
            Order::Depth | Order::RandomDepth | Order::Greedy | Order::Highway | Order::Random => false,
        };
        match options.trace.kind {
            wish if is_approximate => Optimality::open(wish, APPROXIMATE),
            _ if is_by_depth => Optimality::Shortest,
            wish if options.queueing() != Queueing::Plain => {
                let (search, queues) = (by.name(), options.queueing().name());
                let words = format!(
                    "{search} with --queues {queues} does not compare runs; with plain queues it does"
                );
                Optimality::open(wish, &words)
            }
            wish if by == Order::AStar => {
                let name = options.directed.estimator_for(Search::Astar).name();
                let words = format!("--heuristic {name} may overestimate; dl, dg, hl and pdb never do");
                Optimality::open(wish, &words)
            }
            wish => {
                let words = format!("{} does not compare runs; bfs does", by.name());
                Optimality::open(wish, &words)
            }
        }
    }

    /// Optimality of the best run found by walks.
    pub(crate) fn of_walks(wish: TraceKind, steps: usize, is_instant: bool) -> Optimality {
        match wish {
            TraceKind::Shortest if steps == 0 => Optimality::Shortest,
            TraceKind::Fastest if is_instant => Optimality::Fastest,
            wish => Optimality::open(wish, "walks do not cover every run; bfs does"),
        }
    }

    /// Whether nothing is left to be wished for.
    fn is_open(&self) -> bool {
        matches!(
            self,
            Optimality::UnprovenShortest(_) | Optimality::UnprovenFastest(_)
        )
    }
}

/// Where the zone graph is an approximation it shows runs that do not exist.
pub(crate) const APPROXIMATE: &str = "clocks that can be stopped are over-approximated";

/// Behind an error of the model there may be anything.
pub(crate) const FAILS: &str = "the model has a run-time error on another run";

/// Whether what walks have found is better than what a search of states has found beside them.
pub(crate) fn is_better(walks: &CheckerReport, states: &CheckerReport, wish: TraceKind) -> bool {
    let (Some(walked), Some(found)) = (witness(walks), witness(states)) else {
        return false;
    };
    found.optimality.is_open()
        && match wish {
            TraceKind::Shortest => walked.steps < found.steps,
            TraceKind::Fastest => walked.duration.is_less_than(found.duration),
            TraceKind::None | TraceKind::Some | TraceKind::Short => false,
        }
}

/// Lets an unfinished search by depth say what it knows of the run that walks have found. When it meets the first
/// state after `n` transitions it has explored all that are reached by fewer: no run has fewer than `n`.
pub(crate) fn compare_with_levels(walks: &mut CheckerReport, levels: &CheckerReport, is_approximate: bool) {
    let Outcome::Undecided(reason) = &levels.outcome else {
        return;
    };
    let Outcome::Decided {
        evidence: Evidence::Run(witness),
        ..
    } = &mut walks.outcome
    else {
        return;
    };
    match &mut witness.optimality {
        Optimality::UnprovenShortest(why) if is_approximate => APPROXIMATE.clone_into(why),
        Optimality::UnprovenShortest(why) if levels.fault.is_some() => FAILS.clone_into(why),
        Optimality::UnprovenShortest(_) if witness.steps as u64 <= levels.stats.max_depth => {
            witness.optimality = Optimality::Shortest;
        }
        Optimality::UnprovenShortest(why) => {
            *why = format!("{reason}; no run has fewer than {}", levels.stats.max_depth);
        }
        Optimality::UnprovenFastest(why) => *why = reason.to_string(),
        Optimality::NotRequested | Optimality::Shortest | Optimality::Fastest => {}
    }
}

fn witness(report: &CheckerReport) -> Option<&Witness> {
    match &report.outcome {
        Outcome::Decided { evidence, .. } => evidence.witness(),
        _ => None,
    }
}
