//! Instantiates a model: its processes, clocks and channels, with their initial values.

use crate::alphabet;
use crate::check::miscounted;
use crate::eval::{
    CELL_LIMIT, Code, CompileTime, Domain, Evaluator, Fault, FaultKind, Identities, NoIdentities, Scope,
    Store, Wraps, advance,
};
use crate::ids::{ChannelId, ClockId, ProcessId, ProcessSetId};
use crate::system::{Binding, Channel, Clock, Memory, Parts, Process, SetRange, System, Value};
use crate::tree::{Init, Model, ParamMode, ProcessSet, Variable};
use crate::types::{ChanType, Type};
use std::fmt::Write;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Processes of a system, at most.
pub const PROCESS_LIMIT: u64 = 1_000_000;

/// Errors that are collected before the rest is left unsaid.
const ERROR_LIMIT: usize = 50;

/// Makes the system of a model: processes in the order of the system line, the last parameter varying fastest
/// (`semantics.md` 21a); clocks and channels numbered from the globals to the processes in that order.
///
/// # Errors
/// Initialisers and arguments that cannot be evaluated or do not fit, and systems beyond the limits.
pub fn instantiate(model: &Model) -> Result<System, Vec<Diagnostic>> {
    let wraps = Wraps::default();
    let mut builder = Builder {
        model,
        code: Code {
            wraps: Some(&wraps),
            ..model.into()
        },
        memory: Memory::default(),
        identities: Numbering::default(),
        processes: Vec::new(),
        sets: Vec::new(),
        cells: 0,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    builder.globals();
    for (i, set) in model.process_sets.iter().enumerate() {
        // One error in a template shows in each of its processes; the first one is enough.
        if let Err(error) = builder.set(ProcessSetId::from_index(i), set) {
            builder.errors.push(*error);
            builder.memory.locals.truncate(builder.processes.len());
        }
        if builder.errors.len() >= ERROR_LIMIT {
            break;
        }
    }
    builder.idle_templates();
    let default_priority = builder.channel_priorities();
    if !builder.errors.is_empty() {
        return Err(builder.errors);
    }
    let channels = &mut builder.identities.channels;
    alphabet::assign(model, &builder.memory, &builder.processes, channels).map_err(|error| vec![*error])?;
    Ok(System {
        processes: builder.processes,
        clocks: builder.identities.clocks,
        channels: builder.identities.channels,
        initial: builder.memory,
        default_priority,
        sets: builder.sets,
        warnings: builder.warnings,
        wraps: wraps.places(),
    })
}

struct Builder<'m> {
    model: &'m Model,
    code: Code<'m>,
    memory: Memory,
    identities: Numbering,
    processes: Vec<Process>,
    sets: Vec<SetRange>,
    /// Cells of all the variables so far.
    cells: u64,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// Numbers clocks and channels in the order in which they turn up.
#[derive(Default)]
struct Numbering {
    clocks: Vec<Clock>,
    channels: Vec<Channel>,
}

impl Identities for Numbering {
    fn clock(&mut self, name: &str, initial: i32, hybrid: bool) -> ClockId {
        self.clocks.push(Clock {
            name: name.into(),
            initial,
            hybrid,
        });
        ClockId::from_index(self.clocks.len() - 1)
    }

    fn channel(&mut self, name: &str, kind: ChanType) -> ChannelId {
        let ChanType { urgent, broadcast } = kind;
        self.channels.push(Channel {
            name: name.into(),
            urgent,
            broadcast,
            priority: 0,
            participants: Vec::new(),
        });
        ChannelId::from_index(self.channels.len() - 1)
    }
}

impl Builder<'_> {
    fn globals(&mut self) {
        for variable in &self.model.globals {
            if self.errors.len() >= ERROR_LIMIT {
                return;
            }
            let value = self.initial(variable, None, variable.name.to_string());
            self.memory.globals.push(value.unwrap_or_else(|error| {
                self.errors.push(*error);
                Value::Int(0)
            }));
        }
    }

    /// The initial value of a variable; `name` is what its clocks and channels are called.
    fn initial(
        &mut self,
        variable: &Variable,
        scope: Option<Scope<'_>>,
        mut name: String,
    ) -> Result<Value, Box<Diagnostic>> {
        let mut evaluator = Evaluator::at_compile_time(self.code, &self.memory);
        if let Some(scope) = scope {
            evaluator = evaluator.in_process(scope);
        }
        let Variable {
            ty, is_const, span, ..
        } = variable;
        let cells = evaluator
            .element_count(ty, *span)
            .map_err(|fault| fault.to_diagnostic())?;
        self.cells += cells;
        if self.cells > CELL_LIMIT {
            return Err(too_many_cells(*span));
        }
        let init = variable.init.as_ref();
        // What is known without a process has been counted before.
        let varies = ty.any(&mut |t| matches!(t, Type::Array(a) if !a.index.is_known()));
        if let Some(init) = init.filter(|_| varies) {
            let warnings = &mut self.warnings;
            let mut warn = |items: &[Init], length: u64| {
                let place = items.iter().map(init_span).fold(Span::NONE, Span::to);
                let place = if place == Span::NONE { *span } else { place };
                let warning = miscounted(place, length, items.len() as u64);
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            };
            evaluator
                .miscounted(ty, init, *span, &mut warn)
                .map_err(|fault| fault.to_diagnostic())?;
        }
        let mut value = evaluator.initial_with(ty, *is_const, init, *span, &mut name, &mut self.identities);
        if let Err(Fault {
            kind: FaultKind::Unsupported(_),
            ..
        }) = &value
        {
            // A random or external initial value: such a model can be examined, and no engine runs it.
            value = evaluator.initial_with(ty, *is_const, None, *span, &mut name, &mut self.identities);
        }
        value.map_err(|fault| {
            let init = init.map_or(Span::NONE, init_span);
            let context = format!("in the initial value of `{name}`");
            Box::new(fault.to_diagnostic().related(init, context))
        })
    }

    /// Warns of initial values that would be errors if their templates had processes (`semantics.md` 19b).
    fn idle_templates(&mut self) {
        let model = self.model;
        for (number, template) in model.templates.iter().enumerate() {
            if model
                .process_sets
                .iter()
                .any(|set| set.template.index() == number)
            {
                continue;
            }
            self.memory.locals.push(Parts::default());
            let process = ProcessId::from_index(self.memory.locals.len() - 1);
            for variable in &template.variables {
                let scope = Scope {
                    process,
                    bindings: &[],
                    variables: &template.variables,
                };
                let mut evaluator = Evaluator::at_compile_time(self.code, &self.memory).in_process(scope);
                let Variable {
                    ty, is_const, span, ..
                } = variable;
                let init = variable.init.as_ref();
                let mut name = String::new();
                let value = evaluator.initial_with(ty, *is_const, init, *span, &mut name, &mut NoIdentities);
                let is_known = value.is_ok();
                if let Err(fault) = &value
                    && !matches!(fault.kind, FaultKind::NotConstant(_) | FaultKind::Unsupported(_))
                {
                    let warning = Diagnostic::warning(fault.kind.code(), fault.span, fault.to_string());
                    let help = format!("no process of the system uses the template `{}`", template.name);
                    self.warnings.push(warning.help(help));
                }
                // Others may be computed from a constant whose value is unknown.
                if *is_const && !is_known {
                    break;
                }
                self.memory.locals[process.index()].push(value.unwrap_or(Value::Int(0)));
            }
            self.memory.locals.pop();
        }
    }

    fn set(&mut self, id: ProcessSetId, set: &ProcessSet) -> Result<(), Box<Diagnostic>> {
        let first = self.processes.len();
        let domains = self.domains(set).map_err(|fault| fault.to_diagnostic())?;
        let count = domains.iter().fold(1, |n: u64, d| n.saturating_mul(d.count()));
        if count.saturating_add(first as u64) > PROCESS_LIMIT {
            let message = format!(
                "`{}` stands for {count} processes; the limit is {PROCESS_LIMIT}",
                set.name
            );
            return Err(Box::new(Diagnostic::error(
                "too-many-processes",
                set.span,
                message,
            )));
        }
        // The check above bounds every count but those beside an empty one, which do not matter.
        let size = |d: &Domain| if count == 0 { 0 } else { d.count() as u32 };
        let dims = domains.iter().map(|d| (d.lo, size(d)));
        self.sets.push(SetRange {
            first: ProcessId::from_index(first),
            dims: dims.collect(),
        });
        if count == 0 {
            return Ok(());
        }
        let mut values: Vec<i32> = domains.iter().map(|d| d.lo).collect();
        let before = self.cells;
        self.process(id, set, &values)?;
        // A free parameter sizes no array (`semantics.md` 21b), so the processes of a set are equally large.
        let each = self.cells - before;
        if before + each.saturating_mul(count) > CELL_LIMIT {
            return Err(too_many_cells(set.span));
        }
        while advance(&mut values, &domains) {
            self.process(id, set, &values)?;
        }
        Ok(())
    }

    fn domains(&self, set: &ProcessSet) -> Result<Vec<Domain>, Fault> {
        let mut evaluator = Evaluator::at_compile_time(self.code, &self.memory);
        set.free
            .iter()
            .map(|binder| evaluator.domain(&binder.ty, set.span))
            .collect()
    }

    fn process(&mut self, id: ProcessSetId, set: &ProcessSet, values: &[i32]) -> Result<(), Box<Diagnostic>> {
        let process = ProcessId::from_index(self.processes.len());
        let name = process_name(set, values);
        let model = self.model;
        let template = &model.templates[set.template.index()];
        let bindings = self.bindings(set, values, process).map_err(|fault| {
            fault
                .to_diagnostic()
                .related(set.span, format!("in the arguments of {name}"))
        })?;

        self.memory.locals.push(Parts::default());
        for variable in &template.variables {
            let argument = variable.from_param.and_then(|p| bindings.get(p.index()));
            let value = if let Some(Binding::Value(value)) = argument {
                self.cells += 1;
                value.clone()
            } else {
                let scope = Scope {
                    process,
                    bindings: &bindings,
                    variables: &template.variables,
                };
                self.initial(variable, Some(scope), format!("{name}.{}", variable.name))?
            };
            self.memory.locals[process.index()].push(value);
        }
        self.processes.push(Process {
            name: name.into(),
            template: set.template,
            set: id,
            bindings,
            priority: set.priority,
        });
        Ok(())
    }

    /// Arguments by value are checked against the parameter's type, whose bounds may name earlier parameters.
    fn bindings(&self, set: &ProcessSet, values: &[i32], process: ProcessId) -> Result<Vec<Binding>, Fault> {
        let frame: Vec<Value> = values.iter().copied().map(Value::Int).collect();
        let params = &self.model.templates[set.template.index()].params;
        let mut bindings = Vec::with_capacity(params.len());
        for (param, arg) in params.iter().zip(&set.args) {
            let scope = Scope {
                process,
                bindings: &bindings,
                variables: &[],
            };
            let mut evaluator = Evaluator::at_compile_time(self.code, &self.memory);
            evaluator = evaluator.with_frame(&frame).in_process(scope);
            bindings.push(match param.mode {
                ParamMode::Reference => evaluator.binding(arg)?,
                ParamMode::Const | ParamMode::Value => {
                    let is_const = param.mode == ParamMode::Const;
                    Binding::Value(evaluator.argument(arg, &param.ty, is_const, &param.name)?)
                }
            });
        }
        Ok(bindings)
    }

    /// Gives channels their levels, whole arrays at once (`semantics.md` 15); says which level the rest has.
    fn channel_priorities(&mut self) -> u32 {
        let Some(priorities) = &self.model.channel_priorities else {
            return 0;
        };
        for channel in &mut self.identities.channels {
            channel.priority = priorities.default_level;
        }
        for (level, channels) in priorities.levels.iter().enumerate() {
            for expr in channels {
                let mut world = CompileTime;
                let value = Evaluator::new(self.code, Store::Shared(&self.memory), &mut world).value(expr);
                match value {
                    Ok(value) => set_priority(&mut self.identities.channels, &value, level as u32),
                    Err(fault) => self.errors.push(fault.to_diagnostic()),
                }
            }
        }
        priorities.default_level
    }
}

fn too_many_cells(span: Span) -> Box<Diagnostic> {
    let message = format!("the system's variables have more than {CELL_LIMIT} cells");
    Box::new(Diagnostic::error("too-large", span, message))
}

fn set_priority(channels: &mut [Channel], value: &Value, level: u32) {
    match value {
        Value::Channel(c) => {
            if let Some(channel) = channels.get_mut(c.index()) {
                channel.priority = level;
            }
        }
        Value::Array(parts) | Value::Struct(parts) => {
            parts.iter().for_each(|part| set_priority(channels, part, level));
        }
        _ => {}
    }
}

/// `P`, `P(3)`, `P(1,0)`.
fn process_name(set: &ProcessSet, values: &[i32]) -> String {
    let mut name = set.name.to_string();
    for (i, value) in values.iter().enumerate() {
        name.push(if i == 0 { '(' } else { ',' });
        // Writing into a string does not fail.
        let _ = write!(name, "{value}");
    }
    if !values.is_empty() {
        name.push(')');
    }
    name
}

fn init_span(init: &Init) -> Span {
    match init {
        Init::Expr(e) => e.span,
        Init::List(items) => items.iter().map(init_span).fold(Span::NONE, Span::to),
    }
}
