//! `auto`: walks for errors and an exhaustive search for proofs, beside each other.
//!
//! Walks find most errors in milliseconds, the exhaustive search ends with a proof or with a shortest path. Whoever has the
//! answer stops the other. On one core the system shares the time between them.

use crate::control::Control;
use crate::options::{Options, TraceWish};
use crate::outcome::{Effort, Outcome, Reason, Report, Stats};
use crate::search::{Order, Search};
use crate::task::{Asked, Checker};
use crate::zones::Company;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use zonewalk_report::trace::Time;

/// Walks that are made before anybody else begins: most errors of small models are found by then, always by the same walk.
const FIRST_WALKS: u64 = 4 * 11 + 1;

/// What walks by several heuristics are called together.
const WALKS: &str = "walks";

impl Checker<'_, '_> {
    /// Decides whether states can be reached by everything that can treat the model.
    pub(crate) fn check_by_all(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Option<Report> {
        let Asked::States(state, wanted) = self.task.asked(query)? else {
            return None;
        };
        let sought = (state, *wanted);
        let by = Search::Zones(Order::Breadth);
        if !self.task.can_walk() {
            return Some(self.check_by_zones(sought, by, options, control, &Company::NONE));
        }
        // A limit on walks is a wish for walks.
        if self.zones.is_err() || options.max_walks.is_some() || options.max_steps.is_some() {
            return self.check_by_walks(query, options, control, improved);
        }
        // The best of all runs is found by the exhaustive search if it has the time; walks have better and better ones.
        let wants_best = matches!(options.trace, TraceWish::Shortest | TraceWish::Fastest);
        let mut before = Stats::default();
        if !wants_best {
            let first = Options {
                max_walks: Some(FIRST_WALKS),
                ..*options
            };
            let mut quick = self.check_by_walks(query, &first, control, improved)?;
            if !matches!(quick.outcome, Outcome::Undecided(Reason::Walks(..))) {
                quick.others.push(Effort {
                    search: by.name(),
                    stats: Stats::default(),
                });
                return Some(quick);
            }
            before = quick.stats;
        }
        let rest = Options {
            threads: NonZeroUsize::new(options.threads.get() - 1).unwrap_or(NonZeroUsize::MIN),
            ..*options
        };
        let is_over = AtomicBool::new(false);
        let company = Company {
            is_over: &|| is_over.load(Ordering::Relaxed) || control.is_shrinking() && !wants_best,
            done: &|| control.cancel_walks(true),
        };
        let (walks, zones) = thread::scope(|scope| {
            let zones = scope.spawn(|| self.check_by_zones(sought, by, options, control, &company));
            let walks = self.check_by_walks(query, &rest, control, improved);
            if walks.as_ref().is_some_and(is_decided) && !wants_best {
                is_over.store(true, Ordering::Relaxed);
            }
            (walks, zones.join())
        });
        control.cancel_walks(false);
        let walks = walks?;
        let zones = match zones {
            Ok(zones) => zones,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        // A run that walks have found is there already; what remains is whatever says more.
        let walks_win = if wants_best {
            !is_decided(&zones)
        } else {
            is_decided(&walks) || !is_decided(&zones) && !is_approximate(&zones)
        };
        let (mut report, mut other) = if walks_win { (walks, zones) } else { (zones, walks) };
        // The first walks are no search of their own.
        let walks = if walks_win { &mut report } else { &mut other };
        walks.stats.join(&before);
        let effort = Effort {
            search: if walks_win { by.name() } else { WALKS },
            stats: other.stats,
        };
        if !is_decided(&report)
            && matches!(report.outcome, Outcome::Undecided(Reason::Interrupted(_)))
            && !control.is_interrupted()
        {
            report.outcome = other.outcome;
        }
        report.stats.join(&other.stats);
        report.others.push(effort);
        Some(report)
    }
}

fn is_decided(report: &Report) -> bool {
    !matches!(report.outcome, Outcome::Undecided(_) | Outcome::Maybe { .. })
}

fn is_approximate(report: &Report) -> bool {
    matches!(report.outcome, Outcome::Maybe { .. })
}
