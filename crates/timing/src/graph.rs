//! Differences of instants as a graph, without those that others imply.
//!
//! `left − right ≤ bound` says that `right` is at least `left − bound`: an edge from `left` to `right`. A lower limit of a
//! delay leads forwards in time, an upper limit backwards. That instants are in order is in every graph without an edge of
//! its own.

use crate::instants::Difference;

/// No edge.
const NONE: u32 = u32::MAX;

/// Collects differences in the order of the instants at which they hold, and drops what is implied: there are few real
/// limits for each instant at which a clock was set, but an invariant repeats them in every stage.
pub(crate) struct Collector {
    edges: Vec<Candidate>,
    /// For each instant, the limits of what may come after it: a stack, the latest and widest on top.
    latest: Vec<u32>,
    /// For each instant, the last and largest lower limit.
    earliest: Vec<u32>,
    last: u32,
}

#[derive(Clone, Copy)]
struct Candidate {
    difference: Difference,
    /// The next in the stack.
    below: u32,
    is_needed: bool,
}

/// Tighter is smaller.
fn width(difference: &Difference) -> (i64, bool) {
    (difference.bound, !difference.strict)
}

impl Collector {
    pub(crate) fn new(instants: usize) -> Self {
        Collector {
            edges: Vec::new(),
            latest: vec![NONE; instants],
            earliest: vec![NONE; instants],
            last: (instants - 1) as u32,
        }
    }

    /// Takes a condition that is evaluated when the later of its instants is the present, or later.
    pub(crate) fn push(&mut self, difference: Difference) {
        let Difference { left, right, .. } = difference;
        if left > right {
            self.push_upper(difference);
        } else if left < right {
            self.push_lower(difference);
        }
    }

    /// A limit at a later instant that is not wider implies the earlier one.
    fn push_upper(&mut self, new: Difference) {
        let mut top = self.latest[new.right as usize];
        while top != NONE {
            let known = &mut self.edges[top as usize];
            if known.difference.left <= new.left && width(&known.difference) >= width(&new) {
                known.is_needed = false;
                top = known.below;
            } else if known.difference.left >= new.left && width(&known.difference) <= width(&new) {
                self.latest[new.right as usize] = top;
                return;
            } else {
                break;
            }
        }
        self.latest[new.right as usize] = self.add(new, top);
    }

    /// A limit at an earlier instant that is not smaller implies the later one.
    fn push_lower(&mut self, new: Difference) {
        let last = self.earliest[new.left as usize];
        if last != NONE {
            let known = &mut self.edges[last as usize];
            if known.difference.right <= new.right && width(&known.difference) <= width(&new) {
                return;
            }
            if known.difference.right >= new.right && width(&known.difference) >= width(&new) {
                known.is_needed = false;
            }
        }
        self.earliest[new.left as usize] = self.add(new, NONE);
    }

    fn add(&mut self, difference: Difference, below: u32) -> u32 {
        self.edges.push(Candidate {
            difference,
            below,
            is_needed: true,
        });
        (self.edges.len() - 1) as u32
    }

    /// The graph; with a limit of the whole time, if there is one.
    pub(crate) fn graph(&self, total: Option<(i64, bool)>) -> Graph {
        let total = total.map(|(bound, strict)| Difference {
            left: self.last,
            right: 0,
            bound,
            strict,
        });
        let all: Vec<Difference> = self.needed().chain(total).collect();
        Graph::new(self.last as usize + 1, &all)
    }

    /// Differences that no other ones imply.
    pub(crate) fn needed(&self) -> impl Iterator<Item = Difference> {
        self.edges.iter().filter(|e| e.is_needed).map(|e| e.difference)
    }
}

/// An edge: `target` is at least its source and `length`, and a bit more where it is strict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecedenceEdge {
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) length: i64,
    pub(crate) strict: bool,
}

/// Instants and edges, those of one source together, the ones that lead forwards first.
pub(crate) struct Graph {
    pub(crate) edges: Vec<PrecedenceEdge>,
    /// For each instant, where its edges begin, and where those that lead backwards do; and the end of all.
    starts: Vec<(u32, u32)>,
}

impl Graph {
    /// Requires: the numbers are below `instants`, and no difference is of an instant with itself.
    pub(crate) fn new(instants: usize, differences: &[Difference]) -> Self {
        let mut edges: Vec<PrecedenceEdge> = differences
            .iter()
            .map(|d| PrecedenceEdge {
                source: d.left,
                target: d.right,
                length: -d.bound,
                strict: d.strict,
            })
            .collect();
        edges.sort_unstable_by_key(|e| (e.source, e.target < e.source, e.target, e.length, e.strict));
        let mut starts = Vec::with_capacity(instants + 1);
        let mut next = 0;
        for instant in 0..=instants as u32 {
            let begin = next;
            while edges
                .get(next)
                .is_some_and(|e| e.source == instant && e.target > instant)
            {
                next += 1;
            }
            starts.push((begin as u32, next as u32));
            while edges.get(next).is_some_and(|e| e.source == instant) {
                next += 1;
            }
        }
        Graph { edges, starts }
    }

    /// How many instants there are.
    pub(crate) fn instants(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of the edges that lead forwards from an instant.
    pub(crate) fn forwards(&self, instant: u32) -> std::ops::Range<u32> {
        let (begin, end) = self.starts[instant as usize];
        begin..end
    }

    /// The numbers of the edges that lead backwards from an instant.
    pub(crate) fn backwards(&self, instant: u32) -> std::ops::Range<u32> {
        self.starts[instant as usize].1..self.starts[instant as usize + 1].0
    }
}
