//! Small projects, drawn in code.

use zonewalk_reference::tioa::{ComponentState, Specification, State};
use zonewalk_tioa::{
    Action, Alphabet, AlphabetOf, Clock, Comparison, Component, Direction, Edge, Formula, Inputs, Instance,
    Kind, Location, LocationId, Project, Reading, Relation, System, Taken,
};

/// The usual reading of files of ECDAR.
pub(crate) const USUAL: Reading = Reading {
    alphabet: AlphabetOf::Edges,
    inputs: Inputs::Complete,
};

/// Components taken as drawn.
pub(crate) const STRICT: Reading = Reading {
    alphabet: AlphabetOf::Edges,
    inputs: Inputs::Strict,
};

/// Ticks in a unit of time. Two, so that halves can be told.
pub(crate) const SCALE: i64 = 2;

/// A component that is being drawn. It has the clocks `x` and `y`.
pub(crate) struct Draw<'a> {
    project: &'a mut Project,
    component: Component,
}

/// Begins a component. The first location is initial.
pub(crate) fn draw<'a>(project: &'a mut Project, name: &str) -> Draw<'a> {
    Draw {
        project,
        component: Component {
            name: name.to_owned(),
            clocks: vec!["x".to_owned(), "y".to_owned()],
            locations: Vec::new(),
            initial: LocationId(0),
            edges: Vec::new(),
            alphabet: Alphabet::default(),
            declared: None,
        },
    }
}

impl Draw<'_> {
    /// A location with an invariant.
    pub(crate) fn at(mut self, name: &str, invariant: Formula) -> Self {
        self.component.locations.push(Location {
            name: name.to_owned(),
            alias: None,
            values: Vec::new(),
            invariant,
            kind: Kind::Normal,
            urgent: false,
        });
        self
    }

    fn last(&mut self) -> &mut Location {
        self.component.locations.last_mut().expect("a location was drawn")
    }

    /// Makes the last location one where time stops.
    pub(crate) fn urgent(mut self) -> Self {
        self.last().urgent = true;
        self
    }

    /// Says what the last location stands for.
    pub(crate) fn kind(mut self, kind: Kind) -> Self {
        self.last().kind = kind;
        self
    }

    /// An edge from one location to another: `"a?"` or `"a!"`, a guard, and the clocks that are set.
    pub(crate) fn edge(
        mut self,
        (source, target): (&str, &str),
        sync: &str,
        guard: Formula,
        updates: &[(u32, i32)],
    ) -> Self {
        let (action, direction) = self.action(sync);
        let place = |name: &str| {
            let found = self.component.locations.iter().position(|l| l.name == name);
            LocationId(found.expect("the location was drawn") as u32)
        };
        self.component.edges.push(Edge {
            id: format!("E{}", self.component.edges.len()),
            source: place(source),
            target: place(target),
            action,
            direction,
            guard,
            updates: updates
                .iter()
                .map(|&(clock, value)| (Clock(clock), value))
                .collect(),
        });
        self
    }

    /// An `IO` line.
    pub(crate) fn declare(mut self, syncs: &[&str]) -> Self {
        let mut declared = Alphabet::default();
        for sync in syncs {
            match self.action(sync) {
                (action, Direction::Input) => declared.inputs.push(action),
                (action, Direction::Output) => declared.outputs.push(action),
            }
        }
        self.component.declared = Some(declared);
        self
    }

    fn action(&mut self, sync: &str) -> (Action, Direction) {
        let (name, sign) = sync.split_at(sync.len() - 1);
        let direction = if sign == "?" {
            Direction::Input
        } else {
            Direction::Output
        };
        (self.project.intern(name), direction)
    }

    /// Puts the component into the project.
    pub(crate) fn done(mut self) {
        self.component.alphabet = Component::alphabet_of(&self.component.edges);
        self.project.components.push(self.component);
    }
}

fn compare(clock: u32, relation: Relation, bound: i32) -> Formula {
    Formula::Compare(Comparison {
        clock: Clock(clock),
        minus: None,
        relation,
        bound,
    })
}

pub(crate) const X: u32 = 0;
pub(crate) const Y: u32 = 1;
pub(crate) const TRUE: Formula = Formula::TRUE;

pub(crate) fn at_most(clock: u32, bound: i32) -> Formula {
    compare(clock, Relation::LessEqual, bound)
}

pub(crate) fn below(clock: u32, bound: i32) -> Formula {
    compare(clock, Relation::Less, bound)
}

pub(crate) fn at_least(clock: u32, bound: i32) -> Formula {
    compare(clock, Relation::GreaterEqual, bound)
}

pub(crate) fn above(clock: u32, bound: i32) -> Formula {
    compare(clock, Relation::Greater, bound)
}

pub(crate) fn exactly(clock: u32, bound: i32) -> Formula {
    compare(clock, Relation::Equal, bound)
}

/// One mention of a component.
pub(crate) fn one(name: &str) -> System {
    System::Component(Instance {
        name: name.to_owned(),
        tag: None,
    })
}

pub(crate) fn composition(names: &[&str]) -> System {
    System::Composition(names.iter().map(|name| one(name)).collect())
}

pub(crate) fn conjunction(names: &[&str]) -> System {
    System::Conjunction(names.iter().map(|name| one(name)).collect())
}

/// `whole // part`; its fresh input gets a number.
pub(crate) fn quotient(project: &mut Project, whole: System, part: System) -> System {
    let quotient = System::Quotient {
        whole: Box::new(whole),
        part: Box::new(part),
    };
    project.intern_fresh_inputs(&quotient);
    quotient
}

/// The number of an action.
pub(crate) fn action(project: &Project, name: &str) -> Action {
    let found = project.actions.iter().position(|known| known == name);
    Action(found.expect("the action is known") as u32)
}

pub(crate) fn specification<'p>(
    project: &'p Project,
    system: &System,
    reading: Reading,
) -> Specification<'p> {
    Specification::new(project, system, reading, SCALE).expect("the system is fine")
}

/// A component at a location with its clocks in ticks.
pub(crate) fn at(location: u32, x: i128, y: i128) -> State {
    State::Component(ComponentState {
        location: LocationId(location),
        clocks: vec![x, y],
        overdue: false,
    })
}

/// A state in which time has passed although it must not.
pub(crate) fn overdue(location: u32, x: i128, y: i128) -> State {
    State::Component(ComponentState {
        location: LocationId(location),
        clocks: vec![x, y],
        overdue: true,
    })
}

/// Both operands of a quotient.
pub(crate) fn both(whole: State, part: State) -> State {
    State::Quotient {
        whole: Box::new(whole),
        part: Box::new(part),
    }
}

pub(crate) const ERROR: State = State::Error { overdue: false };

pub(crate) fn edge(part: u32, edge: u32) -> Taken {
    Taken::Edge { part, edge }
}

/// Steps of a system in a state, with the states that they lead to.
pub(crate) fn ways(
    project: &Project,
    system: &System,
    reading: Reading,
    state: &State,
    name: &str,
) -> Vec<(State, Vec<Taken>)> {
    specification(project, system, reading).successors(state, action(project, name))
}
