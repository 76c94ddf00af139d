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

    /// Whether no delay leads to a transition.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn is_deadlock(&self, state: &State) -> Result<bool, Error> {
        Ok(self.transitions(state)?.is_empty())
    }

    fn predicate_windows(
        &self,
        flow: &Flow<'_>,
        domain: &Windows,
        predicate: &Expr,
    ) -> Result<Windows, Error> {
        let view = flow.view();
        let mut end = None;
        // What went wrong in a question of the evaluator's that has no place in the text of the predicate.
        let mut trouble = None;
        let windows = sweep(domain, |moment| {
            let mut last_transition = || match end {
                Some(end) => Ok(end),
                None => match self.last_transition(flow.state) {
                    Ok(cut) => Ok(*end.insert(cut)),
                    Err(error) => {
                        trouble = Some(error);
                        Err(FaultKind::unsupported("`deadlock`"))
                    }
                },
            };
            let mut instant = Instant::new(moment, view.clocks, view.locations);
            instant.deadlock = Some(&mut last_transition);
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

    /// The cut behind the last delay after which a transition is possible: from there on it is a deadlock.
    fn last_transition(&self, state: &State) -> Result<Cut, Error> {
        let ends = self
            .transitions(state)?
            .into_iter()
            .filter_map(|t| t.windows.end());
        Ok(ends.max().unwrap_or(Cut::Before(Rational::ZERO)))
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
