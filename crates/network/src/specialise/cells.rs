//! Known values of cells while code is followed, and their way into memory.

use super::absolute;
use super::store::KnownValue;
use super::trace::Trace;
use crate::code::cell::{Base, Cell, Extent, MAX_CELLS};
use crate::code::instr::{Array, ArrayId, Instr};

/// Where an element of an array is.
pub(super) enum Element {
    At(usize),
    /// The index is not known.
    Open,
    /// The index is out of range.
    Outside,
}

impl Trace<'_> {
    /// Where an element is, from the beginning of its array.
    pub(super) fn offset(&self, array: &Array, index: Cell) -> Element {
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
    pub(super) fn element(&self, array: ArrayId, index: Cell) -> Option<Element> {
        let array = self.array(array)?;
        Some(match self.offset(array, index) {
            Element::At(offset) => Element::At(self.context.address(array.base) + offset),
            other => other,
        })
    }

    /// The address that a pointer leads to.
    pub(super) fn pointed(&self, pointer: Cell, plus: u32) -> Option<usize> {
        let first = usize::try_from(self.value(pointer)?).ok()?;
        let address = first + plus as usize;
        (address < self.network.layout.frame as usize).then_some(address)
    }

    /// The value of a cell where it is known.
    pub(super) fn value(&self, cell: Cell) -> Option<i32> {
        match self.store.get(cell) {
            Some(KnownValue::Value(value)) => Some(value),
            Some(KnownValue::Same(address)) => self.network.constant_at(address),
            None => self.network.constant(cell, self.context),
        }
    }

    /// Whether a value can be made again from nothing.
    pub(super) fn can_know(&self, value: i32) -> bool {
        self.into.constants.contains_key(&value) || (0..MAX_CELLS as i32).contains(&value)
    }

    pub(super) fn is_scalar(&self, cell: Cell) -> bool {
        self.region.is_scalar(cell)
    }

    /// A cell to read a value from. What is known need not stand in its own cell.
    pub(super) fn operand(&mut self, cell: Cell) -> Cell {
        match self.store.get(cell) {
            None => absolute(self.context.address(cell)),
            Some(KnownValue::Same(address)) => absolute(address as usize),
            Some(KnownValue::Value(value)) => match self.into.constants.get(&value) {
                Some(&address) => absolute(address as usize),
                None => {
                    self.hold(cell);
                    absolute(self.context.address(cell))
                }
            },
        }
    }

    /// Puts what is known of a temporary into its cell.
    pub(super) fn hold(&mut self, cell: Cell) {
        let Some(known) = self.store.get(cell) else { return };
        let address = self.context.address(cell);
        self.release(Extent::new(address as u32, 1));
        self.write(address, known);
    }

    /// Emits the assignment of a value that is known.
    pub(super) fn write(&mut self, address: usize, known: KnownValue) {
        let to = absolute(address);
        let from = match known {
            KnownValue::Same(address) => Some(address),
            KnownValue::Value(value) => self.into.constants.get(&value).copied(),
        };
        self.emit(match (from, known) {
            (Some(from), _) | (None, KnownValue::Same(from)) => Instr::Copy {
                to,
                from: absolute(from as usize),
            },
            // A number without a cell of its own is an address for once.
            (None, KnownValue::Value(value)) => Instr::Address {
                to,
                cell: absolute(value.max(0) as usize),
            },
        });
    }

    /// The cells of an extent are about to be written: what is the same as one of them must be kept elsewhere.
    pub(super) fn release(&mut self, extent: Extent) {
        for cell in self.store.copies_of(extent) {
            if self.region.is_live(self.at + 1, cell) {
                self.hold(cell);
            }
            self.store.forget(cell);
        }
    }

    /// `to` becomes what is known.
    pub(super) fn set(&mut self, to: Cell, known: KnownValue) {
        if self.is_scalar(to) {
            self.store.set(to, known);
        } else {
            let address = self.context.address(to);
            self.release(Extent::new(address as u32, 1));
            self.write(address, known);
        }
    }

    /// `to` becomes a pointer.
    pub(super) fn point(&mut self, to: Cell, address: usize) {
        self.set(to, KnownValue::Value(address as i32));
    }

    /// `to` gets the content of an address.
    pub(super) fn copy(&mut self, to: Cell, address: usize) {
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
        let constant = self.network.constant_at(address as u32);
        let value = constant.filter(|value| self.can_know(*value));
        self.set(
            to,
            value.map_or(KnownValue::Same(address as u32), KnownValue::Value),
        );
    }
}
