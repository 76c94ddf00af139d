//! The arguments of `zonewalk verifyta`: one letter each, as scripts give them.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct VerifytaArgs {
    /// The model: .xml, .xta or .ta, or - for standard input
    #[arg(required_unless_present = "show_version")]
    pub(crate) model: Option<PathBuf>,

    /// The query file [default: the queries in the model, or else the file of the same name with .q]
    #[arg(value_name = "QUERYFILE")]
    pub(crate) query_file: Option<PathBuf>,

    /// Search order: 0 breadth first, 1 depth first, 2 random depth first; 3 and 4 are treated as 0
    /// and 2. Always breadth first with -t 1 or 2 [default: walks and breadth first, in parallel]
    #[arg(short = 'o', long = "search-order", value_name = "0|1|2")]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=4))]
    pub(crate) order: Option<u8>,

    /// Show a trace: 0 some, 1 a shortest, 2 a fastest one [default: none]
    #[arg(short = 't', long = "diagnostic", value_name = "0|1|2")]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=2))]
    pub(crate) trace: Option<u8>,

    /// Write traces to PREFIX-N.json, in zonewalk's own format, instead of showing them
    #[arg(short = 'f', value_name = "PREFIX")]
    pub(crate) trace_prefix: Option<PathBuf>,

    /// Rejected: traces in XML are not supported
    #[arg(short = 'X', value_name = "PREFIX", conflicts_with = "trace_prefix")]
    pub(crate) xml_prefix: Option<PathBuf>,

    /// Seed for random choices
    #[arg(short = 'r', long = "seed", value_name = "SEED", default_value_t = 1, value_parser = super::value::seed)]
    pub(crate) seed: u64,

    /// Extrapolation: 0 automatic, 1 none, 4 lower and upper bounds; 2 and 3 are treated as 0
    #[arg(
        short = 'n',
        long = "extrapolation",
        value_name = "0|1|2|3|4",
        default_value_t = 0
    )]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=4))]
    pub(crate) extrapolation: u8,

    /// Do not print the options
    #[arg(short = 'q')]
    pub(crate) no_summary: bool,

    /// Show no progress
    #[arg(short = 's', long = "silence-progress")]
    pub(crate) no_progress: bool,

    /// Show the resources used by each formula
    #[arg(short = 'u', long = "summary")]
    pub(crate) usage: bool,

    /// Show the version
    #[arg(short = 'v', long = "version")]
    pub(crate) show_version: bool,

    /// Ignored: traces have exact times instead of zones
    #[arg(short = 'y', short_alias = 'Y')]
    pub(crate) symbolic: bool,

    /// Ignored: the search is exact, and decides whatever an over-approximation decides
    #[arg(short = 'A')]
    pub(crate) over: bool,

    /// Ignored: the search is exact, and finds whatever an under-approximation finds
    #[arg(short = 'Z')]
    pub(crate) under: bool,

    /// Ignored
    #[arg(short = 'S', value_name = "N")]
    pub(crate) reduction: Option<String>,

    /// Ignored
    #[arg(short = 'H', long = "hashtable-size", value_name = "N")]
    pub(crate) hash_size: Option<String>,

    /// Ignored
    #[arg(long = "state-representation", value_name = "N")]
    pub(crate) representation: Option<String>,

    /// Ignored
    #[arg(short = 'C')]
    pub(crate) plain_zones: bool,

    /// Ignored
    #[arg(short = 'T')]
    pub(crate) reuse: bool,

    /// Ignored
    #[arg(short = 'U')]
    pub(crate) unpack: bool,

    #[command(flatten)]
    pub(crate) statistics: super::statistics::StatisticsArgs,

    /// Ignored
    #[arg(short = 'e')]
    pub(crate) e: bool,
}
