//! A component as ECDAR's editor stores it: JSON to the syntax tree of a template.

mod edge;

use edge::Numbering;
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{Dialect, Drawing, Expr, Ident, Location, Template};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::source::Region;
use zonewalk_syntax::span::Span;

use super::check::UnsynchronisedTemplate;
use super::json::{Kind as Json, Value};
use super::used::Used;
use crate::component::Kind;
use crate::unfold::{Labels, LocationNotes};

/// Content of a component's file.
pub(super) struct Drawn {
    /// The component's name.
    pub(super) name: String,
    /// Where the name stands.
    pub(super) span: Span,
    /// The template, unless there are errors.
    pub(super) plain: Result<UnsynchronisedTemplate, Vec<Diagnostic>>,
    /// Warnings.
    pub(super) warnings: Vec<Diagnostic>,
    /// Regions of the file, by the part of the component they describe.
    pub(super) regions: Vec<Region>,
}

/// Reads a component. `stem` is the name of its file, which stands in for a name.
pub(super) fn component(value: &Value<'_>, stem: &str) -> Drawn {
    let mut reader = Reader {
        name: String::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        regions: Vec::new(),
        used: Used::default(),
        cx: Context::new(Dialect::New),
    };
    let (name, span) = reader.component_name(value, stem);
    reader.name.clone_from(&name);
    let plain = reader.template(value, span);
    let syntax = std::mem::take(&mut reader.cx.diagnostics);
    for diagnostic in syntax.iter() {
        if diagnostic.is_error() {
            reader.errors.push(diagnostic.clone());
        } else {
            reader.warnings.push(diagnostic.clone());
        }
    }
    reader.regions.sort_by_key(|region| region.span);
    let plain = if reader.errors.is_empty() {
        Ok(plain)
    } else {
        Err(reader.errors)
    };
    Drawn {
        name,
        span,
        plain,
        warnings: reader.warnings,
        regions: reader.regions,
    }
}

struct Reader {
    name: String,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    regions: Vec<Region>,
    used: Used,
    cx: Context,
}

impl Reader {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(code, span, message));
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(code, span, message));
    }

    /// Remembers what a text belongs to.
    fn region(&mut self, text: &Fragment<'_>, element: &str) {
        self.region_at(text.span(), element);
    }

    fn region_at(&mut self, span: Span, element: &str) {
        let element = format!("component {}, {element}", self.name);
        self.regions.push(Region { span, element });
    }

    /// The first sign of a value, which stands for the whole of it. It is remembered what the value is.
    fn head(&mut self, value: &Value<'_>, element: &str) -> Span {
        let start = value.span.start;
        let span = Span::new(start, start + 1);
        self.region_at(span, element);
        span
    }

    fn component_name(&mut self, value: &Value<'_>, stem: &str) -> (String, Span) {
        let found = value.get("name");
        let text = match found.map(|found| &found.kind) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        };
        match text {
            Some(text) if !text.is_blank() => {
                let name = text.text().trim().to_owned();
                if name != stem {
                    let message = format!("the component `{name}` is in a file named {stem}.json");
                    self.warn("file-name", text.span(), message);
                }
                (name, text.span())
            }
            _ => {
                let start = value.span.start;
                let span = Span::new(start, start + 1);
                match found.filter(|found| !matches!(found.kind, Json::Null | Json::Text(_))) {
                    Some(other) => {
                        let message = format!(
                            "the component's `name` is {}, not a string; the file name {stem} is used",
                            other.describe()
                        );
                        self.warn("json-shape", other.span, message);
                    }
                    None => {
                        let message = format!("a component without a name; the file name {stem} is used");
                        self.warn("missing-name", span, message);
                    }
                }
                (stem.to_owned(), span)
            }
        }
    }

    /// The text of a key; nothing where it is missing or null.
    fn text<'v, 'a>(&mut self, value: &'v Value<'a>, key: &str, element: &str) -> Option<&'v Fragment<'a>> {
        let found = value.get(key)?;
        match &found.kind {
            Json::Text(text) => {
                self.region(text, element);
                Some(text)
            }
            Json::Null => None,
            _ => {
                let message = format!("`{key}` is {}, not a string", found.describe());
                self.region_at(found.span, element);
                self.error("json-shape", found.span, message);
                None
            }
        }
    }

    /// The objects of a list.
    fn objects<'v, 'a>(&mut self, value: &'v Value<'a>, key: &str) -> Vec<&'v Value<'a>> {
        let Some(found) = value.get(key) else {
            return Vec::new();
        };
        let items = match &found.kind {
            Json::List(items) => items.as_slice(),
            Json::Null => &[],
            _ => {
                let message = format!("`{key}` is {}, not a list", found.describe());
                self.region_at(found.span, key);
                self.error("json-shape", found.span, message);
                &[]
            }
        };
        let mut objects = Vec::new();
        for item in items {
            if matches!(item.kind, Json::Object(_)) {
                objects.push(item);
            } else {
                let message = format!("found {} in `{key}`, expected objects", item.describe());
                self.region_at(item.span, key);
                self.error("json-shape", item.span, message);
            }
        }
        objects
    }

    fn template(&mut self, value: &Value<'_>, span: Span) -> UnsynchronisedTemplate {
        let decls = self
            .text(value, "declarations", "declarations")
            .map(|text| parser::declarations(text, &mut self.cx))
            .unwrap_or_default();
        let mut labels = Labels::default();
        let mut ids: FxHashMap<String, (usize, Span)> = FxHashMap::default();
        let mut locations = Vec::new();
        let mut initials: Vec<(usize, Span)> = Vec::new();
        for (index, object) in self.objects(value, "locations").into_iter().enumerate() {
            self.location(
                index + 1,
                object,
                &mut labels,
                &mut ids,
                &mut locations,
                &mut initials,
            );
        }
        if value.get("locations").is_none() {
            let message = format!("the component {} has no `locations`", self.name);
            self.error("json-shape", span, message);
        }
        let initial = match initials.as_slice() {
            [(index, _)] => Some(locations[*index].name.clone()),
            [] => {
                let message = format!("the component {} has no initial location", self.name);
                let help = "one location must have the type INITIAL";
                self.errors
                    .push(Diagnostic::error("no-initial", span, message).help(help));
                None
            }
            [(_, first), (_, second), ..] => {
                let message = format!("the component {} has more than one initial location", self.name);
                let error = Diagnostic::error("several-initial", *second, message);
                self.errors.push(error.related(*first, "the first one"));
                None
            }
        };
        let mut edges = Vec::new();
        let objects = self.objects(value, "edges");
        let mut numbering = Numbering::new(&objects);
        for object in objects {
            self.edge(object, &mut numbering, &ids, &locations, &mut labels, &mut edges);
        }
        UnsynchronisedTemplate {
            name: self.name.clone(),
            template: Template {
                name: Ident {
                    name: self.name.as_str().into(),
                    span,
                },
                params: Vec::new(),
                decls,
                locations,
                branchpoints: Vec::new(),
                initial,
                edges,
                is_textual: false,
                span,
            },
            labels,
            globals: Vec::new(),
            dialect: Dialect::New,
        }
    }

    fn location(
        &mut self,
        number: usize,
        value: &Value<'_>,
        labels: &mut Labels,
        ids: &mut FxHashMap<String, (usize, Span)>,
        locations: &mut Vec<Location>,
        initials: &mut Vec<(usize, Span)>,
    ) {
        // The id may be empty, as long as there is one.
        let Some(id) = value.get("id").filter(|id| !matches!(id.kind, Json::Null)) else {
            let span = self.head(value, &format!("location number {number}"));
            self.error("missing-id", span, "a location without an `id`");
            return;
        };
        let Json::Text(id) = &id.kind else {
            self.region_at(id.span, &format!("location number {number}"));
            self.error(
                "json-shape",
                id.span,
                format!("`id` is {}, not a string", id.describe()),
            );
            return;
        };
        let name = id.text().trim().to_owned();
        let element = format!("location {name}");
        self.region(id, &element);
        if let Some((_, first)) = ids.get(&name) {
            let message = format!("the id `{name}` is used twice");
            let error = Diagnostic::error("duplicate-id", id.span(), message);
            self.errors.push(error.related(*first, "the first use"));
            return;
        }
        let index = locations.len();
        ids.insert(name.clone(), (index, id.span()));
        let kind = self.kind(value, &element, id.span(), index, initials);
        let urgent = self.urgency(value, &element);
        let invariant = self.condition(value, "invariant", &format!("{element}, invariant"));
        let nickname = self.text(value, "nickname", &format!("{element}, nickname"));
        let alias = nickname
            .filter(|n| !n.is_blank())
            .map(|n| n.text().trim().to_owned());
        labels.places.push(LocationNotes {
            alias: alias.filter(|alias| *alias != name),
            name,
            kind,
            urgent,
        });
        locations.push(Location {
            // Names of locations do not clash with clocks.
            name: Ident {
                name: format!("@{index}").into(),
                span: id.span(),
            },
            is_named: false,
            id: None,
            invariant,
            rate: None,
            committed: false,
            urgent,
            span: id.span(),
            drawing: Drawing::default(),
        });
    }

    fn kind(
        &mut self,
        value: &Value<'_>,
        element: &str,
        span: Span,
        index: usize,
        initials: &mut Vec<(usize, Span)>,
    ) -> Kind {
        let Some(text) = self.text(value, "type", &format!("{element}, type")) else {
            return Kind::Normal;
        };
        match text.text().trim() {
            "NORMAL" | "" => Kind::Normal,
            "INITIAL" => {
                initials.push((index, span));
                Kind::Normal
            }
            "UNIVERSAL" => Kind::Universal,
            "INCONSISTENT" => Kind::Inconsistent,
            other => {
                let message = format!("`{other}` is not a location type");
                let help = "the types are INITIAL, NORMAL, UNIVERSAL and INCONSISTENT";
                self.errors
                    .push(Diagnostic::error("location-type", text.span(), message).help(help));
                Kind::Normal
            }
        }
    }

    /// Whether time stops. `PROHIBITED` is a mark of the editor.
    fn urgency(&mut self, value: &Value<'_>, element: &str) -> bool {
        let Some(text) = self.text(value, "urgency", &format!("{element}, urgency")) else {
            return false;
        };
        match text.text().trim() {
            "URGENT" | "COMMITTED" => true,
            "NORMAL" | "PROHIBITED" | "" => false,
            other => {
                let message = format!("`{other}` is not a location urgency; NORMAL is assumed");
                self.warn("location-urgency", text.span(), message);
                false
            }
        }
    }

    /// A guard or an invariant. A `;` at its end is left out.
    fn condition(&mut self, value: &Value<'_>, key: &str, element: &str) -> Option<Expr> {
        let text = self.text(value, key, element)?;
        let end = trimmed(text.text(), ';');
        parser::expression(&text.slice(0, end), &mut self.cx)
    }
}

/// Where a text ends if trailing separators are left out.
fn trimmed(text: &str, separator: char) -> usize {
    let mut rest = text.trim_end();
    while let Some(shorter) = rest.strip_suffix(separator) {
        rest = shorter.trim_end();
    }
    rest.len()
}
