//! The arguments of searches.

use super::statistics::StatisticsArgs;
use super::value::{self, Extrapolation, Report};
use super::{ModelArgs, QueryArgs};
use clap::ValueEnum;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::{Covering, Delays, Fringe, Schedule, Search, TraceKind};
use zonewalk_searches::{Estimator, Queueing, Switching, listed};

/// How to search.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = value::search, help = which())]
    pub(crate) search: Search,

    /// Whose walks: tuned (ours), or paper (sem, ret, rlc and rlc-a as FMICS 2021 prints them)
    #[arg(long, value_name = "WHOSE", default_value = "tuned", value_parser = value::schedule)]
    pub(crate) schedule: Schedule,

    /// How walks choose delays: adaptive (eleven distributions in turn), uniform, pd (40 % lower
    /// bound, 20 % inside, 40 % upper bound), or percentages of your own for the lower and the
    /// upper bound, such as 70,10
    #[arg(long, value_name = "HOW", default_value = "adaptive", value_parser = value::delays)]
    pub(crate) delays: Delays,

    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value::seed)]
    pub(crate) seed: u64,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Time for each query, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) timeout: Option<Duration>,

    /// Memory for states, such as 4GiB [default: 80 % of the machine]; walks need hardly any
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<u64>,

    /// Steps of every walk [default: from 16 on, growing up to 262144]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) max_steps: Option<NonZeroU32>,

    /// Time of the model at which walks by smc end, in place of a number of steps
    #[arg(long, value_name = "T", value_parser = value::model_time)]
    pub(crate) time_bound: Option<u64>,

    /// Number of walks
    #[arg(long, value_name = "N", value_parser = value::walk_count)]
    pub(crate) max_walks: Option<u64>,

    /// States to store, or to visit by random and highway; those of pattern databases do not count, --memory bounds them
    #[arg(long, value_name = "N", value_parser = value::state_count)]
    pub(crate) max_states: Option<u64>,

    /// When a state counts as known: inclusion (a known zone includes its zone) or equality
    #[arg(long, value_name = "HOW", default_value = "inclusion", value_parser = value::covering)]
    pub(crate) store: Covering,

    /// How zones are made fewer: auto (the coarsest way that is sound), none, m, lu or lu+
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = value::extrapolation)]
    pub(crate) extrapolation: Extrapolation,

    /// Tell states apart by variables that do not matter any more, too
    #[arg(long)]
    pub(crate) keep_variables: bool,

    /// Depth at which drs gives up a path [default: none]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) cutoff: Option<NonZeroU32>,

    /// How much deeper each round of drs goes; 1 gives a shortest trace [default: one round]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) increment: Option<NonZeroU32>,

    /// Walks of drs from the initial state
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) walks: Option<NonZeroU32>,

    /// What drs comes back to: paper (states with successors left) or children (those successors)
    #[arg(long, value_name = "WHAT", default_value = "paper", value_parser = value::fringe)]
    pub(crate) fringe: Fringe,

    /// What leads greedy and astar: blind, dl, du, dg, hl, hu or pdb [default: hu; hl for astar]
    #[arg(long, value_name = "NAME")]
    pub(crate) heuristic: Option<Estimator>,

    /// What pdb keeps: auto, downward (as in MCTA), or processes, variables and clocks, as P,v,x; several patterns with `;` between them
    #[arg(long, value_name = "NAMES", default_value = "auto")]
    pub(crate) pattern: String,

    /// Which queue a state of greedy, astar and bfs waits in: plain (there is one), useless (a second
    /// one for what useless transitions lead to; not for bfs), icb (one for each number of switches
    /// between processes) or ce (one for each distance between the last two transitions)
    #[arg(long, value_name = "HOW", default_value = "plain")]
    pub(crate) queues: Queueing,

    /// Which transitions in a row are a switch for --queues icb: any (no process takes part in both),
    /// equal (not the same processes do) or preempting (none does, and one could have gone on)
    #[arg(long, value_name = "HOW", default_value = "any")]
    pub(crate) icb: Switching,

    /// States that highway keeps of every level
    #[arg(long, value_name = "N", default_value = "32", value_parser = value::width)]
    pub(crate) width: NonZeroUsize,

    /// highway as it is defined, in place of its approximation
    #[arg(long)]
    pub(crate) exact: bool,

    /// Count no run on which infinitely much happens in finite time
    #[arg(long)]
    pub(crate) non_zeno: bool,

    /// What was given on the command line, by the names of the fields: defaults are not to be refused.
    #[arg(skip)]
    pub(crate) given: Vec<String>,

    /// Whether to show how far the search is
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    pub(crate) progress: When,
}

/// Which searches there are.
fn which() -> String {
    let (walks, states): (Vec<_>, Vec<_>) = Search::that(|search| search.info().family.is_some())
        .into_iter()
        .partition(|search| search.walks());
    format!(
        "How to search: auto; {} through the zone graph; {} by walks",
        listed(&states, "or"),
        listed(&walks, "or")
    )
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) queries: QueryArgs,

    /// Take only the Nth query
    #[arg(long, value_name = "N", value_parser = value::query_index)]
    pub(crate) query_index: Option<usize>,

    /// Of an explicit system (.aut): look for a transition whose label names this action, rather
    /// than for a deadlock
    #[arg(long, value_name = "NAME")]
    pub(crate) action: Option<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Which trace to show: none, some, or the shortest or fastest one that is found within the
    /// time limit (then 300s unless given)
    #[arg(long, value_name = "WHICH", default_value = "some", value_parser = value::trace)]
    pub(crate) trace: TraceKind,

    /// What is done about a found trace: default (shrunk, with simple times), or none (as it was
    /// found; with --trace shortest or fastest the best of many walks)
    #[arg(long, value_name = "HOW", default_value = "default", action = clap::ArgAction::Set, value_parser = value::shrinks)]
    pub(crate) shrink: bool,

    /// Write the trace to this file instead: .json for programs, anything else for people; for several
    /// queries the name gets their numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,

    /// Write a report for others: junit:FILE (JUnit XML) or md:FILE (Markdown); may be given several
    /// times
    #[arg(long, value_name = "KIND:FILE", value_parser = value::report)]
    pub(crate) report: Vec<Report>,

    #[command(flatten)]
    pub(crate) statistics: StatisticsArgs,

    /// Draw curves and histograms of statistical queries to this file: .svg, or .csv for a table; for
    /// several queries the name gets their numbers
    #[arg(long, value_name = "FILE", value_parser = super::statistics::plot, help_heading = "Statistical queries")]
    pub(crate) plot: Option<PathBuf>,

    /// Compare the answers with those that the model records
    #[arg(long)]
    pub(crate) expect: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}
