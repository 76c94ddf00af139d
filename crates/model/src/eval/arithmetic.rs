//! Arithmetic: on integers in 32 bits, plain on doubles.
//!
//! Integers wrap as in two's complement (`semantics.md` 17). Both interpreters, of the typed tree and of register code,
//! compute with the integers of a model by these functions alone, and so does folding where anything could wrap. Like
//! `i32::overflowing_add` they give the result and whether it is another one than in the integers.

use super::fault::FaultKind;
pub use crate::builtin::absolute;
use crate::tree::BinaryOp;

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// `/` or `%` with 0 on the right.
    DivisionByZero,
    /// A shift by a negative number, or by 32 or more.
    ShiftCount(i32),
    /// An integer to a negative power.
    NegativeExponent(i32),
}

impl From<Undefined> for FaultKind {
    fn from(undefined: Undefined) -> FaultKind {
        match undefined {
            Undefined::DivisionByZero => FaultKind::DivisionByZero,
            Undefined::ShiftCount(n) => FaultKind::ShiftCount(n),
            Undefined::NegativeExponent(n) => FaultKind::NegativeExponent(n),
        }
    }
}

/// `a + b`
#[inline]
pub fn add(a: i32, b: i32) -> (i32, bool) {
    a.overflowing_add(b)
}

/// `a - b`
#[inline]
pub fn subtract(a: i32, b: i32) -> (i32, bool) {
    a.overflowing_sub(b)
}

/// `a * b`
#[inline]
pub fn multiply(a: i32, b: i32) -> (i32, bool) {
    a.overflowing_mul(b)
}

/// `-a`; `-INT32_MIN` wraps.
#[inline]
pub fn negate(a: i32) -> (i32, bool) {
    a.overflowing_neg()
}

/// `a / b`, truncated towards zero; `INT32_MIN / -1` wraps.
///
/// # Errors
/// Division by zero.
#[inline]
pub fn divide(a: i32, b: i32) -> Result<(i32, bool), Undefined> {
    match b {
        0 => Err(Undefined::DivisionByZero),
        _ => Ok(a.overflowing_div(b)),
    }
}

/// `a % b`, with the sign of `a`. It never wraps: only the quotient of `INT32_MIN / -1` does, not its remainder.
///
/// # Errors
/// Division by zero.
#[inline]
pub fn remainder(a: i32, b: i32) -> Result<i32, Undefined> {
    match b {
        0 => Err(Undefined::DivisionByZero),
        _ => Ok(a.wrapping_rem(b)),
    }
}

/// `a ** b`
///
/// # Errors
/// A negative exponent.
#[inline]
pub fn power(a: i32, b: i32) -> Result<(i32, bool), Undefined> {
    let exponent = u32::try_from(b).map_err(|_| Undefined::NegativeExponent(b))?;
    Ok(a.overflowing_pow(exponent))
}

/// `a << b`: the product with a power of two.
///
/// # Errors
/// A count outside 0..31.
#[inline]
pub fn shift_left(a: i32, b: i32) -> Result<(i32, bool), Undefined> {
    let exact = i64::from(a) << shift_count(b)?;
    Ok((exact as i32, i32::try_from(exact).is_err()))
}

/// `a >> b`, which keeps the sign.
///
/// # Errors
/// A count outside 0..31.
#[inline]
pub fn shift_right(a: i32, b: i32) -> Result<i32, Undefined> {
    Ok(a >> shift_count(b)?)
}

#[inline]
fn shift_count(b: i32) -> Result<u32, Undefined> {
    let count = u32::try_from(b).ok().filter(|&n| n < 32);
    count.ok_or(Undefined::ShiftCount(b))
}

/// Applies an arithmetic operator, or a comparison, to integers. `/` and `%` truncate towards zero, `%` takes the sign of
/// the left side (`semantics.md` 17a).
///
/// # Errors
/// An operation without a result.
pub fn integer(op: BinaryOp, a: i32, b: i32) -> Result<(i32, bool), FaultKind> {
    Ok(match op {
        BinaryOp::Add => add(a, b),
        BinaryOp::Sub => subtract(a, b),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::Div => divide(a, b)?,
        BinaryOp::Mod => (remainder(a, b)?, false),
        BinaryOp::Power => power(a, b)?,
        BinaryOp::ShiftLeft => shift_left(a, b)?,
        BinaryOp::ShiftRight => (shift_right(a, b)?, false),
        BinaryOp::Min => (a.min(b), false),
        BinaryOp::Max => (a.max(b), false),
        BinaryOp::BitAnd => (a & b, false),
        BinaryOp::BitXor => (a ^ b, false),
        BinaryOp::BitOr => (a | b, false),
        _ => (compare(op, &a, &b)?.into(), false),
    })
}

/// Applies an arithmetic operator to doubles.
pub fn double(op: BinaryOp, a: f64, b: f64) -> Result<f64, FaultKind> {
    Ok(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Mod => a % b,
        BinaryOp::Power => libm::pow(a, b),
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
    use proptest::prelude::*;

    const ARITHMETIC: [BinaryOp; 13] = [
        Add, Sub, Mul, Div, Mod, Power, ShiftLeft, ShiftRight, Min, Max, BitAnd, BitXor, BitOr,
    ];

    /// Numbers at which something happens: ends of ranges, powers of two and their neighbours.
    fn corners() -> Vec<i32> {
        let powers = (0..31)
            .map(|n| 1 << n)
            .flat_map(|p: i32| [p - 1, p, p + 1, -p - 1, -p, 1 - p]);
        let mut all: Vec<i32> = powers
            .chain([i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX])
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The number of 32 bits that is as far from `n` as some multiple of 2^32.
    fn reduced(n: i128) -> i128 {
        (n + (1 << 31)).rem_euclid(1 << 32) - (1 << 31)
    }

    /// A power by repeated multiplication: among the numbers of 32 bits, and in the integers as long as 128 bits hold it. Of
    /// high powers the halves are multiplied.
    fn repeated(x: i128, count: i32) -> (i128, Option<i128>) {
        let times = |(a, b): (i128, Option<i128>), (c, d): (i128, Option<i128>)| {
            let exact = b.zip(d).and_then(|(b, d)| b.checked_mul(d));
            (reduced(a * c), exact)
        };
        if count <= 300 {
            return (0..count).fold((1, Some(1)), |power, _| times(power, (x, Some(x))));
        }
        let half = repeated(x, count / 2);
        times(times(half, half), repeated(x, count % 2))
    }

    /// A bit operator, bit by bit.
    fn bitwise(x: i128, y: i128, joins: fn(bool, bool) -> bool) -> i128 {
        let bit = |n: i128, i: u32| n.rem_euclid(2i128.pow(i + 1)) >= 2i128.pow(i);
        let sum = (0..32).map(|i| i128::from(joins(bit(x, i), bit(y, i))) * 2i128.pow(i));
        reduced(sum.sum())
    }

    /// The result in the integers, as far as 128 bits hold it, and in 32 bits; `None` where there is none. By the schoolbook,
    /// and by nothing that the functions under test use.
    fn plain(op: BinaryOp, a: i32, b: i32) -> Option<(Option<i128>, i128)> {
        let (x, y) = (i128::from(a), i128::from(b));
        let exact = match op {
            Add => x + y,
            Sub => x - y,
            Mul => x * y,
            Div | Mod if b == 0 => return None,
            Div | Mod => {
                // As often as the one size fits into the other; the signs come afterwards.
                let (quotient, left) = (x.abs().div_euclid(y.abs()), x.abs().rem_euclid(y.abs()));
                match op {
                    Div if (x < 0) != (y < 0) => -quotient,
                    Div => quotient,
                    _ if x < 0 => -left,
                    _ => left,
                }
            }
            ShiftLeft | ShiftRight if !(0..=31).contains(&b) => return None,
            ShiftLeft => (0..b).fold(x, |n, _| n + n),
            ShiftRight => (0..b).fold(x, |n, _| (n - n.rem_euclid(2)) / 2),
            Power if b < 0 => return None,
            Power => {
                let (residue, exact) = repeated(x, b);
                return Some((exact, residue));
            }
            Min => [x, y][usize::from(y < x)],
            Max => [x, y][usize::from(y > x)],
            BitAnd => bitwise(x, y, |a, b| a && b),
            BitXor => bitwise(x, y, |a, b| a != b),
            BitOr => bitwise(x, y, |a, b| a || b),
            _ => unreachable!("no arithmetic"),
        };
        Some((Some(exact), reduced(exact)))
    }

    /// The result is that of the integers reduced to 32 bits, and the flag says whether that made a difference.
    fn agrees(op: BinaryOp, a: i32, b: i32) {
        let result = integer(op, a, b);
        match (&result, plain(op, a, b)) {
            (Err(_), None) => {}
            (Ok((value, wrapped)), Some((exact, reduced))) => {
                let differs = exact != Some(reduced);
                assert_eq!(
                    (i128::from(*value), *wrapped),
                    (reduced, differs),
                    "{a} {op:?} {b}"
                );
            }
            (_, plain) => panic!("{a} {op:?} {b}: {result:?}, but {plain:?}"),
        }
    }

    /// Operators with one operand agree with exact arithmetic.
    fn agrees_alone(a: i32) {
        let x = i128::from(a);
        let size = if x < 0 { 0 - x } else { x };
        for ((value, wrapped), exact) in [(negate(a), 0 - x), (absolute(a), size)] {
            assert_eq!(i128::from(value), reduced(exact), "{a}");
            assert_eq!(wrapped, reduced(exact) != exact, "{a}");
        }
    }

    /// Comparisons, by the sign of the difference.
    fn agrees_compared(a: i32, b: i32) {
        let sign = (i128::from(a) - i128::from(b)).signum();
        let signs: [(BinaryOp, &[i128]); 6] = [
            (Less, &[-1]),
            (LessEqual, &[-1, 0]),
            (Equal, &[0]),
            (NotEqual, &[-1, 1]),
            (GreaterEqual, &[0, 1]),
            (Greater, &[1]),
        ];
        for (op, signs) in signs {
            assert_eq!(compare(op, &a, &b), Ok(signs.contains(&sign)), "{a} {op:?} {b}");
        }
    }

    #[test]
    fn corner_values_wrap_as_defined() {
        let corners = corners();
        for op in ARITHMETIC {
            for &a in &corners {
                for &b in corners.iter().chain(&[5, 6, 10, 12, 13, 19, 20, 21, 24, 30]) {
                    agrees(op, a, b);
                }
            }
        }
        for &a in &corners {
            agrees_alone(a);
            corners.iter().for_each(|&b| agrees_compared(a, b));
        }
    }

    proptest! {
        #[test]
        fn values_wrap_as_defined(op in 0..ARITHMETIC.len(), a: i32, b in prop_oneof![any::<i32>(), -2..40i32]) {
            agrees(ARITHMETIC[op], a, b);
            agrees_alone(a);
            agrees_compared(a, b);
        }
    }

    #[test]
    fn division_is_that_of_c() {
        assert_eq!(integer(Div, -7, 2), Ok((-3, false)));
        assert_eq!(integer(Mod, -7, 2), Ok((-1, false)));
        assert_eq!(integer(Mod, 7, -2), Ok((1, false)));
        assert_eq!(integer(Div, 1, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(integer(Mod, 1, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(integer(Div, i32::MIN, -1), Ok((i32::MIN, true)));
        assert_eq!(integer(Mod, i32::MIN, -1), Ok((0, false)));
    }

    #[test]
    fn what_has_no_result_stays_an_error() {
        assert_eq!(integer(ShiftLeft, 1, 31), Ok((i32::MIN, true)));
        assert_eq!(integer(ShiftLeft, -1, 31), Ok((i32::MIN, false)));
        assert_eq!(integer(ShiftLeft, 200, 24), Ok((-939_524_096, true)));
        assert_eq!(integer(ShiftLeft, 1, -1), Err(FaultKind::ShiftCount(-1)));
        assert_eq!(integer(ShiftRight, 1, 32), Err(FaultKind::ShiftCount(32)));
        assert_eq!(integer(Power, 3, -1), Err(FaultKind::NegativeExponent(-1)));
        assert_eq!(integer(Power, 3, 20), Ok((-808_182_895, true)));
    }
}
