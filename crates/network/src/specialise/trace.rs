//! Following code with what is known, and emitting what is left.

use super::region::Region;
use super::store::{Facts, Known, Store};
use super::{Specialised, absolute};
use crate::cell::{Base, Cell, Context, Extent, MAX_CELLS};
use crate::constraint::Relation;
use crate::instr::{Array, ArrayId, Entry, Instr, Use};
use crate::network::Network;
use crate::vm::{divide, power, remainder, shift_left, shift_right};
use rustc_hash::FxHashMap;

/// From this length on, ways that come together are not told apart by what is known there.
const LONG: usize = 8192;
/// So often the same place is specialised for what is known there.
const MOST_VISITS: u32 = 4096;

pub(super) struct Trace<'t> {
    into: &'t mut Specialised,
    network: &'t Network,
    context: &'t Context,
    region: &'t Region,
    /// Where the code of this entry begins.
    start: usize,
    longest: usize,
    store: Store,
    /// The instruction that is looked at.
    at: u32,
    /// The last way back that was followed.
    last_loop: Option<u32>,
    /// Places that code has been made for, with what was known there.
    made: FxHashMap<(u32, Facts), u32>,
    visits: FxHashMap<u32, u32>,
    /// What is known on all ways that came to a place since they are not told apart.
    general: FxHashMap<u32, Store>,
    /// Ways to go: where to, what is known, and the jump that leads there.
    open: Vec<(u32, Store, usize)>,
}

/// Where to go on.
enum Next {
    At(u32),
    Nowhere,
}

impl<'t> Trace<'t> {
    pub(super) fn new(
        into: &'t mut Specialised,
        network: &'t Network,
        context: &'t Context,
        region: &'t Region,
    ) -> Trace<'t> {
        Trace {
            start: into.program.code.len(),
            longest: 0,
            into,
            network,
            context,
            region,
            store: Store::default(),
            at: 0,
            last_loop: region.last_loop,
            made: FxHashMap::default(),
            visits: FxHashMap::default(),
            general: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Makes the code of an entry; `None` if it becomes too long.
    pub(super) fn run(mut self, entry: Entry, longest: usize) -> Option<()> {
        self.longest = longest;
        self.follow(entry.0)?;
        while let Some((to, store, jump)) = self.open.pop() {
            self.store = store;
            self.store.retain(|cell| self.region.is_live(to, cell));
            let made = self.made.get(&(to, self.store.facts())).copied();
            // Only a way back has to pay.
            let made = made.filter(|made| *made as usize > jump);
            let target = made.unwrap_or_else(|| self.here());
            if let Some(jump) = self.into.program.code[jump].target() {
                *jump = Entry(target);
            }
            if made.is_none() {
                self.follow(to)?;
            }
        }
        Some(())
    }

    fn here(&self) -> u32 {
        self.into.program.code.len() as u32
    }

    /// Follows code until it ends or comes to a place that has been made.
    fn follow(&mut self, mut at: u32) -> Option<()> {
        loop {
            let length = self.into.program.code.len() - self.start;
            if length > self.longest {
                return None;
            }
            self.at = at;
            if self.region.is_join(at) && self.joins_made(length > LONG) {
                return Some(());
            }
            let instr = *self.network.program.code.get(at as usize)?;
            match self.step(instr)? {
                Next::At(next) => at = next,
                Next::Nowhere => return Some(()),
            }
        }
    }

    /// Ways may come together here. If there is code for what is known, goes there and says so.
    fn joins_made(&mut self, is_long: bool) -> bool {
        let at = self.at;
        self.store.retain(|cell| self.region.is_live(at, cell));
        let visits = self.visits.entry(at).or_default();
        *visits += 1;
        if is_long || *visits > MOST_VISITS {
            self.generalise();
        }
        let key = (at, self.store.facts());
        let Some(&made) = self.made.get(&key) else {
            self.made.insert(key, self.here());
            return false;
        };
        let target = Entry(made);
        if let Some(&end @ Instr::Halt { .. }) = self.into.program.code.get(made as usize) {
            self.emit(end);
            return true;
        }
        match self.last_loop {
            // Among ways back there may be one that closes a circle.
            Some(origin) => {
                let cost = self.here() - made + 1;
                self.into.push(Instr::Loop { target, cost }, origin);
            }
            None => self.emit(Instr::Jump { target }),
        }
        true
    }

    /// Forgets what is not known on every way to this place.
    fn generalise(&mut self) {
        if let Some(general) = self.general.get(&self.at) {
            for cell in self.store.beyond(general) {
                self.hold(cell);
                self.store.forget(cell);
            }
        }
        self.general.insert(self.at, self.store.clone());
    }

    fn emit(&mut self, instr: Instr) {
        self.into.push(instr, self.at);
    }

    /// Follows one instruction.
    fn step(&mut self, instr: Instr) -> Option<Next> {
        use Instr::*;
        match instr {
            Copy { to, from } | Merge { to, from } => self.copy(to, self.context.address(from)),
            Add { to, a, b } => self.binary(instr, (to, a, b), i32::checked_add),
            Sub { to, a, b } => self.binary(instr, (to, a, b), i32::checked_sub),
            Mul { to, a, b } => self.binary(instr, (to, a, b), i32::checked_mul),
            Div { to, a, b } => self.binary(instr, (to, a, b), |a, b| divide(a, b).ok()),
            Mod { to, a, b } => self.binary(instr, (to, a, b), |a, b| remainder(a, b).ok()),
            Power { to, a, b } => self.binary(instr, (to, a, b), |a, b| power(a, b).ok()),
            ShiftLeft { to, a, b } => self.binary(instr, (to, a, b), |a, b| shift_left(a, b).ok()),
            ShiftRight { to, a, b } => self.binary(instr, (to, a, b), |a, b| shift_right(a, b).ok()),
            Min { to, a, b } => self.binary(instr, (to, a, b), |a, b| Some(a.min(b))),
            Max { to, a, b } => self.binary(instr, (to, a, b), |a, b| Some(a.max(b))),
            BitAnd { to, a, b } => self.binary(instr, (to, a, b), |a, b| Some(a & b)),
            BitXor { to, a, b } => self.binary(instr, (to, a, b), |a, b| Some(a ^ b)),
            BitOr { to, a, b } => self.binary(instr, (to, a, b), |a, b| Some(a | b)),
            Negate { to, a } => self.binary(instr, (to, a, a), |a, _| a.checked_neg()),
            Abs { to, a } => self.binary(instr, (to, a, a), |a, _| a.checked_abs()),
            Not { to, a } => self.binary(instr, (to, a, a), |a, _| Some(i32::from(a == 0))),
            Truth { to, a } => self.binary(instr, (to, a, a), |a, _| Some(i32::from(a != 0))),
            Less { to, a, b } => self.compare(instr, (to, a, b), Relation::Less),
            LessEqual { to, a, b } => self.compare(instr, (to, a, b), Relation::LessEqual),
            Equal { to, a, b } => self.compare(instr, (to, a, b), Relation::Equal),
            NotEqual { to, a, b } => self.compare(instr, (to, a, b), Relation::NotEqual),
            Step { cell, by, range } => {
                let range = *self.network.program.ranges.get(range.0 as usize)?;
                let sum = self.value(cell).and_then(|v| v.checked_add(i32::from(by)));
                match sum.filter(|sum| range.contains(*sum) && self.can_know(*sum)) {
                    Some(sum) => self.set(cell, Known::Value(sum)),
                    None => self.residual(instr),
                }
            }
            Jump { target } => return Some(Next::At(target.0)),
            Loop { target, .. } => {
                self.last_loop = Some(self.at);
                return Some(Next::At(target.0));
            }
            JumpIf { a, target } => {
                let zero = self.value(a).map(|a| a != 0);
                return Some(self.branch(instr, zero, target));
            }
            JumpUnless { a, target } => {
                let zero = self.value(a).map(|a| a == 0);
                return Some(self.branch(instr, zero, target));
            }
            JumpLess { a, b, target } => {
                return Some(self.branch(instr, self.related(Relation::Less, a, b), target));
            }
            JumpLessEqual { a, b, target } => {
                return Some(self.branch(instr, self.related(Relation::LessEqual, a, b), target));
            }
            JumpEqual { a, b, target } => {
                return Some(self.branch(instr, self.related(Relation::Equal, a, b), target));
            }
            JumpNotEqual { a, b, target } => {
                return Some(self.branch(instr, self.related(Relation::NotEqual, a, b), target));
            }
            Load { to, index, array } => match self.element(array, index)? {
                Element::At(address) => self.copy(to, address),
                Element::Open => self.residual(instr),
                Element::Outside => return Some(self.fails(instr)),
            },
            Store { index, array, .. } => match self.element(array, index)? {
                Element::At(address) => self.write_to(instr, Extent::new(address as u32, 1)),
                Element::Open => {
                    let array = self.array(array)?;
                    let first = self.context.address(array.base) as u32;
                    let count = array.len.saturating_mul(array.stride);
                    self.write_to(instr, Extent::new(first, count));
                }
                Element::Outside => return Some(self.fails(instr)),
            },
            CheckIndex { index, array } => match self.element(array, index)? {
                Element::At(_) => {}
                Element::Open => self.residual(instr),
                Element::Outside => return Some(self.fails(instr)),
            },
            ElementAddress { to, index, array } => match self.element(array, index)? {
                Element::At(address) => self.point(to, address),
                Element::Open => self.residual(instr),
                Element::Outside => return Some(self.fails(instr)),
            },
            Advance {
                pointer,
                index,
                array,
            } => match (self.value(pointer), self.offset(self.array(array)?, index)) {
                (_, Element::Outside) => return Some(self.fails(instr)),
                (Some(first), Element::At(further)) => {
                    self.point(pointer, (first as usize).saturating_add(further));
                }
                _ => self.residual(instr),
            },
            Address { to, cell } => self.point(to, self.context.address(cell)),
            LoadAt { to, pointer, plus } => match self.pointed(pointer, plus) {
                Some(address) => self.copy(to, address),
                None => self.residual(instr),
            },
            StoreAt { from, pointer, plus } => {
                if let Some(address) = self.pointed(pointer, plus) {
                    let from = self.operand(from);
                    self.release(Extent::new(address as u32, 1));
                    let to = absolute(address);
                    self.emit(Instr::Copy { to, from });
                } else {
                    self.write_to(instr, EVERYWHERE);
                }
            }
            CopyCells { to, count, .. } => {
                let to = self.pointed(to, 0);
                self.write_to(instr, to.map_or(EVERYWHERE, |to| Extent::new(to as u32, count)));
            }
            CheckRange { a, range } => {
                let range = *self.network.program.ranges.get(range.0 as usize)?;
                if !self.value(a).is_some_and(|a| range.contains(a)) {
                    self.residual(instr);
                }
            }
            SameCells { .. } | SetClock { .. } | CopyClock { .. } | CopyClocks { .. } => {
                self.residual(instr);
            }
            Call { target, back } => {
                if !self.can_know(self.at as i32) || !self.is_scalar(back) {
                    return None;
                }
                self.store.set(back, Known::Value(self.at as i32));
                return Some(Next::At(target.0));
            }
            Return { back } => return self.value(back).map(|at| Next::At(at as u32 + 1)),
            Halt { .. } | Fail => return Some(self.fails(instr)),
        }
        Some(Next::At(self.at + 1))
    }

    /// Emits an instruction that nothing comes after.
    fn fails(&mut self, instr: Instr) -> Next {
        self.residual(instr);
        Next::Nowhere
    }

    /// Emits an instruction with its cells where they are.
    fn residual(&mut self, instr: Instr) {
        self.write_to(instr, Extent::new(0, 0));
    }

    /// The same for one that writes to an extent besides.
    fn write_to(&mut self, mut instr: Instr, extent: Extent) {
        if let Some(array) = instr.array() {
            *array = self.resolved(*array);
        }
        instr.each_cell(&mut |cell, used| {
            match used {
                Use::Read => *cell = self.operand(*cell),
                Use::Change | Use::Write => {
                    if used == Use::Change {
                        self.hold(*cell);
                    }
                    let address = self.context.address(*cell);
                    self.store.forget(*cell);
                    self.release(Extent::new(address as u32, 1));
                    *cell = absolute(address);
                }
            };
        });
        self.release(extent);
        self.emit(instr);
    }

    /// An array with its place resolved.
    fn resolved(&mut self, array: ArrayId) -> ArrayId {
        let id = ArrayId(self.into.program.arrays.len() as u32);
        if let Some(array) = self.array(array) {
            self.into.program.arrays.push(Array {
                base: absolute(self.context.address(array.base)),
                ..*array
            });
        }
        id
    }

    fn array(&self, array: ArrayId) -> Option<&'t Array> {
        self.network.program.arrays.get(array.0 as usize)
    }

    /// Follows a conditional jump, if it is known whether it is taken; otherwise both ways, this one first.
    fn branch(&mut self, instr: Instr, is_taken: Option<bool>, target: Entry) -> Next {
        match is_taken {
            Some(true) => Next::At(target.0),
            Some(false) => Next::At(self.at + 1),
            None => {
                self.residual(instr);
                self.open
                    .push((target.0, self.store.clone(), self.here() as usize - 1));
                Next::At(self.at + 1)
            }
        }
    }

    fn binary(
        &mut self,
        instr: Instr,
        (to, a, b): (Cell, Cell, Cell),
        compute: impl FnOnce(i32, i32) -> Option<i32>,
    ) {
        let both = self.value(a).zip(self.value(b));
        let result = both.and_then(|(a, b)| compute(a, b));
        match result.filter(|value| self.can_know(*value)) {
            Some(value) => self.set(to, Known::Value(value)),
            None => self.residual(instr),
        }
    }

    fn compare(&mut self, instr: Instr, cells: (Cell, Cell, Cell), relation: Relation) {
        self.binary(instr, cells, |a, b| Some(i32::from(relation.holds(a, b))));
    }

    fn related(&self, relation: Relation, a: Cell, b: Cell) -> Option<bool> {
        Some(relation.holds(self.value(a)?, self.value(b)?))
    }

    /// Where an element is, from the beginning of its array.
    fn offset(&self, array: &Array, index: Cell) -> Element {
        let Some(index) = self.value(index) else {
            return Element::Open;
        };
        let position = i64::from(index) - i64::from(array.lo);
        if (0..i64::from(array.len)).contains(&position) {
            Element::At(position as usize * array.stride as usize)
        } else {
            Element::Outside
        }
    }

    /// Where an element is.
    fn element(&self, array: ArrayId, index: Cell) -> Option<Element> {
        let array = self.array(array)?;
        Some(match self.offset(array, index) {
            Element::At(offset) => Element::At(self.context.address(array.base) + offset),
            other => other,
        })
    }

    /// The address that a pointer leads to.
    fn pointed(&self, pointer: Cell, plus: u32) -> Option<usize> {
        let first = usize::try_from(self.value(pointer)?).ok()?;
        let address = first + plus as usize;
        (address < self.network.layout.frame as usize).then_some(address)
    }

    /// The value of a cell where it is known.
    fn value(&self, cell: Cell) -> Option<i32> {
        match self.store.get(cell) {
            Some(Known::Value(value)) => Some(value),
            Some(Known::Same(address)) => self.constant(address as usize),
            None => self.constant(self.context.address(cell)),
        }
    }

    /// The value at an address that nobody ever writes to.
    fn constant(&self, address: usize) -> Option<i32> {
        let layout = &self.network.layout;
        let (meta, data, end) = (
            layout.meta as usize,
            layout.data as usize,
            layout.program as usize,
        );
        if (meta..data).contains(&address) {
            self.network.image.get(address).copied()
        } else if (data..end).contains(&address) {
            self.network.program.constants.get(address - data).copied()
        } else {
            None
        }
    }

    /// Whether a value can be made again from nothing.
    fn can_know(&self, value: i32) -> bool {
        self.into.constants.contains_key(&value) || (0..MAX_CELLS as i32).contains(&value)
    }

    fn is_scalar(&self, cell: Cell) -> bool {
        self.region.is_scalar(cell)
    }

    /// A cell to read a value from. What is known need not stand in its own cell.
    fn operand(&mut self, cell: Cell) -> Cell {
        match self.store.get(cell) {
            None => absolute(self.context.address(cell)),
            Some(Known::Same(address)) => absolute(address as usize),
            Some(Known::Value(value)) => match self.into.constants.get(&value) {
                Some(&address) => absolute(address as usize),
                None => {
                    self.hold(cell);
                    absolute(self.context.address(cell))
                }
            },
        }
    }

    /// Puts what is known of a temporary into its cell.
    fn hold(&mut self, cell: Cell) {
        let Some(known) = self.store.get(cell) else { return };
        let address = self.context.address(cell);
        self.release(Extent::new(address as u32, 1));
        self.write(address, known);
    }

    /// Emits the assignment of a value that is known.
    fn write(&mut self, address: usize, known: Known) {
        let to = absolute(address);
        let from = match known {
            Known::Same(address) => Some(address),
            Known::Value(value) => self.into.constants.get(&value).copied(),
        };
        self.emit(match (from, known) {
            (Some(from), _) | (None, Known::Same(from)) => Instr::Copy {
                to,
                from: absolute(from as usize),
            },
            // A number without a cell of its own is an address for once.
            (None, Known::Value(value)) => Instr::Address {
                to,
                cell: absolute(value.max(0) as usize),
            },
        });
    }

    /// The cells of an extent are about to be written: what is the same as one of them must be kept elsewhere.
    fn release(&mut self, extent: Extent) {
        for cell in self.store.copies_of(extent) {
            if self.region.is_live(self.at + 1, cell) {
                self.hold(cell);
            }
            self.store.forget(cell);
        }
    }

    /// `to` becomes what is known.
    fn set(&mut self, to: Cell, known: Known) {
        if self.is_scalar(to) {
            self.store.set(to, known);
        } else {
            let address = self.context.address(to);
            self.release(Extent::new(address as u32, 1));
            self.write(address, known);
        }
    }

    /// `to` becomes a pointer.
    fn point(&mut self, to: Cell, address: usize) {
        self.set(to, Known::Value(address as i32));
    }

    /// `to` becomes what stands at an address.
    fn copy(&mut self, to: Cell, address: usize) {
        let offset = (address as u32).checked_sub(self.network.layout.program);
        let temporary = offset.map(|offset| Cell::new(Base::Frame, offset));
        if let Some(from) = temporary.filter(|cell| self.is_scalar(*cell)) {
            match self.store.get(from) {
                Some(known) => self.set(to, known),
                // Temporaries that are the same as each other could not be told apart when one of them changes.
                None => self.residual(Instr::Copy { to, from }),
            }
            return;
        }
        let value = self.constant(address).filter(|value| self.can_know(*value));
        self.set(to, value.map_or(Known::Same(address as u32), Known::Value));
    }
}

/// Any address.
const EVERYWHERE: Extent = Extent {
    start: 0,
    end: u32::MAX,
};

/// Where an element of an array is.
enum Element {
    At(usize),
    /// The index is not known.
    Open,
    /// The index is out of range.
    Outside,
}
