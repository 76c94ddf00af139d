//! Zones as text: the fewest constraints, with the names of the clocks.

use std::fmt;

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::dbm;
use crate::minimal::Classes;

/// A zone that prints as constraints; made by [`constraints`].
pub struct Constraints<'a, S, W = i32> {
    dbm: &'a [Bound<W>],
    dim: usize,
    names: &'a [S],
}

/// The zone as readable text: `x <= 5, 3 < y, x - y < 2`, `x == 3`; `true` if nothing is constrained beyond clocks
/// being non-negative, `false` if the zone is empty. Constraints that follow from others are left out. Clock `x` is
/// called `names[x - 1]` (the reference clock has no name), or `x` and its index if there are too few names.
///
/// Requires: closed or marked empty, clocks not negative.
pub fn constraints<'a, W: Word, S: AsRef<str>>(
    dbm: &'a [Bound<W>],
    dim: usize,
    names: &'a [S],
) -> Constraints<'a, S, W> {
    debug_assert_eq!(dbm.len(), dim * dim);
    Constraints { dbm, dim, names }
}

impl<W: Word, S: AsRef<str>> fmt::Display for Constraints<'_, S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if dbm::is_empty(self.dbm) {
            return f.write_str("false");
        }
        let classes = Classes::new(self.dbm, self.dim);
        let needed =
            |i, j| i != j && classes.is_representative(i) && classes.is_needed(self.dbm, self.dim, i, j);
        let mut list = List { f, first: true };
        for x in 1..self.dim {
            let class = classes.of(x);
            if class == 0 {
                list.item(format_args!("{} == {}", self.name(x), self.at(x, 0).constant()))?;
            } else if class == x {
                let (low, high) = (self.at(0, x), self.at(x, 0));
                let low = needed(0, x).then_some(low);
                let high = needed(x, 0).then_some(high);
                match (low, high) {
                    (Some(low), Some(high)) => list.item(format_args!(
                        "{} {} {} {high}",
                        W::ZERO.minus(low.constant()),
                        comparison(low),
                        self.name(x)
                    ))?,
                    (Some(low), None) => {
                        list.item(format_args!(
                            "{} {} {}",
                            W::ZERO.minus(low.constant()),
                            comparison(low),
                            self.name(x)
                        ))?;
                    }
                    (None, Some(high)) => list.item(format_args!("{} {high}", self.name(x)))?,
                    (None, None) => {}
                }
            }
        }
        for x in 1..self.dim {
            let class = classes.of(x);
            if class != 0 && class != x {
                self.equation(&mut list, x, class)?;
            }
        }
        for i in 1..self.dim {
            for j in classes.representatives().skip(1) {
                if needed(i, j) {
                    self.difference(&mut list, i, j)?;
                }
            }
        }
        if list.first { f.write_str("true") } else { Ok(()) }
    }
}

impl<W: Word, S: AsRef<str>> Constraints<'_, S, W> {
    fn at(&self, i: usize, j: usize) -> Bound<W> {
        self.dbm[i * self.dim + j]
    }

    fn name(&self, x: usize) -> Name<'_> {
        match self.names.get(x - 1) {
            Some(name) => Name::Given(name.as_ref()),
            None => Name::Index(x),
        }
    }

    /// `x == y`, or the fixed difference with its sign turned positive.
    fn equation(&self, list: &mut List<'_, '_>, x: usize, y: usize) -> fmt::Result {
        match self.at(x, y).constant().into() {
            0_i64 => list.item(format_args!("{} == {}", self.name(y), self.name(x))),
            c if c > 0 => list.item(format_args!("{} - {} == {c}", self.name(x), self.name(y))),
            c => list.item(format_args!("{} - {} == {}", self.name(y), self.name(x), -c)),
        }
    }

    /// A bound of a difference; without the constant where that is zero.
    fn difference(&self, list: &mut List<'_, '_>, x: usize, y: usize) -> fmt::Result {
        let bound = self.at(x, y);
        if bound.constant() == W::ZERO {
            list.item(format_args!(
                "{} {} {}",
                self.name(x),
                comparison(bound),
                self.name(y)
            ))
        } else {
            list.item(format_args!("{} - {} {bound}", self.name(x), self.name(y)))
        }
    }
}

fn comparison<W: Word>(bound: Bound<W>) -> &'static str {
    if bound.is_strict() { "<" } else { "<=" }
}

enum Name<'a> {
    Given(&'a str),
    Index(usize),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Given(name) => f.write_str(name),
            Name::Index(x) => write!(f, "x{x}"),
        }
    }
}

/// Items separated by commas.
struct List<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    first: bool,
}

impl List<'_, '_> {
    fn item(&mut self, item: fmt::Arguments<'_>) -> fmt::Result {
        if !self.first {
            self.f.write_str(", ")?;
        }
        self.first = false;
        self.f.write_fmt(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIM: usize = 3;

    fn text(build: impl FnOnce(&mut [Bound])) -> String {
        let mut zone = vec![Bound::INFINITY; DIM * DIM];
        dbm::set_universal(&mut zone, DIM);
        build(&mut zone);
        constraints(&zone, DIM, &["x", "y"]).to_string()
    }

    #[test]
    fn readable() {
        assert_eq!(text(|_| ()), "true");
        assert_eq!(text(dbm::set_empty), "false");
        assert_eq!(text(|z| dbm::set_zero(z, DIM)), "x == 0, y == 0");
        assert_eq!(
            text(|z| {
                dbm::set_zero(z, DIM);
                dbm::up(z, DIM);
            }),
            "x == y"
        );
        assert_eq!(
            text(|z| {
                dbm::constrain(z, DIM, 1, 0, Bound::le(5));
                dbm::constrain(z, DIM, 0, 2, Bound::lt(-3));
                dbm::constrain(z, DIM, 1, 2, Bound::lt(1));
            }),
            "x <= 5, 3 < y, x - y < 1"
        );
        assert_eq!(
            text(|z| {
                dbm::reset(z, DIM, 1, 0);
                dbm::reset(z, DIM, 2, 2);
                dbm::up(z, DIM);
                dbm::constrain(z, DIM, 2, 0, Bound::lt(4));
            }),
            "x < 2, y - x == 2"
        );
        assert_eq!(
            text(|z| {
                dbm::constrain(z, DIM, 1, 0, Bound::le(3));
                dbm::constrain(z, DIM, 0, 1, Bound::le(-2));
                dbm::constrain(z, DIM, 2, 1, Bound::lt(0));
            }),
            "2 <= x <= 3, y < x"
        );
    }

    #[test]
    fn clocks_without_names() {
        let mut zone: Vec<Bound> = vec![Bound::INFINITY; 4];
        dbm::set_zero(&mut zone, 2);
        assert_eq!(constraints::<_, &str>(&zone, 2, &[]).to_string(), "x1 == 0");
    }
}
