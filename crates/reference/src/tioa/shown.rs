//! States as a report shows them.

use zonewalk_tioa::{Component, Instance, Location};

use super::specification::{Form, Node, Specification};
use super::state::{ComponentState, State};

/// One part of a state, to be shown.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// A component and where it is.
    Part {
        /// Its number among the components of its side.
        part: u32,
        /// How the query mentions it.
        instance: &'a Instance,
        /// The component.
        component: &'a Component,
        /// Its location.
        location: &'a Location,
        /// The values of its clocks in ticks, in the order of [`Component::clocks`].
        clocks: &'a [i128],
    },
    /// A quotient is in its universal state; its operands are nowhere.
    Universal {
        /// Which quotient.
        quotient: u32,
    },
    /// A quotient is in its error state.
    Error {
        /// Which quotient.
        quotient: u32,
    },
}

impl<'p> Specification<'p> {
    /// The parts of a state, from left to right.
    pub fn shown<'a>(&'a self, state: &'a State) -> Vec<Shown<'a>> {
        let mut all = Vec::new();
        self.show(&self.root, state, &mut all);
        all
    }

    fn show<'a>(&'a self, node: &'a Node<'p>, state: &'a State, all: &mut Vec<Shown<'a>>) {
        match (&node.form, state) {
            (Form::Component { number, component }, State::Component(place)) => all.push(Shown::Part {
                part: *number,
                instance: &self.parts[*number as usize].0,
                component,
                location: component.location(place.location),
                clocks: &place.clocks,
            }),
            (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => {
                for (node, state) in nodes.iter().zip(states) {
                    self.show(node, state, all);
                }
            }
            (Form::Quotient { whole, part, .. }, State::Quotient { whole: t, part: s }) => {
                self.show(whole, t, all);
                self.show(part, s, all);
            }
            (Form::Quotient { number, .. }, State::Universal) => {
                all.push(Shown::Universal { quotient: *number });
            }
            (Form::Quotient { number, .. }, State::Error { .. }) => {
                all.push(Shown::Error { quotient: *number });
            }
            _ => {}
        }
    }

    /// Where each component is; nothing for those of a quotient that has left them.
    pub(super) fn places<'a>(&self, state: &'a State) -> Vec<Option<&'a ComponentState>> {
        fn collect<'a>(node: &Node<'_>, state: &'a State, places: &mut [Option<&'a ComponentState>]) {
            match (&node.form, state) {
                (Form::Component { number, .. }, State::Component(place)) => {
                    places[*number as usize] = Some(place);
                }
                (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => {
                    for (node, state) in nodes.iter().zip(states) {
                        collect(node, state, places);
                    }
                }
                (Form::Quotient { whole, part, .. }, State::Quotient { whole: t, part: s }) => {
                    collect(whole, t, places);
                    collect(part, s, places);
                }
                _ => {}
            }
        }
        let mut places = vec![None; self.parts.len()];
        collect(&self.root, state, &mut places);
        places
    }
}
