//! Queries that their form decides, whatever the model does.

use zonewalk_model::tree::{BinaryOp, Expr, ExprKind, ProcessExpr};

/// Whether `then` holds in every state in which `first` does, as their forms show. Expressions whose evaluation may fail show
/// nothing: their error is the answer.
pub(crate) fn follows(first: &Expr, then: &Expr) -> bool {
    use ExprKind::{And, Int, Or};
    match (&first.kind, &then.kind) {
        (Int(0), _) => true,
        (_, Int(value)) => *value != 0 && cannot_fail(first),
        (Or(parts), _) => parts.iter().all(|part| follows(part, then)),
        (_, And(parts)) => parts.iter().all(|part| follows(first, part)),
        _ if is_same(first, then) => true,
        (And(parts), _) if cannot_fail(first) && parts.iter().any(|part| follows(part, then)) => true,
        (_, Or(parts)) => cannot_fail(then) && parts.iter().any(|part| follows(first, part)),
        _ => false,
    }
}

/// Whether two expressions are written alike, and evaluating them cannot fail.
fn is_same(a: &Expr, b: &Expr) -> bool {
    use ExprKind as K;
    match (&a.kind, &b.kind) {
        (K::Int(a), K::Int(b)) => a == b,
        (K::Var(a), K::Var(b)) => a == b,
        (K::Deadlock, K::Deadlock) => true,
        (K::AtLocation(p, a), K::AtLocation(q, b)) => a == b && is_same_process(p, q),
        (K::Member(p, a), K::Member(q, b)) => a == b && is_same_process(p, q),
        (K::Not(a), K::Not(b)) | (K::Negate(a), K::Negate(b)) => is_same(a, b),
        (K::Compare(op, a, b), K::Compare(other, c, d))
        | (K::CompareClocks(op, a, b), K::CompareClocks(other, c, d)) => {
            op == other && is_same(a, c) && is_same(b, d)
        }
        (K::Imply(a, b), K::Imply(c, d)) => is_same(a, c) && is_same(b, d),
        (K::And(a), K::And(b)) | (K::Or(a), K::Or(b)) => are_same(a, b),
        (K::Arithmetic(a, rest), K::Arithmetic(b, others)) => {
            let mut pairs = rest.iter().zip(others);
            rest.len() == others.len()
                && is_same(a, b)
                && pairs.all(|((op, a), (other, b))| op == other && is_total(*op) && is_same(a, b))
        }
        _ => false,
    }
}

fn are_same(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

fn is_same_process(p: &ProcessExpr, q: &ProcessExpr) -> bool {
    p.set == q.set
        && are_same(&p.args, &q.args)
        && p.args.iter().all(|arg| matches!(arg.kind, ExprKind::Int(_)))
}

/// Whether evaluating an expression cannot fail: that is so for all that [`is_same`] compares.
fn cannot_fail(expr: &Expr) -> bool {
    is_same(expr, expr)
}

/// Whether an operator has a result for all values; sums that leave 32 bits wrap.
fn is_total(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
}

#[cfg(test)]
mod tests {
    use crate::{Evidence, Options, Outcome, check_text};

    /// A counter that a search never sees the end of, and that fails in the end.
    const MODEL: &str = "clock x; int n; int a[2]; process P(const int[0,1] i) {
        state A, B; init A; trans A -> A { assign n = n + 1; }, A -> B { }; } system P;";

    fn decided(query: &str) -> Option<bool> {
        let options = Options::default().max_states(50);
        match check_text("m.xta", MODEL, query, &options)
            .unwrap_or_else(|e| panic!("{e}"))
            .outcome
        {
            Outcome::Decided {
                satisfied,
                evidence: Evidence::Exhaustion,
            } => Some(satisfied),
            _ => None,
        }
    }

    #[test]
    fn what_follows_by_form_needs_no_search() {
        for query in [
            "P(0).A --> P(0).A",
            "n == 3 --> n == 3",
            "n * 2 > 3 - n --> n * 2 > 3 - n",
            "x > 3 --> (n == 1 or x > 3)",
            "(P(1).A and n == 1) --> P(1).A",
            "(P(1).A or P(0).A) --> (P(0).A or P(1).A)",
            "P(0).A --> true",
            "false --> P(0).B",
        ] {
            assert_eq!(decided(query), Some(true), "{query}");
        }
        for query in [
            "P(0).A --> P(1).A",
            "n == 3 --> n == 4",
            "P(0).A --> (P(0).A and n == 1)",
            // Their evaluation fails in some state.
            "a[n] == 0 --> a[n] == 0",
            "5 / n == 1 --> 5 / n == 1",
            "5 / n == 1 --> true",
        ] {
            assert_eq!(decided(query), None, "{query}");
        }
    }
}
