//! Labels without `!` or `?` (`semantics.md` 16a), in the terms that walks know.
//!
//! Two participants make a handshake, which the first in the order of the processes begins; that is the order of their
//! updates, too. A process that has a channel for itself takes an internal edge. More participants would need candidates of
//! more than two edges in the inner loop, for models that hardly exist: walks leave these to the searches of the zone graph.

use crate::plan::Role;
use crate::smc::Obstacle;
use zonewalk_model::tree::{Direction, Model};
use zonewalk_network::{Instance, Network};
use zonewalk_syntax::span::Span;

/// The role of an edge instance whose label has neither `!` nor `?`; `Err` is what walks do not treat.
pub(crate) fn role(network: &Network, number: u32) -> Result<Role, &'static str> {
    let instance = &network.instances[number as usize];
    if instance.channel < Instance::ANY_CHANNEL {
        return Ok(on(network, instance.process, instance.channel)?.unwrap_or(Role::Receive));
    }
    // The role of an edge must not depend on the state.
    let dynamic = network
        .dynamic_syncs
        .binary_search_by_key(&number, |d| d.instance);
    let extents = dynamic.map_or(&[][..], |i| network.sets.get(network.dynamic_syncs[i].channels));
    let mut common = None;
    for channel in extents.iter().flat_map(|e| e.start..e.end) {
        let Some(role) = on(network, instance.process, channel)? else {
            continue;
        };
        if role == Role::Internal || common.is_some_and(|known| known != role) {
            return Err("a channel without `!` or `?` whose partners depend on the state");
        }
        common = Some(role);
    }
    Ok(common.unwrap_or(Role::Receive))
}

/// The role of a process on a channel; `None` when it has none.
fn on(network: &Network, process: u32, channel: u32) -> Result<Option<Role>, &'static str> {
    let Some(channel) = network.channels.get(channel as usize) else {
        return Ok(None);
    };
    match channel.participants[..] {
        [alone] if alone == process => {
            if channel.urgent || channel.priority != network.default_priority {
                Err("an urgent channel, or one with a priority, without `!` or `?` and without a partner")
            } else {
                Ok(Some(Role::Internal))
            }
        }
        [first, _] if first == process => Ok(Some(Role::Send)),
        [_, second] if second == process => Ok(Some(Role::Receive)),
        [_, _, _, ..] => Err("synchronisation of more than two processes without `!` or `?`"),
        _ => Ok(None),
    }
}

/// What keeps walks from a model that other engines can treat.
pub fn obstacle(model: &Model, network: &Network) -> Option<Obstacle> {
    if network.channels.iter().all(|c| c.participants.is_empty()) {
        return None;
    }
    (0..).zip(&network.instances).find_map(|(number, instance)| {
        let edge = network.edge(instance);
        edge.sync.filter(|s| s.direction == Direction::Together)?;
        let construct = role(network, number).err()?;
        let variant = network.processes[instance.process as usize].variant as usize;
        let template = &model.templates[network.variants[variant].template.index()];
        let sync = template.edges[edge.id.index()].sync.as_ref();
        Some(Obstacle {
            construct: construct.to_owned(),
            span: sync.map_or(Span::NONE, |sync| sync.span),
        })
    })
}
