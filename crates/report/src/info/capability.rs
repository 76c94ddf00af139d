//! Which engine can work on which model, and which search decides which query.

use super::gather::Refusal;
use serde::Serialize;
use zonewalk_model::tree::{Extremum, Feature, Model, OtherQueryFamily, QueryKind};
use zonewalk_syntax::span::Span;

/// A family of searches that work on the same form of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The reference interpreter, step by step.
    Simulation,
    /// Concrete runs in exact time.
    Walks,
    /// Concrete runs by the stochastic semantics.
    Statistical,
    /// Sets of states as zones.
    Symbolic,
    /// The same, led by estimates of the distance to the goal.
    Directed,
}

/// What a family can do with a model.
#[derive(Clone, Debug, Serialize)]
pub struct Engine {
    /// Its name.
    pub engine: &'static str,
    /// Its searches, by the names that the command line gives them.
    pub searches: &'static [&'static str],
    /// Whether this version of zonewalk has one of them.
    pub available: bool,
    /// Those that this version has.
    pub available_searches: &'static [&'static str],
    /// Whether the model lies in its range.
    pub suitable: bool,
    /// Why not.
    pub obstacles: Vec<Obstacle>,
    /// What to know about its answers.
    pub remarks: Vec<&'static str>,
}

/// A construct that an engine cannot treat.
#[derive(Clone, Debug, Serialize)]
pub struct Obstacle {
    /// The feature, in words.
    pub feature: String,
    /// The file of its first use.
    pub file: Option<String>,
    /// The line of its first use.
    pub line: Option<u32>,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 5] = [
        Family::Simulation,
        Family::Walks,
        Family::Statistical,
        Family::Symbolic,
        Family::Directed,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Family::Simulation => "simulation",
            Family::Walks => "walks",
            Family::Statistical => "statistical walks",
            Family::Symbolic => "symbolic search",
            Family::Directed => "directed search",
        }
    }

    /// Its searches.
    pub fn searches(self) -> &'static [&'static str] {
        match self {
            Family::Simulation => &["simulate"],
            Family::Walks => &["sem", "ret", "rlc", "rlc-a"],
            Family::Statistical => &["smc"],
            Family::Symbolic => &["bfs", "dfs", "rdfs", "drs", "highway", "random"],
            Family::Directed => &["greedy", "astar"],
        }
    }

    /// Those of its searches that this version of zonewalk has: the first ones.
    pub fn available_searches(self) -> &'static [&'static str] {
        match self {
            Family::Directed => &[],
            _ => self.searches(),
        }
    }

    /// What to know about its answers on a model with this feature.
    fn remark(self, feature: Feature) -> Option<&'static str> {
        match (self, feature) {
            (Family::Symbolic | Family::Directed, Feature::Stopwatches) => {
                Some("over-approximates stopwatches: \"reachable\" becomes \"maybe\"")
            }
            _ => None,
        }
    }

    /// What it can do with the model, by its own words.
    pub fn assess(self, model: &Model, refusals: &[Refusal]) -> Engine {
        let obstacles: Vec<_> = refusals
            .iter()
            .filter(|refusal| refusal.family == self)
            .map(|refusal| obstacle(model, refusal.construct.clone(), refusal.span))
            .collect();
        let mut remarks: Vec<_> = model
            .features
            .iter()
            .filter_map(|used| self.remark(used.feature))
            .collect();
        remarks.dedup();
        Engine {
            engine: self.name(),
            searches: self.searches(),
            available: !self.available_searches().is_empty(),
            available_searches: self.available_searches(),
            suitable: obstacles.is_empty(),
            obstacles,
            remarks,
        }
    }

    /// Its searches that can decide such a query, at least in one direction.
    pub fn deciders(self, kind: &QueryKind) -> &'static [&'static str] {
        match (self, kind) {
            (_, QueryKind::Other(_)) | (Family::Simulation, _) => &[],
            (_, QueryKind::Reachable(_) | QueryKind::Invariant(_)) => self.searches(),
            (Family::Symbolic, _) => &["bfs", "dfs", "rdfs"],
            _ => &[],
        }
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

/// What a query asks, in one word.
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
        QueryKind::Other(other) => match other.family {
            OtherQueryFamily::Statistical => "statistical",
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
        BranchConditions => "guards or synchronisations on branches",
    }
}
