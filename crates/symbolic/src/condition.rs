//! Guards and invariants as conditions on data and constraints on clocks.
//!
//! With the data fixed each of them is convex (`semantics.md` 16b). Comparisons of two cells and bounds on fixed clocks,
//! which cannot fail, come first; what runs code keeps its order.

use std::ops::Range;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Condition, Relation, Term};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{NoClocks, run};
use zonewalk_zones::Bound;

use crate::stop::Stop;

/// The difference of two clocks is below a bound. Clock `c` of the network has the number `c + 1`; 0 is the constant zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The clock.
    pub left: u32,
    /// The clock that is subtracted.
    pub right: u32,
    /// The bound.
    pub bound: Bound,
}

impl Constraint {
    /// What holds exactly where this does not.
    #[must_use]
    pub fn complement(self) -> Constraint {
        Constraint {
            left: self.right,
            right: self.left,
            bound: self.bound.complement(),
        }
    }
}

/// Adds `left - right ~ number` to `into`; false when it holds nowhere. `NotEqual` is not convex and must not come.
pub(crate) fn constraints(
    left: u32,
    right: u32,
    relation: Relation,
    number: i32,
    into: &mut Vec<Constraint>,
) -> Result<bool, Stop> {
    if left == right {
        return Ok(relation.holds(0, number));
    }
    // No clock is below zero: one negative number is as good as any other, such as a sum that has wrapped.
    let number = if right == 0 { number.max(-1) } else { number };
    if number.unsigned_abs() > Bound::MAX_CONSTANT.unsigned_abs() {
        return Err(Stop::Constant(number));
    }
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
    Ok(true)
}

/// A conjunction: ranges in [`Conditions`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Conjunction {
    compares: Range<u32>,
    fixed: Range<u32>,
    rest: Range<u32>,
    /// False when a fixed part can never hold.
    possible: bool,
}

impl Conjunction {
    /// Whether it always holds.
    pub(crate) fn is_trivial(&self) -> bool {
        self.possible && self.compares.is_empty() && self.fixed.is_empty() && self.rest.is_empty()
    }
}

#[derive(Clone, Copy, Debug)]
struct Compare {
    a: u32,
    b: u32,
    relation: Relation,
}

impl Compare {
    #[inline]
    fn holds(self, memory: &[i32]) -> bool {
        self.relation
            .holds(memory[self.a as usize], memory[self.b as usize])
    }
}

/// What runs code or depends on code that does.
#[derive(Clone, Copy, Debug)]
enum General {
    Compare(Compare),
    Code(Entry, Context),
    /// In [`Conditions::bounds`].
    Clock(u32),
}

/// All the conditions of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    compares: Vec<Compare>,
    fixed: Vec<Constraint>,
    rest: Vec<General>,
    bounds: Vec<(ClockBound, Context)>,
}

impl Conditions {
    /// Adds a conjunction of terms.
    pub(crate) fn add(
        &mut self,
        network: &Network,
        terms: &[Term],
        context: &Context,
    ) -> Result<Conjunction, Stop> {
        let (compares, fixed, rest) = (self.compares.len(), self.fixed.len(), self.rest.len());
        let mut possible = true;
        for term in terms {
            let is_first = self.rest.len() == rest;
            match term {
                Term::Data(Condition::Compare { relation, a, b }) => {
                    let compare = Compare {
                        a: context.address(*a) as u32,
                        b: context.address(*b) as u32,
                        relation: *relation,
                    };
                    // Behind code that can fail it must not decide before its turn.
                    if is_first {
                        self.compares.push(compare);
                    } else {
                        self.rest.push(General::Compare(compare));
                    }
                }
                Term::Data(Condition::Code(entry)) => self.rest.push(General::Code(*entry, *context)),
                Term::Clock(bound) => match fixed_bound(network, bound, context) {
                    Some((left, right, number)) => {
                        possible &= constraints(left, right, bound.relation, number, &mut self.fixed)?;
                    }
                    None => {
                        self.bounds.push((*bound, *context));
                        self.rest.push(General::Clock(self.bounds.len() as u32 - 1));
                    }
                },
            }
        }
        let range = |start: usize, end: usize| start as u32..end as u32;
        Ok(Conjunction {
            compares: range(compares, self.compares.len()),
            fixed: range(fixed, self.fixed.len()),
            rest: range(rest, self.rest.len()),
            possible,
        })
    }

    /// Whether the data allow a conjunction; if so, what it asks of the clocks is added to `into`.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        network: &Network,
        conjunction: &Conjunction,
        memory: &mut [i32],
        into: &mut Vec<Constraint>,
    ) -> Result<bool, Stop> {
        let compares = &self.compares[conjunction.compares.start as usize..conjunction.compares.end as usize];
        if !compares.iter().all(|c| c.holds(memory)) {
            return Ok(false);
        }
        if !conjunction.rest.is_empty() && !self.rest_holds(network, conjunction, memory, into)? {
            return Ok(false);
        }
        let fixed = conjunction.fixed.start as usize..conjunction.fixed.end as usize;
        into.extend_from_slice(&self.fixed[fixed]);
        Ok(conjunction.possible)
    }

    fn rest_holds(
        &self,
        network: &Network,
        conjunction: &Conjunction,
        memory: &mut [i32],
        into: &mut Vec<Constraint>,
    ) -> Result<bool, Stop> {
        let program = &network.program;
        let mut possible = true;
        for general in &self.rest[conjunction.rest.start as usize..conjunction.rest.end as usize] {
            match *general {
                General::Compare(compare) => {
                    if !compare.holds(memory) {
                        return Ok(false);
                    }
                }
                General::Code(entry, context) => {
                    if run(program, entry, &context, memory, &mut NoClocks)? == 0 {
                        return Ok(false);
                    }
                }
                General::Clock(number) => {
                    let (bound, context) = &self.bounds[number as usize];
                    possible &= evaluate_bound(network, bound, bound.relation, context, memory, into)?;
                }
            }
        }
        Ok(possible)
    }
}

/// Adds what a bound asks of the clocks; false when that holds nowhere.
pub(crate) fn evaluate_bound(
    network: &Network,
    bound: &ClockBound,
    relation: Relation,
    context: &Context,
    memory: &mut [i32],
    into: &mut Vec<Constraint>,
) -> Result<bool, Stop> {
    let program = &network.program;
    if let Some(when) = &bound.when
        && !when.holds(program, context, memory)?
    {
        return Ok(true);
    }
    if let Some(setup) = bound.setup {
        run(program, setup, context, memory, &mut NoClocks)?;
    }
    let get = |cell| memory[context.address(cell)];
    let left = get(bound.left) as u32 + 1;
    let right = bound.right.map_or(0, |right| get(right) as u32 + 1);
    constraints(left, right, relation, get(bound.bound), into)
}

/// The clocks and the number of a bound that is the same in every state.
fn fixed_bound(network: &Network, bound: &ClockBound, context: &Context) -> Option<(u32, u32, i32)> {
    if bound.when.is_some() || bound.setup.is_some() {
        return None;
    }
    let left = network.constant(bound.left, context)? as u32 + 1;
    let right = match bound.right {
        Some(right) => network.constant(right, context)? as u32 + 1,
        None => 0,
    };
    Some((left, right, network.constant(bound.bound, context)?))
}
