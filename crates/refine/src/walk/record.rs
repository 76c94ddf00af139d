//! A walk that found something, made once more and written down.

use zonewalk_tioa::{Rule, Run, Side as Which, Step, Taken};

use crate::symbolic::pair::Pair;
use crate::systems::set::TooLarge;
use crate::walk::WalkOptions;
use crate::walk::instant::unit;
use crate::walk::plan::PairPlan;
use crate::walk::schedule::{depth, first_depth};
use crate::walk::state::{Move, State};
use crate::walk::walker::{Violation, WalkEnd, WalkObserver, Walker};
use zonewalk_numbers::{Random, gcd};

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
    /// Which alternative of the location's invariant holds then, if one does.
    pub(super) held: Option<u32>,
}

/// A step of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordedStep {
    /// When.
    pub(super) at: i64,
    pub(super) offer: u32,
    /// The edges of the leader, then those of the other side.
    pub(super) choices: Vec<Choice>,
}

/// The steps of a walk, and the rule that is broken after them.
///
/// A form of its own beside [`zonewalk_tioa::Run`]: it names edges and alternatives of automata that walks have met, so that a
/// part of it can be walked again, and it becomes such a run at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Parts of a unit of time that instants are counted in.
    pub(super) unit: i64,
    pub(super) steps: Vec<RecordedStep>,
    pub(super) end: Ending,
}

/// How a trace ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// At this instant the left side can still wait and the right side cannot.
    Late(i64),
    /// The leader's edges of this step are enabled, and the other side cannot follow.
    Alone(RecordedStep),
}

/// Writes steps down.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) steps: Vec<RecordedStep>,
}

impl WalkObserver for Recorder {
    fn see(&mut self, plan: &PairPlan, state: &State, offer: u32, moves: &[Move]) {
        self.steps.push(RecordedStep {
            at: state.now,
            offer,
            choices: moves.iter().map(|own| choice(plan, state, own)).collect(),
        });
    }
}

/// The name of a move that is possible now.
pub(super) fn choice(plan: &PairPlan, state: &State, own: &Move) -> Choice {
    let place = state.places[own.part as usize];
    let edge = &plan.edges[own.edge as usize];
    Choice {
        part: own.part,
        location: plan.places[place as usize].location,
        edge: edge.number,
        alternative: own.alternative - edge.alternatives.from,
        held: held(plan, state, own.part),
    }
}

/// The alternative of an automaton's invariant that holds now.
pub(super) fn held(plan: &PairPlan, state: &State, part: u32) -> Option<u32> {
    let invariant = plan.places[state.places[part as usize] as usize].invariant;
    let mut alternatives = invariant.range();
    let found = alternatives.find(|&k| plan.holds(k, &state.since, state.now));
    found.map(|k| k as u32 - invariant.from)
}

/// Makes a walk again. Gives nothing if it does not end in a violation.
pub(super) fn record(
    walker: &mut Walker,
    pair: &Pair,
    options: &WalkOptions,
    number: u64,
) -> Result<Option<Record>, TooLarge> {
    let unit = unit(pair);
    walker.rescale(unit)?;
    let mut recorder = Recorder::default();
    let end = walker.walk(
        options.heuristic,
        options.delays.distribution(number),
        &mut Random::for_walk(options.seed, number),
        &mut 0,
        depth(number, options.max_steps, first_depth(pair)),
        &mut recorder,
    )?;
    let mut steps = recorder.steps;
    let end = match end {
        WalkEnd::Violation(Violation::Delay { at }) => {
            // A walk by SMC may notice late that time was over.
            steps.retain(|step| step.at < at);
            Ending::Late(at)
        }
        WalkEnd::Violation(Violation::Unmatched { offer, at }) => Ending::Alone(walker.alone(offer, at)),
        WalkEnd::Depth | WalkEnd::Stuck => return Ok(None),
    };
    Ok(Some(Record { unit, steps, end }))
}

impl Walker {
    /// The leader's part of a step without a follower.
    pub(super) fn alone(&self, offer: u32, at: i64) -> RecordedStep {
        let moves = self.moves.iter();
        RecordedStep {
            at,
            offer,
            choices: moves.map(|own| choice(&self.plan, &self.state, own)).collect(),
        }
    }
}

/// A trace as a run, in the coarsest parts of a unit of time that it allows.
pub(super) fn run(plan: &PairPlan, trace: &Record) -> Run {
    let mut now = 0;
    let mut steps = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let mut sides: [Vec<Taken>; 2] = Default::default();
        for choice in &step.choices {
            let (which, location) = plan.location(choice.part, choice.location);
            let edge = &location.edges[choice.edge as usize];
            sides[usize::from(which == Which::Right)].extend_from_slice(&edge.taken);
        }
        let [mut left, mut right] = sides;
        left.sort_unstable();
        right.sort_unstable();
        steps.push(Step {
            delay: step.at - now,
            action: plan.offers[step.offer as usize].action,
            left,
            right,
        });
        now = step.at;
    }
    let (at, rule) = match &trace.end {
        Ending::Late(at) => (*at, Rule::Delay),
        Ending::Alone(step) => {
            let offer = plan.offers[step.offer as usize];
            let rule = match offer.is_output {
                true => Rule::Output(offer.action),
                false => Rule::Input(offer.action),
            };
            (step.at, rule)
        }
    };
    let last_delay = at - now;
    let delays = steps.iter().map(|step| step.delay);
    let common = delays.fold(gcd(trace.unit, last_delay), gcd);
    for step in &mut steps {
        step.delay /= common;
    }
    Run {
        scale: trace.unit / common,
        steps,
        last_delay: last_delay / common,
        rule,
    }
}
