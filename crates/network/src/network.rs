//! The compiled network itself.

pub mod predicate;
pub mod refusals;
pub(crate) mod sizes;
pub(crate) mod transition;
pub(crate) mod variables;

use crate::clocks::bounds::{ClockBounds, Sources};
use crate::clocks::clock_updates::ClockUpdates;
use crate::code::cell::{Cell, Context, Extent};
use crate::code::constraint::{Quantity, RateSetting, Term};
use crate::code::ids::{ChannelId, InstanceId, Instances, InvariantId, LocationId, ProcessId};
use crate::code::instr::{Check, Entry, Program};
use crate::code::sets::{Readers, SetId, SetPool};
use crate::network::variables::Variables;
use crate::vm::{Cause, Trap};
use zonewalk_model::eval::{Fault, FaultKind, Subject};
use zonewalk_model::ids::{EdgeId, TemplateId};
use zonewalk_model::tree::{Direction, Name};
use zonewalk_syntax::span::Span;

/// A model in the form that engines run.
///
/// The discrete state is the first [`Layout::state`] cells of memory: the location of every process, then the
/// variables. Memory as a whole begins as [`Network::memory`].
///
/// It is complete when [`crate::NetworkBuilder::finish`] returns it, and no method changes it. Its fields are there to be
/// read.
#[derive(Clone, Debug)]
pub struct Network {
    /// Instructions and their tables.
    pub program: Program,
    /// The parts of memory.
    pub layout: Layout,
    /// Code copies: templates with the parameter values that shape them.
    pub variants: Vec<Variant>,
    /// Processes, in the order of the system line.
    pub processes: Vec<Process>,
    /// Edge instances, by process, then by source location, then in the order of the template.
    pub instances: Vec<Instance>,
    /// Initial values of clocks.
    pub clocks: Vec<i32>,
    /// Channels.
    pub channels: Vec<Channel>,
    /// Edge instances that have no fixed channel.
    pub dynamic_syncs: Vec<DynamicSync>,
    /// Priority level of internal edges among channel priorities.
    pub default_priority: u32,
    /// Whether some transition may block another.
    pub has_priorities: bool,
    /// Runs once before the updates of a transition.
    pub before_update: Option<Routine>,
    /// Runs once after the updates of a transition.
    pub after_update: Option<Routine>,
    /// The sets that edge instances and invariants refer to.
    pub sets: SetPool,
    /// Which edge instances must be examined again when a variable changes: those whose guard or channel reads it.
    pub guard_readers: Readers<InstanceId>,
    /// Which invariants, as numbers of [`Network::invariants`], must be examined again when a variable changes.
    pub invariant_readers: Readers<InvariantId>,
    /// The locations of processes that have an invariant or rates, by process, then by location.
    pub invariants: Vec<InvariantInstance>,
    /// Lower and upper bounds of clocks by location.
    pub bounds: ClockBounds,
    /// Values that clocks are set to.
    pub clock_updates: ClockUpdates,
    /// Memory up to the end of the data; constants of the program and the frame follow.
    pub(crate) image: Vec<i32>,
    pub(crate) variables: Variables,
    /// Guards of single instances.
    pub(crate) guards: Vec<Vec<Term>>,
    /// By process, then by location: the first edge instance that leaves it; one more at the end of each process.
    pub(crate) starts: Vec<u32>,
    /// Inputs from which the bounds were computed: queries ask for others.
    pub(crate) bound_sources: Box<Sources>,
}

/// The ends of the parts of memory, which follow each other in this order; the locations come before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Locations: process `p` is in location `memory[p]`.
    pub locations: u32,
    /// Variables. Up to here it is the discrete state.
    pub state: u32,
    /// `meta` variables: carried along, but not compared (`semantics.md` 18).
    pub meta: u32,
    /// Global constants.
    pub constants: u32,
    /// Number of constant cells of processes and edge instances.
    pub data: u32,
    /// Constants of the program.
    pub program: u32,
    /// Temporaries. This is the size of memory.
    pub frame: u32,
}

/// A template with the parameter values that its types depend on: one copy of code.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The template.
    pub template: TemplateId,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Invariant, in the order of evaluation.
    pub invariant: Vec<Term>,
    /// The rates that it sets.
    pub rates: Vec<RateSetting>,
    /// Exponential rate: one number, or a fraction.
    pub exponential_rate: Option<(Quantity, Option<Quantity>)>,
    /// Committed.
    pub committed: bool,
    /// Urgent.
    pub urgent: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its number in the template.
    pub id: EdgeId,
    /// Source of the edge.
    pub source: LocationId,
    /// Target of the edge.
    pub target: LocationId,
    /// Guard, in the order of evaluation; an instance may have its own ([`Network::guard`]).
    pub guard: Vec<Term>,
    /// Synchronisation.
    pub sync: Option<Sync>,
    /// Code of the updates.
    pub update: Option<Entry>,
    /// Selections, in the order of the label.
    pub selects: Vec<Select>,
    /// The group of the branch among those of the template, and its weight unless that is 1.
    pub branch: Option<(u32, Option<Quantity>)>,
    /// False for edges of the environment.
    pub controllable: bool,
}

/// `c!`, `c?` or `c`
#[derive(Clone, Copy, Debug)]
pub struct Sync {
    /// How the edge takes part.
    pub direction: Direction,
    /// Code that computes the cell.
    pub setup: Option<Entry>,
    /// A cell with the number of the channel.
    pub channel: Cell,
}

/// `i : T`
#[derive(Clone, Debug)]
pub struct Select {
    /// Its name.
    pub name: Name,
    /// Where the value is. Of a select that is not expanded it must be written there before the update runs.
    pub cell: Cell,
    /// Smallest value.
    pub lo: i32,
    /// Largest value.
    pub hi: i32,
    /// The guard or the channel needs the value: there is an edge instance for each. Otherwise the update alone does,
    /// and any value may be chosen when the edge is taken.
    pub expanded: bool,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// `P`, `P(3)`
    pub name: Name,
    /// Its code.
    pub variant: u32,
    /// The location that it begins in.
    pub initial: LocationId,
    /// Priority level of the system line.
    pub priority: u32,
    /// Its edge instances.
    pub instances: Instances,
    /// Where its variables are.
    pub variables: Extent,
    /// Where its `meta` variables are.
    pub meta: Extent,
    /// Where its data are.
    pub data: Extent,
    /// The instances that leave location `l` begin at number `l` from here of [`Network::starts`].
    pub(crate) starts: u32,
}

/// An edge of a process, with values for those selects that its guard or channel needs.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The process.
    pub process: ProcessId,
    /// The edge, in the variant of the process.
    pub edge: u32,
    /// Where the values of expanded selects, and what follows from them, are.
    pub data: u32,
    /// Its own guard among those of the network; beyond them if it has that of the edge.
    pub(crate) guard: u32,
    /// Its channel.
    pub channel: ChannelUse,
    /// Variables that guard and channel read.
    pub reads: SetId,
    /// Variables that the update reads.
    pub update_reads: SetId,
    /// Variables whose values before the update it may read: those that it does not always write first.
    pub update_needs: SetId,
    /// Variables that the update may write.
    pub writes: SetId,
    /// Variables that the update always writes.
    pub overwrites: SetId,
    /// Clocks that the guard reads.
    pub clock_reads: SetId,
    /// Clocks that the update copies from.
    pub clock_sources: SetId,
    /// Clocks that the update may set.
    pub clock_writes: SetId,
}

/// The channel of an edge instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelUse {
    /// It does not synchronise.
    None,
    /// Always this one.
    Fixed(ChannelId),
    /// The state decides.
    Dynamic,
}

impl ChannelUse {
    /// The channel, if it is always the same.
    pub fn fixed(self) -> Option<ChannelId> {
        match self {
            ChannelUse::Fixed(channel) => Some(channel),
            ChannelUse::None | ChannelUse::Dynamic => None,
        }
    }
}

/// A location of a process with an invariant.
#[derive(Clone, Copy, Debug)]
pub struct InvariantInstance {
    /// The process.
    pub process: ProcessId,
    /// The location, in the variant of the process.
    pub location: LocationId,
    /// Variables that the invariant and its rates read.
    pub reads: SetId,
    /// Clocks that the invariant bounds.
    pub clock_reads: SetId,
    /// Clocks whose rates it may set.
    pub rate_clocks: SetId,
}

/// Code that belongs to no process, and what it touches.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// Entry of its code.
    pub entry: Entry,
    /// Variables that it reads.
    pub reads: SetId,
    /// Variables whose values from before it runs it may read: those that it does not always write first.
    pub needs: SetId,
    /// Variables that it may write.
    pub writes: SetId,
    /// Variables that it always writes.
    pub overwrites: SetId,
    /// Clocks that it copies from.
    pub clock_sources: SetId,
    /// Clocks that it may set.
    pub clock_writes: SetId,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// `c`, `c[2]`, `P(3).c`
    pub name: Name,
    /// No delay while it is enabled.
    pub urgent: bool,
    /// One sender, every ready receiver.
    pub broadcast: bool,
    /// Priority level, larger is higher.
    pub priority: u32,
    /// Edge instances that always send on it.
    pub senders: Vec<InstanceId>,
    /// Edge instances that always receive on it.
    pub receivers: Vec<InstanceId>,
    /// Edge instances that always have it as their label without `!` or `?`, by process.
    pub members: Vec<InstanceId>,
    /// The processes that take part in every synchronisation without `!` or `?` (`semantics.md` 16a), in their order; empty
    /// for a channel that is used with `!` and `?`. A participant need not have an instance among the members: its edges
    /// may have no fixed channel, or be dead.
    pub participants: Vec<ProcessId>,
}

/// An edge instance whose channel depends on the state.
#[derive(Clone, Copy, Debug)]
pub struct DynamicSync {
    /// The instance.
    pub instance: InstanceId,
    /// How it takes part.
    pub direction: Direction,
    /// The channels that it may be.
    pub channels: SetId,
}

impl Network {
    /// A fresh memory in the initial state.
    pub fn memory(&self) -> Vec<i32> {
        let mut memory = Vec::with_capacity(self.layout.frame as usize);
        memory.extend_from_slice(&self.image);
        memory.extend_from_slice(&self.program.constants);
        memory.resize(self.layout.frame as usize, 0);
        memory
    }

    /// Where the bases are for code of a process.
    pub fn context(&self, process: ProcessId) -> Context {
        let (constant, frame) = (self.layout.data, self.layout.program);
        match self.processes.get(process.index()) {
            Some(p) => Context::new(p.variables.start, p.meta.start, p.data.start, 0, constant, frame),
            None => Context::new(0, 0, 0, 0, constant, frame),
        }
    }

    /// Where the bases are for the labels of an edge instance.
    pub fn instance_context(&self, instance: &Instance) -> Context {
        self.context(instance.process).with_instance(instance.data)
    }

    /// Where the bases are for code that belongs to no process.
    pub fn global_context(&self) -> Context {
        Context::new(0, 0, 0, 0, self.layout.data, self.layout.program)
    }

    /// An edge instance.
    #[inline(always)]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.index()]
    }

    /// The edge of an instance.
    pub fn edge(&self, instance: &Instance) -> &Edge {
        let variant = self.processes[instance.process.index()].variant;
        &self.variants[variant as usize].edges[instance.edge as usize]
    }

    /// The numbers of the edge instances that leave a location of a process.
    pub fn outgoing(&self, process: ProcessId, location: LocationId) -> Instances {
        let home = &self.processes[process.index()];
        let locations = self.variants[home.variant as usize].locations.len();
        let at = home.starts as usize + location.index();
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&end)) if location.index() < locations => Instances::new(start, end),
            _ => Instances::default(),
        }
    }

    /// The value of a cell that no code ever writes to.
    pub fn constant(&self, cell: Cell, context: &Context) -> Option<i32> {
        self.constant_at(context.address(cell) as u32)
    }

    /// The value at an address that no code ever writes to.
    pub fn constant_at(&self, address: u32) -> Option<i32> {
        let Layout {
            meta, data, program, ..
        } = self.layout;
        if (meta..data).contains(&address) {
            self.image.get(address as usize).copied()
        } else if (data..program).contains(&address) {
            self.program.constants.get((address - data) as usize).copied()
        } else {
            None
        }
    }

    /// The values of the expanded selects of an instance, in the order of the label.
    pub fn select_values(&self, instance: &Instance) -> impl Iterator<Item = i32> {
        let context = self.instance_context(instance);
        let expanded = self.edge(instance).selects.iter().filter(|s| s.expanded);
        expanded.filter_map(move |s| self.constant(s.cell, &context))
    }

    /// The expressions that have wrapped in some run of the code, specialised or not.
    pub fn wraps(&self) -> Vec<Span> {
        let is_it = |check: Check| check == Check::Operation;
        let sites = self.program.wraps.positions();
        let mut places: Vec<Span> = sites
            .filter_map(|at| self.program.site(Entry(at), is_it))
            .map(|site| site.span)
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// A run that stopped early as a run-time error of the model.
    pub fn fault(&self, trap: Trap) -> Fault {
        let site = |is_it: &dyn Fn(Check) -> bool| self.program.site(trap.at, is_it);
        let (check, kind) = match trap.cause {
            Cause::Undefined(undefined) => (Check::Operation, undefined.into()),
            Cause::Index { index, .. } if site(&|c| c == Check::Process).is_some() => {
                (Check::Process, FaultKind::NoSuchProcess(index.to_string()))
            }
            Cause::Index { index, lo, len } => {
                let hi = (i64::from(lo) + i64::from(len) - 1).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
                (
                    Check::Index,
                    FaultKind::IndexOutOfRange {
                        index,
                        lo,
                        hi: hi as i32,
                    },
                )
            }
            Cause::OutOfRange { value, lo, hi } => {
                let site = site(&|c| matches!(c, Check::Value | Check::Argument | Check::Result));
                let name = || site.and_then(|s| s.name.clone()).unwrap_or_else(|| "".into());
                let subject = match site.map(|s| s.check) {
                    Some(Check::Argument) => Subject::Argument(name()),
                    Some(Check::Result) => Subject::Result(name()),
                    _ => Subject::Value,
                };
                let kind = FaultKind::OutOfRange {
                    value,
                    lo,
                    hi,
                    subject,
                };
                return kind.at(site.map_or(Span::NONE, |s| s.span));
            }
            Cause::NegativeClock(value) => {
                let text = value.map_or_else(|| "below zero".to_string(), |v| v.to_string());
                (Check::Clock, FaultKind::NegativeClock(text))
            }
            Cause::AssertionFailed => (Check::Assertion, FaultKind::AssertionFailed),
            Cause::DoesNotTerminate => (Check::Loop, FaultKind::DoesNotTerminate),
            Cause::NoInteger => (Check::Operation, FaultKind::Overflow),
            Cause::Misplaced => (
                Check::Operation,
                FaultKind::unsupported("code outside its network"),
            ),
        };
        kind.at(site(&|c| c == check).map_or(Span::NONE, |s| s.span))
    }
}
