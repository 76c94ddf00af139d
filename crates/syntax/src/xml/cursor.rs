//! A walk over the nodes of an XML text that survives malformed XML.
//!
//! `quick-xml` cuts the text into events; which element an end tag closes is decided here, because the error
//! should show the tag that is open, and because reading goes on after the error.

use super::tag::{Tag, character, is_name, is_space, unknown_reference};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::span::Span;
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::Event;

/// Events of a walk over the nodes of the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node<'a> {
    /// An element begins. Its `Close` follows, after its content.
    Open(Tag<'a>),
    /// The innermost element ends. Never more of these than of `Open`.
    Close,
    /// Text as it stands in the source, at an address.
    Text(&'a str, u32),
    /// A character that the source writes as a reference, from its `&` to after its `;`.
    Char(char, u32, u32),
    /// End of the file. Elements that are still open have been reported.
    End,
}

/// Elements nest at most so deep. UPPAAL's own files need seven levels.
const MAX_DEPTH: usize = 200;

/// Lone `<` that are read as text before reading stops: each costs a look ahead as far as the next `>`.
const MAX_RECOVERIES: usize = 100;

/// The walk.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// Address of the text.
    base: u32,
    reader: Reader<&'a [u8]>,
    /// Where in the text the reader was started.
    reader_start: usize,
    /// The open elements, outermost first: name and start tag.
    open: Vec<(&'a str, Span)>,
    /// Number of open elements that are already closed.
    closing: usize,
    recoveries: usize,
    done: bool,
    /// Diagnostics so far.
    pub diagnostics: Diagnostics,
}

impl<'a> Cursor<'a> {
    /// A walk over the whole of `text`, which stands at address `base`.
    pub(super) fn new(text: &'a str, base: u32) -> Self {
        let mut cursor = Cursor {
            text,
            base,
            reader: Reader::from_str(""),
            reader_start: 0,
            open: Vec::new(),
            closing: 0,
            recoveries: 0,
            done: false,
            diagnostics: Diagnostics::new(),
        };
        cursor.restart(0);
        cursor
    }

    /// Number of open elements.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The address after the last node.
    pub(super) fn address(&self) -> u32 {
        self.base + self.position() as u32
    }

    /// The next node.
    pub(super) fn next(&mut self) -> Node<'a> {
        loop {
            if self.closing > 0 {
                self.closing -= 1;
                self.open.pop();
                return Node::Close;
            }
            if self.done {
                return Node::End;
            }
            if let Some(node) = self.step() {
                return node;
            }
        }
    }

    /// Takes the element that has just been opened for text that begins with a lone `<`: inside a guard,
    /// `x <y` is not an element. To be called with the last node that [`Cursor::next`] gave.
    pub(super) fn reread_as_text(&mut self, tag: &Tag<'a>) -> Node<'a> {
        self.open.pop();
        self.closing = 0;
        self.lone_less((tag.span.start - self.base) as usize)
    }

    /// Goes on reading at `start`.
    fn restart(&mut self, start: usize) {
        // The reader swallows a byte order mark without counting it, which would shift all positions.
        let start = self.text.len() - self.text[start..].trim_start_matches('\u{FEFF}').len();
        self.reader = Reader::from_str(&self.text[start..]);
        let config = self.reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        self.reader_start = start;
    }

    /// Offset of what has not been read yet.
    fn position(&self) -> usize {
        self.reader_start + self.reader.buffer_position() as usize
    }

    /// Reads one event; `None` when it was of no interest.
    fn step(&mut self) -> Option<Node<'a>> {
        let start = self.position();
        let event = self.reader.read_event();
        let end = self.position();
        let address = self.base + start as u32;
        let text = self.text;
        let source = text.get(start..end).unwrap_or_default();
        match event {
            Ok(Event::Text(_)) => {
                // Where a text begins with `&`, the reader found no end of a reference.
                if source.starts_with('&') {
                    self.bad_reference("", start);
                }
                self.text_node(source, address)
            }
            Ok(Event::CData(_)) => {
                let mark = "<![CDATA[";
                let content = source
                    .strip_prefix(mark)
                    .and_then(|s| s.strip_suffix("]]>"))
                    .unwrap_or_default();
                self.text_node(content, address + mark.len() as u32)
            }
            Ok(Event::GeneralRef(_)) => self.reference(source, start),
            Ok(Event::Start(_) | Event::Empty(_)) => self.start_tag(source, start),
            Ok(Event::End(_)) => {
                self.end_tag(source, address);
                None
            }
            Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_)) => None,
            Ok(Event::Eof) => {
                self.end_of_text();
                None
            }
            Err(error) => self.malformed(&error, start),
        }
    }

    fn text_node(&mut self, source: &'a str, address: u32) -> Option<Node<'a>> {
        if !self.open.is_empty() {
            return Some(Node::Text(source, address));
        }
        let stray = source.trim();
        if !stray.is_empty() {
            let at = address + (source.len() - source.trim_start().len()) as u32;
            let span = Span::new(at, at + stray.len() as u32);
            self.diagnostics.push(Diagnostic::error(
                "xml-syntax",
                span,
                "text outside the root element",
            ));
        }
        None
    }

    /// Reports the `&` at `start`, but both of `&&` as one.
    fn bad_reference(&mut self, name: &str, start: usize) {
        if self.text[..start].ends_with('&') {
            return;
        }
        let is_double = self.text[start..].starts_with("&&");
        let name = if is_double { "&" } else { name };
        self.diagnostics
            .push(unknown_reference(name, self.base + start as u32));
    }

    fn reference(&mut self, source: &'a str, start: usize) -> Option<Node<'a>> {
        let address = self.base + start as u32;
        let name = source
            .strip_prefix('&')
            .and_then(|s| s.strip_suffix(';'))
            .unwrap_or(source);
        match character(name) {
            Some(c) if !self.open.is_empty() => Some(Node::Char(c, address, address + source.len() as u32)),
            Some(_) => self.text_node(source.trim_start_matches('&'), address + 1),
            None => {
                self.bad_reference(name, start);
                (!self.open.is_empty()).then_some(Node::Text(source, address))
            }
        }
    }

    fn start_tag(&mut self, source: &'a str, start: usize) -> Option<Node<'a>> {
        let tag = Tag::new(source, self.base + start as u32);
        if !is_name(tag.name) {
            return Some(self.lone_less(start));
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("elements nest deeper than {MAX_DEPTH} levels");
            self.stop(Diagnostic::error("xml-depth", tag.span, message));
            return None;
        }
        self.open.push((tag.name, tag.span));
        if source.ends_with("/>") {
            self.closing = 1;
        }
        Some(Node::Open(tag))
    }

    /// Pops nothing itself: says how many elements end here.
    fn end_tag(&mut self, source: &'a str, address: u32) {
        let name = source
            .trim_start_matches("</")
            .trim_end_matches('>')
            .trim_end_matches(is_space);
        let span = Span::new(address, address + source.len() as u32);
        match self.open.last() {
            Some(&(open, _)) if open == name => self.closing = 1,
            Some(&(open, opened)) => {
                self.diagnostics.push(
                    Diagnostic::error(
                        "xml-syntax",
                        span,
                        format!("expected `</{open}>`, found `</{name}>`"),
                    )
                    .related(opened, format!("`<{open}>` begins here")),
                );
                // An end tag that fits some outer element closes what is inside as well; any other is ignored.
                if let Some(outer) = self.open.iter().rposition(|&(open, _)| open == name) {
                    self.closing = self.open.len() - outer;
                }
            }
            None => {
                let message = format!("`</{name}>` closes nothing");
                self.diagnostics
                    .push(Diagnostic::error("xml-syntax", span, message));
            }
        }
    }

    fn end_of_text(&mut self) {
        if let Some(&(open, opened)) = self.open.last() {
            let span = Span::new(self.address(), self.address());
            self.stop(
                Diagnostic::error(
                    Code::XML_TRUNCATED,
                    span,
                    format!("the file ends inside `<{open}>`"),
                )
                .related(opened, format!("`<{open}>` begins here")),
            );
        }
        self.done = true;
    }

    fn malformed(&mut self, error: &Error, start: usize) -> Option<Node<'a>> {
        let at = (self.reader_start + self.reader.error_position() as usize).clamp(start, self.text.len());
        let rest = self.text.get(at..).unwrap_or_default();
        // `x <= 5` near the end of a file looks like a tag that does not end.
        if rest.starts_with('<') && !rest[1..].starts_with(|c: char| is_name_start(c) || "/!?".contains(c)) {
            return Some(self.lone_less(at));
        }
        let address = self.base + at as u32;
        let mark = rest.chars().next().map_or(0, char::len_utf8) as u32;
        let span = Span::new(address, address + mark);
        match error {
            Error::Syntax(error) => {
                let what = match error {
                    SyntaxError::InvalidBangMarkup => "unknown markup `<!`",
                    SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "the file ends inside `<? ?>`",
                    SyntaxError::UnclosedComment => "the file ends inside a comment",
                    SyntaxError::UnclosedDoctype => "the file ends inside the DOCTYPE",
                    SyntaxError::UnclosedCData => "the file ends inside a CDATA section",
                    SyntaxError::UnclosedTag => "the file ends inside a tag",
                    SyntaxError::UnclosedSingleQuotedAttributeValue
                    | SyntaxError::UnclosedDoubleQuotedAttributeValue => {
                        "the file ends inside the value of an attribute"
                    }
                };
                self.stop(Diagnostic::error(Code::XML_TRUNCATED, span, what).label("begins here"));
            }
            Error::IllFormed(error) if self.position() > start => {
                self.diagnostics
                    .push(Diagnostic::error("xml-syntax", span, error.to_string()));
            }
            _ => self.stop(Diagnostic::error("xml-syntax", span, error.to_string())),
        }
        None
    }

    /// Reports a `<` at `start` that begins no tag, and reads it as text.
    fn lone_less(&mut self, start: usize) -> Node<'a> {
        let address = self.base + start as u32;
        let span = Span::new(address, address + 1);
        self.diagnostics.push(
            Diagnostic::error("xml-syntax", span, "a lone `<` in XML")
                .help("write `&lt;`")
                .suggest(span, "&lt;"),
        );
        self.recoveries += 1;
        if self.recoveries > MAX_RECOVERIES {
            self.done = true;
        } else {
            self.restart(start + 1);
        }
        Node::Text(&self.text[start..=start], address)
    }

    fn stop(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.done = true;
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == ':'
}
