//! Templates: locations, branchpoints, edges, and their references to each other.

use super::outline::{Branchpoint, Edge, Endpoint, Location, Reference, Template};
use super::reader::XmlReader;
use super::tag::{Attributes, Tag};
use crate::ast::Drawing;
use crate::diagnostic::Diagnostic;
use crate::fragment::Fragment;
use crate::span::Span;
use rustc_hash::FxHashMap;

/// Labels that mean something at a location.
const LOCATION_KINDS: [&str; 2] = ["invariant", "exponentialrate"];
/// Labels that mean something at an edge.
const EDGE_KINDS: [&str; 5] = ["select", "guard", "synchronisation", "assignment", "probability"];
/// Labels for persons and for test generators.
const PROSE_KINDS: [&str; 4] = ["comments", "testcode", "testcodeEnter", "testcodeExit"];

impl<'a> XmlReader<'a> {
    /// Reads the template that has just been opened.
    pub(super) fn template(&mut self, tag: &Tag<'a>) -> Template<'a> {
        self.attributes(tag, &["x", "y"]);
        let mut template = Template {
            name: None,
            params: Vec::new(),
            decls: Vec::new(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            init: None,
            edges: Vec::new(),
            span: tag.span,
        };
        self.children(tag, |reader, child| match child.name {
            "name" => {
                let name = reader.plain_text(&child);
                reader.once(&mut template.name, name, &child);
            }
            "parameter" => template.params.push(reader.plain_text(&child)),
            "declaration" => template.decls.push(reader.plain_text(&child)),
            "location" => {
                let location = reader.location(&child);
                template.locations.push(location);
            }
            "branchpoint" => {
                let branchpoint = reader.branchpoint(&child);
                template.branchpoints.push(branchpoint);
            }
            "init" => {
                let init = reader.reference(&child);
                reader.once(&mut template.init, init, &child);
            }
            "transition" => template.edges.extend(reader.edge(&child)),
            _ => reader.unknown(tag, &child),
        });
        if template.name.as_ref().is_none_or(Fragment::is_blank) {
            self.error("missing-name", tag.span, "a template without a name".to_owned());
        }
        self.link(&mut template);
        template
    }

    fn location(&mut self, tag: &Tag<'a>) -> Location<'a> {
        let attributes = self.attributes(tag, &["id", "x", "y", "color"]);
        let (id, id_span) = self.id(tag, &attributes);
        let drawing = self.drawing(&attributes);
        let mut location = Location {
            id,
            id_span,
            name: None,
            invariant: None,
            rate: None,
            committed: false,
            urgent: false,
            drawing,
            span: tag.span,
        };
        self.children(tag, |reader, child| match child.name {
            "name" => {
                let attributes = reader.attributes(&child, &["x", "y"]);
                let at = reader.point(&attributes);
                location
                    .drawing
                    .labels
                    .extend(at.map(|at| ("name".to_owned(), at)));
                let name = reader.code(&child);
                reader.once(&mut location.name, name, &child);
            }
            "label" => {
                let Some((kind, text)) = reader.label(&child, &LOCATION_KINDS, &mut location.drawing) else {
                    return;
                };
                let slot = if kind == "invariant" {
                    &mut location.invariant
                } else {
                    &mut location.rate
                };
                reader.fill(slot, text, &kind, &child);
            }
            "committed" => location.committed = true,
            "urgent" => location.urgent = true,
            _ => reader.unknown(tag, &child),
        });
        location
    }

    fn branchpoint(&mut self, tag: &Tag<'a>) -> Branchpoint {
        let attributes = self.attributes(tag, &["id", "x", "y", "color"]);
        let (id, id_span) = self.id(tag, &attributes);
        let drawing = self.drawing(&attributes);
        self.children(tag, |reader, child| reader.unknown(tag, &child));
        Branchpoint { id, id_span, drawing }
    }

    /// `None` for an edge without ends, which has been reported.
    fn edge(&mut self, tag: &Tag<'a>) -> Option<Edge<'a>> {
        let attributes = self.attributes(tag, &["id", "x", "y", "color", "controllable", "action"]);
        let drawing = self.drawing(&attributes);
        let (mut source, mut target) = (None, None);
        let mut labels = EDGE_KINDS.map(|_| None);
        let mut drawing = drawing;
        self.children(tag, |reader, child| match child.name {
            "source" | "target" => {
                let reference = reader.reference(&child);
                let slot = if child.name == "source" {
                    &mut source
                } else {
                    &mut target
                };
                reader.once(slot, reference, &child);
            }
            "label" => {
                let Some((kind, text)) = reader.label(&child, &EDGE_KINDS, &mut drawing) else {
                    return;
                };
                let known = EDGE_KINDS
                    .iter()
                    .zip(&mut labels)
                    .find(|(known, _)| **known == kind);
                if let Some((_, slot)) = known {
                    reader.fill(slot, text, &kind, &child);
                }
            }
            "nail" => {
                let attributes = reader.attributes(&child, &["x", "y"]);
                drawing.nails.extend(reader.point(&attributes));
            }
            _ => reader.unknown(tag, &child),
        });
        for (end, name) in [(&source, "source"), (&target, "target")] {
            if end.is_none() {
                self.error(
                    "missing-reference",
                    tag.span,
                    format!("an edge without `<{name}>`"),
                );
            }
        }
        let [select, guard, sync, update, weight] = labels;
        Some(Edge {
            id: attributes
                .get("id")
                .filter(|id| !id.value.trim().is_empty())
                .cloned(),
            source: source?,
            target: target?,
            select,
            guard,
            sync,
            update,
            weight,
            controllable: attributes
                .value("controllable")
                .is_none_or(|value| value.trim() == "true"),
            action: attributes
                .get("action")
                .filter(|action| !action.value.trim().is_empty())
                .cloned(),
            drawing,
            span: tag.span,
        })
    }

    fn reference(&mut self, tag: &Tag<'a>) -> Reference<'a> {
        let attributes = self.attributes(tag, &["ref"]);
        Reference {
            id: attributes.get("ref").cloned(),
            span: tag.span,
            place: None,
        }
    }

    /// The id of a location or a branchpoint and its place.
    fn id(&mut self, tag: &Tag<'a>, attributes: &Attributes<'a>) -> (String, Span) {
        match attributes.get("id").filter(|id| !id.value.trim().is_empty()) {
            Some(id) => (id.value.trim().to_owned(), id.span),
            None => {
                self.error("missing-id", tag.span, format!("a {} without an `id`", tag.name));
                (String::new(), tag.span)
            }
        }
    }

    /// Reads a label. `None` for one that is not code: its text goes into the drawing's comments.
    fn label(
        &mut self,
        tag: &Tag<'a>,
        known: &[&str],
        drawing: &mut Drawing,
    ) -> Option<(String, Fragment<'a>)> {
        let attributes = self.attributes(tag, &["kind", "x", "y", "color"]);
        let Some(kind) = attributes.get("kind") else {
            self.error("missing-kind", tag.span, "a label without a `kind`".to_owned());
            return None;
        };
        let name = kind.value.trim().to_owned();
        let at = self.point(&attributes);
        drawing.labels.extend(at.map(|at| (name.clone(), at)));
        if known.contains(&name.as_str()) {
            let text = self.code(tag);
            return Some((name, text));
        }
        let text = self.prose(tag);
        // An empty label of a strange kind loses nothing.
        if !PROSE_KINDS.contains(&name.as_str()) && !text.is_empty() {
            let message = format!("a label of the unknown kind `{name}` is ignored");
            let help = format!("expected one of: {}", known.join(", "));
            self.report(Diagnostic::warning("unknown-label", kind.span, message).help(help));
        }
        drawing.comments.push((name, text));
        None
    }

    /// Puts a label where it belongs; there is room for one.
    fn fill(&mut self, slot: &mut Option<Fragment<'a>>, text: Fragment<'a>, kind: &str, tag: &Tag<'a>) {
        if text.is_blank() {
            return;
        }
        if let Some(earlier) = slot {
            let message = format!("a second label of kind `{kind}`");
            self.report(
                Diagnostic::error("duplicate-label", tag.span, message)
                    .related(earlier.span(), "the first one"),
            );
        } else {
            *slot = Some(text);
        }
    }

    /// Finds out what the ids refer to, and drops edges that lead nowhere. Ids count inside one template: some
    /// tools number each template's locations from 0.
    fn link(&mut self, template: &mut Template<'a>) {
        let mut places: FxHashMap<&str, (Endpoint, Span)> = FxHashMap::default();
        let locations = template.locations.iter().enumerate();
        let locations = locations.map(|(i, l)| (l.id.as_str(), Endpoint::Location(i), l.id_span));
        let branchpoints = template.branchpoints.iter().enumerate();
        let branchpoints = branchpoints.map(|(i, b)| (b.id.as_str(), Endpoint::Branchpoint(i), b.id_span));
        for (id, place, span) in locations.chain(branchpoints) {
            // A missing id has been reported.
            if id.is_empty() {
                continue;
            }
            if let Some((_, earlier)) = places.get(id) {
                self.report(
                    Diagnostic::error("duplicate-id", span, format!("the id `{id}` is used twice"))
                        .related(*earlier, "the first use"),
                );
            } else {
                places.insert(id, (place, span));
            }
        }
        if let Some(init) = &mut template.init {
            // `<init/>` without a reference is a template without an initial location.
            if init.id.is_some() {
                self.resolve(init, &places);
            }
        }
        for edge in &mut template.edges {
            self.resolve(&mut edge.source, &places);
            self.resolve(&mut edge.target, &places);
        }
        template
            .edges
            .retain(|edge| edge.source.place.is_some() && edge.target.place.is_some());
    }

    fn resolve(&mut self, reference: &mut Reference<'a>, places: &FxHashMap<&str, (Endpoint, Span)>) {
        let Some(id) = &reference.id else {
            self.error(
                "missing-reference",
                reference.span,
                "a reference without `ref`".to_owned(),
            );
            return;
        };
        reference.place = places.get(id.value.trim()).map(|&(place, _)| place);
        if reference.place.is_none() {
            let message = format!("no location has the id `{}`", id.value);
            let span = id.span;
            self.error("unknown-reference", span, message);
        }
    }
}
