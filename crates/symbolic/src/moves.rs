//! Which transitions the data of a state allow, and in which part of its zone.

use crate::effort;
use crate::graph::ZoneGraph;
use crate::plan::{NONE, Role};
use crate::scratch::Scratch;
use crate::state::ZoneState;
use crate::stop::Stop;
use std::ops::Range;
use zonewalk_network::Network;
use zonewalk_network::vm::{NoClocks, run};

/// An edge instance that the data allow, and that the zone allows somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub(crate) edge: u32,
    pub(crate) process: u32,
    /// [`NONE`] for internal edges.
    pub(crate) channel: u32,
    pub(crate) role: Role,
    pub(crate) is_committed: bool,
    /// What the guard asks of the clocks, in the list of constraints.
    pub(crate) guard: Range<u32>,
}

/// A transition, possible where its guards hold.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// Numbers of ready edges, in the list of parts: the initiator's, then the receivers' in the order of processes.
    pub(crate) parts: Range<u32>,
    /// The piece of the zone that it is confined to, if it is.
    pub(crate) piece: Option<u32>,
}

impl ZoneGraph<'_> {
    /// Lists the transitions of a state: all of them that the committed rule and priorities leave.
    pub(crate) fn list_moves(&self, scratch: &mut Scratch, state: &ZoneState) -> Result<(), Stop> {
        self.load(scratch, state);
        self.list_ready(scratch, state)?;
        self.combine(scratch, state);
        if self.plan.network.has_priorities {
            self.cut_by_priority(scratch, state)?;
        }
        Ok(())
    }

    fn list_ready(&self, scratch: &mut Scratch, state: &ZoneState) -> Result<(), Stop> {
        let (plan, network) = (self.plan, self.plan.network);
        for ready in scratch.ready.drain(..).filter(|r| r.channel != NONE) {
            scratch.receivers[ready.channel as usize].clear();
        }
        scratch.constraints.clear();
        scratch.failed = None;
        scratch.attempt = None;
        scratch.unknown.clear();
        let processes = network.processes.len() as u32;
        let committed = |p: u32| plan.place(p, state.discrete[p as usize]).committed;
        scratch.any_committed = (0..processes).any(committed);
        let mut edges = 0;
        for process in 0..processes {
            let place = plan.place(process, state.discrete[process as usize]);
            edges += place.outgoing.len();
            for number in place.outgoing.clone() {
                let edge = &plan.edges[number as usize];
                // In a committed state an internal edge of somebody else cannot happen, whatever its guard is.
                if scratch.any_committed && edge.role == Role::Internal && !place.committed {
                    continue;
                }
                let start = scratch.constraints.len();
                let conditions = &plan.conditions;
                let holds = conditions.evaluate(
                    network,
                    &edge.guard,
                    &mut scratch.memory,
                    &mut scratch.constraints,
                );
                let enabled = holds.and_then(|holds| match holds {
                    true => channel(network, number, edge.channel, &mut scratch.memory).map(Some),
                    false => Ok(None),
                });
                let channel = match enabled {
                    Ok(Some(channel)) => channel,
                    Ok(None) => {
                        scratch.constraints.truncate(start);
                        continue;
                    }
                    // It may have priority over any other: then nothing is certain.
                    Err(stop) if network.has_priorities => {
                        scratch.fail(stop, &[number], &[]);
                        return Err(stop);
                    }
                    Err(stop) => {
                        scratch.constraints.truncate(start);
                        scratch.fail(stop, &[number], &[]);
                        if edge.role == Role::Receive {
                            let channel = (edge.channel != NONE).then_some(edge.channel);
                            scratch.unknown.push((process, channel));
                        }
                        continue;
                    }
                };
                let allows = |c| scratch.source.allows(&state.zone, c);
                if !scratch.constraints[start..].iter().all(allows) {
                    scratch.constraints.truncate(start);
                    continue;
                }
                let at = scratch.ready.len() as u32;
                match edge.role {
                    Role::Internal | Role::Send => {}
                    Role::Receive | Role::Together => scratch.receivers[channel as usize].push(at),
                }
                scratch.ready.push(Ready {
                    edge: number,
                    process,
                    channel,
                    role: edge.role,
                    is_committed: place.committed,
                    guard: start as u32..scratch.constraints.len() as u32,
                });
            }
        }
        scratch.effort += effort::of_listing(processes as usize, edges);
        Ok(())
    }

    /// Puts the ready edges together to transitions.
    fn combine(&self, scratch: &mut Scratch, state: &ZoneState) {
        scratch.moves.clear();
        scratch.parts.clear();
        scratch.pieces.clear();
        for at in 0..scratch.ready.len() as u32 {
            let ready = &scratch.ready[at as usize];
            let (role, channel, process) = (ready.role, ready.channel, ready.process);
            match role {
                Role::Internal => scratch.push(&[at], None),
                Role::Receive => {}
                Role::Together => self.together(scratch, at),
                Role::Send if self.plan.network.channels[channel as usize].broadcast => {
                    self.broadcast(scratch, state, at);
                }
                Role::Send => {
                    for i in 0..scratch.receivers[channel as usize].len() {
                        let other = scratch.receivers[channel as usize][i];
                        if scratch.ready[other as usize].process != process {
                            scratch.push(&[at, other], None);
                        }
                    }
                }
            }
        }
    }

    /// Every process that has the channel takes part with an enabled edge, the first of them as the initiator.
    fn together(&self, scratch: &mut Scratch, first: u32) {
        let process = |at: &u32| scratch.ready[*at as usize].process;
        let channel = scratch.ready[first as usize].channel as usize;
        let participants = &self.plan.network.channels[channel].participants;
        if participants.first() != Some(&process(&first)) {
            return;
        }
        let others: Vec<&[u32]> = scratch.receivers[channel]
            .chunk_by(|a, b| process(a) == process(b))
            .filter(|group| process(&group[0]) != participants[0])
            .collect();
        if others.len() + 1 < participants.len() {
            return;
        }
        for parts in combinations(first, &others) {
            scratch.push(&parts, None);
        }
    }

    /// Every other process with an enabled receiving edge takes part (`semantics.md` 11); who that is may depend on the
    /// clocks (12), and then the zone is split.
    fn broadcast(&self, scratch: &mut Scratch, state: &ZoneState, sender: u32) {
        let (channel, process) = {
            let ready = &scratch.ready[sender as usize];
            (ready.channel as usize, ready.process)
        };
        // Who may receive must; without knowing that nothing is certain about the broadcast.
        let may_receive = |&(other, on): &(u32, Option<u32>)| {
            other != process && on.is_none_or(|on| on as usize == channel)
        };
        if scratch.unknown.iter().any(may_receive) {
            return;
        }
        let mut receivers = scratch.receivers[channel].clone();
        receivers.retain(|&r| scratch.ready[r as usize].process != process);
        let groups: Vec<&[u32]> = receivers
            .chunk_by(|a, b| scratch.ready[*a as usize].process == scratch.ready[*b as usize].process)
            .collect();
        let is_timed = |r: &u32| !scratch.ready[*r as usize].guard.is_empty();
        if !receivers.iter().any(is_timed) {
            for parts in combinations(sender, &groups) {
                scratch.push(&parts, None);
            }
            return;
        }
        let dim = state.dim();
        let guard = |r: u32| {
            let guard = &scratch.ready[r as usize].guard;
            &scratch.constraints[guard.start as usize..guard.end as usize]
        };
        let mut zone = state.zone.clone();
        if !scratch.source.constrain(&mut zone, guard(sender)) {
            return;
        }
        let mut pieces = vec![(vec![sender], zone)];
        for group in groups {
            let mut next = Vec::new();
            for (parts, zone) in pieces {
                let mut rest = Self::federation(dim, &zone);
                for &receiver in group {
                    let mut with = zone.clone();
                    if scratch.source.constrain(&mut with, guard(receiver)) {
                        rest.subtract(&with);
                        next.push((parts.iter().copied().chain([receiver]).collect::<Vec<_>>(), with));
                    }
                }
                next.extend(rest.iter().map(|piece| (parts.clone(), piece.to_vec())));
            }
            pieces = next;
        }
        for (parts, zone) in pieces {
            scratch.push(&parts, Some(zone));
        }
    }
}

impl Scratch {
    /// Adds a transition, unless the committed rule forbids it (`semantics.md` 10).
    fn push(&mut self, parts: &[u32], piece: Option<Vec<zonewalk_zones::Bound>>) {
        let is_committed = |&p: &u32| self.ready[p as usize].is_committed;
        if self.any_committed && !parts.iter().any(is_committed) {
            return;
        }
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(parts);
        let piece = piece.map(|zone| {
            self.pieces.push(zone);
            self.pieces.len() as u32 - 1
        });
        self.moves.push(Move {
            parts: start..self.parts.len() as u32,
            piece,
        });
    }
}

/// The first, and one of each group: all ways to choose.
fn combinations(first: u32, groups: &[&[u32]]) -> Vec<Vec<u32>> {
    groups.iter().fold(vec![vec![first]], |chosen, group| {
        let with = |c: &Vec<u32>, r: u32| c.iter().copied().chain([r]).collect();
        chosen
            .iter()
            .flat_map(|c| group.iter().map(move |&r| with(c, r)))
            .collect()
    })
}

/// The channel of an edge, evaluated in the current state if it is not fixed (`semantics.md` 14).
pub(crate) fn channel(network: &Network, number: u32, fixed: u32, memory: &mut [i32]) -> Result<u32, Stop> {
    if fixed != NONE {
        return Ok(fixed);
    }
    let instance = &network.instances[number as usize];
    let Some(sync) = network.edge(instance).sync else {
        return Ok(NONE);
    };
    let context = network.instance_context(instance);
    if let Some(setup) = sync.setup {
        run(&network.program, setup, &context, memory, &mut NoClocks)?;
    }
    Ok(memory[context.address(sync.channel)] as u32)
}
