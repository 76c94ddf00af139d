//! Doing again what a run did, process by process, from another state.
//!
//! A process that follows a list of steps loses its way as soon as one of them has become impossible: in a scheduler a task that
//! ends a little later changes who runs next, and from then on nothing fits any more. Here every process goes through its own
//! moves in the order of the run and waits for as long as it did, measured from the beginning of its window or by its end,
//! and the one that is to move first does. What the processes do to each other comes out anew.

use crate::Stop;
use crate::enabled::candidate::Candidate;
use crate::plan::{EdgeInstance, WalkPlan};
use crate::shrink::follow::{Follower, PlannedStep, Timing};
use crate::state::State;
use crate::time::{FOREVER, Window};
use crate::walker::Walker;
use std::collections::BTreeMap;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;

/// When a process moved in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WithinWindow {
    /// Number of ticks after it could.
    After(i64),
    /// As late as it could.
    Last,
}

/// A move of a process in the run.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    step: usize,
    when: WithinWindow,
}

/// The kinds of moves: by edge instance, the number of its kind. Edges of a process between the same locations are of one
/// kind, because who gives a signal and who only hears it is a matter of chance where several could give it.
pub(crate) struct Kinds {
    of_edge: Vec<usize>,
    count: usize,
}

impl Kinds {
    pub(crate) fn of(plan: &WalkPlan<'_>) -> Kinds {
        let mut numbers = BTreeMap::new();
        let mut number = |e: &EdgeInstance| {
            let next = numbers.len();
            *numbers.entry((e.process, e.source, e.target)).or_insert(next)
        };
        let of_edge = plan.edges.iter().map(&mut number).collect();
        Kinds {
            of_edge,
            count: numbers.len(),
        }
    }

    /// By kind: the steps of a run that make such a move.
    pub(crate) fn steps(&self, run: &[PlannedStep]) -> Vec<Vec<usize>> {
        let mut steps = vec![Vec::new(); self.count];
        for (step, wish) in run.iter().enumerate() {
            for &part in &wish.parts {
                steps[self.of_edge[part.index()]].push(step);
            }
        }
        steps
    }
}

/// A run as the moves of its processes.
pub(crate) struct Script<'k> {
    steps: Vec<PlannedStep>,
    kinds: &'k Kinds,
    /// By kind, in the order of the steps.
    occurrences: Vec<Vec<Occurrence>>,
}

impl<'k> Script<'k> {
    /// Walks along a run. `None` when that does not reach the goal.
    pub(crate) fn of(
        follower: &mut Follower<'_, '_>,
        steps: &[PlannedStep],
        kinds: &'k Kinds,
    ) -> Option<Script<'k>> {
        let plan = follower.walker.plan;
        let mut occurrences = vec![Vec::new(); kinds.count];
        let mut since = vec![0; plan.network.processes.len()];
        let mut note = |walker: &Walker<'_>, step: usize| {
            let Some(wish) = steps.get(step) else { return };
            let now = walker.state.clocks.now;
            for &part in &wish.parts {
                let process = plan.edge(part).process.index();
                let when = within_window(
                    own_window(&walker.state, part, plan, since[process]),
                    now + wish.delay,
                );
                occurrences[kinds.of_edge[part.index()]].push(Occurrence { step, when });
            }
            for &part in &wish.parts {
                since[plan.edge(part).process.index()] = now + wish.delay;
            }
        };
        follower.walker.restart();
        note(&follower.walker, 0);
        follower.follow(steps.iter(), Timing::AsPlanned, |walker, number| {
            note(walker, number + 1);
        })?;
        Some(Script {
            steps: steps.to_vec(),
            kinds,
            occurrences,
        })
    }

    /// The first occurrence of an edge's move from a step on. After the last one there is still an example of how it was done.
    fn next(&self, edge: InstanceId, from: usize) -> Option<(usize, Occurrence)> {
        let all = &self.occurrences[self.kinds.of_edge[edge.index()]];
        let next = all.partition_point(|o| o.step < from);
        match all.get(next) {
            Some(&occurrence) => Some((occurrence.step, occurrence)),
            None => all.last().map(|&occurrence| (usize::MAX, occurrence)),
        }
    }
}

/// The window of an edge as its process sees it, without the deadlines of others. It begins when the process entered its
/// location at the earliest.
fn own_window(state: &State, edge: InstanceId, plan: &WalkPlan<'_>, since: i64) -> Window {
    let process = plan.edge(edge).process;
    state.edges[edge.index()].window.and(Window {
        lo: since,
        hi: state.deadlines.get(process.index()),
    })
}

fn within_window(window: Window, at: i64) -> WithinWindow {
    let lo = window.lo + (window.lo & 1);
    if at <= lo {
        WithinWindow::After(0)
    } else if window.hi != FOREVER && at >= window.hi & !1 {
        WithinWindow::Last
    } else {
        WithinWindow::After(at - lo)
    }
}

/// Next step that a process would like to take.
struct NextStep {
    /// Its process would rather do something else.
    is_second: bool,
    at: i64,
    /// Where in the script.
    step: usize,
    /// The script has the same move by another edge.
    is_other_edge: bool,
    example: usize,
    candidate: Candidate,
}

/// Variations change every n-th place, in turns. Of 19 runs of Herschel-Planck (f = 68 to 75) one in 25 brings 14 down to
/// one period, one in 12 or six about as many, one in a hundred 11.
const VARIED: [u64; 2] = [12, 24];

/// Candidates that cost as much as a step.
const CANDIDATES_PER_STEP: usize = 16;

/// Walks by a script.
#[derive(Default)]
pub(crate) struct Imitator {
    candidates: Vec<Candidate>,
    aims: Vec<NextStep>,
    /// The number of the variation; 0 is the script itself.
    variation: u64,
    /// By process: up to which step of the script it is through, and when it last moved.
    through: Vec<usize>,
    since: Vec<i64>,
}

impl Imitator {
    /// Follows the first `start` steps of a script, then goes on as it does from `end` on, for at most `limit` steps
    /// together; a `variation` other than 0 moves at the other end of some windows, the same ones each time. The instant at which the goal holds; the steps are in the walker's record.
    pub(crate) fn imitate(
        &mut self,
        follower: &mut Follower<'_, '_>,
        script: &Script<'_>,
        (start, end): (usize, usize),
        variation: u64,
        limit: usize,
    ) -> Option<i64> {
        self.variation = variation;
        // No attempt is free, not even one that ends before it begins.
        follower.steps += 1;
        let processes = follower.walker.plan.network.processes.len();
        self.since.clear();
        self.since.resize(processes, 0);
        self.through.clear();
        self.through.resize(processes, end);
        if let Some(at) = follower.follow(script.steps[..start].iter(), Timing::AsPlanned, |_, _| {}) {
            return Some(at);
        }
        for index in 0..follower.walker.record.steps.len() {
            self.note_since(&follower.walker, index);
        }
        while follower.walker.record.steps.len() < limit {
            if !self.step(follower, script).ok()? {
                break;
            }
            let horizon = follower.walker.horizon();
            if let Some(at) = follower.check(horizon, None)? {
                return Some(at);
            }
        }
        None
    }

    /// Makes a step; false when there is none.
    fn step(&mut self, follower: &mut Follower<'_, '_>, script: &Script<'_>) -> Result<bool, Stop> {
        let horizon = follower.walker.horizon();
        follower.list(horizon, &mut self.candidates)?;
        follower.steps += (self.candidates.len() / CANDIDATES_PER_STEP) as u64;
        self.aim(&follower.walker, script);
        for aim in &self.aims {
            let wish = wish(follower, script, aim);
            if follower.take(&wish, aim.at, Timing::AsPlanned, horizon)? {
                follower.steps += 1;
                let index = follower.walker.record.steps.len() - 1;
                self.note(&follower.walker, script, index);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Collects the next steps that the processes would like to take, the first one first.
    fn aim(&mut self, walker: &Walker<'_>, script: &Script<'_>) {
        let (plan, state) = (walker.plan, &walker.state);
        let process = |edge: InstanceId| plan.edge(edge).process;
        self.aims.clear();
        for &candidate in &self.candidates {
            let edge = candidate.initiator;
            let mover = process(edge).index();
            let window = own_window(state, edge, plan, self.since[mover]);
            // A window without an end has no last instant.
            let first = window.lo + (window.lo & 1);
            let end = if window.hi == FOREVER { first } else { window.hi };
            let (at, step, is_other_edge, example) = match script.next(edge, self.through[mover]) {
                Some((step, occurrence)) => {
                    let when = self.when(mover, occurrence);
                    let at = match when {
                        WithinWindow::After(ticks) => first.saturating_add(ticks).min(window.hi),
                        WithinWindow::Last => end,
                    };
                    let parts = &script.steps[occurrence.step].parts;
                    (at, step, parts[0] != edge, occurrence.step)
                }
                // Never seen: only when nothing else is left.
                None => (end, usize::MAX, true, usize::MAX),
            };
            self.aims.push(NextStep {
                is_second: false,
                at,
                step,
                is_other_edge,
                example,
                candidate,
            });
        }
        // Of every process what comes first in the script; then the process that is to move first.
        self.aims
            .sort_by_key(|a| (process(a.candidate.initiator), a.step, a.is_other_edge, a.at));
        for index in 1..self.aims.len() {
            self.aims[index].is_second = process(self.aims[index].candidate.initiator)
                == process(self.aims[index - 1].candidate.initiator);
        }
        self.aims
            .sort_by_key(|a| (a.is_second, a.at.max(state.clocks.now), a.step));
    }

    /// When a process is to move: as it did, or in a variation perhaps at the other end of its window.
    fn when(&self, process: usize, occurrence: Occurrence) -> WithinWindow {
        if self.variation == 0 {
            return occurrence.when;
        }
        // Asked again and again until the process moves, and always the same answer.
        let choice = ((process as u64) << 32) ^ occurrence.step as u64;
        let is_changed =
            Random::for_walk(self.variation, choice).below(VARIED[(self.variation % 2) as usize]) == 0;
        match occurrence.when {
            when if !is_changed => when,
            WithinWindow::Last => WithinWindow::After(0),
            WithinWindow::After(_) => WithinWindow::Last,
        }
    }

    /// Every process that took part in a step is through with that move.
    fn note(&mut self, walker: &Walker<'_>, script: &Script<'_>, index: usize) {
        let (parts, _) = walker.record.step(index);
        for &part in parts {
            let process = walker.plan.edge(part).process.index();
            if let Some((step, _)) = script.next(part, self.through[process])
                && step != usize::MAX
            {
                self.through[process] = step + 1;
            }
        }
        self.note_since(walker, index);
    }

    fn note_since(&mut self, walker: &Walker<'_>, index: usize) {
        let (parts, _) = walker.record.step(index);
        for &part in parts {
            let process = walker.plan.edge(part).process.index();
            self.since[process] = walker.record.steps[index].at;
        }
    }
}

/// An aim as a step: the receivers of a broadcast as in the script, as far as they are ready.
fn wish(follower: &Follower<'_, '_>, script: &Script<'_>, aim: &NextStep) -> PlannedStep {
    let candidate = aim.candidate;
    let example = script.steps.get(aim.example);
    let mut parts = vec![candidate.initiator];
    if let Some(partner) = candidate.partner.get() {
        parts.push(partner);
    } else if let Some(example) = example.filter(|e| e.parts[0] == candidate.initiator) {
        let channel = |edge: InstanceId| follower.walker.state.edges[edge.index()].channel;
        let receivers = example.parts[1..].iter().copied();
        parts.extend(
            receivers.filter(|&r| follower.is_ready(r) && channel(r) == channel(candidate.initiator)),
        );
    }
    let selects = match example {
        Some(example) if example.parts == parts => example.selects.clone(),
        _ => follower.smallest_selects(&parts),
    };
    PlannedStep {
        delay: 0,
        parts,
        selects,
    }
}
