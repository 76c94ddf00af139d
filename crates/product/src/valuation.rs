//! Where conditions are evaluated: the data of a state, and what the clocks are to an engine.
//!
//! A zone collects constraints, a point in time cuts windows of instants, and an engine without clocks ignores them.

use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::constraint::{ClockBound, Condition, Relation};
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::Trap;

/// `left - right ~ number`, or `left ~ number`: what a bound asks of clocks in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockConstraint {
    /// The clock.
    pub left: ClockId,
    /// The clock that is subtracted, if there is one. It may be the left one.
    pub right: Option<ClockId>,
    /// How they compare.
    pub relation: Relation,
    /// The number.
    pub number: i32,
}

impl ClockConstraint {
    /// Constraints of which one holds exactly where this does, each on a convex set: two for `!=`, itself otherwise.
    pub fn convex(&self) -> impl Iterator<Item = ClockConstraint> + '_ {
        let relations = self.relation.convex().iter();
        relations.map(|&relation| ClockConstraint { relation, ..*self })
    }
}

/// Which code it is, for engines that keep something about each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOf {
    /// A condition, by its number in [`Conditions::rest`](crate::Conditions::rest).
    Condition(u32),
    /// The channel of an edge instance.
    Channel(InstanceId),
    /// Code about which nothing is kept.
    Other,
}

/// A state as conditions see it.
pub trait Valuation {
    /// A bound on clocks as the engine has written it down.
    type Bound;
    /// Why evaluation stops.
    type Stop: From<Trap>;

    /// Variables, constants and temporaries.
    fn memory(&self) -> &[i32];

    /// Runs code that does not touch clocks.
    ///
    /// # Errors
    /// When the model fails.
    fn execute(&mut self, entry: Entry, context: &Context) -> Result<i32, Trap>;

    /// Takes in bounds that are the same in every state.
    fn bounds(&mut self, bounds: &[Self::Bound]);

    /// Takes in a bound on clocks; false when it holds nowhere.
    ///
    /// # Errors
    /// When the engine does not support it.
    fn clock(&mut self, asked: ClockConstraint) -> Result<bool, Self::Stop>;

    /// Whether the condition with this number of [`Conditions::rest`](crate::Conditions::rest), which is code, holds.
    ///
    /// # Errors
    /// When the model fails.
    #[inline(always)]
    fn ask(&mut self, _number: u32, entry: Entry, context: &Context) -> Result<bool, Self::Stop> {
        Ok(self.execute(entry, context)? != 0)
    }

    /// Runs code that leaves its results in these cells.
    ///
    /// # Errors
    /// When the model fails.
    #[inline(always)]
    fn prepare(
        &mut self,
        _of: CodeOf,
        setup: Entry,
        _results: &[Cell],
        context: &Context,
    ) -> Result<(), Self::Stop> {
        self.execute(setup, context)?;
        Ok(())
    }

    /// Constraint expressed by a bound in this state; `None` if it does not apply here.
    ///
    /// # Errors
    /// When the model fails.
    #[inline]
    fn resolve(
        &mut self,
        of: CodeOf,
        bound: &ClockBound,
        context: &Context,
    ) -> Result<Option<ClockConstraint>, Self::Stop> {
        if let Some(when) = &bound.when
            && !self.condition(when, context)?
        {
            return Ok(None);
        }
        if let Some(setup) = bound.setup {
            let results = [bound.bound, bound.left, bound.right.unwrap_or(bound.left)];
            self.prepare(of, setup, &results, context)?;
        }
        let get = |cell| self.memory()[context.address(cell)];
        Ok(Some(ClockConstraint {
            left: ClockId(get(bound.left) as u32),
            right: bound.right.map(|right| ClockId(get(right) as u32)),
            relation: bound.relation,
            number: get(bound.bound),
        }))
    }

    /// Whether a condition on data holds.
    ///
    /// # Errors
    /// When the model fails.
    #[inline]
    fn condition(&mut self, condition: &Condition, context: &Context) -> Result<bool, Self::Stop> {
        match *condition {
            Condition::Compare { relation, a, b } => {
                let get = |cell| self.memory()[context.address(cell)];
                Ok(relation.holds(get(a), get(b)))
            }
            Condition::Code(entry) => Ok(self.execute(entry, context)? != 0),
        }
    }
}
