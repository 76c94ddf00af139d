//! Queries about timed I/O automata: refinement, consistency, determinism, implementation, reachability.
//!
//! ```no_run
//! use zonewalk::refine::{Project, RefineOptions};
//!
//! let mut project = Project::load("models/tea-machine")?;
//! let report = project.check("refinement: Machine <= Specification", &RefineOptions::default())?;
//! println!("{:?} {:?}", report.verdict, report.reason);
//! # Ok::<(), zonewalk::Error>(())
//! ```

use crate::error::{Error, Problem, Problems};
use std::path::Path;
use std::time::Duration;
use zonewalk_checker::Monitor;
use zonewalk_checker::refine::decide_with;
use zonewalk_tioa::write::component_json;

pub use zonewalk_checker::refine::{
    Reason, ReasonKind, RefineDelays, RefineOptions, RefineSearch, Verdict as RefineVerdict,
};
pub use zonewalk_tioa::{AlphabetOf, Inputs};

/// A project of timed I/O automata: components, and queries about them.
#[derive(Clone, Debug)]
pub struct Project {
    loaded: zonewalk_tioa::Loaded,
}

/// What a query about timed I/O automata came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RefineReport {
    /// The answer.
    pub verdict: RefineVerdict,
    /// Whether it is certain: everything was explored, or a run that the judge has repeated shows it.
    pub is_proof: bool,
    /// The name of the search that gave it.
    pub search: &'static str,
    /// Why, for everything but a plain yes.
    pub reason: Option<Reason>,
    /// What to know besides.
    pub notes: Vec<String>,
    /// Transitions of the run that shows the answer, if there is one.
    pub run_steps: Option<usize>,
    /// The component that `get-component` and `prune` have built, as JSON of ECDAR.
    pub component: Option<String>,
    /// Walks that were made.
    pub walks: u64,
    /// Steps of these walks.
    pub steps: u64,
    /// Zones that the complete search has explored.
    pub zones_explored: u64,
    /// How long the search took.
    pub search_time: Duration,
}

impl Project {
    /// Loads a project: a folder of JSON files (ECDAR), or a file of XML or text.
    ///
    /// # Errors
    /// What is wrong with the project.
    pub fn load(path: impl AsRef<Path>) -> Result<Project, Error> {
        match zonewalk_tioa::load(path.as_ref()) {
            Ok(loaded) => Ok(Project { loaded }),
            Err(error) => Err(malformed(&error)),
        }
    }

    /// Loads a project from a text: XML of ECDAR, or UPPAAL's language with `IO` lines.
    ///
    /// # Errors
    /// What is wrong with the project.
    pub fn load_text(name: &str, text: &str) -> Result<Project, Error> {
        match zonewalk_tioa::read::load_file(name, text.as_bytes()) {
            Ok(loaded) => Ok(Project { loaded }),
            Err(error) => Err(malformed(&error)),
        }
    }

    /// The queries that it comes with.
    pub fn queries(&self) -> &[String] {
        &self.loaded.project.queries
    }

    /// What looks wrong in it.
    pub fn warnings(&self) -> Vec<Problem> {
        let warnings = self.loaded.warnings.iter();
        warnings.map(|w| Problem::new(w, &self.loaded.sources)).collect()
    }

    /// Decides a query.
    ///
    /// # Errors
    /// The query is malformed, or names what the project does not have.
    pub fn check(&mut self, query: &str, options: &RefineOptions) -> Result<RefineReport, Error> {
        self.check_with(query, options, &())
    }

    /// Decides a query while a monitor watches, which may cancel the search.
    ///
    /// # Errors
    /// The same as for [`check`](Project::check).
    pub fn check_with(
        &mut self,
        query: &str,
        options: &RefineOptions,
        monitor: &dyn Monitor,
    ) -> Result<RefineReport, Error> {
        let base = self.loaded.sources.add("<query>", query.to_owned());
        let base = base.map_err(|_| Error::Query("the query is too large".to_owned()))?;
        let parsed = zonewalk_tioa::query::parse_at(query, base);
        let parsed =
            parsed.map_err(|error| Error::Malformed(Problems::of([*error], &self.loaded.sources)))?;
        let [query] = parsed.queries.as_slice() else {
            let count = parsed.queries.len();
            return Err(Error::Query(format!(
                "expected one query, but the text has {count}"
            )));
        };
        let answer = decide_with(&mut self.loaded.project, query, options, monitor)
            .map_err(|error| Error::Query(error.to_string()))?;
        if let Some(bug) = answer.bug {
            return Err(Error::Internal(bug));
        }
        let project = &self.loaded.project;
        Ok(RefineReport {
            verdict: answer.verdict,
            is_proof: answer.proof,
            search: answer.search,
            reason: answer.reason,
            notes: answer.notes,
            run_steps: answer.evidence.map(|evidence| evidence.run.steps.len()),
            component: answer.built.map(|built| component_json(&built, &project.actions)),
            walks: answer.walks,
            steps: answer.steps,
            zones_explored: answer.explored,
            search_time: answer.search_time,
        })
    }
}

fn malformed(error: &zonewalk_tioa::LoadError) -> Error {
    let errors = error.diagnostics.iter().cloned();
    Error::Malformed(Problems::of(errors, &error.sources))
}
