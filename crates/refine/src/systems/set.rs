//! Sets of clock valuations, as unions of conjunctions of comparisons.
//!
//! Guards and invariants are kept in this form, which does not depend on how many clocks there are elsewhere. Where sets have to be
//! subtracted or compared, matrices over the clocks that occur are made for the moment.

use zonewalk_tioa::{Comparison, Formula, Relation};
use zonewalk_zones::{Word, dbm, minimal};

/// How many conjunctions a guard or an invariant may have.
const MAX_PARTS: usize = 20_000;

/// A comparison of clocks in a condition. Conditions are few, and made once for each location: they have room for every number of the
/// language and for sums of them. Only zones, of which there are many, choose the width of their words.
pub type Constraint = minimal::Constraint<i64>;
pub(crate) type Bound = zonewalk_zones::Bound<i64>;
type Federation = zonewalk_zones::Federation<i64>;

/// A conjunction of `x_left − x_right ≺ c`; clock 0 is always zero, clocks count from 1. Not contradictory.
pub type Conjunction = Box<[Constraint]>;

/// A union of conjunctions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set {
    parts: Vec<Conjunction>,
}

/// A formula has too many alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Set {
    /// All valuations.
    pub fn everything() -> Set {
        Set {
            parts: vec![Box::default()],
        }
    }

    /// No valuation.
    pub fn nothing() -> Set {
        Set::default()
    }

    /// One conjunction, if it is not contradictory.
    pub fn conjunction(constraints: &[Constraint]) -> Set {
        Set {
            parts: normal(constraints).into_iter().collect(),
        }
    }

    /// Set of valuations that satisfy a formula over clocks that count from 0.
    ///
    /// # Errors
    /// When there are too many alternatives.
    pub fn of(formula: &Formula) -> Result<Set, TooLarge> {
        Self::of_signed(formula, true)
    }

    fn of_signed(formula: &Formula, positive: bool) -> Result<Set, TooLarge> {
        Ok(match formula {
            Formula::Constant(value) if *value == positive => Set::everything(),
            Formula::Constant(_) => Set::nothing(),
            Formula::Compare(comparison) => {
                let set = Set::conjunction(&constraints(comparison));
                if positive { set } else { set.complement()? }
            }
            Formula::Not(inner) => Self::of_signed(inner, !positive)?,
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) == positive;
                let mut set = if all { Set::everything() } else { Set::nothing() };
                for part in parts {
                    let part = Self::of_signed(part, positive)?;
                    set = if all { set.and(&part)? } else { set.or(part) };
                }
                set
            }
        })
    }

    /// The conjunctions.
    pub fn parts(&self) -> &[Conjunction] {
        &self.parts
    }

    /// Whether nothing is in it.
    pub fn is_nothing(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether it plainly is everything.
    pub fn is_everything(&self) -> bool {
        self.parts.iter().any(|part| part.is_empty())
    }

    /// Union of two sets.
    #[must_use]
    pub fn or(mut self, other: Set) -> Set {
        if self.is_everything() {
            return self;
        }
        if other.is_everything() {
            return other;
        }
        for part in other.parts {
            if !self.parts.contains(&part) {
                self.parts.push(part);
            }
        }
        self
    }

    /// Intersection of two sets.
    ///
    /// # Errors
    /// When there are too many alternatives.
    pub fn and(&self, other: &Set) -> Result<Set, TooLarge> {
        if self.is_everything() {
            return Ok(other.clone());
        }
        if other.is_everything() {
            return Ok(self.clone());
        }
        let mut parts = Vec::new();
        for a in &self.parts {
            for b in &other.parts {
                parts.extend(normal(&[&a[..], &b[..]].concat()));
                if parts.len() > MAX_PARTS {
                    return Err(TooLarge);
                }
            }
        }
        Ok(Set { parts })
    }

    /// Complement of the set.
    ///
    /// # Errors
    /// When there are too many alternatives.
    pub fn complement(&self) -> Result<Set, TooLarge> {
        Set::everything().minus(self)
    }

    /// Difference of two sets. The conjunctions of the result are disjoint if those of this set are.
    ///
    /// # Errors
    /// When there are too many alternatives.
    pub fn minus(&self, other: &Set) -> Result<Set, TooLarge> {
        if self.is_nothing() || other.is_nothing() {
            return Ok(self.clone());
        }
        if other.is_everything() {
            return Ok(Set::nothing());
        }
        let names = Names::of(self.parts.iter().chain(&other.parts).flat_map(|part| part.iter()));
        let mut federation = names.federation(self);
        for part in &other.parts {
            federation.subtract(&names.zone(part));
            if federation.len() > MAX_PARTS {
                return Err(TooLarge);
            }
        }
        federation.reduce();
        Ok(names.set(&federation))
    }

    /// Reduces the set to fewer, larger conjunctions where that is easily seen.
    #[must_use]
    pub fn reduced(self) -> Set {
        if self.parts.len() < 2 || self.is_everything() {
            return if self.is_everything() {
                Set::everything()
            } else {
                self
            };
        }
        let names = Names::of(self.parts.iter().flat_map(|part| part.iter()));
        let mut federation = names.federation(&self);
        federation.reduce();
        names.set(&federation)
    }

    /// The set without comparisons that hold wherever `known` does: within `known` it is the same.
    #[must_use]
    pub fn within(&self, known: &Set) -> Set {
        let follows = |c: &Constraint| {
            known.parts.iter().all(|part| {
                let names = Names::of(part.iter().chain([c]));
                let zone = names.zone(part);
                minimal::includes(&names.renamed(&[*c]), &zone, names.dim())
            })
        };
        let parts = self
            .parts
            .iter()
            .map(|part| part.iter().filter(|c| !follows(c)).copied().collect());
        let set = Set {
            parts: parts.collect(),
        };
        if set.is_everything() {
            Set::everything()
        } else {
            set
        }
    }

    /// Whether the sets have a valuation in common.
    pub fn meets(&self, other: &Set) -> bool {
        self.parts.iter().any(|a| {
            other
                .parts
                .iter()
                .any(|b| normal(&[&a[..], &b[..]].concat()).is_some())
        })
    }

    /// The valuations from which the updates lead into the set.
    #[must_use]
    pub fn before(&self, updates: &[(u16, i32)]) -> Set {
        if updates.is_empty() {
            return self.clone();
        }
        let value = |clock: u16| match clock {
            0 => Some(0),
            _ => updates
                .iter()
                .find(|(updated, _)| *updated == clock)
                .map(|(_, value)| i64::from(*value)),
        };
        let pull = |c: &Constraint| -> Result<Option<Constraint>, ()> {
            // x − y ≺ c, with a number in place of what the updates set.
            let (left, right) = (value(c.left), value(c.right));
            if let (Some(l), Some(r)) = (left, right) {
                let holds = Bound::le(l - r) <= c.bound;
                return if holds { Ok(None) } else { Err(()) };
            }
            let known = left.unwrap_or(0) - right.unwrap_or(0);
            let bound = Bound::new(c.bound.constant() - known, c.bound.is_strict());
            Ok(Some(Constraint {
                left: if left.is_some() { 0 } else { c.left },
                right: if right.is_some() { 0 } else { c.right },
                bound,
            }))
        };
        let mut parts = Vec::new();
        for part in &self.parts {
            let pulled: Result<Vec<Option<Constraint>>, ()> = part.iter().map(pull).collect();
            if let Ok(pulled) = pulled {
                parts.extend(normal(&pulled.into_iter().flatten().collect::<Vec<_>>()));
            }
        }
        let set = Set { parts };
        if set.is_everything() {
            Set::everything()
        } else {
            set
        }
    }

    /// The set over clocks that are numbered from `offset` on.
    #[must_use]
    pub fn shifted(&self, offset: u16) -> Set {
        let moved = |clock: u16| if clock == 0 { 0 } else { clock + offset };
        let parts = self.parts.iter().map(|part| {
            part.iter()
                .map(|c| Constraint {
                    left: moved(c.left),
                    right: moved(c.right),
                    bound: c.bound,
                })
                .collect()
        });
        Set {
            parts: parts.collect(),
        }
    }

    /// As zones over `dim - 1` clocks.
    pub fn federation<W: Word>(&self, dim: usize) -> zonewalk_zones::Federation<W> {
        let mut federation = zonewalk_zones::Federation::new(dim);
        let mut zone = vec![zonewalk_zones::Bound::INFINITY; dim * dim];
        for part in &self.parts {
            let part: Vec<_> = part.iter().map(in_words).collect();
            minimal::expand(&part, dim, &mut zone);
            federation.push(&zone);
        }
        federation
    }

    /// From zones over the clocks of the automaton.
    pub fn of_federation<W: Word>(federation: &zonewalk_zones::Federation<W>) -> Set {
        let conjunction = |zone| {
            let constraints = minimal::constraints(zone, federation.dim());
            constraints.iter().map(in_words).collect()
        };
        let set = Set {
            parts: federation.iter().map(conjunction).collect(),
        };
        if set.is_everything() {
            Set::everything()
        } else {
            set
        }
    }
}

/// A constraint in words of another width. Requires: it fits.
#[inline]
pub(crate) fn in_words<V: Word, W: Word>(c: &minimal::Constraint<V>) -> minimal::Constraint<W> {
    let raw: i64 = c.bound.raw().into();
    debug_assert_eq!(W::truncated(raw).into(), raw, "a constraint that does not fit");
    minimal::Constraint {
        left: c.left,
        right: c.right,
        bound: zonewalk_zones::Bound::from_raw(W::truncated(raw)),
    }
}

fn constraints(comparison: &Comparison) -> Vec<Constraint> {
    let number = i64::from(comparison.bound);
    let x = comparison.clock.0 as u16 + 1;
    let y = comparison.minus.map_or(0, |minus| minus.0 as u16 + 1);
    let upper = |strict| Constraint {
        left: x,
        right: y,
        bound: Bound::new(number, strict),
    };
    let lower = |strict| Constraint {
        left: y,
        right: x,
        bound: Bound::new(-number, strict),
    };
    match comparison.relation {
        Relation::Less => vec![upper(true)],
        Relation::LessEqual => vec![upper(false)],
        Relation::Equal => vec![upper(false), lower(false)],
        Relation::GreaterEqual => vec![lower(false)],
        Relation::Greater => vec![lower(true)],
    }
}

/// The fewest constraints that say the same, or nothing if they contradict each other.
fn normal(constraints: &[Constraint]) -> Option<Conjunction> {
    if constraints.is_empty() {
        return Some(Box::default());
    }
    let names = Names::of(constraints.iter());
    let zone = names.zone(constraints);
    if dbm::is_empty(&zone) {
        return None;
    }
    Some(names.conjunction(&zone))
}

/// The clocks that occur, in place of all.
struct Names {
    clocks: Vec<u16>,
}

impl Names {
    fn of<'a>(constraints: impl Iterator<Item = &'a Constraint>) -> Names {
        let mut clocks: Vec<u16> = constraints.flat_map(|c| [c.left, c.right]).chain([0]).collect();
        clocks.sort_unstable();
        clocks.dedup();
        Names { clocks }
    }

    fn dim(&self) -> usize {
        self.clocks.len()
    }

    fn renamed(&self, part: &[Constraint]) -> Vec<Constraint> {
        let index = |clock: u16| self.clocks.partition_point(|known| *known < clock) as u16;
        let renamed = part.iter().map(|c| Constraint {
            left: index(c.left),
            right: index(c.right),
            bound: c.bound,
        });
        renamed.collect()
    }

    fn zone(&self, part: &[Constraint]) -> Vec<Bound> {
        let mut zone = vec![Bound::INFINITY; self.dim() * self.dim()];
        minimal::expand(&self.renamed(part), self.dim(), &mut zone);
        zone
    }

    fn federation(&self, set: &Set) -> Federation {
        let mut federation = Federation::new(self.dim());
        for part in &set.parts {
            federation.push(&self.zone(part));
        }
        federation
    }

    fn conjunction(&self, zone: &[Bound]) -> Conjunction {
        let mut constraints = minimal::constraints(zone, self.dim());
        for c in &mut constraints {
            c.left = self.clocks[usize::from(c.left)];
            c.right = self.clocks[usize::from(c.right)];
        }
        constraints.into_boxed_slice()
    }

    fn set(&self, federation: &Federation) -> Set {
        let set = Set {
            parts: federation.iter().map(|zone| self.conjunction(zone)).collect(),
        };
        if set.is_everything() {
            Set::everything()
        } else {
            set
        }
    }
}
