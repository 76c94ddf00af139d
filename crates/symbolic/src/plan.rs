//! What symbolic successors need of a network, laid out once and shared.

use crate::condition::{Conditions, Conjunction, Constraint};
use crate::stop::Stop;
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Term;
use zonewalk_network::instr::Entry;
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
    /// What a guard forbids matters as well as what it allows: who does not receive, when time is not stopped, what is not
    /// blocked by a priority.
    pub(crate) needs_both_sides: bool,
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
            needs_both_sides: false,
            image: network.memory(),
        };
        if let Some(&large) = network.clocks.iter().find(|&&c| c > Bound::MAX_CONSTANT) {
            return Err(Stop::Constant(large));
        }
        plan.add_edges()?;
        plan.add_places()?;
        plan.add_diagonals();
        let is_timed = |edge: &Edge| edge.guard.is_timed(&plan.conditions);
        let may_be_broadcast = |edge: &Edge| {
            let channel = network.channels.get(edge.channel as usize);
            edge.role == Role::Receive && channel.is_none_or(|c| c.broadcast)
        };
        let is_two_sided = |edge: &Edge| is_timed(edge) && may_be_broadcast(edge);
        plan.needs_both_sides = network.has_priorities
            || plan.edges.iter().any(is_two_sided)
            || plan
                .urgent_edges
                .iter()
                .any(|&e| is_timed(&plan.edges[e as usize]));
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
            let guard = self.conditions.add(network, &edge.guard, &context)?;
            let role = match edge.sync.map(|s| s.direction) {
                None => Role::Internal,
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
        let has_urgent = network.channels.iter().any(|c| c.urgent);
        let may_be_urgent = |edge: &Edge| {
            let is_urgent = |channel: &zonewalk_network::Channel| channel.urgent;
            edge.role != Role::Internal
                && has_urgent
                && network.channels.get(edge.channel as usize).is_none_or(is_urgent)
        };
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
                    .filter(|&e| may_be_urgent(&self.edges[e as usize]));
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
            look(&network.edge(instance).guard, &network.instance_context(instance));
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
