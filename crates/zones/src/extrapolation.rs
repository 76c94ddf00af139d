//! Abstractions that make the zone graph finite, from the constants that clocks are compared with.
//!
//! Extra-M, Extra-LU and Extra-LU+ are those of Behrmann, Bouyer, Larsen and Pelánek, *Lower and upper bounds in
//! zone-based abstractions of timed automata* (STTT 2006). They are sound for automata whose guards and invariants
//! have no diagonal constraints. `l[x]` is the largest constant in a constraint `x > c` or `x >= c` that matters,
//! `u[x]` in one `x < c` or `x <= c`, and `m[x]` the larger of both; [`NO_BOUND`] says that there is none. Entry 0
//! belongs to the reference clock and is 0.
//!
//! [`alu_includes`] instead leaves zones as they are and abstracts only in the comparison (Herbreteau, Srivathsan and
//! Walukiewicz, *Better abstractions for timed automata*, LICS 2012).
//!
//! All of them require closed zones of non-negative clocks. The extrapolations return whether they relaxed an entry:
//! after `false` the zone is what it was; after `true` closing may still have tightened every entry back.

use crate::bound::Bound;
use crate::bound::Relaxed;
use crate::bound::word::Word;
use crate::dbm::assert_closed;
use crate::kernels;

/// Minus infinity as the constant of a clock that is never compared from that side: [`Word::NO_BOUND`] of 32 bits.
pub const NO_BOUND: i32 = <i32 as Word>::NO_BOUND;

/// Extra-M: forgets what lies beyond the largest constant `m[x]` of each clock.
///
/// Requires: closed, clocks not negative, `m.len() == dim`, `m[0] == 0`. Ensures: closed, contains the zone.
pub fn extra_m<W: Word>(dbm: &mut [Bound<W>], dim: usize, m: &[W]) -> bool {
    extra_lu(dbm, dim, m, m)
}

/// Extra-LU: like [`extra_m`], with lower and upper constants apart.
///
/// Requires: closed, clocks not negative, `l.len() == u.len() == dim`, `l[0] == u[0] == 0`.
/// Ensures: closed, contains the zone.
pub fn extra_lu<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    assert_bounds(dbm, dim, l, u);
    let mut relaxed = Relaxed::default();
    for (i, row) in dbm.chunks_exact_mut(dim).enumerate() {
        let (mut changed, mut finite) = (false, false);
        for (j, bound) in row.iter_mut().enumerate() {
            if i == j {
                continue;
            }
            let wider = if bound.is_infinite() || above(*bound, l[i]) {
                Bound::INFINITY
            } else if below(*bound, u[j]) {
                beyond(i, u[j])
            } else {
                *bound
            };
            changed |= *bound != wider;
            finite |= !wider.is_infinite();
            *bound = wider;
        }
        relaxed.record(i, changed, finite);
    }
    kernels::close_relaxed(dbm, dim, relaxed);
    assert_closed(dbm, dim);
    relaxed.any
}

/// Extra-LU+: the coarsest of the three; forgets the differences of a clock that is beyond its constants altogether.
///
///
/// Requires: closed, clocks not negative, `l.len() == u.len() == dim`, `l[0] == u[0] == 0`.
/// Ensures: closed, contains the zone.
pub fn extra_lu_plus<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    assert_bounds(dbm, dim, l, u);
    let changed = kernels::extra_lu_plus(dbm, dim, l, u);
    assert_closed(dbm, dim);
    changed
}

/// Extra-M+: [`extra_lu_plus`] with one constant for both sides.
pub fn extra_m_plus<W: Word>(dbm: &mut [Bound<W>], dim: usize, m: &[W]) -> bool {
    extra_lu_plus(dbm, dim, m, m)
}

/// Whether every point of `b` is simulated by one of `a` under the LU-preorder: `b ⊆ aLU(a)`, where a point `v` is
/// simulated by `w` if for every clock `x` either `w(x) = v(x)`, or `l[x] < w(x) < v(x)`, or `u[x] < v(x) < w(x)`.
///
/// aLU(a) is not a zone, and the coarsest abstraction that is sound for all automata with these constants; the test of
/// the paper is quadratic like plain inclusion, and says yes whenever that does.
///
/// Requires: both closed, not extrapolated, clocks not negative; `l`, `u` as for [`extra_lu`]. O(dim²).
pub fn alu_includes<W: Word>(a: &[Bound<W>], b: &[Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    assert_bounds(a, dim, l, u);
    assert_bounds(b, dim, l, u);
    // b is not covered iff there are x, y with b(0,x) >= (<=, −u[x]), a(y,x) < b(y,x) and
    // a(y,x) + (<, −l[y]) < b(0,x), where (i,j) bounds x_i − x_j.
    kernels::alu_covers(a, b, dim, l, u)
}

/// Whether the constant of a finite bound is above `limit`.
#[inline(always)]
fn above<W: Word>(bound: Bound<W>, limit: W) -> bool {
    bound.constant() > limit
}

/// Whether the negated constant of a finite bound is above `limit`: a lower bound beyond it.
#[inline(always)]
fn below<W: Word>(bound: Bound<W>, limit: W) -> bool {
    W::ZERO.minus(bound.constant()) > limit
}

/// The bound that replaces one below `−limit` in row `i`: `< −limit`. Without a limit it would be no bound at all, but
/// clocks are not negative.
#[inline(always)]
fn beyond<W: Word>(i: usize, limit: W) -> Bound<W> {
    match (limit, i) {
        (none, 0) if none == W::NO_BOUND => Bound::LE_ZERO,
        (none, _) if none == W::NO_BOUND => Bound::INFINITY,
        _ => Bound::lt(W::ZERO.minus(limit)),
    }
}

fn assert_bounds<W: Word>(dbm: &[Bound<W>], dim: usize, l: &[W], u: &[W]) {
    assert_closed(dbm, dim);
    debug_assert!(l.len() == dim && u.len() == dim && l[0] == W::ZERO && u[0] == W::ZERO);
    debug_assert!(
        dbm[..dim].iter().all(|bound| *bound <= Bound::LE_ZERO),
        "negative clocks"
    );
}
