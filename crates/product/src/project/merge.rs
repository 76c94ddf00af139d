//! Edges of a projection that are as good as others, and partners that are always there.

use super::{Draft, Effect};
use crate::condition::ClockForm;
use crate::influence::{Influences, SetClocks, each};
use crate::pattern::{Guesses, Pattern};
use crate::tables::{Product, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use zonewalk_network::constraint::{Condition, Relation, Term};
use zonewalk_network::ids::{ChannelId, LocationId, ProcessId};
use zonewalk_network::vm::{Code, run};
use zonewalk_network::{Context, Network};

/// The processes with a partner that asks for nothing and does nothing: of each channel, the senders and the receivers.
pub(super) struct Free {
    /// By channel: processes, and whether some of their edges leave a committed location.
    senders: Vec<(FxHashSet<ProcessId>, bool)>,
    receivers: Vec<(FxHashSet<ProcessId>, bool)>,
    /// Idle edges that are needed all the same.
    kept: Vec<Draft>,
}

impl Free {
    /// Sorts the edges of removed processes that ask for nothing and do nothing.
    pub(super) fn new<F: ClockForm, X, Y>(
        product: &Product<'_, F, X, Y>,
        drafts: &[Draft],
        idle: Vec<Draft>,
    ) -> Free {
        let network = product.network;
        let none = || vec![(FxHashSet::default(), false); network.channels.len()];
        let mut free = Free {
            senders: none(),
            receivers: none(),
            kept: Vec::new(),
        };
        // Who decides about the channel in the state needs partners to meet there.
        let mut is_met = vec![false; network.channels.len()];
        for draft in drafts
            .iter()
            .filter(|d| d.channel.is_none() && d.role != Role::Internal)
        {
            let at = network
                .dynamic_syncs
                .binary_search_by_key(&draft.number, |d| d.instance);
            if let Ok(at) = at {
                let channels = network.sets.channels(network.dynamic_syncs[at].channels);
                channels.for_each(|channel| is_met[channel.index()] = true);
            }
        }
        for draft in idle {
            let Some(channel) = draft.channel.filter(|_| draft.role != Role::Internal) else {
                continue;
            };
            let side = match draft.role {
                Role::Send => &mut free.senders,
                _ => &mut free.receivers,
            };
            let is_handshake = draft.role != Role::Together && !network.channels[channel.index()].broadcast;
            if is_handshake {
                let (processes, is_committed) = &mut side[channel.index()];
                processes.insert(draft.process);
                *is_committed |= draft.is_committed;
            }
            // Whether it receives a broadcast makes no difference, unless that lets the broadcast happen at all.
            let is_pointless = draft.role == Role::Receive && !draft.is_committed;
            if (!is_handshake && !is_pointless) || is_met[channel.index()] {
                free.kept.push(draft);
            }
        }
        free
    }

    /// All edges, those with a partner that is always there by themselves, too.
    pub(super) fn join<F: ClockForm, X, Y>(
        self,
        product: &Product<'_, F, X, Y>,
        mut drafts: Vec<Draft>,
    ) -> Vec<Draft> {
        let mut alone = Vec::new();
        for draft in &drafts {
            let Some(channel) = draft.channel else { continue };
            let partners = match draft.role {
                Role::Send if !product.channel(channel).broadcast => &self.receivers,
                Role::Receive => &self.senders,
                _ => continue,
            };
            let (processes, is_committed) = &partners[channel.index()];
            if processes.iter().any(|&process| process != draft.process) {
                alone.push(Draft {
                    role: Role::Internal,
                    channel: None,
                    is_partial: true,
                    is_committed: draft.is_committed || *is_committed,
                    ..draft.clone()
                });
            }
        }
        let is_useful = |draft: &Draft| draft.changes || !draft.is_removed_loop();
        drafts.extend(alone.into_iter().filter(is_useful));
        drafts.extend(self.kept);
        if !product.has_routines {
            drafts.retain(|draft| draft.role != Role::Internal || is_useful(draft));
        }
        drafts.sort_by_key(|draft| (draft.process, draft.source));
        drafts
    }
}

impl Draft {
    /// Whether it certainly leads to where it begins.
    fn is_removed_loop(&self) -> bool {
        self.source == self.target
    }
}

/// Attributes by which edges of a projection are distinguished.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    endpoints: (ProcessId, LocationId, LocationId),
    sync: (u8, Option<ChannelId>),
    is_committed: bool,
    guard: Vec<[i64; 5]>,
    effect: Effect,
}

/// Merges edges that are the same as far as the pattern is concerned.
pub(super) struct Merged<'a> {
    network: &'a Network,
    pattern: &'a Pattern,
    influences: &'a Influences,
}

impl<'a> Merged<'a> {
    pub(super) fn new(network: &'a Network, pattern: &'a Pattern, influences: &'a Influences) -> Merged<'a> {
        Merged {
            network,
            pattern,
            influences,
        }
    }

    /// The edges with their effects: one for each that an edge may have.
    pub(super) fn merge(&self, drafts: Vec<Draft>) -> Vec<(Draft, Effect)> {
        let mut known: FxHashMap<Key, usize> = FxHashMap::default();
        let mut merged: Vec<(Draft, Effect)> = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let instance = self.network.instance(draft.number);
            let context = self.network.instance_context(instance);
            let guard: Option<Vec<_>> = draft.guard.iter().map(|term| self.term(term, &context)).collect();
            for effect in self.effects(&draft, &context) {
                let key = guard.clone().map(|guard| Key {
                    endpoints: (draft.process, draft.source, draft.target),
                    sync: (draft.role as u8, draft.channel),
                    is_committed: draft.is_committed,
                    guard,
                    effect: effect.clone(),
                });
                // Who decides about the channel in the state is compared with no other.
                let key = key.filter(|key| key.sync.1.is_some() || draft.role == Role::Internal);
                match key.as_ref().and_then(|key| known.get(key)) {
                    // What is certain of one of them is certain of both.
                    Some(&at) => merged[at].0.is_partial &= draft.is_partial,
                    None => {
                        known.extend(key.map(|key| (key, merged.len())));
                        merged.push((draft.clone(), effect));
                    }
                }
            }
        }
        merged
    }

    fn term(&self, term: &Term, context: &Context) -> Option<[i64; 5]> {
        match term {
            Term::Data(Condition::Compare { relation, a, b }) => {
                let [a, b] = [*a, *b].map(|cell| context.address(cell) as i64);
                Some([0, a, b, relation_number(*relation), 0])
            }
            Term::Data(Condition::Code(_)) => None,
            Term::Clock(bound) => {
                if bound.when.is_some() || bound.setup.is_some() {
                    return None;
                }
                let constant = |cell| self.network.constant(cell, context).map(i64::from);
                let right = match bound.right {
                    Some(right) => constant(right)?,
                    None => -1,
                };
                let relation = relation_number(bound.relation);
                Some([1, constant(bound.left)?, right, relation, constant(bound.bound)?])
            }
        }
    }

    /// Possible effects of an edge's update on kept components.
    fn effects(&self, draft: &Draft, context: &Context) -> Vec<Effect> {
        if !draft.changes {
            return vec![Effect::default()];
        }
        let (network, pattern) = (self.network, self.pattern);
        let instance = network.instance(draft.number);
        let edge = network.edge(instance);
        // A pattern is closed before it is used, so that there are not too many.
        let guesses = pattern.guesses(network, draft.number, self.influences);
        let Guesses {
            cells: guesses,
            depends,
        } = guesses.unwrap_or(Guesses {
            cells: Vec::new(),
            depends: true,
        });
        let overwritten = network.sets.get(instance.overwrites);
        let is_overwritten = |cell: u32| {
            let at = overwritten.partition_point(|extent| extent.end <= cell);
            overwritten.get(at).is_some_and(|extent| extent.contains(cell))
        };
        let kept = || {
            network
                .sets
                .members(instance.writes)
                .filter(|&cell| pattern.keeps(cell))
        };
        let is_fixed = !depends
            && kept().all(is_overwritten)
            && network.sets.get(instance.clock_sources).is_empty()
            && edge.selects.iter().all(|select| select.expanded);
        let Some(entry) = edge.update.filter(|_| is_fixed) else {
            return vec![Effect::Of(draft.number, guesses)];
        };
        let mut effects = Vec::new();
        for values in each(&guesses) {
            let mut memory = network.memory();
            for (&(cell, ..), &value) in guesses.iter().zip(&values) {
                memory[cell as usize] = value;
            }
            let mut clocks = SetClocks::default();
            let code = Code::new(&network.program, entry, context);
            // What fails is not possible.
            if run(code, &mut memory, &mut clocks, &mut ()).is_ok() {
                let cells = kept().map(|cell| (cell, memory[cell as usize])).collect();
                effects.push(Effect::Fixed(cells, clocks.all(|c| pattern.keeps_clock(c))));
            }
        }
        effects
    }
}

fn relation_number(relation: Relation) -> i64 {
    relation as i64
}
