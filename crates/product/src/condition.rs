//! Guards and invariants: conditions on data, and what they ask of clocks (`semantics.md` 8, 16b).
//!
//! With the data fixed a conjunction is convex. What cannot fail comes first and in the cheapest form: comparisons of two
//! cells. The rest (code, computed clocks, conditions on bounds) keeps its order; bounds on fixed clocks come last.
//! Moving what cannot fail changes no answer.

use crate::valuation::{ClockConstraint, CodeOf, Valuation};
use std::ops::Range;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::{ClockBound, Condition, Relation, Term};
use zonewalk_network::ids::ClockId;
use zonewalk_network::instr::Entry;

/// A conjunction: ranges in [`Conditions`].
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    /// The first comparison, here for speed; one that holds where there is none.
    first: Compare,
    /// Number of comparisons of cells; 2 means more than one.
    count: u8,
    /// False when a bound on clocks can never hold.
    is_possible: bool,
    /// Comparisons.
    pub compares: Range<u32>,
    /// Bounds on clocks that are the same in every state.
    pub bounds: Range<u32>,
    /// The remaining conditions.
    pub rest: Range<u32>,
}

impl Conjunction {
    /// Whether it always holds.
    pub fn is_trivial(&self) -> bool {
        self.is_possible && self.compares.is_empty() && self.bounds.is_empty() && self.rest.is_empty()
    }
}

/// Which of less (1), equal (2) and greater (4) will do between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Accepted(u8);

impl Accepted {
    /// Equal alone.
    pub const EQUAL: Accepted = Accepted(2);
    /// Anything else than equal.
    pub const UNEQUAL: Accepted = Accepted(5);
    /// All of them.
    pub const ALL: Accepted = Accepted(7);

    /// Whether two values are related as asked for.
    #[inline]
    pub fn accepts(self, a: i32, b: i32) -> bool {
        let order = i32::from(a > b) - i32::from(a < b) + 1;
        self.0 >> order & 1 != 0
    }

    /// The relations accepted with the sides exchanged: less and greater change places.
    #[must_use]
    pub fn flipped(self) -> Accepted {
        Accepted(self.0 & 2 | self.0 >> 2 & 1 | (self.0 & 1) << 2)
    }
}

impl From<Relation> for Accepted {
    fn from(relation: Relation) -> Accepted {
        Accepted(match relation {
            Relation::Less => 1,
            Relation::LessEqual => 3,
            Relation::Equal => 2,
            Relation::NotEqual => 5,
            Relation::GreaterEqual => 6,
            Relation::Greater => 4,
        })
    }
}

/// Compares two cells of memory.
#[derive(Clone, Copy, Debug)]
pub struct Compare {
    /// The address of the left side.
    pub a: u32,
    /// The address of the right side.
    pub b: u32,
    /// How they must compare.
    pub accepted: Accepted,
}

impl Default for Compare {
    /// It always holds.
    fn default() -> Compare {
        Compare {
            a: 0,
            b: 0,
            accepted: Accepted::ALL,
        }
    }
}

impl Compare {
    /// Whether it holds.
    #[inline]
    pub fn holds(self, memory: &[i32]) -> bool {
        self.accepted
            .accepts(memory[self.a as usize], memory[self.b as usize])
    }
}

/// A condition without a cheaper form.
#[derive(Clone, Copy, Debug)]
pub enum General {
    /// Compares two cells, after something that can fail.
    Compare(Compare),
    /// Runs code.
    Code(Entry),
    /// A bound on clocks, by its number in [`Conditions::clock_bounds`].
    Clock(u32),
}

/// How an engine writes down a bound on clocks that is the same in every state.
pub trait ClockForm {
    /// Compiled form of a bound.
    type Bound: Copy;
    /// Why it cannot.
    type Refusal;

    /// Adds a bound to `into`.
    ///
    /// # Errors
    /// When the engine does not support it at all.
    fn fix(&self, bound: ClockConstraint, into: &mut Vec<Self::Bound>) -> Result<Fixed, Self::Refusal>;
}

/// Result of compiling a bound that is equal in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Compiled into `into`.
    Written,
    /// Never holds.
    Never,
    /// Left to be examined in each state, which is cheaper.
    Later,
}

/// Result of evaluating a conjunction as far as possible beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatedPart {
    /// The outcome is open.
    Nothing,
    /// All its comparisons hold.
    Compares,
    /// Whether all of it holds that is not about clocks.
    Data(bool),
}

/// All the conditions of a network. `B` is how bounds on clocks are written down.
#[derive(Clone, Debug)]
pub struct Conditions<B> {
    /// Comparisons of cells.
    pub compares: Vec<Compare>,
    bounds: Vec<B>,
    /// The remaining conditions.
    pub rest: Vec<General>,
    /// Bounds that need more than fixed clocks and a number, with the context that they run in.
    pub clock_bounds: Vec<(ClockBound, Context)>,
}

impl<B> Default for Conditions<B> {
    fn default() -> Self {
        Conditions {
            compares: Vec::new(),
            bounds: Vec::new(),
            rest: Vec::new(),
            clock_bounds: Vec::new(),
        }
    }
}

impl<B: Copy> Conditions<B> {
    /// Adds a conjunction of terms.
    pub(crate) fn add<F: ClockForm<Bound = B>>(
        &mut self,
        network: &Network,
        terms: &[Term],
        context: &Context,
        form: &F,
    ) -> Result<Conjunction, F::Refusal> {
        let (compares, bounds, rest) = (self.compares.len(), self.bounds.len(), self.rest.len());
        let mut is_possible = true;
        for term in terms {
            match term {
                Term::Data(Condition::Compare { relation, a, b }) => {
                    let compare = Compare {
                        a: context.address(*a) as u32,
                        b: context.address(*b) as u32,
                        accepted: (*relation).into(),
                    };
                    // Behind code that can fail it must not decide before its turn.
                    if self.rest.len() == rest {
                        self.compares.push(compare);
                    } else {
                        self.rest.push(General::Compare(compare));
                    }
                }
                Term::Data(Condition::Code(entry)) => self.rest.push(General::Code(*entry)),
                Term::Clock(bound) => {
                    let fixed = match fixed_bound(network, bound, context) {
                        Some(fixed) => form.fix(fixed, &mut self.bounds)?,
                        None => Fixed::Later,
                    };
                    is_possible &= fixed != Fixed::Never;
                    if fixed == Fixed::Later {
                        self.clock_bounds.push((*bound, *context));
                        self.rest.push(General::Clock(self.clock_bounds.len() as u32 - 1));
                    }
                }
            }
        }
        let range = |start: usize, end: usize| start as u32..end as u32;
        Ok(Conjunction {
            first: self.compares.get(compares).copied().unwrap_or_default(),
            count: (self.compares.len() - compares).min(2) as u8,
            is_possible,
            compares: range(compares, self.compares.len()),
            bounds: range(bounds, self.bounds.len()),
            rest: range(rest, self.rest.len()),
        })
    }

    /// Whether the data allow a conjunction; if so, the valuation has seen what it asks of the clocks. `context` says where
    /// code of the conjunction finds its variables.
    ///
    /// # Errors
    /// When the model fails.
    #[inline(always)]
    pub(crate) fn evaluate<V: Valuation<Bound = B>>(
        &self,
        c: &Conjunction,
        known: EvaluatedPart,
        context: impl FnOnce() -> Context,
        valuation: &mut V,
    ) -> Result<bool, V::Stop> {
        let data_hold = match known {
            EvaluatedPart::Nothing => self.data_hold(c, valuation.memory()),
            EvaluatedPart::Compares => true,
            EvaluatedPart::Data(hold) => hold,
        };
        let is_rest_open = !matches!(known, EvaluatedPart::Data(_)) && !c.rest.is_empty();
        if !data_hold || (is_rest_open && !self.rest_holds(c, &context(), valuation)?) {
            return Ok(false);
        }
        valuation.bounds(self.bounds(c));
        Ok(c.is_possible)
    }

    fn rest_holds<V: Valuation<Bound = B>>(
        &self,
        c: &Conjunction,
        context: &Context,
        valuation: &mut V,
    ) -> Result<bool, V::Stop> {
        let mut is_possible = true;
        for number in c.rest.clone() {
            match self.rest[number as usize] {
                General::Compare(compare) => {
                    if !compare.holds(valuation.memory()) {
                        return Ok(false);
                    }
                }
                General::Code(entry) => {
                    if !valuation.ask(number, entry, context)? {
                        return Ok(false);
                    }
                }
                General::Clock(of) => {
                    let (bound, context) = &self.clock_bounds[of as usize];
                    if let Some(asked) = valuation.resolve(CodeOf::Condition(number), bound, context)? {
                        is_possible &= valuation.clock(asked)?;
                    }
                }
            }
        }
        Ok(is_possible)
    }

    /// Whether all the comparisons of a conjunction hold.
    #[inline(always)]
    pub fn data_hold(&self, c: &Conjunction, memory: &[i32]) -> bool {
        c.count == 0 || (c.first.holds(memory) && (c.count == 1 || self.others_hold(c, memory)))
    }

    fn others_hold(&self, c: &Conjunction, memory: &[i32]) -> bool {
        self.compares(c)[1..].iter().all(|compare| compare.holds(memory))
    }

    /// The comparisons of a conjunction.
    #[inline]
    pub fn compares(&self, c: &Conjunction) -> &[Compare] {
        &self.compares[c.compares.start as usize..c.compares.end as usize]
    }

    /// Its bounds on clocks that are the same in every state.
    #[inline]
    pub fn bounds(&self, c: &Conjunction) -> &[B] {
        &self.bounds[c.bounds.start as usize..c.bounds.end as usize]
    }

    /// Conditions of the conjunction without a cheaper form.
    #[inline]
    pub fn rest(&self, c: &Conjunction) -> &[General] {
        &self.rest[c.rest.start as usize..c.rest.end as usize]
    }

    /// Takes one comparison, by its place, out of a conjunction.
    pub fn drop_compare(&mut self, c: &mut Conjunction, at: usize) {
        let compares = &mut self.compares[c.compares.start as usize..c.compares.end as usize];
        // None of these can fail: their order does not matter.
        compares.swap(0, at);
        c.first = compares.get(1).copied().unwrap_or_default();
        c.count = (compares.len() - 1).min(2) as u8;
        c.compares.start += 1;
    }
}

/// The clocks and the number of a bound that is the same in every state.
fn fixed_bound(network: &Network, bound: &ClockBound, context: &Context) -> Option<ClockConstraint> {
    if bound.when.is_some() || bound.setup.is_some() {
        return None;
    }
    let right = match bound.right {
        Some(right) => Some(ClockId(network.constant(right, context)? as u32)),
        None => None,
    };
    Some(ClockConstraint {
        left: ClockId(network.constant(bound.left, context)? as u32),
        right,
        relation: bound.relation,
        number: network.constant(bound.bound, context)?,
    })
}
