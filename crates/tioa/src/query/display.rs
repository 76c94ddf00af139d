//! Queries as text. What is written here parses to the same query.

use std::fmt::{self, Display, Formatter};

use super::parse::FULLY;
use super::{Instance, Query, StateFormula, System};

impl Display for Instance {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.tag {
            Some(tag) => write!(f, "[{tag}]"),
            None => Ok(()),
        }
    }
}

impl Display for System {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            System::Component(instance) => instance.fmt(f),
            System::Composition(parts) => join(f, parts, " || ", operand),
            System::Conjunction(parts) => join(f, parts, " && ", operand),
            System::Quotient { whole, part } => {
                operand(f, whole)?;
                f.write_str(" // ")?;
                operand(f, part)
            }
        }
    }
}

/// An operand; parentheses around everything but a name, because tools differ about precedence.
fn operand(f: &mut Formatter<'_>, system: &System) -> fmt::Result {
    match system {
        System::Component(instance) => instance.fmt(f),
        other => write!(f, "({other})"),
    }
}

fn join<T>(
    f: &mut Formatter<'_>,
    parts: &[T],
    sign: &str,
    write: fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        write(f, part)?;
    }
    Ok(())
}

impl Display for StateFormula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StateFormula::Constant(value) => value.fmt(f),
            StateFormula::Location { instance, location } => write!(f, "{instance}.{location}"),
            StateFormula::Compare {
                clock: (instance, clock),
                minus,
                relation,
                bound,
            } => {
                write!(f, "{instance}.{clock}")?;
                if let Some((instance, clock)) = minus {
                    write!(f, " - {instance}.{clock}")?;
                }
                write!(f, " {} {bound}", relation.sign())
            }
            StateFormula::And(parts) if parts.is_empty() => f.write_str("true"),
            StateFormula::Or(parts) if parts.is_empty() => f.write_str("false"),
            StateFormula::And(parts) => join(f, parts, " && ", state_operand),
            StateFormula::Or(parts) => join(f, parts, " || ", state_operand),
            StateFormula::Not(inner) => {
                f.write_str("!")?;
                match &**inner {
                    StateFormula::Compare { .. } => write!(f, "({inner})"),
                    other => state_operand(f, other),
                }
            }
        }
    }
}

fn state_operand(f: &mut Formatter<'_>, formula: &StateFormula) -> fmt::Result {
    match formula {
        StateFormula::And(_) | StateFormula::Or(_) => write!(f, "({formula})"),
        _ => formula.fmt(f),
    }
}

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let saved = |f: &mut Formatter<'_>, name: &Option<String>| match name {
            Some(name) => write!(f, " save-as {name}"),
            None => Ok(()),
        };
        match self {
            Query::Refinement { left, right } => write!(f, "refinement: {left} <= {right}"),
            Query::Consistency { system, fully: false } => write!(f, "consistency: {system}"),
            Query::Consistency { system, fully: true } => write!(f, "consistency: {system} [{FULLY}]"),
            Query::Determinism(system) => write!(f, "determinism: {system}"),
            Query::Implementation(system) => write!(f, "implementation: {system}"),
            Query::Specification(system) => write!(f, "specification: {system}"),
            Query::Reachability { system, from, to } => {
                write!(f, "reachability: {system} @ ")?;
                match from {
                    Some(from) => from.fmt(f)?,
                    None => f.write_str("init")?,
                }
                write!(f, " -> {to}")
            }
            Query::GetComponent { system, save_as } => {
                write!(f, "get-component: {system}")?;
                saved(f, save_as)
            }
            Query::Prune { system, save_as } => {
                write!(f, "prune: {system}")?;
                saved(f, save_as)
            }
            Query::Minimise(system) => write!(f, "bisim-minim: {system}"),
        }
    }
}
