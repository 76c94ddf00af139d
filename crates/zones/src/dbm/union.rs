//! Unions of two zones that are zones themselves.

use super::assert_closed;
use crate::bound::Bound;
use crate::word::Word;

/// Writes the smallest zone that contains both to `joined`.
///
/// Requires: both closed. Ensures: `joined` closed. O(dim²).
pub fn hull<W: Word>(a: &[Bound<W>], b: &[Bound<W>], joined: &mut Vec<Bound<W>>) {
    joined.clear();
    joined.extend(a.iter().zip(b).map(|(a, b)| *a.max(b)));
}

/// Whether the union of two zones is a zone, which then is in `joined`: the smallest zone
/// that contains both has no point outside of both.
///
/// Points of the hull beyond `a` lie beyond one of its bounds that the hull exceeds, so they are a union of zones, each closed in one step.
///
/// Requires: both closed. O(dim²) for each bound of `a` that the hull exceeds.
pub fn is_union_convex<W: Word>(
    a: &[Bound<W>],
    b: &[Bound<W>],
    dim: usize,
    joined: &mut Vec<Bound<W>>,
) -> bool {
    assert_closed(a, dim);
    assert_closed(b, dim);
    hull(a, b, joined);
    for i in 0..dim {
        for j in 0..dim {
            let (whole, inner) = (joined[i * dim + j], a[i * dim + j]);
            if whole <= inner {
                continue;
            }
            let beyond = inner.complement();
            if beyond.plus(whole) < Bound::LE_ZERO {
                continue;
            }
            let is_within = (0..dim).all(|u| {
                let to = joined[u * dim + j].plus(beyond);
                (0..dim).all(|v| {
                    let through = to.plus(joined[i * dim + v]);
                    joined[u * dim + v].tighter(through) <= b[u * dim + v]
                })
            });
            if !is_within {
                return false;
            }
        }
    }
    true
}
