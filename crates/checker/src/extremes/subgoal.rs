//! The states that fulfil a query's condition and give an expression a value in some range, ready to be looked for.

use super::attain::Attempt;
use super::known_values::Range;
use crate::task::StateGoal;
use zonewalk_model::tree::{Expr, ExprKind};
use zonewalk_model::types::{Condition, Type};
use zonewalk_network::Network;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_syntax::ast::BinaryOp;
use zonewalk_walk::plan::WalkPlan;

/// A goal on the way to a value, compiled.
pub(super) struct Subgoal<'s> {
    pub(super) network: &'s Network,
    pub(super) plan: WalkPlan<'s>,
    pub(super) zones: ZonePlan<'s>,
    pub(super) bounds: ClockBounds,
    pub(super) goal: ZoneGoal,
    pub(super) sought: StateGoal<'s>,
}

impl Attempt<'_, '_, '_> {
    /// Compiles what is looked for, and looks for it.
    pub(super) fn on_subgoal(
        &mut self,
        range: Range,
        look: impl FnOnce(&mut Self, &Subgoal<'_>) -> bool,
    ) -> bool {
        let interpreter = &self.checker.task.interpreter;
        let condition = self.condition.map(|state| state.expr);
        let expr = predicate(condition, self.expr, range);
        let network = &self.checker.task.network;
        let mut builder = network.to_builder(interpreter.model(), interpreter.system());
        let Ok(predicate) = builder.predicate(self.slots, &expr) else {
            return false;
        };
        let network = builder.finish();
        let Ok(zones) = ZonePlan::new(&network) else {
            return false;
        };
        let subgoal = Subgoal {
            network: &network,
            plan: WalkPlan::new(&network),
            bounds: network.bounds_for(&[&predicate]),
            goal: ZoneGoal::new(&network, &predicate, true),
            zones,
            sought: StateGoal {
                expr: &expr,
                predicate,
                wanted: true,
            },
        };
        look(self, &subgoal)
    }
}

/// The condition and the comparisons as one predicate of a query.
fn predicate(condition: Option<&Expr>, expr: &Expr, range: Range) -> Expr {
    let is_clock = matches!(expr.ty, Type::Clock { .. });
    let make = |kind, ty| Expr {
        kind,
        ty,
        span: expr.span,
    };
    let ty = if is_clock {
        Type::Condition(Condition::Constraint)
    } else {
        Type::Bool
    };
    let compare = |op: BinaryOp, number: i32| {
        let operands = (
            Box::new(expr.clone()),
            Box::new(make(ExprKind::Int(number), Type::Int)),
        );
        let kind = if is_clock {
            ExprKind::CompareClocks(op, operands.0, operands.1)
        } else {
            ExprKind::Compare(op, operands.0, operands.1)
        };
        make(kind, ty.clone())
    };
    let low = range.low.map(|(number, is_strict)| {
        let op = if is_strict {
            BinaryOp::Greater
        } else {
            BinaryOp::GreaterEqual
        };
        compare(op, number)
    });
    let high = range.high.map(|(number, is_strict)| {
        let op = if is_strict {
            BinaryOp::Less
        } else {
            BinaryOp::LessEqual
        };
        compare(op, number)
    });
    let mut parts: Vec<Expr> = condition.cloned().into_iter().chain(low).chain(high).collect();
    match parts.len() {
        0 => make(ExprKind::Int(1), Type::Bool),
        1 => parts.remove(0),
        _ => make(ExprKind::And(parts), Type::Condition(Condition::Formula)),
    }
}
