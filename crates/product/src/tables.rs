//! The tables of a network: edge instances and locations with their conditions, laid out once and shared.

use crate::condition::{ClockForm, Conditions, Conjunction};
use crate::effect::{ChosenCell, Effect};
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Term;
use zonewalk_network::ids::{ChannelId, InstanceId, Instances, LocationId, ProcessId};
use zonewalk_network::instr::Entry;
use zonewalk_network::{Channel, Network, Routine, Select};

/// How an edge instance takes part in transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// By itself.
    Internal,
    /// Sender of a handshake or a broadcast.
    Send,
    /// As a receiver.
    Receive,
    /// With all the processes that have the channel (`semantics.md` 16a).
    Together,
}

impl Role {
    /// Role of an edge of the network.
    pub(crate) fn of(edge: &zonewalk_network::Edge) -> Role {
        match edge.sync.map(|s| s.direction) {
            None => Role::Internal,
            Some(Direction::Send) => Role::Send,
            Some(Direction::Receive) => Role::Receive,
            Some(Direction::Together) => Role::Together,
        }
    }
}

/// A location of a process: index into [`Product::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationInstanceId(pub(crate) u32);

impl LocationInstanceId {
    /// As an index into the table of locations.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge instance. `X` is what an engine adds to it.
#[derive(Clone, Debug)]
pub struct EdgeInstance<X> {
    /// The process.
    pub process: ProcessId,
    /// The location that it leaves.
    pub source: LocationId,
    /// The location that it enters.
    pub target: LocationId,
    /// How it takes part in transitions.
    pub role: Role,
    /// Channel; `None` for internal edges and where the state decides.
    pub channel: Option<ChannelId>,
    /// Source and target.
    pub endpoints: (LocationInstanceId, LocationInstanceId),
    /// The guard.
    pub guard: Conjunction,
    /// The update.
    pub update: Option<Entry>,
    /// Some selects are chosen when the edge is taken, because only its update reads them.
    pub has_free_selects: bool,
    /// It belongs to a projection that does not know all that it depends on: where it seems to be possible it need not be.
    pub is_partial: bool,
    /// Where its labels find their variables.
    pub context: Context,
    /// The edge instance of the network that it is; of a projection, one that it stands for.
    pub instance: InstanceId,
    /// Data added by the engine.
    pub own: X,
}

impl<X> EdgeInstance<X> {
    /// Whether the state decides about its channel.
    #[inline]
    pub fn is_dynamic(&self) -> bool {
        self.channel.is_none() && self.role != Role::Internal
    }
}

/// A location of a process. `Y` is what an engine adds to it.
#[derive(Clone, Debug)]
pub struct LocationInstance<Y> {
    /// Its invariant.
    pub invariant: Conjunction,
    /// It sets rates of clocks.
    pub has_rates: bool,
    /// Committed.
    pub committed: bool,
    /// Urgent.
    pub urgent: bool,
    /// Edge instances that leave it.
    pub outgoing: Instances,
    /// Outgoing edges that may synchronise on an urgent channel, in [`Product::urgent_edges`].
    pub(crate) urgent_edges: Range<u32>,
    /// Data added by the engine.
    pub own: Y,
}

/// The discrete behaviour of a network. `F` says what clocks are to the engine, `X` and `Y` what it adds to edges and locations.
#[derive(Clone, Debug)]
pub struct Product<'n, F: ClockForm, X = (), Y = ()> {
    /// The network.
    pub network: &'n Network,
    /// Clock domain.
    pub form: F,
    /// Edge instances, by their number.
    pub edges: Vec<EdgeInstance<X>>,
    /// Locations, by process.
    pub locations: Vec<LocationInstance<Y>>,
    /// By process: its first location among the locations.
    pub(crate) location_base: Vec<u32>,
    /// The processes; of a projection, those that can do something.
    pub(crate) processes: Vec<ProcessId>,
    /// The guards and invariants of all of them.
    pub conditions: Conditions<F::Bound>,
    /// Some location sets the rate of a clock.
    pub has_rates: bool,
    /// Routines before and after the updates of a transition.
    pub(crate) routines: [Option<Routine>; 2],
    /// There is something of that kind.
    pub has_routines: bool,
    /// Whether some transition may block another.
    pub has_priorities: bool,
    /// In a projection, by edge: removed cells, with the values that are tried before its update.
    pub(crate) choices: Vec<Vec<ChosenCell>>,
    /// In a projection, by edge: what its update does to what is kept.
    pub(crate) effects: Vec<Effect>,
    /// In a projection, by edge: removed cells that its update may write, with the values that stand there instead.
    pub(crate) resets: Vec<Vec<(u32, i32)>>,
    /// In a projection: removed cells that the routines around every transition may write, with the values that stand there
    /// instead.
    pub(crate) always_reset: Vec<(u32, i32)>,
    /// Channels that are urgent.
    pub urgent_channels: Vec<ChannelId>,
    /// Edges that may synchronise on them, by location.
    pub(crate) urgent_edges: Vec<InstanceId>,
    /// Memory in the initial state.
    pub image: Vec<i32>,
}

impl<'n, F: ClockForm, X: Default, Y: Default> Product<'n, F, X, Y> {
    /// Lays a network out.
    ///
    /// # Errors
    /// When the engine does not support a bound on clocks.
    pub fn new(network: &'n Network, form: F) -> Result<Self, F::Refusal> {
        let mut product = Product::begin(network, form);
        product.add_locations()?;
        product.add_edges()?;
        product.find_urgent_edges();
        Ok(product)
    }

    /// Without edges and locations.
    pub(crate) fn begin(network: &'n Network, form: F) -> Self {
        let mut locations = network.variants.iter().flat_map(|v| &v.locations);
        let routines = [network.before_update, network.after_update];
        Product {
            network,
            form,
            edges: Vec::with_capacity(network.instances.len()),
            locations: Vec::new(),
            location_base: Vec::with_capacity(network.processes.len()),
            processes: (0..network.processes.len() as u32).map(ProcessId).collect(),
            conditions: Conditions::default(),
            has_rates: locations.any(|l| !l.rates.is_empty()),
            has_routines: routines.iter().any(Option::is_some),
            routines,
            has_priorities: network.has_priorities,
            choices: Vec::new(),
            effects: Vec::new(),
            resets: Vec::new(),
            always_reset: Vec::new(),
            urgent_channels: (0..)
                .map(ChannelId)
                .zip(&network.channels)
                .filter(|(_, c)| c.urgent)
                .map(|(number, _)| number)
                .collect(),
            urgent_edges: Vec::new(),
            image: network.memory(),
        }
    }

    fn add_locations(&mut self) -> Result<(), F::Refusal> {
        let network = self.network;
        for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
            self.location_base.push(self.locations.len() as u32);
            let context = network.context(number);
            let locations = &network.variants[process.variant as usize].locations;
            for (l, location) in (0..).map(LocationId).zip(locations) {
                let terms = &location.invariant;
                self.locations.push(LocationInstance {
                    invariant: self.conditions.add(network, terms, &context, &self.form)?,
                    has_rates: !location.rates.is_empty(),
                    committed: location.committed,
                    urgent: location.urgent,
                    outgoing: network.outgoing(number, l),
                    urgent_edges: 0..0,
                    own: Y::default(),
                });
            }
        }
        Ok(())
    }

    pub(crate) fn find_urgent_edges(&mut self) {
        for place in 0..self.locations.len() {
            let start = self.urgent_edges.len() as u32;
            for edge in self.locations[place].outgoing {
                if self.may_be_urgent(self.edge(edge)) && !self.edge(edge).is_partial {
                    self.urgent_edges.push(edge);
                }
            }
            self.locations[place].urgent_edges = start..self.urgent_edges.len() as u32;
        }
    }

    fn add_edges(&mut self) -> Result<(), F::Refusal> {
        let network = self.network;
        for number in (0..network.instances.len() as u32).map(InstanceId) {
            let edge = self.whole_edge(number, network.guard(network.instance(number)))?;
            self.edges.push(edge);
        }
        Ok(())
    }

    /// An edge instance with a guard.
    pub(crate) fn whole_edge(
        &mut self,
        number: InstanceId,
        guard: &[Term],
    ) -> Result<EdgeInstance<X>, F::Refusal> {
        let network = self.network;
        let instance = network.instance(number);
        let edge = network.edge(instance);
        let context = network.instance_context(instance);
        let place = |location| self.location_number(instance.process, location);
        let endpoints = (place(edge.source), place(edge.target));
        Ok(EdgeInstance {
            process: instance.process,
            source: edge.source,
            target: edge.target,
            role: Role::of(edge),
            channel: instance.channel.fixed(),
            endpoints,
            guard: self.conditions.add(network, guard, &context, &self.form)?,
            update: edge.update,
            has_free_selects: edge.selects.iter().any(|s| !s.expanded),
            is_partial: false,
            context,
            instance: number,
            own: X::default(),
        })
    }
}

impl<'n, F: ClockForm, X, Y> Product<'n, F, X, Y> {
    /// The number of a location among those of all processes.
    #[inline]
    pub fn location_number(&self, process: ProcessId, location: LocationId) -> LocationInstanceId {
        LocationInstanceId(self.location_base[process.index()] + location.0)
    }

    /// The processes; of a projection, those that can do something.
    pub fn processes(&self) -> impl Iterator<Item = ProcessId> + '_ {
        self.processes.iter().copied()
    }

    /// An edge instance.
    #[inline(always)]
    pub fn edge(&self, number: InstanceId) -> &EdgeInstance<X> {
        &self.edges[number.index()]
    }

    /// A location of a process.
    #[inline]
    pub fn location(&self, process: ProcessId, location: LocationId) -> &LocationInstance<Y> {
        &self.locations[self.location_number(process, location).index()]
    }

    /// The location that a process is in.
    #[inline]
    pub fn location_in(&self, memory: &[i32], process: ProcessId) -> &LocationInstance<Y> {
        self.location(process, LocationId(memory[process.index()] as u32))
    }

    /// The location that an edge instance leaves.
    #[inline]
    pub fn left(&self, edge: &EdgeInstance<X>) -> &LocationInstance<Y> {
        &self.locations[edge.endpoints.0.index()]
    }

    /// The channel with a number.
    #[inline]
    pub fn channel(&self, number: ChannelId) -> &'n Channel {
        &self.network.channels[number.index()]
    }

    /// The selects of an edge instance whose values are chosen when it is taken (`semantics.md` 13).
    pub fn free_selects(&self, edge: InstanceId) -> impl Iterator<Item = &'n Select> + use<'n, F, X, Y> {
        let network = self.network;
        let selects = &network.edge(network.instance(self.edge(edge).instance)).selects;
        selects.iter().filter(|s| !s.expanded)
    }
}
