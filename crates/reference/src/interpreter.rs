//! The interpreter and its states.

use crate::error::{Activity, Error, Unsupported};
use crate::invariant::{conjuncts, only_sets_rates, sets_rate};
use crate::moment::{Instant, Line, Moment};
use crate::region::Clocks;
use crate::support::supported;
use zonewalk_model::eval::{Code, Evaluator, Fault, Scope, Store, World, Wraps};
use zonewalk_model::ids::{EdgeId, LocationId, ProcessId};
use zonewalk_model::system::{Memory, Process, System, Value};
use zonewalk_model::tree::{Edge, Expr, Location, Model, Name, Template};
use zonewalk_numbers::rational::Rational;
use zonewalk_syntax::span::Span;

/// Runs a model as `semantics.md` says.
pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) system: &'m System,
    /// By template and location.
    places: Vec<Vec<LocationSummary<'m>>>,
    pub(crate) has_urgent_channels: bool,
    pub(crate) has_priorities: bool,
    wraps: Wraps,
    /// Run-time errors tell what was read.
    pub(crate) explains: bool,
}

/// Properties of a location.
pub(crate) struct LocationSummary<'m> {
    outgoing: Vec<EdgeId>,
    /// The parts of the invariant that can be false.
    conditions: Vec<&'m Expr>,
    /// Whether the invariant sets rates.
    pub sets_rates: bool,
}

/// A state: where every process is, what every variable and clock holds.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// By `ProcessId`.
    pub locations: Vec<LocationId>,
    /// The variables.
    pub memory: Memory,
    /// By `ClockId`.
    pub clocks: Vec<Rational>,
    /// The time since the initial state. Nothing in a model depends on it.
    pub time: Rational,
}

/// The data, clocks and locations that a condition is evaluated with.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, C = &'a [Line]> {
    pub memory: &'a Memory,
    /// Clocks of a run, as functions of the delay.
    pub clocks: C,
    pub locations: &'a [LocationId],
}

/// A state with its clocks set going.
pub(crate) struct Flow<'s> {
    pub state: &'s State,
    pub clocks: Vec<Line>,
}

impl<'s> Flow<'s> {
    /// For a moment without any delay.
    pub(crate) fn standing(state: &'s State) -> Self {
        Flow {
            state,
            clocks: state.clocks.iter().map(|&value| Line::constant(value)).collect(),
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        View {
            memory: &self.state.memory,
            clocks: &self.clocks,
            locations: &self.state.locations,
        }
    }
}

impl<'m> Interpreter<'m> {
    /// An interpreter for a model and its system. Requires: `system` is made from `model`.
    ///
    /// # Errors
    /// The first construct of the model that the interpreter does not run.
    pub fn new(model: &'m Model, system: &'m System) -> Result<Self, Unsupported> {
        supported(model)?;
        let places = model.templates.iter().map(places).collect();
        let has_urgent_channels = system.channels.iter().any(|c| c.urgent);
        let has_priorities = model.channel_priorities.is_some() || model.has_process_priorities;
        Ok(Interpreter {
            model,
            system,
            places,
            has_urgent_channels,
            has_priorities,
            wraps: Wraps::default(),
            explains: false,
        })
    }

    /// The expressions that have wrapped in anything that was evaluated so far.
    pub fn wraps(&self) -> Vec<Span> {
        self.wraps.places()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The system.
    pub fn system(&self) -> &'m System {
        self.system
    }

    /// The initial state.
    ///
    /// # Errors
    /// When there is none because an invariant does not hold (`semantics.md` 6a), or cannot be evaluated.
    pub fn initial(&self) -> Result<State, Error> {
        let state = State {
            locations: self
                .system
                .processes
                .iter()
                .map(|p| self.template(p).initial)
                .collect(),
            memory: self.system.initial.clone(),
            clocks: self
                .system
                .clocks
                .iter()
                .map(|c| Rational::from(c.initial))
                .collect(),
            time: Rational::ZERO,
        };
        let flow = Flow::standing(&state);
        let mut now = Instant::new(Moment::NOW, &flow.clocks, &state.locations);
        if let Some(process) = self.violated_invariant(&state.memory, &state.locations, &mut now)? {
            let location = self.location(process, state.locations[process.index()]);
            return Err(Error::NoInitialState {
                process: self.name(process),
                location: location.name.clone(),
                span: location.invariant.as_ref().map_or(location.span, |e| e.span),
            });
        }
        Ok(state)
    }

    pub(crate) fn flow<'s>(&self, state: &'s State) -> Result<Flow<'s>, Error> {
        let rates = self.rates_in(&state.memory, &state.locations)?;
        let lines = state.clocks.iter().zip(rates).map(|(&value, rate)| Line {
            value,
            rate: rate.into(),
        });
        Ok(Flow {
            state,
            clocks: lines.collect(),
        })
    }

    /// The first process whose invariant does not hold.
    pub(crate) fn violated_invariant(
        &self,
        memory: &Memory,
        locations: &[LocationId],
        world: &mut dyn World,
    ) -> Result<Option<ProcessId>, Error> {
        for process in self.processes() {
            for invariant in self.conditions(locations, process) {
                let holds = self
                    .evaluator(Store::Shared(memory), world, Some(process))
                    .holds(invariant)
                    .map_err(|fault| self.fault(fault, Activity::Invariant, Some(process)))?;
                if !holds {
                    return Ok(Some(process));
                }
            }
        }
        Ok(None)
    }

    /// The conditions that the location of a process asks for: all of its invariant but for rates, which are set and not
    /// tested (`semantics.md` 3).
    pub(crate) fn conditions(&self, locations: &[LocationId], process: ProcessId) -> &[&'m Expr] {
        match locations.get(process.index()) {
            Some(&location) => &self.place(process, location).conditions,
            None => &[],
        }
    }

    pub(crate) fn place(&self, process: ProcessId, location: LocationId) -> &LocationSummary<'m> {
        &self.places[self.process(process).template.index()][location.index()]
    }

    /// The part of a region in which a condition holds.
    pub(crate) fn filter<C: Clocks>(
        &self,
        view: View<'_, C>,
        process: Option<ProcessId>,
        frame: &[Value],
        condition: &Expr,
        domain: &C::Region,
    ) -> Result<C::Region, Fault> {
        view.clocks.filter(view.locations, domain, |world| {
            let evaluator = self.evaluator(Store::Shared(view.memory), world, process);
            evaluator.with_frame(frame).holds(condition)
        })
    }

    pub(crate) fn evaluator<'a>(
        &'a self,
        store: Store<'a>,
        world: &'a mut dyn World,
        process: Option<ProcessId>,
    ) -> Evaluator<'a> {
        let evaluator = Evaluator::new(self.code(), store, world)
            .in_system(self.system)
            .explaining(self.explains);
        match process {
            Some(process) => evaluator.in_process(self.scope(process)),
            None => evaluator,
        }
    }

    fn code(&self) -> Code<'_> {
        Code {
            wraps: Some(&self.wraps),
            ..self.model.into()
        }
    }

    fn scope(&self, id: ProcessId) -> Scope<'m> {
        let process = self.process(id);
        Scope {
            process: id,
            bindings: &process.bindings,
            variables: &self.template(process).variables,
        }
    }

    pub(crate) fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.system.processes.len()).map(ProcessId::from_index)
    }

    pub(crate) fn process(&self, id: ProcessId) -> &'m Process {
        &self.system.processes[id.index()]
    }

    pub(crate) fn template(&self, process: &Process) -> &'m Template {
        &self.model.templates[process.template.index()]
    }

    /// A location of a process.
    pub fn location(&self, process: ProcessId, location: LocationId) -> &'m Location {
        &self.template(self.process(process)).locations[location.index()]
    }

    /// An edge of a process.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> &'m Edge {
        &self.template(self.process(process)).edges[edge.index()]
    }

    pub(crate) fn outgoing(&self, process: ProcessId, location: LocationId) -> &[EdgeId] {
        &self.place(process, location).outgoing
    }

    /// The name of a process.
    pub fn name(&self, process: ProcessId) -> Name {
        self.process(process).name.clone()
    }

    pub(crate) fn fault(&self, fault: Fault, activity: Activity, process: Option<ProcessId>) -> Error {
        Error::Fault {
            fault: Box::new(fault),
            activity,
            process: process.map(|p| self.name(p)),
        }
    }
}

fn places(template: &Template) -> Vec<LocationSummary<'_>> {
    let mut places: Vec<LocationSummary<'_>> = template
        .locations
        .iter()
        .map(|location| {
            let parts = location.invariant.as_ref().map_or(&[][..], conjuncts);
            LocationSummary {
                outgoing: Vec::new(),
                conditions: parts.iter().filter(|part| !only_sets_rates(part)).collect(),
                sets_rates: parts.iter().any(sets_rate),
            }
        })
        .collect();
    for (i, edge) in template.edges.iter().enumerate() {
        places[edge.source.index()].outgoing.push(EdgeId::from_index(i));
    }
    places
}
