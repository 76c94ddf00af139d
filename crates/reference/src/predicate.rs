//! State predicates of queries (`semantics.md` 5, 26, 28).

use crate::error::{Activity, Error};
use crate::interpreter::{Flow, Interpreter, State};
use crate::moment::{Instant, Moment, sweep};
use crate::window::{Cut, Windows};
use zonewalk_model::eval::{FaultKind, Store};
use zonewalk_model::tree::Expr;
use zonewalk_numbers::rational::Rational;

impl Interpreter<'_> {
    /// Whether a predicate holds in a state.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn holds(&self, state: &State, predicate: &Expr) -> Result<bool, Error> {
        let flow = self.flow(state)?;
        let holds = self.predicate_windows(&flow, &Windows::point(Rational::ZERO), predicate)?;
        Ok(!holds.is_empty())
    }

    /// The delays from 0 to `delay` after which a predicate holds. Requires: `delay` is possible.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn holds_during(&self, state: &State, delay: Rational, predicate: &Expr) -> Result<Windows, Error> {
        self.holds_within(state, &Windows::up_to(delay), predicate)
    }

    /// The delays of a set after which a predicate holds. Requires: they are possible.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn holds_within(&self, state: &State, delays: &Windows, predicate: &Expr) -> Result<Windows, Error> {
        self.predicate_windows(&self.flow(state)?, delays, predicate)
    }

    /// Whether no delay leads to a transition. One that fails counts neither way (`semantics.md` 28a).
    ///
    /// # Errors
    /// A run-time error where nothing is left but what fails, or conflicting rates.
    pub fn is_deadlock(&self, state: &State) -> Result<bool, Error> {
        let chances = self.chances(state)?;
        let now = Cut::Before(Rational::ZERO);
        match chances.error {
            Some(error) if chances.known == now && chances.possible > now => Err(error),
            _ => Ok(chances.possible == now),
        }
    }

    /// The run-time error of a transition that a state might have beside others, or instead of them.
    pub fn failing_transition(&self, state: &State) -> Option<Error> {
        self.chances(state).map_or_else(Some, |chances| chances.error)
    }

    fn predicate_windows(
        &self,
        flow: &Flow<'_>,
        domain: &Windows,
        predicate: &Expr,
    ) -> Result<Windows, Error> {
        let view = flow.view();
        let mut chances = None;
        // What went wrong in a question of the evaluator's that has no place in the text of the predicate.
        let mut trouble = None;
        let windows = sweep(domain, |moment| {
            let mut is_deadlock = |here: Cut| {
                if chances.is_none() {
                    chances = Some(self.chances(flow.state));
                }
                let error = match &chances {
                    Some(Ok(chances)) if here < chances.known => return Ok((false, chances.known)),
                    Some(Ok(chances)) if here >= chances.possible => return Ok((true, chances.possible)),
                    Some(Ok(chances)) => chances.error.clone(),
                    Some(Err(error)) => Some(error.clone()),
                    None => None,
                };
                trouble = error;
                Err(FaultKind::unsupported("`deadlock`"))
            };
            let mut instant = Instant::new(moment, view.clocks, view.locations);
            instant.deadlock = Some(&mut is_deadlock);
            let holds = self
                .evaluator(Store::Shared(view.memory), &mut instant, None)
                .holds(predicate)?;
            Ok((holds, instant.next))
        });
        match (windows, trouble) {
            (_, Some(error)) => Err(error),
            (Ok(windows), None) => Ok(windows),
            (Err(fault), None) => Err(self.fault(fault, Activity::Predicate, None)),
        }
    }

    /// The value of an integer or clock expression of a query in a state.
    ///
    /// # Errors
    /// A run-time error.
    pub fn value(&self, state: &State, expr: &Expr) -> Result<Rational, Error> {
        use zonewalk_model::system::Value;
        let flow = self.flow(state)?;
        let view = flow.view();
        let mut instant = Instant::new(Moment::NOW, view.clocks, view.locations);
        let value = self
            .evaluator(Store::Shared(view.memory), &mut instant, None)
            .value(expr);
        match value.map_err(|fault| self.fault(fault, Activity::Predicate, None))? {
            Value::Int(i) => Ok(i.into()),
            Value::Clock(c) => Ok(state.clocks[c.index()]),
            _ => {
                let fault = FaultKind::unsupported("a query about a value of this type").at(expr.span);
                Err(self.fault(fault, Activity::Predicate, None))
            }
        }
    }
}
