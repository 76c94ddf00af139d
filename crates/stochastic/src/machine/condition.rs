//! Whether conditions hold.

use super::{Machine, Ran, fault};
use crate::code::{Cond, Values};
use zonewalk_model::eval::FaultKind;
use zonewalk_model::eval::arithmetic::compare;
use zonewalk_model::tree::BinaryOp;
use zonewalk_syntax::span::Span;

impl Machine<'_> {
    /// Whether a condition holds now.
    pub(crate) fn holds(&mut self, condition: &Cond) -> Ran<bool> {
        Ok(match condition {
            Cond::Data(int) | Cond::Opaque(int) => self.int(int)? != 0,
            Cond::Compare(op, a, b, span) => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                if self.slack == 0.0 {
                    return compare_doubles(*op, a, b, *span);
                }
                let slack = self.slack * a.abs().max(b.abs()).max(1.0);
                match op {
                    BinaryOp::Less | BinaryOp::LessEqual => compare_doubles(*op, a, b + slack, *span)?,
                    BinaryOp::Greater | BinaryOp::GreaterEqual => compare_doubles(*op, a, b - slack, *span)?,
                    BinaryOp::Equal => (a - b).abs() <= slack,
                    _ => compare_doubles(*op, a, b, *span)?,
                }
            }
            Cond::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Cond::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            Cond::Not(part) => !self.holds(part)?,
            Cond::Any(values, body) => self.quantify(values, body, true)?,
            Cond::All(values, body) => !self.quantify(values, body, false)?,
        })
    }

    fn quantify(&mut self, values: &Values, body: &Cond, wanted: bool) -> Ran<bool> {
        for value in values.lo..=values.hi {
            self.set_int(values.cell, value);
            if self.holds(body)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[inline]
pub(super) fn compares<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> bool {
    compare(op, a, b).unwrap_or(false)
}

/// Compares by IEEE; what is not a number decides nothing.
pub(crate) fn compare_doubles(op: BinaryOp, a: f64, b: f64, span: Span) -> Ran<bool> {
    if a.is_nan() || b.is_nan() {
        return fault(
            FaultKind::NoNumber("a comparison with what is not a number (NaN)".into()),
            span,
        );
    }
    Ok(compares(op, &a, &b))
}
