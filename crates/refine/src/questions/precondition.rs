//! Conditions before two systems can be compared, and queries about single systems that ask for the same.

use rustc_hash::FxHashSet;
use zonewalk_tioa::{Action, Inputs, Project, Reading, Rule, Run, System, Taken};
use zonewalk_zones::Word;

use crate::control::{Control, Limit, Limits};
use crate::questions::determinism::{self, Choice};
use crate::questions::game::{self, Outputs};
use crate::questions::implementation::{self, Flaw};
use crate::symbolic::concretise;
use crate::symbolic::explore;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::{FoundState, Question, Sighting, Visit};
use crate::systems::automaton::Automaton;
use crate::systems::leaf::Polarity;
use crate::systems::set::Set;
use crate::systems::side::Side;
use crate::systems::system::{Builder, Unbuildable, instances};

/// Why a query is answered with no before anything is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A component has a choice between two edges on one action.
    Nondeterministic {
        /// Which component.
        component: String,
        /// The choice.
        choice: Choice,
        /// A run of the component to a state with that choice.
        run: Option<Run>,
    },
    /// The environment can drive a component, or a conjunction, where it cannot go on.
    Inconsistent {
        /// The component or conjunction.
        system: String,
        /// A location in which time stops, if it is a component.
        stuck: Option<u32>,
    },
    /// An invariant does not hold at the start.
    NoStart {
        /// The component or conjunction.
        system: String,
    },
    /// A component does not accept an input, in the strict reading.
    NotEnabled {
        /// Which component.
        component: String,
        /// Where.
        location: u32,
        /// Which input.
        input: Action,
        /// A run of the component to a state that shows it.
        run: Option<Run>,
    },
    /// One side sends what the other one receives.
    Clash(Action),
    /// The left side has inputs that the right side does not know.
    Inputs(Vec<Action>),
    /// The right side has outputs that the left side does not know.
    Outputs(Vec<Action>),
    /// A component is not an implementation.
    NoImplementation {
        /// Which component.
        component: String,
        /// Why.
        flaw: Flaw,
        /// A run of the component to a state that shows it.
        run: Option<Run>,
    },
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A system cannot be built.
    Unbuildable(Unbuildable),
    /// A limit is met.
    Limit(Limit),
}

impl From<Unbuildable> for Obstacle {
    fn from(why: Unbuildable) -> Self {
        Obstacle::Unbuildable(why)
    }
}

impl From<Limit> for Obstacle {
    fn from(limit: Limit) -> Self {
        Obstacle::Limit(limit)
    }
}

/// Checks components and conjunctions of the systems of one query.
pub struct PreconditionChecker<'a> {
    /// Where the components are. The inputs of quotients have numbers.
    pub project: &'a Project,
    /// How they are read.
    pub reading: Reading,
    /// Limits of checks.
    pub limits: Limits,
    /// How they are stopped.
    pub control: &'a Control,
}

impl PreconditionChecker<'_> {
    /// The first reason why `left` and `right` cannot be compared. Systems are expanded.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn comparable(
        &self,
        left: &System,
        right: &System,
        pair: &Pair,
    ) -> Result<Option<Failure>, Obstacle> {
        let unfit = self.clash(pair);
        if let Some(failure) = unfit.or_else(|| self.alphabets(&pair.left, &pair.right)) {
            return Ok(Some(failure));
        }
        for system in [left, right] {
            if let Some(failure) = self.deterministic(system)? {
                return Ok(Some(failure));
            }
        }
        for system in [left, right] {
            if let Some(failure) = self.consistent(system, Outputs::One)? {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// An action that one side sends and the other one receives. No rule of refinement says which of them leads it, so that such sides
    /// are never compared.
    pub fn clash(&self, pair: &Pair) -> Option<Failure> {
        let (l, r) = (&pair.left.alphabet, &pair.right.alphabet);
        let both = [(&l.inputs, &r.outputs), (&r.inputs, &l.outputs)];
        both.into_iter()
            .find_map(|(inputs, outputs)| crate::systems::system::common(inputs, outputs))
            .map(Failure::Clash)
    }

    /// Actions that one side has to know, because the other one does.
    fn alphabets(&self, left: &Side, right: &Side) -> Option<Failure> {
        let (l, r) = (&left.alphabet, &right.alphabet);
        let missing = |some: &[Action], others: &[Action]| -> Vec<Action> {
            some.iter()
                .filter(|action| others.binary_search(action).is_err())
                .copied()
                .collect()
        };
        let inputs = missing(&l.inputs, &r.inputs);
        let outputs = missing(&r.outputs, &l.outputs);
        if !inputs.is_empty() {
            return Some(Failure::Inputs(inputs));
        }
        (!outputs.is_empty()).then_some(Failure::Outputs(outputs))
    }

    /// The first component of a system that is not deterministic. Products of deterministic parts are deterministic.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn deterministic(&self, system: &System) -> Result<Option<Failure>, Obstacle> {
        for component in self.components(system) {
            let automaton = Builder::new(self.project, self.reading).automaton(&component, Polarity::Both)?;
            if let Some(found) = determinism::check(&automaton, self.limits, self.control)? {
                return Ok(Some(Failure::Nondeterministic {
                    component: component.to_string(),
                    run: run_of(automaton, &found),
                    choice: found.what,
                }));
            }
        }
        Ok(None)
    }

    /// The first component or conjunction of a system that is not consistent.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn consistent(&self, system: &System, outputs: Outputs) -> Result<Option<Failure>, Obstacle> {
        let mut units = Vec::new();
        units_of(system, &mut units);
        let mut known = FxHashSet::default();
        for unit in units {
            let mut automaton = Builder::new(self.project, self.reading).automaton(unit, Polarity::Both)?;
            automaton.expand(automaton.initial).map_err(Limit::from)?;
            if !automaton.starts() {
                return Ok(Some(Failure::NoStart {
                    system: unit.to_string(),
                }));
            }
            // Nodes of a ring differ by the names of their actions, which do not matter here.
            if matches!(unit, System::Component(_)) && !known.insert(shape(&automaton)) {
                continue;
            }
            let good = game::solve(&mut automaton, outputs, self.limits, self.control)?;
            if !good.has_initial() {
                return Ok(Some(Failure::Inconsistent {
                    system: unit.to_string(),
                    stuck: good.stuck.filter(|_| matches!(unit, System::Component(_))),
                }));
            }
        }
        Ok(None)
    }

    /// The first component of a system that is not an implementation, or not deterministic.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn implementation(&self, system: &System) -> Result<Option<Failure>, Obstacle> {
        if let Some(failure) = self.deterministic(system)? {
            return Ok(Some(failure));
        }
        for component in self.components(system) {
            let automaton = Builder::new(self.project, self.reading).automaton(&component, Polarity::Both)?;
            if !automaton.starts() {
                return Ok(Some(Failure::NoStart {
                    system: component.to_string(),
                }));
            }
            if let Some(found) = implementation::check(&automaton, self.limits, self.control)? {
                return Ok(Some(Failure::NoImplementation {
                    component: component.to_string(),
                    run: run_of(automaton, &found),
                    flaw: found.what,
                }));
            }
        }
        Ok(None)
    }

    /// The first component of a system that does not accept some input in a state that it can reach, as drawn.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn enabled(&self, system: &System) -> Result<Option<Failure>, Obstacle> {
        let completed = Reading {
            inputs: Inputs::Complete,
            ..self.reading
        };
        for component in self.components(system) {
            let automaton = Builder::new(self.project, completed).automaton(&component, Polarity::Both)?;
            if let Some(found) = explore::explore(&automaton, &Ignored, self.limits, self.control)? {
                let (location, input) = found.what;
                return Ok(Some(Failure::NotEnabled {
                    component: component.to_string(),
                    location,
                    input,
                    run: run_of(automaton, &found),
                }));
            }
        }
        Ok(None)
    }

    /// Which components do not accept all their inputs as drawn, in words.
    ///
    /// # Errors
    /// When a system cannot be built, or a limit is met.
    pub fn not_enabled(&self, system: &System) -> Result<Vec<String>, Obstacle> {
        let mut notes = Vec::new();
        for system in self.components(system) {
            let automaton = Builder::new(self.project, self.reading).automaton(&system, Polarity::Both)?;
            let mut ignored: Vec<&str> = automaton
                .known()
                .flat_map(|location| &location.edges)
                .filter(|edge| matches!(edge.taken.first(), Some(Taken::Ignored { .. })))
                .map(|edge| self.project.action_name(edge.action))
                .collect();
            ignored.sort_unstable();
            ignored.dedup();
            if !ignored.is_empty() {
                let name = system.to_string();
                let list = ignored.join(", ");
                notes.push(format!(
                    "{name} is not input-enabled as drawn; where no edge allows {list}, it is ignored"
                ));
            }
        }
        Ok(notes)
    }

    /// The components of a system, each once.
    fn components(&self, system: &System) -> Vec<System> {
        let mut names: Vec<&str> = instances(system)
            .iter()
            .map(|instance| instance.name.as_str())
            .collect();
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(*name));
        let one = |name: &str| {
            System::Component(zonewalk_tioa::Instance {
                name: name.to_owned(),
                tag: None,
            })
        };
        names.into_iter().map(one).collect()
    }
}

/// A state in which an input is ignored.
struct Ignored;

impl Question for Ignored {
    type End = (u32, Action);

    fn find<W: Word>(&self, visit: &Visit<'_, W>) -> Sighting<(u32, Action), W> {
        let id = *visit.state.first()?;
        let edges = &visit.pair.left.parts[0].location(id).edges;
        let mut loops = edges
            .iter()
            .filter(|edge| matches!(edge.taken.first(), Some(Taken::Ignored { .. })));
        loops.find_map(|edge| {
            edge.allowed.parts().iter().find_map(|part| {
                let mut zone = visit.zone.to_vec();
                visit
                    .frame
                    .constrain(&mut zone, part, 0)
                    .then_some(((id, edge.action), zone))
            })
        })
    }
}

/// Parts of an edge that matter, other than its action: which side decides, when, what it sets, where it leads.
type EdgeShape = (bool, Set, Vec<(u16, i32)>, u32);

/// Everything about a component that decides whether it is consistent.
fn shape(automaton: &Automaton) -> (u32, Vec<(Set, bool, Vec<EdgeShape>)>) {
    let locations = automaton.known().map(|location| {
        let edges = location.edges.iter();
        let edges = edges.map(|edge| {
            (
                edge.is_output,
                edge.allowed.clone(),
                edge.updates.clone(),
                edge.target,
            )
        });
        (
            location.invariant.clone(),
            location.is_inconsistent,
            edges.collect(),
        )
    });
    (automaton.initial, locations.collect())
}

/// A run of one component to what was found in it.
fn run_of<T>(automaton: Automaton, found: &FoundState<T>) -> Option<Run> {
    let mut pair = explore::alone(Side::new(vec![automaton]));
    for state in &found.states {
        pair.expand(state).ok()?;
    }
    concretise::timed(
        &mut pair,
        &found.states,
        &found.steps,
        &found.witness,
        Rule::Reached,
    )
    .ok()
}

/// Components and outermost conjunctions: what consistency is asked of.
fn units_of<'a>(system: &'a System, out: &mut Vec<&'a System>) {
    match system {
        System::Component(_) | System::Conjunction(_) => out.push(system),
        System::Composition(parts) => parts.iter().for_each(|part| units_of(part, out)),
        System::Quotient { whole, part } => {
            units_of(whole, out);
            units_of(part, out);
        }
    }
}
