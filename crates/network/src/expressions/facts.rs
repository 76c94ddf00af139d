//! Facts about functions that follow from their bodies alone.

use crate::expressions::interval::root;
use crate::expressions::visit;
use zonewalk_model::ids::FunctionId;
use zonewalk_model::tree::{Block, Expr, ExprKind, Model, Statement, VarRef};
use zonewalk_model::types::Type;

/// Facts about one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Nodes of the body, with those of inlined functions.
    pub(crate) size: u32,
    /// By slot: whether the body may change it, itself or by passing it on.
    pub(crate) assigned: Vec<bool>,
    /// Whether a call may change anything that the caller can see.
    pub(crate) effects: bool,
    /// Whether a call may set a clock.
    pub(crate) sets_clocks: bool,
    /// The functions that it calls directly.
    pub(crate) calls: Vec<FunctionId>,
    /// Whether its body goes where it is called.
    pub(crate) inlined: bool,
}

/// A body of this size costs hardly more than the call.
const SMALL: u32 = 48;
/// Beyond this even a body that is called once keeps its own place, so that inlining cannot nest without end.
const LARGE: u32 = 4_000;

/// Facts about all functions. A function only calls functions before it.
pub(crate) fn facts(model: &Model) -> Vec<Facts> {
    let sites = call_sites(model);
    let mut all: Vec<Facts> = Vec::with_capacity(model.functions.len());
    for (number, function) in model.functions.iter().enumerate() {
        let mut facts = Facts {
            assigned: vec![false; function.slots.max(function.params.len())],
            effects: function.has_side_effects,
            ..Facts::default()
        };
        if let Some(body) = &function.body {
            body.expressions(&mut |outer, _| {
                visit::expression(outer, &mut |e| look(e, &all, model, &mut facts));
            });
        }
        // Writing through a reference is seen by the caller.
        facts.effects |= function
            .params
            .iter()
            .zip(&facts.assigned)
            .any(|(p, &a)| p.by_reference && a);
        let once = sites.get(number).is_some_and(|&n| n == 1);
        facts.inlined = facts.size <= SMALL || once && facts.size <= LARGE;
        all.push(facts);
    }
    all
}

fn look(e: &Expr, all: &[Facts], model: &Model, facts: &mut Facts) {
    facts.size = facts.size.saturating_add(1);
    let changed = |place: &Expr, facts: &mut Facts| {
        for_each_root(place, &mut |var| match var {
            VarRef::Slot(slot) => {
                if let Some(assigned) = facts.assigned.get_mut(slot.index()) {
                    *assigned = true;
                }
            }
            _ => facts.effects = true,
        });
    };
    match &e.kind {
        ExprKind::Assign(place, _) => {
            facts.sets_clocks |= place.ty.any(&mut |t| matches!(t, Type::Clock { .. }));
            changed(place, facts);
        }
        ExprKind::AssignWith(_, place, _) | ExprKind::Step { place, .. } => changed(place, facts),
        ExprKind::Call(callee, args) => {
            facts.calls.push(*callee);
            let Some(theirs) = all.get(callee.index()) else {
                return;
            };
            if theirs.inlined {
                facts.size = facts.size.saturating_add(theirs.size);
            }
            facts.sets_clocks |= theirs.sets_clocks;
            let Some(function) = model.functions.get(callee.index()) else {
                return;
            };
            facts.effects |= function.has_side_effects;
            for (number, (param, arg)) in function.params.iter().zip(args).enumerate() {
                if param.by_reference && theirs.assigned.get(number).copied().unwrap_or(true) {
                    changed(arg, facts);
                }
            }
        }
        _ => {}
    }
}

/// Calls `visit` for the variable behind a left side; for both of `b ? i : j`.
pub(crate) fn for_each_root(place: &Expr, visit: &mut dyn FnMut(VarRef)) {
    match &place.kind {
        ExprKind::Conditional(_, a, b) => {
            for_each_root(a, visit);
            for_each_root(b, visit);
        }
        ExprKind::Assign(p, _) | ExprKind::AssignWith(_, p, _) | ExprKind::Step { place: p, .. } => {
            for_each_root(p, visit);
        }
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => for_each_root(base, visit),
        _ => {
            if let Some(var) = root(place) {
                visit(var);
            }
        }
    }
}

/// Number of calls of each function in the text of the model.
fn call_sites(model: &Model) -> Vec<u32> {
    let mut sites = vec![0u32; model.functions.len()];
    let mut count = |outer: &Expr| {
        visit::expression(outer, &mut |e| {
            if let ExprKind::Call(f, _) = e.kind
                && let Some(n) = sites.get_mut(f.index())
            {
                *n = n.saturating_add(1);
            }
        });
    };
    model
        .functions
        .iter()
        .filter_map(|f| f.body.as_ref())
        .for_each(|b| b.expressions(&mut |e, _| count(e)));
    model.templates.iter().for_each(|t| visit::labels(t, &mut count));
    model
        .before_update
        .iter()
        .chain(&model.after_update)
        .for_each(&mut count);
    sites
}

/// Nodes that a call may evaluate and still be folded: folding is tried often, and a loop may take long.
const QUICK: u32 = 4_000;

/// Whether a call of the function evaluates a few expressions only, be they in functions that it calls.
pub(crate) fn is_quick(model: &Model, function: FunctionId) -> bool {
    is_quick_within(model, function, &mut { QUICK })
}

/// Whether evaluating the expression takes a few steps only: no quantifier, and no call that takes more.
pub(crate) fn is_quick_to_evaluate(model: &Model, expr: &Expr) -> bool {
    !visit::any(expr, &mut |e| match &e.kind {
        ExprKind::Call(function, _) => model
            .functions
            .get(function.index())
            .is_none_or(|f| f.has_side_effects || f.reads_state || !is_quick(model, *function)),
        ExprKind::ProcessCall(..) | ExprKind::Forall(..) | ExprKind::Exists(..) | ExprKind::Sum(..) => true,
        _ => false,
    })
}

fn is_quick_within(model: &Model, function: FunctionId, budget: &mut u32) -> bool {
    let body = model
        .functions
        .get(function.index())
        .and_then(|f| f.body.as_ref());
    let Some(body) = body.filter(|b| !has_loop(b)) else {
        return false;
    };
    let mut quick = true;
    body.expressions(&mut |outer, _| {
        quick = quick
            && !visit::any(outer, &mut |e| {
                // Anything that is too much ends the search.
                *budget = budget.saturating_sub(1);
                *budget == 0
                    || match &e.kind {
                        ExprKind::Call(f, _) => !is_quick_within(model, *f, budget),
                        ExprKind::Forall(..) | ExprKind::Exists(..) | ExprKind::Sum(..) => true,
                        _ => false,
                    }
            });
    });
    quick
}

fn has_loop(block: &Block) -> bool {
    fn in_statement(statement: &Statement) -> bool {
        match statement {
            Statement::While { .. }
            | Statement::DoWhile { .. }
            | Statement::For { .. }
            | Statement::ForIn { .. } => true,
            Statement::Block(block) => has_loop(block),
            Statement::If { then, otherwise, .. } => {
                in_statement(then) || otherwise.as_ref().is_some_and(|o| in_statement(o))
            }
            Statement::Expr(_) | Statement::Assert(_) | Statement::Return(_) => false,
        }
    }
    block.statements.iter().any(in_statement)
}

/// Whether evaluating the expression may change anything.
pub(crate) fn has_effects(facts: &[Facts], expr: &Expr) -> bool {
    visit::any(expr, &mut |e| match &e.kind {
        ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { .. } => true,
        ExprKind::Call(f, _) | ExprKind::ProcessCall(_, f, _) => {
            facts.get(f.index()).is_none_or(|f| f.effects)
        }
        _ => false,
    })
}

/// Whether evaluating the expression certainly neither fails nor changes anything: constants and plain variables.
pub(crate) fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Var(_) => true,
        ExprKind::Field(base, _) => is_plain(base),
        _ => false,
    }
}
