//! Run-time errors of a model (`semantics.md` 17).

use crate::tree::Name;
use std::borrow::Cow;
use std::fmt;
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::span::Span;

/// A run-time error at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The expression that did it.
    pub span: Span,
    /// Expressions that it read, with their values. `None` unless the evaluator was asked to explain.
    pub read: Option<Vec<(Span, i32)>>,
}

/// Kinds of run-time faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A value does not fit where it is stored.
    OutOfRange {
        /// The value.
        value: i32,
        /// Smallest value that fits.
        lo: i32,
        /// Largest value that fits.
        hi: i32,
        /// Purpose of the value.
        subject: Subject,
    },
    /// An array has no such element.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// First index of the array.
        lo: i32,
        /// Last index of the array.
        hi: i32,
    },
    /// `/` or `%` with 0 on the right.
    DivisionByZero,
    /// A shift by a negative number, or by 32 or more.
    ShiftCount(i32),
    /// An integer to a negative power.
    NegativeExponent(i32),
    /// An intermediate value outside 32 bits.
    Overflow,
    /// A clock set to a negative value, given as text.
    NegativeClock(String),
    /// More steps than the limit of one function call or initialiser.
    DoesNotTerminate,
    /// Calls and expressions nested beyond the limit.
    TooDeep,
    /// `assert` with a false condition.
    AssertionFailed,
    /// A value that is not known before the model runs.
    NotConstant(Name),
    /// A construct that the evaluator does not compute.
    Unsupported(Cow<'static, str>),
    /// A variable with more cells than the limit.
    TooLarge {
        /// Its cells, or as many as could be counted.
        cells: u64,
    },
    /// An initialiser with the wrong number of elements.
    ElementCount {
        /// Expected number.
        expected: u64,
        /// Actual number.
        found: u64,
    },
    /// A type without a value.
    EmptyRange {
        /// Lower bound.
        lo: i32,
        /// Upper bound.
        hi: i32,
    },
    /// A negative size of an array or scalar set.
    NegativeSize(i32),
    /// A query names a process that is not there, by these arguments.
    NoSuchProcess(String),
    /// A clock value that exact arithmetic cannot hold.
    TimeTooLarge,
    /// A function that ends without returning its result.
    NoResult(Name),
    /// A double that cannot be used as it is: not a number, or infinite. Says so in words.
    NoNumber(Cow<'static, str>),
    /// The value of a variable that is not specified: the evaluation depends on it.
    Unspecified,
}

impl From<zonewalk_numbers::TooLarge> for FaultKind {
    fn from(_: zonewalk_numbers::TooLarge) -> Self {
        FaultKind::TimeTooLarge
    }
}

/// Purpose of a value that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A variable.
    Value,
    /// The argument for a parameter.
    Argument(Name),
    /// The result of a function.
    Result(Name),
}

impl FaultKind {
    /// The fault at a place.
    pub fn at(self, span: Span) -> Fault {
        Fault {
            kind: self,
            span,
            read: None,
        }
    }

    /// An unsupported construct, by name.
    pub fn unsupported(construct: impl Into<Cow<'static, str>>) -> FaultKind {
        FaultKind::Unsupported(construct.into())
    }

    /// The stable name of the kind, for diagnostics.
    pub fn code(&self) -> &'static str {
        match self {
            FaultKind::OutOfRange { .. } => Code::VALUE_OUT_OF_RANGE.as_str(),
            FaultKind::IndexOutOfRange { .. } => "index-out-of-range",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::ShiftCount(_) => "shift-count",
            FaultKind::NegativeExponent(_) => "negative-exponent",
            FaultKind::Overflow => "overflow",
            FaultKind::NegativeClock(_) => "negative-clock",
            FaultKind::DoesNotTerminate => "does-not-terminate",
            FaultKind::TooDeep => "nested-too-deeply",
            FaultKind::AssertionFailed => "assertion-failed",
            FaultKind::NotConstant(_) => "not-constant",
            FaultKind::Unsupported(_) => Code::UNSUPPORTED.as_str(),
            FaultKind::TooLarge { .. } => "too-large",
            FaultKind::ElementCount { .. } => "element-count",
            FaultKind::EmptyRange { .. } => "empty-range",
            FaultKind::NegativeSize(_) => "negative-size",
            FaultKind::NoSuchProcess(_) => "no-such-process",
            FaultKind::TimeTooLarge => "time-too-large",
            FaultKind::NoResult(_) => "no-result",
            FaultKind::NoNumber(_) => "no-number",
            FaultKind::Unspecified => "unspecified",
        }
    }
}

impl Fault {
    /// As an error of the model.
    pub fn to_diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.kind.code(), self.span, self.kind.to_string())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfRange {
                value,
                lo,
                hi,
                subject,
            } => match subject {
                Subject::Value => write!(f, "value {value} is outside int[{lo},{hi}]"),
                Subject::Argument(p) => write!(f, "argument {value} for `{p}` is outside int[{lo},{hi}]"),
                Subject::Result(p) => write!(f, "result {value} of `{p}` is outside int[{lo},{hi}]"),
            },
            FaultKind::IndexOutOfRange { index, lo, hi } if lo > hi => {
                write!(f, "index {index} into an empty array")
            }
            FaultKind::IndexOutOfRange { index, lo, hi } => {
                write!(f, "index {index} is outside the array's {lo}..{hi}")
            }
            FaultKind::DivisionByZero => f.write_str("division by zero"),
            FaultKind::ShiftCount(n) => write!(f, "shift by {n} is outside 0..31"),
            FaultKind::NegativeExponent(n) => write!(f, "integer raised to the negative power {n}"),
            FaultKind::Overflow => f.write_str("result does not fit into 32 bits"),
            FaultKind::NegativeClock(value) => write!(f, "clock set to the negative value {value}"),
            FaultKind::DoesNotTerminate => {
                let limit = super::STEP_LIMIT;
                write!(
                    f,
                    "does not end within {limit} steps: an endless loop, or quantifiers over too many values"
                )
            }
            FaultKind::TooDeep => f.write_str("calls and expressions are nested too deeply"),
            FaultKind::AssertionFailed => f.write_str("assertion failed"),
            FaultKind::NotConstant(name) => write!(f, "`{name}` is not known at compile time"),
            FaultKind::Unsupported(construct) => write!(f, "{construct} is not supported here"),
            FaultKind::TooLarge { cells } => {
                write!(
                    f,
                    "array too large: {cells} cells, at most {} are allowed",
                    super::CELL_LIMIT
                )
            }
            FaultKind::ElementCount { expected, found } => {
                write!(f, "initialiser has {found} elements, expected {expected}")
            }
            FaultKind::EmptyRange { lo, hi } => write!(f, "int[{lo},{hi}] has no value"),
            FaultKind::NegativeSize(n) => write!(f, "size {n} is negative"),
            FaultKind::NoSuchProcess(name) => write!(f, "there is no process for {name}"),
            FaultKind::TimeTooLarge => f.write_str("time value too large"),
            FaultKind::NoResult(name) => write!(f, "`{name}` ends without returning a result"),
            FaultKind::NoNumber(what) => f.write_str(what),
            FaultKind::Unspecified => f.write_str("a value is needed that is not specified"),
        }
    }
}
