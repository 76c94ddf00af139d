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
//!
//! # Rooms
//!
//! The compiled form. Expressions become register code over one flat array of integers and one of clocks; processes of
//! one template share their code and differ by data. The rooms, from below: `code` is the code as data (cells,
//! instructions, constraints) and what it reads and writes (`footprint`); `vm` runs it; `clocks` has the bounds of
//! clocks and what they are set to; `network` is the finished network with the predicates of queries; `specialise` makes
//! code for one process and edge, and writes guards out as comparisons where they are nothing else (`unfold`);
//! `expressions` is what is known about expressions before they are compiled; `build` has the `NetworkBuilder`: `lower`
//! compiles labels, `link` puts them together; `analysis` asks finished networks which code may fail, which variables
//! are live, and what code costs.
//!
//! Code runs in one place, `vm::run`. It takes the code, memory and clocks, and an observer of what changes or of the
//! processes that the result is valid for (`validity`); `vm::machine` has the instructions. Native code could replace it
//! one day. What code costs is known before it runs (`effort`), so that budgets do not depend on how it is run.

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
pub use network::refusals;
pub use network::sizes::Sizes;
pub use network::transition::Transition;
pub use network::{
    Channel, ChannelUse, DynamicSync, Edge, Instance, InvariantInstance, Layout, Location, Network, Process,
    Routine, Select, Sync, Variant,
};
pub use vm::validity;
