//! Components, pairs and models in code, for the tests of this crate.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

pub mod models;
pub mod random;
pub mod regions;

use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::pair::Pair;
use zonewalk_refine::system::Builder;
use zonewalk_tioa::{
    Action, Alphabet, AlphabetOf, Clock, Comparison, Component, Direction, Edge, Formula, Inputs, Instance,
    Kind, Location, LocationId, Project, Reading, Relation, Run, System,
};

/// The usual reading of files of ECDAR.
pub const USUAL: Reading = Reading {
    alphabet: AlphabetOf::Edges,
    inputs: Inputs::Complete,
};

/// Components taken as drawn.
pub const STRICT: Reading = Reading {
    alphabet: AlphabetOf::Edges,
    inputs: Inputs::Strict,
};

/// Templates with `IO` lines.
pub const DECLARED: Reading = Reading {
    alphabet: AlphabetOf::Declared,
    inputs: Inputs::Complete,
};

/// A component that is being drawn.
pub struct Draw<'a> {
    project: &'a mut Project,
    component: Component,
}

/// Begins a component with clocks: `"x, y"`. The first location is initial.
pub fn draw<'a>(project: &'a mut Project, name: &str, clocks: &str) -> Draw<'a> {
    let names = clocks.split(',').map(str::trim).filter(|name| !name.is_empty());
    Draw {
        project,
        component: Component {
            name: name.to_owned(),
            clocks: names.map(str::to_owned).collect(),
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
    pub fn at(mut self, name: &str, invariant: &str) -> Self {
        let invariant = formula(invariant, &self.component.clocks);
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

    /// Makes the last location one where time stops.
    pub fn urgent(mut self) -> Self {
        self.component.locations.last_mut().unwrap().urgent = true;
        self
    }

    /// Says what the last location stands for.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.component.locations.last_mut().unwrap().kind = kind;
        self
    }

    /// Where the component starts, if not in its first location.
    pub fn start(mut self, name: &str) -> Self {
        self.component.initial = self.place(name);
        self
    }

    fn place(&self, name: &str) -> LocationId {
        let found = self.component.locations.iter().position(|l| l.name == name);
        LocationId(found.unwrap_or_else(|| panic!("no location {name}")) as u32)
    }

    /// An edge: `edge("Idle -> Busy", "a?", "x<=5 && y>2", "x=0")`.
    pub fn edge(mut self, way: &str, sync: &str, guard: &str, updates: &str) -> Self {
        let (source, target) = way.split_once("->").unwrap();
        let (source, target) = (self.place(source.trim()), self.place(target.trim()));
        let (action, direction) = self.action(sync);
        let updates = updates.split(',').filter(|text| !text.trim().is_empty());
        let clocks = &self.component.clocks;
        let updates = updates
            .map(|text| {
                let (name, value) = text.split_once('=').unwrap();
                (clock(name, clocks), value.trim().parse().unwrap())
            })
            .collect();
        let guard = formula(guard, clocks);
        self.component.edges.push(Edge {
            id: format!("E{}", self.component.edges.len()),
            source,
            target,
            action,
            direction,
            guard,
            updates,
        });
        self
    }

    /// An `IO` line.
    pub fn declare<S: AsRef<str>>(mut self, syncs: &[S]) -> Self {
        let mut declared = Alphabet::default();
        for sync in syncs {
            match self.action(sync.as_ref()) {
                (action, Direction::Input) => declared.inputs.push(action),
                (action, Direction::Output) => declared.outputs.push(action),
            }
        }
        declared.inputs.sort_unstable();
        declared.outputs.sort_unstable();
        self.component.declared = Some(declared);
        self
    }

    fn action(&mut self, sync: &str) -> (Action, Direction) {
        let (name, sign) = sync.split_at(sync.len() - 1);
        let direction = match sign {
            "?" => Direction::Input,
            "!" => Direction::Output,
            _ => panic!("{sync}"),
        };
        (self.project.intern(name), direction)
    }

    /// Puts the component into the project.
    pub fn done(mut self) {
        self.component.alphabet = Component::alphabet_of(&self.component.edges);
        self.project.components.push(self.component);
    }
}

fn clock(name: &str, clocks: &[String]) -> Clock {
    let found = clocks.iter().position(|known| known == name.trim());
    Clock(found.unwrap_or_else(|| panic!("no clock {name}")) as u32)
}

/// `x<=5 && y>2 || x-y==1`, or nothing for `true`.
pub fn formula(text: &str, clocks: &[String]) -> Formula {
    if text.trim().is_empty() {
        return Formula::TRUE;
    }
    let all = |text: &str| {
        let parts: Vec<Formula> = text.split("&&").map(|part| comparison(part, clocks)).collect();
        Formula::And(parts)
    };
    Formula::Or(text.split("||").map(all).collect())
}

fn comparison(text: &str, clocks: &[String]) -> Formula {
    let signs = [
        ("<=", Relation::LessEqual),
        (">=", Relation::GreaterEqual),
        ("==", Relation::Equal),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];
    let found = signs
        .iter()
        .find_map(|(sign, relation)| Some((text.split_once(sign)?, *relation)));
    let ((left, right), relation) = found.unwrap_or_else(|| panic!("no comparison: {text}"));
    let (first, minus) = match left.split_once('-') {
        Some((first, second)) => (first, Some(clock(second, clocks))),
        None => (left, None),
    };
    Formula::Compare(Comparison {
        clock: clock(first, clocks),
        minus,
        relation,
        bound: right.trim().parse().unwrap(),
    })
}

/// One component as a system.
pub fn one(name: &str) -> System {
    System::Component(Instance {
        name: name.to_owned(),
        tag: None,
    })
}

/// A refinement to be checked, with all that the judge needs.
pub struct Case {
    pub project: Project,
    pub left: System,
    pub right: System,
    pub reading: Reading,
    pub pair: Pair,
}

impl Case {
    /// `left <= right` in a project.
    pub fn new(mut project: Project, left: &System, right: &System, reading: Reading) -> Case {
        let (left, right) = (project.expand(left).unwrap(), project.expand(right).unwrap());
        project.intern_fresh_inputs(&left);
        project.intern_fresh_inputs(&right);
        let mut builder = Builder::new(&project, reading);
        let sides = (
            builder.side(&left, Polarity::Leading).unwrap(),
            builder.side(&right, Polarity::Following).unwrap(),
        );
        let pair = Pair::new(sides.0, sides.1);
        Case {
            project,
            left,
            right,
            reading,
            pair,
        }
    }

    /// Has the judge repeat a run.
    pub fn judge(&self, run: &Run) {
        let judged =
            zonewalk_reference::tioa::judge_pair(&self.project, &self.left, &self.right, self.reading, run);
        if let Err(objection) = judged {
            panic!("{objection:?}\n{run:#?}");
        }
    }
}
