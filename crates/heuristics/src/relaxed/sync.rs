//! Synchronisation partners: for each edge that is ready on a channel, whether a partner exists.

use super::problem::{NO_PARTNER, Problem, Role};
use zonewalk_model::tree::Direction;
use zonewalk_network::ids::{ChannelId, InstanceId};

/// Edges that are ready on a channel.
#[derive(Clone, Debug, Default)]
struct Meeting {
    senders: Vec<InstanceId>,
    receivers: Vec<InstanceId>,
    /// Senders without a partner so far.
    lonely_senders: Vec<InstanceId>,
    lonely_receivers: Vec<InstanceId>,
    members: Vec<InstanceId>,
    /// Processes among the members.
    processes: Vec<u32>,
}

/// Edges that are ready on all channels.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    channels: Vec<Meeting>,
    touched: Vec<u32>,
    /// For the caller: edges with their partners.
    pub(super) found: Vec<(InstanceId, u32)>,
}

impl Meetings {
    pub(super) fn new(channels: usize) -> Meetings {
        Meetings {
            channels: vec![Meeting::default(); channels],
            touched: Vec::new(),
            found: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        for channel in self.touched.drain(..) {
            let meeting = &mut self.channels[channel as usize];
            meeting.senders.clear();
            meeting.receivers.clear();
            meeting.lonely_senders.clear();
            meeting.lonely_receivers.clear();
            meeting.members.clear();
            meeting.processes.clear();
        }
    }

    /// An edge is ready on a channel: `found` gets those that can be taken because of that, with their partners. `banned`
    /// is a transition that does not exist.
    pub(super) fn arrive(
        &mut self,
        p: &Problem<'_>,
        id: InstanceId,
        channel: ChannelId,
        banned: &[InstanceId],
        found: &mut Vec<(InstanceId, u32)>,
    ) {
        let Some(meeting) = self.channels.get_mut(channel.index()) else {
            return;
        };
        let is_new = meeting.senders.is_empty() && meeting.receivers.is_empty() && meeting.members.is_empty();
        if is_new {
            self.touched.push(channel.0);
        }
        let on = &p.network.channels[channel.index()];
        let process = |id: InstanceId| p.edges[id.index()].process;
        // Of a broadcast the sender stands for all of it; with labels without `!` and `?`, the first one.
        let may_meet = |sender: InstanceId, receiver: InstanceId| {
            let is_banned = match *banned {
                [first, second] if !on.broadcast => (first, second) == (sender, receiver),
                [first, ..] if on.broadcast => first == sender,
                _ => false,
            };
            process(sender) != process(receiver) && !is_banned
        };
        let Some(direction) = p.edges[id.index()].role.direction() else {
            return;
        };
        let list = match direction {
            Direction::Send => &meeting.senders,
            Direction::Receive => &meeting.receivers,
            Direction::Together => &meeting.members,
        };
        // A channel that depends on the state may be named more than once.
        if matches!(p.edges[id.index()].role, Role::Dynamic(..)) && list.contains(&id) {
            return;
        }
        match direction {
            Direction::Send => {
                meeting.senders.push(id);
                if on.broadcast {
                    if banned.first() == Some(&id) {
                        return;
                    }
                    found.push((id, NO_PARTNER));
                } else if let Some(partner) = meeting.receivers.iter().find(|&&r| may_meet(id, r)) {
                    found.push((id, partner.0));
                } else {
                    meeting.lonely_senders.push(id);
                }
                if meeting.lonely_receivers.is_empty() {
                    return;
                }
                meeting.lonely_receivers.retain(|&receiver| {
                    let meets = may_meet(id, receiver);
                    if meets {
                        found.push((receiver, id.0));
                    }
                    !meets
                });
            }
            Direction::Receive => {
                meeting.receivers.push(id);
                match meeting.senders.iter().find(|&&s| may_meet(s, id)) {
                    Some(partner) => found.push((id, partner.0)),
                    None => meeting.lonely_receivers.push(id),
                }
                if meeting.lonely_senders.is_empty() {
                    return;
                }
                meeting.lonely_senders.retain(|&sender| {
                    let meets = may_meet(sender, id);
                    if meets {
                        found.push((sender, id.0));
                    }
                    !meets
                });
            }
            Direction::Together => {
                meeting.members.push(id);
                if !meeting.processes.contains(&process(id)) {
                    meeting.processes.push(process(id));
                }
                // All must be there. Which of the edges of the others are taken is left open.
                if meeting.processes.len() >= on.participants.len() {
                    let first = meeting.members[0].0;
                    for &member in &meeting.members {
                        let partner = if member.0 == first { NO_PARTNER } else { first };
                        found.push((member, partner));
                    }
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.channels.len() * size_of::<Meeting>()
    }
}
