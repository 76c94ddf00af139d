//! The code that can be reached from an entry, and which temporaries matter where.

use crate::code::cell::{Base, Cell, Extent, normalise};
use crate::code::instr::{Entry, Instr, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Code with more instructions is left as it is.
const LONGEST: usize = 2048;

/// The code that can be reached from an entry.
#[derive(Default)]
pub(super) struct Region {
    /// Positions, numbered.
    numbers: FxHashMap<u32, usize>,
    /// Where several ways may come together.
    joins: FxHashSet<u32>,
    /// Cells of the frame that code gets at through pointers or indices, and those of doubles. All the others it gets at by
    /// name only, and a value that is known need not be there.
    shared: Vec<Extent>,
    /// Numbers of the other cells of the frame, which code accesses by name only.
    cells: FxHashMap<Cell, usize>,
    /// By position: the temporaries that may be read before they are written, as bits.
    live: Vec<u64>,
    /// Number of words per position.
    width: usize,
    /// Ways back: where from, and where to.
    loops: Vec<(u32, u32)>,
    /// Temporaries that are read after the code has ended.
    results: Vec<Cell>,
}

impl Region {
    /// `None` if it is too long.
    pub(super) fn new(program: &Program, entry: Entry, results: &[Cell]) -> Option<Region> {
        let mut region = Region {
            results: results.to_vec(),
            ..Region::default()
        };
        let mut positions = region.reach(program, entry)?;
        // The way of data is from the end to the beginning.
        positions.sort_unstable_by(|a, b| b.cmp(a));
        region.find_shared(program, &positions);
        for &at in &positions {
            program.code[at as usize].cells(&mut |cell, _| {
                if region.is_scalar(cell) {
                    let next = region.cells.len();
                    region.cells.entry(cell).or_insert(next);
                }
            });
        }
        region.numbers = positions.iter().copied().zip(0..).collect();
        region.width = region.cells.len().div_ceil(64);
        region.live = vec![0; positions.len() * region.width];
        region.spread(program, &positions);
        Some(region)
    }

    /// All positions that can be reached, and where ways come together.
    fn reach(&mut self, program: &Program, entry: Entry) -> Option<Vec<u32>> {
        let mut seen = FxHashSet::default();
        let mut open = vec![entry.0];
        let mut positions = Vec::new();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            positions.push(at);
            if positions.len() > LONGEST {
                return None;
            }
            let mut instr = *program.code.get(at as usize)?;
            match instr {
                Instr::Loop { target, .. } => self.loops.push((at, target.0)),
                Instr::Call { target, .. } => {
                    // A function that returns on two ways goes on at one place.
                    self.joins.insert(at + 1);
                    open.extend([target.0, at + 1]);
                    continue;
                }
                Instr::Return { .. } | Instr::Halt { .. } | Instr::Fail => continue,
                _ => {}
            }
            if let Some(target) = instr.target() {
                self.joins.insert(target.0);
                open.push(target.0);
            }
            if !matches!(instr, Instr::Jump { .. } | Instr::Loop { .. }) {
                open.push(at + 1);
            }
        }
        Some(positions)
    }

    fn find_shared(&mut self, program: &Program, positions: &[u32]) {
        for &at in positions {
            let mut instr = program.code[at as usize];
            instr.wide_cells(&mut |cell, count| {
                if cell.base() == Base::Frame {
                    self.shared.push(Extent::new(cell.offset(), count));
                }
            });
            if let Instr::Address { cell, .. } = instr
                && cell.base() == Base::Frame
            {
                let blocks = program.blocks.iter().filter(|b| b.contains(cell.offset()));
                self.shared.extend(blocks);
                self.shared.push(Extent::new(cell.offset(), 1));
            }
            let array = instr
                .array()
                .and_then(|array| program.arrays.get(array.0 as usize));
            if let Some(array) = array
                && array.base.base() == Base::Frame
            {
                let count = array.len.saturating_mul(array.stride);
                self.shared.push(Extent::new(array.base.offset(), count));
            }
        }
        normalise(&mut self.shared);
    }

    /// Whether code gets at a cell of the frame by name only.
    pub(super) fn is_scalar(&self, cell: Cell) -> bool {
        let offset = cell.offset();
        let before = self.shared.partition_point(|extent| extent.end <= offset);
        let is_shared = self
            .shared
            .get(before)
            .is_some_and(|extent| extent.contains(offset));
        cell.base() == Base::Frame && !is_shared
    }

    /// Computes what is live, until nothing changes.
    fn spread(&mut self, program: &Program, positions: &[u32]) {
        let mut returns: FxHashMap<Cell, Vec<u32>> = FxHashMap::default();
        for &at in positions {
            if let Instr::Call { back, .. } = program.code[at as usize] {
                returns.entry(back).or_default().push(at + 1);
            }
        }
        let mut next = Vec::new();
        let mut set = vec![0; self.width];
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for (number, &at) in positions.iter().enumerate() {
                let instr = program.code[at as usize];
                next.clear();
                match instr {
                    Instr::Call { target, .. } => next.push(target.0),
                    Instr::Return { back } => next.extend(returns.get(&back).into_iter().flatten()),
                    Instr::Halt { .. } | Instr::Fail => {}
                    _ => {
                        next.extend(instr.jumps_to().map(|t| t.0));
                        if !matches!(instr, Instr::Jump { .. } | Instr::Loop { .. }) {
                            next.push(at + 1);
                        }
                    }
                }
                set.fill(0);
                if matches!(instr, Instr::Halt { .. }) {
                    for bit in self.results.iter().filter_map(|cell| self.cells.get(cell)) {
                        set[bit / 64] |= 1 << (bit % 64);
                    }
                }
                for follower in &next {
                    if let Some(&follower) = self.numbers.get(follower) {
                        let live = &self.live[follower * self.width..][..self.width];
                        set.iter_mut().zip(live).for_each(|(all, more)| *all |= more);
                    }
                }
                for is_read in [false, true] {
                    instr.cells(&mut |cell, writes| {
                        if let Some(&bit) = self.cells.get(&cell)
                            && writes != is_read
                        {
                            let word = &mut set[bit / 64];
                            *word = if is_read {
                                *word | 1 << (bit % 64)
                            } else {
                                *word & !(1 << (bit % 64))
                            };
                        }
                    });
                }
                let live = &mut self.live[number * self.width..][..self.width];
                if live != set {
                    live.copy_from_slice(&set);
                    is_stable = false;
                }
            }
        }
    }

    /// Whether code needs values of selects; it does if that is not known.
    pub(super) fn needs_instance(program: &Program, entry: Entry) -> bool {
        let is_instance = |cell: Cell| cell.base() == Base::Instance;
        let Some(positions) = Region::default().reach(program, entry) else {
            return true;
        };
        positions.iter().any(|&at| {
            let mut instr = program.code[at as usize];
            let mut needs = matches!(instr, Instr::Address { cell, .. } if is_instance(cell));
            instr.cells(&mut |cell, _| needs |= is_instance(cell));
            let array = instr
                .array()
                .and_then(|array| program.arrays.get(array.0 as usize));
            needs || array.is_some_and(|array| is_instance(array.base))
        })
    }

    /// The way back of the innermost loop around a position; of code that is called from one, any.
    pub(super) fn loop_around(&self, at: u32) -> Option<u32> {
        let around = self.loops.iter().filter(|(from, to)| (*to..=*from).contains(&at));
        let innermost = around.min_by_key(|(from, to)| from - to);
        innermost.or(self.loops.first()).map(|(from, _)| *from)
    }

    /// Temporaries that are read after the code has ended.
    pub(super) fn results(&self) -> &[Cell] {
        &self.results
    }

    /// Whether several ways may come together at a position.
    pub(super) fn is_join(&self, at: u32) -> bool {
        self.joins.contains(&at)
    }

    /// Whether the value of a temporary may matter from a position on.
    pub(super) fn is_live(&self, at: u32, cell: Cell) -> bool {
        let (Some(&number), Some(&bit)) = (self.numbers.get(&at), self.cells.get(&cell)) else {
            return false;
        };
        self.live[number * self.width + bit / 64] >> (bit % 64) & 1 != 0
    }
}
