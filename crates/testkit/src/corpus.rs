//! Public models with known answers, in `../shared/corpus` beside the repository. They are not part of it.
//!
//! Tests that need them are in a target `corpus` of their crate, without the usual harness: that one decides when it is compiled
//! which tests are ignored, and the folder may come or go between two runs. [`corpus_tests!`](crate::corpus_tests) is the
//! `main` of such a target. Its output and its arguments are those of the usual harness; where the models are missing, each test
//! is reported by name as ignored.

use libtest_mimic::{Arguments, Completion, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder, where it is present.
pub fn folder() -> Option<PathBuf> {
    shared("corpus")
}

/// A folder of this name beside the repository, where it is present.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = crate::root().parent()?.join("shared").join(name);
    folder.is_dir().then_some(folder)
}

/// A test with its name; it is told where the models are.
pub type Test = (&'static str, fn(&Path));

/// Runs tests that need public models, or reports them as ignored.
pub fn run(tests: &[Test]) -> ExitCode {
    run_in("corpus", tests)
}

/// Runs tests that need a folder of this name in `../shared`, or reports them as ignored.
pub fn run_in(name: &str, tests: &[Test]) -> ExitCode {
    let (folder, missing) = (shared(name), format!("needs ../shared/{name}"));
    let trials = tests.iter().map(|&(name, test)| {
        let (folder, missing) = (folder.clone(), missing.clone());
        Trial::ignorable_test(name, move || match folder {
            None => Ok(Completion::ignored_with(missing)),
            Some(folder) => {
                test(&folder);
                Ok(Completion::Completed)
            }
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// The `main` of a target whose tests need public models: functions that take the folder.
#[macro_export]
macro_rules! corpus_tests {
    ($($test:ident),+ $(,)?) => {
        fn main() -> std::process::ExitCode {
            $crate::corpus::run(&[$((stringify!($test), $test)),+])
        }
    };
}

/// A line of `accept.tsv`.
#[derive(Clone, Debug)]
pub struct Row {
    /// The model's path below the folder.
    pub file: String,
    /// Verdict of the language's own open parser: `ACCEPT`, `REJECT`, or `LIBRARY` if it lacks a library.
    pub verdict: String,
}

impl Row {
    /// Whether the parser accepts the model.
    pub fn is_accepted(&self) -> bool {
        self.verdict == "ACCEPT"
    }
}

/// The lines of a table, without its head, as columns.
pub fn table(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let columns = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(columns).collect()
}

/// Verdicts of the language's own open parser on each model.
pub fn accepted(folder: &Path) -> Vec<Row> {
    let rows = table(&folder.join("accept.tsv")).into_iter();
    let row = |columns: Vec<String>| {
        let mut columns = columns.into_iter();
        Row {
            file: columns.next().expect("a file"),
            verdict: columns.next().expect("a verdict"),
        }
    };
    rows.map(row).collect()
}

/// A line of `verdicts.tsv`: a verdict that the authors of a model have recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The model's path below the folder.
    pub file: String,
    /// The query.
    pub query: String,
    /// Whether it is satisfied.
    pub is_satisfied: bool,
}

impl Recorded {
    /// Whether the query is about runs without end rather than about states.
    pub fn is_about_runs(&self) -> bool {
        let text = &self.query;
        text.starts_with("E[]") || text.starts_with("A<>") || text.contains("-->")
    }
}

/// The verdicts that are recorded.
pub fn verdicts(folder: &Path) -> Vec<Recorded> {
    let rows = table(&folder.join("verdicts.tsv")).into_iter();
    let row = |columns: Vec<String>| Recorded {
        file: columns[0].clone(),
        query: columns[1].clone(),
        is_satisfied: columns[2] == "satisfied",
    };
    rows.map(row).collect()
}
