//! What the interpreter does not run, found before it starts.

use crate::error::Unsupported;
use zonewalk_model::tree::{Feature, Model, Variable};
use zonewalk_model::types::Type;

/// Looks for constructs that the interpreter does not run.
///
/// # Errors
/// The first one, with its place.
pub fn supported(model: &Model) -> Result<(), Unsupported> {
    for used in &model.features {
        if let Some(construct) = unsupported_feature(used.feature) {
            return Err(Unsupported {
                construct,
                span: used.span,
            });
        }
    }
    // Doubles are exact nowhere, so they must not decide what a state is; in constants they are harmless.
    let locals = model
        .process_sets
        .iter()
        .flat_map(|set| &model.templates[set.template.index()].variables);
    match model.globals.iter().chain(locals).find(|v| is_double_in_state(v)) {
        Some(variable) => Err(Unsupported {
            construct: "variables of type double",
            span: variable.span,
        }),
        None => Ok(()),
    }
}

fn unsupported_feature(feature: Feature) -> Option<&'static str> {
    Some(match feature {
        Feature::HybridClocks => "hybrid clocks",
        Feature::DynamicTemplates => "dynamic templates",
        Feature::RandomFunctions => "random numbers",
        Feature::ExternalFunctions => "external functions",
        Feature::ClockArithmetic => "arithmetic on clocks beyond sums with integers and differences",
        // `semantics.md` 16e: no public source says what it means.
        Feature::LocationInGuard => "the name of a location as a condition",
        _ => return None,
    })
}

fn is_double_in_state(variable: &Variable) -> bool {
    !variable.is_const && variable.ty.any(&mut |ty| matches!(ty, Type::Double))
}
