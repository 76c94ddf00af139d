//! The zone graph of a pair, as `search` explores it: pairs of locations, each with a zone in which time has passed.
//!
//! A question ends a search at a node of its own, so that the search looks for nothing but such nodes.

use std::marker::PhantomData;
use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;
use zonewalk_search::{Emit, Flow, Goal, Progress, Store as _, TransitionSystem, Worker, follow};
use zonewalk_tioa::Side as Which;
use zonewalk_zones::{Bound, Word, dbm, minimal};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::delay::DelayedZone;
use crate::symbolic::frame::{Abstraction, Frame};
use crate::symbolic::joint::Joint;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::{Entry, FoundState, Question, Start, Visit};
use crate::symbolic::store::ZoneStore;
use crate::symbolic::width::{Halt, fits, or_wider};
use crate::systems::set::Constraint;

/// Result of a search that met no limit.
#[derive(Debug)]
pub struct Explored<T> {
    /// Event that ended it.
    pub found: Option<FoundState<T>>,
    /// Pairs of locations that have a zone.
    pub pairs: usize,
    /// Zones.
    pub zones: usize,
}

/// The zone graph of a pair, as far as it is asked about.
pub struct ZoneGraph<'a, Q> {
    /// Question that is asked.
    pub question: &'a Q,
    /// Where it starts.
    pub starts: &'a [Start],
    /// Clocks that matter everywhere, up to a constant.
    pub extra: &'a [(u16, i64)],
    /// How zones are made finite in number, where no differences are compared.
    pub abstraction: Abstraction,
}

impl<Q: Question> ZoneGraph<'_, Q> {
    /// Visits what can be reached, breadth first, until something ends the search.
    ///
    /// # Errors
    /// When a limit is met first.
    pub fn search(
        &self,
        pair: &mut Pair,
        limits: Limits,
        control: &Control,
    ) -> Result<Explored<Q::End>, Limit> {
        let narrow = self.search_in_words::<i32>(pair, limits, control);
        or_wider(narrow, || self.search_in_words::<i64>(pair, limits, control))
    }

    fn search_in_words<W: Word>(
        &self,
        pair: &mut Pair,
        limits: Limits,
        control: &Control,
    ) -> Result<Explored<Q::End>, Halt> {
        let shown = Q::IS_SHOWN.then_some(control);
        let see = |progress: &Progress| {
            if let Some(control) = shown {
                control.zones.store(progress.states_explored, Ordering::Relaxed);
            }
        };
        let mut store = ZoneStore::new(pair.left.parts.len() + pair.right.parts.len());
        let system = InWords(self, PhantomData);
        let mut states = States::<W>::new(pair, self, shown);
        let mut worker = Worker::new(&system, &mut states);
        let mut is_end = |node: &Node<W, Q::End>| node.end.is_some();
        let goal = Goal::state(&mut is_end);
        let found = limits.search(&mut worker, &mut store, goal, control, &see)?;
        Ok(Explored {
            found: found.map(|(path, last)| system.found(&mut states, &path, last)),
            pairs: store.pairs(),
            zones: store.stored(),
        })
    }
}

/// A zone of a pair of locations.
#[derive(Clone, Debug)]
pub(crate) struct Node<W, E> {
    /// The number of the pair of locations.
    pub(crate) state: u32,
    /// The points. Time has passed in them, unless the search ends here.
    pub(crate) zone: Vec<Bound<W>>,
    /// Event that ends the search here.
    pub(crate) end: Option<E>,
}

/// How a node is reached.
#[derive(Clone, Copy)]
pub(crate) enum Arrival<'s> {
    /// It belongs to the start with this number.
    Start(usize),
    /// By a step.
    Step(&'s Joint),
    /// End of the search, by what was found in the node before.
    Here,
}

/// The pairs of locations met so far, whose locations and frames are made when they are met.
pub(crate) struct States<'a, W> {
    pair: &'a mut Pair,
    extra: &'a [(u16, i64)],
    /// No number of the pair or of the question exceeds it.
    largest: i64,
    numbers: FxHashMap<Box<[u32]>, u32>,
    states: Vec<(Box<[u32]>, Frame<W>)>,
    /// Who is shown how many there are.
    shown: Option<&'a Control>,
}

impl<'a, W: Word> States<'a, W> {
    fn new<Q>(pair: &'a mut Pair, graph: &ZoneGraph<'a, Q>, shown: Option<&'a Control>) -> Self {
        let asked = graph
            .starts
            .iter()
            .flat_map(|start| start.clocks.iter().flatten());
        let asked = asked.map(|c| c.bound.constant().abs());
        let compared = graph.extra.iter().map(|&(_, bound)| bound).chain(asked);
        States {
            largest: compared.fold(pair.largest_number(), i64::max),
            pair,
            extra: graph.extra,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            shown,
        }
    }

    /// The number of a pair of locations.
    fn number(&mut self, state: &[u32]) -> Result<u32, Halt> {
        if let Some(&number) = self.numbers.get(state) {
            return Ok(number);
        }
        self.pair.expand(state)?;
        let mut frame: Frame<W> = self.pair.frame(state);
        frame.add(self.extra);
        if !fits::<W>(frame.dim(), self.largest) {
            return Err(Halt::TooNarrow);
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.into(), number);
        self.states.push((state.into(), frame));
        if let Some(control) = self.shown {
            control.pairs.store(self.states.len() as u64, Ordering::Relaxed);
        }
        Ok(number)
    }

    fn frame(&self, number: u32) -> &Frame<W> {
        &self.states[number as usize].1
    }

    fn visit<'v>(&'v self, number: u32, zone: &'v [Bound<W>]) -> Visit<'v, W> {
        let (state, frame) = &self.states[number as usize];
        Visit {
            pair: self.pair,
            state,
            frame,
            zone,
        }
    }
}

/// The graph with zones of some width.
struct InWords<'g, 'a, Q, W>(&'g ZoneGraph<'a, Q>, PhantomData<W>);

impl<'a, Q: Question, W: Word> TransitionSystem for InWords<'_, 'a, Q, W> {
    type State = Node<W, Q::End>;
    type Step<'s> = Arrival<'s>;
    type Fault = Halt;
    type Scratch = States<'a, W>;

    fn initial<'e>(&'e self, states: &'e mut States<'a, W>, emit: Emit<'e, Self>) -> Result<(), Halt> {
        for (number, start) in self.0.starts.iter().enumerate() {
            let state = states.number(&start.state)?;
            let frame = states.frame(state);
            let zone = match &start.clocks {
                None => frame.zero(),
                Some(constraints) => {
                    let matters =
                        |c: &&Constraint| frame.row(c.left).is_some() && frame.row(c.right).is_some();
                    let known: Vec<Constraint> = constraints.iter().filter(matters).copied().collect();
                    frame.zone(&[(0, &known)])
                }
            };
            // Only what satisfies the invariant is a state.
            let invariant = states.pair.invariant(&start.state, frame, Which::Left);
            for part in invariant.alternatives() {
                let mut inside = zone.clone();
                let dim = frame.dim();
                let holds = part
                    .iter()
                    .all(|c| dbm::constrain(&mut inside, dim, c.left.into(), c.right.into(), c.bound));
                if holds
                    && !dbm::is_empty(&inside)
                    && self
                        .enter(states, state, &inside, Arrival::Start(number), emit)
                        .is_break()
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        states: &'e mut States<'a, W>,
        node: &Node<W, Q::End>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Halt> {
        let question = self.0.question;
        let end = |(what, zone)| Node {
            state: node.state,
            zone,
            end: Some(what),
        };
        if let Some(sighting) = question.find(&states.visit(node.state, &node.zone)) {
            let _ = emit(&end(sighting), Arrival::Here);
            return Ok(());
        }
        let locations = states.states[node.state as usize].0.clone();
        let mut steps = Vec::new();
        for index in 0..states.pair.actions.len() {
            let action = states.pair.actions[index];
            if let Some(sighting) = question.steps(&states.visit(node.state, &node.zone), action, &mut steps)
            {
                let _ = emit(&end(sighting), Arrival::Here);
                return Ok(());
            }
            for (step, guarded) in steps.drain(..) {
                let next = states.number(&step.target(&locations))?;
                let frame = states.frame(node.state);
                let entry = frame.after_updates(&guarded, &step.updates, states.frame(next));
                if self
                    .enter(states, next, &entry, Arrival::Step(&step), emit)
                    .is_break()
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl<'a, Q: Question, W: Word> InWords<'_, 'a, Q, W> {
    /// Lets time pass in a zone that was just entered, and emits what is reached.
    fn enter(
        &self,
        states: &States<'a, W>,
        state: u32,
        entry: &[Bound<W>],
        arrival: Arrival<'_>,
        emit: Emit<'_, Self>,
    ) -> Flow {
        let visit = states.visit(state, entry);
        let (pair, frame) = (visit.pair, visit.frame);
        let waited = pair
            .invariant(visit.state, frame, Which::Left)
            .wait(entry, frame.dim());
        let mut emit = |zone, end| emit(&Node { state, zone, end }, arrival);
        match self
            .0
            .question
            .enter(&visit, matches!(arrival, Arrival::Start(_)), &waited)
        {
            Entry::Open => {}
            Entry::Closed => return Flow::Continue(()),
            Entry::End(what, zone) => return emit(zone, Some(what)),
        }
        for DelayedZone { mut zone, .. } in waited {
            if pair.diagonals.is_empty() {
                frame.relax(&mut zone, self.0.abstraction);
                emit(zone, None)?;
            } else {
                for piece in frame.abstract_split(zone, &pair.diagonals) {
                    emit(piece, None)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// The way to what was found.
    fn found(&self, states: &mut States<'a, W>, path: &[u32], last: Node<W, Q::End>) -> FoundState<Q::End> {
        let frame = states.frame(last.state);
        let witness = frame.named(&minimal::constraints(&last.zone, frame.dim()));
        let (mut start, mut numbers, mut steps) = (0, Vec::new(), Vec::new());
        let followed = follow(&mut Worker::new(self, states), path, |node, arrival| {
            match arrival {
                Arrival::Start(number) => start = number,
                Arrival::Step(step) => steps.push(step.clone()),
                Arrival::Here => return,
            }
            numbers.push(node.state);
        });
        let (Ok(()), Some(what)) = (followed, last.end) else {
            unreachable!("a search follows the steps of its system, to an end")
        };
        FoundState {
            what,
            states: numbers
                .iter()
                .map(|&number| states.states[number as usize].0.clone())
                .collect(),
            steps,
            witness,
            start,
        }
    }
}
