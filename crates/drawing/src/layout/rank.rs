//! Ranks: how far down each node is.

/// The rank of each node, 0 at the top, so that every edge that is not a loop joins different ranks. Edges that close a cycle, seen
/// from the initial node, go up; every other edge goes down (longest path).
pub(super) fn ranks(count: usize, edges: &[(usize, usize)], initial: Option<usize>) -> Vec<usize> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(source, target) in edges {
        if source != target {
            outgoing[source].push(target);
        }
    }
    // A depth-first search gives the cycles, and its postorder the order from below.
    let mut color = vec![Color::New; count];
    let mut down: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut postorder = Vec::with_capacity(count);
    for root in initial.into_iter().chain(0..count) {
        if color[root] != Color::New {
            continue;
        }
        color[root] = Color::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&target) = outgoing[node].get(*next) else {
                color[node] = Color::Done;
                postorder.push(node);
                stack.pop();
                continue;
            };
            *next += 1;
            match color[target] {
                // It closes a cycle: upside down.
                Color::Open => down[target].push(node),
                Color::Done => down[node].push(target),
                Color::New => {
                    down[node].push(target);
                    color[target] = Color::Open;
                    stack.push((target, 0));
                }
            }
        }
    }
    let mut ranks = vec![0; count];
    for &node in postorder.iter().rev() {
        for &target in &down[node] {
            ranks[target] = ranks[target].max(ranks[node] + 1);
        }
    }
    ranks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    New,
    Open,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_down_but_for_those_that_close_a_cycle() {
        // 1 → 0 → 2 → 1, 0 → 3, 3 → 2, begun at 1.
        let edges = [(1, 0), (0, 2), (2, 1), (0, 3), (3, 2), (2, 2)];
        assert_eq!(ranks(5, &edges, Some(1)), [1, 0, 3, 2, 0]);
    }

    #[test]
    fn ends_of_edges_are_on_different_ranks() {
        let edges: Vec<(usize, usize)> = (0..200).map(|i| (i * 7 % 50, i * 13 % 50)).collect();
        let ranks = ranks(50, &edges, None);
        for &(source, target) in edges.iter().filter(|(source, target)| source != target) {
            assert_ne!(ranks[source], ranks[target], "{source} → {target}");
        }
    }
}
