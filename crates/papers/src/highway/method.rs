//! The searches that the paper compares.

use crate::model::{Effort, Stopwatch, options};
use std::num::NonZeroUsize;
use zonewalk_checker::measure::measure;
use zonewalk_checker::{Control, HighwayOptions, Options, Search, ZoneOptions};

/// A search of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Random,
    /// Randomised depth-first search.
    Rdfs,
    /// Highway search by Algorithm 1, of this width.
    Highway(usize),
    /// Highway search by Definition 5, of this width.
    Ideal(usize),
}

impl Method {
    pub(super) fn name(self) -> String {
        match self {
            Method::Random => "random".to_owned(),
            Method::Rdfs => "rdfs".to_owned(),
            Method::Highway(width) => format!("highway {width}"),
            Method::Ideal(width) => format!("ideal {width}"),
        }
    }

    pub(super) fn options(self, seed: u64) -> Options {
        let (search, width, is_exact) = match self {
            Method::Random => (Search::Random, 1, false),
            Method::Rdfs => (Search::Rdfs, 1, false),
            Method::Highway(width) => (Search::Highway, width, false),
            Method::Ideal(width) => (Search::Highway, width, true),
        };
        let options = options(search, seed);
        Options {
            zones: ZoneOptions {
                covering: zonewalk_checker::Covering::Equality,
                keeps_variables: true,
                ..options.zones
            },
            highway: HighwayOptions {
                width: NonZeroUsize::new(width).unwrap_or(NonZeroUsize::MIN),
                is_exact,
            },
            ..options
        }
    }
}

/// Seeds between two looks at the clock.
const PORTION: u64 = 10;

/// Makes a run for each seed, on all cores, until the time of the processor for a cell is over. What is there then are whole runs: a
/// run that was cut short would count for a failure.
pub(super) fn runs<T: Send>(
    effort: &Effort,
    control: &Control,
    run: impl Fn(u64) -> Option<T> + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let watch = Stopwatch::start();
    let mut all = Vec::new();
    let mut first = 1;
    while first <= effort.seeds && !control.is_interrupted() && watch.elapsed() < effort.timeout {
        let end = (first + PORTION).min(effort.seeds + 1);
        all.extend(measure(first..end, threads, &run).into_iter().flatten());
        first = end;
    }
    all
}
