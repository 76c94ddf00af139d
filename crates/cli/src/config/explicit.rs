//! Which arguments make sense for an explicit system.

use crate::args::{SearchArgs, TuningArgs};
use crate::status::Error;
use zonewalk_checker::{Search, TraceKind};
use zonewalk_searches::{Family, listed};

const NO_QUERIES: &str =
    "they have no formulas; --action NAME searches for an action, otherwise the search is for a deadlock";
const NO_WALKS: &str = "walks do not support them; --max-states limits the search";
const NO_TIME: &str = "they have no time";
const NO_PROCESSES: &str = "they have no processes";

/// Arguments that an explicit system has no use for: the field, what the user calls it, and why.
const USELESS: [(&str, &str, &str); 20] = [
    ("query_file", "a query file", NO_QUERIES),
    ("query", "-q", NO_QUERIES),
    ("query_index", "--query-index", NO_QUERIES),
    ("define", "-D", "they have no constants"),
    ("schedule", "--schedule", NO_WALKS),
    ("shrink", "--shrink", "their traces are shown as found"),
    ("delays", "--delays", NO_TIME),
    ("time_bound", "--time-bound", NO_TIME),
    ("non_zeno", "--non-zeno", NO_TIME),
    ("extrapolation", "--extrapolation", NO_TIME),
    ("keep_variables", "--keep-variables", "they have no variables"),
    ("store", "--store", "their states are identified by numbers"),
    ("max_steps", "--max-steps", NO_WALKS),
    ("max_walks", "--max-walks", NO_WALKS),
    ("heuristic", "--heuristic", NO_PROCESSES),
    ("pattern", "--pattern", NO_PROCESSES),
    ("queues", "--queues", NO_PROCESSES),
    ("icb", "--icb", NO_PROCESSES),
    ("expect", "--expect", "they record no outcomes"),
    ("strict", "--strict", "there are no warnings about them"),
];

/// Refuses what an explicit system has no use for.
pub(super) fn check(args: &SearchArgs, tuning: &TuningArgs, trace: TraceKind) -> Result<(), Error> {
    for (field, name, why) in USELESS {
        if args.given.iter().any(|given| given == field) {
            return Err(Error::new(format_args!(
                "{name} does not apply to explicit systems (.aut): {why}"
            )));
        }
    }
    let search = args.search.name();
    if !args.search.info().is_for_explicit {
        let why = match args.search.info().family {
            Some(Family::Directed) => "estimates distances from processes and variables",
            _ => "makes walks in time",
        };
        return Err(Error::new(format_args!(
            "{search} {why}, which explicit systems (.aut) do not have; they support {}",
            listed(&Search::that(|search| search.info().is_for_explicit), "and")
        )));
    }
    match trace {
        TraceKind::Fastest => Err(Error::new(format_args!(
            "--trace fastest does not apply to explicit systems (.aut): {NO_TIME}"
        ))),
        TraceKind::Shortest if !finds_shortest(args.search, tuning) => Err(Error::new(format_args!(
            "{search} does not find shortest traces; bfs does, and so does drs with --increment 1"
        ))),
        _ => Ok(()),
    }
}

fn finds_shortest(search: Search, tuning: &TuningArgs) -> bool {
    match search {
        Search::Drs => tuning.increment.is_some_and(|increment| increment.get() == 1),
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
