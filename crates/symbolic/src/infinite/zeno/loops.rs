//! Loops of a graph that need not spend time.

use zonewalk_network::ids::{ClockId, LocationId};

/// An edge of a process.
#[derive(Clone, Debug)]
pub(super) struct ProcessEdge {
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    /// Whether it happens on its own or by sending.
    pub(super) is_initiator: bool,
    /// Clocks that it sets to 0.
    pub(super) resets: Vec<ClockId>,
    /// Clocks that are at least 1 when it happens.
    pub(super) bounds: Vec<ClockId>,
}

/// Number of strongly connected graphs that are examined before the answer is taken to be yes.
const PATIENCE: usize = 10_000;

/// Whether there may be a loop with an initiating edge on which no clock is both set to 0 and bounded.
///
/// A loop that spends no time lies in a strongly connected graph; for every clock it does without all its resets or without
/// all its bounds. So where a clock has both, one and the other are taken out and what is left is examined again.
pub(super) fn has_idle_loop(edges: &[ProcessEdge], locations: usize) -> bool {
    let mut waiting: Vec<Vec<u32>> = vec![(0..edges.len() as u32).collect()];
    let mut patience = PATIENCE;
    while let Some(subset) = waiting.pop() {
        let component = components(edges, &subset, locations);
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); locations];
        for &number in &subset {
            let edge = &edges[number as usize];
            let (source, target) = (component[edge.source.index()], component[edge.target.index()]);
            if source == target {
                groups[source as usize].push(number);
            }
        }
        for group in groups {
            let all = || group.iter().map(|&number| &edges[number as usize]);
            if !all().any(|edge| edge.is_initiator) {
                continue;
            }
            let is_bounded = |clock: &&ClockId| all().any(|edge| edge.bounds.contains(clock));
            let Some(&clock) = all().flat_map(|edge| &edge.resets).find(is_bounded) else {
                return true;
            };
            patience = patience.saturating_sub(1);
            if patience == 0 {
                return true;
            }
            let without = |list: fn(&ProcessEdge) -> &Vec<ClockId>| -> Vec<u32> {
                let keeps = |number: &&u32| !list(&edges[**number as usize]).contains(&clock);
                group.iter().filter(keeps).copied().collect()
            };
            waiting.push(without(|edge| &edge.resets));
            waiting.push(without(|edge| &edge.bounds));
        }
    }
    false
}

/// By location, the number of its strongly connected component (Tarjan, with a stack of its own).
fn components(edges: &[ProcessEdge], subset: &[u32], locations: usize) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut outgoing: Vec<Vec<LocationId>> = vec![Vec::new(); locations];
    for &number in subset {
        let edge = &edges[number as usize];
        outgoing[edge.source.index()].push(edge.target);
    }
    let mut order = vec![NEW; locations];
    let mut lowest = vec![NEW; locations];
    let mut component = vec![NEW; locations];
    let (mut count, mut found) = (0, 0);
    let mut open: Vec<LocationId> = Vec::new();
    for root in (0..locations as u32).map(LocationId) {
        if order[root.index()] != NEW {
            continue;
        }
        let mut calls: Vec<(LocationId, usize)> = vec![(root, 0)];
        while let Some((location, next)) = calls.pop() {
            let at = location.index();
            if next == 0 {
                (order[at], lowest[at]) = (count, count);
                count += 1;
                open.push(location);
            }
            if let Some(&target) = outgoing[at].get(next) {
                calls.push((location, next + 1));
                if order[target.index()] == NEW {
                    calls.push((target, 0));
                } else if component[target.index()] == NEW {
                    lowest[at] = lowest[at].min(order[target.index()]);
                }
                continue;
            }
            if lowest[at] == order[at] {
                while let Some(member) = open.pop() {
                    component[member.index()] = found;
                    if member == location {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                lowest[parent.index()] = lowest[parent.index()].min(lowest[at]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(source: u32, target: u32, resets: &[u32], bounds: &[u32]) -> ProcessEdge {
        ProcessEdge {
            source: LocationId(source),
            target: LocationId(target),
            is_initiator: true,
            resets: resets.iter().copied().map(ClockId).collect(),
            bounds: bounds.iter().copied().map(ClockId).collect(),
        }
    }

    #[test]
    fn a_loop_inside_a_loop_counts_by_itself() {
        let outer = [edge(0, 1, &[0], &[]), edge(1, 0, &[], &[0])];
        assert!(!has_idle_loop(&outer, 2));
        let mut both = outer.to_vec();
        both.push(edge(1, 1, &[0], &[]));
        assert!(has_idle_loop(&both, 2));
        both[2].bounds.push(ClockId(0));
        assert!(!has_idle_loop(&both, 2));
        both[2] = ProcessEdge {
            is_initiator: false,
            ..edge(1, 1, &[], &[])
        };
        assert!(!has_idle_loop(&both, 2));
    }

    #[test]
    fn two_clocks_may_share_the_work() {
        // Either branch of the loop spends time with its own clock, and mixed ones with one of them.
        let edges = [
            edge(0, 1, &[0], &[]),
            edge(0, 1, &[1], &[]),
            edge(1, 0, &[], &[0, 1]),
        ];
        assert!(!has_idle_loop(&edges, 2));
        let apart = [
            edge(0, 1, &[0], &[]),
            edge(0, 1, &[1], &[]),
            edge(1, 0, &[], &[0]),
            edge(1, 0, &[], &[1]),
        ];
        assert!(has_idle_loop(&apart, 2));
    }

    #[test]
    fn what_is_no_loop_does_not_count() {
        let edges = [edge(0, 1, &[], &[]), edge(1, 2, &[], &[]), edge(0, 2, &[], &[])];
        assert!(!has_idle_loop(&edges, 3));
        assert!(!has_idle_loop(&[], 1));
    }

    #[test]
    fn components_of_a_graph_with_a_tail() {
        let edges = [
            edge(0, 1, &[], &[]),
            edge(1, 2, &[], &[]),
            edge(2, 1, &[], &[]),
            edge(2, 3, &[], &[]),
            edge(3, 3, &[], &[]),
        ];
        let found = components(&edges, &[0, 1, 2, 3, 4], 4);
        assert_eq!(found[1], found[2]);
        assert!(found[0] != found[1] && found[3] != found[1] && found[0] != found[3]);
    }
}
