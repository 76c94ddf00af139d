//! Counts a loaded model.

use super::capability::{assess, feature_name, query_kind};
use super::{
    ChannelCounts, Compiled, FeatureInfo, LoadTimes, ModelInfo, QueryInfo, RecordedOutcome, SkippedInfo,
    StateVector, TemplateInfo, VariableCounts,
};
use crate::diagnostic::json;
use zonewalk_model::system::{System, Value};
use zonewalk_model::tree::{Dialect, Model, Query, Variable};
use zonewalk_searches::Family;
use zonewalk_syntax::ast::{NoQuery, QueryEntry, SkippedQuery};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// A query as read, and what became of it.
#[derive(Clone, Debug)]
pub struct QueryFacts<'a> {
    /// The text and what surrounds it.
    pub entry: &'a QueryEntry,
    /// The typed query, or what is wrong with it.
    pub typed: Result<&'a Query, &'a [Diagnostic]>,
    /// The searches that decide it, at least in one direction.
    pub decided_by: Vec<&'static str>,
    /// The claim of a certificate for it, or why there is none; `None` for a malformed one.
    pub claim: Option<Result<&'static str, String>>,
}

/// An engine's own answer that it does not support a model.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The engine.
    pub family: Family,
    /// The construct that stops it.
    pub construct: String,
    /// Place of the unsupported construct.
    pub span: Span,
}

/// Inputs of [`ModelInfo::gather`].
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The file as it was named.
    pub name: &'a str,
    /// The model. Its sources include those of the queries.
    pub model: &'a Model,
    /// Its processes.
    pub system: &'a System,
    /// Its queries.
    pub queries: &'a [QueryFacts<'a>],
    /// Headings and blanks listed among the queries.
    pub skipped: &'a [SkippedQuery],
    /// Refusals of the engines.
    pub refusals: &'a [Refusal],
    /// Searches leave its hybrid clocks out.
    pub is_without_hybrid_clocks: bool,
    /// Statistical queries are answered by runs in doubles.
    pub is_in_doubles: bool,
    /// The size of the compiled form, if there is one.
    pub compiled: Option<&'a Compiled>,
    /// Times spent on loading.
    pub load: LoadTimes,
}

impl ModelInfo {
    /// Counts everything.
    pub fn gather(facts: &Facts<'_>) -> ModelInfo {
        let Facts { model, system, .. } = *facts;
        let variables = count_variables(model, system);
        let processes = system.processes.len();
        let templates = count_templates(model, system);
        let sum = |count: fn(&TemplateInfo) -> usize| templates.iter().map(|t| count(t) * t.processes).sum();
        ModelInfo {
            model: facts.name.to_owned(),
            syntax: match model.dialect {
                Dialect::New => "new",
                Dialect::Old => "old",
            },
            processes,
            locations: sum(|t| t.locations),
            edges: sum(|t| t.edges),
            clocks: system.clocks.len(),
            channels: count_channels(system),
            state_vector: StateVector {
                size: processes + variables.integers + system.clocks.len(),
                locations: processes,
                integers: variables.integers,
                clocks: system.clocks.len(),
            },
            variables,
            features: features(model),
            queries: facts
                .queries
                .iter()
                .map(|query| describe_query(model, query))
                .collect(),
            skipped_queries: facts.skipped.iter().map(describe_skipped).collect(),
            engines: Family::ALL.iter().map(|family| assess(*family, facts)).collect(),
            compiled: facts.compiled.cloned(),
            load: facts.load,
            templates,
        }
    }
}

fn count_templates(model: &Model, system: &System) -> Vec<TemplateInfo> {
    let mut templates: Vec<_> = model
        .templates
        .iter()
        .map(|template| TemplateInfo {
            name: template.name.to_string(),
            parameters: template.params.len(),
            locations: template.locations.len(),
            edges: template.edges.len(),
            processes: 0,
        })
        .collect();
    for process in &system.processes {
        if let Some(template) = templates.get_mut(process.template.index()) {
            template.processes += 1;
        }
    }
    templates
}

fn count_variables(model: &Model, system: &System) -> VariableCounts {
    let mut counts = VariableCounts::default();
    let mut count = |variable: &Variable, value: &Value| {
        if !variable.is_const {
            count_cells(value, variable.is_meta, &mut counts);
        }
    };
    for (variable, value) in model.globals.iter().zip(&system.initial.globals) {
        count(variable, value);
    }
    for (process, values) in system.processes.iter().zip(&system.initial.locals) {
        let variables = model
            .templates
            .get(process.template.index())
            .map_or(&[][..], |t| &t.variables);
        for (variable, value) in variables.iter().zip(values) {
            count(variable, value);
        }
    }
    counts
}

/// Recursion is as deep as the type, which the text nests.
fn count_cells(value: &Value, is_meta: bool, counts: &mut VariableCounts) {
    match value {
        Value::Int(_) if is_meta => counts.meta += 1,
        Value::Int(_) => counts.integers += 1,
        Value::Double(_) => counts.doubles += 1,
        Value::Unknown(..) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
        Value::Array(parts) | Value::Struct(parts) => {
            for part in parts {
                count_cells(part, is_meta, counts);
            }
        }
    }
}

fn count_channels(system: &System) -> ChannelCounts {
    let count = |test: fn(bool, bool) -> bool| {
        system
            .channels
            .iter()
            .filter(|channel| test(channel.urgent, channel.broadcast))
            .count()
    };
    ChannelCounts {
        total: system.channels.len(),
        plain: count(|urgent, broadcast| !urgent && !broadcast),
        broadcast: count(|_, broadcast| broadcast),
        urgent: count(|urgent, _| urgent),
    }
}

/// Features a model uses beyond plain timed automata.
pub fn features(model: &Model) -> Vec<FeatureInfo> {
    let mut used: Vec<_> = model.features.iter().collect();
    used.sort_by_key(|used| used.feature);
    let describe = |used: &&zonewalk_model::tree::FeatureUse| {
        let (file, line) = place(model, used.span);
        FeatureInfo {
            feature: feature_name(used.feature),
            count: used.count,
            file,
            line,
        }
    };
    used.iter().map(describe).collect()
}

fn describe_skipped(query: &SkippedQuery) -> SkippedInfo {
    SkippedInfo {
        number: query.number,
        kind: match query.kind {
            NoQuery::Empty => "empty",
            NoQuery::Comment => "comment",
            NoQuery::Heading => "heading",
        },
    }
}

fn describe_query(model: &Model, query: &QueryFacts<'_>) -> QueryInfo {
    let (file, line) = place(model, query.entry.span);
    let errors = match query.typed {
        Ok(_) => &[],
        Err(errors) => errors,
    };
    QueryInfo {
        number: query.entry.number,
        query: query.entry.text.clone(),
        kind: query.typed.ok().map(|typed| query_kind(&typed.kind)),
        valid: query.typed.is_ok(),
        decided_by: query.decided_by.clone(),
        claim: query.claim.clone().and_then(Result::ok),
        no_claim: query.claim.clone().and_then(Result::err),
        comment: query.entry.comment.clone(),
        recorded: query.entry.outcome.as_ref().map(|outcome| RecordedOutcome {
            outcome: outcome.outcome.clone(),
            kind: outcome.kind.clone(),
            value: outcome.value.clone(),
            expected: outcome.expected,
        }),
        file,
        line,
        errors: errors
            .iter()
            .map(|error| json::one(error, &model.sources))
            .collect(),
    }
}

fn place(model: &Model, span: Span) -> (Option<String>, Option<u32>) {
    match model.sources.source(span.start) {
        Some(source) => (Some(source.name.clone()), Some(source.line(span.start))),
        None => (None, None),
    }
}
