//! All the transitions of a state, for engines that list them anew: which edges are ready, and how they go together.
//!
//! Walks keep such lists up to date from step to step instead; the rules that both ask are those of this crate.

use crate::condition::{ClockForm, EvaluatedPart};
use crate::sync::{Regions, split};
use crate::tables::{Product, Role};
use crate::together::combinations;
use crate::valuation::Valuation;
use std::ops::Range;
use zonewalk_network::ids::{ChannelId, InstanceId};

/// A transition, possible where its guards hold.
#[derive(Clone, Debug)]
pub struct Move {
    /// Edge instances, in [`Moves::parts`]: the initiator's, then the others' in the order of processes.
    pub parts: Range<u32>,
    /// The piece of the state that it is confined to, in [`Moves::pieces`], if it is.
    pub piece: Option<u32>,
}

/// The transitions of a state, in room that is used again and again. `P` is a piece of a state.
#[derive(Clone, Debug, Default)]
pub struct Moves<P> {
    /// The edge instances that the data allow, and the clocks somewhere, in order.
    pub ready: Vec<InstanceId>,
    /// By edge instance that is ready.
    about: Vec<Ready>,
    /// By channel the ready edges that receive on it, or have it without `!` and `?`, in order.
    receivers: Vec<Vec<InstanceId>>,
    /// The transitions.
    pub list: Vec<Move>,
    /// The edges of all of them.
    pub parts: Vec<InstanceId>,
    /// Where transitions are confined to.
    pub pieces: Vec<P>,
    any_committed: bool,
    /// Edges whose guards or channels fail. What does not depend on them goes on.
    failing: Vec<InstanceId>,
}

/// Facts about an edge instance that is ready.
#[derive(Clone, Debug, Default)]
pub struct Ready {
    /// Its channel; `None` for an internal edge.
    pub channel: Option<ChannelId>,
    /// The guard's constraints on clocks: from one [mark](Listing::mark) to another.
    pub guard: Range<u32>,
}

/// A valuation that keeps what the guards of several edges ask of the clocks, one after the other.
pub trait Listing: Valuation {
    /// Current number of kept constraints.
    fn mark(&self) -> u32;

    /// Whether what it keeps since a mark holds somewhere in the state.
    fn is_possible(&self, since: u32) -> bool;

    /// Forgets what it keeps since a mark.
    fn rewind(&mut self, to: u32);
}

/// A state whose parts are cut by what the guards of ready edges ask.
pub trait Splitter: Regions {
    /// The part in which a guard, by its marks, holds; `None` if there is none.
    fn part(&self, guard: &Range<u32>) -> Option<Self::Region>;

    /// Constraints of a guard, by its marks.
    fn guard(&self, guard: &Range<u32>) -> &Self::Guard;
}

impl<P> Moves<P> {
    /// Room for the transitions of a product.
    pub fn new<F: ClockForm, X, Y>(product: &Product<'_, F, X, Y>) -> Self
    where
        P: Default,
    {
        Moves {
            about: vec![Ready::default(); product.edges.len()],
            receivers: vec![Vec::new(); product.network.channels.len()],
            ..Moves::default()
        }
    }

    /// Confines a transition to some pieces of the state: it becomes as many transitions.
    pub fn confine(&mut self, of: &Move, pieces: impl Iterator<Item = P>) {
        for piece in pieces {
            self.add(of.parts.clone(), Some(piece));
        }
    }

    /// Facts about an edge instance. Requires: it is ready.
    #[inline]
    pub fn about(&self, edge: InstanceId) -> &Ready {
        &self.about[edge.index()]
    }

    /// The edge instances of a transition.
    #[inline]
    pub fn parts(&self, of: &Move) -> &[InstanceId] {
        &self.parts[of.parts.start as usize..of.parts.end as usize]
    }

    fn push(&mut self, parts: &[InstanceId], piece: Option<P>) {
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(parts);
        self.add(start..self.parts.len() as u32, piece);
    }

    fn add(&mut self, parts: Range<u32>, piece: Option<P>) {
        let number = piece.is_some().then_some(self.pieces.len() as u32);
        self.pieces.extend(piece);
        let piece = number;
        self.list.push(Move { parts, piece });
    }
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// Lists the edges whose guards hold in the source state (`semantics.md` 8), and says how many were examined. Calls `fail`
    /// with every edge whose guard or channel fails.
    ///
    /// # Errors
    /// When the model fails and that concerns all of its transitions, because what fails may have priority over them.
    pub fn list_ready<V: Listing<Bound = F::Bound>, P>(
        &self,
        valuation: &mut V,
        moves: &mut Moves<P>,
        mut fail: impl FnMut(InstanceId, V::Stop),
    ) -> Result<usize, V::Stop>
    where
        V::Stop: Copy,
    {
        for edge in moves.ready.drain(..) {
            if let Some(channel) = moves.about[edge.index()].channel {
                moves.receivers[channel.index()].clear();
            }
        }
        moves.failing.clear();
        moves.any_committed = self
            .processes()
            .any(|p| self.location_in(valuation.memory(), p).committed);
        let mut looked_at = 0;
        for process in self.processes() {
            let place = self.location_in(valuation.memory(), process);
            looked_at += place.outgoing.len();
            for number in place.outgoing {
                let role = self.edge(number).role;
                // Whatever its guard says.
                if role == Role::Internal && !self.is_permitted(moves.any_committed, [number]) {
                    continue;
                }
                let start = valuation.mark();
                match self.enabled(number, EvaluatedPart::Nothing, valuation) {
                    Ok(Some(channel)) if valuation.is_possible(start) => {
                        if let (Role::Receive | Role::Together, Some(channel)) = (role, channel) {
                            moves.receivers[channel.index()].push(number);
                        }
                        moves.ready.push(number);
                        moves.about[number.index()] = Ready {
                            channel,
                            guard: start..valuation.mark(),
                        };
                    }
                    Ok(_) => valuation.rewind(start),
                    Err(stop) => {
                        valuation.rewind(start);
                        fail(number, stop);
                        if self.leaves_open(number, None) {
                            return Err(stop);
                        }
                        moves.failing.push(number);
                    }
                }
            }
        }
        Ok(looked_at)
    }

    /// Puts the ready edges together to transitions: all that the committed rule leaves. What priorities leave of them is
    /// another matter ([`sift`](crate::sift)).
    pub fn combine<G: Splitter>(&self, splitter: &G, moves: &mut Moves<G::Region>) {
        moves.list.clear();
        moves.parts.clear();
        moves.pieces.clear();
        for at in 0..moves.ready.len() {
            let edge = moves.ready[at];
            let Some(channel) = moves.about(edge).channel else {
                moves.push(&[edge], None);
                continue;
            };
            match self.edge(edge).role {
                Role::Internal | Role::Receive => {}
                Role::Together => {
                    for parts in self.together(edge, channel, &moves.receivers[channel.index()]) {
                        self.permit(&parts, None, moves);
                    }
                }
                Role::Send if self.channel(channel).broadcast => {
                    self.broadcast(splitter, edge, channel, moves);
                }
                Role::Send => {
                    let receivers = std::mem::take(&mut moves.receivers[channel.index()]);
                    for receiver in self.receivers(edge, &receivers) {
                        self.permit(&[edge, receiver], None, moves);
                    }
                    moves.receivers[channel.index()] = receivers;
                }
            }
        }
    }

    /// Adds a transition if the committed rule lets these edges make one up.
    fn permit<P>(&self, parts: &[InstanceId], piece: Option<P>, moves: &mut Moves<P>) {
        if self.is_permitted(moves.any_committed, parts.iter().copied()) {
            moves.push(parts, piece);
        }
    }

    /// Every other process with an enabled receiving edge takes part (`semantics.md` 11); which ones may depend on the
    /// clocks (12).
    fn broadcast<G: Splitter>(
        &self,
        splitter: &G,
        sender: InstanceId,
        channel: ChannelId,
        moves: &mut Moves<G::Region>,
    ) {
        let leaves_open = |&other: &InstanceId| self.leaves_open(other, Some((sender, channel)));
        if moves.failing.iter().any(leaves_open) {
            return;
        }
        let receivers: Vec<InstanceId> = self
            .receivers(sender, &moves.receivers[channel.index()])
            .collect();
        let groups: Vec<&[InstanceId]> = self.by_process(&receivers).collect();
        let is_partial = |edge: &InstanceId| self.edge(*edge).is_partial;
        if receivers.iter().all(|&r| moves.about(r).guard.is_empty()) {
            let is_optional = |group: &[InstanceId]| group.iter().all(is_partial);
            for parts in combinations(sender, &groups, is_optional) {
                self.permit(&parts, None, moves);
            }
            return;
        }
        let Some(whole) = splitter.part(&moves.about(sender).guard) else {
            return;
        };
        let mut pieces = vec![(vec![sender], whole)];
        let (mut with, mut rest) = (Vec::new(), Vec::new());
        for group in groups {
            let mut next = Vec::new();
            for (parts, region) in pieces {
                let guards = group.iter().map(|&r| splitter.guard(&moves.about(r).guard));
                split(splitter, &region, guards, &mut with, &mut rest);
                if group.iter().any(is_partial) {
                    // Only an edge that is certainly possible makes its process take part.
                    let certain = with.iter().filter(|(number, _)| !is_partial(&group[*number]));
                    rest.clear();
                    splitter.without(&region, certain.map(|(_, part)| part), &mut rest);
                }
                next.extend(with.drain(..).map(|(number, part)| {
                    let taking_part = parts.iter().copied().chain([group[number]]);
                    (taking_part.collect(), part)
                }));
                next.extend(rest.drain(..).map(|piece| (parts.clone(), piece)));
            }
            pieces = next;
        }
        for (parts, piece) in pieces {
            self.permit(&parts, Some(piece), moves);
        }
    }
}
