//! Queues of directed searches, by name.

use crate::named::{NoSuchName, find};
use std::str::FromStr;

/// Which queue a state waits in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queueing {
    /// There is one.
    #[default]
    Plain,
    /// A second one for what useless transitions lead to.
    Useless,
    /// One for each number of switches of context.
    Icb,
    /// One for each distance between the last two transitions.
    Ce,
    /// Three queues in turn: useless transitions, and two orders that need no expensive estimates.
    Alternation,
}

impl Queueing {
    /// All of them.
    pub const ALL: [Queueing; 5] = [
        Queueing::Plain,
        Queueing::Useless,
        Queueing::Icb,
        Queueing::Ce,
        Queueing::Alternation,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Queueing::Plain => "plain",
            Queueing::Useless => "useless",
            Queueing::Icb => "icb",
            Queueing::Ce => "ce",
            Queueing::Alternation => "alternation",
        }
    }
}

impl FromStr for Queueing {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        find(&Queueing::ALL, Queueing::name, name, "queues")
    }
}

/// When two transitions in a row are in different contexts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switching {
    /// No process takes part in both.
    #[default]
    Any,
    /// The participant sets differ.
    Equal,
    /// No process takes part in both, though one of the first could have gone on.
    Preempting,
}

impl Switching {
    /// All of them.
    pub const ALL: [Switching; 3] = [Switching::Any, Switching::Equal, Switching::Preempting];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Switching::Any => "any",
            Switching::Equal => "equal",
            Switching::Preempting => "preempting",
        }
    }
}

impl FromStr for Switching {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        find(&Switching::ALL, Switching::name, name, "notions of a context")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for queueing in Queueing::ALL {
            assert_eq!(queueing.name().parse(), Ok(queueing));
        }
        for switching in Switching::ALL {
            assert_eq!(switching.name().parse(), Ok(switching));
        }
        let told = "several".parse::<Queueing>().map_err(|e| e.to_string());
        assert_eq!(
            told,
            Err("the queues are plain, useless, icb, ce, alternation".to_owned())
        );
    }
}
