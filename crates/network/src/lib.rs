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

mod assemble;
pub mod bounds;
mod build;
pub mod cell;
pub mod clock_updates;
mod compile;
mod constants;
pub mod constraint;
mod double;
pub mod effort;
mod error;
mod facts;
mod fails;
mod fold;
mod footprint;
pub mod ids;
pub mod instr;
mod interval;
mod link;
pub mod liveness;
mod lower;
mod network;
pub mod predicate;
mod sets;
mod sizes;
pub mod specialise;
mod stale;
mod storage;
mod tally;
mod transition;
mod types;
mod unfold;
mod unsupported;
pub mod validity;
mod variables;
mod variants;
mod visit;
pub mod vm;
mod wraps;

pub use build::NetworkBuilder;
pub use cell::{Base, Cell, Context, Extent};
pub use double::double_at;
pub use error::{CompileError, ErrorKind};
pub use ids::{ChannelId, ClockId, InstanceId, Instances, InvariantId, LocationId, ProcessId};
pub use network::{
    Channel, ChannelUse, DynamicSync, Edge, Instance, InvariantInstance, Layout, Location, Network, Process,
    Routine, Select, Sync, Variant,
};
pub use predicate::{Measure, Node, NodeId, Predicate};
pub use sets::{Readers, SetId, SetPool};
pub use sizes::Sizes;
pub use transition::Transition;
pub use unsupported::{Engines, Unsupported, unsupported};
