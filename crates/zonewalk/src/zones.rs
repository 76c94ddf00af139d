//! Searches of the zone graph for the states that a query is about.

use crate::control::Control;
use crate::fastest::{Fastest, applies_to, fastest};
use crate::options::{Options, TraceWish, ZoneOptions};
use crate::outcome::{Outcome, Reason, Report, Stats, Times, Witness};
use crate::search::{Order, Search};
use crate::task::{Checker, State};
use crate::witness::{confirm, ticks};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_report::trace::End;
use zonewalk_search::drs::{Parameters, deep_random_search};
use zonewalk_search::highway::{Choice, Highway, highway_search, random_search};
use zonewalk_search::{
    self as search, Breadth, Depth, Flow, Limit, Limits, RandomDepth, Statistics, TransitionSystem,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::goal::Goal;
use zonewalk_symbolic::graph::{ExtraClock, ZoneGraph};
use zonewalk_symbolic::path::{Transition, conditions};
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, solve};
use zonewalk_walk::given::{Given, found};
use zonewalk_walk::shrink::{self, shrink};
use zonewalk_walk::trace::{Trace as Run, TraceStep};

/// The others that look for the same.
pub(crate) struct Company<'a> {
    /// Whether one of them has the answer.
    pub(crate) is_over: &'a (dyn Fn() -> bool + Sync),
    /// Tells them that the answer is here.
    pub(crate) done: &'a (dyn Fn() + Sync),
}

impl Company<'_> {
    /// Nobody else.
    pub(crate) const NONE: Company<'static> = Company {
        is_over: &|| false,
        done: &|| {},
    };
}

/// What a search of the zone graph came to.
pub(crate) enum Caught {
    /// A path to the goal.
    Path(Vec<u32>),
    /// Everything was looked at.
    Exhausted,
    Limit(Limit),
    /// The model fails behind this path.
    Fault(Stop, Vec<u32>),
    /// Some states may have been missed.
    Nothing,
}

/// A search of the zone graph for states.
pub(crate) struct Quest<'a> {
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) bounds: ClockBounds,
    pub(crate) goal: Option<Goal>,
    pub(crate) options: &'a Options,
    /// Asked every so often whether to stop.
    pub(crate) stop: &'a dyn Fn(&Statistics) -> bool,
    pub(crate) statistics: Statistics,
    /// Goals that are looked at without ending the search.
    pub(crate) watched: Vec<Goal>,
    /// States to visit at most, whatever the search.
    pub(crate) visits: Option<u64>,
    /// States visited so far.
    pub(crate) visited: Rc<Cell<u64>>,
}

impl<'a> Quest<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        sought: Option<(&State<'_>, bool)>,
        options: &'a Options,
        stop: &'a dyn Fn(&Statistics) -> bool,
    ) -> Self {
        let network = plan.network;
        let predicates: Vec<_> = sought.iter().map(|(state, _)| &state.predicate).collect();
        Quest {
            plan,
            bounds: network.bounds_for(&predicates),
            goal: sought.map(|(state, wanted)| Goal::new(network, &state.predicate, wanted)),
            options,
            stop,
            statistics: Statistics::default(),
            watched: Vec::new(),
            visits: None,
            visited: Rc::new(Cell::new(0)),
        }
    }

    /// The graph, abstracted as asked for, or as far as the goal allows: dead ends are about what states cannot do, which
    /// lower and upper bounds do not keep.
    pub(crate) fn graph(&self) -> ZoneGraph<'a> {
        self.graph_with(&[])
    }

    pub(crate) fn graph_with(&self, extra: &[ExtraClock]) -> ZoneGraph<'a> {
        let goals: Vec<&Goal> = self.goal.iter().chain(&self.watched).collect();
        let about_dead_ends = goals.iter().any(|goal| goal.mentions_deadlock());
        let abstraction = match self.options.zones.extrapolation {
            Some(Abstraction::Lu | Abstraction::LuPlus) | None if about_dead_ends => Abstraction::M,
            Some(asked) => asked,
            None => Abstraction::LuPlus,
        };
        ZoneGraph::new(self.plan, self.bounds.clone(), extra, abstraction, &goals)
    }

    pub(crate) fn limits(&self, by: Search) -> Limits<'a> {
        let bounds = bounds(&self.options.zones, by);
        Limits {
            explored: self.visits.or(bounds.explored),
            stop: Some(self.stop),
            ..bounds
        }
    }

    /// Searches. Edge instances that are taken anywhere are marked where `taken` is given.
    pub(crate) fn run(&mut self, by: Search, taken: Option<&mut [bool]>) -> Caught {
        // Another graph looks at goals: the one that is searched is busy with successors meanwhile.
        let mut judge = self.graph();
        let failed: RefCell<Option<Stop>> = RefCell::new(None);
        let goal = self.goal.clone();
        let mut test = |state: &ZoneState| {
            goal.as_ref().is_some_and(|goal| {
                judge.meets(goal, state).unwrap_or_else(|stop| {
                    *failed.borrow_mut() = Some(stop);
                    true
                })
            })
        };
        let outcome = self.drive(by, taken, search::Goal::state(&mut test));
        match outcome {
            search::Outcome::Found { path, .. } => match failed.into_inner() {
                Some(stop) => Caught::Fault(stop, path),
                None => Caught::Path(path),
            },
            search::Outcome::Exhausted => Caught::Exhausted,
            search::Outcome::LimitReached(Limit::Chance) => Caught::Nothing,
            search::Outcome::LimitReached(limit) => Caught::Limit(limit),
            search::Outcome::Fault { fault, path } => Caught::Fault(fault, path),
        }
    }

    /// Runs the search itself.
    pub(crate) fn drive(
        &mut self,
        by: Search,
        taken: Option<&mut [bool]>,
        sought: search::Goal<'_, ZoneState>,
    ) -> search::Outcome<ZoneState, Stop> {
        let goals: Vec<&Goal> = self.goal.iter().chain(&self.watched).collect();
        let mut graph = Observed {
            graph: self.graph().forgetting(&goals, &[]),
            taken,
            visited: Rc::clone(&self.visited),
        };
        let limits = self.limits(by);
        let network = self.plan.network;
        let covering = match (by, self.options.trace, self.options.zones.covering) {
            (Search::Zones(Order::Breadth), TraceWish::Shortest, Covering::Inclusion) => {
                Covering::KeepingInclusion
            }
            (.., covering) => covering,
        };
        let store = || ZoneStore::new(network, covering);
        let seed = self.options.seed;
        let report = match by {
            Search::Zones(Order::Depth) => {
                search::search(&mut graph, &mut store(), &mut Depth::new(), sought, &limits)
            }
            Search::Zones(Order::RandomDepth) => {
                let frontier = &mut RandomDepth::new(seed);
                search::search(&mut graph, &mut store(), frontier, sought, &limits)
            }
            Search::Drs => {
                let parameters = Parameters {
                    seed,
                    ..self.options.zones.drs
                };
                let report = deep_random_search(&mut graph, store, sought, &parameters, &limits);
                search::Report {
                    outcome: report.outcome,
                    statistics: Statistics {
                        states_stored: report.generated,
                        ..report.statistics
                    },
                }
            }
            // The sets of Definitions 3 and 5 are of states: what is included in a visited state is not visited.
            Search::Highway => {
                let equality = || ZoneStore::new(network, Covering::Equality);
                let highway = highway(self.options);
                highway_search(&mut graph, equality, sought, &highway, &limits)
            }
            Search::Random => {
                let visited = &mut ZoneStore::new(network, Covering::Equality);
                random_search(&mut graph, visited, sought, seed, &limits)
            }
            _ => search::search(&mut graph, &mut store(), &mut Breadth::new(), sought, &limits),
        };
        self.statistics = report.statistics;
        report.outcome
    }

    /// The transitions of a path.
    pub(crate) fn transitions(&self, path: &[u32]) -> Result<Vec<Transition>, String> {
        let found = self.graph().transitions(path);
        match found {
            Ok(Some(transitions)) => Ok(transitions),
            Ok(None) => Err("a path of the search cannot be followed again".to_owned()),
            Err(stop) => Err(format!("following the path again fails: {stop:?}")),
        }
    }
}

/// The zone graph, with marks on the edges that are taken.
struct Observed<'n, 't> {
    graph: ZoneGraph<'n>,
    taken: Option<&'t mut [bool]>,
    visited: Rc<Cell<u64>>,
}

impl TransitionSystem for Observed<'_, '_> {
    type State = ZoneState;
    type Fault = Stop;

    fn initial(&mut self, emit: &mut dyn FnMut(&ZoneState) -> Flow) -> Result<(), Stop> {
        self.graph.initial(emit)
    }

    fn successors(
        &mut self,
        state: &ZoneState,
        emit: &mut dyn FnMut(&ZoneState) -> Flow,
    ) -> Result<(), Stop> {
        self.visited.set(self.visited.get() + 1);
        let taken = &mut self.taken;
        self.graph.each_successor(state, &mut |state, step| {
            if let Some(taken) = taken {
                for &part in step.parts {
                    taken[part as usize] = true;
                }
            }
            emit(state)
        })
    }
}

/// A run, and its steps in the form in which walks take them.
pub(crate) type Timed = (Run, Vec<Given>);

/// Transitions with the times that suit a wish best; `None` when there are no such times. The end must meet the goal, if
/// there is one.
pub(crate) fn timed(
    plan: &Plan<'_>,
    bounds: &ClockBounds,
    transitions: &[Transition],
    goal: Option<&Goal>,
    wish: TraceWish,
) -> Result<Option<Timed>, String> {
    let path = conditions(plan, bounds, transitions, goal, None)
        .map_err(|stop| format!("repeating the path without abstraction fails: {stop:?}"))?;
    let Some(path) = path else { return Ok(None) };
    let objective = match wish {
        TraceWish::Fastest => Objective::Fastest,
        _ => Objective::Simple,
    };
    let Ok(solution) = solve(&path, objective, DEFAULT_BUDGET) else {
        return Ok(None);
    };
    let schedule = solution.schedule;
    let mut now = 0i64;
    let mut steps = Vec::with_capacity(transitions.len());
    let mut given = Vec::with_capacity(transitions.len());
    for (transition, &delay) in transitions.iter().zip(&schedule.delays) {
        now = now.saturating_add(delay);
        steps.push(TraceStep::new(
            plan.network,
            delay,
            &transition.parts,
            &transition.selects,
        ));
        given.push(Given {
            at: (now, schedule.unit),
            parts: transition.parts.clone(),
            selects: transition.selects.clone(),
        });
    }
    let run = Run {
        unit: schedule.unit,
        steps,
        last_delay: schedule.delays.last().copied().unwrap_or(0),
    };
    Ok(Some((run, given)))
}

impl Checker<'_, '_> {
    /// Decides whether states can be reached by a search of the zone graph.
    pub(crate) fn check_by_zones(
        &self,
        (state, wanted): (&State<'_>, bool),
        by: Search,
        options: &Options,
        control: &Control,
        company: &Company<'_>,
    ) -> Report {
        let start = Instant::now();
        let mut stats = Stats::default();
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let is_late = || {
            options
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let ask = |statistics: &Statistics| {
            control.see_states(by, statistics);
            control.is_interrupted() || (company.is_over)() || is_late()
        };
        let mut quest = Quest::new(plan, Some((state, wanted)), options, &ask);
        let caught = if is_late() {
            Caught::Limit(Limit::Stopped)
        } else {
            quest.run(by, None)
        };
        let mut times = Times {
            search: start.elapsed(),
            ..Times::default()
        };
        stats.count(&quest.statistics);
        if !matches!(caught, Caught::Limit(_) | Caught::Nothing) {
            (company.done)();
        }
        let outcome = match caught {
            Caught::Path(path) => self.reached(&mut quest, &path, (state, wanted), by, &mut times),
            // Over-approximation keeps everything that is reachable: what it does not reach, nobody does.
            Caught::Exhausted => Outcome::Decided {
                satisfied: !wanted,
                witness: None,
            },
            Caught::Fault(stop, path) => self.zone_fault(&quest, &stop, &path),
            Caught::Nothing => Outcome::Undecided(Reason::Nothing(stats)),
            Caught::Limit(limit) => Outcome::Undecided(reason(limit, stats, control)),
        };
        let outcome = match outcome {
            Outcome::Decided { witness: None, .. } if quest.statistics.states_stored == 0 => {
                self.no_initial_state().unwrap_or(outcome)
            }
            outcome => outcome,
        };
        Report {
            others: Vec::new(),
            outcome,
            search: by.name(),
            stats,
            times,
        }
    }

    /// Visits the states of the zone graph without a goal.
    pub(crate) fn visit_zones(
        &self,
        by: Search,
        options: &Options,
        control: &Control,
        taken: &mut [bool],
    ) -> Report {
        // Whoever has no walks to make visits everything, and that is done best in this order.
        let by = if by == Search::Auto {
            Search::Zones(Order::Breadth)
        } else {
            by
        };
        let mut stats = Stats::default();
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return self.no_zones(stop, by),
        };
        let is_late = || {
            options
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let ask = |statistics: &Statistics| {
            control.see_states(by, statistics);
            control.is_interrupted() || is_late()
        };
        let mut quest = Quest::new(plan, None, options, &ask);
        let caught = quest.run(by, Some(taken));
        stats.count(&quest.statistics);
        let outcome = match caught {
            Caught::Fault(stop, path) => self.zone_fault(&quest, &stop, &path),
            Caught::Limit(limit) => Outcome::Undecided(reason(limit, stats, control)),
            Caught::Nothing => Outcome::Undecided(Reason::Nothing(stats)),
            Caught::Path(_) | Caught::Exhausted => Outcome::Decided {
                satisfied: true,
                witness: None,
            },
        };
        let outcome = match outcome {
            Outcome::Decided { .. } if stats.states_stored == 0 => self.no_initial_state().unwrap_or(outcome),
            outcome => outcome,
        };
        Report {
            others: Vec::new(),
            outcome,
            search: by.name(),
            stats,
            times: Times::default(),
        }
    }

    /// A path to the goal as a run that is repeated by the reference interpreter.
    fn reached(
        &self,
        quest: &mut Quest<'_>,
        path: &[u32],
        (state, wanted): (&State<'_>, bool),
        by: Search,
        times: &mut Times,
    ) -> Outcome {
        let options = quest.options;
        let made = quest.transitions(path).and_then(|transitions| {
            timed(
                quest.plan,
                &quest.bounds,
                &transitions,
                quest.goal.as_ref(),
                options.trace,
            )
        });
        let (run, given) = match made {
            Ok(Some(made)) => made,
            // With clocks that can be stopped the path need not exist.
            _ if quest.plan.is_approximate() => return Outcome::Maybe { satisfied: wanted },
            Ok(None) => return Outcome::Bug("a path of the zone graph has no times".to_owned()),
            Err(error) => return Outcome::Bug(error),
        };
        let found = (run.steps.len(), ticks(run.duration(), run.unit));
        let (run, given) = match self.faster(quest, by, &run, times) {
            Ok(Some(faster)) => *faster,
            Ok(None) => (run, given),
            Err(error) => return Outcome::Bug(error),
        };
        let shrunk = self.shrunk(&run, &given, (state, wanted), by, options, times);
        let start = Instant::now();
        let goal = Some((state.expr, wanted));
        let is_wanted = options.trace != TraceWish::None;
        let best = shrunk.as_ref().unwrap_or(&run);
        let outcome = match confirm(&self.task.interpreter, best, goal, End::Goal, is_wanted) {
            Ok(trace) => Outcome::Decided {
                satisfied: wanted,
                witness: Some(Box::new(Witness {
                    steps: best.steps.len(),
                    duration: ticks(best.duration(), best.unit),
                    found_steps: found.0,
                    found_duration: found.1,
                    walk: 0,
                    trace,
                })),
            },
            Err(_) if quest.plan.is_approximate() => Outcome::Maybe { satisfied: wanted },
            Err(error) => Outcome::Bug(format!(
                "the trace that {} found does not replay: {error}",
                by.name()
            )),
        };
        times.replay = start.elapsed();
        outcome
    }

    /// The fastest run of all, where that is asked for and the limits allow it.
    fn faster(
        &self,
        quest: &mut Quest<'_>,
        by: Search,
        run: &Run,
        times: &mut Times,
    ) -> Result<Option<Box<Timed>>, String> {
        let options = quest.options;
        if options.trace != TraceWish::Fastest || !applies_to(by) || quest.plan.is_approximate() {
            return Ok(None);
        }
        let start = Instant::now();
        let known = run.duration().div_euclid(run.unit).saturating_add(1);
        let Ok(known) = i32::try_from(known) else {
            return Ok(None);
        };
        let found = fastest(quest, known, options)?;
        times.improve = start.elapsed();
        Ok(match found {
            Fastest::Found(made) if made.0.duration() * run.unit < run.duration() * made.0.unit => Some(made),
            _ => None,
        })
    }

    /// The run made shorter by walking along it; `None` where that does not help or is not asked for.
    fn shrunk(
        &self,
        run: &Run,
        given: &[Given],
        (state, wanted): (&State<'_>, bool),
        by: Search,
        options: &Options,
        times: &mut Times,
    ) -> Option<Run> {
        let is_shortest = by == Search::Zones(Order::Breadth);
        if options.trace != TraceWish::Some || is_shortest || !self.task.can_walk() {
            return None;
        }
        let start = Instant::now();
        let goal = zonewalk_walk::goal::Goal::new(&self.plan, &state.predicate, wanted);
        let end = (run.duration(), run.unit);
        let given = found(&self.plan, given, end);
        let shrunk = shrink(
            &self.plan,
            &goal,
            &given,
            options.shrink_budget,
            shrink::Objective::Steps,
        );
        times.shrink = start.elapsed();
        (shrunk.trace.steps.len() < run.steps.len()).then_some(shrunk.trace)
    }

    /// A run-time error of the model behind a path.
    pub(crate) fn zone_fault(&self, quest: &Quest<'_>, stop: &Stop, path: &[u32]) -> Outcome {
        match quest.transitions(path) {
            Ok(transitions) => self.fault_behind(quest.plan, &transitions, stop, quest.options),
            Err(_) if path.is_empty() => self.fault_behind(quest.plan, &[], stop, quest.options),
            Err(error) => Outcome::Bug(error),
        }
    }

    /// A run-time error of the model behind some transitions.
    pub(crate) fn fault_behind(
        &self,
        plan: &Plan<'_>,
        transitions: &[Transition],
        stop: &Stop,
        options: &Options,
    ) -> Outcome {
        let start = || Run {
            unit: 1,
            steps: Vec::new(),
            last_delay: 0,
        };
        let run = match timed(plan, &plan.network.bounds, transitions, None, options.trace) {
            Ok(Some((run, _))) => run,
            _ if transitions.is_empty() => start(),
            Ok(None) => return Outcome::Bug("the path to a run-time error has no times".to_owned()),
            Err(error) => return Outcome::Bug(error),
        };
        let diagnostic = self.stop_diagnostic(stop);
        let end = End::Error {
            message: diagnostic.message.clone(),
        };
        let is_wanted = options.trace != TraceWish::None;
        match confirm(&self.task.interpreter, &run, None, end, is_wanted) {
            Ok(trace) => Outcome::Fault {
                diagnostic: Box::new(diagnostic),
                trace: trace.map(Box::new),
            },
            Err(error) => Outcome::Bug(format!(
                "the trace to a run-time error ({}) does not replay: {error}",
                diagnostic.message
            )),
        }
    }

    /// Why successors cannot be computed, for a person.
    pub(crate) fn stop_diagnostic(&self, stop: &Stop) -> Diagnostic {
        let clock = |clock: u32| {
            let clocks = &self.task.interpreter.system().clocks;
            clocks
                .get(clock as usize)
                .map_or_else(|| "a clock".to_owned(), |clock| clock.name.to_string())
        };
        match stop {
            Stop::Trap(trap) => self.task.network.fault(*trap).to_diagnostic(),
            Stop::Rate { clock: c, rate, span } => {
                let message = format!(
                    "{} gets the rate {rate}, which is neither 0 nor 1 or contradicts another one",
                    clock(*c)
                );
                Diagnostic::error("conflicting-rates", *span, message)
            }
            Stop::Constant(number) => {
                let message = format!("a clock is compared with {number}, which is more than zones can hold");
                Diagnostic::error("unsupported", Span::NONE, message)
                    .help("walks can: --search ret; or choose a larger unit of time")
            }
            Stop::NegativeClock(c) => {
                let message = format!("{} gets a value below zero", clock(*c));
                Diagnostic::error("negative-clock", Span::NONE, message)
            }
        }
    }

    /// What there is to say when the initial invariants do not hold.
    pub(crate) fn no_initial_state(&self) -> Option<Outcome> {
        let error = self.task.interpreter.initial().err()?;
        Some(Outcome::Fault {
            diagnostic: Box::new(error.to_diagnostic()),
            trace: None,
        })
    }

    pub(crate) fn no_zones(&self, stop: &Stop, by: Search) -> Report {
        Report {
            others: Vec::new(),
            outcome: Outcome::Fault {
                diagnostic: Box::new(self.stop_diagnostic(stop)),
                trace: None,
            },
            search: by.name(),
            stats: Stats::default(),
            times: Times::default(),
        }
    }
}

/// How far a search of states may go. Searches that keep no states in store count those that they visit.
pub(crate) fn bounds(options: &ZoneOptions, by: Search) -> Limits<'static> {
    let is_by_visits = matches!(by, Search::Highway | Search::Random);
    let (visited, stored) = match options.max_states {
        Some(states) if is_by_visits => (Some(states), None),
        Some(states) => (None, usize::try_from(states).ok()),
        None => (None, None),
    };
    Limits {
        stored,
        explored: visited,
        memory: options.memory.and_then(|bytes| usize::try_from(bytes).ok()),
        stop: None,
    }
}

/// The parameters of highway search.
pub(crate) fn highway(options: &Options) -> Highway {
    Highway {
        width: options.zones.width,
        choice: if options.zones.is_exact {
            Choice::Exact
        } else {
            Choice::Approximate
        },
        seed: options.seed,
    }
}

/// Why a search of states ended early.
pub(crate) fn reason(limit: Limit, stats: Stats, control: &Control) -> Reason {
    match limit {
        Limit::Memory => Reason::Memory(stats),
        Limit::States => Reason::States(stats),
        Limit::Depth => Reason::Depth(stats),
        Limit::Chance => Reason::Nothing(stats),
        Limit::Stopped if control.is_interrupted() => Reason::Interrupted(stats),
        Limit::Stopped => Reason::Time(stats),
    }
}
