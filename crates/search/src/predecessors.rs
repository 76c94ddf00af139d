//! Every step of a search, backwards: distances to goals.

use crate::chunked::Chunked;
use crate::guide::{GeneratedState, Guide, Verdict};
use crate::store::{StateId, Stored};
use crate::system::TransitionSystem;

/// Keeps all steps between stored states, eight bytes each. As a [guide](Guide) of its own it keeps every state; other
/// guides tell it what they see.
///
/// A step to a state that was covered leads to the state that covers it. Whatever can be done from the former can be done
/// from the latter with no more steps, so that distances to goals become smaller at most: they are lower bounds.
/// By equality they are exact.
#[derive(Clone, Debug)]
pub struct Predecessors {
    /// Source and target.
    steps: Chunked<(u32, u32)>,
    states: u32,
    /// By number: the states all of whose steps are here.
    expanded: Vec<u64>,
}

impl Default for Predecessors {
    fn default() -> Self {
        Predecessors::new()
    }
}

impl Predecessors {
    /// No states and no steps.
    pub const fn new() -> Self {
        Predecessors {
            steps: Chunked::new(),
            states: 0,
            expanded: Vec::new(),
        }
    }

    /// Must be called with every call of [`Guide::on_stored`].
    pub fn add(&mut self, parent: Option<StateId>, at: Stored) {
        let target = match at {
            Stored::New(id) => {
                self.states = self.states.max(id.0 + 1);
                id
            }
            Stored::Covered(id) => id,
        };
        if let Some(parent) = parent {
            self.steps.push((parent.0, target.0));
        }
    }

    /// Must be called with every call of [`Guide::after_expand`], unless a successor was left out that may lead to a goal.
    pub fn close(&mut self, id: StateId) {
        let word = id.index() / 64;
        if word >= self.expanded.len() {
            self.expanded.resize(word + 1, 0);
        }
        self.expanded[word] |= 1 << (id.0 % 64);
    }

    /// The states some of whose steps are not here, because the search ended before, a later state retired them, or they
    /// were left out. How far it is from there to a goal is not known: taken as goals themselves they make all
    /// distances lower bounds. Stores that retire nothing give better ones.
    pub fn unexpanded(&self) -> impl Iterator<Item = StateId> + '_ {
        let is_expanded = |id: &u32| {
            let word = self.expanded.get(*id as usize / 64);
            word.is_some_and(|word| word >> (id % 64) & 1 == 1)
        };
        (0..self.states).filter(move |id| !is_expanded(id)).map(StateId)
    }

    /// Sorts the steps by their targets.
    pub fn index(self) -> Reversed {
        let mut first = vec![0; self.states as usize + 1];
        for step in 0..self.steps.len() {
            first[self.steps.get(step).1 as usize] += 1;
        }
        // Where each target's sources end; filling them in moves it to where they begin.
        let mut sum = 0;
        for end in &mut first {
            sum += *end;
            *end = sum;
        }
        let mut sources = vec![0; self.steps.len()];
        for step in (0..self.steps.len()).rev() {
            let (source, target) = *self.steps.get(step);
            let place = &mut first[target as usize];
            *place -= 1;
            sources[*place] = source;
        }
        Reversed { first, sources }
    }

    /// Memory held, with what [`index`](Self::index) and [`distances`](Reversed::distances) will need beside it: no limit
    /// watches over those.
    pub fn bytes(&self) -> usize {
        let later = size_of::<usize>() + size_of::<u32>() + size_of::<StateId>();
        self.steps.bytes()
            + self.expanded.capacity() * size_of::<u64>()
            + self.steps.len() * size_of::<u32>()
            + self.states as usize * later
    }
}

impl<T: TransitionSystem + ?Sized> Guide<T> for Predecessors {
    type Rank = ();
    const LOOKS_UP_FIRST: bool = false;

    fn rank(&mut self, _: &GeneratedState<'_, '_, T>) -> Verdict {
        Verdict::Keep(())
    }

    fn on_stored(&mut self, parent: Option<StateId>, at: Stored) {
        self.add(parent, at);
    }

    fn after_expand(&mut self, id: StateId) {
        self.close(id);
    }

    fn bytes(&self) -> usize {
        Predecessors::bytes(self)
    }
}

/// The steps of a search by their targets.
#[derive(Clone, Debug)]
pub struct Reversed {
    /// Where the sources of each target begin; one entry more than there are states.
    first: Vec<usize>,
    sources: Vec<u32>,
}

impl Reversed {
    /// The sources of the steps to a state, in the order in which these were made; a source with two steps comes twice.
    /// Requires: the state was stored.
    pub fn of(&self, id: StateId) -> impl Iterator<Item = StateId> + '_ {
        self.sources[self.first[id.index()]..self.first[id.index() + 1]]
            .iter()
            .copied()
            .map(StateId)
    }

    /// The number of steps from each state to the nearest of these goals, by breadth-first search backwards.
    pub fn distances(&self, goals: impl IntoIterator<Item = StateId>) -> Distances {
        let mut distances = vec![NEVER; self.first.len() - 1];
        let mut reached: Vec<StateId> = goals.into_iter().collect();
        for goal in &reached {
            distances[goal.index()] = 0;
        }
        let mut next = 0;
        while let Some(&id) = reached.get(next) {
            let further = distances[id.index()] + 1;
            for source in self.of(id) {
                if distances[source.index()] == NEVER {
                    distances[source.index()] = further;
                    reached.push(source);
                }
            }
            next += 1;
        }
        Distances(distances)
    }
}

const NEVER: u32 = u32::MAX;

/// The number of steps from each state to the nearest goal.
#[derive(Clone, Debug)]
pub struct Distances(Vec<u32>);

impl Distances {
    /// Distance from a state to the nearest goal; `None` if it reaches none. Requires: the state was stored.
    pub fn get(&self, id: StateId) -> Option<u32> {
        Some(self.0[id.index()]).filter(|distance| *distance != NEVER)
    }
}
