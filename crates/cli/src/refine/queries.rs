//! The queries of a run: as texts, as data, and what rules them out.

use crate::config::RefineConfig;
use crate::status::Error;
use zonewalk_report::verdict::{Answer, Expectation};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;
use zonewalk_tioa::query::{Parsed, parse, parse_at};
use zonewalk_tioa::{Project, Query, Unresolved};

/// A query as it was asked.
pub(crate) struct NumberedQuery {
    /// Counted from 1.
    pub(crate) number: usize,
    /// As it was written.
    pub(crate) text: String,
    /// Whether it is satisfied as the project records it, if that is to be compared.
    recorded: Option<bool>,
    /// Where it is.
    span: Span,
    /// One query, or why it is not a valid one.
    parsed: Result<Parsed, Box<Diagnostic>>,
}

/// The queries to decide, and what looks wrong with their texts.
pub(crate) fn read(
    config: &RefineConfig,
    name: &str,
    project: &Project,
    sources: &mut SourceMap,
) -> Result<(Vec<NumberedQuery>, Vec<Diagnostic>), Error> {
    let own = config.queries.is_empty();
    let texts = if own { &project.queries } else { &config.queries };
    if texts.is_empty() {
        let example = project
            .components
            .first()
            .map_or("Machine", |component| component.name.as_str());
        return Err(Error::new(format_args!(
            "{name} has no queries; give one after the project, such as 'consistency: {example}' or 'refinement: A || B <= S'"
        )));
    }
    let mut asked = Vec::new();
    let mut warnings = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        let outcome = project.outcomes.get(place).copied().flatten();
        let recorded = outcome.filter(|_| own && config.expect);
        let first = asked.len() + 1;
        let which = match parse(text).map_or(1, |queries| queries.len()) {
            1 => format!("query {first}"),
            several => format!("queries {first} to {}", first + several - 1),
        };
        let label = if own {
            format!("{name}, {which}")
        } else {
            format!("<{which}>")
        };
        let base = sources.add(label, text.clone());
        let base = base.map_err(|_| Error::new("the queries are too large"))?;
        let parsed = parse_at(text, base);
        let mut ask = |text: String, recorded, span, parsed| {
            asked.push(NumberedQuery {
                number: asked.len() + 1,
                text,
                recorded,
                span,
                parsed,
            });
        };
        match parsed {
            Ok(parsed) if parsed.queries.len() > 1 => {
                // Each query is independent: the errors of one do not count for the others.
                for part in parsed.each() {
                    let text = part.queries.iter().map(ToString::to_string).collect();
                    let span = part.spans.first().copied().unwrap_or(Span::NONE);
                    // One outcome does not say which of them it is about.
                    ask(text, None, span, Ok(part));
                }
                warnings.extend(parsed.warnings);
            }
            mut parsed => {
                warnings.extend(parsed.iter_mut().flat_map(|parsed| parsed.warnings.drain(..)));
                let span = Span::new(base, base + text.len() as u32);
                let text = text.trim().trim_end_matches(';').trim_end().to_owned();
                ask(text, recorded, span, parsed);
            }
        }
    }
    if let Some(index) = config.query_index {
        let count = asked.len();
        asked.retain(|asked| asked.number == index);
        if asked.is_empty() {
            let are = if count == 1 { "is" } else { "are" };
            return Err(Error::new(format_args!(
                "--query-index {index}: there {are} only {count}"
            )));
        }
    }
    Ok((asked, warnings))
}

impl NumberedQuery {
    /// How an answer compares with the outcome that is recorded, if that is wanted.
    pub(crate) fn compared(&self, verdict: Answer) -> Option<Expectation> {
        let outcome = if self.recorded? { "success" } else { "failure" };
        Some(Expectation {
            outcome: outcome.to_owned(),
            agrees: verdict.agrees_with(outcome),
        })
    }

    /// The query, if the text is one.
    pub(crate) fn query(&self) -> Option<&Query> {
        self.parsed.as_ref().ok()?.queries.first()
    }

    /// An error of the whole query.
    pub(crate) fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, self.span, message)
    }

    /// The query, if it can be decided.
    ///
    /// # Errors
    /// Why nothing can, and the components with errors that are to blame.
    pub(crate) fn usable(&self, project: &Project) -> Result<&Query, (Vec<Diagnostic>, Vec<String>)> {
        let parsed = match &self.parsed {
            Ok(parsed) => parsed,
            Err(error) => return Err((vec![(**error).clone()], Vec::new())),
        };
        let Some(query) = parsed.queries.first() else {
            let error = self.error("empty-query", "the query is empty");
            return Err((vec![error], Vec::new()));
        };
        if matches!(query, Query::Minimise(_)) {
            let error = self.error("unsupported", "`bisim-minim` is not supported");
            let error = error.help(
                "zonewalk decides refinement, consistency, determinism, implementation, specification, reachability, \
                 get-component and prune",
            );
            return Err((vec![error], Vec::new()));
        }
        let mut errors = parsed.unknown_names(project);
        let mut broken: Vec<String> = Vec::new();
        for (name, _) in &parsed.mentions {
            if let Some(found) = project.broken(name)
                && project.component(name).is_none()
                && !broken.contains(&found.name)
            {
                broken.push(found.name.clone());
            }
        }
        if errors.is_empty() {
            // Drawn systems name components, too.
            let unresolved = query
                .systems()
                .into_iter()
                .find_map(|system| project.expand(system).err());
            if let Some(unresolved) = unresolved {
                errors.push(self.error("unknown-component", unresolved.to_string()));
                if let Unresolved::Broken(name) = unresolved {
                    broken.push(name);
                }
            }
        }
        if errors.is_empty() {
            Ok(query)
        } else {
            Err((errors, broken))
        }
    }
}
