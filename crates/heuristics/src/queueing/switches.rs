//! Iterative context bounding.

use super::last::Last;
use super::{QueueRule, Reached};
use crate::estimate::Heuristic;
use zonewalk_network::Network;
use zonewalk_network::ids::InstanceId;
use zonewalk_search::{StateId, Stored};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// When two transitions in a row are in different contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// No process takes part in both.
    #[default]
    Any,
    /// The participant sets differ.
    Equal,
    /// No process takes part in both, though one of those of the first could have gone on. That is what counts in the
    /// original: a process that cannot go on gives way for nothing.
    Preempting,
}

/// States with fewer switches of context behind them come first.
///
/// Iterative context bounding (Musuvathi, Qadeer: Iterative context bounding for systematic testing of multithreaded programs, PLDI
/// 2007) as MCTA-2012 has it: successors in the same context wait in the first of two queues, others in the second. When the first
/// is empty the two change places, and one more switch is allowed. That is a queue for each number of switches.
pub struct Switches<'n> {
    network: &'n Network,
    counts: Switch,
    last: Last,
    /// By state: how many switches led to it.
    levels: Vec<u16>,
    /// The state that is being expanded.
    source: Option<StateId>,
    /// The level of the state that was asked about last.
    latest: u16,
    /// Where the new successors begin among the states.
    fresh: usize,
    /// Some process of the transition that led to the source can go on.
    goes_on: bool,
}

impl<'n> Switches<'n> {
    /// With this notion of a switch.
    pub fn new(network: &'n Network, counts: Switch) -> Switches<'n> {
        Switches {
            network,
            counts,
            last: Last::default(),
            levels: Vec::new(),
            source: None,
            latest: 0,
            fresh: 0,
            goes_on: false,
        }
    }

    /// Whether a process takes part in two transitions.
    fn share(&self, a: &[InstanceId], b: &[InstanceId]) -> bool {
        let process = |id: &InstanceId| self.network.instance(*id).process;
        a.iter().any(|x| b.iter().any(|y| process(x) == process(y)))
    }

    /// Whether the same processes take part in two transitions: none takes part twice.
    fn same(&self, a: &[InstanceId], b: &[InstanceId]) -> bool {
        let process = |id: &InstanceId| self.network.instance(*id).process;
        a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| process(x) == process(y)))
    }

    /// Number of context switches up to the source, and whether a transition from it is another one. The first transition is
    /// none.
    fn step(&self, parts: &[InstanceId]) -> (u16, bool) {
        let Some(source) = self.source else {
            return (0, false);
        };
        let (_, before) = self.last.to(source);
        let is_switch = match self.counts {
            _ if before.is_empty() => false,
            Switch::Any | Switch::Preempting => !self.share(before, parts),
            Switch::Equal => !self.same(before, parts),
        };
        (self.levels[source.index()], is_switch)
    }
}

impl<W: Word> QueueRule<W> for Switches<'_> {
    fn on_generated(&mut self, parts: &[InstanceId]) {
        if self.counts == Switch::Preempting && !self.goes_on {
            self.goes_on = !self.step(parts).1;
        }
    }

    fn queue(&mut self, reached: &Reached<'_, W>, _: &mut dyn Heuristic<W>) -> u32 {
        let (level, is_switch) = self.step(reached.parts);
        self.last.reach(reached.parts);
        self.latest = level.saturating_add(u16::from(is_switch));
        self.latest.into()
    }

    fn on_stored(&mut self, at: Stored) {
        self.last.on_stored(at);
        if let Stored::New(_) = at {
            self.levels.push(self.latest);
        }
    }

    fn rank_together(&mut self, queues: &mut [u32]) {
        let preempts_none = self.counts == Switch::Preempting && !self.goes_on;
        if let Some(source) = self.source.filter(|_| preempts_none) {
            let level = self.levels[source.index()];
            for (queue, own) in queues.iter_mut().zip(&mut self.levels[self.fresh..]) {
                (*queue, *own) = (level.into(), level);
            }
        }
        self.fresh = self.levels.len();
    }

    fn before_expand(&mut self, id: StateId, _: &ZoneState<W>) {
        (self.source, self.goes_on) = (Some(id), false);
    }

    fn bytes(&self) -> usize {
        self.last.bytes() + self.levels.capacity() * size_of::<u16>()
    }
}
