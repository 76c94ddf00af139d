//! Recorded results of statistical queries: estimates agree with them, and recorded numbers of runs follow the stop rule.

use std::collections::BTreeMap;
use std::path::Path;
use zonewalk_checker::{Options, Outcome, StatisticsOptions, check_text};
use zonewalk_report::statistics::{agrees, recorded};
use zonewalk_statistics::proportion::Tally;
use zonewalk_statistics::stop::StopRule;

/// Runs for each row: enough to tell 0 from 1, and few enough for a test. `benches/recorded` makes as many as the row records.
const RUNS: u64 = 100;

/// Rows that differ from the file as it is now, or from any correct run of it; `docs/recorded.md` has the reasons.
const DIFFERENT: &[(&str, &str)] = &[
    ("cartpole.xml", "num_deaths"),
    ("SegundoModeloReducido.xml", "tEsperando >= 10"),
    ("TercerModelo.xml", "Alarma"),
    ("TercerModeloReducido.xml", "Alarma"),
];

struct Row {
    file: String,
    query: String,
    value: String,
    kind: String,
    runs: String,
    parameters: String,
}

fn rows(folder: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("smc-verdicts.tsv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let cell = |cells: &[&str], name: &str| {
        let at = names.iter().position(|n| *n == name).unwrap();
        cells.get(at).copied().unwrap_or_default().to_owned()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Row {
            file: cell(&cells, "file"),
            query: cell(&cells, "query"),
            value: cell(&cells, "value"),
            kind: cell(&cells, "kind"),
            runs: cell(&cells, "runs"),
            parameters: cell(&cells, "parameters"),
        }
    };
    lines.map(row).collect()
}

pub(super) fn recorded_estimates_are_met(folder: &Path) {
    let options = Options {
        statistics: StatisticsOptions {
            runs: Some(RUNS),
            ..StatisticsOptions::default()
        },
        ..Options::default()
    };
    let (mut agreed, mut compared) = (0, 0);
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    for row in rows(folder)
        .iter()
        .filter(|row| !row.kind.starts_with("simulate"))
    {
        let text = std::fs::read_to_string(folder.join(&row.file)).unwrap();
        let report = match check_text(&row.file, &text, &row.query, &options) {
            Ok(report) => report,
            Err(refusal) => {
                let text = refusal.to_string();
                let reason = text.lines().next().unwrap_or_default().to_owned();
                *refused.entry(reason).or_default() += 1;
                continue;
            }
        };
        let Outcome::Estimated { estimate, .. } = report.outcome else {
            panic!("{} {}: no estimate", row.file, row.query);
        };
        compared += 1;
        assert!(recorded(&row.value).is_some(), "{}", row.value);
        if agrees(&estimate, &row.value) == Some(true) {
            agreed += 1;
            continue;
        }
        let mut known = DIFFERENT.iter();
        let is_known = known.any(|(file, part)| row.file.ends_with(file) && row.query.contains(part));
        assert!(
            is_known,
            "{} {}: {} recorded, and {:?} here",
            row.file, row.query, row.value, estimate.wide
        );
    }
    assert!(
        compared >= 112 && agreed >= compared - 6,
        "{agreed} of {compared}; {refused:#?}"
    );
    // External libraries and strategies.
    assert!(refused.values().sum::<u32>() <= 10, "{refused:#?}");
}

/// The rule stops at the recorded number of runs, and the run before had not been enough.
pub(super) fn recorded_run_counts_follow_the_stop_rule(folder: &Path) {
    let first = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
    let mut count = 0;
    for row in rows(folder).iter().filter(|row| row.kind.starts_with("Pr")) {
        // "135 in total, 6 (4.4444%) displayed, …": without satisfied runs there is no such line.
        let counts: Option<(u64, u64)> = row
            .runs
            .split_once("in total, ")
            .and_then(|(total, rest)| Some((first(total)?, first(rest)?)));
        let parameter = |name: &str| {
            let (_, rest) = row.parameters.split_once(name)?;
            rest.split(',').next()?.parse::<f64>().ok()
        };
        let (Some((runs, satisfied)), Some(alpha), Some(epsilon)) =
            (counts, parameter("α="), parameter("ε="))
        else {
            continue;
        };
        let is_enough = |satisfied, runs| {
            let tally = Tally {
                runs,
                satisfied,
                undecided: 0,
            };
            StopRule::Sequential.is_enough(&tally, alpha, epsilon)
        };
        assert!(is_enough(satisfied, runs), "{} {}", row.file, row.query);
        let before = [(Some(satisfied), runs - 1), (satisfied.checked_sub(1), runs - 1)];
        let may_go_on = |(k, n): (Option<u64>, u64)| k.is_some_and(|k| k <= n && !is_enough(k, n));
        assert!(before.into_iter().any(may_go_on), "{} {}", row.file, row.query);
        count += 1;
    }
    assert!(count >= 90, "{count}");
}
