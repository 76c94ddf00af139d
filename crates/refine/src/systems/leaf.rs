//! A component as an automaton: inputs completed, special locations spelled out, bounds of clocks known.

use zonewalk_tioa::{Action, Alphabet, AlphabetOf, Component, Direction, Inputs, Kind, Reading, Taken};
use zonewalk_zones::Word;

use crate::systems::automaton::{Automaton, ClockBounds, Edge, Location, largest_update};
use crate::systems::set::{Bound, Constraint, Set, TooLarge};

/// Which way the outputs and invariants of a component count in a search.
///
/// With a deterministic right side, a violation is a pair of states that can be reached. Let one pair of valuations be simulated by
/// another if each clock has the same value in both, or both values lie beyond the constants that it is compared with: lower bounds
/// if the second is smaller, upper bounds if it is larger. A run to a violation then has a counterpart with the same delays:
///
/// - What the left side sends, and how long it waits, has to *hold* in the counterpart, too.
/// - Where the right side has one way to match an output, that way and its invariant have to *fail* in the counterpart where they
///   fail in the run. If they fail earlier, the counterpart ends earlier, in a violation.
/// - Where there are several ways, and for inputs, which a component may take or ignore, the same one has to be taken: those
///   comparisons count both ways.
///
/// A comparison that has to hold bounds its clock from its own side; one that has to fail, from the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The left side of a refinement.
    Leading,
    /// The right side of a refinement.
    Following,
    /// Below a quotient, and where a system is explored on its own.
    Both,
}

/// Whether a comparison matters where it holds, where it fails, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    Holding,
    Failing,
    Both,
}

/// Why a component cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// A guard or an invariant has too many alternatives.
    TooLarge,
    /// An action is an input and an output.
    BothWays(Action),
}

impl From<TooLarge> for Unusable {
    fn from(TooLarge: TooLarge) -> Self {
        Unusable::TooLarge
    }
}

/// The alphabet that a component is read with.
///
/// # Errors
/// When an action is an input and an output.
pub fn alphabet(component: &Component, of: AlphabetOf) -> Result<Alphabet, Unusable> {
    let mut alphabet = component.alphabet.clone();
    if let (AlphabetOf::Declared, Some(declared)) = (of, &component.declared) {
        for (list, more) in [
            (&mut alphabet.inputs, &declared.inputs),
            (&mut alphabet.outputs, &declared.outputs),
        ] {
            list.extend_from_slice(more);
            list.sort_unstable();
            list.dedup();
        }
    }
    let twice = alphabet
        .inputs
        .iter()
        .find(|action| alphabet.outputs.binary_search(action).is_ok());
    match twice {
        Some(&action) => Err(Unusable::BothWays(action)),
        None => Ok(alphabet),
    }
}

/// Makes an automaton of a component that is number `part` of its side.
///
/// # Errors
/// When it cannot be used.
pub fn automaton(
    component: &Component,
    reading: Reading,
    part: u32,
    polarity: Polarity,
) -> Result<Automaton, Unusable> {
    let alphabet = alphabet(component, reading.alphabet)?;
    let stops = |kind: Kind, urgent: bool| urgent || kind == Kind::Inconsistent;
    let needs_clock = component
        .locations
        .iter()
        .any(|location| stops(location.kind, location.urgent));
    let clocks = component.clocks.len() as u16 + u16::from(needs_clock);
    let stopped = Constraint {
        left: clocks,
        right: 0,
        bound: Bound::le(0),
    };
    let mut locations = Vec::with_capacity(component.locations.len());
    for location in &component.locations {
        let mut invariant = match location.kind {
            Kind::Universal => Set::everything(),
            Kind::Normal | Kind::Inconsistent => Set::of(&location.invariant)?.reduced(),
        };
        if stops(location.kind, location.urgent) && location.kind != Kind::Universal {
            invariant = invariant.and(&Set::conjunction(&[stopped]))?;
        }
        locations.push(Location {
            invariant,
            is_universal: location.kind == Kind::Universal,
            is_inconsistent: location.kind == Kind::Inconsistent,
            ..Location::default()
        });
    }
    for (number, edge) in component.edges.iter().enumerate() {
        if component.location(edge.source).kind != Kind::Normal {
            continue;
        }
        let target = component.location(edge.target);
        let mut updates: Vec<(u16, i32)> = edge
            .updates
            .iter()
            .map(|&(clock, value)| (clock.0 as u16 + 1, value))
            .collect();
        if stops(target.kind, target.urgent) {
            updates.push((clocks, 0));
        }
        let entered = locations[edge.target.index()].invariant.before(&updates);
        let allowed = Set::of(&edge.guard)?.and(&entered)?;
        if allowed.is_nothing() {
            continue;
        }
        // What the source's invariant says already would bound clocks for nothing.
        let allowed = allowed
            .reduced()
            .within(&locations[edge.source.index()].invariant);
        locations[edge.source.index()].edges.push(Edge {
            action: edge.action,
            is_output: edge.direction == Direction::Output,
            allowed,
            updates,
            target: edge.target.0,
            taken: vec![Taken::Edge {
                part,
                edge: number as u32,
            }],
        });
    }
    for (id, location) in locations.iter_mut().enumerate() {
        location.edges.sort_by_key(|edge| edge.action);
        add_loops(
            location,
            id as u32,
            component.locations[id].kind,
            &alphabet,
            reading.inputs,
            part,
        )?;
        location.edges.sort_by_key(|edge| edge.action);
    }
    let diagonals = diagonals(&locations);
    bound(&mut locations, clocks, polarity, &diagonals);
    Ok(Automaton::explicit(
        alphabet,
        clocks,
        component.initial.0,
        diagonals,
        locations,
    ))
}

/// The loops that are not drawn: everything in a universal location, inputs in an inconsistent one, and inputs where no edge allows them.
fn add_loops(
    location: &mut Location,
    id: u32,
    kind: Kind,
    alphabet: &Alphabet,
    inputs: Inputs,
    part: u32,
) -> Result<(), TooLarge> {
    let a_loop = |action: Action, is_output: bool, allowed: Set, taken: Taken| Edge {
        action,
        is_output,
        allowed,
        updates: Vec::new(),
        target: id,
        taken: vec![taken],
    };
    let mut loops = Vec::new();
    for &action in &alphabet.inputs {
        if kind != Kind::Normal {
            loops.push(a_loop(action, false, Set::everything(), Taken::Loop { part }));
        } else if inputs == Inputs::Complete {
            let mut rest = location.invariant.clone();
            for edge in location.on(action) {
                rest = rest.minus(&edge.allowed)?;
            }
            if !rest.is_nothing() {
                // Within the invariant, which need not be repeated if there is no edge at all.
                let allowed = if location.on(action).is_empty() {
                    Set::everything()
                } else {
                    rest
                };
                loops.push(a_loop(action, false, allowed, Taken::Ignored { part }));
            }
        }
    }
    if kind == Kind::Universal {
        let outputs = alphabet.outputs.iter();
        loops.extend(outputs.map(|&action| a_loop(action, true, Set::everything(), Taken::Loop { part })));
    }
    location.edges.append(&mut loops);
    Ok(())
}

fn diagonals(locations: &[Location]) -> Vec<Constraint> {
    let mut found: Vec<Constraint> = Vec::new();
    let sets = locations.iter().flat_map(|location| {
        std::iter::once(&location.invariant).chain(location.edges.iter().map(|edge| &edge.allowed))
    });
    for constraint in sets.flat_map(Set::parts).flat_map(|part| part.iter()) {
        if constraint.left != 0 && constraint.right != 0 && !found.contains(constraint) {
            found.push(*constraint);
        }
    }
    found
}

/// For each location the constants that clocks may be compared with before they are set again (Behrmann, Bouyer, Larsen and
/// Pelánek, STTT 2006, section 4): what is compared here, and what targets compare of clocks that the edge does not set.
fn bound(locations: &mut [Location], clocks: u16, polarity: Polarity, diagonals: &[Constraint]) {
    let mut table = vec![vec![(i64::NO_BOUND, i64::NO_BOUND); usize::from(clocks) + 1]; locations.len()];
    let largest_update = largest_update(locations);
    for (location, own) in locations.iter().zip(&mut table) {
        let counts = match polarity {
            Polarity::Leading => Counts::Holding,
            Polarity::Following => Counts::Failing,
            Polarity::Both => Counts::Both,
        };
        note(&location.invariant, counts, own);
        for edge in &location.edges {
            let ways: usize = location
                .on(edge.action)
                .iter()
                .map(|way| way.allowed.parts().len())
                .sum();
            let is_choice = polarity == Polarity::Following && ways > 1;
            let counts = if edge.is_output && !is_choice {
                counts
            } else {
                Counts::Both
            };
            note(&edge.allowed, counts, own);
        }
        // Where clocks are compared with each other, each of them has to be known as far as the other's updates reach.
        for c in diagonals {
            let reach = c.bound.constant().abs() + largest_update;
            for clock in [c.left, c.right] {
                let (lower, upper) = &mut own[usize::from(clock)];
                *lower = (*lower).max(reach);
                *upper = (*upper).max(reach);
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (id, location) in locations.iter().enumerate() {
            for edge in location.edges.iter().filter(|edge| edge.target as usize != id) {
                for clock in 1..=clocks {
                    if edge.updates.iter().any(|(updated, _)| *updated == clock) {
                        continue;
                    }
                    let there = table[edge.target as usize][usize::from(clock)];
                    let here = &mut table[id][usize::from(clock)];
                    let joined = (here.0.max(there.0), here.1.max(there.1));
                    changed |= joined != *here;
                    *here = joined;
                }
            }
        }
    }
    for (location, own) in locations.iter_mut().zip(table) {
        let clocks = own.into_iter().enumerate().skip(1);
        location.bounds = clocks
            .filter(|(_, (lower, upper))| *lower != i64::NO_BOUND || *upper != i64::NO_BOUND)
            .map(|(clock, (lower, upper))| ClockBounds {
                clock: clock as u16,
                lower,
                upper,
            })
            .collect();
    }
}

/// Notes the constants of a set.
fn note(set: &Set, counts: Counts, own: &mut [(i64, i64)]) {
    for c in set.parts().iter().flat_map(|part| part.iter()) {
        let (clock, constant, is_upper) = match (c.left, c.right) {
            (clock, 0) => (clock, c.bound.constant(), true),
            (0, clock) => (clock, -c.bound.constant(), false),
            _ => continue,
        };
        let (lower, upper) = &mut own[usize::from(clock)];
        // Where `x <= c` fails, `x > c` holds.
        if counts == Counts::Both || (counts == Counts::Holding) == is_upper {
            *upper = (*upper).max(constant);
        }
        if counts == Counts::Both || (counts == Counts::Failing) == is_upper {
            *lower = (*lower).max(constant);
        }
    }
}
