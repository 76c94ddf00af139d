//! From the systems of a query to what the engines explore.

use rustc_hash::FxHashMap;
use zonewalk_tioa::{Action, Instance, Project, Reading, System, Unresolved};

use crate::systems::automaton::Automaton;
use crate::systems::leaf::{self, Polarity, Unusable};
use crate::systems::product::{Operator, Product};
use crate::systems::quotient::Quotient;
use crate::systems::side::Side;

/// Clocks of a side: those of both sides are numbered by 16 bits.
const MAX_CLOCKS: usize = 30_000;

/// Why a system cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unbuildable {
    /// A name means nothing usable.
    Unresolved(Unresolved),
    /// Two parts of a composition send the same action.
    SentTwice {
        /// Which action.
        action: String,
        /// One part.
        first: String,
        /// The other.
        second: String,
    },
    /// One part of a conjunction sends what another receives.
    Clash {
        /// Which action.
        action: String,
        /// Who sends it.
        sends: String,
        /// Who receives it.
        receives: String,
    },
    /// The part of a quotient sends what the whole receives.
    Backwards {
        /// Which action.
        action: String,
        /// The whole.
        whole: String,
        /// The part.
        part: String,
    },
    /// A component has guards that cannot be used.
    Unusable {
        /// Which component.
        component: String,
        /// Why.
        why: String,
    },
    /// There are too many clocks.
    TooManyClocks,
}

impl std::fmt::Display for Unbuildable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unbuildable::Unresolved(why) => write!(f, "{why}"),
            Unbuildable::SentTwice {
                action,
                first,
                second,
            } => write!(
                f,
                "`{first}` and `{second}` cannot be composed: both send `{action}`"
            ),
            Unbuildable::Clash {
                action,
                sends,
                receives,
            } => write!(
                f,
                "`{sends}` and `{receives}` have no conjunction: the first sends `{action}`, the second receives it"
            ),
            Unbuildable::Backwards { action, whole, part } => write!(
                f,
                "`{whole}` has no quotient by `{part}`: the part sends `{action}`, which the whole receives"
            ),
            Unbuildable::Unusable { component, why } => write!(f, "component `{component}`: {why}"),
            Unbuildable::TooManyClocks => write!(f, "the system has more than {MAX_CLOCKS} clocks"),
        }
    }
}

impl std::error::Error for Unbuildable {}

/// The components of an expanded system, from left to right: a part number of [`zonewalk_tioa::Taken`] is a place in this list.
pub fn instances(system: &System) -> Vec<&Instance> {
    fn collect<'a>(system: &'a System, out: &mut Vec<&'a Instance>) {
        match system {
            System::Component(instance) => out.push(instance),
            System::Composition(parts) | System::Conjunction(parts) => {
                for part in parts {
                    collect(part, out);
                }
            }
            System::Quotient { whole, part } => {
                collect(whole, out);
                collect(part, out);
            }
        }
    }
    let mut out = Vec::new();
    collect(system, &mut out);
    out
}

/// Makes automata of systems.
pub struct Builder<'a> {
    project: &'a Project,
    reading: Reading,
    by_name: FxHashMap<&'a str, usize>,
    parts: u32,
    quotients: u32,
    clocks: usize,
}

impl<'a> Builder<'a> {
    /// A builder for the systems of one query. Requires: the inputs of their quotients have numbers.
    pub fn new(project: &'a Project, reading: Reading) -> Self {
        let names = project.components.iter().enumerate();
        Builder {
            project,
            reading,
            by_name: names
                .map(|(number, component)| (component.name.as_str(), number))
                .collect(),
            parts: 0,
            quotients: 0,
            clocks: 0,
        }
    }

    fn action_name(&self, action: Action) -> String {
        self.project.action_name(action).to_owned()
    }

    /// One side of a query. Requires: `system` is expanded.
    ///
    /// # Errors
    /// When the system cannot be built.
    pub fn side(&mut self, system: &System, polarity: Polarity) -> Result<Side, Unbuildable> {
        self.parts = 0;
        self.quotients = 0;
        self.clocks = 0;
        let parts = match system {
            System::Composition(parts) => self.composition(parts, polarity)?,
            other => vec![self.automaton(other, polarity)?],
        };
        Ok(Side::new(parts))
    }

    /// A system as one automaton. Requires: `system` is expanded.
    ///
    /// # Errors
    /// When the system cannot be built.
    pub fn automaton(&mut self, system: &System, polarity: Polarity) -> Result<Automaton, Unbuildable> {
        match system {
            System::Component(instance) => self.component(instance, polarity),
            System::Composition(parts) => {
                let children = self.composition(parts, polarity)?;
                Ok(Automaton::of_product(Product::new(
                    Operator::Composition,
                    children,
                )))
            }
            System::Conjunction(parts) => {
                let mut children = Vec::with_capacity(parts.len());
                for part in parts {
                    children.push(self.automaton(part, polarity)?);
                }
                self.check_conjunction(parts, &children)?;
                Ok(Automaton::of_product(Product::new(
                    Operator::Conjunction,
                    children,
                )))
            }
            System::Quotient { whole, part } => self.quotient(whole, part),
        }
    }

    fn component(&mut self, instance: &Instance, polarity: Polarity) -> Result<Automaton, Unbuildable> {
        let Some(&number) = self.by_name.get(instance.name.as_str()) else {
            return Err(Unbuildable::Unresolved(Unresolved::Unknown(
                instance.name.clone(),
            )));
        };
        let component = &self.project.components[number];
        // One more stops time where that is needed.
        self.clocks += component.clocks.len() + 1;
        if self.clocks > MAX_CLOCKS {
            return Err(Unbuildable::TooManyClocks);
        }
        let part = self.parts;
        self.parts += 1;
        leaf::automaton(component, self.reading, part, polarity).map_err(|why| Unbuildable::Unusable {
            component: component.name.clone(),
            why: match why {
                Unusable::TooLarge => "a guard or an invariant has more than 20,000 alternatives".to_owned(),
                Unusable::BothWays(action) => {
                    format!(
                        "`{}` is both an input and an output",
                        self.project.action_name(action)
                    )
                }
            },
        })
    }

    fn composition(&mut self, parts: &[System], polarity: Polarity) -> Result<Vec<Automaton>, Unbuildable> {
        let parts = flat(parts);
        let mut children = Vec::with_capacity(parts.len());
        let mut senders: FxHashMap<Action, usize> = FxHashMap::default();
        for (number, part) in parts.iter().enumerate() {
            let child = self.automaton(part, polarity)?;
            for &action in &child.alphabet.outputs {
                if let Some(first) = senders.insert(action, number) {
                    return Err(Unbuildable::SentTwice {
                        action: self.action_name(action),
                        first: parts[first].to_string(),
                        second: part.to_string(),
                    });
                }
            }
            children.push(child);
        }
        Ok(children)
    }

    fn check_conjunction(&self, parts: &[System], children: &[Automaton]) -> Result<(), Unbuildable> {
        for (i, a) in children.iter().enumerate() {
            for (j, b) in children.iter().enumerate() {
                if let Some(action) = common(&a.alphabet.outputs, &b.alphabet.inputs) {
                    return Err(Unbuildable::Clash {
                        action: self.action_name(action),
                        sends: parts[i].to_string(),
                        receives: parts[j].to_string(),
                    });
                }
            }
        }
        Ok(())
    }

    fn quotient(&mut self, whole: &System, part: &System) -> Result<Automaton, Unbuildable> {
        let number = self.quotients;
        self.quotients += 1;
        self.clocks += 1;
        // Where a quotient is involved, everything is compared both ways.
        let t = self.automaton(whole, Polarity::Both)?;
        let s = self.automaton(part, Polarity::Both)?;
        if let Some(action) = common(&s.alphabet.outputs, &t.alphabet.inputs) {
            return Err(Unbuildable::Backwards {
                action: self.action_name(action),
                whole: whole.to_string(),
                part: part.to_string(),
            });
        }
        let Some(fresh) = self.project.fresh_input(whole, part) else {
            let name = zonewalk_tioa::fresh_input_name(whole, part);
            return Err(Unbuildable::Unresolved(Unresolved::Unknown(name)));
        };
        Ok(Automaton::of_quotient(Quotient::new(
            t,
            s,
            fresh,
            number,
            self.reading.inputs,
        )))
    }
}

/// The parts of a composition, with those of compositions in it.
fn flat(parts: &[System]) -> Vec<&System> {
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            System::Composition(inner) => out.extend(flat(inner)),
            other => out.push(other),
        }
    }
    out
}

/// An action in both lists.
pub(crate) fn common(a: &[Action], b: &[Action]) -> Option<Action> {
    a.iter().find(|action| b.binary_search(action).is_ok()).copied()
}
