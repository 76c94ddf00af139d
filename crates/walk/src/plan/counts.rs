//! Conditions that count: of a conjunction of several comparisons with constants, how many do not hold.
//!
//! `forall (i : id_t) !busy[i]` reads as many cells as there are processes, and one of them changes in every other
//! step. Looking at the whole guard again would cost as much as the array is long; a counter goes up or down by one, and only
//! when it reaches zero or leaves it the edge has to be examined. Counters are right wherever the process is, so that
//! no counter has to know which process is in which location.

use crate::plan::condition::{Conditions, Question, questions};
use crate::plan::{EdgeInstance, NONE};

/// Number of comparisons that are worth a counter.
const FEWEST: usize = 2;

/// A cell, what is asked of it, and who asks.
pub(crate) type WatchedCell = (u32, Question, u32);

/// The counters, wherever they are.
pub(crate) trait Counters {
    /// The counter of a caller.
    fn of(&mut self, who: u32) -> &mut u32;
}

impl Counters for [u32] {
    #[inline(always)]
    fn of(&mut self, who: u32) -> &mut u32 {
        &mut self[who as usize]
    }
}

/// Callers that ask the same of a cell.
#[derive(Clone, Debug)]
struct Group {
    question: Question,
    /// In [`Counts::members`].
    members: std::ops::Range<u32>,
}

/// Question about one cell.
#[derive(Clone, Debug)]
struct Counted {
    cell: u32,
    /// Groups that need one value, sorted by it, in [`Counts::groups`], and after them the others.
    keyed: std::ops::Range<u32>,
    others: std::ops::Range<u32>,
}

/// The counters of each cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// By cell its number in `cells`, `NONE` where nothing is counted. Empty when there are no counters.
    numbers: Vec<u32>,
    cells: Vec<Counted>,
    groups: Vec<Group>,
    members: Vec<u32>,
}

impl Counts {
    /// Gives counters to the edges whose guards are fit for it: at least two comparisons, all of them of a variable with a
    /// constant. `cells` is the number of cells that may change; `constant` gives the value of those that never do.
    pub(crate) fn of_guards(
        edges: &mut [EdgeInstance],
        conditions: &Conditions,
        cells: u32,
        constant: impl Fn(u32) -> Option<i32>,
    ) -> Counts {
        let mut asked: Vec<WatchedCell> = Vec::new();
        for (number, edge) in (0..).zip(edges) {
            let first = asked.len();
            let questions = questions(conditions, &edge.guard, &constant);
            asked.extend(
                questions
                    .flatten()
                    .map(|(cell, question)| (cell, question, number)),
            );
            let count = asked.len() - first;
            edge.own.is_counted = count >= FEWEST && count == edge.guard.compares.len();
            if !edge.own.is_counted {
                asked.truncate(first);
            }
        }
        Counts::new(asked, cells)
    }

    /// Counters for what is asked of cells below `cells`.
    pub(crate) fn new(mut asked: Vec<WatchedCell>, cells: u32) -> Counts {
        asked.sort_by_key(|&(cell, question, who)| (cell, question.order(), who));
        let mut counts = Counts::default();
        if asked.is_empty() {
            return counts;
        }
        counts.numbers = vec![NONE; cells as usize];
        for of_cell in asked.chunk_by(|a, b| a.0 == b.0) {
            counts.add(of_cell);
        }
        counts
    }

    /// Adds what is asked of one cell, in order.
    fn add(&mut self, asked: &[WatchedCell]) {
        let cell = asked[0].0;
        let start = self.groups.len() as u32;
        for group in asked.chunk_by(|a, b| a.1.order() == b.1.order()) {
            let first = self.members.len() as u32;
            self.members.extend(group.iter().map(|q| q.2));
            self.groups.push(Group {
                question: group[0].1,
                members: first..self.members.len() as u32,
            });
        }
        let groups = &self.groups[start as usize..];
        let border = start + groups.partition_point(|g| g.question.key().is_some()) as u32;
        if let Some(number) = self.numbers.get_mut(cell as usize) {
            *number = self.cells.len() as u32;
        }
        self.cells.push(Counted {
            cell,
            keyed: start..border,
            others: border..self.groups.len() as u32,
        });
    }

    /// How many cells are counted.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The number of a cell among those that are counted; `NONE` if it is not counted.
    #[inline(always)]
    pub(crate) fn number(&self, cell: u32) -> u32 {
        self.numbers.get(cell as usize).copied().unwrap_or(NONE)
    }

    /// The cells that are counted, sorted. Their places here are their numbers.
    pub(crate) fn cells(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().map(|counted| counted.cell)
    }

    /// Counts for the first time: the counters are zero.
    pub(crate) fn count(&self, memory: &[i32], counters: &mut (impl Counters + ?Sized)) {
        for counted in &self.cells {
            let value = memory[counted.cell as usize];
            for group in &self.groups[counted.keyed.start as usize..counted.others.end as usize] {
                if !group.question.accepts(value) {
                    for &who in self.of(group) {
                        *counters.of(who) += 1;
                    }
                }
            }
        }
    }

    fn of(&self, group: &Group) -> &[u32] {
        &self.members[group.members.start as usize..group.members.end as usize]
    }

    /// A counted cell, by its number, has changed. Adds those whose counters have reached zero or left it to `crossed`, some
    /// of them perhaps twice.
    pub(crate) fn change(
        &self,
        number: u32,
        (old, new): (i32, i32),
        counters: &mut (impl Counters + ?Sized),
        crossed: &mut Vec<u32>,
    ) {
        let counted = &self.cells[number as usize];
        let keyed = &self.groups[counted.keyed.start as usize..counted.keyed.end as usize];
        if !keyed.is_empty() {
            let waiting = |value: i32| {
                let at = keyed.binary_search_by_key(&Some(value), |g| g.question.key());
                at.ok().map(|at| &keyed[at])
            };
            if let Some(group) = waiting(old) {
                self.turn(group, false, counters, crossed);
            }
            if let Some(group) = waiting(new) {
                self.turn(group, true, counters, crossed);
            }
        }
        for group in &self.groups[counted.others.start as usize..counted.others.end as usize] {
            let is_met = group.question.accepts(new);
            if group.question.accepts(old) != is_met {
                self.turn(group, is_met, counters, crossed);
            }
        }
    }

    #[inline]
    fn turn(
        &self,
        group: &Group,
        is_met: bool,
        counters: &mut (impl Counters + ?Sized),
        crossed: &mut Vec<u32>,
    ) {
        for &who in self.of(group) {
            let count = counters.of(who);
            if is_met {
                *count -= 1;
            } else {
                *count += 1;
            }
            // Zero now, or zero before.
            if *count == u32::from(!is_met) {
                crossed.push(who);
            }
        }
    }
}
