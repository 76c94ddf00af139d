//! Values known before the model runs: constants, parameters, the identities of clocks and channels.
//!
//! An expression may be constant for the whole template, for each process of it, or for each edge instance;
//! a [`Scope`] says which of these is asked about.

use crate::code::instr::Range;
use crate::expressions::facts::is_quick_to_evaluate;
use crate::expressions::fold::Folder;
use zonewalk_model::builtin::Numeral;
use zonewalk_model::eval::{self, Wraps};
use zonewalk_model::ids::{ParamId, ProcessId, SlotId};
use zonewalk_model::system::{Binding, Place, Root, System, Value};
use zonewalk_model::tree::{Expr, ExprKind, Model, VarRef};
use zonewalk_model::types::{Bound, IndexType, RangeType, Type};

/// The range of a variable of type `int` (`semantics.md` 17).
pub(crate) const INT: Range = Range {
    lo: -32768,
    hi: 32767,
};

/// Slots whose values are known.
pub(crate) trait Slots {
    /// The value of a slot of the current activation.
    fn value(&self, slot: SlotId) -> Option<i32>;
}

/// No slot is known.
pub(crate) struct NoSlots;

impl Slots for NoSlots {
    fn value(&self, _slot: SlotId) -> Option<i32> {
        None
    }
}

/// Which parameters and constants of the process may be used.
#[derive(Clone, Copy)]
pub(crate) enum KnownConstants<'a> {
    /// All of them.
    All,
    /// Constants that are equal for all the processes that share the code: by parameter, by variable.
    Uniform(&'a [bool], &'a [bool]),
}

/// Context in which an expression is evaluated statically.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    /// The process, or one that stands for all that share the code.
    pub(crate) process: Option<ProcessId>,
    pub(crate) known: KnownConstants<'a>,
    pub(crate) slots: &'a dyn Slots,
}

/// Nodes that one folding may visit: a bound for nested quantifiers.
const BUDGET: u32 = 200_000;

impl<'a> Scope<'a> {
    /// The scope of global declarations.
    pub(crate) fn global(model: &'a Model, system: &'a System) -> Scope<'a> {
        Scope {
            model,
            system,
            process: None,
            known: KnownConstants::All,
            slots: &NoSlots,
        }
    }

    /// Scope that sees everything about one process.
    pub(crate) fn process(model: &'a Model, system: &'a System, process: ProcessId) -> Scope<'a> {
        Scope {
            model,
            system,
            process: Some(process),
            known: KnownConstants::All,
            slots: &NoSlots,
        }
    }

    /// The scope with these slots.
    pub(crate) fn with_slots<'b>(&self, slots: &'b dyn Slots) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope {
            model: self.model,
            system: self.system,
            process: self.process,
            known: self.known,
            slots,
        }
    }

    /// The value of an integer expression that is constant in this scope and does not fail.
    pub(crate) fn fold(&self, expr: &Expr) -> Option<i32> {
        Folder {
            scope: *self,
            budget: &mut { BUDGET },
        }
        .fold(expr)
    }

    /// The value of a whole constant, or the identity of a clock or channel (or of an array or struct of them).
    ///
    /// The flag says whether integers inside may change; then only identities count.
    pub(crate) fn value(&self, expr: &Expr) -> Option<(&'a Value, bool)> {
        Folder {
            scope: *self,
            budget: &mut { BUDGET },
        }
        .value(expr)
    }

    /// The clock that an expression names.
    pub(crate) fn clock(&self, expr: &Expr) -> Option<u32> {
        match self.value(expr)?.0 {
            Value::Clock(id) => Some(id.0),
            _ => None,
        }
    }

    /// The channel that an expression names.
    pub(crate) fn channel(&self, expr: &Expr) -> Option<u32> {
        match self.value(expr)?.0 {
            Value::Channel(id) => Some(id.0),
            _ => None,
        }
    }

    /// A bound of a type.
    pub(crate) fn bound(&self, bound: &Bound) -> Option<i32> {
        match bound {
            Bound::Const(value) => Some(*value),
            Bound::Expr(expr) => self
                .fold(expr)
                .or_else(|| self.evaluate(expr).map(|(value, _)| value)),
        }
    }

    /// The value of a constant expression by the plain evaluator, for what folding does not do (calls), and whether
    /// arithmetic wraps on the way.
    pub(crate) fn evaluate(&self, expr: &Expr) -> Option<(i32, bool)> {
        match self.evaluated(expr)? {
            (Value::Int(value), wraps) => Some((value, wraps)),
            _ => None,
        }
    }

    /// The value of a number that is constant in this scope, does not fail and does not wrap.
    pub(crate) fn number(&self, expr: &Expr) -> Option<Numeral> {
        if !is_quick_to_evaluate(self.model, expr) {
            return None;
        }
        match self.evaluated(expr)? {
            (Value::Int(value), false) => Some(Numeral::Int(value)),
            (Value::Double(value), false) => Some(Numeral::Double(value)),
            _ => None,
        }
    }

    fn evaluated(&self, expr: &Expr) -> Option<(Value, bool)> {
        let mut frame = Vec::new();
        let mut known = true;
        crate::expressions::visit::expression(expr, &mut |e| match &e.kind {
            ExprKind::Var(VarRef::Slot(slot)) => match self.slots.value(*slot) {
                Some(value) => {
                    if frame.len() <= slot.index() {
                        frame.resize(slot.index() + 1, Value::Int(0));
                    }
                    frame[slot.index()] = Value::Int(value);
                }
                None => known = false,
            },
            ExprKind::Var(var) => known = known && self.variable(*var).is_some(),
            ExprKind::Call(function, _) => {
                // The body of a local function may use any parameter.
                let local = self
                    .model
                    .functions
                    .get(function.index())
                    .is_none_or(|f| f.template.is_some());
                if local && let KnownConstants::Uniform(params, locals) = self.known {
                    known = known && params.iter().chain(locals).all(|&uniform| uniform);
                }
            }
            _ => {}
        });
        if !known {
            return None;
        }
        let process = self
            .process
            .and_then(|p| Some((p, self.system.processes.get(p.index())?)));
        let scope = process.map(|(process, p)| eval::Scope {
            process,
            bindings: &p.bindings,
            variables: self
                .model
                .templates
                .get(p.template.index())
                .map_or(&[][..], |t| &t.variables),
        });
        let wraps = Wraps::default();
        let code = eval::Code {
            wraps: Some(&wraps),
            ..self.model.into()
        };
        let value = eval::constant(code, &self.system.initial, scope, &frame, expr).ok()?;
        Some((value, !wraps.places().is_empty()))
    }

    fn bounds(&self, range: &RangeType) -> Option<Range> {
        Some(Range {
            lo: self.bound(&range.lo)?,
            hi: self.bound(&range.hi)?,
        })
    }

    /// The values of an integer or scalar type, as those of a variable. May be empty (`lo > hi`).
    pub(crate) fn range(&self, ty: &Type) -> Option<Range> {
        match ty {
            Type::Bool => Some(Range { lo: 0, hi: 1 }),
            Type::Int => Some(INT),
            Type::Range(range) => self.bounds(range),
            Type::Scalar(set) => {
                let size = self.bound(&self.model.scalar_sets.get(set.index())?.size)?;
                Some(Range {
                    lo: 0,
                    hi: size.checked_sub(1)?,
                })
            }
            _ => None,
        }
    }

    /// Smallest index and number of elements of an array.
    pub(crate) fn extent(&self, index: &IndexType) -> Option<(i32, u32)> {
        let range = match index {
            IndexType::Size(size) => Range {
                lo: 0,
                hi: self.bound(size)?.checked_sub(1)?,
            },
            IndexType::Range(range) => self.bounds(range)?,
            IndexType::Scalar(set) => self.range(&Type::Scalar(*set))?,
        };
        let len = (i64::from(range.hi) - i64::from(range.lo) + 1).max(0);
        u32::try_from(len).ok().map(|len| (range.lo, len))
    }

    /// Whether variable `local` of the process is constant, and known in this scope.
    fn local_is_constant(&self, process: ProcessId, local: usize) -> Option<bool> {
        let template = self.system.processes.get(process.index())?.template;
        Some(
            self.model
                .templates
                .get(template.index())?
                .variables
                .get(local)?
                .is_const,
        )
    }

    /// Value at a place, and whether it may change.
    pub(crate) fn place(&self, place: &Place) -> Option<(&'a Value, bool)> {
        let (mut value, mutable) = match place.root {
            Root::Global(id) => {
                let variable = self.model.globals.get(id.index())?;
                (self.system.initial.globals.get(id.index())?, !variable.is_const)
            }
            Root::Local(process, id) => {
                let value = self.system.initial.locals.get(process.index())?.get(id.index())?;
                (value, !self.local_is_constant(process, id.index())?)
            }
            Root::Slot(..) => return None,
        };
        for &step in &place.path {
            value = part(value, step as usize)?;
        }
        Some((value, mutable))
    }

    /// Binding of a constant or reference parameter of a process.
    pub(crate) fn parameter(&self, process: ProcessId, id: ParamId) -> Option<(&'a Value, bool)> {
        match self
            .system
            .processes
            .get(process.index())?
            .bindings
            .get(id.index())?
        {
            Binding::Value(value) => Some((value, false)),
            Binding::Place(place) => self.place(place),
        }
    }

    /// Value of a variable known before the model runs, and whether it may change.
    pub(crate) fn variable(&self, var: VarRef) -> Option<(&'a Value, bool)> {
        match var {
            VarRef::Global(id) => self.place(&Place {
                root: Root::Global(id),
                path: Vec::new(),
            }),
            VarRef::Local(id) => {
                let process = self.process?;
                if let KnownConstants::Uniform(_, locals) = self.known
                    && !*locals.get(id.index())?
                {
                    return None;
                }
                self.place(&Place {
                    root: Root::Local(process, id),
                    path: Vec::new(),
                })
            }
            VarRef::Param(id) => {
                if let KnownConstants::Uniform(params, _) = self.known
                    && !*params.get(id.index())?
                {
                    return None;
                }
                self.parameter(self.process?, id)
            }
            VarRef::Slot(_) => None,
        }
    }
}

/// Element or field number `step` of a value.
pub(crate) fn part(value: &Value, step: usize) -> Option<&Value> {
    match value {
        Value::Array(parts) | Value::Struct(parts) => parts.get(step),
        _ => None,
    }
}
