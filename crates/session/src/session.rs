//! The run, the place in it, and what is done to it by hand.

use crate::entry::{Choices, Edit, Ending, Entry};
use std::collections::BTreeMap;
use zonewalk_checker::Recorder;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::earliest;
use zonewalk_reference::{Error, Interpreter, Refusal, State, Step};
use zonewalk_report::trace;

/// Steps between states that are kept; those in between are made again. States of large models are large, and runs are long.
const SPACING: usize = 32;

/// Changes that can be taken back.
const HISTORY: usize = 1000;

/// A run under construction, and a place in it.
pub struct Session<'i, 'm> {
    pub(crate) interpreter: &'i Interpreter<'m>,
    pub(crate) recorder: Recorder<'i, 'm>,
    pub(crate) entries: Vec<Entry>,
    /// The time that passes after the last step.
    pub(crate) last_delay: Rational,
    pub(crate) ending: Ending,
    /// Steps before the place; at the end of the run the last delay has passed, too.
    position: usize,
    /// The state at the place.
    state: State,
    /// By number of steps: the initial state, and some others.
    kept: BTreeMap<usize, State>,
    /// For the state at the place, once it was asked for.
    choices: Option<Choices>,
    history: Vec<Edit>,
}

impl<'i, 'm> Session<'i, 'm> {
    /// The run that stays in the initial state.
    ///
    /// # Errors
    /// When there is no initial state.
    pub fn new(interpreter: &'i Interpreter<'m>) -> Result<Self, Error> {
        let initial = interpreter.initial()?;
        Ok(Session {
            interpreter,
            recorder: Recorder::new(interpreter),
            entries: Vec::new(),
            last_delay: Rational::ZERO,
            ending: Ending::default(),
            position: 0,
            state: initial.clone(),
            kept: BTreeMap::from([(0, initial)]),
            choices: None,
            history: Vec::new(),
        })
    }

    /// The interpreter that takes the steps.
    pub fn interpreter(&self) -> &'i Interpreter<'m> {
        self.interpreter
    }

    /// Knows the names of things.
    pub fn recorder(&self) -> Recorder<'i, 'm> {
        self.recorder
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Steps before the present place.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The state at the present place. At the end of the run its last delay has passed.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The time that passes after the last step.
    pub fn last_delay(&self) -> Rational {
        self.last_delay
    }

    /// The step with this number, counted from 0, in the words of a trace.
    pub fn step(&self, index: usize) -> Option<&trace::Step> {
        self.entries.get(index).map(|entry| &entry.told)
    }

    /// The steps from one number on, in the terms of the interpreter.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &Step> {
        self.entries.iter().map(|entry| &entry.step)
    }

    /// Number of changes that can be taken back.
    pub fn changes(&self) -> usize {
        self.history.len()
    }

    /// Moves possible in the current state.
    ///
    /// # Errors
    /// A run-time error of the model, or conflicting rates.
    pub fn choices(&mut self) -> Result<&Choices, Error> {
        let choices = match self.choices.take() {
            Some(choices) => choices,
            None => Choices {
                transitions: self.interpreter.transitions(&self.state)?,
                delays: self.interpreter.delays(&self.state)?,
            },
        };
        Ok(self.choices.insert(choices))
    }

    /// Takes a transition, by its number among the choices from 0, after a delay; without one after the smallest that its windows
    /// have, or a small one where there is no smallest. Steps after the present place are given up.
    ///
    /// # Errors
    /// [`Refusal`] when there is no such choice or not after that delay; a run-time error. Nothing has changed then.
    pub fn take(&mut self, index: usize, delay: Option<Rational>) -> Result<(), Error> {
        let Some(choice) = self.choices()?.transitions.get(index) else {
            return Err(Refusal::Unknown(format!("choice number {}", index + 1)).into());
        };
        let delay = match delay {
            Some(delay) if choice.windows.contains(delay) => delay,
            Some(delay) => {
                let why = format!(
                    "this choice is possible after {}, not after {delay}",
                    choice.windows
                );
                return Err(Refusal::Malformed(why).into());
            }
            None => earliest(&choice.windows)?,
        };
        let step = Step {
            delay,
            parts: choice.parts.clone(),
        };
        let waited = self.waited();
        let (entry, state) = self.made(&step, waited)?;
        self.change(self.position);
        self.entries.push(entry);
        self.position += 1;
        self.enter(state);
        Ok(())
    }

    /// Lets time pass. Steps after the present place are given up.
    ///
    /// # Errors
    /// [`Refusal`] when the delay is not possible; a run-time error. Nothing has changed then.
    pub fn wait(&mut self, delay: Rational) -> Result<(), Error> {
        let state = self.interpreter.delay(&self.state, delay)?;
        let waited = self.waited().plus(delay)?;
        self.change(self.position);
        self.last_delay = waited;
        self.enter(state);
        Ok(())
    }

    /// Takes the last change back, be it a step, a delay, a random play or a run that was loaded; false when there is none. Jumps
    /// are not changes.
    ///
    /// # Errors
    /// None that the run did not have already.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let Some(edit) = self.history.pop() else {
            return Ok(false);
        };
        self.cut(edit.kept);
        self.entries.extend(edit.removed);
        self.last_delay = edit.last_delay;
        self.ending = edit.ending;
        self.jump(edit.position)?;
        Ok(true)
    }

    /// Goes to the state after a number of steps.
    ///
    /// # Errors
    /// [`Refusal`] when the run has fewer.
    pub fn jump(&mut self, steps: usize) -> Result<(), Error> {
        if steps > self.entries.len() {
            let why = format!("the run has {} steps, not {steps}", self.entries.len());
            return Err(Refusal::Malformed(why).into());
        }
        let mut state = self.state_after(steps)?;
        if steps == self.entries.len() {
            state = self.interpreter.delay(&state, self.last_delay)?;
        }
        self.position = steps;
        self.enter(state);
        Ok(())
    }

    /// Back to the run that stays in the initial state; can be taken back.
    ///
    /// # Errors
    /// None that the run did not have already.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.change(0);
        self.jump(0)
    }

    /// The state after a number of steps, before any last delay.
    ///
    /// # Errors
    /// [`Refusal`] when the run has fewer.
    pub fn state_after(&mut self, steps: usize) -> Result<State, Error> {
        let known = self.kept.range(..=steps).next_back();
        let (mut at, mut state) = match known {
            Some((&at, state)) => (at, state.clone()),
            None => (0, self.interpreter.initial()?),
        };
        while at < steps {
            let Some(entry) = self.entries.get(at) else {
                return Err(Refusal::Unknown(format!("step number {}", at + 1)).into());
            };
            let delayed = self.interpreter.delay(&state, entry.step.delay)?;
            state = self.interpreter.fire(&delayed, &entry.step.parts)?;
            at += 1;
            if at % SPACING == 0 {
                self.kept.insert(at, state.clone());
            }
        }
        Ok(state)
    }

    /// The part of the last delay that has passed at the present place.
    pub(crate) fn waited(&self) -> Rational {
        if self.position == self.entries.len() {
            self.last_delay
        } else {
            Rational::ZERO
        }
    }

    /// A step from the present state, judged; `waited` is what has passed before.
    fn made(&self, step: &Step, waited: Rational) -> Result<(Entry, State), Error> {
        let replayed = self.interpreter.replay(&self.state, step)?;
        let whole = Step {
            delay: waited.plus(step.delay)?,
            parts: step.parts.clone(),
        };
        let told = self
            .recorder
            .step(&replayed.delayed, &whole, replayed.channel, &replayed.state);
        Ok((Entry { step: whole, told }, replayed.state))
    }

    /// Begins a change: keeps the first steps, and remembers the others.
    pub(crate) fn change(&mut self, kept: usize) {
        let (last_delay, position) = (self.last_delay, self.position);
        let removed = self.cut(kept);
        let ending = std::mem::take(&mut self.ending);
        self.last_delay = Rational::ZERO;
        self.history.push(Edit {
            kept,
            removed,
            last_delay,
            position,
            ending,
        });
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }

    /// Removes the steps after the first ones.
    fn cut(&mut self, kept: usize) -> Vec<Entry> {
        self.kept.split_off(&(kept + 1));
        self.entries.split_off(kept)
    }

    /// The state at the present place is this one.
    fn enter(&mut self, state: State) {
        self.state = state;
        self.choices = None;
    }

    /// Appends steps after the last one and goes there. Requires: they lead from the end of the run to `state`.
    pub(crate) fn append(&mut self, entries: impl IntoIterator<Item = Entry>, state: State) {
        self.entries.extend(entries);
        self.position = self.entries.len();
        self.enter(state);
    }
}
