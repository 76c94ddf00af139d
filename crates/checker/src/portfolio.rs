//! `auto`: walks for errors, deep searches of the zone graph for errors that walks miss, and an exhaustive search for proofs.
//!
//! The first one to have the answer stops the others. With two threads the exhaustive search has one; the others share theirs in rounds
//! ([`crate::turns::schedule`]), or with three threads and more have their own, too. On one thread they take turns ([`crate::turns::time_sharing`]).
//! Where clocks can be stopped the zone graph is only an approximation: there the walks have all the threads, and the exhaustive
//! search does half as much as one of them.

mod directed;
pub(crate) mod first_answer;

use crate::by_zones::Coordination;
use crate::control::Control;
use crate::options::{DirectedOptions, Options, TraceKind, ZoneOptions};
use crate::order::Order;
use crate::outcome::optimality;
use crate::outcome::{CheckerReport, Effort, Fault, Limit, Outcome, Stats};
use crate::portfolio::first_answer::{FirstAnswer, Member};
use crate::search_end::SearchEnd;
use crate::task::{Checker, CompiledQuery, StateGoal, Target};
use crate::turns::time_sharing::{Rule, Side, TimeSharing};
use crate::walks::{Concurrent, WalkSearch};
use directed::{FEWEST_DIRECTED, aims};
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;
use zonewalk_report::trace::Time;
use zonewalk_searches::Queueing;

/// Walks that are made before any other search begins: most errors of small models are found by then, always by the same walk.
const FIRST_WALKS: u64 = 4 * 11 + 1;

/// Name of walks by several heuristics together.
const WALKS: &str = "walks";

const EXHAUSTIVE: Order = Order::Breadth;

const DEEP: Order = Order::RandomDepth;

const DIRECTED: Order = Order::Greedy;

/// States of the first search of a thread of deep searches. Each of the next ones may store twice as many, up to the most.
const FIRST_STORED: u64 = 1 << 10;
const MOST_STORED: u64 = 1 << 21;

/// Steps that walks make after the exhaustive search has ended without an answer: a few seconds, whatever the limit of time
/// is, which only ever cuts. Where the search has reached one of its limits they may in all take four times as long as it has.
const LAST_STEPS: u64 = 1 << 21;

/// Everything that runs in one check.
struct Portfolio<'a, 't, 'm> {
    checker: &'a Checker<'t, 'm>,
    sought: &'a StateGoal<'m>,
    options: &'a Options,
    control: &'a Control,
    start: Instant,
    first_answer: FirstAnswer,
    /// Whether the best of all runs is asked for: then a run that walks find is not the end.
    wants_best: bool,
    deep: Mutex<Deep>,
    /// Whether estimates have something to say about the goal.
    is_directed: bool,
    /// Number of states of a deep search that cost as much as one of a directed search.
    directed_part: OnceLock<u64>,
    /// Whether one of them has explored everything: then there is nothing to find, and the proof is left to the exhaustive
    /// search, which is about to have it and is always the same one.
    is_all_seen: AtomicBool,
    /// Which of them may work when.
    time: TimeSharing,
    /// Threads that no search needs any more.
    spare: AtomicUsize,
    /// Steps after which walks give up.
    last_step: AtomicU64,
}

/// Effort of the deep searches, and their finds.
#[derive(Default)]
struct Deep {
    stats: Stats,
    /// Effort of directed ones.
    directed: Stats,
    found: Option<CheckerReport>,
    fault: Option<Fault>,
}

impl Checker<'_, '_> {
    /// Decides whether states can be reached by everything that supports the model.
    pub(crate) fn check_by_all(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Option<CheckerReport> {
        let CompiledQuery::States(sought) = self.task.compiled(query)? else {
            return None;
        };
        if !self.task.can_walk() {
            return Some(self.check_by_zones(sought, EXHAUSTIVE, options, control, &Coordination::ALONE));
        }
        // A limit on walks is a wish for walks.
        if self.zone_plan().is_err() || options.walks.max_walks.is_some() || options.walks.max_steps.is_some()
        {
            return self.check_by_walks(query, options, control, improved);
        }
        control.forget_best();
        // The best of all runs is found by the exhaustive search if it has the time; walks have better and better ones.
        let wants_best = matches!(options.trace.kind, TraceKind::Shortest | TraceKind::Fastest);
        let portfolio = Portfolio {
            checker: self,
            sought,
            options,
            control,
            start: Instant::now(),
            first_answer: FirstAnswer::default(),
            wants_best,
            deep: Mutex::default(),
            is_directed: aims(&self.task.network, sought),
            directed_part: OnceLock::new(),
            is_all_seen: AtomicBool::new(false),
            time: TimeSharing::new(self.rule(options.threads.get(), wants_best)),
            spare: AtomicUsize::new(0),
            last_step: AtomicU64::new(u64::MAX),
        };
        let report = portfolio.run(&self.target(query)?, improved);
        control.cancel_walks(false);
        Some(report)
    }

    /// How walks and the exhaustive search share `threads` threads.
    fn rule(&self, threads: usize, wants_best: bool) -> Rule {
        match (threads, self.is_approximate()) {
            (1, _) if !wants_best => Rule::Alternate,
            (_, true) => Rule::Lag {
                threads: threads as u64,
            },
            // Walks that look for better runs go on in parallel with a search that may prove one to be the best.
            (_, false) => Rule::Free,
        }
    }

    pub(crate) fn is_approximate(&self) -> bool {
        self.zone_plan()
            .is_ok_and(zonewalk_symbolic::plan::ZonePlan::is_approximate)
    }
}

impl Portfolio<'_, '_, '_> {
    fn run(&self, target: &Target<'_>, improved: &mut dyn FnMut(usize, Time)) -> CheckerReport {
        let threads = self.options.threads.get();
        let is_approximate = self.checker.is_approximate();
        let goes_deep = !is_approximate && !self.wants_best;
        let has_deep_thread = goes_deep && threads >= 3;
        let walking = match (is_approximate, has_deep_thread) {
            (true, _) => threads,
            (_, true) => threads - 2,
            _ => threads - 1,
        };
        let options = Options {
            threads: NonZeroUsize::new(walking).unwrap_or(NonZeroUsize::MIN),
            ..*self.options
        };
        let mut search = WalkSearch::new(self.checker.walk_plan(), &target.goal, &options, self.control);
        if !self.wants_best {
            let end = search.run(options.depth(), Some(FIRST_WALKS));
            if !matches!(end, SearchEnd::Stopped(Limit::Walks)) {
                let mut report = self
                    .checker
                    .conclude(end, &mut search, target, self.start, improved);
                report.others.push(Effort {
                    search: EXHAUSTIVE.name(),
                    stats: Stats::default(),
                });
                return report;
            }
        }
        let search_deep = |number, stored| {
            self.search_deep(number, stored, DEEP) || self.search_deep(number, stored, DIRECTED)
        };
        let search_deep: Option<&dyn Fn(u64, u64) -> bool> =
            if goes_deep { Some(&search_deep) } else { None };
        search.run_concurrently_with(Concurrent {
            spare: &self.spare,
            last_step: &self.last_step,
            states: search_deep.filter(|_| !has_deep_thread),
            commits: is_approximate,
            time: &self.time,
        });
        let (walks, zones) = thread::scope(|scope| {
            let zones = scope.spawn(|| self.exhaust(is_approximate));
            let deep = has_deep_thread.then(|| {
                scope.spawn(|| {
                    self.search_deep_repeatedly();
                    self.spare.fetch_add(1, Ordering::Relaxed);
                })
            });
            let participation = self.time.enter(Side::Walks);
            let end = search.run(options.depth(), None);
            let end = if end.has_answer() && !self.wants_best && !self.first_answer.claim(Member::Walks) {
                SearchEnd::Stopped(Limit::Cancelled)
            } else {
                end
            };
            // The others end, or go on without the walks.
            drop(participation);
            let walks = self
                .checker
                .conclude(end, &mut search, target, self.start, improved);
            let joined = (zones.join(), deep.map_or(Ok(()), thread::ScopedJoinHandle::join));
            match joined {
                (Ok(zones), Ok(())) => (walks, zones),
                (Err(panic), _) | (_, Err(panic)) => std::panic::resume_unwind(panic),
            }
        });
        self.report(walks, zones)
    }

    /// The exhaustive search.
    fn exhaust(&self, is_approximate: bool) -> CheckerReport {
        let begin = self.start.elapsed();
        let _participation = self.time.enter(Side::Exhaustive);
        let mut report =
            if self.options.trace.kind == TraceKind::Shortest && self.is_directed && !is_approximate {
                self.exhaust_for_shortest()
            } else {
                self.exhaust_by(EXHAUSTIVE, self.options)
            };
        // The first walks are time of the search as well.
        report.times.search += begin;
        if !is_decided(&report) && !is_approximate && self.options.threads.get() > 1 {
            self.spare.fetch_add(1, Ordering::Relaxed);
        }
        let steps = self.control.walks.steps.load(Ordering::Relaxed);
        let more = match (&report.outcome, report.limit()) {
            (Outcome::Maybe { .. }, _) => LAST_STEPS,
            (_, Some(Limit::Memory | Limit::States)) => LAST_STEPS.max(3 * steps),
            _ => u64::MAX,
        };
        self.last_step
            .store(steps.saturating_add(more), Ordering::Relaxed);
        report
    }

    fn exhaust_by(&self, order: Order, options: &Options) -> CheckerReport {
        let reported = Cell::new(0);
        let coordination = Coordination {
            is_over: &|effort| {
                self.time
                    .spend(Side::Exhaustive, effort - reported.replace(effort));
                self.first_answer.is_lost_by(Member::Exhaustive)
            },
            claim: &|| self.claim(Member::Exhaustive),
            proves: true,
            wants_fault: true,
            is_shown: true,
        };
        self.checker
            .check_by_zones(self.sought, order, options, self.control, &coordination)
    }

    /// One deep search, or a directed one; true when it has the answer.
    fn search_deep(&self, number: u64, stored: u64, by: Order) -> bool {
        if self.is_all_seen.load(Ordering::Relaxed) {
            return false;
        }
        let part = if by == DIRECTED { self.directed_part() } else { 1 };
        let stored = stored / part;
        if by == DIRECTED && (!self.is_directed || stored < FEWEST_DIRECTED) {
            return false;
        }
        let begin = self.start.elapsed();
        let most = self.options.zones.max_states.unwrap_or(u64::MAX);
        let options = Options {
            // Numbers of walks and of deep searches have nothing in common, but seeds of neighbours should have nothing in
            // common either.
            seed: self.options.seed.wrapping_add(number << 32),
            search: by.search(),
            zones: ZoneOptions {
                max_states: Some(stored.min(most)),
                ..self.options.zones
            },
            directed: DirectedOptions {
                queueing: match by {
                    DIRECTED => Queueing::Useless,
                    _ => Queueing::Plain,
                },
                ..self.options.directed
            },
            ..*self.options
        };
        let reported = Cell::new(0);
        let coordination = Coordination {
            is_over: &|effort| {
                let effort = effort * part;
                self.time.spend(Side::Walks, effort - reported.replace(effort));
                self.first_answer.is_lost_by(Member::Deep)
            },
            claim: &|| self.claim(Member::Deep),
            proves: false,
            // The first one will do.
            wants_fault: self.lock_deep().fault.is_none(),
            is_shown: false,
        };
        let mut report = self
            .checker
            .check_by_zones(self.sought, by, &options, self.control, &coordination);
        report.times.search += begin;
        if report.limit() == Some(Limit::Incomplete) {
            self.is_all_seen.store(true, Ordering::Relaxed);
        }
        let has_answer = is_decided(&report);
        let mut deep = self.lock_deep();
        let stats = if by == DIRECTED {
            &mut deep.directed
        } else {
            &mut deep.stats
        };
        stats.join(&report.stats);
        deep.fault = deep.fault.take().or(report.fault.take());
        if has_answer {
            deep.found = Some(report);
        }
        has_answer
    }

    fn lock_deep(&self) -> MutexGuard<'_, Deep> {
        self.deep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deep searches with growing stores, until a search has the answer.
    fn search_deep_repeatedly(&self) {
        let mut stored = FIRST_STORED;
        for number in 0.. {
            if self.first_answer.is_lost_by(Member::Deep)
                || self.is_all_seen.load(Ordering::Relaxed)
                || self.control.is_ending()
                || self.options.is_late()
                || self.search_deep(number, stored, DEEP)
                || self.search_deep(number, stored, DIRECTED)
            {
                return;
            }
            stored = (stored * 2).min(MOST_STORED);
        }
    }

    /// Claims the answer for a search of states, and ends the walks.
    fn claim(&self, member: Member) -> bool {
        let is_first = self.first_answer.claim(member);
        if is_first {
            self.control.cancel_walks(true);
        }
        is_first
    }

    /// One report from those of all: which search decided it, and what the others had done.
    fn report(&self, mut walks: CheckerReport, mut zones: CheckerReport) -> CheckerReport {
        let mut deep = self.lock_deep();
        let (deep_stats, directed_stats, found) = (deep.stats, deep.directed, deep.found.take());
        // Of the errors that were met that of the answer's own search comes first, then those that a seed repeats.
        let own = if self.first_answer.is_won_by(Member::Exhaustive) {
            zones.fault.take()
        } else {
            None
        };
        let fault = own
            .or(walks.fault.take())
            .or(zones.fault.take())
            .or(deep.fault.take());
        let walks_effort = effort(WALKS, &walks);
        let zones_effort = effort(zones.search, &zones);
        let earlier = std::mem::take(&mut zones.others);
        let deep_effort = Effort {
            search: DEEP.name(),
            stats: deep_stats,
        };
        let directed_effort = Effort {
            search: DIRECTED.name(),
            stats: directed_stats,
        };
        let wish = self.options.trace.kind;
        let zones_win = if self.wants_best {
            is_decided(&zones) && !optimality::is_better(&walks, &zones, wish)
        } else {
            self.first_answer.is_won_by(Member::Exhaustive)
                || !self.first_answer.is_won_by(Member::Walks) && is_maybe(&zones)
        };
        let (mut report, mut others) = match found {
            Some(mut report) if self.first_answer.is_won_by(Member::Deep) => {
                let is_directed = report.search == DIRECTED.name();
                let (own, other) = match is_directed {
                    true => (directed_stats, deep_effort),
                    false => (deep_stats, directed_effort),
                };
                report.stats = own;
                (report, vec![zones_effort, walks_effort, other])
            }
            _ if zones_win => (zones, vec![walks_effort, deep_effort, directed_effort]),
            _ => {
                let mut report = walks;
                optimality::compare_with_levels(&mut report, &zones, self.checker.is_approximate());
                // No search has the answer, and the walks were not interrupted by the user; or they gave up because of a limit.
                let is_silent = matches!(report.limit(), Some(Limit::Cancelled | Limit::Walks));
                if is_silent && !self.control.is_interrupted() {
                    report.outcome = zones.outcome;
                }
                (report, vec![zones_effort, deep_effort, directed_effort])
            }
        };
        others.extend(earlier);
        // Deep searches that never ran are omitted.
        let may_be_absent = [DEEP.name(), DIRECTED.name()];
        others.retain(|other| !may_be_absent.contains(&other.search) || other.stats.states_explored > 0);
        for other in &others {
            report.stats.join(&other.stats);
        }
        report.others = others;
        report.fault = fault;
        report
    }
}

fn effort(search: &'static str, report: &CheckerReport) -> Effort {
    Effort {
        search,
        stats: report.stats,
    }
}

fn is_decided(report: &CheckerReport) -> bool {
    !matches!(report.outcome, Outcome::Undecided(_) | Outcome::Maybe { .. })
}

fn is_maybe(report: &CheckerReport) -> bool {
    matches!(report.outcome, Outcome::Maybe { .. })
}
