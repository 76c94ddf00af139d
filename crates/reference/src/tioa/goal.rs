//! Conditions on states of a system, as reachability asks for them.

use std::fmt::{self, Display, Formatter};

use zonewalk_tioa::{Instance, LocationId, Relation, StateFormula};

use super::formula::relate;
use super::specification::Specification;
use super::state::{ComponentState, State};

/// A condition whose names are resolved.
#[derive(Clone, Debug)]
pub struct StateCondition(Condition);

#[derive(Clone, Debug)]
enum Condition {
    Constant(bool),
    /// The part is in one of these: a location of a template with data stands for several.
    In(usize, Vec<LocationId>),
    Compare {
        clock: (usize, usize),
        minus: Option<(usize, usize)>,
        relation: Relation,
        bound: i32,
    },
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

/// A name in a condition that means nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownInGoal {
    /// No component of the system is called so.
    Instance(String),
    /// Several components are called so, and no tag tells them apart.
    Ambiguous(String),
    /// The component has no such location.
    Location(String, String),
    /// The component has no such clock.
    Clock(String, String),
}

impl Display for UnknownInGoal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            UnknownInGoal::Instance(name) => write!(f, "the system has no component `{name}`"),
            UnknownInGoal::Ambiguous(name) => write!(f, "the system has several components `{name}`"),
            UnknownInGoal::Location(name, location) => {
                write!(f, "component `{name}` has no location `{location}`")
            }
            UnknownInGoal::Clock(name, clock) => write!(f, "component `{name}` has no clock `{clock}`"),
        }
    }
}

impl std::error::Error for UnknownInGoal {}

impl Specification<'_> {
    /// Resolves the names of a condition.
    ///
    /// # Errors
    /// A name that means nothing, or several things.
    pub fn goal(&self, formula: &StateFormula) -> Result<StateCondition, UnknownInGoal> {
        self.condition(formula).map(StateCondition)
    }

    /// Whether a condition holds. What it says about components that a quotient has left is false.
    pub fn satisfies(&self, state: &State, goal: &StateCondition) -> bool {
        evaluate(&goal.0, &self.places(state), self.scale())
    }

    fn condition(&self, formula: &StateFormula) -> Result<Condition, UnknownInGoal> {
        let all = |parts: &[StateFormula]| {
            let parts = parts.iter().map(|part| self.condition(part));
            parts.collect::<Result<Vec<_>, _>>()
        };
        Ok(match formula {
            StateFormula::Constant(value) => Condition::Constant(*value),
            StateFormula::Location { instance, location } => {
                let part = self.part_called(instance)?;
                let known = self.parts[part].1.locations.iter().enumerate();
                let meant = known
                    .filter(|(_, known)| known.name == *location || known.alias.as_ref() == Some(location))
                    .map(|(i, _)| LocationId(i as u32));
                let meant: Vec<_> = meant.collect();
                if meant.is_empty() {
                    return Err(UnknownInGoal::Location(instance.name.clone(), location.clone()));
                }
                Condition::In(part, meant)
            }
            StateFormula::Compare {
                clock,
                minus,
                relation,
                bound,
            } => Condition::Compare {
                clock: self.clock_called(clock)?,
                minus: minus.as_ref().map(|minus| self.clock_called(minus)).transpose()?,
                relation: *relation,
                bound: *bound,
            },
            StateFormula::And(parts) => Condition::And(all(parts)?),
            StateFormula::Or(parts) => Condition::Or(all(parts)?),
            StateFormula::Not(inner) => Condition::Not(Box::new(self.condition(inner)?)),
        })
    }

    /// The component with that name and tag; one with another tag if there is no choice.
    fn part_called(&self, wanted: &Instance) -> Result<usize, UnknownInGoal> {
        let called = |fits: &dyn Fn(&Instance) -> bool| -> Vec<usize> {
            let parts = self.parts.iter().enumerate();
            parts
                .filter(|(_, (instance, _))| fits(instance))
                .map(|(i, _)| i)
                .collect()
        };
        let mut found = called(&|instance| instance == wanted);
        if found.is_empty() && wanted.tag.is_none() {
            found = called(&|instance| instance.name == wanted.name);
        }
        match found[..] {
            [only] => Ok(only),
            [] => Err(UnknownInGoal::Instance(wanted.name.clone())),
            _ => Err(UnknownInGoal::Ambiguous(wanted.name.clone())),
        }
    }

    fn clock_called(&self, (instance, name): &(Instance, String)) -> Result<(usize, usize), UnknownInGoal> {
        let part = self.part_called(instance)?;
        let clock = self.parts[part].1.clocks.iter().position(|known| known == name);
        let unknown = || UnknownInGoal::Clock(instance.name.clone(), name.clone());
        Ok((part, clock.ok_or_else(unknown)?))
    }
}

fn evaluate(condition: &Condition, places: &[Option<&ComponentState>], scale: i128) -> bool {
    let value = |(part, clock): (usize, usize)| places[part].map(|place| place.clocks[clock]);
    match condition {
        Condition::Constant(value) => *value,
        Condition::In(part, locations) => {
            places[*part].is_some_and(|place| locations.contains(&place.location))
        }
        Condition::Compare {
            clock,
            minus,
            relation,
            bound,
        } => {
            let minus = minus.map_or(Some(0), value);
            let (Some(clock), Some(minus)) = (value(*clock), minus) else {
                return false;
            };
            relate(clock - minus, *relation, i128::from(*bound) * scale)
        }
        Condition::And(parts) => parts.iter().all(|part| evaluate(part, places, scale)),
        Condition::Or(parts) => parts.iter().any(|part| evaluate(part, places, scale)),
        Condition::Not(inner) => !evaluate(inner, places, scale),
    }
}
