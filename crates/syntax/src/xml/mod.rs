//! UPPAAL's XML files.
//!
//! Three steps: the file is taken apart into an [`outline`] of its elements and their texts; the texts are parsed
//! ([`build`]), in the other dialect too where that is called for; and the source map learns which stretch of the
//! file belongs to which element ([`regions`]).

mod build;
mod cursor;
mod outline;
mod queries;
mod reader;
mod regions;
mod tag;
mod template;

use crate::ast::{Dialect, Document};
use crate::diagnostic::Diagnostics;
use crate::parser::{Context, is_parsable};
use crate::source::Region;
use outline::Outline;

/// Result of reading an XML file.
pub(crate) struct Read {
    /// The model. Missing when the file is not a model at all; there is an error then.
    pub document: Option<Document>,
    /// Errors of the file as XML.
    pub structure: Diagnostics,
    /// Errors in the embedded texts.
    pub syntax: Diagnostics,
    /// Which stretch of the file belongs to which element.
    pub regions: Vec<Region>,
}

/// Reads a file that stands at address `base`. `choose` tries the dialects with the function that it is given.
pub(crate) fn read(
    text: &str,
    base: u32,
    choose: impl FnOnce(&mut dyn FnMut(Dialect) -> (Document, Diagnostics)) -> (Document, Diagnostics),
) -> Read {
    let (outline, mut structure) = reader::outline(text, base);
    let outline = outline.filter(|outline| is_bounded(outline, &mut structure));
    let Some(outline) = outline else {
        return Read {
            document: None,
            structure,
            syntax: Diagnostics::new(),
            regions: Vec::new(),
        };
    };
    let mut parse = |dialect| {
        let mut cx = Context::new(dialect);
        let document = build::document(&outline, &mut cx);
        (document, cx.diagnostics)
    };
    let (mut document, syntax) = choose(&mut parse);
    document.queries = build::queries(&outline, document.dialect);
    Read {
        document: Some(document),
        structure,
        syntax,
        regions: regions::regions(&outline),
    }
}

/// Whether there is no more code than can be parsed. Otherwise the longest text is to blame.
fn is_bounded(outline: &Outline<'_>, diagnostics: &mut Diagnostics) -> bool {
    let total: usize = outline.texts().map(|text| text.text().len()).sum();
    let longest = outline.texts().max_by_key(|text| text.text().len());
    longest.is_none_or(|longest| is_parsable(total, longest.span(), diagnostics))
}
