//! COM: commitment. A process that has entered a location draws what it will do there and when, and keeps to it. The process whose
//! instant comes first acts.
//!
//! RET draws a new transition in every step, so a job whose execution time is drawn each time that another process acts has hardly
//! ever its shortest or its longest one. Here each job has drawn its own when it begins, however often it is interrupted. What
//! a process waits for is an edge that it can begin (internal or sending); what it receives is up to others.
//!
//! Each process has a [habit](HABITS) for all of a walk: schedules go wrong where some tasks hurry and others take their time.

use crate::Stop;
use crate::enabled::candidate::Candidate;
use crate::heuristic::choose::Chooser;
use crate::heuristic::schedule::{Delays, Distribution, Schedule, WalkParameters, earliest};
use crate::plan::WalkPlan;
use crate::time::{FOREVER, Window};
use crate::walker::Walker;
use zonewalk_network::ids::{InstanceId, ProcessId};

/// How processes choose their instants in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DelayHabits {
    /// Most processes choose by this distribution.
    distribution: Distribution,
    /// Percentage of processes that choose the other way round, upper bounds for lower ones.
    turned: u8,
}

const fn habit(lower: u8, upper: u8, turned: u8) -> DelayHabits {
    DelayHabits {
        distribution: Distribution { lower, upper },
        turned,
    }
}

/// The habits of walks, in turn. Five of a hundred instants are not bounds, since some combinations need one or two of those.
const HABITS: [DelayHabits; 11] = [
    habit(90, 5, 20),
    habit(5, 90, 20),
    habit(48, 47, 0),
    habit(90, 5, 20),
    habit(5, 90, 20),
    habit(95, 0, 0),
    habit(0, 95, 0),
    habit(90, 5, 20),
    habit(5, 90, 20),
    habit(90, 5, 50),
    habit(90, 5, 20),
];

/// The parameters of a walk. With habits, windows without an end are entered as early as possible in every other walk.
pub(crate) fn parameters(delays: Delays, walk: u64) -> WalkParameters {
    let parameters = Schedule::Tuned.parameters(delays, walk);
    if delays != Delays::Adaptive {
        return parameters;
    }
    let habit = HABITS[(walk % HABITS.len() as u64) as usize];
    WalkParameters {
        distribution: Some(habit.distribution),
        turned: habit.turned,
        is_prompt: walk.is_multiple_of(2),
        ..parameters
    }
}

/// When a process wants to act, relative to the window of what it wants to do: while a clock stands the window moves, and the
/// process with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// As early as possible.
    Early,
    /// Number of ticks before the end of the window.
    BeforeEnd(i64),
    /// At this instant: the window has no end.
    At(i64),
}

/// Rating that a process gives to one of its edges.
#[derive(Clone, Copy, Debug)]
struct Intent {
    /// The stay in a location for which it was drawn.
    stay: u64,
    /// Rank: among the edges that it can begin, a process wants the one with the least. So it comes back to its choice after others were all
    /// that it could do.
    rank: u64,
    /// `None` if it lets the window pass.
    when: Option<When>,
    /// When the edge last began a transition, and how many it has begun at that instant.
    last: i64,
    begun: u32,
}

impl Intent {
    const NONE: Intent = Intent {
        stay: 0,
        rank: 0,
        when: None,
        last: i64::MIN,
        begun: 0,
    };
}

/// Choice of a process for this step.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    /// The step: choices of earlier ones do not count.
    step: u64,
    rank: u64,
    candidate: usize,
    /// Number of candidates of this step with the same rank: they are one edge with several partners.
    ties: u64,
    at: i64,
}

/// A process, as far as its commitments are concerned.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Counts the transitions that it took part in.
    stay: u64,
    /// Whether its distribution is turned round, once that was drawn.
    is_turned: Option<bool>,
    choice: Choice,
}

impl Member {
    const NEW: Member = Member {
        stay: 1,
        is_turned: None,
        choice: Choice {
            step: 0,
            rank: 0,
            candidate: 0,
            ties: 0,
            at: 0,
        },
    };
}

/// One in this number of windows that a process may let pass, it does let pass.
const PASSED: u64 = 8;

/// Times that an edge may be taken without a delay before it loses its right to be next. A process that can always do the same at once would
/// otherwise keep all the others from acting.
const RESTLESS: u32 = 4;

/// Commitments of all processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commitments {
    /// By process; empty unless processes commit.
    members: Vec<Member>,
    /// By edge.
    intents: Vec<Intent>,
    /// Processes that can begin something in this step.
    active: Vec<ProcessId>,
    step: u64,
    /// Steps of the walk that it knows of; `None` when a walk begins.
    known: Option<usize>,
    /// Process that was to make the next step.
    next: Option<ProcessId>,
    turned: u8,
}

impl Commitments {
    /// A walk begins: no process is committed to anything.
    pub(crate) fn begin(&mut self, turned: u8) {
        (self.known, self.next) = (None, None);
        self.turned = turned;
    }

    /// Forgets what processes that have moved were committed to, and one whose choice could not be taken.
    fn follow(&mut self, walker: &Walker<'_>) {
        let (plan, record) = (walker.plan, &walker.record);
        let Some(known) = self.known.replace(record.steps.len()) else {
            return self.forget_all(plan);
        };
        if let Some(next) = self.next.take()
            && known == record.steps.len()
        {
            self.members[next.index()].stay += 1;
        }
        for number in known..record.steps.len() {
            let parts = record.step(number).0;
            for &part in parts {
                self.members[plan.edge(part).process.index()].stay += 1;
            }
            if let Some(&first) = parts.first() {
                let taken = &mut self.intents[first.index()];
                let at = record.steps[number].at;
                taken.begun = if taken.last == at { taken.begun + 1 } else { 1 };
                taken.last = at;
            }
        }
    }

    fn forget_all(&mut self, plan: &WalkPlan<'_>) {
        self.members.clear();
        self.members.resize(plan.network.processes.len(), Member::NEW);
        self.step = 0;
        self.intents.clear();
        self.intents.resize(plan.edges.len(), Intent::NONE);
    }
}

impl Chooser {
    /// COM: lets every process that can begin something choose, and gives the choice whose instant comes first.
    // Apart, so that the loop of the other heuristics stays as small as it was.
    #[cold]
    #[inline(never)]
    pub(crate) fn committed(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
    ) -> Result<Option<(Candidate, i64)>, Stop> {
        // Where others have priority windows are known as far as time may pass.
        let reach = if walker.plan.network.has_priorities {
            horizon
        } else {
            FOREVER
        };
        self.list(walker, reach)?;
        let mut all = std::mem::take(&mut self.commitments);
        all.follow(walker);
        self.choose_each(walker, &mut all);
        let first = self.first_choice(&all, horizon);
        self.commitments = all;
        if let Some((number, at)) = first
            && !self.is_restless(walker, self.candidates[number].initiator, at)
        {
            let mut candidate = self.candidates[number];
            candidate.window.hi = candidate.window.hi.min(horizon);
            self.commitments.next = Some(walker.plan.edge(candidate.initiator).process);
            return Ok(Some((candidate, at)));
        }
        // No process wants to act before time must stop, or one has acted too often: everything that can be done has the same
        // chance, as for RET.
        self.candidates.retain_mut(|candidate| {
            candidate.window.hi = candidate.window.hi.min(horizon);
            !candidate.window.is_empty()
        });
        if self.candidates.is_empty() {
            // What can be done only between two instants of the grid counts no farther than time may pass.
            self.missed = false;
            self.list(walker, horizon)?;
            return Ok(None);
        }
        let candidate = self.any_of(walker, |_| true);
        let at = self.instant(walker, &candidate);
        Ok(Some((candidate, at)))
    }

    /// Lets every process choose among its candidates.
    fn choose_each(&mut self, walker: &Walker<'_>, all: &mut Commitments) {
        let plan = walker.plan;
        all.step += 1;
        all.active.clear();
        for number in 0..self.candidates.len() {
            let candidate = self.candidates[number];
            let limit = own_limit(walker, &candidate);
            let window = Window {
                lo: candidate.window.lo,
                hi: candidate.window.hi.min(limit),
            };
            if window.is_empty() {
                continue;
            }
            let (edge, process) = (candidate.initiator, plan.edge(candidate.initiator).process);
            let intent = &mut all.intents[edge.index()];
            let member = &mut all.members[process.index()];
            if intent.stay != member.stay {
                let is_turned = *member
                    .is_turned
                    .get_or_insert_with(|| self.random.below(100) < all.turned.into());
                *intent = Intent {
                    stay: member.stay,
                    // An edge that is several transitions has as many chances: the first of several exponential draws.
                    // Bits of positive numbers are in the order of the numbers.
                    rank: self.random.exponential(plan.edge(edge).own.ways as f64).to_bits(),
                    when: self.when(walker, window, is_turned, window.hi < limit),
                    ..*intent
                };
            }
            let Some(when) = intent.when else { continue };
            let choice = &mut member.choice;
            if choice.step != all.step {
                all.active.push(process);
            } else if choice.rank < intent.rank {
                continue;
            }
            let is_tie = choice.step == all.step && choice.rank == intent.rank;
            choice.ties = if is_tie { choice.ties + 1 } else { 1 };
            if is_tie && self.random.below(choice.ties) > 0 {
                continue;
            }
            (choice.step, choice.rank, choice.candidate) = (all.step, intent.rank, number);
            choice.at = instant(when, window, plan.unit);
        }
    }

    /// The choice with the first instant, not after the horizon; each of those with the same instant has the same chance.
    fn first_choice(&mut self, all: &Commitments, horizon: i64) -> Option<(usize, i64)> {
        let mut first: Option<(usize, i64)> = None;
        let mut ties = 0;
        for process in &all.active {
            let choice = &all.members[process.index()].choice;
            match first {
                _ if choice.at > horizon => continue,
                Some((_, at)) if choice.at > at => continue,
                Some((_, at)) if choice.at == at => ties += 1,
                _ => ties = 1,
            }
            if ties == 1 || self.random.index(ties) == 0 {
                first = Some((choice.candidate, choice.at));
            }
        }
        first
    }

    /// Whether an edge has begun many transitions at this very instant.
    fn is_restless(&self, walker: &Walker<'_>, edge: InstanceId, at: i64) -> bool {
        let intent = &self.commitments.intents[edge.index()];
        at == walker.state.clocks.now && at == intent.last && intent.begun >= RESTLESS
    }

    /// Draws when to take an edge.
    fn when(&mut self, walker: &Walker<'_>, window: Window, is_turned: bool, may_pass: bool) -> Option<When> {
        let distribution = match self.distribution {
            Some(Distribution { lower, upper }) if is_turned => Some(Distribution {
                lower: upper,
                upper: lower,
            }),
            distribution => distribution,
        };
        if may_pass && self.random.below(PASSED) == 0 {
            return None;
        }
        let at = self.instant_of(walker, window, distribution);
        Some(if at <= window.lo + (window.lo & 1) {
            When::Early
        } else if window.hi == FOREVER {
            When::At(at)
        } else {
            When::BeforeEnd(window.hi - at)
        })
    }
}

/// The instant at which a process wants to act whose window is this by now.
fn instant(when: When, window: Window, unit: i64) -> i64 {
    let first = window.lo + (window.lo & 1);
    match when {
        When::Early => earliest(window, unit),
        When::BeforeEnd(ticks) if window.hi < FOREVER => ((window.hi - ticks) & !1).max(first),
        When::BeforeEnd(_) => first,
        When::At(at) => at.clamp(first, (window.hi & !1).max(first)),
    }
}

/// How long those who take part in a candidate may wait: what others do is up to them.
fn own_limit(walker: &Walker<'_>, candidate: &Candidate) -> i64 {
    let (plan, state) = (walker.plan, &walker.state);
    let mut limit = FOREVER;
    for part in std::iter::once(candidate.initiator).chain(candidate.partner.get()) {
        let process = plan.edge(part).process;
        let place = plan.location(process, state.location(process));
        if place.urgent || place.committed {
            limit = limit.min(state.clocks.now);
        }
        limit = limit.min(state.deadlines.get(process.index()));
    }
    limit
}
