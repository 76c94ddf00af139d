//! Cells: the operands of register code, and sets of addresses.
//!
//! Everything that code can read is a cell of one flat array of integers, constants included. An operand is then
//! the same two machine words for a variable, a parameter, a constant or a temporary, and the interpreter
//! fetches it without a branch; a back end that wants immediates asks [`crate::Network::constant`].

use std::fmt;

/// Base from which the offset of a [`Cell`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Base {
    /// The beginning of memory: locations, global variables, global constants.
    Absolute = 0,
    /// The variables of the process.
    Local = 1,
    /// The `meta` variables of the process.
    Meta = 2,
    /// Constants of the process: its parameters and values that follow from them.
    Process = 3,
    /// Constants of the edge instance: its select values and values that follow from them.
    Instance = 4,
    /// The constants of the program.
    Constant = 5,
    /// Temporaries, and the parameters and variables of functions.
    Frame = 6,
}

const OFFSET_BITS: u32 = 29;

/// Addresses and offsets stay below this; it is what a [`Cell`] can hold, with room to spare.
pub const MAX_CELLS: u32 = 1 << 28;

/// An operand: a base and an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u32);

impl Cell {
    /// The cell at `offset` from `base`. Requires: `offset < MAX_CELLS`.
    pub fn new(base: Base, offset: u32) -> Cell {
        debug_assert!(offset < MAX_CELLS, "layouts are bounded before code is made");
        Cell((base as u32) << OFFSET_BITS | offset)
    }

    /// Base from which the offset counts.
    pub fn base(self) -> Base {
        match self.0 >> OFFSET_BITS {
            0 => Base::Absolute,
            1 => Base::Local,
            2 => Base::Meta,
            3 => Base::Process,
            4 => Base::Instance,
            5 => Base::Constant,
            _ => Base::Frame,
        }
    }

    /// The offset from the base.
    pub fn offset(self) -> u32 {
        self.0 & ((1 << OFFSET_BITS) - 1)
    }

    /// The address, if the base is [`Base::Absolute`].
    #[inline]
    pub(crate) fn absolute(self) -> usize {
        debug_assert!(self.base() == Base::Absolute, "it has been resolved");
        self.0 as usize
    }

    /// The cell `count` further on.
    #[must_use]
    pub fn plus(self, count: u32) -> Cell {
        Cell::new(self.base(), self.offset() + count)
    }

    /// Whether no code ever writes to it (absolute cells may be either).
    pub fn is_immutable(self) -> bool {
        matches!(self.base(), Base::Process | Base::Instance | Base::Constant)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.base() {
            Base::Absolute => 'g',
            Base::Local => 'l',
            Base::Meta => 'm',
            Base::Process => 'p',
            Base::Instance => 'e',
            Base::Constant => 'k',
            Base::Frame => 'f',
        };
        write!(f, "{letter}{}", self.offset())
    }
}

/// Where the bases are: the process and the edge instance that code runs for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    bases: [u32; 8],
}

impl Context {
    /// A context with these bases.
    pub fn new(local: u32, meta: u32, process: u32, instance: u32, constant: u32, frame: u32) -> Context {
        Context {
            bases: [0, local, meta, process, instance, constant, frame, 0],
        }
    }

    /// The process with another edge instance.
    #[must_use]
    pub fn with_instance(mut self, instance: u32) -> Context {
        self.bases[Base::Instance as usize] = instance;
        self
    }

    /// The address of a cell in memory.
    #[inline]
    pub fn address(&self, cell: Cell) -> usize {
        // Three bits index eight bases, so the bound check vanishes.
        (self.bases[(cell.0 >> OFFSET_BITS) as usize] + (cell.0 & ((1 << OFFSET_BITS) - 1))) as usize
    }
}

/// A half-open range of addresses (or of clocks, or of channels).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Extent {
    /// The first one.
    pub start: u32,
    /// One past the last one.
    pub end: u32,
}

impl Extent {
    /// `count` of them from `start` on.
    pub fn new(start: u32, count: u32) -> Extent {
        Extent {
            start,
            end: start + count,
        }
    }

    /// Number of cells.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether both have one in common.
    pub fn overlaps(self, other: Extent) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `at` is one of them.
    pub fn contains(self, at: u32) -> bool {
        self.start <= at && at < self.end
    }
}

/// Sorts `extents` and joins those that touch.
pub(crate) fn normalise(extents: &mut Vec<Extent>) {
    extents.retain(|s| !s.is_empty());
    extents.sort_unstable();
    let mut kept = 0;
    for i in 0..extents.len() {
        if kept > 0 && extents[i].start <= extents[kept - 1].end {
            extents[kept - 1].end = extents[kept - 1].end.max(extents[i].end);
        } else {
            extents[kept] = extents[i];
            kept += 1;
        }
    }
    extents.truncate(kept);
}

/// Whether two sorted disjoint lists have an address in common.
pub fn overlap(a: &[Extent], b: &[Extent]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        if x.overlaps(y) {
            return true;
        }
        if x.end <= y.end {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_keeps_base_and_offset() {
        for base in [
            Base::Absolute,
            Base::Local,
            Base::Process,
            Base::Instance,
            Base::Constant,
            Base::Frame,
        ] {
            let cell = Cell::new(base, MAX_CELLS - 1);
            assert_eq!((cell.base(), cell.offset()), (base, MAX_CELLS - 1));
        }
        let context = Context::new(10, 20, 30, 40, 50, 60);
        assert_eq!(context.address(Cell::new(Base::Meta, 3)), 23);
        assert_eq!(context.with_instance(7).address(Cell::new(Base::Instance, 1)), 8);
    }

    #[test]
    fn spans_join_and_overlap() {
        let mut extents = vec![
            Extent::new(7, 2),
            Extent::new(1, 2),
            Extent::new(3, 1),
            Extent::new(20, 0),
            Extent::new(8, 4),
        ];
        normalise(&mut extents);
        assert_eq!(extents, [Extent::new(1, 3), Extent::new(7, 5)]);
        assert!(overlap(&extents, &[Extent::new(4, 2), Extent::new(11, 1)]));
        assert!(!overlap(&extents, &[Extent::new(4, 3), Extent::new(12, 1)]));
    }
}
