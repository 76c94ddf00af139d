//! Judges traces that come from outside, on the model that the answers to their queries are about.

use super::QuerySet;
use crate::judge::replay::{Invalid, Purpose, replay};
use crate::load::{Loaded, interpreter};
use zonewalk_model::tree::Query;
use zonewalk_report::trace::Trace;
use zonewalk_syntax::diagnostic::Diagnostic;

impl Loaded {
    /// Judges a trace on the reference interpreter: it must be one of the model, and show what a query asks for, if one is given.
    ///
    /// # Errors
    /// The interpreter does not support the model; the inner error is the first thing that is wrong with the trace.
    pub fn replay(
        &self,
        trace: &Trace,
        query: Option<&Query>,
    ) -> Result<Result<(), Invalid>, Box<Diagnostic>> {
        let queries = QuerySet::new(&self.model, &self.system, query);
        let (model, system) = queries.judged();
        let purpose = query.and_then(|query| Purpose::of(&query.kind));
        Ok(replay(&interpreter(model, system)?, trace, purpose))
    }
}
