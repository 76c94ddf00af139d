//! Where an abstract trace is not a trace of the network: what a pattern would have to keep.
//!
//! The refinement by counterexamples of Rovner, Sievers, Helmert: Counterexample-guided abstraction refinement for pattern
//! selection in optimal classical planning, ICAPS 2019, without clocks: these are kept or not for other reasons.

use super::project::AbstractPath;
use zonewalk_model::tree::Direction;
use zonewalk_network::Network;
use zonewalk_network::constraint::Term;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::vm::{LoopWork, NoClocks};
use zonewalk_product::{Influences, Pattern, Unprojected};
use zonewalk_symbolic::plan::ZonePlan;

/// A component of the network that a pattern may keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Component {
    Cell(u32),
    Clock(ClockId),
}

/// Partners that are examined, at most.
const MOST_PARTNERS: usize = 64;

/// Follows an abstract trace through the network.
pub(super) struct Follower<'a, 'n> {
    plan: &'a ZonePlan<'n>,
    network: &'n Network,
    pattern: &'a Pattern,
    influences: &'a Influences,
    memory: Vec<i32>,
}

impl<'a, 'n> Follower<'a, 'n> {
    pub(super) fn new(
        plan: &'a ZonePlan<'n>,
        pattern: &'a Pattern,
        influences: &'a Influences,
    ) -> Follower<'a, 'n> {
        Follower {
            plan,
            influences,
            network: plan.network,
            pattern,
            memory: plan.network.memory(),
        }
    }

    /// The components whose values forbid the first step that the network cannot make; none if it can make them all, as far as
    /// data and locations are concerned. What is ignored forbids nothing.
    pub(super) fn flaws(mut self, trace: &AbstractPath, is_ignored: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut parts = Vec::new();
        for step in trace {
            parts.clear();
            let mut missing = Vec::new();
            for &part in &step.parts {
                missing.extend(self.missing(part));
                parts.push(part);
            }
            if let [only] = step.parts[..]
                && let Some(partner) = self.partner(only)
            {
                let (partner, lacks) = partner;
                missing.extend(lacks);
                match self
                    .network
                    .edge(self.network.instance(only))
                    .sync
                    .map(|s| s.direction)
                {
                    Some(Direction::Send) => parts.push(partner),
                    _ => parts.insert(0, partner),
                }
            }
            missing.retain(|&cell| !self.pattern.keeps(cell) && !is_ignored(cell));
            if !missing.is_empty() {
                missing.sort_unstable();
                missing.dedup();
                return missing;
            }
            self.take(&parts);
            let differs = |cell: u32| self.memory[cell as usize] != step.discrete[cell as usize];
            let differs = |cell: u32| self.pattern.keeps(cell) && differs(cell);
            if self.pattern.cells().any(differs) {
                let mut guessed: Vec<u32> = parts
                    .iter()
                    .flat_map(|&part| self.influences.matter(self.network, part, differs, |_| false))
                    .filter(|&cell| !self.pattern.keeps(cell) && !is_ignored(cell))
                    .collect();
                if !guessed.is_empty() {
                    guessed.sort_unstable();
                    guessed.dedup();
                    return guessed;
                }
                for cell in self.pattern.cells() {
                    self.memory[cell as usize] = step.discrete[cell as usize];
                }
            }
        }
        Vec::new()
    }

    fn take(&mut self, parts: &[InstanceId]) {
        let mut selects = Vec::new();
        self.plan.first_selects(parts, &mut selects);
        let mut state = Unprojected {
            network: self.network,
            memory: &mut self.memory,
            clocks: &mut NoClocks,
            work: LoopWork::default(),
        };
        // What fails has no effect here; the difference shows where something is kept.
        let _ = self.plan.update(parts, &selects, &mut state);
    }

    /// The cells that keep an edge from being taken.
    fn missing(&mut self, number: InstanceId) -> Vec<u32> {
        let instance = self.network.instance(number);
        let context = self.network.instance_context(instance);
        let mut missing = Vec::new();
        if self.memory[instance.process.index()] != self.network.edge(instance).source.0 as i32 {
            missing.push(instance.process.0);
        }
        for term in self.network.guard(instance) {
            let Term::Data(condition) = term else { continue };
            let holds = condition.holds(&self.network.program, &context, &mut self.memory);
            if !matches!(holds, Ok(true)) {
                missing.extend(self.network.condition_reads(condition, &context));
            }
        }
        missing
    }

    /// The partner of an edge that is taken by itself in the projection, with what keeps it from taking part: the one that least
    /// does.
    fn partner(&mut self, number: InstanceId) -> Option<(InstanceId, Vec<u32>)> {
        let instance = self.network.instance(number);
        let channel = &self.network.channels[instance.channel.fixed()?.index()];
        let others = match self.network.edge(instance).sync?.direction {
            Direction::Send if !channel.broadcast => &channel.receivers,
            Direction::Receive => &channel.senders,
            _ => return None,
        };
        let process = instance.process;
        let others = others
            .iter()
            .filter(|&&other| self.network.instance(other).process != process);
        let others: Vec<InstanceId> = others.take(MOST_PARTNERS).copied().collect();
        let lacking = others.into_iter().map(|other| (other, self.missing(other)));
        lacking.min_by_key(|(_, lacks)| lacks.len())
    }
}
