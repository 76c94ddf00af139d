//! Start tags and their attributes.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::span::Span;
use std::borrow::Cow;

/// A start tag, or an empty element's tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'a> {
    /// The element's name.
    pub name: &'a str,
    /// Span from `<` to `>`.
    pub span: Span,
    /// The text between the name and the end of the tag.
    rest: &'a str,
    /// Address of that text.
    rest_address: u32,
}

/// An attribute of a tag.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its decoded value.
    pub value: Cow<'a, str>,
    /// Where the value stands, without its quotes.
    pub span: Span,
}

/// The attributes of a tag, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes<'a>(Vec<Attribute<'a>>);

/// Number of attributes that a tag may have: finding duplicates takes quadratic time. UPPAAL's have six.
const MAX_ATTRIBUTES: usize = 100;

impl<'a> Attributes<'a> {
    /// The attribute of that name.
    pub(super) fn get(&self, name: &str) -> Option<&Attribute<'a>> {
        self.0.iter().find(|a| a.name == name)
    }

    /// The value of the attribute of that name.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.get(name).map(|a| a.value.as_ref())
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.0.iter()
    }
}

impl<'a> Tag<'a> {
    /// The tag that `source` consists of, from `<` to `>`.
    pub(super) fn new(source: &'a str, address: u32) -> Self {
        let span = Span::new(address, address + source.len() as u32);
        let inner = source.strip_prefix('<').unwrap_or(source);
        let inner = inner.strip_suffix('>').unwrap_or(inner);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let len = inner.find(is_space).unwrap_or(inner.len());
        let (name, rest) = inner.split_at(len);
        Tag {
            name,
            span,
            rest,
            rest_address: address + 1 + len as u32,
        }
    }

    /// The span of the name alone.
    pub(super) fn name_span(&self) -> Span {
        Span::new(self.span.start + 1, self.rest_address)
    }

    /// Reads the attributes. What follows a malformed one is left out; the place is reported.
    pub(super) fn attributes(&self, diagnostics: &mut Diagnostics) -> Attributes<'a> {
        let mut scanner = Scanner {
            text: self.rest,
            address: self.rest_address,
        };
        let mut list: Vec<Attribute<'a>> = Vec::new();
        loop {
            match scanner.attribute() {
                Ok(None) => break,
                Ok(Some((_, name_span, ..))) if list.len() >= MAX_ATTRIBUTES => {
                    let message = format!("a tag with more than {MAX_ATTRIBUTES} attributes");
                    diagnostics.push(Diagnostic::error("xml-attribute", name_span, message));
                    break;
                }
                Ok(Some((name, name_span, value, span))) => {
                    if list.iter().any(|a| a.name == name) {
                        diagnostics.push(Diagnostic::error(
                            "xml-attribute",
                            name_span,
                            format!("attribute `{name}` is given twice"),
                        ));
                        continue;
                    }
                    let value = decode(value, span.start, diagnostics);
                    list.push(Attribute { name, value, span });
                }
                Err((span, message)) => {
                    diagnostics.push(Diagnostic::error("xml-attribute", span, message));
                    break;
                }
            }
        }
        Attributes(list)
    }
}

/// Whether XML counts the character as white space.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Whether `name` may name an element, an attribute or an entity.
pub(super) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_' || c == ':')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.' | '\u{B7}'))
}

/// Name, place of the name, raw value, place of the value.
type RawAttribute<'a> = (&'a str, Span, &'a str, Span);

struct Scanner<'a> {
    text: &'a str,
    address: u32,
}

impl<'a> Scanner<'a> {
    /// Consumes `len` bytes, which must end at a character's border.
    fn take(&mut self, len: usize) -> (&'a str, Span) {
        let (taken, rest) = self.text.split_at(len);
        let span = Span::new(self.address, self.address + len as u32);
        self.text = rest;
        self.address = span.end;
        (taken, span)
    }

    fn skip_space(&mut self) {
        let len = self.text.find(|c| !is_space(c)).unwrap_or(self.text.len());
        self.take(len);
    }

    /// An empty span here.
    fn here(&self) -> Span {
        Span::new(self.address, self.address)
    }

    fn attribute(&mut self) -> Result<Option<RawAttribute<'a>>, (Span, String)> {
        self.skip_space();
        if self.text.is_empty() {
            return Ok(None);
        }
        let len = self
            .text
            .find(|c| is_space(c) || c == '=')
            .unwrap_or(self.text.len());
        let (name, name_span) = self.take(len);
        if !is_name(name) {
            return Err((name_span, format!("`{name}` is not a valid attribute name")));
        }
        self.skip_space();
        if !self.text.starts_with('=') {
            return Err((name_span, format!("attribute `{name}` has no value")));
        }
        self.take(1);
        self.skip_space();
        let Some(quote @ ('"' | '\'')) = self.text.chars().next() else {
            return Err((
                self.here(),
                format!("the value of attribute `{name}` is not quoted"),
            ));
        };
        self.take(1);
        let Some(len) = self.text.find(quote) else {
            return Err((
                self.here(),
                format!("the value of attribute `{name}` is never closed"),
            ));
        };
        let (value, span) = self.take(len);
        self.take(1);
        Ok(Some((name, name_span, value, span)))
    }
}

/// Replaces the references in an attribute's value.
fn decode<'a>(value: &'a str, address: u32, diagnostics: &mut Diagnostics) -> Cow<'a, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut decoded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = rest.find('&') {
        decoded.push_str(&rest[..start]);
        let at = address + (value.len() - rest.len() + start) as u32;
        rest = &rest[start + 1..];
        let name = rest.find(';').map(|len| &rest[..len]).unwrap_or_default();
        if let Some(c) = character(name) {
            decoded.push(c);
            rest = &rest[name.len() + 1..];
        } else {
            diagnostics.push(unknown_reference(name, at));
            decoded.push('&');
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

/// The character that `&name;` stands for.
pub(super) fn character(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        };
    };
    let (digits, radix) = match number.strip_prefix('x') {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (number, 10),
    };
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let code = u32::from_str_radix(digits, radix)
        .ok()
        .filter(|&code| code != 0)?;
    char::from_u32(code)
}

/// The error for `&name;` at `address`, which means nothing. A `name` that can be none is a lone `&`; one that
/// begins with `&` is `&&`.
pub(super) fn unknown_reference(name: &str, address: u32) -> Diagnostic {
    if is_name(name) || name.starts_with('#') {
        let span = Span::new(address, address + name.len() as u32 + 2);
        Diagnostic::error("xml-entity", span, format!("unknown entity `&{name};`"))
            .help("XML knows `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers such as `&#233;`")
    } else {
        let (sign, written) = if name.starts_with('&') {
            ("&&", "&amp;&amp;")
        } else {
            ("&", "&amp;")
        };
        let span = Span::new(address, address + sign.len() as u32);
        Diagnostic::error("xml-entity", span, format!("a lone `{sign}` in XML"))
            .help(format!("write `{written}`"))
            .suggest(span, written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_keep_their_places() {
        let mut diagnostics = Diagnostics::new();
        let tag = Tag::new("<location id=\"id0\"\n x = '-1&#48;'/>", 100);
        let attributes = tag.attributes(&mut diagnostics);
        assert_eq!((tag.name, tag.name_span()), ("location", Span::new(101, 109)));
        assert_eq!(attributes.get("id").map(|a| a.span), Some(Span::new(114, 117)));
        assert_eq!(attributes.value("x"), Some("-10"));
        assert!(!diagnostics.has_errors());
    }

    #[test]
    fn malformed_attributes_are_reported_where_they_stand() {
        for (source, at, message) in [
            ("<a b>", Span::new(3, 4), "attribute `b` has no value"),
            (
                "<a b=1>",
                Span::new(5, 5),
                "the value of attribute `b` is not quoted",
            ),
            (
                "<a b=\"1>",
                Span::new(6, 6),
                "the value of attribute `b` is never closed",
            ),
            ("<a && c>", Span::new(3, 5), "`&&` is not a valid attribute name"),
            (
                "<a b='1' b='2'>",
                Span::new(9, 10),
                "attribute `b` is given twice",
            ),
            ("<a b='&x;'>", Span::new(6, 9), "unknown entity `&x;`"),
            ("<a b='1 & 2;'>", Span::new(8, 9), "a lone `&` in XML"),
        ] {
            let mut diagnostics = Diagnostics::new();
            Tag::new(source, 0).attributes(&mut diagnostics);
            let found: Vec<_> = diagnostics
                .iter()
                .map(|d| (d.primary.span, d.message.as_str()))
                .collect();
            assert_eq!(found, [(at, message)], "{source}");
        }
    }

    #[test]
    fn attributes_are_not_too_many() {
        let attributes: String = (0..1000).map(|i| format!(" a{i}='1'")).collect();
        let source = format!("<a{attributes}>");
        let mut diagnostics = Diagnostics::new();
        assert_eq!(
            Tag::new(&source, 0).attributes(&mut diagnostics).iter().count(),
            MAX_ATTRIBUTES
        );
        assert_eq!(diagnostics.error_count(), 1);
    }

    #[test]
    fn references_stand_for_characters() {
        assert_eq!(character("lt"), Some('<'));
        assert_eq!(character("#10"), Some('\n'));
        assert_eq!(character("#x3C"), Some('<'));
        for bad in ["nbsp", "#", "#x", "#0", "#xD800", "#99999999999", "#+5", ""] {
            assert_eq!(character(bad), None, "{bad}");
        }
    }
}
