//! Models without their hybrid clocks, for symbolic analysis, which ignores these.
//!
//! A hybrid clock is a quantity of statistical queries, such as a cost. Where nothing else of a model depends on it, the model
//! behaves the same without it: its rates and the values that it is set to can be left out.

use crate::tree::{Expr, ExprKind, Feature, Init, Model, Query, QueryKind, Variable};
use crate::types::Type;
use zonewalk_syntax::span::Span;

/// A place where behaviour depends on a hybrid clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Influence(pub Span);

/// A copy of a model without its hybrid clocks; `None` for a model that has none. What stays has the same names and numbers, so that
/// queries typed against the model fit the copy.
///
/// # Errors
/// Where a hybrid clock influences behaviour, or one of the queries mentions it.
pub fn without_hybrid_clocks(model: &Model, queries: &[&Query]) -> Option<Result<Model, Influence>> {
    let has_any = model
        .features
        .iter()
        .any(|used| used.feature == Feature::HybridClocks);
    has_any.then(|| {
        let mut plain = model.clone();
        strip(&mut plain)?;
        queries.iter().try_for_each(|query| without_mention(query))?;
        Ok(plain)
    })
}

fn strip(model: &mut Model) -> Result<(), Influence> {
    let mut removed = Vec::new();
    for function in &model.functions {
        if let Some(body) = &function.body {
            let mut found = Ok(());
            body.expressions(&mut |expr, _| {
                if found.is_ok() {
                    found = unread(expr);
                }
            });
            found?;
        }
        if function.params.iter().any(|param| is_hybrid(&param.ty)) {
            return Err(Influence(function.span));
        }
    }
    for update in model.before_update.iter().chain(&model.after_update) {
        unread(update)?;
    }
    for set in &model.process_sets {
        set.args.iter().try_for_each(unread)?;
    }
    model.globals.iter_mut().try_for_each(forget)?;
    for template in &mut model.templates {
        if let Some(param) = template.params.iter().find(|param| is_hybrid(&param.ty)) {
            return Err(Influence(param.span));
        }
        template.variables.iter_mut().try_for_each(forget)?;
        for location in &mut template.locations {
            if let Some(invariant) = &mut location.invariant {
                leave_rates_out(invariant, &mut removed);
                unread(invariant)?;
            }
            if let Some((rate, divisor)) = &location.exponential_rate {
                unread(rate)?;
                divisor.as_ref().map_or(Ok(()), unread)?;
            }
        }
        for edge in &mut template.edges {
            edge.guard.as_ref().map_or(Ok(()), unread)?;
            if let Some(sync) = &edge.sync {
                unread(&sync.channel)?;
            }
            let weight = edge.branch.as_ref().and_then(|branch| branch.weight.as_ref());
            weight.map_or(Ok(()), unread)?;
            edge.updates.retain(|update| {
                let is_removed = sets_hybrid(update);
                removed.extend(is_removed.then_some(update.span));
                !is_removed
            });
            edge.updates.iter().try_for_each(unread)?;
        }
    }
    // What is left of a construct whose first use is gone, compiling finds.
    let is_gone = |span: Span| {
        removed
            .iter()
            .any(|gone| gone.start <= span.start && span.end <= gone.end)
    };
    model.features.retain(|used| match used.feature {
        Feature::HybridClocks => false,
        Feature::ClockArithmetic | Feature::RandomFunctions => !is_gone(used.span),
        _ => true,
    });
    Ok(())
}

/// Whether a type is that of a hybrid clock, or has some in it.
fn is_hybrid(ty: &Type) -> bool {
    ty.any(&mut |ty| matches!(ty, Type::Clock { hybrid: true }))
}

/// A declaration of hybrid clocks declares nothing any more.
fn forget(variable: &mut Variable) -> Result<(), Influence> {
    if matches!(variable.ty.base(), Type::Clock { hybrid: true }) {
        (variable.ty, variable.is_const, variable.init) = (Type::Int, true, None);
        return Ok(());
    }
    if is_hybrid(&variable.ty) {
        return Err(Influence(variable.span));
    }
    variable.init.as_ref().map_or(Ok(()), initial)
}

fn initial(init: &Init) -> Result<(), Influence> {
    match init {
        Init::Expr(expr) => unread(expr),
        Init::List(items) => items.iter().try_for_each(initial),
    }
}

/// `h = e`, of which nothing but `h` depends.
fn sets_hybrid(update: &Expr) -> bool {
    matches!(&update.kind, ExprKind::Assign(place, value) if is_hybrid(&place.ty) && is_pure(value))
}

fn is_pure(expr: &Expr) -> bool {
    let mut is_pure = !matches!(
        expr.kind,
        ExprKind::Assign(..)
            | ExprKind::AssignWith(..)
            | ExprKind::Step { .. }
            | ExprKind::Call(..)
            | ExprKind::ProcessCall(..)
    );
    expr.operands(&mut |part| is_pure = is_pure && self::is_pure(part));
    is_pure
}

/// Takes the rates of hybrid clocks out of an invariant.
fn leave_rates_out(expr: &mut Expr, removed: &mut Vec<Span>) {
    match &mut expr.kind {
        ExprKind::SetRate(clock, _) if is_hybrid(&clock.ty) => {
            removed.push(expr.span);
            (expr.kind, expr.ty) = (ExprKind::Int(1), Type::Bool);
        }
        ExprKind::And(parts) => parts.iter_mut().for_each(|part| leave_rates_out(part, removed)),
        ExprKind::Forall(_, body) => leave_rates_out(body, removed),
        _ => {}
    }
}

/// Whether an expression mentions no hybrid clock.
fn unread(expr: &Expr) -> Result<(), Influence> {
    if is_hybrid(&expr.ty) {
        return Err(Influence(expr.span));
    }
    let mut found = Ok(());
    expr.operands(&mut |part| {
        if found.is_ok() {
            found = unread(part);
        }
    });
    found
}

/// Whether a query about states mentions no hybrid clock; others are not asked of the copy.
fn without_mention(query: &Query) -> Result<(), Influence> {
    match &query.kind {
        QueryKind::Reachable(p)
        | QueryKind::Invariant(p)
        | QueryKind::PotentiallyAlways(p)
        | QueryKind::Inevitable(p) => unread(p),
        QueryKind::LeadsTo(p, q) => unread(p).and_then(|()| unread(q)),
        QueryKind::Extremum { predicate, exprs, .. } => {
            predicate.as_ref().map_or(Ok(()), unread)?;
            exprs.iter().try_for_each(unread)
        }
        QueryKind::Statistical(_) | QueryKind::Other(_) => Ok(()),
    }
}
