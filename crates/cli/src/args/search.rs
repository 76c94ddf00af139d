//! The arguments of searches.

use super::group;
use super::statistics::StatisticsArgs;
use super::value::{self, Extrapolation, ReportFile};
use super::{CheckFormat, FormatArgs, ModelArgs, ProofArgs, QueryArgs};
use clap::ValueEnum;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::{Covering, Delays, Fringe, Schedule, Search, TraceKind};
use zonewalk_searches::{Estimator, Queueing, Switching, listed};

/// How to search, and how far.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = value::search, help = which())]
    #[arg(help_heading = group::SEARCH)]
    pub(crate) search: Search,

    /// Seed for random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value::seed)]
    #[arg(help_heading = group::SEARCH)]
    pub(crate) seed: u64,

    /// Ignore runs with infinitely many transitions in finite time
    #[arg(long, help_heading = group::SEARCH)]
    pub(crate) non_zeno: bool,

    /// Time limit per query, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) timeout: Option<Duration>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Memory limit for states, such as 4GiB [default: 80 % of the machine]; walks need hardly any
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) memory: Option<u64>,

    /// Maximum number of states to store (random and highway: to visit); states of pattern databases do not count, --memory limits them
    #[arg(long, value_name = "N", value_parser = value::state_count)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) max_states: Option<u64>,

    /// Maximum number of walks
    #[arg(long, value_name = "N", value_parser = value::walk_count)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) max_walks: Option<u64>,

    /// Maximum number of steps per walk [default: 16, growing to 262144]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) max_steps: Option<NonZeroU32>,

    /// Model time at which smc walks end, instead of a number of steps
    #[arg(long, value_name = "TIME", value_parser = value::model_time)]
    #[arg(help_heading = group::LIMITS)]
    pub(crate) time_bound: Option<u64>,

    /// Options that were given on the command line, by the names of the fields: defaults are not to be refused.
    #[arg(skip)]
    pub(crate) given: Vec<String>,
}

/// Variants of single searches, and what is shown meanwhile. They come after the options that are used more often.
#[derive(Debug, clap::Args)]
pub(crate) struct TuningArgs {
    /// When to show progress
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    #[arg(help_heading = group::OUTPUT)]
    pub(crate) progress: When,

    /// Which variant of the walks: tuned (zonewalk's), or paper (sem, ret, rlc and rlc-a as in FMICS 2021)
    #[arg(long, value_name = "VARIANT", default_value = "tuned", value_parser = value::schedule)]
    #[arg(help_heading = group::WALKS)]
    pub(crate) schedule: Schedule,

    /// How walks choose delays: adaptive (eleven distributions in turn), uniform, pd (40 % lower
    /// bound, 20 % inside, 40 % upper bound), or percentages for the lower and the
    /// upper bound, such as 70,10
    #[arg(long, value_name = "DELAYS", default_value = "adaptive", value_parser = value::delays)]
    #[arg(help_heading = group::WALKS)]
    pub(crate) delays: Delays,

    /// When a state counts as visited: inclusion (a stored zone includes its zone) or equality
    #[arg(long, value_name = "RELATION", default_value = "inclusion", value_parser = value::covering)]
    #[arg(help_heading = group::ZONES)]
    pub(crate) store: Covering,

    /// Extrapolation of zones: auto (the coarsest that is sound), none, m, lu or lu+
    #[arg(long, value_name = "OPERATOR", default_value = "auto", value_parser = value::extrapolation)]
    #[arg(help_heading = group::ZONES)]
    pub(crate) extrapolation: Extrapolation,

    /// Distinguish states by variables whose values no longer matter, too
    #[arg(long, help_heading = group::ZONES)]
    pub(crate) keep_variables: bool,

    /// The distance estimate of greedy and astar: blind, dl, du, dg, hl, hu or pdb [default: hu; hl for astar]
    #[arg(long, value_name = "NAME", help_heading = group::DIRECTED)]
    pub(crate) heuristic: Option<Estimator>,

    /// Pattern of pdb: auto, downward (as in MCTA), or processes, variables and clocks, such as P,v,x; separate several patterns with `;`
    #[arg(long, value_name = "NAMES", default_value = "auto", help_heading = group::DIRECTED)]
    pub(crate) pattern: String,

    /// The queues of greedy, astar and bfs: plain (a single queue), useless (a second
    /// queue for states reached by useless transitions; not for bfs), icb (one for each number of
    /// context switches), ce (one for each distance between the last two transitions) or alternation
    /// (useless in turn with two cheap orders; for greedy)
    #[arg(long, value_name = "SCHEME", default_value = "plain", help_heading = group::DIRECTED)]
    pub(crate) queues: Queueing,

    /// Meaning of a context switch for --queues icb: any (no process takes part in both
    /// transitions), equal (different sets of processes) or preempting (no common process, and one
    /// could have continued)
    #[arg(long, value_name = "SWITCH", default_value = "any", help_heading = group::DIRECTED)]
    pub(crate) icb: Switching,

    /// Depth at which drs abandons a path [default: none]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    #[arg(help_heading = group::DEEP)]
    pub(crate) cutoff: Option<NonZeroU32>,

    /// How much deeper each round of drs goes; 1 gives a shortest trace [default: one round]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    #[arg(help_heading = group::DEEP)]
    pub(crate) increment: Option<NonZeroU32>,

    /// Number of drs walks from the initial state
    #[arg(long, value_name = "N", value_parser = value::steps)]
    #[arg(help_heading = group::DEEP)]
    pub(crate) walks: Option<NonZeroU32>,

    /// States that drs returns to: paper (states with unexplored successors) or children (those successors)
    #[arg(long, value_name = "STATES", default_value = "paper", value_parser = value::fringe)]
    #[arg(help_heading = group::DEEP)]
    pub(crate) fringe: Fringe,

    /// Number of states that highway keeps per level
    #[arg(long, value_name = "N", default_value = "32", value_parser = value::width)]
    #[arg(help_heading = group::DEEP)]
    pub(crate) width: NonZeroUsize,

    /// Run highway as defined, without the approximation
    #[arg(long, help_heading = group::DEEP)]
    pub(crate) exact: bool,
}

/// Which searches there are.
fn which() -> String {
    let (walks, states): (Vec<_>, Vec<_>) = Search::that(|search| search.info().family.is_some())
        .into_iter()
        .partition(|search| search.walks());
    format!(
        "The search: auto; zone graph: {}; walks: {}",
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

    /// Check only the Nth query
    #[arg(long, value_name = "N", value_parser = value::query_index)]
    #[arg(help_heading = group::MODEL)]
    pub(crate) query_index: Option<usize>,

    /// Compare the answers with the outcomes recorded in the model
    #[arg(long, help_heading = group::MODEL)]
    pub(crate) expect: bool,

    /// Exit with status 1 if there is a warning that an answer may say less than it seems to: a model that stands
    /// still, a premise or location that is never reached, a channel without a partner
    #[arg(long, help_heading = group::MODEL)]
    pub(crate) strict: bool,

    /// Check every combination of these values of global constants, and print one table, such as
    /// --sweep N=2..10 --sweep D=10,20; can be repeated
    #[arg(long, value_name = "NAME=LO..HI|a,b,c", help_heading = group::MODEL)]
    pub(crate) sweep: Vec<String>,

    /// For an explicit system (.aut): search for a transition whose label names this action, instead
    /// of a deadlock
    #[arg(long, value_name = "NAME", help_heading = group::MODEL)]
    pub(crate) action: Option<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Which trace to show: none; some (shortened with a few times the effort of the search); short (with
    /// half a second of effort or more); or the shortest or fastest one found within the time limit
    /// (300s unless given)
    #[arg(long, value_name = "TRACE", default_value = "some", value_parser = value::trace)]
    #[arg(help_heading = group::TRACES)]
    pub(crate) trace: TraceKind,

    /// How to print a trace: as a table, a sequence chart or a Gantt chart
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = group::TRACES)]
    pub(crate) trace_format: crate::chart::TraceFormat,

    /// Write the trace to this file instead: JSON if it ends in .json, otherwise text; with several
    /// queries, their numbers are added to the name
    #[arg(long, value_name = "FILE", value_parser = value::trace_file)]
    #[arg(help_heading = group::TRACES)]
    pub(crate) trace_file: Option<PathBuf>,

    /// How to shorten a trace: default (shrunk, with simple times), or none (as found; with
    /// --trace shortest or fastest, the best of many walks)
    #[arg(long, value_name = "METHOD", default_value = "default", action = clap::ArgAction::Set, value_parser = value::shrinks)]
    #[arg(help_heading = group::TRACES)]
    pub(crate) shrink: bool,

    #[command(flatten)]
    pub(crate) proofs: ProofArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, help_heading = group::OUTPUT)]
    pub(crate) format: CheckFormat,

    /// Also write a report: junit:FILE (JUnit XML), md:FILE (Markdown), md+svg:FILE (with charts of the
    /// traces beside it) or html:FILE (a page that shows the runs, too); can be repeated
    #[arg(long, value_name = "KIND:FILE", value_parser = value::report, help_heading = group::OUTPUT)]
    pub(crate) report: Vec<ReportFile>,

    #[command(flatten)]
    pub(crate) tuning: TuningArgs,

    #[command(flatten)]
    pub(crate) statistics: StatisticsArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) output: FormatArgs,

    /// Write a page with the automata coloured by what was reached: html:FILE
    #[arg(long, value_name = "html:FILE", value_parser = value::coverage, help_heading = group::OUTPUT)]
    pub(crate) coverage: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) proofs: ProofArgs,

    #[command(flatten)]
    pub(crate) tuning: TuningArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}
