//! Constructs that the interpreter does not run, found before it starts.

use crate::error::Unsupported;
use zonewalk_model::tree::{Expr, ExprKind, Feature, Init, Model, Template, Variable};
use zonewalk_model::types::Type;

/// Looks for constructs that the interpreter does not run.
///
/// # Errors
/// The first one, with its place.
pub fn supported(model: &Model) -> Result<(), Unsupported> {
    let mut features = model.features.iter();
    let refused = features.find_map(|used| {
        let construct = unsupported_feature(used.feature)?;
        let span = used.span;
        Some(Unsupported { construct, span })
    });
    let templates = model
        .process_sets
        .iter()
        .map(|set| &model.templates[set.template.index()]);
    let found = refused
        .or_else(|| model.globals.iter().find_map(unsupported_variable))
        .or_else(|| {
            model
                .before_update
                .iter()
                .chain(&model.after_update)
                .find_map(fraction)
        })
        .or_else(|| templates.clone().find_map(unsupported_template));
    found.map_or(Ok(()), Err)
}

fn unsupported_template(template: &Template) -> Option<Unsupported> {
    let variables = template.variables.iter().find_map(unsupported_variable);
    let invariants = template.locations.iter().filter_map(|l| l.invariant.as_ref());
    let labels = template
        .edges
        .iter()
        .flat_map(|e| e.guard.iter().chain(&e.updates));
    variables.or_else(|| invariants.chain(labels).find_map(fraction))
}

/// Doubles are exact nowhere, so they must not decide what a state is; in constants they are harmless.
fn unsupported_variable(variable: &Variable) -> Option<Unsupported> {
    let Variable { ty, span, .. } = variable;
    if !variable.is_const && ty.any(&mut |ty| matches!(ty, Type::Double)) {
        return Some(Unsupported {
            construct: "variables of type double",
            span: *span,
        });
    }
    let has_clocks = ty.any(&mut |ty| matches!(ty, Type::Clock { .. }));
    let is_fraction = |init: &Init| any_value(init, &|e| matches!(e.ty, Type::Double));
    (has_clocks && variable.init.as_ref().is_some_and(is_fraction)).then_some(Unsupported {
        construct: "clocks that start at a fraction",
        span: *span,
    })
}

fn any_value(init: &Init, test: &dyn Fn(&Expr) -> bool) -> bool {
    match init {
        Init::Expr(e) => test(e),
        Init::List(items) => items.iter().any(|item| any_value(item, test)),
    }
}

/// A double where a clock needs an integer.
fn fraction(expr: &Expr) -> Option<Unsupported> {
    let is_double = |e: &Expr| matches!(e.ty, Type::Double);
    let construct = match &expr.kind {
        ExprKind::CompareClocks(_, a, b) if is_double(a) || is_double(b) => {
            Some("clock bounds that are not integers")
        }
        ExprKind::SetRate(_, rate) if is_double(rate) => Some("clock rates that are not integers"),
        ExprKind::Assign(place, value) if place.ty.is_clock() && is_double(value) => {
            Some("clocks set to values that are not integers")
        }
        _ => None,
    };
    let span = expr.span;
    construct
        .map(|construct| Unsupported { construct, span })
        .or_else(|| {
            let mut found = None;
            expr.operands(&mut |e| found = found.take().or_else(|| fraction(e)));
            found
        })
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
        Feature::BranchConditions => "synchronisations before and after a branchpoint",
        _ => return None,
    })
}
