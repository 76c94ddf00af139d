//! Curves with no more points than a drawing of some width can show.

/// Thins a curve to a number of columns: of the points in a column the first, the lowest, the highest and the last stay, in their order.
/// The drawing in that many columns does not change. Requires: the places of the points do not fall.
pub fn thin(points: Vec<(f64, f64)>, columns: u32) -> Vec<(f64, f64)> {
    let columns = columns.max(1) as usize;
    let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else {
        return points;
    };
    if points.len() <= columns || last.0 <= first.0 {
        return points;
    }
    let column = |x: f64| (((x - first.0) / (last.0 - first.0) * columns as f64) as usize).min(columns - 1);
    let mut kept = Vec::with_capacity(4 * columns);
    for group in points.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let by_value = |a: &usize, b: &usize| group[*a].1.total_cmp(&group[*b].1);
        let all = 0..group.len();
        let lowest = all.clone().min_by(by_value).unwrap_or(0);
        let highest = all.max_by(by_value).unwrap_or(0);
        let mut chosen = [0, lowest, highest, group.len() - 1];
        chosen.sort_unstable();
        for (i, &at) in chosen.iter().enumerate() {
            if i == 0 || chosen[i - 1] != at {
                kept.push(group[at]);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_curves_stay() {
        let curve = vec![(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)];
        assert_eq!(thin(curve.clone(), 10), curve);
        assert_eq!(thin(Vec::new(), 10), []);
    }

    #[test]
    fn extremes_stay() {
        let mut curve: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), f64::from(i % 7))).collect();
        curve[4321].1 = 100.0;
        curve[5432].1 = -100.0;
        let thinned = thin(curve.clone(), 50);
        assert!(thinned.len() <= 200);
        assert_eq!((thinned.first(), thinned.last()), (curve.first(), curve.last()));
        assert!(thinned.contains(&(4321.0, 100.0)) && thinned.contains(&(5432.0, -100.0)));
        assert!(thinned.is_sorted_by(|a, b| a.0 <= b.0));
    }
}
