//! Whole arrays and structs where numbers are asked for: all that is in them, cell by cell.

use super::TypeChecker;
use crate::tree::{Expr, ExprKind, Name};
use crate::types::{Bound, IndexType, Type};
use zonewalk_syntax::diagnostic::Diagnostic;

/// Cells of one expression, at most.
const MOST: usize = 10_000;

impl TypeChecker<'_> {
    /// The cells of a value with their texts: `a[0]`, `a[1]`, `s.f`. A single value is its own cell. Nothing after an error.
    pub(super) fn cells(&mut self, expr: Expr, text: String) -> Vec<(Expr, String)> {
        let mut found = Vec::new();
        let mut waiting = vec![(expr, text)];
        while let Some((expr, text)) = waiting.pop() {
            let parts = match &expr.ty {
                Type::Array(_) => self.elements(&expr, &text),
                Type::Struct(ty) => {
                    let part = |(number, (name, ty)): (usize, &(Name, Type))| {
                        let field = Expr {
                            span: expr.span,
                            ty: ty.clone(),
                            kind: ExprKind::Field(Box::new(expr.clone()), number),
                        };
                        (field, format!("{text}.{name}"))
                    };
                    Some(ty.fields.iter().enumerate().map(part).collect())
                }
                _ => {
                    found.push((expr, text));
                    continue;
                }
            };
            let Some(parts) = parts else {
                return Vec::new();
            };
            if found.len() + waiting.len() + parts.len() > MOST {
                self.report(
                    Diagnostic::error("type", expr.span, format!("this has more than {MOST} cells"))
                        .help("name the elements or fields that are of interest"),
                );
                return Vec::new();
            }
            // The first part comes first.
            waiting.extend(parts.into_iter().rev());
        }
        found
    }

    /// The elements of an array; `None` after an error.
    fn elements(&mut self, array: &Expr, text: &str) -> Option<Vec<(Expr, String)>> {
        let Type::Array(ty) = &array.ty else {
            return Some(Vec::new());
        };
        let known = |bound: &Bound| match bound {
            Bound::Const(value) => Some(*value),
            Bound::Expr(_) => None,
        };
        let (range, index_type) = match &ty.index {
            IndexType::Size(size) => (known(size).map(|size| (0, size - 1)), Type::Int),
            IndexType::Range(range) => (known(&range.lo).zip(known(&range.hi)), Type::Int),
            IndexType::Scalar(set) => {
                let size = self.scalar_sets.get(set.index()).and_then(|set| known(&set.size));
                (size.map(|size| (0, size - 1)), Type::Scalar(*set))
            }
        };
        let Some((lo, hi)) = range else {
            self.report(
                Diagnostic::error("type", array.span, "the size of this array depends on parameters")
                    .help("name the elements that are of interest"),
            );
            return None;
        };
        // More than that is refused by the caller.
        let last = i64::from(hi).min(i64::from(lo) + MOST as i64) as i32;
        let element = |at: i32| {
            let index = Expr {
                span: array.span,
                ty: index_type.clone(),
                kind: ExprKind::Int(at),
            };
            let element = Expr {
                span: array.span,
                ty: ty.element.clone(),
                kind: ExprKind::Index(Box::new(array.clone()), Box::new(index)),
            };
            (element, format!("{text}[{at}]"))
        };
        Some((lo..=last).map(element).collect())
    }
}
