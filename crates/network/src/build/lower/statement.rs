//! Statements of functions.

use super::emit::LATER;
use super::lvalue::Lvalue;
use super::{Slot, Unit};
use crate::build::types::{Kind, TypeId};
use crate::code::cell::Cell;
use crate::code::instr::{Check, Instr, Range};
use crate::error::{CompileError, Result};
use zonewalk_model::tree::{Block, Expr, Init, SlotVariable, Statement};
use zonewalk_syntax::span::Span;

impl Unit<'_, '_> {
    /// A block: its variables, then its statements.
    pub(super) fn block(&mut self, block: &Block) -> Result<()> {
        let frame = self.frame;
        for variable in &block.variables {
            self.declare(variable)?;
        }
        for statement in &block.statements {
            self.statement(statement)?;
        }
        self.frame = frame;
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        // Temporaries live no longer than their statement.
        let frame = self.frame;
        match statement {
            Statement::Expr(expr) => self.effect(expr)?,
            Statement::Block(block) => self.block(block)?,
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let (no, end) = (self.label(), self.label());
                let decided = self.branch(condition, false, no)?;
                if decided != Some(true) {
                    self.statement(then)?;
                }
                match otherwise {
                    Some(otherwise) if decided != Some(false) => {
                        if self.falls_through() {
                            self.jump(Instr::Jump { target: LATER }, end);
                        }
                        self.bind(no);
                        self.statement(otherwise)?;
                        self.bind(end);
                    }
                    _ => self.bind(no),
                }
            }
            Statement::While { condition, body } => self.loop_while(condition, None, body)?,
            Statement::DoWhile { body, condition } => {
                let (top, end) = (self.top(), self.label());
                self.statement(body)?;
                self.branch(condition, false, end)?;
                self.repeat(top, condition.span);
                self.bind(end);
            }
            Statement::For {
                init,
                condition,
                step,
                body,
            } => {
                self.effect(init)?;
                self.loop_while(condition, Some(step), body)?;
            }
            Statement::ForIn { slot, ty, body } => {
                let mut nodes = 0u32;
                body.expressions(&mut |e, _| self.weigh(e, &mut nodes));
                self.each_weighed(*slot, ty, nodes, Span::NONE, &mut |unit| unit.statement(body))?;
            }
            Statement::Return(value) => self.returns(value.as_ref())?,
            Statement::Assert(condition) => {
                let holds = self.label();
                self.branch(condition, true, holds)?;
                self.emit_at(Instr::Fail, Check::Assertion, condition.span);
                self.bind(holds);
            }
        }
        self.frame = frame;
        Ok(())
    }

    /// One of the updates of an edge.
    pub(crate) fn statement_of_update(&mut self, expr: &Expr) -> Result<()> {
        let frame = self.frame;
        self.effect(expr)?;
        self.frame = frame;
        Ok(())
    }

    fn loop_while(&mut self, condition: &Expr, step: Option<&Expr>, body: &Statement) -> Result<()> {
        let (top, end) = (self.top(), self.label());
        if self.branch(condition, false, end)? != Some(true) {
            self.statement(body)?;
            if let Some(step) = step {
                self.effect(step)?;
            }
            self.repeat(top, condition.span);
        }
        self.bind(end);
        Ok(())
    }

    /// A variable of a block gets its first value every time that the block is entered.
    fn declare(&mut self, declared: &SlotVariable) -> Result<()> {
        let variable = &declared.variable;
        let span = variable.span;
        let ty = self.resolve(&variable.ty, variable.is_const, span)?;
        if let Kind::Foreign(what) = self.builder.types.kind(ty) {
            return Err(CompileError::unsupported(
                span,
                format!("{what} is not supported"),
            ));
        }
        let size = self.builder.types.size(ty);
        if size.clocks > 0 || size.channels > 0 {
            return Err(CompileError::unsupported(
                span,
                "a clock or channel inside a function is not supported",
            ));
        }
        // A constant with a constant value needs no cell.
        if variable.is_const
            && let Some(range) = self.builder.types.range(ty)
            && let Some(Init::Expr(expr)) = &variable.init
            && let Some(value) = self.scope().fold(expr).filter(|&v| range.contains(v))
        {
            self.activation().set(declared.slot, Slot::Value(value));
            return Ok(());
        }
        let cell = self.alloc(size.cells, span)?;
        match &variable.init {
            Some(Init::Expr(expr)) => self.initialise(cell, ty, expr)?,
            init => {
                let mut cells = Vec::new();
                self.builder.types.defaults(ty, &mut cells);
                let mut late = Vec::new();
                if let Some(list) = init {
                    self.image(list, ty, 0, &mut cells, &mut late)?;
                }
                self.fill(cell, cells, span)?;
                for (offset, ty, expr) in late {
                    self.initialise(cell.plus(offset), ty, expr)?;
                }
            }
        }
        let range = self.builder.types.range(ty).unwrap_or(Range::ALL);
        self.activation().set(
            declared.slot,
            Slot::Cells {
                cell,
                ty,
                range,
                constant: variable.is_const,
            },
        );
        Ok(())
    }

    /// Puts the value of an expression into cells of a type.
    fn initialise(&mut self, cell: Cell, ty: TypeId, expr: &Expr) -> Result<()> {
        match self.builder.types.kind(ty) {
            Kind::Array { .. } | Kind::Struct(_) => {
                let from = self.lvalue(expr)?;
                self.copy_place(&Lvalue::at(cell, ty), &from, expr.span)
            }
            _ => self.fit_into(expr, cell, ty, Check::Value, expr.span, None),
        }
    }

    /// Writes the constant elements of a list into `cells` and collects the others, with their offsets.
    fn image<'e>(
        &mut self,
        init: &'e Init,
        ty: TypeId,
        offset: u32,
        cells: &mut [i32],
        late: &mut Vec<(u32, TypeId, &'e Expr)>,
    ) -> Result<()> {
        match init {
            Init::List(items) => {
                for (item, step) in items.iter().zip(0..) {
                    // What is too much for an array is ignored.
                    let Some((start, inner)) = self.builder.types.part(ty, step) else {
                        break;
                    };
                    self.image(item, inner, offset + start.cells, cells, late)?;
                }
            }
            Init::Expr(expr) => {
                let range = self.builder.types.range(ty);
                let value = self
                    .scope()
                    .fold(expr)
                    .filter(|&v| range.is_some_and(|r| r.contains(v)));
                match (value, cells.get_mut(offset as usize)) {
                    (Some(value), Some(cell)) => *cell = value,
                    _ => late.push((offset, ty, expr)),
                }
            }
        }
        Ok(())
    }

    /// Fills cells with constants.
    fn fill(&mut self, cell: Cell, values: Vec<i32>, span: Span) -> Result<()> {
        if values.len() <= 4 {
            for (value, offset) in values.into_iter().zip(0..) {
                let from = self.builder.constant(value);
                self.emit(Instr::Copy {
                    to: cell.plus(offset),
                    from,
                });
            }
            return Ok(());
        }
        let count = values.len() as u32;
        let table = self.builder.table(values)?;
        let (to, from) = (self.alloc(1, span)?, self.alloc(1, span)?);
        self.emit(Instr::Address { to, cell });
        self.emit(Instr::Address {
            to: from,
            cell: table,
        });
        self.emit(Instr::CopyCells { to, from, count });
        Ok(())
    }
}
