//! Ways to take part in a transition that many processes make together, one after the other: there may be more of them than a
//! machine can hold.

use std::ops::Range;
use zonewalk_network::ids::InstanceId;

/// The ways that are left, as a search through a tree: one process after the other decides which of its edges it takes.
#[derive(Clone, Debug)]
pub(crate) struct Ways<P> {
    edges: Vec<InstanceId>,
    /// Those of each process, in `edges`.
    processes: Vec<Range<usize>>,
    /// Nodes to be looked at, the next one last.
    waiting: Vec<Node<P>>,
}

#[derive(Clone, Debug)]
struct Node<P> {
    parts: Vec<InstanceId>,
    /// Processes that have decided.
    decided: usize,
    /// Where that is possible, if it depends on the clocks.
    region: Option<P>,
}

impl<P> Default for Ways<P> {
    fn default() -> Ways<P> {
        Ways {
            edges: Vec::new(),
            processes: Vec::new(),
            waiting: Vec::new(),
        }
    }
}

impl<P> Ways<P> {
    /// Leaves no ways.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Whether none are left.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Goes on with what an edge begins: with the edges of the others by process. Requires: no ways are left.
    pub(crate) fn begin<'g>(
        &mut self,
        first: InstanceId,
        region: Option<P>,
        groups: impl Iterator<Item = &'g [InstanceId]>,
    ) {
        self.edges.clear();
        self.processes.clear();
        for group in groups {
            let start = self.edges.len();
            self.edges.extend_from_slice(group);
            self.processes.push(start..self.edges.len());
        }
        let mut parts = Vec::with_capacity(self.processes.len() + 1);
        parts.push(first);
        self.waiting.push(Node {
            parts,
            decided: 0,
            region,
        });
    }

    /// The next way: its edges, and where it is possible if that depends on the clocks.
    ///
    /// `decide` is asked about the edges of a process in a region. It adds those that the process may take, each with its part of the region,
    /// and the parts in which the process takes none.
    pub(crate) fn next(
        &mut self,
        mut decide: impl FnMut(&[InstanceId], Option<&P>, &mut Vec<(InstanceId, Option<P>)>, &mut Vec<Option<P>>),
    ) -> Option<(Vec<InstanceId>, Option<P>)> {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let mut node = self.waiting.pop()?;
        loop {
            let Some(process) = self.processes.get(node.decided) else {
                return Some((node.parts, node.region));
            };
            decide(
                &self.edges[process.clone()],
                node.region.as_ref(),
                &mut with,
                &mut without,
            );
            node.decided += 1;
            let taking_part = with.drain(..).map(|(edge, region)| (Some(edge), region));
            let mut choices = taking_part.chain(without.drain(..).map(|region| (None, region)));
            let Some((edge, region)) = choices.next() else {
                node = self.waiting.pop()?;
                continue;
            };
            // The last one of those that wait is looked at first.
            for (edge, region) in choices.rev() {
                let mut parts = Vec::with_capacity(self.processes.len() + 1);
                parts.extend_from_slice(&node.parts);
                parts.extend(edge);
                self.waiting.push(Node {
                    parts,
                    decided: node.decided,
                    region,
                });
            }
            node.parts.extend(edge);
            node.region = region;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ways in which processes take part that each have some edges, by their numbers.
    fn ways(first: u32, groups: &[&[u32]]) -> Ways<()> {
        let groups: Vec<Vec<InstanceId>> = groups
            .iter()
            .map(|group| group.iter().copied().map(InstanceId).collect())
            .collect();
        let mut ways = Ways::default();
        ways.begin(InstanceId(first), None, groups.iter().map(Vec::as_slice));
        ways
    }

    fn next(ways: &mut Ways<()>) -> Option<Vec<u32>> {
        let all = |group: &[InstanceId], _: Option<&()>, with: &mut Vec<_>, _: &mut Vec<_>| {
            with.extend(group.iter().map(|&edge| (edge, None)));
        };
        let (parts, _) = ways.next(all)?;
        Some(parts.iter().map(|part| part.0).collect())
    }

    #[test]
    fn the_last_process_changes_fastest() {
        let mut ways = ways(0, &[&[1, 2], &[3, 4]]);
        let all: Vec<_> = std::iter::from_fn(|| next(&mut ways)).collect();
        assert_eq!(all, [[0, 1, 3], [0, 1, 4], [0, 2, 3], [0, 2, 4]]);
    }

    #[test]
    fn few_of_a_great_many_are_held() {
        let pairs: Vec<[u32; 2]> = (0..41).map(|i| [2 * i + 1, 2 * i + 2]).collect();
        let groups: Vec<&[u32]> = pairs.iter().map(<[u32; 2]>::as_slice).collect();
        let mut ways = ways(0, &groups);
        for _ in 0..10_000 {
            assert_eq!(next(&mut ways).map(|parts| parts.len()), Some(42));
            assert!(ways.waiting.len() <= 82, "{}", ways.waiting.len());
        }
    }
}
