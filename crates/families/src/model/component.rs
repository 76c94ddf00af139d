//! Components of an ECDAR project, as a family describes them: without parameters, arrays and data.

use super::GridPoint;

/// A timed I/O automaton. Its first location is initial.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub name: String,
    /// Separated by commas.
    pub clocks: &'static str,
    pub places: Vec<ComponentLocation>,
    pub arrows: Vec<ComponentEdge>,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct ComponentLocation {
    pub id: String,
    pub invariant: String,
    pub spot: GridPoint,
}

/// An edge between locations by number. An empty label is absent.
#[derive(Clone, Debug)]
pub(crate) struct ComponentEdge {
    pub source: usize,
    pub target: usize,
    /// With `!` or `?`.
    pub sync: String,
    pub guard: String,
    pub update: String,
}

impl Component {
    /// A component without locations.
    pub(crate) fn new(name: impl Into<String>, clocks: &'static str) -> Self {
        Component {
            name: name.into(),
            clocks,
            places: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// Adds a location; the first one is initial.
    pub(crate) fn add(
        &mut self,
        spot: GridPoint,
        id: impl Into<String>,
        invariant: impl Into<String>,
    ) -> usize {
        self.places.push(ComponentLocation {
            id: id.into(),
            invariant: invariant.into(),
            spot,
        });
        self.places.len() - 1
    }

    /// Adds an edge.
    pub(crate) fn edge(
        &mut self,
        (source, target): (usize, usize),
        sync: impl Into<String>,
        guard: impl Into<String>,
        update: impl Into<String>,
    ) {
        self.arrows.push(ComponentEdge {
            source,
            target,
            sync: sync.into(),
            guard: guard.into(),
            update: update.into(),
        });
    }

    /// Makes an action known that never happens. The tools go by the actions on edges, and not by what is declared.
    pub(crate) fn never(&mut self, sync: impl Into<String>) {
        self.edge((0, 0), sync, "false", "");
    }

    /// The actions on its edges, each once, with `!` or `?`.
    pub(crate) fn actions(&self) -> Vec<&str> {
        let mut actions: Vec<&str> = self.arrows.iter().map(|arrow| arrow.sync.as_str()).collect();
        actions.sort_unstable();
        actions.dedup();
        actions
    }
}
