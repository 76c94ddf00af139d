//! One run of a question, and what came of it.

use crate::statistical_query::{PathFormula, Side};
use std::sync::atomic::AtomicBool;
use zonewalk_sampling::{Bound, ConditionId, Ended, Monitor, RunError, Sampler};
use zonewalk_statistics::monitor::{
    Curves, Extreme, Interruptible, Observed, Reach, Recorder, Series, Until,
};

/// Interrupts that end runs from outside.
#[derive(Clone, Copy)]
pub(crate) struct Interrupt<'a> {
    pub(crate) interrupted: &'a AtomicBool,
    pub(crate) is_late: &'a (dyn Fn() -> bool + Sync),
}

/// Result of a watched run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// Whether it counts; `None` where that is not known.
    pub(crate) truth: Option<bool>,
    /// Value of the bounded quantity when a condition was met.
    pub(crate) hit: Option<f64>,
    /// When that was, as time.
    pub(crate) instant: Option<f64>,
    /// The value of an expression.
    pub(crate) value: Option<f64>,
    /// The transitions of the run.
    pub(crate) steps: u64,
    pub(crate) series: Vec<Series>,
}

/// Makes a run for one side of a question. `None` when it was interrupted.
pub(crate) fn side(
    sampler: &mut dyn Sampler,
    (seed, number): (u64, u64),
    side: &Side,
    conditions: usize,
    (over, interrupt): (&AtomicBool, &Interrupt<'_>),
) -> Option<Result<Watched, RunError>> {
    let mut steps = 0;
    let mut run = |monitor: &mut dyn Monitor| {
        let mut monitor = Interruptible::new(monitor, [over, interrupt.interrupted], interrupt.is_late);
        let ended = sampler.run(seed, number, &side.bound, &mut monitor);
        steps = monitor.steps();
        (!monitor.is_interrupted).then_some(ended)
    };
    let (ended, truth, hit, instant) = match &side.formula {
        PathFormula::Reach(condition) => {
            let mut reach = Reach::new(*condition);
            let ended = run(&mut reach)?;
            (ended, Some(reach.hit.is_some()), reach.hit, reach.instant)
        }
        PathFormula::Until(p, q) => {
            let mut until = Until::new(*p, *q);
            let ended = run(&mut until)?;
            (ended, Some(until.hit.is_some()), until.hit, until.instant)
        }
        PathFormula::Formula(formula) => {
            let mut recorder = Recorder::new(formula, conditions);
            let ended = run(&mut recorder)?;
            (ended, recorder.verdict(), None, None)
        }
    };
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return Some(Err(error)),
    };
    let is_known = ended != Ended::StepLimit;
    Some(Ok(Watched {
        truth: truth.filter(|_| is_known).map(|truth| truth != side.is_negated),
        hit,
        instant,
        steps,
        ..Watched::default()
    }))
}

/// Makes a run for one side of a question, without interruptions; `None` if it ends with an error.
pub(crate) fn alone(
    sampler: &mut dyn Sampler,
    number: (u64, u64),
    of: &Side,
    conditions: usize,
) -> Option<Watched> {
    let never = AtomicBool::new(false);
    let interrupt = Interrupt {
        interrupted: &never,
        is_late: &|| false,
    };
    side(sampler, number, of, conditions, (&never, &interrupt))?.ok()
}

/// Makes a run for an expected value.
pub(crate) fn extreme(
    sampler: &mut dyn Sampler,
    (seed, number): (u64, u64),
    bound: &Bound,
    (observed, is_maximum): (Observed, bool),
    (over, interrupt): (&AtomicBool, &Interrupt<'_>),
) -> Option<Result<Watched, RunError>> {
    let mut extreme = Extreme::new(observed, is_maximum);
    let mut monitor = Interruptible::new(&mut extreme, [over, interrupt.interrupted], interrupt.is_late);
    let ended = sampler.run(seed, number, bound, &mut monitor);
    if monitor.is_interrupted {
        return None;
    }
    let steps = monitor.steps();
    Some(ended.map(|ended| Watched {
        value: extreme.value.filter(|_| ended != Ended::StepLimit),
        steps,
        ..Watched::default()
    }))
}

/// Makes a run whose curves are drawn.
pub(crate) fn curves(
    sampler: &mut dyn Sampler,
    (seed, number): (u64, u64),
    bound: &Bound,
    (observed, filter): (&[Observed], Option<ConditionId>),
    (over, interrupt): (&AtomicBool, &Interrupt<'_>),
) -> Option<Result<Watched, RunError>> {
    let mut curves = Curves::new(observed);
    let mut reach = filter.map(Reach::new);
    let mut both;
    let monitor: &mut dyn Monitor = match &mut reach {
        Some(reach) => {
            both = zonewalk_statistics::monitor::Both::new(&mut curves, reach);
            &mut both
        }
        None => &mut curves,
    };
    let mut monitor = Interruptible::new(monitor, [over, interrupt.interrupted], interrupt.is_late);
    let ended = sampler.run(seed, number, bound, &mut monitor);
    if monitor.is_interrupted {
        return None;
    }
    let steps = monitor.steps();
    let (truth, hit) = reach.map_or((Some(true), None), |reach| (Some(reach.hit.is_some()), reach.hit));
    Some(ended.map(|ended| Watched {
        truth: truth.filter(|&truth| truth || ended != Ended::StepLimit),
        hit,
        steps,
        // Those that the filter leaves out are of no interest.
        series: if truth == Some(true) {
            curves.series
        } else {
            Vec::new()
        },
        ..Watched::default()
    }))
}
