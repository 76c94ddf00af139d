//! Models as a family describes them: declarations, templates drawn on a grid, queries.
//!
//! Text is in the model language and unescaped; `xml` escapes it and `layout` gives the drawing its coordinates.

pub(crate) mod component;

use component::Component;
use std::borrow::Cow;

/// A point of a template's drawing, in columns to the right and rows down.
pub(crate) type GridPoint = (f64, f64);

/// A model with its queries.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub title: String,
    pub declaration: String,
    pub templates: Vec<Template>,
    pub system: String,
    pub queries: Vec<Query>,
    /// Components for ECDAR; empty for networks.
    pub components: Vec<Component>,
}

impl Model {
    /// A model without processes; `title` says what it is, one line or several.
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Model {
            title: title.into(),
            declaration: String::new(),
            templates: Vec::new(),
            system: String::new(),
            queries: Vec::new(),
            components: Vec::new(),
        }
    }

    /// Adds global declarations.
    pub(crate) fn declare(&mut self, text: impl AsRef<str>) {
        append(&mut self.declaration, text.as_ref());
    }

    /// Adds a query with the verdict that is expected and the reason for it.
    pub(crate) fn query(&mut self, formula: impl Into<String>, expected: Expected, why: impl AsRef<str>) {
        self.queries.push(Query {
            formula: formula.into(),
            expected,
            comment: why.as_ref().split_whitespace().collect::<Vec<_>>().join(" "),
        });
    }
}

/// A question about a model.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub formula: String,
    pub expected: Expected,
    pub comment: String,
}

impl Query {
    /// The comment, with the verdict that is expected.
    pub(crate) fn remark(&self) -> String {
        let verdict = match self.expected {
            Expected::Satisfied => "Expected: satisfied.",
            Expected::NotSatisfied => "Expected: not satisfied.",
            Expected::Open => "Expected: unknown.",
        };
        format!("{} {verdict}", self.comment)
    }
}

/// The verdict that a query should get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Satisfied,
    NotSatisfied,
    /// Neither has been proved.
    Open,
}

impl Expected {
    /// Satisfied exactly if `holds`.
    pub(crate) fn satisfied_if(holds: bool) -> Self {
        if holds {
            Expected::Satisfied
        } else {
            Expected::NotSatisfied
        }
    }
}

/// A template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub name: &'static str,
    pub parameters: &'static str,
    pub declaration: String,
    /// Pixels between columns and between rows.
    pub spacing: (f64, f64),
    /// The first one is initial.
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
}

/// A location of the template that it was added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LocationRef(pub usize);

impl Template {
    /// A template without locations.
    pub(crate) fn new(name: &'static str, parameters: &'static str) -> Self {
        Template {
            name,
            parameters,
            declaration: String::new(),
            spacing: (272.0, 170.0),
            locations: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Adds local declarations.
    pub(crate) fn declare(&mut self, text: impl AsRef<str>) {
        append(&mut self.declaration, text.as_ref());
    }

    /// Adds a location; the first one is initial.
    pub(crate) fn add(&mut self, location: Location) -> LocationRef {
        self.locations.push(location);
        LocationRef(self.locations.len() - 1)
    }

    /// Adds an edge without labels; what is returned takes them.
    pub(crate) fn edge(&mut self, source: LocationRef, target: LocationRef) -> &mut Edge {
        let last = self.edges.len();
        self.edges.push(Edge {
            source,
            target,
            select: String::new(),
            guard: String::new(),
            sync: String::new(),
            update: String::new(),
            path: Vec::new(),
        });
        &mut self.edges[last]
    }
}

/// How time passes in a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    Normal,
    Committed,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub name: Cow<'static, str>,
    pub spot: GridPoint,
    pub invariant: String,
    pub urgency: Urgency,
}

/// A location called `name`, drawn at a column and row.
pub(crate) fn at(column: f64, row: f64, name: impl Into<Cow<'static, str>>) -> Location {
    Location {
        name: name.into(),
        spot: (column, row),
        invariant: String::new(),
        urgency: Urgency::Normal,
    }
}

impl Location {
    #[must_use]
    pub(crate) fn invariant(mut self, text: impl Into<String>) -> Self {
        self.invariant = text.into();
        self
    }

    #[must_use]
    pub(crate) fn committed(mut self) -> Self {
        self.urgency = Urgency::Committed;
        self
    }
}

/// An edge. An empty label is absent.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub source: LocationRef,
    pub target: LocationRef,
    pub select: String,
    pub guard: String,
    pub sync: String,
    pub update: String,
    /// The nails; without any, `layout` sets them where the edge would cover another.
    pub path: Vec<GridPoint>,
}

impl Edge {
    pub(crate) fn select(&mut self, text: impl Into<String>) -> &mut Self {
        self.select = text.into();
        self
    }

    pub(crate) fn guard(&mut self, text: impl Into<String>) -> &mut Self {
        self.guard = text.into();
        self
    }

    pub(crate) fn sync(&mut self, text: impl Into<String>) -> &mut Self {
        self.sync = text.into();
        self
    }

    /// Adds to the update, one line each.
    pub(crate) fn update(&mut self, text: impl AsRef<str>) -> &mut Self {
        if !self.update.is_empty() {
            self.update += ",\n";
        }
        self.update += text.as_ref();
        self
    }

    /// Leads the edge through these points.
    pub(crate) fn via(&mut self, path: &[GridPoint]) -> &mut Self {
        self.path = path.to_vec();
        self
    }
}

/// Adds a paragraph. The text may be indented as a whole, as string literals in this crate are.
fn append(declaration: &mut String, text: &str) {
    if !declaration.is_empty() {
        *declaration += "\n\n";
    }
    *declaration += &align_comments(&unindent(text));
}

/// Takes the blank lines at both ends and the common indentation away.
fn unindent(text: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let filled = text.lines().filter(|line| !line.trim().is_empty());
    let common = filled.map(indentation).min().unwrap_or(0);
    let lines: Vec<&str> = text
        .lines()
        .map(|line| line.get(common..).unwrap_or("").trim_end())
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Lines the comments behind code up, block of lines by block: the values before them are of any length.
fn align_comments(text: &str) -> String {
    let split = |line: &str| {
        let (code, comment) = line.split_once("//")?;
        let code = code.trim_end();
        (!code.is_empty()).then(|| (code.to_owned(), comment.to_owned()))
    };
    let blocks = text.split("\n\n").map(|block| {
        let column = block.lines().filter_map(split).map(|(code, _)| code.len()).max();
        let align = |line: &str| match (split(line), column) {
            (Some((code, comment)), Some(column)) => format!("{code:column$}    //{comment}"),
            _ => line.to_owned(),
        };
        block.lines().map(align).collect::<Vec<_>>().join("\n")
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_tidied() {
        let mut declaration = String::new();
        append(
            &mut declaration,
            "\n    int i; // one\n    // whole line\n      bool flag;        // two\n    ",
        );
        append(&mut declaration, "int j;   // three\n\nclock long_name; // four");
        assert_eq!(
            declaration,
            "int i;          // one\n// whole line\n  bool flag;    // two\n\n\
             int j;    // three\n\nclock long_name;    // four"
        );
    }
}
