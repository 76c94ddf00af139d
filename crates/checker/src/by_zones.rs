//! Searches of the zone graph for the states that a query is about.

use crate::control::Control;
use crate::options::Options;
use crate::order::Order;
use crate::outcome::proof::Evident;
use crate::outcome::{CheckerReport, Count as _, Limit, Outcome, Stats, Times};
use crate::search_end::SearchEnd;
use crate::task::{Checker, StateGoal};
use crate::zones::search::{Moment, ZoneSearch};
use std::time::Instant;
use zonewalk_certificate::Claim;
use zonewalk_search as search;

/// The others that look for the same.
pub(crate) struct Coordination<'a> {
    /// Hears again and again what the search has cost so far, in steps of a walk; it may take its time. Whether one of them has
    /// the answer.
    pub(crate) is_over: &'a dyn Fn(u64) -> bool,
    /// Tells them that the answer is here. False when one of them was first.
    pub(crate) claim: &'a dyn Fn() -> bool,
    /// Whether exploring everything is an answer here; otherwise another search proves, and others find.
    pub(crate) proves: bool,
    /// Whether an error that is met on the way is of interest.
    pub(crate) wants_fault: bool,
    /// Whether the progress of this search is shown.
    pub(crate) is_shown: bool,
}

impl Coordination<'_> {
    /// No other search.
    pub(crate) const ALONE: Coordination<'static> = Coordination {
        is_over: &|_| false,
        claim: &|| true,
        proves: true,
        wants_fault: true,
        is_shown: true,
    };
}

impl Checker<'_, '_> {
    /// Decides whether states can be reached by a search of the zone graph.
    pub(crate) fn check_by_zones(
        &self,
        sought: &StateGoal<'_>,
        by: Order,
        options: &Options,
        control: &Control,
        coordination: &Coordination<'_>,
    ) -> CheckerReport {
        let start = Instant::now();
        let mut stats = Stats::default();
        let plan = match self.zone_plan() {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let ask = |moment: &Moment<'_>| {
            if coordination.is_shown {
                control.see_preparation(moment.is_preparing);
                control.see_states(by, moment.statistics);
            }
            control.is_interrupted() || (coordination.is_over)(moment.effort) || options.is_late()
        };
        let mut search = ZoneSearch::new(plan, Some(sought), (options, control), &ask);
        search.patterns = &self.patterns;
        if coordination.proves {
            search.premises = self.task.premise_goals(sought);
        }
        let end = if options.is_late() {
            SearchEnd::Stopped(Limit::of_states(search::Limit::Stopped, control))
        } else {
            search.run(by, None)
        };
        let mut times = Times::of_search(start);
        stats.count(&search.statistics);
        stats.count_directed(search.directed.as_ref());
        let end = match end {
            SearchEnd::Exhausted if !coordination.proves => SearchEnd::Stopped(Limit::Incomplete),
            end => end,
        };
        let has_answer = end.has_answer();
        // What an approximation has found need not be an answer, and no search has to stop for it.
        let is_claimed = has_answer && (!plan.is_approximate() || matches!(end, SearchEnd::Exhausted));
        let is_beaten = is_claimed && !(coordination.claim)();
        let outcome = match end {
            _ if is_beaten => Outcome::undecided(Limit::Cancelled, stats, options),
            SearchEnd::Found(path) => self.reached(&mut search, &path, sought, by, &mut times),
            // Over-approximation keeps everything that is reachable: what it does not reach is unreachable.
            SearchEnd::Exhausted => Outcome::by_exhaustion(!sought.wanted),
            SearchEnd::NoInitialState => self.no_state(),
            SearchEnd::Stopped(limit) => Outcome::undecided(limit, stats, options),
        };
        let outcome = match outcome {
            outcome if outcome.is_by_exhaustion() && search.statistics.states_stored == 0 => {
                self.no_initial_state().unwrap_or(outcome)
            }
            outcome => outcome,
        };
        let is_certain = has_answer && !is_claimed && !matches!(outcome, Outcome::Maybe { .. });
        let outcome = if is_certain && !(coordination.claim)() {
            Outcome::undecided(Limit::Cancelled, stats, options)
        } else {
            outcome
        };
        let asked = [sought.expr];
        let failure = search.failure.as_ref().filter(|_| coordination.wants_fault);
        let fault = failure.map_or(Ok(None), |failure| self.zone_fault(&search, failure, &asked));
        let outcome = match outcome {
            // Something may lie behind an error that no run leads to.
            outcome if outcome.is_by_exhaustion() && search.failure.is_some() && plan.is_approximate() => {
                Outcome::undecided(Limit::Incomplete, stats, options)
            }
            outcome => outcome,
        };
        let is_proof = outcome.is_by_exhaustion();
        let patterns = search.used.iter().map(|used| self.task.show_pattern(used));
        CheckerReport {
            overview: is_proof.then(|| search.overview()).flatten(),
            evident: is_proof.then(|| Evident {
                claim: Claim::Unreachable,
                states: self.gather(search.stored.take(), options),
            }),
            lead: search.lead,
            patterns: patterns.collect(),
            ..CheckerReport::new(by.name(), outcome, stats, times)
        }
        .with_fault(fault)
    }

    /// Visits the states of the zone graph without a goal.
    pub(crate) fn visit_zones(
        &self,
        by: Order,
        options: &Options,
        control: &Control,
        taken: &mut [bool],
    ) -> CheckerReport {
        let start = Instant::now();
        let mut stats = Stats::default();
        let plan = match self.zone_plan() {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let ask = |moment: &Moment<'_>| {
            control.see_states(by, moment.statistics);
            control.is_interrupted() || options.is_late()
        };
        let mut search = ZoneSearch::new(plan, None, (options, control), &ask);
        let end = search.run(by, Some(taken));
        let times = Times::of_search(start);
        stats.count(&search.statistics);
        let outcome = match end {
            SearchEnd::Stopped(limit) => Outcome::undecided(limit, stats, options),
            _ => Outcome::by_exhaustion(true),
        };
        let outcome = match outcome {
            Outcome::Decided { .. } if stats.states_stored == 0 => self.no_initial_state().unwrap_or(outcome),
            outcome => outcome,
        };
        let stored = search.stored.take();
        let failure = search.failure.as_ref();
        let fault = failure.map_or(Ok(None), |failure| self.zone_fault(&search, failure, &[]));
        CheckerReport {
            evident: outcome.is_by_exhaustion().then(|| Evident {
                claim: Claim::Explored,
                states: self.gather(stored, options),
            }),
            ..CheckerReport::new(by.name(), outcome, stats, times)
        }
        .with_fault(fault)
    }
}
