//! Random runs on the reference interpreter: whole ones, and such that go on as long as they are asked to.

use super::Loaded;
use crate::judge::record::Recorder;
use zonewalk_reference::simulate::{Random, RandomRun};
use zonewalk_reference::{Interpreter, State};
use zonewalk_report::trace::{End, Step, Time, Trace};
use zonewalk_syntax::diagnostic::Diagnostic;

/// A random run under way. It borrows nothing of its model.
#[derive(Clone, Debug)]
pub struct Simulation {
    state: State,
    random: Random,
    end: Option<End>,
}

impl Loaded {
    /// A random run that has not begun.
    ///
    /// # Errors
    /// The interpreter does not support the model, or there is no initial state.
    pub fn simulation(&self, seed: u64) -> Result<Simulation, Box<Diagnostic>> {
        let initial = self.interpreter()?.initial();
        Ok(Simulation {
            state: initial.map_err(|error| Box::new(error.to_diagnostic()))?,
            random: Random::new(seed),
            end: None,
        })
    }

    /// A random run on the reference interpreter, up to a number of steps, a deadlock or a run-time error.
    ///
    /// # Errors
    /// The interpreter does not support the model, or there is no initial state.
    pub fn simulate(&self, seed: u64, steps: usize) -> Result<Trace, Box<Diagnostic>> {
        let mut simulation = self.simulation(seed)?;
        let interpreter = self.interpreter()?;
        Ok(Trace {
            initial: Recorder::new(&interpreter).state(&simulation.state),
            steps: simulation.go_on(&interpreter, steps),
            last_delay: Time::ZERO,
            end: simulation.end.unwrap_or(End::Steps),
        })
    }
}

impl Simulation {
    /// The next steps, at most `count`. Requires: the model is the one that it was begun with.
    ///
    /// # Errors
    /// The interpreter does not support the model.
    pub fn steps(&mut self, loaded: &Loaded, count: usize) -> Result<Vec<Step>, Box<Diagnostic>> {
        Ok(self.go_on(&loaded.interpreter()?, count))
    }

    /// Why it goes no further; `None` as long as it does.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    fn go_on(&mut self, interpreter: &Interpreter<'_>, count: usize) -> Vec<Step> {
        let recorder = Recorder::new(interpreter);
        let mut run = RandomRun::going_on(interpreter, self.state.clone(), self.random.clone());
        let mut steps = Vec::new();
        while steps.len() < count && self.end.is_none() {
            let before = run.state().clone();
            match run.step() {
                Ok(Some(taken)) => {
                    let channel = taken.transition.channel;
                    steps.push(recorder.step_from(&before, &taken.step, channel, &taken.state));
                }
                Ok(None) => {
                    self.end = Some(End::Deadlock {
                        time_stops: recorder.time_stops(run.state()),
                    });
                }
                Err(error) => {
                    self.end = Some(End::Error {
                        message: error.to_string(),
                        attempt: None,
                    });
                }
            }
        }
        (self.state, self.random) = run.into_parts();
        steps
    }
}
