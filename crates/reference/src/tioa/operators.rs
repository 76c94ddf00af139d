//! Steps of systems: the rules of the operators.

use zonewalk_tioa::{Action, Inputs, Taken};

use super::delay::Wait;
use super::specification::{Form, Node, Specification};
use super::state::State;

/// A way to take an action: the state that it leads to, and what each part does, sorted.
pub type SuccessorState = (State, Vec<Taken>);

impl Specification<'_> {
    /// Whether the invariants hold in a state. A quotient has none, whatever its operands have.
    pub fn holds(&self, state: &State) -> bool {
        self.node_holds(&self.root, state)
    }

    fn node_holds(&self, node: &Node<'_>, state: &State) -> bool {
        match (&node.form, state) {
            (_, State::Error { overdue }) => !overdue,
            (_, State::Universal) | (Form::Quotient { .. }, _) => true,
            (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => nodes
                .iter()
                .zip(states)
                .all(|(node, state)| self.node_holds(node, state)),
            (_, State::Component(place)) => self.part(node).holds(place),
            _ => foreign(),
        }
    }

    /// How long time may pass.
    pub fn wait(&self, state: &State) -> Wait {
        self.node_wait(&self.root, state)
    }

    fn node_wait(&self, node: &Node<'_>, state: &State) -> Wait {
        match (&node.form, state) {
            (_, State::Error { overdue: false }) => Wait::UpTo(0),
            (_, State::Error { overdue: true }) => Wait::Never,
            (_, State::Universal) | (Form::Quotient { .. }, _) => Wait::Forever,
            (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => {
                let waits = nodes
                    .iter()
                    .zip(states)
                    .map(|(node, state)| self.node_wait(node, state));
                waits.min().unwrap_or(Wait::Forever)
            }
            (_, State::Component(place)) => self.part(node).wait(place),
            _ => foreign(),
        }
    }

    /// The state after a delay, allowed or not.
    #[must_use]
    pub fn delayed(&self, state: &State, ticks: i128) -> State {
        self.node_delayed(&self.root, state, ticks)
    }

    fn node_delayed(&self, node: &Node<'_>, state: &State, ticks: i128) -> State {
        match (&node.form, state) {
            (_, State::Universal) => State::Universal,
            (_, State::Error { overdue }) => State::Error {
                overdue: *overdue || ticks > 0,
            },
            (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => {
                let pairs = nodes.iter().zip(states);
                State::Product(
                    pairs
                        .map(|(node, state)| self.node_delayed(node, state, ticks))
                        .collect(),
                )
            }
            (Form::Quotient { whole, part, .. }, State::Quotient { whole: t, part: s }) => State::Quotient {
                whole: Box::new(self.node_delayed(whole, t, ticks)),
                part: Box::new(self.node_delayed(part, s, ticks)),
            },
            (_, State::Component(place)) => State::Component(self.part(node).delayed(place, ticks)),
            _ => foreign(),
        }
    }

    /// The ways in which the system can take an action now, each once; none if it does not know the action.
    ///
    /// Ways that differ in what parts do may lead to the same state: a run may name any of them.
    pub fn successors(&self, state: &State, action: Action) -> Vec<SuccessorState> {
        if !self.knows(action) {
            return Vec::new();
        }
        let mut ways = self.ways(&self.root, state, action);
        for (_, taken) in &mut ways {
            taken.sort_unstable();
        }
        ways.sort_by(|a, b| a.1.cmp(&b.1));
        ways.dedup();
        ways
    }

    /// Requires: the node knows the action.
    fn ways(&self, node: &Node<'_>, state: &State, action: Action) -> Vec<SuccessorState> {
        // An edge of a product is allowed only where all invariants hold, those of parts that stand still, too.
        if !self.node_holds(node, state) {
            return Vec::new();
        }
        match (&node.form, state) {
            (Form::Composition(nodes) | Form::Conjunction(nodes), State::Product(states)) => {
                self.together(nodes, states, action)
            }
            (Form::Quotient { .. }, _) => self.quotient(node, state, action),
            (_, State::Component(place)) => self.part(node).ways(place, action),
            _ => foreign(),
        }
    }

    /// Every part that knows the action takes it, and the others stand still.
    fn together(&self, nodes: &[Node<'_>], states: &[State], action: Action) -> Vec<SuccessorState> {
        let mut all = vec![(states.to_vec(), Vec::new())];
        for (i, (node, state)) in nodes.iter().zip(states).enumerate() {
            if !node.knows(action) {
                continue;
            }
            let ways = self.ways(node, state, action);
            let mut next = Vec::new();
            for (states, taken) in &all {
                for (state, more) in &ways {
                    let mut states = states.clone();
                    states[i] = state.clone();
                    next.push((states, [&taken[..], more].concat()));
                }
            }
            all = next;
        }
        all.into_iter()
            .map(|(states, taken)| (State::Product(states), taken))
            .collect()
    }

    /// The ten rules of the quotient, with the numbers of `docs/tioa.md`, section 3.2.
    fn quotient(&self, node: &Node<'_>, state: &State, action: Action) -> Vec<SuccessorState> {
        let Form::Quotient {
            number: quotient,
            whole,
            part,
            fresh,
        } = &node.form
        else {
            return foreign();
        };
        let quotient = *quotient;
        let universal = (State::Universal, vec![Taken::Universal { quotient }]);
        let error = (State::Error { overdue: false }, vec![Taken::Error { quotient }]);
        let (t, s) = match state {
            // Rule 9.
            State::Universal => return vec![universal],
            // Rule 10.
            State::Error { .. } if node.actions.inputs.contains(&action) => return vec![error],
            State::Error { .. } => return Vec::new(),
            State::Quotient { whole, part } => (whole, part),
            _ => return foreign(),
        };
        let t_holds = self.node_holds(whole, t);
        let s_holds = self.node_holds(part, s);
        let ways_of = |node: &Node<'_>, state| {
            if node.knows(action) {
                self.ways(node, state, action)
            } else {
                Vec::new()
            }
        };
        let of_t = ways_of(whole, t);
        let of_s = ways_of(part, s);
        let both = |t: &State, s: &State| State::Quotient {
            whole: Box::new(t.clone()),
            part: Box::new(s.clone()),
        };

        let mut ways = Vec::new();
        match (whole.knows(action), part.knows(action)) {
            // Rule 1.
            (true, true) => {
                for (t, of_whole) in &of_t {
                    for (s, of_part) in &of_s {
                        ways.push((both(t, s), [&of_whole[..], of_part].concat()));
                    }
                }
            }
            // Rule 2.
            (false, true) => ways.extend(of_s.iter().map(|(s, taken)| (both(t, s), taken.clone()))),
            // Rule 8.
            (true, false) if s_holds => {
                ways.extend(of_t.iter().map(|(t, taken)| (both(t, s), taken.clone())));
            }
            _ => {}
        }
        // Rules 3 to 5.
        let is_sent_by_part = part.actions.outputs.contains(&action);
        if !s_holds || (is_sent_by_part && of_s.is_empty()) {
            ways.push(universal);
        }
        // Rule 6.
        let is_sent_by_both = is_sent_by_part && whole.actions.outputs.contains(&action);
        let is_wrong_output = is_sent_by_both && !of_s.is_empty() && of_t.is_empty();
        // Rule 7.
        let is_too_late = action == *fresh && s_holds && !t_holds;
        if is_wrong_output || is_too_late {
            ways.push(error);
        }
        // What no rule mentions is ignored, as a component ignores it.
        let is_input = node.actions.inputs.contains(&action);
        if ways.is_empty() && is_input && self.inputs == Inputs::Complete {
            ways.push((state.clone(), Vec::new()));
        }
        ways
    }
}

/// States are made by their specification, and callers have no others.
fn foreign<T>() -> T {
    unreachable!("the state belongs to another system")
}
