//! Automata that the engines explore: locations with everything that matters there, made when they are first needed.
//!
//! A component, a conjunction and a quotient all look the same from outside. A composition is kept as a list of such automata
//! ([`crate::systems::side`]) as long as it is not inside another operator; there it becomes an automaton too ([`crate::systems::product`]).

use std::sync::Arc;

use zonewalk_tioa::{Action, Alphabet, Taken};

use crate::systems::product::Product;
use crate::systems::quotient::Quotient;
use crate::systems::set::{Constraint, Set, TooLarge};

/// A clock, and the largest constants that it may still be compared with before it is set again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockBounds {
    /// Which clock of the automaton, counting from 1.
    pub clock: u16,
    /// In comparisons from below, `x > c` and `x >= c`.
    pub lower: i64,
    /// In comparisons from above.
    pub upper: i64,
}

/// A transition of an automaton.
#[derive(Clone, Debug)]
pub struct Edge {
    /// On what action.
    pub action: Action,
    /// Whether the automaton decides.
    pub is_output: bool,
    /// When: its guard, and that its updates lead into the target's invariant. That the source's invariant holds is not repeated.
    pub allowed: Set,
    /// Clocks (counting from 1) and their new values.
    pub updates: Vec<(u16, i32)>,
    /// To where.
    pub target: u32,
    /// Moves of the components.
    pub taken: Vec<Taken>,
}

/// A location with everything that matters there.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// Condition while the automaton is here.
    pub invariant: Set,
    /// Possible edges, sorted by action.
    pub edges: Vec<Edge>,
    /// The clocks that matter here, in the order of their numbers.
    pub bounds: Vec<ClockBounds>,
    /// Whether everything is allowed here, forever.
    pub is_universal: bool,
    /// Whether the location stands for an error.
    pub is_inconsistent: bool,
}

impl Location {
    /// The edges on an action.
    pub fn on(&self, action: Action) -> &[Edge] {
        let from = self.edges.partition_point(|edge| edge.action < action);
        let length = self.edges[from..].partition_point(|edge| edge.action == action);
        &self.edges[from..from + length]
    }
}

/// An automaton, of which locations are made when they are asked for.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Actions that it receives and sends.
    pub alphabet: Alphabet,
    /// How many clocks it has.
    pub clocks: u16,
    /// Where it starts, with all clocks zero.
    pub initial: u32,
    /// Comparisons of the difference of two clocks. They need care when zones are abstracted.
    pub diagonals: Vec<Constraint>,
    /// The largest number that a clock is set to.
    pub(crate) largest_update: i64,
    locations: Vec<Option<Arc<Location>>>,
    origin: Origin,
}

/// How further locations are made.
#[derive(Clone, Debug)]
enum Origin {
    /// A component: all of them are there.
    Component,
    Product(Box<Product>),
    Quotient(Box<Quotient>),
}

impl Automaton {
    /// An automaton with all its locations.
    pub(crate) fn explicit(
        alphabet: Alphabet,
        clocks: u16,
        initial: u32,
        diagonals: Vec<Constraint>,
        locations: Vec<Location>,
    ) -> Automaton {
        Automaton {
            alphabet,
            clocks,
            initial,
            diagonals,
            largest_update: largest_update(&locations),
            locations: locations
                .into_iter()
                .map(|location| Some(Arc::new(location)))
                .collect(),
            origin: Origin::Component,
        }
    }

    /// A composition or a conjunction as one automaton.
    pub(crate) fn of_product(product: Product) -> Automaton {
        Automaton {
            alphabet: product.alphabet.clone(),
            clocks: product.clocks,
            initial: 0,
            diagonals: product.diagonals(),
            largest_update: product.largest_update(),
            locations: Vec::new(),
            origin: Origin::Product(Box::new(product)),
        }
    }

    /// A quotient as one automaton.
    pub(crate) fn of_quotient(quotient: Quotient) -> Automaton {
        Automaton {
            alphabet: quotient.alphabet.clone(),
            clocks: quotient.clocks,
            initial: 0,
            diagonals: quotient.diagonals(),
            largest_update: quotient.largest_update(),
            locations: Vec::new(),
            origin: Origin::Quotient(Box::new(quotient)),
        }
    }

    /// Makes a location, if it was not made before.
    ///
    /// # Errors
    /// When a guard has too many alternatives.
    pub fn expand(&mut self, id: u32) -> Result<&Arc<Location>, TooLarge> {
        let index = id as usize;
        if self.locations.len() <= index {
            self.locations.resize(index + 1, None);
        }
        if self.locations[index].is_none() {
            let mut location = match &mut self.origin {
                Origin::Component => Location::default(),
                Origin::Product(product) => product.location(id)?,
                Origin::Quotient(quotient) => quotient.location(id)?,
            };
            location.edges.sort_by_key(|edge| edge.action);
            self.locations[index] = Some(Arc::new(location));
        }
        Ok(self.locations[index].get_or_insert_default())
    }

    /// A location that was made.
    ///
    /// # Panics
    /// When it was not.
    pub fn location(&self, id: u32) -> &Location {
        match &self.locations[id as usize] {
            Some(location) => location,
            None => unreachable!("locations are expanded before they are used"),
        }
    }

    /// Whether its invariant holds at the start. Requires: the initial location was made.
    pub fn starts(&self) -> bool {
        let clocks: Vec<(u16, i32)> = (1..=self.clocks).map(|clock| (clock, 0)).collect();
        self.location(self.initial)
            .invariant
            .before(&clocks)
            .is_everything()
    }

    /// The locations that were made.
    pub fn known(&self) -> impl Iterator<Item = &Location> {
        self.locations.iter().flatten().map(|location| &**location)
    }

    /// Where each of its components is, in the order of the query; nothing in the universal and error states of a quotient.
    pub fn places(&self, id: u32, out: &mut Vec<Option<u32>>) {
        match &self.origin {
            Origin::Component => out.push(Some(id)),
            Origin::Product(product) => product.places(id, out),
            Origin::Quotient(quotient) => quotient.places(id, out),
        }
    }

    /// The location in which its components are at given places, if it can be told.
    pub(crate) fn at(&mut self, places: &[Option<u32>]) -> Option<u32> {
        match &mut self.origin {
            Origin::Component => *places.first()?,
            Origin::Product(product) => product.at(places),
            Origin::Quotient(quotient) => quotient.at(places),
        }
    }

    /// For each of its components, in the order of the query, the number of clocks of the automaton before its own.
    pub fn clock_offsets(&self, base: u16, out: &mut Vec<u16>) {
        match &self.origin {
            Origin::Component => out.push(base),
            Origin::Product(product) => product.clock_offsets(base, out),
            Origin::Quotient(quotient) => quotient.clock_offsets(base, out),
        }
    }

    /// Whether it is a single component, all of whose locations are known.
    pub(crate) fn is_component(&self) -> bool {
        matches!(self.origin, Origin::Component)
    }

    /// The largest number that one of its components compares a clock with. Operators add none.
    pub(crate) fn largest_constant(&self) -> i64 {
        match &self.origin {
            Origin::Component => {
                let sets = self.known().flat_map(|location| {
                    let guards = location.edges.iter().map(|edge| &edge.allowed);
                    std::iter::once(&location.invariant).chain(guards)
                });
                let constraints = sets.flat_map(Set::parts).flat_map(|part| part.iter());
                constraints.map(|c| c.bound.constant().abs()).fold(0, i64::max)
            }
            Origin::Product(product) => product.largest_constant(),
            Origin::Quotient(quotient) => quotient.largest_constant(),
        }
    }

    /// A number that nothing exceeds which its zones are constrained by, set to or extrapolated with. An operator may write a clock with
    /// a fixed value as a difference to another one of those that it knows; so numbers add up along its clocks.
    pub(crate) fn largest_number(&self) -> i64 {
        let own = 2 * (self.largest_constant() + self.largest_update);
        match &self.origin {
            Origin::Component => own,
            Origin::Product(_) | Origin::Quotient(_) => own * i64::from(self.clocks + 1),
        }
    }

    /// How many components it has.
    pub fn components(&self) -> usize {
        match &self.origin {
            Origin::Component => 1,
            Origin::Product(product) => product.components(),
            Origin::Quotient(quotient) => quotient.components(),
        }
    }
}

/// The largest number that edges of some locations set a clock to.
pub(crate) fn largest_update(locations: &[Location]) -> i64 {
    let edges = locations.iter().flat_map(|location| &location.edges);
    let updates = edges.flat_map(|edge| &edge.updates);
    updates.map(|&(_, value)| i64::from(value)).fold(0, i64::max)
}
