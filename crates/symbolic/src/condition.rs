//! Conditions on clocks in guards, invariants and goals, as constraints of a zone.

use crate::state::Frame;
use crate::state::constraint::{ClockRef, Constraint};
use crate::stop::Stop;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Relation;
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Code, LoopWork, NoClocks, Trap, run};
use zonewalk_product::{ClockConstraint, ClockForm, Fixed, Listing, Valuation};
use zonewalk_search::Alarm;
use zonewalk_zones::{Bound, Word};

/// Adds what a bound asks of the clocks to `into`; false when it holds nowhere. `NotEqual` is not convex and must not come.
pub(crate) fn constraints(asked: ClockConstraint, into: &mut Vec<Constraint>) -> bool {
    let (relation, number) = (asked.relation, asked.number);
    let left = ClockRef::of(asked.left);
    let right = asked.right.map_or(ClockRef::ZERO, ClockRef::of);
    if left == right {
        return relation.holds(0, number);
    }
    // No clock is below zero: one negative number is as good as any other, such as a sum that has wrapped.
    let number = if right == ClockRef::ZERO {
        number.max(-1)
    } else {
        number
    };
    let number = i64::from(number);
    let (above, below) = match relation {
        Relation::Less => (Some(true), None),
        Relation::LessEqual => (Some(false), None),
        Relation::Greater => (None, Some(true)),
        Relation::GreaterEqual => (None, Some(false)),
        Relation::Equal => (Some(false), Some(false)),
        Relation::NotEqual => (None, None),
    };
    if let Some(strict) = above {
        into.push(Constraint {
            left,
            right,
            bound: Bound::new(number, strict),
        });
    }
    if let Some(strict) = below {
        into.push(Constraint {
            left: right,
            right: left,
            bound: Bound::new(-number, strict),
        });
    }
    true
}

/// Clocks are the dimensions of a zone.
#[derive(Clone, Copy, Debug)]
pub struct Zones;

impl ClockForm for Zones {
    type Bound = Constraint;
    type Refusal = Stop;

    fn fix(&self, asked: ClockConstraint, into: &mut Vec<Constraint>) -> Result<Fixed, Stop> {
        Ok(match constraints(asked, into) {
            true => Fixed::Written,
            false => Fixed::Never,
        })
    }
}

/// Work in loops after which the alarm is asked, in instructions.
const LONG: u64 = 1 << 18;

/// A discrete state that collects what conditions ask of the clocks.
pub(crate) struct Collected<'a, W> {
    pub(crate) network: &'a Network,
    pub(crate) memory: &'a mut [i32],
    pub(crate) into: &'a mut Vec<Constraint>,
    /// Work done in loops.
    pub(crate) loops: &'a mut LoopWork,
    /// Says when to leave off.
    pub(crate) alarm: &'a mut Alarm,
    /// The zone that what is collected must leave something of.
    pub(crate) zone: Option<(&'a Frame<W>, &'a [Bound<W>])>,
}

impl<W: Word> Valuation for Collected<'_, W> {
    type Bound = Constraint;
    type Stop = Stop;

    #[inline(always)]
    fn memory(&self) -> &[i32] {
        self.memory
    }

    #[inline(always)]
    fn ask(&mut self, _number: u32, entry: Entry, context: &Context) -> Result<bool, Stop> {
        self.may_go_on()?;
        Ok(self.execute(entry, context)? != 0)
    }

    fn execute(&mut self, entry: Entry, context: &Context) -> Result<i32, Trap> {
        let code = Code::new(&self.network.program, entry, context);
        run(code, self.memory, &mut NoClocks, self.loops)
    }

    #[inline(always)]
    fn bounds(&mut self, bounds: &[Constraint]) {
        self.into.extend_from_slice(bounds);
    }

    fn clock(&mut self, asked: ClockConstraint) -> Result<bool, Stop> {
        Ok(constraints(asked, self.into))
    }
}

impl<W> Collected<'_, W> {
    /// Leaves off when the alarm rings. Code without long loops need not ask.
    #[inline(always)]
    fn may_go_on(&mut self) -> Result<(), Stop> {
        if self.loops.0 < LONG { Ok(()) } else { self.asked() }
    }

    #[cold]
    fn asked(&mut self) -> Result<(), Stop> {
        let work = std::mem::take(self.loops).0;
        match self.alarm.rings_after(work) {
            false => Ok(()),
            true => {
                // Whatever is asked next is not begun either.
                self.loops.0 = LONG;
                Err(Stop::Alarm)
            }
        }
    }
}

impl<W: Word> Listing for Collected<'_, W> {
    #[inline(always)]
    fn mark(&self) -> u32 {
        self.into.len() as u32
    }

    #[inline(always)]
    fn is_possible(&self, since: u32) -> bool {
        let mut asked = self.into[since as usize..].iter();
        self.zone
            .is_none_or(|(frame, zone)| asked.all(|constraint| frame.allows(zone, constraint)))
    }

    #[inline(always)]
    fn rewind(&mut self, to: u32) {
        self.into.truncate(to as usize);
    }
}
