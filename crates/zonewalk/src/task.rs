//! A model with its queries, compiled once for all of them.

use crate::search::Search;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model, Query, QueryKind};
use zonewalk_network::{CompileError, Network, Predicate, unsupported};
use zonewalk_reference::Interpreter;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_walk::plan::Plan;
use zonewalk_walk::smc::obstacle;

/// A model with its queries, compiled.
pub struct Task<'m> {
    pub(crate) interpreter: Interpreter<'m>,
    pub(crate) network: Network,
    goals: Vec<Goal<'m>>,
}

/// What a query makes walks look for.
enum Goal<'m> {
    /// States in which the predicate has this truth value.
    States {
        expr: &'m Expr,
        wanted: bool,
        predicate: Predicate,
    },
    /// It cannot be compiled.
    Refused(Box<Diagnostic>),
    /// Walks cannot decide it.
    Beyond,
}

/// Ready to search.
pub struct Checker<'t, 'm> {
    pub(crate) task: &'t Task<'m>,
    pub(crate) plan: Plan<'t>,
}

/// The states that a query is about, ready to be looked for.
pub(crate) struct Target<'t> {
    pub(crate) goal: zonewalk_walk::goal::Goal,
    pub(crate) expr: &'t Expr,
    pub(crate) wanted: bool,
}

impl<'m> Task<'m> {
    /// Compiles a model and the predicates of its queries.
    ///
    /// # Errors
    /// What keeps walks from the model.
    pub fn new(model: &'m Model, system: &'m System, queries: &[&'m Query]) -> Result<Self, Vec<Diagnostic>> {
        let refusals: Vec<_> = unsupported(model)
            .into_iter()
            .filter(|found| found.engines.walks)
            .map(|found| refusal(found.construct, found.span))
            .collect();
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let mut network = Network::compile(model, system)
            .map_err(|errors| errors.iter().map(CompileError::to_diagnostic).collect::<Vec<_>>())?;
        if let Some(found) = zonewalk_walk::together::obstacle(model, &network) {
            return Err(vec![refusal(&found.construct, found.span)]);
        }
        let interpreter =
            Interpreter::new(model, system).map_err(|found| vec![refusal(found.construct, found.span)])?;
        let mut goal = |query: &&'m Query| {
            let (expr, wanted) = match &query.kind {
                QueryKind::Reachable(expr) => (expr, true),
                QueryKind::Invariant(expr) => (expr, false),
                _ => return Goal::Beyond,
            };
            match network.add_predicate(model, system, query.slots, expr) {
                Ok(predicate) => Goal::States {
                    expr,
                    wanted,
                    predicate,
                },
                Err(error) => Goal::Refused(Box::new(error.to_diagnostic())),
            }
        };
        let goals = queries.iter().map(&mut goal).collect();
        Ok(Task {
            interpreter,
            network,
            goals,
        })
    }

    /// Lays the network out for walks.
    pub fn checker(&self) -> Checker<'_, 'm> {
        Checker {
            task: self,
            plan: Plan::new(&self.network),
        }
    }

    /// Why the query with this number cannot be looked at, if so.
    pub fn obstacle(&self, query: usize) -> Option<&Diagnostic> {
        match self.goals.get(query) {
            Some(Goal::Refused(diagnostic)) => Some(diagnostic),
            _ => None,
        }
    }

    /// The task itself, if the search can treat the model.
    ///
    /// # Errors
    /// What keeps this search from the model, although others can treat it.
    pub fn fit_for(self, search: Search) -> Result<Self, Vec<Diagnostic>> {
        match self.obstacle_to(search) {
            None => Ok(self),
            Some(diagnostic) => Err(vec![diagnostic]),
        }
    }

    /// What keeps a search from the model, although others can treat it.
    pub fn obstacle_to(&self, search: Search) -> Option<Diagnostic> {
        if search != Search::SMC {
            return None;
        }
        let found = obstacle(self.interpreter.model(), &self.network)?;
        let message = format!(
            "the stochastic semantics of smc does not cover {}",
            found.construct
        );
        let help = "it needs broadcast channels and no priorities; auto, sem, ret, rlc and rlc-a do not";
        Some(Diagnostic::error("unsupported", found.span, message).help(help))
    }

    /// The interpreter that judges traces.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }
}

impl<'t> Checker<'t, '_> {
    /// Why the query with this number cannot be looked at, if so.
    pub fn obstacle(&self, query: usize) -> Option<&Diagnostic> {
        self.task.obstacle(query)
    }

    /// `None` for a query that walks cannot decide.
    pub(crate) fn target(&self, query: usize) -> Option<Target<'t>> {
        match self.task.goals.get(query)? {
            Goal::States {
                expr,
                wanted,
                predicate,
            } => Some(Target {
                goal: zonewalk_walk::goal::Goal::new(&self.plan, predicate, *wanted),
                expr,
                wanted: *wanted,
            }),
            Goal::Refused(_) | Goal::Beyond => None,
        }
    }
}

fn refusal(construct: &str, span: zonewalk_syntax::span::Span) -> Diagnostic {
    Diagnostic::error("unsupported", span, format!("walks do not support {construct}"))
        .help("`zonewalk info` tells what each engine can do with the model")
}
