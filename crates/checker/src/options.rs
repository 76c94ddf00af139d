//! Options of searches.

pub(crate) mod proofs;
pub(crate) mod statistics;

pub use proofs::{Certify, ProofOptions};
pub use statistics::StatisticsOptions;

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::Range;
use std::time::{Duration, Instant};
use zonewalk_search::drs::Parameters;
use zonewalk_searches::{Estimator, Queueing, Search, Switching};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::store::Covering;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::shrink::Means;

/// How to search. A builder: `Options::new(Search::Ret).seed(7).max_walks(1000)`.
///
/// Options of some searches only are in a part of their own; other searches do not look at it. More fields may come: build options
/// by these methods, or end a literal with `..Options::default()`.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// By which method.
    pub search: Search,
    /// The seed: with the same number of threads it gives the same answer and trace everywhere.
    pub seed: u64,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// When to stop searching.
    pub deadline: Option<Instant>,
    /// Which trace is wanted, and what may go into it.
    pub trace: TraceOptions,
    /// For walks.
    pub walks: WalkOptions,
    /// For searches of the zone graph.
    pub zones: ZoneOptions,
    /// For searches that are led by estimates.
    pub directed: DirectedOptions,
    /// For deep random search; its seed is that of the options.
    pub drs: Parameters,
    /// For highway search.
    pub highway: HighwayOptions,
    /// For statistical queries.
    pub statistics: StatisticsOptions,
    /// For proofs.
    pub proofs: ProofOptions,
}

/// Options of traces.
#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// Which one.
    pub kind: TraceKind,
    /// Steps that may be simulated again to make a found trace shorter, besides three times as many as a short search has cost, or
    /// as many as a long one has. [`TraceKind::Short`] and the kinds after it are worth a multiple of it. 0 leaves the trace as it
    /// was found. It shapes the result, so it is a number of steps and not of seconds.
    pub shrink_budget: u64,
}

/// How walks go about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkOptions {
    /// The paper's schedule of walks, or ours.
    pub schedule: Schedule,
    /// How delays are chosen.
    pub delays: Delays,
    /// The depth of every walk, in place of the growing one.
    pub max_steps: Option<NonZeroU32>,
    /// The model's time after which stochastic walks end; other walks do not look at it.
    pub time_bound: Option<u64>,
    /// The number of the first walk; see [`Options::walk_range`].
    pub first: u64,
    /// Walks to make at most.
    pub max_walks: Option<u64>,
    /// Cost of earlier walks elsewhere; see [`Options::effort_before`].
    pub effort_before: u64,
}

/// How searches of the zone graph go about it.
#[derive(Clone, Copy, Debug)]
pub struct ZoneOptions {
    /// Memory for states, in bytes.
    pub memory: Option<u64>,
    /// States to store or visit at most.
    pub max_states: Option<u64>,
    /// Relation by which a state covers another one.
    pub covering: Covering,
    /// The extrapolation; the coarsest sound one unless given.
    pub extrapolation: Option<Abstraction>,
    /// States are told apart by variables that do not matter any more. The searches whose subject is the shape of the graph
    /// ([`Search::Drs`], [`Search::Highway`], [`Search::Random`]) always do that.
    pub keeps_variables: bool,
    /// A run without end on which time stands still does not count.
    pub non_zeno: bool,
}

/// Guidance of a directed search.
#[derive(Clone, Copy, Debug)]
pub struct DirectedOptions {
    /// The estimates; what suits the search unless given.
    pub estimator: Option<Estimator>,
    /// Which queue a state waits in.
    pub queueing: Queueing,
    /// Meaning of a context switch, for [`Queueing::Icb`].
    pub switching: Switching,
}

/// How highway search goes about it.
#[derive(Clone, Copy, Debug)]
pub struct HighwayOptions {
    /// States that are kept of each level.
    pub width: NonZeroUsize,
    /// The search as it is defined, in place of its approximation.
    pub is_exact: bool,
}

impl DirectedOptions {
    /// Estimates that lead this search.
    pub fn estimator_for(&self, search: Search) -> Estimator {
        self.estimator.unwrap_or_else(|| Estimator::default_for(search))
    }

    /// Whether the first run that A* finds is a shortest one.
    pub fn finds_shortest(&self) -> bool {
        self.estimator_for(Search::Astar).is_admissible() && self.queueing == Queueing::Plain
    }
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions {
            kind: TraceKind::Some,
            shrink_budget: Options::SHRINK_BUDGET,
        }
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
            non_zeno: false,
        }
    }
}

impl Default for DirectedOptions {
    fn default() -> Self {
        DirectedOptions {
            estimator: None,
            queueing: Queueing::Plain,
            switching: Switching::Any,
        }
    }
}

impl Default for HighwayOptions {
    fn default() -> Self {
        HighwayOptions {
            width: NonZeroUsize::MIN.saturating_add(31),
            is_exact: false,
        }
    }
}

/// Which trace is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceKind {
    /// None; what is found is checked all the same.
    None,
    /// The first one, made shorter as far as a few times the effort of the search allows.
    Some,
    /// The first one, made shorter with half a second's worth of effort at least.
    Short,
    /// The one with the fewest steps that the time limit allows to find.
    Shortest,
    /// The one with the least time.
    Fastest,
}

impl Default for Options {
    /// `auto` on one thread, without limits.
    fn default() -> Self {
        Options::new(Search::Auto)
    }
}

/// The builder.
impl Options {
    /// This search on one thread with seed 1, without limits.
    pub fn new(search: Search) -> Self {
        Options {
            search,
            seed: 1,
            threads: NonZeroUsize::MIN,
            deadline: None,
            trace: TraceOptions::default(),
            walks: WalkOptions::default(),
            zones: ZoneOptions::default(),
            directed: DirectedOptions::default(),
            drs: Parameters::default(),
            highway: HighwayOptions::default(),
            statistics: StatisticsOptions::default(),
            proofs: ProofOptions::default(),
        }
    }

    /// By which method.
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        Options { search, ..self }
    }

    /// The seed of everything that is left to chance.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Options { seed, ..self }
    }

    /// Number of threads; 0 counts as 1.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        Options { threads, ..self }
    }

    /// Ends the search after this time, counted from now. A time beyond what a clock can show is not a limit.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        let deadline = Instant::now().checked_add(timeout);
        Options { deadline, ..self }
    }

    /// Which trace is wanted.
    #[must_use]
    pub fn trace(mut self, kind: TraceKind) -> Self {
        self.trace.kind = kind;
        self
    }

    /// Walks to make at most.
    #[must_use]
    pub fn max_walks(mut self, walks: u64) -> Self {
        self.walks.max_walks = Some(walks);
        self
    }

    /// The depth of every walk, in place of the growing one; 0 counts as 1.
    #[must_use]
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.walks.max_steps = Some(NonZeroU32::new(steps).unwrap_or(NonZeroU32::MIN));
        self
    }

    /// Makes the walks with these numbers and no others: a unit of work that can be done anywhere.
    ///
    /// Walk number i of a seed is the same on every machine and with any number of threads, so the ranges of several machines
    /// together are the walks of one: the found run with the smallest number is the one that a single machine finds. That holds for
    /// `sem`, `ret`, `rlc`, `com` and `smc`; walks of other searches depend on earlier ones. How much effort goes into a shorter
    /// trace grows with the walks before it: with `shrink_budget` 0 traces are the same, too, and so they are with
    /// [`effort_before`](Options::effort_before).
    #[must_use]
    pub fn walk_range(mut self, numbers: Range<u64>) -> Self {
        self.walks.first = numbers.start;
        self.walks.max_walks = Some(numbers.end.saturating_sub(numbers.start));
        self
    }

    /// Cost of the walks before the first one, where others have made them: the effort that goes into a shorter trace grows
    /// with the walks before it. With the sum of theirs, the trace of a found walk is the one that a single process makes.
    #[must_use]
    pub fn effort_before(mut self, effort: u64) -> Self {
        self.walks.effort_before = effort;
        self
    }

    /// When proofs are judged.
    #[must_use]
    pub fn certify(mut self, certify: Certify) -> Self {
        self.proofs.certify = certify;
        self
    }

    /// Whether reports come with their certificates.
    #[must_use]
    pub fn keep_certificates(mut self, keeps: bool) -> Self {
        self.proofs.keeps_certificates = keeps;
        self
    }

    /// Memory for states, in bytes.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.zones.memory = Some(bytes);
        self
    }

    /// States to store or visit at most.
    #[must_use]
    pub fn max_states(mut self, states: u64) -> Self {
        self.zones.max_states = Some(states);
        self
    }
}

/// Walks without a goal unless a number is given: the whole schedule of depths once.
fn whole_schedule(schedule: Schedule) -> u64 {
    11 * match schedule {
        Schedule::Tuned => 562,
        Schedule::Paper => 15,
    }
}

/// States that random search visits without a goal unless a number is given: a path that never ends is followed forever.
const RANDOM_STATES: u64 = 50_000;

impl Options {
    /// Bounds a search that has no goal: walks by the whole schedule, a random search by a number of states, unless such a bound is
    /// given. A time limit cuts that short and never makes it more.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.walks
            .max_walks
            .get_or_insert(whole_schedule(self.walks.schedule));
        if self.search == Search::Random {
            self.zones.max_states.get_or_insert(RANDOM_STATES);
        }
        self
    }

    /// Which queue a state waits in; searches that have no several queues have one.
    pub(crate) fn queueing(&self) -> Queueing {
        match self.search {
            Search::Bfs | Search::Greedy | Search::Astar => self.directed.queueing,
            _ => Queueing::Plain,
        }
    }

    /// Some five milliseconds' worth of steps; steps that cost more count for more.
    pub const SHRINK_BUDGET: u64 = 20_000;

    /// Whether a found trace may be made another one: shorter, or with simpler times.
    pub(crate) fn shrinks(&self) -> bool {
        self.trace.shrink_budget > 0
    }

    /// Means for a better trace: a time limit ends that, too, but not at once.
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
    const GRACE: Duration = Duration::from_millis(100);

    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The number after that of the last walk, where walks are limited.
    pub(crate) fn last_walk(&self) -> Option<u64> {
        let walks = self.walks.max_walks?;
        Some(self.walks.first.saturating_add(walks))
    }

    /// Steps of a walk that ends by its time bound, if it ends: a zeno run never gets there.
    const TIMED_STEPS: u32 = 1 << 20;

    /// The depth of every walk; `None` where it grows. A time bound takes the place of the growing depth.
    pub fn depth(&self) -> Option<u32> {
        let timed = self.walks.time_bound.map(|_| Self::TIMED_STEPS);
        self.walks.max_steps.map(u32::from).or(timed)
    }
}
