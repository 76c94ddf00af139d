//! Tables in the documents are what `zonewalk bench` prints.
//!
//! `<!-- table: bench … -->` stands above a table with the command that printed it, and `benches/tables` prints it again. Times
//! differ between machines; what does not is checked here where a line before that one says so: `<!-- checked: heading | row;
//! row | column; column -->` names cells under the heading that has these words.
//!
//! `<!-- results: bench … -->` stands above a table that is printed from the file of results, without measuring. Such a table is
//! as the file has it, to the last digit.

use crate::command::{root, zonewalk};
use std::collections::BTreeMap;
use std::fs;

/// Cells of a Markdown page by heading, row and column.
pub(crate) type Cells = BTreeMap<(String, String, String), String>;

/// A table of a page: the command, the cells to check, and what the page has.
struct Printed {
    command: Vec<String>,
    checks: Vec<[Vec<String>; 3]>,
    cells: Cells,
}

fn inside<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?
        .strip_suffix(" -->")?
        .strip_prefix(key)
        .map(str::trim)
}

fn list(text: &str, separator: char) -> Vec<String> {
    text.split(separator).map(|word| word.trim().to_owned()).collect()
}

/// Words of a command; quotes keep words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, piece) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The cells of all tables in a text.
pub(crate) fn cells(text: &str) -> Cells {
    let mut cells = Cells::new();
    let (mut heading, mut columns) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(title) = line.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim().to_owned();
            columns = Vec::new();
        } else if let Some(row) = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |")) {
            let row = list(row, '|');
            if columns.is_empty() {
                columns = row;
            } else {
                for (column, cell) in columns.iter().zip(&row).skip(1) {
                    cells.insert((heading.clone(), row[0].clone(), column.clone()), cell.clone());
                }
            }
        } else if !line.starts_with('|') {
            columns = Vec::new();
        }
    }
    cells
}

fn tables(page: &str) -> Vec<Printed> {
    let mut tables = Vec::new();
    let mut checks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(check) = inside(line, "checked:") {
            let parts: Vec<_> = check.split('|').map(|part| list(part, ';')).collect();
            checks.push(<[_; 3]>::try_from(parts).expect("heading | rows | columns"));
        } else if let Some(command) = inside(line, "table:").or_else(|| inside(line, "results:")) {
            let text: Vec<_> = lines
                .by_ref()
                .take_while(|line| inside(line, "end of table").is_none())
                .collect();
            tables.push(Printed {
                command: words(command),
                checks: std::mem::take(&mut checks),
                cells: cells(&text.join("\n")),
            });
        }
    }
    assert!(checks.is_empty(), "a line `checked` without a table");
    tables
}

/// Measures the cells that a page wants checked; how many they are, and what is wrong.
fn check(table: &Printed, models: &str) -> (usize, Vec<String>) {
    let mut command: Vec<String> = table
        .command
        .iter()
        .map(|word| word.replace("MODELS", models))
        .collect();
    // Of rows and columns only those to be checked, whatever the page shows.
    while let Some(narrowed) = command
        .iter()
        .position(|word| word == "--row" || word == "--column")
    {
        command.drain(narrowed..narrowed + 2);
    }
    for [_, rows, columns] in &table.checks {
        for row in rows {
            command.extend(["--row".to_owned(), row.clone()]);
        }
        if ["fmics", "setta", "mcta"]
            .iter()
            .any(|paper| command[1].starts_with(paper))
        {
            for column in columns {
                command.extend(["--column".to_owned(), column.clone()]);
            }
        }
    }
    // Plots are for `benches/tables` to write.
    if let Some(plots) = command.iter().position(|word| word == "--svg") {
        command.drain(plots..plots + 2);
    }
    // A development build is slower than what the limit is meant for.
    if let Some(limit) = command.iter().position(|word| word == "--timeout") {
        command[limit + 1] = "10m".to_owned();
    }
    let run = zonewalk(&command.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{command:?}: {}", run.stderr);
    let measured = cells(&run.stdout);
    let (mut count, mut wrong) = (0, Vec::new());
    for [heading, rows, columns] in &table.checks {
        for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |c| (row, c))) {
            let find = |cells: &Cells| {
                let mut found = cells.iter().filter(|((title, r, c), _)| {
                    title.contains(heading[0].as_str()) && r == row && c == column
                });
                found.next().map(|(_, cell)| cell.clone())
            };
            let (page, now) = (find(&table.cells), find(&measured));
            count += 1;
            if page.is_none() || page != now {
                wrong.push(format!(
                    "{}: {row}, {column}: the page has {page:?}, it is {now:?}",
                    command[1]
                ));
            }
        }
    }
    (count, wrong)
}

/// Measures the cells that are to be checked: those of tables about public models, or of all others.
pub(crate) fn measure_again(models: Option<&str>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages() {
        for table in tables(&fs::read_to_string(&page).unwrap()) {
            let needs_models = table.command.iter().any(|word| word.contains("MODELS"));
            if table.checks.is_empty() || needs_models != models.is_some() {
                continue;
            }
            let (cells, faults) = check(&table, models.unwrap_or_default());
            count += cells;
            let faults = faults.into_iter();
            wrong.extend(faults.map(|fault| format!("{}: {fault}", page.display())));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun benches/tables", wrong.join("\n"));
    assert!(count >= 10, "only {count} cells were checked");
}

#[test]
fn tables_of_the_documents() {
    measure_again(None);
}

/// The file of results that pages are printed from.
const RESULTS: &str = "docs/results/bench.jsonl";

#[test]
fn tables_are_as_the_results_have_them() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(command) = inside(line, "results:") else {
                continue;
            };
            let printed: Vec<_> = lines
                .by_ref()
                .take_while(|line| inside(line, "end of table").is_none())
                .collect();
            let results = root().join(RESULTS);
            let mut words = words(command);
            // Plots are for `benches/tables` to write.
            if let Some(plots) = words.iter().position(|word| word == "--svg") {
                words.drain(plots..plots + 2);
            }
            words.extend(["--print", "--results", results.to_str().unwrap()].map(str::to_owned));
            let run = zonewalk(&words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(run.status, 0, "{command}: {}", run.stderr);
            let expected = format!("\n`zonewalk {command}`:\n\n{}", run.stdout);
            assert_eq!(
                printed.join("\n").trim_end(),
                expected.trim_end(),
                "{}: run benches/tables --print",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count > 0, "no page has results");
}

/// The pages that may have tables.
fn pages() -> Vec<std::path::PathBuf> {
    let mut pages: Vec<_> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.push(root().join("README.md"));
    pages
}

/// The aim for walks with adaptive delays in refinements is twenty times the paper's speed, or 5 ms. One model is known to be harder.
#[test]
fn the_page_of_refinement_meets_its_aim() {
    let page = fs::read_to_string(root().join("docs/setta.md")).unwrap();
    let mut met = 0;
    for ((heading, row, column), cell) in cells(&page) {
        let is_walk = column == "RET" || column == "RCF";
        if !is_walk || !cell.contains(" / ") || heading.contains("attempts") || row == "Leader-N8-v2" {
            continue;
        }
        let mean: f64 = cell.split(' ').next().unwrap().parse().unwrap();
        let ratio = cell
            .rsplit_once('(')
            .and_then(|(_, last)| last.strip_suffix("×)"));
        let ratio: f64 = ratio.map_or(0.0, |ratio| ratio.parse().unwrap());
        let is_printed = !cell.ends_with("/ –") && !cell.contains('<');
        assert!(
            !is_printed || ratio >= 20.0 || mean < 0.005,
            "{row} by {column}: {cell}"
        );
        met += usize::from(is_printed);
    }
    assert!(met >= 2 * (12 + 18 + 11 + 16), "only {met} cells were compared");
}

#[test]
fn pages_with_tables_are_read() {
    let page = "<!-- checked: steps | a; b, c | RET -->\n<!-- table: bench drs-1 --row 'b, c' -->\n### Times\n\n| model | RET |\n\
        |---|---|\n| a | 3 |\n\n### Median steps\n\n| model | SEM | RET |\n|---|---|---|\n| a | 1 | 7 |\n<!-- end of table -->\n";
    let tables = tables(page);
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].command, ["bench", "drs-1", "--row", "b, c"]);
    assert_eq!(tables[0].checks[0][1], ["a", "b, c"]);
    let key = |heading: &str, column: &str| (heading.to_owned(), "a".to_owned(), column.to_owned());
    assert_eq!(tables[0].cells[&key("Median steps", "RET")], "7");
    assert_eq!(tables[0].cells[&key("Times", "RET")], "3");
}
