//! `zonewalk info`

use crate::args::Format;
use crate::config::InfoConfig;
use crate::document::{self, Header};
use crate::load::{Loaded, load};
use crate::output::Output;
use crate::status::{Error, Status};
use serde::Serialize;
use zonewalk_checker::{Support, claim_of};
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};
use zonewalk_report::info::{Facts, ModelInfo, QueryFacts, text};

/// Tells all about a model. The status says whether it is well-formed, whatever its queries.
pub(crate) fn run(config: &InfoConfig, output: &mut Output) -> Result<Status, Error> {
    match load(&config.request)? {
        Ok(mut loaded) => describe(config, &mut loaded, output),
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            Ok(Status::Failure)
        }
    }
}

fn describe(config: &InfoConfig, loaded: &mut Loaded, output: &mut Output) -> Result<Status, Error> {
    let support = Support::of(loaded);
    let queries: Vec<_> = loaded
        .queries
        .iter()
        .map(|query| QueryFacts {
            entry: &query.entry,
            typed: query.typed.as_ref().map_err(Vec::as_slice),
            decided_by: (query.typed.as_ref())
                .map_or_else(|_| Vec::new(), |typed| support.deciders(&loaded.model, typed)),
            claim: (query.typed.as_ref().ok()).map(|typed| claim_of(&loaded.model, &loaded.system, typed)),
        })
        .collect();
    let info = ModelInfo::gather(&Facts {
        name: &loaded.name,
        model: &loaded.model,
        system: &loaded.system,
        queries: &queries,
        skipped: &loaded.skipped,
        compiled: support.compiled.as_ref(),
        refusals: &support.refusals,
        is_without_hybrid_clocks: support.is_without_hybrid_clocks,
        is_in_doubles: support.is_in_doubles,
        load: loaded.times,
    });
    let sources = &loaded.model.sources;
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, sources);
    }
    for error in queries.iter().filter_map(|query| query.typed.err()).flatten() {
        output.diagnostic(error, sources);
    }
    match config.format {
        Format::Text => output.text(&text::render(&info, output.width()))?,
        Format::Json => {
            let diagnostics = json::all(&loaded.diagnostics, sources);
            output.result(&document::render(&Valid {
                header: Header::new(true),
                info: &info,
                diagnostics,
            }))?;
        }
    }
    output.flush()?;
    Ok(Status::Success)
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
