//! Which constructs keep which engines from running a model.

use zonewalk_model::tree::{Feature, Model, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Families of engines that run on the compiled network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    /// Concrete walks.
    pub walks: bool,
    /// Searches of the zone graph.
    pub symbolic: bool,
}

/// A construct that some engines do not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// For a person: `hybrid clocks`.
    pub construct: &'static str,
    /// As the model records it; `None` for variables, which are not a feature.
    pub feature: Option<Feature>,
    /// Where first.
    pub span: Span,
    /// The engines that it rules out.
    pub engines: Engines,
}

const ALL: Engines = Engines {
    walks: true,
    symbolic: true,
};

/// Features that rule out engines by their mere presence, in the order of the model's features.
///
/// A construct that is harmless in places (a double inside a function, or in an exponential rate) is not among these;
/// [`crate::Network::compile`] refuses it where it matters.
pub fn unsupported(model: &Model) -> Vec<Unsupported> {
    let features = model.features.iter().filter_map(|used| {
        let (construct, engines) = ruled_out(used.feature)?;
        Some(Unsupported {
            construct,
            feature: Some(used.feature),
            span: used.span,
            engines,
        })
    });
    let mut found: Vec<Unsupported> = features.collect();
    found.extend(double_in_state(model).map(|variable| Unsupported {
        construct: DOUBLE_IN_STATE,
        feature: None,
        span: variable.span,
        engines: ALL,
    }));
    found
}

pub(crate) const DOUBLE_IN_STATE: &str = "variables of type double";

/// The first variable that lives in doubles. They are exact nowhere, so they must not decide what a state is; inside a function
/// they are computed anew each time.
pub(crate) fn double_in_state(model: &Model) -> Option<&Variable> {
    let used = model
        .process_sets
        .iter()
        .filter_map(|set| model.templates.get(set.template.index()));
    let mut variables = model.globals.iter().chain(used.flat_map(|t| &t.variables));
    variables.find(|variable| is_double_in_state(variable))
}

fn ruled_out(feature: Feature) -> Option<(&'static str, Engines)> {
    Some(match feature {
        Feature::HybridClocks => ("hybrid clocks", ALL),
        // `semantics.md` 3: such a model is statistical only.
        Feature::ClockRates => ("clock rates other than 0 and 1", ALL),
        Feature::DynamicTemplates => ("dynamic templates", ALL),
        Feature::ExternalFunctions => ("external functions", ALL),
        Feature::RandomFunctions => ("random numbers", ALL),
        Feature::ClockArithmetic => (
            "arithmetic on clocks beyond sums with integers and differences",
            ALL,
        ),
        // `semantics.md` 16e: no public source says what it means.
        Feature::LocationInGuard => ("the name of a location as a condition", ALL),
        Feature::BranchConditions => ("synchronisations before and after a branchpoint", ALL),
        _ => return None,
    })
}

fn is_double_in_state(variable: &Variable) -> bool {
    !variable.is_const && variable.ty.any(&mut |ty| matches!(ty, Type::Double))
}
