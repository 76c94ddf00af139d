//! The arguments of `refine`.

use super::Format;
use super::search::When;
use super::value::{self, Report};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::refine::{RefineDelays, RefineSearch};
use zonewalk_tioa::{AlphabetOf, Inputs};

#[derive(Debug, clap::Args)]
pub(crate) struct RefineArgs {
    /// The project: an ECDAR folder, an .xml file of ECDAR or UPPAAL, or an .xta file
    pub(crate) project: PathBuf,

    /// The queries, such as 'refinement: A || B <= S' [default: those of the project]
    #[arg(value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    /// Check only the Nth query
    #[arg(long, value_name = "N", value_parser = value::query_index)]
    pub(crate) query_index: Option<usize>,

    /// How to check refinements: auto (the complete search and walks in parallel), symbolic (complete),
    /// or walks: ret, rcf or smc
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = value::refine_search)]
    pub(crate) search: RefineSearch,

    /// How walks choose delays: adaptive (the first or the last instant), uniform, or pd (40 % first,
    /// 20 % inside, 40 % last)
    #[arg(long, value_name = "HOW", default_value = "adaptive", value_parser = value::refine_delays)]
    pub(crate) delays: RefineDelays,

    /// How to treat an input that no edge allows: complete (ignore it) or strict (refuse it)
    #[arg(long, value_name = "HOW", default_value = "complete", value_parser = value::inputs)]
    pub(crate) inputs: Inputs,

    /// Which actions a component knows: edges (those on its edges) or declared (also those of its IO
    /// line) [default: edges; declared for UPPAAL templates]
    #[arg(long, value_name = "OF", value_parser = value::alphabet)]
    pub(crate) alphabet: Option<AlphabetOf>,

    /// Also compare sides that are not deterministic, consistent or comparable
    #[arg(long)]
    pub(crate) no_preconditions: bool,

    /// Seed for random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value::seed)]
    pub(crate) seed: u64,

    /// Number of threads for walks [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Maximum number of steps per walk [default: 16, growing to 262144]
    #[arg(long, value_name = "N", value_parser = value::steps)]
    pub(crate) max_steps: Option<NonZeroU32>,

    /// Maximum number of walks
    #[arg(long, value_name = "N", value_parser = value::walk_count)]
    pub(crate) max_walks: Option<u64>,

    /// Time limit per query, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) timeout: Option<Duration>,

    /// Memory limit for zones, such as 4GiB [default: 80 % of the machine]; walks need hardly any
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<u64>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Also write a report: junit:FILE (JUnit XML), md:FILE (Markdown), md+svg:FILE (with charts of the
    /// traces beside it) or html:FILE (a page that shows the runs, too); can be repeated
    #[arg(long, value_name = "KIND:FILE", value_parser = value::report)]
    pub(crate) report: Vec<Report>,

    /// Write the run to this file instead: JSON if it ends in .json, otherwise text; with several
    /// queries, their numbers are added to the name
    #[arg(long, value_name = "FILE", value_parser = value::trace_file)]
    pub(crate) trace_file: Option<PathBuf>,

    /// Let save-as replace an existing component
    #[arg(long)]
    pub(crate) force: bool,

    /// When to show progress
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    pub(crate) progress: When,

    /// What was given on the command line, by the names of the fields: defaults are not to be refused.
    #[arg(skip)]
    pub(crate) given: Vec<String>,
}
