//! The checks by name.

use std::fmt;

/// A sanity check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// Templates that no process is made of.
    Templates,
    /// Locations that no process reaches.
    Locations,
    /// Edges that no process takes.
    Edges,
    /// Guards that are always true, or never.
    Guards,
    /// Invariants that keep every process out of their location.
    Invariants,
    /// Deadlocks that are not intended.
    Deadlock,
    /// Channels without a partner.
    Channels,
    /// Variables and clocks that are never read or never written.
    Variables,
    /// Cycles on which no time need pass.
    Zeno,
    /// Queries that hold because what they are about never happens.
    Queries,
}

impl Check {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Check; 10] = [
        Check::Templates,
        Check::Variables,
        Check::Channels,
        Check::Locations,
        Check::Edges,
        Check::Guards,
        Check::Invariants,
        Check::Queries,
        Check::Deadlock,
        Check::Zeno,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Check::Templates => "templates",
            Check::Locations => "locations",
            Check::Edges => "edges",
            Check::Guards => "guards",
            Check::Invariants => "invariants",
            Check::Deadlock => "deadlock",
            Check::Channels => "channels",
            Check::Variables => "variables",
            Check::Zeno => "zeno",
            Check::Queries => "queries",
        }
    }

    /// Short description of the findings it looks for.
    pub const fn summary(self) -> &'static str {
        match self {
            Check::Templates => "templates that are never instantiated",
            Check::Locations => "locations that are unreachable",
            Check::Edges => "edges that are never taken",
            Check::Guards => "guards that are always true",
            Check::Invariants => "invariants that every entry violates",
            Check::Deadlock => "deadlocks that are not intended",
            Check::Channels => "channels without a sender or a receiver",
            Check::Variables => "variables and clocks that are never read or never written",
            Check::Zeno => "cycles that can repeat without time passing",
            Check::Queries => "queries that hold because their premise never does",
        }
    }

    /// The check of a name.
    pub fn named(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }

    /// Whether it is about reachable states; the others are about the text.
    pub const fn is_about_states(self) -> bool {
        !matches!(self, Check::Templates | Check::Channels | Check::Variables)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
