//! From a way through the relation to an exact run.
//!
//! Zones were abstracted on the way, so the zones along it say nothing about single points. The conditions of the steps do: a state of an
//! abstracted zone is simulated, step by step, by one that is really reached, so the same steps have times. They are a system
//! of differences between instants, which `timing` solves.

use zonewalk_timing::{self as timing, DEFAULT_BUDGET, Objective, Stage, TimedPath, Unsolved, solve};
use zonewalk_tioa::{Rule, Run, Side as Which, Step, Taken};

use crate::symbolic::delay::{Invariant, Piece};
use crate::symbolic::frame::Frame;
use crate::symbolic::joint::Joint;
use crate::symbolic::pair::Pair;
use crate::symbolic::refinement::{Broken, Violation};
use crate::systems::set::Constraint;

/// How many combinations of alternatives in invariants are tried.
const TRIES: usize = 4096;

/// An exact run for a violation.
///
/// # Errors
/// When no times were found.
pub fn run(pair: &mut Pair, violation: &Violation) -> Result<Run, Unsolved> {
    let rule = match violation.what {
        Broken::Output(action) => Rule::Output(action),
        Broken::Input(action) => Rule::Input(action),
        Broken::Delay | Broken::Start => Rule::Delay,
    };
    timed(
        pair,
        &violation.states,
        &violation.steps,
        &violation.witness,
        rule,
    )
}

/// Times for steps that end where `witness` holds.
///
/// # Errors
/// When no times were found.
pub fn timed(
    pair: &mut Pair,
    states: &[Box<[u32]>],
    steps: &[Joint],
    witness: &[Constraint],
    rule: Rule,
) -> Result<Run, Unsolved> {
    timed_by(pair, states, steps, witness, rule, &mut |path| Ok(path.clone()))
}

/// Finds times for conditions that are adapted first.
pub(crate) fn timed_by(
    pair: &mut Pair,
    states: &[Box<[u32]>],
    steps: &[Joint],
    witness: &[Constraint],
    rule: Rule,
    adapt: &mut dyn FnMut(&TimedPath) -> Result<TimedPath, Unsolved>,
) -> Result<Run, Unsolved> {
    // A delay goes through the alternatives of an invariant one after the other; the chains that can be meant are tried in turn.
    let chains: Vec<Vec<Vec<Piece<i64>>>> = states.iter().map(|state| chains(pair, state)).collect();
    let mut chosen = vec![0; chains.len()];
    let mut last = Unsolved::Infeasible;
    for _ in 0..TRIES {
        let picked: Vec<&[Piece<i64>]> = chains
            .iter()
            .zip(&chosen)
            .map(|(list, &k)| list[k].as_slice())
            .collect();
        let path = adapt(&path(pair, &picked, steps, witness))?;
        match solve(&path, Objective::Simple, DEFAULT_BUDGET) {
            Ok(solution) => return Ok(finished(pair, states, steps, &picked, rule, &solution.schedule)),
            Err(Unsolved::Infeasible) => {}
            Err(other) => last = other,
        }
        if !advance(&mut chosen, &chains) {
            break;
        }
    }
    Err(last)
}

fn advance(chosen: &mut [usize], chains: &[Vec<Vec<Piece<i64>>>]) -> bool {
    for (digit, list) in chosen.iter_mut().zip(chains).rev() {
        *digit += 1;
        if *digit < list.len() {
            return true;
        }
        *digit = 0;
    }
    false
}

/// The ways in which a delay can go through the invariants of the left side, over clocks of the pair.
fn chains(pair: &mut Pair, state: &[u32]) -> Vec<Vec<Piece<i64>>> {
    let frame: Frame<i64> = pair.frame(state);
    let invariant = pair.invariant(state, &frame, Which::Left);
    let lists = match invariant.alternatives() {
        [_] => vec![invariant.pieces(&[])],
        _ => all_chains(&invariant, &frame),
    };
    let named = |piece: &Piece<i64>| Piece {
        at_begin: frame.named(&piece.at_begin),
        at_end: frame.named(&piece.at_end),
    };
    lists
        .iter()
        .map(|list| list.iter().map(named).collect())
        .collect()
}

fn all_chains(invariant: &Invariant<i64>, frame: &Frame<i64>) -> Vec<Vec<Piece<i64>>> {
    let dim = frame.dim();
    let mut everything = vec![zonewalk_zones::Bound::INFINITY; dim * dim];
    zonewalk_zones::dbm::set_universal(&mut everything, dim);
    invariant
        .every_chain(&everything, dim)
        .iter()
        .map(|chain| invariant.pieces(chain))
        .collect()
}

fn path(pair: &Pair, pieces: &[&[Piece<i64>]], steps: &[Joint], witness: &[Constraint]) -> TimedPath {
    let clocks = usize::from(pair.left.clocks + pair.right.clocks);
    let mut stages = Vec::new();
    for (number, chain) in pieces.iter().enumerate() {
        for piece in *chain {
            stages.push(Stage {
                may_delay: true,
                at_entry: conditions(&piece.at_begin),
                at_exit: conditions(&piece.at_end),
                ..Stage::default()
            });
        }
        let Some(end) = stages.last_mut() else { continue };
        match steps.get(number) {
            Some(step) => {
                end.at_exit.extend(conditions(&step.guard));
                let resets = step.updates.iter();
                end.resets = resets
                    .map(|&(clock, value)| (u32::from(clock) - 1, timing::Reset::To(value.into())))
                    .collect();
            }
            None => end.at_exit.extend(conditions(witness)),
        }
    }
    let last = stages.pop().unwrap_or_default();
    TimedPath {
        initial: vec![0; clocks],
        stages,
        last,
    }
}

fn conditions(constraints: &[Constraint]) -> Vec<timing::Constraint> {
    let clock = |row: u16| (row != 0).then(|| u32::from(row) - 1);
    let all = constraints.iter().map(|c| timing::Constraint {
        left: clock(c.left),
        right: clock(c.right),
        bound: c.bound.constant(),
        strict: c.bound.is_strict(),
    });
    all.collect()
}

/// The run with its delays, pieces of one delay put together.
fn finished(
    pair: &Pair,
    states: &[Box<[u32]>],
    steps: &[Joint],
    pieces: &[&[Piece<i64>]],
    rule: Rule,
    schedule: &timing::Schedule,
) -> Run {
    let mut ticks = schedule.delays.iter();
    let mut delays = pieces
        .iter()
        .map(|chain| ticks.by_ref().take(chain.len()).sum::<i64>());
    let timed = steps.iter().zip(states).zip(delays.by_ref());
    let steps = timed.map(|((step, state), delay)| {
        let (left, right) = taken(pair, state, step);
        Step {
            delay,
            action: step.action,
            left,
            right,
        }
    });
    let steps: Vec<Step> = steps.collect();
    Run {
        scale: schedule.unit,
        steps,
        last_delay: delays.next().unwrap_or(0),
        rule,
    }
}

/// Moves of the components of each side in a step.
pub(crate) fn taken(pair: &Pair, state: &[u32], step: &Joint) -> (Vec<Taken>, Vec<Taken>) {
    let mut left = Vec::new();
    let mut right = Vec::new();
    for &(part, edge, _) in &step.moves {
        let place = part as usize;
        let (list, automaton) = match place.checked_sub(pair.middle()) {
            None => (&mut left, &pair.left.parts[place]),
            Some(place) => (&mut right, &pair.right.parts[place]),
        };
        list.extend_from_slice(&automaton.location(state[part as usize]).edges[edge as usize].taken);
    }
    left.sort_unstable();
    right.sort_unstable();
    (left, right)
}
