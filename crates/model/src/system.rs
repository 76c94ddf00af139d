//! The instantiated system: which processes, clocks and channels there are, and the initial values.

use crate::ids::{ChannelId, ClockId, GlobalId, LocalId, ProcessId, ProcessSetId, SlotId, TemplateId};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use zonewalk_syntax::ast::Name;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer, a boolean (0 or 1) or a scalar (0 to n-1).
    Int(i32),
    /// A floating-point number.
    Double(f64),
    /// A string.
    Str(Name),
    /// A clock's identity. Its value lives elsewhere.
    Clock(ClockId),
    /// A channel's identity.
    Channel(ChannelId),
    /// The elements of an array.
    Array(Parts),
    /// The fields of a struct.
    Struct(Parts),
    /// An integer that is not specified: any one from the first to the second. It can be copied to where all of these fit; an
    /// evaluation that needs to know which one it is fails. Only proofs have such values.
    Unknown(i32, i32),
}

impl Value {
    /// Whether no part of it is unknown.
    pub fn is_specified(&self) -> bool {
        match self {
            Value::Unknown(..) => false,
            Value::Array(parts) | Value::Struct(parts) => parts.iter().all(Value::is_specified),
            Value::Int(_) | Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => true,
        }
    }
}

/// Values that belong together. Copies share them until one of the copies is changed: most of a state is the same in the
/// next one, and constants are the same in all of them.
#[derive(Clone, Debug, Default)]
pub struct Parts(Arc<Vec<Value>>);

impl Parts {
    /// Adds one more.
    pub fn push(&mut self, value: Value) {
        Arc::make_mut(&mut self.0).push(value);
    }
}

impl Deref for Parts {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl DerefMut for Parts {
    fn deref_mut(&mut self) -> &mut [Value] {
        let values: &mut Vec<Value> = Arc::make_mut(&mut self.0);
        values
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Parts) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl From<Vec<Value>> for Parts {
    fn from(values: Vec<Value>) -> Self {
        Parts(Arc::new(values))
    }
}

impl FromIterator<Value> for Parts {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Vec::from_iter(values).into()
    }
}

impl IntoIterator for Parts {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Parts {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// Positions (from 0) of elements and fields, outermost first.
    pub path: Vec<u32>,
}

/// The variable that a place begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A global.
    Global(GlobalId),
    /// A variable of a process.
    Local(ProcessId, LocalId),
    /// A slot of the activation with this number (counted from the outermost).
    Slot(u32, SlotId),
}

/// The values of all variables. Clocks and channels are there by identity.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Memory {
    /// By `GlobalId`.
    pub globals: Vec<Value>,
    /// By `ProcessId`, then `LocalId`.
    pub locals: Vec<Parts>,
}

/// Value or place bound to a template parameter in one process.
#[derive(Clone, Debug, PartialEq)]
pub enum Binding {
    /// The value of a constant parameter, or the initial value of a by-value one.
    Value(Value),
    /// The variable behind a reference parameter.
    Place(Place),
}

/// The instantiated system.
#[derive(Clone, Debug)]
pub struct System {
    /// All processes, in the order of the system line (`semantics.md` 21a).
    pub processes: Vec<Process>,
    /// All clocks.
    pub clocks: Vec<Clock>,
    /// All channels.
    pub channels: Vec<Channel>,
    /// Initial values.
    pub initial: Memory,
    /// Priority level of internal edges, among channel priorities.
    pub default_priority: u32,
    /// For each process set, its first process and the number of values of each free parameter.
    pub sets: Vec<SetRange>,
    /// Warnings about initial values.
    pub warnings: Vec<Diagnostic>,
    /// Expressions of initial values and arguments that wrap.
    pub wraps: Vec<Span>,
}

/// Where the processes of a set are.
#[derive(Clone, Debug)]
pub struct SetRange {
    /// The first one.
    pub first: ProcessId,
    /// For each free parameter its smallest value and the number of values; the last varies fastest.
    pub dims: Vec<(i32, u32)>,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// `P`, `P(3)`, `P(1,0)`.
    pub name: Name,
    /// Its template.
    pub template: TemplateId,
    /// The name of the system line that it comes from.
    pub set: ProcessSetId,
    /// Bindings of the template's parameters.
    pub bindings: Vec<Binding>,
    /// Priority level of the system line.
    pub priority: u32,
}

/// A clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// `x`, `x[2]`, `P(3).x`.
    pub name: Name,
    /// Its initial value.
    pub initial: i32,
    /// Ignored by symbolic analysis.
    pub hybrid: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// `c`, `c[2]`, `P(3).c`.
    pub name: Name,
    /// No delay while it is enabled.
    pub urgent: bool,
    /// One sender, every ready receiver.
    pub broadcast: bool,
    /// Priority level, larger is higher.
    pub priority: u32,
    /// The processes that take part in every synchronisation on it, in their order; empty for a channel that is used with
    /// `!` and `?` (`semantics.md` 16a).
    pub participants: Vec<ProcessId>,
}

impl SetRange {
    /// The process with these values of the free parameters; `None` when one is out of its range.
    pub fn process(&self, args: &[i32]) -> Option<ProcessId> {
        let mut offset = 0u32;
        for (&(lo, count), &arg) in self.dims.iter().zip(args) {
            let position = u32::try_from(i64::from(arg) - i64::from(lo))
                .ok()
                .filter(|&p| p < count)?;
            offset = offset * count + position;
        }
        Some(ProcessId(self.first.0 + offset))
    }

    /// Number of processes.
    pub fn len(&self) -> u32 {
        self.dims.iter().map(|d| d.1).product()
    }

    /// Whether there is none (an empty range).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
