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
use std::time::{Duration, Instant};
use zonewalk_checker::Monitor;
use zonewalk_checker::refine::{decide_with, to_result};
use zonewalk_page::{Evidence, html, pair};
use zonewalk_report::refinement::RefineResult;
use zonewalk_tioa::write::component_json;

pub use zonewalk_checker::refine::{
    Reason, ReasonKind, RefineDelays, RefineOptions, RefineSearch, Verdict as RefineVerdict,
};
pub use zonewalk_report::refinement::Run;
pub use zonewalk_tioa::{AlphabetOf, Inputs};

/// A project of timed I/O automata: components, and queries about them.
#[derive(Clone, Debug)]
pub struct Project {
    loaded: zonewalk_tioa::Loaded,
    name: String,
    load_s: f64,
}

/// Result of a query about timed I/O automata.
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
    /// Further notes.
    pub notes: Vec<String>,
    /// Transitions of the run that shows the answer, if there is one.
    pub run_steps: Option<usize>,
    /// That run, confirmed by an interpreter that shares nothing with the engines.
    pub run: Option<Run>,
    /// The component that `get-component` and `prune` have built, as JSON of ECDAR.
    pub component: Option<String>,
    /// Walks that were made.
    pub walks: u64,
    /// Steps of these walks.
    pub steps: u64,
    /// Zones that the complete search has explored.
    pub zones_explored: u64,
    /// Duration of the search.
    pub search_time: Duration,
    /// The result as the command reports it.
    result: Box<RefineResult>,
}

impl RefineReport {
    /// The object that `zonewalk refine --format json` has for the query in `results`. What a process has used is left at 0 there:
    /// `cpu_s` and `peak_memory_bytes`.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.result).unwrap_or_default()
    }
}

impl Project {
    /// Loads a project: a folder of JSON files (ECDAR), or a file of XML or text.
    ///
    /// # Errors
    /// Errors of the project.
    pub fn load(path: impl AsRef<Path>) -> Result<Project, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        Project::finish(&name, || zonewalk_tioa::load(path))
    }

    /// Loads a project from a text: XML of ECDAR, or UPPAAL's language with `IO` lines.
    ///
    /// # Errors
    /// Errors of the project.
    pub fn load_text(name: &str, text: &str) -> Result<Project, Error> {
        Project::finish(name, || zonewalk_tioa::read::load_file(name, text.as_bytes()))
    }

    fn finish(
        name: &str,
        load: impl FnOnce() -> Result<zonewalk_tioa::Loaded, Box<zonewalk_tioa::LoadError>>,
    ) -> Result<Project, Error> {
        let start = Instant::now();
        let loaded = load().map_err(|error| malformed(&error))?;
        Ok(Project {
            loaded,
            name: name.to_owned(),
            load_s: start.elapsed().as_secs_f64(),
        })
    }

    /// Name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A web page that shows a run of it: the automata of its systems side by side.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn page(&self, title: &str, run: &Run) -> Result<String, Error> {
        let run = pair::run(&self.loaded.project, run, title, run.end.words());
        let mut evidence = Evidence::default();
        evidence.add_run(1, Ok(run.map_err(Error::Query)?));
        Ok(html(&evidence.page(&self.name, Vec::new(), Vec::new())))
    }

    /// The queries that it comes with.
    pub fn queries(&self) -> &[String] {
        &self.loaded.project.queries
    }

    /// Warnings about the project.
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
    /// Those of [`check`](Project::check).
    pub fn check_with(
        &mut self,
        query: &str,
        options: &RefineOptions,
        monitor: &dyn Monitor,
    ) -> Result<RefineReport, Error> {
        let (start, text) = (Instant::now(), query);
        let base = self.loaded.sources.add("<query>", query.to_owned());
        let base = base.map_err(|_| Error::Query("the query is too large".to_owned()))?;
        let parsed = zonewalk_tioa::query::parse_at(query, base);
        let parsed =
            parsed.map_err(|error| Error::MalformedQuery(Problems::of([*error], &self.loaded.sources)))?;
        let [query] = parsed.queries.as_slice() else {
            let count = parsed.queries.len();
            return Err(Error::Query(format!(
                "expected one query, but the text has {count}"
            )));
        };
        let answer = decide_with(&mut self.loaded.project, query, options, monitor)
            .map_err(|error| Error::Query(error.to_string()))?;
        let project = &self.loaded.project;
        let (mut result, bug) = to_result(project, query, options, &answer);
        if let Some(bug) = bug {
            return Err(Error::Internal(bug));
        }
        result.query = text.trim().to_owned();
        result.load_s = self.load_s;
        result.time_s = self.load_s + start.elapsed().as_secs_f64();
        Ok(RefineReport {
            verdict: answer.verdict,
            is_proof: answer.proof,
            search: answer.search,
            reason: answer.reason,
            notes: answer.notes,
            run_steps: result.trace.as_ref().map(|trace| trace.steps),
            run: result.trace.as_ref().map(|trace| trace.run.clone()),
            component: answer.built.map(|built| component_json(&built, &project.actions)),
            walks: answer.walks,
            steps: answer.steps,
            zones_explored: answer.explored,
            search_time: answer.search_time,
            result: Box::new(result),
        })
    }
}

fn malformed(error: &zonewalk_tioa::LoadError) -> Error {
    let errors = error.diagnostics.iter().cloned();
    Error::Malformed(Problems::of(errors, &error.sources))
}
