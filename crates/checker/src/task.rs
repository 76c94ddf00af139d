//! A model with its queries, compiled once for all of them.

mod meta_variables;
mod unbounded;

use crate::channels;
use crate::premise::Premise;
use crate::statistical_query::{Exact, Sampling, StatisticalQuestion};
use std::sync::OnceLock;
use zonewalk_heuristics::PatternSource;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Extremum, Feature, Model, Query, QueryKind};
use zonewalk_network::{CompileError, ErrorKind, Measure, Network, NetworkBuilder, Predicate, unsupported};
use zonewalk_reference::Interpreter;
use zonewalk_searches::Search;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::Stop;
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::span::Span;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::smc::obstacle;

/// A model with its queries, compiled.
pub struct CompiledModel<'m> {
    pub(crate) interpreter: Interpreter<'m>,
    pub(crate) network: Network,
    queries: Vec<&'m Query>,
    compiled: Vec<CompiledQuery<'m>>,
    /// Premises of each of them.
    premises: Vec<Vec<Premise>>,
    /// Warnings about channels; made when they are asked for.
    unpaired: OnceLock<Vec<Diagnostic>>,
    /// Constructs that keep walks from the model, although other searches support it.
    no_walks: Vec<Diagnostic>,
}

/// A query, compiled.
pub(crate) enum CompiledQuery<'m> {
    /// Are there states of this kind?
    States(StateGoal<'m>),
    /// Is there a maximal run that has states of this kind alone?
    Run(StateGoal<'m>),
    /// Does the second follow the first?
    LeadsTo(StatePredicate<'m>, StatePredicate<'m>),
    /// How large or small do expressions become?
    Extremes {
        kind: Extremum,
        condition: Option<StatePredicate<'m>>,
        measures: Vec<Measure>,
        exprs: &'m [Expr],
        /// Frame slots that evaluating them needs.
        slots: usize,
    },
    /// Random runs are asked.
    Runs(Box<Sampling<'m>>),
    /// It cannot be compiled, for this reason.
    Invalid(Box<Diagnostic>),
    /// No search decides it.
    Unsupported,
}

impl CompiledQuery<'_> {
    /// The predicates that it has of states.
    pub(crate) fn predicates(&self) -> Vec<&Predicate> {
        match self {
            CompiledQuery::States(goal) | CompiledQuery::Run(goal) => vec![&goal.predicate],
            CompiledQuery::LeadsTo(first, then) => vec![&first.predicate, &then.predicate],
            CompiledQuery::Extremes { condition, .. } => {
                condition.iter().map(|state| &state.predicate).collect()
            }
            CompiledQuery::Runs(sampling) => sampling
                .exact
                .iter()
                .flat_map(|exact| &exact.predicates)
                .collect(),
            CompiledQuery::Invalid(_) | CompiledQuery::Unsupported => Vec::new(),
        }
    }

    /// Whether it looks for states by this predicate.
    pub(crate) fn is_about(&self, goal: &StateGoal<'_>) -> bool {
        matches!(self, CompiledQuery::States(own) if std::ptr::eq(own.expr, goal.expr))
    }
}

/// A state predicate.
pub(crate) struct StatePredicate<'m> {
    pub(crate) expr: &'m Expr,
    pub(crate) predicate: Predicate,
}

impl<'m> StatePredicate<'m> {
    /// The states in which it has this truth value.
    pub(crate) fn having(self, wanted: bool) -> StateGoal<'m> {
        let StatePredicate { expr, predicate } = self;
        StateGoal {
            expr,
            predicate,
            wanted,
        }
    }
}

/// The states that a search looks for: those in which a predicate has a truth value.
pub(crate) struct StateGoal<'m> {
    pub(crate) expr: &'m Expr,
    pub(crate) predicate: Predicate,
    pub(crate) wanted: bool,
}

/// Ready to search.
pub struct Checker<'t, 'm> {
    pub(crate) task: &'t CompiledModel<'m>,
    walk_plan: OnceLock<WalkPlan<'t>>,
    zone_plan: OnceLock<Result<ZonePlan<'t>, Stop>>,
    /// Components that pattern databases are about.
    pub(crate) patterns: PatternSource,
}

/// The states that a query is about, ready to be looked for by walks.
pub(crate) struct Target<'t> {
    pub(crate) goal: WalkGoal,
    pub(crate) sought: &'t StateGoal<'t>,
}

impl<'m> CompiledModel<'m> {
    /// Compiles a model and the predicates of its queries.
    ///
    /// # Errors
    /// Constructs that no search supports.
    pub fn new(model: &'m Model, system: &'m System, queries: &[&'m Query]) -> Result<Self, Vec<Diagnostic>> {
        let refusals = refusals_of(model, |_| true);
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let no_walks = unsupported(model).into_iter().filter(|found| found.engines.walks);
        let mut builder = NetworkBuilder::new(model, system)
            .map_err(|errors| errors.iter().map(CompileError::to_diagnostic).collect::<Vec<_>>())?;
        let interpreter = Interpreter::new(model, system)
            .map_err(|found| vec![refusal("zonewalk does", found.construct, found.span)])?;
        let mut compile_or_refuse = |query: &&'m Query| {
            compile(query, &mut builder)
                .unwrap_or_else(|error| CompiledQuery::Invalid(Box::new(error.to_diagnostic())))
        };
        let compiled = queries.iter().map(&mut compile_or_refuse).collect();
        let premises = queries.iter().map(|query| Premise::of_query(query, &mut builder));
        let premises = premises.collect();
        let network = builder.finish();
        let mut no_walks: Vec<Diagnostic> = no_walks
            .map(|found| refusal("walks do", found.construct, found.span))
            .collect();
        if let Some(found) = zonewalk_walk::together::obstacle(model, &network) {
            no_walks.push(refusal("walks do", &found.construct, found.span));
        }
        Ok(CompiledModel {
            interpreter,
            network,
            queries: queries.to_vec(),
            compiled,
            premises,
            unpaired: OnceLock::new(),
            no_walks,
        })
    }

    /// Prepares searches. Each engine lays the network out when it is first used.
    pub fn checker(&self) -> Checker<'_, 'm> {
        Checker {
            task: self,
            walk_plan: OnceLock::new(),
            zone_plan: OnceLock::new(),
            patterns: PatternSource::default(),
        }
    }

    /// Whether walks can support the model.
    pub(crate) fn can_walk(&self) -> bool {
        self.no_walks.is_empty()
    }

    /// The first construct that keeps walks from the model.
    pub(crate) fn no_walks(&self) -> Option<&Diagnostic> {
        self.no_walks.first()
    }

    pub(crate) fn compiled(&self, query: usize) -> Option<&CompiledQuery<'m>> {
        self.compiled.get(query)
    }

    /// A query as it is typed.
    pub(crate) fn query(&self, query: usize) -> Option<&'m Query> {
        self.queries.get(query).copied()
    }

    /// Premises of a query.
    pub(crate) fn premises(&self, query: usize) -> &[Premise] {
        self.premises.get(query).map_or(&[], Vec::as_slice)
    }

    /// The premises of a query about states as goals, with their numbers.
    pub(crate) fn premise_goals(&self, sought: &StateGoal<'_>) -> Vec<(usize, ZoneGoal)> {
        let position = self
            .all_compiled()
            .iter()
            .position(|asked| asked.is_about(sought));
        let premises = position.map_or(&[][..], |query| self.premises(query));
        let goals = premises.iter().enumerate();
        goals
            .map(|(number, premise)| (number, ZoneGoal::new(&self.network, &premise.predicate, true)))
            .collect()
    }

    /// Warnings about channels that edges use and that have no partner.
    pub(crate) fn unpaired_channels(&self) -> &[Diagnostic] {
        let (model, system) = (self.interpreter.model(), self.interpreter.system());
        self.unpaired
            .get_or_init(|| channels::unpaired(model, system, &self.network))
    }

    /// All the queries.
    pub(crate) fn all_compiled(&self) -> &[CompiledQuery<'m>] {
        &self.compiled
    }

    /// Why the query with this number cannot be checked, if so.
    pub fn obstacle(&self, query: usize) -> Option<&Diagnostic> {
        match self.compiled.get(query) {
            Some(CompiledQuery::Invalid(diagnostic)) => Some(diagnostic),
            _ => None,
        }
    }

    /// The task itself, if the search can support the model.
    ///
    /// # Errors
    /// The obstacle that keeps this search from the model, although others support it.
    pub fn fit_for(self, search: Search) -> Result<Self, Vec<Diagnostic>> {
        match self.obstacle_to(search) {
            None => Ok(self),
            Some(diagnostic) => Err(vec![diagnostic]),
        }
    }

    /// Obstacle that keeps a search from the model, although others support it.
    pub fn obstacle_to(&self, search: Search) -> Option<Diagnostic> {
        if search.walks()
            && let Some(obstacle) = self.no_walks.first()
        {
            return Some(obstacle.clone());
        }
        let needs = search.info().needs?;
        let found = obstacle(self.interpreter.model(), &self.network)?;
        let message = format!(
            "the stochastic semantics of {} does not cover {}",
            search.name(),
            found.construct
        );
        let help = format!("it needs {needs}; auto, bfs, sem, ret, rlc and rlc-a do not");
        Some(Diagnostic::error(Code::UNSUPPORTED, found.span, message).help(help))
    }

    /// The expressions that have wrapped in anything that was examined so far, by a search or by the interpreter, in the
    /// order of the text.
    pub fn wraps(&self) -> Vec<Span> {
        let mut places = self.network.wraps();
        places.extend(self.interpreter.wraps());
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The interpreter that judges traces.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }
}

impl<'t> Checker<'t, '_> {
    /// Why the query with this number cannot be checked, if so.
    pub fn obstacle(&self, query: usize) -> Option<&Diagnostic> {
        self.task.obstacle(query)
    }

    /// The network, laid out for walks.
    pub(crate) fn walk_plan(&self) -> &WalkPlan<'t> {
        self.walk_plan.get_or_init(|| WalkPlan::new(&self.task.network))
    }

    /// The network, laid out for searches of the zone graph, or why these do not support the model.
    pub(crate) fn zone_plan(&self) -> Result<&ZonePlan<'t>, &Stop> {
        let plan = self.zone_plan.get_or_init(|| ZonePlan::new(&self.task.network));
        plan.as_ref()
    }

    /// `None` for a query that walks cannot decide.
    pub(crate) fn target(&self, query: usize) -> Option<Target<'t>> {
        match self.task.compiled(query)? {
            CompiledQuery::States(sought) => Some(Target {
                goal: WalkGoal::new(self.walk_plan(), &sought.predicate, sought.wanted),
                sought,
            }),
            _ => None,
        }
    }
}

fn compile<'m>(
    query: &'m Query,
    builder: &mut NetworkBuilder<'_>,
) -> Result<CompiledQuery<'m>, CompileError> {
    let mut state = |expr: &'m Expr| -> Result<StatePredicate<'m>, CompileError> {
        let predicate = builder.predicate(query.slots, expr)?;
        Ok(StatePredicate { expr, predicate })
    };
    Ok(match &query.kind {
        QueryKind::Reachable(expr) => CompiledQuery::States(state(expr)?.having(true)),
        QueryKind::Invariant(expr) => CompiledQuery::States(state(expr)?.having(false)),
        QueryKind::PotentiallyAlways(expr) => CompiledQuery::Run(state(expr)?.having(true)),
        QueryKind::Inevitable(expr) => CompiledQuery::Run(state(expr)?.having(false)),
        QueryKind::LeadsTo(first, then) => CompiledQuery::LeadsTo(state(first)?, state(then)?),
        QueryKind::Extremum {
            kind,
            predicate,
            exprs,
        } => {
            let condition = predicate.as_ref().map(&mut state).transpose()?;
            let measure = |expr| builder.measure(query.slots, expr);
            CompiledQuery::Extremes {
                kind: *kind,
                condition,
                measures: exprs.iter().map(measure).collect::<Result<_, _>>()?,
                exprs,
                slots: query.slots,
            }
        }
        QueryKind::Statistical(statistical) => {
            let question = StatisticalQuestion::new(statistical, query.levels.as_ref());
            let conditions = question.conditions.iter();
            let predicates: Result<Vec<_>, _> = conditions
                .map(|(expr, _)| builder.predicate(query.slots, expr))
                .collect();
            let expressions = question.expressions.iter();
            let measures: Result<Vec<_>, _> = expressions
                .map(|expr| builder.measure(query.slots, expr))
                .collect();
            let exact = match (predicates, measures) {
                (Ok(predicates), Ok(measures)) => Some(Exact { predicates, measures }),
                // What code cannot express is left to doubles; other errors are errors.
                (Err(error), _) | (_, Err(error)) if error.kind == ErrorKind::Unsupported => None,
                (Err(error), _) | (_, Err(error)) => return Err(error),
            };
            CompiledQuery::Runs(Box::new(Sampling {
                question,
                exact,
                recorded: &query.options,
            }))
        }
        QueryKind::Other(_) => CompiledQuery::Unsupported,
    })
}

/// The features of a model that rule every search out, among those that are kept.
pub(crate) fn refusals_of(model: &Model, keep: impl Fn(Option<Feature>) -> bool) -> Vec<Diagnostic> {
    unsupported(model)
        .into_iter()
        .filter(|found| found.engines.walks && found.engines.symbolic && keep(found.feature))
        .map(|found| refusal("zonewalk does", found.construct, found.span))
        .collect()
}

fn refusal(who: &str, construct: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::UNSUPPORTED, span, format!("{who} not support {construct}"))
        .help("`zonewalk info` shows which engines support the model")
}
