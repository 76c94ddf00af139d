//! Errors and warnings, rendered.

mod excerpt;
pub mod json;
pub mod text;

use std::borrow::Cow;
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::source::Source;

/// `2 errors, 1 warning`; empty when there is neither.
pub fn summary(errors: usize, warnings: usize) -> String {
    let counted = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        n => Some(format!("{n} {noun}s")),
    };
    [counted(errors, "error"), counted(warnings, "warning")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Remedy given by the diagnostic, or else the general one for errors of its kind.
fn help(diagnostic: &Diagnostic) -> Option<&str> {
    diagnostic.help.as_deref().or(match diagnostic.code {
        Code::DUPLICATE_PROCESS => Some(
            "list every process once; for two instances of a template, name each one first, as in `A = P(); B = P(); system A, B;`",
        ),
        Code::XML_TRUNCATED => Some("the file is incomplete: save or copy it again"),
        Code::VALUE_OUT_OF_RANGE => {
            Some("give the variable a larger range, or add a guard that keeps the value inside it")
        }
        _ => None,
    })
}

/// The replacement as it has to be written in the file: suggestions speak the model's language, and inside an XML file
/// its `<` and `&` are written as entities. The XML reader's own suggestions are entities already.
fn as_written<'a>(source: &Source, replacement: &'a str) -> Cow<'a, str> {
    // No text of the other formats can begin with this character.
    let is_markup = source
        .text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<');
    let is_entity = replacement.starts_with('&') && replacement.ends_with(';');
    if is_markup && !is_entity && replacement.contains(['<', '>', '&']) {
        Cow::Owned(
            replacement
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;"),
        )
    } else {
        Cow::Borrowed(replacement)
    }
}
