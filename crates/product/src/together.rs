//! Labels without `!` or `?` (`semantics.md` 16a): every process that has the channel takes part.

use crate::tables::Role;
use zonewalk_network::Network;
use zonewalk_network::ids::{ChannelId, InstanceId, ProcessId};

/// The role of an edge instance with such a label, for engines that know transitions of one or two processes and broadcasts:
/// two participants make a handshake, which the first in the order of the processes begins; that is the order of their updates,
/// too. A process that has a channel alone takes an internal edge. `Err` is what such engines do not treat.
pub fn paired_role(network: &Network, number: InstanceId) -> Result<Role, &'static str> {
    let instance = network.instance(number);
    if let Some(channel) = instance.channel.fixed() {
        return Ok(role_on(network, instance.process, channel)?.unwrap_or(Role::Receive));
    }
    // The role of an edge must not depend on the state.
    let dynamic = network
        .dynamic_syncs
        .binary_search_by_key(&number, |d| d.instance);
    let extents = dynamic.map_or(&[][..], |i| network.sets.get(network.dynamic_syncs[i].channels));
    let mut common = None;
    for channel in extents.iter().flat_map(|e| e.start..e.end).map(ChannelId) {
        let Some(role) = role_on(network, instance.process, channel)? else {
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
fn role_on(network: &Network, process: ProcessId, channel: ChannelId) -> Result<Option<Role>, &'static str> {
    let Some(channel) = network.channels.get(channel.index()) else {
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
