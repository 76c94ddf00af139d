//! Making expressions for questions of our own.

use zonewalk_model::ids::{LocationId, ProcessId};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, ExprKind, ProcessExpr, Query, QueryKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

pub(crate) fn boolean(kind: ExprKind) -> Expr {
    Expr {
        kind,
        ty: Type::Bool,
        span: Span::NONE,
    }
}

pub(crate) fn not(expr: Expr) -> Expr {
    boolean(ExprKind::Not(Box::new(expr)))
}

/// A process is in a location.
pub(crate) fn at(system: &System, process: ProcessId, location: LocationId) -> Option<Expr> {
    let set = system.processes.get(process.index())?.set;
    let range = system.sets.get(set.index())?;
    let mut rest = process.0.checked_sub(range.first.0)?;
    let mut args = Vec::with_capacity(range.dims.len());
    for &(lo, count) in range.dims.iter().rev() {
        let value = i64::from(lo) + i64::from(rest.checked_rem(count)?);
        rest /= count;
        args.push(Expr {
            kind: ExprKind::Int(i32::try_from(value).ok()?),
            ty: Type::Int,
            span: Span::NONE,
        });
    }
    args.reverse();
    Some(boolean(ExprKind::AtLocation(ProcessExpr { set, args }, location)))
}

/// `E<> expr`
pub(crate) fn reachable(expr: Expr, slots: usize, span: Span) -> Query {
    Query {
        kind: QueryKind::Reachable(expr),
        text: String::new(),
        span,
        comment: String::new(),
        options: Vec::new(),
        outcome: None,
        levels: None,
        slots,
    }
}
