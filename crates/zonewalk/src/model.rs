//! A loaded model, and everything that can be done with it.

use crate::certificate::Judgement;
use crate::error::{Error, Problem, Problems};
use crate::report::{Coverage, Exploration, Report, Unreached};
use std::time::Instant;
use zonewalk_checker::load::{Loaded, LoadedQuery, Wrapped};
use zonewalk_checker::{
    self as checker, Diagnostic, Monitor, Options, QueryRefusal, QuerySet, RefusalKind, SourceMap,
};
use zonewalk_report::trace::{End, Step, Trace};

/// A model that was loaded, with its queries.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) loaded: Loaded,
}

/// A query of a model.
#[derive(Clone, Copy, Debug)]
pub struct Query<'m> {
    loaded: &'m LoadedQuery,
    sources: &'m SourceMap,
}

/// A template of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Template<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its locations.
    pub locations: Vec<&'m str>,
    /// The number of its edges; one into a branchpoint counts once per branch.
    pub edges: usize,
}

/// A process of a model.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Process<'m> {
    /// `P`, `P(3)`, `P(1,0)`.
    pub name: &'m str,
    /// The name of its template.
    pub template: &'m str,
}

impl Query<'_> {
    /// The formula, on one line.
    pub fn formula(&self) -> &str {
        &self.loaded.entry.text
    }

    /// The comment that its file has for it.
    pub fn comment(&self) -> &str {
        &self.loaded.entry.comment
    }

    /// Errors of the query. Other queries can be checked all the same.
    pub fn errors(&self) -> Vec<Problem> {
        let errors = self.loaded.typed.as_ref().err().into_iter().flatten();
        errors.map(|error| Problem::new(error, self.sources)).collect()
    }
}

impl Model {
    pub(crate) fn new(loaded: Loaded) -> Model {
        Model { loaded }
    }

    /// Name used in messages.
    pub fn name(&self) -> &str {
        &self.loaded.name
    }

    /// Its queries; the methods below take their indices, from 0.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = Query<'_>> {
        self.loaded.queries.iter().map(|loaded| Query {
            loaded,
            sources: self.sources(),
        })
    }

    /// Its templates, in the order of the file.
    pub fn templates(&self) -> impl ExactSizeIterator<Item = Template<'_>> {
        self.loaded.model.templates.iter().map(|template| Template {
            name: &template.name,
            locations: template
                .locations
                .iter()
                .map(|location| &*location.name)
                .collect(),
            edges: template.edges.len(),
        })
    }

    /// Its processes, in the order of the system line.
    pub fn processes(&self) -> impl ExactSizeIterator<Item = Process<'_>> {
        let templates = &self.loaded.model.templates;
        self.loaded.system.processes.iter().map(|process| Process {
            name: &process.name,
            template: &templates[process.template.index()].name,
        })
    }

    /// The names of its clocks.
    pub fn clocks(&self) -> impl ExactSizeIterator<Item = &str> {
        self.loaded.system.clocks.iter().map(|clock| &*clock.name)
    }

    /// Features it uses beyond plain timed automata, in words.
    pub fn features(&self) -> Vec<&'static str> {
        let used = zonewalk_report::info::features(&self.loaded.model);
        used.into_iter().map(|used| used.feature).collect()
    }

    /// Asks one more query; its index.
    ///
    /// # Errors
    /// Errors in it.
    pub fn add_query(&mut self, formula: &str) -> Result<usize, Error> {
        self.loaded
            .add_query(formula)
            .map_err(|errors| Error::MalformedQuery(Problems::of(errors, self.sources())))
    }

    /// Asks one more query, and estimates it by importance splitting: the expression says how far a state is on its way to the goal.
    ///
    /// # Errors
    /// Errors in one of them, or why the query has no use for it.
    pub fn add_query_with_levels(&mut self, formula: &str, levels: &str) -> Result<usize, Error> {
        self.loaded
            .add_query_by_levels(formula, levels)
            .map_err(|errors| Error::MalformedQuery(Problems::of(errors, self.sources())))
    }

    /// Warnings about the model.
    pub fn warnings(&self) -> Vec<Problem> {
        let warnings = self.loaded.diagnostics.iter();
        warnings
            .map(|warning| Problem::new(warning, self.sources()))
            .collect()
    }

    /// Decides a query.
    ///
    /// # Errors
    /// There is no such query, it is malformed, or the search that the options name cannot decide it.
    pub fn check(&self, query: usize, options: &Options) -> Result<Report, Error> {
        self.check_with(query, options, &())
    }

    /// Decides a query while a monitor watches, which may cancel the search.
    ///
    /// # Errors
    /// Errors of [`check`](Model::check).
    pub fn check_with(
        &self,
        query: usize,
        options: &Options,
        monitor: &dyn Monitor,
    ) -> Result<Report, Error> {
        self.check_led(query, options, None, monitor)
    }

    /// Decides a query by a search that is led by pattern databases about these components: names with commas between them, patterns with
    /// semicolons, as `zonewalk check --pattern` has them. Other searches and estimates do not look at them.
    ///
    /// # Errors
    /// Errors of [`check`](Model::check); a pattern names what the model does not have.
    pub fn check_with_patterns(
        &self,
        query: usize,
        options: &Options,
        patterns: &str,
        monitor: &dyn Monitor,
    ) -> Result<Report, Error> {
        self.check_led(query, options, Some(patterns), monitor)
    }

    fn check_led(
        &self,
        query: usize,
        options: &Options,
        patterns: Option<&str>,
        monitor: &dyn Monitor,
    ) -> Result<Report, Error> {
        let start = Instant::now();
        let typed = self.query(query)?;
        options_fit(options)?;
        let mut report = self.decide(typed, options, patterns, monitor)?;
        let result = &mut report.result;
        let entry = &self.loaded.queries[query].entry;
        result.set_question(&entry.text, &entry.comment);
        options.record_in(result);
        if let Some(certificate) = &mut report.certificate {
            certificate.header.model.clone_from(&self.loaded.name);
            certificate.header.query.clone_from(&entry.text);
        }
        result.cost.load_s = self.loaded.times.total_s;
        result.cost.time_s = result.cost.load_s + start.elapsed().as_secs_f64();
        Ok(report)
    }

    fn decide(
        &self,
        query: &checker::load::Query,
        options: &Options,
        patterns: Option<&str>,
        monitor: &dyn Monitor,
    ) -> Result<Report, Error> {
        let queries = QuerySet::new(&self.loaded.model, &self.loaded.system, [query]);
        let planned = queries.plan(options.search);
        let refuse = |refusal: QueryRefusal| {
            let wrong = match refusal.kind {
                RefusalKind::Query => Error::MalformedQuery,
                RefusalKind::Form | RefusalKind::Search | RefusalKind::Model => Error::Malformed,
            };
            Error::of_compile(refusal.errors, self.sources(), wrong)
        };
        let mut decider = planned.decider();
        if let Some(patterns) = patterns {
            decider
                .set_patterns(patterns)
                .map_err(|error| Error::Query(format!("{error}: {}", error.help())))?;
        }
        let mut warnings: Vec<_> = decider.may_not_end(0, options).into_iter().collect();
        let report = decider.check_with(0, options, monitor).map_err(refuse)?;
        let mut report = Report::new(report, self.sources())?;
        let mut wrapped = Wrapped::known(&self.loaded.diagnostics);
        warnings.append(&mut decider.warnings(Some(0), &mut wrapped));
        let found = warnings.iter().map(|found| Problem::new(found, self.sources()));
        report.problems.splice(0..0, found);
        Ok(report)
    }

    /// Explores the model without a query: by walks, or all of the zone graph, as the search says.
    ///
    /// # Errors
    /// The search does not support the model.
    pub fn explore(&self, options: &Options) -> Result<Exploration, Error> {
        self.explore_with(options, &())
    }

    /// Explores the model while a monitor watches, which may cancel it.
    ///
    /// # Errors
    /// The search does not support the model.
    pub fn explore_with(&self, options: &Options, monitor: &dyn Monitor) -> Result<Exploration, Error> {
        options_fit(options)?;
        let queries = QuerySet::new(&self.loaded.model, &self.loaded.system, []);
        let planned = queries.plan(options.search);
        let task = planned
            .task()
            .map_err(|errors| Error::of_compile(errors.to_vec(), self.sources(), Error::Malformed))?;
        let explored = task.checker().explore_with(options, monitor);
        Exploration::new(explored.report, self.coverage(&explored.coverage), self.sources())
    }

    /// A random run of at most `steps` steps on the reference interpreter; a deadlock or a run-time error ends it earlier.
    ///
    /// # Errors
    /// The interpreter does not support the model, or there is no initial state.
    pub fn simulate(&self, seed: u64, steps: usize) -> Result<Trace, Error> {
        self.loaded
            .simulate(seed, steps)
            .map_err(|error| Error::Unsupported(Problems::of([*error], self.sources())))
    }

    /// A random run that goes on as long as it is asked to: [`Simulation::steps`] makes the next ones.
    ///
    /// # Errors
    /// The interpreter does not support the model, or there is no initial state.
    pub fn simulation(&self, seed: u64) -> Result<Simulation, Error> {
        self.loaded
            .simulation(seed)
            .map(Simulation)
            .map_err(|error| Error::Unsupported(Problems::of([*error], self.sources())))
    }

    /// Repeats a trace on the reference interpreter: everything that it says must be so, and it must show what the query with this
    /// index asks for, if one is given.
    ///
    /// # Errors
    /// The first thing that is not so ([`Error::InvalidTrace`]), or why the trace cannot be judged.
    pub fn replay(&self, trace: &Trace, query: Option<usize>) -> Result<(), Error> {
        let query = query.map(|index| self.query(index)).transpose()?;
        self.loaded
            .replay(trace, query)
            .map_err(|error| Error::Unsupported(Problems::of([*error], self.sources())))?
            .map_err(Error::InvalidTrace)
    }

    /// Has the judge of proofs look at a certificate, compressed or not: whether it proves what it claims about the query with this index,
    /// or about the model alone. Nothing is concluded from what the file says about model and query.
    ///
    /// # Errors
    /// There is no such query; the certificate is malformed, or one of another model ([`Error::InvalidCertificate`]).
    pub fn judge(&self, certificate: &[u8], query: Option<usize>) -> Result<Judgement, Error> {
        let query = query.map(|index| self.query(index)).transpose()?;
        let (model, system) = (&self.loaded.model, &self.loaded.system);
        let read = checker::ReadCertificate::new(model, system, certificate, usize::MAX)
            .map_err(|error| Error::InvalidCertificate(error.to_string()))?;
        let options = checker::JudgeOptions::default();
        let judged = read.judge((model, system), query, &options, &checker::Control::default());
        Ok(Judgement::new(judged))
    }

    fn query(&self, index: usize) -> Result<&checker::load::Query, Error> {
        let queries = &self.loaded.queries;
        let query = queries.get(index).ok_or(Error::NoSuchQuery {
            index,
            count: queries.len(),
        })?;
        let malformed = |errors: &Vec<Diagnostic>| {
            Error::MalformedQuery(Problems::of(errors.iter().cloned(), self.sources()))
        };
        query.typed.as_ref().map_err(malformed)
    }

    pub(crate) fn sources(&self) -> &SourceMap {
        &self.loaded.model.sources
    }

    fn coverage(&self, coverage: &checker::Coverage) -> Coverage {
        let templates = &self.loaded.model.templates;
        let line = |start: u32| self.sources().source(start).map(|source| source.line(start));
        let locations = coverage.unreached_locations.iter().map(|unreached| {
            let template = &templates[unreached.template.index()];
            let location = &template.locations[unreached.id.index()];
            Unreached {
                template: template.name.to_string(),
                name: location.name.to_string(),
                line: line(location.span.start),
                missed: unreached.missed,
                processes: unreached.processes,
            }
        });
        let edges = coverage.unreached_edges.iter().map(|unreached| {
            let template = &templates[unreached.template.index()];
            let edge = &template.edges[unreached.id.index()];
            let name = |id: checker::LocationId| &template.locations[id.index()].name;
            Unreached {
                template: template.name.to_string(),
                name: format!("{} -> {}", name(edge.source), name(edge.target)),
                line: line(edge.span.start),
                missed: unreached.missed,
                processes: unreached.processes,
            }
        });
        Coverage {
            locations: coverage.locations,
            edges: coverage.edges,
            unreached_locations: locations.collect(),
            unreached_edges: edges.collect(),
        }
    }
}

/// A random run under way. It borrows nothing, so that it can be kept while the model is asked other things.
#[derive(Clone, Debug)]
pub struct Simulation(checker::load::Simulation);

impl Simulation {
    /// The next steps, at most `count`; fewer where a deadlock or a run-time error ends the run: [`Simulation::end`] tells that.
    ///
    /// # Errors
    /// The model is not the one that it was begun with, and the interpreter does not support it.
    pub fn steps(&mut self, model: &Model, count: usize) -> Result<Vec<Step>, Error> {
        self.0
            .steps(&model.loaded, count)
            .map_err(|error| Error::Unsupported(Problems::of([*error], model.sources())))
    }

    /// Why it goes no further; `None` as long as it does.
    pub fn end(&self) -> Option<&End> {
        self.0.end()
    }
}

/// A range of walks needs walks that do not depend on each other.
fn options_fit(options: &Options) -> Result<(), Error> {
    if options.walks.first > 0 && !checker::has_independent_walks(options.search) {
        return Err(Error::DependentWalks {
            search: options.search.name(),
        });
    }
    Ok(())
}
