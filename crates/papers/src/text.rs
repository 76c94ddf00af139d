//! Tables for terminals and for spreadsheets.

use serde_json::Value;
use std::fmt::Write as _;

/// Markdown whose tables are set in columns, for terminals. A table is held back until its last row is there.
#[derive(Debug, Default)]
pub(super) struct Aligned {
    rows: Vec<Vec<String>>,
}

impl Aligned {
    /// Part that can be shown after some more of the text. Requires: whole lines.
    pub(super) fn take(&mut self, markdown: &str) -> String {
        let mut text = String::new();
        for line in markdown.lines() {
            let row = line.strip_prefix('|').and_then(|row| row.strip_suffix('|'));
            match row {
                Some(row) if row.chars().all(|c| c == '-' || c == '|') => {}
                Some(row) => self
                    .rows
                    .push(row.split('|').map(|cell| cell.trim().to_owned()).collect()),
                None => {
                    text += &self.end();
                    text += line.trim_start_matches('#').trim_start();
                    text.push('\n');
                }
            }
        }
        text
    }

    /// The table that was held back.
    pub(super) fn end(&mut self) -> String {
        let rows = std::mem::take(&mut self.rows);
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..count).map(width).collect();
        let mut text = String::new();
        for row in &rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                // Writing to a string cannot fail.
                let _ = write!(line, "{cell:width$}  ");
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// All numbers of tables, one to a line.
pub(super) fn csv(tables: &[Value]) -> String {
    let mut text = "table,row,column,metric,value\n".to_owned();
    for table in tables {
        let name = words(&table["table"]);
        for row in table["rows"].as_array().into_iter().flatten() {
            let title = title(row);
            let Some(row) = row.as_object() else { continue };
            let cells = row.values().filter_map(Value::as_array).flatten();
            for cell in cells.filter_map(Value::as_object) {
                let columns = ["column", "search", "tool"];
                let column = columns.iter().find_map(|key| cell.get(*key)?.as_str());
                for (metric, value) in cell.iter().filter(|(key, _)| !columns.contains(&key.as_str())) {
                    let start = [&name, title, column.unwrap_or_default()];
                    list(&mut text, &start, metric, value);
                }
            }
        }
    }
    text
}

/// The name of a row.
pub(super) fn title(row: &Value) -> &str {
    let names = row.as_object().into_iter();
    let mut names = names.flat_map(|row| row.get("row").into_iter().chain(row.values()));
    names.find_map(Value::as_str).unwrap_or_default()
}

/// Lines for a value, or for the values in it.
fn list(text: &mut String, start: &[&str; 3], metric: &str, value: &Value) {
    match value {
        Value::Null | Value::Array(_) => {}
        Value::Object(parts) => {
            for (name, part) in parts {
                list(text, start, &format!("{metric}.{name}"), part);
            }
        }
        _ => {
            let value = words(value);
            let fields = [start[0], start[1], start[2], metric, &value].map(quoted);
            text.push_str(&fields.join(","));
            text.push('\n');
        }
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_stand_below_each_other() {
        let mut aligned = Aligned::default();
        assert_eq!(
            aligned.take("\n### Title\n\n| model | RET |\n|---|---|\n"),
            "\nTitle\n\n"
        );
        assert_eq!(aligned.take("| Fischer–10N | 3 |\n"), "");
        assert_eq!(
            aligned.take("\nDone.\n"),
            "model        RET\nFischer–10N  3\n\nDone.\n"
        );
        assert_eq!(aligned.end(), "");
    }

    #[test]
    fn every_number_has_a_line() {
        let tables = [json!({
            "table": "setta-5",
            "rows": [{
                "model": "a, b",
                "load_s": 0.5,
                "cells": [{"column": "RET", "mean_s": 1.5, "found": null, "counts": {"steps": 3}}],
            }],
        })];
        assert_eq!(
            csv(&tables),
            "table,row,column,metric,value\nsetta-5,\"a, b\",RET,mean_s,1.5\nsetta-5,\"a, b\",RET,counts.steps,3\n"
        );
    }
}
