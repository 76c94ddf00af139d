//! `zonewalk explore`

use crate::args::Format;
use crate::certificate_file::CertificateFiles;
use crate::check::{QueryOutcome, print_trace, write_document};
use crate::command_line::command;
use crate::config::ExploreConfig;
use crate::document;
use crate::interrupt;
use crate::load::{Loaded, load};
use crate::output::Output;
use crate::progress::{self, QueryProgress};
use crate::status::{Error, Status};
use crate::whole_file;
use std::sync::Arc;
use std::time::Instant;
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::resources;
use zonewalk_checker::{Checker, Control, Coverage, Explored, Limit, Outcome, QuerySet, Unreached};
use zonewalk_model::ids::{LocationId, TemplateId};
use zonewalk_page::{CoverageDocument, Covered, CoveredTemplate, coverage_html};
use zonewalk_report::diagnostic::json;
use zonewalk_report::layout::WIDTH;
use zonewalk_report::verdict::QueryResult;
use zonewalk_report::verdict::coverage::{Counted, CoverageInfo, UnreachedInfo, render, summary};
use zonewalk_searches::Question;
use zonewalk_syntax::diagnostic::Diagnostics;
use zonewalk_syntax::span::Span;

/// How searches end that do not follow every state.
pub(crate) const LEFT_OUT: &str = "the search cannot continue; states left out at random are not counted";

/// Walks without a goal.
pub(crate) fn run(config: &ExploreConfig, output: &mut Output) -> Result<Status, Error> {
    if let Some(file) = &config.coverage {
        whole_file::expect_writable("the page", file)?;
    }
    let (certificates, unwritable) = CertificateFiles::new(config.certificate.as_deref(), false, output);
    let start = Instant::now();
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
        let notes = config.search.notes(&[Question::States]);
        notes.iter().for_each(|note| output.note(note));
    }
    let mut diagnostics = loaded.diagnostics.clone();
    let queries = QuerySet::new(&loaded.model, &loaded.system, []);
    let planned = queries.plan(config.search.options().search);
    let task = match planned.task() {
        Ok(task) => task,
        Err(refusals) => {
            for refusal in refusals {
                output.diagnostic(refusal, &loaded.model.sources);
                diagnostics.push(refusal.clone());
            }
            print(config, &loaded, None, &diagnostics, output)?;
            return Ok(Status::Failure);
        }
    };
    let checker = task.checker();
    let load = start.elapsed();
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let options = config.search.options();
    if let Some(warning) = checker.exploring_may_not_end(&options) {
        if !config.quiet {
            output.diagnostic(&warning, &loaded.model.sources);
        }
        diagnostics.push(warning);
    }
    let Explored { report, coverage } = progress::watch(
        config.search.progress,
        QueryProgress::ALONE,
        &options,
        &control,
        |_| checker.explore(&options, &control),
    );
    let status = match &report.outcome {
        Outcome::Decided { .. } => Status::Success,
        Outcome::Undecided(reason) => match reason.limit {
            Limit::Walks | Limit::Incomplete => Status::Success,
            Limit::Cancelled => Status::Interrupted,
            _ => Status::Undecided,
        },
        Outcome::Maybe { .. } | Outcome::Values { .. } | Outcome::Estimated { .. } => Status::Undecided,
        Outcome::Fault(_) => Status::Failure,
        Outcome::Bug(_) => Status::Bug,
    };
    let stuck = match report.limit() {
        // All walks were made: their number does not explain anything.
        Some(Limit::Walks) => Some(report.stats.stuck()),
        Some(Limit::Incomplete) => Some(Some(LEFT_OUT.to_owned())),
        _ => None,
    };
    let is_complete = matches!(report.outcome, Outcome::Decided { .. });
    let mut outcome = QueryOutcome::from_report(report);
    let result = &mut outcome.result;
    result.verdict = None;
    result.proof = is_complete;
    if let Some(stuck) = stuck {
        result.reason = stuck;
    }
    options.record_in(result);
    result.cost.load_s = load.as_secs_f64();
    result.cost.time_s = start.elapsed().as_secs_f64();
    result.cost.cpu_s = resources::cpu_time().as_secs_f64();
    result.cost.peak_memory_bytes = resources::peak_memory();
    result.coverage = Some(describe(&loaded, &checker, &coverage));
    outcome.warnings = Wrapped::known(&diagnostics).warnings(task.wraps());
    outcome.warnings.append(&mut task.stale_variables());
    for diagnostic in outcome.warnings.iter().chain(&outcome.diagnostics) {
        diagnostics.push(diagnostic.clone());
    }
    let mut unwritten = None;
    if let Some(mut files) = certificates {
        match outcome.certificate.take() {
            Some(kept) => {
                let of = (&*loaded.name, &*config.request.overrides);
                unwritten = files.write(1, &kept, of, &mut outcome.result);
            }
            None => output.note("--certificate writes proofs, and there is none: nothing was written"),
        }
    }
    print(config, &loaded, Some(&outcome), &diagnostics, output)?;
    let status = match unwritten {
        Some(error) => status.max(Error::new(error).report(output)),
        None => status.max(unwritable),
    };
    let warnings = outcome.warnings.iter().filter(|_| !config.quiet);
    for diagnostic in warnings.chain(&outcome.diagnostics) {
        output.diagnostic(diagnostic, &loaded.model.sources);
    }
    if let Some(file) = &config.coverage {
        let page = page(&loaded, &outcome.result, &coverage);
        whole_file::write(file, |out| out.write_all(page.as_bytes()))
            .map_err(|error| Error::new(whole_file::failure("the page", file, &error)))?;
    }
    if let Some(bug) = &outcome.bug {
        output.error(&format!("internal error, please report: {bug}"));
    }
    Ok(status)
}

fn print(
    config: &ExploreConfig,
    loaded: &Loaded,
    outcome: Option<&QueryOutcome>,
    diagnostics: &Diagnostics,
    output: &mut Output,
) -> Result<(), Error> {
    match (config.format, outcome) {
        (Format::Json, outcome) => {
            let results: Vec<_> = outcome.iter().map(|outcome| &outcome.result).collect();
            let diagnostics = json::all(diagnostics, &loaded.model.sources);
            write_document(&loaded.name, &results, diagnostics, output)
        }
        (Format::Text, None) => Ok(()),
        (Format::Text, Some(outcome)) => {
            if let Some(coverage) = &outcome.result.coverage {
                output.text(&render(&outcome.result, coverage, output.width()))?;
            }
            if let Some(trace) = &outcome.trace {
                output.result("\n")?;
                print_trace(trace, output)?;
            }
            Ok(output.flush()?)
        }
    }
}

/// The automata, coloured by what was reached.
fn page(loaded: &Loaded, result: &QueryResult, coverage: &Coverage) -> String {
    let mut processes = vec![0; loaded.model.templates.len()];
    for process in &loaded.system.processes {
        processes[process.template.index()] += 1;
    }
    let line = |span: Span| {
        let source = loaded.model.sources.source(span.start)?;
        Some(format!("line {}", source.line(span.start)))
    };
    let mut templates = Vec::new();
    for (index, template) in loaded.model.templates.iter().enumerate() {
        let written = loaded.templates.iter().find(|one| one.name.name == template.name);
        let Some(written) = written.filter(|_| processes[index] > 0) else {
            continue;
        };
        let name = |id: LocationId| &template.locations[id.index()].name;
        let locations = template.locations.iter().map(|location| Covered {
            name: location.name.to_string(),
            place: line(location.span),
            reached: processes[index],
        });
        let edges = template.edges.iter().map(|edge| Covered {
            name: format!("{} → {}", name(edge.source), name(edge.target)),
            place: line(edge.span),
            reached: processes[index],
        });
        let (mut locations, mut edges): (Vec<_>, Vec<_>) = (locations.collect(), edges.collect());
        let is_here = |of: TemplateId| of.index() == index;
        for missed in coverage
            .unreached_locations
            .iter()
            .filter(|one| is_here(one.template))
        {
            locations[missed.id.index()].reached -= missed.missed;
        }
        for missed in coverage
            .unreached_edges
            .iter()
            .filter(|one| is_here(one.template))
        {
            edges[missed.id.index()].reached -= missed.missed;
        }
        templates.push(CoveredTemplate {
            drawing: zonewalk_drawing::template(written),
            processes: processes[index],
            locations,
            edges,
        });
    }
    coverage_html(&CoverageDocument {
        title: loaded.name.clone(),
        tool: format!("zonewalk {}", env!("CARGO_PKG_VERSION")),
        command: command(),
        summary: summary(result, WIDTH),
        is_complete: result.proof,
        templates,
    })
}

fn describe(loaded: &Loaded, checker: &Checker<'_, '_>, coverage: &Coverage) -> CoverageInfo {
    let templates = &loaded.model.templates;
    let place = |span: Span| {
        let source = loaded.model.sources.source(span.start);
        (
            source.map(|source| source.name.clone()),
            source.map(|source| source.line(span.start)),
        )
    };
    let location = |unreached: &Unreached<_>| {
        let template = &templates[unreached.template.index()];
        let location: zonewalk_model::ids::LocationId = unreached.id;
        let location = &template.locations[location.index()];
        (template, location.name.to_string(), location.span)
    };
    let edge = |unreached: &Unreached<_>| {
        let template = &templates[unreached.template.index()];
        let edge = checker.edge(unreached);
        let name = |id: zonewalk_model::ids::LocationId| &template.locations[id.index()].name;
        let name = format!("{} → {}", name(edge.source), name(edge.target));
        (template, name, edge.span)
    };
    CoverageInfo {
        locations: counted(coverage.locations, &coverage.unreached_locations),
        edges: counted(coverage.edges, &coverage.unreached_edges),
        unreached_locations: coverage
            .unreached_locations
            .iter()
            .map(|u| info(u, location(u), place))
            .collect(),
        unreached_edges: coverage
            .unreached_edges
            .iter()
            .map(|u| info(u, edge(u), place))
            .collect(),
    }
}

fn info<Id>(
    unreached: &Unreached<Id>,
    (template, name, span): (&zonewalk_model::tree::Template, String, Span),
    place: impl Fn(Span) -> (Option<String>, Option<u32>),
) -> UnreachedInfo {
    let (file, line) = place(span);
    UnreachedInfo {
        template: template.name.to_string(),
        name,
        file,
        line,
        missed: unreached.missed,
        processes: unreached.processes,
    }
}

fn counted<Id>(total: usize, unreached: &[Unreached<Id>]) -> Counted {
    let missed: usize = unreached.iter().map(|u| u.missed).sum();
    Counted {
        reached: total - missed,
        total,
    }
}
