//! Configuration of searches.

use super::{SweepConfig, explicit, query_source, request};
use crate::args::value::ReportFile;
use crate::args::{CheckArgs, CheckFormat, ExploreArgs, Format, ProofArgs, SearchArgs, TuningArgs, When};
use crate::input::is_explicit;
use crate::load::{QuerySource, Request};
use crate::outcome::Demands;
use crate::status::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zonewalk_checker::resources::default_memory;
use zonewalk_checker::{
    Abstraction, Covering, DirectedOptions, DrsParameters, HighwayOptions, Options, ProofOptions, Schedule,
    Search, StatisticsOptions, TraceKind, TraceOptions, WalkOptions, ZoneOptions,
};
use zonewalk_searches::{Estimator, Family, Question, Queueing, SearchOption, listed};

/// The time that goes into the best trace unless there is a limit.
const BEST_TRACE: Duration = Duration::from_secs(300);

/// `zonewalk check`.
#[derive(Debug)]
pub(crate) struct CheckConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    /// Counted from 1.
    pub(crate) query_index: Option<usize>,
    pub(crate) search: SearchConfig,
    /// Where one table is made of the answers.
    pub(crate) sweep: Option<SweepConfig>,
    pub(crate) trace_file: Option<PathBuf>,
    pub(crate) trace_format: crate::chart::TraceFormat,
    /// Where proofs go.
    pub(crate) certificate: Option<PathBuf>,
    pub(crate) reports: Vec<ReportFile>,
    pub(crate) demands: Demands,
    /// Where curves and histograms go.
    pub(crate) plot: Option<PathBuf>,
    /// In an explicit system: the action to look for.
    pub(crate) action: Option<String>,
}

/// `zonewalk explore`.
#[derive(Debug)]
pub(crate) struct ExploreConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) search: SearchConfig,
    /// A page about what was reached.
    pub(crate) coverage: Option<PathBuf>,
    /// Where the proof goes.
    pub(crate) certificate: Option<PathBuf>,
}

/// Settings common to searches.
#[derive(Clone, Debug)]
pub(crate) struct SearchConfig {
    /// But for the deadline, which depends on when the search begins.
    options: Options,
    timeout: Option<Duration>,
    pub(crate) progress: When,
    /// Note about the options that were given.
    note: Option<&'static str>,
    /// The options that were given and that not every search supports.
    given: Vec<SearchOption>,
    /// Patterns that pattern databases keep.
    pub(crate) pattern: Option<String>,
}

/// RLC-A of the paper counts over all walks, so that each depends on all before it.
const ONE_THREAD: &str =
    "--threads is ignored: rlc-a with --schedule paper makes its walks one after another";

/// A pattern changes nothing where no databases are made.
const NO_DATABASES: &str = "--pattern has no effect without --heuristic pdb";

/// A notion of a switch changes nothing where none is counted.
const NO_CONTEXTS: &str = "--icb has no effect without --queues icb";

impl SearchConfig {
    pub(super) fn new(
        args: &SearchArgs,
        tuning: &TuningArgs,
        trace: TraceKind,
        quiet: bool,
    ) -> Result<Self, Error> {
        let is_timed = args.search.supports(SearchOption::TimeBound, Question::States);
        if args.time_bound.is_some() && !is_timed {
            return Err(Error::new(format_args!(
                "--time-bound applies to --search {}; walks by {} are bounded by steps, not by time",
                listed(&SearchOption::TimeBound.supported_by(), "or"),
                args.search.name()
            )));
        }
        let is_faithful = tuning.schedule == Schedule::Paper;
        if is_faithful && !args.search.is_of_fmics() {
            return Err(Error::new(format_args!(
                "--schedule paper applies to the walks of the paper, --search {}; {} is not one of them",
                listed(&Search::that(Search::is_of_fmics), "and"),
                args.search.name()
            )));
        }
        if let Some(words) = lacks_estimates(args.search, tuning) {
            return Err(Error::new(words));
        }
        let is_sequential = is_faithful && args.search == Search::RlcA;
        let counts_nothing = tuning.queues != Queueing::Icb && args.given.iter().any(|given| given == "icb");
        let has_pattern = args.given.iter().any(|given| given == "pattern");
        let is_directed = args.search.info().family == Some(Family::Directed);
        let makes_none = directed(tuning).estimator_for(args.search) != Estimator::Pdb;
        let threads = args.threads.unwrap_or_else(cores);
        Ok(SearchConfig {
            note: match () {
                () if is_sequential && args.threads.is_some_and(|threads| threads.get() > 1) => {
                    Some(ONE_THREAD)
                }
                () if counts_nothing => Some(NO_CONTEXTS),
                () if has_pattern && is_directed && makes_none => Some(NO_DATABASES),
                () => None,
            },
            options: Options {
                search: args.search,
                seed: args.seed,
                threads: if is_sequential { NonZeroUsize::MIN } else { threads },
                deadline: None,
                zones: zones(args, tuning),
                directed: directed(tuning),
                drs: drs(args.seed, tuning),
                highway: HighwayOptions {
                    width: tuning.width,
                    is_exact: tuning.exact,
                },
                trace: TraceOptions {
                    kind: trace,
                    shrink_budget: Options::SHRINK_BUDGET,
                },
                walks: WalkOptions {
                    schedule: tuning.schedule,
                    delays: tuning.delays,
                    max_steps: args.max_steps,
                    time_bound: args.time_bound,
                    max_walks: args.max_walks,
                    ..WalkOptions::default()
                },
                ..Options::default()
            },
            given: SearchOption::ALL
                .into_iter()
                .filter(|option| args.given.contains(&option.name().replace('-', "_")))
                .collect(),
            pattern: Some(tuning.pattern.clone()).filter(|pattern| pattern != "auto"),
            timeout: args.timeout,
            progress: match tuning.progress {
                When::Auto if quiet => When::Never,
                progress => progress,
            },
        })
    }

    /// With these numbers for statistical queries.
    pub(super) fn with_statistics(mut self, statistics: StatisticsOptions) -> Self {
        self.options.statistics = statistics;
        self
    }

    /// With this done to proofs.
    fn with_proofs(mut self, proofs: &ProofArgs) -> Self {
        self.options.proofs = ProofOptions {
            certify: proofs.certify,
            keeps_certificates: proofs.certificate.is_some(),
        };
        self
    }

    /// Without limits.
    pub(super) fn simple(
        search: Search,
        trace: TraceKind,
        seed: u64,
        extrapolation: Option<Abstraction>,
        progress: When,
    ) -> Self {
        SearchConfig {
            options: Options {
                search,
                seed,
                threads: cores(),
                deadline: None,
                drs: DrsParameters {
                    seed,
                    ..DrsParameters::default()
                },
                zones: ZoneOptions {
                    memory: default_memory(),
                    covering: Covering::Inclusion,
                    extrapolation,
                    ..ZoneOptions::default()
                },
                trace: TraceOptions {
                    kind: trace,
                    shrink_budget: Options::SHRINK_BUDGET,
                },
                ..Options::default()
            },
            timeout: None,
            progress,
            note: None,
            given: Vec::new(),
            pattern: None,
        }
    }

    /// Notes about the options for these questions: also which options change nothing.
    pub(crate) fn notes(&self, questions: &[Question]) -> Vec<String> {
        let search = self.options.search;
        let supports = |search: Search, option| {
            questions
                .iter()
                .any(|question| search.supports(option, *question))
        };
        let idle = self.given.iter().filter(|option| !supports(search, **option));
        let idle = idle.map(|&option| {
            let others = Search::that(|search| supports(search, option));
            let (name, search) = (option.name(), search.name());
            match others.as_slice() {
                [] => format!("--{name} has no effect on these queries"),
                others => format!(
                    "--{name} has no effect on {search}; it applies to {}",
                    listed(others, "and")
                ),
            }
        });
        // Without a question nothing is searched, and other words say why.
        let idle = idle.take(if questions.is_empty() { 0 } else { usize::MAX });
        self.note.map(str::to_owned).into_iter().chain(idle).collect()
    }

    /// For a search that begins now.
    pub(crate) fn options(&self) -> Options {
        Options {
            // A time beyond what a clock can show is not a limit.
            deadline: self
                .timeout
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            ..self.options
        }
    }
}

/// Error of useless transitions where nothing says what is of use.
fn lacks_estimates(search: Search, tuning: &TuningArgs) -> Option<&'static str> {
    let is_directed = search.info().family == Some(Family::Directed);
    match tuning.queues {
        Queueing::Useless if search == Search::Bfs => {
            Some("--queues useless needs estimates, and bfs has none: use --search greedy")
        }
        Queueing::Alternation if matches!(search, Search::Bfs | Search::Astar) => {
            Some("--queues alternation does not compare runs: use --search greedy")
        }
        Queueing::Useless if is_directed && tuning.heuristic == Some(Estimator::Blind) => {
            Some("--queues useless needs an estimate, and blind gives none: use --heuristic hu")
        }
        Queueing::Alternation if is_directed && tuning.heuristic == Some(Estimator::Blind) => {
            Some("--queues alternation needs an estimate, and blind gives none: use --heuristic hu")
        }
        _ => None,
    }
}

pub(super) fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn zones(args: &SearchArgs, tuning: &TuningArgs) -> ZoneOptions {
    ZoneOptions {
        memory: args.memory.or_else(default_memory),
        max_states: args.max_states,
        covering: tuning.store,
        extrapolation: tuning.extrapolation,
        keeps_variables: tuning.keep_variables,
        non_zeno: args.non_zeno,
    }
}

fn refuse_certificate(proofs: &ProofArgs) -> Result<(), Error> {
    if proofs.certificate.is_some() {
        return Err(Error::new(
            "--certificate is for models: an explicit system has no locations, variables and clocks",
        ));
    }
    Ok(())
}

fn directed(tuning: &TuningArgs) -> DirectedOptions {
    DirectedOptions {
        estimator: tuning.heuristic,
        queueing: tuning.queues,
        switching: tuning.icb,
    }
}

fn drs(seed: u64, tuning: &TuningArgs) -> DrsParameters {
    let default = DrsParameters::default();
    DrsParameters {
        walks: tuning.walks.map_or(default.walks, u32::from),
        cutoff: tuning.cutoff.map(u32::from),
        increment: tuning.increment.unwrap_or(default.increment),
        fringe: tuning.fringe,
        seed,
    }
}

impl CheckConfig {
    pub(super) fn new(args: CheckArgs, quiet: bool) -> Result<Self, Error> {
        if args.trace_file.is_some() && args.trace == TraceKind::None {
            return Err(Error::new("--trace none leaves nothing to write to --trace-file"));
        }
        if args.query_index == Some(0) {
            return Err(Error::new("--query-index counts from 1"));
        }
        if is_explicit(&args.model.model) {
            explicit::check(&args.search, &args.tuning, args.trace)?;
            refuse_certificate(&args.proofs)?;
        } else if args.action.is_some() {
            return Err(Error::new(
                "--action applies to explicit systems (.aut); for a model, use -q FORMULA",
            ));
        }
        let mut search = SearchConfig::new(&args.search, &args.tuning, args.trace, quiet)?
            .with_statistics(args.statistics.options())
            .with_proofs(&args.proofs);
        if !args.shrink {
            search.options.trace.shrink_budget = 0;
        }
        if matches!(args.trace, TraceKind::Shortest | TraceKind::Fastest) {
            search.timeout.get_or_insert(BEST_TRACE);
        }
        let sweep = SweepConfig::new(&args)?;
        let format = match args.format {
            CheckFormat::Json => Format::Json,
            CheckFormat::Text | CheckFormat::Csv => Format::Text,
        };
        Ok(CheckConfig {
            sweep,
            request: Request {
                levels: args.statistics.levels,
                ..request(args.model, query_source(args.queries))?
            },
            format,
            quiet,
            query_index: args.query_index,
            search,
            trace_file: args.trace_file,
            trace_format: args.trace_format,
            certificate: args.proofs.certificate,
            reports: args.report,
            demands: Demands {
                expect: args.expect,
                strict: args.strict,
            },
            plot: args.statistics.plot,
            action: args.action,
        })
    }
}

impl ExploreConfig {
    pub(super) fn new(args: ExploreArgs, quiet: bool) -> Result<Self, Error> {
        if is_explicit(&args.model.model) {
            explicit::check(&args.search, &args.tuning, TraceKind::Some)?;
            refuse_certificate(&args.proofs)?;
            if args.coverage.is_some() {
                return Err(Error::new(
                    "--coverage is for models: an explicit system has no automata to colour",
                ));
            }
        }
        if args.search.search.info().family == Some(Family::Directed) {
            return Err(Error::new(format_args!(
                "{} needs a goal, and explore has none: use bfs, or check a query",
                args.search.search.name()
            )));
        }
        let mut search =
            SearchConfig::new(&args.search, &args.tuning, TraceKind::Some, quiet)?.with_proofs(&args.proofs);
        search.options = search.options.bounded();
        let format = args.output.format;
        Ok(ExploreConfig {
            request: request(args.model, QuerySource::Nothing)?,
            format,
            quiet,
            search,
            coverage: args.coverage,
            certificate: args.proofs.certificate,
        })
    }
}
