//! State beyond the values of variables that expressions may ask for: clocks, locations, `deadlock`.

use super::fault::FaultKind;
use crate::ids::{ClockId, LocationId, ProcessId};
use crate::tree::BinaryOp;

/// A clock, a difference of clocks or an integer, with an integer added: all that bounds and clock updates may
/// be made of (`semantics.md` 16b, 19e).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClockTerm {
    /// The clock that counts positively.
    pub plus: Option<ClockId>,
    /// The clock that counts negatively.
    pub minus: Option<ClockId>,
    /// Added constant.
    pub constant: i64,
}

impl ClockTerm {
    /// An integer.
    pub fn constant(constant: i64) -> Self {
        ClockTerm {
            constant,
            ..Self::default()
        }
    }

    /// A clock.
    pub fn clock(clock: ClockId) -> Self {
        ClockTerm {
            plus: Some(clock),
            ..Self::default()
        }
    }

    /// The sum, if it has a clock of each sign at most.
    pub fn plus(self, other: ClockTerm) -> Option<ClockTerm> {
        let mut plus = [self.plus, other.plus];
        let mut minus = [self.minus, other.minus];
        // A clock minus itself vanishes.
        for p in &mut plus {
            if let Some(m) = minus.iter_mut().find(|m| p.is_some() && *m == p) {
                (*p, *m) = (None, None);
            }
        }
        let single = |clocks: [Option<ClockId>; 2]| match clocks {
            [Some(_), Some(_)] => None,
            [one, other] => Some(one.or(other)),
        };
        Some(ClockTerm {
            plus: single(plus)?,
            minus: single(minus)?,
            constant: self.constant.checked_add(other.constant)?,
        })
    }

    /// The term with its constant wrapped to 32 bits, as for the integers of any expression; and whether that changes the sum.
    pub fn with_wrapped_constant(self) -> (ClockTerm, bool) {
        let constant = i64::from(self.constant as i32);
        (ClockTerm { constant, ..self }, constant != self.constant)
    }

    /// For a comparison with 0: what counts in 32 bits is the bound, the integers on the other side than the clocks.
    pub fn with_wrapped_bound(self) -> (ClockTerm, bool) {
        if self.plus.is_none() && self.minus.is_some() {
            return self.with_wrapped_constant();
        }
        let (term, wrapped) = self.negated().with_wrapped_constant();
        (term.negated(), wrapped)
    }

    /// The term with opposite signs. Requires: the constant sums up at most 2^31 integers.
    #[must_use]
    pub fn negated(self) -> ClockTerm {
        ClockTerm {
            plus: self.minus,
            minus: self.plus,
            constant: -self.constant,
        }
    }
}

/// Answers to the questions of expressions. The defaults are those of compile time: nothing is known.
pub trait World {
    /// Whether `term op 0` holds.
    ///
    /// # Errors
    /// When clocks are not to be read here.
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        let _ = (term, op);
        Err(FaultKind::NotConstant("clock".into()))
    }

    /// Sets a clock to the present value of a term.
    ///
    /// # Errors
    /// When the value is negative, or when clocks are not to be written here.
    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        let _ = (clock, term);
        Err(FaultKind::NotConstant("clock".into()))
    }

    /// The value of a clock as a double; `None` where time is exact, and clocks are only compared and assigned.
    fn reading(&self, clock: ClockId) -> Option<f64> {
        let _ = clock;
        None
    }

    /// The rate of a clock as a double, where clocks are doubles.
    fn rate(&self, clock: ClockId) -> Option<f64> {
        let _ = clock;
        None
    }

    /// Sets a clock, where clocks are doubles.
    fn set_reading(&mut self, clock: ClockId, value: f64) {
        let _ = (clock, value);
    }

    /// By how much, relatively, a comparison with clocks that are doubles may fail and still count as true; with a negative number:
    /// by how much it must hold.
    fn tolerance(&self) -> f64 {
        0.0
    }

    /// Draws the value of a `random…()` call.
    ///
    /// # Errors
    /// Where nothing is drawn.
    fn draw(&mut self, name: &'static str, args: &[f64]) -> Result<f64, FaultKind> {
        let _ = args;
        Err(FaultKind::unsupported(format!("`{name}()`")))
    }

    /// Where a process is.
    fn location(&self, process: ProcessId) -> Option<LocationId> {
        let _ = process;
        None
    }

    /// Whether nothing can ever happen again.
    ///
    /// # Errors
    /// When that cannot be said.
    fn deadlock(&mut self) -> Result<bool, FaultKind> {
        Err(FaultKind::NotConstant("deadlock".into()))
    }
}

/// The world before the model runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompileTime;

impl World for CompileTime {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_cancel() {
        let (x, y) = (ClockTerm::clock(ClockId(0)), ClockTerm::clock(ClockId(1)));
        let difference = x.plus(y.negated()).unwrap();
        assert_eq!(
            difference,
            ClockTerm {
                plus: Some(ClockId(0)),
                minus: Some(ClockId(1)),
                constant: 0
            }
        );
        assert_eq!(difference.plus(y), Some(x));
        assert_eq!(x.plus(x.negated()), Some(ClockTerm::constant(0)));
        assert_eq!(x.plus(y), None);
        assert_eq!(difference.plus(difference.negated()), Some(ClockTerm::default()));
    }

    /// `x <= 2^31` is not a bound that an expression can have: the sum on the right wraps.
    #[test]
    fn bounds_have_32_bits() {
        let (x, large) = (ClockTerm::clock(ClockId(0)), ClockTerm::constant(1 << 31));
        let least = ClockTerm::constant(i64::from(i32::MIN));
        let bound = x.plus(large.negated()).unwrap().with_wrapped_bound();
        assert_eq!(bound, (x.plus(least.negated()).unwrap(), true));
        // The other way round, with the same bound: `2^31 >= x`.
        let flipped = large.plus(x.negated()).unwrap().with_wrapped_bound();
        assert_eq!(flipped, (least.plus(x.negated()).unwrap(), true));
        assert!(!x.plus(least.negated()).unwrap().with_wrapped_bound().1);
        assert_eq!(large.with_wrapped_constant(), (least, true));
    }
}
