//! Arguments of `zonewalk bench`.

use super::value;
use clap::ValueEnum;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Tables to measure: all; fmics, drs, highway, setta or mcta; or a single table or figure of these:
    /// fmics-1, fmics-3 (figure), fmics-4 to fmics-9; drs-1 to drs-4; highway-1 (table), highway-2, -3, -4, -6, -7, -8 (figures); setta-1 to
    /// setta-6, setta-10 (figure); mcta-1, mcta-2, mcta-3 (web page), mcta-4 (proofs); or zones, the
    /// zone graph compared with TChecker [default: fmics]
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,

    /// Quick run: one small model of each family, few seeds, five seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// The folder with the authors' models; without it, models from zonewalk's own families are measured
    #[arg(long, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = BenchFormat::Md)]
    pub(crate) format: BenchFormat,

    /// Measure this row only, such as Fischer-10N; can be repeated
    #[arg(long = "row", value_name = "NAME")]
    pub(crate) rows: Vec<String>,

    /// Measure this column only, such as RET; can be repeated; for fmics,
    /// setta and mcta
    #[arg(long = "column", value_name = "NAME")]
    pub(crate) columns: Vec<String>,

    /// Number of seeds per cell, for setta the number of violations [default: 5 for fmics, 100 for drs and
    /// setta, 1000 for highway]; ignored by mcta
    #[arg(long, value_name = "N")]
    pub(crate) seeds: Option<NonZeroU32>,

    /// Which walks fmics and setta measure: tuned (zonewalk's), or paper (as published) [default: both]
    #[arg(long, value_name = "VARIANT", value_parser = value::schedule)]
    pub(crate) schedule: Option<zonewalk_checker::Schedule>,

    /// Time limit per seed, for setta and mcta per cell, such as 30s [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) timeout: Option<Duration>,

    /// Try all seeds of a cell of fmics again with this much time each, if one of them failed and the
    /// paper has a number
    #[arg(long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) retry: Option<Duration>,

    /// Also write the figures of fmics, highway and setta to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,

    /// Keep the measurements in this file, one line of JSON per cell
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,

    /// Measure only what is missing from the --results file
    #[arg(long, requires = "results")]
    pub(crate) resume: bool,

    /// Measure nothing: print the contents of the --results file
    #[arg(long, requires = "results", conflicts_with = "resume")]
    pub(crate) print: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    Md,
    Text,
    Json,
    Csv,
}
