//! Drawing in layers, after Sugiyama, Tagawa and Toda (1981): ranks, an order within each rank, then coordinates.
//!
//! Runs go from the top to the bottom, back edges the other way round. Every edge has a node of its own for its labels, halfway
//! (Gansner, Koutsofios, North and Vo 1993, section 5.3): so labels lie on nothing, and parallel edges are apart. Loops are on the
//! right of their location, names and invariants on the left.

mod order;
mod place;
mod rank;

use crate::label::size;
use crate::{Drawing, End, LabelKind, Point, RADIUS};

/// Nodes that edges over many ranks are led through; beyond that many they go straight.
const BENDS: usize = 30_000;
/// Between neighbours in a row.
const GAP: f64 = 14.0;
/// Between rows.
const ROW_GAP: f64 = 16.0;
/// Distance from a location to the bends of its loops.
const LOOP: f64 = 30.0;

/// A node of the layered graph: a location, a branchpoint, the labels of an edge, or a place that an edge goes through.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) row: usize,
    /// Room needed left and right of the centre.
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// Room needed above and below the centre.
    pub(crate) half_height: f64,
    /// Pulls of edges through it count more: straight edges are easy to follow.
    pub(crate) is_bend: bool,
    /// Neighbours in rows above and below.
    pub(crate) above: Vec<usize>,
    pub(crate) below: Vec<usize>,
}

/// The graph in rows.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) nodes: Vec<Node>,
    /// By row, from left to right.
    pub(crate) rows: Vec<Vec<usize>>,
}

/// Gives everything a place.
pub(crate) fn draw(drawing: &mut Drawing) {
    let count = drawing.locations.len();
    let number = |end: End| match end {
        End::Location(location) => location,
        End::Branchpoint(branchpoint) => count + branchpoint,
    };
    let ends: Vec<(usize, usize)> = drawing
        .edges
        .iter()
        .map(|edge| (number(edge.source), number(edge.target)))
        .collect();
    let total = count + drawing.branchpoints.len();
    let initial = drawing.locations.iter().position(|location| location.is_initial);
    let ranks = rank::ranks(total, &ends, initial);

    let mut layers = Layers::default();
    for (node, rank) in ranks.iter().enumerate() {
        let row = 2 * rank;
        let (left, right, half_height) = match drawing.locations.get(node) {
            Some(_) => room(drawing, node, &ends),
            None => (6.0, 6.0, 6.0),
        };
        layers.nodes.push(Node {
            row,
            left,
            right,
            half_height,
            is_bend: false,
            above: Vec::new(),
            below: Vec::new(),
        });
    }
    let mut bends = 0;
    let chains: Vec<Vec<usize>> = (0..drawing.edges.len())
        .map(|edge| chain(&mut layers, drawing, edge, ends[edge], &mut bends))
        .collect();
    layers.fill_rows();
    order::order(&mut layers);
    let (xs, ys, heights) = place::place(&layers);

    for (node, location) in drawing.locations.iter_mut().enumerate() {
        location.at = Point::new(xs[node], ys[layers.nodes[node].row]);
        let height: f64 = location.labels.iter().map(|label| size(label).1).sum();
        let mut y = location.at.y - height / 2.0;
        for label in &mut location.labels {
            let (width, height) = size(label);
            label.at = Point::new(location.at.x - RADIUS - 6.0 - width, y);
            y += height;
        }
    }
    for (number, branchpoint) in drawing.branchpoints.iter_mut().enumerate() {
        let node = count + number;
        *branchpoint = Point::new(xs[node], ys[layers.nodes[node].row]);
    }
    for (edge, chain) in chains.iter().enumerate() {
        let mut nails = Vec::new();
        for &node in chain {
            let row = layers.nodes[node].row;
            let half = heights[row];
            nails.push(Point::new(xs[node], ys[row] - half));
            nails.push(Point::new(xs[node], ys[row] + half));
            // The one with room for labels.
            if layers.nodes[node].right > 6.0 {
                let (_, height) = stacked(drawing, edge);
                let mut y = ys[row] - height / 2.0;
                for label in &mut drawing.edges[edge].labels {
                    label.at = Point::new(xs[node] + 6.0, y);
                    y += size(label).1;
                }
            }
        }
        let (source, target) = ends[edge];
        if layers.nodes[source].row > layers.nodes[target].row {
            nails.reverse();
        }
        let (from, to) = (
            drawing.place(drawing.edges[edge].source),
            drawing.place(drawing.edges[edge].target),
        );
        drawing.edges[edge].nails = bent(from, &nails, to);
    }
    loops(drawing, &ends);
}

/// Returns the room a location needs to its left, to its right, and above and below.
fn room(drawing: &Drawing, node: usize, ends: &[(usize, usize)]) -> (f64, f64, f64) {
    let labels = &drawing.locations[node].labels;
    let width = labels.iter().map(|label| size(label).0).fold(0.0, f64::max);
    let height: f64 = labels.iter().map(|label| size(label).1).sum();
    let (mut loop_width, mut loop_height) = (0.0_f64, 0.0_f64);
    let mut has_loop = false;
    for edge in (0..ends.len()).filter(|&edge| ends[edge] == (node, node)) {
        let (width, height) = stacked(drawing, edge);
        loop_width = loop_width.max(width);
        loop_height += slot(height);
        has_loop = true;
    }
    let right = if has_loop {
        LOOP + 8.0 + loop_width
    } else {
        RADIUS + 2.0
    };
    let half = (height.max(loop_height) / 2.0).max(RADIUS + 2.0);
    (RADIUS + 8.0 + width, right, half)
}

/// Room taken by a loop whose labels have this height.
fn slot(height: f64) -> f64 {
    height.max(22.0) + 4.0
}

/// The size of the labels of an edge, one below the other.
fn stacked(drawing: &Drawing, edge: usize) -> (f64, f64) {
    let sizes = drawing.edges[edge].labels.iter().map(size);
    sizes.fold((0.0, 0.0), |(width, height), (w, h)| {
        (f64::max(width, w), height + h)
    })
}

/// The nodes that an edge goes through, from the upper end to the lower one.
fn chain(
    layers: &mut Layers,
    drawing: &Drawing,
    edge: usize,
    (source, target): (usize, usize),
    bends: &mut usize,
) -> Vec<usize> {
    if source == target {
        return Vec::new();
    }
    let row = |node: usize| layers.nodes[node].row;
    let (upper, lower) = if row(source) < row(target) {
        (source, target)
    } else {
        (target, source)
    };
    let (first, last) = (row(upper), row(lower));
    let middle = usize::midpoint(first, last);
    let is_straight = *bends + (last - first) > BENDS;
    let (width, height) = stacked(drawing, edge);
    let mut chain = Vec::new();
    let mut before = upper;
    for row in first + 1..last {
        let is_label = row == middle;
        if is_straight && !is_label {
            continue;
        }
        let node = layers.nodes.len();
        layers.nodes.push(Node {
            row,
            left: 5.0,
            right: if is_label && width > 0.0 { width + 8.0 } else { 5.0 },
            half_height: if is_label { height / 2.0 } else { 0.0 },
            is_bend: true,
            above: Vec::new(),
            below: Vec::new(),
        });
        layers.join(before, node);
        before = node;
        chain.push(node);
        *bends += 1;
    }
    layers.join(before, lower);
    chain
}

/// Places the loops, one below the other.
fn loops(drawing: &mut Drawing, ends: &[(usize, usize)]) {
    for node in 0..drawing.locations.len() {
        let at = drawing.locations[node].at;
        let own: Vec<usize> = (0..ends.len())
            .filter(|&edge| ends[edge] == (node, node))
            .collect();
        let total: f64 = own.iter().map(|&edge| slot(stacked(drawing, edge).1)).sum();
        let mut top = at.y - total / 2.0;
        for edge in own {
            let (_, height) = stacked(drawing, edge);
            let centre = top + slot(height) / 2.0;
            let edge = &mut drawing.edges[edge];
            edge.nails = vec![
                Point::new(at.x + LOOP, centre - 8.0),
                Point::new(at.x + LOOP, centre + 8.0),
            ];
            let mut y = centre - height / 2.0;
            for label in &mut edge.labels {
                debug_assert!(
                    label.kind > LabelKind::Rate,
                    "labels of locations are not on edges"
                );
                label.at = Point::new(at.x + LOOP + 6.0, y);
                y += size(label).1;
            }
            top += slot(height);
        }
    }
}

/// The bends that are ones: those on the line between their neighbours are left out.
fn bent(from: Point, nails: &[Point], to: Point) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (i, &nail) in nails.iter().enumerate() {
        let before = kept.last().copied().unwrap_or(from);
        let after = nails.get(i + 1).copied().unwrap_or(to);
        let (ax, ay) = (nail.x - before.x, nail.y - before.y);
        let (bx, by) = (after.x - nail.x, after.y - nail.y);
        if ax.mul_add(by, -(ay * bx)).abs() > 0.5 {
            kept.push(nail);
        }
    }
    kept
}

impl Layers {
    fn join(&mut self, upper: usize, lower: usize) {
        self.nodes[upper].below.push(lower);
        self.nodes[lower].above.push(upper);
    }

    fn fill_rows(&mut self) {
        let count = self.nodes.iter().map(|node| node.row + 1).max().unwrap_or(0);
        self.rows = vec![Vec::new(); count];
        for (number, node) in self.nodes.iter().enumerate() {
            self.rows[node.row].push(number);
        }
    }
}
