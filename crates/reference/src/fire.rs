//! Taking a transition (`semantics.md` 7, 9).

use crate::edges::frame;
use crate::error::{Activity, Error, Refusal};
use crate::interpreter::{Flow, Interpreter, State};
use crate::moment::{Instant, Moment};
use zonewalk_model::eval::{Store, World};
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::Memory;
use zonewalk_model::tree::Expr;
use zonewalk_run::Part;

/// The data and locations that a transition leads to. The clocks are those of the world in which it was taken.
pub(crate) struct Successor {
    pub memory: Memory,
    pub locations: Vec<LocationId>,
}

impl Interpreter<'_> {
    /// The state after a transition that is taken now. Requires: the parts make a transition that is enabled now
    /// ([`Interpreter::replay_step`] checks that as well).
    ///
    /// # Errors
    /// [`Refusal::Target`] when the invariants of the target do not hold; a run-time error.
    pub fn fire(&self, state: &State, parts: &[Part]) -> Result<State, Error> {
        let flow = Flow::standing(state);
        let mut now = Instant::new(Moment::NOW, &flow.clocks, &state.locations);
        let landing = self.land(&state.memory, &state.locations, parts, &mut now)?;
        if let Some(process) = self.violated_invariant(&landing.memory, &landing.locations, &mut now)? {
            return Err(Refusal::Target(self.name(process)).into());
        }
        Ok(State {
            locations: landing.locations,
            memory: landing.memory,
            clocks: now.clocks.iter().map(|line| line.value).collect(),
            time: state.time,
        })
    }

    /// State that a transition leads to, if the target's invariants hold after the updates (`semantics.md` 9).
    pub(crate) fn lands(
        &self,
        memory: &Memory,
        locations: &[LocationId],
        parts: &[Part],
        world: &mut dyn World,
    ) -> Result<Option<Successor>, Error> {
        let landing = self.land(memory, locations, parts, world)?;
        let violated = self.violated_invariant(&landing.memory, &landing.locations, world)?;
        Ok(violated.is_none().then_some(landing))
    }

    /// Runs the updates in the order of the parts (sender first, then the receivers in the order of the processes), each
    /// label from left to right, every one seeing what the earlier ones did.
    fn land(
        &self,
        memory: &Memory,
        locations: &[LocationId],
        parts: &[Part],
        world: &mut dyn World,
    ) -> Result<Successor, Error> {
        let mut memory = memory.clone();
        self.run_global(&self.model.before_update, &mut memory, world)?;
        let mut locations = locations.to_vec();
        for part in parts {
            let process = part.process;
            let edge = self.edge(process, part.edge);
            let frame = frame(edge, &part.selects);
            let mut evaluator = self.evaluator(Store::Exclusive(&mut memory), world, Some(process));
            evaluator = evaluator.with_frame(&frame);
            for update in &edge.updates {
                evaluator
                    .run(update)
                    .map_err(|fault| self.fault(fault, Activity::Update, Some(process)))?;
            }
            locations[process.index()] = edge.target;
        }
        self.run_global(&self.model.after_update, &mut memory, world)?;
        Ok(Successor { memory, locations })
    }

    /// Runs `before_update` or `after_update`: once a transition, around all of its updates.
    fn run_global(&self, updates: &[Expr], memory: &mut Memory, world: &mut dyn World) -> Result<(), Error> {
        for update in updates {
            let mut evaluator = self.evaluator(Store::Exclusive(memory), world, None);
            evaluator
                .run(update)
                .map_err(|fault| self.fault(fault, Activity::Update, None))?;
        }
        Ok(())
    }
}
