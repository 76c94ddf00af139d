//! What the user may ask for.

use crate::statistical::StatisticsOptions;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::{Duration, Instant};
use zonewalk_search::drs::Parameters;
use zonewalk_searches::{Estimator, Queueing, Search, Switching};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::store::Covering;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::shrink::Means;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// By which method.
    pub search: Search,
    /// Whose walks they are.
    pub schedule: Schedule,
    /// How delays are chosen.
    pub delays: Delays,
    /// The same seed and number of threads give the same answer and trace everywhere.
    pub seed: u64,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// The depth of every walk, in place of the growing one.
    pub max_steps: Option<NonZeroU32>,
    /// The model's time after which stochastic walks end; other walks do not look at it.
    pub time_bound: Option<u64>,
    /// Walks to make at most.
    pub max_walks: Option<u64>,
    /// When to stop searching.
    pub deadline: Option<Instant>,
    /// Which trace is wanted.
    pub trace: TraceKind,
    /// How searches of the zone graph go about it.
    pub zones: ZoneOptions,
    /// Steps that may be simulated again to make a found trace shorter, at least; after a long search it is about as many as
    /// that has cost. 0 leaves it as it was found. It shapes the result, so it is a number of steps and not of seconds.
    pub shrink_budget: u64,
    /// What statistical queries depend on.
    pub statistics: StatisticsOptions,
}

/// How searches of the zone graph go about it.
#[derive(Clone, Copy, Debug)]
pub struct ZoneOptions {
    /// Memory for states, in bytes.
    pub memory: Option<u64>,
    /// States to store or visit at most.
    pub max_states: Option<u64>,
    /// What covers a state.
    pub covering: Covering,
    /// The extrapolation; the coarsest sound one unless given.
    pub extrapolation: Option<Abstraction>,
    /// States are told apart by variables that do not matter any more. The searches whose subject is the shape of the graph
    /// ([`Search::Drs`], [`Search::Highway`], [`Search::Random`]) always do that.
    pub keeps_variables: bool,
    /// What leads a directed search; what suits it unless given.
    pub estimator: Option<Estimator>,
    /// Which queue a state waits in.
    pub queueing: Queueing,
    /// What a switch of context is, for [`Queueing::Icb`].
    pub switching: Switching,
    /// Parameters of deep random search, but for the seed.
    pub drs: Parameters,
    /// States that highway search keeps of each level.
    pub width: NonZeroUsize,
    /// Highway search as it is defined, in place of its approximation.
    pub is_exact: bool,
    /// A run without end on which time stands still does not count.
    pub non_zeno: bool,
}

impl ZoneOptions {
    /// What leads a directed search.
    pub fn estimator(&self, search: Search) -> Estimator {
        self.estimator.unwrap_or_else(|| Estimator::default_for(search))
    }

    /// Whether the first run that A* finds is a shortest one.
    pub fn finds_shortest(&self) -> bool {
        self.estimator(Search::Astar).is_admissible() && self.queueing == Queueing::Plain
    }
}

impl Default for ZoneOptions {
    fn default() -> Self {
        ZoneOptions {
            memory: None,
            max_states: None,
            covering: Covering::Inclusion,
            extrapolation: None,
            keeps_variables: false,
            estimator: None,
            queueing: Queueing::Plain,
            switching: Switching::Any,
            drs: Parameters::default(),
            width: NonZeroUsize::MIN.saturating_add(31),
            is_exact: false,
            non_zeno: false,
        }
    }
}

/// Which trace is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// None; what is found is checked all the same.
    None,
    /// The first one, made shorter.
    Some,
    /// The one with the fewest steps that the time limit allows to find.
    Shortest,
    /// The one with the least time.
    Fastest,
}

impl Default for Options {
    /// `auto` on one thread, without limits.
    fn default() -> Self {
        Options {
            search: Search::Auto,
            schedule: Schedule::Tuned,
            delays: Delays::Adaptive,
            seed: 1,
            threads: NonZeroUsize::MIN,
            max_steps: None,
            time_bound: None,
            max_walks: None,
            deadline: None,
            trace: TraceKind::Some,
            zones: ZoneOptions::default(),
            shrink_budget: Self::SHRINK_BUDGET,
            statistics: StatisticsOptions::default(),
        }
    }
}

impl Options {
    /// Which queue a state waits in; searches that have no several queues have one.
    pub(crate) fn queueing(&self) -> Queueing {
        match self.search {
            Search::Bfs | Search::Greedy | Search::Astar => self.zones.queueing,
            _ => Queueing::Plain,
        }
    }

    /// Less than a second's worth of steps; steps that cost more count for more.
    pub const SHRINK_BUDGET: u64 = 1_500_000;

    /// Whether a found trace may be made another one: shorter, or with simpler times.
    pub(crate) fn shrinks(&self) -> bool {
        self.shrink_budget > 0
    }

    /// What may go into a better trace: a time limit ends that, too, but not at once.
    pub(crate) fn means(&self, budget: u64) -> Means {
        Means {
            budget,
            deadline: self.trace_deadline(),
        }
    }

    /// When work on a trace that was found now ends at the latest.
    pub(crate) fn trace_deadline(&self) -> Option<Instant> {
        self.deadline
            .map(|deadline| deadline.max(Instant::now() + Self::GRACE))
    }

    /// How long a time limit is exceeded for a trace that is worth reading.
    const GRACE: Duration = Duration::from_millis(500);

    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Steps of a walk that ends by its time bound, if it ends: a zeno run never gets there.
    const TIMED_STEPS: u32 = 1 << 20;

    /// The depth of every walk; `None` where it grows. A time bound takes the place of the growing depth.
    pub fn depth(&self) -> Option<u32> {
        let timed = self.time_bound.map(|_| Self::TIMED_STEPS);
        self.max_steps.map(u32::from).or(timed)
    }
}
