//! JSON documents: what they all begin with, and the one about a model that cannot be used.

use crate::args::Format;
use crate::load::Malformed;
use crate::output::Output;
use crate::status::Error;
use serde::Serialize;
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};

/// Head of every document.
#[derive(Serialize)]
pub(crate) struct Header {
    zonewalk: &'static str,
    schema: u32,
    /// Whether the model is well-formed.
    valid: bool,
}

impl Header {
    /// For a model that is well-formed or not.
    pub(crate) fn new(valid: bool) -> Self {
        Header {
            zonewalk: env!("CARGO_PKG_VERSION"),
            schema: 1,
            valid,
        }
    }
}

/// A document as text, ending with a line break.
pub(crate) fn render(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain data with text keys always serialises");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Invalid<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

/// Says what is wrong with a model, on standard error and, for programs, in a document.
pub(crate) fn refuse(format: Format, malformed: &Malformed, output: &mut Output) -> Result<(), Error> {
    output.diagnostics(&malformed.diagnostics, &malformed.sources);
    if format == Format::Json {
        let diagnostics = json::all(&malformed.diagnostics, &malformed.sources);
        let invalid = Invalid {
            header: Header::new(false),
            model: &malformed.name,
            diagnostics,
        };
        output.result(&render(&invalid))?;
        output.flush()?;
    }
    Ok(())
}
