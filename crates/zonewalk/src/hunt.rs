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
use zonewalk_walk::schedule::ADAPTIVE;
use zonewalk_walk::search::{Found, Limits, Outcome, search};
use zonewalk_walk::trace::Trace;

/// Walks that a heuristic makes before it is another one's turn: one cycle of distributions. Depth doubles after each
/// cycle, so that none of the heuristics gets more than its share of the steps.
const TURN: u64 = ADAPTIVE.len() as u64;

/// Looks for a goal again and again; no walk is made twice.
pub(crate) struct Hunt<'a> {
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) goal: &'a Goal,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) stats: Stats,
    /// By position in [`ROTATION`]: the number of the next walk.
    next: [u64; ROTATION.len()],
    /// Whose turn it is.
    turn: usize,
    /// Whether the heuristics take turns.
    rotates: bool,
    deadline: Option<Instant>,
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
        let turn = match options.search {
            Search::Auto => 0,
            Search::Walks(heuristic) => ROTATION.iter().position(|&h| h == heuristic).unwrap_or(0),
        };
        Hunt {
            plan,
            goal,
            options,
            control,
            stats: Stats::default(),
            next: [0; ROTATION.len()],
            turn,
            rotates: options.search == Search::Auto,
            deadline: options.deadline,
        }
    }

    /// Goes on with one heuristic, and without looking at the clock.
    pub(crate) fn go_on_with(&mut self, heuristic: Heuristic) {
        self.turn = ROTATION.iter().position(|&h| h == heuristic).unwrap_or(0);
        self.rotates = false;
        self.deadline = None;
    }

    /// The number of the next walk.
    pub(crate) fn next_walk(&self) -> u64 {
        self.next[self.turn]
    }

    /// Walks of at most `max_steps` steps, and at most `walks` of them, until one of them finds the goal or a limit is
    /// reached.
    pub(crate) fn run(&mut self, max_steps: Option<u32>, walks: Option<u64>) -> Caught {
        let made = |next: &[u64]| next.iter().sum::<u64>();
        let end = walks.map(|walks| made(&self.next).saturating_add(walks));
        let end = self.options.max_walks.into_iter().chain(end).min();
        loop {
            let left = end.map(|end| end.saturating_sub(made(&self.next)));
            if left == Some(0) {
                return Caught::Walks;
            }
            let budget = if self.rotates {
                Some(left.unwrap_or(TURN).min(TURN - self.next[self.turn] % TURN))
            } else {
                left
            };
            if let Some(caught) = self.search(max_steps, budget) {
                return caught;
            }
        }
    }

    /// A turn of one heuristic; `None` when it ended without a result.
    fn search(&mut self, max_steps: Option<u32>, budget: Option<u64>) -> Option<Caught> {
        let heuristic = ROTATION[self.turn];
        let first_walk = self.next[self.turn];
        let end = budget.map(|budget| first_walk.saturating_add(budget));
        let walks = explore::Options {
            heuristic,
            delays: self.options.delays,
            seed: self.options.seed,
            max_steps,
        };
        let limits = Limits {
            deadline: self.deadline,
            max_walks: end,
            first_walk,
        };
        self.control.begin(heuristic, first_walk);
        let threads = self.options.threads.get();
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
                self.next[self.turn] = found.walk + 1;
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
        self.next[self.turn] = end?;
        if self.rotates {
            self.turn = (self.turn + 1) % ROTATION.len();
        }
        None
    }
}
