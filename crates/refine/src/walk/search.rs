//! Walks on several threads, until one of them finds a violation.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::pair::Pair;
use crate::systems::set::TooLarge;
use crate::walk::WalkOptions;
use crate::walk::plan::PairPlan;
use crate::walk::schedule::{depth, first_depth};
use crate::walk::walker::{Unobserved, WalkEnd, Walker};
use zonewalk_numbers::Random;

/// Steps between two looks at the clock and at what others have found.
const PATIENCE: u32 = 1 << 12;

/// Number of walks of a thread that could not take a step, after which no more are tried.
const IDLE: u32 = 1000;

/// The number of the first walk that finds a violation, or why there is none. Walk number `i` runs on thread `i mod threads`.
pub(super) fn search(
    pair: &Pair,
    options: &WalkOptions,
    limits: Limits,
    control: &Control,
) -> Result<u64, Limit> {
    let threads = options.threads.max(1) as u64;
    let best = AtomicU64::new(u64::MAX);
    let share = |thread: u64| seek(pair, options, limits, control, &best, thread, threads);
    let ends: Vec<Result<(), Limit>> = if threads == 1 {
        vec![share(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || share(thread)))
                .collect();
            handles
                .into_iter()
                .map(|handle| {
                    handle
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        })
    };
    match best.into_inner() {
        u64::MAX => Err(ends.into_iter().find_map(Result::err).unwrap_or(Limit::Walks)),
        walk => Ok(walk),
    }
}

/// The walks of one thread.
fn seek(
    pair: &Pair,
    options: &WalkOptions,
    limits: Limits,
    control: &Control,
    best: &AtomicU64,
    thread: u64,
    threads: u64,
) -> Result<(), Limit> {
    let too_large = |TooLarge| Limit::TooLarge;
    let mut walker = Walker::new(PairPlan::new(pair)).map_err(too_large)?;
    if !walker.can_start() {
        return Ok(());
    }
    let base = first_depth(pair);
    let mut unlooked = 0;
    let mut idle = Some(0);
    let mut number = thread;
    while number < best.load(Ordering::Relaxed) && options.max_walks.is_none_or(|most| number < most) {
        let mut random = Random::for_walk(options.seed, number);
        let distribution = options.delays.distribution(number);
        let until = depth(number, options.max_steps, base);
        let mut taken = 0;
        walker.restart();
        let end = loop {
            let before = taken;
            let pause = until.min(taken + (PATIENCE - unlooked));
            let end = walker
                .walk(
                    options.heuristic,
                    distribution,
                    &mut random,
                    &mut taken,
                    pause,
                    &mut Unobserved,
                )
                .map_err(too_large)?;
            control
                .steps
                .fetch_add(u64::from(taken - before), Ordering::Relaxed);
            // A walk that ends at once costs something, too.
            unlooked += (taken - before).max(16);
            if unlooked >= PATIENCE {
                unlooked = 0;
                if let Some(limit) = limits.exceeded(control, walker.plan.bytes()) {
                    return Err(limit);
                }
                if number >= best.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
            if end != WalkEnd::Depth || taken == until {
                break end;
            }
        };
        control.walks.fetch_add(1, Ordering::Relaxed);
        if matches!(end, WalkEnd::Violation(_)) {
            best.fetch_min(number, Ordering::Relaxed);
            return Ok(());
        }
        idle = idle
            .filter(|_| taken == 0 && end == WalkEnd::Stuck)
            .map(|walks| walks + 1);
        if idle == Some(IDLE) {
            return Err(Limit::Stuck);
        }
        number += threads;
    }
    Ok(())
}
