//! Positions as the file has them.

use crate::{Drawing, End, LINE, LabelKind, Point, RADIUS, label};
use zonewalk_syntax::ast::{self, Template};

/// Whether every location and branchpoint has a position, and not all of them the same.
pub(crate) fn has_positions(template: &Template) -> bool {
    let locations = template.locations.iter().map(|location| location.drawing.at);
    let branchpoints = template
        .branchpoints
        .iter()
        .map(|branchpoint| branchpoint.drawing.at);
    let mut all = locations.chain(branchpoints);
    let Some(Some(first)) = all.next() else {
        return false;
    };
    let mut is_spread = template.locations.len() + template.branchpoints.len() == 1;
    for at in all {
        match at {
            None => return false,
            Some(at) => is_spread |= at != first,
        }
    }
    is_spread
}

/// Requires: [`has_positions`]; `edges` are those of the drawing.
pub(crate) fn draw(drawing: &mut Drawing, template: &Template, edges: &[&ast::Edge]) {
    drawing.is_authored = true;
    for (drawn, location) in drawing.locations.iter_mut().zip(&template.locations) {
        drawn.at = location.drawing.at.map(point).unwrap_or_default();
        let at = drawn.at;
        // Names above and conditions below, where the file says nothing.
        let mut below = at.y + RADIUS + 4.0;
        for label in &mut drawn.labels {
            let (_, height) = label::size(label);
            label.at = place_of(&location.drawing, label.kind).unwrap_or_else(|| {
                if label.kind == LabelKind::Name {
                    return Point::new(at.x - RADIUS, at.y - RADIUS - 2.0 - height);
                }
                let place = Point::new(at.x - RADIUS, below);
                below += height;
                place
            });
        }
    }
    for (drawn, branchpoint) in drawing.branchpoints.iter_mut().zip(&template.branchpoints) {
        *drawn = branchpoint.drawing.at.map(point).unwrap_or_default();
    }
    let ends: Vec<(Point, Point)> = drawing
        .edges
        .iter()
        .map(|edge| (drawing.place(edge.source), drawing.place(edge.target)))
        .collect();
    for ((drawn, edge), (source, target)) in drawing.edges.iter_mut().zip(edges).zip(ends) {
        drawn.nails = edge.drawing.nails.iter().copied().map(point).collect();
        let is_loop = drawn.source == drawn.target && matches!(drawn.source, End::Location(_));
        if is_loop && drawn.nails.len() < 2 {
            drawn.nails = loop_nails(source, drawn.nails.first().copied());
        }
        let middle = middle(source, &drawn.nails, target);
        let mut next = Point::new(middle.x + 4.0, middle.y - LINE / 2.0);
        for label in &mut drawn.labels {
            let (_, height) = label::size(label);
            label.at = place_of(&edge.drawing, label.kind).unwrap_or_else(|| {
                let place = next;
                next.y += height;
                place
            });
        }
    }
}

/// A loop needs two bends to be seen.
fn loop_nails(at: Point, through: Option<Point>) -> Vec<Point> {
    match through {
        None => vec![
            Point::new(at.x - 20.0, at.y - 34.0),
            Point::new(at.x + 20.0, at.y - 34.0),
        ],
        Some(nail) => {
            // To both sides of the line from the location to the one bend.
            let (dx, dy) = (nail.x - at.x, nail.y - at.y);
            let length = dx.hypot(dy).max(1.0);
            let (sx, sy) = (-dy / length * 12.0, dx / length * 12.0);
            vec![
                Point::new(nail.x + sx, nail.y + sy),
                Point::new(nail.x - sx, nail.y - sy),
            ]
        }
    }
}

/// The middle of the middle piece.
fn middle(source: Point, nails: &[Point], target: Point) -> Point {
    let points: Vec<Point> = [source]
        .into_iter()
        .chain(nails.iter().copied())
        .chain([target])
        .collect();
    let piece = (points.len() - 1) / 2;
    let (a, b) = (points[piece], points[piece + 1]);
    Point::new(f64::midpoint(a.x, b.x), f64::midpoint(a.y, b.y))
}

fn place_of(drawing: &ast::Drawing, kind: LabelKind) -> Option<Point> {
    // As the file calls them.
    let name = match kind {
        LabelKind::Name => "name",
        LabelKind::Invariant => "invariant",
        LabelKind::Rate => "exponentialrate",
        LabelKind::Select => "select",
        LabelKind::Guard => "guard",
        LabelKind::Sync => "synchronisation",
        LabelKind::Update => "assignment",
        LabelKind::Weight => "probability",
    };
    let found = drawing.labels.iter().find(|(kind, _)| kind == name);
    found.map(|&(_, at)| point(at))
}

fn point(at: ast::Point) -> Point {
    Point::new(at.x.into(), at.y.into())
}
