//! Conditions on clocks at one instant.

use zonewalk_tioa::{Comparison, Formula, Relation};

/// The clocks of one component at an instant.
#[derive(Clone, Copy)]
pub(super) struct Instant<'a> {
    /// In ticks.
    pub clocks: &'a [i128],
    /// Ticks in a unit of time.
    pub scale: i128,
    /// How much later it is than the clocks say, in half ticks: between two ticks there is an instant, too.
    pub later: i128,
}

impl<'a> Instant<'a> {
    /// The instant of which the clocks tell.
    pub(super) fn now(clocks: &'a [i128], scale: i128) -> Self {
        Instant {
            clocks,
            scale,
            later: 0,
        }
    }

    /// Whether a formula holds.
    pub(super) fn satisfies(self, formula: &Formula) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Compare(comparison) => self.compare(comparison),
            Formula::And(parts) => parts.iter().all(|part| self.satisfies(part)),
            Formula::Or(parts) => parts.iter().any(|part| self.satisfies(part)),
            Formula::Not(inner) => !self.satisfies(inner),
        }
    }

    fn compare(self, comparison: &Comparison) -> bool {
        let value = |index: usize| 2 * self.clocks[index] + self.later;
        let minus = comparison.minus.map_or(0, |clock| value(clock.index()));
        let bound = 2 * i128::from(comparison.bound) * self.scale;
        relate(
            value(comparison.clock.index()) - minus,
            comparison.relation,
            bound,
        )
    }
}

/// Whether two numbers are in a relation.
pub(super) fn relate(left: i128, relation: Relation, right: i128) -> bool {
    match relation {
        Relation::Less => left < right,
        Relation::LessEqual => left <= right,
        Relation::Equal => left == right,
        Relation::GreaterEqual => left >= right,
        Relation::Greater => left > right,
    }
}
