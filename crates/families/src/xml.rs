//! Writes models as UPPAAL's XML, the flat format of DTD 1.6.

use crate::layout;
use crate::model::{Edge, Expected, Location, Model, Query, Template, Urgency};
use std::fmt::{self, Display, Formatter, Write};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' \
    'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
";

/// The document for a model. `command` says how to write it again.
pub(crate) fn write(model: &Model, command: &str) -> String {
    let mut out = HEAD.to_owned();
    // Nothing that is written here fails: the sink is a string.
    let _ = Writer {
        out: &mut out,
        locations: 0,
    }
    .model(model, command);
    out
}

struct Writer<'a> {
    out: &'a mut String,
    /// Locations of earlier templates; ids are unique in a document.
    locations: usize,
}

impl Writer<'_> {
    fn model(&mut self, model: &Model, command: &str) -> fmt::Result {
        let mut declaration = String::new();
        for line in model.title.lines() {
            declaration += &format!("// {}\n", line.trim());
        }
        declaration += &format!("// {command}\n\n{}\n", model.declaration);
        writeln!(self.out, "<nta>")?;
        writeln!(self.out, "\t<declaration>{}</declaration>", Escaped(&declaration))?;
        for template in &model.templates {
            self.template(template)?;
        }
        writeln!(self.out, "\t<system>{}</system>", Escaped(&model.system))?;
        writeln!(self.out, "\t<queries>")?;
        for query in &model.queries {
            self.query(query)?;
        }
        writeln!(self.out, "\t</queries>\n</nta>")
    }

    fn template(&mut self, template: &Template) -> fmt::Result {
        writeln!(self.out, "\t<template>")?;
        writeln!(self.out, "\t\t<name>{}</name>", Escaped(template.name))?;
        for (tag, text) in [
            ("parameter", template.parameters),
            ("declaration", &template.declaration),
        ] {
            if !text.is_empty() {
                writeln!(self.out, "\t\t<{tag}>{}</{tag}>", Escaped(text))?;
            }
        }
        for (i, location) in template.locations.iter().enumerate() {
            self.location(template, i, location)?;
        }
        writeln!(self.out, "\t\t<init ref=\"id{}\"/>", self.locations)?;
        for (i, edge) in template.edges.iter().enumerate() {
            self.edge(template, i, edge)?;
        }
        self.locations += template.locations.len();
        writeln!(self.out, "\t</template>")
    }

    fn location(&mut self, template: &Template, index: usize, location: &Location) -> fmt::Result {
        let (x, y) = layout::position(template, location);
        let id = self.locations + index;
        writeln!(self.out, "\t\t<location id=\"id{id}\" x=\"{x}\" y=\"{y}\">")?;
        let (x, y) = layout::name(template, location);
        let name = Escaped(&location.name);
        writeln!(self.out, "\t\t\t<name x=\"{x}\" y=\"{y}\">{name}</name>")?;
        self.label(
            "invariant",
            layout::invariant(template, location),
            &location.invariant,
        )?;
        if location.urgency == Urgency::Committed {
            writeln!(self.out, "\t\t\t<committed/>")?;
        }
        writeln!(self.out, "\t\t</location>")
    }

    fn edge(&mut self, template: &Template, index: usize, edge: &Edge) -> fmt::Result {
        let labels = [
            ("select", &edge.select),
            ("guard", &edge.guard),
            ("synchronisation", &edge.sync),
            ("assignment", &edge.update),
        ];
        let texts = labels.iter().map(|(_, text)| text.as_str());
        let lines: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        let route = layout::route(template, index, &lines.join("\n"));
        let [source, target] = [edge.source, edge.target].map(|end| self.locations + end.0);
        writeln!(self.out, "\t\t<transition>")?;
        writeln!(self.out, "\t\t\t<source ref=\"id{source}\"/>")?;
        writeln!(self.out, "\t\t\t<target ref=\"id{target}\"/>")?;
        let (x, mut y) = route.labels;
        for (kind, text) in labels {
            self.label(kind, (x, y), text)?;
            y += layout::height(text);
        }
        for (x, y) in route.nails {
            writeln!(self.out, "\t\t\t<nail x=\"{x}\" y=\"{y}\"/>")?;
        }
        writeln!(self.out, "\t\t</transition>")
    }

    fn label(&mut self, kind: &str, (x, y): layout::Point, text: &str) -> fmt::Result {
        if text.is_empty() {
            return Ok(());
        }
        let text = Escaped(text);
        writeln!(
            self.out,
            "\t\t\t<label kind=\"{kind}\" x=\"{x}\" y=\"{y}\">{text}</label>"
        )
    }

    fn query(&mut self, query: &Query) -> fmt::Result {
        writeln!(self.out, "\t\t<query>")?;
        writeln!(self.out, "\t\t\t<formula>{}</formula>", Escaped(&query.formula))?;
        writeln!(self.out, "\t\t\t<comment>{}</comment>", Escaped(&query.remark()))?;
        let outcome = match query.expected {
            Expected::Satisfied => Some("success"),
            Expected::NotSatisfied => Some("failure"),
            Expected::Open => None,
        };
        if let Some(outcome) = outcome {
            writeln!(self.out, "\t\t\t<expect outcome=\"{outcome}\" type=\"quality\"/>")?;
        }
        writeln!(self.out, "\t\t</query>")
    }
}

/// Text with the characters that XML reserves written as entities.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
