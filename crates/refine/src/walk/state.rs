//! The one pair of states that a walk has, with what follows from it, kept up to date from step to step.
//!
//! A step costs what it touches: an automaton that does not move keeps its deadline, because instants are counted from the beginning,
//! and offers change only where an automaton reaches a place with other actions.

use zonewalk_tioa::Side as Which;

use crate::systems::set::TooLarge;
use crate::walk::instant::FOREVER;
use crate::walk::plan::PairPlan;

/// Some of the numbers below a bound, in an order that depends on what has happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Subset {
    items: Vec<u32>,
    places: Vec<u32>,
}

impl Subset {
    fn below(bound: usize) -> Subset {
        Subset {
            items: Vec::with_capacity(bound),
            places: vec![u32::MAX; bound],
        }
    }

    #[inline]
    pub(super) fn items(&self) -> &[u32] {
        &self.items
    }

    fn contains(&self, item: u32) -> bool {
        let place = self.places[item as usize];
        place != u32::MAX && self.items[place as usize] == item
    }

    #[inline]
    fn set(&mut self, item: u32, is_in: bool) {
        let place = self.places[item as usize];
        if is_in == (place != u32::MAX) {
            return;
        }
        if is_in {
            self.places[item as usize] = self.items.len() as u32;
            self.items.push(item);
        } else {
            self.items.swap_remove(place as usize);
            self.places[item as usize] = u32::MAX;
            if let Some(&moved) = self.items.get(place as usize) {
                self.places[moved as usize] = place;
            }
        }
    }

    /// Exchanges two items.
    #[inline]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
        self.places[self.items[a] as usize] = a as u32;
        self.places[self.items[b] as usize] = b as u32;
    }

    fn copy_from(&mut self, other: &Subset) {
        self.items.clear();
        self.items.extend_from_slice(&other.items);
        self.places.copy_from_slice(&other.places);
    }
}

/// A pair of states.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Half ticks since the beginning.
    pub(super) now: i64,
    /// For each clock of the pair the instant at which it was zero, or would have been.
    pub(super) since: Vec<i64>,
    /// For each automaton where it is.
    pub(super) places: Vec<u32>,
    /// For each automaton where the slots of its place begin.
    pub(super) rows: Vec<u32>,
    /// For each automaton the last instant that its invariant allows.
    pub(super) deadlines: Vec<i64>,
    /// Automata of the left side that have one.
    pub(super) bounded_left: Subset,
    /// Bounded clocks of the right side.
    bounded_right: Subset,
    /// Automata of the left side that send something where they are.
    pub(super) senders: Subset,
    /// For each offer how many of its leaders have no edge for it.
    missing: Vec<u32>,
    /// Offers of which every leader has an edge.
    pub(super) possible: Subset,
    /// How many automata of the right side are where not everything is allowed.
    particular: u32,
}

impl State {
    /// Where both sides start.
    pub(super) fn initial(plan: &mut PairPlan) -> Result<State, TooLarge> {
        let count = plan.parts.len();
        let mut state = State {
            now: 0,
            since: vec![0; plan.clocks],
            places: Vec::with_capacity(count),
            rows: vec![0; count],
            deadlines: vec![FOREVER; count],
            bounded_left: Subset::below(count),
            bounded_right: Subset::below(count),
            senders: Subset::below(count),
            missing: plan
                .offers
                .iter()
                .map(|offer| offer.leaders.to - offer.leaders.from)
                .collect(),
            possible: Subset::below(plan.offers.len()),
            particular: 0,
        };
        for (part, location) in plan.pair.initial().into_iter().enumerate() {
            let place = plan.place(part as u32, location)?;
            state.places.push(place);
            state.refresh_part(plan, part);
            state.particular += u32::from(part >= plan.middle && !plan.places[place as usize].is_universal);
            for (offer, _) in plan.able(part as u32, place).filter(|(_, can)| *can) {
                state.missing[offer as usize] -= 1;
            }
        }
        for (offer, &missing) in state.missing.iter().enumerate() {
            state.possible.set(offer as u32, missing == 0);
        }
        Ok(state)
    }

    /// Copies a state without new memory.
    pub(super) fn copy_from(&mut self, other: &State) {
        self.now = other.now;
        self.since.copy_from_slice(&other.since);
        self.places.copy_from_slice(&other.places);
        self.rows.copy_from_slice(&other.rows);
        self.deadlines.copy_from_slice(&other.deadlines);
        self.missing.copy_from_slice(&other.missing);
        self.bounded_left.copy_from(&other.bounded_left);
        self.bounded_right.copy_from(&other.bounded_right);
        self.senders.copy_from(&other.senders);
        self.possible.copy_from(&other.possible);
        self.particular = other.particular;
    }

    /// The last instant that a side allows.
    #[inline]
    pub(super) fn horizon(&self, which: Which) -> i64 {
        let bounded = match which {
            Which::Left => &self.bounded_left,
            Which::Right => &self.bounded_right,
        };
        let deadlines = bounded.items().iter().map(|&part| self.deadlines[part as usize]);
        deadlines.fold(FOREVER, i64::min)
    }

    /// Whether the right side allows everything from here on.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.particular == 0
    }

    /// Sets what follows from the place and the clocks of an automaton.
    #[inline]
    fn refresh_part(&mut self, plan: &PairPlan, part: usize) {
        let place = &plan.places[self.places[part] as usize];
        self.rows[part] = place.first;
        let deadline = plan.deadline(place.invariant, &self.since, self.now);
        self.deadlines[part] = deadline;
        if part < plan.middle {
            self.bounded_left.set(part as u32, deadline < FOREVER);
            self.senders.set(part as u32, place.sends);
        } else {
            self.bounded_right.set(part as u32, deadline < FOREVER);
        }
    }

    /// Takes edges of different automata at this moment.
    #[inline]
    pub(super) fn take(&mut self, plan: &mut PairPlan, moves: &[Move]) -> Result<(), TooLarge> {
        for &Move { part, edge, .. } in moves {
            let from = self.places[part as usize];
            let (target, changes) = plan.target(part, from, edge)?;
            let updates = plan.edges[edge as usize].updates;
            if target == from && updates.is_empty() {
                continue;
            }
            for &(clock, value) in plan.updates(updates) {
                self.since[clock as usize] = self.now - value;
            }
            self.places[part as usize] = target;
            self.refresh_part(plan, part as usize);
            if target == from {
                continue;
            }
            if part as usize >= plan.middle {
                self.particular += u32::from(!plan.places[target as usize].is_universal);
                self.particular -= u32::from(!plan.places[from as usize].is_universal);
            }
            for at in changes.range() {
                let (offer, can) = plan.change(at);
                let missing = &mut self.missing[offer as usize];
                if can {
                    *missing -= 1;
                } else {
                    *missing += 1;
                }
                let is_possible = *missing == 0;
                self.possible.set(offer, is_possible);
            }
        }
        // Cheap enough for the test builds where there are few automata.
        debug_assert!(plan.parts.len() > 8 || self.is_as_made_anew(plan));
        Ok(())
    }

    /// Whether what is kept up to date is what follows from the places and clocks.
    fn is_as_made_anew(&self, plan: &PairPlan) -> bool {
        let mut missing: Vec<u32> = plan
            .offers
            .iter()
            .map(|offer| offer.leaders.to - offer.leaders.from)
            .collect();
        let mut particular = 0;
        for (part, &id) in self.places.iter().enumerate() {
            let place = &plan.places[id as usize];
            let deadline = plan.deadline(place.invariant, &self.since, self.now);
            let bounded = match part < plan.middle {
                true => &self.bounded_left,
                false => &self.bounded_right,
            };
            let is_sender = part < plan.middle && place.sends;
            // SMC walks go on where the right side is late; its deadline stays what it was.
            let is_late = self.deadlines[part] < self.now;
            if (self.deadlines[part] != deadline && !is_late)
                || bounded.contains(part as u32) != (deadline < FOREVER)
                || self.senders.contains(part as u32) != is_sender
                || self.rows[part] != place.first
            {
                return false;
            }
            particular += u32::from(part >= plan.middle && !place.is_universal);
            for (offer, _) in plan.able(part as u32, id).filter(|(_, can)| *can) {
                missing[offer as usize] -= 1;
            }
        }
        let mut offers = (0..).zip(&missing);
        missing == self.missing
            && particular == self.particular
            && offers.all(|(offer, missing)| self.possible.contains(offer) == (*missing == 0))
    }
}

/// An edge that an automaton takes, by one alternative of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) part: u32,
    pub(super) edge: u32,
    pub(super) alternative: u32,
}
