//! Measurements, cell by cell, in a file. A run that was interrupted goes on where it stopped, and tables are printed from the file
//! as often as wanted.
//!
//! Each line is a JSON object of its own, so that a run that is killed loses at most the cell that it was measuring.

use super::machine::Environment;
use crate::output::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use zonewalk_checker::load::io_reason;

/// Names a measurement: two with the same key are measured in the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Key {
    /// Name of the table, such as `fmics-4`.
    pub(super) table: String,
    pub(super) row: String,
    /// Empty where all the columns of a row are measured at once.
    pub(super) column: String,
    /// How much is measured, and on whose model, in words.
    pub(super) settings: String,
}

/// A measurement: a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    #[serde(flatten)]
    key: Key,
    pub(super) measured: Value,
    /// How long it took.
    wall_s: f64,
    /// With what and where.
    #[serde(flatten)]
    pub(super) place: Environment,
}

/// The measurements of a file and those of this run.
#[derive(Debug, Default)]
pub(super) struct Results {
    known: BTreeMap<Key, Entry>,
    path: Option<PathBuf>,
    /// Where new ones go.
    file: Option<File>,
}

impl Results {
    /// Reads a file. With `is_written` it is made if need be, and gets what is measured.
    pub(super) fn open(path: &Path, is_written: bool) -> Result<Results, Error> {
        let refuse = |doing: &str, why: &dyn std::fmt::Display| {
            Error::new(format_args!(
                "cannot {doing} the results in {}: {why}",
                path.display()
            ))
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && is_written => String::new(),
            Err(error) => return Err(refuse("read", &io_reason(&error))),
        };
        let mut known = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let entry = match serde_json::from_str::<Entry>(line) {
                Ok(entry) => entry,
                // The end of a run that was killed while it wrote.
                Err(_) if !text.ends_with('\n') && number == text.lines().count() => break,
                Err(error) => {
                    let place = format_args!("line {number}, column {}", error.column());
                    return Err(refuse("read", &format_args!("{place}: {}", reason(&error))));
                }
            };
            // A later one is newer.
            known.insert(entry.key.clone(), entry);
        }
        let file = is_written
            .then(|| {
                let mut file = File::options().create(true).append(true).open(path)?;
                let is_cut = !text.is_empty() && !text.ends_with('\n');
                if is_cut {
                    let whole = text.rfind('\n').map_or(0, |at| at + 1);
                    file.set_len(whole as u64)?;
                }
                file.flush()?;
                Ok(file)
            })
            .transpose()
            .map_err(|error: std::io::Error| refuse("write", &io_reason(&error)))?;
        Ok(Results {
            known,
            path: Some(path.to_owned()),
            file,
        })
    }

    pub(super) fn find(&self, key: &Key) -> Option<&Entry> {
        self.known.get(key)
    }

    /// Keeps a measurement that was made here, and writes it down.
    pub(super) fn add(
        &mut self,
        key: Key,
        measured: Value,
        wall_s: f64,
        place: Environment,
    ) -> Result<(), Error> {
        let entry = Entry {
            key: key.clone(),
            measured,
            wall_s,
            place,
        };
        if let Some(file) = &mut self.file {
            let written = serde_json::to_string(&entry)
                .map_err(std::io::Error::from)
                .and_then(|line| writeln!(file, "{line}"));
            written.map_err(|error| {
                let path = self.path.as_deref().unwrap_or(Path::new(""));
                Error::new(format_args!(
                    "cannot write the results to {}: {}",
                    path.display(),
                    io_reason(&error)
                ))
            })?;
        }
        self.known.insert(key, entry);
        Ok(())
    }
}

/// Without the place, which is named before.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(row: &str) -> Key {
        Key {
            table: "drs-1".to_owned(),
            row: row.to_owned(),
            column: "DRS".to_owned(),
            settings: "3 seeds".to_owned(),
        }
    }

    /// A file of this test alone.
    fn path(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("zonewalk-results-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder.join(name)
    }

    #[test]
    fn what_was_measured_is_there_again() {
        let path = path("again");
        let _ = fs::remove_file(&path);
        let mut results = Results::open(&path, true).expect("it is made");
        results
            .add(key("Fischer-2"), json!(1), 0.5, Environment::here(""))
            .expect("room");
        results
            .add(key("Fischer-2"), json!(2), 0.5, Environment::here(""))
            .expect("room");
        drop(results);
        let results = Results::open(&path, false).expect("it is there");
        assert_eq!(
            results.find(&key("Fischer-2")).map(|e| &e.measured),
            Some(&json!(2))
        );
        assert!(results.find(&key("Fischer-4")).is_none());
        let other = Key {
            settings: "5 seeds".to_owned(),
            ..key("Fischer-2")
        };
        assert!(results.find(&other).is_none());
    }

    #[test]
    fn a_line_that_was_cut_is_measured_again() {
        let path = path("cut");
        let _ = fs::remove_file(&path);
        let mut results = Results::open(&path, true).expect("it is made");
        results
            .add(key("a"), json!(1), 0.5, Environment::here(""))
            .expect("room");
        results
            .add(key("b"), json!(2), 0.5, Environment::here(""))
            .expect("room");
        drop(results);
        let text = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, &text[..text.len() - 20]).expect("room");
        let mut results = Results::open(&path, true).expect("a cut line is no error");
        assert!(results.find(&key("a")).is_some() && results.find(&key("b")).is_none());
        results
            .add(key("b"), json!(3), 0.5, Environment::here(""))
            .expect("room");
        drop(results);
        let results = Results::open(&path, false).expect("the cut line is gone");
        assert_eq!(results.find(&key("b")).map(|e| &e.measured), Some(&json!(3)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let path = path("wrong");
        fs::write(&path, "{}\n").expect("room");
        let why = Results::open(&path, false).expect_err("no key");
        let why = format!("{why:?}");
        assert!(why.contains("wrong: line 1, column 2: missing field"), "{why}");
        let why = Results::open(&path.with_extension("not"), false).expect_err("no file");
        assert!(format!("{why:?}").contains("no such file"), "{why:?}");
    }
}
