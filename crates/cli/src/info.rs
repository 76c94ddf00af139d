//! `zonewalk info`

use crate::args::Format;
use crate::config::InfoConfig;
use crate::load::{Loaded, Malformed, load};
use crate::output::Output;
use crate::status::{Error, Status};
use serde::Serialize;
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};
use zonewalk_report::info::{Compiled, Facts, ModelInfo, QueryFacts, text};

/// Tells all about a model. The status says whether it is well-formed, whatever its queries.
pub(crate) fn run(config: &InfoConfig, output: &mut Output) -> Result<Status, Error> {
    match load(&config.request)? {
        Ok(loaded) => describe(config, loaded, output),
        Err(malformed) => {
            refuse(config.format, &malformed, output)?;
            Ok(Status::Failure)
        }
    }
}

fn describe(config: &InfoConfig, mut loaded: Loaded, output: &mut Output) -> Result<Status, Error> {
    let compiled = loaded.compile().ok().map(|network| measure(&network));
    let queries: Vec<_> = loaded
        .queries
        .iter()
        .map(|query| QueryFacts { entry: &query.entry, typed: query.typed.as_ref().map_err(Vec::as_slice) })
        .collect();
    let info = ModelInfo::gather(&Facts {
        name: &loaded.name,
        model: &loaded.model,
        system: &loaded.system,
        queries: &queries,
        compiled: compiled.as_ref(),
        load: loaded.times,
    });
    let sources = &loaded.model.sources;
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, sources)?;
    }
    for error in queries.iter().filter_map(|query| query.typed.err()).flatten() {
        output.diagnostic(error, sources)?;
    }
    match config.format {
        Format::Text => output.result(&text::render(&info))?,
        Format::Json => {
            let diagnostics = json::all(&loaded.diagnostics, sources);
            output.result(&document(&Valid { header: Header::new(true), info: &info, diagnostics }))?;
        }
    }
    output.flush()?;
    Ok(Status::Success)
}

/// Says what is wrong with a model, on standard error and, for programs, in a document.
pub(crate) fn refuse(format: Format, malformed: &Malformed, output: &mut Output) -> Result<(), Error> {
    output.diagnostics(&malformed.diagnostics, &malformed.sources)?;
    if format == Format::Json {
        let diagnostics = json::all(&malformed.diagnostics, &malformed.sources);
        let invalid = Invalid { header: Header::new(false), model: &malformed.name, diagnostics };
        output.result(&document(&invalid))?;
        output.flush()?;
    }
    Ok(())
}

/// What every document begins with.
#[derive(Serialize)]
pub(crate) struct Header {
    zonewalk: &'static str,
    schema: u32,
    valid: bool,
}

impl Header {
    /// For a model that is well-formed or not.
    pub(crate) fn new(valid: bool) -> Self {
        Header { zonewalk: env!("CARGO_PKG_VERSION"), schema: 1, valid }
    }
}

#[derive(Serialize)]
struct Valid<'a> {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    info: &'a ModelInfo,
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

#[derive(Serialize)]
struct Invalid<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

/// A document as text, ending with a line break.
pub(crate) fn document(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data with text keys always serialises");
    text.push('\n');
    text
}
