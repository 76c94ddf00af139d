//! Distances in the graphs of single processes: `dL` and `dU`.
//!
//! Edelkamp, Leue, Lluch-Lafuente: Directed explicit-state model checking in the validation of communication protocols, STTT
//! 5(2), 2004; MCTA takes the largest (`dL`) or the sum (`dU`) over the processes that the goal names, and ignores integers and
//! clocks.

use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use crate::goal::{GoalFormula, Locations, Part, PartId};
use rustc_hash::FxHashMap;
use zonewalk_network::Network;
use zonewalk_network::constraint::Condition;
use zonewalk_network::ids::LocationId;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// By location: how many edges it takes to a set of locations.
///
/// Distances beyond what fits are a little too small, which does no harm: estimates stay lower bounds.
#[derive(Clone, Debug)]
pub(crate) struct Table(Vec<u16>);

const NEVER: u16 = u16::MAX;

impl Table {
    /// Breadth-first search backwards from the members of a set.
    pub(crate) fn new(members: &[bool], edges: impl Iterator<Item = (LocationId, LocationId)>) -> Table {
        let count = members.len();
        let edges: Vec<(u32, u32)> = edges.map(|(s, t)| (s.0, t.0)).collect();
        // Sources by target.
        let mut starts = vec![0u32; count + 1];
        for &(_, target) in &edges {
            starts[target as usize + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut sources = vec![0u32; edges.len()];
        for &(source, target) in &edges {
            sources[next[target as usize] as usize] = source;
            next[target as usize] += 1;
        }
        let mut distance = vec![NEVER; count];
        let mut reached: Vec<u32> = Vec::with_capacity(count);
        for (location, _) in (0..).zip(members).filter(|(_, is)| **is) {
            distance[location as usize] = 0;
            reached.push(location);
        }
        let mut at = 0;
        while let Some(&location) = reached.get(at) {
            at += 1;
            let further = (distance[location as usize] + 1).min(NEVER - 1);
            for &source in
                &sources[starts[location as usize] as usize..starts[location as usize + 1] as usize]
            {
                if distance[source as usize] == NEVER {
                    distance[source as usize] = further;
                    reached.push(source);
                }
            }
        }
        Table(distance)
    }

    /// Distance from a location, given as stored in memory.
    #[inline]
    pub(crate) fn get(&self, location: i32) -> Estimate {
        match self.0.get(location as usize) {
            Some(&NEVER) | None => Estimate::INFINITE,
            Some(&distance) => Estimate::finite(u32::from(distance)),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * size_of::<u16>()
    }
}

/// How the distances of the parts of a conjunction are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// The largest, which gives `dL`: a transition moves a process by one edge at most, so it is never too large.
    Largest,
    /// The sum, which gives `dU`: too large where one transition moves several processes.
    Sum,
}

/// `dL` and `dU`: each process on its own, over all its edges, whatever their labels say. Conditions on data count nothing,
/// and of a disjunction the nearest part counts.
#[derive(Clone, Debug)]
pub struct LocalDistance {
    goal: GoalFormula,
    combine: Combine,
    /// By part of the goal: its table.
    tables: Vec<Option<u32>>,
    distances: Vec<Table>,
    bytes: usize,
    evaluations: u64,
}

impl LocalDistance {
    /// The distances to a goal.
    pub fn new(network: &Network, goal: &GoalFormula, combine: Combine) -> LocalDistance {
        let mut known: FxHashMap<(u32, &[bool]), u32> = FxHashMap::default();
        let mut distances = Vec::new();
        let mut table = |at: &'_ Locations| -> Option<u32> {
            let variant = network.processes.get(at.process.index())?.variant;
            // Thousands of processes of one template that are wanted in the same place share a table.
            let edges = &network.variants[variant as usize].edges;
            distances.push(Table::new(
                &at.members,
                edges.iter().map(|e| (e.source, e.target)),
            ));
            Some(distances.len() as u32 - 1)
        };
        let tables = goal
            .parts()
            .iter()
            .map(|part| match part {
                Part::At(at) => {
                    let variant = network.processes.get(at.process.index())?.variant;
                    match known.get(&(variant, at.members.as_slice())) {
                        Some(&number) => Some(number),
                        None => {
                            let number = table(at)?;
                            known.insert((variant, &at.members), number);
                            Some(number)
                        }
                    }
                }
                _ => None,
            })
            .collect::<Vec<_>>();
        let bytes =
            distances.iter().map(Table::bytes).sum::<usize>() + tables.len() * size_of::<Option<u32>>();
        LocalDistance {
            goal: goal.clone(),
            combine,
            tables,
            distances,
            bytes,
            evaluations: 0,
        }
    }

    /// `dL`.
    pub fn lower(network: &Network, goal: &GoalFormula) -> LocalDistance {
        LocalDistance::new(network, goal, Combine::Largest)
    }

    /// `dU`.
    pub fn upper(network: &Network, goal: &GoalFormula) -> LocalDistance {
        LocalDistance::new(network, goal, Combine::Sum)
    }

    /// The estimate, with what each condition on data and what it should be counts.
    pub(crate) fn with_data(
        &self,
        discrete: &[i32],
        data: &mut impl FnMut(&Condition, bool) -> Estimate,
    ) -> Estimate {
        self.part(self.goal.root(), discrete, data)
    }

    fn part(
        &self,
        id: PartId,
        discrete: &[i32],
        data: &mut impl FnMut(&Condition, bool) -> Estimate,
    ) -> Estimate {
        match self.goal.part(id) {
            Part::Constant(true) => Estimate::ZERO,
            Part::Constant(false) => Estimate::INFINITE,
            Part::Data { condition, is, .. } => data(condition, *is),
            Part::At(at) => match (self.tables[id.index()], discrete.get(at.process.index())) {
                (Some(table), Some(&location)) => self.distances[table as usize].get(location),
                _ => Estimate::ZERO,
            },
            Part::And(list) => {
                let parts = list.iter().map(|&child| self.part(child, discrete, data));
                match self.combine {
                    Combine::Largest => parts.max().unwrap_or(Estimate::ZERO),
                    Combine::Sum => parts.fold(Estimate::ZERO, Estimate::plus),
                }
            }
            Part::Or(list) => {
                let parts = list.iter().map(|&child| self.part(child, discrete, data));
                parts.min().unwrap_or(Estimate::INFINITE)
            }
        }
    }
}

impl Estimator for LocalDistance {
    fn is_admissible(&self) -> bool {
        self.combine == Combine::Largest
    }

    fn name(&self) -> &'static str {
        match self.combine {
            Combine::Largest => "dL",
            Combine::Sum => "dU",
        }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn counters(&self) -> Counters {
        Counters {
            evaluations: self.evaluations,
            ..Counters::default()
        }
    }
}

impl<W: Word> Heuristic<W> for LocalDistance {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        self.evaluations += 1;
        self.with_data(&state.discrete, &mut |_, _| Estimate::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_backwards() {
        // 0 -> 1 -> 2 -> 3, 1 -> 3, 4 apart.
        let edges = [(0, 1), (1, 2), (2, 3), (1, 3)];
        let edges = edges.into_iter().map(|(s, t)| (LocationId(s), LocationId(t)));
        let table = Table::new(&[false, false, false, true, false], edges);
        let all: Vec<_> = (0..6).map(|l| table.get(l).number()).collect();
        assert_eq!(all, [Some(2), Some(1), Some(1), Some(0), None, None]);
    }
}
