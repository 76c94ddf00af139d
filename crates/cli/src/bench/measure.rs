//! Measures one model: every heuristic, several seeds, one thread.

use super::row::{Model, Source};
use crate::load::{Loaded, QuerySource, Request, load, load_text};
use crate::status::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use zonewalk::{Checker, Control, Delays, Options, Outcome, Search, Task, TraceWish, ZoneOptions};

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) seeds: u64,
    pub(super) timeout: Duration,
}

/// What one heuristic did on one model.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// Loading and searching, of each seed that found the target; sorted.
    pub(super) times: Vec<f64>,
    /// Seeds that were tried.
    pub(super) tried: u64,
    /// Of each find, when traces are wanted: steps when found, steps when shrunk, and how long that took; sorted.
    pub(super) traces: Vec<(usize, usize, f64)>,
}

impl Measured {
    pub(super) fn median(&self) -> Option<f64> {
        self.times.get(self.times.len().checked_sub(1)? / 2).copied()
    }

    pub(super) fn average(&self) -> Option<f64> {
        (!self.times.is_empty()).then(|| self.times.iter().sum::<f64>() / self.times.len() as f64)
    }
}

/// A model that is ready to be measured.
pub(super) struct Bench {
    loaded: Loaded,
    load: Duration,
}

impl Bench {
    /// Loads the model of a row.
    pub(super) fn load(source: &Source) -> Result<Self, Error> {
        let start = Instant::now();
        let outcome = match &source.model {
            Model::File(path) => load(&Request {
                model: path.clone(),
                queries: QuerySource::Model,
                overrides: Vec::new(),
            })?,
            Model::Member { family, params } => {
                let text = zonewalk_families::generate(family, params).map_err(Error::new)?;
                load_text(family, text.as_bytes())
            }
        };
        let refuse = |name: &str| {
            Error::new(format_args!(
                "{name} cannot be measured; `zonewalk check` says why"
            ))
        };
        let mut loaded = outcome.map_err(|malformed| refuse(&malformed.name))?;
        let query = source.query.checked_sub(1).filter(|&q| q < loaded.queries.len());
        let query = query.ok_or_else(|| refuse(&loaded.name))?;
        loaded.queries = vec![loaded.queries.swap_remove(query)];
        Ok(Bench {
            loaded,
            load: start.elapsed(),
        })
    }

    /// Runs every search with every seed; `None` for a search that cannot treat the model.
    pub(super) fn measure(
        &self,
        searches: &[Search],
        trace: TraceWish,
        effort: &Effort,
        control: &Control,
    ) -> Result<Vec<Option<Measured>>, Error> {
        let refuse = || {
            let name = &self.loaded.name;
            Error::new(format_args!(
                "{name} cannot be measured; `zonewalk check` says why"
            ))
        };
        let start = Instant::now();
        let query = self
            .loaded
            .queries
            .first()
            .and_then(|query| query.typed.as_ref().ok());
        let query = query.ok_or_else(refuse)?;
        let task = Task::new(&self.loaded.model, &self.loaded.system, &[query]).map_err(|_| refuse())?;
        let checker = task.checker();
        let load = self.load + start.elapsed();
        let one = |search: &Search| match task.obstacle_to(*search) {
            Some(_) => Ok(None),
            None => one_search(&checker, *search, trace, load, effort, control).map(Some),
        };
        searches.iter().map(one).collect()
    }
}

fn one_search(
    checker: &Checker<'_, '_>,
    search: Search,
    trace: TraceWish,
    load: Duration,
    effort: &Effort,
    control: &Control,
) -> Result<Measured, Error> {
    let mut measured = Measured::default();
    for seed in 1..=effort.seeds {
        // Two failures are enough to know what the others would come to.
        let is_hopeless = measured.times.is_empty() && measured.tried >= 2;
        if control.is_interrupted() || is_hopeless {
            break;
        }
        let options = Options {
            search,
            delays: Delays::Adaptive,
            seed,
            threads: NonZeroUsize::MIN,
            max_steps: None,
            time_bound: None,
            max_walks: None,
            deadline: Instant::now().checked_add(effort.timeout),
            trace,
            zones: ZoneOptions::default(),
            shrink_budget: Options::SHRINK_BUDGET,
        };
        let Some(report) = checker.check(0, &options, control, &mut |_, _| {}) else {
            return Err(Error::new("the query of the row is none that walks can decide"));
        };
        if control.is_interrupted() {
            break;
        }
        measured.tried += 1;
        match report.outcome {
            Outcome::Decided { witness, .. } => {
                measured.times.push((load + report.times.search).as_secs_f64());
                let shrink_s = report.times.shrink.as_secs_f64();
                let trace = witness.map(|witness| (witness.found_steps, witness.steps, shrink_s));
                measured.traces.extend(trace);
            }
            Outcome::Undecided(_) | Outcome::Maybe { .. } | Outcome::Values { .. } => {}
            Outcome::Fault { diagnostic, .. } => return Err(Error::new(diagnostic.message)),
            Outcome::Bug(message) => return Err(Error::new(format_args!("a bug of zonewalk: {message}"))),
        }
    }
    measured.times.sort_by(f64::total_cmp);
    measured.traces.sort_by_key(|trace| trace.0);
    Ok(measured)
}
