//! All the transitions of a state, for engines that list them anew: which edges are ready, and how they go together.
//!
//! Walks keep such lists up to date from step to step instead; the rules that both ask are those of this crate.

use crate::condition::ClockForm;
use crate::sync::{Regions, split};
use crate::tables::{NONE, Product, Role};
use crate::together::combinations;
use crate::valuation::Valuation;
use std::ops::Range;

/// A transition, possible where its guards hold.
#[derive(Clone, Debug)]
pub struct Move {
    /// Edge instances, in [`Moves::parts`]: the initiator's, then the others' in the order of processes.
    pub parts: Range<u32>,
    /// The piece of the state that it is confined to, in [`Moves::pieces`], if it is.
    pub piece: Option<u32>,
}

/// The transitions of a state, in room that is used again and again. `P` is a piece of a state, `S` why evaluation stops.
#[derive(Clone, Debug)]
pub struct Moves<P, S> {
    /// The edge instances that the data allow, and the clocks somewhere, in order.
    pub ready: Vec<u32>,
    /// By edge instance that is ready.
    about: Vec<Ready>,
    /// By channel the ready edges that receive on it, or have it without `!` and `?`, in order.
    receivers: Vec<Vec<u32>>,
    /// The transitions.
    pub list: Vec<Move>,
    /// The edges of all of them.
    pub parts: Vec<u32>,
    /// Where transitions are confined to.
    pub pieces: Vec<P>,
    any_committed: bool,
    /// The first edge whose guard or channel fails, and why. What does not depend on it goes on.
    pub failed: Option<(u32, S)>,
    /// Receiving edges of which it is not known whether they are enabled, because they fail.
    unknown: Vec<u32>,
}

/// What is known about an edge instance that is ready.
#[derive(Clone, Debug)]
pub struct Ready {
    /// [`NONE`] for an internal edge.
    pub channel: u32,
    /// What the guard asks of the clocks: from one [mark](Listing::mark) to another.
    pub guard: Range<u32>,
}

/// A valuation that keeps what the guards of several edges ask of the clocks, one after the other.
pub trait Listing: Valuation {
    /// How much it keeps by now.
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

    /// What a guard, by its marks, asks.
    fn guard(&self, guard: &Range<u32>) -> &Self::Guard;
}

impl<P, S> Default for Moves<P, S> {
    /// No room at all.
    fn default() -> Self {
        Moves {
            ready: Vec::new(),
            about: Vec::new(),
            receivers: Vec::new(),
            list: Vec::new(),
            parts: Vec::new(),
            pieces: Vec::new(),
            any_committed: false,
            failed: None,
            unknown: Vec::new(),
        }
    }
}

impl<P, S> Moves<P, S> {
    /// Room for the transitions of a product.
    pub fn new<F: ClockForm, X, Y>(product: &Product<'_, F, X, Y>) -> Self {
        let unknown = Ready {
            channel: NONE,
            guard: 0..0,
        };
        Moves {
            about: vec![unknown; product.edges.len()],
            receivers: vec![Vec::new(); product.network.channels.len()],
            ..Moves::default()
        }
    }

    /// Confines a transition to some pieces of the state: it becomes as many transitions.
    pub fn confine(&mut self, of: &Move, pieces: impl Iterator<Item = P>) {
        for piece in pieces {
            self.pieces.push(piece);
            self.list.push(Move {
                parts: of.parts.clone(),
                piece: Some(self.pieces.len() as u32 - 1),
            });
        }
    }

    /// What is known about an edge instance. Requires: it is ready.
    #[inline]
    pub fn about(&self, edge: u32) -> &Ready {
        &self.about[edge as usize]
    }

    /// The edge instances of a transition.
    #[inline]
    pub fn parts(&self, of: &Move) -> &[u32] {
        &self.parts[of.parts.start as usize..of.parts.end as usize]
    }

    fn push(&mut self, parts: &[u32], piece: Option<P>) {
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(parts);
        let piece = piece.map(|piece| {
            self.pieces.push(piece);
            self.pieces.len() as u32 - 1
        });
        self.list.push(Move {
            parts: start..self.parts.len() as u32,
            piece,
        });
    }
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// Lists the edges whose guards hold in the source state (`semantics.md` 8), and says how many were looked at.
    ///
    /// # Errors
    /// When the model fails and that concerns all of its transitions, because what fails may have priority over them. The
    /// edge is in [`Moves::failed`].
    pub fn list_ready<V: Listing<Bound = F::Bound>, P>(
        &self,
        valuation: &mut V,
        moves: &mut Moves<P, V::Stop>,
    ) -> Result<usize, V::Stop>
    where
        V::Stop: Copy,
    {
        for edge in moves.ready.drain(..) {
            if let Some(list) = moves
                .receivers
                .get_mut(moves.about[edge as usize].channel as usize)
            {
                list.clear();
            }
        }
        moves.failed = None;
        moves.unknown.clear();
        let processes = self.network.processes.len() as u32;
        let location = |memory: &[i32], process: u32| memory[process as usize] as u32;
        moves.any_committed =
            (0..processes).any(|p| self.place(p, location(valuation.memory(), p)).committed);
        let mut looked_at = 0;
        for process in 0..processes {
            let place = self.place(process, location(valuation.memory(), process));
            looked_at += place.outgoing.len();
            for number in place.outgoing.clone() {
                let role = self.edges[number as usize].role;
                // Whatever its guard says.
                if role == Role::Internal && !self.is_permitted(moves.any_committed, [number]) {
                    continue;
                }
                let start = valuation.mark();
                match self.enabled(number, valuation) {
                    Ok(Some(channel)) if valuation.is_possible(start) => {
                        if matches!(role, Role::Receive | Role::Together) {
                            moves.receivers[channel as usize].push(number);
                        }
                        moves.ready.push(number);
                        moves.about[number as usize] = Ready {
                            channel,
                            guard: start..valuation.mark(),
                        };
                    }
                    Ok(_) => valuation.rewind(start),
                    Err(stop) => {
                        valuation.rewind(start);
                        moves.failed.get_or_insert((number, stop));
                        if self.network.has_priorities {
                            return Err(stop);
                        }
                        if role == Role::Receive {
                            moves.unknown.push(number);
                        }
                    }
                }
            }
        }
        Ok(looked_at)
    }

    /// The channel of an edge whose guard the data allow; `None` if they do not.
    #[inline]
    pub(crate) fn enabled<V: Valuation<Bound = F::Bound>>(
        &self,
        number: u32,
        valuation: &mut V,
    ) -> Result<Option<u32>, V::Stop> {
        let edge = &self.edges[number as usize];
        match self
            .conditions
            .evaluate(&edge.guard, || edge.context, valuation)?
        {
            true => self.channel_of(number, valuation).map(Some),
            false => Ok(None),
        }
    }

    /// Puts the ready edges together to transitions: all that the committed rule leaves. What priorities leave of them is
    /// another matter ([`sift`](crate::sift)).
    pub fn combine<G: Splitter, S>(&self, splitter: &G, moves: &mut Moves<G::Region, S>) {
        moves.list.clear();
        moves.parts.clear();
        moves.pieces.clear();
        for at in 0..moves.ready.len() {
            let edge = moves.ready[at];
            let channel = moves.about(edge).channel;
            match self.edges[edge as usize].role {
                Role::Internal => moves.push(&[edge], None),
                Role::Receive => {}
                Role::Together => self.together(edge, moves),
                Role::Send if self.channel(channel).broadcast => self.broadcast(splitter, edge, moves),
                Role::Send => {
                    let receivers = std::mem::take(&mut moves.receivers[channel as usize]);
                    self.synchronise(channel, &[edge], &receivers, |sender, receiver| {
                        if self.is_permitted(moves.any_committed, [sender, receiver]) {
                            moves.push(&[sender, receiver], None);
                        }
                    });
                    moves.receivers[channel as usize] = receivers;
                }
            }
        }
    }

    /// Every process that has the channel takes part with an enabled edge, the first of them as the initiator
    /// (`semantics.md` 16a).
    fn together<P, S>(&self, first: u32, moves: &mut Moves<P, S>) {
        let channel = moves.about(first).channel;
        let participants = &self.channel(channel).participants;
        if participants.first() != Some(&self.edges[first as usize].process) {
            return;
        }
        let others: Vec<u32> = self
            .receivers(first, &moves.receivers[channel as usize])
            .collect();
        let groups: Vec<&[u32]> = self.by_process(&others).collect();
        if groups.len() + 1 < participants.len() {
            return;
        }
        for parts in combinations(first, &groups) {
            if self.is_permitted(moves.any_committed, parts.iter().copied()) {
                moves.push(&parts, None);
            }
        }
    }

    /// Every other process with an enabled receiving edge takes part (`semantics.md` 11); who that is may depend on the
    /// clocks (12).
    fn broadcast<G: Splitter, S>(&self, splitter: &G, sender: u32, moves: &mut Moves<G::Region, S>) {
        let channel = moves.about(sender).channel;
        // Who may receive must; without knowing that nothing is certain about the broadcast.
        let may_receive = |&other: &u32| self.may_receive(&self.edges[other as usize], sender, channel);
        if moves.unknown.iter().any(may_receive) {
            return;
        }
        let receivers: Vec<u32> = self
            .receivers(sender, &moves.receivers[channel as usize])
            .collect();
        let groups: Vec<&[u32]> = self.by_process(&receivers).collect();
        if receivers.iter().all(|&r| moves.about(r).guard.is_empty()) {
            for parts in combinations(sender, &groups) {
                if self.is_permitted(moves.any_committed, parts.iter().copied()) {
                    moves.push(&parts, None);
                }
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
                next.extend(with.drain(..).map(|(number, part)| {
                    let taking_part = parts.iter().copied().chain([group[number]]);
                    (taking_part.collect(), part)
                }));
                next.extend(rest.drain(..).map(|piece| (parts.clone(), piece)));
            }
            pieces = next;
        }
        for (parts, piece) in pieces {
            if self.is_permitted(moves.any_committed, parts.iter().copied()) {
                moves.push(&parts, Some(piece));
            }
        }
    }
}
