//! `sup`, `inf`, `bounds`: the values of integer expressions and clocks over all reachable states that fulfil a condition.
//!
//! **Integers** depend on the discrete part alone, so every state with a point that fulfils the condition counts.
//!
//! **Clocks.** The zone graph is abstracted by the largest constants, and the clock that is asked about counts as compared
//! with a number `K`, at least as large as all its constants. A point of an abstracted zone lies in the region of a real
//! one, and up to `K` the regions tell the integers and the gaps between them apart: so the values up to `K` are exact, and
//! so is whether there is one beyond. Then
//! * there is none: done;
//! * time can pass forever from a point that fulfils the condition and goes on to do so (a question that regions answer
//!   alike): everything beyond that point is a value;
//! * with the clock beyond `K` time can pass forever, or there is a cycle that leaves the clock alone and on which time
//!   passes, and from there the condition can be reached without setting the clock, however long that took: the values have
//!   no bound;
//! * otherwise `K` is doubled. If the values have a bound this ends with the first case. If they have none, and the clock is
//!   not set on ever longer runs, then time passes forever on the way or some abstract state is met again after time has
//!   passed, which is the third case; only a condition that the cycle which is found does not lead to, while others would,
//!   keeps it from being seen, and more states beyond `K` than are kept for this. Then limits end the search.

mod growth;
mod look;
mod values;

pub use values::{Endpoint, Extent, Interval};

use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::graph::ZoneGraph;
use crate::graph::abstraction::Abstraction;
use crate::graph::width::Width;
use crate::infinite::lasso::Fault;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use crate::stored::StoredStates;
use look::{Examination, word};
use values::Values;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};
use zonewalk_network::{Measure, Network, Predicate};
use zonewalk_search::{self as engine, Breadth, Limit, Limits, Outcome, Statistics, Store as _};
use zonewalk_zones::{Bound, Word, dbm};

/// Values that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedValues {
    /// The least one: `inf`.
    Lowest,
    /// The greatest one: `sup`.
    Highest,
    /// All of them: `bounds`.
    All,
}

/// The values of some measures.
#[derive(Clone, Debug)]
pub struct Extremes {
    /// For each measure.
    pub extents: Vec<Extent>,
    /// Which limit ended the search before it was complete; the extents are then what was seen.
    pub limit: Option<Limit>,
    /// Work of all rounds.
    pub statistics: Statistics,
    /// By edge instance: whether a transition takes it; see [`Scratch::taken`](crate::graph::scratch::Scratch::taken).
    pub taken: Vec<bool>,
}

/// Finds the values of measures over all reachable states that fulfil a condition, in one exploration for all of them, which
/// is repeated with larger constants as long as a clock needs it. With them come the states of the last round, where these are at
/// most `most_kept`.
///
/// # Errors
/// When the model fails on the way.
pub fn extremes<'n>(
    plan: &'n ZonePlan<'n>,
    condition: Option<&Predicate>,
    measures: &[Measure],
    wish: RequestedValues,
    limits: &Limits<'_>,
    most_kept: usize,
) -> Result<(Extremes, Option<StoredStates<'n>>), Fault> {
    let predicates: Vec<&Predicate> = condition.into_iter().collect();
    let constants = constants(plan.network, &predicates);
    let largest = constants.iter().map(|&(_, number)| number).max().unwrap_or(0);
    let least = constants
        .iter()
        .map(|&(_, number)| number)
        .filter(|number| *number > 0)
        .min();
    let first = |measure: &Measure| {
        let clocks = clocks_of(plan.network, measure);
        let own = constants.iter().filter(|(clock, _)| clocks.contains(clock));
        let own = own.map(|&(_, number)| number).max().unwrap_or(0);
        // One more, so that a value just beyond the last comparison is distinguished at once.
        own.max(least.unwrap_or(0)) + 1
    };
    let mut ceilings: Vec<i64> = measures.iter().map(first).collect();
    let highest = vec![highest_ceiling(largest); ceilings.len()];
    let mut statistics = Statistics::default();
    for number in 0u32.. {
        let layout = Layout::new(plan, condition, measures, &ceilings, wish);
        let width = layout.graph(plan).width();
        let mut next = ceilings.clone();
        let mut raise = |found: &[MeasureKnowledge]| raise(&mut next, &highest, found);
        let ended = match width {
            Width::Narrow => {
                Round::<i32>::new(plan, layout, most_kept).run(number, limits, &mut statistics, &mut raise)?
            }
            Width::Wide => {
                Round::<i64>::new(plan, layout, most_kept).run(number, limits, &mut statistics, &mut raise)?
            }
        };
        if let Some(LastRound {
            found,
            limit,
            taken,
            stored,
        }) = ended
        {
            let extremes = Extremes {
                extents: found.into_iter().map(|f| f.into_extent(limit)).collect(),
                limit,
                statistics,
                taken,
            };
            return Ok((extremes, stored));
        }
        ceilings = next;
    }
    unreachable!("constants are not doubled for ever")
}

/// The ceiling at which a clock is given up: far beyond the constants of all clocks, which bound one that is never compared itself.
fn highest_ceiling(largest: i64) -> i64 {
    largest
        .saturating_mul(1 << 12)
        .clamp(1 << 25, Bound::<i64>::MAX_CONSTANT / 4)
}

/// Rounds before a cycle on which a clock grows is looked for: that costs more than a few explorations, and most clocks have a
/// bound not far above their constants.
const PATIENCE: u32 = 4;

/// Doubles the constants that were too small; false when there is nothing larger.
fn raise(ceilings: &mut [i64], highest: &[i64], found: &[MeasureKnowledge]) -> bool {
    let mut any = false;
    for ((ceiling, highest), found) in ceilings.iter_mut().zip(highest).zip(found) {
        if !found.is_decided && *ceiling < *highest {
            *ceiling *= 2;
            any = true;
        }
    }
    any
}

/// The clock that a measure always means; `None` where that depends on the state, and for an integer.
pub fn clock_of(network: &Network, measure: &Measure) -> Option<ClockId> {
    let Measure::Clock {
        setup: None, clock, ..
    } = measure
    else {
        return None;
    };
    let known = network.constant(*clock, &network.global_context());
    known.map(|clock| ClockId(clock as u32))
}

/// The clocks that a measure may mean; none for an integer.
fn clocks_of(network: &Network, measure: &Measure) -> Vec<ClockId> {
    match (measure, clock_of(network, measure)) {
        (Measure::Integer { .. }, _) => Vec::new(),
        (Measure::Clock { .. }, Some(clock)) => vec![clock],
        (Measure::Clock { .. }, None) => (0..network.clocks.len() as u32).map(ClockId).collect(),
    }
}

/// The largest numbers that clocks are compared with in a location, and that they are set to. The least of them is where doubling
/// begins: it is the unit of the model's time, as far as can be known.
fn constants(network: &Network, predicates: &[&Predicate]) -> Vec<(ClockId, i64)> {
    let bounds = network.bounds_for(predicates);
    let clocks = (0..network.clocks.len() as u32).map(ClockId);
    let mut found = Vec::new();
    let mut add = |clock, number: Option<i32>| found.extend(number.map(|number| (clock, i64::from(number))));
    for clock in clocks {
        let limits = bounds.everywhere(clock);
        add(clock, limits.lower());
        add(clock, limits.upper());
        add(clock, network.clock_updates.largest_number(clock));
    }
    for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
        let locations = network.variants[process.variant as usize].locations.len() as u32;
        for entry in (0..locations).flat_map(|location| bounds.at(number, LocationId(location))) {
            add(entry.clock, entry.limits.lower());
            add(entry.clock, entry.limits.upper());
        }
    }
    found
}

/// Knowledge of one measure in a round.
pub(crate) struct MeasureKnowledge {
    values: Values,
    is_clock: bool,
    /// The largest number that a clock counts as compared with.
    ceiling: i64,
    /// Some value lies beyond that, and not because of an endless delay.
    is_beyond: bool,
    is_decided: bool,
    /// There is no upper bound, though the values beyond the ceiling may have gaps.
    is_unbounded: bool,
}

impl MeasureKnowledge {
    fn into_extent(self, limit: Option<Limit>) -> Extent {
        let beyond = self.is_beyond.then_some(self.ceiling);
        self.values.into_extent(
            self.is_clock,
            beyond,
            self.is_unbounded,
            self.is_decided && limit.is_none(),
        )
    }
}

/// The graph of a round, and what is asked of it.
struct Layout<'m> {
    predicate: Option<&'m Predicate>,
    condition: Option<ZoneGoal>,
    measures: &'m [Measure],
    wish: RequestedValues,
    ceilings: Vec<i64>,
    bounds: ClockBounds,
    /// The ceiling of clocks for which 32 bits do not suffice.
    endless: Option<i64>,
    abstraction: Abstraction,
}

impl<'m> Layout<'m> {
    fn new(
        plan: &ZonePlan<'_>,
        predicate: Option<&'m Predicate>,
        measures: &'m [Measure],
        ceilings: &[i64],
        wish: RequestedValues,
    ) -> Layout<'m> {
        let network = plan.network;
        let predicates: Vec<&Predicate> = predicate.into_iter().collect();
        let compared: Vec<(ClockId, i32)> = measures
            .iter()
            .zip(ceilings)
            .flat_map(|(measure, &ceiling)| {
                let ceiling = i32::try_from(ceiling).unwrap_or(i32::MAX);
                clocks_of(network, measure).into_iter().map(move |c| (c, ceiling))
            })
            .collect();
        let condition = predicate.map(|predicate| ZoneGoal::new(network, predicate, true));
        // Reachability of integer values is kept by the coarsest abstraction; regions are not. (Conditions that ask for
        // deadlocks would have bounds that say everywhere what is refused.)
        let is_coarse = compared.is_empty();
        // Where the model itself has clocks without a largest constant, theirs has none either.
        let is_endless = network.bounds_for(&predicates).endless().is_some();
        Layout {
            predicate,
            condition,
            measures,
            wish,
            ceilings: ceilings.to_vec(),
            bounds: network.bounds_beyond(&predicates, &compared),
            endless: ceilings.iter().copied().max().filter(|_| !is_endless),
            abstraction: if is_coarse {
                Abstraction::LuPlus
            } else {
                Abstraction::M
            },
        }
    }

    /// The zone graph that tells the values up to the ceilings apart.
    fn graph<'n>(&self, plan: &'n ZonePlan<'n>) -> ZoneGraph<'n> {
        let goals: Vec<&ZoneGoal> = self.condition.iter().collect();
        let graph = ZoneGraph::new(plan, self.bounds.clone(), &[], self.abstraction, &goals);
        match self.endless {
            Some(ceiling) => graph.with_ceiling(ceiling),
            None => graph,
        }
    }
}

/// The exploration whose constants were large enough, or that a limit ended.
struct LastRound<'n> {
    found: Vec<MeasureKnowledge>,
    limit: Option<Limit>,
    taken: Vec<bool>,
    stored: Option<StoredStates<'n>>,
}

/// One exploration with the same constants.
struct Round<'n, 'm, W> {
    plan: &'n ZonePlan<'n>,
    layout: Layout<'m>,
    explorer: Explorer<'n, W>,
    /// Looks at what was found and at endless delays, on which the condition holds.
    watch: Explorer<'n, W>,
    found: Vec<MeasureKnowledge>,
    /// States with values beyond the constants, as far as they are needed and kept.
    beyond: Vec<(usize, ClockId, ZoneState<W>)>,
    /// At most so many states are kept when everything was explored.
    most_kept: usize,
    store: Option<ZoneStore<W>>,
}

impl<'n, 'm, W: Word> Round<'n, 'm, W> {
    fn new(plan: &'n ZonePlan<'n>, layout: Layout<'m>, most_kept: usize) -> Round<'n, 'm, W> {
        let goals: Vec<&ZoneGoal> = layout.condition.iter().collect();
        let explorer = Explorer::from(layout.graph(plan).forgetting(&goals, layout.measures));
        let watch = match layout.predicate {
            Some(predicate) => layout
                .graph(plan)
                .avoiding(ZoneGoal::new(plan.network, predicate, false))
                .into(),
            None => explorer.another(),
        };
        let found = layout
            .measures
            .iter()
            .zip(&layout.ceilings)
            .map(|(measure, &ceiling)| MeasureKnowledge {
                values: Values::default(),
                is_clock: matches!(measure, Measure::Clock { .. }),
                ceiling,
                is_beyond: false,
                is_decided: false,
                is_unbounded: false,
            });
        Round {
            plan,
            found: found.collect(),
            layout,
            explorer,
            watch,
            beyond: Vec::new(),
            most_kept,
            store: None,
        }
    }

    /// The round with this number. `None`: the constants were raised, and another one is needed.
    fn run(
        mut self,
        number: u32,
        limits: &Limits<'_>,
        statistics: &mut Statistics,
        raise: &mut dyn FnMut(&[MeasureKnowledge]) -> bool,
    ) -> Result<Option<LastRound<'n>>, Fault> {
        let ended = self.explore(limits, statistics)?;
        let mut is_decided = ended.is_some();
        if !is_decided {
            is_decided = self.decide(number >= PATIENCE, limits, statistics)?;
        }
        let is_last = is_decided || !raise(&self.found);
        if is_last && !is_decided && number < PATIENCE {
            self.decide(true, limits, statistics)?;
        }
        if !is_last {
            return Ok(None);
        }
        let taken = self.explorer.scratch().taken().to_vec();
        let (zones, _) = self.explorer.into_parts();
        Ok(Some(LastRound {
            found: self.found,
            limit: ended,
            taken,
            stored: self.store.map(|store| StoredStates::new(zones, store)),
        }))
    }

    /// Visits all states.
    fn explore(&mut self, limits: &Limits<'_>, total: &mut Statistics) -> Result<Option<Limit>, Fault> {
        let mut store = ZoneStore::new(self.plan.network, Covering::Inclusion);
        let mut failed = None;
        let look = Examination {
            condition: &self.layout.condition,
            measures: self.layout.measures,
            wish: self.layout.wish,
        };
        let (watch, found, beyond) = (&mut self.watch, &mut self.found, &mut self.beyond);
        let mut test = |state: &ZoneState<W>| match look.at(watch, found, beyond, state) {
            Ok(()) => false,
            Err(stop) => {
                failed = Some(stop);
                true
            }
        };
        let goal = engine::Goal::when_expanded(&mut test);
        // A value may be missing where the model fails, so that the error is the answer.
        let limits = Limits {
            ends_at_fault: true,
            ..remaining(limits, total)
        };
        if let Some(alarm) = limits.alarm {
            self.explorer.set_alarm(alarm.clone());
        }
        let report = engine::search(
            &mut self.explorer.worker(),
            &mut store,
            &mut Breadth::new(),
            goal,
            &limits,
        );
        add(total, &report.statistics);
        let fault = report.fault.map(|fault| (fault.fault, fault.path));
        let fault = match report.outcome {
            Outcome::Found { path, .. } => failed.map(|stop| (stop, path)).or(fault),
            Outcome::LimitReached(limit) if fault.is_none() => return Ok(Some(limit)),
            Outcome::LimitReached(_) | Outcome::Exhausted => fault,
        };
        let Some((stop, path)) = fault else {
            self.store = Some(store).filter(|store| store.stored() <= self.most_kept);
            return Ok(None);
        };
        let attempt = self.explorer.scratch().attempt();
        // The way there was gone before, and did not fail.
        let path = self.explorer.transitions(&path).ok().flatten();
        let path = path.unwrap_or_default();
        Err(Fault { stop, path, attempt })
    }

    /// Decides for each measure whether the values are as wanted; true when all are.
    fn decide(
        &mut self,
        looks_for_growth: bool,
        limits: &Limits<'_>,
        total: &mut Statistics,
    ) -> Result<bool, Fault> {
        let mut all = true;
        for number in 0..self.found.len() {
            let found = &self.found[number];
            let is_decided = match self.layout.wish {
                _ if !found.is_clock || !found.is_beyond => true,
                // Values up to the ceiling are exact.
                RequestedValues::Lowest => !found.values.is_empty(),
                RequestedValues::Highest if found.values.has_no_end() => true,
                // A delay without end from up to the ceiling covers everything beyond.
                RequestedValues::All if found.values.has_no_end() => found.values.covers_from(found.ceiling),
                _ if !looks_for_growth => false,
                _ => {
                    let grows = self.grows(number, &remaining(limits, total), total)?;
                    self.found[number].is_unbounded = grows;
                    // Of all values at least the first are wanted as they are.
                    grows
                        && (self.layout.wish == RequestedValues::Highest
                            || !self.found[number].values.is_empty())
                }
            };
            self.found[number].is_decided = is_decided;
            all &= is_decided;
        }
        Ok(all)
    }
}

/// The points of a zone in which a clock is beyond a number.
fn beyond<W: Word>(zone: &[Bound<W>], dim: usize, index: usize, number: i64) -> Option<Vec<Bound<W>>> {
    let mut part = zone.to_vec();
    dbm::constrain(&mut part, dim, 0, index, Bound::lt(word(-number))).then_some(part)
}

/// Rest of the limits after the work so far.
fn remaining<'l>(limits: &Limits<'l>, done: &Statistics) -> Limits<'l> {
    Limits {
        explored: limits
            .explored
            .map(|most| most.saturating_sub(done.states_explored)),
        ..*limits
    }
}

/// Adds the work of a round to that of the rounds before it; what is there at the end is that of the last one.
pub fn add(total: &mut Statistics, round: &Statistics) {
    *total = Statistics {
        states_explored: total.states_explored + round.states_explored,
        transitions: total.transitions + round.transitions,
        max_depth: total.max_depth.max(round.max_depth),
        peak_bytes: total.peak_bytes.max(round.peak_bytes),
        ..*round
    };
}
