//! Delays of a run in doubles: rates, and invariants while time passes.

use super::readings::Readings;
use super::{CHATTER, DoubleRun, DoubleState, DoubleStep, INTEGRATED_TOLERANCE, Judge, Judged, TOLERANCE};
use zonewalk_model::eval::{Evaluator, Fault, FaultKind, Store};
use zonewalk_model::ids::ClockId;
use zonewalk_model::system::Value;
use zonewalk_model::tree::{Expr, ExprKind};
use zonewalk_syntax::span::Span;

/// Steps of the integration of one delay, at least; and of one unit of time.
const STEPS: f64 = 200.0;

/// Instants of a delay at which invariants are examined.
const LOOKS: u32 = 16;

impl Judge<'_> {
    /// Whether a rate depends on clocks somewhere, so that values are only about right.
    pub(super) fn tolerance(&self) -> f64 {
        let mut invariants = self
            .model
            .templates
            .iter()
            .flat_map(|t| &t.locations)
            .filter_map(|l| l.invariant.as_ref());
        if invariants.any(has_varying_rate) {
            INTEGRATED_TOLERANCE
        } else {
            TOLERANCE
        }
    }

    /// The rates of all clocks, with the clocks as they are.
    fn rates(&self, state: &DoubleState, clocks: &[f64]) -> Judged<Vec<f64>> {
        let mut rates = vec![1.0; clocks.len()];
        let mut values = clocks.to_vec();
        for process in self.processes() {
            let Some(invariant) = &self.location(state, process).invariant else {
                continue;
            };
            let mut settings = Vec::new();
            let mut readings = Readings::new(&mut values, &state.locations);
            self.with(
                Store::Shared(&state.memory),
                &mut readings,
                Some(process),
                &[],
                |e| settings_of(invariant, e, &mut settings),
            )?;
            for (clock, rate) in settings {
                rates[clock.index()] = rate;
            }
        }
        Ok(rates)
    }

    /// Lets time pass to an instant, along the straight stretches on the way there.
    pub(super) fn pass(
        &self,
        state: &mut DoubleState,
        to: f64,
        (run, before, straight): (&DoubleRun, &[DoubleStep], &mut std::slice::Iter<'_, (f64, f64)>),
    ) -> Judged<()> {
        while let Some(&(from, until)) = straight.as_slice().first().filter(|(from, _)| *from < to) {
            straight.next();
            let slack = TOLERANCE * until.abs().max(1.0);
            let enough = before.len().checked_sub(CHATTER);
            let is_chatter =
                enough.is_some_and(|first| from - before[first].time <= run.discretization / 1000.0 + slack);
            if !is_chatter || until - from > run.discretization + slack || until > to + slack {
                return Err((
                    format!("clocks go on straight from {from} to {until}"),
                    Span::NONE,
                ));
            }
            self.delay(state, from, false)?;
            self.delay(state, until, true)?;
        }
        self.delay(state, to, false)
    }

    /// Lets time pass to an instant; straight: with the rates of now.
    fn delay(&self, state: &mut DoubleState, to: f64, is_straight: bool) -> Judged<()> {
        let delay = to - state.time;
        // An instant is a sum of delays, and its last digit is rounded.
        if delay < -TOLERANCE * to.abs().max(1.0) || !delay.is_finite() {
            return Err((format!("time goes from {} to {to}", state.time), Span::NONE));
        }
        self.invariants(state)?;
        if delay > TOLERANCE * to.abs().max(1.0) {
            for process in self.processes() {
                let location = self.location(state, process);
                if location.committed || location.urgent {
                    let message = format!("time passes while {} is in {}", self.name(process), location.name);
                    return Err((message, location.span));
                }
            }
        }
        if delay > 0.0 {
            let invariants = self
                .processes()
                .filter_map(|p| self.location(state, p).invariant.as_ref());
            let varies = invariants.into_iter().any(has_varying_rate);
            let now = self.rates(state, &state.clocks)?;
            for look in 0..LOOKS {
                let part = delay / f64::from(LOOKS);
                if varies && !is_straight {
                    self.integrate(state, part)?;
                } else {
                    for (clock, rate) in state.clocks.iter_mut().zip(&now) {
                        *clock += rate * part;
                    }
                }
                if look + 1 == LOOKS {
                    state.time = to;
                }
                self.invariants(state)?;
            }
        }
        state.time = to;
        Ok(())
    }

    /// Classical Runge and Kutta, in small steps.
    fn integrate(&self, state: &mut DoubleState, delay: f64) -> Judged<()> {
        let count = (STEPS * delay.max(0.1)).ceil();
        let h = delay / count;
        let shifted = |from: &[f64], by: &[f64], h: f64| -> Vec<f64> {
            from.iter().zip(by).map(|(x, d)| x + h * d).collect()
        };
        for _ in 0..count as u64 {
            let x = state.clocks.clone();
            let k1 = self.rates(state, &x)?;
            let k2 = self.rates(state, &shifted(&x, &k1, h / 2.0))?;
            let k3 = self.rates(state, &shifted(&x, &k2, h / 2.0))?;
            let k4 = self.rates(state, &shifted(&x, &k3, h))?;
            for (i, clock) in state.clocks.iter_mut().enumerate() {
                *clock += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        Ok(())
    }

    pub(super) fn invariants(&self, state: &DoubleState) -> Judged<()> {
        let tolerance = self.tolerance();
        for process in self.processes() {
            let location = self.location(state, process);
            if let Some(invariant) = &location.invariant
                && !self.look(state, Some(process), &[], tolerance, |e| e.holds(invariant))?
            {
                let name = self.name(process);
                let message = format!("the invariant of {name}.{} does not hold", location.name);
                return Err((message, invariant.span));
            }
        }
        Ok(())
    }
}

/// Whether an invariant sets a rate that depends on clocks.
fn has_varying_rate(expr: &Expr) -> bool {
    fn reads_clock(expr: &Expr) -> bool {
        let mut any = expr.ty.is_clock();
        // What a function reads is not examined: it may be a clock.
        any = any || matches!(expr.kind, ExprKind::Call(..));
        expr.operands(&mut |e| any = any || reads_clock(e));
        any
    }
    if let ExprKind::SetRate(_, rate) = &expr.kind {
        return reads_clock(rate);
    }
    let mut any = false;
    expr.operands(&mut |e| any = any || has_varying_rate(e));
    any
}

/// The rates that an invariant sets. In `b || x' == 0` the rate is set when `b` is false, on whichever side it stands.
fn settings_of(
    expr: &Expr,
    evaluator: &mut Evaluator<'_>,
    settings: &mut Vec<(ClockId, f64)>,
) -> Result<(), Fault> {
    let sets = crate::invariant::sets_rate;
    match &expr.kind {
        ExprKind::SetRate(clock, rate) => {
            let Value::Clock(clock) = evaluator.value(clock)? else {
                return Err(FaultKind::unsupported("the rate of something other than a clock").at(clock.span));
            };
            settings.push((clock, evaluator.number_of(rate)?));
        }
        ExprKind::And(parts) => {
            for part in parts {
                settings_of(part, evaluator, settings)?;
            }
        }
        ExprKind::Or(parts) if sets(expr) => {
            for part in parts.iter().filter(|p| !sets(p)) {
                if evaluator.holds(part)? {
                    return Ok(());
                }
            }
            for part in parts.iter().filter(|p| sets(p)) {
                settings_of(part, evaluator, settings)?;
            }
        }
        ExprKind::Imply(condition, body) if sets(body) && evaluator.holds(condition)? => {
            settings_of(body, evaluator, settings)?;
        }
        ExprKind::Conditional(condition, then, otherwise) if sets(expr) => {
            let chosen = if evaluator.holds(condition)? {
                then
            } else {
                otherwise
            };
            settings_of(chosen, evaluator, settings)?;
        }
        ExprKind::Forall(binder, body) if sets(body) => {
            for value in evaluator.domain(&binder.ty, expr.span)?.iter() {
                evaluator.set_slot(binder.slot, Value::Int(value));
                settings_of(body, evaluator, settings)?;
            }
        }
        _ => {}
    }
    Ok(())
}
