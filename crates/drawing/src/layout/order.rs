//! The order within rows: each node near the mean of its neighbours, swept down and up; the best order counts.

use super::Layers;

/// Sweeps, each down and up.
const SWEEPS: usize = 8;

/// Orders the rows so that few edges cross.
pub(super) fn order(layers: &mut Layers) {
    let mut position = vec![0.0; layers.nodes.len()];
    let number = |rows: &[Vec<usize>], position: &mut Vec<f64>| {
        for row in rows {
            for (place, &node) in row.iter().enumerate() {
                position[node] = place as f64;
            }
        }
    };
    number(&layers.rows, &mut position);
    let mut best = (crossings(layers, &position), layers.rows.clone());
    for sweep in 0..2 * SWEEPS {
        let goes_down = sweep % 2 == 0;
        let count = layers.rows.len();
        for step in 0..count {
            let index = if goes_down { step } else { count - 1 - step };
            let mut row = std::mem::take(&mut layers.rows[index]);
            let nodes = &layers.nodes;
            let centre = |node: usize| {
                let neighbours = if goes_down {
                    &nodes[node].above
                } else {
                    &nodes[node].below
                };
                if neighbours.is_empty() {
                    return position[node];
                }
                neighbours.iter().map(|&n| position[n]).sum::<f64>() / neighbours.len() as f64
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&node| (centre(node), node)).collect();
            // A stable sort: ties keep their order.
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            row.clear();
            for (place, &(_, node)) in keyed.iter().enumerate() {
                position[node] = place as f64;
                row.push(node);
            }
            layers.rows[index] = row;
        }
        let found = crossings(layers, &position);
        if found < best.0 {
            best = (found, layers.rows.clone());
        }
        if best.0 == 0 {
            break;
        }
    }
    layers.rows = best.1;
}

/// Pairs of edges between neighbouring rows that cross, counted by a tree of sums (Barth, Mutzel and Jünger 2004).
fn crossings(layers: &Layers, position: &[f64]) -> u64 {
    let mut total = 0;
    for (index, row) in layers.rows.iter().enumerate() {
        let Some(next) = layers.rows.get(index + 1) else {
            break;
        };
        let mut sums = vec![0_u64; next.len() + 1];
        let mut seen = 0_u64;
        for &node in row {
            let mut ends: Vec<usize> = layers.nodes[node]
                .below
                .iter()
                .filter(|&&lower| layers.nodes[lower].row == index + 1)
                .map(|&lower| position[lower] as usize)
                .collect();
            ends.sort_unstable();
            for &end in &ends {
                // Edges before that end further right.
                let (mut at, mut up_to) = (end + 1, 0);
                while at > 0 {
                    up_to += sums[at];
                    at &= at - 1;
                }
                total += seen - up_to;
            }
            for &end in &ends {
                let mut at = end + 1;
                while at < sums.len() {
                    sums[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Node;

    fn layers(rows: &[usize], edges: &[(usize, usize)]) -> Layers {
        let mut layers = Layers::default();
        for (row, &count) in rows.iter().enumerate() {
            for _ in 0..count {
                layers.nodes.push(Node {
                    row,
                    left: 1.0,
                    right: 1.0,
                    half_height: 1.0,
                    is_bend: false,
                    above: Vec::new(),
                    below: Vec::new(),
                });
            }
        }
        edges.iter().for_each(|&(upper, lower)| layers.join(upper, lower));
        layers.fill_rows();
        layers
    }

    #[test]
    fn crossings_are_removed() {
        let mut crossed = layers(&[3, 3], &[(0, 5), (1, 4), (2, 3)]);
        let position = [0.0, 1.0, 2.0, 0.0, 1.0, 2.0];
        assert_eq!(crossings(&crossed, &position), 3);
        order(&mut crossed);
        let mut after = vec![0.0; 6];
        for row in &crossed.rows {
            for (place, &node) in row.iter().enumerate() {
                after[node] = place as f64;
            }
        }
        assert_eq!(crossings(&crossed, &after), 0);
    }
}
