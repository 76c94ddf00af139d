//! Context-enhanced search.

use super::interference::Interference;
use super::last::Last;
use super::{QueueRule, Reached};
use crate::estimate::Heuristic;
use crate::goal::{GoalFormula, Part, PartId};
use zonewalk_network::Network;
use zonewalk_search::{StateId, Stored};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// States come first whose last two transitions interfere, or nearly do (Wehrle, Kupferschmid: Context-enhanced directed model
/// checking, SPIN 2010, as in MCTA-2012): a queue for each distance between the two. First of all come those whose last
/// transition has made a part of the goal true.
pub struct Context<'n> {
    network: &'n Network,
    /// Goal of the search; `None` if there is none.
    goal: Option<GoalFormula>,
    interference: Interference,
    last: Last,
    source: Option<StateId>,
    /// The discrete part of the source.
    before: Vec<i32>,
    /// Memory on which conditions are evaluated.
    memory: Vec<i32>,
    /// By cell: the conjuncts of the goal that read it.
    conjuncts: Vec<Vec<PartId>>,
}

impl<'n> Context<'n> {
    /// Toward a goal, if there is one.
    pub fn new(network: &'n Network, goal: Option<&GoalFormula>) -> Context<'n> {
        let mut conjuncts = vec![Vec::new(); network.layout.meta as usize];
        for (goal, &id) in goal
            .iter()
            .flat_map(|g| g.conjuncts().iter().map(move |id| (g, id)))
        {
            let mut cells = Vec::new();
            cells_of(goal, id, &mut cells);
            cells.sort_unstable();
            cells.dedup();
            for cell in cells {
                if let Some(list) = conjuncts.get_mut(cell as usize) {
                    list.push(id);
                }
            }
        }
        Context {
            network,
            goal: goal.cloned(),
            interference: Interference::new(network),
            last: Last::default(),
            source: None,
            before: Vec::new(),
            memory: network.memory(),
            conjuncts,
        }
    }

    /// Whether a conjunct of the goal is true and was false before. Only what has changed is examined.
    fn is_progress(&mut self, after: &[i32]) -> bool {
        let Some(goal) = &self.goal else {
            return false;
        };
        let changed = (0..)
            .zip(self.before.iter().zip(after))
            .filter(|(_, (a, b))| a != b);
        let cells: Vec<usize> = changed.map(|(cell, _): (usize, _)| cell).collect();
        let mut conjuncts = cells.iter().flat_map(|&cell| &self.conjuncts[cell]);
        conjuncts.any(|&id| {
            let mut holds = |discrete: &[i32]| {
                self.memory[..discrete.len()].copy_from_slice(discrete);
                holds(self.network, goal, id, &mut self.memory)
            };
            holds(after) && !holds(&self.before)
        })
    }
}

/// The cells that a part of a goal reads, locations included.
fn cells_of(goal: &GoalFormula, id: PartId, into: &mut Vec<u32>) {
    match goal.part(id) {
        Part::Constant(_) => {}
        Part::And(list) | Part::Or(list) => list.iter().for_each(|&child| cells_of(goal, child, into)),
        Part::At(at) => into.push(at.process.0),
        Part::Data { reads, .. } => into.extend(reads),
    }
}

/// Whether a part of a goal holds. A condition that fails does not.
fn holds(network: &Network, goal: &GoalFormula, id: PartId, memory: &mut [i32]) -> bool {
    match goal.part(id) {
        Part::Constant(truth) => *truth,
        Part::And(list) => list.iter().all(|&child| holds(network, goal, child, memory)),
        Part::Or(list) => list.iter().any(|&child| holds(network, goal, child, memory)),
        Part::At(at) => at.contains(memory[at.process.index()]),
        Part::Data { condition, is, .. } => {
            let context = network.global_context();
            condition
                .holds(&network.program, &context, memory)
                .is_ok_and(|truth| truth == *is)
        }
    }
}

impl<W: Word> QueueRule<W> for Context<'_> {
    fn queue(&mut self, reached: &Reached<'_, W>, _: &mut dyn Heuristic<W>) -> u32 {
        self.last.reach(reached.parts);
        let Some(source) = self.source else {
            return 0;
        };
        if self.is_progress(&reached.state.discrete) {
            return 0;
        }
        let (_, before) = self.last.to(source);
        if before.is_empty() {
            return 1;
        }
        self.interference.distance(before, reached.parts).into()
    }

    fn on_stored(&mut self, at: Stored) {
        self.last.on_stored(at);
    }

    fn before_expand(&mut self, id: StateId, state: &ZoneState<W>) {
        self.source = Some(id);
        self.before.clone_from(&state.discrete);
    }

    fn bytes(&self) -> usize {
        self.last.bytes() + self.interference.bytes()
    }
}
