//! Systems with their components in place.

use std::fmt::{self, Display, Formatter};

use zonewalk_tioa::{Action, Alphabet, AlphabetOf, Component, Inputs, Instance, Project, Reading, System};
use zonewalk_tioa::{Unresolved, fresh_input_name};

use super::component::Part;
use super::state::{ComponentState, State};

/// A system whose names are resolved, for runs of some scale.
#[derive(Debug)]
pub struct Specification<'p> {
    pub(super) root: Node<'p>,
    /// The components, from left to right.
    pub(super) parts: Vec<(Instance, &'p Component)>,
    quotients: u32,
    pub(super) inputs: Inputs,
    scale: i128,
}

#[derive(Debug)]
pub(super) struct Node<'p> {
    pub actions: Alphabet,
    pub form: Form<'p>,
}

#[derive(Debug)]
pub(super) enum Form<'p> {
    Component {
        number: u32,
        component: &'p Component,
    },
    Composition(Vec<Node<'p>>),
    Conjunction(Vec<Node<'p>>),
    Quotient {
        number: u32,
        whole: Box<Node<'p>>,
        part: Box<Node<'p>>,
        fresh: Action,
    },
}

impl Node<'_> {
    pub(super) fn knows(&self, action: Action) -> bool {
        self.actions.inputs.contains(&action) || self.actions.outputs.contains(&action)
    }
}

/// Why there is no such system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A name means nothing usable.
    Name(Unresolved),
    /// A component receives and sends the same action.
    BothWays(String, String),
    /// Two operands of a composition send the same action.
    CommonOutput(String),
    /// An operand of a conjunction sends an action that the other receives.
    Clash(String),
    /// The part of a quotient sends what the whole receives.
    SentByPart(String),
    /// The input that a quotient adds has no number yet.
    FreshInput(String),
    /// An operator without operands.
    NoOperands,
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Name(unresolved) => unresolved.fmt(f),
            Refused::BothWays(component, action) => {
                write!(f, "component `{component}` both sends and receives `{action}`")
            }
            Refused::CommonOutput(action) => {
                write!(f, "two operands of `||` send `{action}`")
            }
            Refused::Clash(action) => {
                write!(
                    f,
                    "one operand of `&&` sends `{action}`, which another one receives"
                )
            }
            Refused::SentByPart(action) => {
                write!(
                    f,
                    "the right operand of `//` sends `{action}`, which the left one receives"
                )
            }
            Refused::FreshInput(name) => write!(f, "action `{name}` is not among those of the project"),
            Refused::NoOperands => f.write_str("an operator has no operands"),
        }
    }
}

impl std::error::Error for Refused {}

impl<'p> Specification<'p> {
    /// A system of a project, for states with `scale` ticks in a unit of time.
    ///
    /// # Errors
    /// A name that means nothing, or operands that do not fit together.
    pub fn new(project: &'p Project, system: &System, reading: Reading, scale: i64) -> Result<Self, Refused> {
        let system = project.expand(system).map_err(Refused::Name)?;
        let mut builder = Builder {
            project,
            alphabet: reading.alphabet,
            parts: Vec::new(),
            quotients: 0,
        };
        let root = builder.node(&system)?;
        Ok(Specification {
            root,
            parts: builder.parts,
            quotients: builder.quotients,
            inputs: reading.inputs,
            scale: i128::from(scale),
        })
    }

    /// Input actions, sorted.
    pub fn inputs(&self) -> &[Action] {
        &self.root.actions.inputs
    }

    /// Output actions, sorted.
    pub fn outputs(&self) -> &[Action] {
        &self.root.actions.outputs
    }

    /// Whether it receives or sends an action.
    pub fn knows(&self, action: Action) -> bool {
        self.root.knows(action)
    }

    /// Its components with their instances, in the order of [`Taken::Edge`](zonewalk_tioa::Taken::Edge).
    pub fn parts(&self) -> impl Iterator<Item = (&Instance, &'p Component)> {
        self.parts
            .iter()
            .map(|(instance, component)| (instance, *component))
    }

    /// How many quotients it has.
    pub fn quotients(&self) -> u32 {
        self.quotients
    }

    /// Ticks in a unit of time.
    pub fn scale(&self) -> i128 {
        self.scale
    }

    /// The initial locations with all clocks at zero. Its invariants may be broken, see [`Specification::holds`].
    pub fn initial(&self) -> State {
        self.state_of(&mut |_, component| ComponentState {
            location: component.initial,
            clocks: vec![0; component.clocks.len()],
            overdue: false,
        })
    }

    /// The state in which each component is where `place` puts it.
    pub(super) fn state_of(&self, place: &mut impl FnMut(usize, &Component) -> ComponentState) -> State {
        fn state(node: &Node<'_>, place: &mut impl FnMut(usize, &Component) -> ComponentState) -> State {
            match &node.form {
                Form::Component { number, component } => State::Component(place(*number as usize, component)),
                Form::Composition(nodes) | Form::Conjunction(nodes) => {
                    State::Product(nodes.iter().map(|node| state(node, place)).collect())
                }
                Form::Quotient { whole, part, .. } => State::Quotient {
                    whole: Box::new(state(whole, place)),
                    part: Box::new(state(part, place)),
                },
            }
        }
        state(&self.root, place)
    }

    /// Requires: the node is a component.
    pub(super) fn part<'a>(&self, node: &'a Node<'p>) -> Part<'a> {
        let Form::Component { number, component } = &node.form else {
            unreachable!("the state belongs to another system")
        };
        Part {
            number: *number,
            component,
            actions: &node.actions,
            inputs: self.inputs,
            scale: self.scale,
        }
    }
}

struct Builder<'p> {
    project: &'p Project,
    alphabet: AlphabetOf,
    parts: Vec<(Instance, &'p Component)>,
    quotients: u32,
}

impl<'p> Builder<'p> {
    fn node(&mut self, system: &System) -> Result<Node<'p>, Refused> {
        match system {
            System::Component(instance) => self.component(instance),
            System::Composition(systems) => {
                let nodes = self.nodes(systems)?;
                let mut actions = Alphabet::default();
                for node in &nodes {
                    actions = self.composed(&actions, &node.actions)?;
                }
                Ok(Node {
                    actions,
                    form: Form::Composition(nodes),
                })
            }
            System::Conjunction(systems) => {
                let nodes = self.nodes(systems)?;
                self.expect_no_clash(&nodes)?;
                let alphabets = nodes.iter().map(|node| node.actions.clone());
                let actions = alphabets.reduce(|a, b| conjoined(&a, &b)).unwrap_or_default();
                Ok(Node {
                    actions,
                    form: Form::Conjunction(nodes),
                })
            }
            System::Quotient { whole, part } => self.quotient(whole, part),
        }
    }

    fn nodes(&mut self, systems: &[System]) -> Result<Vec<Node<'p>>, Refused> {
        if systems.is_empty() {
            return Err(Refused::NoOperands);
        }
        systems.iter().map(|system| self.node(system)).collect()
    }

    fn component(&mut self, instance: &Instance) -> Result<Node<'p>, Refused> {
        let Some(component) = self.project.component(&instance.name) else {
            return Err(Refused::Name(Unresolved::Unknown(instance.name.clone())));
        };
        let number = self.parts.len() as u32;
        self.parts.push((instance.clone(), component));
        let edges = &component.alphabet;
        let actions = match (self.alphabet, &component.declared) {
            (AlphabetOf::Edges, _) | (_, None) => edges.clone(),
            (AlphabetOf::Declared, Some(declared)) => Alphabet {
                inputs: union(&declared.inputs, &edges.inputs),
                outputs: union(&declared.outputs, &edges.outputs),
            },
        };
        if let Some(action) = common(&actions.inputs, &actions.outputs).first() {
            return Err(Refused::BothWays(component.name.clone(), self.name(*action)));
        }
        Ok(Node {
            actions,
            form: Form::Component { number, component },
        })
    }

    fn composed(&self, a: &Alphabet, b: &Alphabet) -> Result<Alphabet, Refused> {
        if let Some(action) = common(&a.outputs, &b.outputs).first() {
            return Err(Refused::CommonOutput(self.name(*action)));
        }
        let outputs = union(&a.outputs, &b.outputs);
        Ok(Alphabet {
            inputs: without(&union(&a.inputs, &b.inputs), &outputs),
            outputs,
        })
    }

    /// No part of a conjunction sends what another one receives, even if a third one does not know it.
    fn expect_no_clash(&self, nodes: &[Node<'p>]) -> Result<(), Refused> {
        for sender in nodes {
            for receiver in nodes {
                if let Some(action) = common(&sender.actions.outputs, &receiver.actions.inputs).first() {
                    return Err(Refused::Clash(self.name(*action)));
                }
            }
        }
        Ok(())
    }

    fn quotient(&mut self, whole: &System, part: &System) -> Result<Node<'p>, Refused> {
        let number = self.quotients;
        self.quotients += 1;
        let Some(fresh) = self.project.fresh_input(whole, part) else {
            return Err(Refused::FreshInput(fresh_input_name(whole, part)));
        };
        let whole = self.node(whole)?;
        let part = self.node(part)?;
        let (t, s) = (&whole.actions, &part.actions);
        if let Some(action) = common(&s.outputs, &t.inputs).first() {
            return Err(Refused::SentByPart(self.name(*action)));
        }
        let actions = Alphabet {
            inputs: union(&union(&t.inputs, &s.outputs), &[fresh]),
            outputs: union(&without(&t.outputs, &s.outputs), &without(&s.inputs, &t.inputs)),
        };
        Ok(Node {
            actions,
            form: Form::Quotient {
                number,
                whole: Box::new(whole),
                part: Box::new(part),
                fresh,
            },
        })
    }

    fn name(&self, action: Action) -> String {
        self.project.action_name(action).to_owned()
    }
}

fn conjoined(a: &Alphabet, b: &Alphabet) -> Alphabet {
    Alphabet {
        inputs: common(&a.inputs, &b.inputs),
        outputs: common(&a.outputs, &b.outputs),
    }
}

fn union(a: &[Action], b: &[Action]) -> Vec<Action> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn common(a: &[Action], b: &[Action]) -> Vec<Action> {
    a.iter().copied().filter(|action| b.contains(action)).collect()
}

fn without(a: &[Action], b: &[Action]) -> Vec<Action> {
    a.iter().copied().filter(|action| !b.contains(action)).collect()
}
