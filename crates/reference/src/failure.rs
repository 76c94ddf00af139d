//! Failures in a state: the transition that is tried, and the values that its failing expression read.

use crate::edges::Ready;
use crate::error::Error;
use crate::interpreter::{Flow, Interpreter, State};
use crate::window::Windows;
use zonewalk_model::eval::{FaultKind, advance};
use zonewalk_model::ids::{ChannelId, ProcessId};
use zonewalk_model::tree::Expr;
use zonewalk_numbers::rational::Rational;
use zonewalk_run::Part;
use zonewalk_syntax::span::Span;

/// A run-time error in a state.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The error, with the values that were read.
    pub error: Error,
    /// The edges that are tried: of a guard or a channel that fails the one that it belongs to, of a predicate none.
    pub parts: Vec<Part>,
    /// The channel of the transition, where there is one and it is known.
    pub channel: Option<ChannelId>,
}

/// Which run-time error is looked for.
#[derive(Clone, Copy, Debug)]
pub enum ExpectedError<'a> {
    /// One that is reported in these words.
    Told(&'a str),
    /// The one at this place of the text.
    At(Span),
    /// A clock that gets a value below zero.
    NegativeClock,
}

impl ExpectedError<'_> {
    fn is(self, error: &Error) -> bool {
        match (self, error) {
            (ExpectedError::Told(message), error) => error.to_diagnostic().message == message,
            (ExpectedError::At(span), Error::Fault { fault, .. }) => fault.span == span,
            (ExpectedError::NegativeClock, Error::Fault { fault, .. }) => {
                matches!(fault.kind, FaultKind::NegativeClock(_))
            }
            _ => false,
        }
    }
}

impl Interpreter<'_> {
    /// Looks for a run-time error that this state runs into without delay: in a guard or channel, in the update or the
    /// invariants of a transition, or in one of some predicates.
    pub fn failure(&self, state: &State, wanted: ExpectedError<'_>, predicates: &[&Expr]) -> Option<Failure> {
        let mut judge = Interpreter::new(self.model, self.system).ok()?;
        judge.explains = true;
        let failure = |error, parts, channel| Failure {
            error,
            parts,
            channel,
        };
        let ready = match judge.ready_unless(state, wanted) {
            Ok(ready) => ready,
            Err(failed) => return Some(*failed),
        };
        for transition in judge.possible(&state.locations, &ready).ok()? {
            if let Err(error) = judge.fire(state, &transition.parts)
                && wanted.is(&error)
            {
                return Some(failure(error, transition.parts, transition.channel));
            }
        }
        predicates.iter().find_map(|expr| {
            let error = judge.holds(state, expr).err().filter(|error| wanted.is(error))?;
            Some(failure(error, Vec::new(), None))
        })
    }

    /// The parts that are enabled now; others that fail are passed over.
    fn ready_unless(&self, state: &State, wanted: ExpectedError) -> Result<Vec<Ready>, Box<Failure>> {
        let flow = Flow::standing(state);
        let now = Windows::point(Rational::ZERO);
        let mut ready = Vec::new();
        for process in self.processes() {
            for part in self.parts(&flow, process, &mut |_| {}) {
                match self.ready_part(flow.view(), part.clone(), &now) {
                    Ok(found) => ready.extend(found),
                    Err(error) if wanted.is(&error) => {
                        return Err(Box::new(Failure {
                            error,
                            parts: vec![part],
                            channel: None,
                        }));
                    }
                    Err(_) => {}
                }
            }
        }
        Ok(ready)
    }

    /// All parts of a process, enabled or not, but for edges whose selects fail.
    pub(crate) fn parts(
        &self,
        flow: &Flow<'_>,
        process: ProcessId,
        fail: &mut dyn FnMut(Error),
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        let location = flow.state.locations[process.index()];
        for &edge in self.outgoing(process, location) {
            let domains = match self.select_domains(&flow.state.memory, process, edge) {
                Ok(domains) => domains,
                Err(error) => {
                    fail(error);
                    continue;
                }
            };
            if domains.iter().any(|d| d.count() == 0) {
                continue;
            }
            if let Err(error) = self.check_count(&domains, process, edge) {
                fail(error);
                continue;
            }
            let mut selects: Vec<i32> = domains.iter().map(|d| d.lo).collect();
            loop {
                parts.push(Part {
                    process,
                    edge,
                    selects: selects.clone(),
                });
                if !advance(&mut selects, &domains) {
                    break;
                }
            }
        }
        parts
    }
}
