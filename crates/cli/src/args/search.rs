//! The arguments of searches.

use super::value;
use super::{ModelArgs, QueryArgs};
use clap::ValueEnum;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk::{Delays, Search, TraceWish};

/// How to search.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// How to search: auto, sem, ret, rlc, rlc-a or smc
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = value::search)]
    pub(crate) search: Search,

    /// How walks choose delays: adaptive (eleven distributions in turn), uniform, or pd (40 % lower
    /// bound, 20 % inside, 40 % upper bound)
    #[arg(long, value_name = "HOW", default_value = "adaptive", value_parser = value::delays)]
    pub(crate) delays: Delays,

    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Time for each query, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) timeout: Option<Duration>,

    /// Memory to use, such as 4GiB [default: 80 % of the machine]; walks need hardly any
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<u64>,

    /// Steps of every walk [default: 16, doubled after every eleven walks up to 262144]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) max_steps: Option<NonZeroU32>,

    /// Time of the model at which walks by smc end, in place of a number of steps
    #[arg(long, value_name = "T", value_parser = value::model_time)]
    pub(crate) time_bound: Option<u64>,

    /// Number of walks
    #[arg(long, value_name = "N")]
    pub(crate) max_walks: Option<u64>,

    /// Whether to show how far the search is
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    pub(crate) progress: When,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) queries: QueryArgs,

    /// Take only the Nth query
    #[arg(long, value_name = "N")]
    pub(crate) query_index: Option<usize>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Which trace to show: none, some, or the shortest or fastest one that is found within the
    /// time limit (then 300s unless given)
    #[arg(long, value_name = "WHICH", default_value = "some", value_parser = value::trace)]
    pub(crate) trace: TraceWish,

    /// Write the trace to this file instead: .json for programs, anything else for people; for several
    /// queries the name gets their numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) trace_file: Option<PathBuf>,

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
