//! A network as walks need it, laid out for the inner loop: operands resolved to addresses, fixed clocks and
//! bounds to numbers, and for every set of written variables the processes that must be examined again.
//!
//! A plan is made once and shared by all threads.

pub(crate) mod assign;
pub(crate) mod condition;
pub(crate) mod counts;
pub(crate) mod dependents;
mod facts;
pub(crate) mod gate;
pub(crate) mod rates;
mod watch;

pub(crate) use facts::Limit;
pub use facts::{EdgeFacts, LocationFacts};

use crate::plan::assign::Assign;
use crate::plan::condition::Ticks;
use crate::plan::counts::Counts;
use crate::plan::dependents::{Dependents, ProcessReaders};
use crate::plan::gate::Gate;
use crate::plan::rates::RateCell;
use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{RateSetting, Term};
use zonewalk_network::effort::Efforts;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::ids::{LocationId, ProcessId};
use zonewalk_network::specialise::needs_instance;
use zonewalk_network::{Extent, Network};
pub(crate) use zonewalk_product::Role;
use zonewalk_product::together::paired_role;
use zonewalk_product::{General, LocationInstanceId, Product};

/// No position, no gate, no code: what a table of the inner loop holds where there is none. Edges, processes, channels and
/// clocks have types of their own.
pub(crate) const NONE: u32 = u32::MAX;

/// Binary logarithm of the ticks per unit of time, where the model's constants allow it. Instants are even.
const TICK_BITS: u32 = 21;

/// An edge instance with what walks know about it.
pub(crate) type EdgeInstance = zonewalk_product::EdgeInstance<EdgeFacts>;

/// A location of a process with what walks know about it.
pub(crate) type LocationInstance = zonewalk_product::LocationInstance<LocationFacts>;

/// The static part of walking a network: its product, and what walks look up instead of finding it out in every step.
pub struct WalkPlan<'n> {
    product: Product<'n, Ticks, EdgeFacts, LocationFacts>,
    /// Ticks per unit of time, a power of two.
    pub unit: i64,
    /// By number of [`zonewalk_product::Conditions::rest`]: the number of its last result, if it is code that many share.
    pub(crate) memos: Vec<u32>,
    pub(crate) dependents: Dependents,
    pub(crate) counts: Counts,
    pub(crate) assigns: Vec<Assign>,
    /// Cells that the code of guards reads.
    pub(crate) rest_reads: Vec<Extent>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) bounded: Vec<ProcessId>,
    pub(crate) clock_readers: Vec<ProcessReaders>,
    /// Clocks, and the addresses of their rates.
    pub(crate) rates: Vec<(ClockId, u32)>,
    /// Cells that are rates, sorted; [`crate::plan::dependents::Watcher::rates`] says where those of a cell begin.
    pub(crate) rate_cells: Vec<RateCell>,
    pub(crate) coverage_count: u32,
    /// Some edge is several transitions.
    pub(crate) has_ways: bool,
    /// By edge: [`EdgeFacts::ways`] in one place; empty unless an edge with a channel is several transitions.
    pub(crate) ways: Vec<u32>,
    /// Stands in for "no upper bound" when a delay is chosen: one unit more than the largest constant that
    /// clocks are compared to, beyond which nothing new happens.
    pub(crate) open_end: i64,
    /// How many pieces of code are shared by many conditions.
    pub(crate) memo_count: usize,
    /// Cost of a run of each piece of code in conditions, updates and channels, by process and where that matters by instance.
    pub(crate) efforts: Vec<u32>,
}

impl<'n> Deref for WalkPlan<'n> {
    type Target = Product<'n, Ticks, EdgeFacts, LocationFacts>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.product
    }
}

impl<'n> WalkPlan<'n> {
    /// Lays out a network.
    pub fn new(network: &'n Network) -> Self {
        let largest = largest_constant(network);
        // A walk of 2^18 steps, each of at most the largest constant and one, must fit into 62 bits.
        let bits = 64 - (largest as u64 + 2).leading_zeros();
        let unit = 1i64 << TICK_BITS.min(62u32.saturating_sub(19 + bits));
        let Ok(product) = Product::new(network, Ticks { unit });
        let mut plan = WalkPlan {
            product,
            unit,
            memos: Vec::new(),
            dependents: Dependents::default(),
            counts: Counts::default(),
            assigns: Vec::new(),
            gates: Vec::new(),
            bounded: Vec::new(),
            clock_readers: Vec::new(),
            rest_reads: Vec::new(),
            rates: Vec::new(),
            rate_cells: Vec::new(),
            coverage_count: 0,
            has_ways: false,
            ways: Vec::new(),
            open_end: (largest + 1) * unit,
            memo_count: 0,
            efforts: Vec::new(),
        };
        plan.annotate_locations();
        plan.annotate_edges();
        plan.number_code();
        plan.share_code();
        plan.add_gates();
        plan.add_counts();
        plan.dependents = Dependents::new(network, &plan.gates, &|edge, extent| plan.asked(edge, extent));
        plan.rate_cells = plan.rate_cells();
        plan.dependents.add_rates(&plan.rate_cells);
        plan.find_effects();
        plan
    }

    /// How many transitions some edges with channels are together, each with one partner.
    pub(crate) fn ways_of(&self, edges: &[InstanceId]) -> u64 {
        let ways = edges.iter().map(|&edge| u64::from(self.ways[edge.index()]));
        ways.sum()
    }

    /// Processes whose invariants depend on what is known about taking an edge.
    #[inline(always)]
    pub(crate) fn bounded(&self, edge: InstanceId) -> &[ProcessId] {
        let bounded = &self.edge(edge).own.bounded;
        &self.bounded[bounded.start as usize..bounded.end as usize]
    }

    fn annotate_edges(&mut self) {
        let network = self.network;
        let mut coverage_base = 0;
        let template_base: Vec<u32> = network
            .variants
            .iter()
            .scan(0, |next, variant| {
                let base = *next;
                *next += variant.edges.len() as u32;
                Some(base)
            })
            .collect();
        for process in &network.processes {
            for number in process.instances {
                let instance = network.instance(number);
                self.annotate_edge(number);
                self.product.edges[number.index()].own.coverage = [
                    coverage_base + instance.edge,
                    number.0,
                    template_base[process.variant as usize] + instance.edge,
                ];
            }
            coverage_base += network.variants[process.variant as usize].edges.len() as u32;
        }
        // An edge of a process has an instance, unless it can never be taken.
        self.coverage_count = coverage_base.max(network.instances.len() as u32);
        self.has_ways = self.edges.iter().any(|edge| edge.own.ways > 1);
        let is_paired = |edge: &EdgeInstance| edge.role != Role::Internal && edge.own.ways > 1;
        if self.edges.iter().any(is_paired) {
            self.ways = self.edges.iter().map(|edge| edge.own.ways as u32).collect();
        }
    }

    fn annotate_edge(&mut self, number: InstanceId) {
        let network = self.network;
        let compiled = network.edge(network.instance(number));
        let edge = &mut self.product.edges[number.index()];
        if edge.role == Role::Together {
            // A plan for what walks do not support has an edge that no process begins.
            edge.role = paired_role(network, number).unwrap_or(Role::Receive);
        }
        if edge.role == Role::Internal {
            edge.channel = None;
        }
        let edge = &self.edges[number.index()];
        let (from, to) = (
            &self.locations[edge.endpoints.0.index()],
            &self.locations[edge.endpoints.1.index()],
        );
        let reads = condition::rest_reads(&self.conditions, &edge.guard, network, &edge.context);
        let limit = match edge.is_dynamic() {
            false => condition::limit(&self.conditions, &edge.guard),
            true => Limit::Other,
        };
        let (first, first_read) = (self.assigns.len() as u32, self.rest_reads.len() as u32);
        let mut own = EdgeFacts {
            is_pressing: edge.source != edge.target
                && (from.committed || from.urgent || to.committed || to.urgent),
            ways: ways(compiled),
            is_alone: edge.role == Role::Internal && !edge.has_free_selects,
            is_plain: limit == Limit::None,
            limit,
            ..EdgeFacts::default()
        };
        let context = edge.context;
        if assign::decode(network, compiled, &context, self.unit, &mut self.assigns) {
            own.assigns = Some(first..self.assigns.len() as u32);
        }
        if let Some(reads) = reads {
            self.rest_reads.extend(reads);
            own.rest_reads = Some(first_read..self.rest_reads.len() as u32);
        }
        self.product.edges[number.index()].own = own;
    }

    /// Numbers the code of updates, after that of conditions, and of channels.
    fn number_code(&mut self) {
        let network = self.network;
        let program = &network.program;
        let mut by_instance: BTreeMap<u32, bool> = BTreeMap::new();
        let mut numbers: BTreeMap<(u32, ProcessId, u32), u32> = BTreeMap::new();
        let first = self.conditions.rest.len() as u32;
        let mut efforts = Efforts::default();
        self.efforts = vec![0; first as usize];
        for (general, of) in self.product.conditions.rest.iter().zip(&mut self.efforts) {
            *of = match *general {
                General::Code(entry) => efforts.of(network, Some(entry)),
                General::Clock(bound) => efforts.of(
                    network,
                    self.product.conditions.clock_bounds[bound as usize].0.setup,
                ),
                General::Compare(_) => 0,
            };
        }
        for (number, edge) in (0..).zip(&mut self.product.edges) {
            if let (Some(update), None) = (edge.update, &edge.own.assigns) {
                let is_own = by_instance
                    .entry(update.0)
                    .or_insert_with(|| needs_instance(program, update));
                let next = first + numbers.len() as u32;
                let key = (update.0, edge.process, if *is_own { number } else { NONE });
                edge.own.update_code = *numbers.entry(key).or_insert_with(|| {
                    self.efforts.push(efforts.of(network, Some(update)));
                    next
                });
            }
        }
        for (number, edge) in (0..).zip(&mut self.product.edges) {
            if edge.is_dynamic() {
                edge.own.channel_code = self.efforts.len() as u32;
                let sync = network.edge(&network.instances[number]).sync;
                self.efforts.push(efforts.of(network, sync.and_then(|s| s.setup)));
            }
        }
    }

    /// Lists what each edge is known to affect before it is taken.
    fn find_effects(&mut self) {
        let Product {
            edges,
            locations,
            conditions,
            ..
        } = &mut self.product;
        for edge in edges {
            edge.own.memo = condition::only_code(conditions, &edge.guard)
                .map_or(NONE, |number| self.memos[number as usize]);
            let (bounded, readers) = (self.bounded.len(), self.clock_readers.len());
            let is_moving = edge.source != edge.target;
            let has_invariant =
                |location: LocationInstanceId| !locations[location.index()].invariant.is_trivial();
            if is_moving && (has_invariant(edge.endpoints.0) || has_invariant(edge.endpoints.1)) {
                self.bounded.push(edge.process);
            }
            let assigns = edge.own.assigns.clone().unwrap_or_default();
            for assign in &self.assigns[assigns.start as usize..assigns.end as usize] {
                let Assign::Clock { clock, .. } = assign else {
                    continue;
                };
                let readers_of = &self.dependents.by_clock[clock.index()];
                for &process in &readers_of.invariants {
                    if !self.bounded[bounded..].contains(&process) {
                        self.bounded.push(process);
                    }
                }
                // All the edges of a process that moves are examined anyway.
                let others = readers_of.guards.iter();
                let others = others.filter(|t| !is_moving || t.process != edge.process);
                self.clock_readers.extend(others.cloned());
            }
            edge.own.bounded = bounded as u32..self.bounded.len() as u32;
            edge.own.clock_readers = readers as u32..self.clock_readers.len() as u32;
        }
    }

    /// The value of a cell that never changes.
    pub(crate) fn constant(&self, address: u32) -> Option<i32> {
        let is_constant = address >= self.network.layout.meta;
        is_constant.then(|| self.image[address as usize])
    }

    fn annotate_locations(&mut self) {
        let network = self.network;
        for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
            let context = network.context(number);
            let locations = &network.variants[process.variant as usize].locations;
            for (l, location) in (0..).map(LocationId).zip(locations) {
                let place = self.location_number(number, l).index();
                let invariant = &self.locations[place].invariant;
                let limit = match invariant.compares.is_empty() {
                    true => condition::limit(&self.conditions, invariant),
                    false => Limit::Other,
                };
                let plain_rates = self.plain_rates(&location.rates, &context);
                self.product.locations[place].own = LocationFacts { limit, plain_rates };
            }
        }
    }

    fn plain_rates(&mut self, settings: &[RateSetting], context: &Context) -> Option<Range<u32>> {
        let plain = |s: &RateSetting| {
            let clock = ClockId(self.network.constant(s.clock, context)? as u32);
            (s.when.is_none() && s.setup.is_none()).then(|| (clock, context.address(s.rate) as u32))
        };
        let list: Vec<(ClockId, u32)> = settings.iter().map(plain).collect::<Option<_>>()?;
        let start = self.rates.len() as u32;
        self.rates.extend(list);
        Some(start..self.rates.len() as u32)
    }
}

/// No edge counts as more transitions than this, so that sums of products fit into 64 bits. Whatever is beside that many is
/// hardly ever drawn anyway.
const MOST_WAYS: u64 = 1 << 20;

/// How many values there are for those selects of an edge that are drawn when it is taken.
fn ways(edge: &zonewalk_network::Edge) -> u64 {
    let free = edge.selects.iter().filter(|s| !s.expanded);
    let counts = free.map(|s| (i64::from(s.hi) - i64::from(s.lo) + 1).max(1) as u64);
    counts.fold(1, |ways, count| ways.saturating_mul(count).min(MOST_WAYS))
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
