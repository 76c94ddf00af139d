//! Files of any format to syntax trees.

use crate::ast::{Dialect, Document, Init, NoQuery, Queries, QueryEntry, Written};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::encoding::{Oddity, decode};
use crate::fragment::Fragment;
use crate::parser::{self, Context, MAX_CODE, is_parsable};
use crate::queries;
use crate::source::{Source, SourceMap};
use crate::span::Span;
use crate::stack::with_room;
use crate::xml;

/// The formats of model files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// UPPAAL's XML.
    Xml,
    /// Textual, UPPAAL 4 and later as a rule.
    Xta,
    /// Textual, before UPPAAL 4 as a rule.
    Ta,
}

impl Format {
    /// The format of a file by its content and, failing that, by its name: what begins with `<` is XML whatever
    /// it is called.
    pub fn of(name: &str, text: &str) -> Format {
        if text.trim_start().starts_with('<') {
            return Format::Xml;
        }
        let extension = name
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("xml") => Format::Xml,
            Some("ta") => Format::Ta,
            _ => Format::Xta,
        }
    }
}

/// Reads a model. There is none when the file holds nothing like a model; there is an error then.
///
/// Without a `format`, content and name decide ([`Format::of`]).
pub fn read_model(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
    sources: &mut SourceMap,
) -> (Option<Document>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some(base) = add_source(name, bytes, sources, &mut diagnostics) else {
        return (None, diagnostics);
    };
    let document = with_room(|| parse_model(name, base, format, sources, &mut diagnostics));
    (document, diagnostics)
}

fn parse_model(
    name: &str,
    base: u32,
    format: Option<Format>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Document> {
    let source = sources.source_mut(base)?;
    if source.text.trim().is_empty() {
        diagnostics.push(Diagnostic::error(
            "empty-file",
            source.span().after(),
            "the file is empty",
        ));
        return None;
    }
    let format = match format {
        Some(format) => format,
        None => {
            let format = Format::of(name, &source.text);
            if let Some(misnamed) = misnamed(name, format, source) {
                let is_error = misnamed.is_error();
                diagnostics.push(misnamed);
                if is_error {
                    return None;
                }
            }
            format
        }
    };
    let looks_old = has_old_constants(&source.text);
    if format == Format::Xml {
        let read = xml::read(&source.text, base, |parse| {
            choose_dialect(format, looks_old, parse)
        });
        source.regions = read.regions;
        diagnostics.append(read.structure);
        diagnostics.append(read.syntax);
        return read.document;
    }
    if !is_parsable(source.text.len(), Span::new(base, base), diagnostics) {
        return None;
    }
    let text = Fragment::plain(&source.text, base);
    let (document, syntax) = choose_dialect(format, looks_old, &mut |dialect| {
        let mut cx = Context::new(dialect);
        let document = parser::document(&text, &mut cx);
        (document, cx.diagnostics)
    });
    diagnostics.append(syntax);
    Some(document)
}

/// A file whose name and content are of different formats. XML is recognised whatever it is called; text with the name
/// of XML is refused, because it may be anything.
fn misnamed(name: &str, format: Format, source: &Source) -> Option<Diagnostic> {
    let is_xml = source.text.trim_start().starts_with('<');
    let blanks = source.text.len() - source.text.trim_start().len();
    let start = source.base() + blanks as u32;
    let first_word = source.text.split_whitespace().next().unwrap_or_default();
    let place = Span::new(start, start + first_word.len() as u32);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    match (format, is_xml, extension.as_str()) {
        (Format::Xml, false, _) if has_word(&source.text, "system") => Some(
            Diagnostic::error(
                "wrong-format",
                place,
                "this is a model in XTA format in a file named .xml",
            )
            .help("rename the file to .xta"),
        ),
        (Format::Xml, true, "xta" | "ta") => Some(
            Diagnostic::warning(
                "wrong-format",
                place,
                format!("this is a model in XML in a file named .{extension}; it is read as XML"),
            )
            .help("rename the file to .xml"),
        ),
        _ => None,
    }
}

/// Whether a word stands in the text.
fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

/// Reads a query file. Errors of a query are kept with the query; the diagnostics are about the file.
pub fn read_queries(name: &str, bytes: &[u8], sources: &mut SourceMap) -> (Queries, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let Some(base) = add_source(name, bytes, sources, &mut diagnostics) else {
        return (Queries::default(), diagnostics);
    };
    let text = sources.source(base).map_or("", |source| source.text.as_str());
    if !is_parsable(text.len(), Span::new(base, base), &mut diagnostics) {
        return (Queries::default(), diagnostics);
    }
    let entries = with_room(|| queries::file(&Fragment::plain(text, base)));
    (entries, diagnostics)
}

/// Reads one formula; `label` says where it comes from, such as `<-q 1>`.
pub fn read_formula(label: &str, text: &str, sources: &mut SourceMap) -> QueryEntry {
    read_query(label, text, sources).unwrap_or_else(|_| {
        let end = sources.iter().last().map_or(Span::NONE, Source::span);
        failed(text, end, "empty-query", "the formula is empty")
    })
}

/// Reads one formula, or says why it is not a query.
pub fn read_query(label: &str, text: &str, sources: &mut SourceMap) -> Result<QueryEntry, NoQuery> {
    if text.len() > MAX_CODE {
        let message = "the formula is too long";
        return Ok(failed(text, Span::NONE, "too-much-code", message));
    }
    let Ok(base) = sources.add(label, text.to_owned()) else {
        return Ok(failed(
            text,
            Span::NONE,
            "file-too-large",
            "the formula is too long",
        ));
    };
    let fragment = Fragment::plain(text, base);
    let read = |dialect| with_room(|| queries::formula(&fragment, dialect));
    let has_errors = |found: &[Result<QueryEntry, NoQuery>]| {
        let mut entries = found.iter().flatten();
        entries.any(|entry| !entry.errors.is_empty())
    };
    let mut found = read(Dialect::New);
    if has_errors(&found) {
        let old = read(Dialect::Old);
        if !has_errors(&old) {
            found = old;
        }
    }
    if found.len() > 1 {
        let span = Span::new(base, base + text.len() as u32);
        let message = "expected one formula, not several";
        return Ok(failed(text, span, "several-queries", message));
    }
    found.pop().unwrap_or(Err(NoQuery::Empty))
}

/// A formula with an error.
fn failed(text: &str, span: Span, code: &'static str, message: &str) -> QueryEntry {
    QueryEntry {
        number: 1,
        query: None,
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        span,
        comment: String::new(),
        options: Vec::new(),
        outcome: None,
        levels: None,
        errors: vec![Diagnostic::error(code, span, message)],
    }
}

/// Reads an expression that is given outside the model; `label` says where, such as `<--levels>`.
///
/// # Errors
/// Errors in it.
pub fn read_expression(label: &str, text: &str, sources: &mut SourceMap) -> Result<Written, Vec<Diagnostic>> {
    let refuse = |code, span, message: &str| vec![Diagnostic::error(code, span, message)];
    if text.len() > MAX_CODE {
        return Err(refuse("too-much-code", Span::NONE, "the expression is too long"));
    }
    let base = sources
        .add(label, text.to_owned())
        .map_err(|_| refuse("file-too-large", Span::NONE, "the expression is too long"))?;
    let mut cx = Context::new(Dialect::New);
    let expr = with_room(|| parser::expression(&Fragment::plain(text, base), &mut cx));
    let errors: Vec<Diagnostic> = cx.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
    let span = Span::new(base, base + text.len() as u32);
    match expr.filter(|_| errors.is_empty()) {
        Some(expr) => Ok(Written {
            expr,
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        }),
        None if errors.is_empty() => Err(refuse("syntax", span, "an expression is expected")),
        None => Err(errors),
    }
}

/// Reads the value of a constant that is defined outside the model, as `-D NAME=VALUE` is.
///
/// # Errors
/// Errors in the value, with their places in the definition.
pub fn read_definition(name: &str, value: &str, sources: &mut SourceMap) -> Result<Init, Vec<Diagnostic>> {
    let text = format!("{name}={value}");
    let start = (name.len() + 1) as u32;
    let too_long = || {
        vec![Diagnostic::error(
            "too-much-code",
            Span::NONE,
            "the value is too long",
        )]
    };
    if text.len() > MAX_CODE {
        return Err(too_long());
    }
    let base = sources
        .add(format!("<-D {name}>"), text)
        .map_err(|_| too_long())?;
    let mut cx = Context::new(Dialect::New);
    let init = with_room(|| parser::initialiser(&Fragment::plain(value, base + start), &mut cx));
    let errors: Vec<Diagnostic> = cx.diagnostics.iter().filter(|d| d.is_error()).cloned().collect();
    if errors.is_empty() { Ok(init) } else { Err(errors) }
}

/// Decodes a file and adds it to the map. `None` for what is not text, or is too large.
fn add_source(
    name: &str,
    bytes: &[u8],
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<u32> {
    let decoded = decode(bytes);
    let Ok(base) = sources.add(name, decoded.text) else {
        diagnostics.push(Diagnostic::error(
            "file-too-large",
            Span::NONE,
            format!("{name} is too large"),
        ));
        return None;
    };
    if let Some(oddity) = decoded.oddity {
        diagnostics.push(oddity.diagnostic(base));
        if matches!(oddity, Oddity::Binary { .. }) {
            return None;
        }
    }
    Some(base)
}

/// Parses in one dialect and, where that fails, in the other (`semantics.md` 24, 24a). `.ta` is the old dialect's
/// own format: a text that both accept has its parameters by reference there. When both fail, the errors that are
/// reported are those of the dialect that the text seems to be written in.
fn choose_dialect(
    format: Format,
    looks_old: bool,
    parse: &mut dyn FnMut(Dialect) -> (Document, Diagnostics),
) -> (Document, Diagnostics) {
    let (likely, other) = match format {
        Format::Ta => (Dialect::Old, Dialect::New),
        Format::Xml | Format::Xta => (Dialect::New, Dialect::Old),
    };
    let first = parse(likely);
    if !first.1.has_errors() {
        return first;
    }
    // Two trees at a time would be too much for the largest texts, hence the third pass below.
    drop(first);
    let second = parse(other);
    let is_mistaken = looks_old && other == Dialect::Old;
    if is_mistaken || !second.1.has_errors() {
        return second;
    }
    drop(second);
    parse(likely)
}

/// Whether a constant is declared as in `const N 3`, which only the old dialect knows.
fn has_old_constants(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("const").any(|(at, word)| {
        let rest = &text[at + word.len()..];
        if text[..at].ends_with(is_word) || !rest.starts_with(char::is_whitespace) {
            return false;
        }
        let rest = rest.trim_start();
        let name = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let value = rest[name.len()..].trim_start().trim_start_matches('-');
        !name.is_empty() && value.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_the_name() {
        assert_eq!(Format::of("a.xta", "\n <nta>"), Format::Xml);
        assert_eq!(Format::of("a.XML", "clock x;"), Format::Xml);
        assert_eq!(Format::of("a.b/c.ta", "clock x;"), Format::Ta);
        assert_eq!(Format::of("<stdin>", "clock x;"), Format::Xta);
    }

    #[test]
    fn old_constants_are_recognised() {
        assert!(has_old_constants("clock x;\nconst N 3;"));
        assert!(has_old_constants("const  lo\n-3, hi 4;"));
        for new in [
            "const int N = 3;",
            "const N = 3;",
            "myconst N 3;",
            "const",
            "const int[0,3] N = 2;",
            "const ",
        ] {
            assert!(!has_old_constants(new), "{new}");
        }
    }
}
