//! One search of the zone graph: its graph, its goal, its limits, and how it is driven.

mod estimates;

use crate::control::Control;
use crate::options::{Options, ZoneOptions};
use crate::order::{Order, Stores, search_in_order};
use crate::outcome::Overview;
use crate::outcome::{DirectedStats, Guidance};
use crate::search_end::SearchEnd;
use crate::task::StateGoal;
use estimates::Prepared;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::time::{Duration, Instant};
use zonewalk_heuristics::{self as heuristics, Alternation, Directed, Estimator as _, GoalCount, Heuristic};
use zonewalk_network::Transition;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::refusals::Refusals;
use zonewalk_network::{Network, Predicate};
use zonewalk_product::Pattern;
use zonewalk_search::{self as search, Emit, Limits, Statistics, TransitionSystem, Worker};
use zonewalk_searches::{Family, Queueing};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::effort::UNITS_PER_STEP;
use zonewalk_symbolic::explorer::{Explorer, Zones};
use zonewalk_symbolic::extremes;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::{ExtraClock, Step, ZoneGraph};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::scratch::Scratch;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::stored::StoredStates;
use zonewalk_symbolic::suspects::Suspects;
use zonewalk_symbolic::width::Width;
use zonewalk_zones::Word;

/// A run-time error that was met.
pub(crate) struct Failure {
    pub(crate) stop: Stop,
    /// The way to the state that fails.
    pub(crate) path: Vec<u32>,
    /// The transition that was tried there, where it is known.
    pub(crate) attempt: Option<Transition>,
}

/// A search of the zone graph for states.
pub(crate) struct ZoneSearch<'a> {
    pub(crate) plan: &'a ZonePlan<'a>,
    pub(crate) bounds: ClockBounds,
    /// For a goal that looks for deadlocks: where the bounds say what is refused, and they are these.
    suspects: Option<Suspects>,
    /// Work of the rounds before the last one.
    earlier: (Statistics, u64),
    pub(crate) goal: Option<ZoneGoal>,
    /// Goal for estimates.
    aim: Option<(Predicate, bool)>,
    pub(crate) options: &'a Options,
    control: &'a Control,
    /// Asked regularly whether to stop.
    pub(crate) stop: &'a dyn Fn(&Moment<'_>) -> bool,
    pub(crate) statistics: Statistics,
    /// Estimates and queues that led the search, if any did.
    pub(crate) lead: Option<Guidance>,
    /// Cost of the estimates, if any led the search.
    pub(crate) directed: Option<DirectedStats>,
    /// Patterns of pattern databases; empty: choose automatically.
    pub(crate) patterns: &'a heuristics::PatternSource,
    /// Patterns that were used in the end.
    pub(crate) used: Vec<Pattern>,
    /// The first run-time error. The search has gone on without what failed.
    pub(crate) failure: Option<Failure>,
    /// Goals that are examined without ending the search.
    pub(crate) watched: Vec<ZoneGoal>,
    /// Premises of the query. Those that hold nowhere are left when the search is over.
    pub(crate) premises: Vec<(usize, ZoneGoal)>,
    /// By edge instance: whether some transition took it.
    pub(crate) taken: Vec<bool>,
    /// States from which an estimate has seen no way to the goal; what lies behind them was not visited.
    pruned: u64,
    /// All reachable states, after a search that has stored them.
    pub(crate) stored: Option<StoredStates<'a>>,
    /// States to visit at most, whatever the search.
    pub(crate) visits: Option<u64>,
    /// Effort of the search, in steps of a walk in a small model.
    pub(crate) effort: u64,
}

/// How far a search has come.
pub(crate) struct Moment<'s> {
    pub(crate) statistics: &'s Statistics,
    /// Effort so far, in steps of a walk in a small model.
    pub(crate) effort: u64,
    /// Whether abstractions are explored, before the search.
    pub(crate) is_preparing: bool,
}

/// Counters of a worker, which its goal reads while successors are computed.
#[derive(Default)]
pub(crate) struct Counters {
    /// States visited so far.
    pub(crate) visited: Cell<u64>,
    /// Effort so far.
    effort: Cell<u64>,
    /// Error of the last evaluation of the goal.
    failed: Cell<Option<Stop>>,
}

impl<'a> ZoneSearch<'a> {
    pub(crate) fn new(
        plan: &'a ZonePlan<'a>,
        sought: Option<&StateGoal<'_>>,
        (options, control): (&'a Options, &'a Control),
        stop: &'a dyn Fn(&Moment<'_>) -> bool,
    ) -> Self {
        let network = plan.network;
        let predicates: Vec<_> = sought.iter().map(|goal| &goal.predicate).collect();
        let goal = sought.map(|sought| ZoneGoal::new(network, &sought.predicate, sought.wanted));
        let wants_deadlock = goal.as_ref().is_some_and(ZoneGoal::wants_deadlock);
        ZoneSearch {
            plan,
            bounds: network.bounds_with(&predicates, &[], &Refusals::nowhere(network)),
            suspects: sought
                .filter(|_| wants_deadlock)
                .map(|sought| Suspects::new(network, &sought.predicate)),
            earlier: Default::default(),
            goal,
            aim: sought
                .filter(|_| {
                    let is_directed = options.search.info().family == Some(Family::Directed);
                    is_directed || options.queueing() != Queueing::Plain
                })
                .map(|sought| (sought.predicate.clone(), sought.wanted)),
            options,
            control,
            stop,
            statistics: Statistics::default(),
            lead: None,
            directed: None,
            patterns: &heuristics::PatternSource::Growing,
            used: Vec::new(),
            failure: None,
            watched: Vec::new(),
            premises: Vec::new(),
            taken: Vec::new(),
            pruned: 0,
            stored: None,
            visits: None,
            effort: 0,
        }
    }

    /// The graph, abstracted as asked for.
    pub(crate) fn graph(&self) -> ZoneGraph<'a> {
        self.graph_by(&self.bounds, &[])
    }

    /// The graph with clocks of the search's own, in which no deadlock is just a suspect.
    pub(crate) fn exact_graph(&self, extra: &[ExtraClock]) -> ZoneGraph<'a> {
        match &self.suspects {
            Some(suspects) => self.graph_by(&suspects.exact_bounds(self.plan.network), extra),
            None => self.graph_by(&self.bounds, extra),
        }
    }

    fn graph_by(&self, bounds: &ClockBounds, extra: &[ExtraClock]) -> ZoneGraph<'a> {
        let goals: Vec<&ZoneGoal> = self.goal.iter().chain(&self.watched).collect();
        let abstraction = self.options.zones.extrapolation.unwrap_or(Abstraction::LuPlus);
        ZoneGraph::new(self.plan, bounds.clone(), extra, abstraction, &goals)
    }

    /// The words that its zones are computed in.
    pub(crate) fn width(&self) -> Width {
        self.graph().width()
    }

    /// System that the search explores. An estimate depends on the cells that are kept, whatever reads them.
    pub(crate) fn explorer<W: Word>(&self, by: Order, kept: &[u32]) -> Explorer<'a, W> {
        let premises = self.premises.iter().map(|(_, premise)| premise);
        let goals: Vec<&ZoneGoal> = self.goal.iter().chain(&self.watched).chain(premises).collect();
        if by.is_of_all() && !self.options.zones.keeps_variables {
            self.graph().forgetting_all_but(kept, &goals, &[]).into()
        } else {
            self.graph().into()
        }
    }

    pub(crate) fn limits<'l>(&self, by: Order, stop: &'l dyn Fn(&Statistics) -> bool) -> Limits<'l> {
        let bounds = bounds(&self.options.zones, by);
        Limits {
            explored: self.visits.or(bounds.explored),
            stop: Some(stop),
            ..bounds
        }
    }

    /// Whether a search has to stop that has come so far and made this effort.
    pub(crate) fn stops(&self, statistics: &Statistics, effort: u64) -> bool {
        (self.stop)(&Moment {
            statistics,
            effort,
            is_preparing: false,
        })
    }

    /// Searches. Edge instances that are taken anywhere are marked where `taken` is given.
    pub(crate) fn run(&mut self, by: Order, mut taken: Option<&mut [bool]>) -> SearchEnd<Vec<u32>> {
        loop {
            let taken = taken.as_deref_mut();
            let end = match self.width() {
                Width::Narrow => self.run_in_words::<i32>(by, taken),
                Width::Wide => self.run_in_words::<i64>(by, taken),
            };
            match &end {
                SearchEnd::Found(path) if self.doubts(path) => {
                    self.earlier = (self.statistics, self.effort);
                }
                _ => return end,
            }
        }
    }

    /// Whether a find is a suspect that may be none; the bounds are finer then.
    fn doubts(&mut self, path: &[u32]) -> bool {
        let (Some(mut suspects), Some(goal)) = (self.suspects.clone(), &self.goal) else {
            return false;
        };
        let keeps_sides_apart = matches!(self.graph().abstraction(), Abstraction::Lu | Abstraction::LuPlus);
        let is_doubted = keeps_sides_apart
            && self
                .transitions(path)
                .is_ok_and(|transitions| suspects.doubts(self.plan, &transitions, goal));
        if is_doubted {
            self.bounds = suspects.bounds(self.plan.network);
            self.suspects = Some(suspects);
        }
        is_doubted
    }

    fn run_in_words<W: Word>(&mut self, by: Order, taken: Option<&mut [bool]>) -> SearchEnd<Vec<u32>> {
        let prepared = self.prepare(by);
        let kept = prepared.as_ref().map_or(&[][..], |prepared| &prepared.cells);
        let alarm = self.control.alarm(self.options.deadline);
        let explorer: Explorer<'_, W> = self.explorer(by, kept).leaving_off(alarm);
        // Goals are examined while successors are computed.
        let mut judge = explorer.another();
        let counters = Counters::default();
        let goal = self.goal.clone();
        let mut premises = std::mem::take(&mut self.premises);
        let mut test = |state: &ZoneState<W>| {
            if !premises.is_empty() {
                // One that cannot be evaluated may hold.
                premises.retain(|(_, premise)| !judge.meets(premise, state).unwrap_or(true));
            }
            goal.as_ref().is_some_and(|goal| {
                judge.meets(goal, state).unwrap_or_else(|stop| {
                    // Whether it is a goal is not known; another one may be.
                    counters.failed.set(Some(stop));
                    false
                })
            })
        };
        let outcome = self.drive(
            (explorer, &counters),
            by,
            taken,
            search::Goal::state(&mut test),
            prepared,
        );
        self.premises = premises;
        SearchEnd::of_states(outcome, self.control)
    }

    /// Overview of all reachable states, after a search that has visited them. `None` where it may have left some out.
    pub(crate) fn overview(&self) -> Option<Overview> {
        let is_complete = self.failure.is_none() && self.pruned == 0;
        is_complete.then(|| Overview {
            taken: self.taken.clone(),
            vacuous: self.premises.iter().map(|(number, _)| *number).collect(),
        })
    }

    /// Runs the search itself.
    pub(crate) fn drive<W: Word>(
        &mut self,
        (explorer, counters): (Explorer<'a, W>, &Counters),
        by: Order,
        taken: Option<&mut [bool]>,
        sought: search::Goal<'_, ZoneState<W>>,
        prepared: Option<Prepared<W>>,
    ) -> search::Outcome<ZoneState<W>> {
        let (zones, scratch) = explorer.into_parts();
        let mut observer = Observer {
            scratch,
            taken,
            counters,
        };
        let observed = Observed(zones, PhantomData);
        let worker = &mut Worker::new(&observed, &mut observer);
        let stops = self.stop;
        let (before, effort_before) = self.earlier;
        let stop = |statistics: &Statistics| {
            stops(&Moment {
                statistics,
                effort: effort_before + counters.effort.get(),
                is_preparing: false,
            })
        };
        let limits = self.limits(by, &stop);
        let limits = Limits {
            explored: limits
                .explored
                .map(|most| most.saturating_sub(before.states_explored)),
            ..limits
        };
        let stores = ZoneStores {
            network: self.plan.network,
            covering: self.options.zones.covering,
            kept: RefCell::new(None),
        };
        // Several queues are a matter of directed searches; breadth first nothing else leads them.
        let has_queues = self.options.queueing() != Queueing::Plain && by == Order::Breadth;
        let order = by.directed().or(has_queues.then_some(heuristics::Order::Greedy));
        let report = match (order, &self.aim) {
            (Some(order), Some((predicate, wanted))) => {
                let start = Instant::now();
                let aim = heuristics::GoalFormula::new(self.plan.network, predicate, *wanted);
                let preparation = prepared.as_ref().map_or(Duration::ZERO, |p| p.took);
                let (mut guide, without) = self.guide(&aim, order, by, prepared);
                let preparation = start.elapsed() + preparation;
                let (report, counters, pruned) = if self.options.queueing() == Queueing::Alternation {
                    let cheap = GoalCount::new(self.plan.network, &aim);
                    let (mut guide, mut frontier) = Alternation::new(guide, cheap, self.options.seed);
                    let mut visited = stores.visited();
                    let report = search::guided_search(
                        worker,
                        &mut visited,
                        &mut frontier,
                        &mut guide,
                        sought,
                        &limits,
                    );
                    stores.keep(visited);
                    (report, guide.counters(), guide.pruned())
                } else {
                    let report = directed(worker, &stores, sought, &mut guide, &limits);
                    (report, guide.heuristic.counters(), guide.pruned())
                };
                self.pruned = pruned;
                self.directed = by.directed().map(|_| DirectedStats {
                    evaluations: counters.evaluations,
                    cache_hits: counters.cache_hits,
                    pruned,
                    reopened: report.statistics.reopened,
                    abstract_states: counters.abstract_states + without,
                    preparation,
                });
                report
            }
            _ => search_in_order(worker, &stores, sought, by, self.options, &limits),
        };
        self.statistics = before;
        extremes::add(&mut self.statistics, &report.statistics);
        self.taken = observer.scratch.taken().to_vec();
        self.effort = effort_before + counters.effort.get();
        self.failure = report.fault.map(|fault| {
            let Unknown {
                stop,
                successor,
                attempt,
            } = fault.fault;
            let path = fault.path.into_iter().chain(successor).collect();
            Failure { stop, path, attempt }
        });
        let has_all = matches!(report.outcome, search::Outcome::Exhausted)
            && self.failure.is_none()
            && self.pruned == 0;
        self.stored = (stores.kept.into_inner())
            .filter(|_| has_all)
            .map(|kept| StoredStates::new(observed.0, kept));
        report.outcome
    }

    /// The transitions of a path.
    pub(crate) fn transitions(&self, path: &[u32]) -> Result<Vec<Transition>, String> {
        let found = match self.width() {
            Width::Narrow => Explorer::<'_, i32>::from(self.graph()).transitions(path),
            Width::Wide => Explorer::<'_, i64>::from(self.graph()).transitions(path),
        };
        match found {
            Ok(Some(transitions)) => Ok(transitions),
            Ok(None) => Err("a path of the search cannot be followed again".to_owned()),
            Err(stop) => Err(format!("following the path again fails: {stop:?}")),
        }
    }
}

/// Searches in the order of estimates.
fn directed<W: Word>(
    worker: &mut Worker<'_, Observed<'_, '_, W>>,
    stores: &ZoneStores<'_, W>,
    sought: search::Goal<'_, ZoneState<W>>,
    guide: &mut Directed<'_, Box<dyn Heuristic<W> + '_>, W>,
    limits: &Limits<'_>,
) -> search::Report<ZoneState<W>, Unknown> {
    let mut frontier = guide.order().frontier();
    match guide.order() {
        heuristics::Order::AStar => {
            let mut nodes = stores.nodes();
            let report =
                search::guided_search_by_depth(worker, &mut nodes, &mut frontier, guide, sought, limits);
            stores.keep_nodes(nodes);
            report
        }
        heuristics::Order::Greedy => {
            let mut visited = stores.visited();
            let report = search::guided_search(worker, &mut visited, &mut frontier, guide, sought, limits);
            stores.keep(visited);
            report
        }
    }
}

/// Stores of zones.
struct ZoneStores<'n, W> {
    network: &'n Network,
    covering: Covering,
    /// The states of the search, when it is over.
    kept: RefCell<Option<ZoneStore<W>>>,
}

impl<W: Word> Stores for ZoneStores<'_, W> {
    type State = ZoneState<W>;
    type Visited = ZoneStore<W>;
    type Nodes = ZoneStore<W>;
    type Equal = ZoneStore<W>;

    fn visited(&self) -> ZoneStore<W> {
        ZoneStore::new(self.network, self.covering)
    }

    fn nodes(&self) -> ZoneStore<W> {
        self.visited()
    }

    fn keep(&self, visited: ZoneStore<W>) {
        self.kept.replace(Some(visited));
    }

    fn keep_nodes(&self, nodes: ZoneStore<W>) {
        self.keep(nodes);
    }

    fn equal(&self) -> ZoneStore<W> {
        ZoneStore::new(self.network, Covering::Equality)
    }

    fn includes(&self) -> bool {
        self.covering == Covering::Inclusion
    }
}

/// The zone graph, observed.
struct Observed<'o, 'n, W>(Zones<'n, W>, PhantomData<fn(&'o ())>);

/// Scratch of a worker: marks on the edges that are taken, and counters.
struct Observer<'o, W> {
    scratch: Scratch<W>,
    taken: Option<&'o mut [bool]>,
    counters: &'o Counters,
}

/// A property of a state that could not be found out.
struct Unknown {
    stop: Stop,
    /// The successor in which the goal fails, by its ordinal; otherwise some successors are not known.
    successor: Option<u32>,
    /// The transition that was tried.
    attempt: Option<Transition>,
}

impl<W: Word> Observer<'_, W> {
    /// Result after all states have been emitted: `first` is a state in which the goal fails.
    fn known(&self, result: Result<(), Stop>, first: Option<(Stop, u32)>) -> Result<(), Unknown> {
        match first {
            Some((stop, ordinal)) => Err(Unknown {
                stop,
                successor: Some(ordinal),
                attempt: None,
            }),
            None => result.map_err(|stop| Unknown {
                stop,
                successor: None,
                attempt: self.scratch.attempt(),
            }),
        }
    }
}

impl<'o, W: Word> TransitionSystem for Observed<'o, '_, W> {
    type State = ZoneState<W>;
    type Step<'s> = Step<'s>;
    type Fault = Unknown;
    type Scratch = Observer<'o, W>;

    fn initial<'e>(&'e self, observer: &'e mut Observer<'o, W>, emit: Emit<'e, Self>) -> Result<(), Unknown> {
        let failed = &observer.counters.failed;
        let (mut ordinal, mut first) = (0, None);
        let result = self.0.initial(&mut observer.scratch, &mut |state, step| {
            let flow = emit(state, step);
            first = first.or(failed.take().map(|stop| (stop, ordinal)));
            ordinal += 1;
            flow
        });
        observer.known(result, first)
    }

    fn successors<'e>(
        &'e self,
        observer: &'e mut Observer<'o, W>,
        state: &ZoneState<W>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Unknown> {
        let (taken, counters) = (&mut observer.taken, observer.counters);
        counters.visited.set(counters.visited.get() + 1);
        counters.effort.set(observer.scratch.effort() / UNITS_PER_STEP);
        let (mut ordinal, mut first) = (0, None);
        let result = self
            .0
            .successors(&mut observer.scratch, state, &mut |state, step| {
                if let Some(taken) = taken {
                    for &part in step.parts {
                        taken[part.index()] = true;
                    }
                }
                let flow = emit(state, step);
                first = first.or(counters.failed.take().map(|stop| (stop, ordinal)));
                ordinal += 1;
                flow
            });
        observer.known(result, first)
    }
}

/// How far a search of states may go. Searches that keep no states in store count those that they visit.
pub(crate) fn bounds(options: &ZoneOptions, by: Order) -> Limits<'static> {
    let (visited, stored) = match options.max_states {
        Some(states) if by.counts_visits() => (Some(states), None),
        Some(states) => (None, usize::try_from(states).ok()),
        None => (None, None),
    };
    Limits {
        stored,
        explored: visited,
        memory: options.memory.and_then(|bytes| usize::try_from(bytes).ok()),
        stop: None,
        alarm: None,
        ends_at_fault: false,
    }
}
