//! Parts of invariants: those that set rates of clocks, and the conditions.

use zonewalk_model::tree::{Expr, ExprKind};

/// The parts of a conjunction; an expression of another kind is its only part.
pub(crate) fn conjuncts(expr: &Expr) -> &[Expr] {
    match &expr.kind {
        ExprKind::And(parts) => parts,
        _ => std::slice::from_ref(expr),
    }
}

/// Whether a part of an invariant does nothing else: then it is true.
pub(crate) fn only_sets_rates(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetRate(..) => true,
        ExprKind::And(parts) => parts.iter().all(only_sets_rates),
        ExprKind::Forall(_, body) => only_sets_rates(body),
        _ => false,
    }
}

/// Whether a part of an invariant sets a rate.
pub(crate) fn sets_rate(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetRate(..) => true,
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(sets_rate),
        ExprKind::Imply(_, body) | ExprKind::Forall(_, body) => sets_rate(body),
        ExprKind::Conditional(_, then, otherwise) => sets_rate(then) || sets_rate(otherwise),
        _ => false,
    }
}
