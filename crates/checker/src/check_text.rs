//! From a model and a query as text to a verdict, in one call.

use crate::ask::QuerySet;
use crate::control::Control;
use crate::load::{LoadError, QuerySource, Request, load_text};
use crate::options::Options;
use crate::outcome::CheckerReport;
use std::fmt;
use zonewalk_report::diagnostic::text::{Style, render_all};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

/// Refusal of a model or a query; shown as text with the lines concerned.
#[derive(Debug)]
pub struct Refusal {
    /// Errors and warnings, with their places.
    pub diagnostics: Diagnostics,
    /// The texts that the places are in.
    pub sources: SourceMap,
}

impl Refusal {
    fn new(errors: Vec<Diagnostic>, mut diagnostics: Diagnostics, sources: SourceMap) -> Box<Self> {
        errors.into_iter().for_each(|error| diagnostics.push(error));
        Box::new(Refusal { diagnostics, sources })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render_all(&self.diagnostics, &self.sources, Style::default()).trim_end())
    }
}

impl std::error::Error for Refusal {}

/// Decides a query on a model. `name` is what messages call the model; its ending (`.xml`, `.xta`, `.ta`) says how to read it.
///
/// For many queries, or to watch and interrupt the search, use [`QuerySet`] and [`Control`]. Expressions may nest
/// 1,000 deep and are followed recursively: for models from strangers, call this on a thread with a stack of 256 MiB.
///
/// # Errors
/// Errors in the model or the query, or the reasons why the search does not support them.
pub fn check_text(
    name: &str,
    model: &str,
    query: &str,
    options: &Options,
) -> Result<CheckerReport, Box<Refusal>> {
    let request = Request {
        queries: QuerySource::Nothing,
        ..Request::default()
    };
    let mut loaded = match load_text(name, model.as_bytes(), &request) {
        Ok(loaded) => loaded,
        Err(LoadError::Malformed(malformed)) => {
            return Err(Refusal::new(Vec::new(), malformed.diagnostics, malformed.sources));
        }
        Err(LoadError::File(error)) => {
            let error = Diagnostic::error("unreadable", Span::NONE, error.to_string());
            return Err(Refusal::new(vec![error], Diagnostics::new(), SourceMap::new()));
        }
    };
    let added = loaded.add_query(query);
    let (model, system) = (&loaded.model, &loaded.system);
    let refuse = |errors| Refusal::new(errors, loaded.diagnostics.clone(), model.sources.clone());
    let index = added.map_err(refuse)?;
    let typed = loaded.queries[index].typed.as_ref();
    let typed = typed.map_err(|errors| refuse(errors.clone()))?;
    let queries = QuerySet::new(model, system, [typed]);
    let planned = queries.plan(options.search);
    let answer = planned
        .decider()
        .check(0, options, &Control::default(), &mut |_, _| {});
    answer.map_err(|refusal| refuse(refusal.errors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Evidence, Outcome};
    use zonewalk_searches::Search;

    const MODEL: &str = "clock x; process P() { state a { x <= 3 }, b; init a;
        trans a -> b { guard x >= 2; }; } system P;";

    fn check(model: &str, query: &str, search: &str) -> Result<Outcome, String> {
        let search: Search = search.parse().expect("it exists");
        let options = Options {
            search,
            ..Options::default()
        };
        check_text("m.xta", model, query, &options)
            .map(|report| report.outcome)
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn answers_come_with_their_evidence() {
        let found = check(MODEL, "E<> P.b && x < 3", "auto");
        assert!(
            matches!(found, Ok(Outcome::Decided { satisfied: true, evidence: Evidence::Run(w) }) if w.steps == 1)
        );
        let proven = check(MODEL, "A[] P.b imply x >= 2", "bfs");
        assert!(matches!(
            proven,
            Ok(Outcome::Decided {
                satisfied: true,
                evidence: Evidence::Exhaustion
            })
        ));
    }

    #[test]
    fn refusals_say_where_and_why() {
        let of = |model: &str, query, search| check(model, query, search).expect_err("it cannot be decided");
        assert!(of("process P() {", "E<> P.b", "auto").contains("m.xta:1"));
        assert!(of(&MODEL.replace("x >= 2", "y >= 2"), "E<> P.b", "auto").contains("`y`"));
        assert!(of(MODEL, "E<> P.c", "auto").contains("<query>:1"));
        assert!(of(MODEL, "A<> P.b", "ret").contains("ret cannot decide this kind of query"));
    }
}
