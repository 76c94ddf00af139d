//! The least solution: the longest path to each instant from the beginning.
//!
//! Labels only rise, in sweeps that follow the edges that lead forwards and then those that lead backwards (Yen's order of
//! Bellman and Ford): the longest path changes its direction a few times, however long it is, and each change costs one
//! sweep over what has risen. A circle of positive length means that there is no solution; it shows as a circle of the
//! edges that raised the labels last.

use crate::graph::Graph;

/// That instants are in order: the edge to each from the one before it.
const ORDER: u32 = u32::MAX;

/// Labels beyond this are refused, so that a sum with one edge cannot overflow.
const LARGEST: i64 = i64::MAX / 4;

/// Why there are no labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoLabels {
    /// A circle that is too long by `strict` steps of the scale, and `slack` units too short.
    Circle { slack: i64, strict: i64 },
    /// The work is used up.
    Spent,
    /// A number is too large.
    TooLarge,
}

/// The least instants, in parts of a unit: `scale` of them are one unit. A strict edge is one part longer.
///
/// With a scale beyond the number of instants this is the limit for ever finer parts: a path has at most as many strict
/// edges as there are instants, so that a quotient by the scale is the time and the remainder counts strict edges.
pub(crate) fn least(graph: &Graph, scale: i64, work: &mut u64) -> Result<Vec<i64>, NoLabels> {
    let longest = graph.edges.iter().map(|e| e.length.unsigned_abs()).max();
    let fits = |length: u64| {
        i64::try_from(length)
            .ok()
            .and_then(|l| l.checked_mul(scale))
            .is_some_and(|l| l < LARGEST)
    };
    if !longest.is_none_or(fits) {
        return Err(NoLabels::TooLarge);
    }
    let instants = graph.instants();
    let mut sweeps = Sweeps {
        graph,
        scale,
        labels: vec![0; instants],
        raised_by: vec![ORDER; instants],
        forwards: Marks::all(instants),
        backwards: Marks::all(instants),
        raised: 0,
    };
    sweeps.run(work)?;
    Ok(sweeps.labels)
}

struct Sweeps<'g> {
    graph: &'g Graph,
    scale: i64,
    labels: Vec<i64>,
    /// Which edge raised each label last.
    raised_by: Vec<u32>,
    /// Instants with edges to be followed.
    forwards: Marks,
    backwards: Marks,
    /// How many labels were raised since circles were looked for.
    raised: usize,
}

impl Sweeps<'_> {
    fn run(&mut self, work: &mut u64) -> Result<(), NoLabels> {
        let instants = self.graph.instants() as u32;
        loop {
            let mut next = 0;
            while let Some(instant) = self.forwards.take_from(next) {
                let label = self.labels[instant as usize];
                let edges = self.graph.forwards(instant);
                spend(work, edges.len())?;
                if instant + 1 < instants {
                    self.raise(instant + 1, label, ORDER)?;
                }
                for edge in edges {
                    self.follow(edge, label)?;
                }
                next = instant + 1;
            }
            let mut next = instants - 1;
            while let Some(instant) = self.backwards.take_until(next) {
                let label = self.labels[instant as usize];
                let edges = self.graph.backwards(instant);
                spend(work, edges.len())?;
                for edge in edges {
                    self.follow(edge, label)?;
                }
                match instant.checked_sub(1) {
                    Some(before) => next = before,
                    None => break,
                }
            }
            if self.forwards.is_empty() && self.backwards.is_empty() {
                return Ok(());
            }
            // The search costs as much as raising that many labels.
            if self.raised >= self.labels.len() {
                self.raised = 0;
                if let Some(circle) = self.circle() {
                    return Err(circle);
                }
            }
        }
    }

    fn follow(&mut self, number: u32, label: i64) -> Result<(), NoLabels> {
        let edge = &self.graph.edges[number as usize];
        let at_least = label + edge.length * self.scale + i64::from(edge.strict);
        self.raise(edge.target, at_least, number)
    }

    fn raise(&mut self, instant: u32, at_least: i64, edge: u32) -> Result<(), NoLabels> {
        let label = &mut self.labels[instant as usize];
        if at_least <= *label {
            return Ok(());
        }
        if at_least > LARGEST {
            return Err(NoLabels::TooLarge);
        }
        *label = at_least;
        self.raised_by[instant as usize] = edge;
        self.raised += 1;
        if instant == 0 {
            // The beginning stays where it is: what raised it closes a circle, or comes from one.
            return Err(self.circle().unwrap_or_else(|| self.circle_at(0)));
        }
        self.forwards.set(instant);
        self.backwards.set(instant);
        Ok(())
    }

    /// Where the edge that raised a label last comes from.
    fn before(&self, instant: u32) -> u32 {
        match self.raised_by[instant as usize] {
            ORDER => instant - 1,
            edge => self.graph.edges[edge as usize].source,
        }
    }

    /// A circle of edges that raised labels, apart from the beginning.
    fn circle(&self) -> Option<NoLabels> {
        let mut seen_from = vec![0u32; self.labels.len()];
        for start in 1..self.labels.len() as u32 {
            let mut at = start;
            while at != 0 && seen_from[at as usize] == 0 {
                seen_from[at as usize] = start;
                at = self.before(at);
            }
            if at != 0 && seen_from[at as usize] == start {
                return Some(self.circle_at(at));
            }
        }
        None
    }

    /// Requires: the instant lies on a circle of edges that raised labels.
    fn circle_at(&self, instant: u32) -> NoLabels {
        let (mut slack, mut strict) = (0i64, 0);
        let mut at = instant;
        loop {
            if self.raised_by[at as usize] != ORDER {
                let edge = &self.graph.edges[self.raised_by[at as usize] as usize];
                // Lengths fit many times over, but a circle may have very many edges.
                slack = slack.saturating_sub(edge.length);
                strict += i64::from(edge.strict);
            }
            at = self.before(at);
            if at == instant {
                return NoLabels::Circle { slack, strict };
            }
        }
    }
}

fn spend(work: &mut u64, edges: usize) -> Result<(), NoLabels> {
    *work = work.checked_sub(edges as u64 + 1).ok_or(NoLabels::Spent)?;
    Ok(())
}

/// A set of instants that is emptied in order.
struct Marks {
    words: Vec<u64>,
    count: usize,
}

impl Marks {
    fn all(instants: usize) -> Self {
        let mut words = vec![u64::MAX; instants.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !instants.is_multiple_of(64)
        {
            *last = (1 << (instants % 64)) - 1;
        }
        Marks {
            words,
            count: instants,
        }
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn set(&mut self, instant: u32) {
        let (word, bit) = (instant as usize / 64, 1u64 << (instant % 64));
        self.count += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// Takes the first one that is not before `from`.
    fn take_from(&mut self, from: u32) -> Option<u32> {
        let mut word = from as usize / 64;
        let mut bits = self.words.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        Some(self.take(word, bits.trailing_zeros()))
    }

    /// Takes the last one that is not after `until`.
    fn take_until(&mut self, until: u32) -> Option<u32> {
        let mut word = until as usize / 64;
        let mut bits = self.words.get(word)? & (u64::MAX >> (63 - until % 64));
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = self.words[word];
        }
        Some(self.take(word, 63 - bits.leading_zeros()))
    }

    fn take(&mut self, word: usize, bit: u32) -> u32 {
        self.words[word] &= !(1 << bit);
        self.count -= 1;
        word as u32 * 64 + bit
    }
}
