//! Guards and invariants as walks see them: bounds in ticks, windows of instants, and what a guard asks of single cells.

use crate::plan::{Limit, WalkPlan};
use crate::time::{ClockValue, FOREVER, Window};
use std::convert::Infallible;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Relation;
use zonewalk_network::ids::ClockId;
use zonewalk_network::{Extent, Network};
use zonewalk_product::{Accepted, ClockConstraint, ClockForm, Compare, Conjunction, Fixed, General};

/// All the conditions of a network.
pub(crate) type Conditions = zonewalk_product::Conditions<Bound>;

/// Clocks are exact numbers of ticks.
#[derive(Clone, Copy, Debug)]
pub struct Ticks {
    /// In a unit of time.
    pub(crate) unit: i64,
}

impl ClockForm for Ticks {
    type Bound = Bound;
    type Refusal = Infallible;

    fn fix(&self, asked: ClockConstraint, into: &mut Vec<Bound>) -> Result<Fixed, Infallible> {
        // The difference of two clocks depends on which of them run.
        if asked.right.is_some() {
            return Ok(Fixed::Later);
        }
        into.push(Bound {
            clock: asked.left,
            relation: asked.relation,
            ticks: i64::from(asked.number) * self.unit,
        });
        Ok(Fixed::Written)
    }
}

/// The only variable of a comparison, and what is asked of it; `None` where there are two. `constant` gives the value of
/// cells that never change.
fn only_question(compare: Compare, constant: impl Fn(u32) -> Option<i32>) -> Option<(u32, Question)> {
    let (cell, accepted, constant) = match (constant(compare.a), constant(compare.b)) {
        (None, Some(b)) => (compare.a, compare.accepted, b),
        (Some(a), None) => (compare.b, compare.accepted.flipped(), a),
        _ => return None,
    };
    let accepted = Some(accepted);
    Some((cell, Question { accepted, constant }))
}

impl WalkPlan<'_> {
    /// Reads a comparison of two cells as a question about one of them; `None` if both are variables.
    pub(crate) fn literal(&self, relation: Relation, a: u32, b: u32) -> Option<(u32, Question)> {
        let accepted = relation.into();
        only_question(Compare { a, b, accepted }, |address| self.constant(address))
    }
}

/// Question that a guard asks of one cell, where that is a comparison with a constant and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// `None` if the guard may depend on the cell in any way.
    accepted: Option<Accepted>,
    constant: i32,
}

/// Effect of a change of a cell on a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardEffect {
    /// It stays as it was.
    Same,
    /// It does not hold any more.
    No,
    /// It must be examined.
    Open,
}

impl Question {
    /// The guard may depend on the cell in any way.
    pub(crate) const ANY: Question = Question {
        accepted: None,
        constant: 0,
    };

    /// Whether the cell has a value, or whether it has not.
    pub(crate) fn about(value: i32, is: bool) -> Question {
        Question {
            accepted: Some(if is { Accepted::EQUAL } else { Accepted::UNEQUAL }),
            constant: value,
        }
    }

    /// Effect of the change of a cell on the guard.
    #[inline]
    pub(crate) fn effect(self, old: i32, new: i32) -> GuardEffect {
        if self.is_any() {
            return GuardEffect::Open;
        }
        let is_good = self.accepts(new);
        match self.accepts(old) == is_good {
            true => GuardEffect::Same,
            false if is_good => GuardEffect::Open,
            false => GuardEffect::No,
        }
    }

    /// Whether a value of the cell will do.
    #[inline]
    pub(crate) fn accepts(self, value: i32) -> bool {
        self.accepted
            .is_none_or(|accepted| accepted.accepts(value, self.constant))
    }

    /// Equal for the same questions; those that need one value come first, sorted by it.
    pub(crate) fn order(self) -> (bool, Option<Accepted>, i32) {
        (self.key().is_none(), self.accepted, self.constant)
    }

    /// Whether nothing is known of what the guard asks.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self.accepted.is_none()
    }

    /// The value that the guard needs, where it needs one.
    pub(crate) fn key(self) -> Option<i32> {
        (self.accepted == Some(Accepted::EQUAL)).then_some(self.constant)
    }
}

/// Bounds a clock by numbers of ticks. An odd number is strict.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub(crate) clock: ClockId,
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

/// Bound that a conjunction sets to clocks, as far as it is of a common kind.
pub(crate) fn limit(conditions: &Conditions, c: &Conjunction) -> Limit {
    let bound = match conditions.bounds(c) {
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
    conditions: &Conditions,
    c: &Conjunction,
    network: &Network,
    context: &Context,
) -> Option<Vec<Extent>> {
    let mut reads = Vec::new();
    for general in conditions.rest(c) {
        match *general {
            General::Compare(compare) => {
                reads.extend([compare.a, compare.b].map(|cell| Extent::new(cell, 1)));
            }
            General::Code(entry) => reads.extend(network.code_reads(entry, context)),
            General::Clock(_) => return None,
        }
    }
    (!c.rest.is_empty()).then_some(reads)
}

fn is_about(compare: &Compare, cell: u32) -> bool {
    compare.a == cell || compare.b == cell
}

/// Question that the comparisons of a conjunction ask of a cell that nothing else reads.
pub(crate) fn question(
    conditions: &Conditions,
    c: &Conjunction,
    cell: u32,
    constant: impl Fn(u32) -> Option<i32>,
) -> Question {
    let mut about = conditions.compares(c).iter().filter(|q| is_about(q, cell));
    let (Some(compare), None) = (about.next(), about.next()) else {
        return Question::ANY;
    };
    match only_question(*compare, &constant) {
        Some((asked, question)) if asked == cell => question,
        _ => Question::ANY,
    }
}

/// Question of each comparison of a conjunction, with its cell; `None` for one of two variables.
pub(crate) fn questions(
    conditions: &Conditions,
    c: &Conjunction,
    constant: impl Fn(u32) -> Option<i32>,
) -> impl Iterator<Item = Option<(u32, Question)>> {
    let compares = conditions.compares(c).iter();
    compares.map(move |compare| only_question(*compare, &constant))
}

/// The number of a conjunction that is nothing but one piece of code.
pub(crate) fn only_code(conditions: &Conditions, c: &Conjunction) -> Option<u32> {
    let is_only = c.compares.is_empty() && c.bounds.is_empty();
    match conditions.rest(c) {
        [General::Code(_)] if is_only => Some(c.rest.start),
        _ => None,
    }
}

/// Takes the only comparison with a cell out of a conjunction.
pub(crate) fn drop_question(conditions: &mut Conditions, c: &mut Conjunction, cell: u32) {
    let at = conditions.compares(c).iter().position(|q| is_about(q, cell));
    if let Some(at) = at {
        conditions.drop_compare(c, at);
    }
}

/// How many comparisons of a conjunction do not hold.
#[cfg(test)]
pub(crate) fn unmet(conditions: &Conditions, c: &Conjunction, memory: &[i32]) -> u32 {
    let unmet = conditions.compares(c).iter().filter(|q| !q.holds(memory));
    unmet.count() as u32
}
