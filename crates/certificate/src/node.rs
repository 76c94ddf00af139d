//! Certificates as plain data.

use crate::Claim;
use zonewalk_model::ids::{ClockId, LocationId};

/// A claim about a model with the nodes that are to prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Where it comes from.
    pub header: Header,
    /// The claim.
    pub claim: Claim,
    /// The symbolic states.
    pub nodes: Vec<Node>,
}

/// Where a certificate comes from. For people and messages only: nothing is concluded from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The file of the model, with the constants that were set: `fischer.xml -D N=8`.
    pub model: String,
    /// The query; empty where there is none.
    pub query: String,
}

/// A set of states: all that agree with the locations, the specified values and the constraints.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// By `ProcessId`.
    pub locations: Vec<LocationId>,
    /// By column of [`crate::Columns::cells`]; `None` stands for all values of the cell's type.
    pub values: Vec<Option<i32>>,
    /// The clock values that are meant; that clocks are not negative goes without saying.
    pub constraints: Vec<Constraint>,
    /// For [`Claim::Steps`]: no state of the node need be reached by fewer transitions.
    pub depth: Option<u32>,
    /// For [`Claim::Inevitable`]: falls with every transition of a run that avoids the goal.
    pub rank: Option<u32>,
}

/// `left - right < bound` or `left - right <= bound`; a clock that is `None` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constraint {
    /// The clock that counts positively.
    pub left: Option<ClockId>,
    /// The clock that counts negatively.
    pub right: Option<ClockId>,
    /// The bound; at most [`crate::LARGEST_BOUND`] up or down.
    pub bound: i64,
    /// Whether the bound itself is left out.
    pub strict: bool,
}

impl Certificate {
    /// Sorts the nodes and their constraints, and drops repeated ones: equal proofs become equal files, whatever found them.
    pub fn sort(&mut self) {
        for node in &mut self.nodes {
            node.constraints.sort_unstable();
            node.constraints.dedup();
        }
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }
}
