//! A run as a path of conditions on its clocks, so that it can get other times.
//!
//! The transitions stay as they are, and so does everything that decides about them: who receives a broadcast, which
//! urgent or higher transitions are not enabled yet or any more. Where such a choice depends on clocks, the path keeps one
//! bound that decides it as it was. A few ways in which times decide about transitions are not in the path (a window of an
//! urgent channel that opens nowhere because two clocks contradict each other, invariants that forbid a transition of
//! higher priority): so new times are a proposal, and the run must be repeated.

use crate::Stop;
use crate::enabled::candidate::{Candidate, list_ready};
use crate::enabled::firings::receivers;
use crate::enabled::priority;
use crate::goal::WalkGoal;
use crate::plan::WalkPlan;
use crate::state::State;
use crate::state::atom::Atom;
use crate::walker::{Fired, Record, Walker};
use std::iter;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Relation};
use zonewalk_network::ids::{ClockId, InstanceId, ProcessId};
use zonewalk_network::vm::{Clocks, LoopWork};
use zonewalk_product::Unprojected;
use zonewalk_timing::{Constraint, Reset, Schedule, Stage, TimedPath};

/// Clocks whose differences are few enough to be examined.
const COMPARED: u32 = 64;

/// The conditions of a run, and the times that it has.
pub(crate) struct Timeline {
    pub(crate) path: TimedPath,
    pub(crate) known: Schedule,
}

/// The conditions of a record that reaches the goal at `end`; `None` when it is not a run. Without a goal its clocks stay between
/// the same whole numbers at the end, so that every guard is as true there as it was.
pub(crate) fn timeline(
    plan: &WalkPlan<'_>,
    goal: Option<&WalkGoal>,
    record: &Record,
    end: i64,
) -> Option<Timeline> {
    let mut walker = Walker::new(plan).ok()??;
    walker.restart();
    let processes = plan.network.processes.len();
    let mut tracer = Tracer {
        walker,
        invariants: vec![Vec::new(); processes],
        atoms: Vec::new(),
        candidates: Vec::new(),
        entry: Vec::new(),
    };
    tracer.trace(goal, record, end).ok().flatten()
}

struct Tracer<'p> {
    walker: Walker<'p>,
    /// By process: what its invariant asks of clocks since it was examined last.
    invariants: Vec<Vec<Constraint>>,
    atoms: Vec<Atom>,
    candidates: Vec<Candidate>,
    /// Constraints when the next stage begins.
    entry: Vec<Constraint>,
}

impl<'p> Tracer<'p> {
    fn trace(
        &mut self,
        goal: Option<&WalkGoal>,
        record: &Record,
        end: i64,
    ) -> Result<Option<Timeline>, Stop> {
        let plan = self.walker.plan;
        for process in plan.processes() {
            self.require_invariant(process)?;
        }
        let mut path = TimedPath {
            initial: plan.network.clocks.iter().map(|&value| value.into()).collect(),
            stages: Vec::with_capacity(record.steps.len()),
            last: Stage::default(),
        };
        let mut delays = Vec::with_capacity(record.steps.len() + 1);
        for (index, step) in record.steps.iter().enumerate() {
            delays.push(step.at - self.walker.state.clocks.now);
            let (parts, selects) = record.step(index);
            let mut stage = self.stage(step.at)?;
            self.guards(parts, step.at, &mut stage)?;
            self.bystanders(parts, step.at, &mut stage)?;
            let copies = self.copies(parts, selects)?;
            if self.walker.fire(step.at, parts, selects)? != Fired::Yes {
                return Ok(None);
            }
            stage.resets = copies.unwrap_or_else(|| self.resets());
            for process in self.walker.with_changed_invariants(parts) {
                // What it asked for until now is true until the end; in between that follows.
                stage.at_exit.append(&mut self.invariants[process.index()]);
                self.require_invariant(process)?;
            }
            path.stages.push(stage);
        }
        delays.push(end - self.walker.state.clocks.now);
        path.last = self.stage(end)?;
        for list in &mut self.invariants {
            path.last.at_exit.append(list);
        }
        self.atoms.clear();
        let is_possible = match goal {
            Some(goal) => goal.atoms(plan, &mut self.walker.state, end, &mut self.atoms)?,
            None => self.surroundings(end),
        };
        if !is_possible {
            return Ok(None);
        }
        self.require_all(end, &mut path.last.at_exit);
        if goal.is_some_and(WalkGoal::mentions_deadlock) {
            self.deadlock(end, &mut path.last)?;
        }
        let known = Schedule {
            unit: plan.unit,
            delays,
        };
        Ok(Some(Timeline {
            path,
            known: known.in_lowest_terms(),
        }))
    }

    /// Lists between which whole numbers clocks are at an instant, and their differences where the model compares those. False
    /// when that cannot be said in bounds, or takes too many of them.
    fn surroundings(&mut self, at: i64) -> bool {
        let (plan, values) = (self.walker.plan, &self.walker.state.clocks.values);
        let clocks = values.len() as u32;
        let compares = |(bound, _): &(ClockBound, Context)| bound.right.is_some();
        let has_differences = plan.conditions.clock_bounds.iter().any(compares);
        if has_differences && clocks > COMPARED {
            return false;
        }
        let rights = |left: u32| {
            (0..left)
                .filter(|_| has_differences)
                .map(|right| Some(ClockId(right)))
        };
        let pairs = (0..clocks).flat_map(|left| rights(left).chain([None]).map(move |r| (ClockId(left), r)));
        for (left, right) in pairs {
            let value = |clock: ClockId| values[clock.index()].at(at);
            let ticks = value(left) - right.map_or(0, value);
            let Ok(below) = i32::try_from(ticks.div_euclid(plan.unit)) else {
                return false;
            };
            let mut require = |relation, bound| {
                self.atoms.push(Atom {
                    left,
                    right,
                    relation,
                    bound,
                });
            };
            if ticks.rem_euclid(plan.unit) == 0 {
                require(Relation::Equal, below);
            } else {
                require(Relation::Greater, below);
                require(Relation::Less, below.saturating_add(1));
            }
        }
        true
    }

    /// Looks at the invariant that a process has now.
    fn require_invariant(&mut self, process: ProcessId) -> Result<(), Stop> {
        let (plan, state) = (self.walker.plan, &mut self.walker.state);
        let place = plan.location(process, state.location(process));
        if place.invariant.is_trivial() {
            return Ok(());
        }
        self.atoms.clear();
        state.atoms(plan, &place.invariant, &mut self.atoms)?;
        let now = state.clocks.now;
        let start = self.entry.len();
        for atom in &self.atoms {
            self.entry.extend(atom.constraints(plan, state, now));
        }
        self.invariants[process.index()].extend_from_slice(&self.entry[start..]);
        Ok(())
    }

    /// The stage that ends at an instant: what began with it, and how long time may pass.
    fn stage(&mut self, until: i64) -> Result<Stage, Stop> {
        let state = &self.walker.state;
        let mut stage = Stage {
            may_delay: state.committed.is_empty() && state.urgent == 0,
            at_entry: std::mem::take(&mut self.entry),
            ..Stage::default()
        };
        if self.walker.plan.has_rates {
            let clocks = (0..).zip(&state.clocks.values);
            stage.stopped = clocks
                .filter(|(_, value)| !value.runs)
                .map(|(clock, _)| clock)
                .collect();
        }
        if stage.may_delay && state.urgent_senders > 0 {
            self.urgency(until, &mut stage)?;
        }
        Ok(stage)
    }

    /// No synchronisation on an urgent channel becomes enabled before the end of a stage.
    fn urgency(&mut self, until: i64, stage: &mut Stage) -> Result<(), Stop> {
        let plan = self.walker.plan;
        for &channel in &plan.urgent_channels {
            let ready = &self.walker.state.ready[channel.index()];
            let mut sets: Vec<Vec<InstanceId>> = Vec::new();
            plan.synchronise(channel, &ready.senders, &ready.receivers, |sender, receiver| {
                sets.push(iter::once(sender).chain(receiver).collect());
            });
            for edges in sets {
                self.not_before(&edges, until, stage)?;
            }
        }
        Ok(())
    }

    /// Edges are not enabled together before the end of a stage.
    fn not_before(&mut self, edges: &[InstanceId], until: i64, stage: &mut Stage) -> Result<(), Stop> {
        self.list_guards(edges)?;
        let (plan, state) = (self.walker.plan, &self.walker.state);
        let now = state.clocks.now;
        // Not yet: time may pass up to the bound, be it strict or not (`semantics.md` 2a). Of several bounds the last.
        let later = self
            .atoms
            .iter()
            .filter(|a| a.rises(state) && a.is_lower() && a.excess(plan, state, until) <= 0)
            .min_by_key(|a| a.excess(plan, state, until));
        if let Some(atom) = later {
            let closed = Atom {
                relation: Relation::LessEqual,
                ..*atom
            };
            stage.at_exit.extend(closed.constraints(plan, state, until));
            return Ok(());
        }
        // Not any more, or never: what fails now, and time does not help.
        let missed = |a: &&Atom| is_missed(a, plan, state, now);
        if let Some(atom) = self.atoms.iter().find(missed) {
            let opposite = atom.opposite(plan, state, now);
            stage.at_entry.extend(opposite.constraints(plan, state, now));
        } else if until == now {
            stage.may_delay = false;
        }
        Ok(())
    }

    /// Edges that are not enabled at the end, and never will be, stay so.
    fn deadlock(&mut self, end: i64, stage: &mut Stage) -> Result<(), Stop> {
        let plan = self.walker.plan;
        let ready: Vec<InstanceId> = self
            .walker
            .state
            .internal
            .iter()
            .chain(self.walker.state.ready.iter().flat_map(|e| &e.senders))
            .copied()
            .filter(|&e| !plan.edge(e).own.is_plain)
            .collect();
        for edge in ready {
            self.list_guards(&[edge])?;
            let state = &self.walker.state;
            let missed = |a: &&Atom| is_missed(a, plan, state, end);
            if let Some(atom) = self.atoms.iter().find(missed) {
                let opposite = atom.opposite(plan, state, end);
                stage.at_exit.extend(opposite.constraints(plan, state, end));
            }
        }
        Ok(())
    }

    fn list_guards(&mut self, edges: &[InstanceId]) -> Result<(), Stop> {
        self.atoms.clear();
        let plan = self.walker.plan;
        for &edge in edges {
            let guard = &plan.edge(edge).guard;
            self.walker.state.atoms(plan, guard, &mut self.atoms)?;
        }
        Ok(())
    }

    fn require_all(&self, at: i64, list: &mut Vec<Constraint>) {
        for atom in &self.atoms {
            list.extend(atom.constraints(self.walker.plan, &self.walker.state, at));
        }
    }

    fn guards(&mut self, parts: &[InstanceId], at: i64, stage: &mut Stage) -> Result<(), Stop> {
        self.list_guards(parts)?;
        self.require_all(at, &mut stage.at_exit);
        Ok(())
    }

    /// Keeps disabled what could take part in a broadcast and does not, and what has a higher priority.
    fn bystanders(&mut self, parts: &[InstanceId], at: i64, stage: &mut Stage) -> Result<(), Stop> {
        let plan = self.walker.plan;
        let initiator = parts[0];
        let channel = self.walker.state.edges[initiator.index()].channel;
        let is_broadcast = plan.is_broadcast(plan.edge(initiator), channel);
        if is_broadcast {
            let takes_part = |edge: InstanceId| parts.iter().any(|&p| !plan.are_apart(p, edge));
            let others = receivers(&self.walker, initiator);
            let others = others.filter(|&r| !plan.edge(r).own.is_plain && !takes_part(r));
            for other in others.collect::<Vec<_>>() {
                self.disabled(&[other], at, stage)?;
            }
        }
        if plan.network.has_priorities {
            let horizon = self.walker.horizon();
            list_ready(&self.walker, horizon, &[], &mut self.candidates, &mut false);
            let partner = match parts {
                [_, partner, ..] if !is_broadcast => Some(*partner),
                _ => None,
            };
            let own = self
                .candidates
                .iter()
                .find(|c| c.initiator == initiator && c.partner.get() == partner);
            let higher = own.map(|own| priority::above(&self.walker, own, &self.candidates, at));
            for other in higher.unwrap_or_default() {
                let edges: Vec<_> = iter::once(other.initiator).chain(other.partner.get()).collect();
                self.disabled(&edges, at, stage)?;
            }
        }
        Ok(())
    }

    /// Edges are not enabled together at the end of a stage, if they are not in the run.
    fn disabled(&mut self, edges: &[InstanceId], at: i64, stage: &mut Stage) -> Result<(), Stop> {
        self.list_guards(edges)?;
        let (plan, state) = (self.walker.plan, &self.walker.state);
        if let Some(atom) = self.atoms.iter().find(|a| !a.holds(plan, state, at)) {
            let opposite = atom.opposite(plan, state, at);
            stage.at_exit.extend(opposite.constraints(plan, state, at));
        }
        Ok(())
    }

    /// Resets of the transition that was just taken, when it copied no clocks.
    fn resets(&self) -> Vec<(u32, Reset)> {
        let clocks = &self.walker.state.clocks;
        let unit = self.walker.plan.unit;
        let log = &clocks.log;
        let mut resets = Vec::new();
        for (i, &(clock, before)) in log.iter().enumerate() {
            let next = log[i + 1..].iter().find(|(c, _)| *c == clock);
            let after = next.map_or(clocks.values[clock.index()], |&(_, value)| value);
            // The log has clocks that stop or start, too: only those change how they run.
            if after.runs == before.runs {
                resets.push((clock.0, Reset::To(after.at(clocks.now) / unit)));
            }
        }
        resets
    }

    /// Resets of a transition that may copy clocks, before it is taken: its updates run once more, beside the state.
    /// `None` when it copies none.
    fn copies(&mut self, parts: &[InstanceId], selects: &[i32]) -> Result<Option<Vec<(u32, Reset)>>, Stop> {
        let plan = self.walker.plan;
        let network = plan.network;
        let routines = [network.before_update, network.after_update];
        let mut sources = parts
            .iter()
            .map(|&p| network.instance(p).clock_sources)
            .chain(routines.iter().flatten().map(|r| r.clock_sources));
        if sources.all(|set| network.sets.get(set).is_empty()) {
            return Ok(None);
        }
        let mut resets = Resets::default();
        let mut copy = Unprojected {
            network,
            memory: &mut self.walker.state.memory.clone(),
            clocks: &mut resets,
            work: LoopWork::default(),
        };
        plan.update(parts, selects, &mut copy)?;
        Ok(Some(resets.0))
    }
}

/// Whether a bound does not hold, and time does not help.
fn is_missed(atom: &Atom, plan: &WalkPlan<'_>, state: &State, at: i64) -> bool {
    let is_over = !atom.is_lower() || atom.excess(plan, state, at) > 0;
    !atom.holds(plan, state, at) && (is_over || !atom.rises(state))
}

/// Clocks that only note what is done to them.
#[derive(Default)]
struct Resets(Vec<(u32, Reset)>);

impl Clocks for Resets {
    fn set(&mut self, clock: ClockId, value: i32) {
        self.0.push((clock.0, Reset::To(value.into())));
    }

    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool {
        let from = from.0;
        self.0.push((to.0, Reset::Copy { from, plus }));
        true
    }
}
