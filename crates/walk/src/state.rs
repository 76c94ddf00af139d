//! A concrete state with everything that is kept up to date about it: which edges are ready, in which windows of
//! absolute time, on which channels, and until when time may pass.
//!
//! All times are absolute ticks since the beginning of the walk. A clock that runs is stored as the instant at which it
//! was 0, so that a delay changes nothing but `now`. Instants are even numbers of ticks; a strict bound is the odd number
//! next to it, on the inside. Windows are then closed intervals of integers whose ends tell whether they belong to the
//! window, and every run on this grid is a run of the model.

use crate::echo::Echo;
use crate::gate::Gated;
use crate::plan::{NONE, Plan, Role};
use crate::refresh::Stop;
use crate::tailor::Tailor;
use crate::tree::{Minimum, Weights};
use zonewalk_network::vm::Clocks;

/// No upper bound.
pub(crate) const FOREVER: i64 = i64::MAX;

/// The valuation of the clocks.
#[derive(Clone, Debug)]
pub(crate) struct ClockValues {
    /// Of a clock that runs: when it was 0. Of one that stands: its value.
    pub(crate) origin: Vec<i64>,
    pub(crate) runs: Vec<bool>,
    pub(crate) now: i64,
    unit: i64,
    /// Clocks that the current transition has set or switched, with what they were before, latest last.
    pub(crate) log: Vec<(u32, i64, bool)>,
}

impl ClockValues {
    /// The value of a clock in ticks.
    #[inline]
    pub(crate) fn value(&self, clock: u32) -> i64 {
        let origin = self.origin[clock as usize];
        if self.runs[clock as usize] {
            self.now - origin
        } else {
            origin
        }
    }

    /// Sets a clock, and notes what it was.
    #[inline(always)]
    pub(crate) fn set_ticks(&mut self, clock: u32, value: i64) {
        let at = clock as usize;
        self.log.push((clock, self.origin[at], self.runs[at]));
        self.origin[at] = if self.runs[at] { self.now - value } else { value };
    }

    /// Stops or starts a clock; its value stays.
    pub(crate) fn switch(&mut self, clock: u32, runs: bool) {
        let value = self.value(clock);
        self.log
            .push((clock, self.origin[clock as usize], self.runs[clock as usize]));
        self.runs[clock as usize] = runs;
        self.origin[clock as usize] = if runs { self.now - value } else { value };
    }

    /// Lets a clock stand at its value. Whoever set it has noted what it was before.
    pub(crate) fn freeze(&mut self, clock: u32) {
        self.origin[clock as usize] = self.value(clock);
        self.runs[clock as usize] = false;
    }

    /// Takes back everything that was noted after the first `keep` entries.
    pub(crate) fn roll_back(&mut self, keep: usize) {
        while self.log.len() > keep
            && let Some((clock, origin, runs)) = self.log.pop()
        {
            self.origin[clock as usize] = origin;
            self.runs[clock as usize] = runs;
        }
    }
}

impl Clocks for ClockValues {
    fn set(&mut self, clock: u32, value: i32) {
        self.set_ticks(clock, i64::from(value) * self.unit);
    }

    fn copy(&mut self, to: u32, from: u32, plus: i32) -> bool {
        let value = self.value(from) + i64::from(plus) * self.unit;
        self.set_ticks(to, value);
        value >= 0
    }
}

/// A window of absolute time. An odd end is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) lo: i64,
    pub(crate) hi: i64,
}

impl Window {
    pub(crate) const ALL: Window = Window {
        lo: i64::MIN,
        hi: FOREVER,
    };
    pub(crate) const NEVER: Window = Window {
        lo: FOREVER - 1,
        hi: i64::MIN,
    };

    #[inline]
    pub(crate) fn and(self, other: Window) -> Window {
        Window {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
        }
    }

    /// Whether no instant of the grid is in it.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.lo + (self.lo & 1) > self.hi
    }

    /// Whether there are instants in it, but none on the grid: it is an open interval of one step of the grid.
    pub(crate) fn is_between(self) -> bool {
        self.lo == self.hi && self.is_empty()
    }

    #[inline]
    pub(crate) fn contains(self, at: i64) -> bool {
        self.lo <= at && at <= self.hi
    }
}

/// The edges that are ready on a channel: data and channel fit, whatever the clocks say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) senders: Vec<u32>,
    pub(crate) receivers: Vec<u32>,
}

/// A state and what is known about it. Cloning the initial one begins a walk.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Locations, variables, constants, temporaries: see `zonewalk_network::Network`.
    pub(crate) memory: Vec<i32>,
    pub(crate) clocks: ClockValues,
    /// By edge instance, good while it is ready; of plain ones always.
    pub(crate) windows: Vec<Window>,
    /// Where a ready edge instance is in its list; `NONE` when it is not ready. See [`State::is_ready`] for gates.
    pub(crate) position: Vec<u32>,
    /// By edge instance: what the rest of its guard said last, while that is good ([`crate::plan::Edge::rest_reads`]).
    pub(crate) rest: Vec<Option<bool>>,
    /// By edge instance: a comparison of its guard that failed when all were looked at. It will be the first to ask, as a
    /// clause of a SAT solver is asked for the literals that it watches.
    pub(crate) failing: Vec<u32>,
    /// The channel of a ready edge instance.
    pub(crate) channel: Vec<u32>,
    /// Ready internal edges, but for those behind gates.
    pub(crate) internal: Vec<u32>,
    pub(crate) gated: Gated,
    /// By channel.
    pub(crate) ends: Vec<Ends>,
    /// By channel the number of pairs (of senders for a broadcast).
    pub(crate) weights: Weights,
    /// By process: the last instant that its invariant allows.
    pub(crate) deadlines: Minimum,
    /// Processes in committed locations.
    pub(crate) committed: Vec<u32>,
    /// Number of processes in urgent locations.
    pub(crate) urgent: u32,
    /// Ready senders on urgent channels, handshake or broadcast.
    pub(crate) urgent_senders: u32,
    /// By clock: how many processes stop it, and how many say that it runs.
    pub(crate) stoppers: Vec<u16>,
    pub(crate) runners: Vec<u16>,
    /// By process: the clocks that its location sets the rate of, and whether they run.
    pub(crate) rates: Vec<Vec<(u32, bool)>>,
    /// By number: the last results of code that many conditions share.
    pub(crate) echoes: Vec<Echo>,
    /// Guards and invariants by their number in `Conditions::rest`, then updates.
    pub(crate) tailor: Tailor,
    /// Grows with every change of memory.
    pub(crate) epoch: u64,
    /// Why the transitions of this state are not known: a guard or channel fails.
    pub(crate) pending: Option<Stop>,
}

impl State {
    /// Memory and clocks of the initial state; nothing is ready yet.
    pub(crate) fn new(plan: &Plan<'_>) -> State {
        let network = plan.network;
        let (edges, channels, clocks) = (plan.edges.len(), network.channels.len(), network.clocks.len());
        let memory = network.memory();
        State {
            gated: Gated::new(&plan.gates, &memory),
            memory,
            clocks: ClockValues {
                origin: network
                    .clocks
                    .iter()
                    .map(|&c| -i64::from(c) * plan.unit)
                    .collect(),
                runs: vec![true; clocks],
                now: 0,
                unit: plan.unit,
                log: Vec::new(),
            },
            windows: plan
                .edges
                .iter()
                .map(|e| if e.is_plain { Window::ALL } else { Window::NEVER })
                .collect(),
            position: vec![NONE; edges],
            rest: vec![None; edges],
            failing: vec![NONE; edges],
            channel: vec![NONE; edges],
            internal: Vec::new(),
            ends: vec![Ends::default(); channels],
            weights: Weights::new(channels),
            deadlines: Minimum::new(network.processes.len()),
            committed: Vec::new(),
            urgent: 0,
            urgent_senders: 0,
            stoppers: vec![0; clocks],
            runners: vec![0; clocks],
            rates: vec![Vec::new(); network.processes.len()],
            echoes: vec![Echo::default(); plan.echo_count],
            tailor: Tailor::new(plan.code_count),
            epoch: 1,
            pending: None,
        }
    }

    /// About how many cells a copy takes.
    pub(crate) fn size(plan: &Plan<'_>) -> usize {
        let network = plan.network;
        let edges = 6 * plan.edges.len();
        edges + 16 * network.channels.len() + 8 * network.processes.len() + network.layout.frame as usize
    }

    /// Becomes a copy of `other` without giving back memory.
    pub(crate) fn restore(&mut self, other: &State) {
        self.memory.clone_from(&other.memory);
        self.clocks.clone_from(&other.clocks);
        self.windows.clone_from(&other.windows);
        self.position.clone_from(&other.position);
        self.rest.clone_from(&other.rest);
        self.channel.clone_from(&other.channel);
        self.internal.clone_from(&other.internal);
        self.gated.restore(&other.gated);
        for (mine, theirs) in self.ends.iter_mut().zip(&other.ends) {
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
        self.pending = other.pending;
        self.epoch += 1;
        for (mine, theirs) in self.rates.iter_mut().zip(&other.rates) {
            mine.clone_from(theirs);
        }
    }

    #[inline]
    pub(crate) fn location(&self, process: u32) -> u32 {
        self.memory[process as usize] as u32
    }

    /// The number of pairs, senders of broadcasts and internal edges that are ready.
    #[inline]
    pub(crate) fn candidates(&self) -> u64 {
        self.weights.total() + self.internal.len() as u64 + self.gated.total()
    }

    /// Whether an edge instance is ready: data and channel fit, whatever the clocks say.
    #[inline]
    pub(crate) fn is_ready(&self, plan: &Plan<'_>, edge: u32) -> bool {
        let gate = plan.edges[edge as usize].gate;
        self.position[edge as usize] != NONE && (gate == NONE || self.gated.is_open(gate))
    }

    /// Puts an edge instance on the list of its channel.
    #[inline(always)]
    pub(crate) fn set_ready(&mut self, plan: &Plan<'_>, edge: u32, channel: u32) {
        let at = edge as usize;
        if self.position[at] != NONE {
            if self.channel[at] == channel {
                return;
            }
            self.remove(plan, edge);
        }
        if plan.edges[at].role == Role::Internal {
            let gate = plan.edges[at].gate;
            if gate == NONE {
                self.position[at] = self.internal.len() as u32;
                self.internal.push(edge);
            } else {
                self.position[at] = self.gated.push(gate, edge);
            }
        } else {
            self.join(plan, edge, channel);
        }
    }

    /// The same for an edge with a channel.
    fn join(&mut self, plan: &Plan<'_>, edge: u32, channel: u32) {
        let at = edge as usize;
        self.channel[at] = channel;
        let list = self.ends[channel as usize].list(plan.edges[at].role);
        self.position[at] = list.len() as u32;
        list.push(edge);
        self.reweigh(plan, channel);
        if plan.has_urgent_channels && self.is_urgent_sender(plan, edge) {
            self.urgent_senders += 1;
        }
    }

    /// Takes an edge instance off its list; the last one of the list takes its place.
    #[inline(always)]
    pub(crate) fn remove(&mut self, plan: &Plan<'_>, edge: u32) {
        let at = edge as usize;
        let position = self.position[at];
        if position == NONE {
            return;
        }
        self.position[at] = NONE;
        if plan.edges[at].role == Role::Internal {
            let gate = plan.edges[at].gate;
            if gate == NONE {
                take_out(&mut self.internal, &mut self.position, position);
            } else if let Some(moved) = self.gated.remove(gate, position) {
                self.position[moved as usize] = position;
            }
        } else {
            self.part(plan, edge, position);
        }
    }

    /// The same for an edge with a channel.
    fn part(&mut self, plan: &Plan<'_>, edge: u32, position: u32) {
        if plan.has_urgent_channels && self.is_urgent_sender(plan, edge) {
            self.urgent_senders -= 1;
        }
        let channel = self.channel[edge as usize];
        let list = self.ends[channel as usize].list(plan.edges[edge as usize].role);
        take_out(list, &mut self.position, position);
        self.reweigh(plan, channel);
    }

    fn is_urgent_sender(&self, plan: &Plan<'_>, edge: u32) -> bool {
        plan.edges[edge as usize].role == Role::Send
            && plan.network.channels[self.channel[edge as usize] as usize].urgent
    }

    /// Updates the number of candidates on a channel.
    fn reweigh(&mut self, plan: &Plan<'_>, channel: u32) {
        let ends = &self.ends[channel as usize];
        let senders = ends.senders.len() as u64;
        let weight = if plan.network.channels[channel as usize].broadcast {
            senders
        } else {
            senders * ends.receivers.len() as u64
        };
        self.weights.set(channel as usize, weight);
    }
}

impl Ends {
    /// Requires: `role` is not that of an internal edge.
    #[inline]
    fn list(&mut self, role: Role) -> &mut Vec<u32> {
        if role == Role::Send {
            &mut self.senders
        } else {
            &mut self.receivers
        }
    }
}

/// Takes the edge at `position` off a list; the last one takes its place.
#[inline]
fn take_out(list: &mut Vec<u32>, positions: &mut [u32], position: u32) {
    if let Some(last) = list.pop()
        && let Some(place) = list.get_mut(position as usize)
    {
        *place = last;
        positions[last as usize] = position;
    }
}
