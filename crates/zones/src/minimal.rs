//! Minimal-constraint form: the fewest entries from which a closed matrix can be rebuilt.
//!
//! After Larsen, Larsson, Pettersson and Yi, *Efficient verification of real-time systems: compact data structure and
//! state-space reduction* (RTSS 1997). Clocks at a fixed distance from each other (cycles of weight zero) form
//! classes; each class needs one cycle through its members, and between classes an edge of the representatives is
//! needed exactly if no path over a third representative is as short. That `x >= 0` is taken for granted and
//! not stored.

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::dbm::{self, assert_closed};
use crate::kernels;

/// The constraint `x_left − x_right ≺ c`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constraint<W = i32> {
    /// The clock that is subtracted from.
    pub left: u16,
    /// The clock that is subtracted.
    pub right: u16,
    /// The bound of the difference; finite.
    pub bound: Bound<W>,
}

/// Appends the minimal form of the zone to `out` and returns how many constraints there are.
///
/// Requires: closed, clocks not negative, `dim < 65_536`. O(dim³) at worst.
pub fn append<W: Word>(dbm: &[Bound<W>], dim: usize, out: &mut Vec<Constraint<W>>) -> usize {
    assert_closed(dbm, dim);
    debug_assert!(dim < 1 << 16);
    debug_assert!(
        dbm[..dim].iter().all(|bound| *bound <= Bound::LE_ZERO),
        "negative clocks"
    );
    let before = out.len();
    let classes = Classes::new(dbm, dim);
    let mut store = |i: usize, j: usize| {
        let bound = dbm[i * dim + j];
        // `expand` starts from x >= 0.
        if i != 0 || bound != Bound::LE_ZERO {
            out.push(Constraint {
                left: i as u16,
                right: j as u16,
                bound,
            });
        }
    };
    for i in 0..dim {
        if !classes.is_representative(i) {
            continue;
        }
        let mut last = i;
        for member in (i + 1..dim).filter(|&x| classes.of(x) == i) {
            store(last, member);
            last = member;
        }
        if last != i {
            store(last, i);
        }
        for j in classes.representatives() {
            if i != j && classes.is_needed(dbm, dim, i, j) {
                store(i, j);
            }
        }
    }
    out.len() - before
}

/// The minimal form of the zone; see [`append`].
pub fn constraints<W: Word>(dbm: &[Bound<W>], dim: usize) -> Vec<Constraint<W>> {
    let mut out = Vec::new();
    append(dbm, dim, &mut out);
    out
}

/// Rebuilds the closed matrix from its minimal form, or from any other constraints that some point satisfies.
/// Returns `false`, with `out` marked empty, if there is no such point.
///
/// Requires: indices below `dim`, `out.len() == dim²`. Ensures: `out` closed, or marked empty. O(dim³).
pub fn expand<W: Word>(constraints: &[Constraint<W>], dim: usize, out: &mut [Bound<W>]) -> bool {
    dbm::set_universal(out, dim);
    for constraint in constraints {
        let entry = &mut out[usize::from(constraint.left) * dim + usize::from(constraint.right)];
        *entry = (*entry).tighter(constraint.bound);
    }
    dbm::close(out, dim)
}

/// Whether the zone that the constraints describe contains `dbm`. As many comparisons as there are constraints.
///
/// Requires: `dbm` closed, clocks not negative, indices below `dim`.
#[inline]
pub fn includes<W: Word>(constraints: &[Constraint<W>], dbm: &[Bound<W>], dim: usize) -> bool {
    constraints
        .iter()
        .all(|c| dbm[usize::from(c.left) * dim + usize::from(c.right)] <= c.bound)
}

/// The classes of clocks whose differences are fixed, and which bounds between them are needed.
pub(crate) struct Classes<W> {
    /// The least member of each clock's class, its representative.
    least: Vec<u16>,
    /// For each pair of representatives the shortest way over a third.
    detours: Vec<Bound<W>>,
}

impl<W: Word> Classes<W> {
    /// Requires: closed.
    pub(crate) fn new(dbm: &[Bound<W>], dim: usize) -> Self {
        let least = |x: usize| {
            (0..x)
                .find(|&y| dbm[x * dim + y].plus(dbm[y * dim + x]) == Bound::LE_ZERO)
                .unwrap_or(x) as u16
        };
        let least: Vec<u16> = (0..dim).map(least).collect();
        // Without the diagonal a way of two steps is one over a third clock.
        let mut steps = dbm.to_vec();
        for (x, row) in steps.chunks_exact_mut(dim).enumerate() {
            row[x] = Bound::INFINITY;
            if usize::from(least[x]) != x {
                row.fill(Bound::INFINITY);
            }
        }
        let mut detours = vec![Bound::INFINITY; dim * dim];
        kernels::two_steps(&steps, dim, &mut detours);
        Classes { least, detours }
    }

    pub(crate) fn of(&self, x: usize) -> usize {
        usize::from(self.least[x])
    }

    pub(crate) fn is_representative(&self, x: usize) -> bool {
        self.of(x) == x
    }

    pub(crate) fn representatives(&self) -> impl Iterator<Item = usize> {
        (0..self.least.len()).filter(|&x| self.is_representative(x))
    }

    /// Whether the bound between the representatives `i` and `j` does not follow from others and from clocks not
    /// being negative. With one member of each class there is no cycle of weight zero, so all bounds that do follow
    /// can be left out at once.
    pub(crate) fn is_needed(&self, dbm: &[Bound<W>], dim: usize, i: usize, j: usize) -> bool {
        let bound = dbm[i * dim + j];
        // The lower bound of a class follows if one of its members is bounded by nothing but zero.
        let taken_for_granted = || (j..dim).any(|x| self.of(x) == j && dbm[x] == Bound::LE_ZERO);
        bound < self.detours[i * dim + j] && (i != 0 || !taken_for_granted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_needs_one_cycle() {
        let dim = 4;
        let mut zone: Vec<Bound> = vec![Bound::INFINITY; dim * dim];
        dbm::set_zero(&mut zone, dim);
        // x1 >= 0 is implied; x1 <= x2 <= x3 <= 0 closes the cycle.
        let form = constraints(&zone, dim);
        assert_eq!(form.len(), 3);
        dbm::up(&mut zone, dim);
        let form = constraints(&zone, dim);
        // The clocks are equal, and nothing else.
        assert_eq!(form.len(), 3);
        assert!(
            form.iter()
                .all(|c| c.left != 0 && c.right != 0 && c.bound == Bound::LE_ZERO)
        );
    }

    #[test]
    fn universal_needs_nothing() {
        let dim = 5;
        let mut zone: Vec<Bound> = vec![Bound::INFINITY; dim * dim];
        dbm::set_universal(&mut zone, dim);
        assert_eq!(constraints(&zone, dim), []);
        let mut again = vec![Bound::LT_ZERO; dim * dim];
        assert!(expand(&[], dim, &mut again));
        assert_eq!(zone, again);
    }

    #[test]
    fn contradictions_are_empty() {
        let low = Constraint {
            left: 1,
            right: 0,
            bound: Bound::lt(3),
        };
        let high = Constraint {
            left: 0,
            right: 1,
            bound: Bound::le(-3),
        };
        let mut out = vec![Bound::LE_ZERO; 4];
        assert!(!expand(&[low, high], 2, &mut out));
        assert!(dbm::is_empty(&out));
    }
}
