//! The states that a finished search has stored, ready to become the nodes of a certificate.

use crate::certificate::NodeMaker;
use crate::explorer::Zones;
use crate::store::ZoneStore;
use std::fmt;
use zonewalk_certificate::{Columns, Node};
use zonewalk_model::system::Memory;
use zonewalk_search::Store as _;
use zonewalk_zones::Word;

/// Makes the nodes of all states, from the columns and the initial values of the model.
type MakeNodes<'n> = Box<dyn Fn(&Columns, &Memory) -> Vec<Node> + Send + 'n>;

/// The states of a search that has explored everything, whatever the width of their zones.
pub struct StoredStates<'n> {
    count: usize,
    nodes: MakeNodes<'n>,
}

impl<'n> StoredStates<'n> {
    /// The states of a store. Requires: they are states of the graph.
    pub fn new<W: Word>(zones: Zones<'n, W>, store: ZoneStore<W>) -> Self {
        StoredStates {
            count: store.stored(),
            nodes: Box::new(move |columns, initial| {
                NodeMaker::new(zones.graph(), columns, initial).nodes(&store)
            }),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Their nodes, in the order in which they were found. Requires: `columns` and `initial` are those of the model.
    pub fn nodes(&self, columns: &Columns, initial: &Memory) -> Vec<Node> {
        (self.nodes)(columns, initial)
    }
}

impl fmt::Debug for StoredStates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredStates")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}
