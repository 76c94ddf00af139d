//! All states that one system can reach, whichever side decides: inputs and outputs alike.

use std::collections::VecDeque;

use zonewalk_tioa::{Action, Side as Which};
use zonewalk_zones::{Bound, Word, dbm, minimal};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::frame::{Abstraction, Frame};
use crate::symbolic::pair::Pair;
use crate::symbolic::refinement::{Joint, alternatives};
use crate::symbolic::store::{Arrival, Store};
use crate::symbolic::width::{Halt, fits, or_wider};
use crate::systems::set::Constraint;
use crate::systems::side::Side;

/// A zone that was reached. Time has passed in it.
pub struct Visit<'a, W = i32> {
    /// The system; its right side is empty.
    pub pair: &'a Pair,
    /// Where its automata are.
    pub state: &'a [u32],
    /// The clocks that matter.
    pub frame: &'a Frame<W>,
    /// The points.
    pub zone: &'a [Bound<W>],
}

/// A state with a property and those of its points that have it, a zone that is not empty.
pub type Sighting<T, W> = Option<(T, Vec<Bound<W>>)>;

/// A property that an exploration looks for.
pub trait Property {
    /// A description of a state that has it.
    type What;

    /// Looks for it in a zone that was reached.
    fn find<W: Word>(&mut self, visit: &Visit<'_, W>) -> Sighting<Self::What, W>;
}

/// State that was looked for, with the way to it.
#[derive(Debug)]
pub struct FoundState<T> {
    /// The state.
    pub what: T,
    /// The states from the initial one to the last one.
    pub states: Vec<Box<[u32]>>,
    /// Steps from each to the next.
    pub steps: Vec<Joint>,
    /// Where in the last state, over the clocks of the system.
    pub witness: Vec<Constraint>,
    /// Which of the starts it comes from.
    pub start: usize,
}

/// Where an exploration starts.
pub struct Start {
    /// Where the automata are.
    pub state: Vec<u32>,
    /// Constraints on clocks; `None` for all clocks zero.
    pub clocks: Option<Vec<Constraint>>,
}

/// A system on its own.
pub fn alone(side: Side) -> Pair {
    Pair::new(side, Side::new(Vec::new()))
}

/// Explores what can be reached until a zone has a property. Clocks of `extra` matter everywhere, up to a constant.
///
/// # Errors
/// When a limit is met first.
pub fn explore<P: Property>(
    pair: &mut Pair,
    starts: &[Start],
    extra: &[(u16, i64)],
    limits: Limits,
    control: &Control,
    property: &mut P,
) -> Result<Option<FoundState<P::What>>, Limit> {
    let narrow = explore_in_words::<i32, P>(pair, starts, extra, limits, control, property);
    or_wider(narrow, || {
        explore_in_words::<i64, P>(pair, starts, extra, limits, control, property)
    })
}

fn explore_in_words<W: Word, P: Property>(
    pair: &mut Pair,
    starts: &[Start],
    extra: &[(u16, i64)],
    limits: Limits,
    control: &Control,
    property: &mut P,
) -> Result<Option<FoundState<P::What>>, Halt> {
    let inputs = pair.left.alphabet.inputs.iter();
    let actions: Vec<Action> = inputs.chain(&pair.left.alphabet.outputs).copied().collect();
    let asked = starts.iter().flat_map(|start| start.clocks.iter().flatten());
    let asked = asked.map(|c| c.bound.constant().abs());
    let compared = extra.iter().map(|&(_, bound)| bound).chain(asked);
    let mut search = Search::<W> {
        number: compared.fold(pair.largest_number(), i64::max),
        pair,
        extra,
        store: Store::default(),
        waiting: VecDeque::new(),
        roots: Vec::new(),
    };
    search.run(starts, &actions, limits, control, property)
}

/// Where a system starts: all clocks zero.
pub fn initial(pair: &Pair) -> Vec<Start> {
    vec![Start {
        state: pair.initial(),
        clocks: None,
    }]
}

struct Search<'a, W> {
    pair: &'a mut Pair,
    /// No number of the pair or of the question exceeds it.
    number: i64,
    extra: &'a [(u16, i64)],
    store: Store<W>,
    waiting: VecDeque<u32>,
    /// The zones that come first, with the numbers of their starts.
    roots: Vec<(u32, usize)>,
}

impl<W: Word> Search<'_, W> {
    fn run<P: Property>(
        &mut self,
        starts: &[Start],
        actions: &[Action],
        limits: Limits,
        control: &Control,
        property: &mut P,
    ) -> Result<Option<FoundState<P::What>>, Halt> {
        for (number, start) in starts.iter().enumerate() {
            let state = self.state(&start.state)?;
            let frame = self.store.frame(state).clone();
            let zones = match &start.clocks {
                None => vec![frame.zero()],
                Some(constraints) => {
                    let known: Vec<Constraint> = constraints
                        .iter()
                        .filter(|c| frame.row(c.left).is_some() && frame.row(c.right).is_some())
                        .copied()
                        .collect();
                    vec![frame.zone(&[(0, &known)])]
                }
            };
            // Only what satisfies the invariant is a state.
            let invariant = self.pair.invariant(&start.state, &frame, Which::Left);
            for zone in zones {
                for part in invariant.alternatives() {
                    let mut inside = zone.clone();
                    let dim = frame.dim();
                    let holds = part
                        .iter()
                        .all(|c| dbm::constrain(&mut inside, dim, c.left.into(), c.right.into(), c.bound));
                    if holds && !dbm::is_empty(&inside) {
                        let before = self.waiting.len();
                        self.store_after_delay(state, &inside, None);
                        let entered = self.waiting.range(before..);
                        self.roots.extend(entered.map(|&node| (node, number)));
                    }
                }
            }
        }
        let mut rounds = 0u32;
        while let Some(node) = self.waiting.pop_front() {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(64)
                && let Some(limit) = limits.exceeded(control, self.store.bytes())
            {
                return Err(limit.into());
            }
            if !self.store.is_current(node) {
                continue;
            }
            let state = self.store.node(node).state;
            let seen = Visit {
                pair: self.pair,
                state: self.store.state(state),
                frame: self.store.frame(state),
                zone: &self.store.node(node).zone,
            };
            if let Some((what, zone)) = property.find(&seen) {
                return Ok(Some(self.found(node, what, &zone)));
            }
            self.successors(node, actions)?;
        }
        Ok(None)
    }

    fn state(&mut self, state: &[u32]) -> Result<u32, Halt> {
        if let Some(number) = self.store.number(state) {
            return Ok(number);
        }
        self.pair.expand(state)?;
        let mut frame: Frame<W> = self.pair.frame(state);
        frame.add(self.extra);
        if !fits::<W>(frame.dim(), self.number) {
            return Err(Halt::TooNarrow);
        }
        Ok(self.store.insert_state(state, frame))
    }

    fn store_after_delay(&mut self, state: u32, entry: &[Bound<W>], arrival: Option<Arrival>) {
        let frame = self.store.frame(state);
        let invariant = self.pair.invariant(self.store.state(state), frame, Which::Left);
        for waited in invariant.wait(entry, frame.dim()) {
            let frame = self.store.frame(state);
            let zones = if self.pair.diagonals.is_empty() {
                let mut zone = waited.zone;
                frame.relax(&mut zone, Abstraction::LowerUpper);
                vec![zone]
            } else {
                frame.abstract_split(waited.zone, &self.pair.diagonals)
            };
            for zone in zones {
                self.waiting.extend(self.store.insert(state, zone, arrival));
            }
        }
    }

    fn successors(&mut self, node: u32, actions: &[Action]) -> Result<(), Halt> {
        let state = self.store.node(node).state;
        let locations: Vec<u32> = self.store.state(state).to_vec();
        let zone = self.store.node(node).zone.clone();
        for &action in actions {
            for (way, step) in alternatives(self.pair, &locations, action, Which::Left)
                .into_iter()
                .enumerate()
            {
                let mut guarded = zone.to_vec();
                if !self.store.frame(state).constrain(&mut guarded, &step.guard, 0) {
                    continue;
                }
                let next = self.state(&after(&locations, &step))?;
                let entry =
                    self.store
                        .frame(state)
                        .after_updates(&guarded, &step.updates, self.store.frame(next));
                let arrival = Arrival {
                    parent: node,
                    action,
                    way: way as u32,
                };
                self.store_after_delay(next, &entry, Some(arrival));
            }
        }
        Ok(())
    }

    fn found<T>(&self, node: u32, what: T, zone: &[Bound<W>]) -> FoundState<T> {
        let frame = self.store.frame(self.store.node(node).state);
        let witness = frame.named(&minimal::constraints(zone, frame.dim()));
        let mut arrivals = Vec::new();
        let mut at = node;
        while let Some(arrival) = self.store.node(at).arrival {
            arrivals.push(arrival);
            at = arrival.parent;
        }
        let mut states: Vec<Box<[u32]>> = vec![self.store.state(self.store.node(at).state).into()];
        let mut steps = Vec::with_capacity(arrivals.len());
        for arrival in arrivals.into_iter().rev() {
            let here = self.store.state(self.store.node(arrival.parent).state);
            let mut ways = alternatives(self.pair, here, arrival.action, Which::Left);
            let step = ways.swap_remove(arrival.way as usize);
            states.push(after(here, &step).into());
            steps.push(step);
        }
        let root = self.roots.iter().find(|(node, _)| *node == at);
        FoundState {
            start: root.map_or(0, |(_, start)| *start),
            what,
            states,
            steps,
            witness,
        }
    }
}

fn after(locations: &[u32], step: &Joint) -> Vec<u32> {
    let mut target = locations.to_vec();
    for &(part, _, location) in &step.moves {
        target[part as usize] = location;
    }
    target
}
