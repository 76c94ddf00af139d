//! Premises: what a query supposes. `A[] p imply q` and `p --> q` hold for no good reason where `p` never does.

use zonewalk_model::tree::{Expr, ExprKind, Query, QueryKind};
use zonewalk_model::types::Type;
use zonewalk_network::{NetworkBuilder, Node, Predicate};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// The premises of a query, in the order of the text.
pub fn premises(query: &Query) -> Vec<Expr> {
    let mut found = Vec::new();
    match &query.kind {
        QueryKind::Invariant(p) => implied(p, &mut found),
        QueryKind::LeadsTo(p, _) => found.push(p.clone()),
        _ => {}
    }
    found
}

/// The left sides of implications; below a quantifier for some value of it.
fn implied(expr: &Expr, found: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Imply(premise, _) => found.push((**premise).clone()),
        ExprKind::And(list) => list.iter().for_each(|expr| implied(expr, found)),
        ExprKind::Forall(binder, body) => {
            let mut inner = Vec::new();
            implied(body, &mut inner);
            found.extend(inner.into_iter().map(|premise| Expr {
                span: premise.span,
                ty: Type::Bool,
                kind: ExprKind::Exists(binder.clone(), Box::new(premise)),
            }));
        }
        _ => {}
    }
}

/// Whether an expression asks for deadlocks.
pub fn mentions_deadlock(expr: &Expr) -> bool {
    if matches!(expr.kind, ExprKind::Deadlock) {
        return true;
    }
    let mut found = false;
    expr.operands(&mut |operand| found = found || mentions_deadlock(operand));
    found
}

/// A premise, ready to be examined in every state.
pub(crate) struct Premise {
    pub(crate) predicate: Predicate,
    span: Span,
    /// As the query writes it.
    text: Option<String>,
}

impl Premise {
    /// The premises of a query that can be examined on the way: deadlocks would take a finer graph, and what no state can change
    /// does not belong to the model.
    pub(crate) fn of_query(query: &Query, builder: &mut NetworkBuilder<'_>) -> Vec<Premise> {
        let examined = premises(query).into_iter().filter_map(|expr| {
            let predicate = builder.predicate(query.slots, &expr).ok()?;
            let is_constant = matches!(predicate.nodes[predicate.root.0 as usize], Node::Constant(_));
            (!is_constant && !mentions_deadlock(&expr)).then(|| Premise {
                predicate,
                span: expr.span,
                text: excerpt(query, expr.span),
            })
        });
        examined.collect()
    }

    pub(crate) fn warning(&self) -> Diagnostic {
        let message = match &self.text {
            Some(text) => format!("the query holds trivially: its premise `{text}` never does"),
            None => "the query holds trivially: its premise never does".to_owned(),
        };
        Diagnostic::warning("vacuous-query", self.span, message)
    }
}

/// A part of a query as it is written; `None` where the query stands in the file in other words than in its text.
fn excerpt(query: &Query, span: Span) -> Option<String> {
    let length = query.span.end.checked_sub(query.span.start)?;
    let start = span.start.checked_sub(query.span.start)? as usize;
    let end = span.end.checked_sub(query.span.start)? as usize;
    let is_verbatim = query.text.len() == length as usize;
    let text = query.text.get(start..end).filter(|_| is_verbatim)?.trim_end();
    // The span of a left operand may reach up to the right one.
    Some(text.strip_suffix("imply").unwrap_or(text).trim_end().to_owned())
}
