//! Small models as text, and what the interpreter says about them as text.

use std::ops::Deref;
use zonewalk_model::system::Value;
use zonewalk_model::tree::Expr;
use zonewalk_reference::rational::{Rational, TooLarge};
use zonewalk_reference::window::Window;
use zonewalk_reference::{Error, Interpreter, State, Step};
use zonewalk_syntax::read::Format;
use zonewalk_testkit as testkit;

/// A model with its system.
pub(crate) struct Loaded(testkit::Loaded);

impl Deref for Loaded {
    type Target = testkit::Loaded;

    fn deref(&self) -> &testkit::Loaded {
        &self.0
    }
}

/// Reads, checks and instantiates; the codes of the errors otherwise.
pub(crate) fn try_load(text: &str, format: Format) -> Result<Loaded, Vec<String>> {
    let loaded = testkit::load("test", text.as_bytes(), Some(format));
    loaded.map(Loaded).map_err(|refused| refused.words())
}

#[track_caller]
pub(crate) fn load(text: &str) -> Loaded {
    try_load(text, Format::Xta).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// One process `P` with these labels on a loop `L -> L`.
#[track_caller]
pub(crate) fn with_loop(declarations: &str, labels: &str) -> Loaded {
    load(&format!(
        "{declarations} process P() {{ state L; init L; trans L -> L {{ {labels} }}; }} system P;"
    ))
}

impl Loaded {
    #[track_caller]
    pub(crate) fn run(&self) -> Run<'_> {
        let interpreter = self.interpreter().expect("supported");
        let state = interpreter.initial().expect("an initial state");
        Run {
            interpreter,
            loaded: self,
            state,
        }
    }

    /// A predicate, as in `E<> predicate`.
    #[track_caller]
    pub(crate) fn predicate(&self, text: &str) -> Expr {
        let predicate = self.0.predicate(text);
        predicate.unwrap_or_else(|refused| panic!("{refused}")).1
    }
}

/// A run: the interpreter and the present state.
pub(crate) struct Run<'l> {
    pub(crate) interpreter: Interpreter<'l>,
    pub(crate) loaded: &'l Loaded,
    pub(crate) state: State,
}

pub(crate) fn r(text: &str) -> Rational {
    text.parse().expect("a number")
}

impl Run<'_> {
    /// The transitions, each as `edges (channel) @ windows`.
    #[track_caller]
    pub(crate) fn transitions(&self) -> Vec<String> {
        self.try_transitions().expect("transitions")
    }

    pub(crate) fn try_transitions(&self) -> Result<Vec<String>, Error> {
        let transitions = self.interpreter.transitions(&self.state)?;
        for t in &transitions {
            self.check_against_replay(t);
        }
        let line =
            |t: &zonewalk_reference::Transition| format!("{} @ {}", self.interpreter.describe(t), t.windows);
        Ok(transitions.iter().map(line).collect())
    }

    /// Transitions that are enumerated must replay inside their windows, and not around them.
    fn check_against_replay(&self, t: &zonewalk_reference::Transition) {
        let around = |w: &Window| -> Result<[Rational; 5], TooLarge> {
            let (lower, _) = w.lower();
            let upper = match w.upper() {
                Some((upper, _)) => upper,
                None => lower.plus(r("3"))?,
            };
            let middle = lower.plus(upper)?.over(r("2"))?;
            Ok([
                lower,
                upper,
                middle,
                lower.minus(r("1/4"))?,
                upper.plus(r("1/4"))?,
            ])
        };
        let delays = t.windows.iter().flat_map(|w| around(w).expect("small numbers"));
        for delay in delays {
            let step = Step {
                delay,
                parts: t.parts.clone(),
            };
            let replayed = self.interpreter.replay_step(&self.state, &step);
            assert_eq!(
                replayed.is_ok(),
                t.windows.contains(delay),
                "{delay}: {t:?} {replayed:?}"
            );
        }
    }

    #[track_caller]
    pub(crate) fn delays(&self) -> String {
        self.interpreter.delays(&self.state).expect("delays").to_string()
    }

    /// Takes the transition whose text is `what`, or the only one whose text contains it, after a delay.
    #[track_caller]
    pub(crate) fn take(&mut self, delay: &str, what: &str) -> &mut Self {
        self.try_take(delay, what).expect("a step");
        self
    }

    #[track_caller]
    pub(crate) fn try_take(&mut self, delay: &str, what: &str) -> Result<(), Error> {
        let transitions = self.interpreter.transitions(&self.state)?;
        let named = |t: &&zonewalk_reference::Transition| self.interpreter.describe(t) == what;
        let containing = |t: &&zonewalk_reference::Transition| self.interpreter.describe(t).contains(what);
        let transition = transitions.iter().find(named).unwrap_or_else(|| {
            let matching: Vec<_> = transitions.iter().filter(containing).collect();
            assert_eq!(matching.len(), 1, "{what} in {:?}", self.transitions());
            matching[0]
        });
        let step = Step {
            delay: r(delay),
            parts: transition.parts.clone(),
        };
        self.state = self.interpreter.replay_step(&self.state, &step)?;
        Ok(())
    }

    #[track_caller]
    pub(crate) fn delay(&mut self, delay: &str) -> &mut Self {
        self.state = self.interpreter.delay(&self.state, r(delay)).expect("a delay");
        self
    }

    #[track_caller]
    pub(crate) fn holds(&self, predicate: &str) -> bool {
        self.interpreter
            .holds(&self.state, &self.loaded.predicate(predicate))
            .expect("a predicate")
    }

    /// When a predicate holds in the next `delay` units.
    #[track_caller]
    pub(crate) fn during(&self, delay: &str, predicate: &str) -> String {
        let predicate = self.loaded.predicate(predicate);
        self.interpreter
            .holds_during(&self.state, r(delay), &predicate)
            .expect("windows")
            .to_string()
    }

    /// A global integer.
    #[track_caller]
    pub(crate) fn int(&self, name: &str) -> i32 {
        match self.global(name) {
            Value::Int(i) => *i,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    pub(crate) fn global(&self, name: &str) -> &Value {
        let position = self.loaded.model.globals.iter().position(|g| &*g.name == name);
        &self.state.memory.globals[position.expect("a global")]
    }

    /// A clock by its full name.
    #[track_caller]
    pub(crate) fn clock(&self, name: &str) -> Rational {
        let position = self.loaded.system.clocks.iter().position(|c| &*c.name == name);
        self.state.clocks[position.expect("a clock")]
    }

    /// The text under an error's place.
    pub(crate) fn source(&self, error: &Error) -> &str {
        match error {
            Error::Fault { fault, .. } => self.loaded.model.sources.slice(fault.span),
            _ => "",
        }
    }
}

/// The error of a run that must have one, as text.
#[track_caller]
pub(crate) fn fault<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.expect_err("an error").to_string()
}
