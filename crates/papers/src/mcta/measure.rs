//! Measures a cell: a search in a process of its own, with the paper's memory.

use super::row::Source;
use crate::child;
use crate::output::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsStr;
use std::time::Duration;

/// One of our searches.
pub(super) struct Method {
    /// Its title in tables.
    pub(super) name: &'static str,
    /// Arguments of `zonewalk check`.
    args: &'static [&'static str],
    /// Whether what it finds is proved to be shortest.
    pub(super) is_shortest: bool,
}

/// Methods that are measured beside table 2. Another one is one more entry.
pub(super) const METHODS: [Method; 6] = [
    BFS,
    ASTAR_HL,
    ASTAR_PDB,
    ASTAR_DOWNWARD,
    GREEDY_HU,
    GREEDY_HU_USELESS,
];

/// Methods that prove.
pub(super) const PROVERS: [Method; 3] = [BFS, ASTAR_HL, ASTAR_PDB];

const BFS: Method = shortest("bfs", &["--search", "bfs"]);
const ASTAR_HL: Method = shortest("astar-hl", &["--search", "astar", "--heuristic", "hl"]);
const ASTAR_PDB: Method = shortest("astar-pdb", &["--search", "astar", "--heuristic", "pdb"]);

const ASTAR_DOWNWARD: Method = shortest(
    "astar-downward",
    &["--search", "astar", "--heuristic", "pdb", "--pattern", "downward"],
);
const GREEDY_HU: Method = some("greedy-hu", &["--search", "greedy", "--heuristic", "hu"]);
const GREEDY_HU_USELESS: Method = some(
    "greedy-hu-useless",
    &["--search", "greedy", "--heuristic", "hu", "--queues", "useless"],
);

/// Methods that are measured beside the web page, which has hL.
pub(super) const GREEDY: [Method; 4] = [
    some("greedy-hl", &["--search", "greedy", "--heuristic", "hl"]),
    some(
        "greedy-hl-useless",
        &["--search", "greedy", "--heuristic", "hl", "--queues", "useless"],
    ),
    GREEDY_HU,
    GREEDY_HU_USELESS,
];

const fn shortest(name: &'static str, args: &'static [&'static str]) -> Method {
    Method {
        name,
        args,
        is_shortest: true,
    }
}

const fn some(name: &'static str, args: &'static [&'static str]) -> Method {
    Method {
        name,
        args,
        is_shortest: false,
    }
}

/// Limits of a search, as in the paper.
pub(super) const MEMORY: &str = "4GiB";

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) answer: Result<SearchEnding, Failure>,
    pub(super) explored: u64,
    /// States of abstractions that were explored before.
    pub(super) abstract_states: u64,
    /// Processor time, in all but loading.
    pub(super) seconds: f64,
    /// The part of it that came before the search.
    pub(super) preparation: f64,
    pub(super) wall: f64,
    pub(super) peak_memory: u64,
}

/// Results of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SearchEnding {
    /// A run to the goal, as it was found, by its number of steps.
    Run(u64),
    /// There is none.
    Proof,
}

/// Why it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Failure {
    Time,
    Memory,
    Other(String),
}

impl Failure {
    fn new(reason: &str) -> Self {
        if reason.contains("memory") {
            Failure::Memory
        } else {
            Failure::Other(reason.to_owned())
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Failure::Time => "time",
            Failure::Memory => "memory",
            Failure::Other(reason) => reason,
        }
    }
}

/// Searches for the first query of a model, for so long.
pub(super) fn measure(source: &Source, method: &Method, time: Duration) -> Result<Measured, Error> {
    let refuse = |why: &dyn std::fmt::Display| {
        Error::new(format_args!(
            "{} cannot be measured by {}: {why}",
            source.describe(),
            method.name
        ))
    };
    let model = match source {
        Source::File(path) => path.as_os_str(),
        Source::Member { .. } | Source::Missing(_) => OsStr::new("-"),
    };
    let trace = if method.is_shortest { "shortest" } else { "some" };
    let common = format!(
        "--query-index 1 --trace {trace} --shrink none --threads 1 --seed 1 --memory {MEMORY} --format json --quiet"
    );
    let options = method
        .args
        .iter()
        .copied()
        .chain(common.split(' '))
        .map(OsStr::new);
    let args = [OsStr::new("check"), model].into_iter().chain(options);
    let process = child::run(args, source.text()?.as_deref(), time).map_err(|error| refuse(&error))?;
    let document = serde_json::from_slice::<Value>(&process.output).ok();
    let measured = document.and_then(|document| Measured::read(&document["results"][0]));
    match (measured, process.killed) {
        (Some(measured), _) if process.is_late && measured.answer.is_err() => Ok(Measured {
            answer: Err(Failure::Time),
            ..measured
        }),
        (Some(measured), _) => Ok(measured),
        (None, _) if process.is_late => Ok(Measured::failed(Failure::Time)),
        // Such as one that the system has ended.
        (None, Some(how)) => Ok(Measured::failed(Failure::Other(how))),
        (None, None) => Err(refuse(&process.errors.trim())),
    }
}

impl Measured {
    fn failed(failure: Failure) -> Self {
        Measured {
            answer: Err(failure),
            explored: 0,
            abstract_states: 0,
            seconds: 0.0,
            preparation: 0.0,
            wall: 0.0,
            peak_memory: 0,
        }
    }

    /// Reads the result of a query.
    fn read(result: &Value) -> Option<Self> {
        let stats = &result["stats"];
        let wall = result["search_s"].as_f64()?;
        let seconds = result["cpu_s"].as_f64().unwrap_or(wall);
        let answer = match (&result["trace"]["found_steps"], result["proof"].as_bool()?) {
            (Value::Number(steps), _) => Ok(SearchEnding::Run(steps.as_u64()?)),
            (_, true) => Ok(SearchEnding::Proof),
            (_, false) => {
                let verdict = result["verdict"].as_str()?;
                Err(Failure::new(result["reason"].as_str().unwrap_or(verdict)))
            }
        };
        // Others may use the processor, too: what was done before has the same share of it.
        let share = stats["preparation_s"].as_f64().unwrap_or(0.0) / wall.max(f64::MIN_POSITIVE);
        Some(Measured {
            answer,
            explored: stats["states_explored"].as_u64()?,
            abstract_states: stats["abstract_states"].as_u64().unwrap_or(0),
            seconds,
            preparation: seconds * share.min(1.0),
            wall,
            peak_memory: result["peak_memory_bytes"].as_u64().unwrap_or(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_are_read() {
        let mut result = json!({
            "verdict": "satisfied", "proof": true, "search_s": 2.0, "cpu_s": 1.0, "peak_memory_bytes": 7,
            "stats": {"states_explored": 98, "abstract_states": 5000, "preparation_s": 1.5},
            "trace": {"steps": 50, "found_steps": 54}, "reason": null,
        });
        let measured = Measured::read(&result).expect("it is whole");
        assert_eq!(measured.answer, Ok(SearchEnding::Run(54)));
        assert_eq!((measured.explored, measured.abstract_states), (98, 5000));
        assert!((measured.preparation - 0.75).abs() < 1e-9);
        result["trace"] = Value::Null;
        let answer = |result: &Value| Measured::read(result).map(|measured| measured.answer);
        assert_eq!(answer(&result), Some(Ok(SearchEnding::Proof)));
        result["verdict"] = json!("unknown");
        result["proof"] = json!(false);
        for (reason, failure) in [
            ("memory limit reached after 976897 states", Failure::Memory),
            ("no such luck", Failure::Other("no such luck".to_owned())),
        ] {
            result["reason"] = json!(reason);
            assert_eq!(answer(&result), Some(Err(failure)));
        }
        assert_eq!(Measured::read(&json!({})), None);
    }
}
