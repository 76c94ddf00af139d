//! Initialisers, brought into the order and shape of their type (`semantics.md` 19b).

use super::TypeChecker;
use super::compatibility::{describe, extent, initialisable};
use crate::tree::Init;
use crate::types::Type;
use zonewalk_syntax::ast;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Says that a list has another number of values than its array has elements. Published models have both kinds, and the
/// language's own parser does not count.
pub(crate) fn miscounted(span: Span, elements: u64, values: u64) -> Diagnostic {
    let message = format!("the array has {elements} elements, its initialiser has {values}");
    let help = if values > elements {
        "extra values are ignored"
    } else {
        "missing elements get the default value"
    };
    Diagnostic::warning("initialiser", span, message).help(help)
}

impl TypeChecker<'_> {
    /// The initialiser in the shape of `ty`; `None` after an error. At compile time only constants may be read.
    pub(super) fn checked_initialiser(
        &mut self,
        ty: &Type,
        init: &ast::Init,
        compile_time: bool,
    ) -> Option<Init> {
        match init {
            ast::Init::Expr(expr) => {
                let typed = self.expression(expr);
                if matches!(typed.ty, Type::Error) || matches!(ty, Type::Error) {
                    return None;
                }
                if !self.require_pure(&typed, "an initialiser") {
                    return None;
                }
                if compile_time && !self.require_computable(&typed) {
                    return None;
                }
                if !initialisable(ty, &typed.ty) || matches!(ty, Type::Scalar(_)) && compile_time {
                    let message = match ty {
                        Type::Scalar(_) => "a scalar cannot have an initial value".to_string(),
                        _ => format!(
                            "a value of type {} does not fit {}",
                            describe(&typed.ty),
                            describe(ty)
                        ),
                    };
                    self.error("initialiser", typed.span, message);
                    return None;
                }
                Some(Init::Expr(typed))
            }
            ast::Init::List { items, span } => match ty {
                Type::Error => None,
                Type::Array(array) => {
                    for (name, item) in items {
                        if name.is_some() {
                            self.error(
                                "initialiser",
                                item.span(),
                                "an element of an array has no field name",
                            );
                        }
                    }
                    if let Some((_, count)) = extent(&array.index)
                        && count != items.len() as i64
                    {
                        self.report(miscounted(*span, count as u64, items.len() as u64));
                    }
                    let element = array.element.clone();
                    let list: Vec<Option<Init>> = items
                        .iter()
                        .map(|(_, i)| self.checked_initialiser(&element, i, compile_time))
                        .collect();
                    list.into_iter().collect::<Option<_>>().map(Init::List)
                }
                Type::Struct(fields) => {
                    let fields = fields.clone();
                    self.struct_initialiser(&fields.fields, items, *span, compile_time)
                }
                _ => {
                    self.error(
                        "initialiser",
                        *span,
                        format!("a list of values does not fit {}", describe(ty)),
                    );
                    None
                }
            },
        }
    }

    fn struct_initialiser(
        &mut self,
        fields: &[(ast::Name, Type)],
        items: &[(Option<ast::Ident>, ast::Init)],
        span: Span,
        compile_time: bool,
    ) -> Option<Init> {
        let mut values: Vec<Option<Init>> = vec![None; fields.len()];
        let mut given = vec![false; fields.len()];
        // An unnamed value follows the one before it.
        let mut current = 0;
        let mut good = true;
        for (name, item) in items {
            if let Some(name) = name {
                match fields.iter().position(|(field, _)| *field == name.name) {
                    Some(index) => current = index,
                    None => {
                        let message = format!("the struct has no field `{}`", name.name);
                        self.error("unknown-field", name.span, message);
                        return None;
                    }
                }
            }
            let Some((field, ty)) = fields.get(current) else {
                self.error(
                    "initialiser",
                    item.span(),
                    format!("the struct has only {} fields", fields.len()),
                );
                return None;
            };
            if given[current] {
                self.error(
                    "initialiser",
                    item.span(),
                    format!("the field `{field}` has two values"),
                );
                return None;
            }
            given[current] = true;
            values[current] = self.checked_initialiser(ty, item, compile_time);
            good &= values[current].is_some();
            current += 1;
        }
        if let Some(missing) = given.iter().position(|g| !g) {
            let message = format!("the field `{}` has no value", fields[missing].0);
            self.report(
                Diagnostic::error("initialiser", span, message).help("every field of a struct needs a value"),
            );
            return None;
        }
        if good {
            values.into_iter().collect::<Option<_>>().map(Init::List)
        } else {
            None
        }
    }
}
