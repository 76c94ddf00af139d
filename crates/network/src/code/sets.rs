//! Sets of addresses, clocks or channels, shared between users of the same set; and what each of them reads.

use crate::code::cell::{Extent, normalise};
use crate::code::ids::{ChannelId, ClockId};
use rustc_hash::FxHashMap;

/// Index into a [`SetPool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// Sets as sorted disjoint extents.
#[derive(Clone, Debug, Default)]
pub struct SetPool {
    extents: Vec<Extent>,
    ends: Vec<u32>,
    ids: FxHashMap<Vec<Extent>, SetId>,
}

impl SetPool {
    /// The number of a set, which is added if it is new.
    pub(crate) fn intern(&mut self, mut set: Vec<Extent>) -> SetId {
        normalise(&mut set);
        let (extents, ends) = (&mut self.extents, &mut self.ends);
        *self.ids.entry(set).or_insert_with_key(|set| {
            extents.extend_from_slice(set);
            ends.push(extents.len() as u32);
            SetId(ends.len() as u32 - 1)
        })
    }

    /// The extents of a set, sorted and disjoint.
    pub fn get(&self, id: SetId) -> &[Extent] {
        let at = id.0 as usize;
        let start = at
            .checked_sub(1)
            .and_then(|i| self.ends.get(i))
            .map_or(0, |&e| e as usize);
        let end = self.ends.get(at).map_or(start, |&e| e as usize);
        &self.extents[start..end]
    }

    /// The members of a set, in order.
    pub fn clocks(&self, id: SetId) -> impl Iterator<Item = ClockId> {
        self.members(id).map(ClockId)
    }

    /// The members of a set of channels.
    pub fn channels(&self, id: SetId) -> impl Iterator<Item = ChannelId> {
        self.members(id).map(ChannelId)
    }

    /// The members of a set of cells.
    pub fn members(&self, id: SetId) -> impl Iterator<Item = u32> {
        self.get(id).iter().flat_map(|e| e.start..e.end)
    }

    /// Number of different sets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        // Every set is there once more as a key.
        2 * size_of_val(self.extents.as_slice()) + 40 * self.ends.len()
    }
}

/// Index from a variable to its readers. It has several levels, so that a thousand readers of an array of a thousand elements do
/// not make a million entries: from a cell to the stretch of cells with the same readers, from there to the extents that cover
/// it, from an extent to its readers.
#[derive(Clone, Debug)]
pub struct Readers<R> {
    extents: Vec<Extent>,
    /// By extent.
    readers: Csr<R>,
    /// By stretch.
    covering: Csr<u32>,
    /// By cell.
    stretches: Vec<u32>,
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug)]
struct Csr<V> {
    starts: Vec<u32>,
    values: Vec<V>,
}

impl<V: Copy> Csr<V> {
    /// Lists for keys below `keys`, each in the order of the pairs.
    fn new(keys: usize, pairs: &[(u32, V)]) -> Csr<V> {
        let mut starts = vec![0u32; keys + 1];
        for &(key, _) in pairs {
            starts[key as usize + 1] += 1;
        }
        for i in 0..keys {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut values: Vec<V> = pairs.iter().map(|pair| pair.1).collect();
        for &(key, value) in pairs {
            values[next[key as usize] as usize] = value;
            next[key as usize] += 1;
        }
        Csr { starts, values }
    }

    #[inline]
    fn get(&self, key: u32) -> &[V] {
        match (self.starts.get(key as usize), self.starts.get(key as usize + 1)) {
            (Some(&start), Some(&end)) => &self.values[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl<R> Default for Readers<R> {
    /// An index without readers.
    fn default() -> Self {
        Readers {
            extents: Vec::new(),
            readers: Csr {
                starts: Vec::new(),
                values: Vec::new(),
            },
            covering: Csr {
                starts: Vec::new(),
                values: Vec::new(),
            },
            stretches: Vec::new(),
        }
    }
}

impl<R: Copy> Readers<R> {
    /// Inverts reader → cells into cell → readers. `cells` is the number of cells that may be asked about.
    pub(crate) fn new<'s>(
        cells: u32,
        readers: impl Iterator<Item = &'s [Extent]>,
        name: impl Fn(u32) -> R,
    ) -> Self {
        let mut numbers: FxHashMap<Extent, u32> = FxHashMap::default();
        let mut extents = Vec::new();
        let mut pairs = Vec::new();
        for (set, reader) in readers.zip(0..) {
            for &extent in set {
                let extent_number = *numbers.entry(extent).or_insert_with(|| {
                    extents.push(extent);
                    extents.len() as u32 - 1
                });
                pairs.push((extent_number, name(reader)));
            }
        }
        let mut borders: Vec<u32> = extents.iter().flat_map(|e| [e.start, e.end.min(cells)]).collect();
        borders.push(0);
        borders.sort_unstable();
        borders.dedup();
        borders.retain(|&b| b < cells);
        let mut stretches = vec![0; cells as usize];
        for (number, pair) in borders.windows(2).enumerate() {
            stretches[pair[0] as usize..pair[1] as usize].fill(number as u32);
        }
        if let Some(&last) = borders.last() {
            stretches[last as usize..].fill(borders.len() as u32 - 1);
        }
        let mut cover = Vec::new();
        for (extent, number) in extents.iter().zip(0..) {
            let from = borders.partition_point(|&b| b < extent.start);
            let to = borders.partition_point(|&b| b < extent.end);
            cover.extend((from..to).map(|stretch| (stretch as u32, number)));
        }
        Readers {
            readers: Csr::new(extents.len(), &pairs),
            covering: Csr::new(borders.len(), &cover),
            extents,
            stretches,
        }
    }

    /// The extents that a cell lies in, as numbers for [`Readers::of_extent`].
    #[inline]
    pub fn extents_at(&self, cell: u32) -> &[u32] {
        self.stretches
            .get(cell as usize)
            .map_or(&[], |&stretch| self.covering.get(stretch))
    }

    /// Readers of an extent, in increasing order.
    pub fn of_extent(&self, extent: u32) -> &[R] {
        self.readers.get(extent)
    }

    /// Readers of a cell. A reader of two extents that contain it comes twice.
    pub fn of_cell(&self, cell: u32) -> impl Iterator<Item = R> {
        self.extents_at(cell)
            .iter()
            .flat_map(|&e| self.of_extent(e))
            .copied()
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = |starts: usize, values: usize| 4 * (starts + values);
        size_of_val(self.extents.as_slice())
            + lists(self.readers.starts.len(), self.readers.values.len())
            + lists(self.covering.starts.len(), self.covering.values.len())
            + 4 * self.stretches.len()
    }

    /// The different extents.
    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_one_number() {
        let mut pool = SetPool::default();
        let a = pool.intern(vec![Extent::new(5, 2), Extent::new(1, 1)]);
        let b = pool.intern(vec![Extent::new(1, 1), Extent::new(6, 1), Extent::new(5, 1)]);
        let empty = pool.intern(Vec::new());
        assert_eq!(a, b);
        assert_eq!(pool.members(a).collect::<Vec<_>>(), [1, 5, 6]);
        assert_eq!(pool.get(empty), []);
        assert_eq!(pool.len(), 2);
    }

    #[test]
    fn readers_of_cells() {
        let sets: [&[Extent]; 3] = [
            &[Extent::new(0, 4)],
            &[Extent::new(0, 4), Extent::new(6, 1)],
            &[Extent::new(2, 1)],
        ];
        let readers = Readers::new(8, sets.into_iter(), |number| number);
        let at = |cell| {
            let mut all: Vec<u32> = readers.of_cell(cell).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(at(0), [0, 1]);
        assert_eq!(at(2), [0, 1, 2]);
        assert_eq!(at(6), [1]);
        assert_eq!(at(7), []);
        assert_eq!(readers.extents().len(), 3);
    }
}
