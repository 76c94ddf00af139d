//! Taking a transition (`semantics.md` 7, 9).

use crate::edges::frame;
use crate::error::{Activity, Error, Refusal};
use crate::interpreter::{Interpreter, State, View, sooner};
use crate::moment::{Instant, Line, Moment};
use zonewalk_model::eval::Store;
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::Memory;
use zonewalk_model::tree::Expr;
use zonewalk_numbers::rational::Rational;
use zonewalk_run::Part;

/// What a transition leads to when it is taken at a moment of a delay.
pub(crate) struct Successor {
    pub memory: Memory,
    /// As functions of the delay before the transition.
    pub clocks: Vec<Line>,
    pub locations: Vec<LocationId>,
    /// When the updates would do something else.
    next: Option<Rational>,
}

impl Successor {
    fn view(&self) -> View<'_> {
        View {
            memory: &self.memory,
            clocks: &self.clocks,
            locations: &self.locations,
        }
    }
}

impl Interpreter<'_> {
    /// The state after a transition that is taken now. Requires: the parts make a transition that is enabled now
    /// ([`Interpreter::replay_step`] checks that as well).
    ///
    /// # Errors
    /// [`Refusal::Target`] when the invariants of the target do not hold; a run-time error.
    pub fn fire(&self, state: &State, parts: &[Part]) -> Result<State, Error> {
        let clocks: Vec<Line> = state.clocks.iter().map(|&value| Line::constant(value)).collect();
        let view = View {
            memory: &state.memory,
            clocks: &clocks,
            locations: &state.locations,
        };
        let landing = self.land(view, parts, Moment::NOW)?;
        if let (Some(process), _) = self.violated_invariant(landing.view(), Moment::NOW)? {
            return Err(Refusal::Target(self.name(process)).into());
        }
        Ok(State {
            locations: landing.locations,
            memory: landing.memory,
            clocks: landing.clocks.iter().map(|line| line.value).collect(),
            time: state.time,
        })
    }

    /// Whether the target's invariants hold after the updates, and until when that answer is good.
    pub(crate) fn lands(
        &self,
        view: View<'_>,
        parts: &[Part],
        moment: Moment,
    ) -> Result<(bool, Option<Rational>), Error> {
        let landing = self.land(view, parts, moment)?;
        let (violated, next) = self.violated_invariant(landing.view(), moment)?;
        Ok((violated.is_none(), sooner(next, landing.next)))
    }

    /// Runs the updates in the order of the parts (sender first, then the receivers in the order of the processes), each
    /// label from left to right, every one seeing what the earlier ones did.
    fn land(&self, view: View<'_>, parts: &[Part], moment: Moment) -> Result<Successor, Error> {
        let mut memory = view.memory.clone();
        let mut instant = Instant::new(moment, view.clocks, view.locations);

        self.run_global(&self.model.before_update, &mut memory, &mut instant)?;
        let mut locations = view.locations.to_vec();
        for part in parts {
            let process = part.process;
            let edge = self.edge(process, part.edge);
            let frame = frame(edge, &part.selects);
            let mut evaluator = self.evaluator(Store::Exclusive(&mut memory), &mut instant, Some(process));
            evaluator = evaluator.with_frame(&frame);
            for update in &edge.updates {
                evaluator
                    .run(update)
                    .map_err(|fault| self.fault(fault, Activity::Update, Some(process)))?;
            }
            locations[process.index()] = edge.target;
        }
        self.run_global(&self.model.after_update, &mut memory, &mut instant)?;
        Ok(Successor {
            memory,
            clocks: instant.clocks.into_owned(),
            locations,
            next: instant.next,
        })
    }

    /// Runs `before_update` or `after_update`: once a transition, around all of its updates.
    fn run_global(
        &self,
        updates: &[Expr],
        memory: &mut Memory,
        instant: &mut Instant<'_>,
    ) -> Result<(), Error> {
        for update in updates {
            let mut evaluator = self.evaluator(Store::Exclusive(memory), instant, None);
            evaluator
                .run(update)
                .map_err(|fault| self.fault(fault, Activity::Update, None))?;
        }
        Ok(())
    }
}
