//! Tables for symbolic successors of a network, laid out once and shared.

pub mod diagonals;
pub mod effort;

use crate::condition::Zones;
use crate::plan::diagonals::{Unbounded, compared};
use crate::plan::effort::LongCode;
use crate::state::constraint::Constraint;
use crate::stop::Stop;
use std::ops::Deref;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Term;
use zonewalk_network::ids::{ChannelId, ProcessId};
use zonewalk_network::instr::Instr;
use zonewalk_product::{EdgeInstance, Influences, Pattern, Product, Role};

/// The static part of the zone graph of a network: its product, and what abstractions must know.
pub struct ZonePlan<'n> {
    product: Product<'n, Zones>,
    /// Differences of clocks that guards and invariants compare, each once, or why they are too many.
    pub(crate) diagonals: Result<Vec<Constraint>, Unbounded>,
    /// By clock: whether something depends on a comparison of it being false, so that lower and upper bounds cannot be
    /// told apart.
    pub(crate) symmetric: Vec<bool>,
    /// Whether it is that of a projection.
    pub(crate) is_projected: bool,
    /// Cost of long code, if there is some.
    pub(crate) long_code: Option<LongCode>,
}

impl<'n> Deref for ZonePlan<'n> {
    type Target = Product<'n, Zones>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.product
    }
}

impl<'n> ZonePlan<'n> {
    /// Lays a network out.
    ///
    /// # Errors
    /// When a constant expression of the model fails.
    pub fn new(network: &'n Network) -> Result<Self, Stop> {
        let product = Product::new(network, Zones)?;
        let mut plan = ZonePlan {
            long_code: LongCode::of(&product),
            product,
            diagonals: ZonePlan::compared(network),
            symmetric: vec![false; network.clocks.len()],
            is_projected: false,
        };
        plan.find_symmetric();
        Ok(plan)
    }

    /// The plan for a projection of the network onto a pattern, which is [closed](Pattern::close). What is
    /// known about its clocks holds for fewer of them, too.
    ///
    /// # Errors
    /// As for the whole network.
    pub fn projected(&self, pattern: &Pattern, influences: &Influences) -> Result<ZonePlan<'n>, Stop> {
        let product = Product::projected(self.network, Zones, pattern, influences)?;
        Ok(ZonePlan {
            long_code: LongCode::of(&product),
            product,
            diagonals: self.diagonals.clone(),
            symmetric: self.symmetric.clone(),
            is_projected: true,
        })
    }

    /// Whether zones over-approximate what the model does, because clocks can be stopped (`semantics.md` 3).
    pub fn is_approximate(&self) -> bool {
        self.has_rates
    }

    /// Finds the clocks for which it matters that a comparison is false: a process that does not receive a broadcast
    /// (`semantics.md` 12), when urgency does not yet stop time (2), what a higher priority does not block (15). The
    /// abstractions by lower and upper bounds keep what is possible, and only that.
    fn find_symmetric(&mut self) {
        let network = self.network;
        let copies = |i: &Instr| matches!(i, Instr::CopyClock { .. } | Instr::CopyClocks { .. });
        let has_copies = network.program.code.iter().any(copies);
        let is_broadcast = |edge: &EdgeInstance<()>| {
            let is_sent_to_all = |channel: ChannelId| network.channels[channel.index()].broadcast;
            edge.role == Role::Receive && edge.channel.is_none_or(is_sent_to_all)
        };
        let mut any = false;
        for (instance, edge) in network.instances.iter().zip(&self.product.edges) {
            if is_broadcast(edge) || self.product.may_be_urgent(edge) {
                for clock in network.sets.clocks(instance.clock_reads) {
                    any = true;
                    if let Some(flag) = self.symmetric.get_mut(clock.index()) {
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

    /// Collects the comparisons of differences, with the clocks and numbers that they have in each process.
    fn compared(network: &Network) -> Result<Vec<Constraint>, Unbounded> {
        let mut found = Vec::new();
        let mut look = |terms: &[Term], context: &Context| {
            terms.iter().try_for_each(|term| match term {
                Term::Clock(bound) => compared(network, bound, context, &mut found),
                Term::Data(_) => Ok(()),
            })
        };
        for instance in &network.instances {
            look(network.guard(instance), &network.instance_context(instance))?;
        }
        for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
            for location in &network.variants[process.variant as usize].locations {
                look(&location.invariant, &network.context(number))?;
            }
        }
        Ok(found)
    }
}
