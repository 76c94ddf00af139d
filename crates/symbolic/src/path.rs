//! From a path of the abstract zone graph to the conditions on the times of its steps.
//!
//! The abstraction changes which points a zone holds, not which transitions lead to a goal. The transitions of the path are
//! therefore taken once more without abstraction, and what each asks of the clocks is written down; where a rule splits
//! zones, all pieces are followed and one that leads to the goal is kept.

pub mod path_zones;

use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::graph::abstraction::Abstraction;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, StepRecord, ZoneGraph};
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::state::constraint::{ClockRef, Constraint};
use crate::stop::Stop;
use std::ops::ControlFlow;
pub use zonewalk_network::Transition;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::ClockId;
use zonewalk_timing::{self as timing, Reset, Stage, TimedPath};
use zonewalk_zones::Bound;

/// Number of pieces of a split zone that are followed at a time; one is enough nearly always.
const PIECES: usize = 1024;

/// Conditions of a list of transitions from the initial state on the times, so that a goal holds at the end, or so that the
/// transitions are merely possible when there is no goal; `None` when they are not. Both ends of a lasso can be asked for
/// with `avoided`: no state in which that holds is entered.
///
/// # Errors
/// When the model fails on the way.
pub fn conditions(
    plan: &ZonePlan<'_>,
    bounds: &ClockBounds,
    transitions: &[Transition],
    goal: Option<&ZoneGoal>,
    avoided: Option<(&ZoneGoal, usize)>,
) -> Result<Option<TimedPath>, Stop> {
    let graph = || ZoneGraph::new(plan, bounds.clone(), &[], Abstraction::None, &[]).recording();
    let mut free = Explorer::from(graph());
    let mut confined = avoided.map(|(goal, from)| (Explorer::from(graph().avoiding(goal.clone())), from));
    let mut layers = Layers::default();
    layers.begin(match &mut confined {
        Some((confined, 0)) => confined,
        _ => &mut free,
    })?;
    for (number, transition) in transitions.iter().enumerate() {
        let explorer = match &mut confined {
            Some((confined, from)) if number + 1 >= *from => confined,
            _ => &mut free,
        };
        if !layers.advance_by(explorer, transition)? {
            return Ok(None);
        }
    }
    let Some((node, exit)) = layers.end(&mut free, goal)? else {
        return Ok(None);
    };
    Ok(Some(layers.timed_path(plan, 0, node, &exit)))
}

/// Conditions so that a transition which fails can be tried at the end.
///
/// # Errors
/// When the model fails on the way.
pub fn conditions_of_attempt(
    plan: &ZonePlan<'_>,
    bounds: &ClockBounds,
    transitions: &[Transition],
    attempt: &Transition,
) -> Result<Option<TimedPath>, Stop> {
    let graph = ZoneGraph::new(plan, bounds.clone(), &[], Abstraction::None, &[]).recording();
    let mut explorer = Explorer::from(graph);
    let mut layers = Layers::default();
    layers.begin(&mut explorer)?;
    for transition in transitions {
        if !layers.advance_by(&mut explorer, transition)? {
            return Ok(None);
        }
    }
    let (graph, scratch) = explorer.parts();
    for (state, node) in &layers.current {
        if let Some(exit) = graph.guard_of(scratch, state, attempt)? {
            return Ok(Some(layers.timed_path(plan, 0, *node, &exit)));
        }
    }
    Ok(None)
}

impl ZoneGraph<'_> {
    /// Conditions of the guards of a transition on clocks in a state; `None` where it cannot be tried there.
    fn guard_of(
        &self,
        scratch: &mut Scratch<i64>,
        state: &ZoneState<i64>,
        attempt: &Transition,
    ) -> Result<Option<Vec<Constraint>>, Stop> {
        self.begin_moves(scratch, state)?;
        while self.next_moves(scratch, state)? {
            for number in 0..scratch.moves.list.len() {
                if self.guard(scratch, state, number) && scratch.edges == attempt.parts {
                    return Ok(Some(named(&scratch.guarded, &state.clocks)));
                }
            }
        }
        Ok(None)
    }
}

/// The pieces that the prefixes of a path lead to.
#[derive(Default)]
pub(crate) struct Layers {
    nodes: Vec<Node>,
    /// The states of the last layer, with their nodes.
    pub(crate) current: Vec<(ZoneState<i64>, usize)>,
}

struct Node {
    parent: Option<usize>,
    record: StepRecord,
}

impl Layers {
    pub(crate) fn begin(&mut self, explorer: &mut Explorer<'_, i64>) -> Result<(), Stop> {
        let begun = explorer.initial(&mut |state, step| self.add(None, state, step));
        if self.current.is_empty() { begun } else { Ok(()) }
    }

    /// Takes a transition from every piece; false when none allows it.
    pub(crate) fn advance(
        &mut self,
        explorer: &mut Explorer<'_, i64>,
        is_wanted: impl Fn(Step<'_>) -> bool,
    ) -> Result<bool, Stop> {
        let mut failed = Ok(());
        for (state, node) in std::mem::take(&mut self.current) {
            let result = explorer.successors(&state, &mut |next, step| {
                if is_wanted(step) {
                    return self.add(Some(node), next, step);
                }
                ControlFlow::Continue(())
            });
            failed = failed.and(result);
        }
        match self.current.is_empty() {
            false => Ok(true),
            // What is wanted may be what fails.
            true => failed.map(|()| false),
        }
    }

    /// Takes one transition from every piece; false when none allows it. Other transitions of these states are not even listed.
    pub(crate) fn advance_by(
        &mut self,
        explorer: &mut Explorer<'_, i64>,
        transition: &Transition,
    ) -> Result<bool, Stop> {
        explorer.look_for(Some(transition));
        let advanced = self.advance(explorer, |step| step.is(transition));
        explorer.look_for(None);
        advanced
    }

    fn add(&mut self, parent: Option<usize>, state: &ZoneState<i64>, step: Step<'_>) -> ControlFlow<()> {
        if self.current.len() >= PIECES {
            return ControlFlow::Break(());
        }
        // Without abstraction a piece that another one includes leads nowhere else.
        let covers = |other: &ZoneState<i64>| {
            other.discrete == state.discrete && zonewalk_zones::dbm::includes(&other.zone, &state.zone)
        };
        if let Some(record) = step.record
            && !self.current.iter().any(|(other, _)| covers(other))
        {
            self.current.push((state.clone(), self.nodes.len()));
            let record = record.clone();
            self.nodes.push(Node { parent, record });
        }
        ControlFlow::Continue(())
    }

    /// From the points in which a goal holds on, at the same instant, in another graph of the same states. The pieces of
    /// the layer become stages of their own, which end with the goal.
    pub(crate) fn change(
        &mut self,
        from: &mut Explorer<'_, i64>,
        to: &mut Explorer<'_, i64>,
        goal: &ZoneGoal,
    ) -> Result<bool, Stop> {
        for (state, node) in std::mem::take(&mut self.current) {
            for zone in &from.points(goal, &state)? {
                let before = self.nodes.len();
                let (graph, scratch) = to.parts();
                let mut add = |next: &ZoneState<i64>, step: Step<'_>| self.add(Some(node), next, step);
                let _ = graph.restart(scratch, &state, zone, &mut add)?;
                for node in &mut self.nodes[before..] {
                    node.record.guard = named(zone, &state.clocks);
                }
            }
        }
        Ok(!self.current.is_empty())
    }

    /// A piece in which the goal holds somewhere, and where.
    fn end(
        &self,
        explorer: &mut Explorer<'_, i64>,
        goal: Option<&ZoneGoal>,
    ) -> Result<Option<(usize, Vec<Constraint>)>, Stop> {
        for (state, node) in &self.current {
            let Some(goal) = goal else {
                return Ok(Some((*node, Vec::new())));
            };
            let points = explorer.points(goal, state)?;
            if let Some(zone) = points.iter().next() {
                return Ok(Some((*node, named(zone, &state.clocks))));
            }
        }
        Ok(None)
    }

    /// The conditions of the way to a node, at whose end some more hold. `extra`: clocks of the search's own.
    pub(crate) fn timed_path(
        &self,
        plan: &ZonePlan<'_>,
        extra: usize,
        last: usize,
        exit: &[Constraint],
    ) -> TimedPath {
        let mut nodes = vec![last];
        while let Some(parent) = self.nodes[nodes[nodes.len() - 1]].parent {
            nodes.push(parent);
        }
        nodes.reverse();
        let clocks = plan.network.clocks.len() + extra;
        let mut path = TimedPath {
            initial: plan.network.clocks.iter().map(|&value| value.into()).collect(),
            ..TimedPath::default()
        };
        path.initial.resize(clocks, 0);
        let mut stages: Vec<Stage> = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let record = &self.nodes[node].record;
            if let Some(before) = stages.last_mut() {
                before.at_exit.extend(record.guard.iter().map(translate));
                before.resets = resets(&record.assigned, clocks as u32, &mut path.initial);
            }
            stages.push(Stage {
                may_delay: record.may_delay,
                during: record.invariant.iter().map(translate).collect(),
                at_entry: record.entry.iter().map(translate).collect(),
                at_exit: record.exit.iter().map(translate).collect(),
                stopped: record.stopped.iter().map(|clock| clock.0).collect(),
                resets: Vec::new(),
            });
        }
        path.last = stages.pop().unwrap_or_default();
        path.last.at_exit.extend(exit.iter().map(translate));
        path.stages = stages;
        path
    }
}

/// The constraints of a zone over these clocks.
pub(crate) fn named(zone: &[Bound<i64>], clocks: &[ClockId]) -> Vec<Constraint> {
    let dim = clocks.len() + 1;
    (0..dim * dim)
        .filter(|at| at / dim != at % dim && !zone[*at].is_infinite())
        .map(|at| Constraint {
            left: ClockRef::at(at / dim, clocks),
            right: ClockRef::at(at % dim, clocks),
            bound: zone[at],
        })
        .collect()
}

fn translate(constraint: &Constraint) -> timing::Constraint {
    timing::Constraint {
        left: constraint.left.clock().map(|clock| clock.0),
        right: constraint.right.clock().map(|clock| clock.0),
        bound: constraint.bound.constant(),
        strict: constraint.bound.is_strict(),
    }
}

/// Assignments in terms of the values before, one after the other. A value that would be overwritten before it is read is
/// first put aside, in clocks after those of the model.
fn resets(assigned: &[(ClockId, ClockRef, i32)], clocks: u32, initial: &mut Vec<i64>) -> Vec<(u32, Reset)> {
    let is_assigned = |clock: ClockId| assigned.iter().any(|a| a.0 == clock);
    let copy = |from, plus| Reset::Copy { from, plus };
    let mut aside = Vec::new();
    let mut list = Vec::new();
    for &(clock, origin, plus) in assigned {
        let Some(before) = origin.clock() else {
            list.push((clock.0, Reset::To(plus.into())));
            continue;
        };
        let from = if is_assigned(before) {
            let spare = clocks + aside.len() as u32;
            aside.push((spare, copy(before.0, 0)));
            spare
        } else {
            before.0
        };
        list.push((clock.0, copy(from, plus)));
    }
    let needed = clocks as usize + aside.len();
    if initial.len() < needed {
        initial.resize(needed, 0);
    }
    aside.extend(list);
    aside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_clocks_are_put_aside() {
        let [x, y] = [0, 1].map(ClockId);
        let mut initial = vec![0, 0];
        let list = resets(
            &[(x, ClockRef::of(y), 1), (y, ClockRef::of(x), 0)],
            2,
            &mut initial,
        );
        assert_eq!(initial.len(), 4);
        let copy = |from, plus| Reset::Copy { from, plus };
        assert_eq!(
            list,
            [(2, copy(1, 0)), (3, copy(0, 0)), (0, copy(2, 1)), (1, copy(3, 0))]
        );
    }

    #[test]
    fn numbers_are_set_directly() {
        let mut initial = vec![0];
        let list = resets(&[(ClockId(0), ClockRef::ZERO, 3)], 1, &mut initial);
        assert_eq!(list, [(0, Reset::To(3))]);
        assert_eq!(initial, [0]);
    }

    #[test]
    fn a_zone_over_no_clocks_says_nothing() {
        assert_eq!(named(&[Bound::LE_ZERO], &[]), []);
    }
}
