//! Where the model of a row comes from: a published file, or a member of our own families.

use crate::model::own;
use crate::output::Error;
use std::path::{Path, PathBuf};

/// A model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    File(PathBuf),
    /// Our own model, and the file that would have been measured in its place.
    Member {
        family: &'static str,
        params: Vec<(&'static str, i64)>,
        missing: Option<&'static str>,
    },
    /// A file that is not at hand, and nothing in its place.
    Missing(&'static str),
}

/// Files of rows, in the layout of the collection that has them; the other rows were never published.
const FILES: [(&str, &[&str]); 18] = [
    ("M_1", &["paper/M_1.xml", "XtaBenchmarkSuite/mutex.xta"]),
    ("M_2", &["paper/M_2.xml"]),
    ("M_3", &["paper/M_3.xml"]),
    ("M_4", &["paper/M_4.xml"]),
    ("N_1", &["paper/N_1.xml"]),
    ("N_2", &["paper/N_2.xml"]),
    ("N_3", &["paper/N_3.xml"]),
    ("C_1", &["paper/C_1.xml"]),
    ("C_2", &["paper/C_2.xta"]),
    ("C_3", &["paper/C_3.xta"]),
    ("C_4", &["paper/C_4.xta"]),
    ("C_5", &["paper/C_5.xta"]),
    ("C_9", &["XtaBenchmarkSuite/STLS.xta"]),
    ("symrob-M3", &["symrob-mutualExcl/M3.xml"]),
    ("symrob-M3c", &["symrob-mutualExcl/M3c.xml"]),
    ("symrob-M4", &["symrob-mutualExcl/M4.xml"]),
    ("ticktac-mutex", &["ticktac-generators/mutex/uppaal/mutex.xml"]),
    ("ticktac-sts", &["ticktac-generators/sts/uppaal/sts.xml"]),
];

/// Correct models: public ones, and ours without the flaw.
pub(super) const CORRECT: [&str; 12] = [
    "symrob-M3",
    "symrob-M3c",
    "symrob-M4",
    "ticktac-mutex",
    "ticktac-sts",
    "M_1-correct",
    "M_4-correct",
    "N_1-correct",
    "C_1-correct",
    "C_4-correct",
    "C_9-correct",
    "D_1-correct",
];

impl Source {
    /// The file of a row if it is in `models`, and otherwise our own model of it.
    pub(super) fn of(row: &str, models: Option<&Path>, has: impl Fn(&Path) -> bool) -> Option<Source> {
        let files = FILES
            .iter()
            .find(|(name, _)| *name == row)
            .map(|(_, files)| *files);
        if let (Some(models), Some(files)) = (models, files) {
            // In the folder of the collection, in one with the folders of all papers, or in one with the files alone.
            let places = files.iter().flat_map(|file| {
                let alone = Path::new(file).file_name().map(|name| models.join(name));
                [models.join(file), models.join("mcta").join(file)]
                    .into_iter()
                    .chain(alone)
            });
            if let Some(file) = places.into_iter().find(|file| has(file)) {
                return Some(Source::File(file));
            }
        }
        let file = files.map(|files| files[0]);
        let Some((family, params)) = member(row) else {
            return file.map(Source::Missing);
        };
        Some(Source::Member {
            family,
            params,
            missing: models.and(file),
        })
    }

    pub(super) fn is_own(&self) -> bool {
        matches!(self, Source::Member { .. })
    }

    /// Description of the measurement, in words.
    pub(super) fn describe(&self) -> String {
        match self {
            Source::File(path) => path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            Source::Member {
                family,
                params,
                missing,
            } => {
                let mut text = own(family, params);
                if let Some(missing) = missing {
                    text += &format!(" (there is no {missing})");
                }
                text
            }
            Source::Missing(file) => format!("there is no {file}"),
        }
    }

    /// The text of our own model; nothing for a file.
    pub(super) fn text(&self) -> Result<Option<String>, Error> {
        let Source::Member { family, params, .. } = self else {
            return Ok(None);
        };
        let params: Vec<_> = params
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.to_string()))
            .collect();
        zonewalk_families::generate(family, &params)
            .map(Some)
            .map_err(Error::new)
    }
}

/// The member of our own families that stands for a row. What the D rows are is inferred from their lengths: two or four more
/// programs on the first PLC, and then inputs one by one.
fn member(row: &str) -> Option<(&'static str, Vec<(&'static str, i64)>)> {
    if let Some(flawed) = row.strip_suffix("-correct") {
        let (family, mut params) = member(flawed)?;
        params.push((if family == "plc-mutex" { "late" } else { "short" }, 0));
        return Some((family, params));
    }
    let (group, number) = row.split_once('_')?;
    let number: i64 = number.parse().ok()?;
    Some(match (group, number) {
        ("M", 1..=4) => ("plc-mutex", vec![("requests", number - 1)]),
        ("N", 1..=4) => ("plc-mutex", vec![("requests", number - 1), ("settling", 1)]),
        ("C", 1..=9) => (
            "plc-track",
            vec![("n", (number - 3).max(0)), ("faults", (number - 1).min(2))],
        ),
        ("D", 1..=9) => {
            let (observers, n, faults) = match number {
                1 => (2, 0, 0),
                2..=4 => (2, 1, number - 2),
                9 => (4, 6, 2),
                _ => (4, number - 5, 0),
            };
            (
                "plc-track",
                vec![("n", n), ("faults", faults), ("observers", observers)],
            )
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::paper;
    use super::*;

    #[test]
    fn every_row_has_a_model_of_ours() {
        for row in paper::rows() {
            let source = Source::of(row.name, None, Path::is_file).expect("there is one");
            assert!(source.is_own() && source.describe().starts_with("own: plc-"));
            assert!(source.text().is_ok_and(|text| text.is_some()), "{}", row.name);
        }
        assert_eq!(Source::of("C_10", None, Path::is_file), None);
        assert_eq!(Source::of("x", None, Path::is_file), None);
        let describe = |row: &str| Source::of(row, None, Path::is_file).map(|source| source.describe());
        assert_eq!(describe("C_1").as_deref(), Some("own: plc-track n=0 faults=0"));
        assert_eq!(
            describe("D_9").as_deref(),
            Some("own: plc-track n=6 faults=2 observers=4")
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let nowhere = Path::new("nowhere");
        let describe =
            |row: &str| Source::of(row, Some(nowhere), Path::is_file).map(|source| source.describe());
        assert_eq!(
            describe("M_2").as_deref(),
            Some("own: plc-mutex requests=1 (there is no paper/M_2.xml)")
        );
        assert_eq!(
            describe("symrob-M4").as_deref(),
            Some("there is no symrob-mutualExcl/M4.xml")
        );
        assert_eq!(
            describe("C_1-correct").as_deref(),
            Some("own: plc-track n=0 faults=0 short=0")
        );
        assert!(CORRECT.iter().all(|row| describe(row).is_some()));
        // That one is not published.
        assert_eq!(
            describe("N_4").as_deref(),
            Some("own: plc-mutex requests=3 settling=1")
        );
    }
}
