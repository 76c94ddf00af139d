//! One pass over the zone graph that answers many questions at once: what is reached and taken, where guards hold, whom
//! invariants keep out, and whether the premises of queries are ever met.
//!
//! Everything is counted by template: a location or an edge is reached if some process of the template reaches it. The
//! abstraction is the coarsest that keeps reachability. It may make a guard look false where it is not, so that a guard
//! which is always true is missed now and then; it never makes something look unreachable that is not.

use crate::budget::{Budget, LintOptions};
use std::marker::PhantomData;
use zonewalk_checker::{self as checker, Checker, Control, Outcome, Search};
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_network::ids::InstanceId;
use zonewalk_network::{Network, Predicate};
use zonewalk_search::{self as search, Breadth, Emit, Limit, Limits, TransitionSystem, Worker};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::{Explorer, Zones};
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::{Step, ZoneGraph};
use zonewalk_symbolic::observe::Truth;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::scratch::Scratch;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::width::Width;
use zonewalk_zones::Word;

/// Facts about an edge of a template.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EdgeFacts {
    /// Some process took it.
    pub(crate) is_taken: bool,
    /// Observed truth values of its guard.
    pub(crate) guard: Truth,
    /// Some process could have one edge instance of it.
    pub(crate) has_instances: bool,
}

/// Facts about a location of a template.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LocationFacts {
    pub(crate) is_reached: bool,
    /// Some transition would have entered it, but for invariants.
    pub(crate) is_tried: bool,
    /// Its own invariant let one of these in.
    pub(crate) admits: bool,
}

/// How the pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurveyEnd {
    /// The whole state space was explored.
    Complete,
    /// A limit.
    Limit(Limit),
    /// It was interrupted.
    Interrupted,
}

/// The pass, and what it has seen.
pub(crate) struct Survey<'n> {
    plan: &'n ZonePlan<'n>,
    network: &'n Network,
    /// By template and edge.
    edges: Vec<Vec<EdgeFacts>>,
    /// By template and location.
    locations: Vec<Vec<LocationFacts>>,
    /// The premises that are watched, and whether they were met.
    pub(crate) premises: Vec<(Option<Predicate>, bool)>,
    pub(crate) end: SurveyEnd,
    /// Whether the model made an error somewhere.
    pub(crate) fault: Option<Stop>,
    pub(crate) states: u64,
    pub(crate) walks: u64,
    /// By edge instance: the template and the edge.
    keys: Vec<(TemplateId, EdgeId)>,
    /// By edge instance: the location that it enters.
    targets: Vec<LocationId>,
    has_guard: Vec<bool>,
}

impl<'n> Survey<'n> {
    /// Creates an empty survey.
    pub(crate) fn new(
        plan: &'n ZonePlan<'n>,
        templates: &[(usize, usize)],
        premises: Vec<Option<Predicate>>,
    ) -> Survey<'n> {
        let network = plan.network;
        let variant_of = |instance: &zonewalk_network::Instance| {
            let process = &network.processes[instance.process.index()];
            &network.variants[process.variant as usize]
        };
        let keys: Vec<_> = network
            .instances
            .iter()
            .map(|instance| (variant_of(instance).template, network.edge(instance).id))
            .collect();
        let mut survey = Survey {
            plan,
            network,
            edges: templates
                .iter()
                .map(|&(_, edges)| vec![EdgeFacts::default(); edges])
                .collect(),
            locations: templates
                .iter()
                .map(|&(locations, _)| vec![LocationFacts::default(); locations])
                .collect(),
            premises: premises.into_iter().map(|premise| (premise, false)).collect(),
            end: SurveyEnd::Limit(Limit::Stopped),
            fault: None,
            states: 0,
            walks: 0,
            targets: network
                .instances
                .iter()
                .map(|instance| network.edge(instance).target)
                .collect(),
            has_guard: network
                .instances
                .iter()
                .map(|instance| !network.guard(instance).is_empty())
                .collect(),
            keys,
        };
        for &(template, edge) in &survey.keys {
            survey.edges[template.index()][edge.index()].has_instances = true;
        }
        survey
    }

    pub(crate) fn edge(&self, template: TemplateId, edge: EdgeId) -> EdgeFacts {
        self.edges[template.index()][edge.index()]
    }

    pub(crate) fn location(&self, template: TemplateId, location: LocationId) -> LocationFacts {
        self.locations[template.index()][location.index()]
    }

    /// Whether what was not seen is not there.
    pub(crate) fn is_complete(&self) -> bool {
        self.end == SurveyEnd::Complete && self.fault.is_none()
    }

    /// Explores the zone graph until everything is seen or a limit is reached.
    pub(crate) fn run(&mut self, budget: &Budget, options: &LintOptions, control: &Control) {
        let predicates: Vec<&Predicate> = self.premises.iter().filter_map(|(p, _)| p.as_ref()).collect();
        let bounds = self.network.bounds_for(&predicates);
        let goals: Vec<ZoneGoal> = predicates
            .iter()
            .map(|predicate| ZoneGoal::new(self.network, predicate, true))
            .collect();
        let numbers: Vec<usize> = (0..self.premises.len())
            .filter(|&number| self.premises[number].0.is_some())
            .collect();
        let watched: Vec<&ZoneGoal> = goals.iter().collect();
        let graph =
            ZoneGraph::new(self.plan, bounds, &[], Abstraction::LuPlus, &watched).forgetting(&watched, &[]);
        let open_goals = numbers.into_iter().zip(goals.clone()).collect();
        match graph.width() {
            Width::Narrow => self.explore(Explorer::<i32>::from(graph), open_goals, budget, options, control),
            Width::Wide => self.explore(Explorer::<i64>::from(graph), open_goals, budget, options, control),
        }
    }

    fn explore<W: Word>(
        &mut self,
        explorer: Explorer<'n, W>,
        open_goals: Vec<(usize, ZoneGoal)>,
        budget: &Budget,
        options: &LintOptions,
        control: &Control,
    ) {
        let is_over = |_: &search::Progress| control.is_interrupted() || budget.is_over();
        let limits = Limits {
            memory: options.memory.and_then(|bytes| usize::try_from(bytes).ok()),
            stop: Some(&is_over),
            ..Limits::default()
        };
        let explorer = explorer.leaving_off(control.alarm(Some(budget.deadline())));
        let mut store = ZoneStore::new(self.network, Covering::Inclusion);
        let judge = explorer.another();
        let (zones, scratch) = explorer.into_parts();
        let mut surveyor = Surveyor {
            scratch,
            judge,
            open_goals,
            survey: self,
        };
        let mut nothing = |_: &ZoneState<W>| false;
        let report = search::search(
            &mut Worker::new(&Surveyed(zones, PhantomData), &mut surveyor),
            &mut store,
            &mut Breadth::new(),
            search::Goal::state(&mut nothing),
            &limits,
        );
        self.states = report.statistics.states_explored;
        self.fault = report.fault.map(|fault| fault.fault);
        self.end = match report.outcome {
            // The last state may not have been looked at to its end.
            search::Outcome::Exhausted if control.is_interrupted() => SurveyEnd::Interrupted,
            search::Outcome::Exhausted if budget.is_over() => SurveyEnd::Limit(Limit::Stopped),
            search::Outcome::Exhausted | search::Outcome::Found { .. } => SurveyEnd::Complete,
            search::Outcome::LimitReached(_) if control.is_interrupted() => SurveyEnd::Interrupted,
            search::Outcome::LimitReached(limit) => SurveyEnd::Limit(limit),
        };
    }

    /// Adds what random walks reach.
    pub(crate) fn walk(
        &mut self,
        checker: &Checker<'_, '_>,
        budget: &Budget,
        options: &LintOptions,
        control: &Control,
    ) {
        let walks = zonewalk_checker::Options {
            seed: options.seed,
            threads: options.threads,
            deadline: Some(budget.deadline()),
            ..zonewalk_checker::Options::new(Search::Ret)
        };
        let explored = checker.explore(&walks, control);
        self.walks = match &explored.report.outcome {
            Outcome::Undecided(reason)
                if matches!(
                    reason.limit,
                    checker::Limit::Time | checker::Limit::Cancelled | checker::Limit::Walks
                ) =>
            {
                reason.stats.walks
            }
            // Walks that found nothing say nothing.
            _ => return,
        };
        let mut missed = vec![Vec::new(); self.edges.len()];
        for unreached in &explored.coverage.unreached_edges {
            if unreached.missed == unreached.processes {
                missed[unreached.template.index()].push(unreached.id.index());
            }
        }
        for number in 0..self.keys.len() {
            let (template, edge) = self.keys[number];
            if !missed[template.index()].contains(&edge.index()) {
                self.take(InstanceId(number as u32));
            }
        }
    }

    /// An edge is taken.
    fn take(&mut self, instance: InstanceId) {
        let (template, edge) = self.keys[instance.index()];
        let facts = &mut self.edges[template.index()][edge.index()];
        facts.is_taken = true;
        facts.guard.holds = true;
        self.reach(template, self.targets[instance.index()]);
    }

    fn reach(&mut self, template: TemplateId, location: LocationId) {
        self.locations[template.index()][location.index()].is_reached = true;
    }

    /// Whether it is open if a location lets anything in.
    fn is_entry_open(&self, instance: InstanceId) -> bool {
        let (template, _) = self.keys[instance.index()];
        let facts = &self.locations[template.index()][self.targets[instance.index()].index()];
        !facts.is_reached && !facts.admits
    }
}

/// The zone graph, seen by a survey.
struct Surveyed<'s, 'n, W>(Zones<'n, W>, PhantomData<fn(&'s ())>);

/// Findings of a survey, with the room to find them.
struct Surveyor<'s, 'n, W> {
    scratch: Scratch<W>,
    judge: Explorer<'n, W>,
    /// With their numbers among the premises.
    open_goals: Vec<(usize, ZoneGoal)>,
    survey: &'s mut Survey<'n>,
}

impl<W: Word> Surveyor<'_, '_, W> {
    fn see(&mut self, state: &ZoneState<W>) {
        let (judge, survey) = (&mut self.judge, &mut *self.survey);
        self.open_goals.retain(|(number, goal)| {
            // A premise that cannot be evaluated is not vacuous for sure.
            let is_met = judge.meets(goal, state).unwrap_or(true);
            survey.premises[*number].1 |= is_met;
            !is_met
        });
        let (graph, scratch) = self.judge.parts();
        let (keys, has_guard, edges) = (&survey.keys, &survey.has_guard, &mut survey.edges);
        let edges = std::cell::RefCell::new(edges);
        graph.each_guard(
            scratch,
            state,
            &mut |instance| {
                let (template, edge) = keys[instance.index()];
                has_guard[instance.index()]
                    && edges.borrow()[template.index()][edge.index()].guard != Truth::BOTH
            },
            &mut |instance, truth| {
                let (template, edge) = keys[instance.index()];
                let guard = &mut edges.borrow_mut()[template.index()][edge.index()].guard;
                guard.holds |= truth.holds;
                guard.fails |= truth.fails;
            },
        );
        let network = survey.network;
        let count = network.layout.locations as usize;
        let processes = (0..)
            .map(zonewalk_network::ids::ProcessId)
            .zip(&state.discrete[..count]);
        let mut outgoing =
            processes.flat_map(|(process, &at)| network.outgoing(process, LocationId(at as u32)));
        if outgoing.any(|instance| survey.is_entry_open(instance)) {
            let survey = std::cell::RefCell::new(&mut *survey);
            graph.each_entry(
                scratch,
                state,
                &mut |instance| survey.borrow().is_entry_open(instance),
                &mut |instance, admits| {
                    let mut survey = survey.borrow_mut();
                    let (template, _) = survey.keys[instance.index()];
                    let target = survey.targets[instance.index()];
                    let facts = &mut survey.locations[template.index()][target.index()];
                    facts.is_tried = true;
                    facts.admits |= admits;
                },
            );
        }
    }
}

impl<'s, 'n: 's, W: Word> TransitionSystem for Surveyed<'s, 'n, W> {
    type State = ZoneState<W>;
    type Step<'e> = Step<'e>;
    type Fault = Stop;
    type Scratch = Surveyor<'s, 'n, W>;

    fn initial<'e>(&'e self, surveyor: &'e mut Self::Scratch, emit: Emit<'e, Self>) -> Result<(), Stop> {
        let network = surveyor.survey.network;
        for process in &network.processes {
            let template = network.variants[process.variant as usize].template;
            surveyor.survey.reach(template, process.initial);
        }
        self.0.initial(&mut surveyor.scratch, emit)
    }

    fn successors<'e>(
        &'e self,
        surveyor: &'e mut Self::Scratch,
        state: &ZoneState<W>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Stop> {
        surveyor.see(state);
        let survey = &mut *surveyor.survey;
        self.0
            .successors(&mut surveyor.scratch, state, &mut |state, step| {
                for &part in step.parts {
                    survey.take(part);
                }
                emit(state, step)
            })
    }
}
