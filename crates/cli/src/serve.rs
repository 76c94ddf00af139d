//! `zonewalk serve`

use crate::args::Format;
use crate::check::{OutcomeHandler, QueryOutcome, Start, decide_all};
use crate::config::{SearchConfig, ServeConfig};
use crate::document;
use crate::interrupt;
use crate::load::{Loaded, LoadedQuery, Malformed, QuerySource, Request, load};
use crate::output::Output;
use crate::progress;
use crate::status::{Error, Status};
use crate::trace_file::Origin;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use zonewalk_checker::Control;
use zonewalk_report::diagnostic::text::{Style, render, render_all};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{Trace, document as trace_document};
use zonewalk_report::verdict::text;
use zonewalk_serve::{Checked, Host, LoadFailure, Server, Stamp};
use zonewalk_syntax::diagnostic::Diagnostic;

/// Serves a model until Ctrl-C.
pub(crate) fn run(config: &ServeConfig, output: &mut Output) -> Result<Status, Error> {
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(Format::Text, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    let server = Server::bind(config.port).map_err(|error| {
        let port = config.port;
        Error::new(match port {
            0 => format!("cannot listen on the loopback address: {error}"),
            _ => format!("cannot listen on port {port} of the loopback address: {error}; without --port, any free one is used"),
        })
    })?;
    let stopper = server.stopper();
    interrupt::on_first(move || stopper.stop());
    output.result(&format!("{}\n", server.address()))?;
    output.flush()?;
    if !config.quiet {
        output.note("open this address in a browser of this machine; it is a secret. Ctrl-C ends the server");
    }
    let files = Files {
        request: config.request.clone(),
        search: config.search.clone(),
    };
    let served = server.run(Arc::new(files), loaded);
    served.map_err(|error| Error::new(format_args!("the server cannot go on: {error}")))?;
    Ok(Status::Success)
}

/// The model in its file, and how its queries are decided.
struct Files {
    request: Request,
    search: SearchConfig,
}

impl Files {
    fn load_these(&self, queries: QuerySource) -> Result<Loaded, LoadFailure> {
        let request = Request {
            queries,
            ..self.request.clone()
        };
        match load(&request) {
            Ok(Ok(loaded)) => Ok(loaded),
            Ok(Err(Malformed {
                sources, diagnostics, ..
            })) => Err(LoadFailure {
                message: render_all(&diagnostics, &sources, Style::default()),
            }),
            Err(error) => Err(LoadFailure {
                message: message_of(error),
            }),
        }
    }
}

impl Host for Files {
    fn load(&self) -> Result<Loaded, LoadFailure> {
        self.load_these(self.request.queries.clone())
    }

    fn load_with(&self, formula: &str) -> Result<Loaded, LoadFailure> {
        self.load_these(QuerySource::Formulas(vec![formula.to_owned()]))
    }

    fn stamp(&self) -> Option<Stamp> {
        let model = &self.request.model;
        let queries: Option<PathBuf> = match &self.request.queries {
            QuerySource::File(path) => Some(path.clone()),
            QuerySource::Model => Some(model.with_extension("q")),
            QuerySource::Nothing | QuerySource::Formulas(_) => None,
        };
        let of = |path: &Path| {
            let about = path.metadata().ok()?;
            Some((about.modified().ok()?, about.len()))
        };
        Some(Stamp(vec![of(model), queries.and_then(|path| of(&path))]))
    }

    fn check(&self, loaded: &Loaded, index: usize, control: &Arc<Control>) -> Checked {
        let numbered = loaded.numbered_queries();
        let selected = numbered.get(index..=index).unwrap_or_default();
        let mut answer = AnswerSlot::default();
        let decided = decide_all(
            &self.search,
            loaded,
            selected,
            Start::of_model(),
            control,
            &mut answer,
        );
        let sources = &loaded.model.sources;
        let shown = |errors: &[Diagnostic]| -> String {
            let shown = errors
                .iter()
                .map(|error| render(error, sources, Style::default()));
            shown.collect::<Vec<_>>().join("\n")
        };
        let outcome = match (decided, answer.outcome) {
            (Ok(Ok(())), Some(outcome)) => outcome,
            (Ok(Err(refusals)), _) => QueryOutcome::refused(refusals),
            (Err(error), _) => QueryOutcome::undecided(&message_of(error)),
            (Ok(Ok(())), None) => QueryOutcome::undecided("there is no such query"),
        };
        let mut words = text::render(&outcome.beside_errors(), None, Palette::Plain);
        let remarks = [shown(&outcome.diagnostics), shown(&outcome.warnings)];
        for remark in remarks.iter().filter(|remark| !remark.is_empty()) {
            words.push('\n');
            words.push_str(remark);
        }
        Checked {
            result: serde_json::to_value(&outcome.result).unwrap_or_default(),
            text: words,
            trace: outcome.trace,
        }
    }

    fn progress(&self, control: &Control, elapsed: Duration) -> Vec<String> {
        progress::parts(&self.search.options(), control, elapsed)
    }

    fn document(&self, loaded: &Loaded, query: Option<&str>, trace: &Trace) -> Vec<u8> {
        let origin = Origin::new(&loaded.name, query, &self.request.overrides);
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = trace_document::write(&mut bytes, &origin, trace);
        bytes
    }
}

fn message_of(error: Error) -> String {
    match error {
        Error::Message(message) => message,
        Error::BrokenPipe => "the reader has gone".to_owned(),
    }
}

/// The one answer.
#[derive(Default)]
struct AnswerSlot {
    outcome: Option<QueryOutcome>,
}

impl OutcomeHandler for AnswerSlot {
    fn handle(&mut self, _number: usize, _query: &LoadedQuery, outcome: QueryOutcome) -> Result<(), Error> {
        self.outcome = Some(outcome);
        Ok(())
    }
}
