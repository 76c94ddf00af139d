//! States and steps of the reference interpreter in the words of a trace.

use std::fmt::Write as _;
use zonewalk_model::eval::{Code, Evaluator, Scope};
use zonewalk_model::ids::{ChannelId, ProcessId};
use zonewalk_model::system::Value;
use zonewalk_model::tree::Variable;
use zonewalk_model::types::{IndexType, Type};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::window::{Window, Windows};
use zonewalk_reference::{Interpreter, Part, State, Step};
use zonewalk_report::trace::{self, At, Cell, Change, ClockValue, Participant, Time};

/// Knows the names of things.
#[derive(Clone, Copy)]
pub struct Recorder<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
}

impl<'i, 'm> Recorder<'i, 'm> {
    /// For the states of an interpreter.
    pub fn new(interpreter: &'i Interpreter<'m>) -> Self {
        Recorder { interpreter }
    }

    /// A state in full.
    pub fn state(&self, state: &State) -> trace::State {
        let system = self.interpreter.system();
        let at = |(i, process): (usize, &zonewalk_model::system::Process)| At {
            process: process.name.to_string(),
            location: self
                .interpreter
                .location_name(state, ProcessId::from_index(i))
                .to_owned(),
        };
        let mut variables = Vec::new();
        self.each_variable(state, None, &mut |name, value, _| {
            variables.push(Cell {
                name: name.to_owned(),
                value,
            });
        });
        trace::State {
            doubles: Vec::new(),
            locations: system.processes.iter().enumerate().map(at).collect(),
            variables,
            clocks: system
                .clocks
                .iter()
                .zip(&state.clocks)
                .map(|(clock, &value)| ClockValue {
                    name: clock.name.to_string(),
                    value: time(value),
                })
                .collect(),
        }
    }

    /// A step: `delayed` is the state between its delay and its transition.
    pub fn step(
        &self,
        delayed: &State,
        step: &Step,
        channel: Option<ChannelId>,
        after: &State,
    ) -> trace::Step {
        let mut changes = Vec::new();
        self.each_variable(delayed, Some(after), &mut |name, old, new| {
            if old != new {
                changes.push(Change {
                    name: name.to_owned(),
                    old: old.into(),
                    new: new.into(),
                });
            }
        });
        let system = self.interpreter.system();
        for (clock, (&old, &new)) in system.clocks.iter().zip(delayed.clocks.iter().zip(&after.clocks)) {
            if old != new {
                changes.push(Change {
                    name: clock.name.to_string(),
                    old: time(old),
                    new: time(new),
                });
            }
        }
        trace::Step {
            delay: time(step.delay),
            time: time(after.time),
            channel: self.channel(channel),
            edges: step.parts.iter().map(|part| self.participant(part)).collect(),
            changes,
        }
    }

    /// Step from the state before the delay.
    pub fn step_from(
        &self,
        before: &State,
        step: &Step,
        channel: Option<ChannelId>,
        after: &State,
    ) -> trace::Step {
        // The delay was possible a moment ago; were it not, the clocks would merely show their earlier values.
        let delayed = self.interpreter.delay(before, step.delay);
        self.step(delayed.as_ref().unwrap_or(before), step, channel, after)
    }

    /// The name of a channel.
    pub fn channel(&self, channel: Option<ChannelId>) -> Option<String> {
        let channel = self.interpreter.system().channels.get(channel?.index())?;
        Some(channel.name.to_string())
    }

    /// A process that takes part, with its locations before and after.
    pub fn participant(&self, part: &Part) -> Participant {
        let edge = self.interpreter.edge(part.process, part.edge);
        let location = |id| self.interpreter.location(part.process, id).name.to_string();
        let selects = edge.selects.iter().zip(&part.selects);
        Participant {
            process: self.interpreter.name(part.process).to_string(),
            source: location(edge.source),
            target: location(edge.target),
            edge: Some(part.edge.index()),
            selects: selects
                .map(|(select, &value)| Cell {
                    name: select.name.to_string(),
                    value,
                })
                .collect(),
        }
    }

    /// Whether time cannot pass without end.
    pub fn time_stops(&self, state: &State) -> bool {
        let is_endless = |windows: Windows| windows.iter().any(|window: &Window| window.upper().is_none());
        !self.interpreter.delays(state).is_ok_and(is_endless)
    }

    /// Visits the integer cells of the variables with their names and their values.
    pub(crate) fn each_cell(&self, state: &State, visit: &mut dyn FnMut(&str, i32)) {
        self.each_variable(state, None, &mut |name, value, _| visit(name, value));
    }

    /// Visits the integer cells of the variables with their names and their values in two states; with a second state
    /// only those of variables that differ, because looking at two thousand names costs more than making the step.
    fn each_variable(&self, old: &State, new: Option<&State>, visit: &mut dyn FnMut(&str, i32, i32)) {
        let (model, system) = (self.interpreter.model(), self.interpreter.system());
        let is_same = |old: &Value, now: &Value| new.is_some() && old == now;
        let new = new.unwrap_or(old);
        let globals = model
            .globals
            .iter()
            .zip(old.memory.globals.iter().zip(&new.memory.globals));
        for (variable, (old, new)) in globals.filter(|(_, (old, new))| !is_same(old, new)) {
            self.variable(None, variable, old, new, visit);
        }
        for (i, process) in system.processes.iter().enumerate() {
            let (Some(old), Some(new)) = (old.memory.locals.get(i), new.memory.locals.get(i)) else {
                continue;
            };
            let variables = &model.templates[process.template.index()].variables;
            let values = variables.iter().zip(old.iter().zip(new));
            for (variable, (old, new)) in values.filter(|(_, (old, new))| !is_same(old, new)) {
                self.variable(Some(ProcessId::from_index(i)), variable, old, new, visit);
            }
        }
    }

    fn variable(
        &self,
        process: Option<ProcessId>,
        variable: &Variable,
        old: &Value,
        new: &Value,
        visit: &mut dyn FnMut(&str, i32, i32),
    ) {
        if variable.is_const {
            return;
        }
        let mut name = match process {
            Some(process) => format!("{}.{}", self.interpreter.name(process), variable.name),
            None => variable.name.to_string(),
        };
        self.cells(process, &mut name, &variable.ty, old, new, visit);
    }

    /// Recursion is as deep as the type, which the text nests.
    fn cells(
        &self,
        process: Option<ProcessId>,
        name: &mut String,
        ty: &Type,
        old: &Value,
        new: &Value,
        visit: &mut dyn FnMut(&str, i32, i32),
    ) {
        let length = name.len();
        match (ty, old, new) {
            (_, &Value::Int(old), &Value::Int(new)) => visit(name, old, new),
            (Type::Array(array), Value::Array(old), Value::Array(new)) => {
                let first = self.first_index(process, &array.index);
                for (i, (old, new)) in old.iter().zip(new).enumerate() {
                    // Writing to a string cannot fail.
                    let _ = write!(name, "[{}]", i64::from(first) + i as i64);
                    self.cells(process, name, &array.element, old, new, visit);
                    name.truncate(length);
                }
            }
            (Type::Struct(fields), Value::Struct(old), Value::Struct(new)) => {
                for ((field, ty), (old, new)) in fields.fields.iter().zip(old.iter().zip(new)) {
                    let _ = write!(name, ".{field}");
                    self.cells(process, name, ty, old, new, visit);
                    name.truncate(length);
                }
            }
            _ => {}
        }
    }

    /// Arrays over a range need not begin at 0, and the range may depend on the process's parameters.
    fn first_index(&self, process: Option<ProcessId>, index: &IndexType) -> i32 {
        let IndexType::Range(range) = index else { return 0 };
        let (model, system) = (self.interpreter.model(), self.interpreter.system());
        let mut evaluator = Evaluator::at_compile_time(Code::from(model), &system.initial);
        let process = process.and_then(|id| Some((id, system.processes.get(id.index())?)));
        if let Some((id, process)) = process {
            let variables = &model.templates[process.template.index()].variables;
            evaluator = evaluator.in_process(Scope {
                process: id,
                bindings: &process.bindings,
                variables,
            });
        }
        let domain = evaluator.domain(&Type::Range(range.clone()), zonewalk_syntax::span::Span::NONE);
        domain.map_or(0, |domain| domain.lo)
    }
}

/// Converts a number to the form of reports.
pub fn time(value: Rational) -> Time {
    value.into()
}
