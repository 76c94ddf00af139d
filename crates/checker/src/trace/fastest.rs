//! The run to a goal that takes the least time.
//!
//! A clock that is never reset measures the time of a run. States are visited in the order of the earliest time at which they
//! can be entered; extrapolation knows that times beyond the best run so far do not matter, which keeps the graph finite.

use crate::options::Options;
use crate::order::Order;
use crate::outcome::ticks;
use crate::trace::timed::timed;
use crate::zones::search::ZoneSearch;
use zonewalk_network::Transition;
use zonewalk_report::trace::Time;
use zonewalk_run::Run;
use zonewalk_search::{
    ByValue, Goal as ExplicitGoal, Outcome, Preference, Queues, Statistics, Ties, guided_search,
};
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::graph::{ExtraClock, ZoneGraph};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::width::Width;
use zonewalk_zones::{Bound, Word};

/// The earliest time of a zone whose last clock measures time: twice the time, and one more when it is not attained.
fn earliest<W: Word>(zone: &[Bound<W>], dim: usize) -> u64 {
    // The entry bounds zero minus the clock.
    let bound = zone[dim - 1];
    let time = u64::try_from(-bound.constant().into()).unwrap_or(0);
    2 * time + u64::from(bound.is_strict())
}

/// Result of the search for the fastest run.
pub(crate) enum Fastest {
    /// It is this one, and no run takes less time than `infimum`.
    Found {
        made: Box<(Run, Vec<Transition>)>,
        infimum: Time,
    },
    /// A limit was reached before it was known.
    Unknown,
}

/// The fastest run to the goal of a search, given one that takes `known` units of time (rounded up).
pub(crate) fn fastest(search: &mut ZoneSearch<'_>, known: i32, options: &Options) -> Result<Fastest, String> {
    match graph(search, known).width() {
        Width::Narrow => fastest_in_words::<i32>(search, known, options),
        Width::Wide => fastest_in_words::<i64>(search, known, options),
    }
}

fn fastest_in_words<W: Word>(
    search: &mut ZoneSearch<'_>,
    known: i32,
    options: &Options,
) -> Result<Fastest, String> {
    // First the time, then a path that has it: the engine keeps no path to states that only might be the best.
    let mut best = u64::from(known.unsigned_abs()) * 2 + 1;
    let mut is_over = false;
    let outcome = visit::<W>(search, known, &mut |judge, goal, state| {
        if earliest(&state.zone, state.dim()) >= best {
            is_over = true;
            return Ok(true);
        }
        for zone in &judge.points(goal, state)? {
            best = best.min(earliest(zone, state.dim()));
        }
        Ok(false)
    })?;
    if !is_over && outcome.is_none() {
        return Ok(Fastest::Unknown);
    }
    let path = visit::<W>(search, known, &mut |judge, goal, state| {
        let points = judge.points(goal, state)?;
        Ok(points.iter().any(|zone| earliest(zone, state.dim()) <= best))
    })?;
    let Some(Some(path)) = path else {
        return Ok(Fastest::Unknown);
    };
    let transitions = transitions::<W>(search, known, &path)?;
    let goal = search.goal.clone();
    let made = timed(
        search.plan,
        &search.bounds,
        &transitions,
        goal.as_ref(),
        options.trace.kind,
    )?;
    Ok(match made {
        Some(made) => Fastest::Found {
            made: Box::new(made),
            infimum: ticks((best / 2).try_into().unwrap_or(i64::MAX), 1),
        },
        None => Fastest::Unknown,
    })
}

type Test<'t, W> = dyn FnMut(&mut Explorer<'_, W>, &zonewalk_symbolic::goal::ZoneGoal, &ZoneState<W>) -> Result<bool, Stop>
    + 't;

fn graph<'a>(search: &ZoneSearch<'a>, known: i32) -> ZoneGraph<'a> {
    let clock = ExtraClock {
        lower: None,
        upper: Some(known),
    };
    search.exact_graph(&[clock])
}

/// Visits states in the order of their times until the test says yes. `None` when a limit was reached or the model
/// fails, `Some(None)` when
/// there are no more.
fn visit<W: Word>(
    search: &mut ZoneSearch<'_>,
    known: i32,
    test: &mut Test<'_, W>,
) -> Result<Option<Option<Vec<u32>>>, String> {
    let Some(goal) = search.goal.clone() else {
        return Ok(None);
    };
    let mut explorer = Explorer::from(graph(search, known).forgetting(&[&goal], &[]));
    let mut judge = explorer.another();
    let mut failed = None;
    let mut test = |state: &ZoneState<W>| {
        test(&mut judge, &goal, state).unwrap_or_else(|stop| {
            failed = Some(stop);
            true
        })
    };
    let mut store = ZoneStore::new(search.plan.network, Covering::Inclusion);
    let mut by_time = ByValue(|state: &ZoneState<W>| earliest(&state.zone, state.dim()));
    let sought = ExplicitGoal::when_expanded(&mut test);
    let stop = |statistics: &Statistics| search.stops(statistics, search.effort);
    let report = guided_search(
        &mut explorer.worker(),
        &mut store,
        &mut Queues::new(Preference, Ties::Oldest),
        &mut by_time,
        sought,
        &search.limits(Order::Breadth, &stop),
    );
    if let Some(stop) = failed {
        return Err(format!("looking for the fastest run fails: {stop:?}"));
    }
    if report.fault.is_some() {
        return Ok(None);
    }
    Ok(match report.outcome {
        Outcome::Found { path, .. } => Some(Some(path)),
        Outcome::Exhausted => Some(None),
        _ => None,
    })
}

fn transitions<W: Word>(
    search: &ZoneSearch<'_>,
    known: i32,
    path: &[u32],
) -> Result<Vec<Transition>, String> {
    match Explorer::<'_, W>::from(graph(search, known)).transitions(path) {
        Ok(Some(transitions)) => Ok(transitions),
        _ => Err("the path of the fastest run cannot be followed again".to_owned()),
    }
}

/// Whether a search looks for the fastest run itself.
pub(crate) fn applies_to(by: Order) -> bool {
    by.is_of_all()
}
