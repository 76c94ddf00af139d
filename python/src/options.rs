//! Options from a dictionary. The names are those of the command line.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::{NonZeroU32, NonZeroUsize};
use std::str::FromStr;
use std::time::Duration;
use zonewalk::refine::{AlphabetOf, Inputs, RefineDelays, RefineOptions, RefineSearch};
use zonewalk::{
    Abstraction, Certify, Covering, Delays, Distribution, Fringe, Options, Schedule, Search,
    StatisticsOptions, TraceKind,
};

/// The part of the machine's memory that states may have unless a limit is given, in percent.
const MEMORY_SHARE: u64 = 80;

/// The time that goes into the best trace unless there is a limit, as for the command.
const BEST_TRACE: Duration = Duration::from_secs(300);

fn wrong(name: &str, value: &str, expected: &str) -> PyErr {
    PyValueError::new_err(format!("{name}={value:?}: expected {expected}"))
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(name: &str, value: &str) -> PyResult<T> {
    let complain = |error: T::Err| PyValueError::new_err(format!("{name}={value:?}: {error}"));
    value.parse().map_err(complain)
}

fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!(
            "{name}={seconds}: expected a number of seconds, 0 or more"
        ))
    })
}

fn number<T>(name: &str, value: u64, to: impl Fn(u64) -> Option<T>) -> PyResult<T> {
    to(value).ok_or_else(|| PyValueError::new_err(format!("{name}={value}: the number does not fit")))
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024 / 100 * MEMORY_SHARE)
}

fn nonzero(value: u64) -> Option<NonZeroU32> {
    u32::try_from(value).ok().and_then(NonZeroU32::new)
}

/// Options of searches.
pub(crate) fn search(dict: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options {
        threads: cores(),
        ..Options::default()
    };
    options.zones.memory = memory();
    for (key, value) in dict {
        let key: String = key.extract()?;
        if value.is_none() {
            continue;
        }
        set(&mut options, &key, &value).map_err(|error| named(dict.py(), &key, error))?;
    }
    if options.deadline.is_none() && matches!(options.trace.kind, TraceKind::Shortest | TraceKind::Fastest) {
        options = options.timeout(BEST_TRACE);
    }
    if options.search == Search::RlcA && options.walks.schedule == Schedule::Paper {
        // The paper's walks depend on all earlier ones.
        options.threads = NonZeroUsize::MIN;
    }
    Ok(options)
}

/// A type error says which option it is about.
fn named(py: Python<'_>, key: &str, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(format!("{key}: {}", error.value(py)))
    } else {
        error
    }
}

fn set(options: &mut Options, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let text = || value.extract::<String>();
    let count = || value.extract::<u64>();
    match key {
        "search" => options.search = parsed::<Search>(key, &text()?)?,
        "seed" => options.seed = count()?,
        "threads" => {
            options.threads = number(key, count()?, |n| NonZeroUsize::new(usize::try_from(n).ok()?))?
        }
        "timeout" => *options = options.timeout(seconds(key, value.extract()?)?),
        "memory" => options.zones.memory = Some(count()?),
        "max_steps" => options.walks.max_steps = Some(number(key, count()?, nonzero)?),
        "max_walks" => options.walks.max_walks = Some(count()?),
        "certify" => {
            options.proofs.certify = match text()?.as_str() {
                "auto" => Certify::Auto,
                "always" => Certify::Always,
                "never" => Certify::Never,
                other => return Err(wrong(key, other, "auto, always or never")),
            }
        }
        "certificate" => options.proofs.keeps_certificates = value.extract()?,
        "max_states" => options.zones.max_states = Some(count()?),
        "time_bound" => options.walks.time_bound = Some(count()?),
        "walk_range" => {
            let (first, end): (u64, u64) = value.extract()?;
            *options = options.walk_range(first..end);
        }
        "effort_before" => options.walks.effort_before = count()?,
        "trace" => {
            options.trace.kind = match text()?.as_str() {
                "none" => TraceKind::None,
                "some" => TraceKind::Some,
                "short" => TraceKind::Short,
                "shortest" => TraceKind::Shortest,
                "fastest" => TraceKind::Fastest,
                other => return Err(wrong(key, other, "none, some, short, shortest or fastest")),
            }
        }
        "shrink" => {
            if !value.extract::<bool>()? {
                options.trace.shrink_budget = 0;
            }
        }
        "schedule" => {
            options.walks.schedule = match text()?.as_str() {
                "tuned" => Schedule::Tuned,
                "paper" => Schedule::Paper,
                other => return Err(wrong(key, other, "tuned or paper")),
            }
        }
        "delays" => options.walks.delays = delays(key, &text()?)?,
        "store" => {
            options.zones.covering = match text()?.as_str() {
                "inclusion" => Covering::Inclusion,
                "equality" => Covering::Equality,
                other => return Err(wrong(key, other, "inclusion or equality")),
            }
        }
        "extrapolation" => {
            options.zones.extrapolation = match text()?.as_str() {
                "auto" => None,
                "none" => Some(Abstraction::None),
                "m" => Some(Abstraction::M),
                "lu" => Some(Abstraction::Lu),
                "lu+" => Some(Abstraction::LuPlus),
                other => return Err(wrong(key, other, "auto, none, m, lu or lu+")),
            }
        }
        "keep_variables" => options.zones.keeps_variables = value.extract()?,
        "non_zeno" => options.zones.non_zeno = value.extract()?,
        "heuristic" => options.directed.estimator = Some(parsed(key, &text()?)?),
        "queues" => options.directed.queueing = parsed(key, &text()?)?,
        "icb" => options.directed.switching = parsed(key, &text()?)?,
        "cutoff" => options.drs.cutoff = Some(number(key, count()?, nonzero)?.get()),
        "increment" => options.drs.increment = number(key, count()?, nonzero)?,
        "walks" => options.drs.walks = number(key, count()?, nonzero)?.get(),
        "fringe" => {
            options.drs.fringe = match text()?.as_str() {
                "paper" => Fringe::Node,
                "children" => Fringe::Children,
                other => return Err(wrong(key, other, "paper or children")),
            }
        }
        "width" => {
            options.highway.width = number(key, count()?, |n| NonZeroUsize::new(usize::try_from(n).ok()?))?
        }
        "exact" => options.highway.is_exact = value.extract()?,
        _ if statistics(&mut options.statistics, key, value)? => {}
        _ => return Err(PyTypeError::new_err(format!("there is no option {key}"))),
    }
    options.drs.seed = options.seed;
    Ok(())
}

/// Sets an option of statistical queries; false if it is none of them.
fn statistics(options: &mut StatisticsOptions, key: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let number = |what: &str, fits: &dyn Fn(f64) -> bool| {
        let number: f64 = value.extract()?;
        if fits(number) {
            return Ok(Some(number));
        }
        Err(PyValueError::new_err(format!("{key}={number}: expected {what}")))
    };
    let share = || number("a number between 0 and 1, such as 0.05", &|v| v > 0.0 && v < 1.0);
    let distance = || {
        number("a number from 0 up to 1, such as 0.01", &|v| {
            (0.0..1.0).contains(&v)
        })
    };
    let positive = || number("a number above 0", &|v| v > 0.0 && v.is_finite());
    let count = || match value.extract::<u64>()? {
        0 => Err(PyValueError::new_err(format!(
            "{key}=0: expected a number of at least 1"
        ))),
        count => Ok(count),
    };
    let small = || self::number(key, value.extract()?, |n| u32::try_from(n).ok());
    match key {
        "alpha" => options.alpha = share()?,
        "beta" => options.beta = share()?,
        "epsilon" => options.epsilon = share()?,
        "lower_delta" => options.lower_delta = distance()?,
        "upper_delta" => options.upper_delta = distance()?,
        "u0" => options.u0 = positive()?,
        "u1" => options.u1 = positive()?,
        "runs" => options.runs = Some(count()?),
        "max_runs" => options.max_runs = Some(count()?),
        "discretization" => options.discretization = positive()?,
        "truncation_error" => options.truncation_error = positive()?,
        "truncation_time_error" => options.truncation_time_error = positive()?,
        "histogram_bar_count" => options.histogram_bar_count = Some(small()?),
        "histogram_bar_width" => {
            options.histogram_bar_width = number("a number of at least 0", &|v| v >= 0.0 && v.is_finite())?;
        }
        "resolution" => options.resolution = Some(self::number(key, count()?, nonzero)?.get()),
        _ => return Ok(false),
    }
    Ok(true)
}

fn delays(key: &str, value: &str) -> PyResult<Delays> {
    let expected = "adaptive, uniform, pd, or two percentages such as 70,10";
    match value {
        "adaptive" => Ok(Delays::Adaptive),
        "uniform" => Ok(Delays::Uniform),
        "pd" => Ok(Delays::Predefined),
        other => {
            let percents = other.split_once(',').and_then(|(lower, upper)| {
                let percent = |text: &str| text.trim().parse::<u8>().ok();
                Distribution::new(percent(lower)?, percent(upper)?)
            });
            percents
                .map(Delays::Fixed)
                .ok_or_else(|| wrong(key, other, expected))
        }
    }
}

/// Options of queries about timed I/O automata.
pub(crate) fn refine(dict: &Bound<'_, PyDict>) -> PyResult<RefineOptions> {
    let mut options = RefineOptions {
        threads: cores(),
        memory: memory().and_then(|bytes| usize::try_from(bytes).ok()),
        ..RefineOptions::default()
    };
    for (key, value) in dict {
        let key: String = key.extract()?;
        if value.is_none() {
            continue;
        }
        set_refine(&mut options, &key, &value).map_err(|error| named(dict.py(), &key, error))?;
    }
    Ok(options)
}

fn set_refine(options: &mut RefineOptions, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let text = || value.extract::<String>();
    let count = || value.extract::<u64>();
    match key {
        "search" => {
            options.search = match text()?.as_str() {
                "auto" => RefineSearch::Auto,
                "symbolic" => RefineSearch::Symbolic,
                "ret" => RefineSearch::Ret,
                "rcf" => RefineSearch::Rcf,
                "smc" => RefineSearch::Smc,
                other => return Err(wrong(key, other, "auto, symbolic, ret, rcf or smc")),
            }
        }
        "delays" => {
            options.delays = match text()?.as_str() {
                "adaptive" => RefineDelays::Adaptive,
                "uniform" => RefineDelays::Uniform,
                "pd" => RefineDelays::Pd,
                other => return Err(wrong(key, other, "adaptive, uniform or pd")),
            }
        }
        "inputs" => {
            options.inputs = match text()?.as_str() {
                "complete" => Inputs::Complete,
                "strict" => Inputs::Strict,
                other => return Err(wrong(key, other, "complete or strict")),
            }
        }
        "alphabet" => {
            options.alphabet = Some(match text()?.as_str() {
                "edges" => AlphabetOf::Edges,
                "declared" => AlphabetOf::Declared,
                other => return Err(wrong(key, other, "edges or declared")),
            })
        }
        "preconditions" => options.preconditions = value.extract()?,
        "seed" => options.seed = count()?,
        "threads" => {
            options.threads = number(key, count()?, |n| NonZeroUsize::new(usize::try_from(n).ok()?))?
        }
        "max_steps" => options.max_steps = Some(number(key, count()?, nonzero)?.get()),
        "max_walks" => options.max_walks = Some(count()?),
        "timeout" => options.timeout = Some(seconds(key, value.extract()?)?),
        "memory" => options.memory = Some(number(key, count()?, |n| usize::try_from(n).ok())?),
        _ => return Err(PyTypeError::new_err(format!("there is no option {key}"))),
    }
    Ok(())
}
