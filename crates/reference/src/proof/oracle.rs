//! Evaluation at all points of a set at once.
//!
//! The evaluator asks a [`World`] for every comparison of clocks. This world answers for a convex set of points. Where the points
//! do not agree, it splits the set, goes on with those for which the comparison is true, and keeps the other answer for a second
//! evaluation. So whatever an expression, update or function does with clocks is done on sets by the code that does it at points.

use crate::proof::union::Union;
use crate::proof::zone::{Origin, ZERO, Zone, bound, complement, sum};
use crate::region::Clocks;
use std::sync::Arc;
use zonewalk_model::eval::{ClockTerm, FaultKind, World};
use zonewalk_model::ids::{ClockId, LocationId, ProcessId};
use zonewalk_model::tree::BinaryOp;

/// Largest constant that an update may add to a clock: sums stay far from the ends of 64 bits.
const LARGEST_SHIFT: u64 = 1 << 40;

/// Parts into which one evaluation may split a set.
const MOST_PARTS: usize = 100_000;

/// The clocks of a set of points, with what only some conditions need to know.
#[derive(Clone, Copy)]
pub(crate) struct Points<'a> {
    /// The deadlocks among the points, for queries that ask for them.
    pub dead: Option<&'a Union>,
}

impl Clocks for Points<'_> {
    type Region = Union;

    fn filter<E>(
        self,
        locations: &[LocationId],
        domain: &Union,
        mut test: impl FnMut(&mut dyn World) -> Result<bool, E>,
    ) -> Result<Union, E> {
        let mut found = Vec::new();
        for zone in domain.iter() {
            self.split(
                locations,
                zone,
                |oracle| test(oracle),
                |part, holds| {
                    if holds {
                        found.push(part.zone);
                    }
                },
            )?;
        }
        Ok(Union(found))
    }
}

impl Points<'_> {
    /// Evaluates something at all points of a set: the parts in which all answers are the same, each with the result.
    ///
    /// # Errors
    /// The first error.
    pub(crate) fn split<T, E>(
        self,
        locations: &[LocationId],
        zone: &Arc<Zone>,
        mut evaluate: impl FnMut(&mut Oracle<'_>) -> Result<T, E>,
        mut each: impl FnMut(Part, T),
    ) -> Result<(), E> {
        let (mut todo, mut parts) = (vec![Vec::new()], 0);
        while let Some(answers) = todo.pop() {
            parts += 1;
            let mut oracle = Oracle {
                zone: Arc::clone(zone),
                last: None,
                clocks: None,
                locations,
                dead: self.dead,
                answers,
                asked: 0,
                others: &mut todo,
                parts,
            };
            let result = evaluate(&mut oracle)?;
            oracle.apply();
            let Oracle { zone, clocks, .. } = oracle;
            each(Part { zone, clocks }, result);
        }
        Ok(())
    }
}

/// A part of a set after an evaluation.
pub(crate) struct Part {
    /// The points before it.
    pub zone: Arc<Zone>,
    clocks: Option<Vec<Origin>>,
}

impl Part {
    /// The points after it.
    pub(crate) fn after(&self) -> Arc<Zone> {
        match &self.clocks {
            None => Arc::clone(&self.zone),
            Some(clocks) => Arc::new(self.zone.assign(clocks)),
        }
    }
}

/// The world of an evaluation at all points of a set.
pub(crate) struct Oracle<'a> {
    zone: Arc<Zone>,
    /// A constraint that is not yet applied: often the evaluation ends with the answer.
    last: Option<(usize, usize, i64)>,
    /// By clock, where its present value comes from; `None`: nothing was assigned.
    clocks: Option<Vec<Origin>>,
    locations: &'a [LocationId],
    dead: Option<&'a Union>,
    /// The answers where the points do not agree, in the order of the questions.
    answers: Vec<bool>,
    asked: usize,
    /// Answers of evaluations that remain.
    others: &'a mut Vec<Vec<bool>>,
    /// Evaluations of this set that were begun.
    parts: usize,
}

impl Oracle<'_> {
    /// Whether the bound of `x_i - x_j` holds.
    fn decide(&mut self, i: usize, j: usize, bound: i64) -> Result<bool, FaultKind> {
        if i == j {
            return Ok(bound >= ZERO);
        }
        self.apply();
        if self.zone.at(i, j) <= bound {
            return Ok(true);
        }
        if sum(bound, self.zone.at(j, i)) < ZERO {
            return Ok(false);
        }
        let answer = match self.answers.get(self.asked) {
            Some(&answer) => answer,
            None => {
                if self.parts + self.others.len() > MOST_PARTS {
                    return Err(FaultKind::unsupported("a condition with so many cases"));
                }
                let mut other = self.answers.clone();
                other.push(false);
                self.others.push(other);
                self.answers.push(true);
                true
            }
        };
        self.asked += 1;
        self.last = Some(if answer {
            (i, j, bound)
        } else {
            (j, i, complement(bound))
        });
        Ok(answer)
    }

    /// Leaves the points with the last answer. Some points have it, or it would not have been asked for.
    fn apply(&mut self) {
        if let Some((i, j, bound)) = self.last.take() {
            let some = Arc::make_mut(&mut self.zone).constrain(i, j, bound);
            debug_assert!(some);
        }
    }

    fn origin(&self, clock: Option<ClockId>) -> Result<Origin, FaultKind> {
        let Some(clock) = clock else {
            return Ok(Origin { index: 0, plus: 0 });
        };
        let index = clock.index() + 1;
        if index >= self.zone.dim() {
            return Err(FaultKind::unsupported("an unknown clock"));
        }
        Ok(match &self.clocks {
            Some(clocks) => clocks[clock.index()],
            None => Origin { index, plus: 0 },
        })
    }
}

impl World for Oracle<'_> {
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        let (a, b) = (self.origin(term.plus)?, self.origin(term.minus)?);
        // `a - b + k op 0`
        let k = term.constant + a.plus - b.plus;
        let (a, b) = (a.index, b.index);
        let at_most = |oracle: &mut Self| oracle.decide(a, b, bound(-k, false));
        let at_least = |oracle: &mut Self| oracle.decide(b, a, bound(k, false));
        match op {
            BinaryOp::Less => self.decide(a, b, bound(-k, true)),
            BinaryOp::LessEqual => at_most(self),
            BinaryOp::Greater => self.decide(b, a, bound(k, true)),
            BinaryOp::GreaterEqual => at_least(self),
            BinaryOp::Equal => Ok(at_most(self)? && at_least(self)?),
            BinaryOp::NotEqual => Ok(!(at_most(self)? && at_least(self)?)),
            _ => Err(FaultKind::unsupported("this comparison")),
        }
    }

    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        if term.minus.is_some() {
            return Err(FaultKind::unsupported("a clock set to a difference of clocks"));
        }
        let Origin { index, plus } = self.origin(term.plus)?;
        let plus = plus + term.constant;
        if plus.unsigned_abs() > LARGEST_SHIFT {
            return Err(FaultKind::TimeTooLarge);
        }
        if !self.decide(0, index, bound(plus, false))? {
            return Err(FaultKind::NegativeClock("a negative value".into()));
        }
        let dim = self.zone.dim();
        let clocks = self
            .clocks
            .get_or_insert_with(|| (1..dim).map(|index| Origin { index, plus: 0 }).collect());
        if let Some(slot) = clocks.get_mut(clock.index()) {
            *slot = Origin { index, plus };
        }
        Ok(())
    }

    fn location(&self, process: ProcessId) -> Option<LocationId> {
        self.locations.get(process.index()).copied()
    }

    /// Whether the point is in one of the sets of deadlocks. Only predicates ask, which assign nothing.
    fn deadlock(&mut self) -> Result<bool, FaultKind> {
        let Some(dead) = self.dead else {
            return Err(FaultKind::unsupported("`deadlock`"));
        };
        for zone in dead.iter() {
            let mut inside = true;
            for i in 0..zone.dim() {
                for j in 0..zone.dim() {
                    inside = inside && self.decide(i, j, zone.at(i, j))?;
                }
            }
            if inside {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
