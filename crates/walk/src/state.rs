//! A concrete state with everything that is kept up to date about it: which edges are ready, in which windows of
//! absolute time, on which channels, and until when time may pass.

pub(crate) mod atom;
pub(crate) mod gated;
mod long_code;
pub(crate) mod memo;
pub(crate) mod rates;
pub(crate) mod refresh;
pub(crate) mod segment_tree;
pub(crate) mod specialised;

use crate::Stop;
use crate::plan::counts::Counters;
use crate::plan::{EdgeInstance, NONE, Role, WalkPlan};
use crate::state::gated::Gated;
use crate::state::memo::Memo;
use crate::state::segment_tree::{Minimum, Weights};
use crate::state::specialised::SpecialisedCode;
use crate::time::{ClockValue, ClockValues, Window};
use zonewalk_network::ids::LocationId;
use zonewalk_network::ids::{ChannelId, ClockId, InstanceId, ProcessId};
use zonewalk_search::Alarm;

/// Cost of putting an edge on the list of its channel, or taking it off; see `walker::effort`.
const LISTING: u64 = 4;

/// The edges that are ready on a channel: data and channel fit, whatever the clocks say.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadyEdges {
    pub(crate) senders: Vec<InstanceId>,
    pub(crate) receivers: Vec<InstanceId>,
}

/// Status of an edge instance. One piece of memory, because these are used together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeStatus {
    /// Good while it is ready; of a plain edge always.
    pub(crate) window: Window,
    /// Where it is in its list while it is ready; `NONE` when it is not. See [`State::is_ready`] for gates.
    pub(crate) position: u32,
    /// The channel while it is ready.
    pub(crate) channel: ChannelId,
    /// How many comparisons of its guard do not hold, if it [counts](crate::plan::counts) them.
    pub(crate) unmet: u32,
    /// Last value of the rest of its guard, while that is good ([`crate::plan::EdgeFacts::rest_reads`]).
    pub(crate) rest: Option<bool>,
}

impl Counters for [EdgeStatus] {
    #[inline(always)]
    fn of(&mut self, who: u32) -> &mut u32 {
        &mut self[who as usize].unmet
    }
}

/// A state and what is known about it. A walk starts from a clone of the initial state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Locations, variables, constants, temporaries: see `zonewalk_network::Network`.
    pub(crate) memory: Vec<i32>,
    pub(crate) clocks: ClockValues,
    /// By edge instance.
    pub(crate) edges: Vec<EdgeStatus>,
    /// Ready internal edges, but for those behind gates.
    pub(crate) internal: Vec<InstanceId>,
    pub(crate) gated: Gated,
    /// By channel.
    pub(crate) ready: Vec<ReadyEdges>,
    /// By channel the number of handshakes, or of broadcasts, whatever their receivers.
    pub(crate) weights: Weights,
    /// By process: the last instant that its invariant allows.
    pub(crate) deadlines: Minimum,
    /// Processes in committed locations.
    pub(crate) committed: Vec<ProcessId>,
    /// Number of processes in urgent locations.
    pub(crate) urgent: u32,
    /// Ready senders on urgent channels, handshake or broadcast.
    pub(crate) urgent_senders: u32,
    /// By clock: how many processes stop it, and how many say that it runs.
    pub(crate) stoppers: Vec<u16>,
    pub(crate) runners: Vec<u16>,
    /// By process: the clocks that its location sets the rate of, and whether they run.
    pub(crate) rates: Vec<Vec<(ClockId, bool)>>,
    /// By number: the last results of code that many conditions share.
    pub(crate) memos: Vec<Memo>,
    /// Guards and invariants by their number in `Conditions::rest`, then updates and channels.
    pub(crate) specialised: SpecialisedCode,
    /// Cost of code since the state was made, or of its like; see `walker::effort`.
    pub(crate) effort: u64,
    /// Grows with every change of memory.
    pub(crate) epoch: u64,
    /// Edges of which it is not known whether they are ready: their guard or channel fails.
    pub(crate) failing: Vec<(InstanceId, Stop)>,
    /// Says when to leave off within a step.
    pub(crate) alarm: Alarm,
}

impl State {
    /// Memory and clocks of the initial state; nothing is ready yet.
    pub(crate) fn new(plan: &WalkPlan<'_>) -> State {
        let network = plan.network;
        let (channels, clocks) = (network.channels.len(), network.clocks.len());
        let memory = network.memory();
        let unknown = |edge: &EdgeInstance| EdgeStatus {
            window: if edge.own.is_plain {
                Window::ALL
            } else {
                Window::NEVER
            },
            position: NONE,
            channel: ChannelId(0),
            unmet: 0,
            rest: None,
        };
        let mut known: Vec<EdgeStatus> = plan.edges.iter().map(unknown).collect();
        plan.counts.count(&memory, known.as_mut_slice());
        let initial = |&clock: &i32| ClockValue {
            origin: -i64::from(clock) * plan.unit,
            runs: true,
        };
        State {
            gated: Gated::new(&plan.gates, &memory),
            clocks: ClockValues {
                values: network.clocks.iter().map(initial).collect(),
                now: 0,
                unit: plan.unit,
                log: Vec::new(),
            },
            edges: known,
            internal: Vec::new(),
            ready: vec![ReadyEdges::default(); channels],
            weights: Weights::new(channels),
            deadlines: Minimum::new(network.processes.len()),
            committed: Vec::new(),
            urgent: 0,
            urgent_senders: 0,
            stoppers: vec![0; clocks],
            runners: vec![0; clocks],
            rates: vec![Vec::new(); network.processes.len()],
            memos: vec![Memo::default(); plan.memo_count],
            specialised: SpecialisedCode::new(&plan.efforts),
            effort: 0,
            epoch: 1,
            failing: Vec::new(),
            alarm: Alarm::default(),
            memory,
        }
    }

    /// About how many cells a copy takes.
    pub(crate) fn size(plan: &WalkPlan<'_>) -> usize {
        let network = plan.network;
        let edges = 8 * plan.edges.len();
        edges + 16 * network.channels.len() + 8 * network.processes.len() + network.layout.frame as usize
    }

    /// Becomes a copy of `other` without giving back memory.
    pub(crate) fn restore(&mut self, other: &State) {
        self.memory.clone_from(&other.memory);
        self.clocks.clone_from(&other.clocks);
        self.edges.clone_from(&other.edges);
        self.internal.clone_from(&other.internal);
        self.gated.restore(&other.gated);
        for (mine, theirs) in self.ready.iter_mut().zip(&other.ready) {
            mine.senders.clone_from(&theirs.senders);
            mine.receivers.clone_from(&theirs.receivers);
        }
        self.weights.clone_from(&other.weights);
        self.deadlines.clone_from(&other.deadlines);
        self.committed.clone_from(&other.committed);
        self.urgent = other.urgent;
        self.urgent_senders = other.urgent_senders;
        self.stoppers.clone_from(&other.stoppers);
        self.runners.clone_from(&other.runners);
        self.failing.clone_from(&other.failing);
        self.epoch += 1;
        for (mine, theirs) in self.rates.iter_mut().zip(&other.rates) {
            mine.clone_from(theirs);
        }
    }

    #[inline]
    pub(crate) fn location(&self, process: ProcessId) -> LocationId {
        LocationId(self.memory[process.index()] as u32)
    }

    /// The number of transitions that are ready, where a broadcast is one, whatever its receivers.
    #[inline]
    pub(crate) fn candidates(&self) -> u64 {
        self.weights.total() + self.internal.len() as u64 + self.gated.total()
    }

    /// Whether an edge instance is ready: data and channel fit, whatever the clocks say.
    #[inline]
    pub(crate) fn is_ready(&self, plan: &WalkPlan<'_>, edge: InstanceId) -> bool {
        let gate = plan.edge(edge).own.gate;
        self.edges[edge.index()].position != NONE && (gate == NONE || self.gated.is_open(gate))
    }

    /// Puts an edge instance on the list of its channel.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, plan: &WalkPlan<'_>, number: InstanceId, channel: Option<ChannelId>) {
        let known = &self.edges[number.index()];
        if known.position != NONE {
            if channel.is_none_or(|channel| known.channel == channel) {
                return;
            }
            self.remove(plan, number);
        }
        let edge = plan.edge(number);
        if let Some(channel) = channel {
            return self.join(plan, number, channel);
        }
        let position = if edge.own.gate == NONE {
            self.internal.push(number);
            self.internal.len() as u32 - 1
        } else {
            self.gated.push(edge.own.gate, number)
        };
        self.edges[number.index()].position = position;
    }

    /// Joins an edge with a channel to the candidates.
    #[inline(always)]
    fn join(&mut self, plan: &WalkPlan<'_>, number: InstanceId, channel: ChannelId) {
        let list = self.ready[channel.index()].list(plan.edge(number).role);
        let known = &mut self.edges[number.index()];
        known.channel = channel;
        known.position = list.len() as u32;
        list.push(number);
        self.reweigh(plan, channel);
        if !plan.urgent_channels.is_empty() && self.is_urgent_sender(plan, number) {
            self.urgent_senders += 1;
        }
    }

    /// Takes an edge instance off its list; the last one of the list takes its place.
    #[inline(always)]
    pub(crate) fn remove(&mut self, plan: &WalkPlan<'_>, number: InstanceId) {
        let known = &mut self.edges[number.index()];
        let position = known.position;
        if position == NONE {
            return;
        }
        known.position = NONE;
        let edge = plan.edge(number);
        if edge.role != Role::Internal {
            self.part(plan, number, position);
        } else if edge.own.gate == NONE {
            take_out(&mut self.internal, &mut self.edges, position);
        } else if let Some(moved) = self.gated.remove(edge.own.gate, position) {
            self.edges[moved.index()].position = position;
        }
    }

    /// Joins an edge with a channel to the candidates.
    fn part(&mut self, plan: &WalkPlan<'_>, number: InstanceId, position: u32) {
        if !plan.urgent_channels.is_empty() && self.is_urgent_sender(plan, number) {
            self.urgent_senders -= 1;
        }
        let channel = self.edges[number.index()].channel;
        let list = self.ready[channel.index()].list(plan.edge(number).role);
        take_out(list, &mut self.edges, position);
        self.reweigh(plan, channel);
    }

    /// Whether an edge sends on an urgent channel. Requires: it is ready, and on a channel.
    pub(crate) fn is_urgent_sender(&self, plan: &WalkPlan<'_>, edge: InstanceId) -> bool {
        plan.edge(edge).role == Role::Send && plan.channel(self.edges[edge.index()].channel).urgent
    }

    /// Updates the number of candidates on a channel.
    #[inline(always)]
    fn reweigh(&mut self, plan: &WalkPlan<'_>, channel: ChannelId) {
        if !plan.ways.is_empty() {
            return self.reweigh_by_ways(plan, channel);
        }
        let ready = &self.ready[channel.index()];
        let senders = ready.senders.len() as u64;
        let weight = if plan.channel(channel).broadcast {
            senders
        } else {
            senders * ready.receivers.len() as u64
        };
        self.weights.set(channel.index(), weight);
        self.effort += LISTING;
    }

    /// Reweighs a channel whose edges are several transitions each.
    #[cold]
    #[inline(never)]
    fn reweigh_by_ways(&mut self, plan: &WalkPlan<'_>, channel: ChannelId) {
        let ready = &self.ready[channel.index()];
        let senders = plan.ways_of(&ready.senders);
        let weight = if plan.channel(channel).broadcast {
            senders
        } else {
            senders * plan.ways_of(&ready.receivers)
        };
        self.weights.set(channel.index(), weight);
    }
}

impl ReadyEdges {
    /// Requires: `role` is not that of an internal edge.
    #[inline]
    fn list(&mut self, role: Role) -> &mut Vec<InstanceId> {
        if role == Role::Send {
            &mut self.senders
        } else {
            &mut self.receivers
        }
    }
}

/// Takes the edge at `position` off a list; the last one takes its place.
#[inline]
fn take_out(list: &mut Vec<InstanceId>, edges: &mut [EdgeStatus], position: u32) {
    if let Some(last) = list.pop()
        && let Some(place) = list.get_mut(position as usize)
    {
        *place = last;
        edges[last.index()].position = position;
    }
}
