//! Candidates for the next transition: what is ready, and when it will be enabled.

use crate::enabled::firings::{is_open, receivers};
use crate::plan::{NONE, Role, WalkPlan};
use crate::state::ReadyEdges;
use crate::time::Window;
use crate::walker::Walker;
use zonewalk_network::ids::ChannelId;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;

/// A transition, but for the receivers of a broadcast, which depend on the instant, and for values of selects that only
/// updates read: with each of these it is another transition, which is what [`Candidate::ways`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The internal or sending edge.
    pub(crate) initiator: InstanceId,
    /// The receiving edge of a handshake.
    pub(crate) partner: Partner,
    pub(crate) window: Window,
}

/// The receiving edge of a handshake, or none: in four bytes, because candidates are copied in every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Partner(u32);

impl Partner {
    #[inline(always)]
    pub(crate) fn get(self) -> Option<InstanceId> {
        (self.0 != NONE).then_some(InstanceId(self.0))
    }
}

impl From<Option<InstanceId>> for Partner {
    #[inline(always)]
    fn from(partner: Option<InstanceId>) -> Partner {
        Partner(partner.map_or(NONE, |partner| partner.0))
    }
}

impl Candidate {
    /// Whether it is the same transition, whatever the window.
    pub(crate) fn is_same(&self, other: &Candidate) -> bool {
        (self.initiator, self.partner) == (other.initiator, other.partner)
    }

    /// How many transitions it is. Receivers of a broadcast are not counted: they are drawn after it.
    #[inline]
    pub(crate) fn ways(&self, plan: &WalkPlan<'_>) -> u64 {
        let own = plan.edge(self.initiator).own.ways;
        self.partner
            .get()
            .map_or(own, |partner| own * plan.edge(partner).own.ways)
    }
}

/// Lists every candidate that is or will be enabled, but for those that were refused. Sets `missed` when one is enabled
/// only between two instants of the grid.
pub(crate) fn list_ready(
    walker: &Walker<'_>,
    horizon: i64,
    refused: &[Candidate],
    candidates: &mut Vec<Candidate>,
    missed: &mut bool,
) {
    candidates.clear();
    let (plan, state) = (walker.plan, &walker.state);
    let mut add = |initiator: InstanceId, partner: Option<InstanceId>| {
        let same = |c: &Candidate| (c.initiator, c.partner.get()) == (initiator, partner);
        if let Some(candidate) = fitting(walker, initiator, partner, horizon)
            && !refused.iter().any(same)
        {
            if candidate.window.is_empty() {
                *missed = true;
            } else {
                candidates.push(candidate);
            }
        }
    };
    if !state.committed.is_empty() {
        committed_pairs(walker, &mut add);
        candidates.sort_unstable_by_key(|c| (c.initiator, c.partner));
        candidates.dedup();
        return;
    }
    state.weights.for_each(|index| {
        let ready = &state.ready[index];
        plan.synchronise(
            ChannelId(index as u32),
            &ready.senders,
            &ready.receivers,
            &mut add,
        );
    });
    state.internal.iter().for_each(|&e| add(e, None));
    state.gated.for_each(|e| add(e, None));
}

/// The transitions that a committed process may take part in, some of them twice.
fn committed_pairs(walker: &Walker<'_>, add: &mut dyn FnMut(InstanceId, Option<InstanceId>)) {
    let (plan, state) = (walker.plan, &walker.state);
    for &process in &state.committed {
        for edge in plan.location(process, state.location(process)).outgoing {
            if !state.is_ready(plan, edge) {
                continue;
            }
            let role = plan.edge(edge).role;
            if role == Role::Internal {
                add(edge, None);
                continue;
            }
            let channel = state.edges[edge.index()].channel;
            let ready = &state.ready[channel.index()];
            match role {
                Role::Send => plan.synchronise(channel, &[edge], &ready.receivers, &mut *add),
                _ => plan.synchronise(channel, &ready.senders, &[edge], &mut *add),
            }
        }
    }
}

/// The candidate at a point of the cumulated weights, if it fits. Internal edges come last.
#[inline(always)]
pub(crate) fn drawn(walker: &Walker<'_>, point: u64, horizon: i64) -> Option<Candidate> {
    let state = &walker.state;
    let paired = state.weights.total();
    if point >= paired {
        let offset = point - paired;
        let edge = match state.internal.get(offset as usize) {
            Some(&edge) => edge,
            None => state.gated.find(offset - state.internal.len() as u64),
        };
        return fitting(walker, edge, None, horizon);
    }
    let (index, offset) = state.weights.find(point);
    let ready = &state.ready[index];
    let is_broadcast = walker.plan.channel(ChannelId(index as u32)).broadcast;
    let (sender, receiver) = if !walker.plan.ways.is_empty() {
        pair_by_ways(walker.plan, ready, is_broadcast, offset)
    } else if is_broadcast {
        (ready.senders[offset as usize], None)
    } else {
        let receivers = ready.receivers.len() as u64;
        (
            ready.senders[(offset / receivers) as usize],
            Some(ready.receivers[(offset % receivers) as usize]),
        )
    };
    fitting(walker, sender, receiver, horizon)
}

/// Lists pairs on a channel where edges with channels are several transitions.
#[cold]
#[inline(never)]
fn pair_by_ways(
    plan: &WalkPlan<'_>,
    ready: &ReadyEdges,
    is_broadcast: bool,
    offset: u64,
) -> (InstanceId, Option<InstanceId>) {
    let member = |list: &[InstanceId], point: u64| {
        let ways = list.iter().map(|&edge| plan.ways[edge.index()].into());
        list[at_point(ways, point)]
    };
    if is_broadcast {
        return (member(&ready.senders, offset), None);
    }
    let receivers = plan.ways_of(&ready.receivers);
    (
        member(&ready.senders, offset / receivers),
        Some(member(&ready.receivers, offset % receivers)),
    )
}

/// Draws one of several things in proportion to their weights. Requires: there is one, and some weight.
pub(crate) fn draw_weighted(weights: impl Iterator<Item = u64> + Clone, random: &mut Random) -> usize {
    let total = weights.clone().sum();
    at_point(weights, random.below(total))
}

/// The index of the thing that a point below the sum of all weights falls into.
fn at_point(weights: impl Iterator<Item = u64>, mut point: u64) -> usize {
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        last = index;
        if point < weight {
            break;
        }
        point -= weight;
    }
    last
}

/// A candidate with what is left of its window; `None` when that is nothing, when a process would meet itself, or when a
/// committed process must take part and none does (`semantics.md` 10, 11).
#[inline(always)]
pub(crate) fn fitting(
    walker: &Walker<'_>,
    initiator: InstanceId,
    partner: Option<InstanceId>,
    horizon: i64,
) -> Option<Candidate> {
    let (plan, state) = (walker.plan, &walker.state);
    let mut window = state.edges[initiator.index()].window.and(Window {
        lo: state.clocks.now,
        hi: horizon,
    });
    if let Some(partner) = partner {
        if !plan.are_apart(initiator, partner) {
            return None;
        }
        window = window.and(state.edges[partner.index()].window);
    }
    let is_void = window.is_empty() && !window.is_between();
    if !state.failing.is_empty() && partner.is_none() && walker.may_be_received(initiator) {
        return None;
    }
    if is_void || (!state.committed.is_empty() && !involves_committed(walker, initiator, partner)) {
        return None;
    }
    Some(Candidate {
        initiator,
        partner: partner.into(),
        window,
    })
}

/// Whether some partner leaves a committed location. For a broadcast any receiver will do.
fn involves_committed(walker: &Walker<'_>, initiator: InstanceId, partner: Option<InstanceId>) -> bool {
    let now = walker.state.clocks.now;
    let receivers = receivers(walker, initiator).filter(|&r| partner.is_none() && is_open(walker, r, now));
    let parts = std::iter::once(initiator).chain(partner).chain(receivers);
    walker.plan.is_permitted(true, parts)
}
