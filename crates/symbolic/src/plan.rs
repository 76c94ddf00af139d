//! What symbolic successors need of a network, laid out once and shared.

use crate::condition::{Conditions, Conjunction, Constraint};
use crate::stop::Stop;
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::{Base, Context};
use zonewalk_network::constraint::Term;
use zonewalk_network::instr::{Entry, Instr};
use zonewalk_network::{Instance, Network};
use zonewalk_zones::Bound;

/// No channel.
pub(crate) const NONE: u32 = u32::MAX;

/// What an edge instance does on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Internal,
    Send,
    Receive,
    /// With all the processes that have the channel.
    Together,
}

/// An edge instance.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) process: u32,
    pub(crate) target: u32,
    pub(crate) role: Role,
    /// [`NONE`] for internal edges and where the state decides.
    pub(crate) channel: u32,
    pub(crate) guard: Conjunction,
    pub(crate) update: Option<Entry>,
    pub(crate) has_free_selects: bool,
    pub(crate) context: Context,
}

/// A location of a process.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) invariant: Conjunction,
    pub(crate) has_rates: bool,
    pub(crate) committed: bool,
    pub(crate) urgent: bool,
    /// Edge instances that leave it.
    pub(crate) outgoing: Range<u32>,
    /// Those of them that may synchronise on an urgent channel.
    pub(crate) urgent_edges: Range<u32>,
}

/// The static part of the zone graph of a network.
pub struct Plan<'n> {
    /// The network.
    pub network: &'n Network,
    pub(crate) edges: Vec<Edge>,
    places: Vec<Place>,
    place_base: Vec<u32>,
    pub(crate) conditions: Conditions,
    /// Edges that may synchronise on urgent channels, by place.
    pub(crate) urgent_edges: Vec<u32>,
    /// Some location sets the rate of a clock: zones over-approximate.
    pub(crate) has_rates: bool,
    pub(crate) has_routines: bool,
    /// Differences of clocks that guards and invariants compare with constants, each once; `None` when some bound is
    /// not constant.
    pub(crate) diagonals: Option<Vec<Constraint>>,
    /// By clock: whether something depends on a comparison of it being false, so that lower and upper bounds cannot be
    /// told apart.
    pub(crate) symmetric: Vec<bool>,
    /// The largest number that a clock is set to; `None` when that is not known, or when clocks are copied.
    pub(crate) largest_reset: Option<i32>,
    /// Memory in the initial state.
    pub(crate) image: Vec<i32>,
}

impl<'n> Plan<'n> {
    /// Lays a network out.
    ///
    /// # Errors
    /// When a clock is compared with a number that zones cannot hold.
    pub fn new(network: &'n Network) -> Result<Self, Stop> {
        let mut plan = Plan {
            network,
            edges: Vec::with_capacity(network.instances.len()),
            places: Vec::new(),
            place_base: Vec::with_capacity(network.processes.len()),
            conditions: Conditions::default(),
            urgent_edges: Vec::new(),
            has_rates: network
                .variants
                .iter()
                .flat_map(|v| &v.locations)
                .any(|l| !l.rates.is_empty()),
            has_routines: network.before_update.is_some() || network.after_update.is_some(),
            diagonals: Some(Vec::new()),
            symmetric: vec![false; network.clocks.len()],
            largest_reset: Some(0),
            image: network.memory(),
        };
        if let Some(&large) = network.clocks.iter().find(|&&c| c > Bound::MAX_CONSTANT) {
            return Err(Stop::Constant(large));
        }
        plan.add_edges()?;
        plan.add_places()?;
        plan.add_diagonals();
        plan.find_resets();
        plan.find_symmetric();
        Ok(plan)
    }

    /// Whether zones over-approximate what the model does, because clocks can be stopped (`semantics.md` 3).
    pub fn is_approximate(&self) -> bool {
        self.has_rates
    }

    #[inline]
    pub(crate) fn place(&self, process: u32, location: i32) -> &Place {
        &self.places[(self.place_base[process as usize] + location as u32) as usize]
    }

    fn add_edges(&mut self) -> Result<(), Stop> {
        let network = self.network;
        for instance in &network.instances {
            let edge = network.edge(instance);
            let context = network.instance_context(instance);
            let guard = self.conditions.add(network, network.guard(instance), &context)?;
            let role = match edge.sync.map(|s| s.direction) {
                None => Role::Internal,
                Some(Direction::Together) => Role::Together,
                Some(Direction::Send) => Role::Send,
                Some(Direction::Receive) => Role::Receive,
            };
            let is_fixed = instance.channel < Instance::ANY_CHANNEL;
            self.edges.push(Edge {
                process: instance.process,
                target: edge.target,
                role,
                channel: if is_fixed { instance.channel } else { NONE },
                guard,
                update: edge.update,
                has_free_selects: edge.selects.iter().any(|s| !s.expanded),
                context,
            });
        }
        Ok(())
    }

    fn add_places(&mut self) -> Result<(), Stop> {
        let network = self.network;
        for (number, process) in (0..).zip(&network.processes) {
            self.place_base.push(self.places.len() as u32);
            let context = network.context(number);
            let locations = &network.variants[process.variant as usize].locations;
            for (l, location) in (0..).zip(locations) {
                let invariant = self.conditions.add(network, &location.invariant, &context)?;
                let outgoing = network.outgoing(number, l);
                let start = self.urgent_edges.len() as u32;
                let urgent = outgoing
                    .clone()
                    .filter(|&e| self.may_be_urgent(&self.edges[e as usize]));
                let urgent: Vec<u32> = urgent.collect();
                self.urgent_edges.extend(urgent);
                self.places.push(Place {
                    invariant,
                    has_rates: !location.rates.is_empty(),
                    committed: location.committed,
                    urgent: location.urgent,
                    outgoing,
                    urgent_edges: start..self.urgent_edges.len() as u32,
                });
            }
        }
        Ok(())
    }

    /// Finds out what clocks are set to.
    fn find_resets(&mut self) {
        let network = self.network;
        let context = network.global_context();
        for instruction in &network.program.code {
            let number = match instruction {
                // Cells of processes hold other numbers in each of them.
                Instr::SetClock { value, .. } if matches!(value.base(), Base::Constant | Base::Absolute) => {
                    network.constant(*value, &context)
                }
                Instr::SetClock { .. } | Instr::CopyClock { .. } | Instr::CopyClocks { .. } => None,
                _ => continue,
            };
            self.largest_reset = match (self.largest_reset, number) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
    }

    /// Finds the clocks for which it matters that a comparison is false: who does not receive a broadcast
    /// (`semantics.md` 12), when urgency does not yet stop time (2), what a higher priority does not block (15). The
    /// abstractions by lower and upper bounds keep what is possible, and only that.
    fn find_symmetric(&mut self) {
        let network = self.network;
        let copies = |i: &Instr| matches!(i, Instr::CopyClock { .. } | Instr::CopyClocks { .. });
        let has_copies = network.program.code.iter().any(copies);
        let is_broadcast = |edge: &Edge| {
            let channel = network.channels.get(edge.channel as usize);
            edge.role == Role::Receive && channel.is_none_or(|c| c.broadcast)
        };
        let mut any = false;
        for (number, edge) in self.edges.iter().enumerate() {
            if is_broadcast(edge) || self.may_be_urgent(edge) {
                for clock in network.sets.members(network.instances[number].clock_reads) {
                    any = true;
                    if let Some(flag) = self.symmetric.get_mut(clock as usize) {
                        *flag = true;
                    }
                }
            }
        }
        // Behind a copy a clock takes over the bounds of another.
        if network.has_priorities || any && has_copies {
            self.symmetric.fill(true);
        }
    }

    /// Whether an edge may synchronise on an urgent channel.
    fn may_be_urgent(&self, edge: &Edge) -> bool {
        let channels = &self.network.channels;
        edge.role != Role::Internal
            && match channels.get(edge.channel as usize) {
                Some(channel) => channel.urgent,
                None => channels.iter().any(|c| c.urgent),
            }
    }

    /// Collects the comparisons of differences, with the clocks and numbers that they have in each process.
    fn add_diagonals(&mut self) {
        let network = self.network;
        let mut found = Vec::new();
        let mut known = true;
        let mut look = |terms: &[Term], context: &Context| {
            for term in terms {
                let Term::Clock(bound) = term else { continue };
                let Some(right) = bound.right else { continue };
                let constant = |cell| network.constant(cell, context);
                match (constant(bound.left), constant(right), constant(bound.bound)) {
                    (Some(l), Some(r), Some(c)) if bound.setup.is_none() => {
                        let relation = bound.relation;
                        // What is too large is refused where the condition is added.
                        known &= crate::condition::constraints(
                            l as u32 + 1,
                            r as u32 + 1,
                            relation,
                            c,
                            &mut found,
                        )
                        .is_ok();
                    }
                    _ => known = false,
                }
            }
        };
        for instance in &network.instances {
            look(network.guard(instance), &network.instance_context(instance));
        }
        for (number, process) in (0..).zip(&network.processes) {
            for location in &network.variants[process.variant as usize].locations {
                look(&location.invariant, &network.context(number));
            }
        }
        let mut unique: Vec<Constraint> = Vec::new();
        for constraint in found {
            if !unique.contains(&constraint) && !unique.contains(&constraint.complement()) {
                unique.push(constraint);
            }
        }
        self.diagonals = known.then_some(unique);
    }
}
