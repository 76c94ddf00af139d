//! The predeclared functions of mathematics: names, types and values. The values are the same on every machine: those of the
//! standard library are those of the system it runs on, down to the last digit.

use crate::tree::Builtin;

/// `abs(a)`; `abs(INT32_MIN)` wraps.
#[inline]
pub fn absolute(a: i32) -> (i32, bool) {
    a.overflowing_abs()
}

/// Types of the arguments and results of built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer.
    Int,
    /// A floating-point number; an integer is converted.
    Double,
    /// A boolean.
    Bool,
}

/// A built-in function.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinInfo {
    /// Its name.
    pub name: &'static str,
    /// Parameter types.
    pub params: &'static [Number],
    /// Result type.
    pub result: Number,
    /// Whether it draws from a distribution: statistical models only.
    pub random: bool,
    compute: Compute,
}

/// How a result comes about.
#[derive(Clone, Copy, Debug)]
enum Compute {
    Abs,
    Unary(fn(f64) -> f64),
    Binary(fn(f64, f64) -> f64),
    Ternary(fn(f64, f64, f64) -> f64),
    ToInt(fn(f64) -> Option<i32>),
    Test(fn(f64) -> bool),
    Ldexp,
    /// Not computed, or random.
    Nowhere,
}

/// An argument or a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numeral {
    /// An integer or boolean.
    Int(i32),
    /// A floating-point number.
    Double(f64),
}

impl Numeral {
    /// As a double.
    pub fn to_f64(self) -> f64 {
        match self {
            Numeral::Int(i) => f64::from(i),
            Numeral::Double(d) => d,
        }
    }
}

/// Why a built-in function has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// zonewalk does not compute this function.
    Unsupported,
    /// The result is not an integer of 32 bits.
    Overflow,
}

use Number::{Bool, Double, Int};

const fn exact(
    name: &'static str,
    params: &'static [Number],
    result: Number,
    compute: Compute,
) -> BuiltinInfo {
    BuiltinInfo {
        name,
        params,
        result,
        random: false,
        compute,
    }
}

const fn real(name: &'static str, f: fn(f64) -> f64) -> BuiltinInfo {
    exact(name, &[Double], Double, Compute::Unary(f))
}

const fn real2(name: &'static str, f: fn(f64, f64) -> f64) -> BuiltinInfo {
    exact(name, &[Double, Double], Double, Compute::Binary(f))
}

const fn test(name: &'static str, f: fn(f64) -> bool) -> BuiltinInfo {
    exact(name, &[Double], Bool, Compute::Test(f))
}

const fn random(name: &'static str, params: &'static [Number]) -> BuiltinInfo {
    BuiltinInfo {
        name,
        params,
        result: Double,
        random: true,
        compute: Compute::Nowhere,
    }
}

impl Builtin {
    /// All of them; a [`Builtin`] is an index into this table.
    pub const ALL: &'static [BuiltinInfo] = &[
        exact("abs", &[Int], Int, Compute::Abs),
        real("fabs", f64::abs),
        real2("fmod", |x, y| x % y),
        exact(
            "fma",
            &[Double, Double, Double],
            Double,
            Compute::Ternary(libm::fma),
        ),
        real2("fmax", f64::max),
        real2("fmin", f64::min),
        real2("fdim", |x, y| if x > y { x - y } else { 0.0 }),
        real("exp", libm::exp),
        real("exp2", libm::exp2),
        real("expm1", libm::expm1),
        real("ln", libm::log),
        // The documentation of the language gives `log` the base 10 and `ln` the base e, unlike C.
        real("log", libm::log10),
        real("log10", libm::log10),
        real("log2", libm::log2),
        real("log1p", libm::log1p),
        real2("pow", libm::pow),
        real("sqrt", f64::sqrt),
        real("cbrt", libm::cbrt),
        real2("hypot", libm::hypot),
        real("sin", libm::sin),
        real("cos", libm::cos),
        real("tan", libm::tan),
        real("asin", libm::asin),
        real("acos", libm::acos),
        real("atan", libm::atan),
        real2("atan2", libm::atan2),
        real("sinh", libm::sinh),
        real("cosh", libm::cosh),
        real("tanh", libm::tanh),
        real("asinh", libm::asinh),
        real("acosh", libm::acosh),
        real("atanh", libm::atanh),
        real("erf", libm::erf),
        real("erfc", libm::erfc),
        real("tgamma", libm::tgamma),
        real("lgamma", libm::lgamma),
        real("ceil", f64::ceil),
        real("floor", f64::floor),
        real("trunc", f64::trunc),
        real("round", f64::round),
        exact("fint", &[Double], Int, Compute::ToInt(to_int)),
        exact("ldexp", &[Double, Int], Double, Compute::Ldexp),
        exact("ilogb", &[Double], Int, Compute::ToInt(|x| to_int(exponent(x)))),
        real("logb", exponent),
        real2("nextafter", next_after),
        real2("copysign", f64::copysign),
        exact("fpclassify", &[Int], Int, Compute::Nowhere),
        test("isfinite", f64::is_finite),
        test("isinf", f64::is_infinite),
        test("isnan", f64::is_nan),
        test("isnormal", f64::is_normal),
        test("signbit", f64::is_sign_negative),
        // The reference parser takes a single argument here, unlike C.
        test("isunordered", f64::is_nan),
        random("random", &[Double]),
        random("random_arcsine", &[Double, Double]),
        random("random_beta", &[Double, Double]),
        random("random_gamma", &[Double, Double]),
        random("random_normal", &[Double, Double]),
        random("random_poisson", &[Double]),
        random("random_tri", &[Double, Double, Double]),
        random("random_weibull", &[Double, Double]),
        // The older name of `random_normal`.
        random("normal", &[Double, Double]),
    ];

    /// The function of this name.
    pub fn find(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().position(|b| b.name == name).map(Builtin)
    }

    /// Its row of the table.
    pub fn info(self) -> &'static BuiltinInfo {
        // A `Builtin` is made by `find` only; the first row stands in for a number without a row.
        Builtin::ALL.get(self.0).unwrap_or(&Builtin::ALL[0])
    }
}

impl BuiltinInfo {
    /// The function itself, if it makes a double of a double.
    pub fn unary(&self) -> Option<fn(f64) -> f64> {
        match self.compute {
            Compute::Unary(f) => Some(f),
            _ => None,
        }
    }

    /// Whether it has values: it draws none, and zonewalk computes it.
    pub fn is_computed(&self) -> bool {
        !matches!(self.compute, Compute::Nowhere)
    }

    /// The function, if it takes two doubles.
    pub fn binary(&self) -> Option<fn(f64, f64) -> f64> {
        match self.compute {
            Compute::Binary(f) => Some(f),
            _ => None,
        }
    }

    /// The function's value, and whether it has wrapped: `abs(INT32_MIN)` is `INT32_MIN`.
    ///
    /// # Errors
    /// [`NoValue`] where zonewalk computes none, or where a double becomes no integer of 32 bits.
    pub fn compute(&self, args: &[Numeral]) -> Result<(Numeral, bool), NoValue> {
        if let (Compute::Abs, &[Numeral::Int(i)]) = (self.compute, args) {
            let (value, wrapped) = absolute(i);
            return Ok((Numeral::Int(value), wrapped));
        }
        self.plain(args).map(|value| (value, false))
    }

    fn plain(&self, args: &[Numeral]) -> Result<Numeral, NoValue> {
        match (self.compute, args) {
            (Compute::Unary(f), &[x]) => Ok(Numeral::Double(f(x.to_f64()))),
            (Compute::Binary(f), &[x, y]) => Ok(Numeral::Double(f(x.to_f64(), y.to_f64()))),
            (Compute::Ternary(f), &[x, y, z]) => Ok(Numeral::Double(f(x.to_f64(), y.to_f64(), z.to_f64()))),
            (Compute::ToInt(f), &[x]) => f(x.to_f64()).map(Numeral::Int).ok_or(NoValue::Overflow),
            (Compute::Test(f), &[x]) => Ok(Numeral::Int(i32::from(f(x.to_f64())))),
            (Compute::Ldexp, &[x, Numeral::Int(exponent)]) => {
                Ok(Numeral::Double(scale(x.to_f64(), exponent)))
            }
            _ => Err(NoValue::Unsupported),
        }
    }
}

/// Truncates towards zero, as a cast does in C; `None` when the result is not a 32-bit integer.
fn to_int(x: f64) -> Option<i32> {
    let t = x.trunc();
    (t >= f64::from(i32::MIN) && t <= f64::from(i32::MAX)).then_some(t as i32)
}

/// The binary exponent, for subnormal numbers too.
fn exponent(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if !x.is_finite() {
        return x.abs();
    }
    let biased = |x: f64| ((x.to_bits() >> 52) & 0x7FF) as i32;
    let e = if x.is_normal() {
        biased(x) - 1023
    } else {
        biased(scale(x, 64)) - 1023 - 64
    };
    f64::from(e)
}

/// `x * 2^n`, in steps whose factors are exact.
fn scale(mut x: f64, n: i32) -> f64 {
    let mut n = n.clamp(-2200, 2200);
    while n != 0 {
        let step = n.clamp(-1000, 1000);
        x *= f64::powi(2.0, step);
        n -= step;
    }
    x
}

fn next_after(x: f64, towards: f64) -> f64 {
    if x.is_nan() || towards.is_nan() {
        f64::NAN
    } else if towards > x {
        x.next_up()
    } else if towards < x {
        x.next_down()
    } else {
        towards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, args: &[Numeral]) -> Result<Numeral, NoValue> {
        let info = Builtin::find(name).unwrap().info();
        assert_eq!(info.params.len(), args.len(), "{name}");
        info.compute(args).map(|(value, _)| value)
    }

    #[test]
    fn values() {
        use Numeral::{Double, Int};
        assert_eq!(call("abs", &[Int(-7)]), Ok(Int(7)));
        assert_eq!(call("abs", &[Int(i32::MIN)]), Ok(Int(i32::MIN)));
        assert_eq!(call("fint", &[Double(-2.9)]), Ok(Int(-2)));
        assert_eq!(call("fint", &[Double(1e10)]), Err(NoValue::Overflow));
        assert_eq!(call("log", &[Int(1000)]), Ok(Double(3.0)));
        assert_eq!(call("ilogb", &[Double(10.0)]), Ok(Int(3)));
        assert_eq!(call("ilogb", &[Double(f64::from_bits(1))]), Ok(Int(-1074)));
        assert_eq!(call("ldexp", &[Double(1.5), Int(-3)]), Ok(Double(0.1875)));
        assert_eq!(call("isnan", &[Double(f64::NAN)]), Ok(Int(1)));
        assert_eq!(call("random", &[Int(3)]), Err(NoValue::Unsupported));
        assert_eq!(
            call("nextafter", &[Double(1.0), Double(2.0)]),
            Ok(Double(1.0 + f64::EPSILON))
        );
    }

    #[test]
    fn names_are_unique() {
        for (i, b) in Builtin::ALL.iter().enumerate() {
            assert_eq!(Builtin::find(b.name), Some(Builtin(i)), "{}", b.name);
        }
    }
}
