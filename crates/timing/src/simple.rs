//! Times that are easy to read: whole numbers, or the coarsest parts of a unit that will do.

use crate::graph::Graph;
use crate::least::{NoLabels, least};
use crate::solution::Unsolved;

/// How many instants may move along when one of them is made a whole number.
const MOST_MOVED: usize = 1_000;

/// The least instants in the coarsest parts of a unit in which there is a solution, and how many parts are one unit.
///
/// In parts of `1/D` a strict limit is one part tighter than one that is not. A circle of the graph with the sum `C` of its
/// limits and `s` strict ones is not a contradiction in them when `C ≥ s/D`: so a solution in parts of `1/D` stays one in
/// finer parts, and a circle that contradicts `D` asks for at least `s/C` parts. Going there and trying again ends with the
/// smallest possible `D`; and because a circle passes each instant once, `D` never exceeds their number.
pub(crate) fn coarsest(graph: &Graph, work: &mut u64) -> Result<(i64, Vec<i64>), Unsolved> {
    let mut scale = 1;
    loop {
        match least(graph, scale, work) {
            Ok(labels) => return Ok((scale, labels)),
            Err(NoLabels::Circle { slack, strict }) if slack > 0 => {
                // Larger than before, because the circle is too long: `strict > slack · scale`.
                scale = strict / slack + i64::from(strict % slack != 0);
            }
            Err(stuck) => return Err(stuck.into()),
        }
    }
}

impl From<NoLabels> for Unsolved {
    fn from(stuck: NoLabels) -> Self {
        match stuck {
            NoLabels::Circle { .. } => Unsolved::Infeasible,
            NoLabels::Spent => Unsolved::Spent,
            NoLabels::TooLarge => Unsolved::TooLarge,
        }
    }
}

/// Raises instants to whole numbers, one after the other, together with what that pushes, where the conditions allow it and
/// more whole numbers result. Requires and ensures: the labels are a solution.
pub(crate) fn round_up(graph: &Graph, scale: i64, labels: &mut [i64], work: &mut u64) {
    if scale == 1 {
        return;
    }
    let mut push = Push {
        graph,
        scale,
        moved: Vec::new(),
    };
    for instant in 1..labels.len() as u32 {
        let part = labels[instant as usize].rem_euclid(scale);
        if part == 0 {
            continue;
        }
        let whole = labels[instant as usize] - part + scale;
        let is_good = push.raise(instant, whole, labels, work) && push.gains(labels);
        if !is_good {
            push.undo(labels);
        }
        if *work == 0 {
            return;
        }
    }
}

struct Push<'g> {
    graph: &'g Graph,
    scale: i64,
    /// Instants that have moved, with their former places.
    moved: Vec<(u32, i64)>,
}

impl Push<'_> {
    /// Whether an instant can be later, and what it pushes along.
    fn raise(&mut self, first: u32, label: i64, labels: &mut [i64], work: &mut u64) -> bool {
        self.moved.clear();
        let mut next = 0;
        self.set(first, label, labels);
        while let Some(&(instant, _)) = self.moved.get(next) {
            next += 1;
            let label = labels[instant as usize];
            let edges = self.graph.forwards(instant).chain(self.graph.backwards(instant));
            for edge in edges {
                *work = work.saturating_sub(1);
                let edge = &self.graph.edges[edge as usize];
                let at_least = label + edge.length * self.scale + i64::from(edge.strict);
                if at_least > labels[edge.target as usize] {
                    // Pushing itself or the beginning means that there is no room.
                    if edge.target == 0 || edge.target == first {
                        return false;
                    }
                    self.set(edge.target, at_least, labels);
                }
            }
            if let Some(after) = labels.get(instant as usize + 1)
                && *after < label
            {
                if instant + 1 == first {
                    return false;
                }
                self.set(instant + 1, label, labels);
            }
            if self.moved.len() > MOST_MOVED || *work == 0 {
                return false;
            }
        }
        true
    }

    fn set(&mut self, instant: u32, label: i64, labels: &mut [i64]) {
        let old = std::mem::replace(&mut labels[instant as usize], label);
        self.moved.push((instant, old));
    }

    fn undo(&mut self, labels: &mut [i64]) {
        for (instant, old) in self.moved.drain(..).rev() {
            labels[instant as usize] = old;
        }
    }

    /// Whether there are more whole numbers among what has moved than before.
    fn gains(&self, labels: &[i64]) -> bool {
        let is_whole = |label: i64| label.rem_euclid(self.scale) == 0;
        // Each step of an instant counts; those in between cancel.
        let mut gain = 0i64;
        let mut at: std::collections::BTreeMap<u32, i64> = std::collections::BTreeMap::new();
        for &(instant, old) in &self.moved {
            at.entry(instant).or_insert(old);
        }
        for (instant, old) in at {
            gain += i64::from(is_whole(labels[instant as usize])) - i64::from(is_whole(old));
        }
        gain > 0
    }
}
