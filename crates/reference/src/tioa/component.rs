//! Steps of a single component.

use zonewalk_tioa::{Action, Alphabet, Component, Inputs, Kind, LocationId, Taken};

use super::delay::{Wait, while_holding};
use super::formula::Instant;
use super::operators::SuccessorState;
use super::state::{ComponentState, State};

/// A component in a system.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub number: u32,
    pub component: &'a Component,
    pub actions: &'a Alphabet,
    pub inputs: Inputs,
    pub scale: i128,
}

impl Part<'_> {
    /// Whether the invariant of where it is holds now.
    pub(super) fn holds(&self, place: &ComponentState) -> bool {
        !place.overdue && self.invariant(place.location, &place.clocks)
    }

    fn invariant(&self, location: LocationId, clocks: &[i128]) -> bool {
        let location = self.component.location(location);
        location.kind == Kind::Universal || Instant::now(clocks, self.scale).satisfies(&location.invariant)
    }

    fn time_stops(&self, place: &ComponentState) -> bool {
        let location = self.component.location(place.location);
        match location.kind {
            Kind::Normal => location.urgent,
            Kind::Universal => false,
            Kind::Inconsistent => true,
        }
    }

    /// How long it may stay.
    pub(super) fn wait(&self, place: &ComponentState) -> Wait {
        let location = self.component.location(place.location);
        if !self.holds(place) {
            Wait::Never
        } else if self.time_stops(place) {
            Wait::UpTo(0)
        } else if location.kind == Kind::Universal {
            Wait::Forever
        } else {
            while_holding(&location.invariant, &place.clocks, self.scale)
        }
    }

    /// Where it is after a delay, allowed or not.
    pub(super) fn delayed(&self, place: &ComponentState, ticks: i128) -> ComponentState {
        ComponentState {
            location: place.location,
            clocks: place.clocks.iter().map(|clock| clock + ticks).collect(),
            overdue: place.overdue || (ticks > 0 && self.time_stops(place)),
        }
    }

    /// The ways in which it takes an action of its own now. Requires: its invariant holds.
    pub(super) fn ways(&self, place: &ComponentState, action: Action) -> Vec<SuccessorState> {
        let is_input = self.actions.inputs.contains(&action);
        let stay = |taken| vec![(State::Component(place.clone()), vec![taken])];
        let part = self.number;
        match self.component.location(place.location).kind {
            Kind::Universal => return stay(Taken::Loop { part }),
            Kind::Inconsistent if is_input => return stay(Taken::Loop { part }),
            Kind::Inconsistent => return Vec::new(),
            Kind::Normal => {}
        }
        let mut ways = Vec::new();
        for (i, edge) in self.component.edges.iter().enumerate() {
            let is_ready = edge.source == place.location
                && edge.action == action
                && Instant::now(&place.clocks, self.scale).satisfies(&edge.guard);
            if !is_ready {
                continue;
            }
            let mut clocks = place.clocks.clone();
            for &(clock, value) in &edge.updates {
                clocks[clock.index()] = i128::from(value) * self.scale;
            }
            if self.invariant(edge.target, &clocks) {
                let there = ComponentState {
                    location: edge.target,
                    clocks,
                    overdue: false,
                };
                let edge = i as u32;
                ways.push((State::Component(there), vec![Taken::Edge { part, edge }]));
            }
        }
        if ways.is_empty() && is_input && self.inputs == Inputs::Complete {
            return stay(Taken::Ignored { part });
        }
        ways
    }
}
