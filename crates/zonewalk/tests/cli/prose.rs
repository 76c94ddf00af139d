//! Figures in sentences are those of the tables on the same page.

use crate::command::root;
use crate::tables::{Cells, cells};
use std::fs;

/// Cells of one table.
struct Part<'a>(&'a Cells, &'a str);

impl Part<'_> {
    /// Ours in a cell, without its interval.
    fn value(&self, row: &str, column: &str) -> f64 {
        let Part(cells, heading) = self;
        let mut found = cells
            .iter()
            .filter(|((title, r, c), _)| title.starts_with(heading) && r == row && c == column);
        let (_, cell) = found
            .next()
            .unwrap_or_else(|| panic!("no cell {heading}, {row}, {column}"));
        cell.split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap_or_else(|_| panic!("{row}, {column}: {cell}"))
    }

    /// Percentage by which each row exceeds the printed figure.
    fn beyond(&self, rows: &[String], column: &str) -> Vec<f64> {
        let Part(cells, heading) = self;
        let printed = |row: &String| {
            let mut found = cells
                .iter()
                .filter(|((title, r, c), _)| title.starts_with(heading) && r == row && c == column);
            let (_, cell) = found.next().unwrap();
            cell.rsplit_once(" / ").unwrap().1.parse::<f64>().unwrap()
        };
        rows.iter()
            .map(|row| (self.value(row, column) / printed(row) - 1.0) * 100.0)
            .collect()
    }
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// A number of prose: whole, with a comma between thousands.
fn whole(value: f64) -> String {
    let text = format!("{value:.0}");
    match text.len() {
        4.. => format!("{},{}", &text[..text.len() - 3], &text[text.len() - 3..]),
        _ => text,
    }
}

/// The figures in the prose about the searches of highways are those of the tables.
#[test]
fn the_prose_about_highways_repeats_its_tables() {
    let text = fs::read_to_string(root().join("docs/highway.md")).unwrap();
    let all = cells(&text);
    let prose = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [table, tried, lift, shuttle, right] = [
        "Table 1:",
        "Not in the paper: what was tried",
        "Figure 7: a lift",
        "Figure 7 for the other fault",
        "Figure 8, right",
    ]
    .map(|heading| Part(&all, heading));
    let states = |part: &Part<'_>, row: &str| whole(part.value(row, "mean states"));
    let rows = |system: &str, searches: &[&str]| {
        let name = |search: &&str| format!("{system}, {search}");
        searches.iter().map(name).collect::<Vec<_>>()
    };
    let random_and_rdfs: Vec<_> = ["2", "4", "6", "8", "10"]
        .iter()
        .flat_map(|size| rows(&format!("swp({size})"), &["random", "rdfs"]))
        .collect();
    let fewer: Vec<_> = table
        .beyond(&random_and_rdfs, "states")
        .iter()
        .map(|share| -share)
        .collect();
    let searches = ["rdfs", "highway 8", "highway 16", "highway 32"];
    let file = table.beyond(&rows("1394-2.aut", &searches), "states");
    let own = table.beyond(&rows("1394(2)", &searches), "states");
    let commprot = table.beyond(&rows("commprot", &["highway 16", "highway 32"]), "states");
    let steps = |row: &str| whole(shuttle.value(row, "mean steps"));
    let success = |row: &str| tried.value(&format!("dining8.aut, deadlock, {row}"), "success");
    let widths = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32].map(|width| format!("width {width}"));
    let others = widths
        .iter()
        .flat_map(|width| ["approximate", "ideal"].map(|kind| right.value(kind, width)));
    assert!(least(&others.collect::<Vec<_>>()) > 98.0);
    let expected = [
        format!(
            "{}, {} and {} states, and {}, {} and {} steps",
            states(&shuttle, "random"),
            states(&shuttle, "highway 1"),
            states(&shuttle, "rdfs"),
            steps("highway 8"),
            steps("random"),
            steps("rdfs"),
        ),
        format!(
            "the order of states is the same ({}, {} and {})",
            states(&lift, "random"),
            states(&lift, "highway 1"),
            states(&lift, "rdfs"),
        ),
        format!(
            "the mean of all 1000 runs is {}.",
            whole(table.value("othello(4x4), rdfs", "states"))
        ),
        format!(
            "the mean of all is {}.",
            whole(table.value("othello(6x6), rdfs", "states"))
        ),
        format!(
            "the means of all 1000 runs are {} and {}",
            whole(table.value("swp(2), random", "states")),
            whole(table.value("swp(2), rdfs", "states")),
        ),
        format!(
            "have {} states by random search and {} by RDFS",
            whole(tried.value("swp(2), the shortest 27 %, random", "states")),
            whole(tried.value("swp(2), the shortest 27 %, rdfs", "states")),
        ),
        format!(
            "Random search and RDFS visit {:.0} to {:.0} % fewer states than printed",
            least(&fewer),
            greatest(&fewer)
        ),
        format!(
            "{:.0} to {:.0} % on the original file and {:.0} to {:.0} % on zonewalk's model",
            least(&file),
            greatest(&file),
            least(&own),
            greatest(&own)
        ),
        format!(
            "Highways of widths 16 and 32 visit {:.0} % more and {:.0} % fewer states than printed",
            commprot[0], -commprot[1]
        ),
        format!(
            "{:.0} % at width 1, more than 98 % at every other width",
            right.value("ideal", "width 1")
        ),
        format!(
            "width 20 ({:.1} against {:.1} %)",
            right.value("ideal", "width 20"),
            right.value("approximate", "width 20")
        ),
        format!(
            "{:.1} % of the highways of width 1, {:.1} % of those of width 2 and all of width 4, 8 and 16",
            success("highway 1"),
            success("highway 2")
        ),
    ];
    for figures in &expected {
        assert!(prose.contains(figures), "docs/highway.md does not say: {figures}");
    }
    for width in [4, 8, 16] {
        assert_eq!(success(&format!("highway {width}")), 100.0);
    }
}
