//! Where values lie: the cells of variables, and the sizes of types.

use crate::code::{Extent, int_bits};
use zonewalk_model::eval::{Domain, Evaluator, Fault, FaultKind, Scope, constant};
use zonewalk_model::ids::ProcessId;
use zonewalk_model::system::{Memory, Place, Root, System, Value};
use zonewalk_model::tree::Model;
use zonewalk_model::types::{ArrayType, Bound, IndexType, StructType, Type};
use zonewalk_syntax::span::Span;

/// The variables of a system, one after the other.
pub(crate) struct Layout<'m> {
    pub(crate) model: &'m Model,
    pub(crate) system: &'m System,
    /// First cells, by `GlobalId`.
    globals: Vec<u32>,
    /// First cells, by `ProcessId` and `LocalId`.
    locals: Vec<Vec<u32>>,
    /// Initial contents of all cells.
    pub(crate) initial: Vec<u64>,
    /// The cell of each clock.
    pub(crate) clocks: Vec<u32>,
}

impl<'m> Layout<'m> {
    pub(crate) fn new(model: &'m Model, system: &'m System) -> Layout<'m> {
        let mut layout = Layout {
            model,
            system,
            globals: Vec::new(),
            locals: Vec::new(),
            initial: Vec::new(),
            clocks: vec![0; system.clocks.len()],
        };
        let Memory { globals, locals } = &system.initial;
        for value in globals {
            let at = layout.store(value);
            layout.globals.push(at);
        }
        for values in locals {
            let cells = values.iter().map(|value| layout.store(value)).collect();
            layout.locals.push(cells);
        }
        layout
    }

    /// Puts a value after all others.
    pub(crate) fn store(&mut self, value: &Value) -> u32 {
        let at = self.initial.len() as u32;
        self.append(value);
        at
    }

    fn append(&mut self, value: &Value) {
        let bits = match value {
            Value::Int(i) => int_bits(*i),
            Value::Double(d) => d.to_bits(),
            // Models that are compiled have no unknown values.
            Value::Unknown(..) | Value::Str(_) => 0,
            Value::Clock(clock) => {
                self.clocks[clock.index()] = self.initial.len() as u32;
                f64::from(self.system.clocks[clock.index()].initial).to_bits()
            }
            Value::Channel(channel) => int_bits(channel.0 as i32),
            Value::Array(parts) | Value::Struct(parts) => {
                parts.iter().for_each(|part| self.append(part));
                return;
            }
        };
        self.initial.push(bits);
    }

    /// New cells, for frames.
    pub(crate) fn allocate(&mut self, cells: u32) -> u32 {
        let at = self.initial.len() as u32;
        self.initial.resize(self.initial.len() + cells as usize, 0);
        at
    }

    pub(crate) fn global(&self, index: usize) -> u32 {
        self.globals[index]
    }

    pub(crate) fn local(&self, process: usize, index: usize) -> u32 {
        self.locals[process][index]
    }

    fn scope(&self, process: Option<usize>) -> Option<Scope<'m>> {
        let process = process?;
        let instance = self.system.processes.get(process)?;
        Some(Scope {
            process: ProcessId::from_index(process),
            bindings: &instance.bindings,
            variables: &self.model.templates[instance.template.index()].variables,
        })
    }

    /// The values of an integer, boolean or scalar type.
    pub(crate) fn domain(&self, ty: &Type, process: Option<usize>, span: Span) -> Result<Domain, Fault> {
        let mut evaluator = Evaluator::at_compile_time(self.model.into(), &self.system.initial);
        if let Some(scope) = self.scope(process) {
            evaluator = evaluator.in_process(scope);
        }
        evaluator.domain(ty, span)
    }

    fn bound(&self, bound: &Bound, process: Option<usize>) -> Result<i32, Fault> {
        match bound {
            Bound::Const(value) => Ok(*value),
            Bound::Expr(expr) => {
                let code = self.model.into();
                match constant(code, &self.system.initial, self.scope(process), &[], expr)? {
                    Value::Int(value) => Ok(value),
                    _ => Err(FaultKind::unsupported("a bound of this type").at(expr.span)),
                }
            }
        }
    }

    pub(crate) fn extent(
        &self,
        array: &ArrayType,
        process: Option<usize>,
        span: Span,
    ) -> Result<Extent, Fault> {
        let (lo, len) = match &array.index {
            IndexType::Size(size) => (0, i64::from(self.bound(size, process)?)),
            IndexType::Range(range) => {
                let (lo, hi) = (self.bound(&range.lo, process)?, self.bound(&range.hi, process)?);
                (lo, i64::from(hi) - i64::from(lo) + 1)
            }
            IndexType::Scalar(set) => {
                let domain = self.domain(&Type::Scalar(*set), process, span)?;
                (0, domain.count() as i64)
            }
        };
        Ok(Extent {
            lo,
            len: u32::try_from(len.max(0)).unwrap_or(0),
            stride: self.size(&array.element, process, span)?,
        })
    }

    /// The number of cells of a type.
    pub(crate) fn size(&self, ty: &Type, process: Option<usize>, span: Span) -> Result<u32, Fault> {
        match ty {
            Type::Array(array) => {
                let extent = self.extent(array, process, span)?;
                Ok(extent.len.saturating_mul(extent.stride))
            }
            Type::Struct(s) => self.offset(s, s.fields.len(), process, span),
            _ => Ok(1),
        }
    }

    /// The cells before a field.
    pub(crate) fn offset(
        &self,
        ty: &StructType,
        field: usize,
        process: Option<usize>,
        span: Span,
    ) -> Result<u32, Fault> {
        ty.fields.iter().take(field).try_fold(0, |sum: u32, (_, field)| {
            Ok(sum.saturating_add(self.size(field, process, span)?))
        })
    }

    /// The cell of a part of a variable.
    pub(crate) fn place(&self, place: &Place, span: Span) -> Result<u32, Fault> {
        let unknown = || FaultKind::unsupported("a reference of this kind").at(span);
        let (mut at, mut ty, process) = match place.root {
            Root::Global(g) => (self.global(g.index()), &self.model.globals[g.index()].ty, None),
            Root::Local(p, l) => {
                let template = self.system.processes[p.index()].template;
                let variables = &self.model.templates[template.index()].variables;
                (
                    self.local(p.index(), l.index()),
                    &variables[l.index()].ty,
                    Some(p.index()),
                )
            }
            Root::Slot(..) => return Err(unknown()),
        };
        for &position in &place.path {
            match ty {
                Type::Array(array) => {
                    at += self.extent(array, process, span)?.stride * position;
                    ty = &array.element;
                }
                Type::Struct(s) => {
                    at += self.offset(s, position as usize, process, span)?;
                    ty = &s.fields.get(position as usize).ok_or_else(unknown)?.1;
                }
                _ => return Err(unknown()),
            }
        }
        Ok(at)
    }
}
