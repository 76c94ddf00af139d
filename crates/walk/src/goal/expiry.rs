//! Goals that come too late: `p && x <= 400` cannot be met any more once `x` is past 400 and no process will set it.
//!
//! Then the rest of a walk is in vain, and before that a delay beyond the last instant would be. Whether a clock may still
//! be set is a matter of the locations that processes can reach: an over-approximation, which data do not change.

use crate::plan::WalkPlan;
use crate::state::State;
use crate::time::FOREVER;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Relation};
use zonewalk_network::ids::ClockId;
use zonewalk_network::ids::ProcessId;

/// An upper bound that a goal sets to a clock.
#[derive(Clone, Debug)]
pub(crate) struct Expiry {
    clock: ClockId,
    /// The largest value, in ticks; odd if it is strict.
    ticks: i64,
    /// The processes that may set the clock: by location, whether they can get to do so.
    setters: Vec<(ProcessId, Vec<bool>)>,
}

impl Expiry {
    /// Reads the end of time off a conjunct of a goal, if it names one.
    pub(crate) fn new(plan: &WalkPlan<'_>, bound: &ClockBound, context: &Context) -> Option<Expiry> {
        let network = plan.network;
        let strict = match bound.relation {
            Relation::Less => 1,
            Relation::LessEqual | Relation::Equal => 0,
            _ => return None,
        };
        if bound.when.is_some() || bound.setup.is_some() || bound.right.is_some() {
            return None;
        }
        let clock = ClockId(network.constant(bound.left, context)? as u32);
        let number = network.constant(bound.bound, context)?;
        let routines = [network.before_update, network.after_update];
        let is_set_always = routines
            .iter()
            .flatten()
            .any(|routine| network.sets.clocks(routine.clock_writes).any(|c| c == clock));
        let is_stopped = network
            .invariants
            .iter()
            .any(|invariant| network.sets.clocks(invariant.rate_clocks).any(|c| c == clock));
        if is_set_always || is_stopped {
            return None;
        }
        Some(Expiry {
            clock,
            ticks: i64::from(number) * plan.unit - strict,
            setters: setters(plan, clock),
        })
    }

    /// Whether it is about the same clock as another one, and says no less.
    pub(crate) fn covers(&self, other: &Expiry) -> bool {
        self.clock == other.clock && self.ticks <= other.ticks
    }
}

/// The processes that may set a clock, and the locations from which they can get to do so.
fn setters(plan: &WalkPlan<'_>, clock: ClockId) -> Vec<(ProcessId, Vec<bool>)> {
    let network = plan.network;
    let mut setters = Vec::new();
    for (number, process) in plan.processes().zip(&network.processes) {
        let locations = network.variants[process.variant as usize].locations.len();
        let mut may_set = vec![false; locations];
        let instances = || process.instances.map(|number| network.instance(number));
        for instance in instances() {
            if network.sets.clocks(instance.clock_writes).any(|c| c == clock) {
                may_set[network.edge(instance).source.index()] = true;
            }
        }
        if !may_set.contains(&true) {
            continue;
        }
        let mut is_closed = false;
        while !is_closed {
            is_closed = true;
            for instance in instances() {
                let edge = network.edge(instance);
                if may_set[edge.target.index()] && !may_set[edge.source.index()] {
                    may_set[edge.source.index()] = true;
                    is_closed = false;
                }
            }
        }
        setters.push((number, may_set));
    }
    setters
}

/// The bounds of a goal during a walk.
#[derive(Clone, Debug)]
pub(crate) struct Expiries<'g> {
    list: &'g [Expiry],
    /// By bound: processes before this one set the clock no more.
    passed: Vec<usize>,
}

impl<'g> Expiries<'g> {
    pub(crate) fn new(list: &'g [Expiry]) -> Self {
        Expiries {
            list,
            passed: vec![0; list.len()],
        }
    }

    /// A walk begins.
    pub(crate) fn begin(&mut self) {
        self.passed.fill(0);
    }

    /// The last instant at which the goal may hold, as far as that is known.
    #[inline]
    pub(crate) fn last_instant(&mut self, state: &State) -> i64 {
        let mut last = FOREVER;
        for (expiry, passed) in self.list.iter().zip(&mut self.passed) {
            while let Some((process, may_set)) = expiry.setters.get(*passed)
                && !may_set[state.location(*process).index()]
            {
                *passed += 1;
            }
            let clock = state.clocks.values[expiry.clock.index()];
            if *passed == expiry.setters.len() && clock.runs {
                last = last.min(clock.origin + expiry.ticks);
            }
        }
        last
    }
}
