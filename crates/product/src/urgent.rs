//! Conditions that stop time: committed and urgent locations, and synchronisations on urgent channels (`semantics.md` 1, 2).

use crate::condition::{ClockForm, EvaluatedPart};
use crate::moves::Listing;
use crate::tables::{Product, Role};
use crate::ways::Ways;
use std::ops::Range;
use zonewalk_network::ids::{ChannelId, InstanceId};

/// The synchronisations on urgent channels that the data of a state allow, in room that is used again and again.
#[derive(Clone, Debug, Default)]
pub struct Urgent {
    /// Edges whose guards the data allow, with their channels and what they ask of the clocks, by marks.
    enabled: Vec<(InstanceId, ChannelId, Range<u32>)>,
    /// For each synchronisation what its guards ask of the clocks: time stops where all of that holds.
    pub sets: Vec<Vec<Range<u32>>>,
}

/// How time may pass in a discrete state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Time may not pass.
    None,
    /// Time may pass as long as the invariants hold.
    Free,
    /// Until a synchronisation on an urgent channel is enabled.
    Until,
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// How time may pass, as far as locations and data tell. Synchronisations that stop it are in `urgent`.
    ///
    /// # Errors
    /// When the model fails.
    pub fn delay<V: Listing<Bound = F::Bound>>(
        &self,
        valuation: &mut V,
        urgent: &mut Urgent,
    ) -> Result<Delay, V::Stop> {
        urgent.sets.clear();
        let mut has_urgent_edges = false;
        for process in self.processes() {
            let place = self.location_in(valuation.memory(), process);
            if place.committed || place.urgent {
                return Ok(Delay::None);
            }
            has_urgent_edges |= !place.urgent_edges.is_empty();
        }
        if !has_urgent_edges {
            return Ok(Delay::Free);
        }
        urgent.enabled.clear();
        for process in self.processes() {
            let edges = &self.location_in(valuation.memory(), process).urgent_edges;
            for &edge in &self.urgent_edges[edges.start as usize..edges.end as usize] {
                let start = valuation.mark();
                match self.enabled(edge, EvaluatedPart::Nothing, valuation)? {
                    Some(Some(channel)) if self.channel(channel).urgent => {
                        urgent.enabled.push((edge, channel, start..valuation.mark()));
                    }
                    _ => valuation.rewind(start),
                }
            }
        }
        self.pair_urgent(urgent);
        Ok(match urgent.sets.as_slice() {
            [] => Delay::Free,
            sets if sets.iter().any(|set| set.iter().all(Range::is_empty)) => Delay::None,
            _ => Delay::Until,
        })
    }

    /// Puts enabled edges together: both partners of a handshake, the sender of a broadcast, all that have a channel without
    /// `!` and `?`.
    fn pair_urgent(&self, urgent: &mut Urgent) {
        let enabled = &urgent.enabled;
        let role = |edge| self.edge(edge).role;
        let on = |channel: ChannelId, wanted: Role| -> Vec<InstanceId> {
            let fits = enabled.iter().filter(|e| e.1 == channel && role(e.0) == wanted);
            fits.map(|e| e.0).collect()
        };
        let guard = |edge: InstanceId| {
            let of = enabled.iter().find(|e| e.0 == edge);
            of.map_or(0..0, |e| e.2.clone())
        };
        for &(edge, channel, _) in enabled.iter().filter(|e| role(e.0) == Role::Send) {
            self.synchronise(
                channel,
                &[edge],
                &on(channel, Role::Receive),
                |sender, receiver| {
                    let parts = [Some(sender), receiver].into_iter().flatten();
                    urgent.sets.push(parts.map(guard).collect());
                },
            );
        }
        let together = enabled.iter().filter(|e| role(e.0) == Role::Together);
        let mut together: Vec<(ChannelId, InstanceId)> = together.map(|e| (e.1, e.0)).collect();
        together.sort_unstable();
        for (channel, first) in together {
            let mut ways: Ways<()> = Ways::default();
            self.together(first, channel, &on(channel, Role::Together), &mut ways);
            let all = |group: &[InstanceId], _: Option<&()>, with: &mut Vec<_>, _: &mut Vec<_>| {
                // An edge that asks nothing of the clocks stands for the others of its process.
                let free = group.iter().position(|&edge| guard(edge).is_empty());
                let chosen = free.map_or(group, |at| &group[at..=at]);
                with.extend(chosen.iter().map(|&edge| (edge, None)));
            };
            while let Some((parts, _)) = ways.next(all) {
                urgent.sets.push(parts.into_iter().map(guard).collect());
            }
        }
    }
}
