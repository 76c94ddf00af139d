//! Builds the syntax tree from the outline of a file by parsing its texts.

use super::outline::{self, Endpoint, Outline};
use crate::ast::{Branchpoint, Chart, Dialect, Document, Edge, Ident, Location, NoQuery, Queries, Template};
use crate::fragment::Fragment;
use crate::parser::{self, Context};
use crate::queries;
use crate::span::Span;

/// Parses all the texts of the model in the context's dialect. Its queries are left out: they are none of the
/// model's errors and do not decide on its dialect.
pub(super) fn document(outline: &Outline<'_>, cx: &mut Context) -> Document {
    Document {
        dialect: cx.dialect,
        decls: outline
            .globals
            .iter()
            .flat_map(|text| parser::declarations(text, cx))
            .collect(),
        templates: outline.templates.iter().map(|t| template(t, cx)).collect(),
        charts: outline.charts.iter().map(|c| chart(c, cx)).collect(),
        system: outline
            .system
            .iter()
            .flat_map(|text| parser::system(text, cx))
            .collect(),
        end: outline.end,
        queries: Queries::default(),
    }
}

/// Parses the queries.
pub(super) fn queries(outline: &Outline<'_>, dialect: Dialect) -> Queries {
    let mut all = Queries::default();
    for query in &outline.queries {
        let formula = query.formula.as_ref();
        let found = formula.map_or(vec![Err(NoQuery::Empty)], |text| queries::formula(text, dialect));
        for mut found in found {
            if let Ok(entry) = &mut found {
                if !query.comment.is_empty() {
                    entry.comment.clone_from(&query.comment);
                }
                entry.options.clone_from(&query.options);
                entry.outcome = entry.outcome.take().or_else(|| query.outcome.clone());
            }
            all.push(found);
        }
    }
    all
}

fn chart(chart: &outline::Chart<'_>, cx: &mut Context) -> Chart {
    Chart {
        name: name_or(chart.name.as_ref(), chart.span, cx),
        params: chart
            .params
            .iter()
            .flat_map(|text| parser::parameters(text, cx))
            .collect(),
    }
}

/// The name of a template or a chart. Where there is none, an error has been reported.
fn name_or(text: Option<&Fragment<'_>>, span: Span, cx: &mut Context) -> Ident {
    text.and_then(|text| parser::name(text, cx))
        .unwrap_or_else(|| Ident {
            name: "".into(),
            span,
        })
}

fn template(template: &outline::Template<'_>, cx: &mut Context) -> Template {
    let name = name_or(template.name.as_ref(), template.span, cx);
    let params = template
        .params
        .iter()
        .flat_map(|text| parser::parameters(text, cx))
        .collect();
    let decls = template
        .decls
        .iter()
        .flat_map(|text| parser::declarations(text, cx))
        .collect();
    let locations: Vec<Location> = template.locations.iter().map(|l| location(l, cx)).collect();
    let branchpoints: Vec<Branchpoint> = template
        .branchpoints
        .iter()
        .map(|b| Branchpoint {
            name: Ident {
                name: b.title().into(),
                span: b.id_span,
            },
            drawing: b.drawing.clone(),
        })
        .collect();
    let place = |reference: &outline::Reference<'_>| {
        let name = match reference.place? {
            Endpoint::Location(i) => &locations[i].name.name,
            Endpoint::Branchpoint(i) => &branchpoints[i].name.name,
        };
        let span = reference.id.as_ref().map_or(reference.span, |id| id.span);
        Some(Ident {
            name: name.clone(),
            span,
        })
    };
    let initial = template.init.as_ref().and_then(place);
    let edges = template
        .edges
        .iter()
        .filter_map(|e| Some(edge(e, place(&e.source)?, place(&e.target)?, cx)))
        .collect();
    Template {
        name,
        params,
        decls,
        locations,
        branchpoints,
        initial,
        edges,
        is_textual: false,
        span: template.span,
    }
}

fn location(location: &outline::Location<'_>, cx: &mut Context) -> Location {
    let name = location.name.as_ref().and_then(|text| parser::name(text, cx));
    let is_named = name.is_some();
    let unnamed = || Ident {
        name: format!("_{}", location.id).into(),
        span: location.id_span,
    };
    Location {
        name: name.unwrap_or_else(unnamed),
        is_named,
        id: (!location.id.is_empty()).then(|| Ident {
            name: location.id.as_str().into(),
            span: location.id_span,
        }),
        invariant: location
            .invariant
            .as_ref()
            .and_then(|text| parser::expression(text, cx)),
        rate: location.rate.as_ref().and_then(|text| parser::rate(text, cx)),
        committed: location.committed,
        urgent: location.urgent,
        span: location.span,
        drawing: location.drawing.clone(),
    }
}

fn edge(edge: &outline::Edge<'_>, source: Ident, target: Ident, cx: &mut Context) -> Edge {
    Edge {
        id: edge.id.as_ref().map(|id| Ident {
            name: id.value.trim().into(),
            span: id.span,
        }),
        source,
        target,
        selects: edge
            .select
            .as_ref()
            .map(|text| parser::selects(text, cx))
            .unwrap_or_default(),
        guard: edge.guard.as_ref().and_then(|text| parser::expression(text, cx)),
        sync: edge.sync.as_ref().and_then(|text| parser::sync(text, cx)),
        updates: edge
            .update
            .as_ref()
            .map(|text| parser::updates(text, cx))
            .unwrap_or_default(),
        weight: edge.weight.as_ref().and_then(|text| parser::expression(text, cx)),
        controllable: edge.controllable,
        action: edge.action.as_ref().map(|action| Ident {
            name: action.value.trim().into(),
            span: action.span,
        }),
        span: edge.span,
        drawing: edge.drawing.clone(),
    }
}
