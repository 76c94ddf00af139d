//! Checked arithmetic on integers, plain arithmetic on doubles.

use super::fault::FaultKind;
use crate::tree::BinaryOp;

/// Applies an arithmetic operator in 32 bits. `/` and `%` truncate towards zero, `%` takes the sign of the left
/// side (`semantics.md` 17a); what does not fit is an error, not a wrapped value (17).
pub fn integer(op: BinaryOp, a: i32, b: i32) -> Result<i32, FaultKind> {
    let fits = |r: Option<i32>| r.ok_or(FaultKind::Overflow);
    match op {
        BinaryOp::Add => fits(a.checked_add(b)),
        BinaryOp::Sub => fits(a.checked_sub(b)),
        BinaryOp::Mul => fits(a.checked_mul(b)),
        BinaryOp::Div | BinaryOp::Mod if b == 0 => Err(FaultKind::DivisionByZero),
        BinaryOp::Div => fits(a.checked_div(b)),
        // `INT32_MIN % -1` is 0: only the quotient overflows.
        BinaryOp::Mod => Ok(a.wrapping_rem(b)),
        BinaryOp::Power => match u32::try_from(b) {
            Ok(n) => fits(a.checked_pow(n)),
            Err(_) => Err(FaultKind::NegativeExponent(b)),
        },
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&b) => Err(FaultKind::ShiftCount(b)),
        BinaryOp::ShiftLeft => fits(i32::try_from(i64::from(a) << b).ok()),
        BinaryOp::ShiftRight => Ok(a >> b),
        BinaryOp::Min => Ok(a.min(b)),
        BinaryOp::Max => Ok(a.max(b)),
        BinaryOp::BitAnd => Ok(a & b),
        BinaryOp::BitXor => Ok(a ^ b),
        BinaryOp::BitOr => Ok(a | b),
        _ => compare(op, &a, &b).map(i32::from),
    }
}

/// Applies an arithmetic operator to doubles.
pub fn double(op: BinaryOp, a: f64, b: f64) -> Result<f64, FaultKind> {
    Ok(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Mod => a % b,
        BinaryOp::Power => a.powf(b),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        _ => return Err(FaultKind::unsupported(format!("`{}` on doubles", op.symbol()))),
    })
}

/// Compares two numbers of a kind, or one number with zero.
pub fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Result<bool, FaultKind> {
    Ok(match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::Greater => a > b,
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        _ => {
            return Err(FaultKind::unsupported(format!(
                "`{}` as a comparison",
                op.symbol()
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    #[test]
    fn division_is_that_of_c() {
        assert_eq!(integer(Div, -7, 2), Ok(-3));
        assert_eq!(integer(Mod, -7, 2), Ok(-1));
        assert_eq!(integer(Mod, 7, -2), Ok(1));
        assert_eq!(integer(Div, 1, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(integer(Mod, 1, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(integer(Div, i32::MIN, -1), Err(FaultKind::Overflow));
        assert_eq!(integer(Mod, i32::MIN, -1), Ok(0));
    }

    #[test]
    fn shifts_and_powers_are_checked() {
        assert_eq!(integer(ShiftLeft, 1, 30), Ok(1 << 30));
        assert_eq!(integer(ShiftLeft, 1, 31), Err(FaultKind::Overflow));
        assert_eq!(integer(ShiftLeft, -1, 31), Ok(i32::MIN));
        assert_eq!(integer(ShiftRight, -8, 1), Ok(-4));
        assert_eq!(integer(ShiftLeft, 1, -1), Err(FaultKind::ShiftCount(-1)));
        assert_eq!(integer(ShiftRight, 1, 32), Err(FaultKind::ShiftCount(32)));
        assert_eq!(integer(Power, 3, 4), Ok(81));
        assert_eq!(integer(Power, 3, 40), Err(FaultKind::Overflow));
        assert_eq!(integer(Power, 3, -1), Err(FaultKind::NegativeExponent(-1)));
        assert_eq!(integer(Add, i32::MAX, 1), Err(FaultKind::Overflow));
        assert_eq!(integer(Min, 3, -4), Ok(-4));
    }
}
