//! Footprints: the variables that code reads and writes.
//!
//! The code itself is examined, once for all the processes that share it. An index that is constant for a process or
//! an edge instance stays a cell here and is looked up when the footprint is made concrete for that instance; so sets
//! are exact to the element wherever an index is constant.

use crate::code::cell::{Base, Cell, Context, Extent};
use crate::code::constraint::{ClockBound, Condition, RateSetting, Term};
use crate::code::instr::{Array, ArrayId, Entry, Instr, Program, Range};
use rustc_hash::{FxHashMap, FxHashSet};

/// Addresses (or clocks, or channels): a start, and steps from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    start: Start,
    plus: i64,
    /// Indices that are constant for a process or an edge instance.
    picks: Vec<Pick>,
    /// Indices that may be anything: how many, how far apart.
    dims: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// At the cell.
    At(Cell),
    /// Where the value of the cell points.
    Behind(Cell),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pick {
    index: Cell,
    lo: i32,
    len: u32,
    stride: u32,
}

/// An assignment to clocks, in the order of execution.
#[derive(Clone, Debug)]
pub(crate) struct ClockWrite {
    pub(crate) to: Vec<Region>,
    /// Clocks copied; `None` if a value is assigned.
    pub(crate) from: Option<Vec<Region>>,
    /// The value, or what is added to the copy; `None` for nothing.
    pub(crate) amount: Option<Cell>,
    /// Between which values that lies.
    pub(crate) range: Range,
    /// Whether it always happens.
    pub(crate) definite: bool,
}

/// Variables and clocks that a piece of code reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    pub(crate) reads: Vec<Region>,
    pub(crate) writes: Vec<Region>,
    /// Clocks of bounds.
    pub(crate) clock_reads: Vec<Region>,
    pub(crate) clock_writes: Vec<ClockWrite>,
    /// Reads of variables and writes that always happen, in the order of execution.
    pub(crate) accesses: Vec<Access>,
    /// Some access could not be followed: anything may be read and written.
    pub(crate) anything: bool,
}

/// An access to variables.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// A possible read.
    Read(Region),
    /// A certain write: this many cells, from the only member of the region on, are written on every path.
    Overwrite(Region, u32),
}

/// Resolves addresses for one process and edge instance.
pub(crate) trait Lookup {
    /// The value of an immutable cell.
    fn constant(&self, cell: Cell) -> Option<i32>;
    /// Where the bases are.
    fn context(&self) -> &Context;
}

/// Regions with at most this many members are listed exactly, larger ones by their hull.
const LISTED: u64 = 1024;
/// Instructions that one footprint may look at; calls are followed at every site.
const BUDGET: u32 = 1 << 22;

impl Region {
    fn at(cell: Cell) -> Region {
        Region {
            start: Start::At(cell),
            plus: 0,
            picks: Vec::new(),
            dims: Vec::new(),
        }
    }

    fn behind(cell: Cell) -> Region {
        Region {
            start: Start::Behind(cell),
            plus: 0,
            picks: Vec::new(),
            dims: Vec::new(),
        }
    }

    fn step(&mut self, index: Cell, array: &Array) {
        if index.is_immutable() {
            self.picks.push(Pick {
                index,
                lo: array.lo,
                len: array.len,
                stride: array.stride,
            });
        } else {
            self.dims.push((array.len, array.stride));
        }
    }

    /// Whether it has one member only, wherever it is examined.
    pub(crate) fn is_single(&self) -> bool {
        self.dims.is_empty()
    }

    /// Adds its members for one process and edge instance.
    pub(crate) fn resolve(&self, lookup: &dyn Lookup, into: &mut Vec<Extent>) {
        let start = match self.start {
            Start::At(cell) => Some(lookup.context().address(cell) as i64),
            Start::Behind(cell) => lookup.constant(cell).map(i64::from),
        };
        let Some(mut first) = start.map(|s| s + self.plus) else {
            return;
        };
        for pick in &self.picks {
            let position = lookup
                .constant(pick.index)
                .map(|i| i64::from(i) - i64::from(pick.lo));
            match position {
                Some(p) if 0 <= p && p < i64::from(pick.len) => first += p * i64::from(pick.stride),
                // The access fails, so that nothing is read or written.
                _ => return,
            }
        }
        let Ok(first) = u32::try_from(first) else { return };
        if self.dims.iter().any(|&(len, _)| len == 0) {
            return;
        }
        let members: u64 = self
            .dims
            .iter()
            .map(|&(len, _)| u64::from(len))
            .fold(1, u64::saturating_mul);
        let dense = matches!(self.dims.as_slice(), [] | [(_, 1)]);
        if dense || members > LISTED {
            let reach: u64 = self
                .dims
                .iter()
                .map(|&(len, stride)| u64::from(len - 1) * u64::from(stride))
                .sum();
            into.push(Extent::new(
                first,
                u32::try_from(reach + 1).unwrap_or(u32::MAX - first),
            ));
            return;
        }
        let mut offsets = vec![0u32];
        for &(len, stride) in &self.dims {
            offsets = offsets
                .iter()
                .flat_map(|o| (0..len).map(move |i| o + i * stride))
                .collect();
        }
        into.extend(offsets.into_iter().map(|o| Extent::new(first + o, 1)));
    }
}

impl Footprint {
    /// Adds what a condition reads.
    pub(crate) fn condition(&mut self, program: &Program, condition: &Condition) {
        match *condition {
            Condition::Compare { a, b, .. } => {
                self.read(a);
                self.read(b);
            }
            Condition::Code(entry) => Scanner::new(program, self).scan(entry, false),
        }
    }

    /// Adds what a guard or invariant reads.
    pub(crate) fn term(&mut self, program: &Program, term: &Term) {
        match term {
            Term::Data(condition) => self.condition(program, condition),
            Term::Clock(bound) => self.bound(program, bound),
        }
    }

    fn bound(&mut self, program: &Program, bound: &ClockBound) {
        if let Some(when) = &bound.when {
            self.condition(program, when);
        }
        self.read(bound.bound);
        for clock in [Some(bound.left), bound.right].into_iter().flatten() {
            let regions = self.pointed(program, bound.setup, clock);
            self.clock_reads.extend(regions);
        }
    }

    /// Adds what a rate reads, and gives the clocks whose rate it sets.
    pub(crate) fn rate(&mut self, program: &Program, rate: &RateSetting) -> Vec<Region> {
        if let Some(when) = &rate.when {
            self.condition(program, when);
        }
        self.read(rate.rate);
        self.pointed(program, rate.setup, rate.clock)
    }

    /// Adds what `setup` reads, and gives what the clock or channel in `cell` may be after it.
    pub(crate) fn pointed(&mut self, program: &Program, setup: Option<Entry>, cell: Cell) -> Vec<Region> {
        let mut scanner = Scanner::new(program, self);
        if let Some(setup) = setup {
            scanner.scan(setup, false);
        }
        scanner.values(cell)
    }

    /// Adds what code does.
    pub(crate) fn code(&mut self, program: &Program, entry: Entry) {
        Scanner::new(program, self).scan(entry, false);
    }

    /// Adds a cell that is read.
    pub(crate) fn read(&mut self, cell: Cell) {
        if is_variable(cell) {
            self.see(Region::at(cell));
        }
    }

    fn see(&mut self, region: Region) {
        self.accesses.push(Access::Read(region.clone()));
        self.reads.push(region);
    }

    fn see_all(&mut self, regions: impl IntoIterator<Item = Region>) {
        regions.into_iter().for_each(|region| self.see(region));
    }

    /// Adds a write to the place that a pointer or index gives, if it always happens and there is just one.
    fn overwrite(&mut self, definite: bool, places: &[Region], count: u32) {
        if let [place] = places
            && definite
            && place.is_single()
        {
            self.accesses.push(Access::Overwrite(place.clone(), count));
        }
    }
}

/// Whether the cell may belong to a variable.
fn is_variable(cell: Cell) -> bool {
    matches!(cell.base(), Base::Absolute | Base::Local | Base::Meta)
}

struct Scanner<'s> {
    program: &'s Program,
    found: &'s mut Footprint,
    /// Where cells of the frame may point.
    pointers: FxHashMap<Cell, Vec<Region>>,
    /// Functions that have been examined and that neither set clocks nor follow pointers of their callers.
    plain: FxHashSet<Entry>,
    budget: u32,
}

impl<'s> Scanner<'s> {
    fn new(program: &'s Program, found: &'s mut Footprint) -> Scanner<'s> {
        Scanner {
            program,
            found,
            pointers: FxHashMap::default(),
            plain: FxHashSet::default(),
            budget: BUDGET,
        }
    }

    /// Possible targets of the pointer in a cell.
    fn values(&self, cell: Cell) -> Vec<Region> {
        if cell.is_immutable() {
            return vec![Region::behind(cell)];
        }
        self.pointers.get(&cell).cloned().unwrap_or_default()
    }

    fn array(&self, id: ArrayId) -> Option<&'s Array> {
        self.program.arrays.get(id.0 as usize)
    }

    fn element(&self, id: ArrayId, index: Cell) -> Option<Region> {
        let array = self.array(id)?;
        let mut region = Region::at(array.base);
        region.step(index, array);
        Some(region)
    }

    /// Cells that a pointer may reach; sets `anything` if they are not known.
    fn reach(&mut self, pointer: Cell, plus: u32, count: u32) -> Vec<Region> {
        let mut regions = self.values(pointer);
        if regions.is_empty() {
            self.found.anything = true;
        }
        for region in &mut regions {
            region.plus += i64::from(plus);
            if count != 1 {
                region.dims.push((count, 1));
            }
        }
        regions.retain(|r| !matches!(r.start, Start::At(cell) if !is_variable(cell)));
        regions
    }

    /// Follows code from `entry` to its end. `conditional`: it may not run at all.
    fn scan(&mut self, entry: Entry, mut conditional: bool) {
        let mut at = entry.0;
        // Before this position not every run comes by.
        let mut skipped = 0;
        while let Some(&instr) = self.program.code.get(at as usize) {
            if self.budget == 0 {
                self.found.anything = true;
                return;
            }
            self.budget -= 1;
            let definite = !conditional && at >= skipped;
            let (found, mut written) = (&mut *self.found, None);
            instr.cells(&mut |cell, writes| match (is_variable(cell), writes) {
                (true, false) => found.see(Region::at(cell)),
                (true, true) => {
                    found.writes.push(Region::at(cell));
                    if definite {
                        found.accesses.push(Access::Overwrite(Region::at(cell), 1));
                    }
                }
                (false, true) => written = Some(cell),
                (false, false) => {}
            });
            let mut pointers = None;
            // The way back of a loop skips nothing.
            skipped = instr.jumps_to().map_or(skipped, |target| skipped.max(target.0));
            match instr {
                Instr::Halt { .. } | Instr::Return { .. } => {
                    if skipped <= at {
                        return;
                    }
                    conditional = true;
                }
                Instr::Copy { from, .. } => pointers = Some(self.values(from)),
                Instr::Merge { to, from } => {
                    let mut both = self.values(to);
                    both.extend(self.values(from));
                    pointers = Some(both);
                }
                Instr::Add { a, b, .. } if b.base() == Base::Constant => {
                    let plus = self
                        .program
                        .constants
                        .get(b.offset() as usize)
                        .copied()
                        .unwrap_or(0);
                    let mut regions = self.values(a);
                    regions.iter_mut().for_each(|r| r.plus += i64::from(plus));
                    pointers = Some(regions);
                }
                Instr::Address { cell, .. } => pointers = Some(vec![Region::at(cell)]),
                Instr::ElementAddress { index, array, .. } => {
                    pointers = Some(self.element(array, index).into_iter().collect());
                }
                Instr::Advance {
                    pointer,
                    index,
                    array,
                } => {
                    let mut regions = self.values(pointer);
                    if let Some(array) = self.array(array) {
                        regions.iter_mut().for_each(|r| r.step(index, array));
                    }
                    pointers = Some(regions);
                }
                Instr::Load { index, array, .. } => {
                    let region = self.element(array, index);
                    self.found.see_all(region.filter(Region::is_in_variables));
                }
                Instr::Store { index, array, .. } => {
                    let region = self.element(array, index).filter(Region::is_in_variables);
                    self.found.overwrite(definite, region.as_slice(), 1);
                    self.found.writes.extend(region);
                }
                Instr::LoadAt { pointer, plus, .. } => {
                    let regions = self.reach(pointer, plus, 1);
                    self.found.see_all(regions);
                }
                Instr::StoreAt { pointer, plus, .. } => {
                    let regions = self.reach(pointer, plus, 1);
                    self.found.overwrite(definite, &regions, 1);
                    self.found.writes.extend(regions);
                }
                Instr::CopyCells { to, from, count } => {
                    let from = self.reach(from, 0, count);
                    self.found.see_all(from);
                    // Where to is single, all the cells after it are written.
                    let first = self.reach(to, 0, 1);
                    self.found.overwrite(definite, &first, count);
                    let to = self.reach(to, 0, count);
                    self.found.writes.extend(to);
                }
                Instr::SameCells { a, b, count, .. } => {
                    for pointer in [a, b] {
                        let regions = self.reach(pointer, 0, u32::from(count));
                        self.found.see_all(regions);
                    }
                }
                Instr::SetClock { clock, value } => {
                    let to = self.values(clock);
                    self.found.clock_writes.push(ClockWrite {
                        to,
                        from: None,
                        amount: Some(value),
                        range: self.program.amount(Entry(at)),
                        definite,
                    });
                }
                Instr::CopyClock { to, from, plus } => {
                    let (to, from) = (self.values(to), Some(self.values(from)));
                    self.found.clock_writes.push(ClockWrite {
                        to,
                        from,
                        amount: Some(plus),
                        range: self.program.amount(Entry(at)),
                        definite,
                    });
                }
                Instr::CopyClocks { to, from, count } => {
                    let (to, from) = (self.values(to), self.values(from));
                    for i in 0..i64::from(count) {
                        let shifted = |regions: &[Region]| {
                            let mut regions = regions.to_vec();
                            regions.iter_mut().for_each(|r| r.plus += i);
                            regions
                        };
                        let (to, from) = (shifted(&to), Some(shifted(&from)));
                        self.found.clock_writes.push(ClockWrite {
                            to,
                            from,
                            amount: None,
                            range: Range::single(0),
                            definite,
                        });
                    }
                }
                Instr::Call { target, .. } => self.call(target, !definite),
                _ => {}
            }
            match (written, pointers) {
                (Some(cell), Some(regions)) if !regions.is_empty() => {
                    self.pointers.insert(cell, regions);
                }
                (Some(cell), _) => {
                    self.pointers.remove(&cell);
                }
                (None, _) => {}
            }
            at += 1;
        }
    }

    /// Follows a call. What a function does is the same every time, unless it goes through its caller's pointers.
    fn call(&mut self, target: Entry, conditional: bool) {
        if self.plain.contains(&target) {
            return;
        }
        let clocks = self.found.clock_writes.len();
        self.scan(target, conditional);
        if self.found.clock_writes.len() == clocks && !self.uses_pointers(target) {
            self.plain.insert(target);
        }
    }

    /// Whether the code of a function goes through pointers, itself or in what it calls.
    fn uses_pointers(&self, entry: Entry) -> bool {
        let code = self.program.code.get(entry.0 as usize..).unwrap_or_default();
        let mut body = code.iter().take_while(|i| !matches!(i, Instr::Return { .. }));
        body.any(|instr| match instr {
            Instr::LoadAt { .. }
            | Instr::StoreAt { .. }
            | Instr::CopyCells { .. }
            | Instr::SameCells { .. } => true,
            Instr::Call { target, .. } => !self.plain.contains(target),
            _ => false,
        })
    }
}

impl Region {
    fn is_in_variables(&self) -> bool {
        !matches!(self.start, Start::At(cell) if !is_variable(cell))
    }
}
