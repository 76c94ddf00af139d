//! Consistency as a timed game: from which states can the system go on forever, whatever its environment does?
//!
//! A state is good if every input leads to a good state, and either time can pass forever or, after some delay, an output leads
//! to a good state; inputs at all instants until then have to be good as well. The good states are the greatest such set,
//! computed here for each location as a union of zones. Zones that a forward search reaches, as public engines use them, are
//! not enough: an output may be possible from one part of a zone and not from another (`docs/tioa.md`, section 3.4).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use zonewalk_search::{Emit, ExactStore, Goal, StateId, Store as _, TransitionSystem, Worker};
use zonewalk_zones::{Bound, Federation, Word, dbm};

use crate::control::{Control, Limit, Limits};
use crate::symbolic::width::{Halt, fits, or_wider};
use crate::systems::automaton::{Automaton, Edge};
use crate::systems::set::Set;

/// Which outputs have to be good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// One: the system chooses.
    One,
    /// All of them: "fully" consistent.
    All,
}

/// The good states of an automaton.
#[derive(Debug)]
pub struct Good<W = i64> {
    /// Locations that can be reached, by number.
    pub locations: Vec<u32>,
    /// The good states of each.
    pub states: Vec<Federation<W>>,
    index: FxHashMap<u32, usize>,
    initial: u32,
    /// The first location found in which time stops and no output is possible.
    pub stuck: Option<u32>,
}

impl<W: Word> Good<W> {
    /// Whether the initial state is good.
    pub fn has_initial(&self) -> bool {
        let Some(&index) = self.index.get(&self.initial) else {
            return false;
        };
        let states = &self.states[index];
        states.contains(&vec![0; states.dim()], 1)
    }

    /// The good states of a location.
    pub fn of(&self, location: u32) -> Option<&Federation<W>> {
        self.index.get(&location).map(|&index| &self.states[index])
    }

    /// The states in words of 64 bits.
    fn widened(self) -> Good {
        let wide = |states: Federation<W>| Set::of_federation(&states).federation(states.dim());
        Good {
            states: self.states.into_iter().map(wide).collect(),
            locations: self.locations,
            index: self.index,
            initial: self.initial,
            stuck: self.stuck,
        }
    }
}

/// Computes the good states.
///
/// # Errors
/// When a limit is met first.
pub fn solve(
    automaton: &mut Automaton,
    outputs: Outputs,
    limits: Limits,
    control: &Control,
) -> Result<Good, Limit> {
    let narrow = solve_in_words::<i32>(automaton, outputs, limits, control);
    or_wider(narrow, || {
        solve_in_words::<i64>(automaton, outputs, limits, control)
    })
}

fn solve_in_words<W: Word>(
    automaton: &mut Automaton,
    outputs: Outputs,
    limits: Limits,
    control: &Control,
) -> Result<Good, Halt> {
    let dim = usize::from(automaton.clocks) + 1;
    if !fits::<W>(dim, automaton.largest_number()) {
        return Err(Halt::TooNarrow);
    }
    let locations = reachable(automaton, limits, control)?;
    let index: FxHashMap<u32, usize> = locations
        .iter()
        .enumerate()
        .map(|(index, &id)| (id, index))
        .collect();
    let mut states: Vec<Federation<W>> = Vec::with_capacity(locations.len());
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); locations.len()];
    for (place, &id) in locations.iter().enumerate() {
        let location = automaton.location(id);
        states.push(match location.is_inconsistent {
            true => Federation::new(dim),
            false => location.invariant.federation(dim),
        });
        for edge in &location.edges {
            let list = &mut sources[index[&edge.target]];
            if list.last() != Some(&place) {
                list.push(place);
            }
        }
    }
    let mut game = Game {
        automaton,
        dim,
        outputs,
        index: &index,
        states,
    };
    let mut waiting: VecDeque<usize> = (0..locations.len()).collect();
    let mut is_waiting = vec![true; locations.len()];
    // An error that was drawn is the better reason.
    let mut stuck = locations
        .iter()
        .copied()
        .find(|&id| game.automaton.location(id).is_inconsistent);
    while let Some(place) = waiting.pop_front() {
        is_waiting[place] = false;
        if let Some(limit) = limits.exceeded(control, 0) {
            return Err(limit.into());
        }
        let better = game.improve(locations[place]);
        if better.includes(&game.states[place]) {
            continue;
        }
        stuck = stuck.or(Some(locations[place]));
        game.states[place] = better;
        for &source in &sources[place] {
            if !is_waiting[source] {
                is_waiting[source] = true;
                waiting.push_back(source);
            }
        }
    }
    let states = game.states;
    let good = Good {
        initial: automaton.initial,
        locations,
        states,
        index,
        stuck,
    };
    Ok(good.widened())
}

/// Locations that can be reached, clocks aside.
pub(crate) fn reachable(
    automaton: &mut Automaton,
    limits: Limits,
    control: &Control,
) -> Result<Vec<u32>, Limit> {
    // A location with its edges takes some hundred bytes.
    let mut store = ExactStore::with_heap(|_: &u32| 400);
    let mut worker = Worker::new(&LocationGraph, automaton);
    limits.search(&mut worker, &mut store, Goal::none(), control, &|_| {})?;
    let mut list = vec![automaton.initial; store.stored()];
    for (number, id) in (0..).zip(&mut list) {
        store.load(StateId(number), id);
    }
    Ok(list)
}

/// The locations of an automaton with the edges between them.
struct LocationGraph;

impl TransitionSystem for LocationGraph {
    type State = u32;
    type Step<'s> = ();
    type Fault = Limit;
    type Scratch = Automaton;

    fn initial<'e>(&'e self, automaton: &'e mut Automaton, emit: Emit<'e, Self>) -> Result<(), Limit> {
        let _ = emit(&automaton.initial, ());
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        automaton: &'e mut Automaton,
        &id: &u32,
        emit: Emit<'e, Self>,
    ) -> Result<(), Limit> {
        let _ = (automaton.expand(id)?.edges.iter()).try_for_each(|edge| emit(&edge.target, ()));
        Ok(())
    }
}

struct Game<'a, W> {
    automaton: &'a Automaton,
    dim: usize,
    outputs: Outputs,
    index: &'a FxHashMap<u32, usize>,
    states: Vec<Federation<W>>,
}

impl<W: Word> Game<'_, W> {
    /// The states of a location that are good if those of its successors are.
    fn improve(&self, id: u32) -> Federation<W> {
        let location = self.automaton.location(id);
        let own = &self.states[self.index[&id]];
        if own.is_empty() {
            return Federation::new(self.dim);
        }
        let everything: Federation<W> = Set::everything().federation(self.dim);
        let mut bad = everything.clone();
        bad.subtract_federation(&location.invariant.federation(self.dim));
        let mut good = Federation::new(self.dim);
        let mut seen: Vec<&Edge> = Vec::new();
        for edge in &location.edges {
            // Loops on a thousand actions are one loop here.
            let same = |other: &&Edge| {
                other.is_output == edge.is_output
                    && other.target == edge.target
                    && other.updates == edge.updates
                    && other.allowed == edge.allowed
            };
            if seen.iter().any(same) {
                continue;
            }
            seen.push(edge);
            let wins = self.before(edge);
            if !edge.is_output || self.outputs == Outputs::All {
                let mut loses = edge.allowed.federation(self.dim);
                loses.subtract_federation(&wins);
                extend(&mut bad, &loses);
            }
            if edge.is_output {
                extend(&mut good, &wins);
            }
        }
        bad.reduce();
        // Time can pass forever where nothing bad lies ahead.
        let mut ahead = bad.clone();
        ahead.down();
        let mut endless = everything;
        endless.subtract_federation(&ahead);
        extend(&mut good, &endless);
        good.subtract_federation(&bad);
        good.reduce();
        let mut better = before_bad(&good, &bad);
        better.intersect_federation(own);
        better.reduce();
        better
    }

    /// The states from which an edge leads to a good state.
    fn before(&self, edge: &Edge) -> Federation<W> {
        let mut before = before_updates(&self.states[self.index[&edge.target]], &edge.updates);
        if !edge.allowed.is_everything() {
            before.intersect_federation(&edge.allowed.federation(self.dim));
        }
        before
    }
}

fn extend<W: Word>(federation: &mut Federation<W>, more: &Federation<W>) {
    for zone in more {
        federation.push(zone);
    }
}

/// The states from which updates lead into a federation.
pub(crate) fn before_updates<W: Word>(target: &Federation<W>, updates: &[(u16, i32)]) -> Federation<W> {
    let dim = target.dim();
    let mut before = Federation::new(dim);
    for zone in target {
        let mut zone = zone.to_vec();
        let fits = updates.iter().all(|&(clock, value)| {
            let x = usize::from(clock);
            dbm::constrain(&mut zone, dim, x, 0, Bound::le(W::from(value)))
                && dbm::constrain(&mut zone, dim, 0, x, Bound::le(W::from(-value)))
        });
        if fits && !dbm::is_empty(&zone) {
            for &(clock, _) in updates {
                dbm::free(&mut zone, dim, usize::from(clock));
            }
            before.push(&zone);
        }
    }
    before
}

/// The states from which waiting leads to `good` before it meets `bad` (Cassez, David, Fleury, Larsen and Lime, *Efficient on-the-fly
/// algorithms for the analysis of timed games*, CONCUR 2005, section 4). Requires: `good` and `bad` are disjoint.
pub(crate) fn before_bad<W: Word>(good: &Federation<W>, bad: &Federation<W>) -> Federation<W> {
    let dim = good.dim();
    let mut all = Federation::new(dim);
    for g in good {
        let mut reaches = Federation::from_zone(g, dim);
        reaches.down();
        for b in bad {
            let avoiding = before_one(g, b, dim);
            reaches.intersect_federation(&avoiding);
            reaches.reduce();
            if reaches.is_empty() {
                break;
            }
        }
        extend(&mut all, &reaches);
    }
    all.reduce();
    all
}

/// Part of two zones from where `b` does not lie ahead, or from before it.
fn before_one<W: Word>(g: &[Bound<W>], b: &[Bound<W>], dim: usize) -> Federation<W> {
    let mut below_b = b.to_vec();
    dbm::down(&mut below_b, dim);
    let mut all = Federation::from_zone(g, dim);
    all.down();
    all.subtract(&below_b);
    let mut early = Federation::from_zone(g, dim);
    early.intersect(&below_b);
    early.subtract(b);
    early.down();
    extend(&mut all, &early);
    all
}
