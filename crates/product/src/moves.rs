//! All the transitions of a state, for engines that list them anew: which edges are ready, and how they go together.
//!
//! Walks keep such lists up to date from step to step instead; the rules that both ask are those of this crate.

use crate::condition::{ClockForm, EvaluatedPart};
use crate::sync::{Regions, split};
use crate::tables::{Product, Role};
use crate::valuation::Valuation;
use crate::ways::Ways;
use std::ops::Range;
use zonewalk_network::ids::{ChannelId, InstanceId};

/// Transitions that are listed at a time, and combinations of edges that are tried for them: there may be a great many, and who lists
/// them may want to stop.
const BATCH: usize = 1 << 6;

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
    /// The ready edge that is next to begin transitions.
    next: usize,
    /// Transitions that the edge before it still has to begin.
    ways: Ways<P>,
    /// The edges of the only transition that is listed; all transitions are where there are none. Priorities need all of them.
    pub only: Vec<InstanceId>,
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

    /// Whether [`combine`](Product::combine) has listed all of them.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.next == self.ready.len() && self.ways.is_empty()
    }

    /// Forgets the transitions that are listed, and goes on after them.
    pub fn forget(&mut self) {
        self.list.clear();
        self.parts.clear();
        self.pieces.clear();
    }

    fn is_wanted(&self, edge: InstanceId) -> bool {
        self.only.is_empty() || self.only.contains(&edge)
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
        moves.forget();
        moves.next = 0;
        moves.ways.clear();
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
    ///
    /// Adds some transitions to those that are listed, if only few; false when there are no more. To be called again and again: a state with
    /// forty processes that receive a broadcast by two edges each has 2^40 transitions.
    pub fn combine<G: Splitter>(&self, splitter: &G, moves: &mut Moves<G::Region>) -> bool {
        let mut tried = 0;
        while tried < BATCH {
            tried += 1;
            if !moves.ways.is_empty()
                && let Some((parts, piece)) = self.next_way(splitter, moves)
            {
                self.permit(&parts, piece, moves);
                continue;
            }
            let Some(&edge) = moves.ready.get(moves.next) else {
                return tried > 1;
            };
            moves.next += 1;
            if !moves.is_wanted(edge) {
                continue;
            }
            let Some(channel) = moves.about(edge).channel else {
                moves.push(&[edge], None);
                continue;
            };
            match self.edge(edge).role {
                Role::Internal | Role::Receive => {}
                Role::Together => {
                    let ready = &moves.receivers[channel.index()];
                    self.together(edge, channel, ready, &mut moves.ways);
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
        true
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
        let receivers = &moves.receivers[channel.index()];
        let depends = |receiver| !moves.about[InstanceId::index(receiver)].guard.is_empty();
        let region = match self.receivers(sender, receivers).any(depends) {
            false => None,
            true => match splitter.part(&moves.about(sender).guard) {
                None => return,
                whole => whole,
            },
        };
        moves
            .ways
            .begin(sender, region, self.by_process_of(sender, receivers));
    }

    /// The next way in which processes take part in what an edge begins, and where, if that depends on the clocks.
    fn next_way<G: Splitter>(
        &self,
        splitter: &G,
        moves: &mut Moves<G::Region>,
    ) -> Option<(Vec<InstanceId>, Option<G::Region>)> {
        let Moves {
            ways, about, only, ..
        } = moves;
        let is_partial = |edge: &InstanceId| self.edge(*edge).is_partial;
        ways.next(|group, region, with, without| {
            let Some(region) = region else {
                with.extend(group.iter().map(|&edge| (edge, None)));
                without.extend(group.iter().all(is_partial).then_some(None));
                keep(only, group, with, without);
                return;
            };
            let (mut parts, mut rest) = (Vec::new(), Vec::new());
            let guards = group.iter().map(|r| splitter.guard(&about[r.index()].guard));
            split(splitter, region, guards, &mut parts, &mut rest);
            if group.iter().any(is_partial) {
                // Only an edge that is certainly possible makes its process take part.
                let certain = parts.iter().filter(|(number, _)| !is_partial(&group[*number]));
                rest.clear();
                splitter.without(region, certain.map(|(_, part)| part), &mut rest);
            }
            with.extend(
                parts
                    .into_iter()
                    .map(|(number, part)| (group[number], Some(part))),
            );
            without.extend(rest.into_iter().map(Some));
            keep(only, group, with, without);
        })
    }
}

/// Leaves the ways in which a process, given by its edges, takes part in a transition of these edges; all where there are none.
fn keep<P>(
    only: &[InstanceId],
    group: &[InstanceId],
    with: &mut Vec<(InstanceId, Option<P>)>,
    without: &mut Vec<Option<P>>,
) {
    if only.is_empty() {
        return;
    }
    with.retain(|(edge, _)| only.contains(edge));
    if group.iter().any(|edge| only.contains(edge)) {
        without.clear();
    }
}
