//! The arguments of `refine`.

use super::search::When;
use super::value::{self, ReportFile};
use super::{Format, group};
use crate::chart::TraceFormat;
use clap::ValueEnum;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::refine::{RefineDelays, RefineSearch};
use zonewalk_tioa::{AlphabetOf, Inputs};

/// Which run is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShownRun {
    // None; what is found is checked all the same.
    None,
    // The one that was found.
    #[default]
    Some,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RefineArgs {
    /// The project: an ECDAR folder, an .xml file of ECDAR or UPPAAL, or an .xta file
    pub(crate) project: PathBuf,

    /// The queries, such as 'refinement: A || B <= S' [default: those of the project]
    #[arg(value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    /// Another file or folder with components of the same project; can be repeated
    #[arg(long, value_name = "PROJECT", help_heading = group::PROJECT)]
    pub(crate) with: Vec<PathBuf>,

    /// Override a global constant of PROJECT, such as -D N=5 or -D 'D={10,20,18}'; can be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = value::definition)]
    #[arg(help_heading = group::PROJECT)]
    pub(crate) define: Vec<(String, String)>,

    /// Check only the Nth query
    #[arg(long, value_name = "N", value_parser = value::query_index, help_heading = group::PROJECT)]
    pub(crate) query_index: Option<usize>,

    /// Compare the answers with the outcomes recorded in the project
    #[arg(long, help_heading = group::PROJECT)]
    pub(crate) expect: bool,

    /// How to treat an input that no edge allows: complete (ignore it) or strict (refuse it)
    #[arg(long, value_name = "RULE", default_value = "complete", value_parser = value::inputs)]
    #[arg(help_heading = group::PROJECT)]
    pub(crate) inputs: Inputs,

    /// Which actions a component knows: edges (those on its edges) or declared (also those of its IO
    /// line) [default: edges; declared for UPPAAL templates]
    #[arg(long, value_name = "ALPHABET", value_parser = value::alphabet, help_heading = group::PROJECT)]
    pub(crate) alphabet: Option<AlphabetOf>,

    /// Also compare sides that are not deterministic or consistent, or lack an action of the other
    #[arg(long, help_heading = group::PROJECT)]
    pub(crate) no_preconditions: bool,

    /// How to check refinements: auto (the complete search and walks in parallel), symbolic (complete),
    /// or walks: ret, rcf or smc
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = value::refine_search)]
    #[arg(help_heading = group::SEARCH)]
    pub(crate) search: RefineSearch,

    /// How walks choose delays: adaptive (the first or the last instant), uniform, or pd (40 % first,
    /// 20 % inside, 40 % last)
    #[arg(long, value_name = "DELAYS", default_value = "adaptive", value_parser = value::refine_delays)]
    #[arg(help_heading = group::SEARCH)]
    pub(crate) delays: RefineDelays,

    /// Seed for random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value::seed)]
    #[arg(help_heading = group::SEARCH)]
    pub(crate) seed: u64,

    /// Time limit per query, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration, help_heading = group::LIMITS)]
    pub(crate) timeout: Option<Duration>,

    /// Number of threads for walks [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads, help_heading = group::LIMITS)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Memory limit for zones, such as 4GiB [default: 80 % of the machine]; walks need hardly any
    #[arg(long, value_name = "SIZE", value_parser = value::memory, help_heading = group::LIMITS)]
    pub(crate) memory: Option<u64>,

    /// Maximum number of walks
    #[arg(long, value_name = "N", value_parser = value::walk_count, help_heading = group::LIMITS)]
    pub(crate) max_walks: Option<u64>,

    /// Maximum number of steps per walk [default: 16 and 24 more for each component of the left side,
    /// growing to 262144]
    #[arg(long, value_name = "N", value_parser = value::steps, help_heading = group::LIMITS)]
    pub(crate) max_steps: Option<NonZeroU32>,

    /// Which run to show: none or some
    #[arg(long, value_name = "TRACE", value_enum, default_value_t, help_heading = group::TRACES)]
    pub(crate) trace: ShownRun,

    /// How to print a run: as a table, a sequence chart or a Gantt chart
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = group::TRACES)]
    pub(crate) trace_format: TraceFormat,

    /// Write the run to this file instead: JSON if it ends in .json, otherwise text; with several
    /// queries, their numbers are added to the name
    #[arg(long, value_name = "FILE", value_parser = value::trace_file, help_heading = group::TRACES)]
    pub(crate) trace_file: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = group::OUTPUT)]
    pub(crate) format: Format,

    /// Also write a report: junit:FILE (JUnit XML), md:FILE (Markdown), md+svg:FILE (with charts of the
    /// traces beside it) or html:FILE (a page that shows the runs, too); can be repeated
    #[arg(long, value_name = "KIND:FILE", value_parser = value::report, help_heading = group::OUTPUT)]
    pub(crate) report: Vec<ReportFile>,

    /// Where save-as writes: `save-as N` makes DIR/Components/N.json; the project's own folder is never
    /// written to unless it is given here
    #[arg(long, value_name = "DIR", help_heading = group::OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Let save-as replace an existing component
    #[arg(long, help_heading = group::OUTPUT)]
    pub(crate) force: bool,

    /// When to show progress
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    #[arg(help_heading = group::OUTPUT)]
    pub(crate) progress: When,

    /// Options that were given on the command line, by the names of the fields: defaults are not to be refused.
    #[arg(skip)]
    pub(crate) given: Vec<String>,
}
