//! Reads the nodes of an XML file into its outline.
//!
//! Each element has a function that reads its children with [`XmlReader::children`]. Their recursion follows
//! UPPAAL's document type, not the file, so its depth is fixed: unknown elements are skipped in a loop.

use super::cursor::{Cursor, Node};
use super::outline::{Chart, Outline};
use super::tag::{Attributes, Tag};
use crate::ast::{Drawing, Point};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fragment::Fragment;
use crate::span::Span;
use rustc_hash::FxHashSet;

/// Reader of one file.
pub(super) struct XmlReader<'a> {
    cursor: Cursor<'a>,
    /// Unknown elements and attributes that have been reported: generated files repeat them.
    reported: FxHashSet<Unknown<'a>>,
}

/// An element or attribute outside UPPAAL's document type.
#[derive(PartialEq, Eq, Hash)]
enum Unknown<'a> {
    Element { parent: &'a str, name: &'a str },
    Attribute { element: &'a str, name: &'a str },
}

/// Takes the file apart. The outline is missing when no element of it is UPPAAL's.
pub(super) fn outline(text: &str, base: u32) -> (Option<Outline<'_>>, Diagnostics) {
    let mut reader = XmlReader {
        cursor: Cursor::new(text, base),
        reported: FxHashSet::default(),
    };
    let outline = reader.document();
    (outline, reader.cursor.diagnostics)
}

impl<'a> XmlReader<'a> {
    fn document(&mut self) -> Option<Outline<'a>> {
        let mut outline = None;
        loop {
            match self.cursor.next() {
                Node::Open(tag) if outline.is_some() => {
                    self.error("xml-syntax", tag.span, "a second root element".to_owned());
                    self.skip();
                }
                Node::Open(
                    tag @ Tag {
                        name: "nta" | "project",
                        ..
                    },
                ) => outline = Some(self.root(&tag)),
                Node::Open(tag) => {
                    let message = format!("expected `<nta>`, found `<{}>`", tag.name);
                    self.error("xml-root", tag.name_span(), message);
                    return None;
                }
                Node::End => break,
                // Text out here has been reported.
                Node::Close | Node::Text(..) | Node::Char(..) => {}
            }
        }
        if outline.is_none() && !self.cursor.diagnostics.has_errors() {
            let here = Span::new(self.cursor.address(), self.cursor.address());
            self.error("xml-root", here, "the file has no `<nta>` element".to_owned());
        }
        outline
    }

    fn root(&mut self, tag: &Tag<'a>) -> Outline<'a> {
        self.attributes(tag, &["*"]);
        let mut outline = Outline::default();
        self.children(tag, |reader, child| match child.name {
            "declaration" => outline.globals.push(reader.plain_text(&child)),
            "template" => {
                let template = reader.template(&child);
                outline.templates.push(template);
            }
            "lsc" => outline.charts.push(reader.chart(&child)),
            "instantiation" | "system" => {
                let text = reader.plain_text(&child);
                outline.end = text.span().after();
                outline.system.push(text);
            }
            "queries" => reader.queries(&child, &mut outline.queries),
            "imports" => {
                if !reader.plain_text(&child).is_blank() {
                    reader.warn("ignored-element", child.span, "`<imports>` is ignored".to_owned());
                }
            }
            _ => reader.unknown(tag, &child),
        });
        if outline.system.is_empty() {
            outline.end = Span::new(self.cursor.address(), self.cursor.address());
        }
        outline
    }

    fn chart(&mut self, tag: &Tag<'a>) -> Chart<'a> {
        self.attributes(tag, &["*"]);
        let mut chart = Chart {
            name: None,
            params: Vec::new(),
            span: tag.span,
        };
        self.children(tag, |reader, child| match child.name {
            "name" => {
                let name = reader.plain_text(&child);
                reader.once(&mut chart.name, name, &child);
            }
            "parameter" => chart.params.push(reader.plain_text(&child)),
            // What a chart shows takes no part in the analysis.
            _ => reader.skip(),
        });
        chart
    }

    // ------------------------------------------------------------ building blocks

    /// Calls `each` for every child of the element that has just been opened, up to and with its end. What `each`
    /// leaves unread of a child is skipped.
    pub(super) fn children(&mut self, tag: &Tag<'a>, mut each: impl FnMut(&mut Self, Tag<'a>)) {
        let inside = self.cursor.depth();
        loop {
            match self.cursor.next() {
                Node::Open(child) => {
                    each(self, child);
                    while self.cursor.depth() > inside {
                        if matches!(self.cursor.next(), Node::End) {
                            return;
                        }
                    }
                }
                Node::Text(text, _) if text.trim().is_empty() => {}
                Node::Text(text, address) => {
                    let at = address + (text.len() - text.trim_start().len()) as u32;
                    let span = Span::new(at, at + text.trim().len() as u32);
                    self.warn(
                        "stray-text",
                        span,
                        format!("text directly inside `<{}>` is ignored", tag.name),
                    );
                }
                Node::Char(_, start, end) => {
                    let message = format!("text directly inside `<{}>` is ignored", tag.name);
                    self.warn("stray-text", Span::new(start, end), message);
                }
                Node::Close | Node::End => return,
            }
            debug_assert!(self.cursor.depth() >= inside, "children end with their element");
        }
    }

    /// The text of the element that has just been opened, which holds code. Elements do not belong there: what
    /// looks like one is a comparison whose `<` was not written as `&lt;`.
    pub(super) fn code(&mut self, tag: &Tag<'a>) -> Fragment<'a> {
        let mut fragment = Fragment::empty(tag.span.end);
        let mut node = self.cursor.next();
        loop {
            match node {
                Node::Text(text, address) => fragment.push_plain(text, address),
                Node::Char(c, start, end) => fragment.push_entity(c, start, end),
                Node::Open(inner) => {
                    node = self.cursor.reread_as_text(&inner);
                    continue;
                }
                Node::Close | Node::End => return fragment,
            }
            node = self.cursor.next();
        }
    }

    /// Reads the text of an element whose attributes do not matter.
    pub(super) fn plain_text(&mut self, tag: &Tag<'a>) -> Fragment<'a> {
        self.attributes(tag, &["x", "y"]);
        self.code(tag)
    }

    /// The text of the element that has just been opened, which a person wrote for persons. Elements inside are
    /// left out with a warning.
    pub(super) fn prose(&mut self, tag: &Tag<'a>) -> String {
        let mut text = String::new();
        let inside = self.cursor.depth();
        loop {
            match self.cursor.next() {
                Node::Text(piece, _) if self.cursor.depth() == inside => text.push_str(piece),
                Node::Char(c, ..) if self.cursor.depth() == inside => text.push(c),
                Node::Text(..) | Node::Char(..) => {}
                Node::Open(inner) if self.cursor.depth() == inside + 1 => self.unknown_here(tag, &inner),
                Node::Open(_) => {}
                Node::Close if self.cursor.depth() >= inside => {}
                Node::Close | Node::End => return text.trim().to_owned(),
            }
        }
    }

    /// Keeps what a child says that may stand there once.
    pub(super) fn once<T>(&mut self, slot: &mut Option<T>, value: T, child: &Tag<'a>) {
        if slot.is_some() {
            let message = format!("a second `<{}>`", child.name);
            self.error("duplicate-element", child.span, message);
        } else {
            *slot = Some(value);
        }
    }

    /// Skips the element that has just been opened.
    pub(super) fn skip(&mut self) {
        let outside = self.cursor.depth().saturating_sub(1);
        while self.cursor.depth() > outside {
            if matches!(self.cursor.next(), Node::End) {
                return;
            }
        }
    }

    /// Skips an unknown element, and says so once per kind.
    pub(super) fn unknown(&mut self, parent: &Tag<'a>, tag: &Tag<'a>) {
        self.unknown_here(parent, tag);
        self.skip();
    }

    fn unknown_here(&mut self, parent: &Tag<'a>, tag: &Tag<'a>) {
        if self.reported.insert(Unknown::Element {
            parent: parent.name,
            name: tag.name,
        }) {
            let message = format!(
                "unknown element `<{}>` in `<{}>` is ignored",
                tag.name, parent.name
            );
            self.warn("unknown-element", tag.name_span(), message);
        }
    }

    /// The attributes of `tag`; those outside `known` are reported once per kind. `*` stands for all.
    pub(super) fn attributes(&mut self, tag: &Tag<'a>, known: &[&str]) -> Attributes<'a> {
        let attributes = tag.attributes(&mut self.cursor.diagnostics);
        for attribute in attributes.iter() {
            if known.contains(&attribute.name) || known == ["*"] || attribute.name.starts_with("xml") {
                continue;
            }
            if self.reported.insert(Unknown::Attribute {
                element: tag.name,
                name: attribute.name,
            }) {
                let message = format!(
                    "unknown attribute `{}` of `<{}>` is ignored",
                    attribute.name, tag.name
                );
                self.warn("unknown-attribute", attribute.span, message);
            }
        }
        attributes
    }

    /// The point that `x` and `y` give.
    pub(super) fn point(&mut self, attributes: &Attributes<'a>) -> Option<Point> {
        let x = self.coordinate(attributes, "x");
        let y = self.coordinate(attributes, "y");
        (x.is_some() || y.is_some()).then(|| Point {
            x: x.unwrap_or(0),
            y: y.unwrap_or(0),
        })
    }

    fn coordinate(&mut self, attributes: &Attributes<'a>, name: &str) -> Option<i32> {
        let attribute = attributes.get(name)?;
        let value = attribute.value.trim();
        // Generated files have fractions; the conversion rounds and saturates.
        let number = value
            .parse::<i32>()
            .ok()
            .or_else(|| value.parse::<f64>().ok().map(|number| number.round() as i32));
        if number.is_none() {
            let message = format!("coordinate `{value}` is not a number");
            let span = attribute.span;
            self.warn("drawing", span, message);
        }
        number
    }

    /// The position and colour of an element.
    pub(super) fn drawing(&mut self, attributes: &Attributes<'a>) -> Drawing {
        let at = self.point(attributes);
        Drawing {
            at,
            color: attributes.value("color").map(str::to_owned),
            ..Drawing::default()
        }
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: String) {
        self.cursor
            .diagnostics
            .push(Diagnostic::error(code, span, message));
    }

    pub(super) fn warn(&mut self, code: &'static str, span: Span, message: String) {
        self.cursor
            .diagnostics
            .push(Diagnostic::warning(code, span, message));
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.cursor.diagnostics.push(diagnostic);
    }
}
