//! Meaning of a claim for a query: which states count, and what has to be shown of them.

use crate::proof::answer::{Objection, Obligation};
use zonewalk_certificate::{Claim, End, Interval};
use zonewalk_model::tree::{Expr, ExprKind, Query, QueryKind};

/// A predicate with the truth value that is meant.
#[derive(Clone, Copy)]
pub(crate) struct Condition<'q> {
    pub predicate: &'q Expr,
    pub truth: bool,
}

/// Properties to be shown of the nodes, beyond that they are closed.
#[derive(Clone, Copy, Default)]
pub(crate) struct Aim<'q> {
    /// No node may meet it.
    pub avoided: Option<Condition<'q>>,
    /// The values that expressions may have.
    pub values: Option<Values<'q>>,
    /// Nodes of this depth or more are not looked at.
    pub depth: Option<u32>,
    /// Times that are not looked at: from this one on, or strictly: after it.
    pub horizon: Option<End>,
    /// Event that must happen.
    pub inevitable: Option<Inevitable<'q>>,
}

/// Expressions with the intervals that their values must lie in.
#[derive(Clone, Copy)]
pub(crate) struct Values<'q> {
    /// The states that count.
    pub among: Option<&'q Expr>,
    pub exprs: &'q [Expr],
    pub intervals: &'q [Vec<Interval>],
}

/// A goal that every run must reach.
#[derive(Clone, Copy)]
pub(crate) struct Inevitable<'q> {
    /// From where on; `None`: from the initial state.
    pub from: Option<&'q Expr>,
    pub goal: Condition<'q>,
}

impl<'q> Aim<'q> {
    /// Properties that a claim asks to be shown.
    ///
    /// # Errors
    /// A claim that is not one about the query.
    pub(crate) fn new(query: Option<&'q Query>, claim: &'q Claim) -> Result<Self, Objection> {
        let decided = || match query.map(|q| &q.kind) {
            Some(QueryKind::Invariant(predicate)) => Ok(Condition {
                predicate,
                truth: false,
            }),
            Some(QueryKind::Reachable(predicate)) => Ok(Condition {
                predicate,
                truth: true,
            }),
            _ => Err(unfit(claim, "`A[]` and `E<>`")),
        };
        let aim = Aim::default();
        Ok(match claim {
            Claim::ErrorFree | Claim::Explored => aim,
            Claim::Unreachable => Aim {
                avoided: Some(decided()?),
                ..aim
            },
            Claim::Steps(depth) => Aim {
                avoided: Some(decided()?),
                depth: Some(*depth),
                ..aim
            },
            Claim::Time(end) => Aim {
                avoided: Some(decided()?),
                horizon: Some(*end),
                ..aim
            },
            Claim::Values(intervals) => match query.map(|q| &q.kind) {
                Some(QueryKind::Extremum { predicate, exprs, .. }) if exprs.len() == intervals.len() => {
                    let among = predicate.as_ref();
                    Aim {
                        values: Some(Values {
                            among,
                            exprs,
                            intervals,
                        }),
                        ..aim
                    }
                }
                Some(QueryKind::Extremum { .. }) => {
                    return Err(Objection::refused(
                        Obligation::Claim,
                        "the claim does not have intervals for each expression of the query",
                    ));
                }
                _ => return Err(unfit(claim, "`sup`, `inf` and `bounds`")),
            },
            Claim::Inevitable => {
                let (from, predicate, truth) = match query.map(|q| &q.kind) {
                    Some(QueryKind::Inevitable(goal)) => (None, goal, true),
                    Some(QueryKind::LeadsTo(from, goal)) => (Some(from), goal, true),
                    Some(QueryKind::PotentiallyAlways(p)) => (None, p, false),
                    _ => return Err(unfit(claim, "`A<>`, `-->` and `E[]`")),
                };
                let goal = Condition { predicate, truth };
                Aim {
                    inevitable: Some(Inevitable { from, goal }),
                    ..aim
                }
            }
        })
    }

    /// Whether it must be known which states are deadlocks.
    pub(crate) fn asks_for_deadlocks(&self) -> bool {
        let among = self.values.and_then(|values| values.among);
        let predicates = [self.avoided.map(|avoided| avoided.predicate), among];
        predicates.into_iter().flatten().any(mentions_deadlock)
    }
}

fn unfit(claim: &Claim, queries: &str) -> Objection {
    let name = claim.to_string();
    let name = name.split(' ').next().unwrap_or_default();
    Objection::refused(
        Obligation::Claim,
        format!("the claim `{name}` is one for {queries}, and the query is another one"),
    )
}

/// Functions do not ask for deadlocks: only the text of a predicate can.
fn mentions_deadlock(expr: &Expr) -> bool {
    let mut rest = vec![expr];
    while let Some(expr) = rest.pop() {
        if matches!(expr.kind, ExprKind::Deadlock) {
            return true;
        }
        expr.operands(&mut |operand| rest.push(operand));
    }
    false
}
