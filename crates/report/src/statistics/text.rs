//! Estimates as text: in zonewalk's words, and in those of `verifyta`.

use super::{Estimate, HistogramInfo, Kind, percent, six};

/// Points of a curve that are shown as text.
const SHOWN: usize = 8;

/// An estimate in lines, the first of which goes after the verdict.
pub fn lines(estimate: &Estimate) -> Vec<String> {
    let mut lines = vec![answer(estimate)];
    let mut runs = match estimate.kind {
        Kind::Comparison => format!("{} pairs of runs", estimate.runs),
        _ if estimate.runs == 1 => "1 run".to_owned(),
        _ => format!("{} runs", estimate.runs),
    };
    match (estimate.satisfied, estimate.satisfied_second) {
        (Some(first), Some(second)) => runs.push_str(&format!(", {first} and {second} satisfied")),
        (Some(satisfied), None) => runs.push_str(&format!(", {satisfied} satisfied")),
        _ => {}
    }
    if estimate.undecided > 0 {
        runs.push_str(&format!(", {} undecided", estimate.undecided));
    }
    // Curves are drawn, and nothing is estimated from them.
    let method = match estimate.kind {
        Kind::Simulation if estimate.value.is_none() => String::new(),
        _ => format!("{}, ", estimate.method),
    };
    lines.push(format!("{runs}; {method}{}", engine(estimate.engine)));
    if let Some(splitting) = &estimate.splitting {
        lines.push(format!(
            "{} independent estimates with {} runs for each level of `{}`, levels passed: {}",
            splitting.estimates,
            splitting.effort,
            splitting.levels,
            splitting.stages.len()
        ));
    }
    if let Some(cut) = estimate.cut {
        lines.push(format!("not finished: {cut}"));
    }
    if let Some(histogram) = &estimate.histogram {
        lines.extend(bars(histogram, estimate));
    }
    let more = estimate.series.len().saturating_sub(SHOWN);
    for series in estimate.series.iter().take(SHOWN) {
        let values: Vec<f64> = series.points.iter().map(|p| p.1).collect();
        let (least, greatest) = span(&values);
        lines.push(format!(
            "run {}, {}: {} from {} to {}",
            series.run,
            series.expression,
            curve(&series.points),
            six(least),
            six(greatest)
        ));
    }
    if more > 0 {
        lines.push(format!(
            "and {more} more {}; --plot FILE.svg draws all of them, --format json lists them",
            if more == 1 { "curve" } else { "curves" }
        ));
    }
    if let Some(run) = estimate.sample_run {
        let what = if estimate.splitting.is_some() {
            "a run of estimate"
        } else {
            "run"
        };
        // Only a run to a state can be written, and one of several stages has no number of its own.
        let written = matches!(estimate.path, "<>" | "[]").then_some("--trace-file FILE writes it");
        let again = estimate
            .splitting
            .is_none()
            .then(|| format!("--only-run {run} makes it again"));
        let how: Vec<&str> = written.into_iter().chain(again.as_deref()).collect();
        lines.push(format!("for example {what} {run}; {}", how.join(", ")));
    } else if matches!(estimate.kind, Kind::Probability | Kind::Test) && estimate.splitting.is_none() {
        lines.push(match estimate.path {
            "[]" => "no run violates it, so there is none to show".to_owned(),
            _ => "no run satisfies it, so there is none to show".to_owned(),
        });
    }
    lines
}

fn engine(name: &str) -> &str {
    match name {
        "exact" => "exact time",
        "f64" => "time in doubles",
        other => other,
    }
}

/// The answer itself, as it goes after the verdict.
pub(crate) fn answer(estimate: &Estimate) -> String {
    let confidence = estimate
        .confidence
        .map_or(String::new(), |c| format!(" with confidence {}", six(c)));
    let interval = |what: &str| match (estimate.value, estimate.interval) {
        (Some(value), Some([lo, hi])) => {
            format!("{what}{} in [{}, {}]{confidence}", six(value), six(lo), six(hi))
        }
        (Some(value), None) if estimate.splitting.is_some() => {
            format!("{what}{}, the same in all estimates", six(value))
        }
        (Some(value), None) => format!("{what}{}, the same in all runs", six(value)),
        _ => "nothing is known".to_owned(),
    };
    match estimate.kind {
        Kind::Probability => interval("probability "),
        Kind::Expectation => interval("expected value "),
        Kind::Simulation if estimate.value.is_some() => interval("probability of the filter "),
        Kind::Simulation if estimate.series.len() == 1 => "1 curve".to_owned(),
        Kind::Simulation => format!("{} curves", estimate.series.len()),
        Kind::Test => estimate.hypothesis.map_or(String::new(), |h| {
            format!("p >= {} against p <= {}{confidence}", six(h.p0), six(h.p1))
        }),
        // Nothing was decided.
        Kind::Comparison if estimate.value.is_none() => {
            "the two probabilities are too close to be told apart; a larger distance of --u0 and --u1 needs fewer runs".to_owned()
        }
        Kind::Comparison => format!("by pairs of runs{confidence}"),
    }
}

/// The least and the greatest of some values.
fn span(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let greatest = values.iter().copied().reduce(f64::max).unwrap_or(0.0);
    (least, greatest)
}

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A row of blocks, as high as the values between the least and the greatest.
fn sparkline(values: &[f64]) -> String {
    let (least, greatest) = span(values);
    let block = |value: &f64| {
        let height = if greatest > least {
            (value - least) / (greatest - least)
        } else {
            0.0
        };
        BLOCKS[((height * 7.0).round() as usize).min(7)]
    };
    values.iter().map(block).collect()
}

/// A curve in a number of character cells.
fn curve(points: &[(f64, f64)]) -> String {
    const PLACES: usize = 40;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return String::new();
    };
    let at = |x: f64| {
        let next = points.partition_point(|p| p.0 <= x).min(points.len() - 1);
        let (a, b) = (points[next.saturating_sub(1)], points[next]);
        if b.0 > a.0 {
            a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)).clamp(0.0, 1.0)
        } else {
            b.1
        }
    };
    let x = |i: usize| first.0 + (last.0 - first.0) * i as f64 / (PLACES - 1) as f64;
    sparkline(&(0..PLACES).map(|i| at(x(i))).collect::<Vec<_>>())
}

/// Rows of a histogram, ten at most.
fn bars(histogram: &HistogramInfo, estimate: &Estimate) -> Vec<String> {
    const ROWS: usize = 10;
    const WIDTH: f64 = 40.0;
    let counts = &histogram.counts;
    let group = counts.len().div_ceil(ROWS).max(1);
    let rows: Vec<u64> = counts.chunks(group).map(|c| c.iter().sum()).collect();
    let most = rows.iter().copied().max().unwrap_or(1).max(1) as f64;
    let width = histogram.width * group as f64;
    let mean = estimate.mean_of_satisfying.or(estimate.value);
    let mean = mean.map_or(String::new(), |mean| format!(", mean {}", six(mean)));
    let mut lines = vec![format!(
        "{} in [{}, {}]{mean}",
        histogram.of,
        six(histogram.span[0]),
        six(histogram.span[1])
    )];
    let label = |i: usize| six(histogram.from + width * i as f64);
    let room = (0..rows.len()).map(|i| label(i).len()).max().unwrap_or(0);
    for (i, &count) in rows.iter().enumerate() {
        let bar = "█".repeat((count as f64 / most * WIDTH).round() as usize);
        lines.push(format!("  {:>room$} {bar} {count}", label(i)));
    }
    lines
}

/// An estimate in the phrases of `verifyta`, without the verdict.
pub fn verifyta(estimate: &Estimate) -> String {
    let Estimate { runs, .. } = estimate;
    let confidence = estimate
        .confidence
        .map_or(String::new(), |c| format!(" ({} CI)", percent(c)));
    let satisfied = estimate.satisfied.unwrap_or(0);
    let counts = match estimate.satisfied {
        Some(satisfied) => format!("{satisfied}/{runs}"),
        None => runs.to_string(),
    };
    let mut text = String::new();
    match (estimate.kind, estimate.interval) {
        (Kind::Probability, Some([lo, hi])) => text.push_str(&format!(
            "({counts} runs) Pr({}) in [{},{}]{confidence}\n",
            match estimate.path {
                "" => "...".to_owned(),
                "U" => "... U ...".to_owned(),
                path => format!("{path} ..."),
            },
            six(lo),
            six(hi)
        )),
        (Kind::Expectation, _) => {
            let which = if estimate.is_maximum { "max" } else { "min" };
            let value = six(estimate.value.unwrap_or(0.0));
            let value = match estimate.half_width {
                Some(half) => format!("{value} ± {}{confidence}", six(half)),
                None => format!("≈ {value}"),
            };
            text.push_str(&format!("({runs} runs) E({which}) = {value}\n"));
        }
        (Kind::Test | Kind::Comparison, _) => {
            let confidence = six(estimate.confidence.unwrap_or(0.0));
            let which = if estimate.value == Some(1.0) { "H0" } else { "H1" };
            let what = match (estimate.kind, estimate.hypothesis) {
                (Kind::Test, Some(h)) if which == "H0" => {
                    format!("Pr({} ...) >= {}", estimate.path, six(h.p0))
                }
                (Kind::Test, Some(h)) => format!("Pr({} ...) <= {}", estimate.path, six(h.p1)),
                _ if which == "H0" => "Pr1 >= Pr2".to_owned(),
                _ => "Pr1 < Pr2".to_owned(),
            };
            text.push_str(&format!(
                "({satisfied}/{runs} runs) {which}: {what}\nwith confidence {confidence}.\n"
            ));
        }
        (Kind::Simulation, Some([lo, hi])) => {
            text.push_str(&format!(
                "({satisfied}/{runs} runs) Pr(<> ...) in [{},{}]{confidence}\n",
                six(lo),
                six(hi)
            ));
        }
        _ => {}
    }
    if let Some(histogram) = &estimate.histogram {
        let mean = estimate.mean_of_satisfying.or(estimate.value).unwrap_or(0.0);
        let counts: Vec<String> = histogram.counts.iter().map(u64::to_string).collect();
        text.push_str(&format!(
            "Values in [{},{}] mean={} steps={}: {}\n",
            six(histogram.span[0]),
            six(histogram.span[1]),
            six(mean),
            six(histogram.width),
            counts.join(" ")
        ));
    }
    let mut told: Vec<&str> = Vec::new();
    for series in &estimate.series {
        if told.contains(&series.expression.as_str()) {
            continue;
        }
        told.push(&series.expression);
        text.push_str(&format!("{}:\n", series.expression));
        let same = estimate
            .series
            .iter()
            .filter(|other| other.expression == series.expression);
        for (index, one) in same.enumerate() {
            let points: Vec<String> = one
                .points
                .iter()
                .map(|(x, y)| format!("({},{})", six(*x), six(*y)))
                .collect();
            text.push_str(&format!("[{index}]: {}\n", points.join(" ")));
        }
    }
    text
}
