//! The walks of one thread, one after the other.

use super::{Control, Failed, FoundWalk, Limits, ThreadResult, WalkEnd, WalkOutcome, count_end};
use crate::goal::{WalkGoal, Watch};
use crate::heuristic::choose::Chooser;
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::{ENOUGH, FIRST_LONG, SOON, Schedule};
use crate::plan::WalkPlan;
use crate::search::explore::Options;
use crate::walker::effort;
use crate::walker::fault::Fault;
use crate::walker::{Record, Walker};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use zonewalk_numbers::Random;
use zonewalk_search::Alarm;

/// One thread's part of a search.
pub(crate) struct WalkThread<'a> {
    pub(crate) plan: &'a WalkPlan<'a>,
    /// `None` where only the marks are wanted.
    pub(crate) goal: Option<&'a WalkGoal>,
    pub(crate) options: &'a Options,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) control: &'a Control,
    pub(crate) best: &'a AtomicU64,
    /// Cost of the walks that are over, but for the code that they ran.
    walked: Cell<u64>,
    /// Effort that [`Limits::spend`] has heard of.
    told: Cell<u64>,
    /// Steps of the record that were there when the walk began.
    inherited: Cell<usize>,
}

impl<'a> WalkThread<'a> {
    pub(super) fn new(
        plan: &'a WalkPlan<'a>,
        goal: Option<&'a WalkGoal>,
        options: &'a Options,
        limits: &'a Limits<'a>,
        control: &'a Control,
        best: &'a AtomicU64,
    ) -> Self {
        WalkThread {
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

    /// Cost of the walks of this thread so far.
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

    /// In the initial state. `None` when there is none, which decides the search, or no time to compute it.
    pub(crate) fn begin(&self, result: &mut ThreadResult) -> Option<Walker<'_>> {
        let alarm = Alarm::new(self.limits.deadline, Arc::clone(&self.control.interrupted));
        let outcome = match Walker::leaving_off(self.plan, alarm) {
            Ok(Some(walker)) => return Some(walker),
            Err(_) if self.is_over() => return None,
            Ok(None) => WalkOutcome::NoInitialState,
            Err(stop) => {
                let found = FoundWalk::new(self.plan, 0, &Record::default(), 0);
                WalkOutcome::Error(stop, Box::new(found))
            }
        };
        result.number = 0;
        result.outcome = Some(outcome);
        None
    }

    /// Makes the walks of a thread. What it has counted is returned, too.
    pub(super) fn run(&self, thread: usize, threads: usize, counted: Coverage) -> (ThreadResult, Coverage) {
        let mut result = ThreadResult::new(self.plan);
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
            chooser.begin(random, self.options.parameters(number));
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
    pub(crate) fn count_steps(&self, walker: &Walker<'_>, result: &mut ThreadResult) -> u64 {
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
        walked: &WalkEnd,
        number: u64,
        walker: &mut Walker<'_>,
        result: &mut ThreadResult,
    ) -> bool {
        if walker.fault.is_some() && result.fault.is_none() {
            result.fault = self.failed(walker, number);
        }
        match *walked {
            WalkEnd::Found(at) => {
                self.best.fetch_min(number, Ordering::Relaxed);
                let found = FoundWalk::new(self.plan, number, &walker.record, at);
                result.number = number;
                result.outcome = Some(WalkOutcome::Found(Box::new(found)));
                return true;
            }
            WalkEnd::Ended(end) => count_end(&mut result.ends, end, &walker.record),
            WalkEnd::Cut => return true,
        }
        self.finish(walker);
        false
    }

    /// Whether the first long walks end by themselves and soon. Every thread makes them on its own: what a walk does must not
    /// depend on how many threads there are.
    fn ends_soon(&self, walker: &mut Walker<'_>, watch: Option<&mut Watch<'_>>) -> bool {
        let mut chooser = Chooser::new(self.options.heuristic, Coverage::new(self.plan));
        chooser.reach_for(self.goal.map_or(0, |goal| goal.reach));
        let known = walker.fault.take();
        let ends_soon = self.all_end_soon(walker, &mut chooser, watch);
        // The owner of these walks reports their errors.
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
            chooser.begin(random, self.options.parameters(number));
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
        let found = FoundWalk::new(self.plan, number, &record, at);
        Some(Box::new(Failed { stop, found, attempt }))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.is_ending()
            || self
                .limits
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
