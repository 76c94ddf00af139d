//! Types as written to types as meant.

use super::TypeChecker;
use super::scope::Symbol;
use crate::ids::ScalarSetId;
use crate::tree::{Feature, ScalarSet};
use crate::types::{ArrayType, Bound, ChanType, IndexType, RangeType, StructType, Type};
use std::sync::Arc;
use zonewalk_syntax::ast::{
    Declarator, Dim, Expr, ExprKind, Field, Ident, Name, Param, TypeExpr, TypeKind, TypePrefix,
};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Range of a variable of type `int`.
pub(super) const INT_RANGE: (i32, i32) = (i16::MIN as i32, i16::MAX as i32);

impl TypeChecker<'_> {
    /// The type of a declaration, without array dimensions. `scalar_name` is the typedef that names a scalar set.
    pub(super) fn resolve_type(&mut self, ty: &TypeExpr, scalar_name: Option<&Name>) -> Type {
        let prefix = self.prefix(ty);
        let resolved = match &ty.kind {
            TypeKind::Error => Type::Error,
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Bool,
            // A constant is a 32-bit number, a variable has a range (`semantics.md` 17).
            TypeKind::Int if prefix.is_const => Type::Int,
            TypeKind::Int => Type::range(INT_RANGE.0, INT_RANGE.1),
            TypeKind::Range(lo, hi) => self.range_type(lo, hi),
            TypeKind::Double => {
                self.feature(Feature::Doubles, ty.span);
                Type::Double
            }
            TypeKind::Str => {
                self.feature(Feature::Strings, ty.span);
                Type::Str
            }
            TypeKind::Clock => {
                if prefix.is_hybrid {
                    self.feature(Feature::HybridClocks, ty.span);
                }
                Type::Clock {
                    hybrid: prefix.is_hybrid,
                }
            }
            TypeKind::Chan => self.chan_type(prefix.is_urgent, prefix.is_broadcast, ty.span),
            TypeKind::Scalar(size) => self.scalar_type(size, scalar_name),
            TypeKind::Struct(fields) => self.struct_type(fields, ty.span),
            TypeKind::Name(name) => self.named_type(name, ty),
        };
        self.check_prefix(ty, &resolved);
        resolved
    }

    /// The prefix of a type: as written, or that of the typedef which it names.
    pub(super) fn prefix(&self, ty: &TypeExpr) -> TypePrefix {
        let mut prefix = ty.prefix;
        if let TypeKind::Name(name) = &ty.kind
            && let Some(Symbol::Type(_, inner)) = self.scopes.lookup(&name.name).map(|d| &d.symbol)
        {
            prefix.is_const |= inner.is_const;
            prefix.is_meta |= inner.is_meta;
        }
        prefix
    }

    fn chan_type(&mut self, urgent: bool, broadcast: bool, span: Span) -> Type {
        if urgent {
            self.feature(Feature::UrgentChannels, span);
        }
        if broadcast {
            self.feature(Feature::Broadcast, span);
        }
        Type::Chan(ChanType { urgent, broadcast })
    }

    /// Prefixes fit only some types (`urgent` channels, no constant clocks).
    fn check_prefix(&mut self, ty: &TypeExpr, resolved: &Type) {
        let prefix = ty.prefix;
        let base = resolved.base();
        let complaint = if matches!(base, Type::Error) {
            None
        } else if (prefix.is_urgent || prefix.is_broadcast) && !base.is_chan() {
            Some("only a channel can be urgent or broadcast")
        } else if prefix.is_hybrid && !base.is_clock() {
            Some("only a clock can be hybrid")
        } else if (prefix.is_const || prefix.is_meta) && base.is_clock() {
            Some("a clock can be neither constant nor meta")
        } else if (prefix.is_const || prefix.is_meta) && (base.is_chan() || matches!(base, Type::Void)) {
            Some("this type can be neither constant nor meta")
        } else {
            None
        };
        if let Some(message) = complaint {
            self.error("prefix", ty.span, message);
        }
    }

    fn named_type(&mut self, name: &Ident, ty: &TypeExpr) -> Type {
        match self.scopes.lookup(&name.name).map(|d| d.symbol.clone()) {
            Some(Symbol::Type(Type::Chan(chan), _)) => {
                let (urgent, broadcast) = (
                    chan.urgent || ty.prefix.is_urgent,
                    chan.broadcast || ty.prefix.is_broadcast,
                );
                Type::Chan(ChanType { urgent, broadcast })
            }
            Some(Symbol::Type(resolved, _)) => resolved,
            Some(_) => {
                self.error("not-a-type", name.span, format!("`{}` is not a type", name.name));
                Type::Error
            }
            None => {
                self.unknown_name(&name.name, name.span, "type");
                Type::Error
            }
        }
    }

    fn range_type(&mut self, lo: &Expr, hi: &Expr) -> Type {
        let lo = self.bound(lo);
        let hi = self.bound(hi);
        match (lo, hi) {
            (Some(lo), Some(hi)) => Type::Range(Arc::new(RangeType { lo, hi })),
            _ => Type::Error,
        }
    }

    /// A compile-time integer; `None` after an error.
    fn bound(&mut self, expr: &Expr) -> Option<Bound> {
        let typed = self.expression(expr);
        if matches!(typed.ty, Type::Error) {
            return None;
        }
        if !matches!(typed.ty, Type::Int | Type::Range(_)) {
            self.type_error(&typed, "an integer");
            return None;
        }
        self.constant_bound(typed)
    }

    fn scalar_type(&mut self, size: &Expr, name: Option<&Name>) -> Type {
        let span = size.span;
        let Some(bound) = self.bound(size) else {
            return Type::Error;
        };
        if let Bound::Const(n) = bound
            && n < 1
        {
            self.error(
                "size",
                span,
                format!("a scalar set of {n} elements; it needs at least one"),
            );
        }
        self.feature(Feature::ScalarSets, span);
        let id = ScalarSetId::from_index(self.scalar_sets.len());
        self.scalar_sets.push(ScalarSet {
            name: name.cloned(),
            size: bound,
        });
        Type::Scalar(id)
    }

    fn struct_type(&mut self, fields: &[Field], span: Span) -> Type {
        self.feature(Feature::Structs, span);
        let mut list: Vec<(Name, Type)> = Vec::new();
        let mut places: Vec<&Ident> = Vec::new();
        for field in fields {
            let base = self.resolve_type(&field.ty, None);
            if matches!(base, Type::Void) {
                self.error("void", field.ty.span, "a field cannot be void");
            }
            if matches!(base, Type::Str) {
                self.error(
                    "type",
                    field.ty.span,
                    "a string cannot be declared inside a struct",
                );
            }
            for declarator in &field.declarators {
                if let Some(earlier) = places.iter().find(|p| p.name == declarator.name.name) {
                    let diagnostic = Diagnostic::error(
                        "duplicate-name",
                        declarator.name.span,
                        format!("the field `{}` is declared twice", declarator.name.name),
                    );
                    self.diagnostics
                        .push(diagnostic.related(earlier.span, "first declared here"));
                    continue;
                }
                places.push(&declarator.name);
                let ty = self.with_dims(base.clone(), &declarator.dims);
                list.push((declarator.name.name.clone(), ty));
            }
        }
        Type::Struct(Arc::new(StructType { fields: list }))
    }

    /// An array of `base`: dimensions from the outermost in.
    pub(super) fn with_dims(&mut self, base: Type, dims: &[Dim]) -> Type {
        let indices: Vec<Option<IndexType>> = dims.iter().map(|dim| self.index_type(dim)).collect();
        if matches!(base, Type::Void) && !dims.is_empty() {
            return Type::Error;
        }
        indices
            .into_iter()
            .rev()
            .fold(base, |element, index| match index {
                Some(index) => Type::Array(Arc::new(ArrayType { element, index })),
                None => Type::Error,
            })
    }

    fn index_type(&mut self, dim: &Dim) -> Option<IndexType> {
        let span = match dim {
            Dim::Size(expr) => {
                // The name of a type looks like a size until now.
                if let ExprKind::Name(name) = &expr.kind
                    && let Some(Symbol::Type(ty, _)) = self.scopes.lookup(name).map(|d| d.symbol.clone())
                {
                    return self.index_by_type(ty, expr.span);
                }
                return self.array_size(expr);
            }
            Dim::Type(ty) => ty.span,
        };
        let Dim::Type(ty) = dim else { return None };
        let ty = self.resolve_type(ty, None);
        self.index_by_type(ty, span)
    }

    fn array_size(&mut self, expr: &Expr) -> Option<IndexType> {
        let bound = self.bound(expr)?;
        self.restrict(&bound);
        if let Bound::Const(n) = bound
            && n < 0
        {
            self.error("size", expr.span, format!("an array of {n} elements"));
            return None;
        }
        Some(IndexType::Size(bound))
    }

    fn index_by_type(&mut self, ty: Type, span: Span) -> Option<IndexType> {
        match ty {
            Type::Range(range) => {
                self.restrict(&range.lo);
                self.restrict(&range.hi);
                Some(IndexType::Range(range))
            }
            Type::Scalar(set) => Some(IndexType::Scalar(set)),
            Type::Error => None,
            _ => {
                self.error(
                    "size",
                    span,
                    "an array is indexed by a bounded integer type or a scalar set",
                );
                None
            }
        }
    }

    /// The type of a declarator.
    pub(super) fn declarator_type(&mut self, base: &Type, declarator: &Declarator) -> Type {
        self.with_dims(base.clone(), &declarator.dims)
    }

    /// The type of a parameter.
    pub(super) fn param_type(&mut self, param: &Param) -> Type {
        let base = self.resolve_type(&param.ty, None);
        if matches!(base, Type::Void) {
            self.error("void", param.ty.span, "a parameter cannot be void");
            return Type::Error;
        }
        self.with_dims(base, &param.dims)
    }

    /// The type of a name that runs over all its values: a bounded integer or a scalar set.
    pub(super) fn enumerated_type(&mut self, ty: &TypeExpr, what: &str) -> Type {
        let resolved = self.resolve_type(ty, None);
        match &resolved {
            Type::Error | Type::Scalar(_) => {}
            Type::Range(range) => {
                if let (Bound::Const(lo), Bound::Const(hi)) = (&range.lo, &range.hi)
                    && lo > hi
                {
                    self.warn(
                        "empty-range",
                        ty.span,
                        format!("int[{lo},{hi}] is empty: the {what} has no values"),
                    );
                }
            }
            // `const int` written as a type of a select: a plain integer.
            Type::Int => return Type::range(INT_RANGE.0, INT_RANGE.1),
            _ => {
                self.error(
                    "type",
                    ty.span,
                    format!("a {what} ranges over a bounded integer type or a scalar set"),
                );
                return Type::Error;
            }
        }
        resolved
    }
}

/// Whether this is `int` without a range of its own.
pub(super) fn is_default_int(ty: &Type) -> bool {
    match ty {
        Type::Int => true,
        Type::Range(r) => {
            matches!((&r.lo, &r.hi), (Bound::Const(lo), Bound::Const(hi)) if (*lo, *hi) == INT_RANGE)
        }
        _ => false,
    }
}
