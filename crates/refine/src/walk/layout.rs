//! Locations and edges of automata, laid out when a walk first gets there.

use std::ops::Range;

use zonewalk_tioa::Side as Which;

use crate::systems::automaton::Location;
use crate::systems::set::{Set, TooLarge};
use crate::walk::instant::{Window, atom, within};
use crate::walk::plan::{NONE, PairPlan, Part, Span};

/// A location of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocationLayout {
    /// Its number in the automaton.
    pub(super) location: u32,
    /// The alternatives of its invariant, in `conjunctions`.
    pub(super) invariant: Span,
    /// Where its edges by action begin in `slots`.
    pub(super) first: u32,
    /// Whether it has edges by which its automaton sends something.
    pub(super) sends: bool,
    /// Whether everything is allowed here forever.
    pub(super) is_universal: bool,
}

/// The edges of a place on one action. Nearly always there is one edge with one condition, so that is at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    edges: Span,
    /// The comparisons of the only condition, in `atoms`; from `NONE` on if there is not just one.
    only: Span,
}

impl Slot {
    #[inline]
    pub(super) fn edges(self) -> Range<usize> {
        self.edges.range()
    }

    #[inline]
    pub(super) fn is_single(self) -> bool {
        self.only.from != NONE
    }
}

/// An edge of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeLayout {
    /// Alternatives of its condition, in `conjunctions`.
    pub(super) alternatives: Span,
    /// Clocks and what is taken from the instant to set them, in `updates`.
    pub(super) updates: Span,
    /// The target's number in the automaton.
    pub(super) target_location: u32,
    /// The target's place, or none if no walk was there.
    target: u32,
    /// Offers that gain or lose a participant, in `changes`.
    changes: Span,
    /// Its place in the list of its location.
    pub(super) number: u32,
}

impl PairPlan {
    /// The edges of a place on the action with this local number.
    pub(super) fn on(&self, place: u32, local: u32) -> Range<usize> {
        self.slot(self.places[place as usize].first, local).edges()
    }

    /// Slot for a place whose slots begin at `row`.
    #[inline]
    pub(super) fn slot(&self, row: u32, local: u32) -> Slot {
        self.slots[(row + local) as usize]
    }

    /// The instants of a window at which the only condition of a slot holds.
    #[inline]
    pub(super) fn within_only(&self, slot: Slot, since: &[i64], window: Window) -> Window {
        within(&self.atoms[slot.only.range()], since, window)
    }

    /// The edges of a place by which its automaton sends, each with its offer.
    pub(super) fn sent_from(&self, part: u32, place: u32) -> impl Iterator<Item = (u32, usize)> {
        let own = &self.parts[part as usize];
        let sent = own.outputs.iter().zip(&own.offers).enumerate();
        sent.filter(|(_, (is_output, offer))| **is_output && **offer != NONE)
            .flat_map(move |(local, (_, &offer))| self.on(place, local as u32).map(move |edge| (offer, edge)))
    }

    /// The place of an automaton's location, which is made if no walk was there.
    pub(super) fn place(&mut self, part: u32, location: u32) -> Result<u32, TooLarge> {
        let own = &mut self.parts[part as usize];
        let index = location as usize;
        if own.places.len() <= index {
            own.places.resize(index + 1, NONE);
        }
        if own.places[index] == NONE {
            own.places[index] = self.places.len() as u32;
            self.make_place(part, location)?;
        }
        Ok(self.parts[part as usize].places[index])
    }

    fn make_place(&mut self, part: u32, id: u32) -> Result<(), TooLarge> {
        let Part {
            which, number, base, ..
        } = self.parts[part as usize];
        let side = match which {
            Which::Left => &mut self.pair.left,
            Which::Right => &mut self.pair.right,
        };
        let location = std::sync::Arc::clone(side.parts[number as usize].expand(id)?);
        let invariant = self.set(&location.invariant, base);
        let first = self.slots.len() as u32;
        let mut edges = location.edges.iter().enumerate().peekable();
        for local in 0..self.parts[part as usize].actions.len() {
            let action = self.parts[part as usize].actions[local];
            let first_edge = self.edges.len() as u32;
            while let Some((number, edge)) = edges.next_if(|(_, edge)| edge.action <= action) {
                let alternatives = self.set(&edge.allowed, base);
                let from = self.updates.len() as u32;
                let unit = self.unit;
                let set = edge.updates.iter();
                self.updates
                    .extend(set.map(|&(clock, value)| (u32::from(clock + base), i64::from(value) * unit)));
                self.edges.push(EdgeLayout {
                    alternatives,
                    updates: Span {
                        from,
                        to: self.updates.len() as u32,
                    },
                    target_location: edge.target,
                    target: NONE,
                    changes: Span::default(),
                    number: number as u32,
                });
            }
            let edges = Span {
                from: first_edge,
                to: self.edges.len() as u32,
            };
            self.slots.push(Slot {
                edges,
                only: self.only_condition(edges),
            });
        }
        self.places.push(LocationLayout {
            location: id,
            invariant,
            first,
            sends: location.edges.iter().any(|edge| edge.is_output),
            is_universal: location.is_universal,
        });
        Ok(())
    }

    fn only_condition(&self, edges: Span) -> Span {
        if let [edge] = &self.edges[edges.range()]
            && let [only] = &self.conjunctions[edge.alternatives.range()]
        {
            return *only;
        }
        Span { from: NONE, to: NONE }
    }

    fn set(&mut self, set: &Set, base: u16) -> Span {
        let from = self.conjunctions.len() as u32;
        for part in set.parts() {
            let first = self.atoms.len() as u32;
            self.atoms.extend(part.iter().map(|c| atom(c, base, self.unit)));
            self.conjunctions.push(Span {
                from: first,
                to: self.atoms.len() as u32,
            });
        }
        Span {
            from,
            to: self.conjunctions.len() as u32,
        }
    }

    /// Where an edge of an automaton leads. `from` is the place that it leaves.
    #[inline]
    pub(super) fn target(&mut self, part: u32, from: u32, edge: u32) -> Result<(u32, Span), TooLarge> {
        let known = &self.edges[edge as usize];
        if known.target != NONE {
            return Ok((known.target, known.changes));
        }
        self.find_target(part, from, edge)
    }

    #[cold]
    fn find_target(&mut self, part: u32, from: u32, edge: u32) -> Result<(u32, Span), TooLarge> {
        let target = self.place(part, self.edges[edge as usize].target_location)?;
        let first = self.changes.len() as u32;
        let own = &self.parts[part as usize];
        for (local, &offer) in own.offers.iter().enumerate().filter(|(_, offer)| **offer != NONE) {
            let could = !self.on(from, local as u32).is_empty();
            let can = !self.on(target, local as u32).is_empty();
            if could != can {
                self.changes.push((offer, can));
            }
        }
        let changes = Span {
            from: first,
            to: self.changes.len() as u32,
        };
        let known = &mut self.edges[edge as usize];
        known.target = target;
        known.changes = changes;
        Ok((target, changes))
    }

    /// The edge that has this place in the list of a location.
    pub(super) fn edge(&self, place: u32, local: u32, number: u32) -> Option<u32> {
        let mut edges = self.on(place, local);
        let found = edges.find(|&edge| self.edges[edge].number == number);
        found.map(|edge| edge as u32)
    }

    /// Whether two edges of a location lead to the same state.
    pub(super) fn is_same(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.edges[a], &self.edges[b]);
        a.target_location == b.target_location && self.updates(a.updates) == self.updates(b.updates)
    }

    /// A location that a walk has met, and the side of its automaton.
    pub(super) fn location(&self, part: u32, id: u32) -> (Which, &Location) {
        let Part { which, number, .. } = self.parts[part as usize];
        let (side, _) = self.pair.side(which);
        (which, side.parts[number as usize].location(id))
    }

    /// The offers that an automaton takes part in, with whether it can at a place.
    pub(super) fn able(&self, part: u32, place: u32) -> impl Iterator<Item = (u32, bool)> {
        let offers = self.parts[part as usize].offers.iter().enumerate();
        offers
            .filter(|(_, offer)| **offer != NONE)
            .map(move |(local, &offer)| (offer, !self.on(place, local as u32).is_empty()))
    }

    #[inline]
    pub(super) fn change(&self, at: usize) -> (u32, bool) {
        self.changes[at]
    }

    #[inline]
    pub(super) fn updates(&self, span: Span) -> &[(u32, i64)] {
        &self.updates[span.range()]
    }
}
