//! Which types go together.

use super::types::INT_RANGE;
use crate::tree::{Expr, ExprKind};
use crate::types::{Bound, ChanType, Condition, IndexType, Type};

/// `int` with or without a range; not `bool`.
pub(super) fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Range(_) | Type::Error)
}

/// A number of any kind: integers, doubles, clocks and their differences.
pub(super) fn is_number(ty: &Type) -> bool {
    ty.is_integral() || matches!(ty, Type::Double | Type::Clock { .. } | Type::Difference)
}

/// Usable where conditions up to `kind` are allowed: data, or clocks in a form that fits.
pub(super) fn is_condition(ty: &Type, kind: Condition) -> bool {
    ty.is_integral() || condition(ty).is_some_and(|c| fits(c, kind))
}

pub(super) fn condition(ty: &Type) -> Option<Condition> {
    match ty {
        Type::Condition(c) => Some(*c),
        _ => None,
    }
}

/// Whether a condition may be used as `kind`. Rates belong to invariants alone, so a condition with rates is no
/// guard though a plain invariant is one.
pub(super) fn fits(c: Condition, kind: Condition) -> bool {
    match (c, kind) {
        (Condition::InvariantWithRates, k) => k == Condition::InvariantWithRates,
        (_, Condition::InvariantWithRates) => c == Condition::Invariant,
        _ => c <= kind,
    }
}

/// Whether values of `value` can be stored in a variable of type `place` (`semantics.md` 17b, 19d, 19e).
pub(super) fn assignable(place: &Type, value: &Type) -> bool {
    match place {
        Type::Clock { .. } | Type::Double => {
            value.is_integral() || matches!(value, Type::Double | Type::Clock { .. })
        }
        _ => (place.is_integral() && value.is_integral()) || equivalent(place, value),
    }
}

/// Whether a value may initialise a variable. A clock may start from a number.
pub(super) fn initialisable(place: &Type, value: &Type) -> bool {
    match place {
        Type::Clock { .. } | Type::Double => value.is_integral() || matches!(value, Type::Double),
        _ => assignable(place, value),
    }
}

/// Structural equality; scalar sets by name. Reference parameters and whole-array assignments need it.
pub(super) fn equivalent(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Error, _) | (_, Type::Error) => true,
        (Type::Int, Type::Int | Type::Range(_)) | (Type::Range(_), Type::Int) => true,
        (Type::Range(a), Type::Range(b)) => same_bound(&a.lo, &b.lo) && same_bound(&a.hi, &b.hi),
        (Type::Bool, Type::Bool) | (Type::Double, Type::Double) | (Type::Str, Type::Str) => true,
        (Type::Clock { .. }, Type::Clock { .. }) => true,
        (Type::Chan(a), Type::Chan(b)) => capability(*a) == capability(*b),
        (Type::Scalar(a), Type::Scalar(b)) => a == b,
        (Type::Struct(a), Type::Struct(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields
                    .iter()
                    .zip(&b.fields)
                    .all(|((na, ta), (nb, tb))| na == nb && equivalent(ta, tb))
        }
        (Type::Array(a), Type::Array(b)) => {
            same_index(&a.index, &b.index) && equivalent(&a.element, &b.element)
        }
        _ => false,
    }
}

/// Class of argument types a channel can be passed as: an urgent one only as urgent, a broadcast one not as a plain one
/// (`semantics.md` 21c).
pub(super) fn capability(chan: ChanType) -> u8 {
    match (chan.urgent, chan.broadcast) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

fn same_index(a: &IndexType, b: &IndexType) -> bool {
    match (a, b) {
        (IndexType::Scalar(a), IndexType::Scalar(b)) => a == b,
        (IndexType::Scalar(_), _) | (_, IndexType::Scalar(_)) => false,
        _ => match (extent(a), extent(b)) {
            (Some(a), Some(b)) => a == b,
            // Sizes that depend on parameters are compared when the process is made.
            _ => true,
        },
    }
}

/// First index and number of elements, where known. `a[3]` and `a[int[0,2]]` are the same.
pub(super) fn extent(index: &IndexType) -> Option<(i32, i64)> {
    match index {
        IndexType::Size(Bound::Const(n)) => Some((0, i64::from(*n))),
        IndexType::Range(r) => match (&r.lo, &r.hi) {
            (Bound::Const(lo), Bound::Const(hi)) => Some((*lo, (i64::from(*hi) - i64::from(*lo) + 1).max(0))),
            _ => None,
        },
        _ => None,
    }
}

fn same_bound(a: &Bound, b: &Bound) -> bool {
    match (a, b) {
        (Bound::Const(a), Bound::Const(b)) => a == b,
        (Bound::Expr(a), Bound::Expr(b)) => same_expr(a, b),
        // `int` against `int[0, N]` with a parameter `N`: different unless the bounds turn out equal.
        (Bound::Const(c), Bound::Expr(_)) | (Bound::Expr(_), Bound::Const(c)) => {
            *c != INT_RANGE.0 && *c != INT_RANGE.1
        }
    }
}

/// Whether two expressions are textually equal, as far as bounds can tell; parts that are not compared count as equal.
fn same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Arithmetic(fa, ra), ExprKind::Arithmetic(fb, rb)) => {
            ra.len() == rb.len()
                && same_expr(fa, fb)
                && ra
                    .iter()
                    .zip(rb)
                    .all(|((oa, ea), (ob, eb))| oa == ob && same_expr(ea, eb))
        }
        (ExprKind::Int(_), ExprKind::Var(_)) | (ExprKind::Var(_), ExprKind::Int(_)) => false,
        _ => true,
    }
}

/// For messages: how a type is written.
pub(super) fn describe(ty: &Type) -> String {
    match ty {
        Type::Error => "an invalid type".into(),
        Type::Void => "void".into(),
        Type::Bool => "bool".into(),
        Type::Int => "int".into(),
        Type::Range(r) => match (&r.lo, &r.hi) {
            (Bound::Const(lo), Bound::Const(hi)) if (*lo, *hi) == INT_RANGE => "int".into(),
            (Bound::Const(lo), Bound::Const(hi)) => format!("int[{lo},{hi}]"),
            _ => "int[…]".into(),
        },
        Type::Double => "double".into(),
        Type::Str => "string".into(),
        Type::Clock { .. } => "clock".into(),
        Type::Chan(c) => {
            let urgent = if c.urgent { "urgent " } else { "" };
            let broadcast = if c.broadcast { "broadcast " } else { "" };
            format!("{urgent}{broadcast}chan")
        }
        Type::Scalar(_) => "scalar".into(),
        Type::Array(a) => match extent(&a.index) {
            Some((_, n)) => format!("array of {n} {}", describe(&a.element)),
            None => format!("array of {}", describe(&a.element)),
        },
        Type::Struct(_) => "struct".into(),
        Type::Difference => "difference of clocks".into(),
        Type::Rate => "rate of a clock".into(),
        Type::Condition(Condition::Invariant) => "condition on clocks".into(),
        Type::Condition(Condition::InvariantWithRates) => "condition with rates of clocks".into(),
        Type::Condition(Condition::Guard) => "condition on clocks with equality".into(),
        Type::Condition(Condition::Constraint) => "condition on clocks that is not convex".into(),
        Type::Condition(Condition::Formula) => "formula".into(),
        Type::Process => "process".into(),
    }
}
