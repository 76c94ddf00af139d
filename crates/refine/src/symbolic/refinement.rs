//! Complete refinement checking: the relation is built over zones of both sides' clocks, until it is closed or a pair breaks a rule.
//!
//! Every output of the left side has to be matched by the right side, every input of the right side by the left side, and every delay of
//! the left side by the right side. With a deterministic right side there is one way to match, so that refinement fails if
//! and only if a pair can be reached in which a rule is broken.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::{Bound, Federation, Word, minimal};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::frame::{Abstraction, Frame};
use crate::symbolic::pair::Pair;
use crate::symbolic::store::{Arrival, Store};
use crate::symbolic::width::{Halt, fits, or_wider};
use crate::systems::set::Constraint;
use crate::systems::side::TakenEdge;

/// Result of a complete search.
#[derive(Debug)]
pub enum Outcome {
    /// The relation, as it was built.
    Holds {
        /// Pairs of locations.
        pairs: usize,
        /// Zones.
        zones: usize,
    },
    /// A pair that breaks a rule.
    Violated(Violation),
    /// No answer.
    Unknown(Limit),
}

/// A way to a pair that breaks a rule. Times are not chosen yet.
#[derive(Debug)]
pub struct Violation {
    /// The states from the initial one to the last one.
    pub states: Vec<Box<[u32]>>,
    /// Steps from each to the next.
    pub steps: Vec<Joint>,
    /// The rule that is broken in the last state.
    pub broken: Broken,
    /// Where: constraints over the clocks of the pair.
    pub witness: Vec<Constraint>,
}

/// A rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The left side sends what the right side does not allow.
    Output(Action),
    /// The right side accepts what the left side does not.
    Input(Action),
    /// The left side waits longer than the right side can.
    Delay,
    /// The right side cannot even start.
    Start,
}

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

/// Looks for a pair that breaks a rule.
pub fn check(pair: &mut Pair, abstraction: Abstraction, limits: Limits, control: &Control) -> Outcome {
    let narrow = check_in_words::<i32>(pair, abstraction, limits, control);
    let outcome = or_wider(narrow, || {
        check_in_words::<i64>(pair, abstraction, limits, control)
    });
    if matches!(outcome, Ok(Outcome::Violated(_))) {
        control.finds();
    }
    outcome.unwrap_or_else(Outcome::Unknown)
}

fn check_in_words<W: Word>(
    pair: &mut Pair,
    abstraction: Abstraction,
    limits: Limits,
    control: &Control,
) -> Result<Outcome, Halt> {
    let mut search = Search::<W> {
        number: pair.largest_number(),
        pair,
        abstraction,
        store: Store::default(),
        waiting: VecDeque::new(),
        explored: 0,
    };
    let outcome = search.run(limits, control);
    search.publish(control);
    outcome
}

struct Search<'a, W> {
    pair: &'a mut Pair,
    /// No number of the pair exceeds it.
    number: i64,
    abstraction: Abstraction,
    store: Store<W>,
    waiting: VecDeque<u32>,
    explored: u64,
}

/// A joint step, with what of the zone it starts from.
type Possible<W> = (Joint, Vec<Bound<W>>);

/// A zone that breaks a rule, over rows of the frame of `state`.
struct ViolatingZone<W> {
    node: Option<u32>,
    last: Option<(Arrival, u32)>,
    broken: Broken,
    zone: Vec<Bound<W>>,
}

impl<W: Word> Search<'_, W> {
    fn run(&mut self, limits: Limits, control: &Control) -> Result<Outcome, Halt> {
        let initial = self.pair.initial();
        let state = self.state(&initial)?;
        let frame = self.store.frame(state).clone();
        let zero = frame.zero();
        let left = self.pair.invariant(&initial, &frame, Which::Left);
        if !left.excess(&zero, frame.dim()).is_empty() {
            // The left side has no initial state. The caller is told beforehand; here there is nothing to break a rule.
            return Ok(Outcome::Holds { pairs: 0, zones: 0 });
        }
        let right = self.pair.invariant(&initial, &frame, Which::Right);
        let outside = right.excess(&zero, frame.dim());
        if !outside.is_empty() {
            return Ok(Outcome::Violated(Violation {
                states: vec![initial.into()],
                steps: Vec::new(),
                broken: Broken::Start,
                witness: Vec::new(),
            }));
        }
        if let Some(found) = self.store_after_delay(state, &zero, None) {
            return Ok(Outcome::Violated(self.violation(&found)));
        }
        while let Some(node) = self.waiting.pop_front() {
            if self.explored.is_multiple_of(64) {
                self.publish(control);
                if let Some(limit) = limits.exceeded(control, self.store.bytes()) {
                    return Err(limit.into());
                }
            }
            if !self.store.is_current(node) {
                continue;
            }
            self.explored += 1;
            if let Some(found) = self.explore(node)? {
                return Ok(Outcome::Violated(self.violation(&found)));
            }
        }
        Ok(Outcome::Holds {
            pairs: self.store.related_pairs(),
            zones: self.store.zones(),
        })
    }

    /// Shows how far the search is.
    fn publish(&self, control: &Control) {
        control.pairs.store(self.store.pairs() as u64, Ordering::Relaxed);
        control.zones.store(self.explored, Ordering::Relaxed);
    }

    /// The number of a state, whose locations are then made.
    fn state(&mut self, state: &[u32]) -> Result<u32, Halt> {
        if let Some(number) = self.store.number(state) {
            return Ok(number);
        }
        self.pair.expand(state)?;
        let frame: Frame<W> = self.pair.frame(state);
        if !fits::<W>(frame.dim(), self.number) {
            return Err(Halt::TooNarrow);
        }
        Ok(self.store.insert_state(state, frame))
    }

    /// Lets time pass in a zone that was just entered, checks the delay rule and stores what is new.
    fn store_after_delay(
        &mut self,
        state: u32,
        entry: &[Bound<W>],
        arrival: Option<Arrival>,
    ) -> Option<ViolatingZone<W>> {
        let locations = self.store.state(state);
        let frame = self.store.frame(state);
        let dim = frame.dim();
        let left = self.pair.invariant(locations, frame, Which::Left);
        let right = self.pair.invariant(locations, frame, Which::Right);
        let waited = left.wait(entry, dim);
        for w in &waited {
            if let Some(zone) = right.excess(&w.zone, dim).iter().next() {
                return Some(ViolatingZone {
                    node: None,
                    last: arrival.map(|arrival| (arrival, state)),
                    broken: Broken::Delay,
                    zone: zone.to_vec(),
                });
            }
        }
        // Whatever the left side does, the right side allows it from here on.
        if self
            .pair
            .right
            .is_universal(self.pair.of(locations, Which::Right))
        {
            return None;
        }
        for w in waited {
            let zones = if self.pair.diagonals.is_empty() {
                let mut zone = w.zone;
                self.store.frame(state).relax(&mut zone, self.abstraction);
                vec![zone]
            } else {
                self.store
                    .frame(state)
                    .abstract_split(w.zone, &self.pair.diagonals)
            };
            for zone in zones {
                self.waiting.extend(self.store.insert(state, zone, arrival));
            }
        }
        None
    }

    /// Checks outputs and inputs in a zone, and enters what they lead to.
    fn explore(&mut self, node: u32) -> Result<Option<ViolatingZone<W>>, Halt> {
        let state = self.store.node(node).state;
        let locations: Vec<u32> = self.store.state(state).to_vec();
        let zone = self.store.node(node).zone.clone();
        for index in 0..self.pair.actions.len() {
            let (action, leader) = self.pair.actions[index];
            let mut steps = Vec::new();
            if let Some(found) = self.matched(node, &locations, &zone, action, leader, &mut steps) {
                return Ok(Some(found));
            }
            for (way, step) in steps.into_iter().enumerate() {
                let Some((step, guarded)) = step else { continue };
                let mut target = locations.clone();
                for &(part, _, location) in &step.moves {
                    target[part as usize] = location;
                }
                let next = self.state(&target)?;
                let entry =
                    self.store
                        .frame(state)
                        .after_updates(&guarded, &step.updates, self.store.frame(next));
                let arrival = Arrival {
                    parent: node,
                    action,
                    way: way as u32,
                };
                if let Some(found) = self.store_after_delay(next, &entry, Some(arrival)) {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Whether the follower matches an action everywhere in a zone; lists the joint steps, with what of the zone they start from.
    fn matched(
        &self,
        node: u32,
        locations: &[u32],
        zone: &[Bound<W>],
        action: Action,
        leader: Which,
        steps: &mut Vec<Option<Possible<W>>>,
    ) -> Option<ViolatingZone<W>> {
        let frame = self.store.frame(self.store.node(node).state);
        let dim = frame.dim();
        let follower = match leader {
            Which::Left => Which::Right,
            Which::Right => Which::Left,
        };
        let leads = alternatives(self.pair, locations, action, leader);
        if leads.is_empty() {
            return None;
        }
        let follows = alternatives(self.pair, locations, action, follower);
        for lead in &leads {
            let mut led = zone.to_vec();
            if !frame.constrain(&mut led, &lead.guard, 0) {
                steps.extend(follows.iter().map(|_| None));
                continue;
            }
            if !follows.iter().any(|follow| frame.implies(&led, &follow.guard, 0)) {
                let mut rest = Federation::from_zone(&led, dim);
                for follow in &follows {
                    rest.subtract(&frame.zone(&[(0, &follow.guard)]));
                }
                if let Some(witness) = rest.iter().next() {
                    return Some(ViolatingZone {
                        node: Some(node),
                        last: None,
                        broken: match leader {
                            Which::Left => Broken::Output(action),
                            Which::Right => Broken::Input(action),
                        },
                        zone: witness.to_vec(),
                    });
                }
            }
            for follow in &follows {
                let mut both = led.clone();
                steps.push(
                    frame
                        .constrain(&mut both, &follow.guard, 0)
                        .then(|| (lead.with(follow), both)),
                );
            }
        }
        None
    }

    /// The way to what was found.
    fn violation(&mut self, found: &ViolatingZone<W>) -> Violation {
        let mut arrivals = Vec::new();
        let (state, mut at) = match (&found.last, found.node) {
            (Some((arrival, state)), _) => {
                arrivals.push(*arrival);
                (*state, Some(arrival.parent))
            }
            (None, Some(node)) => {
                let node_state = self.store.node(node).state;
                let arrival = self.store.node(node).arrival;
                arrivals.extend(arrival);
                (node_state, arrival.map(|arrival| arrival.parent))
            }
            (None, None) => (0, None),
        };
        let frame = self.store.frame(state);
        let witness = frame.named(&minimal::constraints(&found.zone, frame.dim()));
        while let Some(node) = at {
            let arrival = self.store.node(node).arrival;
            arrivals.extend(arrival);
            at = arrival.map(|arrival| arrival.parent);
        }
        arrivals.reverse();
        let mut states = vec![self.pair.initial().into_boxed_slice()];
        let mut steps = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let here: Vec<u32> = self.store.state(self.store.node(arrival.parent).state).to_vec();
            let step = self.step(&here, arrival);
            let mut next = here;
            for &(part, _, location) in &step.moves {
                next[part as usize] = location;
            }
            steps.push(step);
            states.push(next.into());
        }
        Violation {
            states,
            steps,
            broken: found.broken,
            witness,
        }
    }

    /// The step that an arrival stands for.
    fn step(&self, locations: &[u32], arrival: Arrival) -> Joint {
        let leader = if self.pair.left.sends(arrival.action) {
            Which::Left
        } else {
            Which::Right
        };
        let follower = if leader == Which::Left {
            Which::Right
        } else {
            Which::Left
        };
        let leads = alternatives(self.pair, locations, arrival.action, leader);
        let follows = alternatives(self.pair, locations, arrival.action, follower);
        let way = arrival.way as usize;
        leads[way / follows.len()].with(&follows[way % follows.len()])
    }
}

impl Joint {
    fn with(&self, other: &Joint) -> Joint {
        Joint {
            action: self.action,
            guard: [&self.guard[..], &other.guard[..]].concat(),
            updates: [&self.updates[..], &other.updates[..]].concat(),
            moves: [&self.moves[..], &other.moves[..]].concat(),
        }
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
                    longer
                        .guard
                        .extend(crate::systems::product::shifted(part, offset));
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
