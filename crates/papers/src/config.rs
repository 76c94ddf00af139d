//! Choice of measurements, and of the form in which they are shown.

use std::path::{Path, PathBuf};
use std::time::Duration;
use zonewalk_checker::Schedule;

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Random walks.
    Fmics,
    /// Deep random search.
    Drs,
    /// Highway search.
    Highway,
    /// Refinement by walks.
    Setta,
    /// Directed searches.
    Mcta,
    /// No paper, but a peer: TChecker.
    Zones,
    /// Statistical queries.
    Smc,
}

/// How tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown.
    Md,
    /// Markdown with its columns aligned.
    Text,
    /// One document.
    Json,
    /// A line for each cell.
    Csv,
}

/// Tables to measure, and with how much effort.
#[derive(Clone, Debug)]
pub struct Config {
    /// Papers, with the numbers of their tables and figures.
    pub tables: Vec<(Paper, u32)>,
    /// Whether a small model of each family with few seeds is enough.
    pub quick: bool,
    /// The folder with the authors' models.
    pub models: Option<PathBuf>,
    /// How tables are written.
    pub format: Format,
    /// The rows to measure; all of them if there are none.
    pub rows: Vec<String>,
    /// The columns of the tables of fmics, setta and mcta to measure; all of them if there are none.
    pub columns: Vec<String>,
    /// Unless each paper gets its own number.
    pub seeds: Option<u64>,
    /// Schedule of the walks of fmics and setta; both unless given.
    pub schedule: Option<Schedule>,
    /// Unless each paper gets its own.
    pub timeout: Option<Duration>,
    /// For cells of fmics in which a seed failed and the paper has a number.
    pub retry: Option<Duration>,
    /// Where plots go.
    pub svg: Option<PathBuf>,
    /// Where measurements are kept.
    pub results: Option<PathBuf>,
    /// Tables show what is there, and nothing is measured.
    pub prints_only: bool,
    /// The commit and the target that zonewalk was built from, which measurements are kept with.
    pub build: &'static str,
}

impl Config {
    /// Whether a row is to be measured.
    pub(crate) fn wants_row(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| wanted == row)
    }

    /// The time for a seed, or for a cell: as asked for, otherwise the first of these numbers of seconds, or the second with `--quick`.
    pub(crate) fn time(&self, (seconds, quick): (u64, u64)) -> Duration {
        let seconds = if self.quick { quick } else { seconds };
        self.timeout.unwrap_or(Duration::from_secs(seconds))
    }

    /// Whether a model is at hand. What is only printed has been measured where it was.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.prints_only || file.is_file()
    }

    /// Whether a column is to be measured.
    pub(crate) fn wants_column(&self, column: &str) -> bool {
        self.columns.is_empty() || self.columns.iter().any(|wanted| wanted == column)
    }
}
