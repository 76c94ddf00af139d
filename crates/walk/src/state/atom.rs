//! Bounds on clocks as data: what a guard asks of clocks in a state, apart from when.

use crate::plan::WalkPlan;
use crate::state::State;
use crate::state::refresh::Instants;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Relation};
use zonewalk_network::ids::ClockId;
use zonewalk_network::vm::Trap;
use zonewalk_product::{CodeOf, Conjunction, General, Valuation};
use zonewalk_timing::Constraint;

/// `left − right ~ bound`, or `left ~ bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) left: ClockId,
    pub(crate) right: Option<ClockId>,
    pub(crate) relation: Relation,
    pub(crate) bound: i32,
}

impl Atom {
    /// How much the left side exceeds the bound at an instant while nothing but time changes, in ticks.
    pub(crate) fn excess(&self, plan: &WalkPlan<'_>, state: &State, at: i64) -> i64 {
        let value = |clock: ClockId| state.clocks.values[clock.index()].at(at);
        value(self.left) - self.right.map_or(0, value) - i64::from(self.bound) * plan.unit
    }

    /// Whether the left side grows with time.
    pub(crate) fn rises(&self, state: &State) -> bool {
        let runs = |clock: ClockId| state.clocks.values[clock.index()].runs;
        runs(self.left) && self.right.is_none_or(|right| !runs(right))
    }

    /// Whether there are values that are too small.
    pub(crate) fn is_lower(&self) -> bool {
        matches!(
            self.relation,
            Relation::Greater | Relation::GreaterEqual | Relation::Equal
        )
    }

    pub(crate) fn holds(&self, plan: &WalkPlan<'_>, state: &State, at: i64) -> bool {
        self.relation.holds(self.excess(plan, state, at), 0)
    }

    /// Complement of the comparison at an instant.
    pub(crate) fn opposite(&self, plan: &WalkPlan<'_>, state: &State, at: i64) -> Atom {
        let relation = match self.relation {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::GreaterEqual => Relation::Less,
            Relation::Greater => Relation::LessEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Equal if self.excess(plan, state, at) < 0 => Relation::Less,
            Relation::Equal => Relation::Greater,
        };
        Atom { relation, ..*self }
    }

    /// The comparison as constraints; for `≠` the side that holds at an instant.
    pub(crate) fn constraints(
        &self,
        plan: &WalkPlan<'_>,
        state: &State,
        at: i64,
    ) -> impl Iterator<Item = Constraint> + use<> {
        let relation = match self.relation {
            Relation::NotEqual if self.excess(plan, state, at) < 0 => Relation::Less,
            Relation::NotEqual => Relation::Greater,
            other => other,
        };
        let upper = Constraint {
            left: Some(self.left.0),
            right: self.right.map(|clock| clock.0),
            bound: i64::from(self.bound),
            strict: relation == Relation::Less,
        };
        let lower = Constraint {
            left: self.right.map(|clock| clock.0),
            right: Some(self.left.0),
            bound: -i64::from(self.bound),
            strict: relation == Relation::Greater,
        };
        let is_upper = matches!(relation, Relation::Less | Relation::LessEqual | Relation::Equal);
        let is_lower = matches!(
            relation,
            Relation::Greater | Relation::GreaterEqual | Relation::Equal
        );
        [is_upper.then_some(upper), is_lower.then_some(lower)]
            .into_iter()
            .flatten()
    }
}

impl State {
    /// Lists what a conjunction asks of clocks. Requires: the data fulfil it.
    pub(crate) fn atoms(
        &mut self,
        plan: &WalkPlan<'_>,
        conjunction: &Conjunction,
        list: &mut Vec<Atom>,
    ) -> Result<(), Trap> {
        let conditions = &plan.conditions;
        for bound in conditions.bounds(conjunction) {
            list.push(Atom {
                left: bound.clock,
                right: None,
                relation: bound.relation,
                // The ticks are a number of the model times the unit.
                bound: (bound.ticks / plan.unit) as i32,
            });
        }
        for general in conditions.rest(conjunction) {
            if let General::Clock(number) = *general {
                let (bound, context) = &conditions.clock_bounds[number as usize];
                list.extend(self.atom(plan, bound, context)?);
            }
        }
        Ok(())
    }

    /// A bound with a condition, computed parts or two clocks; `None` when it does not count in this state.
    pub(crate) fn atom(
        &mut self,
        plan: &WalkPlan<'_>,
        bound: &ClockBound,
        context: &Context,
    ) -> Result<Option<Atom>, Trap> {
        let asked = Instants::new(plan, self).resolve(CodeOf::Other, bound, context)?;
        Ok(asked.map(|asked| Atom {
            left: asked.left,
            right: asked.right,
            relation: asked.relation,
            bound: asked.number,
        }))
    }
}
