//! `zonewalk view`

use crate::args::Format;
use crate::chart;
use crate::command_line::command;
use crate::config::ViewConfig;
use crate::document;
use crate::input;
use crate::load::load;
use crate::output::Output;
use crate::refine;
use crate::replay;
use crate::status::{Error, Status};
use crate::trace_file::{self, RunDocument, TraceDocument};
use crate::whole_file;
use zonewalk_page::{Evidence, html, pair};
use zonewalk_report::summary::Summary;

/// Writes a page that shows a trace, or a chart of it. The judge repeats the trace: what is not a run of the model is refused.
pub(crate) fn run(config: &ViewConfig, output: &mut Output) -> Result<Status, Error> {
    let what = if config.chart.is_some() {
        "the chart"
    } else {
        "the page"
    };
    whole_file::expect_writable(what, &config.file)?;
    let name = input::name(&config.replay.trace);
    let bytes = input::read_trace(&config.replay.trace)?;
    let made = match trace_file::parse_run(&bytes) {
        Some(Ok(run)) => of_project(config, &run, output)?,
        Some(Err(error)) => return Err(Error::new(format_args!("{name} is not a trace: {error}"))),
        None => {
            let trace = trace_file::parse(&bytes)
                .map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
            drop(bytes);
            of_model(config, &trace, output)?
        }
    };
    let Some(text) = made else {
        return Ok(Status::Failure);
    };
    whole_file::write(&config.file, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Error::new(whole_file::failure(what, &config.file, &error)))?;
    Ok(Status::Success)
}

/// The page or chart of a run of timed I/O automata; `None` if the project is malformed, which has been reported.
fn of_project(
    config: &ViewConfig,
    document: &RunDocument,
    output: &mut Output,
) -> Result<Option<String>, Error> {
    let name = input::name(&config.replay.trace);
    let wrong = |why: String| Error::new(format_args!("{name}: {why}"));
    let request = &config.replay.request;
    let mut loaded = match refine::load_of_run(&request.model, &request.overrides, document)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(Format::Text, &malformed, output)?;
            return Ok(None);
        }
    };
    refine::replay::confirm(&mut loaded.project, document).map_err(wrong)?;
    if let Some((kind, selection)) = &config.chart {
        let trace = zonewalk_charts::pair::trace_of(&document.run);
        return Ok(Some(
            chart::svg(*kind, &trace, None, selection).map_err(Error::new)?,
        ));
    }
    let mut evidence = Evidence::default();
    let run = &document.run;
    let shown = pair::run(&loaded.project, run, &document.query, run.end.words());
    evidence.add_run(1, Ok(shown.map_err(wrong)?));
    Ok(Some(page(evidence, &input::name(&request.model))))
}

/// The page or chart of a run of a model; `None` if the model is malformed, which has been reported.
fn of_model(
    config: &ViewConfig,
    trace: &TraceDocument,
    output: &mut Output,
) -> Result<Option<String>, Error> {
    let name = input::name(&config.replay.trace);
    let wrong = |why: String| Error::new(format_args!("{name}: {why}"));
    let loaded = match load(&replay::request(&config.replay, trace))? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(Format::Text, &malformed, output)?;
            return Ok(None);
        }
    };
    if !config.replay.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    if let Some((kind, selection)) = &config.chart {
        let interpreter = loaded
            .interpreter()
            .map_err(|found| wrong(found.message.clone()))?;
        zonewalk_checker::replay(&interpreter, &trace.trace, None)
            .map_err(|invalid| wrong(invalid.to_string()))?;
        return Ok(Some(
            chart::svg(*kind, &trace.trace, Some(&loaded), selection).map_err(Error::new)?,
        ));
    }
    let mut evidence = Evidence::of_model(&loaded);
    evidence.notices(&loaded.diagnostics, &loaded.model.sources);
    let title = trace.query.as_deref().unwrap_or(&name);
    evidence.trace(title, &loaded, &trace.trace).map_err(wrong)?;
    Ok(Some(page(evidence, &loaded.name)))
}

fn page(evidence: Evidence, model: &str) -> String {
    let summary = Summary {
        model,
        errors: Vec::new(),
        cases: Vec::new(),
    };
    html(&evidence.document(&summary, vec![command()]))
}
