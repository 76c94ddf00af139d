//! Values of arguments.

use anstream::ColorChoice;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use zonewalk_checker::refine::{RefineDelays, RefineSearch};
use zonewalk_checker::{
    Abstraction, Certify, Covering, Delays, Distribution, Fringe, Schedule, Search, TraceKind,
};
use zonewalk_tioa::{AlphabetOf, Inputs};

/// More threads than any machine has cores; the system would refuse them one by one.
const MAX_THREADS: usize = 1024;

pub(super) fn color(value: &str) -> Result<ColorChoice, String> {
    match value {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err("expected auto, always or never".to_owned()),
    }
}

/// The name of a constant and its value as the language writes it. What is in braces is examined with the model, whose
/// types it must fit.
pub(super) fn definition(value: &str) -> Result<(String, String), String> {
    let (name, value) = value
        .split_once('=')
        .ok_or("expected NAME=VALUE, such as N=5 or 'D={10,20,18}'")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err("expected the name of a constant before `=`".to_owned());
    }
    let is_other = value.starts_with('{') || matches!(value, "true" | "false");
    match value.parse::<i32>() {
        Err(error) if !is_other => {
            use std::num::IntErrorKind::{NegOverflow, PosOverflow};
            let why = match error.kind() {
                PosOverflow => "it is too large for 32 bits",
                NegOverflow => "it is too small for 32 bits",
                _ => "expected an integer, true, false or a list in braces",
            };
            Err(format!("`{value}` is not a valid value for a constant: {why}"))
        }
        _ => Ok((name.to_owned(), value.to_owned())),
    }
}

/// A file for a trace. UPPAAL's own format is not written, and text under its name would only be refused there.
pub(super) fn trace_file(value: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if path.extension().is_some_and(|extension| extension == "xtr") {
        return Err(
            "UPPAAL's format .xtr is not supported; use .json, which replay and view read, or .txt"
                .to_owned(),
        );
    }
    Ok(path)
}

pub(super) fn parameter(value: &str) -> Result<(String, String), String> {
    match value.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE, such as buggy=weak".to_owned()),
    }
}

pub(super) fn search(value: &str) -> Result<Search, String> {
    value
        .parse()
        .map_err(|error: zonewalk_checker::Unavailable| error.to_string())
}

pub(super) fn delays(value: &str) -> Result<Delays, String> {
    match value {
        "adaptive" => Ok(Delays::Adaptive),
        "uniform" => Ok(Delays::Uniform),
        "pd" => Ok(Delays::Predefined),
        _ => match value.split_once(',') {
            Some(bounds) => distribution(bounds).map(Delays::Fixed),
            None => Err(
                "expected adaptive, uniform, pd or two percentages, such as 70,10: 70 % lower bound, 10 % upper bound, \
                 the rest in between"
                    .to_owned(),
            ),
        },
    }
}

/// Percentages of the lower and the upper bound.
fn distribution((lower, upper): (&str, &str)) -> Result<Distribution, String> {
    let percent = |text: &str| match text.trim().parse::<u8>() {
        Ok(number) if number <= 100 => Ok(number),
        _ => Err(format!(
            "`{}` is not a percentage: expected a whole number from 0 to 100",
            text.trim()
        )),
    };
    let (lower, upper) = (percent(lower)?, percent(upper)?);
    Distribution::new(lower, upper).ok_or_else(|| format!("{lower} and {upper} add up to more than 100 %"))
}

pub(super) fn refine_search(value: &str) -> Result<RefineSearch, String> {
    let all = [
        RefineSearch::Auto,
        RefineSearch::Symbolic,
        RefineSearch::Ret,
        RefineSearch::Rcf,
        RefineSearch::Smc,
    ];
    let known = all.into_iter().find(|search| search.name() == value);
    known.ok_or_else(|| "expected auto, symbolic, ret, rcf or smc".to_owned())
}

pub(super) fn refine_delays(value: &str) -> Result<RefineDelays, String> {
    match value {
        "adaptive" => Ok(RefineDelays::Adaptive),
        "uniform" => Ok(RefineDelays::Uniform),
        "pd" => Ok(RefineDelays::Pd),
        _ => Err("expected adaptive, uniform or pd".to_owned()),
    }
}

pub(super) fn inputs(value: &str) -> Result<Inputs, String> {
    match value {
        "complete" => Ok(Inputs::Complete),
        "strict" => Ok(Inputs::Strict),
        _ => Err("expected complete or strict".to_owned()),
    }
}

pub(super) fn alphabet(value: &str) -> Result<AlphabetOf, String> {
    match value {
        "edges" => Ok(AlphabetOf::Edges),
        "declared" => Ok(AlphabetOf::Declared),
        _ => Err("expected edges or declared".to_owned()),
    }
}

/// A state of a trace, by the number of steps before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateNumber {
    /// After so many steps; negative numbers count from the end.
    After(i64),
    /// All of them.
    All,
}

pub(super) fn state_number(text: &str) -> Result<StateNumber, String> {
    if text == "all" {
        return Ok(StateNumber::All);
    }
    let number = text.parse().map(StateNumber::After);
    number.map_err(|_| "expected the number of a step, such as 17 or -1, or all".to_owned())
}

/// The name of a sanity check.
pub(super) fn lint_check(text: &str) -> Result<zonewalk_lint::Check, String> {
    zonewalk_lint::Check::named(text).ok_or_else(|| {
        let names: Vec<_> = zonewalk_lint::Check::ALL
            .iter()
            .map(|check| check.name())
            .collect();
        format!("there is no such check; the checks are {}", names.join(", "))
    })
}

pub(super) fn schedule(value: &str) -> Result<Schedule, String> {
    match value {
        "tuned" => Ok(Schedule::Tuned),
        "paper" => Ok(Schedule::Paper),
        _ => Err("expected tuned or paper".to_owned()),
    }
}

/// Whether found traces are shrunk.
pub(super) fn shrinks(value: &str) -> Result<bool, String> {
    match value {
        "default" => Ok(true),
        "none" => Ok(false),
        _ => Err("expected default or none".to_owned()),
    }
}

pub(super) fn trace(value: &str) -> Result<TraceKind, String> {
    match value {
        "none" => Ok(TraceKind::None),
        "some" => Ok(TraceKind::Some),
        "short" => Ok(TraceKind::Short),
        "shortest" => Ok(TraceKind::Shortest),
        "fastest" => Ok(TraceKind::Fastest),
        _ => Err("expected none, some, short, shortest or fastest".to_owned()),
    }
}

pub(super) fn certify(value: &str) -> Result<Certify, String> {
    match value {
        "auto" => Ok(Certify::Auto),
        "always" => Ok(Certify::Always),
        "never" => Ok(Certify::Never),
        _ => Err("expected auto, always or never".to_owned()),
    }
}

pub(super) fn covering(value: &str) -> Result<Covering, String> {
    match value {
        "inclusion" => Ok(Covering::Inclusion),
        "equality" => Ok(Covering::Equality),
        _ => Err("expected inclusion or equality".to_owned()),
    }
}

/// The extrapolation that was asked for, if one was.
pub(crate) type Extrapolation = Option<Abstraction>;

pub(super) fn extrapolation(value: &str) -> Result<Extrapolation, String> {
    match value {
        "auto" => Ok(None),
        "none" => Ok(Some(Abstraction::None)),
        "m" => Ok(Some(Abstraction::M)),
        "lu" => Ok(Some(Abstraction::Lu)),
        "lu+" => Ok(Some(Abstraction::LuPlus)),
        _ => Err("expected auto, none, m, lu or lu+".to_owned()),
    }
}

/// A report for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportFile {
    pub(crate) kind: ReportKind,
    pub(crate) path: PathBuf,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportKind {
    Junit,
    Markdown,
    /// With charts of the traces beside it.
    Illustrated,
    Html,
}

pub(super) fn report(value: &str) -> Result<ReportFile, String> {
    let (kind, path) = match value.split_once(':') {
        Some(("junit", path)) => (ReportKind::Junit, path),
        Some(("md", path)) => (ReportKind::Markdown, path),
        Some(("md+svg", path)) => (ReportKind::Illustrated, path),
        Some(("html", path)) => (ReportKind::Html, path),
        _ => return Err("expected junit:FILE, md:FILE, md+svg:FILE or html:FILE".to_owned()),
    };
    if path.is_empty() {
        return Err("expected the name of a file after `:`".to_owned());
    }
    Ok(ReportFile {
        kind,
        path: PathBuf::from(path),
    })
}

/// The file of a page about what was reached.
pub(super) fn coverage(value: &str) -> Result<PathBuf, String> {
    match value.strip_prefix("html:") {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err("expected html:FILE".to_owned()),
    }
}

/// The first and the last step.
pub(super) fn step_range(value: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    let both = value
        .split_once("..")
        .map(|(from, to)| (number(from), number(to)));
    match both {
        Some((Some(from), Some(to))) if from <= to => Ok((from, to)),
        _ => Err("expected the first and the last step, counted from 1, such as 10..40".to_owned()),
    }
}

pub(super) fn fringe(value: &str) -> Result<Fringe, String> {
    match value {
        "paper" => Ok(Fringe::Node),
        "children" => Ok(Fringe::Children),
        _ => Err("expected paper or children".to_owned()),
    }
}

pub(super) fn width(value: &str) -> Result<NonZeroUsize, String> {
    value
        .parse()
        .map_err(|_| "expected a number of states of at least 1".to_owned())
}

pub(super) fn threads(value: &str) -> Result<NonZeroUsize, String> {
    match value.parse::<NonZeroUsize>() {
        Ok(threads) if threads.get() <= MAX_THREADS => Ok(threads),
        _ => Err(format!("expected a number from 1 to {MAX_THREADS}")),
    }
}

pub(super) fn steps(value: &str) -> Result<NonZeroU32, String> {
    match value.parse::<NonZeroU32>() {
        Ok(steps) => Ok(steps),
        Err(_) if value.trim() == "0" => Err("a walk has at least one step".to_owned()),
        Err(_) => Err(format!("expected a number from 1 to {}", u32::MAX)),
    }
}

pub(super) fn model_time(value: &str) -> Result<u64, String> {
    match value.parse() {
        // Nothing would ever happen.
        Ok(0) => Err("a walk lasts at least one time unit".to_owned()),
        Ok(time) => Ok(time),
        Err(_) => Err("expected a number of the model's time units of at least 1, such as 1000".to_owned()),
    }
}

pub(super) fn seed(value: &str) -> Result<u64, String> {
    value
        .parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

pub(super) fn walk_count(value: &str) -> Result<u64, String> {
    match value.parse() {
        Ok(0) => Err("expected at least one walk".to_owned()),
        Ok(walks) => Ok(walks),
        Err(_) => Err("expected a number of walks of at least 1".to_owned()),
    }
}

pub(super) fn state_count(value: &str) -> Result<u64, String> {
    value
        .parse()
        .map_err(|_| "expected a number of states, 0 or more".to_owned())
}

pub(super) fn step_count(value: &str) -> Result<usize, String> {
    value
        .parse()
        .map_err(|_| "expected a number of transitions, 0 or more".to_owned())
}

pub(super) fn query_index(value: &str) -> Result<usize, String> {
    value
        .parse()
        .map_err(|_| "expected the number of a query, 1 for the first".to_owned())
}

/// `30s`, `500ms`, `2m`, `1h`, or a number of seconds.
pub(super) fn duration(value: &str) -> Result<Duration, String> {
    let (number, unit) = split(value);
    let scale = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 30s, 500ms, 2m or 1h".to_owned()),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * scale);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a time such as 30s, 500ms, 2m or 1h".to_owned())
}

/// `4GiB`, `512MiB`, `2GB`, or a number of bytes.
pub(super) fn memory(value: &str) -> Result<u64, String> {
    let (number, unit) = split(value);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "kb" => 1e3,
        "m" | "mib" => 1048576.0,
        "mb" => 1e6,
        "g" | "gib" => 1073741824.0,
        "gb" => 1e9,
        "t" | "tib" => 1099511627776.0,
        "tb" => 1e12,
        _ => return Err("expected a size such as 4GiB or 512MiB".to_owned()),
    };
    match number.parse::<f64>() {
        Ok(number) if number * scale >= 1.0 && number * scale < 1e18 => Ok((number * scale) as u64),
        _ => Err("expected a size such as 4GiB or 512MiB".to_owned()),
    }
}

/// The number and the unit after it.
fn split(value: &str) -> (&str, &str) {
    let value = value.trim();
    let end = value
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    (number, unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions() {
        assert_eq!(definition("N=-3"), Ok(("N".into(), "-3".into())));
        assert_eq!(definition(" N = 3"), Ok(("N".into(), "3".into())));
        assert_eq!(
            definition("D={1, {x: 2}}"),
            Ok(("D".into(), "{1, {x: 2}}".into()))
        );
        assert_eq!(definition("B=true"), Ok(("B".into(), "true".into())));
        assert!(definition("N").is_err());
        assert!(definition("=3").is_err());
        assert!(definition("N=3000000000").unwrap_err().contains("too large"));
        assert!(definition("N=x").is_err());
    }

    #[test]
    fn times_and_sizes() {
        let times = ["30s", "500ms", "2m", "1.5", "0", "1h"].map(|t| duration(t).unwrap().as_secs_f64());
        assert_eq!(times, [30.0, 0.5, 120.0, 1.5, 0.0, 3600.0]);
        for wrong in ["", "s", "-1s", "3 days", "1e400", "nan", "1..2s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            ["4GiB", "512 MiB", "2kb", "77"].map(|s| memory(s).unwrap()),
            [4 << 30, 512 << 20, 2000, 77]
        );
        for wrong in ["", "GiB", "0", "-3", "4 apples", "999999999999999999999"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_that_must_not_be_zero() {
        assert!(steps("0").unwrap_err().contains("at least one"));
        assert!(steps("4294967296").is_err());
        assert!(model_time("0").unwrap_err().contains("at least one"));
        assert!(walk_count("0").unwrap_err().contains("at least one"));
        assert!(model_time("1").is_ok() && walk_count("1").is_ok());
        assert!(threads("0").is_err() && threads("1025").is_err() && threads("2").is_ok());
    }
}
