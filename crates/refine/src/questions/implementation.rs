//! Implementations: what a specification leaves open is decided. Outputs happen at once, and something always goes on.

use zonewalk_tioa::Action;
use zonewalk_zones::{Bound, Federation, Word, minimal};

use crate::control::{Control, Limit, Limits};
use crate::questions::game::before_bad;
use crate::symbolic::explore;
use crate::symbolic::question::{FoundState, Question, Sighting, Visit};
use crate::systems::automaton::{Automaton, Location};
use crate::systems::set::{Constraint, Set};

/// Why an automaton is not an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An output is allowed, and so is waiting.
    Waits {
        /// Where.
        location: u32,
        /// The output.
        output: Action,
    },
    /// Time stops, and no output comes before that.
    Stops {
        /// Where.
        location: u32,
    },
}

/// Looks for a reachable state in which a deterministic automaton does not behave as an implementation.
///
/// # Errors
/// When a limit is met first.
pub fn check(
    automaton: &Automaton,
    limits: Limits,
    control: &Control,
) -> Result<Option<FoundState<Flaw>>, Limit> {
    explore::explore(automaton, &AnyFlaw, limits, control)
}

struct AnyFlaw;

impl Question for AnyFlaw {
    type End = Flaw;

    fn find<W: Word>(&self, visit: &Visit<'_, W>) -> Sighting<Flaw, W> {
        let id = *visit.state.first()?;
        let location = visit.pair.left.parts[0].location(id);
        let frame = visit.frame;
        let dim = frame.dim();
        let zone_of = |part: &[Constraint]| frame.zone(&[(0, part)]);
        for edge in location.edges.iter().filter(|edge| edge.is_output) {
            for part in edge.allowed.parts() {
                let mut zone = visit.zone.to_vec();
                if !frame.constrain(&mut zone, part, 0) {
                    continue;
                }
                for ahead in location.invariant.parts() {
                    let mut waits = zone.clone();
                    if frame.constrain(&mut waits, &just_before(ahead), 0) {
                        let flaw = Flaw::Waits {
                            location: id,
                            output: edge.action,
                        };
                        return Some((flaw, waits));
                    }
                }
            }
        }
        let progress = progress(location, dim, &zone_of);
        let mut stops = Federation::from_zone(visit.zone, dim);
        stops.subtract_federation(&progress);
        let zone = stops.iter().next()?.to_vec();
        Some((Flaw::Stops { location: id }, zone))
    }
}

/// The states from which a short delay leads into a conjunction: `x > c` holds after it where `x >= c` does now, `x <= c` where `x < c` does.
fn just_before(part: &[Constraint]) -> Vec<Constraint> {
    let shifted = |c: &Constraint| {
        let bound = match (c.left, c.right) {
            (0, _) => crate::systems::set::Bound::le(c.bound.constant()),
            (_, 0) => crate::systems::set::Bound::lt(c.bound.constant()),
            _ => c.bound,
        };
        Constraint { bound, ..*c }
    };
    part.iter().map(shifted).collect()
}

/// The states from which time can pass forever, or an output comes.
fn progress<W: Word>(
    location: &Location,
    dim: usize,
    zone_of: &dyn Fn(&[Constraint]) -> Vec<Bound<W>>,
) -> Federation<W> {
    let federation = |set: &Set| {
        let mut all = Federation::new(dim);
        for part in set.parts() {
            all.push(&zone_of(part));
        }
        all
    };
    let mut everything = vec![Bound::INFINITY; dim * dim];
    minimal::expand(&[], dim, &mut everything);
    let invariant = federation(&location.invariant);
    let mut bad = Federation::from_zone(&everything, dim);
    bad.subtract_federation(&invariant);
    let mut ahead = bad.clone();
    ahead.down();
    let mut good = Federation::from_zone(&everything, dim);
    good.subtract_federation(&ahead);
    for edge in location.edges.iter().filter(|edge| edge.is_output) {
        let mut now = federation(&edge.allowed);
        now.intersect_federation(&invariant);
        for zone in &now {
            good.push(zone);
        }
    }
    before_bad(&good, &bad)
}
