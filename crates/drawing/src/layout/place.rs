//! Coordinates: rows below each other, and within a row each node as close to its neighbours as the order and the room allow.

use super::{GAP, Layers, ROW_GAP};

/// Sweeps over all rows.
const SWEEPS: usize = 10;
/// How much more strongly an edge passing through a row pulls than one ending there.
const STRAIGHT: f64 = 4.0;

/// The x of each node, the y of each row's middle, and half the height of each row.
pub(super) fn place(layers: &Layers) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (ys, heights) = rows(layers);
    let mut xs = vec![0.0; layers.nodes.len()];
    for row in &layers.rows {
        let offsets = offsets(layers, row);
        let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
        for (&node, offset) in row.iter().zip(&offsets) {
            xs[node] = offset - middle;
        }
    }
    for sweep in 0..SWEEPS {
        let count = layers.rows.len();
        for step in 0..count {
            let index = if sweep % 2 == 0 { step } else { count - 1 - step };
            // The last two sweeps look both ways.
            let looks = match sweep {
                _ if sweep + 2 >= SWEEPS => (true, true),
                _ if sweep % 2 == 0 => (true, false),
                _ => (false, true),
            };
            settle(layers, &layers.rows[index], looks, &mut xs);
        }
    }
    let left = layers.nodes.iter().zip(&xs).map(|(node, x)| x - node.left);
    let least = left.fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        xs.iter_mut().for_each(|x| *x = (*x - least).round());
    }
    (xs, ys, heights)
}

fn rows(layers: &Layers) -> (Vec<f64>, Vec<f64>) {
    let (mut ys, mut heights) = (Vec::new(), Vec::new());
    let mut top = 0.0;
    for row in &layers.rows {
        let half = row
            .iter()
            .map(|&node| layers.nodes[node].half_height)
            .fold(0.0, f64::max);
        ys.push((top + half).round());
        heights.push(half);
        top += 2.0 * half + ROW_GAP;
    }
    (ys, heights)
}

/// Smallest offset of each node of a row from the first.
fn offsets(layers: &Layers, row: &[usize]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(row.len());
    let mut at = 0.0;
    for (place, &node) in row.iter().enumerate() {
        if let Some(&before) = place.checked_sub(1).and_then(|i| row.get(i)) {
            at += layers.nodes[before].right + GAP + layers.nodes[node].left;
        }
        offsets.push(at);
    }
    offsets
}

/// Moves the nodes of a row to the means of their neighbours: the least squares under the order, by pooling neighbours that would
/// come too close (isotonic regression).
fn settle(layers: &Layers, row: &[usize], (above, below): (bool, bool), xs: &mut [f64]) {
    let offsets = offsets(layers, row);
    // Pools: sum of weighted wishes, sum of weights, number of nodes.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(row.len());
    for (&node, offset) in row.iter().zip(&offsets) {
        let (wish, weight) = wish(layers, node, (above, below), xs);
        pools.push(((wish - offset) * weight, weight, 1));
        while let [.., a, b] = pools.as_mut_slice() {
            if a.0 / a.1 <= b.0 / b.1 {
                break;
            }
            *a = (a.0 + b.0, a.1 + b.1, a.2 + b.2);
            pools.pop();
        }
    }
    let mut place = 0;
    for (sum, weight, count) in pools {
        for _ in 0..count {
            xs[row[place]] = sum / weight + offsets[place];
            place += 1;
        }
    }
}

/// Where a node would like to be, and how much.
fn wish(layers: &Layers, node: usize, (above, below): (bool, bool), xs: &[f64]) -> (f64, f64) {
    let this = &layers.nodes[node];
    let (mut sum, mut weight) = (0.0, 0.0);
    let lists = [(above, &this.above), (below, &this.below)];
    for &neighbour in lists
        .iter()
        .filter(|(looks, _)| *looks)
        .flat_map(|(_, list)| *list)
    {
        let pull = if this.is_bend && layers.nodes[neighbour].is_bend {
            STRAIGHT
        } else {
            1.0
        };
        sum += pull * xs[neighbour];
        weight += pull;
    }
    if weight == 0.0 {
        // Nothing pulls: it stays, and gives way.
        return (xs[node], 0.01);
    }
    (sum / weight, weight)
}
