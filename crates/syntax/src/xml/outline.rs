//! A model file taken apart into its elements, its texts not yet parsed.
//!
//! Everything that is wrong with the file as XML, or with the way its elements refer to each other, has been
//! reported when an outline exists. Its texts can then be parsed in one dialect and, if need be, in the other.

use super::tag::Attribute;
use crate::ast::{Drawing, Outcome};
use crate::fragment::Fragment;
use crate::span::Span;

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub globals: Vec<Fragment<'a>>,
    pub templates: Vec<Template<'a>>,
    pub charts: Vec<Chart<'a>>,
    /// `instantiation` and `system`, in the order of the file: together they are the system section.
    pub system: Vec<Fragment<'a>>,
    pub queries: Vec<Query<'a>>,
    /// Where something missing is reported.
    pub end: Span,
}

impl<'a> Outline<'a> {
    /// All the texts that are to be parsed, but for names.
    pub(super) fn texts(&self) -> impl Iterator<Item = &Fragment<'a>> {
        let templates = self.templates.iter().flat_map(|t| {
            let locations = t.locations.iter().flat_map(|l| l.invariant.iter().chain(&l.rate));
            let edges = t.edges.iter().flat_map(|e| {
                let conditions = e.select.iter().chain(&e.guard).chain(&e.sync);
                conditions.chain(&e.update).chain(&e.weight)
            });
            t.params.iter().chain(&t.decls).chain(locations).chain(edges)
        });
        let charts = self.charts.iter().flat_map(|c| &c.params);
        let queries = self.queries.iter().flat_map(|q| &q.formula);
        self.globals
            .iter()
            .chain(templates)
            .chain(charts)
            .chain(&self.system)
            .chain(queries)
    }
}

/// `<template>`
#[derive(Debug)]
pub(super) struct Template<'a> {
    pub name: Option<Fragment<'a>>,
    pub params: Vec<Fragment<'a>>,
    pub decls: Vec<Fragment<'a>>,
    pub locations: Vec<Location<'a>>,
    pub branchpoints: Vec<Branchpoint>,
    pub init: Option<Reference<'a>>,
    pub edges: Vec<Edge<'a>>,
    /// The start tag.
    pub span: Span,
}

/// `<lsc>`
#[derive(Debug)]
pub(super) struct Chart<'a> {
    pub name: Option<Fragment<'a>>,
    pub params: Vec<Fragment<'a>>,
    pub span: Span,
}

/// `<location>`
#[derive(Debug)]
pub(super) struct Location<'a> {
    pub id: String,
    /// The id's place, or the tag's where there is none.
    pub id_span: Span,
    pub name: Option<Fragment<'a>>,
    pub invariant: Option<Fragment<'a>>,
    pub rate: Option<Fragment<'a>>,
    pub committed: bool,
    pub urgent: bool,
    pub drawing: Drawing,
    /// The start tag.
    pub span: Span,
}

impl Location<'_> {
    /// Title shown to the user: its name, or `_` and its id (`semantics.md` 23).
    pub(super) fn title(&self) -> String {
        match &self.name {
            Some(name) if !name.is_blank() => name.text().trim().to_owned(),
            _ => format!("_{}", self.id),
        }
    }
}

/// `<branchpoint>`
#[derive(Debug)]
pub(super) struct Branchpoint {
    pub id: String,
    /// The id's place, or the tag's where there is none.
    pub id_span: Span,
    pub drawing: Drawing,
}

impl Branchpoint {
    /// Title shown to the user: `_` and its id.
    pub(super) fn title(&self) -> String {
        format!("_{}", self.id)
    }
}

/// `<init>`, `<source>` or `<target>`.
#[derive(Debug)]
pub(super) struct Reference<'a> {
    pub id: Option<Attribute<'a>>,
    /// The tag.
    pub span: Span,
    /// Filled in when the template is complete.
    pub place: Option<Endpoint>,
}

/// The nodes that an edge connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// Index of a location.
    Location(usize),
    /// Index of a branchpoint.
    Branchpoint(usize),
}

/// `<transition>`
#[derive(Debug)]
pub(super) struct Edge<'a> {
    pub id: Option<Attribute<'a>>,
    pub source: Reference<'a>,
    pub target: Reference<'a>,
    pub select: Option<Fragment<'a>>,
    pub guard: Option<Fragment<'a>>,
    pub sync: Option<Fragment<'a>>,
    pub update: Option<Fragment<'a>>,
    pub weight: Option<Fragment<'a>>,
    pub controllable: bool,
    pub action: Option<Attribute<'a>>,
    pub drawing: Drawing,
    /// The start tag.
    pub span: Span,
}

/// `<query>`
#[derive(Debug)]
pub(super) struct Query<'a> {
    pub formula: Option<Fragment<'a>>,
    pub comment: String,
    pub options: Vec<(String, String)>,
    pub outcome: Option<Outcome>,
}

impl Template<'_> {
    /// Title shown to the user.
    pub(super) fn title(&self) -> &str {
        self.name.as_ref().map_or("", |name| name.text().trim())
    }

    /// Title of the end of an edge, shown to the user.
    pub(super) fn place_title(&self, reference: &Reference<'_>) -> String {
        match reference.place {
            Some(Endpoint::Location(i)) => self.locations[i].title(),
            Some(Endpoint::Branchpoint(i)) => self.branchpoints[i].title(),
            None => "?".to_owned(),
        }
    }
}
