//! From the name of a row to its model, and from that of a column to a search.

use crate::output::Error;
use std::time::{Duration, Instant};
use zonewalk_checker::Schedule;
use zonewalk_checker::refine::{RefineDelays, RefineOptions, RefineSearch, Trials};
use zonewalk_tioa::read::load_file;
use zonewalk_tioa::{Project, Query};

/// A model of our families, and how far its walks go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    family: &'static str,
    params: Vec<(String, String)>,
    /// The fixed number of steps, which the paper does not print.
    pub(super) steps: u32,
}

impl Row {
    /// `Milner-N8-d20-v2`, `Leader-N5-v2`, `Leader-N6-one-m1`.
    pub(super) fn new(name: &str) -> Option<Row> {
        let mut words = name.split('-');
        let is_milner = match words.next()? {
            "Milner" => true,
            "Leader" => false,
            _ => return None,
        };
        let mut params = vec![("v".to_owned(), "0".to_owned())];
        let mut nodes = 0;
        for word in words {
            let mut param = |name: &str, value: &str| params.push((name.to_owned(), value.to_owned()));
            match word.split_at_checked(1)? {
                ("N", n) => {
                    nodes = n.parse().ok()?;
                    param("n", n);
                }
                ("d", d) => param("d", d),
                ("v", v) => {
                    params.remove(0);
                    params.push(("v".to_owned(), v.to_owned()));
                }
                ("m", _) => param("mutant", word),
                _ => param("mutants", word),
            }
        }
        Some(Row {
            family: if is_milner { "milner-tioa" } else { "leader-tioa" },
            params,
            steps: steps(is_milner, nodes),
        })
    }

    /// Whether the ring does no more than the overall specification allows: then there is nothing to find.
    pub(super) fn holds(&self) -> bool {
        let is = |name: &str, value: &str| self.params.iter().any(|(n, v)| n == name && v == value);
        is("v", "0") && !self.params.iter().any(|(name, _)| name == "mutant")
    }

    /// Writes the model and reads it.
    pub(super) fn load(&self) -> Result<Subject, Error> {
        let text = zonewalk_families::generate(self.family, &self.params).map_err(Error::new)?;
        Subject::load(self.family, &text)
    }
}

/// Milner: each node does two things in a round, and a walk goes round four times. Leaders: the highest priority takes N hops, and
/// in each of them every node can speak twice.
fn steps(is_milner: bool, nodes: u32) -> u32 {
    if is_milner {
        8 * (nodes + 1)
    } else {
        2 * nodes * (nodes + 1)
    }
}

/// Footer of these numbers.
pub(super) const STEPS: &str = "8 (N + 1) steps in Milner's ring, 2 N (N + 1) in an election";

/// A model that is ready to be measured.
pub(super) struct Subject {
    pub(super) project: Project,
    pub(super) query: Query,
    pub(super) trials: Trials,
    /// Time for reading the text and building both sides.
    pub(super) load: Duration,
}

impl Subject {
    /// Reads a project, and builds the refinement that its first query asks for.
    fn load(name: &str, text: &str) -> Result<Subject, Error> {
        Subject::new(name, text, None)
    }

    /// Measures a text without queries.
    pub(super) fn of_text(name: &str, text: &str, query: &str) -> Result<Subject, Error> {
        Subject::new(name, text, Some(query))
    }

    fn new(name: &str, text: &str, query: Option<&str>) -> Result<Subject, Error> {
        let start = Instant::now();
        let refuse =
            |why: &dyn std::fmt::Display| Error::new(format_args!("{name} cannot be measured: {why}"));
        let mut project = load_file(name, text.as_bytes())
            .map_err(|_| refuse(&"it cannot be read"))?
            .project;
        let query = query.or(project.queries.first().map(String::as_str));
        let query = query
            .and_then(|text| zonewalk_tioa::query::parse(text).ok()?.into_iter().next())
            .ok_or_else(|| refuse(&"it has no query"))?;
        let trials =
            Trials::new(&mut project, &query, &RefineOptions::default()).map_err(|why| refuse(&why))?;
        Ok(Subject {
            project,
            query,
            trials,
            load: start.elapsed(),
        })
    }
}

/// Method of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) search: RefineSearch,
    pub(super) delays: RefineDelays,
    /// The paper's walks, or ours.
    pub(super) schedule: Schedule,
}

/// Whether a column has walks that are measured by our schedule as well: those with adaptive delays, which are its default.
pub(super) fn has_schedules(column: &str) -> bool {
    ["RET", "RCF"].contains(&column)
}

/// The search of a column.
pub(super) fn search(column: &str, schedule: Schedule) -> Option<Method> {
    let delays = match column.rsplit_once('-') {
        Some((_, "U")) => RefineDelays::Uniform,
        Some((_, "PD")) => RefineDelays::Pd,
        _ => RefineDelays::Adaptive,
    };
    let search = match column {
        "ECDAR" => RefineSearch::Symbolic,
        "RET" | "RET-U" | "RET-PD" => RefineSearch::Ret,
        "RCF" | "RCF-U" | "RCF-PD" => RefineSearch::Rcf,
        "SMC" | "Java-SMC" | "UPPAAL-SMC" => RefineSearch::Smc,
        _ => return None,
    };
    Some(Method {
        search,
        delays,
        schedule,
    })
}

#[cfg(test)]
mod tests {
    use super::super::paper::TABLES;
    use super::*;

    #[test]
    fn rows_are_members_of_families() {
        for table in &TABLES {
            let is_known = |column: &&str| search(column, Schedule::Paper).is_some();
            assert!(table.columns.iter().all(is_known));
            for (name, _) in table.rows() {
                let row = Row::new(name).unwrap();
                assert!(
                    zonewalk_families::generate(row.family, &row.params).is_ok(),
                    "{name}"
                );
                assert_eq!(row.holds(), name.ends_with("-v0"), "{name}");
            }
        }
        let row = Row::new("Leader-N6-one-m1").unwrap();
        let params = [("v", "0"), ("n", "6"), ("mutants", "one"), ("mutant", "m1")];
        assert_eq!(
            row.params,
            params.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
        assert_eq!(
            (row.steps, Row::new("Milner-N50-d4-v2").unwrap().steps),
            (84, 408)
        );
        for wrong in ["", "Milner-", "Leader-Nx", "Fischer-N3"] {
            assert_eq!(Row::new(wrong), None, "{wrong}");
        }
    }
}
