//! Families of searches: those that work on the same form of the model.

use zonewalk_model::tree::Feature;

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
