//! Types with their bounds known, and how many cells, clocks and channels they take.
//!
//! A type may mix integers with clocks and channels; each of the three spaces has its own layout, in the order of
//! elements and fields.

use crate::code::cell::MAX_CELLS;
use crate::code::instr::Range;
use crate::error::{CompileError, Result};
use crate::expressions::constants::{INT, Scope};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Index into a [`Types`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeId(u32);

/// Structure of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// An integer or a scalar.
    Int(Range),
    /// 0 or 1; what is stored is the truth of the value (`semantics.md` 17b).
    Bool,
    /// Two cells.
    Double,
    Clock,
    Channel,
    Array {
        element: TypeId,
        lo: i32,
        len: u32,
    },
    Struct(Vec<TypeId>),
    /// No value.
    Void,
    /// A type, by name, whose values code cannot hold. It takes no room.
    Foreign(&'static str),
}

/// Room taken in each of the three spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Size {
    pub(crate) cells: u32,
    pub(crate) clocks: u32,
    pub(crate) channels: u32,
}

impl Size {
    /// `None` above the limit of any layout.
    fn plus(self, other: Size) -> Option<Size> {
        let add = |a: u32, b: u32| a.checked_add(b).filter(|&sum| sum < MAX_CELLS);
        Some(Size {
            cells: add(self.cells, other.cells)?,
            clocks: add(self.clocks, other.clocks)?,
            channels: add(self.channels, other.channels)?,
        })
    }

    /// `None` above the limit of any layout.
    pub(crate) fn times(self, count: u32) -> Option<Size> {
        let times = |a: u32| a.checked_mul(count).filter(|&product| product < MAX_CELLS);
        Some(Size {
            cells: times(self.cells)?,
            clocks: times(self.clocks)?,
            channels: times(self.channels)?,
        })
    }
}

/// Identity of a type in the tree, and the code copy whose parameters its bounds may depend on.
type CacheKey = (usize, u32);

/// All the types in use.
#[derive(Debug, Default)]
pub(crate) struct Types {
    kinds: Vec<(Kind, Size)>,
    ids: FxHashMap<Kind, TypeId>,
    cache: FxHashMap<CacheKey, TypeId>,
}

impl Types {
    /// The type with its bounds known.
    ///
    /// `copy` names the code copy that `scope` belongs to. An `int` is a variable's, or with `unranged` a
    /// constant's, which has 32 bits (`semantics.md` 17).
    pub(crate) fn resolve(
        &mut self,
        ty: &Type,
        unranged: bool,
        scope: &Scope<'_>,
        copy: u32,
        span: Span,
    ) -> Result<TypeId> {
        // The address of a shared part identifies it as long as the tree lives. Whether an `int` inside has a
        // range makes two types of one.
        let shared = match ty {
            Type::Array(array) => Some(Arc::as_ptr(array) as usize),
            Type::Struct(fields) => Some(Arc::as_ptr(fields) as usize),
            _ => None,
        };
        let key = shared.map(|address| (address ^ usize::from(unranged), copy));
        if let Some(key) = key
            && let Some(&id) = self.cache.get(&key)
        {
            return Ok(id);
        }
        let unknown = || CompileError::internal(span, "a bound of a type is not known after instantiation");
        let kind = match ty {
            Type::Int if unranged => Kind::Int(Range::ALL),
            Type::Int => Kind::Int(INT),
            Type::Bool => Kind::Bool,
            Type::Range(_) | Type::Scalar(_) => Kind::Int(scope.range(ty).ok_or_else(unknown)?),
            Type::Clock { .. } => Kind::Clock,
            Type::Chan(_) => Kind::Channel,
            Type::Array(array) => {
                let element = self.resolve(&array.element, unranged, scope, copy, span)?;
                let (lo, len) = scope.extent(&array.index).ok_or_else(unknown)?;
                Kind::Array { element, lo, len }
            }
            Type::Struct(fields) => Kind::Struct(
                fields
                    .fields
                    .iter()
                    .map(|(_, field)| self.resolve(field, unranged, scope, copy, span))
                    .collect::<Result<_>>()?,
            ),
            Type::Void => Kind::Void,
            Type::Double => Kind::Double,
            Type::Str => Kind::Foreign("a string"),
            Type::Difference | Type::Rate => Kind::Foreign("a clock value"),
            Type::Condition(_) => Kind::Bool,
            Type::Process => Kind::Foreign("a process"),
            Type::Error => return Err(CompileError::internal(span, "an expression has no type")),
        };
        let id = self.intern(kind, span)?;
        if let Some(key) = key {
            self.cache.insert(key, id);
        }
        Ok(id)
    }

    /// The number of a type.
    pub(crate) fn intern(&mut self, kind: Kind, span: Span) -> Result<TypeId> {
        if let Some(&id) = self.ids.get(&kind) {
            return Ok(id);
        }
        let too_large =
            || CompileError::too_large(span, format!("more than {MAX_CELLS} cells in a variable"));
        let size = match &kind {
            Kind::Int(_) | Kind::Bool => Size {
                cells: 1,
                ..Size::default()
            },
            Kind::Double => Size {
                cells: crate::code::double::CELLS,
                ..Size::default()
            },
            Kind::Clock => Size {
                clocks: 1,
                ..Size::default()
            },
            Kind::Channel => Size {
                channels: 1,
                ..Size::default()
            },
            Kind::Array { element, len, .. } => self.size(*element).times(*len).ok_or_else(too_large)?,
            Kind::Struct(fields) => {
                let sum = fields
                    .iter()
                    .try_fold(Size::default(), |sum, &f| sum.plus(self.size(f)));
                sum.ok_or_else(too_large)?
            }
            Kind::Void | Kind::Foreign(_) => Size::default(),
        };
        let id = TypeId(self.kinds.len() as u32);
        self.kinds.push((kind.clone(), size));
        self.ids.insert(kind, id);
        Ok(id)
    }

    /// Structure of the type.
    pub(crate) fn kind(&self, id: TypeId) -> &Kind {
        &self.kinds[id.0 as usize].0
    }

    /// Room taken by a value of the type.
    pub(crate) fn size(&self, id: TypeId) -> Size {
        self.kinds[id.0 as usize].1
    }

    /// Where field `number` of a struct begins, and its type.
    pub(crate) fn field(&self, id: TypeId, number: usize) -> Option<(Size, TypeId)> {
        let Kind::Struct(fields) = self.kind(id) else {
            return None;
        };
        let &ty = fields.get(number)?;
        let start = fields[..number]
            .iter()
            .try_fold(Size::default(), |sum, &f| sum.plus(self.size(f)))?;
        Some((start, ty))
    }

    /// The values of an integer or boolean.
    pub(crate) fn range(&self, id: TypeId) -> Option<Range> {
        match self.kind(id) {
            Kind::Int(range) => Some(*range),
            Kind::Bool => Some(Range { lo: 0, hi: 1 }),
            _ => None,
        }
    }

    /// A part that code cannot hold, by name.
    pub(crate) fn foreign(&self, id: TypeId) -> Option<&'static str> {
        match self.kind(id) {
            Kind::Foreign(what) => Some(what),
            Kind::Array { element, .. } => self.foreign(*element),
            Kind::Struct(fields) => fields.iter().find_map(|&f| self.foreign(f)),
            _ => None,
        }
    }

    /// Where element or field `step` of the type begins, and its type.
    pub(crate) fn part(&self, id: TypeId, step: u32) -> Option<(Size, TypeId)> {
        match self.kind(id) {
            Kind::Array { element, len, .. } if step < *len => {
                Some((self.size(*element).times(step)?, *element))
            }
            Kind::Struct(_) => self.field(id, step as usize),
            _ => None,
        }
    }

    /// The cells of a variable without initialiser (`semantics.md` 19a): 0, or the smallest value.
    pub(crate) fn defaults(&self, id: TypeId, into: &mut Vec<i32>) {
        match self.kind(id) {
            Kind::Int(range) => into.push(if range.contains(0) { 0 } else { range.lo }),
            Kind::Bool => into.push(0),
            Kind::Double => into.extend(crate::code::double::halves(0.0)),
            Kind::Array { element, len, .. } => {
                let start = into.len();
                if *len > 0 {
                    self.defaults(*element, into);
                }
                let end = into.len();
                for _ in 1..*len {
                    into.extend_from_within(start..end);
                }
            }
            Kind::Struct(fields) => {
                for &field in fields {
                    self.defaults(field, into);
                }
            }
            Kind::Clock | Kind::Channel | Kind::Void | Kind::Foreign(_) => {}
        }
    }
}
