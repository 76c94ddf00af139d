//! The compiled network: what fast engines run on.
//!
//! [`NetworkBuilder`] takes a checked model and its system, then the predicates and measures of queries. Variables,
//! parameters, constants and the frames of functions share one flat memory of 32-bit cells; guards, invariants, updates
//! and functions become register code that [`vm`] interprets; every edge instance knows what it reads and writes, and
//! every location which clocks matter.
//!
//! Code is made once per [`Variant`]: two thousand instances of a template share one copy, their parameters are data.
//!
//! Invariant: a network is built, then frozen. Nothing changes its code or the layout of its memory afterwards, so that
//! what an engine has laid out for it stays right, and threads can share it.
//!
//! Invariant: nothing here decides what a model means beyond what its labels compute. Which transitions exist, how time
//! passes and what a state is are matters of the engines; the reference interpreter does not depend on this crate.

mod analysis;
mod build;
mod clocks;
mod code;
mod error;
mod expressions;
mod network;
pub mod specialise;
pub mod vm;

pub use analysis::{effort, live_variables};
pub use build::NetworkBuilder;
pub use build::unsupported::{Engines, Unsupported, unsupported};
pub use clocks::{bounds, clock_updates};
pub use code::cell::{Base, Cell, Context, Extent};
pub use code::double::double_at;
pub use code::ids::{ChannelId, ClockId, InstanceId, Instances, InvariantId, LocationId, ProcessId};
pub use code::sets::{Readers, SetId, SetPool};
pub use code::{cell, constraint, ids, instr};
pub use error::{CompileError, ErrorKind};
pub use network::predicate::{self, Measure, Node, NodeId, Predicate};
pub use network::sizes::Sizes;
pub use network::transition::Transition;
pub use network::{
    Channel, ChannelUse, DynamicSync, Edge, Instance, InvariantInstance, Layout, Location, Network, Process,
    Routine, Select, Sync, Variant,
};
pub use vm::validity;
