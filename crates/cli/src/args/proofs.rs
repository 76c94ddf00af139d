//! The arguments about proofs: what `check` and `explore` do with them, and the command that judges one.

use super::{FormatArgs, ModelArgs, group, value};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::Certify;

/// Options for the proof of an answer.
#[derive(Debug, clap::Args)]
pub(crate) struct ProofArgs {
    /// When the judge of proofs, who shares nothing with the searches, looks at the proof of an answer: auto
    /// (where it is small), always or never
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = value::certify)]
    #[arg(help_heading = group::PROOFS)]
    pub(crate) certify: Certify,

    /// Write the proof of an answer to this file, for `zonewalk judge`; compressed if it ends in .gz; with
    /// several queries, their numbers are added to the name
    #[arg(long, value_name = "FILE", help_heading = group::PROOFS)]
    pub(crate) certificate: Option<PathBuf>,
}

/// `zonewalk judge`
#[derive(Debug, clap::Args)]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// The certificate, as written by `check` and `explore` with --certificate
    #[arg(value_name = "CERTIFICATE")]
    pub(crate) certificate: PathBuf,

    /// The query that it is about [default: the query in the model, or in the file of the same name with .q]
    #[arg(short = 'q', value_name = "FORMULA", help_heading = group::MODEL)]
    pub(crate) query: Option<String>,

    /// The Nth of these queries, where there are several
    #[arg(long, value_name = "N", value_parser = value::query_index, conflicts_with = "query")]
    #[arg(help_heading = group::MODEL)]
    pub(crate) query_index: Option<usize>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value::threads, help_heading = group::LIMITS)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Look at about this number of nodes only, spread over the file: enough to refuse, not to accept
    #[arg(long, value_name = "NODES", value_parser = value::threads, help_heading = group::LIMITS)]
    pub(crate) sample: Option<NonZeroUsize>,

    /// Time limit, such as 30s, 500ms or 2m [default: none]
    #[arg(long, value_name = "TIME", value_parser = value::duration, help_heading = group::LIMITS)]
    pub(crate) timeout: Option<Duration>,

    /// Memory limit for the text of the certificate, such as 4GiB [default: 80 % of the machine]
    #[arg(long, value_name = "SIZE", value_parser = value::memory, help_heading = group::LIMITS)]
    pub(crate) memory: Option<u64>,

    /// Look at the form of the file alone, and list what is not as it should be: order, repeated or empty
    /// nodes, fields and constraints that are not needed
    #[arg(long, conflicts_with = "sample", help_heading = group::OUTPUT)]
    pub(crate) lint: bool,

    #[command(flatten)]
    pub(crate) output: FormatArgs,
}
