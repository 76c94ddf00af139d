//! Determinism: no reachable state has two different edges on one action.

use zonewalk_tioa::Action;
use zonewalk_zones::Word;

use crate::control::{Control, Limit, Limits};
use crate::symbolic::explore;
use crate::symbolic::question::{FoundState, Question, Sighting, Visit};
use crate::systems::automaton::{Automaton, Edge, Location};

/// Two edges that are possible at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where.
    pub location: u32,
    /// On what action.
    pub action: Action,
    /// Move of the one.
    pub first: zonewalk_tioa::Taken,
    /// Move of the other.
    pub second: zonewalk_tioa::Taken,
}

/// Looks for a reachable state with two different edges on one action. Edges with the same target and updates do not differ.
///
/// # Errors
/// When a limit is met first.
pub fn check(
    automaton: &Automaton,
    limits: Limits,
    control: &Control,
) -> Result<Option<FoundState<Choice>>, Limit> {
    // Nearly always no two edges overlap anywhere, and nothing has to be explored.
    if !may_overlap(automaton) {
        return Ok(None);
    }
    explore::explore(automaton, &Overlap, limits, control)
}

/// Whether two edges of a location overlap at all. Requires: a component, of which all locations are there.
fn may_overlap(automaton: &Automaton) -> bool {
    automaton.known().any(|location| {
        rivals(location).any(|(a, b)| match a.allowed.and(&b.allowed) {
            Ok(both) => both.meets(&location.invariant),
            Err(_) => true,
        })
    })
}

fn rivals(location: &Location) -> impl Iterator<Item = (&Edge, &Edge)> {
    let edges = location.edges.iter().enumerate();
    edges.flat_map(|(i, a)| {
        let rest = location.edges[i + 1..]
            .iter()
            .take_while(|b| b.action == a.action);
        rest.map(move |b| (a, b)).filter(|(a, b)| differ(a, b))
    })
}

fn differ(a: &Edge, b: &Edge) -> bool {
    let sorted = |edge: &Edge| {
        let mut updates = edge.updates.clone();
        updates.sort_unstable();
        updates
    };
    a.target != b.target || sorted(a) != sorted(b)
}

struct Overlap;

impl Question for Overlap {
    type End = Choice;

    fn find<W: Word>(&self, visit: &Visit<'_, W>) -> Sighting<Choice, W> {
        let id = *visit.state.first()?;
        let location = visit.pair.left.parts[0].location(id);
        for (a, b) in rivals(location) {
            for part in a.allowed.parts() {
                let mut zone = visit.zone.to_vec();
                if !visit.frame.constrain(&mut zone, part, 0) {
                    continue;
                }
                for other in b.allowed.parts() {
                    let mut both = zone.clone();
                    if visit.frame.constrain(&mut both, other, 0) {
                        let choice = Choice {
                            location: id,
                            action: a.action,
                            first: *a.taken.first()?,
                            second: *b.taken.first()?,
                        };
                        return Some((choice, both));
                    }
                }
            }
        }
        None
    }
}
