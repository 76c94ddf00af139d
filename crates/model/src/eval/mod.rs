//! The plain evaluator: walks typed expressions and statements over values, without compiling or caching.
//!
//! The checker computes constants with it, [`crate::instance`] initial values, and the reference interpreter
//! everything else. It needs no finished model: [`Code`] is what an expression can name, [`Store`] the values of
//! variables, [`World`] everything that is not a variable.

mod access;
pub mod arithmetic;
mod call;
mod domain;
mod explain;
mod expr;
mod fault;
mod initial;
mod world;
mod wraps;

pub use domain::{Domain, advance};
pub use fault::{Fault, FaultKind, Subject};
pub use initial::{Identities, NoIdentities};
pub use world::{ClockTerm, CompileTime, World};
pub use wraps::{WRAPS, Wraps, wrap_warning};

use crate::ids::{ChannelId, ProcessId, SlotId};
use crate::system::{Binding, Memory, Place, System, Value};
use crate::tree::{Expr, Function, Init, Model, Name, ScalarSet, Variable};
use crate::types::Type;
use zonewalk_syntax::span::Span;

/// Steps that one function call or initialiser may take. A step is an expression or statement evaluated, or a
/// cell copied.
pub const STEP_LIMIT: u64 = 10_000_000;

/// Values that the quantifiers of one label or query may go through together: all pairs of ten thousand processes,
/// which take half a minute.
const VALUE_LIMIT: u64 = 1 << 27;

/// Limit where an error is explained that is known already: going on for seconds would tell nothing more.
const EXPLAINED_VALUES: u64 = 1 << 20;

/// Cells (integers, clocks, channels …) that one variable, and all variables together, may have.
pub const CELL_LIMIT: u64 = 1 << 24;

/// Nesting of calls, statements and expressions in each other. An expression nests 1,000 deep at most; calls
/// come on top of that. Together they need about one megabyte of the native stack.
const DEPTH_LIMIT: u32 = 1_500;

/// Declarations that expressions can name, finished or still growing.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// By `GlobalId`.
    pub globals: &'a [Variable],
    /// By `FunctionId`.
    pub functions: &'a [Function],
    /// By `ScalarSetId`.
    pub scalar_sets: &'a [ScalarSet],
    /// Hears of arithmetic that wraps.
    pub wraps: Option<&'a Wraps>,
}

impl<'a> From<&'a Model> for Code<'a> {
    fn from(model: &'a Model) -> Self {
        Code {
            globals: &model.globals,
            functions: &model.functions,
            scalar_sets: &model.scalar_sets,
            wraps: None,
        }
    }
}

/// The process whose expressions are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Its number: where its variables are in `Memory::locals`.
    pub process: ProcessId,
    /// Bindings of the template's parameters. Parameters beyond the end are unknown.
    pub bindings: &'a [Binding],
    /// The variables of its template. Used at compile time to tell constants from the rest.
    pub variables: &'a [Variable],
}

/// The values of variables, and what may be done with them.
#[derive(Debug)]
pub enum Store<'a> {
    /// Only constants may be read.
    Constants(&'a Memory),
    /// Read access to all variables.
    Shared(&'a Memory),
    /// Read and write access to all variables.
    Exclusive(&'a mut Memory),
}

impl Store<'_> {
    fn get(&self) -> &Memory {
        match self {
            Store::Constants(m) | Store::Shared(m) => m,
            Store::Exclusive(m) => m,
        }
    }
}

/// A slot of an activation.
#[derive(Clone, Debug)]
enum Slot {
    Value(Value),
    /// A reference parameter.
    Alias(Place),
}

/// Evaluates expressions in one place: a label of an edge, an initialiser, a query.
pub struct Evaluator<'a> {
    code: Code<'a>,
    store: Store<'a>,
    scope: Option<Scope<'a>>,
    system: Option<&'a System>,
    world: Option<&'a mut dyn World>,
    /// The slots of all activations, the outermost first.
    slots: Vec<Slot>,
    /// Where the slots of activations 1, 2, … begin; activation 0 begins at 0.
    bases: Vec<usize>,
    steps_left: u64,
    values_left: u64,
    depth: u32,
    /// Faults tell what was read.
    explains: bool,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for expressions that belong to no process.
    pub fn new(code: Code<'a>, store: Store<'a>, world: &'a mut dyn World) -> Self {
        Evaluator {
            world: Some(world),
            ..Self::without_world(code, store)
        }
    }

    /// An evaluator for constants and initialisers.
    pub fn at_compile_time(code: Code<'a>, constants: &'a Memory) -> Self {
        Self::without_world(code, Store::Constants(constants))
    }

    fn without_world(code: Code<'a>, store: Store<'a>) -> Self {
        Evaluator {
            code,
            store,
            scope: None,
            system: None,
            world: None,
            slots: Vec::new(),
            bases: Vec::new(),
            steps_left: STEP_LIMIT,
            values_left: VALUE_LIMIT,
            depth: 0,
            explains: false,
        }
    }

    /// Evaluates the expressions of a process.
    #[must_use]
    pub fn in_process(mut self, scope: Scope<'a>) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Lets queries name processes.
    #[must_use]
    pub fn in_system(mut self, system: &'a System) -> Self {
        self.system = Some(system);
        self
    }

    /// Gives the first slots (selects, free parameters) their values.
    #[must_use]
    pub fn with_frame(mut self, frame: &[Value]) -> Self {
        self.slots = frame.iter().cloned().map(Slot::Value).collect();
        self
    }

    /// Sets a slot of the outermost frame. Requires: no call is under way.
    pub fn set_slot(&mut self, slot: SlotId, value: Value) {
        let at = self.base() + slot.index();
        if at >= self.slots.len() {
            self.slots.resize(at + 1, Slot::Value(Value::Int(0)));
        }
        self.slots[at] = Slot::Value(value);
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn value(&mut self, expr: &Expr) -> Result<Value, Fault> {
        self.begin();
        self.eval(expr)
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn holds(&mut self, expr: &Expr) -> Result<bool, Fault> {
        self.begin();
        self.truth(expr)
    }

    /// The value of an integer expression.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn int(&mut self, expr: &Expr) -> Result<i32, Fault> {
        self.begin();
        self.eval_int(expr)
    }

    /// Evaluates for the side effects.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn run(&mut self, expr: &Expr) -> Result<(), Fault> {
        self.begin();
        self.effect(expr)
    }

    /// The channel that an expression names.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn channel(&mut self, expr: &Expr) -> Result<ChannelId, Fault> {
        match self.value(expr)? {
            Value::Channel(c) => Ok(c),
            _ => {
                Err(FaultKind::unsupported("synchronisation on something other than a channel").at(expr.span))
            }
        }
    }

    /// Binds an argument: to the variable that it names, or else to its value.
    ///
    /// # Errors
    /// The run-time error that it runs into.
    pub fn binding(&mut self, expr: &Expr) -> Result<Binding, Fault> {
        self.begin();
        Ok(match self.reference(expr)? {
            Slot::Alias(place) => Binding::Place(place),
            Slot::Value(value) => Binding::Value(value),
        })
    }

    /// The value of an argument, as the parameter's type stores it.
    ///
    /// # Errors
    /// The run-time error that it runs into; a value out of range.
    pub fn argument(&mut self, expr: &Expr, ty: &Type, is_const: bool, name: &Name) -> Result<Value, Fault> {
        let value = self.value(expr)?;
        self.fit(value, ty, is_const, &Subject::Argument(name.clone()), expr.span)
    }

    /// Whether what is evaluated stands in a label or a query, not in a function or an initialiser.
    fn is_in_label(&self) -> bool {
        self.bases.is_empty() && !matches!(self.store, Store::Constants(_))
    }

    fn begin(&mut self) {
        self.steps_left = STEP_LIMIT;
        self.values_left = if self.explains {
            EXPLAINED_VALUES
        } else {
            VALUE_LIMIT
        };
        self.depth = 0;
        // A fault may have left activations behind.
        if let Some(&first) = self.bases.first() {
            self.slots.truncate(first);
            self.bases.clear();
        }
    }

    /// Where the slots of the current activation begin.
    fn base(&self) -> usize {
        self.bases.last().copied().unwrap_or(0)
    }

    /// The value of an operation, and word of it if it has wrapped.
    fn wrapping(&self, (value, wrapped): (i32, bool), span: Span) -> i32 {
        if let Some(wraps) = self.code.wraps.filter(|_| wrapped) {
            wraps.note(span);
        }
        value
    }

    /// Counts steps.
    fn spend(&mut self, steps: u64, span: Span) -> Result<(), Fault> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => Err(FaultKind::DoesNotTerminate.at(span)),
        }
    }

    /// Goes one level down; the caller comes back up by decrementing `depth`.
    fn descend(&mut self, span: Span) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(FaultKind::TooDeep.at(span));
        }
        self.spend(1, span)
    }
}

/// The value of a constant expression.
///
/// # Errors
/// The run-time error that it runs into, [`FaultKind::NotConstant`] when it reads a variable.
pub fn constant(
    code: Code<'_>,
    constants: &Memory,
    scope: Option<Scope<'_>>,
    frame: &[Value],
    expr: &Expr,
) -> Result<Value, Fault> {
    compile_time(code, constants, scope, frame).value(expr)
}

/// The initial value of a variable without clocks and channels: its initialiser, or the default value
/// (`semantics.md` 19a), checked against the type (19b).
///
/// # Errors
/// The run-time error that the initialiser runs into; a variable that is too large.
#[allow(clippy::too_many_arguments)] // Each is a different thing, and a struct for them would be used once.
pub fn initial_value(
    code: Code<'_>,
    constants: &Memory,
    scope: Option<Scope<'_>>,
    frame: &[Value],
    ty: &Type,
    is_const: bool,
    init: Option<&Init>,
    span: Span,
) -> Result<Value, Fault> {
    compile_time(code, constants, scope, frame).initial(ty, is_const, init, span)
}

fn compile_time<'a>(
    code: Code<'a>,
    constants: &'a Memory,
    scope: Option<Scope<'a>>,
    frame: &[Value],
) -> Evaluator<'a> {
    let evaluator = Evaluator::at_compile_time(code, constants).with_frame(frame);
    match scope {
        Some(scope) => evaluator.in_process(scope),
        None => evaluator,
    }
}

#[cfg(test)]
mod tests;
