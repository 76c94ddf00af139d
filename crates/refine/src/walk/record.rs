//! A walk that found something, made once more and written down.

use zonewalk_tioa::{Rule, Run, Side as Which, Step, Taken};

use crate::pair::Pair;
use crate::set::TooLarge;
use crate::walk::WalkOptions;
use crate::walk::plan::{Plan, UNIT};
use crate::walk::random::Random;
use crate::walk::schedule::{depth, first_depth};
use crate::walk::state::{Move, State};
use crate::walk::walker::{Breach, End, Walker, Witness};

/// An edge of an automaton of the pair, named in a way that does not depend on what walks have met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Which automaton.
    pub(super) part: u32,
    /// The location that it leaves.
    pub(super) location: u32,
    /// The edge's place in the list of that location.
    pub(super) edge: u32,
    /// Which alternative of the edge's condition.
    pub(super) alternative: u32,
}

/// A step of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    /// When.
    pub(super) at: i64,
    pub(super) offer: u32,
    /// The edges of the leader, then those of the other side.
    pub(super) choices: Vec<Choice>,
}

/// The steps of a walk, and the rule that is broken behind them.
#[derive(Debug)]
pub(super) struct Recorded {
    /// The walker at the end of its way.
    pub(super) walker: Walker,
    pub(super) deeds: Vec<Deed>,
    pub(super) breach: Breach,
}

/// Writes steps down.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) deeds: Vec<Deed>,
}

impl Witness for Recorder {
    fn see(&mut self, plan: &Plan, state: &State, offer: u32, moves: &[Move]) {
        self.deeds.push(Deed {
            at: state.now,
            offer,
            choices: moves.iter().map(|own| choice(plan, state, own)).collect(),
        });
    }
}

/// The name of a move that is possible now.
pub(super) fn choice(plan: &Plan, state: &State, own: &Move) -> Choice {
    let place = state.places[own.part as usize];
    let edge = &plan.edges[own.edge as usize];
    Choice {
        part: own.part,
        location: plan.places[place as usize].location,
        edge: edge.number,
        alternative: own.alternative - edge.alternatives.from,
    }
}

/// Makes a walk again. Gives nothing if it does not end in a violation.
pub(super) fn record(pair: &Pair, options: &WalkOptions, number: u64) -> Result<Option<Recorded>, TooLarge> {
    let mut walker = Walker::new(Plan::new(pair, UNIT))?;
    let mut recorder = Recorder::default();
    let end = walker.walk(
        options.heuristic,
        options.delays.manner(number),
        &mut Random::for_walk(options.seed, number),
        &mut 0,
        depth(number, options.max_steps, first_depth(pair)),
        &mut recorder,
    )?;
    let End::Violation(breach) = end else {
        return Ok(None);
    };
    let mut deeds = recorder.deeds;
    if let Breach::Delay { at } = breach {
        // A walk by SMC may notice late that time was over.
        deeds.retain(|deed| deed.at < at);
    }
    Ok(Some(Recorded {
        walker,
        deeds,
        breach,
    }))
}

impl Recorded {
    /// How many steps it has.
    pub(super) fn len(&self) -> usize {
        self.deeds.len()
    }

    /// The run as it was walked.
    pub(super) fn run(&self) -> Run {
        run(&self.walker.plan, &self.deeds, self.breach)
    }
}

/// The run of some steps. Their instants are in parts of a unit of time as the plan has them.
pub(super) fn run(plan: &Plan, deeds: &[Deed], breach: Breach) -> Run {
    let mut now = 0;
    let mut steps = Vec::with_capacity(deeds.len());
    for deed in deeds {
        let mut sides: [Vec<Taken>; 2] = Default::default();
        for choice in &deed.choices {
            let (which, location) = plan.location(choice.part, choice.location);
            let edge = &location.edges[choice.edge as usize];
            sides[usize::from(which == Which::Right)].extend_from_slice(&edge.taken);
        }
        let [mut left, mut right] = sides;
        left.sort_unstable();
        right.sort_unstable();
        steps.push(Step {
            delay: deed.at - now,
            action: plan.offers[deed.offer as usize].action,
            left,
            right,
        });
        now = deed.at;
    }
    let (at, rule) = match breach {
        Breach::Delay { at } => (at, Rule::Delay),
        Breach::Unmatched { offer, at } => {
            let offer = plan.offers[offer as usize];
            let rule = match offer.is_output {
                true => Rule::Output(offer.action),
                false => Rule::Input(offer.action),
            };
            (at, rule)
        }
    };
    Run {
        scale: plan.unit,
        steps,
        last_delay: at - now,
        rule,
    }
}
