//! The code of labels, functions and queries: trees whose names are cells, with the types of values known.
//!
//! A cell holds an integer, a double, the value of a clock or the number of a channel, in 64 bits. All state is in one array of
//! cells, and so are the frames of functions, which never call themselves.

use zonewalk_model::builtin::BuiltinInfo;
use zonewalk_model::eval::Subject;
use zonewalk_model::tree::{BinaryOp, Name};
use zonewalk_syntax::span::Span;

/// A cell as an integer.
pub(crate) fn to_int(bits: u64) -> i32 {
    bits as u32 as i32
}

/// An integer as a cell.
pub(crate) fn int_bits(value: i32) -> u64 {
    u64::from(value as u32)
}

/// Where a value is.
#[derive(Clone, Debug)]
pub(crate) enum Addr {
    Cell(u32),
    Element {
        base: Box<Addr>,
        index: Box<Int>,
        extent: Extent,
        span: Span,
    },
    Plus(Box<Addr>, u32),
    /// The cell holds the address: a reference parameter.
    Through(u32),
    If(Box<Int>, Box<Addr>, Box<Addr>),
    /// The variable of one of several processes.
    OneOf(Box<Int>, Vec<Addr>),
    /// An assignment as a left side.
    After(Box<Effect>, Box<Addr>),
    /// The result of a function.
    Result(Box<Call>),
}

/// How an array is indexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) lo: i32,
    pub(crate) len: u32,
    pub(crate) stride: u32,
}

/// The values of a bound name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values {
    pub(crate) cell: u32,
    pub(crate) lo: i32,
    pub(crate) hi: i32,
}

/// The next combination of values, the last one varying fastest; false when there is none.
pub(crate) fn next_values(values: &mut [i32], ranges: &[Values]) -> bool {
    for (value, range) in values.iter_mut().zip(ranges).rev() {
        if *value < range.hi {
            *value += 1;
            return true;
        }
        *value = range.lo;
    }
    false
}

/// An expression with an integer or a truth value.
#[derive(Clone, Debug)]
pub(crate) enum Int {
    Const(i32),
    Load(u32),
    Read(Addr),
    Arithmetic(BinaryOp, Box<Int>, Box<Int>, Span),
    Negate(Box<Int>),
    Not(Box<Int>),
    And(Vec<Int>),
    Or(Vec<Int>),
    Imply(Box<Int>, Box<Int>),
    Xor(Box<Int>, Box<Int>),
    Compare(BinaryOp, Box<Int>, Box<Int>),
    CompareReal(BinaryOp, Box<Real>, Box<Real>, Span),
    /// Whole values: equal or not.
    Same(bool, Box<Addr>, Box<Addr>, u32),
    If(Box<Int>, Box<Int>, Box<Int>),
    Any(Values, Box<Int>),
    All(Values, Box<Int>),
    Sum(Values, Box<Int>),
    /// Whether a process is at a location.
    At(u32, u32),
    OneOf(Box<Int>, Vec<Int>),
    /// The number of a process within a set, from the values of its parameters.
    Process(Vec<(Int, i32, u32)>, Span),
    /// A double as a condition.
    Truth(Box<Real>),
    Builtin(&'static BuiltinInfo, Vec<Number>, Span),
    Call(Box<Call>),
    /// Runs something first.
    After(Box<Effect>, Box<Int>),
    /// `p++`: the value before.
    Before(Box<Int>, Box<Effect>),
}

/// An expression with a double as its value; clocks are doubles.
#[derive(Clone, Debug)]
pub(crate) enum Real {
    Const(f64),
    Load(u32),
    Read(Addr),
    /// An integer, and whether it depends on clocks.
    Int(Box<Int>, bool),
    Add(Box<Real>, Box<Real>),
    Sub(Box<Real>, Box<Real>),
    Mul(Box<Real>, Box<Real>),
    Div(Box<Real>, Box<Real>),
    Arithmetic(BinaryOp, Box<Real>, Box<Real>, Span),
    Negate(Box<Real>),
    /// The condition, and whether it depends on clocks.
    If(Box<Int>, bool, Box<Real>, Box<Real>),
    Sum(Values, Box<Real>),
    OneOf(Box<Int>, Vec<Real>),
    Unary(fn(f64) -> f64, Box<Real>),
    Binary(fn(f64, f64) -> f64, Box<Real>, Box<Real>),
    Builtin(&'static BuiltinInfo, Vec<Number>, Span),
    Draw(Distribution, Vec<Real>, Span),
    Call(Box<Call>),
    After(Box<Effect>, Box<Real>),
    Before(Box<Real>, Box<Effect>),
}

/// An argument of a built-in function.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Int(Int),
    Real(Real),
}

/// Distributions of the `random…()` functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distribution {
    Uniform,
    Arcsine,
    Beta,
    Gamma,
    Normal,
    Poisson,
    Triangular,
    Weibull,
}

/// Values allowed for an integer variable.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    /// Anything, as 0 or 1.
    Bool,
    Range(i32, i32),
}

/// A compiled statement that changes cells.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    SetInt {
        to: Addr,
        value: Int,
        domain: Domain,
        subject: Subject,
        span: Span,
    },
    SetReal(Addr, Real),
    /// Whole values: to, from, number of cells.
    Copy(Addr, Addr, u32),
    /// `p op= e`, with the address found once.
    Change {
        to: Addr,
        op: BinaryOp,
        value: Int,
        domain: Domain,
        span: Span,
    },
    ChangeReal {
        to: Addr,
        op: BinaryOp,
        value: Real,
        span: Span,
    },
    Int(Int),
    Real(Real),
    Block(Vec<Effect>),
    If(Int, Box<Effect>, Option<Box<Effect>>),
    Loop {
        /// The body runs once before the condition is evaluated.
        body_first: bool,
        condition: Int,
        step: Option<Box<Effect>>,
        body: Box<Effect>,
        span: Span,
    },
    ForEach(Values, Box<Effect>),
    /// Ends the function.
    Return(Option<Box<Effect>>),
    Assert(Int, Span),
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Index into the table of functions.
    pub(crate) function: usize,
    pub(crate) args: Vec<Arg>,
    /// Its result depends on clocks.
    pub(crate) timed: bool,
    pub(crate) span: Span,
}

/// An argument and the cells of its parameter.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Int(u32, Int, Domain, Name),
    Real(u32, Real),
    /// By reference.
    Address(u32, Addr),
    Copy(u32, Addr, u32),
}

/// A function for one process, or for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) is_void: bool,
    /// Where its result is.
    pub(crate) result: u32,
    pub(crate) body: Effect,
}

/// A condition whose truth may depend on clocks, in a form whose instants can be computed.
#[derive(Clone, Debug)]
pub(crate) enum Cond {
    /// No clock takes part.
    Data(Int),
    Compare(BinaryOp, Real, Real, Span),
    And(Vec<Cond>),
    Or(Vec<Cond>),
    Not(Box<Cond>),
    Any(Values, Box<Cond>),
    All(Values, Box<Cond>),
    /// Clocks take part in another way.
    Opaque(Int),
}

impl Addr {
    /// The address `cells` cells further on.
    pub(crate) fn plus(self, cells: u32) -> Addr {
        match (self, cells) {
            (addr, 0) => addr,
            (Addr::Cell(cell), n) => Addr::Cell(cell + n),
            (Addr::Plus(base, m), n) => Addr::Plus(base, m + n),
            (addr, n) => Addr::Plus(Box::new(addr), n),
        }
    }
}
