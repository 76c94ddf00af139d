//! Which databases may be added: those of which no transition changes two.
//!
//! Korf, Felner: Disjoint pattern database heuristics, AIJ 134, 2002; Haslum, Botea, Helmert, Bonet, Koenig: Domain-independent
//! construction of pattern database heuristics for cost-optimal planning, AAAI 2007, where the best sum over sets that may be
//! added is called the canonical heuristic. Reading is free, and so are delays, which cost nothing.

use crate::alive::Channels;
use crate::estimate::Estimate;
use zonewalk_model::tree::Direction;
use zonewalk_network::Network;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::Pattern;

/// More databases than this are not added, only the largest counts.
const MOST: usize = 12;

/// The largest sets of databases that may be added.
#[derive(Clone, Debug)]
pub(super) struct Additive {
    /// Bit `i`: database `i` is in it.
    sets: Vec<u32>,
}

impl Additive {
    pub(super) fn new(network: &Network, patterns: &[&Pattern]) -> Additive {
        let count = patterns.len();
        if count > MOST {
            return Additive {
                sets: (0..count.min(32)).map(|i| 1 << i).collect(),
            };
        }
        let apart = Independent::new(network, patterns);
        let may_be_added = |set: u32| {
            (0..count)
                .filter(|i| set >> i & 1 == 1)
                .all(|i| apart.0[i] & set == set & !(1 << i))
        };
        let all: Vec<u32> = (1..1u32 << count).filter(|&set| may_be_added(set)).collect();
        let is_largest = |set: &u32| !all.iter().any(|other| other & set == *set && other != set);
        Additive {
            sets: all.iter().copied().filter(is_largest).collect(),
        }
    }

    /// The best sum.
    pub(super) fn best(&self, estimates: &[Estimate]) -> Estimate {
        let sum = |set: &u32| {
            let members = estimates.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            members.fold(Estimate::ZERO, |sum, (_, e)| sum.plus(*e))
        };
        self.sets.iter().map(sum).max().unwrap_or(Estimate::ZERO)
    }
}

/// By database: those of which no transition changes something together with it.
struct Independent(Vec<u32>);

impl Independent {
    fn new(network: &Network, patterns: &[&Pattern]) -> Independent {
        let mut apart = Independent((0..patterns.len()).map(|i| !(1 << i)).collect());
        let channels = Channels::new(network);
        let routines = [network.before_update, network.after_update];
        let mut always = 0;
        for routine in routines.into_iter().flatten() {
            always |= mask(patterns, |p| p.is_changed_by_routine(network, &routine));
        }
        let mut sent = vec![0u32; network.channels.len()];
        let mut received = sent.clone();
        for number in (0..network.instances.len() as u32).map(InstanceId) {
            let instance = network.instance(number);
            let changes = mask(patterns, |p| {
                p.keeps_process(instance.process) || p.is_changed_by(network, number)
            });
            apart.join(changes | always, changes | always);
            if let Some((direction, on)) = channels.of(network, number) {
                for channel in on {
                    let is_broadcast = network.channels[channel.index()].broadcast;
                    if direction == Direction::Send {
                        sent[channel.index()] |= changes;
                    } else {
                        received[channel.index()] |= changes;
                        if is_broadcast || direction == Direction::Together {
                            sent[channel.index()] |= changes;
                        }
                    }
                }
            }
        }
        for (sent, received) in sent.into_iter().zip(received) {
            apart.join(sent, received);
        }
        apart
    }

    /// One transition changes something of one of the first and one of the second.
    fn join(&mut self, first: u32, second: u32) {
        for (i, others) in self.0.iter_mut().enumerate() {
            let bit = 1 << i;
            if first & bit != 0 {
                *others &= !second;
            }
            if second & bit != 0 {
                *others &= !first;
            }
        }
    }
}

fn mask(patterns: &[&Pattern], changes: impl Fn(&Pattern) -> bool) -> u32 {
    let bits = patterns.iter().enumerate().filter(|(_, p)| changes(p));
    bits.fold(0, |mask, (i, _)| mask | 1 << i)
}
