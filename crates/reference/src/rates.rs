//! The rates of clocks: stopwatches (`semantics.md` 3).

use crate::error::{Activity, Error};
use crate::interpreter::{Interpreter, State};
use crate::invariant::{conjuncts, sets_rate};
use zonewalk_model::eval::{ClockTerm, Evaluator, Fault, FaultKind, Store, World};
use zonewalk_model::ids::{ClockId, LocationId, ProcessId, SlotId};
use zonewalk_model::system::{Memory, Value};
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind, VarRef};
use zonewalk_syntax::span::Span;

/// Rates depend on data alone, or they would not be constant while time passes.
struct NoClocks;

impl World for NoClocks {
    fn compare(&mut self, _: ClockTerm, _: BinaryOp) -> Result<bool, FaultKind> {
        Err(FaultKind::unsupported("a rate that depends on a clock"))
    }
}

/// A rate that an invariant sets.
struct Setting {
    rate: i32,
    by: ProcessId,
}

impl Interpreter<'_> {
    /// The rates of all clocks, by `ClockId`: what the invariants set, 1 for the rest.
    ///
    /// # Errors
    /// Two different rates for a clock; a run-time error.
    pub fn rates(&self, state: &State) -> Result<Vec<i32>, Error> {
        self.rates_in(&state.memory, &state.locations)
    }

    /// Rates in a discrete state: clocks play no part.
    pub(crate) fn rates_in(&self, memory: &Memory, locations: &[LocationId]) -> Result<Vec<i32>, Error> {
        let clocks = self.system.clocks.len();
        let mut set: Vec<Option<Setting>> = (0..clocks).map(|_| None).collect();
        let mut settings = Vec::new();
        for process in self.processes() {
            let location = locations[process.index()];
            if !self.place(process, location).sets_rates {
                continue;
            }
            let Some(invariant) = &self.location(process, location).invariant else {
                continue;
            };
            let mut world = NoClocks;
            let mut evaluator = self.evaluator(Store::Shared(memory), &mut world, Some(process));
            collect(invariant, &mut evaluator, &mut settings)
                .map_err(|fault| self.fault(fault, Activity::Invariant, Some(process)))?;
            for (clock, rate, span) in settings.drain(..) {
                // Clocks of the system have numbers below their count.
                let earlier = set[clock.index()].get_or_insert(Setting { rate, by: process });
                if earlier.rate != rate {
                    return Err(Error::ConflictingRates {
                        clock: self.system.clocks[clock.index()].name.clone(),
                        wanted: [(self.name(earlier.by), earlier.rate), (self.name(process), rate)],
                        span,
                    });
                }
            }
        }
        Ok(set.iter().map(|s| s.as_ref().map_or(1, |s| s.rate)).collect())
    }
}

/// The rates that an invariant sets for the present data. In `b || x' == 0` the rate is set when `b` is false,
/// on whichever side it stands.
fn collect(
    expr: &Expr,
    evaluator: &mut Evaluator<'_>,
    settings: &mut Vec<(ClockId, i32, Span)>,
) -> Result<(), Fault> {
    match &expr.kind {
        ExprKind::SetRate(clock, rate) => {
            let Value::Clock(id) = evaluator.value(clock)? else {
                return Err(FaultKind::unsupported("the rate of something other than a clock").at(clock.span));
            };
            settings.push((id, evaluator.int(rate)?, expr.span));
        }
        ExprKind::And(parts) => {
            for part in parts.iter().filter(|p| sets_rate(p)) {
                collect(part, evaluator, settings)?;
            }
        }
        ExprKind::Or(parts) => {
            for condition in parts.iter().filter(|p| !sets_rate(p)) {
                if evaluator.holds(condition)? {
                    return Ok(());
                }
            }
            for part in parts.iter().filter(|p| sets_rate(p)) {
                collect(part, evaluator, settings)?;
            }
        }
        ExprKind::Imply(condition, body) if sets_rate(body) && evaluator.holds(condition)? => {
            collect(body, evaluator, settings)?;
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            let chosen = if evaluator.holds(condition)? {
                then
            } else {
                otherwise
            };
            collect(chosen, evaluator, settings)?;
        }
        ExprKind::Forall(binder, body) => {
            // `forall (i : T) x[i]' == a[i] && forall (j : T) y[j]' == b[j]` is one inside the other: what does not depend
            // on the outer value sets the same rates for every one of them.
            let parts = conjuncts(body).iter().filter(|p| sets_rate(p));
            let parts: Vec<(&Expr, bool)> = parts.map(|p| (p, mentions(p, binder.slot))).collect();
            for (turn, value) in evaluator.domain(&binder.ty, expr.span)?.iter().enumerate() {
                evaluator.set_slot(binder.slot, Value::Int(value));
                for (part, _) in parts.iter().filter(|(_, varies)| turn == 0 || *varies) {
                    collect(part, evaluator, settings)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether an expression reads a slot.
fn mentions(expr: &Expr, slot: SlotId) -> bool {
    let mut rest = vec![expr];
    while let Some(expr) = rest.pop() {
        if matches!(expr.kind, ExprKind::Var(VarRef::Slot(s)) if s == slot) {
            return true;
        }
        expr.operands(&mut |operand| rest.push(operand));
    }
    false
}
