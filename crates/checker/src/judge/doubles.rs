//! Random runs in doubles, judged and in the words of a trace.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use zonewalk_model::eval::{Code, Evaluator, Scope};
use zonewalk_model::ids::{EdgeId, ProcessId};
use zonewalk_model::system::{System, Value};
use zonewalk_model::tree::{Edge, Model};
use zonewalk_model::types::{IndexType, Type};
use zonewalk_network::{Network, unsupported};
use zonewalk_reference::Part;
use zonewalk_reference::doubles::{DoubleRun, DoubleState, DoubleStep, Objection, judge};
use zonewalk_report::trace::{self, At, Cell, Change, ClockValue, End, Participant, Time, Trace};
use zonewalk_sampling::{Bound, Ended, Monitor, Piece, RunError};
use zonewalk_stochastic::{Options, Record, Runner, StochasticPlan, Unsupported};
use zonewalk_syntax::span::Span;

/// A random run in doubles.
pub struct DoubleTrace {
    /// The steps and states.
    pub trace: Trace,
    /// The error of the model that it ends with.
    pub error: Option<RunError>,
}

/// Why there is no run.
#[derive(Debug)]
pub enum NoRun {
    /// The stochastic semantics does not support the model.
    Unsupported(Unsupported),
    /// The reference interpreter does not confirm it: a bug.
    NotConfirmed(Objection),
}

/// Makes a run of a number of transitions by the stochastic semantics, in doubles, and has it judged.
///
/// # Errors
/// A model without such runs; a run that the reference interpreter does not confirm.
pub fn run_in_doubles(
    model: &Model,
    system: &System,
    seed: u64,
    steps: usize,
) -> Result<DoubleTrace, Box<NoRun>> {
    let options = Options {
        max_instant_steps: steps as u64 + 1,
        ..Options::default()
    };
    let plan = StochasticPlan::new(model, system, &[], &[], options);
    let plan = plan.map_err(|unsupported| Box::new(NoRun::Unsupported(unsupported)))?;
    let bound = Bound::Steps(steps as u64);
    let (record, ended) = Runner::new(&plan).record(seed, 0, &bound, &mut Blind);
    let run = recorded(&record);
    let states = judge(model, system, &run);
    let states = states.map_err(|objection| Box::new(NoRun::NotConfirmed(objection)))?;
    let (end, error) = match ended {
        Ok(Ended::Deadlock) => (End::Deadlock { time_stops: false }, None),
        Ok(_) => (End::Steps, None),
        Err(error) => {
            let message = error.message.clone();
            (
                End::Error {
                    message,
                    attempt: None,
                },
                Some(error),
            )
        }
    };
    let trace = trace_of((model, system), &run, &states, end);
    Ok(DoubleTrace { trace, error })
}

/// Whether a model has runs in doubles.
pub fn has_runs_in_doubles(model: &Model, system: &System) -> bool {
    StochasticPlan::new(model, system, &[], &[], Options::default()).is_ok()
}

/// Whether random runs in doubles look for states of a model: those of models that no search supports.
pub(crate) fn looks_in_doubles(model: &Model, system: &System) -> bool {
    // What another search supports is left to it.
    let is_searched = unsupported(model).is_empty() && Network::compile(model, system).is_ok();
    !is_searched && has_runs_in_doubles(model, system)
}

struct Blind;

impl Monitor for Blind {
    fn piece(&mut self, _: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Turns the record of the engine into a run for the judge.
pub(crate) fn recorded(record: &Record) -> DoubleRun {
    let part = |taken: &zonewalk_stochastic::Taken| Part {
        process: ProcessId::from_index(taken.process),
        edge: EdgeId(taken.edge),
        selects: taken.selected.clone(),
    };
    let steps = record.steps.iter().map(|step| DoubleStep {
        time: step.time,
        parts: step.edges.iter().map(part).collect(),
        draws: step.draws.clone(),
    });
    DoubleRun {
        initial_draws: record.initial_draws.clone(),
        steps: steps.collect(),
        straight: record.straight.clone(),
        discretization: record.discretization,
        end: record.end,
    }
}

/// A run in the words of a trace; `states` are those of the judge.
pub(crate) fn trace_of(
    (model, system): (&Model, &System),
    run: &DoubleRun,
    states: &[DoubleState],
    end: End,
) -> Trace {
    Writer { model, system }.trace(run, states, end)
}

/// Knows the names of things.
struct Writer<'m> {
    model: &'m Model,
    system: &'m System,
}

impl Writer<'_> {
    fn trace(&self, run: &DoubleRun, states: &[DoubleState], end: End) -> Trace {
        let mut steps = Vec::with_capacity(run.steps.len());
        let mut before = 0.0;
        for (step, pair) in run.steps.iter().zip(states.windows(2)) {
            let mut changes = Vec::new();
            self.each_cell(&pair[0], &pair[1], &mut |name, old, new| {
                if old != new {
                    changes.push(Change {
                        name: name.to_owned(),
                        old: number(old),
                        new: number(new),
                    });
                }
            });
            steps.push(trace::Step {
                delay: Time::double(step.time - before),
                time: Time::double(step.time),
                channel: self.channel(&pair[0], &step.parts[0]),
                edges: step.parts.iter().map(|part| self.participant(part)).collect(),
                changes,
            });
            before = step.time;
        }
        Trace {
            initial: self.state(&states[0]),
            steps,
            last_delay: Time::double((run.end - before).max(0.0)),
            end,
        }
    }

    fn state(&self, state: &DoubleState) -> trace::State {
        let at = |(i, process): (usize, &zonewalk_model::system::Process)| At {
            process: process.name.to_string(),
            location: self.model.templates[process.template.index()].locations[state.locations[i].index()]
                .name
                .to_string(),
        };
        let (mut variables, mut doubles) = (Vec::new(), Vec::new());
        self.each_cell(state, state, &mut |name, value, _| {
            let name = name.to_owned();
            match value {
                Value::Int(value) => variables.push(Cell { name, value: *value }),
                value => doubles.push(ClockValue {
                    name,
                    value: number(value),
                }),
            }
        });
        let clocks = self.system.clocks.iter().zip(&state.clocks);
        trace::State {
            locations: self.system.processes.iter().enumerate().map(at).collect(),
            variables,
            doubles,
            clocks: clocks
                .map(|(clock, value)| ClockValue {
                    name: clock.name.to_string(),
                    value: Time::double(*value),
                })
                .collect(),
        }
    }

    fn edge(&self, part: &Part) -> &Edge {
        let template = self.system.processes[part.process.index()].template;
        &self.model.templates[template.index()].edges[part.edge.index()]
    }

    fn participant(&self, part: &Part) -> Participant {
        let process = &self.system.processes[part.process.index()];
        let locations = &self.model.templates[process.template.index()].locations;
        let edge = self.edge(part);
        let selects = edge.selects.iter().zip(&part.selects);
        Participant {
            process: process.name.to_string(),
            source: locations[edge.source.index()].name.to_string(),
            target: locations[edge.target.index()].name.to_string(),
            edge: Some(part.edge.index()),
            selects: selects
                .map(|(select, &value)| Cell {
                    name: select.name.to_string(),
                    value,
                })
                .collect(),
        }
    }

    /// The channel of the edge that begins a transition.
    fn channel(&self, before: &DoubleState, part: &Part) -> Option<String> {
        let edge = self.edge(part);
        let sync = edge.sync.as_ref()?;
        let size = edge.selects.iter().map(|s| s.slot.index() + 1).max().unwrap_or(0);
        let mut frame = vec![Value::Int(0); size];
        for (select, value) in edge.selects.iter().zip(&part.selects) {
            frame[select.slot.index()] = Value::Int(*value);
        }
        let mut world = zonewalk_model::eval::CompileTime;
        let store = zonewalk_model::eval::Store::Shared(&before.memory);
        let evaluator = Evaluator::new(Code::from(self.model), store, &mut world);
        let scope = self.scope(part.process.index());
        let channel = evaluator
            .in_process(scope)
            .with_frame(&frame)
            .channel(&sync.channel)
            .ok()?;
        Some(self.system.channels.get(channel.index())?.name.to_string())
    }

    fn scope(&self, process: usize) -> Scope<'_> {
        let instance = &self.system.processes[process];
        Scope {
            process: ProcessId::from_index(process),
            bindings: &instance.bindings,
            variables: &self.model.templates[instance.template.index()].variables,
        }
    }

    /// Visits the cells of all variables, with their values in two states, and then the clocks that were set.
    fn each_cell(&self, old: &DoubleState, new: &DoubleState, visit: &mut dyn FnMut(&str, &Value, &Value)) {
        let globals = old.memory.globals.iter().zip(&new.memory.globals);
        for (variable, (old, new)) in self.model.globals.iter().zip(globals) {
            if !variable.is_const {
                let mut name = variable.name.to_string();
                self.cells(None, &mut name, &variable.ty, (old, new), visit);
            }
        }
        for (number, process) in self.system.processes.iter().enumerate() {
            let values = old.memory.locals[number].iter().zip(&new.memory.locals[number]);
            let variables = &self.model.templates[process.template.index()].variables;
            for (variable, (old, new)) in variables.iter().zip(values) {
                if !variable.is_const {
                    let mut name = format!("{}.{}", process.name, variable.name);
                    self.cells(Some(number), &mut name, &variable.ty, (old, new), visit);
                }
            }
        }
    }

    /// Recursion is as deep as the type, which the text nests.
    fn cells(
        &self,
        process: Option<usize>,
        name: &mut String,
        ty: &Type,
        values: (&Value, &Value),
        visit: &mut dyn FnMut(&str, &Value, &Value),
    ) {
        let length = name.len();
        match (ty, values) {
            (_, (old @ (Value::Int(_) | Value::Double(_)), new)) => visit(name, old, new),
            (Type::Array(array), (Value::Array(old), Value::Array(new))) => {
                let first = self.first_index(process, &array.index);
                for (i, pair) in old.iter().zip(new).enumerate() {
                    // Writing to a string cannot fail.
                    let _ = write!(name, "[{}]", i64::from(first) + i as i64);
                    self.cells(process, name, &array.element, pair, visit);
                    name.truncate(length);
                }
            }
            (Type::Struct(fields), (Value::Struct(old), Value::Struct(new))) => {
                for ((field, ty), pair) in fields.fields.iter().zip(old.iter().zip(new)) {
                    let _ = write!(name, ".{field}");
                    self.cells(process, name, ty, pair, visit);
                    name.truncate(length);
                }
            }
            _ => {}
        }
    }

    /// Arrays over a range need not begin at 0, and the range may depend on the process's parameters.
    fn first_index(&self, process: Option<usize>, index: &IndexType) -> i32 {
        let IndexType::Range(range) = index else { return 0 };
        let mut evaluator = Evaluator::at_compile_time(Code::from(self.model), &self.system.initial);
        if let Some(process) = process {
            evaluator = evaluator.in_process(self.scope(process));
        }
        let domain = evaluator.domain(&Type::Range(range.clone()), Span::NONE);
        domain.map_or(0, |domain| domain.lo)
    }
}

fn number(value: &Value) -> Time {
    match value {
        Value::Int(i) => Time::from(*i),
        Value::Double(d) => Time::double(*d),
        _ => Time::ZERO,
    }
}
