//! What walks look at: the automata of a pair as flat tables.
//!
//! Time is counted in halves of a tick, of which [`UNIT`] make a unit of time. Walks choose even instants, ticks. The odd numbers in
//! between stand for all the instants between two ticks: `x < c` is `x <= c - 1` and `x > c` is `x >= c + 1`. So bounds
//! are compared exactly, with their strictness, by comparing integers.
//!
//! Places (locations of an automaton) are made when a walk first gets there, because those of quotients and conjunctions are.

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::minimal::Constraint;

use crate::automaton::Location;
use crate::pair::Pair;
use crate::set::{Set, TooLarge};

/// Halves of a tick in a unit of time: 2^20 ticks.
pub(super) const UNIT: i64 = 1 << 21;
/// An instant that is never reached.
pub(super) const FOREVER: i64 = 1 << 61;
/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// A stretch of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// A comparison, as a condition on the instant at which it is looked at. The value of a clock is that instant minus the one at which
/// it was zero, or would have been.
#[derive(Clone, Copy, Debug)]
pub(super) enum Atom {
    /// Not later than so long after the clock was zero.
    Upper(u32, i64),
    /// Not earlier.
    Lower(u32, i64),
    /// The first clock was zero so much earlier than the second one, at most. Time does not change that.
    Difference(u32, u32, i64),
}

/// A window of instants, both ends included; it has none if `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

/// A location of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its number in the automaton.
    pub(super) location: u32,
    /// The alternatives of its invariant, in `conjunctions`.
    pub(super) invariant: Span,
    /// Where its edges by action begin in `slots`.
    pub(super) first: u32,
    /// Whether it has edges by which its automaton sends something.
    pub(super) sends: bool,
    /// Whether everything is allowed here for ever.
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
    pub(super) fn edges(self) -> std::ops::Range<usize> {
        self.edges.range()
    }

    #[inline]
    pub(super) fn is_single(self) -> bool {
        self.only.from != NONE
    }
}

/// An edge of an automaton.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Alternatives of its condition, in `conjunctions`.
    pub(super) alternatives: Span,
    /// Clocks and what is taken from the instant to set them, in `updates`.
    pub(super) updates: Span,
    /// The target's number in the automaton.
    target_location: u32,
    /// The target's place, or none if no walk was there.
    target: u32,
    /// Offers that gain or lose a participant, in `changes`.
    changes: Span,
    /// Its place in the list of its location.
    pub(super) number: u32,
}

/// An automaton of the pair. Those of the left side come first.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) which: Which,
    /// Number in its side.
    number: u32,
    /// How many clocks of the pair stand before its own.
    pub(super) base: u16,
    /// Its actions, sorted. Their places in this list are the local numbers of actions.
    actions: Vec<Action>,
    /// For each of them whether the automaton sends it.
    outputs: Vec<bool>,
    /// For each of them the offer that this automaton has to take part in to make it.
    offers: Vec<u32>,
    /// The place of each location that walks have met.
    places: Vec<u32>,
}

/// Something that may happen next: an action and who leads. A channel in the words of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) action: Action,
    /// Whether the left side sends the action; else the right side receives it.
    pub(super) is_output: bool,
    /// Whose transitions are drawn. Inputs that both sides know are drawn from the left side, as the paper has it.
    pub(super) leader: Which,
    /// Who takes part: automata of the leader, with the local number of the action.
    pub(super) leaders: Span,
    /// The same for the other side; nobody if it does not know the action and stands still.
    pub(super) followers: Span,
    /// Whether the left side makes the offer too, and this one counts only where the left side may refuse it.
    pub(super) is_refusal: bool,
}

/// The tables.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Halves of a tick in a unit of time.
    pub(super) unit: i64,
    /// One unit more than the largest constant: where nothing new happens to a clock.
    pub(super) beyond: i64,
    pub(super) pair: Pair,
    pub(super) parts: Vec<Part>,
    /// How many of them are on the left side.
    pub(super) middle: usize,
    /// Clocks of the pair, and the one that is always zero.
    pub(super) clocks: usize,
    pub(super) offers: Vec<Offer>,
    participants: Vec<(u32, u32)>,
    pub(super) places: Vec<Place>,
    slots: Vec<Slot>,
    pub(super) edges: Vec<Edge>,
    conjunctions: Vec<Span>,
    atoms: Vec<Atom>,
    updates: Vec<(u32, i64)>,
    changes: Vec<(u32, bool)>,
}

impl Plan {
    /// The tables of a pair, with `unit` halves of a tick in a unit of time.
    pub(super) fn new(pair: &Pair, unit: i64) -> Plan {
        let sides = [
            (Which::Left, &pair.left, 0),
            (Which::Right, &pair.right, pair.left.clocks),
        ];
        let mut parts = Vec::with_capacity(pair.left.parts.len() + pair.right.parts.len());
        for (which, side, base) in sides {
            for (number, (automaton, offset)) in side.parts.iter().zip(&side.offsets).enumerate() {
                let alphabet = &automaton.alphabet;
                let mut actions = [&alphabet.inputs[..], &alphabet.outputs[..]].concat();
                actions.sort_unstable();
                let sends = |action: &Action| alphabet.outputs.binary_search(action).is_ok();
                parts.push(Part {
                    which,
                    number: number as u32,
                    base: base + offset,
                    outputs: actions.iter().map(sends).collect(),
                    offers: vec![NONE; actions.len()],
                    actions,
                    places: Vec::new(),
                });
            }
        }
        let all = pair.left.parts.iter().chain(&pair.right.parts);
        let largest = all
            .map(crate::automaton::Automaton::largest_constant)
            .fold(0, i64::max);
        let mut plan = Plan {
            unit,
            beyond: (largest + 1) * unit,
            pair: pair.clone(),
            parts,
            middle: pair.middle(),
            clocks: usize::from(pair.left.clocks) + usize::from(pair.right.clocks) + 1,
            offers: Vec::new(),
            participants: Vec::new(),
            places: Vec::new(),
            slots: Vec::new(),
            edges: Vec::new(),
            conjunctions: Vec::new(),
            atoms: Vec::new(),
            updates: Vec::new(),
            changes: Vec::new(),
        };
        plan.make_offers();
        plan
    }

    /// Outputs of the left side and inputs of the right side, as refinement asks for them. Nobody leads an action that is neither, or
    /// both; alphabets that allow such actions are refused beforehand.
    fn make_offers(&mut self) {
        for action in self.pair.left.alphabet.outputs.clone() {
            if !self.pair.right.receives(action) {
                self.offer(action, true, Which::Left, false);
            }
        }
        for action in self.pair.right.alphabet.inputs.clone() {
            if self.pair.left.receives(action) {
                self.offer(action, false, Which::Left, false);
                if self.may_refuse(action) {
                    self.offer(action, false, Which::Right, true);
                }
            } else if !self.pair.left.sends(action) {
                self.offer(action, false, Which::Right, false);
            }
        }
    }

    fn offer(&mut self, action: Action, is_output: bool, leader: Which, is_refusal: bool) {
        let number = self.offers.len() as u32;
        let left = self.list_participants(action, Which::Left);
        let right = self.list_participants(action, Which::Right);
        let (leaders, followers) = match leader {
            Which::Left => (left, right),
            Which::Right => (right, left),
        };
        for &(part, local) in &self.participants[leaders.range()] {
            self.parts[part as usize].offers[local as usize] = number;
        }
        self.offers.push(Offer {
            action,
            is_output,
            leader,
            leaders,
            followers,
            is_refusal,
        });
    }

    fn list_participants(&mut self, action: Action, which: Which) -> Span {
        let (side, first) = match which {
            Which::Left => (&self.pair.left, 0),
            Which::Right => (&self.pair.right, self.middle as u32),
        };
        let from = self.participants.len() as u32;
        for &part in side.participants(action) {
            let number = first + part;
            let local = self.parts[number as usize]
                .actions
                .partition_point(|known| *known < action);
            self.participants.push((number, local as u32));
        }
        Span {
            from,
            to: self.participants.len() as u32,
        }
    }

    /// Whether the left side may refuse an input somewhere: components that are completed never do.
    fn may_refuse(&self, action: Action) -> bool {
        self.pair.left.participants(action).iter().any(|&part| {
            let automaton = &self.pair.left.parts[part as usize];
            !automaton.is_component() || !automaton.known().all(|location| accepts(location, action))
        })
    }

    #[inline]
    pub(super) fn participants(&self, span: Span) -> &[(u32, u32)] {
        &self.participants[span.range()]
    }

    /// One of the participants of an offer.
    pub(super) fn participant(&self, at: usize) -> (u32, u32) {
        self.participants[at]
    }

    /// The edges of a place on the action with this local number.
    pub(super) fn on(&self, place: u32, local: u32) -> std::ops::Range<usize> {
        self.slot(self.places[place as usize].first, local).edges()
    }

    /// The same, for a place whose slots begin at `row`.
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
                self.edges.push(Edge {
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
        self.places.push(Place {
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

    /// Counts time in other parts of a unit, of which there are at least two.
    pub(super) fn rescale(&mut self, unit: i64) {
        let old = std::mem::replace(&mut self.unit, unit);
        // A strict bound is the only one that is no multiple of the unit.
        let upper =
            |bound: i64| (bound + old - 1).div_euclid(old) * unit - i64::from(bound.rem_euclid(old) != 0);
        let lower = |bound: i64| bound.div_euclid(old) * unit + i64::from(bound.rem_euclid(old) != 0);
        for atom in &mut self.atoms {
            match atom {
                Atom::Upper(_, bound) | Atom::Difference(_, _, bound) => *bound = upper(*bound),
                Atom::Lower(_, bound) => *bound = lower(*bound),
            }
        }
        for (_, value) in &mut self.updates {
            *value = *value / old * unit;
        }
        self.beyond = self.beyond / old * unit;
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

    /// About how much memory the tables have.
    pub(super) fn bytes(&self) -> usize {
        fn of<T>(list: &[T]) -> usize {
            std::mem::size_of_val(list)
        }
        let tables = of(&self.places) + of(&self.slots) + of(&self.edges) + of(&self.conjunctions);
        // The automata hold about the same once more.
        2 * (tables + of(&self.atoms) + of(&self.updates) + of(&self.changes))
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

    /// The comparisons of an alternative.
    #[inline]
    pub(super) fn atoms(&self, conjunction: usize) -> &[Atom] {
        &self.atoms[self.conjunctions[conjunction].range()]
    }

    /// The instants of a window at which a conjunction holds.
    #[inline]
    pub(super) fn within(&self, conjunction: usize, since: &[i64], window: Window) -> Window {
        within(self.atoms(conjunction), since, window)
    }

    /// Whether a comparison of an automaton holds at an instant. `base` is the number of clocks before its own.
    pub(super) fn satisfies(&self, c: &Constraint, base: u16, since: &[i64], at: i64) -> bool {
        let window = within(&[atom(c, base, self.unit)], since, Window { lo: at, hi: at });
        window.lo == at && window.hi == at
    }

    /// Whether a conjunction holds at an instant.
    #[inline]
    pub(super) fn holds(&self, conjunction: usize, since: &[i64], at: i64) -> bool {
        let window = self.within(conjunction, since, Window { lo: at, hi: at });
        window.lo == at && window.hi == at
    }

    /// The last instant up to which an invariant holds without a break, from `now` on; before `now` if it does not hold then.
    pub(super) fn deadline(&self, invariant: Span, since: &[i64], now: i64) -> i64 {
        let all = Window { lo: 0, hi: FOREVER };
        if invariant.to - invariant.from == 1 {
            let window = self.within(invariant.from as usize, since, all);
            return if window.lo <= now { window.hi } else { now - 1 };
        }
        let mut last = now - 1;
        loop {
            // Another alternative takes over at the next instant: no instant is left out, see the head of this file.
            let reached = invariant
                .range()
                .map(|conjunction| self.within(conjunction, since, all))
                .filter(|window| window.lo <= last + 1)
                .map(|window| window.hi)
                .fold(last, i64::max);
            if reached <= last || reached >= FOREVER {
                return reached.min(FOREVER);
            }
            last = reached;
        }
    }
}

#[inline]
fn within(atoms: &[Atom], since: &[i64], mut window: Window) -> Window {
    for atom in atoms {
        match *atom {
            Atom::Upper(clock, bound) => window.hi = window.hi.min(since[clock as usize] + bound),
            Atom::Lower(clock, bound) => window.lo = window.lo.max(since[clock as usize] + bound),
            Atom::Difference(clock, minus, bound) => {
                if since[minus as usize] - since[clock as usize] > bound {
                    window.hi = window.lo - 1;
                    return window;
                }
            }
        }
    }
    window
}

/// Whether an input is accepted wherever the invariant holds.
fn accepts(location: &Location, action: Action) -> bool {
    let mut rest = location.invariant.clone();
    for edge in location.on(action) {
        match rest.minus(&edge.allowed) {
            Ok(less) => rest = less,
            Err(TooLarge) => return false,
        }
    }
    rest.is_nothing()
}

fn atom(c: &Constraint, base: u16, unit: i64) -> Atom {
    let bound = i64::from(c.bound.constant()) * unit - i64::from(c.bound.is_strict());
    let clock = |clock: u16| u32::from(clock + base);
    match (c.left, c.right) {
        (x, 0) => Atom::Upper(clock(x), bound),
        (0, x) => Atom::Lower(clock(x), -bound),
        (x, y) => Atom::Difference(clock(x), clock(y), bound),
    }
}
