//! Queues of directed searches, by name.

use std::fmt;
use std::str::FromStr;

/// Which queue a state waits in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queueing {
    /// There is one.
    #[default]
    Plain,
    /// A second one for what useless transitions lead to.
    Useless,
}

impl Queueing {
    /// All of them.
    pub const ALL: [Queueing; 2] = [Queueing::Plain, Queueing::Useless];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Queueing::Plain => "plain",
            Queueing::Useless => "useless",
        }
    }
}

/// A name that stands for no queues of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoQueueing;

impl fmt::Display for NoQueueing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the queues are {}",
            Queueing::ALL.map(Queueing::name).join(", ")
        )
    }
}

impl std::error::Error for NoQueueing {}

impl FromStr for Queueing {
    type Err = NoQueueing;

    fn from_str(name: &str) -> Result<Self, NoQueueing> {
        let found = Queueing::ALL.into_iter().find(|queues| queues.name() == name);
        found.ok_or(NoQueueing)
    }
}
