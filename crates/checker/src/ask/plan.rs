//! The engine that answers each query, as data.

use super::{Decider, QuerySet, is_statistical};
use crate::judge::doubles::looks_in_doubles;
use crate::task::CompiledModel;
use std::cell::OnceCell;
use zonewalk_model::tree::{OtherQuery, OtherQueryFamily, Query, QueryKind};
use zonewalk_searches::{Search, deciders};
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Severity};
use zonewalk_syntax::span::Span;

/// A model compiled for a search, with a plan for each of its queries.
pub struct PlannedQueries<'m> {
    pub(super) set: &'m QuerySet<'m>,
    /// The model that searches see, or the reasons why the search does not support it.
    pub(super) task: Result<CompiledModel<'m>, Vec<Diagnostic>>,
    plans: Vec<QueryPlan>,
}

/// How a query is answered.
#[derive(Clone, Debug)]
pub struct QueryPlan {
    /// The engine that answers it, or why none does.
    pub engine: Result<QueryEngine, QueryRefusal>,
    /// Whether the hybrid clocks of the model are left out, since nothing depends on them.
    pub leaves_hybrid_clocks_out: bool,
    /// Why there is no proof, where random runs are all that there is.
    pub warnings: Vec<Diagnostic>,
}

/// Engines that answer queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryEngine {
    /// The search that was asked for, in exact time.
    Search {
        /// The number of the query in the compiled task.
        query: usize,
    },
    /// Random runs in doubles, on a model that exact time does not reach.
    Doubles,
}

/// Why no engine answers a query.
#[derive(Clone, Debug)]
pub struct QueryRefusal {
    /// Part of the request that is to blame.
    pub kind: RefusalKind,
    /// In words, with places; never empty.
    pub errors: Vec<Diagnostic>,
}

/// Part of a request that keeps a query from being answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// No search has answers to queries of this form.
    Form,
    /// The search does not decide queries of this form, and others do.
    Search,
    /// The search does not support the model.
    Model,
    /// The query cannot be compiled.
    Query,
}

impl<'m> PlannedQueries<'m> {
    pub(super) fn new(set: &'m QuerySet<'m>, search: Search) -> Self {
        let planner = Planner {
            set,
            search,
            task: set.compile(search),
            looks_in_doubles: OnceCell::new(),
        };
        let mut numbers = 0..;
        let plans = set.queries.iter().map(|query| {
            let number = if set.is_searched(query) {
                numbers.next()
            } else {
                None
            };
            planner.plan(query, number)
        });
        let plans = plans.collect();
        PlannedQueries {
            set,
            task: planner.task,
            plans,
        }
    }

    /// The plan for a query. Requires: it is one of the set.
    pub fn plan(&self, query: usize) -> &QueryPlan {
        &self.plans[query]
    }

    /// The compiled model.
    ///
    /// # Errors
    /// Reasons why the search does not support the model; runs in doubles may answer queries all the same.
    pub fn task(&self) -> Result<&CompiledModel<'m>, &[Diagnostic]> {
        self.task.as_ref().map_err(Vec::as_slice)
    }

    /// Reasons why the search does not support the model, if they leave every query without an answer.
    pub fn refusals(&self) -> Option<&[Diagnostic]> {
        let is_to_blame = |plan: &QueryPlan| {
            (plan.engine.as_ref()).is_err_and(|refusal| refusal.kind == RefusalKind::Model)
        };
        let refusals = self.task.as_ref().err()?;
        self.plans.iter().all(is_to_blame).then_some(refusals)
    }

    /// Prepares the engines.
    pub fn decider(&self) -> Decider<'_, 'm> {
        Decider::new(self)
    }
}

struct Planner<'m> {
    set: &'m QuerySet<'m>,
    search: Search,
    task: Result<CompiledModel<'m>, Vec<Diagnostic>>,
    /// Whether random runs in doubles look for states; found out when it matters.
    looks_in_doubles: OnceCell<bool>,
}

impl Planner<'_> {
    /// The plan for a query; `number` is its place in the compiled task.
    fn plan(&self, query: &Query, number: Option<usize>) -> QueryPlan {
        let engine = self.engine(query, number);
        let is_unproved = engine
            .as_ref()
            .is_ok_and(|engine| *engine == QueryEngine::Doubles);
        let refusals = self.task.as_ref().err().into_iter().flatten();
        let warnings = refusals.filter(|_| is_unproved && !is_statistical(query));
        QueryPlan {
            engine,
            leaves_hybrid_clocks_out: number.is_some() && matches!(self.set.stripped, Some(Ok(_))),
            warnings: warnings.map(without_proof).collect(),
        }
    }

    fn engine(&self, query: &Query, number: Option<usize>) -> Result<QueryEngine, QueryRefusal> {
        let refuse = |kind, error| Err(QueryRefusal::new(kind, vec![error]));
        if let QueryKind::Other(other) = &query.kind {
            return refuse(RefusalKind::Form, unsupported(*other, query.span));
        }
        if let Err(refusals) = &self.task
            && !self.answers_in_doubles(query)
        {
            return Err(QueryRefusal::new(RefusalKind::Model, refusals.clone()));
        }
        if !self.search.decides(&query.kind) {
            return refuse(RefusalKind::Search, undecidable(self.search, query));
        }
        match (&self.task, number) {
            (Ok(task), Some(query)) => match task.obstacle(query) {
                Some(obstacle) => refuse(RefusalKind::Query, obstacle.clone()),
                None => Ok(QueryEngine::Search { query }),
            },
            _ => Ok(QueryEngine::Doubles),
        }
    }

    /// Whether random runs in doubles answer a query where no search does: statistical queries always, `E<>` and `A[]` on models
    /// that no search supports.
    fn answers_in_doubles(&self, query: &Query) -> bool {
        match query.kind {
            QueryKind::Statistical(_) => true,
            QueryKind::Reachable(_) | QueryKind::Invariant(_) => *self
                .looks_in_doubles
                .get_or_init(|| looks_in_doubles(self.set.model, self.set.system)),
            _ => false,
        }
    }
}

impl QueryRefusal {
    fn new(kind: RefusalKind, errors: Vec<Diagnostic>) -> Self {
        QueryRefusal { kind, errors }
    }
}

/// Refuses a query that other searches decide.
fn undecidable(search: Search, query: &Query) -> Diagnostic {
    let message = format!("{} cannot decide this kind of query", search.name());
    let help = format!("{} can", deciders(&query.kind).join(", "));
    Diagnostic::error(Code::UNDECIDABLE, query.span, message).help(help)
}

/// Refuses a kind of query by its name.
fn unsupported(query: OtherQuery, span: Span) -> Diagnostic {
    let why = match (query.family, query.form) {
        (_, "A[… U …]") => "zonewalk does not check until",
        (_, "under") => "zonewalk has no strategies",
        (OtherQueryFamily::Game, _) => "zonewalk solves no games",
        (OtherQueryFamily::Strategy, _) => "zonewalk neither computes nor reads strategies",
        (OtherQueryFamily::Ecdar, _) => "`zonewalk refine` compares timed I/O automata",
        (OtherQueryFamily::Scenario, _) => "zonewalk does not check live sequence charts",
    };
    let message = format!("`{}` is not supported: {why}", query.form);
    Diagnostic::error(Code::UNSUPPORTED, span, message).help(
        "zonewalk decides `E<> p`, `A[] p`, `E[] p`, `A<> p`, `p --> q`, `sup: e`, `inf: e`, `bounds: e`, `Pr[…]`, `E[…]` and `simulate`",
    )
}

/// Warns that random runs, which prove nothing, are all that is left where something rules searches out.
fn without_proof(refusal: &Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        message: format!("no proof, random runs alone: {}", refusal.message),
        ..refusal.clone()
    }
}
