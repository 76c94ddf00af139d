//! The queries that a model file holds, with their options and recorded results.

use super::outline::Query;
use super::reader::XmlReader;
use super::tag::Tag;
use crate::ast::Outcome;

impl<'a> XmlReader<'a> {
    /// Reads the `<queries>` that have just been opened.
    pub(super) fn queries(&mut self, tag: &Tag<'a>, queries: &mut Vec<Query<'a>>) {
        self.attributes(tag, &[]);
        let mut defaults = Vec::new();
        let first = queries.len();
        self.children(tag, |reader, child| match child.name {
            "option" => defaults.extend(reader.option(&child)),
            "query" => {
                let query = reader.query(&child);
                queries.push(query);
            }
            _ => reader.unknown(tag, &child),
        });
        // Options beside the queries hold for each query that does not say otherwise.
        for query in &mut queries[first..] {
            let own = std::mem::take(&mut query.options);
            let inherited = defaults
                .iter()
                .filter(|(key, _)| own.iter().all(|(k, _)| k != key))
                .cloned();
            query.options = inherited.collect();
            query.options.extend(own);
        }
    }

    fn query(&mut self, tag: &Tag<'a>) -> Query<'a> {
        self.attributes(tag, &[]);
        let mut query = Query {
            formula: None,
            comment: String::new(),
            options: Vec::new(),
            outcome: None,
        };
        self.children(tag, |reader, child| match child.name {
            "formula" => {
                let formula = reader.plain_text(&child);
                reader.once(&mut query.formula, formula, &child);
            }
            "comment" => query.comment = reader.prose(&child),
            "option" => query.options.extend(reader.option(&child)),
            "expect" => query.outcome = reader.outcome(&child, true).or(query.outcome.take()),
            "result" => {
                // The author's expectation outranks what some run recorded; the last run outranks earlier ones.
                let recorded = reader.outcome(&child, false);
                if query.outcome.as_ref().is_none_or(|outcome| !outcome.expected) {
                    query.outcome = recorded.or(query.outcome.take());
                }
            }
            _ => reader.unknown(tag, &child),
        });
        query
    }

    fn option(&mut self, tag: &Tag<'a>) -> Option<(String, String)> {
        let attributes = self.attributes(tag, &["key", "value"]);
        self.skip();
        let key = attributes.value("key")?;
        Some((
            key.to_owned(),
            attributes.value("value").unwrap_or_default().to_owned(),
        ))
    }

    /// Reads the outcome in `<expect>` or `<result>`. Their content (plots, resources, details) has no bearing on verdicts.
    fn outcome(&mut self, tag: &Tag<'a>, expected: bool) -> Option<Outcome> {
        let attributes = self.attributes(tag, &["*"]);
        self.skip();
        Some(Outcome {
            outcome: attributes.value("outcome")?.trim().to_owned(),
            kind: attributes.value("type").unwrap_or("quality").trim().to_owned(),
            value: attributes.value("value").map(str::to_owned),
            expected,
        })
    }
}
