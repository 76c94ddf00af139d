//! Unfolds a process of a typed model into a component without data.
//!
//! A component has a location for each place and each valuation of the process's own variables that can be reached when clocks are
//! left out of account. A process without variables keeps all its places, reached or not, in the order of the file.

mod condition;
mod shared;
mod values;

use condition::Conditions;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
pub(crate) use values::alphabet;
use values::{cell_names, flatten, local_name, own_clocks};
use zonewalk_model::eval::{Domain, Fault, FaultKind, advance};
use zonewalk_model::ids::{LocalId, LocationId as PlaceId, ProcessId};
use zonewalk_model::system::{Memory, Parts, System, Value};
use zonewalk_model::tree::{Edge as Drawn, Model, Template};
use zonewalk_model::types::Type;
use zonewalk_syntax::ast;
use zonewalk_syntax::diagnostic::Diagnostic;

use crate::action::{Action, Actions};
use crate::component::{Component, Direction, Edge, Kind, Location, LocationId};
use crate::formula::{Clock, Formula};

/// Locations of a component, at most.
const MAX_LOCATIONS: usize = 1_000_000;

/// Edges of a component, at most.
const MAX_EDGES: usize = 5_000_000;

/// Combinations of locations, edges and values of selections that are examined, at most.
const MAX_TRIES: usize = 20_000_000;

/// Attributes of a location in a file that the typed tree does not keep.
#[derive(Clone, Debug)]
pub(crate) struct LocationNotes {
    /// How queries call it.
    pub(crate) name: String,
    /// How they may call it, too.
    pub(crate) alias: Option<String>,
    /// Kind of location.
    pub(crate) kind: Kind,
    /// Whether time stops there.
    pub(crate) urgent: bool,
}

/// Attributes of an edge in a file that the typed tree does not keep.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// Its name.
    pub(crate) id: String,
    /// Its action.
    pub(crate) label: Label,
}

/// The action of an edge.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    /// Known by name.
    Fixed(String, Direction),
    /// The channel of the edge's synchronisation, which may depend on data.
    Channel,
}

/// A template with all that is needed to unfold its processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// By location of the template.
    pub(crate) places: Vec<LocationNotes>,
    /// By edge of the template.
    pub(crate) marks: Vec<Mark>,
}

/// Makes the component of a process; what looks wrong is added to `warnings`.
pub(crate) fn unfold(
    model: &Model,
    system: &System,
    process: ProcessId,
    name: &str,
    labels: &Labels,
    actions: &mut Actions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Component, Vec<Diagnostic>> {
    let errors = shared::errors(model, system, process);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut unfolder = Unfolder::new(model, system, process, name, labels, actions)?;
    let done = unfolder.run();
    // Processes of one template share their texts.
    for warning in unfolder.conditions.warnings() {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    match done {
        Ok(()) => Ok(unfolder.finish()),
        Err(error) => Err(vec![*error]),
    }
}

/// An edge with its number among the drawn ones, by which edges are ordered in the end.
type Numbered = (usize, Edge);

struct Unfolder<'a> {
    system: &'a System,
    process: ProcessId,
    template: &'a Template,
    name: &'a str,
    labels: &'a Labels,
    actions: &'a mut Actions,
    conditions: Conditions<'a>,
    clock_names: Vec<String>,
    /// The variables that make a difference.
    data: Vec<LocalId>,
    /// Names of all their cells.
    cells: Vec<String>,
    /// The values of all variables; those of the process are set before each evaluation.
    memory: Memory,
    /// States by their number: place and the variables of the process.
    states: Vec<(PlaceId, Parts)>,
    numbers: FxHashMap<(PlaceId, Vec<i32>), u32>,
    locations: Vec<Location>,
    edges: Vec<Numbered>,
    /// Actions of edges, also of those that are never open.
    known: BTreeSet<(Action, Direction)>,
    /// Locations, at most.
    limit: usize,
    /// Instances of edges that were examined.
    tries: usize,
}

impl<'a> Unfolder<'a> {
    fn new(
        model: &'a Model,
        system: &'a System,
        process: ProcessId,
        name: &'a str,
        labels: &'a Labels,
        actions: &'a mut Actions,
    ) -> Result<Self, Vec<Diagnostic>> {
        let template = &model.templates[system.processes[process.index()].template.index()];
        let locals = &system.initial.locals[process.index()];
        let mut clocks = FxHashMap::default();
        let mut clock_names = Vec::new();
        let mut errors = Vec::new();
        for (value, variable) in locals.iter().zip(&template.variables) {
            own_clocks(value, &mut |id| {
                let clock = &system.clocks[id.index()];
                if clock.initial != 0 {
                    let message = format!("the clock `{}` does not start at 0", variable.name);
                    let help = "clocks of timed I/O automata start at 0";
                    errors.push(Diagnostic::error("clock-start", variable.span, message).help(help));
                }
                clocks.insert(id, Clock(clock_names.len() as u32));
                clock_names.push(local_name(&clock.name, &system.processes[process.index()].name));
            });
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let changes = |index: &usize| {
            let variable = &template.variables[*index];
            let is_data = !variable
                .ty
                .any(&mut |t| matches!(t, Type::Clock { .. } | Type::Chan(_)));
            is_data && !variable.is_const && template.assigned.get(*index) == Some(&true)
        };
        let data: Vec<LocalId> = (0..template.variables.len())
            .filter(changes)
            .map(LocalId::from_index)
            .collect();
        let mut cells = Vec::new();
        for local in &data {
            let variable = &template.variables[local.index()];
            cell_names(
                &locals[local.index()],
                &variable.ty,
                variable.name.to_string(),
                &mut cells,
            );
        }
        Ok(Unfolder {
            system,
            process,
            template,
            name,
            labels,
            actions,
            conditions: Conditions::new(model, system, process, clocks),
            clock_names,
            data,
            cells,
            memory: system.initial.clone(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            locations: Vec::new(),
            edges: Vec::new(),
            known: BTreeSet::new(),
            limit: MAX_LOCATIONS,
            tries: 0,
        })
    }

    fn run(&mut self) -> Result<(), Box<Diagnostic>> {
        let initial = self.system.initial.locals[self.process.index()].clone();
        if self.data.is_empty() {
            for place in 0..self.template.locations.len() {
                self.state(PlaceId::from_index(place), initial.clone())?;
            }
        } else {
            self.state(self.template.initial, initial)?;
        }
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.template.locations.len()];
        for (number, edge) in self.template.edges.iter().enumerate() {
            leaving[edge.source.index()].push(number);
            if let Some(Mark {
                label: Label::Fixed(action, direction),
                ..
            }) = self.labels.marks.get(number)
            {
                let action = self.actions.intern(action);
                self.known.insert((action, *direction));
            }
        }
        let mut next = 0;
        while next < self.states.len() {
            let place = self.states[next].0;
            for &number in &leaving[place.index()] {
                self.edge(next, number)?;
            }
            next += 1;
        }
        Ok(())
    }

    /// The number of a state, which is new if the state is.
    fn state(&mut self, place: PlaceId, locals: Parts) -> Result<u32, Box<Diagnostic>> {
        let values = self.values(&locals);
        if let Some(&number) = self.numbers.get(&(place, values.clone())) {
            return Ok(number);
        }
        let number = self.states.len();
        let drawn = &self.template.locations[place.index()];
        if number >= self.limit {
            let message = format!(
                "the component {} has more than {} combinations of locations and values",
                self.name, self.limit
            );
            let help = "give its variables smaller ranges, or fewer of them";
            return Err(Box::new(
                Diagnostic::error("too-many-locations", self.template.span, message).help(help),
            ));
        }
        self.memory.locals[self.process.index()] = locals.clone();
        let invariant = match &drawn.invariant {
            None => Formula::TRUE,
            Some(invariant) => {
                let found = self.conditions.formula(&self.memory, &[], invariant);
                found.map_err(|fault| {
                    self.fault(&fault, &format!("location {}", self.place(place).name), &values)
                })?
            }
        };
        let LocationNotes {
            name,
            alias,
            kind,
            urgent,
        } = self.place(place).clone();
        self.locations.push(Location {
            name,
            alias,
            values: self.cells.iter().cloned().zip(values.iter().copied()).collect(),
            invariant,
            kind,
            urgent: urgent || drawn.urgent || drawn.committed,
        });
        self.states.push((place, locals));
        self.numbers.insert((place, values), number as u32);
        Ok(number as u32)
    }

    fn place(&self, place: PlaceId) -> &LocationNotes {
        &self.labels.places[place.index()]
    }

    /// The values that make a difference.
    fn values(&self, locals: &Parts) -> Vec<i32> {
        let mut values = Vec::with_capacity(self.cells.len());
        for local in &self.data {
            flatten(&locals[local.index()], &mut values);
        }
        values
    }

    /// All instances of a drawn edge from a state.
    fn edge(&mut self, source: usize, number: usize) -> Result<(), Box<Diagnostic>> {
        let drawn = &self.template.edges[number];
        let domains = self
            .domains(drawn)
            .map_err(|fault| self.edge_fault(&fault, source, number))?;
        if domains.iter().any(|d| d.count() == 0) {
            return Ok(());
        }
        let mut values: Vec<i32> = domains.iter().map(|d| d.lo).collect();
        loop {
            let mut frame: Vec<Value> = Vec::new();
            for (binder, value) in drawn.selects.iter().zip(&values) {
                let at = binder.slot.index();
                if frame.len() <= at {
                    frame.resize(at + 1, Value::Int(0));
                }
                frame[at] = Value::Int(*value);
            }
            self.instance(source, number, &frame)?;
            if !advance(&mut values, &domains) {
                return Ok(());
            }
        }
    }

    fn domains(&mut self, drawn: &Drawn) -> Result<Vec<Domain>, Fault> {
        let select = drawn.selects.iter();
        select
            .map(|binder| self.conditions.domain(&self.memory, &binder.ty, drawn.span))
            .collect()
    }

    /// One instance of a drawn edge: the values of its selections are fixed.
    fn instance(&mut self, source: usize, number: usize, frame: &[Value]) -> Result<(), Box<Diagnostic>> {
        let drawn = &self.template.edges[number];
        self.tries += 1;
        if self.tries > MAX_TRIES || self.edges.len() >= MAX_EDGES {
            let message = format!("the component {} has too many edges", self.name);
            let help = format!(
                "edges are counted for each value of selections and variables: at most {MAX_EDGES}, or {MAX_TRIES} with those that are never enabled"
            );
            return Err(Box::new(
                Diagnostic::error("too-many-edges", drawn.span, message).help(help),
            ));
        }
        self.memory.locals[self.process.index()] = self.states[source].1.clone();
        let guard = match &drawn.guard {
            None => Ok(Formula::TRUE),
            Some(guard) => self.conditions.formula(&self.memory, frame, guard),
        };
        let guard = guard.map_err(|fault| self.edge_fault(&fault, source, number))?;
        let is_closed = guard == Formula::Constant(false);
        let label = self.label(drawn, number, frame);
        let (action, direction) = match label {
            Ok(label) => label,
            // An edge that is closed need not know its channel.
            Err(_) if is_closed => return Ok(()),
            Err(fault) => return Err(self.edge_fault(&fault, source, number)),
        };
        self.known.insert((action, direction));
        if is_closed && !self.data.is_empty() {
            return Ok(());
        }
        let mut updates = Vec::new();
        if !is_closed {
            for update in &drawn.updates {
                let done = self
                    .conditions
                    .update(&mut self.memory, frame, update, &mut updates);
                done.map_err(|fault| self.edge_fault(&fault, source, number))?;
            }
        }
        let locals = self.memory.locals[self.process.index()].clone();
        let target = self.state(drawn.target, locals)?;
        self.edges.push((
            number,
            Edge {
                id: self.labels.marks[number].id.clone(),
                source: LocationId(source as u32),
                target: LocationId(target),
                action,
                direction,
                guard,
                updates,
            },
        ));
        Ok(())
    }

    fn label(&mut self, drawn: &Drawn, number: usize, frame: &[Value]) -> Result<(Action, Direction), Fault> {
        if let Label::Fixed(action, direction) = &self.labels.marks[number].label {
            return Ok((self.actions.intern(action), *direction));
        }
        let Some(sync) = &drawn.sync else {
            return Err(FaultKind::unsupported("an edge without a synchronisation").at(drawn.span));
        };
        let channel = self.conditions.channel(&self.memory, frame, &sync.channel)?;
        let action = self.actions.intern(&self.system.channels[channel.index()].name);
        let direction = match sync.direction {
            ast::Direction::Send => Direction::Output,
            ast::Direction::Receive => Direction::Input,
            ast::Direction::Together if drawn.controllable => Direction::Input,
            ast::Direction::Together => Direction::Output,
        };
        Ok((action, direction))
    }

    fn edge_fault(&self, fault: &Fault, source: usize, number: usize) -> Box<Diagnostic> {
        let values = self.values(&self.states[source].1);
        let element = format!("edge {}", self.labels.marks[number].id);
        self.fault(fault, &element, &values)
    }

    /// A run-time error, with the element and the values of data.
    fn fault(&self, fault: &Fault, element: &str, values: &[i32]) -> Box<Diagnostic> {
        let mut place = format!("in component {}, {element}", self.name);
        let values: Vec<String> = (self.cells.iter().zip(values))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !values.is_empty() {
            place.push_str(&format!(", when {}", values.join(", ")));
        }
        let error = fault.to_diagnostic().label(place);
        Box::new(match &fault.kind {
            FaultKind::OutOfRange { .. } => {
                error.help("declare a larger range, or give the edge a guard that keeps the value inside")
            }
            FaultKind::TimeTooLarge => error
                .help("clocks can be compared with and set to numbers of 32 bits: choose a larger time unit"),
            FaultKind::NegativeClock(_) => error.help("clocks are never negative: set it to 0 or more"),
            _ => error,
        })
    }

    fn finish(mut self) -> Component {
        // In the order of the file; copies of an edge in the order of their sources.
        self.edges.sort_by_key(|(number, edge)| (*number, edge.source));
        let edges: Vec<Edge> = self.edges.into_iter().map(|(_, edge)| edge).collect();
        let initial = if self.data.is_empty() {
            self.template.initial.index() as u32
        } else {
            0
        };
        Component {
            name: self.name.to_owned(),
            clocks: self.clock_names,
            locations: self.locations,
            initial: LocationId(initial),
            edges,
            alphabet: alphabet(self.known),
            declared: None,
        }
    }
}

#[cfg(test)]
mod tests;
