//! How often tests, comparisons and intervals are wrong.

use super::{BOX, RunSettings, answer, end, key, print};
use crate::grid::{Cell, Grid, Number};
use crate::model::Effort;
use crate::output::Error;
use crate::session::Session;
use serde_json::Value;
use zonewalk_families::oracles::{COINS, oracles};

/// Tests of coins with chances of 3 and 2 in 10, and the right answers.
const TESTS: [(&str, bool); 3] = [
    ("Pr[<=1](<> A.Heads) >= 0.2", true),
    ("Pr[<=1](<> A.Heads) >= 0.4", false),
    ("Pr[<=1](<> A.Heads) >= Pr[<=1](<> B.Heads)", true),
];

const COVERAGE: &str = "interval of 1 - e^-2";

pub(super) fn run(session: &mut Session<'_>) -> Result<Value, Error> {
    let config = session.config;
    let seeds = config.seeds.unwrap_or(if config.quick { 100 } else { 1000 });
    let effort = Effort { seeds, timeout: BOX };
    let grid = Grid {
        id: "smc-2".to_owned(),
        title: "Error rates".to_owned(),
        lines: "query",
        columns: ["wrong", "undecided", "runs on average", "allowed"]
            .map(str::to_owned)
            .to_vec(),
    };
    session.print(&format!(
        "Tests and the comparison with seeds 1 to {seeds}, on coins that show heads with probabilities 0.3 (A) and 0.2 (B); the last row is how often the default \
         interval misses the exact value, with twice as many seeds.\n"
    ))?;
    session.print(&grid.header())?;
    let mut lines = Vec::new();
    let rows = TESTS.iter().map(|(query, _)| *query).chain([COVERAGE]);
    for row in rows.filter(|row| config.wants_row(row)) {
        let of = if row == COVERAGE { 2 * seeds } else { seeds };
        let measured = session.cell(key(&grid, row, &format!("{of} seeds")), BOX, |_| count(row, of))?;
        let cells = match measured {
            Some((wrong, undecided, runs)) => {
                let allowed = if row == COVERAGE { "6 %" } else { "5 %" };
                [
                    Number::Count(wrong, of),
                    Number::Count(undecided, of),
                    Number::exactly((runs as f64 / of as f64).round()),
                    Number::Word(allowed.to_owned()),
                ]
                .map(Some)
            }
            None => [const { None }; 4],
        };
        let cells: Vec<Cell> = cells.into_iter().map(|ours| Cell { ours, paper: "" }).collect();
        // A bar would end the cell of a table.
        print(session, &format!("`{row}`"), &cells)?;
        lines.push((row.to_owned(), cells));
    }
    end(session, &grid, &lines, &effort)
}

/// Wrong answers, those that are open, and runs.
fn count(row: &str, seeds: u64) -> Result<(u64, u64, u64), Error> {
    let (mut wrong, mut undecided, mut runs) = (0, 0, 0);
    let test = TESTS.iter().find(|(query, _)| *query == row);
    let all = oracles();
    for seed in 1..=seeds {
        let settings = RunSettings::seeded(seed);
        if let Some((query, right)) = test {
            let (satisfied, estimate) = answer(COINS, query, settings)?;
            wrong += u64::from(satisfied == Some(!right));
            undecided += u64::from(satisfied.is_none());
            runs += estimate.runs;
        } else if let Some(oracle) = all.first() {
            let (_, estimate) = answer(&oracle.model, oracle.query, settings)?;
            let holds = |[lo, hi]: [f64; 2]| (lo..=hi).contains(&oracle.exact);
            wrong += u64::from(!estimate.interval.is_some_and(holds));
            runs += estimate.runs;
        }
    }
    Ok((wrong, undecided, runs))
}
