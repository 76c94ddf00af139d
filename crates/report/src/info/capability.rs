//! Which engine can work on which model, and features and queries in words.

use super::gather::Facts;
use serde::Serialize;
use zonewalk_model::tree::{Extremum, Feature, Model, OtherQueryFamily, QueryKind};
use zonewalk_searches::Family;
use zonewalk_syntax::span::Span;

/// Capabilities of a family of searches on a model.
#[derive(Clone, Debug, Serialize)]
pub struct Engine {
    /// Its name.
    pub engine: &'static str,
    /// Its searches, by the names that the command line gives them.
    pub searches: Vec<&'static str>,
    /// Whether this version of zonewalk has one of them.
    pub available: bool,
    /// Searches of the family that this version implements.
    pub available_searches: Vec<&'static str>,
    /// Whether the model lies in its range.
    pub suitable: bool,
    /// Why not.
    pub obstacles: Vec<Obstacle>,
    /// Caveats about its answers.
    pub remarks: Vec<&'static str>,
}

/// A construct that an engine does not support.
#[derive(Clone, Debug, Serialize)]
pub struct Obstacle {
    /// The feature, in words.
    pub feature: String,
    /// The file of its first use.
    pub file: Option<String>,
    /// The line of its first use.
    pub line: Option<u32>,
}

/// Assesses what a family of searches can do with the model, from the engines' own refusals.
pub(super) fn assess(family: Family, facts: &Facts<'_>) -> Engine {
    let model = facts.model;
    let obstacles: Vec<_> = facts
        .refusals
        .iter()
        .filter(|refusal| refusal.family == family)
        .map(|refusal| obstacle(model, refusal.construct.clone(), refusal.span))
        .collect();
    let mut remarks: Vec<_> = model
        .features
        .iter()
        .filter_map(|used| family.remark(used.feature))
        .collect();
    remarks.dedup();
    let searches = [Family::Walks, Family::Symbolic, Family::Directed];
    if facts.is_without_hybrid_clocks && searches.contains(&family) && obstacles.is_empty() {
        remarks.push("leaves the hybrid clocks out, on which nothing depends");
    }
    if facts.is_in_doubles && family == Family::Statistical {
        remarks.push("time in doubles, and no proofs");
    }
    Engine {
        engine: family.name(),
        searches: family.searches(),
        available: !family.available_searches().is_empty(),
        available_searches: family.available_searches(),
        suitable: obstacles.is_empty(),
        obstacles,
        remarks,
    }
}

fn obstacle(model: &Model, feature: String, span: Span) -> Obstacle {
    let source = model.sources.source(span.start);
    Obstacle {
        feature,
        file: source.map(|s| s.name.clone()),
        line: source.map(|s| s.line(span.start)),
    }
}

/// Kind of a query in one word.
pub fn query_kind(kind: &QueryKind) -> &'static str {
    match kind {
        QueryKind::Reachable(_) => "reachable",
        QueryKind::Invariant(_) => "invariant",
        QueryKind::PotentiallyAlways(_) => "potentially-always",
        QueryKind::Inevitable(_) => "inevitable",
        QueryKind::LeadsTo(..) => "leads-to",
        QueryKind::Extremum {
            kind: Extremum::Sup, ..
        } => "sup",
        QueryKind::Extremum {
            kind: Extremum::Inf, ..
        } => "inf",
        QueryKind::Extremum {
            kind: Extremum::Bounds,
            ..
        } => "bounds",
        QueryKind::Statistical(_) => "statistical",
        QueryKind::Other(other) => match other.family {
            OtherQueryFamily::Game => "game",
            OtherQueryFamily::Strategy => "strategy",
            OtherQueryFamily::Ecdar => "ecdar",
            OtherQueryFamily::Scenario => "scenario",
        },
    }
}

/// A feature in words.
pub fn feature_name(feature: Feature) -> &'static str {
    use Feature::*;
    match feature {
        Broadcast => "broadcast channels",
        UrgentChannels => "urgent channels",
        UrgentLocations => "urgent locations",
        CommittedLocations => "committed locations",
        ChannelPriorities => "channel priorities",
        ProcessPriorities => "process priorities",
        Branchpoints => "branchpoints",
        ExponentialRates => "exponential rates",
        Stopwatches => "stopwatches",
        ClockRates => "clock rates other than 0 and 1",
        HybridClocks => "hybrid clocks",
        Doubles => "floating-point numbers",
        Strings => "strings",
        MathFunctions => "mathematical functions",
        RandomFunctions => "random functions",
        ExternalFunctions => "external functions",
        DynamicTemplates => "dynamic templates",
        ClockDifferences => "clock differences",
        ClockCopies => "assignments between clocks",
        ClockArithmetic => "arithmetic on clocks",
        ClockGuardsOnReceivers => "clock guards on broadcast receivers",
        ClockGuardsOnUrgent => "clock guards on urgent channels",
        LowerBoundInvariants => "invariants with lower bounds",
        ScalarSets => "scalar sets",
        MetaVariables => "meta variables",
        Selects => "selections",
        Functions => "functions",
        Structs => "structs",
        BeforeAfterUpdate => "before_update and after_update",
        UncontrollableEdges => "uncontrollable edges",
        LiveSequenceCharts => "live sequence charts",
        Gantt => "gantt charts",
        ProgressMeasures => "progress measures",
        LocationInGuard => "locations in guards",
        CspSynchronisation => "CSP-style synchronisation",
        BranchConditions => "synchronisations before and after a branchpoint",
    }
}
