//! What walks need of a network, laid out for the inner loop: operands resolved to addresses, fixed clocks and
//! bounds to numbers, and for every set of written variables the processes that must be looked at again.
//!
//! A plan is made once and shared by all threads.

use crate::affected::Dependents;
use crate::condition::{Conditions, Conjunction, Question};
use crate::together;
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{RateSetting, Term};
use zonewalk_network::instr::Entry;
use zonewalk_network::{Extent, Instance, Network};

/// Binary logarithm of the ticks per unit of time, where the model's constants allow it. Instants are even.
const TICK_BITS: u32 = 21;

/// No channel, no instance, no position.
pub(crate) const NONE: u32 = u32::MAX;

/// What an edge instance does on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Internal,
    Send,
    Receive,
}

/// An edge instance.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) process: u32,
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) role: Role,
    /// `NONE` for internal edges and where the state decides.
    pub(crate) channel: u32,
    pub(crate) guard: Conjunction,
    pub(crate) update: Option<Entry>,
    /// What the update may write, in [`Plan::writes`].
    pub(crate) writes: Range<u32>,
    /// Some selects are drawn when the edge is taken.
    pub(crate) has_free_selects: bool,
    /// The guard is nothing but comparisons of cells, and the channel is fixed: nothing about it depends on time.
    pub(crate) is_plain: bool,
    pub(crate) context: Context,
    /// Coverage is counted for the edge of the process, whatever the selection.
    pub(crate) coverage: u32,
}

/// A location of a process.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) invariant: Conjunction,
    pub(crate) has_rates: bool,
    /// In [`Plan::rates`], where every rate of the location is the value of a cell for a fixed clock.
    pub(crate) plain_rates: Option<Range<u32>>,
    pub(crate) committed: bool,
    pub(crate) urgent: bool,
    /// Edge instances that leave it.
    pub(crate) outgoing: Range<u32>,
}

/// The static part of walking a network.
pub struct Plan<'n> {
    /// The network.
    pub network: &'n Network,
    /// Ticks per unit of time, a power of two.
    pub unit: i64,
    pub(crate) edges: Vec<Edge>,
    /// Locations of process `p` begin at `place_base[p]`.
    pub(crate) places: Vec<Place>,
    pub(crate) place_base: Vec<u32>,
    pub(crate) conditions: Conditions,
    pub(crate) dependents: Dependents,
    /// Cells that updates may write.
    pub(crate) writes: Vec<Extent>,
    /// Memory in the initial state.
    image: Vec<i32>,
    /// Some location sets the rate of a clock.
    pub(crate) has_rates: bool,
    /// There is a `before_update` or an `after_update`.
    pub(crate) has_routines: bool,
    /// Clocks, and the addresses of their rates.
    pub(crate) rates: Vec<(u32, u32)>,
    pub(crate) coverage_count: u32,
    /// What stands in for "no upper bound" when a delay is chosen: one unit more than the largest constant that
    /// clocks are compared to, beyond which nothing new happens.
    pub(crate) open_end: i64,
    pub(crate) has_urgent_channels: bool,
    pub(crate) urgent_channels: Vec<u32>,
}

impl<'n> Plan<'n> {
    /// Lays out a network.
    pub fn new(network: &'n Network) -> Self {
        let largest = largest_constant(network);
        // A walk of 2^18 steps, each of at most the largest constant and one, must fit into 62 bits.
        let bits = 64 - (largest as u64 + 2).leading_zeros();
        let unit = 1i64 << TICK_BITS.min(62u32.saturating_sub(19 + bits));
        let mut plan = Plan {
            network,
            unit,
            edges: Vec::with_capacity(network.instances.len()),
            places: Vec::new(),
            place_base: Vec::with_capacity(network.processes.len()),
            conditions: Conditions::default(),
            dependents: Dependents::default(),
            writes: Vec::new(),
            image: network.memory(),
            has_rates: network
                .variants
                .iter()
                .flat_map(|v| &v.locations)
                .any(|l| !l.rates.is_empty()),
            has_routines: network.before_update.is_some() || network.after_update.is_some(),
            rates: Vec::new(),
            coverage_count: 0,
            open_end: (largest + 1) * unit,
            has_urgent_channels: network.channels.iter().any(|c| c.urgent),
            urgent_channels: (0..)
                .zip(&network.channels)
                .filter(|(_, c)| c.urgent)
                .map(|(i, _)| i)
                .collect(),
        };
        plan.add_edges();
        plan.add_places();
        plan.dependents = Dependents::new(network, &|edge, cell| plan.question(edge, cell));
        plan
    }

    pub(crate) fn place(&self, process: u32, location: u32) -> &Place {
        &self.places[(self.place_base[process as usize] + location) as usize]
    }

    fn add_edges(&mut self) {
        let network = self.network;
        let mut coverage_base = 0;
        for process in &network.processes {
            let edges = network.variants[process.variant as usize].edges.len() as u32;
            for number in process.instances.clone() {
                let instance = &network.instances[number as usize];
                let edge = network.edge(instance);
                let context = network.instance_context(instance);
                let guard = self.conditions.add(network, &edge.guard, &context, self.unit);
                let role = match edge.sync.map(|s| s.direction) {
                    None => Role::Internal,
                    Some(Direction::Send) => Role::Send,
                    Some(Direction::Receive) => Role::Receive,
                    // Who lays out what walks do not treat gets an edge that nobody begins.
                    Some(Direction::Together) => together::role(network, number).unwrap_or(Role::Receive),
                };
                let fixed = instance.channel < Instance::ANY_CHANNEL && role != Role::Internal;
                let start = self.writes.len() as u32;
                self.writes.extend_from_slice(network.sets.get(instance.writes));
                let is_plain =
                    guard.bounds.is_empty() && guard.rest.is_empty() && (fixed || role == Role::Internal);
                self.edges.push(Edge {
                    process: instance.process,
                    source: edge.source,
                    target: edge.target,
                    role,
                    channel: if fixed { instance.channel } else { NONE },
                    guard,
                    update: edge.update,
                    writes: start..self.writes.len() as u32,
                    has_free_selects: edge.selects.iter().any(|s| !s.expanded),
                    is_plain,
                    context,
                    coverage: coverage_base + instance.edge,
                });
            }
            coverage_base += edges;
        }
        self.coverage_count = coverage_base;
    }

    /// What the guard of an edge asks of a cell.
    fn question(&self, edge: u32, cell: u32) -> Question {
        let edge = &self.edges[edge as usize];
        if edge.channel == NONE && edge.role != Role::Internal {
            return Question::ANY;
        }
        let is_constant = |address: u32| address >= self.network.layout.meta;
        let constant = |address: u32| is_constant(address).then(|| self.image[address as usize]);
        self.conditions.question(&edge.guard, cell, constant)
    }

    fn add_places(&mut self) {
        let network = self.network;
        for (number, process) in network.processes.iter().enumerate() {
            let number = number as u32;
            self.place_base.push(self.places.len() as u32);
            let context = network.context(number);
            for (l, location) in network.variants[process.variant as usize]
                .locations
                .iter()
                .enumerate()
            {
                let invariant = self
                    .conditions
                    .add(network, &location.invariant, &context, self.unit);
                let plain_rates = self.plain_rates(&location.rates, &context);
                self.places.push(Place {
                    invariant,
                    has_rates: !location.rates.is_empty(),
                    plain_rates,
                    committed: location.committed,
                    urgent: location.urgent,
                    outgoing: network.outgoing(number, l as u32),
                });
            }
        }
    }

    fn plain_rates(&mut self, settings: &[RateSetting], context: &Context) -> Option<Range<u32>> {
        let plain = |s: &RateSetting| {
            let clock = self.network.constant(s.clock, context)? as u32;
            (s.when.is_none() && s.setup.is_none()).then(|| (clock, context.address(s.rate) as u32))
        };
        let list: Vec<(u32, u32)> = settings.iter().map(plain).collect::<Option<_>>()?;
        let start = self.rates.len() as u32;
        self.rates.extend(list);
        Some(start..self.rates.len() as u32)
    }
}

/// The largest number that a clock is compared to anywhere.
fn largest_constant(network: &Network) -> i64 {
    let terms = network.variants.iter().flat_map(|v| {
        let guards = v.edges.iter().map(|e| &e.guard);
        guards.chain(v.locations.iter().map(|l| &l.invariant)).flatten()
    });
    terms
        .filter_map(|term| match term {
            Term::Clock(bound) => Some(
                i64::from(bound.range.lo)
                    .abs()
                    .max(i64::from(bound.range.hi).abs()),
            ),
            Term::Data(_) => None,
        })
        .chain(network.clocks.iter().map(|&c| i64::from(c)))
        .max()
        .unwrap_or(0)
}
