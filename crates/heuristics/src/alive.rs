//! Edges that no transition can be made of, as far as constants and channels tell.

use zonewalk_model::tree::Direction;
use zonewalk_network::constraint::{Condition, Term};
use zonewalk_network::ids::{ChannelId, InstanceId, ProcessId};
use zonewalk_network::{ChannelUse, Network};

/// Looking again after partners have gone finds more; a few times are enough, and any number is right.
const ROUNDS: usize = 8;

/// The channels of edge instances.
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    /// By instance, where the channel depends on the state: its number among the dynamic ones.
    dynamic: Vec<(InstanceId, u32)>,
}

impl Channels {
    pub(crate) fn new(network: &Network) -> Channels {
        let mut dynamic: Vec<_> = (0..)
            .zip(&network.dynamic_syncs)
            .map(|(i, d)| (d.instance, i))
            .collect();
        dynamic.sort_unstable();
        Channels { dynamic }
    }

    /// How an instance synchronises, and the channels that it may do so on.
    pub(crate) fn of<'n>(
        &self,
        network: &'n Network,
        id: InstanceId,
    ) -> Option<(Direction, impl Iterator<Item = ChannelId> + use<'n>)> {
        let instance = network.instance(id);
        let direction = network.edge(instance).sync?.direction;
        let fixed = instance.channel.fixed();
        let set = match instance.channel {
            ChannelUse::Dynamic => {
                let at = self.dynamic.binary_search_by_key(&id, |d| d.0).ok()?;
                Some(network.dynamic_syncs[self.dynamic[at].1 as usize].channels)
            }
            _ => None,
        };
        let any = set.into_iter().flat_map(|set| network.sets.channels(set));
        Some((direction, fixed.into_iter().chain(any)))
    }
}

/// One process, two or more, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Processes {
    NoProcess,
    One(ProcessId),
    Several,
}

impl Processes {
    fn add(&mut self, process: ProcessId) {
        *self = match *self {
            Processes::NoProcess => Processes::One(process),
            Processes::One(known) if known == process => *self,
            _ => Processes::Several,
        };
    }

    fn has_other_than(self, process: ProcessId) -> bool {
        match self {
            Processes::NoProcess => false,
            Processes::One(known) => known != process,
            Processes::Several => true,
        }
    }
}

/// By edge instance: false if its guard compares constants that never fit, or if no other process can synchronise with it.
pub(crate) fn alive(network: &Network, channels: &Channels) -> Vec<bool> {
    let mut alive: Vec<bool> = network.instances.iter().map(|i| may_hold(network, i)).collect();
    for _ in 0..ROUNDS {
        let mut senders = vec![Processes::NoProcess; network.channels.len()];
        let mut receivers = senders.clone();
        let each = || (0..).map(InstanceId).zip(&network.instances);
        for (id, instance) in each().filter(|(id, _)| alive[id.index()]) {
            let Some((direction, on)) = channels.of(network, id) else {
                continue;
            };
            let side = match direction {
                Direction::Send => &mut senders,
                Direction::Receive => &mut receivers,
                Direction::Together => continue,
            };
            on.for_each(|c| side[c.index()].add(instance.process));
        }
        let mut has_changed = false;
        for (id, instance) in each() {
            if !alive[id.index()] {
                continue;
            }
            let Some((direction, mut on)) = channels.of(network, id) else {
                continue;
            };
            let has_partner = on.any(|c| {
                let other = |side: &[Processes]| side[c.index()].has_other_than(instance.process);
                match direction {
                    Direction::Send => network.channels[c.index()].broadcast || other(&receivers),
                    Direction::Receive => other(&senders),
                    Direction::Together => true,
                }
            });
            if !has_partner {
                alive[id.index()] = false;
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    alive
}

fn may_hold(network: &Network, instance: &zonewalk_network::Instance) -> bool {
    let context = network.instance_context(instance);
    network.guard(instance).iter().all(|term| match term {
        Term::Data(Condition::Compare { relation, a, b }) => {
            match (network.constant(*a, &context), network.constant(*b, &context)) {
                (Some(a), Some(b)) => relation.holds(a, b),
                _ => true,
            }
        }
        _ => true,
    })
}
