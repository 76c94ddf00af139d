//! Coordinates for a template's drawing: locations on their grid, edges that do not cover each other, labels beside
//! the lines that they belong to.

use crate::model::{Edge, GridPoint, Location, Template};

/// A point of the drawing in pixels, y downwards.
pub(crate) type Point = (i32, i32);

/// The height of a line of text in UPPAAL's editor, and its grid.
const LINE: f64 = 17.0;
/// The average width of a character there.
const CHARACTER: f64 = 7.5;
/// Distance between parallel edges.
const BOW: f64 = 34.0;

/// Where an edge and its labels are drawn.
pub(crate) struct Route {
    pub nails: Vec<Point>,
    /// The upper left corner of the block of labels.
    pub labels: Point,
}

/// Where a location is drawn.
pub(crate) fn position(template: &Template, location: &Location) -> Point {
    round(scale(template, location.spot))
}

/// Where its name is drawn: above it, on the side that looks out of the drawing.
pub(crate) fn name(template: &Template, location: &Location) -> Point {
    round(beside(template, location, &location.name, -1.5 * LINE))
}

/// Where its invariant is drawn: below it, on the same side.
pub(crate) fn invariant(template: &Template, location: &Location) -> Point {
    round(beside(template, location, &location.invariant, LINE / 2.0))
}

fn beside(template: &Template, location: &Location, text: &str, down: f64) -> GridPoint {
    let (x, mut y) = scale(template, location.spot);
    let (top, bottom) = rows(template);
    // Most edges reach the lowest locations from above.
    if location.spot.1 == bottom && top < bottom {
        y += LINE;
    }
    if location.spot.0 > middle_column(template) {
        (x + LINE, y + down)
    } else {
        (x - width(text) - LINE, y + down)
    }
}

fn middle_column(template: &Template) -> f64 {
    let columns = || template.locations.iter().map(|l| l.spot.0);
    f64::midpoint(
        columns().fold(f64::MAX, f64::min),
        columns().fold(f64::MIN, f64::max),
    )
}

/// The first and the last row.
fn rows(template: &Template) -> (f64, f64) {
    let rows = || template.locations.iter().map(|l| l.spot.1);
    (rows().fold(f64::MAX, f64::min), rows().fold(f64::MIN, f64::max))
}

/// Where edge number `index` of a template is drawn. `lines` are the lines of text of its labels, top first.
pub(crate) fn route(template: &Template, index: usize, lines: &str) -> Route {
    let edge = &template.edges[index];
    let [source, target] =
        [edge.source, edge.target].map(|end| scale(template, template.locations[end.0].spot));
    let nails: Vec<GridPoint> = if !edge.path.is_empty() {
        edge.path.iter().map(|&spot| scale(template, spot)).collect()
    } else if edge.source == edge.target {
        loop_nails(template, index)
    } else {
        bow_nails(template, index)
    };

    let mut points = vec![source];
    points.extend(&nails);
    points.push(target);
    let at = points.len() / 2;
    let (from, to) = (points[at - 1], points[at]);
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let inner = if nails.is_empty() {
        (middle_column(template) * template.spacing.0, middle.1)
    } else {
        ((source.0 + target.0) / 2.0, (source.1 + target.1) / 2.0)
    };
    let slope = (to.0 - from.0, to.1 - from.1);
    Route {
        nails: nails.into_iter().map(round).collect(),
        labels: round(label_corner(lines, slope, middle, inner)),
    }
}

/// The upper left corner of labels beside the middle of a line with that slope, on the side that is away from `inner`;
/// above and to the right where that decides nothing.
fn label_corner(lines: &str, (dx, dy): GridPoint, middle: GridPoint, inner: GridPoint) -> GridPoint {
    let (width, height) = (width(lines), lines.lines().count() as f64 * LINE);
    let (x, y) = middle;
    if dx.abs() > 2.0 * dy.abs() {
        let top = if y > inner.1 + 1.0 {
            y + 4.0
        } else {
            y - height - 4.0
        };
        return (x - width / 2.0, top);
    }
    let is_left = x < inner.0 - 1.0;
    let left = if is_left { x - width - 8.0 } else { x + 8.0 };
    // A slanting line leaves room above or below its middle; an upright one leaves both.
    let top = if dx.abs() < 0.2 * dy.abs() {
        y - height / 2.0
    } else if (dx * dy > 0.0) != is_left {
        y - height
    } else {
        y
    };
    (left, top)
}

/// A loop on the outer side of its location; the next ones at the same place go round clockwise.
fn loop_nails(template: &Template, index: usize) -> Vec<GridPoint> {
    let edge = &template.edges[index];
    let spot = template.locations[edge.source.0].spot;
    let earlier = template.edges[..index]
        .iter()
        .filter(|e| e.source == edge.source && e.target == edge.source && e.path.is_empty())
        .count();
    let (top, bottom) = rows(template);
    let outer = if template.locations.iter().all(|l| l.spot.0 <= spot.0) {
        1
    } else if spot.1 == top {
        0
    } else if spot.1 == bottom {
        2
    } else {
        3
    };
    let (x, y) = scale(template, spot);
    let (near, far) = (BOW, 1.5 * BOW);
    match (outer + earlier) % 4 {
        0 => vec![(x - near, y - far), (x + near, y - far)],
        1 => vec![(x + far, y - near), (x + far, y + near)],
        2 => vec![(x + near, y + far), (x - near, y + far)],
        _ => vec![(x - far, y + near), (x - far, y - near)],
    }
}

/// Bends an edge that has company between the same two locations.
fn bow_nails(template: &Template, index: usize) -> Vec<GridPoint> {
    let edge = &template.edges[index];
    let ends = |e: &Edge| (e.source.0.min(e.target.0), e.source.0.max(e.target.0));
    let alike = |e: &&Edge| ends(e) == ends(edge) && e.path.is_empty();
    let company = template.edges.iter().filter(alike).count();
    let earlier = template.edges[..index].iter().filter(alike).count();
    // -1/2, 1/2 for two; -1, 0, 1 for three.
    let slot = earlier as f64 - (company as f64 - 1.0) / 2.0;
    if slot == 0.0 {
        return Vec::new();
    }
    let (low, high) = ends(edge);
    let [a, b] = [low, high].map(|i| scale(template, template.locations[i].spot));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = length(a, b).max(1.0);
    let offset = 2.0 * slot * BOW / length;
    let nail = |part: f64| (a.0 + part * dx - offset * dy, a.1 + part * dy + offset * dx);
    if edge.source.0 == low {
        vec![nail(0.15), nail(0.85)]
    } else {
        vec![nail(0.85), nail(0.15)]
    }
}

/// Length of a segment. Uses the square root, which is identical on every machine; `hypot` is not.
fn length(a: GridPoint, b: GridPoint) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    (dx * dx + dy * dy).sqrt()
}

fn width(text: &str) -> f64 {
    let longest = text.lines().map(|line| line.chars().count()).max();
    longest.unwrap_or(0) as f64 * CHARACTER
}

fn scale(template: &Template, spot: GridPoint) -> GridPoint {
    (spot.0 * template.spacing.0, spot.1 * template.spacing.1)
}

fn round(point: GridPoint) -> Point {
    (point.0.round() as i32, point.1.round() as i32)
}

/// Vertical offset of the label after `text`.
pub(crate) fn height(text: &str) -> i32 {
    text.lines().count() as i32 * LINE as i32
}
