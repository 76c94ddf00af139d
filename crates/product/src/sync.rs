//! Participants of transitions: guards and channels, handshakes and broadcasts, committed locations, urgency.

use crate::condition::{ClockForm, EvaluatedPart};
use crate::tables::{EdgeInstance, Product, Role};
use crate::valuation::Valuation;
use crate::ways::Ways;
use zonewalk_network::ids::{ChannelId, InstanceId};

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// Whether the data of the source state allow the guard of an edge instance (`semantics.md` 8), and then its channel, which
    /// is evaluated only there (14); an internal edge has none. The valuation has seen what the guard asks of the clocks.
    ///
    /// # Errors
    /// When the model fails.
    #[inline(always)]
    pub fn enabled<V: Valuation<Bound = F::Bound>>(
        &self,
        number: InstanceId,
        known: EvaluatedPart,
        valuation: &mut V,
    ) -> Result<Option<Option<ChannelId>>, V::Stop> {
        let edge = self.edge(number);
        match self
            .conditions
            .evaluate(&edge.guard, known, || edge.context, valuation)?
        {
            true if edge.is_dynamic() => self.dynamic_channel(number, valuation).map(Some),
            true => Ok(Some(edge.channel)),
            false => Ok(None),
        }
    }

    /// Whether an edge whose guard or channel fails leaves open what else can happen: with a sender and its channel that
    /// broadcast, because every process that may receive must; otherwise all the transitions of the state, because it may have priority over
    /// them, whichever edge it is. What it does not leave open goes on without it (`semantics.md` 8, 17).
    #[inline]
    pub fn leaves_open(&self, failing: InstanceId, broadcast: Option<(InstanceId, ChannelId)>) -> bool {
        match broadcast {
            None => self.has_priorities,
            Some((sender, channel)) => {
                let edge = self.edge(failing);
                // Of an edge that may not be there at all nothing depends.
                !edge.is_partial
                    && edge.role == Role::Receive
                    && self.are_apart(failing, sender)
                    && edge.channel.is_none_or(|on| on == channel)
            }
        }
    }

    /// A channel that depends on the state.
    fn dynamic_channel<V: Valuation>(
        &self,
        number: InstanceId,
        valuation: &mut V,
    ) -> Result<Option<ChannelId>, V::Stop> {
        let context = &self.edge(number).context;
        let instance = self.network.instance(self.edge(number).instance);
        let Some(sync) = self.network.edge(instance).sync else {
            return Ok(None);
        };
        if let Some(setup) = sync.setup {
            let of = crate::CodeOf::Channel(number);
            valuation.prepare(of, setup, &[sync.channel], context)?;
        }
        let channel = valuation.memory()[context.address(sync.channel)];
        Ok(Some(ChannelId(channel as u32)))
    }

    /// Whether the committed rule lets some edges make up a transition: where a location is committed, one of them leaves a
    /// committed location; of a broadcast any receiver will do (`semantics.md` 10).
    #[inline(always)]
    pub fn is_permitted(&self, any_committed: bool, parts: impl IntoIterator<Item = InstanceId>) -> bool {
        let is_committed = |part| self.left(self.edge(part)).committed;
        !any_committed || parts.into_iter().any(is_committed)
    }

    /// Whether two edges belong to different processes: no process synchronises with itself (`semantics.md` 11).
    #[inline(always)]
    pub fn are_apart(&self, one: InstanceId, other: InstanceId) -> bool {
        self.edge(one).process != self.edge(other).process
    }

    /// The edges that would receive a broadcast: those of the others, each of which takes part if it is enabled
    /// (`semantics.md` 11).
    #[inline]
    pub fn receivers<'a>(
        &'a self,
        sender: InstanceId,
        ready: &'a [InstanceId],
    ) -> impl Iterator<Item = InstanceId> + 'a {
        let is_other = move |&receiver: &InstanceId| self.are_apart(sender, receiver);
        ready.iter().copied().filter(is_other)
    }

    /// Receiving edges, which are in order, by process: of each process that can receive exactly one edge does, and any of them
    /// (`semantics.md` 11).
    pub fn by_process<'a>(
        &'a self,
        receivers: &'a [InstanceId],
    ) -> impl Iterator<Item = &'a [InstanceId]> + 'a {
        receivers.chunk_by(|a, b| !self.are_apart(*a, *b))
    }

    /// Puts the edges that are ready on a channel together: a handshake has two, a broadcast begins with the sender alone, and
    /// then there is no second.
    #[inline]
    pub fn synchronise(
        &self,
        channel: ChannelId,
        senders: &[InstanceId],
        receivers: &[InstanceId],
        mut each: impl FnMut(InstanceId, Option<InstanceId>),
    ) {
        let is_broadcast = self.channel(channel).broadcast;
        for &sender in senders {
            if is_broadcast {
                each(sender, None);
            } else {
                self.receivers(sender, receivers)
                    .for_each(|receiver| each(sender, Some(receiver)));
            }
        }
    }

    /// The edges that would receive a broadcast, by process.
    pub(crate) fn by_process_of<'a>(
        &'a self,
        sender: InstanceId,
        ready: &'a [InstanceId],
    ) -> impl Iterator<Item = &'a [InstanceId]> + 'a {
        let is_other = move |group: &&[InstanceId]| self.are_apart(sender, group[0]);
        self.by_process(ready).filter(is_other)
    }

    /// The transitions on a channel without `!` and `?` that an edge begins: every process that has the channel takes part with
    /// one of the edges that are ready, the first of them as the initiator (`semantics.md` 16a).
    pub(crate) fn together<P>(
        &self,
        first: InstanceId,
        channel: ChannelId,
        ready: &[InstanceId],
        ways: &mut Ways<P>,
    ) {
        let participants = &self.channel(channel).participants;
        let is_first = participants.first() == Some(&self.edge(first).process);
        if is_first && self.by_process_of(first, ready).count() + 1 >= participants.len() {
            ways.begin(first, None, self.by_process_of(first, ready));
        }
    }

    /// Whether an edge begins a broadcast. Requires: it is ready on this channel.
    #[inline]
    pub fn is_broadcast(&self, edge: &EdgeInstance<X>, channel: ChannelId) -> bool {
        edge.role == Role::Send && self.channel(channel).broadcast
    }

    /// Whether an edge may synchronise on an urgent channel, which stops time (`semantics.md` 2).
    pub fn may_be_urgent(&self, edge: &EdgeInstance<X>) -> bool {
        edge.role != Role::Internal
            && match edge.channel {
                Some(channel) => self.channel(channel).urgent,
                None => !self.urgent_channels.is_empty(),
            }
    }
}

/// How parts of a state are cut: instants at a point, or points of a zone.
pub trait Regions {
    /// A part of a state.
    type Region;
    /// Compiled form of a guard.
    type Guard: ?Sized;

    /// The part of a region in which a guard holds; `None` if there is none.
    fn within(&self, region: &Self::Region, guard: &Self::Guard) -> Option<Self::Region>;

    /// Adds what is left of a region without these parts of it to `rest`.
    fn without<'a>(
        &self,
        region: &Self::Region,
        parts: impl Iterator<Item = &'a Self::Region>,
        rest: &mut Vec<Self::Region>,
    ) where
        Self::Region: 'a;
}

/// Splits a region by a process that may receive a broadcast, because the receivers may depend on the clocks
/// (`semantics.md` 12). In `parts` is for each of its receiving edges, by their place among the guards, the part in which
/// that is enabled; in `rest` is what is left, in which the process does not take part.
#[inline]
pub fn split<'g, R: Regions>(
    regions: &R,
    region: &R::Region,
    guards: impl Iterator<Item = &'g R::Guard>,
    parts: &mut Vec<(usize, R::Region)>,
    rest: &mut Vec<R::Region>,
) where
    R::Guard: 'g,
{
    parts.clear();
    rest.clear();
    for (number, guard) in guards.enumerate() {
        parts.extend(regions.within(region, guard).map(|part| (number, part)));
    }
    regions.without(region, parts.iter().map(|(_, part)| part), rest);
}
