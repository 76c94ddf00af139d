//! Rigid classes: clocks whose differences are fixed in a zone, stored as one clock with offsets.

use zonewalk_zones::{Bound, Word};

/// A zone with one row for each rigid class.
#[derive(Clone, Debug)]
pub(crate) struct Rigid<W> {
    /// By row of the whole zone: the row of its class, and what it is more than that.
    pub(crate) places: Box<[(u32, i64)]>,
    /// The zone over the first clocks of the classes, the first one being that of 0.
    pub(crate) zone: Box<[Bound<W>]>,
}

impl<W: Word> Rigid<W> {
    /// The classes of a closed zone.
    pub(crate) fn of(zone: &[Bound<W>], dim: usize) -> Rigid<W> {
        let mut first: Vec<usize> = Vec::with_capacity(dim);
        let mut places = Vec::with_capacity(dim);
        for row in 0..dim {
            let class = first.iter().position(|&other| {
                let above = zone[row * dim + other];
                !above.is_infinite() && above.plus(zone[other * dim + row]) == Bound::LE_ZERO
            });
            let class = class.unwrap_or_else(|| {
                first.push(row);
                first.len() - 1
            });
            let offset = zone[row * dim + first[class]].constant().into();
            places.push((class as u32, offset));
        }
        let entries = first
            .iter()
            .flat_map(|&i| first.iter().map(move |&j| zone[i * dim + j]));
        Rigid {
            zone: entries.collect(),
            places: places.into(),
        }
    }

    /// The difference of two rows, if it is fixed.
    pub(crate) fn difference(&self, left: usize, right: usize) -> Option<i64> {
        let (left, right) = (self.places[left], self.places[right]);
        (left.0 == right.0).then_some(left.1 - right.1)
    }

    /// Takes a number from a clock that is not the first of its class, unless the number is 0.
    pub(crate) fn shift(&mut self, row: usize, by: i64) {
        self.places[row].1 -= by;
    }
}

/// Writes the whole zone.
pub(crate) fn unfold<W: Word>(places: &[(u32, i64)], small: &[Bound<W>], zone: &mut Vec<Bound<W>>) {
    let classes = small.len().isqrt();
    zone.clear();
    for &(i, plus) in places {
        let row = &small[i as usize * classes..(i as usize + 1) * classes];
        zone.extend(places.iter().map(|&(j, minus)| {
            let bound = row[j as usize];
            if bound.is_infinite() || plus == minus {
                return bound;
            }
            let sum = bound.constant().into() + plus - minus;
            // It was an entry of a zone of this width, but for the time, which is now less.
            Bound::<i64>::new(sum, bound.is_strict())
                .to_width()
                .unwrap_or(Bound::INFINITY)
        }));
    }
}

/// Part that states of one configuration have in common: the discrete part, and the classes with their offsets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(Box<[i32]>);

impl Key {
    pub(crate) fn new(discrete: &[i32], places: &[(u32, i64)]) -> Key {
        let places = places
            .iter()
            .flat_map(|&(class, offset)| [class as i32, offset as i32, (offset >> 32) as i32]);
        Key(discrete.iter().copied().chain(places).collect())
    }
}
