//! Visiting the parts of the typed tree.

use zonewalk_model::tree::{Block, Expr, ExprKind, Model, Statement, Template};
use zonewalk_model::types::{Bound, IndexType, Type};

/// Calls `visit` for the direct parts of an expression, in the order of evaluation.
pub(crate) fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Index(a, b)
        | ExprKind::Imply(a, b)
        | ExprKind::Xor(a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::CompareClocks(_, a, b)
        | ExprKind::Same(_, a, b)
        | ExprKind::SetRate(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignWith(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Field(a, _)
        | ExprKind::Negate(a)
        | ExprKind::Not(a)
        | ExprKind::Rate(a)
        | ExprKind::Forall(_, a)
        | ExprKind::Exists(_, a)
        | ExprKind::Sum(_, a)
        | ExprKind::Step { place: a, .. } => visit(a),
        ExprKind::Arithmetic(first, rest) => {
            visit(first);
            for (_, operand) in rest {
                visit(operand);
            }
        }
        ExprKind::And(parts)
        | ExprKind::Or(parts)
        | ExprKind::Comma(parts)
        | ExprKind::Call(_, parts)
        | ExprKind::Builtin(_, parts) => {
            for part in parts {
                visit(part);
            }
        }
        ExprKind::Conditional(c, a, b) => {
            visit(c);
            visit(a);
            visit(b);
        }
        ExprKind::AtLocation(process, _)
        | ExprKind::Member(process, _)
        | ExprKind::ParamMember(process, _) => {
            for arg in &process.args {
                visit(arg);
            }
        }
        ExprKind::ProcessCall(process, _, args) => {
            for arg in process.args.iter().chain(args) {
                visit(arg);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Double(_)
        | ExprKind::Str(_)
        | ExprKind::Var(_)
        | ExprKind::Deadlock
        | ExprKind::Unsupported(_) => {}
    }
}

/// Calls `visit` for an expression and all its parts, outermost first.
pub(crate) fn expression<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    children(expr, &mut |child| expression(child, visit));
}

/// Whether an expression or a part of it satisfies `test`.
pub(crate) fn any(expr: &Expr, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
    if test(expr) {
        return true;
    }
    let mut found = false;
    children(expr, &mut |child| found = found || any(child, test));
    found
}

/// Calls `visit` for every type that a block declares something with.
fn block_types<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Type)) {
    for variable in &block.variables {
        visit(&variable.variable.ty);
    }
    for statement in &block.statements {
        statement_types(statement, visit);
    }
}

fn statement_types<'a>(s: &'a Statement, visit: &mut dyn FnMut(&'a Type)) {
    match s {
        Statement::Block(b) => block_types(b, visit),
        Statement::If { then, otherwise, .. } => {
            statement_types(then, visit);
            if let Some(otherwise) = otherwise {
                statement_types(otherwise, visit);
            }
        }
        Statement::While { body, .. } | Statement::DoWhile { body, .. } | Statement::For { body, .. } => {
            statement_types(body, visit);
        }
        Statement::ForIn { ty, body, .. } => {
            visit(ty);
            statement_types(body, visit);
        }
        Statement::Expr(_) | Statement::Return(_) | Statement::Assert(_) => {}
    }
}

/// Calls `visit` for every outermost expression of a template's own labels.
pub(crate) fn labels<'a>(template: &'a Template, visit: &mut dyn FnMut(&'a Expr)) {
    for location in &template.locations {
        location.invariant.iter().for_each(&mut *visit);
        if let Some((rate, second)) = &location.exponential_rate {
            visit(rate);
            second.iter().for_each(&mut *visit);
        }
    }
    for edge in &template.edges {
        edge.guard.iter().for_each(&mut *visit);
        edge.sync.iter().for_each(|s| visit(&s.channel));
        edge.updates.iter().for_each(&mut *visit);
    }
}

/// Calls `visit` for the bounds in every type that a template, or a function local to it, declares something with.
pub(crate) fn template_bounds<'a>(model: &'a Model, template: usize, visit: &mut dyn FnMut(&'a Expr)) {
    let Some(this) = model.templates.get(template) else {
        return;
    };
    let binders = |e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)| {
        expression(e, &mut |e| {
            if let ExprKind::Forall(b, _) | ExprKind::Exists(b, _) | ExprKind::Sum(b, _) = &e.kind {
                bounds(&b.ty, visit);
            }
        });
    };
    this.variables.iter().for_each(|v| bounds(&v.ty, visit));
    this.params.iter().for_each(|p| bounds(&p.ty, visit));
    this.edges
        .iter()
        .flat_map(|e| &e.selects)
        .for_each(|s| bounds(&s.ty, visit));
    labels(this, &mut |e| binders(e, visit));
    for function in model
        .functions
        .iter()
        .filter(|f| f.template.is_some_and(|t| t.index() == template))
    {
        bounds(&function.result, visit);
        function.params.iter().for_each(|p| bounds(&p.ty, visit));
        if let Some(body) = &function.body {
            block_types(body, &mut |ty| bounds(ty, visit));
            body.expressions(&mut |e, _| binders(e, visit));
        }
    }
}

/// Calls `visit` for the bounds of a type that are not known yet.
fn bounds<'a>(ty: &'a Type, visit: &mut dyn FnMut(&'a Expr)) {
    let mut bound = |b: &'a Bound| {
        if let Bound::Expr(e) = b {
            visit(e);
        }
    };
    match ty {
        Type::Range(range) => {
            bound(&range.lo);
            bound(&range.hi);
        }
        Type::Array(array) => {
            match &array.index {
                IndexType::Size(size) => bound(size),
                IndexType::Range(range) => {
                    bound(&range.lo);
                    bound(&range.hi);
                }
                IndexType::Scalar(_) => {}
            }
            bounds(&array.element, visit);
        }
        Type::Struct(fields) => fields.fields.iter().for_each(|(_, ty)| bounds(ty, visit)),
        _ => {}
    }
}
