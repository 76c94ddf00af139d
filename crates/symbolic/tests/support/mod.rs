//! Models as text, and what searches over their zone graphs make of them.

// Every test file takes what it needs.
#![allow(dead_code)]

pub(crate) mod follow;
pub(crate) mod grid;
pub(crate) mod models;
pub(crate) mod on_demand;
pub(crate) mod proof;

use std::num::{NonZeroU32, NonZeroUsize};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model};
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::InstanceId;
use zonewalk_network::{Network, Predicate};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, Part, Step};
use zonewalk_search::drs::{Parameters, deep_random_search};
use zonewalk_search::highway::{Choice, Highway, highway_search};
use zonewalk_search::{
    self as engine, Breadth, Depth, Fault, GeneratedState, Goal as SearchGoal, Guide, Limits, Outcome,
    Preference, Queues, RandomDepth, Rank, Report, Ties, guided_search_by_depth, search, search_by_depth,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::{Explorer, Zones};
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::path::{self, Transition};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::width::Width;
use zonewalk_testkit::load;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, solve};
use zonewalk_zones::Word;

/// A model with questions about its states.
pub(crate) struct Case {
    pub(crate) model: Model,
    pub(crate) system: System,
    pub(crate) network: Network,
    pub(crate) questions: Vec<Question>,
}

/// A predicate whose reachability is asked for.
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) expr: Expr,
    pub(crate) predicate: Predicate,
}

impl Case {
    /// Reads a model in the textual format.
    pub(crate) fn new(text: &str, questions: &[&str]) -> Result<Case, String> {
        let loaded = load("model.xta", text.as_bytes(), None).map_err(|refused| refused.to_string())?;
        let (network, predicates) = loaded.compiled(questions)?;
        let question = |(text, (predicate, expr)): (&&str, _)| Question {
            text: (*text).to_owned(),
            expr,
            predicate,
        };
        Ok(Case {
            model: loaded.model,
            system: loaded.system,
            network,
            questions: questions.iter().zip(predicates).map(question).collect(),
        })
    }

    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.model, &self.system).expect("a model that the interpreter runs")
    }

    pub(crate) fn bounds(&self, question: &Question) -> ClockBounds {
        self.network.bounds_for(&[&question.predicate])
    }

    /// A transition of the zone graph as the interpreter names it.
    pub(crate) fn parts(&self, parts: &[InstanceId], selects: &[i32]) -> Vec<Part> {
        self.network.step(0, parts, selects).parts
    }
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Breadth,
    /// Covered only by what is no deeper.
    BreadthByDepth,
    Depth,
    RandomDepth(u64),
    /// Deep random search; the seed, and by how much iterations grow.
    DeepRandom(u64, u32),
    /// Highway search, wide enough for small networks.
    Highway(Choice),
    /// A* with the estimate of [`OneStep`].
    Directed,
}

/// Whatever is no goal, and no other state is ranked, is at least one step away from it.
struct OneStep;

impl<'n, W: Word> Guide<Zones<'n, W>> for OneStep {
    type Rank = Rank;

    fn rank(&mut self, met: &GeneratedState<'_, '_, Zones<'n, W>>) -> engine::Verdict<Rank> {
        let is_initial = met.parent.is_none();
        assert_eq!(met.step.parts.is_empty(), is_initial, "steps are made by edges");
        engine::Verdict::Keep(Rank {
            queue: 0,
            priority: u64::from(met.depth) + 1,
        })
    }
}

/// A way to decide a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub(crate) order: Order,
    pub(crate) covering: Covering,
    pub(crate) abstraction: Abstraction,
    /// Whether variables that do not matter are forgotten.
    pub(crate) forgets: bool,
}

/// Every order, store and abstraction at least once.
pub(crate) const METHODS: [Method; 16] = {
    const fn method(order: Order, covering: Covering, abstraction: Abstraction) -> Method {
        Method {
            order,
            covering,
            abstraction,
            forgets: false,
        }
    }
    const fn forgetting(order: Order, covering: Covering, abstraction: Abstraction) -> Method {
        Method {
            forgets: true,
            ..method(order, covering, abstraction)
        }
    }
    [
        forgetting(Order::Breadth, Covering::Inclusion, Abstraction::LuPlus),
        forgetting(Order::Breadth, Covering::Equality, Abstraction::None),
        method(Order::Breadth, Covering::Inclusion, Abstraction::LuPlus),
        method(Order::Breadth, Covering::Equality, Abstraction::None),
        method(Order::Breadth, Covering::Inclusion, Abstraction::None),
        forgetting(Order::Depth, Covering::Inclusion, Abstraction::M),
        method(Order::RandomDepth(7), Covering::Equality, Abstraction::M),
        method(Order::Depth, Covering::Equality, Abstraction::Lu),
        forgetting(Order::RandomDepth(3), Covering::Inclusion, Abstraction::Lu),
        method(Order::BreadthByDepth, Covering::Inclusion, Abstraction::LuPlus),
        forgetting(Order::BreadthByDepth, Covering::Inclusion, Abstraction::M),
        forgetting(
            Order::DeepRandom(5, u32::MAX),
            Covering::Inclusion,
            Abstraction::LuPlus,
        ),
        method(Order::DeepRandom(9, 1), Covering::Equality, Abstraction::M),
        method(
            Order::Highway(Choice::Approximate),
            Covering::Inclusion,
            Abstraction::LuPlus,
        ),
        forgetting(Order::Highway(Choice::Exact), Covering::Equality, Abstraction::Lu),
        forgetting(Order::Directed, Covering::Inclusion, Abstraction::LuPlus),
    ]
};

impl Method {
    /// Whether what it finds has the fewest transitions. Equal states are never retired, so any store by equality does.
    fn is_shortest(self) -> bool {
        match self.order {
            Order::Breadth => self.covering == Covering::Equality,
            Order::BreadthByDepth | Order::DeepRandom(_, 1) | Order::Directed => true,
            _ => false,
        }
    }
}

/// Verdict of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A goal was met by these transitions.
    Reached(Vec<Transition>),
    Unreachable,
    /// Too many states.
    Unknown,
    Failed(Stop),
}

/// Searches for a state in which a question's predicate holds, or for one in which it does not. Where words of 32 bits do, those of
/// 64 say the same.
pub(crate) fn decide(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    holds: bool,
    method: Method,
    most: usize,
) -> Verdict {
    let goal = ZoneGoal::new(&case.network, &question.predicate, holds);
    let graph = ZoneGraph::new(plan, case.bounds(question), &[], method.abstraction, &[&goal]);
    let wide = decide_in_words::<i64>(case, plan, question, holds, method, most);
    if graph.width() == Width::Narrow {
        let narrow = decide_in_words::<i32>(case, plan, question, holds, method, most);
        assert_eq!(narrow, wide, "{method:?}");
    }
    wide
}

fn decide_in_words<W: Word>(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    holds: bool,
    method: Method,
    most: usize,
) -> Verdict {
    let goal = ZoneGoal::new(&case.network, &question.predicate, holds);
    let bounds = case.bounds(question);
    let graph = || ZoneGraph::new(plan, bounds.clone(), &[], method.abstraction, &[&goal]);
    let mut system: Explorer<'_, W> = Explorer::from(if method.forgets {
        graph().forgetting(&[&goal], &[])
    } else {
        graph()
    });
    let mut judge = system.another();
    let mut failure = None;
    let mut test = |state: &ZoneState<W>| match judge.meets(&goal, state) {
        Ok(truth) => truth,
        Err(stop) => {
            failure = Some(stop);
            true
        }
    };
    let new_store = || ZoneStore::new(&case.network, method.covering);
    let mut store = new_store();
    let limits = Limits {
        stored: Some(most),
        explored: Some(most as u64),
        ..Limits::default()
    };
    let wanted = SearchGoal::state(&mut test);
    let (outcome, fault) = match method.order {
        Order::Breadth => ended(search(
            &mut system.worker(),
            &mut store,
            &mut Breadth::new(),
            wanted,
            &limits,
        )),
        Order::BreadthByDepth => ended(search_by_depth(
            &mut system.worker(),
            &mut store,
            &mut Breadth::new(),
            wanted,
            &limits,
        )),
        Order::Depth => ended(search(
            &mut system.worker(),
            &mut store,
            &mut Depth::new(),
            wanted,
            &limits,
        )),
        Order::RandomDepth(seed) => {
            let mut frontier = RandomDepth::new(seed);
            ended(search(
                &mut system.worker(),
                &mut store,
                &mut frontier,
                wanted,
                &limits,
            ))
        }
        Order::DeepRandom(seed, increment) => {
            let parameters = Parameters {
                seed,
                increment: NonZeroU32::new(increment).unwrap_or(NonZeroU32::MAX),
                ..Parameters::default()
            };
            let report = deep_random_search(&mut system.worker(), new_store, wanted, &parameters, &limits);
            (report.outcome, report.fault)
        }
        Order::Highway(choice) => {
            let highway = Highway {
                width: NonZeroUsize::MAX,
                choice,
                seed: 1,
            };
            ended(highway_search(
                &mut system.worker(),
                new_store,
                wanted,
                &highway,
                &limits,
            ))
        }
        Order::Directed => ended(guided_search_by_depth(
            &mut system.worker(),
            &mut store,
            &mut Queues::new(Preference, Ties::Newest),
            &mut OneStep,
            wanted,
            &limits,
        )),
    };
    if let Some(stop) = failure {
        return Verdict::Failed(stop);
    }
    match outcome {
        Outcome::Found { path, .. } => match Explorer::<'_, W>::from(graph()).transitions(&path) {
            Ok(Some(transitions)) => Verdict::Reached(transitions),
            Ok(None) => panic!("the path of the search cannot be followed"),
            Err(stop) => Verdict::Failed(stop),
        },
        // What was found without a failing transition is certain; that there is nothing is not.
        Outcome::Exhausted | Outcome::LimitReached(_) if fault.is_some() => {
            fault.map_or(Verdict::Unknown, |fault| Verdict::Failed(fault.fault))
        }
        Outcome::Exhausted => Verdict::Unreachable,
        Outcome::LimitReached(_) => Verdict::Unknown,
    }
}

/// The zones of all states that a search with the closest abstraction to Extra-LU+ meets; `None` when they are too many, or when
/// the model fails.
pub(crate) fn every_zone(case: &Case, plan: &ZonePlan<'_>, most: usize) -> Option<Vec<ZoneState<i64>>> {
    let bounds = case.network.bounds.clone();
    let mut system: Explorer<'_, i64> =
        Explorer::from(ZoneGraph::new(plan, bounds, &[], Abstraction::LuPlus, &[]));
    let mut store = ZoneStore::new(&case.network, Covering::Inclusion);
    let mut zones = Vec::new();
    let mut keep = |state: &ZoneState<i64>| {
        zones.push(state.clone());
        false
    };
    let limits = Limits {
        stored: Some(most),
        explored: Some(most as u64),
        ..Limits::default()
    };
    let wanted = SearchGoal::state(&mut keep);
    let (outcome, fault) = ended(search(
        &mut system.worker(),
        &mut store,
        &mut Breadth::new(),
        wanted,
        &limits,
    ));
    (matches!(outcome, Outcome::Exhausted) && fault.is_none()).then_some(zones)
}

fn ended<W>(report: Report<ZoneState<W>, Stop>) -> (Outcome<ZoneState<W>>, Option<Fault<Stop>>) {
    (report.outcome, report.fault)
}

/// Makes a run of a symbolic path and repeats it on the interpreter.
pub(crate) fn confirm(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    holds: bool,
    transitions: &[Transition],
) -> Result<(), String> {
    let goal = ZoneGoal::new(&case.network, &question.predicate, holds);
    let conditions = path::conditions(plan, &case.bounds(question), transitions, Some(&goal), None)
        .map_err(|stop| format!("{stop:?} on the path"))?
        .ok_or("the path is not possible without abstraction")?;
    let solution = solve(&conditions, Objective::Simple, DEFAULT_BUDGET).map_err(|e| e.to_string())?;
    let schedule = solution.schedule;
    let interpreter = case.interpreter();
    let mut state = interpreter.initial().map_err(|e| e.to_string())?;
    let time = |ticks: i64| Rational::new(ticks.into(), schedule.unit.into()).map_err(|e| e.to_string());
    for (index, (transition, &delay)) in transitions.iter().zip(&schedule.delays).enumerate() {
        let step = Step {
            delay: time(delay)?,
            parts: case.parts(&transition.parts, &transition.selects),
        };
        state = interpreter
            .replay_step(&state, &step)
            .map_err(|e| format!("step {index}: {e}; {:?}", schedule.delays))?;
    }
    let last = schedule.delays[transitions.len()];
    let state = interpreter
        .delay(&state, time(last)?)
        .map_err(|e| format!("the last delay: {e}"))?;
    if interpreter
        .holds(&state, &question.expr)
        .map_err(|e| e.to_string())?
        != holds
    {
        return Err(format!("the goal does not hold after {:?}", schedule.delays));
    }
    Ok(())
}

/// Why methods give no answer together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The model has an error that shows when it runs.
    Model(Stop),
    /// The methods are at odds with each other or with the interpreter.
    Dissent(String),
}

impl From<Trouble> for String {
    fn from(trouble: Trouble) -> String {
        match trouble {
            Trouble::Model(stop) => format!("{stop:?}"),
            Trouble::Dissent(message) => message,
        }
    }
}

/// Decides a question by all methods; those that come to an end agree, and what is reached is confirmed.
///
/// `Ok(None)`: no method came to an end.
pub(crate) fn agreed(
    case: &Case,
    plan: &ZonePlan<'_>,
    question: &Question,
    holds: bool,
    most: usize,
) -> Result<Option<bool>, Trouble> {
    let mut known: Option<(bool, Method)> = None;
    let mut shortest: Option<(usize, Method)> = None;
    for method in METHODS {
        let found = decide(case, plan, question, holds, method, most);
        if let Verdict::Reached(transitions) = &found
            && method.is_shortest()
            && !plan.is_approximate()
        {
            let (length, other) = *shortest.get_or_insert((transitions.len(), method));
            if length != transitions.len() {
                return Err(Trouble::Dissent(format!(
                    "{}: {length} transitions by {other:?}, {} by {method:?}",
                    question.text,
                    transitions.len()
                )));
            }
        }
        let truth = match found {
            Verdict::Unknown => continue,
            Verdict::Failed(stop) => return Err(Trouble::Model(stop)),
            Verdict::Unreachable => false,
            Verdict::Reached(transitions) => {
                if !plan.is_approximate() {
                    confirm(case, plan, question, holds, &transitions)
                        .map_err(|e| Trouble::Dissent(format!("{}: {method:?}: {e}", question.text)))?;
                }
                true
            }
        };
        match known {
            None => known = Some((truth, method)),
            Some((before, _)) if before == truth => {}
            // With stopped clocks "reached" is a maybe, and abstractions differ in it; "unreachable" is a proof.
            Some(_) if plan.is_approximate() => known = Some((false, method)),
            Some((before, other)) => {
                return Err(Trouble::Dissent(format!(
                    "{}: {before} by {other:?}, {truth} by {method:?}",
                    question.text
                )));
            }
        }
    }
    Ok(known.map(|(truth, _)| truth))
}
