//! Runs that come and go as traces.

use crate::entry::{Ending, Entry};
use crate::session::Session;
use zonewalk_checker::{Invalid, Purpose, replay_each, time};
use zonewalk_reference::State;
use zonewalk_report::trace::Trace;

impl Session<'_, '_> {
    /// Takes a trace for the run, if the reference interpreter confirms all of it: the initial state, every step, what it says
    /// about its end, and what it is for, if that is given. Goes to its end; can be taken back.
    ///
    /// # Errors
    /// The first thing that is wrong with it. Nothing has changed then.
    pub fn load(
        &mut self,
        trace: &Trace,
        query: Option<&str>,
        purpose: Option<Purpose<'_>>,
    ) -> Result<(), Invalid> {
        let mut entries = Vec::with_capacity(trace.steps.len());
        let mut state: Option<State> = None;
        replay_each(self.interpreter, trace, purpose, &mut |number, step, replayed| {
            let told = trace.steps.get(number - 1).cloned().map(|told| Entry {
                // What the file leaves out, such as the numbers of edges, is known now.
                told: zonewalk_report::trace::Step {
                    edges: step
                        .parts
                        .iter()
                        .map(|part| self.recorder.participant(part))
                        .collect(),
                    ..told
                },
                step: step.clone(),
            });
            entries.extend(told);
            state = Some(replayed.state.clone());
        })?;
        let invalid = |message: String| Invalid { step: None, message };
        let last_delay = zonewalk_reference::rational::Rational::new(
            trace.last_delay.numerator(),
            trace.last_delay.denominator(),
        );
        let last_delay = last_delay.map_err(|error| invalid(error.to_string()))?;
        let state = match state {
            Some(state) => state,
            None => self.state_after(0).map_err(|error| invalid(error.to_string()))?,
        };
        let state = self.interpreter.delay(&state, last_delay);
        let state = state.map_err(|error| invalid(error.to_string()))?;
        self.change(0);
        self.append(entries, state);
        self.last_delay = last_delay;
        self.ending = Ending {
            end: trace.end.clone(),
            query: query.map(str::to_owned),
        };
        Ok(())
    }

    /// The whole run as a trace, wherever the present place is.
    pub fn trace(&mut self) -> Result<Trace, zonewalk_reference::Error> {
        let initial = self.state_after(0)?;
        Ok(Trace {
            initial: self.recorder.state(&initial),
            steps: self.entries.iter().map(|entry| entry.told.clone()).collect(),
            last_delay: time(self.last_delay),
            end: self.ending.end.clone(),
        })
    }

    /// Why the run ends where it does: of a run that was loaded what the trace says, as long as it is not changed.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }
}
