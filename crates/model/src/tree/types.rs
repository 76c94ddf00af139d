//! The types of the language, with bounds that may depend on template parameters.

use super::Expr;
use crate::ids::ScalarSetId;
use std::sync::Arc;
use zonewalk_syntax::ast::Name;

/// The type of a variable or an expression.
#[derive(Clone, Debug)]
pub enum Type {
    /// Type of an erroneous expression; the error has been reported. Fits everything.
    Error,
    /// No value.
    Void,
    /// `bool`
    Bool,
    /// `int`: as a variable -32768..=32767, as a constant or intermediate value 32 bits.
    Int,
    /// `int[lo, hi]`
    Range(Arc<RangeType>),
    /// `double`
    Double,
    /// A string literal.
    Str,
    /// `clock`, `hybrid clock`
    Clock {
        /// Ignored by symbolic analysis.
        hybrid: bool,
    },
    /// `chan`
    Chan(ChanType),
    /// An element of a scalar set.
    Scalar(ScalarSetId),
    /// An array.
    Array(Arc<ArrayType>),
    /// A struct.
    Struct(Arc<StructType>),
    /// The difference of two clocks (expressions only).
    Difference,
    /// `x'` (expressions only).
    Rate,
    /// A condition on clocks and data (expressions only), by what it may be used for.
    Condition(Condition),
    /// A process or a set of processes (queries only).
    Process,
}

/// How a boolean expression that mentions clocks may be used; each kind includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// Conjunction of clock bounds without equality: an invariant, and everything below.
    Invariant,
    /// An invariant that also sets rates.
    InvariantWithRates,
    /// Convex with the data fixed: a guard.
    Guard,
    /// Any boolean combination of clock bounds: queries only.
    Constraint,
    /// Contains `deadlock` or a path formula: top level of a query only.
    Formula,
}

/// The bounds of an integer type.
#[derive(Clone, Debug)]
pub struct RangeType {
    /// Smallest value.
    pub lo: Bound,
    /// Largest value.
    pub hi: Bound,
}

/// A bound of a range or a size of an array: known, or known once the template is instantiated.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Known now.
    Const(i32),
    /// Depends on constant parameters of the enclosing template.
    Expr(Box<Expr>),
}

/// Kinds of channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChanType {
    /// No delay while it is enabled.
    pub urgent: bool,
    /// One sender, every ready receiver.
    pub broadcast: bool,
}

/// An array type.
#[derive(Clone, Debug)]
pub struct ArrayType {
    /// The type of its elements.
    pub element: Type,
    /// Type of the index.
    pub index: IndexType,
}

/// Index types of arrays.
#[derive(Clone, Debug)]
pub enum IndexType {
    /// `a[n]`: 0 to n-1.
    Size(Bound),
    /// `a[T]` with a bounded integer type, which need not begin at 0.
    Range(Arc<RangeType>),
    /// `a[S]` with a scalar set.
    Scalar(ScalarSetId),
}

impl IndexType {
    /// Whether the number of elements is the same in every process, and known without any.
    pub fn is_known(&self) -> bool {
        let known = |bound: &Bound| matches!(bound, Bound::Const(_));
        match self {
            IndexType::Size(size) => known(size),
            IndexType::Range(range) => known(&range.lo) && known(&range.hi),
            IndexType::Scalar(_) => false,
        }
    }
}

/// A struct type.
#[derive(Clone, Debug)]
pub struct StructType {
    /// Field names and types, in order.
    pub fields: Vec<(Name, Type)>,
}

impl Type {
    /// A range with known bounds.
    pub fn range(lo: i32, hi: i32) -> Type {
        Type::Range(Arc::new(RangeType {
            lo: Bound::Const(lo),
            hi: Bound::Const(hi),
        }))
    }

    /// `int`, a range or `bool`.
    pub fn is_integral(&self) -> bool {
        matches!(self, Type::Int | Type::Range(_) | Type::Bool | Type::Error)
    }

    /// A clock, hybrid or not.
    pub fn is_clock(&self) -> bool {
        matches!(self, Type::Clock { .. } | Type::Error)
    }

    /// A channel.
    pub fn is_chan(&self) -> bool {
        matches!(self, Type::Chan(_) | Type::Error)
    }

    /// A scalar.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Scalar(_) | Type::Error)
    }

    /// The innermost element type of an array, the type itself otherwise.
    pub fn base(&self) -> &Type {
        let mut ty = self;
        while let Type::Array(a) = ty {
            ty = &a.element;
        }
        ty
    }

    /// Whether some part of it satisfies `test` (struct fields and array elements included).
    pub fn any(&self, test: &mut dyn FnMut(&Type) -> bool) -> bool {
        test(self)
            || match self {
                Type::Array(a) => a.element.any(test),
                Type::Struct(s) => s.fields.iter().any(|(_, t)| t.any(test)),
                _ => false,
            }
    }
}
