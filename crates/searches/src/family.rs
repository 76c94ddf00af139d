//! Families of searches: those that work on the same form of the model.

use crate::{Planned, Question, Search};
use zonewalk_model::tree::{Feature, QueryKind};

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
    /// Symbolic search guided by estimates of the distance to the goal.
    Directed,
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

    /// Its searches that this version of zonewalk has. Simulation is a command of its own.
    pub fn available_searches(self) -> Vec<&'static str> {
        let own = Search::that(|search| search.info().family == Some(self));
        let command = (self == Family::Simulation).then_some("simulate");
        command
            .into_iter()
            .chain(own.into_iter().map(Search::name))
            .collect()
    }

    /// Its searches, with those to come.
    pub fn searches(self) -> Vec<&'static str> {
        let mut names = self.available_searches();
        names.extend(self.planned());
        names
    }

    fn planned(self) -> impl Iterator<Item = &'static str> {
        let own = Planned::ALL.iter().filter(move |planned| planned.family == self);
        own.map(|planned| planned.name)
    }

    /// Its searches that can decide such a query, at least in one direction, with those to come.
    pub fn deciders(self, kind: &QueryKind) -> Vec<&'static str> {
        if matches!(kind, QueryKind::Statistical(_)) && self != Family::Statistical {
            return Vec::new();
        }
        let own = Search::that(|search| search.info().family == Some(self) && search.decides(kind));
        let mut names: Vec<_> = own.into_iter().map(Search::name).collect();
        if Question::of(kind) == Some(Question::States) {
            names.extend(self.planned());
        }
        names
    }

    /// Caveat about the family's answers for models with this feature.
    pub fn remark(self, feature: Feature) -> Option<&'static str> {
        match (self, feature) {
            (Family::Symbolic | Family::Directed, Feature::Stopwatches) => {
                Some("over-approximates stopwatches: \"reachable\" becomes \"maybe\"")
            }
            _ => None,
        }
    }
}
