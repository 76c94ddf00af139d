//! The walks of one check: one heuristic, or all of them in turn.

use crate::control::Control;
use crate::options::Options;
use crate::outcome::Stats;
use crate::search::{ROTATION, Search};
use std::time::Instant;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore;
use zonewalk_walk::goal::Goal;
use zonewalk_walk::plan::Plan;
use zonewalk_walk::refresh::Stop;
use zonewalk_walk::schedule::{ADAPTIVE, cycle_depth, depth};
use zonewalk_walk::search::{Found, Limits, Outcome, search};
use zonewalk_walk::trace::Trace;

/// Walks that a heuristic makes before it is another one's turn: one cycle of distributions. Depth doubles after each
/// cycle, so that none of the heuristics gets more than its share of the steps.
const TURN: u64 = ADAPTIVE.len() as u64;

/// A turn beyond those of the heuristics: RET again, with as many steps as they have and in many short walks. Where a
/// walk has its one chance at the beginning, the growing depth of the others leaves ever fewer chances.
const SHORT: usize = ROTATION.len();

/// The turn of the heuristic that `auto` leaves out.
const SMC: usize = SHORT + 1;

/// Short walks have numbers, and so random choices, of their own.
const FIRST_SHORT_WALK: u64 = 1 << 48;

/// Steps that are worth a thread: some ten milliseconds.
const THREAD_STEPS: u64 = 50_000;

/// Looks for a goal again and again; no walk is made twice.
pub(crate) struct Hunt<'a> {
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) goal: &'a Goal,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) stats: Stats,
    /// By position in [`ROTATION`], for [`SHORT`] and for [`SMC`]: the number of the next walk.
    next: [u64; SMC + 1],
    /// Walks up to here; those that other threads began in vain are not counted.
    made: u64,
    /// Whose turn it is, and how often it has been everybody's.
    turn: usize,
    round: u64,
    /// Whether the heuristics take turns.
    rotates: bool,
    deadline: Option<Instant>,
    /// The last instant of walks, in ticks of the plan.
    last_instant: Option<i64>,
}

/// How a hunt ended.
pub(crate) enum Caught {
    Found(Box<Found>, Heuristic),
    Error(Stop, Box<Trace>),
    Time,
    Walks,
    Interrupted,
    NoInitialState,
}

impl<'a> Hunt<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        goal: &'a Goal,
        options: &'a Options,
        control: &'a Control,
    ) -> Self {
        let mut next = [0; SMC + 1];
        next[SHORT] = FIRST_SHORT_WALK;
        let mut hunt = Hunt {
            plan,
            goal,
            options,
            control,
            stats: Stats::default(),
            next,
            made: 0,
            turn: 0,
            round: 0,
            rotates: true,
            deadline: options.deadline,
            last_instant: None,
        };
        if let Search::Walks(heuristic) = options.search {
            hunt.settle_on(heuristic);
        }
        hunt
    }

    fn settle_on(&mut self, heuristic: Heuristic) {
        self.turn = ROTATION.iter().position(|&h| h == heuristic).unwrap_or(SMC);
        self.rotates = false;
    }

    /// Goes on with one heuristic, and without looking at the clock.
    pub(crate) fn go_on_with(&mut self, heuristic: Heuristic) {
        self.settle_on(heuristic);
        self.deadline = None;
    }

    /// From now on only what takes less time than a run is looked for.
    pub(crate) fn stop_before(&mut self, run: &Trace) {
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
    pub(crate) fn run(&mut self, max_steps: Option<u32>, walks: Option<u64>) -> Caught {
        let end = walks.map(|walks| self.made.saturating_add(walks));
        let end = self.options.max_walks.into_iter().chain(end).min();
        loop {
            let left = end.map(|end| end.saturating_sub(self.made));
            if left == Some(0) {
                return Caught::Walks;
            }
            let (depth, turn) = self.share(max_steps);
            let budget = left.into_iter().chain(turn).min();
            if let Some(caught) = self.search(depth, budget) {
                return caught;
            }
        }
    }

    /// Depth and number of the walks of a turn; `None` for the usual depth, and for walks without end.
    fn share(&self, max_steps: Option<u32>) -> (Option<u32>, Option<u64>) {
        if !self.rotates {
            return (max_steps, None);
        }
        // One cycle of each depth: `SHORT` makes the short walks.
        let deep = max_steps.unwrap_or_else(|| cycle_depth(self.round));
        if self.turn != SHORT {
            return (Some(deep), Some(TURN - self.next[self.turn] % TURN));
        }
        // As many steps as the other turns of the round have.
        let steps = TURN * u64::from(deep);
        // Depths in the order 0; 0, 1; 0, 1, 2; …: every one comes again and again, the small ones most often.
        let (mut level, mut row) = (self.round, 1);
        while level >= row {
            level -= row;
            row += 1;
        }
        let shallow = max_steps.unwrap_or_else(|| cycle_depth(level));
        (Some(shallow), Some((steps / u64::from(shallow)).max(1)))
    }

    /// A turn of one heuristic; `None` when it ended without a result.
    fn search(&mut self, max_steps: Option<u32>, budget: Option<u64>) -> Option<Caught> {
        let heuristic = match self.turn {
            SMC => Heuristic::Smc,
            turn => *ROTATION.get(turn).unwrap_or(&Heuristic::Ret),
        };
        let first_walk = self.next[self.turn];
        let end = budget.map(|budget| first_walk.saturating_add(budget));
        let walks = explore::Options {
            heuristic,
            delays: self.options.delays,
            seed: self.options.seed,
            max_steps,
            time_bound: self.options.time_bound,
        };
        let limits = Limits {
            deadline: self.deadline,
            max_walks: end,
            first_walk,
            last_instant: self.last_instant,
        };
        self.control.begin(heuristic, first_walk, max_steps);
        let threads = self.threads(max_steps, budget);
        let report = search(
            self.plan,
            self.goal,
            &walks,
            threads,
            &limits,
            &self.control.walks,
        );
        self.stats.add(&report);
        match report.outcome {
            Outcome::Found(found) => {
                self.advance(found.walk + 1);
                return Some(Caught::Found(found, heuristic));
            }
            Outcome::Error(stop, trace) => return Some(Caught::Error(stop, trace)),
            Outcome::Interrupted => return Some(Caught::Interrupted),
            Outcome::NoInitialState => return Some(Caught::NoInitialState),
            Outcome::LimitReached => {}
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Caught::Time);
        }
        // Without a number of walks only time ends a search.
        self.advance(end?);
        if self.rotates {
            self.turn += 1;
            if self.turn > SHORT {
                (self.turn, self.round) = (0, self.round + 1);
            }
        }
        None
    }

    /// Short turns are over before a second thread is there. The number depends on nothing but the turn, so that the answer
    /// still depends on seed and threads alone.
    fn threads(&self, max_steps: Option<u32>, budget: Option<u64>) -> usize {
        let all = self.options.threads.get();
        let Some(budget) = budget.filter(|_| self.rotates) else {
            return all;
        };
        let steps = budget.saturating_mul(depth(self.next[self.turn], max_steps).into());
        usize::try_from(steps / THREAD_STEPS)
            .unwrap_or(usize::MAX)
            .clamp(1, all)
    }

    fn advance(&mut self, next: u64) {
        self.made += next - self.next[self.turn];
        self.next[self.turn] = next;
    }
}
