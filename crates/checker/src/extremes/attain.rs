//! Runs that attain the values which the zone graph allows: the other side of an answer where clocks can be stopped.
//!
//! Zones over-approximate there, so that a largest value is a proof that no run goes beyond it, and no more. Walks look for
//! values that no run has reached yet, and paths of the zone graph lead to the very end. Each of them is a list of
//! transitions whose times are still free: the last value that the clock has on it is a linear program
//! ([`zonewalk_timing::extreme`]). The reference interpreter repeats every run.

use super::known_values::KnownValues;
use super::subgoal::Subgoal;
use super::values_of_path::Best;
use crate::control::Control;
use crate::engine::ROTATION;
use crate::options::{Options, TraceKind, TraceOptions};
use crate::order::Order;
use crate::outcome::{Count as _, Stats};
use crate::search_end::SearchEnd;
use crate::task::{Checker, StatePredicate};
use crate::zones::search::{Moment, ZoneSearch};
use zonewalk_model::tree::Expr;
use zonewalk_network::ids::ClockId;
use zonewalk_report::verdict::Quantity;
use zonewalk_walk::explore;
use zonewalk_walk::schedule::Schedule;
use zonewalk_walk::search::{FoundWalk, Limits, WalkOutcome, search};
use zonewalk_walk::shrink::{Objective, shrink};

/// Means for the runs of one expression, in counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Steps of walks.
    pub(crate) steps: u64,
    /// States of the zone graph to be visited.
    pub(crate) states: u64,
}

/// Walks of a turn: a cycle of delay distributions.
const CYCLE: u64 = 11;
/// Steps of the first walks; they double after a turn of each heuristic.
const FIRST_DEPTH: u32 = 64;
const MOST_DEPTH: u32 = 1 << 16;
/// Steps that are worth a thread.
const THREAD_STEPS: u64 = 50_000;
/// Steps of walks before paths of the zone graph are examined.
const FIRST_STEPS: u64 = 1 << 13;
/// Paths of the zone graph that are examined, whatever they cost.
const MOST_PATHS: usize = 24;
/// Times that something better is found before the rest is left open.
const MOST_RUNS: usize = 64;
/// Number of runs where nothing says how far to go.
const MOST_RUNS_WITHOUT_BOUND: usize = 8;
/// Effort of making a run shorter before its times are examined.
const SHRINK: u64 = 30_000;
/// Cost of beginning a walk, in steps.
const WALK_STEPS: u64 = 8;

/// The search for runs of one expression.
pub(crate) struct Attempt<'a, 't, 'm> {
    pub(crate) checker: &'a Checker<'t, 'm>,
    pub(crate) condition: Option<&'a StatePredicate<'m>>,
    pub(crate) expr: &'m Expr,
    /// Frame slots that the query needs.
    pub(crate) slots: usize,
    /// The clock that the expression always means.
    pub(crate) clock: Option<ClockId>,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) known: KnownValues,
    pub(crate) budget: Budget,
    pub(crate) stats: Stats,
    pub(crate) best: Option<Best>,
    /// Turns of walks so far.
    turns: u64,
    pub(super) runs: usize,
}

impl<'a, 't, 'm> Attempt<'a, 't, 'm> {
    pub(crate) fn new(
        checker: &'a Checker<'t, 'm>,
        (condition, expr, slots): (Option<&'a StatePredicate<'m>>, &'m Expr, usize),
        clock: Option<ClockId>,
        (options, control): (&'a Options, &'a Control),
        known: KnownValues,
        budget: Budget,
    ) -> Self {
        Attempt {
            checker,
            condition,
            expr,
            slots,
            clock,
            options,
            control,
            known,
            budget,
            stats: Stats::default(),
            best: None,
            turns: 0,
            runs: 0,
        }
    }

    /// Looks for runs until both sides agree or the budget is spent.
    pub(crate) fn run(&mut self) {
        let later = self.budget.steps.saturating_sub(FIRST_STEPS);
        self.budget.steps -= later;
        self.walk_to_what_is_missing();
        self.follow_paths();
        self.budget.steps += later;
        self.walk_to_what_is_missing();
    }

    /// Looks for a run until it is found, where one is known to exist.
    pub(crate) fn illustrate(&mut self) {
        let Some(range) = self.known.outermost() else {
            return;
        };
        let states = self.budget.states;
        self.on_subgoal(range, |attempt, subgoal| {
            let walks = attempt.checker.task.can_walk();
            (walks && attempt.walk(subgoal)) || attempt.follow(subgoal, Order::Breadth, states)
        });
    }

    fn is_over(&self) -> bool {
        let is_bounded = self.known.quantity != Quantity::Sup || self.known.bound.high() != Some(None);
        let most = if is_bounded {
            MOST_RUNS
        } else {
            MOST_RUNS_WITHOUT_BOUND
        };
        self.known.is_exact() || self.runs >= most || self.options.is_late() || self.control.is_interrupted()
    }

    /// Walks to values that no run has reached yet. What is found moves the end, and the walks go on from there.
    fn walk_to_what_is_missing(&mut self) {
        while !self.is_over() && self.budget.steps > 0 && self.checker.task.can_walk() {
            let missing = self.known.missing();
            let share = (self.budget.steps / missing.len().max(1) as u64).max(1);
            let found = missing.iter().any(|&range| {
                let others = self.budget.steps.saturating_sub(share);
                self.budget.steps -= others;
                let found = self.on_subgoal(range, Self::walk);
                self.budget.steps += others;
                found
            });
            if !found {
                return;
            }
        }
    }

    /// Follows paths of the zone graph: to its last values, and then, where these have no times, to values half way between
    /// them and what is reached.
    fn follow_paths(&mut self) {
        let mut number = 0;
        let mut end = self.known.outermost();
        while !self.is_over() && self.budget.states > 0 && number < MOST_PATHS {
            let missing = self.known.missing();
            let Some(&first) = missing.get(number % missing.len().max(1)) else {
                return;
            };
            let range = end.filter(|end| end.lies_within(&first)).unwrap_or(first);
            let by = match number {
                0 | 1 => Order::Breadth,
                _ => Order::RandomDepth,
            };
            let states = self.budget.states;
            let found = self.on_subgoal(range, |attempt, subgoal| attempt.follow(subgoal, by, states));
            if !found {
                end = end.and_then(|end| end.half_way_to(&first));
            }
            number += 1;
        }
    }

    /// Walks until one of them is there or the steps are spent.
    fn walk(&mut self, subgoal: &Subgoal<'_>) -> bool {
        let goal = zonewalk_walk::goal::WalkGoal::new(&subgoal.plan, &subgoal.sought.predicate, true);
        while self.budget.steps > 0 && !self.options.is_late() && !self.control.is_interrupted() {
            let members = ROTATION.len() as u64;
            let heuristic = ROTATION[(self.turns % members) as usize];
            let doubled = u32::try_from(self.turns / members).unwrap_or(u32::MAX);
            let depth = FIRST_DEPTH
                .checked_shl(doubled.min(16))
                .unwrap_or(MOST_DEPTH)
                .min(MOST_DEPTH);
            let walks = explore::Options {
                schedule: Schedule::Tuned,
                heuristic,
                delays: self.options.walks.delays,
                seed: self.options.seed,
                max_steps: Some(depth),
                time_bound: None,
            };
            let first_walk = self.turns / members * CYCLE;
            let limits = Limits {
                deadline: self.options.deadline,
                max_walks: Some(first_walk + CYCLE),
                first_walk,
                last_instant: None,
                spend: None,
            };
            let worth = usize::try_from(CYCLE * u64::from(depth) / THREAD_STEPS).unwrap_or(usize::MAX);
            let threads = worth.clamp(1, self.options.threads.get());
            self.control.begin(heuristic, first_walk, Some(depth));
            let report = search(
                &subgoal.plan,
                &goal,
                &walks,
                threads,
                &limits,
                &self.control.walks,
            );
            self.stats.add(&report);
            let spent = report.steps + report.walks * WALK_STEPS;
            self.budget.steps = self.budget.steps.saturating_sub(spent.max(1));
            self.turns += 1;
            match report.outcome {
                WalkOutcome::Found(found) => {
                    if self.shorten(subgoal, &goal, &found) {
                        return true;
                    }
                }
                WalkOutcome::LimitReached => {}
                WalkOutcome::Error(..) | WalkOutcome::Interrupted | WalkOutcome::NoInitialState => {
                    return false;
                }
            }
        }
        false
    }

    /// Shortens the find of a walk.
    fn shorten(
        &mut self,
        subgoal: &Subgoal<'_>,
        goal: &zonewalk_walk::goal::WalkGoal,
        found: &FoundWalk,
    ) -> bool {
        let shrunk = shrink(
            &subgoal.plan,
            goal,
            found,
            self.options.means(SHRINK),
            Objective::Steps,
        );
        let transitions = shrunk.transitions();
        self.take_values(subgoal, &transitions, Some(&shrunk.run))
    }

    /// Looks for a path of the zone graph, and for its times.
    fn follow(&mut self, subgoal: &Subgoal<'_>, by: Order, states: u64) -> bool {
        let options = Options {
            seed: self.options.seed.wrapping_add(self.stats.states_explored << 32),
            trace: TraceOptions {
                kind: TraceKind::None,
                ..self.options.trace
            },
            ..*self.options
        };
        let ask = |_: &Moment<'_>| self.control.is_interrupted() || self.options.is_late();
        let mut search = ZoneSearch::new(
            &subgoal.zones,
            Some(&subgoal.sought),
            (&options, self.control),
            &ask,
        );
        search.visits = Some(states);
        let end = search.run(by, None);
        let transitions = match end {
            SearchEnd::Found(path) => search.transitions(&path).ok(),
            _ => None,
        };
        let visited = search.statistics.states_explored.max(1);
        self.stats.count(&search.statistics);
        self.budget.states = self.budget.states.saturating_sub(visited);
        transitions.is_some_and(|transitions| self.take_values(subgoal, &transitions, None))
    }
}
