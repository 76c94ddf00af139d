//! Queries as data, and as text: [`parse()`] reads them, and each of them can be written.
//!
//! An instance of a UPPAAL template is written as it is called there: `Node(3)`, `Cell(1,0)`.

mod display;
mod lexer;
mod parse;
mod state;
mod system;

pub use parse::{Parsed, parse, parse_at};

use crate::formula::Relation;

/// One mention of a component. Each mention has clocks of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// The component's name, or that of a drawn system.
    pub name: String,
    /// The text between brackets: `Machine[1]`.
    pub tag: Option<String>,
}

/// A system: components put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum System {
    /// One component.
    Component(Instance),
    /// `A || B || …`: all run together, shared actions are joint.
    Composition(Vec<System>),
    /// `A && B && …`: what all of them allow.
    Conjunction(Vec<System>),
    /// `whole // part`: what is missing from `part` to make `whole`.
    Quotient {
        /// System that the quotient and the part must refine together.
        whole: Box<System>,
        /// Part that already exists.
        part: Box<System>,
    },
}

/// A condition on states, in reachability queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormula {
    /// `true` or `false`.
    Constant(bool),
    /// `Machine.Idle`
    Location {
        /// Which instance.
        instance: Instance,
        /// Name or alias of the location.
        location: String,
    },
    /// `Machine.x - Researcher.y <= 5`: clocks with their signs, compared with a number.
    Compare {
        /// The clock that counts positively.
        clock: (Instance, String),
        /// The clock that is taken from it.
        minus: Option<(Instance, String)>,
        /// How it is compared.
        relation: Relation,
        /// With what.
        bound: i32,
    },
    /// All of them.
    And(Vec<StateFormula>),
    /// One of them.
    Or(Vec<StateFormula>),
    /// The opposite.
    Not(Box<StateFormula>),
}

/// A query. Queries are few, so their size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// `refinement: left <= right`
    Refinement {
        /// System whose behaviour must be allowed.
        left: System,
        /// System that must allow it.
        right: System,
    },
    /// `consistency: S`; `fully` is the stricter form, where no output may lead into an error.
    Consistency {
        /// System to check.
        system: System,
        /// Whether every output must be good, not only one.
        fully: bool,
    },
    /// `determinism: S`
    Determinism(System),
    /// `implementation: S`
    Implementation(System),
    /// `specification: S`
    Specification(System),
    /// `reachability: S @ from -> to`
    Reachability {
        /// System to explore.
        system: System,
        /// Start of the search; the initial state if `None`.
        from: Option<StateFormula>,
        /// To where.
        to: StateFormula,
    },
    /// `get-component: S save-as N`: the system as one component.
    GetComponent {
        /// System to build.
        system: System,
        /// The name to save it by.
        save_as: Option<String>,
    },
    /// `prune: S save-as N`: the same without what cannot be avoided to go wrong.
    Prune {
        /// System to prune.
        system: System,
        /// The name to save it by.
        save_as: Option<String>,
    },
    /// `bisim-minim: S`: known, and refused.
    Minimise(System),
}

impl Query {
    /// The systems that it names.
    pub fn systems(&self) -> Vec<&System> {
        match self {
            Query::Refinement { left, right } => vec![left, right],
            Query::Consistency { system, .. }
            | Query::Determinism(system)
            | Query::Implementation(system)
            | Query::Specification(system)
            | Query::Reachability { system, .. }
            | Query::GetComponent { system, .. }
            | Query::Prune { system, .. }
            | Query::Minimise(system) => vec![system],
        }
    }
}
