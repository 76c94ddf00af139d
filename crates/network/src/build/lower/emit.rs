//! Emitting instructions: jumps with targets to come, places in the source.

use super::Unit;
use crate::code::cell::Cell;
use crate::code::instr::{Check, Entry, Instr, Range, Site};
use zonewalk_model::tree::Name;
use zonewalk_syntax::span::Span;

/// A position in the code that may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label(usize);

/// The jumps that wait for a label.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelState {
    jumps: Vec<u32>,
}

impl Unit<'_, '_> {
    /// Where the next instruction goes.
    pub(crate) fn here(&self) -> Entry {
        Entry(self.builder.program.code.len() as u32)
    }

    /// Adds an instruction that cannot fail.
    pub(crate) fn emit(&mut self, instr: Instr) {
        self.builder.program.code.push(instr);
    }

    /// Adds an instruction that may fail.
    pub(crate) fn emit_at(&mut self, instr: Instr, check: Check, span: Span) {
        self.site(check, span, None);
        self.emit(instr);
    }

    /// Says where the next instruction comes from.
    pub(crate) fn site(&mut self, check: Check, span: Span, name: Option<Name>) {
        let at = self.here();
        self.builder.program.sites.push(Site {
            at,
            check,
            span,
            name,
        });
    }

    /// Says between which values the number lies that the next instruction gives or adds to a clock.
    pub(super) fn amount(&mut self, range: Range) {
        let at = self.here();
        self.builder.program.amounts.push((at, range));
    }

    pub(crate) fn copy_cell(&mut self, to: Cell, from: Cell) {
        if to != from {
            self.emit(Instr::Copy { to, from });
        }
    }

    /// Ends the code with a value.
    pub(crate) fn halt(&mut self, value: i32) {
        let value = self.builder.constant(value);
        self.emit(Instr::Halt { value });
    }

    /// A position to come.
    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(LabelState::default());
        Label(self.labels.len() - 1)
    }

    /// Adds a jump to a position to come.
    pub(crate) fn jump(&mut self, instr: Instr, label: Label) {
        let at = self.here().0;
        self.labels[label.0].jumps.push(at);
        self.emit(instr);
    }

    /// The label is here.
    pub(crate) fn bind(&mut self, label: Label) {
        let jumps = std::mem::take(&mut self.labels[label.0].jumps);
        let code = &mut self.builder.program.code;
        let mut end = code.len() as u32;
        let mut waiting = jumps.as_slice();
        // A jump to the next instruction is a no-op: whatever jumped to it now gets here as well. Unless something
        // else already refers to this position.
        if let Some((&last, others)) = jumps.split_last()
            && last + 1 == end
            && self.fixed != Some(Entry(end))
            && matches!(code.last(), Some(Instr::Jump { .. }))
        {
            code.pop();
            end = last;
            waiting = others;
        }
        for &at in waiting {
            if let Some(target) = code.get_mut(at as usize).and_then(Instr::target) {
                *target = Entry(end);
            }
        }
        if !waiting.is_empty() {
            self.fixed = Some(Entry(end));
        }
    }

    /// Whether control can reach the next instruction from the last one.
    pub(crate) fn falls_through(&self) -> bool {
        let last = self.builder.program.code.last();
        self.fixed == Some(self.here()) || !matches!(last, Some(Instr::Jump { .. }))
    }

    /// Here, as the target of a [`repeat`](Self::repeat) to come.
    pub(crate) fn top(&mut self) -> Entry {
        let here = self.here();
        self.fixed = Some(here);
        here
    }

    /// Jumps back to `top`.
    pub(crate) fn repeat(&mut self, top: Entry, span: Span) {
        let cost = self.here().0 - top.0 + 1;
        self.emit_at(Instr::Loop { target: top, cost }, Check::Loop, span);
    }
}

/// A target that is filled in later.
pub(super) const LATER: Entry = Entry(u32::MAX);
