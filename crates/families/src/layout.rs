//! Coordinates for a template's drawing: locations on their grid, edges that do not cover each other, labels beside
//! the lines that they belong to.

use crate::model::{Edge, Location, Spot, Template};

/// A point of the drawing in pixels, y downwards.
pub(crate) type Point = (i32, i32);

/// The height of a line of text in UPPAAL's editor, and its grid.
const LINE: f64 = 17.0;
/// The average width of a character there.
const CHARACTER: f64 = 7.5;
/// How far parallel edges stand apart.
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

/// Where its name is drawn: above and to the left, where no line leaves a grid point.
pub(crate) fn name(template: &Template, location: &Location) -> Point {
    let (x, y) = scale(template, location.spot);
    let width = location.name.len() as f64 * CHARACTER;
    round((x - width - LINE / 2.0, y - 1.5 * LINE))
}

/// Where its invariant is drawn: below and to the left.
pub(crate) fn invariant(template: &Template, location: &Location) -> Point {
    let (x, y) = scale(template, location.spot);
    round((x - width(&location.invariant) - LINE / 2.0, y + LINE / 2.0))
}

/// Where edge number `index` of a template is drawn. `lines` are the lines of text of its labels, top first.
pub(crate) fn route(template: &Template, index: usize, lines: &str) -> Route {
    let edge = &template.edges[index];
    let [source, target] =
        [edge.source, edge.target].map(|end| scale(template, template.locations[end.0].spot));
    let nails: Vec<Spot> = if !edge.path.is_empty() {
        edge.path.iter().map(|&spot| scale(template, spot)).collect()
    } else if edge.source == edge.target {
        loop_nails(template, index)
    } else {
        bow_nails(template, index)
    };

    let mut points = vec![source];
    points.extend(&nails);
    points.push(target);
    let (from, to) = longest_segment(&points);
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let straight = ((source.0 + target.0) / 2.0, (source.1 + target.1) / 2.0);
    let (width, height) = (width(lines), lines.lines().count() as f64 * LINE);
    // Outside of the bow; above and to the right of straight lines.
    let is_flat = (to.0 - from.0).abs() > 2.0 * (to.1 - from.1).abs();
    let labels = match is_flat {
        true if middle.1 > straight.1 => (middle.0 - width / 2.0, middle.1 + 4.0),
        true => (middle.0 - width / 2.0, middle.1 - height - 4.0),
        false if middle.0 < straight.0 => (middle.0 - width - 8.0, middle.1 - height / 2.0),
        false => (middle.0 + 8.0, middle.1 - height / 2.0),
    };
    Route {
        nails: nails.into_iter().map(round).collect(),
        labels: round(labels),
    }
}

/// A loop on the outer side of its location; the next ones at the same place go round clockwise.
fn loop_nails(template: &Template, index: usize) -> Vec<Spot> {
    let edge = &template.edges[index];
    let spot = template.locations[edge.source.0].spot;
    let earlier = template.edges[..index]
        .iter()
        .filter(|e| e.source == edge.source && e.target == edge.source && e.path.is_empty())
        .count();
    let extreme = |pick: fn(Spot) -> f64, fold: fn(f64, f64) -> f64| {
        let coordinates = template.locations.iter().map(|location| pick(location.spot));
        coordinates.reduce(fold) == Some(pick(spot))
    };
    let (column, row): (fn(Spot) -> f64, fn(Spot) -> f64) = (|s| s.0, |s| s.1);
    let outer = if extreme(column, f64::max) {
        1
    } else if extreme(row, f64::min) {
        0
    } else if extreme(row, f64::max) {
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
fn bow_nails(template: &Template, index: usize) -> Vec<Spot> {
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

/// The first of the longest segments. Requires: at least two points.
fn longest_segment(points: &[Spot]) -> (Spot, Spot) {
    let mut longest = (points[0], points[1]);
    for pair in points.windows(2) {
        if length(pair[0], pair[1]) > length(longest.0, longest.1) + 1.0 {
            longest = (pair[0], pair[1]);
        }
    }
    longest
}

/// Of a segment. By square root, which is the same on every machine, as `hypot` is not.
fn length(a: Spot, b: Spot) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    (dx * dx + dy * dy).sqrt()
}

fn width(text: &str) -> f64 {
    let longest = text.lines().map(|line| line.chars().count()).max();
    longest.unwrap_or(0) as f64 * CHARACTER
}

fn scale(template: &Template, spot: Spot) -> Spot {
    (spot.0 * template.spacing.0, spot.1 * template.spacing.1)
}

fn round(point: Spot) -> Point {
    (point.0.round() as i32, point.1.round() as i32)
}

/// How far down the label after `text` begins.
pub(crate) fn height(text: &str) -> i32 {
    text.lines().count() as i32 * LINE as i32
}
