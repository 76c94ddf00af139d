//! A component: one timed I/O automaton as it was drawn.

use crate::action::Action;
use crate::formula::{Clock, Formula};

/// A location of a component, by its place in [`Component::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    /// The place of the location in the list of its component.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Side that decides when an action happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The environment.
    Input,
    /// The component.
    Output,
}

/// Kinds of locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An ordinary location, the initial one too.
    Normal,
    /// Allows everything: no invariant, a loop for every action.
    Universal,
    /// An error: time stops, and only inputs are taken.
    Inconsistent,
}

/// The actions of a component, each list sorted and without repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    /// Received actions.
    pub inputs: Vec<Action>,
    /// Sent actions.
    pub outputs: Vec<Action>,
}

/// A timed I/O automaton. All clocks are zero at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// How queries call it.
    pub name: String,
    /// Names of its clocks.
    pub clocks: Vec<String>,
    /// Its locations. Those of a template with data are told apart by [`Location::values`].
    pub locations: Vec<Location>,
    /// Initial location.
    pub initial: LocationId,
    /// Its edges, in the order of the file.
    pub edges: Vec<Edge>,
    /// The actions on its edges.
    pub alphabet: Alphabet,
    /// Alphabet of its `IO` line, if it has one.
    pub declared: Option<Alphabet>,
}

/// A location with the values that data have there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// How queries and edges call it: the `id` in files of ECDAR.
    pub name: String,
    /// Another name that queries may use: the drawn name where `name` is an identifier of the file.
    pub alias: Option<String>,
    /// Names and values of data, in the order of declaration; empty in components without data.
    pub values: Vec<(String, i32)>,
    /// Invariant of the location.
    pub invariant: Formula,
    /// Kind of location.
    pub kind: Kind,
    /// Whether time stops here.
    pub urgent: bool,
}

impl Location {
    /// The name, with the values of data: `Run(cur=3)`.
    pub fn title(&self) -> String {
        let name = self.alias.as_ref().unwrap_or(&self.name);
        if self.values.is_empty() {
            return name.clone();
        }
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{name}({})", values.join(", "))
    }
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its name in the file, or `E` and its number there. Copies of an edge for values of data share it.
    pub id: String,
    /// Source location.
    pub source: LocationId,
    /// To where.
    pub target: LocationId,
    /// On what action.
    pub action: Action,
    /// Side that decides on the action.
    pub direction: Direction,
    /// When.
    pub guard: Formula,
    /// Clocks and their new values, each clock at most once.
    pub updates: Vec<(Clock, i32)>,
}

impl Component {
    /// The location with this number.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// The edges that leave a location.
    pub fn edges_from(&self, source: LocationId) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(move |edge| edge.source == source)
    }

    /// The alphabet that the edges have.
    pub fn alphabet_of(edges: &[Edge]) -> Alphabet {
        let mut alphabet = Alphabet::default();
        for edge in edges {
            match edge.direction {
                Direction::Input => alphabet.inputs.push(edge.action),
                Direction::Output => alphabet.outputs.push(edge.action),
            }
        }
        for list in [&mut alphabet.inputs, &mut alphabet.outputs] {
            list.sort_unstable();
            list.dedup();
        }
        alphabet
    }
}
