//! Warnings about answers that say less than they seem to: the model stands still, or what the query is about never happens.
//!
//! Everything here follows from the text of the model and from the search that gave the answer. A search that left states out gives
//! no warning but those about the text; what is warned of is certain.

mod ends;
mod named;
mod reach;

use crate::outcome::Overview;
use crate::premise::{Premise, mentions_deadlock};
use crate::task::{Checker, CompiledModel, CompiledQuery};

use reach::Reach;
use zonewalk_model::tree::{Expr, ExprKind};
use zonewalk_syntax::diagnostic::Diagnostic;

impl Checker<'_, '_> {
    /// Warnings about the answer to a query: `overview` is what all reachable states show, if all were visited.
    pub(crate) fn sanity_warnings(&self, query: usize, overview: Option<Overview>) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        if let (Some(overview), Some(asked)) = (overview, self.task.compiled(query)) {
            let reach = Reach::new(&self.task.network, &overview.taken);
            let premises = self.task.premises(query);
            let vacuous = overview.vacuous.iter().filter_map(|&number| premises.get(number));
            warnings.extend(vacuous.map(Premise::warning));
            let stops = self.ends(&reach).filter(|_| !self.task.expects_deadlock());
            // The rest follows from it.
            let is_dead = stops.is_some() && reach.is_trivial();
            warnings.splice(..0, stops);
            if let CompiledQuery::States(sought) = asked
                && !is_dead
                && overview.vacuous.is_empty()
            {
                warnings.extend(named::warnings(self.task, &reach, sought.expr, sought.wanted));
            }
        }
        warnings.extend_from_slice(self.task.unpaired_channels());
        warnings
    }
}

impl CompiledModel<'_> {
    /// Whether some query mentions deadlocks other than to rule all of them out: then runs that end are intended.
    fn expects_deadlock(&self) -> bool {
        self.all_compiled().iter().any(|asked| match asked {
            CompiledQuery::States(sought) => match (sought.wanted, &sought.expr.kind) {
                (false, ExprKind::And(parts)) => parts.iter().any(tolerates_deadlock),
                (false, _) => tolerates_deadlock(sought.expr),
                (true, _) => mentions_deadlock(sought.expr),
            },
            CompiledQuery::Run(goal) => mentions_deadlock(goal.expr),
            CompiledQuery::LeadsTo(first, then) => [first, then].iter().any(|p| mentions_deadlock(p.expr)),
            _ => false,
        })
    }
}

/// Whether a condition on all states is about deadlocks, and is not just that there are none.
fn tolerates_deadlock(expr: &Expr) -> bool {
    let is_ruled_out = matches!(&expr.kind, ExprKind::Not(inner) if matches!(inner.kind, ExprKind::Deadlock));
    !is_ruled_out && mentions_deadlock(expr)
}
