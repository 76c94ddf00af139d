//! Clocks that stand still, as differences of two clocks that never do.
//!
//! A stopwatch that stands has the value `r − e`, where `r` is a clock that goes on and `e` was set to 0 when it stopped. Then letting
//! time pass is [`up`](super::up), which is exact, and a guard on the stopwatch is a bound of a difference. What is lost is lost where
//! it runs again: `r := r − e` leads to a set that need not be a zone.

use super::assert_closed;
use crate::bound::Bound;
use crate::word::Word;

/// The least upper bound of `(a − e) − (b − f)` for `left = (a, e)` and `right = (b, f)`: of the difference of two clocks, each the
/// difference of two rows. The second row of a clock that runs is 0.
///
/// It is the dual of a flow of two units from `a` and `f` to `e` and `b`, so it is the better one of both ways to pair them, strictness
/// included. A matrix of such bounds is therefore closed.
///
/// Requires: closed. O(1).
#[inline]
pub fn between<W: Word>(
    dbm: &[Bound<W>],
    dim: usize,
    left: (usize, usize),
    right: (usize, usize),
) -> Bound<W> {
    let ((a, e), (b, f)) = (left, right);
    if e == f {
        return dbm[a * dim + b];
    }
    let straight = dbm[a * dim + e].plus(dbm[f * dim + b]);
    straight.tighter(dbm[a * dim + b].plus(dbm[f * dim + e]))
}

/// Whether the image under `r := r − e` for clocks that stopped together is a zone, so that [`between`] describes it exactly.
///
/// `clocks` are the rows `r`, `stamp` is the row `e`; `kept` are the rows that stay, 0 included and without `r` and `e`. Eliminating `e`
/// leaves sums of two differences, and the image is exact if its differences imply all of these.
///
/// Requires: closed. O((kept + clocks)²).
pub fn resumes_exactly<W: Word>(
    dbm: &[Bound<W>],
    dim: usize,
    clocks: &[usize],
    stamp: usize,
    kept: &[usize],
) -> bool {
    assert_closed(dbm, dim);
    // The variables of the image, and for each the bounds of `e` that it takes part in.
    let image = |at: usize| match at.checked_sub(kept.len()) {
        None => (kept[at], 0),
        Some(number) => (clocks[number], stamp),
    };
    let bound = |a: usize, b: usize| between(dbm, dim, image(a), image(b));
    let count = kept.len() + clocks.len();
    // `e` is at most `upper(i)` plus a variable, or minus one that runs again: `e <= v + c`, `e <= v − R + c`.
    let uppers = || {
        let alone = (0..kept.len()).map(|v| (v, None, dbm[stamp * dim + kept[v]]));
        alone.chain((kept.len()..count).flat_map(move |r| {
            (0..kept.len()).map(move |v| (v, Some(r), dbm[clocks[r - kept.len()] * dim + kept[v]]))
        }))
    };
    let lowers = || {
        let alone = (0..kept.len()).map(|v| (v, None, dbm[kept[v] * dim + stamp]));
        alone.chain((kept.len()..count).flat_map(move |r| {
            (0..kept.len()).map(move |v| (v, Some(r), dbm[kept[v] * dim + clocks[r - kept.len()]]))
        }))
    };
    let zero = kept.iter().position(|&row| row == 0).unwrap_or(0);
    uppers().all(|(v, minus, high)| {
        lowers().all(|(w, other, low)| {
            // w − S − low <= e <= v − R + high, so R − S + w − v <= low + high.
            let (r, s) = (minus.unwrap_or(zero), other.unwrap_or(zero));
            let wanted = low.plus(high);
            wanted.is_infinite()
                || bound(r, s).plus(bound(w, v)) <= wanted
                || bound(r, v).plus(bound(w, s)) <= wanted
        })
    })
}
