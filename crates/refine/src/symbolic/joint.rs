//! Joint steps: what the automata of one side, or of both, do together on an action.

use zonewalk_tioa::{Action, Side as Which};

use crate::symbolic::pair::Pair;
use crate::systems::product::shifted;
use crate::systems::set::Constraint;
use crate::systems::side::TakenEdge;

/// A step of both sides, with the alternatives of conditions that it goes by.
#[derive(Clone, Debug)]
pub struct Joint {
    /// On what action.
    pub action: Action,
    /// The conditions, over the clocks of the pair.
    pub guard: Vec<Constraint>,
    /// Clocks of the pair and their new values.
    pub updates: Vec<(u16, i32)>,
    /// For each automaton that moves: its place in the state, the edge's place in its location, and the target.
    pub moves: Vec<(u32, u32, u32)>,
}

impl Joint {
    pub(crate) fn with(&self, other: &Joint) -> Joint {
        Joint {
            action: self.action,
            guard: [&self.guard[..], &other.guard[..]].concat(),
            updates: [&self.updates[..], &other.updates[..]].concat(),
            moves: [&self.moves[..], &other.moves[..]].concat(),
        }
    }

    /// The locations after the step.
    pub(crate) fn target(&self, locations: &[u32]) -> Vec<u32> {
        let mut target = locations.to_vec();
        for &(part, _, location) in &self.moves {
            target[part as usize] = location;
        }
        target
    }
}

/// The ways in which a side does an action, one for each alternative of their conditions.
pub(crate) fn alternatives(pair: &Pair, locations: &[u32], action: Action, which: Which) -> Vec<Joint> {
    let (side, base) = pair.side(which);
    let first = match which {
        Which::Left => 0,
        Which::Right => pair.middle() as u32,
    };
    let own = pair.of(locations, which);
    let mut list = Vec::new();
    side.ways(own, action, &mut |ways: &[TakenEdge<'_>]| {
        let from = list.len();
        list.push(Joint {
            action,
            guard: Vec::new(),
            updates: Vec::new(),
            moves: Vec::with_capacity(ways.len()),
        });
        for way in ways {
            let offset = way.offset + base;
            let location = side.parts[way.part as usize].location(own[way.part as usize]);
            let edge = location.edges.partition_point(|other| other.action < action)
                + location
                    .on(action)
                    .iter()
                    .position(|other| std::ptr::eq(other, way.edge))
                    .unwrap_or(0);
            let parts = way.edge.allowed.parts();
            // Each alternative of this edge with each of what is there already.
            let so_far: Vec<Joint> = list.drain(from..).collect();
            for joint in so_far {
                for part in parts {
                    let mut longer = joint.clone();
                    longer.guard.extend(shifted(part, offset));
                    longer.updates.extend(
                        way.edge
                            .updates
                            .iter()
                            .map(|&(clock, value)| (clock + offset, value)),
                    );
                    longer
                        .moves
                        .push((first + way.part, edge as u32, way.edge.target));
                    list.push(longer);
                }
            }
        }
    });
    list
}
