//! Findings of the survey about locations, edges, guards and invariants.

use crate::check::Check;
use crate::report::{Extent, LintReport};
use crate::structure::processes;
use crate::survey::{Survey, SurveyEnd};
use zonewalk_checker::channels::without_partner;
use zonewalk_checker::load::Loaded;
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_model::tree::{Edge, Expr, ExprKind, QueryKind, Template};
use zonewalk_network::Network;
use zonewalk_search::Limit;
use zonewalk_syntax::diagnostic::Diagnostic;

const CHECKS: [Check; 4] = [Check::Locations, Check::Edges, Check::Guards, Check::Invariants];

/// Tells it.
pub(crate) fn check(loaded: &Loaded, network: &Network, survey: &Survey<'_>, report: &mut LintReport) {
    report.states = Some((survey.states, survey.is_complete()));
    let extent = extent(survey);
    for check in CHECKS {
        report.extent(check, extent.clone());
    }
    if survey.states == 0 && survey.is_complete() {
        return no_initial_state(loaded, report);
    }
    let counts = processes(loaded);
    let writer = FindingWriter {
        survey,
        seen: seen(survey),
        asked_about: asked_about(loaded),
        edges: edges(network, &counts, loaded),
    };
    for (index, template) in loaded.model.templates.iter().enumerate() {
        if counts[index] > 0 {
            writer.template(TemplateId::from_index(index), template, report);
        }
    }
}

/// Extent of the checks that the survey serves.
pub(crate) fn extent(survey: &Survey<'_>) -> Extent {
    let states = survey.states;
    match survey.end {
        SurveyEnd::Complete if survey.fault.is_some() => Extent::Partial(
            "a run-time error of the model hides what comes after it; `zonewalk explore` shows the error"
                .to_owned(),
        ),
        SurveyEnd::Complete => Extent::Complete,
        SurveyEnd::Interrupted => Extent::CutShort(format!("interrupted after {states} states")),
        SurveyEnd::Limit(Limit::Memory) => {
            Extent::CutShort(format!("memory limit reached after {states} states"))
        }
        SurveyEnd::Limit(_) => Extent::CutShort(format!("time limit reached after {states} states")),
    }
}

/// `in 123 states and 45 walks`
fn seen(survey: &Survey<'_>) -> String {
    let counted = |count: u64, noun: &str| match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    };
    let states = counted(survey.states, "state");
    match survey.walks {
        0 => format!("in {states}"),
        walks => format!("in {states} and {}", counted(walks, "walk")),
    }
}

/// Every initial state violates an invariant: there is no behaviour to report on.
fn no_initial_state(loaded: &Loaded, report: &mut LintReport) {
    for process in &loaded.system.processes {
        let template = &loaded.model.templates[process.template.index()];
        let initial = &template.locations[template.initial.index()];
        if let Some(invariant) = &initial.invariant {
            let message = "the initial state violates an invariant: the model has no behaviour";
            let found = Diagnostic::warning("no-initial-state", invariant.span, message);
            report.find(Check::Invariants, true, found);
            return;
        }
    }
}

/// By template and location: whether a query names it. Then whether it is reachable is known to be a question.
fn asked_about(loaded: &Loaded) -> Vec<Vec<bool>> {
    let templates = &loaded.model.templates;
    let mut found: Vec<Vec<bool>> = templates
        .iter()
        .map(|template| vec![false; template.locations.len()])
        .collect();
    for query in loaded
        .queries
        .iter()
        .filter_map(|query| query.typed.as_ref().ok())
    {
        match &query.kind {
            QueryKind::Reachable(p)
            | QueryKind::Invariant(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Inevitable(p) => mark(loaded, p, &mut found),
            QueryKind::LeadsTo(p, q) => {
                mark(loaded, p, &mut found);
                mark(loaded, q, &mut found);
            }
            QueryKind::Extremum { .. } | QueryKind::Statistical(_) | QueryKind::Other(_) => {}
        }
    }
    found
}

fn mark(loaded: &Loaded, expr: &Expr, found: &mut [Vec<bool>]) {
    if let ExprKind::AtLocation(process, location) = &expr.kind
        && let Some(set) = loaded.model.process_sets.get(process.set.index())
    {
        found[set.template.index()][location.index()] = true;
    }
    expr.operands(&mut |operand| mark(loaded, operand, found));
}

/// Facts about the edges of a template that need no exploration.
#[derive(Clone, Copy, Default)]
struct Static {
    /// No instance of the edge has a partner to synchronise with.
    is_alone: bool,
    /// Its guard depends on the state.
    reads: bool,
}

fn edges(network: &Network, counts: &[usize], loaded: &Loaded) -> Vec<Vec<Static>> {
    let mut found: Vec<Vec<Static>> = loaded
        .model
        .templates
        .iter()
        .zip(counts)
        .map(|(template, &count)| {
            let of = Static {
                is_alone: count > 0,
                reads: false,
            };
            vec![of; template.edges.len()]
        })
        .collect();
    let mut any: Vec<Vec<bool>> = found.iter().map(|of| vec![false; of.len()]).collect();
    for (instance, is_alone) in network.instances.iter().zip(without_partner(network)) {
        let template = loaded.system.processes[instance.process.index()].template.index();
        let edge = network.edge(instance).id.index();
        let of = &mut found[template][edge];
        of.is_alone &= is_alone;
        let sets = [instance.reads, instance.clock_reads];
        of.reads |= sets.into_iter().any(|set| !network.sets.get(set).is_empty());
        any[template][edge] = true;
    }
    for (of, any) in found.iter_mut().zip(&any) {
        for (of, any) in of.iter_mut().zip(any) {
            of.is_alone &= any;
        }
    }
    found
}

/// Unproved findings of a template that are reported one by one.
const TOLD: usize = 10;

/// Findings of a template of one kind.
#[derive(Default)]
struct Folded {
    told: usize,
    /// Number of findings that are counted but not listed.
    more: usize,
}

impl Folded {
    /// Tells how many were not told, and begins anew.
    fn add(&mut self, noun: &str, code: &'static str, template: &Template, report: &mut LintReport) {
        let more = std::mem::take(self).more;
        if more > 0 {
            let message = format!(
                "{more} more {noun} of template {} were not reached",
                template.name
            );
            let found = Diagnostic::warning(code, template.span, message)
                .help("not proved; give it more time with --timeout");
            let check = if code == "unreachable-location" {
                Check::Locations
            } else {
                Check::Edges
            };
            report.find(check, false, found);
        }
    }
}

struct FindingWriter<'a, 'n> {
    survey: &'a Survey<'n>,
    seen: String,
    asked_about: Vec<Vec<bool>>,
    edges: Vec<Vec<Static>>,
}

impl FindingWriter<'_, '_> {
    fn template(&self, id: TemplateId, template: &Template, report: &mut LintReport) {
        let mut folded = Folded::default();
        for index in 0..template.locations.len() {
            self.location(id, template, LocationId::from_index(index), &mut folded, report);
        }
        folded.add("locations", "unreachable-location", template, report);
        for (index, edge) in template.edges.iter().enumerate() {
            self.edge(
                id,
                template,
                (EdgeId::from_index(index), edge),
                &mut folded,
                report,
            );
        }
        folded.add("edges", "unreachable-edge", template, report);
    }

    /// Adds a finding. Unproved ones are reported a few times and then counted: with too small a limit they would be a flood.
    fn add(&self, check: Check, found: Diagnostic, folded: &mut Folded, report: &mut LintReport) {
        if self.is_proved() || folded.told < TOLD {
            folded.told += 1;
            return report.find(check, self.is_proved(), self.qualified(found));
        }
        folded.more += 1;
    }

    fn is_proved(&self) -> bool {
        self.survey.is_complete()
    }

    /// Adds to what was not seen where it was looked for, unless it is a proof.
    fn qualified(&self, found: Diagnostic) -> Diagnostic {
        if self.is_proved() {
            found
        } else {
            found.help(format!("not found {}; not proved", self.seen))
        }
    }

    fn location(
        &self,
        id: TemplateId,
        template: &Template,
        at: LocationId,
        folded: &mut Folded,
        report: &mut LintReport,
    ) {
        let location = &template.locations[at.index()];
        let facts = self.survey.location(id, at);
        if facts.is_reached {
            return;
        }
        let name = format!("{}.{}", template.name, location.name);
        if let Some(invariant) = &location.invariant
            && facts.is_tried
            && !facts.admits
        {
            let message = format!("every entry into location {name} violates its invariant");
            let found = Diagnostic::warning("invariant-never-holds", invariant.span, message);
            return report.find(Check::Invariants, self.is_proved(), self.qualified(found));
        }
        if self.asked_about[id.index()][at.index()] {
            return;
        }
        let found = Diagnostic::warning(
            "unreachable-location",
            location.span,
            format!(
                "location {name} {}",
                if self.is_proved() {
                    "is unreachable"
                } else {
                    "was not reached"
                }
            ),
        );
        self.add(Check::Locations, found, folded, report);
    }

    fn edge(
        &self,
        id: TemplateId,
        template: &Template,
        (number, edge): (EdgeId, &Edge),
        folded: &mut Folded,
        report: &mut LintReport,
    ) {
        let facts = self.survey.edge(id, number);
        let known = self.edges[id.index()][number.index()];
        let source = self.survey.location(id, edge.source);
        let target = self.survey.location(id, edge.target);
        let location = |at: LocationId| &template.locations[at.index()].name;
        let name = format!(
            "{}: {} → {}",
            template.name,
            location(edge.source),
            location(edge.target)
        );
        if !source.is_reached {
            return;
        }
        if facts.is_taken {
            let is_always_true = facts.guard.holds && !facts.guard.fails;
            if let Some(guard) = edge.guard.as_ref().filter(|_| is_always_true && known.reads)
                && self.is_proved()
            {
                let message = format!("the guard of edge {name} is always true");
                let found = Diagnostic::warning("guard-always-true", guard.span, message)
                    .help("it holds in every state in which the process is there: remove it, or correct it");
                report.find(Check::Guards, true, found);
            }
            return;
        }
        // Told already, by the reason.
        let is_kept_out = target.is_tried && !target.admits && !target.is_reached;
        let is_asked_about = !target.is_reached && self.asked_about[id.index()][edge.target.index()];
        let is_told_elsewhere = known.is_alone && report.wants(Check::Channels);
        if is_kept_out || is_asked_about || is_told_elsewhere {
            return;
        }
        if let Some(guard) = edge
            .guard
            .as_ref()
            .filter(|_| !facts.guard.holds && facts.guard.fails)
        {
            let verb = if self.is_proved() {
                "is never true"
            } else {
                "was never true"
            };
            let message = format!("the guard of edge {name} {verb}");
            let found = Diagnostic::warning("guard-never-true", guard.span, message);
            return self.add(Check::Guards, found, folded, report);
        }
        let verb = if self.is_proved() {
            "is never taken"
        } else {
            "was never taken"
        };
        let mut found = Diagnostic::warning("unreachable-edge", edge.span, format!("edge {name} {verb}"));
        let why = match &edge.sync {
            _ if !facts.has_instances => Some("a selection has no value to take"),
            Some(_) => Some("no partner is ready when it is"),
            None => None,
        };
        if let Some(why) = why.filter(|_| self.is_proved()) {
            found = found.help(why);
        }
        self.add(Check::Edges, found, folded, report);
    }
}
