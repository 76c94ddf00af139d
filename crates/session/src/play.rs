//! Steps at random.

use crate::entry::Entry;
use crate::session::Session;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Error, State, Step};

/// Result of random play.
#[derive(Debug)]
pub struct Played {
    /// Steps that were taken.
    pub steps: usize,
    /// Whether no transition is possible any more, however long one waits.
    pub is_deadlock: bool,
    /// The error of the model that ended it.
    pub error: Option<Error>,
}

impl Session<'_, '_> {
    /// Takes at most `steps` random transitions after random delays, from the present place on; steps after it are given up. The
    /// same seed in the same state gives the same steps on every machine. `is_over` is asked before each step. All of it is one
    /// change, and none if no step is taken.
    pub fn play(&mut self, seed: u64, steps: usize, is_over: &dyn Fn() -> bool) -> Played {
        let mut run = RandomRun::starting_in(self.interpreter, self.state().clone(), seed);
        let (mut is_deadlock, mut failed) = (false, None);
        let mut entries = Vec::new();
        let mut waited = self.waited();
        while entries.len() < steps && !is_over() {
            match self.random_step(&mut run, waited) {
                Ok(Some(entry)) => entries.push(entry),
                Ok(None) => {
                    is_deadlock = true;
                    break;
                }
                Err(error) => {
                    failed = Some(*error);
                    break;
                }
            }
            waited = Rational::ZERO;
        }
        let steps = entries.len();
        let (error, state) = match failed {
            Some((error, state)) => (Some(error), state),
            None => (None, run.state().clone()),
        };
        if steps > 0 {
            self.change(self.position());
            self.append(entries, state);
        }
        Played {
            steps,
            is_deadlock,
            error,
        }
    }

    /// One step of a random run; `None` in a deadlock. An error comes with the state before it.
    fn random_step(
        &self,
        run: &mut RandomRun<'_, '_>,
        waited: Rational,
    ) -> Result<Option<Entry>, Box<(Error, State)>> {
        let before = run.state().clone();
        let made = (|| {
            let Some(taken) = run.step()? else { return Ok(None) };
            let delayed = self.interpreter.delay(&before, taken.step.delay)?;
            let step = Step {
                delay: waited.plus(taken.step.delay)?,
                parts: taken.step.parts,
            };
            let channel = taken.transition.channel;
            let told = self.recorder.step(&delayed, &step, channel, &taken.state);
            Ok(Some(Entry { step, told }))
        })();
        made.map_err(|error: Error| Box::new((error, before)))
    }
}
