//! Simulation: steps chosen at random, or by a person.

use crate::error::{Error, Refusal};
use crate::interpreter::{Interpreter, State};
use crate::replay::Step;
use crate::transition::Transition;
use crate::window::{Window, Windows};
use zonewalk_numbers::rational::{Rational, TooLarge};

/// How far a random delay looks into a window without an end.
const HORIZON: i32 = 10;

/// Random numbers that are the same on every machine: the SplitMix64 generator of Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, all alike up to one part in 2^64. Requires: `n > 0`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

/// A run that takes random transitions after random delays.
pub struct RandomRun<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    random: Random,
    state: State,
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The delay, and the edges.
    pub step: Step,
    /// The transition, with the windows from which the delay was chosen.
    pub transition: Transition,
    /// The state after it.
    pub state: State,
}

impl<'i, 'm> RandomRun<'i, 'm> {
    /// A run from the initial state.
    ///
    /// # Errors
    /// When there is no initial state.
    pub fn new(interpreter: &'i Interpreter<'m>, seed: u64) -> Result<Self, Error> {
        Ok(RandomRun {
            interpreter,
            random: Random::new(seed),
            state: interpreter.initial()?,
        })
    }

    /// A run that goes on from a state.
    pub fn starting_in(interpreter: &'i Interpreter<'m>, state: State, seed: u64) -> Self {
        RandomRun {
            interpreter,
            random: Random::new(seed),
            state,
        }
    }

    /// A run that goes on where another one stopped.
    pub fn going_on(interpreter: &'i Interpreter<'m>, state: State, random: Random) -> Self {
        RandomRun {
            interpreter,
            random,
            state,
        }
    }

    /// State and generator, to go on later.
    pub fn into_parts(self) -> (State, Random) {
        (self.state, self.random)
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes one step: any transition that is enabled after some delay, after any such delay. `None` in a
    /// deadlock.
    ///
    /// # Errors
    /// A run-time error of the model, or conflicting rates.
    pub fn step(&mut self) -> Result<Option<Taken>, Error> {
        let mut transitions = self.interpreter.transitions(&self.state)?;
        if transitions.is_empty() {
            return Ok(None);
        }
        let transition = transitions.swap_remove(self.random.below(transitions.len() as u64) as usize);
        let delay = random_delay(&transition.windows, &mut self.random)?;
        let step = Step {
            delay,
            parts: transition.parts.clone(),
        };
        self.state = take(self.interpreter, &self.state, &step)?;
        Ok(Some(Taken {
            step,
            transition,
            state: self.state.clone(),
        }))
    }
}

/// Delays and fires. Requires: the transition is enabled after the delay.
fn take(interpreter: &Interpreter<'_>, state: &State, step: &Step) -> Result<State, Error> {
    let delayed = interpreter.delay(state, step.delay)?;
    interpreter.fire(&delayed, &step.parts)
}

/// A delay of a set that is not empty, preferably a multiple of one half.
fn random_delay(windows: &Windows, random: &mut Random) -> Result<Rational, TooLarge> {
    let choice = random.below(windows.len() as u64) as usize;
    match windows.iter().nth(choice) {
        Some(window) => within(window, random),
        None => Ok(Rational::ZERO),
    }
}

fn within(window: &Window, random: &mut Random) -> Result<Rational, TooLarge> {
    let (lower, _) = window.lower();
    let upper = match window.upper() {
        Some((upper, _)) => upper,
        None => lower.plus(HORIZON.into())?,
    };
    // Halves inside the window, strict ends excluded.
    let two = Rational::from(2);
    let half = |n: i128| Rational::new(n, 2);
    let mut first = lower.times(two)?.floor();
    while !window.contains(half(first)?) && half(first)? <= upper {
        first += 1;
    }
    let mut last = upper.times(two)?.floor();
    while last > first && !window.contains(half(last)?) {
        last -= 1;
    }
    if window.contains(half(first)?) && last >= first {
        let count = u64::try_from(last - first + 1).unwrap_or(u64::MAX);
        return half(first + i128::from(random.below(count)));
    }
    // A window between two halves: its middle is inside.
    lower.plus(upper)?.over(two)
}

/// A simulation that a person steers, with undo.
pub struct Session<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    /// The states so far, the present one last; never empty.
    states: Vec<State>,
    /// How each of them but the first came about.
    moves: Vec<Move>,
    choices: Vec<Transition>,
    delays: Windows,
}

/// Move of a person.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Let time pass.
    Delay(Rational),
    /// Took a transition after a delay.
    Step(Step),
}

impl<'i, 'm> Session<'i, 'm> {
    /// A session in the initial state.
    ///
    /// # Errors
    /// When there is no initial state, or its transitions cannot be computed.
    pub fn new(interpreter: &'i Interpreter<'m>) -> Result<Self, Error> {
        let initial = interpreter.initial()?;
        let mut session = Session {
            interpreter,
            states: vec![initial],
            moves: Vec::new(),
            choices: Vec::new(),
            delays: Windows::none(),
        };
        session.look()?;
        Ok(session)
    }

    fn look(&mut self) -> Result<(), Error> {
        self.choices = self.interpreter.transitions(self.state())?;
        self.delays = self.interpreter.delays(self.state())?;
        Ok(())
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The transitions to choose from, each with its windows.
    pub fn choices(&self) -> &[Transition] {
        &self.choices
    }

    /// The delays that are possible.
    pub fn delays(&self) -> &Windows {
        &self.delays
    }

    /// Moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Takes choice number `index` (from 0) after a delay; without one, after the smallest delay that its
    /// windows have, or a small one where there is no smallest.
    ///
    /// # Errors
    /// [`Refusal`] when there is no such choice or not after that delay; a run-time error. The session stays
    /// where it was.
    pub fn take(&mut self, index: usize, delay: Option<Rational>) -> Result<(), Error> {
        let Some(choice) = self.choices.get(index) else {
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
        let state = take(self.interpreter, self.state(), &step)?;
        self.go(state, Move::Step(step))
    }

    /// Lets time pass.
    ///
    /// # Errors
    /// [`Refusal`] when the delay is not possible; a run-time error. The session stays where it was.
    pub fn delay(&mut self, delay: Rational) -> Result<(), Error> {
        let state = self.interpreter.delay(self.state(), delay)?;
        self.go(state, Move::Delay(delay))
    }

    fn go(&mut self, state: State, by: Move) -> Result<(), Error> {
        self.states.push(state);
        self.moves.push(by);
        let looked = self.look();
        if looked.is_err() {
            self.states.pop();
            self.moves.pop();
            self.look()?;
        }
        looked
    }

    /// Takes the last move back; false when there is none.
    ///
    /// # Errors
    /// None that the earlier state did not have already.
    pub fn undo(&mut self) -> Result<bool, Error> {
        if self.moves.pop().is_none() {
            return Ok(false);
        }
        self.states.pop();
        self.look()?;
        Ok(true)
    }
}

/// The smallest delay, or one close to the beginning where there is no smallest. Requires: not empty.
///
/// # Errors
/// The delay is too large for exact numbers.
pub fn earliest(windows: &Windows) -> Result<Rational, TooLarge> {
    let Some(window) = windows.iter().next() else {
        return Ok(Rational::ZERO);
    };
    match (window.lower(), window.upper()) {
        ((lower, true), _) => Ok(lower),
        ((lower, false), None) => lower.plus(1.into()),
        ((lower, false), Some((upper, _))) => {
            let next = lower.plus(1.into())?;
            if window.contains(next) {
                Ok(next)
            } else {
                lower.plus(upper)?.over(2.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Cut;

    #[test]
    fn random_delays_are_inside() {
        let r = |text: &str| text.parse::<Rational>().unwrap();
        let windows = [
            Windows::between(Cut::After(r("1/3")), Cut::Before(r("2/5"))),
            Windows::between(Cut::After(r("2")), Cut::Before(r("3"))),
            Windows::between(Cut::After(r("2")), Cut::Infinity),
            Windows::point(r("1/7")),
            Windows::up_to(r("5")).or(&Windows::point(r("9"))),
        ];
        let mut random = Random::new(7);
        for w in &windows {
            for _ in 0..100 {
                let delay = random_delay(w, &mut random).unwrap();
                assert!(w.contains(delay), "{delay} in {w}");
            }
            assert!(w.contains(earliest(w).unwrap()), "{w}");
        }
    }

    #[test]
    fn seeds_repeat() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..20).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
