//! Rows by name: which tables have those that are wanted.

use super::session::Session;
use super::tables::fill;
use super::text::title;
use crate::config::{Config, Paper};
use crate::output::{Error, Output};
use serde_json::Value;
use zonewalk_checker::Control;

/// The most names that are told in place of a wrong one.
const SIMILAR: usize = 5;

/// The tables to measure: those that have one of the rows, or all of them where no row is named.
pub(super) fn tables(
    config: &Config,
    control: &Control,
    output: &mut dyn Output,
) -> Result<Vec<(Paper, u32)>, Error> {
    if config.rows.is_empty() {
        return Ok(config.tables.clone());
    }
    // A session that has not begun measures nothing and prints nothing.
    let all = Config {
        rows: Vec::new(),
        quick: false,
        results: None,
        ..config.clone()
    };
    let documents = fill(&mut Session::new(&all, control, output)?)?;
    if let Some(row) = config.rows.iter().find(|row| !has(&documents, row)) {
        return Err(unknown(row, &documents));
    }
    let is_wanted = |(paper, number): &(Paper, u32)| {
        let name = format!("{}-{number}", paper.name());
        let of_table = |document: &&Value| {
            let id = document["table"].as_str().unwrap_or_default();
            // A figure may have several tables.
            id.strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let mut documents = documents.iter().filter(of_table);
        documents.any(|document| {
            config
                .rows
                .iter()
                .any(|row| names(document).any(|name| name == row))
        })
    };
    Ok(config.tables.iter().copied().filter(is_wanted).collect())
}

/// Whether one of the tables has a row of this name.
pub(super) fn has(tables: &[Value], row: &str) -> bool {
    tables.iter().flat_map(names).any(|name| name == row)
}

fn names(table: &Value) -> impl Iterator<Item = &str> {
    table["rows"].as_array().into_iter().flatten().map(title)
}

fn unknown(row: &str, tables: &[Value]) -> Error {
    let names: Vec<&str> = tables.iter().flat_map(names).collect();
    let similar = similar(row, &names);
    let hint = match similar.as_slice() {
        [] => String::new(),
        _ => format!("; similar ones are `{}`", similar.join("`, `")),
    };
    Error::new(format_args!(
        "there is no row `{row}` in these tables{hint}; without --row all rows are printed"
    ))
}

/// The names that have the most in common with a wrong one, at the beginning and at the end: half of its letters at least.
fn similar<'n>(wrong: &str, names: &[&'n str]) -> Vec<&'n str> {
    let wrong = wrong.to_lowercase();
    let mut similar: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let lower = name.to_lowercase();
        let prefix = lower
            .bytes()
            .zip(wrong.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let rest = wrong.len().min(lower.len()) - prefix;
        let ends = lower.bytes().rev().zip(wrong.bytes().rev());
        let common = prefix + ends.take(rest).take_while(|(a, b)| a == b).count();
        if 2 * common >= wrong.len().max(1) && !similar.iter().any(|(_, known)| known == name) {
            similar.push((common, name));
        }
    }
    // Stable: otherwise they are in the order of the tables.
    similar.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
    similar.truncate(SIMILAR);
    similar.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names() {
        let names = [
            "Fischer-2",
            "Fischer-4",
            "senders-1",
            "Fischer-2",
            "Milner-N8-d20-v2",
        ];
        assert_eq!(similar("Fischer-3", &names), ["Fischer-2", "Fischer-4"]);
        assert_eq!(similar("milner-n8-v2", &names), ["Milner-N8-d20-v2"]);
        assert!(similar("x", &names).is_empty());
        assert!(similar("", &names).is_empty());
    }
}
