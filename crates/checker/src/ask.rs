//! One way to ask: the queries of a model, a plan for each of them, and the answers.
//!
//! Each step borrows from the one before: a [`QuerySet`] prepares the model that searches see, [`PlannedQueries`] compile it and
//! say of every query who answers it, and a [`Decider`] runs the engines. Whoever asks (the command, the library, the live page)
//! takes these steps, so that all of them give the same answers, warnings and refusals.

mod decider;
mod plan;
mod replay;
mod support;

pub use decider::Decider;
pub use plan::{PlannedQueries, QueryEngine, QueryPlan, QueryRefusal, RefusalKind};
pub use support::Support;

use crate::hybrid::{StrippedModel, without_hybrid_clocks};
use crate::task::{CompiledModel, refusals_of};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Feature, Model, Query, QueryKind};
use zonewalk_searches::Search;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Queries that are asked of a model together, and the model as searches see it.
pub struct QuerySet<'m> {
    model: &'m Model,
    system: &'m System,
    queries: Vec<&'m Query>,
    /// The model without its hybrid clocks, or what depends on one; `None` for a model that has none.
    stripped: Option<Result<StrippedModel, Box<Diagnostic>>>,
}

impl<'m> QuerySet<'m> {
    /// Prepares a model for these queries.
    pub fn new(model: &'m Model, system: &'m System, queries: impl IntoIterator<Item = &'m Query>) -> Self {
        let queries: Vec<&Query> = queries.into_iter().collect();
        let searched: Vec<&Query> = queries.iter().copied().filter(|q| !is_statistical(q)).collect();
        QuerySet {
            model,
            system,
            stripped: without_hybrid_clocks(model, &searched),
            queries,
        }
    }

    /// Plans the answers to all queries for a search.
    pub fn plan(&self, search: Search) -> PlannedQueries<'_> {
        PlannedQueries::new(self, search)
    }

    /// The model that searches see: without hybrid clocks where nothing depends on them.
    pub fn searched(&self) -> (&Model, &System) {
        match &self.stripped {
            Some(Ok(stripped)) => (&stripped.model, &stripped.system),
            _ => (self.model, self.system),
        }
    }

    /// The model that traces of these queries are about: that of searches, unless runs in doubles answer one of the queries.
    pub fn judged(&self) -> (&Model, &System) {
        if self.queries.iter().all(|query| self.is_searched(query)) {
            self.searched()
        } else {
            (self.model, self.system)
        }
    }

    /// Whether searches see the query. Statistical queries may be about hybrid clocks, so runs in doubles answer them on models
    /// that have any.
    fn is_searched(&self, query: &Query) -> bool {
        self.stripped.is_none() || !is_statistical(query)
    }

    /// Compiles the model for searches, with the queries that they see.
    ///
    /// # Errors
    /// Obstacles that keep the search from the model.
    fn compile(&self, search: Search) -> Result<CompiledModel<'_>, Vec<Diagnostic>> {
        if let Some(Err(influence)) = &self.stripped {
            let others = refusals_of(self.model, |feature| feature != Some(Feature::HybridClocks));
            return Err([(**influence).clone()].into_iter().chain(others).collect());
        }
        let (model, system) = self.searched();
        let queries = self.queries.iter().copied();
        let queries: Vec<&Query> = queries.filter(|query| self.is_searched(query)).collect();
        CompiledModel::new(model, system, &queries)?.fit_for(search)
    }
}

fn is_statistical(query: &Query) -> bool {
    matches!(query.kind, QueryKind::Statistical(_))
}
