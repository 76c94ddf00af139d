//! The arguments of `zonewalk lint`.

use super::{FormatArgs, ModelArgs, QueryArgs, value};
use std::num::NonZeroUsize;
use std::time::Duration;
use zonewalk_lint::Check;

#[derive(Debug, clap::Args)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) output: FormatArgs,

    #[command(flatten)]
    pub(crate) queries: QueryArgs,

    /// Make these checks only, such as deadlock,zeno
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = value::lint_check)]
    pub(crate) only: Vec<Check>,

    /// Leave these checks out
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = value::lint_check, conflicts_with = "only")]
    pub(crate) skip: Vec<Check>,

    /// Time limit for all checks together, such as 30s, 500ms or 2m
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = value::duration)]
    pub(crate) timeout: Duration,

    /// Memory limit for states, such as 4GiB [default: 80 % of the machine]
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<u64>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Seed for random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value::seed)]
    pub(crate) seed: u64,
}
