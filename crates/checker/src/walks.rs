//! The walks of one check: one heuristic, or all of them in turn, and a search of states among them.

use crate::control::Control;
use crate::engine::{Engine, ROTATION};
use crate::options::Options;
use crate::outcome::{Count as _, Limit, Stats};
use crate::search_end::SearchEnd;
use crate::turns::schedule::{LAST, PortfolioTurn, SHORT, TurnResult, TurnSchedule};
use crate::turns::time_sharing::{Side, TimeSharing};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use zonewalk_run::Run;
use zonewalk_walk::Stop;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::coverage::Coverage;
use zonewalk_walk::explore;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::guided::{self, Closest};
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::search::{
    Failed, FoundWalk, Limits, WalkOutcome, search_with_coverage, search_with_marks,
};

/// The turns of the heuristics that `auto` leaves out, or takes only at times.
const SMC: usize = SHORT + 1;
const COM: usize = SMC + 1;
const GUIDED: usize = COM + 1;

/// Short walks have numbers, and so random choices, of their own.
const FIRST_SHORT_WALK: u64 = 1 << 48;

/// Steps that are worth a thread: some ten milliseconds.
const THREAD_STEPS: u64 = 50_000;

/// Number of walks of one heuristic without a limit that are made at a time: whole turns of what the schedule varies, up to the first walks
/// of 2^18 steps. When one ends and a run-time error was met but no goal, the error is the answer.
const PIECE: u64 = 188 * 33;

/// The searches that run in parallel with the walks, and what they leave to them.
pub(crate) struct Concurrent<'a> {
    /// Threads that no other search needs any more.
    pub(crate) spare: &'a AtomicUsize,
    /// Steps after which the answer of another search must do.
    pub(crate) last_step: &'a AtomicU64,
    /// Searches states in a turn among the walks: the number of the turn, and how many it may store. True when it has the
    /// answer.
    pub(crate) states: Option<&'a dyn Fn(u64, u64) -> bool>,
    /// Whether walks by commitment take part from now on.
    pub(crate) commits: bool,
    /// Which of them may work when.
    pub(crate) time: &'a TimeSharing,
}

/// Looks for a goal again and again; no walk is made twice.
pub(crate) struct WalkSearch<'a> {
    pub(crate) plan: &'a WalkPlan<'a>,
    pub(crate) goal: &'a WalkGoal,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) stats: Stats,
    /// Effort of the walks so far, in steps of a small model.
    pub(crate) effort: u64,
    /// How close guided walks got to the goal.
    pub(crate) closest: Option<Closest>,
    /// The first run-time error that walks have met, in the order of the turns.
    pub(crate) fault: Option<Box<Failed>>,
    /// The run-time error that leaves no initial state.
    pub(crate) failed_start: Option<(Stop, Box<FoundWalk>)>,
    /// By position in [`ROTATION`], for [`SHORT`], [`SMC`], [`COM`] and [`GUIDED`]: the number of the next walk.
    next: [u64; GUIDED + 1],
    /// Walks up to here; those that other threads began in vain are not counted.
    made: u64,
    /// The heuristic that walks: a place in [`ROTATION`], [`SHORT`], [`SMC`], [`COM`] or [`GUIDED`].
    turn: usize,
    /// `None` where one heuristic makes all the walks.
    schedule: Option<TurnSchedule>,
    /// Edge instances that were taken before this round, and in it.
    taken: Vec<bool>,
    taken_in_round: Vec<bool>,
    /// Counts of RLC-A, where it never forgets.
    coverage: Option<Coverage>,
    concurrent: Option<Concurrent<'a>>,
    /// Turns that state searches have had.
    state_turns: u64,
    deadline: Option<Instant>,
    /// A run was found, and better ones are looked for.
    is_improving: bool,
    /// The last instant of walks, in ticks of the plan.
    last_instant: Option<i64>,
}

/// How walks ended: what they found, and by which heuristic.
pub(crate) type WalkEnd = SearchEnd<(Box<FoundWalk>, Heuristic)>;

impl<'a> WalkSearch<'a> {
    pub(crate) fn new(
        plan: &'a WalkPlan<'a>,
        goal: &'a WalkGoal,
        options: &'a Options,
        control: &'a Control,
    ) -> Self {
        let mut next = [0; GUIDED + 1];
        next[SHORT] = FIRST_SHORT_WALK;
        let mut search = WalkSearch {
            plan,
            goal,
            options,
            control,
            stats: Stats::default(),
            effort: 0,
            closest: None,
            fault: None,
            failed_start: None,
            next,
            made: 0,
            turn: 0,
            schedule: Some(TurnSchedule::of_walks()),
            taken: Vec::new(),
            taken_in_round: Vec::new(),
            coverage: None,
            concurrent: None,
            state_turns: 0,
            deadline: options.deadline,
            is_improving: false,
            last_instant: None,
        };
        if let Engine::Walks(heuristic) = Engine::of(options.search) {
            search.select_heuristic(heuristic);
            search.next[search.turn] = options.walks.first;
        }
        search
    }

    fn select_heuristic(&mut self, heuristic: Heuristic) {
        self.turn = match heuristic {
            Heuristic::Smc => SMC,
            Heuristic::Com => COM,
            Heuristic::Guided => GUIDED,
            Heuristic::Ret | Heuristic::Rlc | Heuristic::RlcA | Heuristic::Sem => {
                ROTATION.iter().position(|&h| h == heuristic).unwrap_or_default()
            }
        };
        self.schedule = None;
    }

    /// Other searches run in parallel with the walks.
    pub(crate) fn run_concurrently_with(&mut self, concurrent: Concurrent<'a>) {
        if concurrent.states.is_some() && self.schedule.is_some() {
            self.schedule = Some(TurnSchedule::with_states(self.plan.network.clocks.len()));
        }
        if let Some(schedule) = self.schedule.as_mut().filter(|_| concurrent.commits) {
            schedule.commit();
        }
        self.concurrent = Some(concurrent);
    }

    /// Goes on with one heuristic, for a better trace.
    pub(crate) fn continue_with(&mut self, heuristic: Heuristic) {
        self.select_heuristic(heuristic);
        self.deadline = self.options.trace_deadline();
        self.is_improving = true;
    }

    /// From now on only what takes less time than a run is looked for.
    pub(crate) fn stop_before(&mut self, run: &Run) {
        let end = i128::from(run.duration()) * i128::from(self.plan.unit);
        // Instants are even numbers of ticks. The last one before `end / unit`:
        let last = (end - 1).div_euclid(run.unit.into()) & !1;
        self.last_instant = Some(i64::try_from(last).unwrap_or(i64::MAX));
    }

    /// The number of the next walk.
    pub(crate) fn next_walk(&self) -> u64 {
        self.next[self.turn]
    }

    /// Walks of at most `max_steps` steps, and at most `walks` of them, until one of them finds the goal or a limit is
    /// reached.
    pub(crate) fn run(&mut self, max_steps: Option<u32>, walks: Option<u64>) -> WalkEnd {
        let end = walks.map(|walks| self.made.saturating_add(walks));
        let end = self.options.walks.max_walks.into_iter().chain(end).min();
        // Two looks at a clock may show the same instant: without any time there is no walk at all.
        if self.is_late() {
            return SearchEnd::Stopped(Limit::Time);
        }
        loop {
            let left = end.map(|end| end.saturating_sub(self.made));
            if left == Some(0) {
                return SearchEnd::Stopped(Limit::Walks);
            }
            let Some(schedule) = &self.schedule else {
                match self.search(max_steps, Some(left.unwrap_or_else(|| self.piece()))) {
                    Ok(_) if left.is_none() && self.fault.is_some() && !self.is_improving => {
                        return SearchEnd::Stopped(Limit::Walks);
                    }
                    Ok(_) => continue,
                    Err(end) => return end,
                }
            };
            let result = match schedule.turn(max_steps) {
                PortfolioTurn::Walks { depth, walks } => {
                    self.turn = match schedule.member() {
                        LAST => COM,
                        member => member,
                    };
                    let budget = left.map_or(walks, |left| left.min(walks));
                    self.search(Some(depth), Some(budget))
                }
                PortfolioTurn::States { stored } => self.search_states(stored),
            };
            match result {
                Ok(result) => self.end_turn(result),
                Err(end) => return end,
            }
            let is_enough = |concurrent: &Concurrent<'_>| {
                self.control.walks.steps.load(Ordering::Relaxed)
                    >= concurrent.last_step.load(Ordering::Relaxed)
            };
            if self.concurrent.as_ref().is_some_and(is_enough) {
                return SearchEnd::Stopped(Limit::Cancelled);
            }
        }
    }

    /// Walks of one heuristic that are made at once.
    fn piece(&self) -> u64 {
        match self.turn {
            GUIDED => guided::piece(self.next_walk()),
            _ => PIECE,
        }
    }

    fn end_turn(&mut self, result: TurnResult) {
        let Some(schedule) = &mut self.schedule else {
            return;
        };
        schedule.end(result);
        if schedule.is_new_round() {
            self.taken.clone_from(&self.taken_in_round);
            if let Some(concurrent) = &self.concurrent {
                concurrent.time.set_fresh(schedule.is_fresh());
            }
        }
    }

    /// A turn of the search of states.
    fn search_states(&mut self, stored: u64) -> Result<TurnResult, WalkEnd> {
        let states = self.concurrent.as_ref().and_then(|concurrent| concurrent.states);
        if states.is_some_and(|states| states(self.state_turns, stored)) {
            return Err(SearchEnd::Stopped(Limit::Cancelled));
        }
        self.state_turns += 1;
        if self.control.is_ending() {
            return Err(SearchEnd::Stopped(Limit::Cancelled));
        }
        match self.is_late() {
            true => Err(SearchEnd::Stopped(Limit::Time)),
            false => Ok(TurnResult::default()),
        }
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// A turn of one heuristic.
    fn search(&mut self, max_steps: Option<u32>, budget: Option<u64>) -> Result<TurnResult, WalkEnd> {
        let heuristic = match self.turn {
            SMC => Heuristic::Smc,
            COM => Heuristic::Com,
            GUIDED => Heuristic::Guided,
            turn => *ROTATION.get(turn).unwrap_or(&Heuristic::Ret),
        };
        let first_walk = self.next[self.turn];
        let end = budget.map(|budget| first_walk.saturating_add(budget));
        let walks = explore::Options {
            heuristic,
            schedule: self.options.walks.schedule,
            delays: self.options.walks.delays,
            seed: self.options.seed,
            max_steps,
            time_bound: self.options.walks.time_bound,
        };
        let time = self.concurrent.as_ref().map(|concurrent| concurrent.time);
        let spend = |effort| {
            if let Some(time) = time {
                time.spend(Side::Walks, effort);
            }
        };
        let limits = Limits {
            deadline: self.deadline,
            max_walks: end,
            first_walk,
            last_instant: self.last_instant,
            spend: Some(&spend),
        };
        self.control.begin(heuristic, first_walk, max_steps);
        let threads = self.threads(max_steps, budget);
        let (plan, goal, control) = (self.plan, self.goal, &self.control.walks);
        let (report, taken) = if walks.is_sequential() {
            let coverage = self.coverage.get_or_insert_with(|| Coverage::new(plan));
            search_with_coverage(plan, goal, &walks, &limits, control, coverage)
        } else {
            search_with_marks(plan, goal, &walks, threads, &limits, control)
        };
        self.stats.add(&report);
        self.effort = self.effort.saturating_add(report.effort);
        if let Some(closest) = &report.closest {
            self.closest.get_or_insert_default().join(closest);
        }
        self.fault = self.fault.take().or(report.fault);
        match report.outcome {
            WalkOutcome::Found(found) => {
                self.advance(found.walk + 1);
                return Err(SearchEnd::Found((found, heuristic)));
            }
            WalkOutcome::Error(stop, found) => {
                self.failed_start = Some((stop, found));
                return Err(SearchEnd::NoInitialState);
            }
            WalkOutcome::Interrupted => return Err(SearchEnd::Stopped(Limit::Cancelled)),
            WalkOutcome::NoInitialState => return Err(SearchEnd::NoInitialState),
            WalkOutcome::LimitReached => {}
        }
        // Without a number of walks only time ends a search.
        let Some(end) = end.filter(|_| !self.is_late()) else {
            return Err(SearchEnd::Stopped(Limit::Time));
        };
        self.advance(end);
        let mut fresh = 0;
        self.taken.resize(taken.len(), false);
        self.taken_in_round.resize(taken.len(), false);
        for ((now, before), all) in taken.iter().zip(&self.taken).zip(&mut self.taken_in_round) {
            fresh += u64::from(*now && !before);
            *all |= now;
        }
        Ok(TurnResult {
            walks: report.walks,
            steps: report.steps,
            early: report.ends.deadlocks + report.ends.time_locks + report.ends.off_grid,
            fresh,
        })
    }

    /// Short turns, and a few shorter walks, are over before a second thread is there. The number depends on nothing but the turn, so that the answer
    /// still depends on seed and threads alone.
    fn threads(&self, max_steps: Option<u32>, budget: Option<u64>) -> usize {
        let mut all = self.options.threads.get();
        let Some(budget) = budget.filter(|_| self.schedule.is_some() || self.is_improving) else {
            return all;
        };
        // RLC-A counts what the walks of a thread have taken: with more threads it would walk elsewhere.
        if ROTATION.get(self.turn) != Some(&Heuristic::RlcA)
            && let Some(concurrent) = &self.concurrent
        {
            all += concurrent.spare.load(Ordering::Relaxed);
        }
        let steps = budget.saturating_mul(
            self.options
                .walks
                .schedule
                .depth(self.next[self.turn], max_steps)
                .into(),
        );
        usize::try_from(steps / THREAD_STEPS)
            .unwrap_or(usize::MAX)
            .clamp(1, all)
    }

    fn advance(&mut self, next: u64) {
        self.made += next - self.next[self.turn];
        self.next[self.turn] = next;
    }
}
