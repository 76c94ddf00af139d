//! Convex sets of clock values: difference-bound matrices, plain, in 64 bits, closed by Floyd and Warshall.
//!
//! Entry (i, j) bounds `x_i - x_j`, where `x_0` is 0. Bounds are `2c` for `< c` and `2c + 1` for `<= c`. Constants are sums of at
//! most as many bounds as there are clocks, each below 2^41, so that no sum comes near [`INFINITY`].
//!
//! D. L. Dill: Timing assumptions and verification of finite-state concurrent systems. CAV 1989.

/// No bound.
pub(crate) const INFINITY: i64 = i64::MAX / 4;

/// `<= 0`.
pub(crate) const ZERO: i64 = 1;

/// `<= c` or `< c`.
pub(crate) fn bound(c: i64, strict: bool) -> i64 {
    2 * c + i64::from(!strict)
}

/// The bound of `x - z`, of those of `x - y` and `y - z`.
pub(crate) fn sum(a: i64, b: i64) -> i64 {
    if a == INFINITY || b == INFINITY {
        INFINITY
    } else {
        a + b - ((a | b) & 1)
    }
}

/// The bound of `x_j - x_i` that holds exactly where `bound` of `x_i - x_j` does not.
pub(crate) fn complement(bound: i64) -> i64 {
    1 - bound
}

/// A clock's number in a matrix and what is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub index: usize,
    pub plus: i64,
}

/// A convex set of clock values; closed and not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    dim: usize,
    bounds: Box<[i64]>,
}

impl Zone {
    /// All values of a number of clocks that are not negative.
    pub(crate) fn universal(clocks: usize) -> Zone {
        let dim = clocks + 1;
        let mut bounds = vec![INFINITY; dim * dim].into_boxed_slice();
        for i in 0..dim {
            bounds[i] = ZERO;
            bounds[i * dim + i] = ZERO;
        }
        Zone { dim, bounds }
    }

    /// One point.
    pub(crate) fn point(values: &[i64]) -> Zone {
        let dim = values.len() + 1;
        let value = |i: usize| if i == 0 { 0 } else { values[i - 1] };
        let bounds = (0..dim * dim).map(|k| bound(value(k / dim) - value(k % dim), false));
        Zone {
            dim,
            bounds: bounds.collect(),
        }
    }

    /// The number of clocks and one.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The least bound of `x_i - x_j`.
    pub(crate) fn at(&self, i: usize, j: usize) -> i64 {
        self.bounds[i * self.dim + j]
    }

    /// Keeps the points with this bound of `x_i - x_j`. False if there is none; then nothing is changed.
    pub(crate) fn constrain(&mut self, i: usize, j: usize, bound: i64) -> bool {
        let dim = self.dim;
        if self.at(i, j) <= bound {
            return true;
        }
        if sum(bound, self.at(j, i)) < ZERO {
            return false;
        }
        for k in 0..dim {
            let through = sum(self.at(k, i), bound);
            if through == INFINITY {
                continue;
            }
            for l in 0..dim {
                let way = sum(through, self.at(j, l));
                let old = &mut self.bounds[k * dim + l];
                *old = way.min(*old);
            }
        }
        true
    }

    /// Whether all points of the other set are in this one.
    pub(crate) fn includes(&self, other: &Zone) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(a, b)| a >= b)
    }

    /// Whether two constraints, one of each set, contradict each other. Then no point is in both.
    pub(crate) fn is_apart(&self, other: &Zone) -> bool {
        let dim = self.dim;
        (0..dim).any(|i| (0..dim).any(|j| sum(self.at(i, j), other.at(j, i)) < ZERO))
    }

    /// The points of both sets.
    pub(crate) fn meet(&self, other: &Zone) -> Option<Zone> {
        if self.is_apart(other) {
            return None;
        }
        let least = self.bounds.iter().zip(&other.bounds).map(|(a, b)| *a.min(b));
        let mut both = Zone {
            dim: self.dim,
            bounds: least.collect(),
        };
        both.close().then_some(both)
    }

    /// Makes every bound the least one that all of them imply. False if there is no point.
    fn close(&mut self) -> bool {
        let dim = self.dim;
        for k in 0..dim {
            for i in 0..dim {
                let to = self.at(i, k);
                if to == INFINITY {
                    continue;
                }
                for j in 0..dim {
                    let way = sum(to, self.at(k, j));
                    let old = &mut self.bounds[i * dim + j];
                    *old = way.min(*old);
                }
            }
        }
        (0..dim).all(|i| self.at(i, i) >= ZERO)
    }

    /// The points of this set that are not in the other one, as disjoint sets.
    pub(crate) fn minus(&self, other: &Zone) -> Vec<Zone> {
        if self.is_apart(other) || self.meet(other).is_none() {
            return vec![self.clone()];
        }
        let mut pieces = Vec::new();
        let mut rest = self.clone();
        for i in 0..self.dim {
            for j in 0..self.dim {
                let bound = other.at(i, j);
                if rest.at(i, j) <= bound {
                    continue;
                }
                let mut outside = rest.clone();
                if outside.constrain(j, i, complement(bound)) {
                    pieces.push(outside);
                }
                if !rest.constrain(i, j, bound) {
                    return pieces;
                }
            }
        }
        pieces
    }

    /// The least convex set with the points that are reached while time passes for the clocks that run. Exact when all run.
    pub(crate) fn up(&mut self, running: &[bool]) {
        for i in (1..self.dim).filter(|&i| running[i - 1]) {
            for j in 0..self.dim {
                if j == 0 || !running[j - 1] {
                    self.bounds[i * self.dim + j] = INFINITY;
                }
            }
        }
    }

    /// Points of a set from which time leads to this one; all of them if all clocks run or one alone, otherwise perhaps fewer.
    ///
    /// Fourier and Motzkin's elimination of the delay t: each lower bound of t is at most each upper bound. A lower bound stems from
    /// a bound of `x_s - x_r`, where r runs and s stands still (or is zero), an upper one from a bound of `x_q - x_p`, where q runs.
    /// Unless r is q or s is p, four clocks are compared. Such a condition must follow from the others, which is decided exactly:
    /// over a closed matrix, the largest value of a sum of two differences is that of the better of the two ways to pair their clocks.
    pub(crate) fn before(&self, from: &Zone, running: &[bool]) -> Option<Zone> {
        let runs = |i: usize| i > 0 && running[i - 1];
        let places = || (0..self.dim).flat_map(|i| (0..self.dim).map(move |j| (i, j)));
        let mut early = from.clone();
        for (i, j) in places() {
            let is_lower = runs(j) && !runs(i);
            if !is_lower && !early.constrain(i, j, self.at(i, j)) {
                return None;
            }
        }
        let is_bound = |&(i, j): &(usize, usize)| self.at(i, j) != INFINITY;
        let is_exact = places()
            .filter(|&(s, r)| runs(r) && !runs(s))
            .filter(is_bound)
            .all(|(s, r)| {
                let uppers = places().filter(|&(q, p)| runs(q) && !runs(p)).filter(is_bound);
                uppers.into_iter().all(|(q, p)| {
                    let asked = sum(self.at(s, r), self.at(q, p));
                    let known = sum(early.at(s, r), early.at(q, p)).min(sum(early.at(s, p), early.at(q, r)));
                    known <= asked
                })
            });
        // What is here already needs no delay.
        if is_exact { Some(early) } else { self.meet(from) }
    }

    /// The points that are later than some point of this set, if all clocks run.
    pub(crate) fn strictly_later(&self) -> Option<Zone> {
        let mut later = self.clone();
        later.up(&vec![true; self.dim - 1]);
        for i in 1..self.dim {
            if !later.constrain(0, i, later.at(0, i) & !1) {
                return None;
            }
        }
        Some(later)
    }

    /// The set after an assignment. `to`: by clock, where its new value comes from. Requires: no new value is negative.
    pub(crate) fn assign(&self, to: &[Origin]) -> Zone {
        let dim = to.len() + 1;
        let origin = |i: usize| match i {
            0 => Origin { index: 0, plus: 0 },
            _ => to[i - 1],
        };
        let mut bounds = Vec::with_capacity(dim * dim);
        for i in 0..dim {
            let left = origin(i);
            for j in 0..dim {
                let right = origin(j);
                let bound = self.at(left.index, right.index);
                bounds.push(if bound == INFINITY {
                    INFINITY
                } else {
                    bound + 2 * (left.plus - right.plus)
                });
            }
        }
        Zone {
            dim,
            bounds: bounds.into(),
        }
    }

    /// Whether some clock of those that run has an upper bound.
    pub(crate) fn is_bounded(&self, running: &[bool]) -> bool {
        (1..self.dim).any(|i| running[i - 1] && self.at(i, 0) != INFINITY)
    }

    /// A point: its values times a common denominator, and the denominator.
    ///
    /// Strict bounds have room for a fraction: in units of 1/dim, every `<` may become `<=` of the next smaller number, since a
    /// cycle of constraints has at most dim of them. The smallest value of every clock then is a point.
    pub(crate) fn sample(&self) -> (Vec<i64>, i64) {
        let strict = self.bounds.iter().any(|b| *b != INFINITY && b & 1 == 0);
        let unit = if strict { self.dim as i64 } else { 1 };
        let scaled = |b: &i64| match *b {
            INFINITY => INFINITY,
            b => bound((b >> 1) * unit - i64::from(b & 1 == 0), false),
        };
        let mut fine = Zone {
            dim: self.dim,
            bounds: self.bounds.iter().map(scaled).collect(),
        };
        fine.close();
        ((1..self.dim).map(|i| -(fine.at(0, i) >> 1)).collect(), unit)
    }

    /// The bounds that say more than that clocks are not negative: `(i, j, bound)`. Some may be implied by others.
    pub(crate) fn bounds(&self) -> Vec<(usize, usize, i64)> {
        let dim = self.dim;
        let free = Zone::universal(dim - 1);
        (0..dim * dim)
            .filter(|&k| self.bounds[k] < free.bounds[k])
            .map(|k| (k / dim, k % dim, self.bounds[k]))
            .collect()
    }

    /// Constraints that are not implied by the others: `(i, j, bound)`.
    pub(crate) fn constraints(&self) -> Vec<(usize, usize, i64)> {
        let free = Zone::universal(self.dim - 1);
        let mut kept = self.bounds();
        let mut at = 0;
        while at < kept.len() {
            let mut without = free.clone();
            for (k, &(i, j, bound)) in kept.iter().enumerate() {
                if k != at {
                    without.constrain(i, j, bound);
                }
            }
            if without == *self {
                kept.remove(at);
            } else {
                at += 1;
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests;
