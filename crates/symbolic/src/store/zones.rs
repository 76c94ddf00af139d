//! Zones of stored states, in the narrowest integers that all of them fit into.

use crate::sown::Bug;
use zonewalk_zones::packed::Narrow;
use zonewalk_zones::{Bound, Word};

/// How a stored zone compares with another.
#[derive(Clone, Copy)]
pub(super) struct Relation {
    pub(super) covers: bool,
    pub(super) is_covered: bool,
}

/// Zones without their diagonals, in integers of one width.
#[derive(Debug)]
pub(super) struct Zones {
    cells: Cells,
    /// By number of cells: places of that size that are free.
    free: Vec<Vec<u32>>,
    /// The zone that is being looked up.
    size: usize,
}

#[derive(Debug)]
pub(super) enum Cells {
    I8(Arena<i8>),
    I16(Arena<i16>),
    I32(Arena<i32>),
    I64(Arena<i64>),
}

#[derive(Debug)]
pub(super) struct Arena<N> {
    cells: Vec<N>,
    current: Vec<N>,
}

/// Repeats code for each width.
macro_rules! each {
    ($cells:expr, $arena:ident => $body:expr) => {
        match $cells {
            Cells::I8($arena) => $body,
            Cells::I16($arena) => $body,
            Cells::I32($arena) => $body,
            Cells::I64($arena) => $body,
        }
    };
}

impl Zones {
    pub(super) fn new() -> Zones {
        Zones {
            cells: Cells::I8(Arena {
                cells: Vec::new(),
                current: Vec::new(),
            }),
            free: Vec::new(),
            size: 0,
        }
    }

    /// Packs the zone that is looked up next, after widening if it does not fit.
    pub(super) fn prepare<W: Word>(&mut self, zone: &[Bound<W>], dim: usize) {
        self.size = dim * (dim - 1);
        loop {
            let fits = each!(&mut self.cells, arena => arena.prepare(zone, dim));
            if fits {
                return;
            }
            self.cells = match &self.cells {
                Cells::I8(arena) => Cells::I16(arena.widened()),
                Cells::I16(arena) => Cells::I32(arena.widened()),
                Cells::I32(arena) => {
                    assert!(
                        size_of::<W>() > 4,
                        "a zone beyond the width that its constants ask for"
                    );
                    Cells::I64(arena.widened())
                }
                Cells::I64(_) => unreachable!("sums of constants beyond 2^59"),
            };
        }
    }

    #[inline]
    pub(super) fn compare(&self, at: u32) -> Relation {
        each!(&self.cells, arena => arena.relation(at as usize, &arena.current))
    }

    /// Compares zones where it is known that one of both inclusions does not hold.
    #[inline]
    pub(super) fn compare_as_told(&self, at: u32, may_cover: bool, may_be_covered: bool) -> Relation {
        each!(&self.cells, arena => arena.relation_as_told(at as usize, may_cover, may_be_covered))
    }

    /// A zone as those here are stored; `None` when it does not fit.
    pub(super) fn packed<W: Word>(&self, zone: &[Bound<W>], dim: usize) -> Option<Cells> {
        fn pack<W: Word, N: Narrow>(
            zone: &[Bound<W>],
            dim: usize,
            wrap: fn(Arena<N>) -> Cells,
        ) -> Option<Cells> {
            let mut arena = Arena {
                cells: Vec::new(),
                current: Vec::new(),
            };
            arena.prepare(zone, dim).then(|| wrap(arena))
        }
        match &self.cells {
            Cells::I8(_) => pack(zone, dim, Cells::I8),
            Cells::I16(_) => pack(zone, dim, Cells::I16),
            Cells::I32(_) => pack(zone, dim, Cells::I32),
            Cells::I64(_) => pack(zone, dim, Cells::I64),
        }
    }

    pub(super) fn relation<W: Word>(
        &self,
        at: u32,
        packed: &Option<Cells>,
        zone: &[Bound<W>],
        dim: usize,
    ) -> Relation {
        let at = at as usize;
        match (&self.cells, packed) {
            (Cells::I8(mine), Some(Cells::I8(other))) => mine.relation(at, &other.current),
            (Cells::I16(mine), Some(Cells::I16(other))) => mine.relation(at, &other.current),
            (Cells::I32(mine), Some(Cells::I32(other))) => mine.relation(at, &other.current),
            (Cells::I64(mine), Some(Cells::I64(other))) => mine.relation(at, &other.current),
            // A zone that is wider than all that are stored may be included in one without bounds.
            _ => each!(&self.cells, arena => {
                let stored = arena.cells[at..at + dim * (dim - 1)].iter();
                let gaps = (0..dim - 1).flat_map(|gap| &zone[gap * (dim + 1) + 1..(gap + 1) * (dim + 1)]);
                let covers = stored.zip(gaps).all(|(mine, other)| *other <= mine.to_bound());
                Relation { covers, is_covered: false }
            }),
        }
    }

    /// Stores the zone that was looked up.
    pub(super) fn store(&mut self) -> u32 {
        let size = self.size;
        if size == 0 {
            return 0;
        }
        if let Some(at) = self.free.get_mut(size).and_then(Vec::pop) {
            each!(&mut self.cells, arena => {
                let Arena { cells, current } = arena;
                cells[at as usize..at as usize + size].copy_from_slice(current);
            });
            return at;
        }
        each!(&mut self.cells, arena => {
            let at = arena.cells.len() as u32;
            let Arena { cells, current } = arena;
            cells.extend_from_slice(current);
            at
        })
    }

    pub(super) fn free(&mut self, at: u32) {
        if self.size == 0 {
            return;
        }
        if self.free.len() <= self.size {
            self.free.resize(self.size + 1, Vec::new());
        }
        self.free[self.size].push(at);
    }

    pub(super) fn load<W: Word>(&self, at: u32, dim: usize, into: &mut Vec<Bound<W>>) {
        into.clear();
        into.resize(dim * dim, Bound::LE_ZERO);
        let size = dim * (dim - 1);
        each!(&self.cells, arena => {
            let cells = &arena.cells[at as usize..at as usize + size];
            // Between two entries of the diagonal there are as many others as the zone has dimensions.
            for (gap, stretch) in cells.chunks_exact(dim.max(1)).enumerate() {
                let start = gap * (dim + 1) + 1;
                for (entry, packed) in into[start..start + dim].iter_mut().zip(stretch) {
                    *entry = packed.to_bound();
                }
            }
        });
    }

    pub(super) fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(|list| list.capacity() * 4).sum();
        free + each!(&self.cells, arena => size_of_val(arena.cells.as_slice()).max(arena.cells.capacity() * arena.width()))
    }
}

impl<N: Narrow> Arena<N> {
    fn width(&self) -> usize {
        size_of::<N>()
    }

    /// Packs a zone; false when it does not fit.
    fn prepare<W: Word>(&mut self, zone: &[Bound<W>], dim: usize) -> bool {
        self.current.clear();
        if !N::fits(zonewalk_zones::dbm::magnitude(zone)) {
            if Bug::Packing.is_sown() {
                self.current
                    .resize(dim * (dim - 1), N::from_bound(Bound::<W>::lt(W::ZERO)));
            }
            return Bug::Packing.is_sown();
        }
        for gap in 0..dim - 1 {
            let start = gap * (dim + 1) + 1;
            self.current
                .extend(zone[start..start + dim].iter().map(|b| N::from_bound(*b)));
        }
        true
    }

    fn widened<W: Narrow>(&self) -> Arena<W> {
        Arena {
            cells: self
                .cells
                .iter()
                .map(|n| W::from_bound(n.to_bound::<i64>()))
                .collect(),
            current: Vec::new(),
        }
    }

    #[inline]
    fn relation_as_told(&self, at: usize, may_cover: bool, may_be_covered: bool) -> Relation {
        let stored = &self.cells[at..at + self.current.len()];
        Relation {
            covers: may_cover && N::includes(stored, &self.current),
            is_covered: may_be_covered && N::includes(&self.current, stored),
        }
    }

    #[inline]
    fn relation(&self, at: usize, other: &[N]) -> Relation {
        let stored = &self.cells[at..at + other.len()];
        Relation {
            covers: N::includes(stored, other),
            is_covered: N::includes(other, stored),
        }
    }
}
