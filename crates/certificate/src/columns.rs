//! Columns of the nodes of a model: processes with their locations, clocks, and cells of variables.

use std::collections::HashMap;
use zonewalk_model::eval::{CompileTime, Domain, Evaluator, Fault, Scope, Store};
use zonewalk_model::ids::{ClockId, GlobalId, LocalId, LocationId, ProcessId};
use zonewalk_model::system::{Memory, Root, System, Value};
use zonewalk_model::tree::{Location, Model, Template, Variable};
use zonewalk_model::types::{IndexType, Type};
use zonewalk_syntax::span::Span;

/// The name of the clock that counts the time since the initial state: only [`crate::Claim::Time`] mentions it. No name of a
/// model looks like it.
pub const TIME: &str = "#time";

/// Columns of the nodes of a model, with the names that files use.
#[derive(Clone, Debug)]
pub struct Columns {
    /// By `ProcessId`.
    pub processes: Vec<String>,
    /// By `ClockId`.
    pub clocks: Vec<String>,
    /// The integers of all variables that make up a state, in the order of their declarations: globals first, then the variables
    /// of each process. Constants and `meta` variables are not among them (`semantics.md` 18), nor clocks and channels.
    pub cells: Vec<Cell>,
    /// By process: its template's locations.
    locations: Vec<Vec<String>>,
    by_clock: HashMap<String, ClockId>,
    by_location: Vec<HashMap<String, LocationId>>,
}

/// An integer that is a variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Cell {
    /// `i`, `a[2].f`, `P(1).n`.
    pub name: String,
    /// The variable.
    pub root: Root,
    /// The values of its type.
    pub domain: Domain,
}

impl Columns {
    /// Columns of a model. Requires: `system` is made from `model`.
    ///
    /// # Errors
    /// A type whose bounds cannot be evaluated, which a model without errors does not have.
    pub fn of(model: &Model, system: &System) -> Result<Self, Fault> {
        let template = |p: usize| &model.templates[system.processes[p].template.index()];
        let locations: Vec<Vec<String>> = (0..system.processes.len())
            .map(|p| location_names(template(p)))
            .collect();
        let clocks: Vec<String> = system.clocks.iter().map(|c| c.name.to_string()).collect();
        let by_location = locations
            .iter()
            .map(|names| by_name(names, LocationId::from_index));
        Ok(Columns {
            processes: system.processes.iter().map(|p| p.name.to_string()).collect(),
            by_clock: by_name(&clocks, ClockId::from_index),
            by_location: by_location.collect(),
            cells: cells(model, system)?,
            clocks,
            locations,
        })
    }

    /// The name of a location of a process; `None` where there is no such location.
    pub fn location(&self, process: ProcessId, location: LocationId) -> Option<&str> {
        self.locations
            .get(process.index())?
            .get(location.index())
            .map(String::as_str)
    }

    /// The clock that counts the time since the initial state.
    pub fn time(&self) -> ClockId {
        ClockId::from_index(self.clocks.len())
    }

    /// The name of a clock, [`Columns::time`] included; `None` where there is no such clock.
    pub fn clock(&self, clock: ClockId) -> Option<&str> {
        match self.clocks.get(clock.index()) {
            Some(name) => Some(name),
            None => (clock == self.time()).then_some(TIME),
        }
    }

    /// The values of all cells in a memory of the model's shape; `None` where a cell is unspecified.
    pub fn values(&self, memory: &Memory) -> Vec<Option<i32>> {
        let mut values = Vec::with_capacity(self.cells.len());
        for variable in self.cells.chunk_by(|a, b| a.root == b.root) {
            match of_root(memory, variable[0].root) {
                Some(value) => integers(value, &mut |cell| values.push(cell)),
                None => values.extend(variable.iter().map(|_| None)),
            }
        }
        values
    }

    pub(crate) fn clock_named(&self, name: &str) -> Option<ClockId> {
        match self.by_clock.get(name) {
            Some(&clock) => Some(clock),
            None => (name == TIME).then(|| self.time()),
        }
    }

    pub(crate) fn location_named(&self, process: usize, name: &str) -> Option<LocationId> {
        self.by_location.get(process)?.get(name).copied()
    }
}

/// The value of a variable; `None` of a slot.
fn of_root(memory: &Memory, root: Root) -> Option<&Value> {
    match root {
        Root::Global(g) => memory.globals.get(g.index()),
        Root::Local(p, l) => memory.locals.get(p.index())?.get(l.index()),
        Root::Slot(..) => None,
    }
}

/// The integers of a value, from left to right. Recursion is as deep as the type, which the text nests.
fn integers(value: &Value, visit: &mut impl FnMut(Option<i32>)) {
    match value {
        Value::Int(value) => visit(Some(*value)),
        Value::Unknown(..) => visit(None),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|part| integers(part, visit)),
        Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}

fn by_name<T>(names: &[String], id: impl Fn(usize) -> T) -> HashMap<String, T> {
    names
        .iter()
        .enumerate()
        .map(|(i, name)| (name.clone(), id(i)))
        .collect()
}

/// Names are words of a line. A file format may let a location have any name, or two the same one; numbers stand for those.
fn location_names(template: &Template) -> Vec<String> {
    let count = |name: &str| template.locations.iter().filter(|l| &*l.name == name).count();
    let is_word = |name: &str| {
        !name.is_empty() && !name.starts_with('#') && !name.contains(|c: char| c.is_whitespace() || c == '|')
    };
    let name = |(number, location): (usize, &Location)| match &*location.name {
        name if is_word(name) && count(name) == 1 => name.to_owned(),
        _ => format!("#{number}"),
    };
    template.locations.iter().enumerate().map(name).collect()
}

fn cells(model: &Model, system: &System) -> Result<Vec<Cell>, Fault> {
    let mut lister = Lister {
        model,
        system,
        cells: Vec::new(),
    };
    for (i, variable) in model.globals.iter().enumerate() {
        lister.variable(
            variable,
            Root::Global(GlobalId::from_index(i)),
            variable.name.to_string(),
            None,
        )?;
    }
    for (p, process) in system.processes.iter().enumerate() {
        let id = ProcessId::from_index(p);
        let variables = &model.templates[process.template.index()].variables;
        let scope = Scope {
            process: id,
            bindings: &process.bindings,
            variables,
        };
        for (i, variable) in variables.iter().enumerate() {
            let root = Root::Local(id, LocalId::from_index(i));
            lister.variable(
                variable,
                root,
                format!("{}.{}", process.name, variable.name),
                Some(scope),
            )?;
        }
    }
    Ok(lister.cells)
}

struct Lister<'m> {
    model: &'m Model,
    system: &'m System,
    cells: Vec<Cell>,
}

impl Lister<'_> {
    fn variable(
        &mut self,
        variable: &Variable,
        root: Root,
        name: String,
        scope: Option<Scope<'_>>,
    ) -> Result<(), Fault> {
        if variable.is_const || variable.is_meta {
            return Ok(());
        }
        match of_root(&self.system.initial, root) {
            Some(value) => self.value(value, &variable.ty, root, name, scope, variable.span),
            None => Ok(()),
        }
    }

    fn value(
        &mut self,
        value: &Value,
        ty: &Type,
        root: Root,
        name: String,
        scope: Option<Scope<'_>>,
        span: Span,
    ) -> Result<(), Fault> {
        match (value, ty) {
            (Value::Int(_), _) => {
                let domain = self.domain(ty, scope, span)?;
                self.cells.push(Cell { name, root, domain });
            }
            (Value::Array(elements), Type::Array(array)) => {
                let first = match &array.index {
                    IndexType::Range(range) => self.domain(&Type::Range(range.clone()), scope, span)?.lo,
                    IndexType::Size(_) | IndexType::Scalar(_) => 0,
                };
                for (at, element) in (i64::from(first)..).zip(elements) {
                    self.value(
                        element,
                        &array.element,
                        root,
                        format!("{name}[{at}]"),
                        scope,
                        span,
                    )?;
                }
            }
            (Value::Struct(fields), Type::Struct(ty)) => {
                for (field, (label, ty)) in fields.iter().zip(&ty.fields) {
                    self.value(field, ty, root, format!("{name}.{label}"), scope, span)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn domain(&self, ty: &Type, scope: Option<Scope<'_>>, span: Span) -> Result<Domain, Fault> {
        let mut world = CompileTime;
        let store = Store::Shared(&self.system.initial);
        let mut evaluator = Evaluator::new(self.model.into(), store, &mut world);
        if let Some(scope) = scope {
            evaluator = evaluator.in_process(scope);
        }
        evaluator.domain(ty, span)
    }
}
