//! The documents name every cell that falls short of a paper, and the README has figures of all of them.
//!
//! `benches/shortfalls` writes the lists. These tests do not ask it, but count for themselves.

use crate::command::root;
use crate::tables::cells;
use std::fs;

/// The aim for tuned walks: so many times the speed that was printed, or so many seconds.
const AIM: (f64, f64) = (10.0, 0.02);

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// A cell of the page beside which the paper has a number.
struct Beside {
    table: String,
    row: String,
    column: String,
    /// Figure before the slash.
    ours: String,
    /// The printed number divided by ours, where there is one.
    ratio: Option<f64>,
}

impl Beside {
    fn seconds(&self) -> Option<f64> {
        self.ours.split(' ').next()?.parse().ok()
    }

    fn is_slow(&self) -> bool {
        self.ratio.is_some_and(|ratio| ratio < 1.0)
    }

    /// Faster than printed, by a tuned walk that misses the aim.
    fn misses_the_aim(&self) -> bool {
        let is_short = |ratio| (1.0..AIM.0).contains(&ratio) && self.seconds().is_some_and(|s| s > AIM.1);
        self.column.ends_with(" tuned") && self.ratio.is_some_and(is_short)
    }
}

/// Whether a cell falls short in some way.
type Shortfall = fn(&Beside) -> bool;

/// The cells of the page of the walks, without those whose models were not published.
fn beside() -> Vec<Beside> {
    let mut found = Vec::new();
    for ((heading, row, column), cell) in cells(&page("docs/fmics.md")) {
        let table = heading
            .strip_prefix("Table ")
            .and_then(|rest| rest.split_once(':'));
        let (Some((table, _)), Some((ours, rest))) = (table, cell.rsplit_once(" / ")) else {
            continue;
        };
        let Some(printed) = rest.split(' ').next().and_then(|word| word.parse::<f64>().ok()) else {
            continue;
        };
        let shown = rest
            .rsplit_once('(')
            .and_then(|(_, last)| last.strip_suffix("×)")?.parse().ok());
        let mut cell = Beside {
            table: table.to_owned(),
            row,
            column,
            ours: ours.to_owned(),
            ratio: shown,
        };
        // The table of lengths shows no ratios.
        cell.ratio = shown.or_else(|| Some(printed / cell.seconds()?));
        if ours != "no model" {
            found.push(cell);
        }
    }
    assert!(found.len() > 500, "{}", found.len());
    found
}

/// Every cell that is slower, longer or empty where the paper has a number is in the list, and no other one.
#[test]
fn the_page_of_the_walks_names_every_cell_that_falls_short() {
    let page = page("docs/fmics.md");
    let section = page
        .split("## What falls short")
        .nth(1)
        .expect("there is such a section");
    let section = section.split("\n## ").next().unwrap();
    let lines: Vec<Vec<&str>> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|line| line.split(" | ").collect())
        .collect();
    let cells = beside();
    let lists: [(usize, Shortfall); 3] = [
        (2, Beside::is_slow),
        (3, |cell| cell.ratio.is_none()),
        (4, Beside::misses_the_aim),
    ];
    for (place, falls_short) in lists {
        let short: Vec<_> = cells.iter().filter(|cell| falls_short(cell)).collect();
        for Beside {
            table,
            row,
            column,
            ours,
            ..
        } in &short
        {
            let of = |line: &&Vec<&str>| line.len() == 5 && line[0] == table && line[1] == column;
            let line = lines
                .iter()
                .find(of)
                .unwrap_or_else(|| panic!("no line {table}, {column}"));
            assert!(
                line[place].contains(&format!("`{row}` {ours} / ")),
                "{table}, {row}, {column}: {line:?}"
            );
        }
        let named = lines.iter().filter(|line| line.len() == 5);
        let named: usize = named.map(|line| line[place].matches('`').count() / 2).sum();
        assert_eq!(named, short.len(), "column {place}");
    }
}

/// The README has the rows of the page for the walks as published and tuned, and the counts of all cells.
#[test]
fn the_readme_shows_both_schedules_and_counts_what_falls_short() {
    let (readme, fmics) = (page("README.md"), cells(&page("docs/fmics.md")));
    let part = readme.split("<!-- shortfalls: readme -->").nth(1).unwrap();
    let part = part.split("<!-- end of table -->").next().unwrap();
    let mut families = Vec::new();
    for line in part.lines().filter(|line| line.starts_with("| `")) {
        let words: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[row, published, tuned, printed] = words.as_slice() else {
            panic!("{line}");
        };
        let row = row.trim_matches('`');
        for (column, ours) in [("RET", published), ("RET tuned", tuned)] {
            let start = format!("{ours} / {printed}");
            let mut found = fmics.iter().filter(|((_, r, c), _)| r == row && c == column);
            assert!(
                found.any(|(_, cell)| cell.starts_with(&start)),
                "{row}, {column}: {start}"
            );
        }
        families.push(row.rsplit_once('-').unwrap().0.to_owned());
    }
    let distinct: std::collections::BTreeSet<_> = families.iter().collect();
    assert!(
        distinct.len() == families.len() && families.len() >= 10,
        "{families:?}"
    );
    for tuned in [false, true] {
        let walks = ["SEM", "RET", "RLC", "RLC-A"];
        let is_wanted = |cell: &&Beside| {
            let name = cell.column.strip_suffix(" tuned");
            cell.table != "5" && name.is_some() == tuned && walks.contains(&name.unwrap_or(&cell.column))
        };
        let all = beside();
        let of: Vec<_> = all.iter().filter(is_wanted).collect();
        let slow = of.iter().filter(|cell| cell.is_slow()).count();
        let empty = of.iter().filter(|cell| cell.ratio.is_none()).count();
        let fast = of
            .iter()
            .filter(|cell| cell.ratio.is_some_and(|ratio| ratio >= AIM.0))
            .count();
        let mut ratios: Vec<_> = of.iter().map(|cell| cell.ratio.unwrap_or_default()).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios[(ratios.len() - 1) / 2];
        let short = slow + empty;
        let told = if tuned {
            format!(
                "Tuned, the median is {median} times ({fast} cells), and {short} fall short: {slow} and {empty}."
            )
        } else {
            format!(
                "in the median {median} times as fast as printed (in {fast} cells ten times and more), and {short} fall short: {slow} are \
                 slower, {empty} found nothing in their seconds."
            )
        };
        assert!(part.contains(&told), "{told}");
        assert!(
            part.contains(&format!("Of all {} cells", of.len())),
            "{}",
            of.len()
        );
        // What the README says at its beginning.
        assert!(
            2 * fast > of.len()
                && readme.contains("most of them take a tenth of the time that it printed, or less")
        );
    }
}

/// The README repeats rows about the zone graph.
#[test]
fn the_readme_repeats_the_rows_of_the_zone_graph() {
    let zones = cells(&page("docs/zones.md"));
    let readme = page("README.md");
    let mut count = 0;
    for line in readme.lines().filter(|line| line.starts_with("| `")) {
        let words: Vec<_> = line
            .trim_matches('|')
            .split('|')
            .map(|word| word.trim().replace(',', ""))
            .collect();
        let [row, stored, seconds, theirs, memory, their_memory] = words.as_slice() else {
            continue;
        };
        let row = row.trim_matches('`');
        for (column, shown) in [
            ("stored", format!("{stored} / ")),
            ("processor s", format!("{seconds} / {theirs}")),
            ("MiB", format!("{memory} / {their_memory}")),
        ] {
            // Tables of counts have no slash.
            let mut found = zones
                .iter()
                .filter(|((_, r, c), cell)| r == row && c == column && cell.contains('/'));
            let (_, cell) = found
                .next()
                .unwrap_or_else(|| panic!("there is no cell {row}, {column}"));
            assert!(cell.starts_with(&shown), "{row}, {column}: {cell}, not {shown}");
        }
        count += 1;
    }
    assert!(count >= 4, "only {count} rows were compared");
}
