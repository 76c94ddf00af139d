//! How large a network is.

use crate::network::Network;
use rustc_hash::FxHashSet;

/// Sizes of a network, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Processes, each with a location in the state.
    pub processes: usize,
    /// Cells of variables in the state.
    pub variable_cells: usize,
    /// Cells of `meta` variables, which are carried along but not compared.
    pub meta_cells: usize,
    /// Clocks.
    pub clocks: usize,
    /// Channels.
    pub channels: usize,
    /// Locations, variables and clocks together: the state vector.
    pub state_cells: usize,
    /// Bytes of the state vector as engines hold it: four for a location or variable, eight for a clock.
    pub state_bytes: usize,
    /// Bytes of the memory that one run of the code works on.
    pub memory_bytes: usize,
    /// Instructions of all code.
    pub instructions: usize,
    /// Templates in use.
    pub templates: usize,
    /// Copies of the code of templates: more than templates when parameters shape types.
    pub code_copies: usize,
    /// Edges of all code copies.
    pub edges: usize,
    /// Edges of all processes, with values of those selects that guards and channels need.
    pub edge_instances: usize,
    /// Edge instances whose channel depends on the state.
    pub dynamic_syncs: usize,
}

impl Network {
    /// Its sizes.
    pub fn sizes(&self) -> Sizes {
        let templates: FxHashSet<_> = self.variants.iter().map(|v| v.template).collect();
        let variable_cells = (self.layout.state - self.layout.locations) as usize;
        let (processes, clocks) = (self.processes.len(), self.clocks.len());
        Sizes {
            processes,
            variable_cells,
            meta_cells: (self.layout.meta - self.layout.state) as usize,
            clocks,
            channels: self.channels.len(),
            state_cells: processes + variable_cells + clocks,
            state_bytes: 4 * (processes + variable_cells) + 8 * clocks,
            memory_bytes: 4 * self.layout.frame as usize,
            instructions: self.program.code.len(),
            templates: templates.len(),
            code_copies: self.variants.len(),
            edges: self.variants.iter().map(|v| v.edges.len()).sum(),
            edge_instances: self.instances.len(),
            dynamic_syncs: self.dynamic_syncs.len(),
        }
    }

    /// Roughly how many bytes the network itself takes.
    pub fn bytes(&self) -> usize {
        let program = &self.program;
        size_of_val(program.code.as_slice())
            + size_of_val(program.sites.as_slice())
            + 4 * (program.constants.len() + self.image.len())
            + size_of_val(self.instances.as_slice())
            + size_of_val(self.processes.as_slice())
            + 4 * self.starts.len()
            + self
                .variants
                .iter()
                .map(|v| size_of_val(v.edges.as_slice()))
                .sum::<usize>()
            + self.sets.bytes()
            + self.guard_readers.bytes()
            + self.invariant_readers.bytes()
    }
}
