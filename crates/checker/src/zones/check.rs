//! Searches of the zone graph for the states that a query is about.

use crate::control::Control;
use crate::options::Options;
use crate::order::Order;
use crate::outcome::{Count as _, Outcome, Reason, Report, Stats, Times};
use crate::task::{Checker, StatePredicate};
use crate::zones::search::{ZoneEnd, ZoneSearch};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;
use zonewalk_search::{Limit, Statistics};

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
    /// Whether those who watch the progress hear of this search.
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
        (state, wanted): (&StatePredicate<'_>, bool),
        by: Order,
        options: &Options,
        control: &Control,
        coordination: &Coordination<'_>,
    ) -> Report {
        let start = Instant::now();
        let mut stats = Stats::default();
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let is_late = || {
            options
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let effort = Rc::new(Cell::new(0));
        let is_preparing = Rc::new(Cell::new(false));
        let ask = |statistics: &Statistics| {
            if coordination.is_shown {
                control.see_preparation(is_preparing.get());
                control.see_states(by, statistics);
            }
            control.is_interrupted() || (coordination.is_over)(effort.get()) || is_late()
        };
        let mut search = ZoneSearch::new(plan, Some((state, wanted)), options, &ask);
        search.effort = Rc::clone(&effort);
        search.is_preparing = Rc::clone(&is_preparing);
        search.patterns = &self.patterns;
        if coordination.proves {
            search.premises = self.task.premise_goals(state);
        }
        let end = if is_late() {
            ZoneEnd::Limit(Limit::Stopped)
        } else {
            search.run(by, None)
        };
        let mut times = Times {
            search: start.elapsed(),
            ..Times::default()
        };
        stats.count(&search.statistics);
        stats.count_directed(search.directed.as_ref());
        let end = match end {
            ZoneEnd::Exhausted if !coordination.proves => ZoneEnd::Nothing,
            end => end,
        };
        let has_answer = !matches!(end, ZoneEnd::Limit(_) | ZoneEnd::Nothing);
        // What an approximation has found need not be an answer, and no search has to stop for it.
        let is_claimed = has_answer && (!plan.is_approximate() || matches!(end, ZoneEnd::Exhausted));
        let is_beaten = is_claimed && !(coordination.claim)();
        let outcome = match end {
            _ if is_beaten => Outcome::Undecided(Reason::Interrupted(stats)),
            ZoneEnd::Path(path) => self.reached(&mut search, &path, (state, wanted), by, &mut times),
            // Over-approximation keeps everything that is reachable: what it does not reach is unreachable.
            ZoneEnd::Exhausted => Outcome::Decided {
                satisfied: !wanted,
                witness: None,
            },
            ZoneEnd::Nothing => Outcome::Undecided(Reason::Nothing(stats)),
            ZoneEnd::Limit(limit) => Outcome::Undecided(reason(limit, stats, control)),
        };
        let outcome = match outcome {
            Outcome::Decided { witness: None, .. } if search.statistics.states_stored == 0 => {
                self.no_initial_state().unwrap_or(outcome)
            }
            outcome => outcome,
        };
        let is_certain = has_answer && !is_claimed && !matches!(outcome, Outcome::Maybe { .. });
        let outcome = if is_certain && !(coordination.claim)() {
            Outcome::Undecided(Reason::Interrupted(stats))
        } else {
            outcome
        };
        let asked = [state.expr];
        let failure = search.failure.as_ref().filter(|_| coordination.wants_fault);
        let fault = failure.map_or(Ok(None), |failure| self.zone_fault(&search, failure, &asked));
        let outcome = match outcome {
            // Something may lie behind an error that no run leads to.
            Outcome::Decided { witness: None, .. } if search.failure.is_some() && plan.is_approximate() => {
                Outcome::Undecided(Reason::Nothing(stats))
            }
            outcome => outcome,
        };
        let is_proof = matches!(outcome, Outcome::Decided { witness: None, .. });
        Report {
            overview: is_proof.then(|| search.overview()).flatten(),
            warnings: Vec::new(),
            others: Vec::new(),
            lead: search.lead,
            closest: None,
            note: None,
            patterns: search
                .used
                .iter()
                .map(|used| self.task.show_pattern(used))
                .collect(),
            outcome,
            fault: None,
            search: by.name(),
            stats,
            times,
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
    ) -> Report {
        let mut stats = Stats::default();
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let is_late = || {
            options
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let ask = |statistics: &Statistics| {
            control.see_states(by, statistics);
            control.is_interrupted() || is_late()
        };
        let mut search = ZoneSearch::new(plan, None, options, &ask);
        let end = search.run(by, Some(taken));
        stats.count(&search.statistics);
        let outcome = match end {
            ZoneEnd::Limit(limit) => Outcome::Undecided(reason(limit, stats, control)),
            ZoneEnd::Nothing => Outcome::Undecided(Reason::Nothing(stats)),
            ZoneEnd::Path(_) | ZoneEnd::Exhausted => Outcome::Decided {
                satisfied: true,
                witness: None,
            },
        };
        let outcome = match outcome {
            Outcome::Decided { .. } if stats.states_stored == 0 => self.no_initial_state().unwrap_or(outcome),
            outcome => outcome,
        };
        let failure = search.failure.as_ref();
        let fault = failure.map_or(Ok(None), |failure| self.zone_fault(&search, failure, &[]));
        Report {
            overview: None,
            warnings: Vec::new(),
            others: Vec::new(),
            lead: None,
            patterns: Vec::new(),
            closest: None,
            note: None,
            outcome,
            fault: None,
            search: by.name(),
            stats,
            times: Times::default(),
        }
        .with_fault(fault)
    }
}

/// Why a search of states ended early.
pub(crate) fn reason(limit: Limit, stats: Stats, control: &Control) -> Reason {
    match limit {
        Limit::Memory => Reason::Memory(stats),
        Limit::States => Reason::States(stats),
        Limit::Depth => Reason::Depth(stats),
        Limit::LeftOut => Reason::Nothing(stats),
        Limit::Stopped if control.is_interrupted() => Reason::Interrupted(stats),
        Limit::Stopped | Limit::Fault => Reason::Time(stats),
    }
}
