//! Configuration of `refine`.

use super::defined_once;
use super::search::cores;
use crate::args::value::ReportFile;
use crate::args::{Format, RefineArgs, ShownRun, When};
use crate::chart::TraceFormat;
use crate::status::Error;
use std::path::PathBuf;
use std::time::Instant;
use zonewalk_checker::refine::{RefineOptions, RefineSearch};
use zonewalk_checker::resources::default_memory;
use zonewalk_tioa::Query;

/// `zonewalk refine`.
#[derive(Debug)]
pub(crate) struct RefineConfig {
    /// A folder or a file; `-` is standard input.
    pub(crate) project: PathBuf,
    /// Further files and folders of it.
    pub(crate) with: Vec<PathBuf>,
    /// New values of global constants.
    pub(crate) define: Vec<(String, String)>,
    /// Whether answers are compared with the outcomes that the project records.
    pub(crate) expect: bool,
    /// Those of the project if there are none.
    pub(crate) queries: Vec<String>,
    /// Counted from 1.
    pub(crate) query_index: Option<usize>,
    pub(crate) options: RefineOptions,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    /// Whether runs are shown.
    pub(crate) shows_runs: bool,
    pub(crate) trace_format: TraceFormat,
    pub(crate) trace_file: Option<PathBuf>,
    pub(crate) reports: Vec<ReportFile>,
    /// The project that saved components go to; without it, they are kept for later queries alone.
    pub(crate) output: Option<PathBuf>,
    /// Whether a saved component may replace another one.
    pub(crate) force: bool,
    pub(crate) progress: When,
    /// The options that were given and that may change nothing.
    given: Vec<&'static str>,
}

/// Seconds that no run will see the end of: about 30,000 years.
const FOR_EVER: u64 = 1_000_000_000_000;

/// Options that only refinements support, with the searches that do.
const OF_SEARCHES: [(&str, &[RefineSearch]); 7] = {
    use RefineSearch::{Auto, Rcf, Ret, Smc, Symbolic};
    [
        ("search", &[Auto, Symbolic, Ret, Rcf, Smc]),
        ("no-preconditions", &[Auto, Symbolic, Ret, Rcf, Smc]),
        ("delays", &[Auto, Ret, Rcf]),
        ("seed", &[Auto, Ret, Rcf, Smc]),
        ("threads", &[Auto, Ret, Rcf, Smc]),
        ("max-steps", &[Auto, Ret, Rcf, Smc]),
        ("max-walks", &[Auto, Ret, Rcf, Smc]),
    ]
};

impl RefineConfig {
    pub(super) fn new(args: RefineArgs, quiet: bool) -> Result<Self, Error> {
        if args.query_index == Some(0) {
            return Err(Error::new("--query-index counts from 1"));
        }
        defined_once(&args.define)?;
        let given = |name: &&str| args.given.contains(&name.replace('-', "_"));
        let memory = args.memory.or_else(default_memory);
        Ok(RefineConfig {
            given: OF_SEARCHES.iter().map(|(name, _)| *name).filter(given).collect(),
            options: RefineOptions {
                search: args.search,
                delays: args.delays,
                inputs: args.inputs,
                alphabet: args.alphabet,
                preconditions: !args.no_preconditions,
                seed: args.seed,
                threads: args.threads.unwrap_or_else(cores),
                max_steps: args.max_steps.map(u32::from),
                max_walks: args.max_walks,
                // A time beyond what a clock can show is not a limit.
                timeout: args.timeout.filter(|timeout| timeout.as_secs() < FOR_EVER),
                memory: memory.and_then(|bytes| usize::try_from(bytes).ok()),
            },
            project: args.project,
            with: args.with,
            define: args.define,
            expect: args.expect,
            queries: args.queries,
            query_index: args.query_index,
            format: args.format,
            quiet,
            shows_runs: args.trace == ShownRun::Some,
            trace_format: args.trace_format,
            trace_file: args.trace_file,
            reports: args.report,
            output: args.output,
            force: args.force,
            progress: match args.progress {
                When::Auto if quiet => When::Never,
                progress => progress,
            },
        })
    }

    /// When a query that begins now has to end.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let timeout = self.options.timeout?;
        Instant::now().checked_add(timeout)
    }

    /// Which options change nothing, when these are the queries.
    pub(crate) fn notes(&self, queries: &[&Query]) -> Vec<String> {
        if queries.is_empty() {
            // Nothing is searched, and other words say why.
            return Vec::new();
        }
        let refines = queries
            .iter()
            .any(|query| matches!(query, Query::Refinement { .. }));
        let search = self.options.search;
        let mut notes = Vec::new();
        for (name, supported_by) in OF_SEARCHES {
            if !self.given.contains(&name) {
                continue;
            }
            if !refines {
                notes.push(format!(
                    "--{name} has no effect on these queries; it applies to refinements"
                ));
            } else if !supported_by.contains(&search) {
                notes.push(format!(
                    "--{name} has no effect on {}; it applies to {}",
                    search.name(),
                    listed(supported_by)
                ));
            }
        }
        let saves = |query: &&Query| {
            matches!(
                query,
                Query::GetComponent { save_as: Some(_), .. } | Query::Prune { save_as: Some(_), .. }
            )
        };
        if !queries.iter().any(saves) {
            let options = [("output", self.output.is_some()), ("force", self.force)];
            for (name, _) in options.iter().filter(|(_, is_given)| *is_given) {
                notes.push(format!("--{name} has no effect: no query has save-as"));
            }
        } else if self.output.is_none() {
            notes.push(
                "save-as writes no file without --output DIR; later queries can use what it makes".to_owned(),
            );
        }
        if !self.shows_runs && self.trace_file.is_some() {
            notes.push("--trace none leaves --trace-file without effect".to_owned());
        }
        notes
    }
}

/// `ret, rcf and smc`
fn listed(searches: &[RefineSearch]) -> String {
    match searches {
        [] => String::new(),
        [only] => only.name().to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(|search| search.name()).collect();
            format!("{} and {}", first.join(", "), last.name())
        }
    }
}
