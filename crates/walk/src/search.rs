//! Walks that look for a goal, on several threads.

use crate::choose::{Chooser, Heuristic, Step};
use crate::coverage::Coverage;
use crate::effort;
use crate::explore::{End, Options};
use crate::fault::{Attempt, Fault};
use crate::goal::{Goal, Watch};
use crate::guided::Closest;
use crate::plan::Plan;
use crate::random::Random;
use crate::refresh::Stop;
use crate::schedule::{ENOUGH, FIRST_LONG, SOON, Schedule};
use crate::smc::{Turn, last_instant};
use crate::state::{FOREVER, State, Window};
use crate::trace::Trace;
use crate::walker::{Record, Walker};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// When to give up.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// At this moment.
    pub deadline: Option<Instant>,
    /// Before the walk with this number, the first one being 0.
    pub max_walks: Option<u64>,
    /// The number of the first walk: where an earlier search left off.
    pub first_walk: u64,
    /// The last instant of every walk, in ticks of the plan: a goal that is reached later does not count.
    pub last_instant: Option<i64>,
    /// Hears again and again what the walks of a thread have cost since it heard of them last, in steps of a small model. They
    /// go on when it returns: whoever shares a processor with them may keep them waiting.
    pub spend: Option<&'a (dyn Fn(u64) + Sync)>,
}

/// What other threads may see and say while walks are on their way.
#[derive(Debug, Default)]
pub struct Control {
    /// Set it to stop the walks.
    pub interrupted: AtomicBool,
    /// Set to end the search because the answer is known.
    pub cancelled: AtomicBool,
    /// Walks so far.
    pub walks: AtomicU64,
    /// Steps so far.
    pub steps: AtomicU64,
}

impl Control {
    fn is_ending(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.cancelled.load(Ordering::Relaxed)
    }
}

/// How the walks ended that did not find the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// They reached their depth or the time bound.
    pub depth: u64,
    /// No transition is or will be enabled, and time can pass for ever.
    pub dead_ends: u64,
    /// No transition is or will be enabled, and time cannot pass for ever.
    pub time_locks: u64,
    /// No transition was enabled on the grid of times.
    pub off_grid: u64,
    /// They reached their depth without time passing in their second half.
    pub zeno: u64,
    /// They reached the time bound; they are among those of `depth`.
    pub late: u64,
    /// The most steps after which a walk was cut by its depth though time passed in it.
    pub cut_steps: u64,
    /// The most steps of a walk that led nowhere: to a dead end, a time-lock, off the grid, or through a zeno stretch.
    pub stuck_steps: u64,
}

impl Ends {
    /// Counts other walks too.
    pub fn add(&mut self, other: &Ends) {
        self.depth += other.depth;
        self.dead_ends += other.dead_ends;
        self.time_locks += other.time_locks;
        self.off_grid += other.off_grid;
        self.zeno += other.zeno;
        self.late += other.late;
        self.cut_steps = self.cut_steps.max(other.cut_steps);
        self.stuck_steps = self.stuck_steps.max(other.stuck_steps);
    }

    /// Counts a walk that ended by itself or by a bound; errors of the model are no such end.
    fn count(&mut self, end: End, record: &Record) {
        let steps = record.steps.len() as u64;
        let mut is_stuck = true;
        match end {
            End::Depth => {
                self.depth += 1;
                is_stuck = is_zeno(record);
                self.zeno += u64::from(is_stuck);
            }
            End::TimeBound => {
                self.depth += 1;
                self.late += 1;
                return;
            }
            End::DeadEnd => self.dead_ends += 1,
            End::TimeLock => self.time_locks += 1,
            End::OffGrid => self.off_grid += 1,
            End::Error(_) => return,
        }
        let longest = if is_stuck {
            &mut self.stuck_steps
        } else {
            &mut self.cut_steps
        };
        *longest = steps.max(*longest);
    }
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// The result.
    pub outcome: Outcome,
    /// Walks that were begun.
    pub walks: u64,
    /// Transitions that were taken.
    pub steps: u64,
    /// Steps of the longest walk.
    pub max_depth: u64,
    /// How walks ended.
    pub ends: Ends,
    /// What all of it has cost, in steps of a small model.
    pub effort: u64,
    /// How close guided walks have come to the goal; `None` for others, and where nothing can be measured.
    pub closest: Option<Closest>,
    /// The first run-time error of the model or the goal that walks met, by the number of the walk. They have gone on without
    /// what failed. Walks behind the one that found the goal do not count.
    pub fault: Option<Box<Failed>>,
}

/// A run-time error, and the walk that leads there.
#[derive(Clone, Debug)]
pub struct Failed {
    /// What is wrong.
    pub stop: Stop,
    /// The walk, up to the moment at which it fails.
    pub found: Found,
    /// What was tried then.
    pub attempt: Attempt,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The goal was reached by this walk.
    Found(Box<Found>),
    /// A run-time error that leaves no initial state.
    Error(Stop, Box<Found>),
    /// A limit was reached.
    LimitReached,
    /// Somebody interrupted it.
    Interrupted,
    /// There is no initial state (`semantics.md` 6a).
    NoInitialState,
}

/// A walk that found something.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its number.
    pub walk: u64,
    /// The run, as it was found.
    pub trace: Trace,
    pub(crate) record: Record,
}

impl Found {
    fn new(plan: &Plan<'_>, walk: u64, record: &Record, end: i64) -> Self {
        Found {
            walk,
            trace: Trace::from_record(plan, record, record.steps.len(), end),
            record: record.clone(),
        }
    }
}

/// Looks for a goal. Walk number `i` runs on thread `i mod threads`; of the walks that find it the one with the smallest
/// number wins, so that the answer depends on seed and number of threads alone.
pub fn search(
    plan: &Plan<'_>,
    goal: &Goal,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> Report {
    run(plan, Some(goal), options, threads, limits, control).0
}

/// The same, with a mark for each edge instance that a walk took: whoever shares time among heuristics wants to know which of
/// them gets somewhere. As long as nothing is found the marks depend on nothing else than the answer does.
pub fn search_marking(
    plan: &Plan<'_>,
    goal: &Goal,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> (Report, Vec<bool>) {
    run(plan, Some(goal), options, threads, limits, control)
}

/// The same on one thread, beginning with what earlier walks have counted, which is then counted on: RLC-A never forgets by
/// [`Schedule::Paper`], however many searches its walks are made in.
pub fn search_counting(
    plan: &Plan<'_>,
    goal: &Goal,
    options: &Options,
    limits: &Limits,
    control: &Control,
    coverage: &mut Coverage,
) -> (Report, Vec<bool>) {
    let best = AtomicU64::new(u64::MAX);
    let counted = std::mem::replace(coverage, Coverage::none());
    let seeker = Seeker::new(plan, Some(goal), options, limits, control, &best);
    let (share, counted) = seeker.run(0, 1, counted);
    *coverage = counted;
    gather(plan, vec![share], control)
}

/// The walks of a search, or walks without a goal, with the edge instances that were taken.
pub(crate) fn run(
    plan: &Plan<'_>,
    goal: Option<&Goal>,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> (Report, Vec<bool>) {
    let threads = if options.is_sequential() {
        1
    } else {
        threads.max(1)
    };
    // The smallest number of a walk that has something to show; walks beyond it need not be made.
    let best = AtomicU64::new(u64::MAX);
    let run = |thread: usize| {
        let seeker = Seeker::new(plan, goal, options, limits, control, &best);
        match options.heuristic {
            Heuristic::Guided => seeker.run_guided(thread, threads),
            _ => seeker.run(thread, threads, Coverage::new(plan)).0,
        }
    };
    let results = if threads == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|t| scope.spawn(move || run(t))).collect();
            handles
                .into_iter()
                .map(|h| h.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
                .collect()
        })
    };
    gather(plan, results, control)
}

/// What all threads have to show.
fn gather(plan: &Plan<'_>, mut results: Vec<Share>, control: &Control) -> (Report, Vec<bool>) {
    let mut report = Report {
        outcome: Outcome::LimitReached,
        walks: results.iter().map(|r| r.walks).sum(),
        steps: results.iter().map(|r| r.steps).sum(),
        max_depth: results.iter().map(|r| r.max_depth).max().unwrap_or(0),
        ends: Ends::default(),
        effort: results.iter().map(|r| r.effort).sum(),
        closest: None,
        fault: None,
    };
    for r in &results {
        report.ends.add(&r.ends);
        if let Some(closest) = &r.closest {
            report.closest.get_or_insert_default().join(closest);
        }
    }
    let last = results.iter().map(|r| r.number).min().unwrap_or(u64::MAX);
    let faults = results.iter_mut().filter_map(|r| r.fault.take());
    report.fault = faults
        .filter(|failed| failed.found.walk <= last)
        .min_by_key(|failed| failed.found.walk);
    let mut taken = vec![false; plan.edges.len()];
    for r in &results {
        for (all, own) in taken.iter_mut().zip(&r.taken) {
            *all |= own;
        }
    }
    results.sort_by_key(|r| r.number);
    if let Some(outcome) = results.into_iter().find_map(|r| r.outcome) {
        report.outcome = outcome;
    }
    if matches!(report.outcome, Outcome::LimitReached) && control.is_ending() {
        report.outcome = Outcome::Interrupted;
    }
    (report, taken)
}

/// Steps between two looks at what else there is: the clock, somebody's answer, who else wants the processor.
const PATIENCE: u32 = 1 << 9;

/// One thread's part of a search.
pub(crate) struct Seeker<'a> {
    pub(crate) plan: &'a Plan<'a>,
    /// `None` where only the marks are wanted.
    pub(crate) goal: Option<&'a Goal>,
    pub(crate) options: &'a Options,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) control: &'a Control,
    pub(crate) best: &'a AtomicU64,
    /// What walks have cost that are over, but for the code that they ran.
    walked: Cell<u64>,
    /// What [`Limits::spend`] has heard of.
    told: Cell<u64>,
    /// Steps of the record that were there when the walk began.
    inherited: Cell<usize>,
}

/// What one thread has to show.
pub(crate) struct Share {
    /// The number of the walk that decided.
    number: u64,
    outcome: Option<Outcome>,
    pub(crate) walks: u64,
    steps: u64,
    max_depth: u64,
    ends: Ends,
    pub(crate) effort: u64,
    pub(crate) closest: Option<Closest>,
    fault: Option<Box<Failed>>,
    /// By edge instance.
    taken: Vec<bool>,
}

impl Share {
    /// Nothing yet.
    pub(crate) fn new(plan: &Plan<'_>) -> Share {
        Share {
            number: u64::MAX,
            outcome: None,
            walks: 0,
            steps: 0,
            max_depth: 0,
            ends: Ends::default(),
            effort: 0,
            closest: None,
            fault: None,
            taken: vec![false; plan.edges.len()],
        }
    }
}

/// Somebody who sees every step of a walk, and may end it.
pub(crate) trait Observer {
    /// A step was made.
    fn see_step(&mut self, _walker: &mut Walker<'_>) {}

    /// Whether the walk is to make no further step.
    fn is_over(&self) -> bool {
        false
    }
}

/// Nobody.
impl Observer for () {}

impl<'a> Seeker<'a> {
    fn new(
        plan: &'a Plan<'a>,
        goal: Option<&'a Goal>,
        options: &'a Options,
        limits: &'a Limits<'a>,
        control: &'a Control,
        best: &'a AtomicU64,
    ) -> Self {
        Seeker {
            plan,
            goal,
            options,
            limits,
            control,
            best,
            walked: Cell::new(0),
            told: Cell::new(0),
            inherited: Cell::new(0),
        }
    }

    /// What the walks of this thread have cost so far.
    pub(crate) fn effort(&self, walker: &Walker<'_>) -> u64 {
        self.walked.get() + self.steps(walker) + walker.extra_effort()
    }

    /// The steps of a walk.
    fn steps(&self, walker: &Walker<'_>) -> u64 {
        (walker.record.steps.len() - self.inherited.get()) as u64
    }

    /// A walk begins with the steps that are in the record.
    pub(crate) fn go_on_from(&self, walker: &Walker<'_>) {
        self.inherited.set(walker.record.steps.len());
    }

    /// A walk is over.
    fn finish(&self, walker: &mut Walker<'_>) {
        let steps = self.steps(walker);
        self.walked
            .set(self.walked.get() + steps + effort::of_restart(self.plan));
        walker.record.clear();
        self.inherited.set(0);
    }

    pub(crate) fn spend(&self, walker: &Walker<'_>) {
        if let Some(spend) = self.limits.spend {
            let effort = self.effort(walker);
            spend(effort - self.told.replace(effort));
        }
    }

    /// In the initial state. `None` when there is none: that decides the search.
    pub(crate) fn begin(&self, result: &mut Share) -> Option<Walker<'_>> {
        let outcome = match Walker::new(self.plan) {
            Ok(Some(walker)) => return Some(walker),
            Ok(None) => Outcome::NoInitialState,
            Err(stop) => {
                let found = Found::new(self.plan, 0, &Record::default(), 0);
                Outcome::Error(stop, Box::new(found))
            }
        };
        result.number = 0;
        result.outcome = Some(outcome);
        None
    }

    /// Makes the walks of a thread. What it has counted is returned, too.
    fn run(&self, thread: usize, threads: usize, counted: Coverage) -> (Share, Coverage) {
        let mut result = Share::new(self.plan);
        let Some(mut walker) = self.begin(&mut result) else {
            return (result, counted);
        };
        let mut chooser = Chooser::new(self.options.heuristic, counted);
        chooser.reach_for(self.goal.map_or(0, |goal| goal.reach));
        let mut watch = self.goal.map(Watch::new);
        // Walk number `i` runs on thread `i mod threads`, wherever the numbers begin.
        let (first, threads) = (self.limits.first_walk, threads as u64);
        let mut number = first + (thread as u64 + threads - first % threads) % threads;
        let mut ends_soon = None;
        while number < self.best.load(Ordering::Relaxed) && self.limits.max_walks.is_none_or(|m| number < m) {
            if self.is_over() {
                break;
            }
            result.walks += 1;
            self.control.walks.fetch_add(1, Ordering::Relaxed);
            let mut depth = self.options.schedule.depth(number, self.options.max_steps);
            let is_free = self.options.schedule == Schedule::Tuned && self.options.max_steps.is_none();
            if is_free && number >= FIRST_LONG.end {
                let ends_soon = ends_soon.get_or_insert_with(|| self.ends_soon(&mut walker, watch.as_mut()));
                depth = depth.max(if *ends_soon { ENOUGH } else { 0 });
            }
            walker.restart();
            let random = Random::for_walk(self.options.seed, number);
            chooser.begin(random, self.options.manner(number));
            let walked = self.walk(
                &mut walker,
                &mut chooser,
                watch.as_mut(),
                (number, depth),
                &mut (),
            );
            self.spend(&walker);
            self.count_steps(&walker, &mut result);
            if self.conclude(&walked, number, &mut walker, &mut result) {
                break;
            }
            number += threads;
        }
        result.effort = self.effort(&walker);
        (result, chooser.into_coverage())
    }

    /// Counts the steps of a walk, and gives their number.
    pub(crate) fn count_steps(&self, walker: &Walker<'_>, result: &mut Share) -> u64 {
        let (steps, inherited) = (self.steps(walker), self.inherited.get());
        let first = walker.record.steps.get(inherited);
        let first = first.map_or(walker.record.parts.len(), |step| step.parts as usize);
        for &part in &walker.record.parts[first..] {
            result.taken[part.index()] = true;
        }
        result.steps += steps;
        result.max_depth = result.max_depth.max(walker.record.steps.len() as u64);
        self.control.steps.fetch_add(steps, Ordering::Relaxed);
        steps
    }

    /// A walk has ended. Whether the search has, too.
    pub(crate) fn conclude(
        &self,
        walked: &Walked,
        number: u64,
        walker: &mut Walker<'_>,
        result: &mut Share,
    ) -> bool {
        if walker.fault.is_some() && result.fault.is_none() {
            result.fault = self.failed(walker, number);
        }
        match *walked {
            Walked::Found(at) => {
                self.best.fetch_min(number, Ordering::Relaxed);
                let found = Found::new(self.plan, number, &walker.record, at);
                result.number = number;
                result.outcome = Some(Outcome::Found(Box::new(found)));
                return true;
            }
            Walked::Ended(end) => result.ends.count(end, &walker.record),
            Walked::Cut => return true,
        }
        self.finish(walker);
        false
    }

    /// Whether the first long walks end by themselves and soon. Every thread makes them for itself: what a walk does must not
    /// depend on how many threads there are.
    fn ends_soon(&self, walker: &mut Walker<'_>, watch: Option<&mut Watch<'_>>) -> bool {
        let mut chooser = Chooser::new(self.options.heuristic, Coverage::new(self.plan));
        chooser.reach_for(self.goal.map_or(0, |goal| goal.reach));
        let known = walker.fault.take();
        let ends_soon = self.all_end_soon(walker, &mut chooser, watch);
        // Whoever has these walks as its own tells of their errors.
        walker.fault = known;
        ends_soon
    }

    fn all_end_soon(
        &self,
        walker: &mut Walker<'_>,
        chooser: &mut Chooser,
        mut watch: Option<&mut Watch<'_>>,
    ) -> bool {
        for number in FIRST_LONG {
            walker.restart();
            let random = Random::for_walk(self.options.seed, number);
            chooser.begin(random, self.options.manner(number));
            self.walk(walker, chooser, watch.as_deref_mut(), (number, ENOUGH), &mut ());
            let steps = walker.record.steps.len() as u64;
            self.finish(walker);
            if steps > SOON {
                return false;
            }
        }
        true
    }

    /// The error that a walk has met.
    fn failed(&self, walker: &mut Walker<'_>, number: u64) -> Option<Box<Failed>> {
        let Fault {
            stop,
            record,
            at,
            attempt,
        } = *walker.fault.take()?;
        let found = Found::new(self.plan, number, &record, at);
        Some(Box::new(Failed { stop, found, attempt }))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.is_ending()
            || self
                .limits
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes a walk, by its number, of so many steps at most.
    pub(crate) fn walk(
        &self,
        walker: &mut Walker<'_>,
        chooser: &mut Chooser,
        mut watch: Option<&mut Watch<'_>>,
        (number, depth): (u64, u32),
        observer: &mut impl Observer,
    ) -> Walked {
        let is_race = self.options.heuristic == Heuristic::Smc;
        // A race says itself how much time passes, and a walk of the paper looks no further than it goes.
        let is_tuned = self.options.schedule == Schedule::Tuned;
        let is_looking_ahead = !is_race && is_tuned;
        let limit = self.limits.last_instant.unwrap_or(FOREVER);
        let bound = last_instant(self.options.time_bound, self.plan.unit);
        if let Some(watch) = &mut watch {
            watch.begin();
        }
        for step in 0..=depth {
            if step % PATIENCE == PATIENCE - 1 {
                self.spend(walker);
                if self.is_over() || self.best.load(Ordering::Relaxed) < number {
                    return Walked::Cut;
                }
            }
            let last = match &mut watch {
                Some(watch) if is_tuned => limit.min(watch.last_instant(&walker.state)),
                _ => limit,
            };
            if last < walker.state.clocks.now {
                return Walked::Ended(End::TimeBound);
            }
            let bound = bound.min(last);
            let deadline = walker.horizon();
            let horizon = deadline.min(last);
            chooser.set_open(if deadline == FOREVER { last } else { FOREVER });
            // Whoever looks no further sees the goal while time passes; a race after its last step, too.
            if (!is_race || step == depth)
                && let Some(watch) = &mut watch
            {
                let until = if is_looking_ahead {
                    horizon
                } else {
                    walker.state.clocks.now
                };
                match watch.check(self.plan, &mut walker.state, until, false) {
                    Ok(Some(at)) => return Walked::Found(at),
                    Ok(None) => {}
                    // Whether the goal holds here is not known; elsewhere it may be.
                    Err(stop) => {
                        let (now, steps) = (walker.state.clocks.now, walker.record.steps.len());
                        walker.note_goal(stop, now, steps);
                    }
                }
                // To wait too long is a way into a dead end, too.
                if is_looking_ahead
                    && self.goal.is_some_and(Goal::mentions_deadlock)
                    && let Some(silence) = chooser.silence(walker, deadline)
                    && let span = silence.and(Window { lo: 0, hi: last })
                    && let Ok(Some(at)) = watch.check_silence(self.plan, &mut walker.state, span)
                {
                    return Walked::Found(at);
                }
            }
            if step == depth || observer.is_over() {
                break;
            }
            let turn = if is_looking_ahead {
                chooser.step(walker, horizon).map(Turn::from)
            } else {
                let (mut failed, steps) = (None, walker.record.steps.len());
                let mut meets = |state: &mut State, until: i64| {
                    let met = watch
                        .as_mut()
                        .map(|watch| watch.check(self.plan, state, until, false));
                    met.unwrap_or(Ok(None)).unwrap_or_else(|stop| {
                        failed.get_or_insert((stop, state.clocks.now));
                        None
                    })
                };
                let turn = if is_race {
                    chooser.stochastic_step(walker, bound, &mut meets)
                } else {
                    chooser.step_meeting(walker, horizon, &mut meets).map(Turn::from)
                };
                if let Some((stop, at)) = failed {
                    walker.note_goal(stop, at, steps);
                }
                turn
            };
            match turn {
                Ok(Turn::Taken) => observer.see_step(walker),
                Ok(Turn::Met(at)) => return Walked::Found(at),
                Ok(Turn::TimeBound) => return Walked::Ended(End::TimeBound),
                Ok(Turn::OffGrid) => return Walked::Ended(End::OffGrid),
                Ok(Turn::Stuck) => {
                    let horizon = walker.horizon();
                    chooser.set_open(FOREVER);
                    // Nothing can be done before the last instant; is that a dead end?
                    if !is_race && horizon > last && !matches!(chooser.step(walker, horizon), Ok(Step::Stuck))
                    {
                        return Walked::Ended(End::TimeBound);
                    }
                    let until = horizon.min(if is_race { bound } else { last });
                    if (!is_tuned || self.goal.is_some_and(Goal::mentions_deadlock))
                        && let Some(watch) = &mut watch
                        && let Ok(Some(at)) = watch.check(self.plan, &mut walker.state, until, true)
                    {
                        return Walked::Found(at);
                    }
                    return Walked::Ended(if horizon == FOREVER {
                        End::DeadEnd
                    } else {
                        End::TimeLock
                    });
                }
                Err(stop) => {
                    walker.note(stop, walker.state.clocks.now, &[], &[]);
                    return Walked::Ended(End::Error(stop));
                }
            }
        }
        Walked::Ended(End::Depth)
    }
}

/// How a walk ended.
pub(crate) enum Walked {
    Found(i64),
    Ended(End),
    /// Stopped from outside.
    Cut,
}

/// Whether no time passes in the second half of a walk.
fn is_zeno(record: &Record) -> bool {
    let steps = &record.steps;
    steps.len() >= 16 && steps[steps.len() / 2].at == steps[steps.len() - 1].at
}
