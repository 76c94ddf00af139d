//! The edges of a component.

use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{Drawing, Edge, Ident, Location, Select};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser;
use zonewalk_syntax::span::Span;

use super::super::json::{Kind as Json, Value};
use super::{Reader, trimmed};
use crate::component::{Direction, Kind};
use crate::unfold::{Label, Labels, Mark};

impl Reader {
    pub(super) fn edge(
        &mut self,
        value: &Value<'_>,
        numbering: &mut Numbering,
        ids: &FxHashMap<String, (usize, Span)>,
        locations: &[Location],
        labels: &mut Labels,
        edges: &mut Vec<Edge>,
    ) {
        let id = numbering.id(value);
        let element = format!("edge {id}");
        let here = self.head(value, &element);
        let source = self.end(value, "sourceLocation", &element, here, ids, locations);
        let target = self.end(value, "targetLocation", &element, here, ids, locations);
        let guard = self.condition(value, "guard", &format!("{element}, guard"));
        let updates = self
            .text(value, "update", &format!("{element}, update"))
            .map(|text| {
                let end = trimmed(text.text(), ',');
                parser::updates(&text.slice(0, end), &mut self.cx)
            })
            .unwrap_or_default();
        let selects = self
            .text(value, "select", &format!("{element}, select"))
            .map(|text| parser::selects(text, &mut self.cx))
            .unwrap_or_default();
        let label = self.label(value, &element, here);
        let (Some(source), Some(target), Some(label)) = (source, target, label) else {
            return;
        };
        // Wildcard loops of universal and inconsistent locations say nothing.
        if matches!(&label, Label::Fixed(action, _) if action == "*") {
            let leaves = locations
                .iter()
                .position(|location| location.name.name == source.name);
            let place = leaves.and_then(|index| labels.places.get(index));
            if let Some(place) = place.filter(|place| place.kind == Kind::Normal) {
                let message = format!(
                    "edge {id} is ignored: `*` is not an action, and {} is neither UNIVERSAL nor INCONSISTENT",
                    place.name
                );
                let at = value.get("sync").map_or(here, |sync| sync.span);
                let warning = Diagnostic::warning("wildcard", at, message);
                self.warnings
                    .push(warning.help("draw an edge for each intended action"));
            }
            return;
        }
        if let Label::Fixed(action, _) = &label {
            self.odd_action(action, value, &selects, here);
        }
        labels.marks.push(Mark { id, label });
        edges.push(Edge {
            id: None,
            source,
            target,
            selects,
            guard,
            sync: None,
            updates,
            weight: None,
            controllable: true,
            action: None,
            span: here,
            drawing: Drawing::default(),
        });
    }

    /// Warns of names that are probably not meant to be names.
    fn odd_action(&mut self, action: &str, value: &Value<'_>, selects: &[Select], here: Span) {
        let at = value.get("sync").map_or(here, |sync| sync.span);
        if action.contains(char::is_whitespace) {
            let message = format!("the action `{action}` has a blank inside its name");
            let help = "an edge has one action: the whole text is its name";
            self.warnings
                .push(Diagnostic::warning("action-name", at, message).help(help));
        }
        let is_mentioned = |select: &Select| {
            let words = action.split(|c: char| !c.is_alphanumeric() && c != '_');
            action.contains('[') && words.skip(1).any(|word| *word == *select.name.name)
        };
        if let Some(select) = selects.iter().find(|select| is_mentioned(select)) {
            let message = format!(
                "the action `{action}` is a plain name: values of `{}` are not substituted in it",
                select.name.name
            );
            let help = "draw an edge for each intended action";
            self.warnings
                .push(Diagnostic::warning("action-name", at, message).help(help));
        }
    }

    /// The location that an edge leaves or enters.
    fn end(
        &mut self,
        value: &Value<'_>,
        key: &str,
        element: &str,
        here: Span,
        ids: &FxHashMap<String, (usize, Span)>,
        locations: &[Location],
    ) -> Option<Ident> {
        let Some(text) = self.text(value, key, &format!("{element}, {key}")) else {
            // Anything else has been reported as not a text.
            if matches!(value.get(key).map(|v| &v.kind), None | Some(Json::Null)) {
                self.error("missing-reference", here, format!("an edge without `{key}`"));
            }
            return None;
        };
        let name = text.text().trim();
        let span = text.span();
        if let Some((index, _)) = ids.get(name) {
            return Some(Ident {
                name: locations[*index].name.name.clone(),
                span,
            });
        }
        let message = format!("the component {} has no location `{name}`", self.name);
        let mut known: Vec<&str> = ids.keys().map(String::as_str).collect();
        known.sort_unstable();
        let mut error = Diagnostic::error("unknown-reference", span, message);
        if let Some(similar) = crate::closest::closest(name, known) {
            error = error.help(format!("did you mean `{similar}`?"));
        }
        self.errors.push(error);
        None
    }

    /// The action of an edge, and whether it is an input. The status alone says which.
    fn label(&mut self, value: &Value<'_>, element: &str, here: Span) -> Option<Label> {
        let sync = self.text(value, "sync", &format!("{element}, sync"));
        let place = sync.map_or(here, Fragment::span);
        let text = sync.map_or("", |text| text.text().trim());
        let (action, suffix) = match text.as_bytes().last() {
            Some(b'!') => (text[..text.len() - 1].trim_end(), Some(Direction::Output)),
            Some(b'?') => (text[..text.len() - 1].trim_end(), Some(Direction::Input)),
            _ => (text, None),
        };
        let status = self.text(value, "status", &format!("{element}, status"));
        let direction = match (status.map(|text| text.text().trim()), suffix) {
            (Some("INPUT"), _) => Direction::Input,
            (Some("OUTPUT"), _) => Direction::Output,
            (None | Some(""), Some(suffix)) => suffix,
            (None | Some(""), None) => {
                let error = Diagnostic::error("edge-status", here, "an edge without a `status`");
                self.errors.push(error.help("expected INPUT or OUTPUT"));
                return None;
            }
            (Some(other), _) => {
                let message = format!("`{other}` is not an edge status");
                let span = status.map_or(here, Fragment::span);
                let error = Diagnostic::error("edge-status", span, message);
                self.errors.push(error.help("expected INPUT or OUTPUT"));
                return None;
            }
        };
        if suffix.is_some_and(|suffix| suffix != direction) {
            let status = match direction {
                Direction::Input => "INPUT",
                Direction::Output => "OUTPUT",
            };
            self.warn(
                "edge-status",
                place,
                format!(
                    "the edge has the status {status}, but its action is written `{text}`; the status takes precedence"
                ),
            );
        }
        if action != "*" {
            let clash = self.used.note(&self.name, action, direction, place);
            self.errors.extend(clash);
        }
        Some(Label::Fixed(action.to_owned(), direction))
    }
}

/// Names for edges: those of the file, and `E1`, `E2`, … for the others.
pub(super) struct Numbering {
    taken: rustc_hash::FxHashSet<String>,
    next: usize,
}

impl Numbering {
    pub(super) fn new(edges: &[&Value<'_>]) -> Self {
        let ids = edges.iter().filter_map(|edge| given_id(edge));
        Numbering {
            taken: ids.collect(),
            next: 0,
        }
    }

    /// The name of the next edge.
    fn id(&mut self, edge: &Value<'_>) -> String {
        self.next += 1;
        if let Some(id) = given_id(edge) {
            return id;
        }
        loop {
            let id = format!("E{}", self.next);
            if self.taken.insert(id.clone()) {
                return id;
            }
            self.next += 1;
        }
    }
}

fn given_id(edge: &Value<'_>) -> Option<String> {
    match &edge.get("id")?.kind {
        Json::Text(text) if !text.is_blank() => Some(text.text().trim().to_owned()),
        _ => None,
    }
}
