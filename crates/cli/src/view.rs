//! `zonewalk view`

use crate::args::Format;
use crate::config::{ReplayConfig, ViewConfig};
use crate::document;
use crate::evidence::Evidence;
use crate::input;
use crate::load::load;
use crate::output::Output;
use crate::refine;
use crate::replay;
use crate::status::{Error, Status};
use crate::trace_file;
use crate::whole_file;
use zonewalk_page::{html, pair};
use zonewalk_report::summary::Summary;

/// Writes a page that shows a trace. The trace is repeated on the reference interpreter: what is no run of the model is refused.
pub(crate) fn run(config: &ViewConfig, output: &mut Output) -> Result<Status, Error> {
    whole_file::expect_writable("the page", &config.file)?;
    let ReplayConfig { trace, quiet, .. } = &config.replay;
    let name = input::name(trace);
    let bytes = input::read_trace(trace)?;
    let mut evidence;
    let model;
    if let Some(run) = trace_file::parse_run(&bytes) {
        let run = run.map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
        let project = &config.replay.request.model;
        let loaded = match refine::load(project)? {
            Ok(loaded) => loaded,
            Err(malformed) => {
                document::refuse(Format::Text, &malformed, output)?;
                return Ok(Status::Failure);
            }
        };
        evidence = Evidence::default();
        let shown = pair::run(&loaded.project, &run.run, &run.query, refine::rule(&run.run));
        let shown = shown.map_err(|why| Error::new(format_args!("{name}: {why}")))?;
        evidence.add_run(1, Ok(shown));
        model = input::name(project);
    } else {
        let told = trace_file::parse(&bytes)
            .map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
        drop(bytes);
        let loaded = match load(&replay::request(&config.replay, &told))? {
            Ok(loaded) => loaded,
            Err(malformed) => {
                document::refuse(Format::Text, &malformed, output)?;
                return Ok(Status::Failure);
            }
        };
        if !quiet {
            output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
        }
        evidence = Evidence::of_model(&loaded);
        evidence.notices(&loaded.diagnostics, &loaded.model.sources);
        let title = told.query.as_deref().unwrap_or(&name);
        evidence
            .trace(title, &loaded, &told.trace)
            .map_err(|why| Error::new(format_args!("{name}: {why}")))?;
        model = loaded.name;
    }
    let summary = Summary {
        model: &model,
        errors: Vec::new(),
        cases: Vec::new(),
    };
    let page = html(&evidence.document(&summary));
    whole_file::write(&config.file, |out| out.write_all(page.as_bytes()))
        .map_err(|error| Error::new(whole_file::failure("the page", &config.file, &error)))?;
    Ok(Status::Success)
}
