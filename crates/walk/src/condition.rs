//! Guards and invariants, ready to be evaluated.
//!
//! What cannot fail comes first and in the cheapest form: comparisons of two cells, then bounds on fixed clocks. The rest
//! (code, computed clocks, conditions on bounds) keeps its order. Moving what cannot fail to the front changes no answer.

use crate::plan::{Limit, NONE, Plan};
use crate::state::{ClockValue, FOREVER, Window};
use std::ops::Range;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Condition, Relation, Term};
use zonewalk_network::instr::Entry;
use zonewalk_network::{Extent, Network};

/// A conjunction: ranges in [`Conditions`].
#[derive(Clone, Debug)]
pub(crate) struct Conjunction {
    /// The first comparison, here for speed; one that holds where there is none.
    pub(crate) first: Compare,
    /// How many comparisons there are, 2 for more than one.
    count: u8,
    pub(crate) compares: Range<u32>,
    pub(crate) bounds: Range<u32>,
    pub(crate) rest: Range<u32>,
}

impl Conjunction {
    /// Whether it is always true.
    pub(crate) fn is_trivial(&self) -> bool {
        self.compares.is_empty() && self.bounds.is_empty() && self.rest.is_empty()
    }
}

/// Compares two cells of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compare {
    a: u32,
    b: u32,
    /// Which of less (1), equal (2) and greater (4) will do.
    accepted: u8,
}

impl Default for Compare {
    /// It always holds.
    fn default() -> Compare {
        Compare {
            a: 0,
            b: 0,
            accepted: 7,
        }
    }
}

/// Whether two values stand to each other as asked for.
#[inline]
fn is_accepted(accepted: u8, a: i32, b: i32) -> bool {
    let order = i32::from(a > b) - i32::from(a < b) + 1;
    accepted >> order & 1 != 0
}

impl Compare {
    #[inline]
    pub(crate) fn holds(self, memory: &[i32]) -> bool {
        is_accepted(self.accepted, memory[self.a as usize], memory[self.b as usize])
    }

    /// The only variable, and what is asked of it; `None` where there are two.
    fn question(self, constant: impl Fn(u32) -> Option<i32>) -> Option<(u32, Question)> {
        let (cell, accepted, constant) = match (constant(self.a), constant(self.b)) {
            (None, Some(b)) => (self.a, self.accepted, b),
            // The same question from the other side: less and greater change places.
            (Some(a), None) => {
                let turned = self.accepted & 2 | self.accepted >> 2 & 1 | (self.accepted & 1) << 2;
                (self.b, turned, a)
            }
            _ => return None,
        };
        Some((cell, Question { accepted, constant }))
    }
}

impl Plan<'_> {
    /// What a comparison of two cells asks, of which of them; `None` if both are variables.
    pub(crate) fn literal(&self, relation: Relation, a: u32, b: u32) -> Option<(u32, Question)> {
        let compare = Compare {
            a,
            b,
            accepted: accepted(relation),
        };
        compare.question(|address| self.constant(address))
    }
}

/// What a guard asks of one cell, where that is a comparison with a constant and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    accepted: u8,
    constant: i32,
}

/// What a change of a cell means for a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It stays as it was.
    Same,
    /// It does not hold any more.
    No,
    /// It must be looked at.
    Open,
}

impl Question {
    /// The guard may depend on the cell in any way.
    pub(crate) const ANY: Question = Question {
        accepted: 8,
        constant: 0,
    };

    /// Whether the cell has a value, or whether it has not.
    pub(crate) fn about(value: i32, is: bool) -> Question {
        Question {
            accepted: if is { 2 } else { 5 },
            constant: value,
        }
    }

    /// What a change of the cell means for the guard.
    #[inline]
    pub(crate) fn answer(self, old: i32, new: i32) -> Answer {
        if self.is_any() {
            return Answer::Open;
        }
        let is_good = self.accepts(new);
        match self.accepts(old) == is_good {
            true => Answer::Same,
            false if is_good => Answer::Open,
            false => Answer::No,
        }
    }

    /// Whether a value of the cell will do. Requires: the question is not [`Question::ANY`].
    #[inline]
    pub(crate) fn accepts(self, value: i32) -> bool {
        is_accepted(self.accepted, value, self.constant)
    }

    /// Equal for the same questions; those that need one value come first, sorted by it.
    pub(crate) fn order(self) -> (bool, u8, i32) {
        (self.accepted != 2, self.accepted, self.constant)
    }

    /// Whether nothing is known of what the guard asks.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self.accepted == 8
    }

    /// The value that the guard needs, where it needs one.
    pub(crate) fn key(self) -> Option<i32> {
        (self.accepted == 2).then_some(self.constant)
    }
}

/// Bounds a clock by numbers of ticks. An odd number is strict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) clock: u32,
    pub(crate) relation: Relation,
    pub(crate) ticks: i64,
}

impl Bound {
    /// When the clock, which has this value, fulfils it.
    #[inline]
    pub(crate) fn window(self, clock: ClockValue) -> Window {
        bounded(self.relation, clock, self.ticks)
    }
}

/// When a clock fulfils a bound: a window of absolute time.
#[inline]
pub(crate) fn bounded(relation: Relation, clock: ClockValue, ticks: i64) -> Window {
    if !clock.runs {
        return if relation.holds(clock.origin, ticks) {
            Window::ALL
        } else {
            Window::NEVER
        };
    }
    let at = clock.origin + ticks;
    match relation {
        Relation::GreaterEqual => Window { lo: at, hi: FOREVER },
        Relation::Greater => Window {
            lo: at + 1,
            hi: FOREVER,
        },
        Relation::LessEqual => Window { lo: i64::MIN, hi: at },
        Relation::Less => Window {
            lo: i64::MIN,
            hi: at - 1,
        },
        Relation::Equal => Window { lo: at, hi: at },
        // Neither guards nor invariants have it.
        Relation::NotEqual => Window::ALL,
    }
}

/// What has no cheaper form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum General {
    /// Compares two cells, behind something that can fail.
    Compare(Compare),
    /// Runs code; `echo` is the number of its last result if it has one.
    Code { entry: Entry, echo: u32 },
    /// A clock bound, by its number in [`Conditions::clock_bounds`].
    Clock(u32),
}

/// All the conditions of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    pub(crate) compares: Vec<Compare>,
    pub(crate) bounds: Vec<Bound>,
    pub(crate) rest: Vec<General>,
    /// Clock bounds that need more than a fixed clock and number, with the context that they run in.
    pub(crate) clock_bounds: Vec<(ClockBound, Context)>,
}

impl Conditions {
    /// Adds a conjunction of terms.
    pub(crate) fn add(
        &mut self,
        network: &Network,
        terms: &[Term],
        context: &Context,
        unit: i64,
    ) -> Conjunction {
        let (compares, bounds, rest) = (self.compares.len(), self.bounds.len(), self.rest.len());
        for term in terms {
            let is_first = self.rest.len() == rest;
            match term {
                Term::Data(Condition::Compare { relation, a, b }) => {
                    let (a, b) = (context.address(*a) as u32, context.address(*b) as u32);
                    let compare = Compare {
                        a,
                        b,
                        accepted: accepted(*relation),
                    };
                    // Behind code that can fail it must not decide before its turn.
                    if is_first {
                        self.compares.push(compare);
                    } else {
                        self.rest.push(General::Compare(compare));
                    }
                }
                Term::Data(Condition::Code(entry)) => self.rest.push(General::Code {
                    entry: *entry,
                    echo: NONE,
                }),
                Term::Clock(bound) => match fixed(network, bound, context, unit) {
                    Some(bound) => self.bounds.push(bound),
                    None => {
                        self.clock_bounds.push((*bound, *context));
                        self.rest.push(General::Clock(self.clock_bounds.len() as u32 - 1));
                    }
                },
            }
        }
        let range = |start: usize, end: usize| start as u32..end as u32;
        Conjunction {
            first: self.compares.get(compares).copied().unwrap_or_default(),
            count: (self.compares.len() - compares).min(2) as u8,
            compares: range(compares, self.compares.len()),
            bounds: range(bounds, self.bounds.len()),
            rest: range(rest, self.rest.len()),
        }
    }

    /// What a conjunction asks of clocks, as far as it is of a common kind.
    pub(crate) fn limit(&self, c: &Conjunction) -> Limit {
        let bound = match self.bounds(c) {
            _ if !c.rest.is_empty() => return Limit::Other,
            [] => return Limit::None,
            [bound] => bound,
            _ => return Limit::Other,
        };
        let (clock, ticks) = (bound.clock, bound.ticks);
        match bound.relation {
            Relation::LessEqual => Limit::Upper { clock, ticks },
            Relation::Less => Limit::Upper {
                clock,
                ticks: ticks - 1,
            },
            Relation::GreaterEqual => Limit::Lower { clock, ticks },
            Relation::Greater => Limit::Lower {
                clock,
                ticks: ticks + 1,
            },
            Relation::Equal | Relation::NotEqual => Limit::Other,
        }
    }

    /// The variables that the rest of a conjunction reads; `None` if it is about clocks, too, or if there is none.
    pub(crate) fn rest_reads(
        &self,
        c: &Conjunction,
        network: &Network,
        context: &Context,
    ) -> Option<Vec<Extent>> {
        let mut reads = Vec::new();
        for general in self.rest(c) {
            match *general {
                General::Compare(compare) => {
                    reads.extend([compare.a, compare.b].map(|cell| Extent::new(cell, 1)));
                }
                General::Code { entry, .. } => reads.extend(network.code_reads(entry, context)),
                General::Clock(_) => return None,
            }
        }
        (!c.rest.is_empty()).then_some(reads)
    }

    /// What the comparisons of a conjunction ask of a cell that nothing else reads. `constant` gives the value of cells
    /// that never change.
    pub(crate) fn question(
        &self,
        c: &Conjunction,
        cell: u32,
        constant: impl Fn(u32) -> Option<i32>,
    ) -> Question {
        let mut about = self
            .compares(c)
            .iter()
            .filter(|compare| compare.a == cell || compare.b == cell);
        let (Some(compare), None) = (about.next(), about.next()) else {
            return Question::ANY;
        };
        match compare.question(&constant) {
            Some((asked, question)) if asked == cell => question,
            _ => Question::ANY,
        }
    }

    /// What each comparison of a conjunction asks, of which cell; `None` for one of two variables.
    pub(crate) fn questions(
        &self,
        c: &Conjunction,
        constant: impl Fn(u32) -> Option<i32>,
    ) -> impl Iterator<Item = Option<(u32, Question)>> {
        let compares = self.compares(c).iter();
        compares.map(move |compare| compare.question(&constant))
    }

    /// The number of the last result of a conjunction that is nothing but code; `NONE` if it has none.
    pub(crate) fn only_code(&self, c: &Conjunction) -> u32 {
        match self.rest(c) {
            [General::Code { echo, .. }] if c.compares.is_empty() && c.bounds.is_empty() => *echo,
            _ => NONE,
        }
    }

    /// Takes the only comparison with a cell out of a conjunction.
    pub(crate) fn drop_question(&mut self, c: &mut Conjunction, cell: u32) {
        let compares = &mut self.compares[c.compares.start as usize..c.compares.end as usize];
        let Some(at) = compares.iter().position(|q| q.a == cell || q.b == cell) else {
            return;
        };
        // None of these can fail: their order does not matter.
        compares.swap(0, at);
        c.first = compares.get(1).copied().unwrap_or_default();
        c.count = (compares.len() - 1).min(2) as u8;
        c.compares.start += 1;
    }

    #[inline]
    pub(crate) fn compares(&self, c: &Conjunction) -> &[Compare] {
        &self.compares[c.compares.start as usize..c.compares.end as usize]
    }

    /// Whether all the comparisons of a conjunction hold.
    #[inline(always)]
    pub(crate) fn data_hold(&self, c: &Conjunction, memory: &[i32]) -> bool {
        c.count == 0 || (c.first.holds(memory) && (c.count == 1 || self.others_hold(c, memory)))
    }

    /// How many comparisons of a conjunction do not hold.
    #[cfg(test)]
    pub(crate) fn unmet(&self, c: &Conjunction, memory: &[i32]) -> u32 {
        let unmet = self.compares(c).iter().filter(|compare| !compare.holds(memory));
        unmet.count() as u32
    }

    fn others_hold(&self, c: &Conjunction, memory: &[i32]) -> bool {
        let others = &self.compares[c.compares.start as usize + 1..c.compares.end as usize];
        others.iter().all(|compare| compare.holds(memory))
    }

    #[inline]
    pub(crate) fn bounds(&self, c: &Conjunction) -> &[Bound] {
        &self.bounds[c.bounds.start as usize..c.bounds.end as usize]
    }

    #[inline]
    pub(crate) fn rest(&self, c: &Conjunction) -> &[General] {
        &self.rest[c.rest.start as usize..c.rest.end as usize]
    }
}

fn accepted(relation: Relation) -> u8 {
    match relation {
        Relation::Less => 1,
        Relation::LessEqual => 3,
        Relation::Equal => 2,
        Relation::NotEqual => 5,
        Relation::GreaterEqual => 6,
        Relation::Greater => 4,
    }
}

/// A bound of a clock that is known, by a number that is known, under no condition.
fn fixed(network: &Network, bound: &ClockBound, context: &Context, unit: i64) -> Option<Bound> {
    if bound.when.is_some() || bound.setup.is_some() || bound.right.is_some() {
        return None;
    }
    let clock = network.constant(bound.left, context)? as u32;
    let number = network.constant(bound.bound, context)?;
    Some(Bound {
        clock,
        relation: bound.relation,
        ticks: i64::from(number) * unit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_agree_with_relations() {
        use Relation::*;
        for relation in [Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater] {
            for (a, b) in [(1, 2), (2, 2), (3, 2), (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)] {
                let compare = Compare {
                    a: 0,
                    b: 1,
                    accepted: accepted(relation),
                };
                assert_eq!(
                    compare.holds(&[a, b]),
                    relation.holds(a, b),
                    "{a} {relation:?} {b}"
                );
            }
        }
    }
}
