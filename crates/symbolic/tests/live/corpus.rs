//! The rows of the public corpus that ask about runs without end, decided as UPPAAL recorded them.

use super::support::{Side, compiled, judge, query, read_bytes};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zonewalk_model::instance;
use zonewalk_search::{Limits, Progress};
use zonewalk_symbolic::lasso::{Options, search};
use zonewalk_symbolic::plan::Plan;

/// Rows that are decided differently, with the reason.
const EXPLAINED: &[(&str, &str, &str)] = &[];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

enum Answer {
    Holds(bool, String),
    Open(String),
}

fn decide(path: &Path, text: &str, seconds: Option<u64>) -> Answer {
    let Ok(bytes) = std::fs::read(path) else {
        return Answer::Open("no file".into());
    };
    let model = match read_bytes(&path.to_string_lossy(), &bytes) {
        Ok(model) => model,
        Err(error) => return Answer::Open(format!("model: {error:.200}")),
    };
    let query = match query(&model, text) {
        Ok(query) => query,
        Err(error) => return Answer::Open(format!("query: {error:.200}")),
    };
    let system = instance::instantiate(&model).unwrap();
    let (network, asked) = match compiled(&model, &system, &query) {
        Ok(made) => made,
        Err(error) => return Answer::Open(error),
    };
    let plan = Plan::new(&network).unwrap();
    let start = Instant::now();
    let stop = |_: &Progress| seconds.is_some_and(|most| start.elapsed() > Duration::from_secs(most));
    let options = Options {
        limits: Limits {
            memory: Some(3 << 30),
            explored: seconds.is_none().then_some(3_000),
            stop: Some(&stop),
            ..Limits::default()
        },
        ..Options::default()
    };
    let verdict = search(&plan, &asked.question, &options);
    if let (Some(fault), None) = (&verdict.fault, &verdict.witness) {
        return Answer::Open(format!("fault: {:?}", fault.stop));
    }
    let statistics = format!(
        "{:.2?}, {} explored",
        start.elapsed(),
        verdict.statistics.states_explored
    );
    if let Some(limit) = verdict.limit {
        return Answer::Open(format!("{limit:?}, {statistics}"));
    }
    if let Some(lasso) = &verdict.witness {
        if plan.is_approximate() {
            return Answer::Open("stopwatches: a witness is a maybe".into());
        }
        if let Err(error) = judge(&model, &system, &plan, &asked, lasso, 2) {
            panic!("{} {text}: {error}", path.display());
        }
        let shape = format!(
            "{statistics}, {} + {} {:?}",
            lasso.prefix.len(),
            lasso.cycle.len(),
            lasso.end
        );
        return Answer::Holds(asked.side == Side::Satisfies, shape);
    }
    Answer::Holds(asked.side == Side::Violates, statistics)
}

/// `ZONEWALK_SECONDS` is the limit for each row; without it that is a number of states, so that the test is short and always
/// the same. `ZONEWALK_ONLY` is a part of the file names.
#[test]
fn recorded_verdicts() {
    let Ok(table) = std::fs::read_to_string(corpus().join("verdicts.tsv")) else {
        return;
    };
    let variable = |name: &str| std::env::var(name).ok();
    let seconds = variable("ZONEWALK_SECONDS").and_then(|s| s.parse().ok());
    let only = variable("ZONEWALK_ONLY").unwrap_or_default();
    let (mut decided, mut wrong, mut open) = (0, Vec::new(), Vec::new());
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(file), Some(text), Some(recorded)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let is_about_runs = text.starts_with("E[]") || text.starts_with("A<>") || text.contains("-->");
        if !is_about_runs || !file.contains(&only) {
            continue;
        }
        match decide(&corpus().join(file), text, seconds) {
            Answer::Holds(truth, how) => {
                decided += 1;
                if variable("ZONEWALK_VERBOSE").is_some() {
                    eprintln!("{truth} {how}: {file}: {text}");
                }
                let is_known = EXPLAINED.iter().any(|row| (row.0, row.1) == (file, text));
                if truth != (recorded == "satisfied") && !is_known {
                    wrong.push(format!("{file}: {text}: {truth}, recorded {recorded}; {how}"));
                }
            }
            Answer::Open(reason) => open.push(format!("{file}: {text}: {reason}")),
        }
    }
    eprintln!("{decided} rows decided, {} open\n{}", open.len(), open.join("\n"));
    assert!(
        wrong.is_empty(),
        "{} rows differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
