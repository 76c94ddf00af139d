//! Following code with what is known, and emitting what is left.

use super::cells::Element;
use super::region::Region;
use super::store::{Facts, KnownValue, Store};
use super::{Specialised, absolute};
use crate::code::cell::{Cell, Context, Extent};
use crate::code::constraint::Relation;
use crate::code::instr::{Array, ArrayId, Entry, Instr, Use};
use crate::network::Network;
use rustc_hash::FxHashMap;
use zonewalk_model::eval::arithmetic::{Undefined, divide, power, remainder, shift_left, shift_right};

/// Trace length from which paths that meet are merged whatever is known on them.
const LONG: usize = 8192;
/// Maximal number of times the same place is specialised for different known values.
const MOST_VISITS: u32 = 4096;

pub(super) struct Trace<'t> {
    pub(super) into: &'t mut Specialised,
    pub(super) network: &'t Network,
    pub(super) context: &'t Context,
    pub(super) region: &'t Region,
    /// Where the code of this entry begins.
    start: usize,
    /// Limit on its length.
    longest: usize,
    pub(super) store: Store,
    /// The instruction that is examined.
    pub(super) at: u32,
    /// The way back that leads straight here.
    came_by: Option<u32>,
    /// Places that code has been made for, with what was known there.
    made: FxHashMap<(u32, Facts), u32>,
    visits: FxHashMap<u32, u32>,
    /// Facts that hold on all paths to a place whose paths are merged.
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
        longest: usize,
    ) -> Trace<'t> {
        Trace {
            start: into.program.code.len(),
            longest,
            into,
            network,
            context,
            region,
            store: Store::default(),
            at: 0,
            came_by: None,
            made: FxHashMap::default(),
            visits: FxHashMap::default(),
            general: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Makes the code of an entry; `None` if it becomes too long.
    pub(super) fn run(mut self, entry: Entry) -> Option<()> {
        self.follow(entry.0)?;
        while let Some((to, store, jump)) = self.open.pop() {
            self.store = store;
            self.came_by = None;
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

    /// Follows code until it ends or reaches a place that has been made.
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
            let next = self.step(instr)?;
            self.came_by = matches!(instr, Instr::Loop { .. }).then_some(at);
            match next {
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
        // A way back of the model pays what it always does. Others may close a circle, too, around ways back that were not
        // needed: they pay so that it is noticed, and so little that nothing else is.
        let way_back = self.came_by.or_else(|| self.region.loop_around(at));
        match way_back.and_then(|origin| self.network.program.code.get(origin as usize)) {
            Some(Instr::Loop { cost, .. }) => {
                let cost = if self.came_by.is_some() { *cost } else { 1 };
                self.into
                    .push(Instr::Loop { target, cost }, way_back.unwrap_or(at));
            }
            _ => self.emit(Instr::Jump { target }),
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

    pub(super) fn emit(&mut self, instr: Instr) {
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
            Div { to, a, b } => self.binary(instr, (to, a, b), |a, b| exact(divide(a, b))),
            Mod { to, a, b } => self.binary(instr, (to, a, b), |a, b| remainder(a, b).ok()),
            Power { to, a, b } => self.binary(instr, (to, a, b), |a, b| exact(power(a, b))),
            ShiftLeft { to, a, b } => self.binary(instr, (to, a, b), |a, b| exact(shift_left(a, b))),
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
                    Some(sum) => self.set(cell, KnownValue::Value(sum)),
                    None => self.residual(instr),
                }
            }
            Jump { target } => return Some(Next::At(target.0)),
            Loop { target, .. } => return Some(Next::At(target.0)),
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
            CopyDouble { .. }
            | ToDouble { .. }
            | NegateDouble { .. }
            | Double { .. }
            | CompareDoubles { .. }
            | Function { .. } => self.residual(instr),
            Call { target, back } => {
                if !self.can_know(self.at as i32) || !self.is_scalar(back) {
                    return None;
                }
                self.store.set(back, KnownValue::Value(self.at as i32));
                return Some(Next::At(target.0));
            }
            Return { back } => return self.value(back).map(|at| Next::At(at as u32 + 1)),
            Halt { .. } => {
                for &result in self.region.results() {
                    self.hold(result);
                }
                return Some(self.fails(instr));
            }
            Fail => return Some(self.fails(instr)),
        }
        Some(Next::At(self.at + 1))
    }

    /// Emits an instruction that nothing comes after.
    fn fails(&mut self, instr: Instr) -> Next {
        self.residual(instr);
        Next::Nowhere
    }

    /// Emits an instruction with its cells where they are.
    pub(super) fn residual(&mut self, instr: Instr) {
        self.write_to(instr, Extent::new(0, 0));
    }

    /// Emits an instruction that also writes to an extent.
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

    pub(super) fn array(&self, array: ArrayId) -> Option<&'t Array> {
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
            Some(value) => self.set(to, KnownValue::Value(value)),
            None => self.residual(instr),
        }
    }

    fn compare(&mut self, instr: Instr, cells: (Cell, Cell, Cell), relation: Relation) {
        self.binary(instr, cells, |a, b| Some(i32::from(relation.holds(a, b))));
    }

    fn related(&self, relation: Relation, a: Cell, b: Cell) -> Option<bool> {
        Some(relation.holds(self.value(a)?, self.value(b)?))
    }
}

/// A result that is known beforehand. What wraps is left to the code, which says so.
fn exact(result: Result<(i32, bool), Undefined>) -> Option<i32> {
    match result {
        Ok((value, false)) => Some(value),
        _ => None,
    }
}

/// Any address.
const EVERYWHERE: Extent = Extent {
    start: 0,
    end: u32::MAX,
};
