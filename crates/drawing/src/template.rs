//! Templates.

use crate::{Bounds, Drawing, Edge, End, Kind, Location, Point, author, label, layout};
use std::collections::HashMap;
use zonewalk_syntax::ast::{self, Template};
use zonewalk_syntax::print;

/// A template as its author drew it, or in layers where the file has no coordinates. Edges between places that the template does
/// not have are left out.
pub fn template(template: &Template) -> Drawing {
    let ends = ends(template);
    let locations = template.locations.iter().map(|location| Location {
        name: location.is_named.then(|| location.name.name.to_string()),
        title: location.name.name.to_string(),
        at: Point::default(),
        is_initial: template
            .initial
            .as_ref()
            .is_some_and(|initial| initial.name == location.name.name),
        kind: match (location.committed, location.urgent) {
            (true, _) => Kind::Committed,
            (_, true) => Kind::Urgent,
            _ => Kind::Normal,
        },
        color: color(&location.drawing),
        labels: label::of_location(location),
        comment: comment(&location.drawing),
    });
    let drawn = template.edges.iter().filter_map(|edge| {
        let end = |name: &ast::Ident| ends.get(&name.name).copied();
        let drawn = Edge {
            source: end(&edge.source)?,
            target: end(&edge.target)?,
            nails: Vec::new(),
            labels: label::of_edge(edge),
            color: color(&edge.drawing),
            is_dashed: !edge.controllable,
            comment: comment(&edge.drawing),
        };
        Some((drawn, edge))
    });
    let (edges, sources): (Vec<Edge>, Vec<&ast::Edge>) = drawn.unzip();
    let parameters = print::params(&template.params);
    let mut drawing = Drawing {
        name: template.name.name.to_string(),
        parameters: if template.params.is_empty() {
            String::new()
        } else {
            parameters
        },
        is_authored: false,
        locations: locations.collect(),
        branchpoints: vec![Point::default(); template.branchpoints.len()],
        edges,
        bounds: Bounds {
            min: Point::default(),
            max: Point::default(),
        },
    };
    if author::has_positions(template) {
        author::draw(&mut drawing, template, &sources);
    } else {
        layout::draw(&mut drawing);
    }
    drawing.measure();
    drawing
}

/// Locations and branchpoints by name. Of two with the same name the first counts, as in the typed tree.
fn ends(template: &Template) -> HashMap<ast::Name, End> {
    let mut ends = HashMap::new();
    for (number, location) in template.locations.iter().enumerate() {
        ends.entry(location.name.name.clone())
            .or_insert(End::Location(number));
    }
    for (number, branchpoint) in template.branchpoints.iter().enumerate() {
        let name = branchpoint.name.name.clone();
        ends.entry(name).or_insert(End::Branchpoint(number));
    }
    ends
}

/// The edges of the typed tree, each by the edges that are drawn for it: an edge into a branchpoint is joined with each edge out of
/// it there, after all others (`zonewalk_model::check`).
pub fn joined_edges(drawing: &Drawing) -> Vec<Vec<usize>> {
    let (mut plain, mut joined) = (Vec::new(), Vec::new());
    let mut stems: Vec<Vec<usize>> = vec![Vec::new(); drawing.branchpoints.len()];
    for (number, edge) in drawing.edges.iter().enumerate() {
        match (edge.source, edge.target) {
            (End::Location(_), End::Location(_)) => plain.push(vec![number]),
            (End::Location(_), End::Branchpoint(target)) => stems[target].push(number),
            _ => {}
        }
    }
    for (number, edge) in drawing.edges.iter().enumerate() {
        if let (End::Branchpoint(source), End::Location(_)) = (edge.source, edge.target) {
            joined.extend(stems[source].iter().map(|&stem| vec![stem, number]));
        }
    }
    plain.append(&mut joined);
    plain
}

/// A colour as the file has it, if it is one: anything else could say something in another language.
fn color(drawing: &ast::Drawing) -> Option<String> {
    let color = drawing.color.as_ref()?;
    let digits = color.strip_prefix('#')?;
    let is_color = matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_color.then(|| color.to_ascii_lowercase())
}

fn comment(drawing: &ast::Drawing) -> Option<String> {
    let comments = drawing.comments.iter().filter(|(kind, _)| kind == "comments");
    let texts: Vec<&str> = comments.map(|(_, text)| text.trim()).collect();
    let text = texts.join("\n");
    (!text.is_empty()).then_some(text)
}
