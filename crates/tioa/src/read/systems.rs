//! Drawn systems: a tree of operators over components, as ECDAR's editor stores it.

use rustc_hash::FxHashMap;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

use super::json::{Kind as Json, Value};
use crate::query::{Instance, System};

/// How deep a drawn system may nest.
const MAX_NESTING: usize = 100;

/// A node of the drawing.
enum Node<'v> {
    Component(&'v str),
    Operator(&'v str, Span),
}

/// Reads a drawn system: its name, and the expression that it abbreviates.
pub(super) fn read(value: &Value<'_>, stem: &str) -> (String, Result<System, Box<Diagnostic>>) {
    let name = text(value, "name").map_or(stem, str::trim).to_owned();
    let system = expression(value, &name);
    (name, system)
}

fn expression(value: &Value<'_>, name: &str) -> Result<System, Box<Diagnostic>> {
    let mut nodes: FxHashMap<&str, Node<'_>> = FxHashMap::default();
    for item in items(value, "componentInstances") {
        if let (Some(id), Some(component)) = (number(item, "id"), text(item, "componentName")) {
            nodes.insert(id, Node::Component(component));
        }
    }
    for item in items(value, "operators") {
        if let (Some(id), Some(kind)) = (number(item, "id"), text(item, "type")) {
            nodes.insert(id, Node::Operator(kind, item.span));
        }
    }
    let mut children: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for item in items(value, "edges") {
        if let (Some(child), Some(parent)) = (number(item, "child"), number(item, "parent")) {
            children.entry(parent).or_default().push(child);
        }
    }
    let drawing = Drawing {
        name,
        nodes,
        children,
        span: Span::new(value.span.start, value.span.start + 1),
    };
    match drawing.children.get("0").map(Vec::as_slice) {
        Some([root]) => drawing.system(root, &mut Vec::new()),
        None | Some([]) => Err(drawing.error("it has no root", drawing.span)),
        Some(_) => Err(drawing.error("it has more than one root", drawing.span)),
    }
}

struct Drawing<'v> {
    name: &'v str,
    nodes: FxHashMap<&'v str, Node<'v>>,
    children: FxHashMap<&'v str, Vec<&'v str>>,
    span: Span,
}

impl Drawing<'_> {
    fn error(&self, what: &str, span: Span) -> Box<Diagnostic> {
        let message = format!("the drawn system `{}` is not used: {what}", self.name);
        Box::new(Diagnostic::warning("drawn-system", span, message))
    }

    /// The system at a node; `above` are the operators that it is an operand of.
    fn system<'d>(&'d self, id: &'d str, above: &mut Vec<&'d str>) -> Result<System, Box<Diagnostic>> {
        let (kind, span) = match self.nodes.get(id) {
            None => return Err(self.error(&format!("nothing has the id {id}"), self.span)),
            Some(Node::Component(name)) => {
                return Ok(System::Component(Instance {
                    name: (*name).trim().to_owned(),
                    tag: None,
                }));
            }
            Some(Node::Operator(kind, span)) => (*kind, *span),
        };
        if above.contains(&id) {
            return Err(self.error("it contains itself", span));
        }
        if above.len() >= MAX_NESTING {
            return Err(self.error(&format!("it nests deeper than {MAX_NESTING} levels"), span));
        }
        above.push(id);
        let parts: Vec<System> = (self.children.get(id).into_iter().flatten())
            .map(|child| self.system(child, above))
            .collect::<Result<_, _>>()?;
        above.pop();
        match (kind, parts.len()) {
            (_, 0) => Err(self.error("an operator without operands", span)),
            ("composition" | "conjunction", 1) => Ok(parts
                .into_iter()
                .next()
                .unwrap_or(System::Composition(Vec::new()))),
            ("composition", _) => Ok(System::Composition(parts)),
            ("conjunction", _) => Ok(System::Conjunction(parts)),
            ("quotient", 2) => {
                let mut parts = parts.into_iter();
                let pair = parts.next().zip(parts.next());
                pair.map_or(
                    Err(self.error("a quotient without two operands", span)),
                    |(whole, part)| {
                        Ok(System::Quotient {
                            whole: Box::new(whole),
                            part: Box::new(part),
                        })
                    },
                )
            }
            ("quotient", _) => Err(self.error("a quotient needs two operands", span)),
            (other, _) => Err(self.error(&format!("`{other}` is not an operator"), span)),
        }
    }
}

fn items<'v, 'a>(value: &'v Value<'a>, key: &str) -> &'v [Value<'a>] {
    match value.get(key).map(|list| &list.kind) {
        Some(Json::List(items)) => items,
        _ => &[],
    }
}

fn text<'v>(value: &'v Value<'_>, key: &str) -> Option<&'v str> {
    match &value.get(key)?.kind {
        Json::Text(text) if !text.is_blank() => Some(text.text()),
        _ => None,
    }
}

fn number<'v>(value: &'v Value<'_>, key: &str) -> Option<&'v str> {
    match &value.get(key)?.kind {
        Json::Number(number) => Some(number),
        _ => None,
    }
}
