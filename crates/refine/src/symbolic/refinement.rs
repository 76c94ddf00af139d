//! Complete refinement checking: the relation is built over zones of both sides' clocks, until it is closed or a pair breaks a rule.
//!
//! Every output of the left side has to be matched by the right side, every input of the right side by the left side, and every delay of
//! the left side by the right side. With a deterministic right side there is one way to match, so that refinement fails if
//! and only if a pair can be reached in which a rule is broken.

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::{Federation, Word};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::delay::DelayedZone;
use crate::symbolic::frame::Abstraction;
use crate::symbolic::graph::ZoneGraph;
use crate::symbolic::joint::alternatives;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::{Entry, FoundState, PossibleStep, Question, Sighting, Start, Visit};

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

/// A way to a pair that breaks a rule.
pub type Violation = FoundState<Broken>;

/// Looks for a pair that breaks a rule.
pub fn check(pair: &mut Pair, abstraction: Abstraction, limits: Limits, control: &Control) -> Outcome {
    let graph = ZoneGraph {
        question: &Rules,
        starts: &Start::of(pair),
        extra: &[],
        abstraction,
    };
    match graph.search(pair, limits, control) {
        Err(limit) => Outcome::Unknown(limit),
        Ok(explored) => match explored.found {
            Some(violation) => {
                control.finds();
                Outcome::Violated(violation)
            }
            None => Outcome::Holds {
                pairs: explored.pairs,
                zones: explored.zones,
            },
        },
    }
}

/// The rules of refinement. A left side without an initial state breaks none: the caller is told beforehand.
struct Rules;

impl Question for Rules {
    type End = Broken;

    const IS_SHOWN: bool = true;

    /// Checks the delay rule.
    fn enter<W: Word>(
        &self,
        visit: &Visit<'_, W>,
        is_start: bool,
        waited: &[DelayedZone<W>],
    ) -> Entry<Broken, W> {
        let right = visit.pair.invariant(visit.state, visit.frame, Which::Right);
        let start = is_start.then_some((Broken::Start, visit.zone));
        let delays = waited.iter().map(|w| (Broken::Delay, w.zone.as_slice()));
        for (rule, zone) in start.into_iter().chain(delays) {
            if let Some(outside) = right.excess(zone, visit.frame.dim()).iter().next() {
                return Entry::End(rule, outside.to_vec());
            }
        }
        // Whatever the left side does, the right side allows it from here on.
        match visit
            .pair
            .right
            .is_universal(visit.pair.of(visit.state, Which::Right))
        {
            true => Entry::Closed,
            false => Entry::Open,
        }
    }

    /// Whether the follower matches an action everywhere in a zone; lists the steps of both.
    fn steps<W: Word>(
        &self,
        visit: &Visit<'_, W>,
        (action, leader): (Action, Which),
        steps: &mut Vec<PossibleStep<W>>,
    ) -> Sighting<Broken, W> {
        let frame = visit.frame;
        let (follower, broken) = match leader {
            Which::Left => (Which::Right, Broken::Output(action)),
            Which::Right => (Which::Left, Broken::Input(action)),
        };
        let leads = alternatives(visit.pair, visit.state, action, leader);
        if leads.is_empty() {
            return None;
        }
        let follows = alternatives(visit.pair, visit.state, action, follower);
        for lead in &leads {
            let mut led = visit.zone.to_vec();
            if !frame.constrain(&mut led, &lead.guard, 0) {
                continue;
            }
            if !follows.iter().any(|follow| frame.implies(&led, &follow.guard, 0)) {
                let mut rest = Federation::from_zone(&led, frame.dim());
                for follow in &follows {
                    rest.subtract(&frame.zone(&[(0, &follow.guard)]));
                }
                if let Some(witness) = rest.iter().next() {
                    return Some((broken, witness.to_vec()));
                }
            }
            for follow in &follows {
                let mut both = led.clone();
                if frame.constrain(&mut both, &follow.guard, 0) {
                    steps.push((lead.with(follow), both));
                }
            }
        }
        None
    }
}
