//! Commands to the worker.

use serde::Deserialize;
use zonewalk_reference::rational::Rational;

/// A request to look at the run, or to change it.
#[derive(Debug)]
pub(crate) enum Command {
    /// The model: its name, queries, warnings and automata.
    Model,
    /// The run at its present place.
    Run,
    /// Some steps of it.
    Steps(Page),
    /// The zone of its path.
    Zone,
    /// The whole of it, as pages show it.
    Trace,
    /// The whole of it, as a document.
    Save,
    /// Takes a transition.
    Take(Take),
    /// Lets time pass.
    Wait(Wait),
    /// Takes the last change back.
    Undo(Expected),
    /// Back to the initial state.
    Restart(Expected),
    /// Goes to a step.
    Jump(Jump),
    /// Plays at random.
    Random(Random),
    /// A run from a file.
    Load(Vec<u8>),
    /// The run that a query has found.
    Open,
    /// Decides a query.
    Check(Check),
}

/// Which steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    pub(crate) from: usize,
    pub(crate) count: usize,
}

/// The run that the user has seen; a change to another one is refused.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    #[serde(default)]
    pub(crate) revision: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Take {
    /// Index of the choice, from 0.
    pub(crate) choice: usize,
    /// The smallest, unless given.
    #[serde(default)]
    pub(crate) delay: Option<Number>,
    #[serde(default)]
    pub(crate) revision: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wait {
    pub(crate) delay: Number,
    #[serde(default)]
    pub(crate) revision: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Jump {
    pub(crate) step: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Random {
    pub(crate) seed: u64,
    pub(crate) steps: usize,
    #[serde(default)]
    pub(crate) revision: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// One of the model's, by its number from 1.
    #[serde(default)]
    pub(crate) query: Option<usize>,
    /// Another one.
    #[serde(default)]
    pub(crate) formula: Option<String>,
}

/// A number as users write it: `3`, `7/2`, `1.25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) Rational);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Integer(i64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Integer(number) => number.to_string(),
            Written::Text(text) => text,
        };
        let number = text.trim().parse::<Rational>();
        number
            .map(Number)
            .map_err(|error| serde::de::Error::custom(format!("`{text}`: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_exact() {
        let delay = |json: &str| serde_json::from_str::<Wait>(json).map(|wait| wait.delay.0.to_string());
        assert_eq!(delay(r#"{"delay": "1.25"}"#).ok().as_deref(), Some("5/4"));
        assert_eq!(delay(r#"{"delay": 3}"#).ok().as_deref(), Some("3"));
        for wrong in [
            r#"{"delay": 0.1}"#,
            r#"{"delay": "x"}"#,
            r#"{"delay": "1", "at": 3}"#,
            "{}",
        ] {
            assert!(delay(wrong).is_err(), "{wrong}");
        }
    }
}
