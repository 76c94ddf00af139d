//! Which arguments make sense for an explicit system.

use crate::args::SearchArgs;
use crate::status::Error;
use zonewalk_checker::{Search, TraceKind};
use zonewalk_searches::{Family, listed};

const NO_QUERIES: &str =
    "it has nothing to write formulas about; --action NAME looks for an action, nothing for a deadlock";
const NO_WALKS: &str = "no walks are made through it; --max-states limits its searches";
const NO_TIME: &str = "it has no time";
const NO_PROCESSES: &str = "it has no processes";

/// Arguments that an explicit system has no use for: the field, what the user calls it, and why.
const USELESS: [(&str, &str, &str); 19] = [
    ("query_file", "a query file", NO_QUERIES),
    ("query", "-q", NO_QUERIES),
    ("query_index", "--query-index", NO_QUERIES),
    ("define", "-D", "it has no constants"),
    ("schedule", "--schedule", NO_WALKS),
    ("shrink", "--shrink", "its traces are shown as they are found"),
    ("delays", "--delays", NO_TIME),
    ("time_bound", "--time-bound", NO_TIME),
    ("non_zeno", "--non-zeno", NO_TIME),
    ("extrapolation", "--extrapolation", NO_TIME),
    ("keep_variables", "--keep-variables", "it has no variables"),
    ("store", "--store", "its states are known by their numbers"),
    ("max_steps", "--max-steps", NO_WALKS),
    ("max_walks", "--max-walks", NO_WALKS),
    ("heuristic", "--heuristic", NO_PROCESSES),
    ("pattern", "--pattern", NO_PROCESSES),
    ("queues", "--queues", NO_PROCESSES),
    ("icb", "--icb", NO_PROCESSES),
    ("expect", "--expect", "it records no outcomes"),
];

/// Refuses what an explicit system has no use for.
pub(super) fn check(args: &SearchArgs, trace: TraceKind) -> Result<(), Error> {
    for (field, name, why) in USELESS {
        if args.given.iter().any(|given| given == field) {
            return Err(Error::new(format_args!(
                "{name} is not for explicit systems (.aut): {why}"
            )));
        }
    }
    let search = args.search.name();
    if !args.search.info().is_for_explicit {
        let why = match args.search.info().family {
            Some(Family::Directed) => "estimates how far the goal is from processes and variables",
            _ => "walks through time",
        };
        return Err(Error::new(format_args!(
            "{search} {why}, which explicit systems (.aut) do not have; they have {}",
            listed(&Search::that(|search| search.info().is_for_explicit), "and")
        )));
    }
    match trace {
        TraceKind::Fastest => Err(Error::new(format_args!(
            "--trace fastest is not for explicit systems (.aut): {NO_TIME}"
        ))),
        TraceKind::Shortest if !finds_shortest(args) => Err(Error::new(format_args!(
            "{search} does not look for shortest traces; bfs does, and drs with --increment 1"
        ))),
        _ => Ok(()),
    }
}

fn finds_shortest(args: &SearchArgs) -> bool {
    match args.search {
        Search::Drs => args.increment.is_some_and(|increment| increment.get() == 1),
        Search::Auto | Search::Bfs => true,
        Search::Dfs | Search::Rdfs | Search::Highway | Search::Random => false,
        Search::Greedy | Search::Astar => false,
        Search::Sem
        | Search::Ret
        | Search::Rlc
        | Search::RlcA
        | Search::Com
        | Search::Guided
        | Search::Smc => false,
    }
}
