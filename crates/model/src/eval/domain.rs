//! Types as sets of values: bounds, sizes, and what fits.

use super::fault::{Fault, FaultKind, Subject};
use super::{CELL_LIMIT, Evaluator};
use crate::ids::ScalarSetId;
use crate::system::Value;
use crate::types::{ArrayType, Bound, IndexType, RangeType, Type};
use std::borrow::Cow;
use zonewalk_syntax::span::Span;

/// Types nest as deeply as a chain of typedefs is long; beyond this they are refused.
const TYPE_DEPTH_LIMIT: u32 = 200;

/// The values of a bounded integer or scalar type, smallest first. It may be empty (`semantics.md` 13a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Smallest value.
    pub lo: i32,
    /// Largest value; smaller than `lo` when there is none.
    pub hi: i32,
}

impl Domain {
    /// Domain of a plain `int` variable (`semantics.md` 17).
    pub const INT: Domain = Domain {
        lo: -32768,
        hi: 32767,
    };

    /// Whether it is one of the values.
    pub fn contains(self, value: i32) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Number of values.
    pub fn count(self) -> u64 {
        u64::try_from(i64::from(self.hi) - i64::from(self.lo) + 1).unwrap_or(0)
    }

    /// The values, smallest first.
    pub fn iter(self) -> impl Iterator<Item = i32> {
        self.lo..=self.hi
    }
}

impl Evaluator<'_> {
    /// The values of an integer or scalar type: all that a select, a quantifier or a `for` loop goes through.
    ///
    /// # Errors
    /// A bound that cannot be evaluated; a type that is not of this kind.
    pub fn domain(&mut self, ty: &Type, span: Span) -> Result<Domain, Fault> {
        match ty {
            Type::Bool => Ok(Domain { lo: 0, hi: 1 }),
            Type::Int => Ok(Domain::INT),
            Type::Range(r) => self.range(r, span),
            Type::Scalar(s) => Ok(Domain {
                lo: 0,
                hi: self.scalar_size(*s, span)? - 1,
            }),
            _ => Err(FaultKind::unsupported("a range over this type").at(span)),
        }
    }

    /// The number of cells of a variable of this type.
    ///
    /// # Errors
    /// A bound that cannot be evaluated; [`FaultKind::TooLarge`] beyond [`CELL_LIMIT`].
    pub fn element_count(&mut self, ty: &Type, span: Span) -> Result<u64, Fault> {
        let cells = self.cells(ty, span, 0)?;
        if cells > CELL_LIMIT {
            Err(FaultKind::TooLarge { cells }.at(span))
        } else {
            Ok(cells)
        }
    }

    fn cells(&mut self, ty: &Type, span: Span, depth: u32) -> Result<u64, Fault> {
        if depth > TYPE_DEPTH_LIMIT {
            return Err(FaultKind::TooDeep.at(span));
        }
        match ty {
            Type::Array(a) => {
                let length = self.length(a, span)?;
                // Even an element without cells takes room.
                Ok(length.saturating_mul(self.cells(&a.element, span, depth + 1)?.max(1)))
            }
            Type::Struct(s) => s.fields.iter().try_fold(0u64, |sum, (_, field)| {
                Ok(sum.saturating_add(self.cells(field, span, depth + 1)?))
            }),
            _ => Ok(1),
        }
    }

    /// The number of elements of an array.
    pub(super) fn length(&mut self, array: &ArrayType, span: Span) -> Result<u64, Fault> {
        match &array.index {
            IndexType::Size(bound) => {
                let n = self.bound(bound, span)?;
                u64::try_from(n).map_err(|_| FaultKind::NegativeSize(n).at(span))
            }
            IndexType::Range(r) => Ok(self.range(r, span)?.count()),
            IndexType::Scalar(s) => Ok(u64::try_from(self.scalar_size(*s, span)?).unwrap_or(0)),
        }
    }

    /// The index of an array's first element.
    pub(super) fn first_index(&mut self, array: &ArrayType, span: Span) -> Result<i32, Fault> {
        match &array.index {
            IndexType::Size(_) | IndexType::Scalar(_) => Ok(0),
            IndexType::Range(r) => self.bound(&r.lo, span),
        }
    }

    fn range(&mut self, range: &RangeType, span: Span) -> Result<Domain, Fault> {
        Ok(Domain {
            lo: self.bound(&range.lo, span)?,
            hi: self.bound(&range.hi, span)?,
        })
    }

    fn scalar_size(&mut self, set: ScalarSetId, span: Span) -> Result<i32, Fault> {
        let sets = self.code.scalar_sets;
        let Some(set) = sets.get(set.index()) else {
            return Err(FaultKind::unsupported("an unknown scalar set").at(span));
        };
        match self.bound(&set.size, span)? {
            n if n < 0 => Err(FaultKind::NegativeSize(n).at(span)),
            n => Ok(n),
        }
    }

    fn bound(&mut self, bound: &Bound, span: Span) -> Result<i32, Fault> {
        match bound {
            Bound::Const(value) => Ok(*value),
            Bound::Expr(expr) => {
                self.descend(span)?;
                let value = self.eval_int(expr);
                self.depth -= 1;
                value
            }
        }
    }

    /// The value as the type stores it: in range, `bool` as 0 or 1 (`semantics.md` 17b), integers as doubles
    /// where the type says so. Constants of type `int` have no range (17).
    pub(super) fn fit(
        &mut self,
        value: Value,
        ty: &Type,
        is_const: bool,
        subject: &Subject,
        span: Span,
    ) -> Result<Value, Fault> {
        let mismatch = |what| Err(FaultKind::unsupported(what).at(span));
        match (ty, value) {
            (Type::Bool, Value::Int(i)) => Ok(Value::Int(i32::from(i != 0))),
            (Type::Int, Value::Int(i)) if is_const => Ok(Value::Int(i)),
            (Type::Int | Type::Range(_) | Type::Scalar(_), Value::Int(value)) => {
                let domain = self.domain(ty, span)?;
                if domain.contains(value) {
                    Ok(Value::Int(value))
                } else {
                    let Domain { lo, hi } = domain;
                    Err(FaultKind::OutOfRange {
                        value,
                        lo,
                        hi,
                        subject: subject.clone(),
                    }
                    .at(span))
                }
            }
            (Type::Bool, Value::Unknown(..)) => Ok(Value::Unknown(0, 1)),
            (Type::Int, Value::Unknown(lo, hi)) if is_const => Ok(Value::Unknown(lo, hi)),
            (Type::Int | Type::Range(_) | Type::Scalar(_), Value::Unknown(lo, hi)) => {
                let domain = self.domain(ty, span)?;
                if domain.contains(lo) && domain.contains(hi) {
                    Ok(Value::Unknown(lo, hi))
                } else {
                    Err(FaultKind::Unspecified.at(span))
                }
            }
            (_, Value::Unknown(..)) => Err(FaultKind::Unspecified.at(span)),
            (Type::Double, Value::Int(i)) => Ok(Value::Double(f64::from(i))),
            (Type::Double, clock @ Value::Clock(_)) => match self.number(&clock) {
                Some(reading) => Ok(Value::Double(reading)),
                None => mismatch("a value of another type"),
            },
            (Type::Bool | Type::Int | Type::Range(_), Value::Double(_)) => mismatch("a double as an integer"),
            (Type::Array(a), Value::Array(mut elements)) => {
                let expected = self.length(a, span)?;
                let found = elements.len() as u64;
                if expected != found {
                    return Err(FaultKind::ElementCount { expected, found }.at(span));
                }
                let element = self.resolved(&a.element, span)?;
                for slot in elements.iter_mut() {
                    let value = std::mem::replace(slot, Value::Int(0));
                    *slot = self.fit(value, &element, is_const, subject, span)?;
                }
                Ok(Value::Array(elements))
            }
            (Type::Struct(s), Value::Struct(mut fields)) if s.fields.len() == fields.len() => {
                for (slot, (_, ty)) in fields.iter_mut().zip(&s.fields) {
                    let value = std::mem::replace(slot, Value::Int(0));
                    *slot = self.fit(value, ty, is_const, subject, span)?;
                }
                Ok(Value::Struct(fields))
            }
            (Type::Double, v @ Value::Double(_))
            | (Type::Str, v @ Value::Str(_))
            | (Type::Clock { .. }, v @ Value::Clock(_))
            | (Type::Chan(_), v @ Value::Channel(_))
            | (Type::Error | Type::Void | Type::Condition(_), v) => Ok(v),
            _ => mismatch("a value of another type"),
        }
    }

    /// Copy of the type with its own bounds evaluated, so that they are not evaluated per element.
    pub(super) fn resolved<'t>(&mut self, ty: &'t Type, span: Span) -> Result<Cow<'t, Type>, Fault> {
        match ty {
            Type::Range(r) if !matches!((&r.lo, &r.hi), (Bound::Const(_), Bound::Const(_))) => {
                let Domain { lo, hi } = self.range(r, span)?;
                Ok(Cow::Owned(Type::range(lo, hi)))
            }
            _ => Ok(Cow::Borrowed(ty)),
        }
    }
}

/// The next combination of values, the last one varying fastest; false when there is none.
pub fn advance(values: &mut [i32], domains: &[Domain]) -> bool {
    for (value, domain) in values.iter_mut().zip(domains).rev() {
        if *value < domain.hi {
            *value += 1;
            return true;
        }
        *value = domain.lo;
    }
    false
}
