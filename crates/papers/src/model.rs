//! Models that are measured, and with how much effort.

use crate::config::Config;
use crate::output::Error;
use std::fmt::{Display, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zonewalk_checker::load::{LoadError, Loaded, QuerySource, Request, load_file, load_text};
use zonewalk_checker::resources::{self, default_memory};
use zonewalk_checker::{
    Checker, CompiledModel, Options, ProofOptions, Search, TraceKind, TraceOptions, ZoneOptions,
};

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) seeds: u64,
    /// For each seed.
    pub(super) timeout: Duration,
}

impl Effort {
    /// As asked for; otherwise with the first of these numbers of seeds and seconds, or the second with `--quick`.
    pub(super) fn new(config: &Config, (seeds, quick): (u64, u64), seconds: (u64, u64)) -> Self {
        Effort {
            seeds: config.seeds.unwrap_or(if config.quick { quick } else { seeds }),
            timeout: config.time(seconds),
        }
    }
}

impl Effort {
    /// In words: two measurements with the same words are made in the same way.
    pub(super) fn settings(&self, source: &Source) -> String {
        let s = if self.seeds == 1 { "" } else { "s" };
        let whose = match source.model {
            Model::File(..) => "published",
            Model::Member { .. } => "own",
        };
        let seconds = self.timeout.as_secs_f64();
        format!("{} seed{s}, {seconds} s, {whose} model", self.seeds)
    }
}

/// A model and its queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) model: Model,
    pub(super) asked: QueryChoice,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// A file, with new values of global constants.
    File(PathBuf, Vec<(String, String)>),
    Member {
        family: &'static str,
        params: Vec<(String, String)>,
    },
}

/// The queries of a model that are measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryChoice {
    /// One of its own, counted from 1.
    Number(usize),
    /// Formulas that the model does not have.
    Formulas(Vec<String>),
}

impl Source {
    /// A member of a family.
    pub(super) fn member(family: &'static str, params: &[(&str, &str)], asked: QueryChoice) -> Self {
        let params = params.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Source {
            model: Model::Member {
                family,
                params: params.collect(),
            },
            asked,
        }
    }

    /// Name in a table: the published file, or the member of our own families.
    pub(super) fn name(&self) -> String {
        match &self.model {
            Model::File(path, _) => path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            Model::Member { family, params } => own(family, params),
        }
    }
}

/// Name of a member of our own families in a table.
pub(super) fn own(family: &str, params: &[(impl Display, impl Display)]) -> String {
    let mut text = format!("own: {family}");
    for (name, value) in params {
        // Writing to a string cannot fail.
        let _ = write!(text, " {name}={value}");
    }
    text
}

/// Measures time of the processor of all threads, which others may be using as well; where the system does not tell, that of the clock.
pub(super) struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Stopwatch {
            wall: Instant::now(),
            cpu: resources::cpu_time(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        let cpu = resources::cpu_time().saturating_sub(self.cpu);
        if cpu.is_zero() { self.wall.elapsed() } else { cpu }
    }
}

/// A model that is ready to be measured.
pub(super) struct Subject {
    loaded: Box<Loaded>,
    load: Duration,
}

impl Subject {
    /// Loads a model with the queries that are measured.
    pub(super) fn load(source: &Source) -> Result<Self, Error> {
        let start = Stopwatch::start();
        let queries = match &source.asked {
            QueryChoice::Number(_) => QuerySource::Model,
            QueryChoice::Formulas(formulas) => QuerySource::Formulas(formulas.clone()),
        };
        let outcome = match &source.model {
            Model::File(path, constants) => {
                let constants = constants.clone();
                let request = Request {
                    queries,
                    constants,
                    ..Request::default()
                };
                load_file(path, &request)
            }
            Model::Member { family, params } => {
                let text = zonewalk_families::generate(family, params).map_err(Error::new)?;
                let request = Request {
                    queries,
                    ..Request::default()
                };
                load_text(family, text.as_bytes(), &request)
            }
        };
        let mut loaded = outcome.map_err(|error| match error {
            LoadError::File(error) => error.into(),
            LoadError::Malformed(malformed) => refuse(&malformed.name),
        })?;
        if let QueryChoice::Number(number) = source.asked {
            loaded.queries.retain(|query| query.entry.number == number);
        }
        Ok(Subject {
            loaded,
            load: start.elapsed(),
        })
    }

    /// Compiles the model and measures: with the task, what is ready to search, and the time that all of it took.
    pub(super) fn with_checker<T>(
        &self,
        measure: impl FnOnce(&CompiledModel<'_>, &Checker<'_, '_>, Duration) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let start = Stopwatch::start();
        let refuse = || refuse(&self.loaded.name);
        let typed: Option<Vec<_>> = self
            .loaded
            .queries
            .iter()
            .map(|query| query.typed.as_ref().ok())
            .collect();
        let typed = typed.filter(|queries| !queries.is_empty()).ok_or_else(refuse)?;
        let task =
            CompiledModel::new(&self.loaded.model, &self.loaded.system, &typed).map_err(|_| refuse())?;
        let checker = task.checker();
        measure(&task, &checker, self.load + start.elapsed())
    }
}

fn refuse(name: &str) -> Error {
    Error::new(format_args!(
        "{name} cannot be measured; `zonewalk check` says why"
    ))
}

/// One thread, no limits but memory, no trace.
pub(super) fn options(search: Search, seed: u64) -> Options {
    Options {
        search,
        seed,
        threads: NonZeroUsize::MIN,
        deadline: None,
        zones: ZoneOptions {
            memory: default_memory(),
            ..ZoneOptions::default()
        },
        trace: TraceOptions {
            kind: TraceKind::None,
            shrink_budget: Options::SHRINK_BUDGET,
        },
        // The tables are about searches.
        proofs: ProofOptions::NONE,
        ..Options::default()
    }
}
