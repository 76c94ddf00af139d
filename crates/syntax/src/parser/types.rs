//! Types, declarators and parameters.

use super::Parser;
use crate::ast::{
    Declarator, Dim, Expr, ExprKind, Field, Init, Param, Select, TypeExpr, TypeKind, TypePrefix,
};
use crate::token::Token;

/// Words that begin a type, names of types aside.
pub(super) fn begins_type(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Const
            | Meta
            | Urgent
            | Broadcast
            | Hybrid
            | Void
            | Bool
            | IntWord
            | DoubleWord
            | StringWord
            | Chan
            | Clock
            | Scalar
            | Struct
    )
}

impl Parser<'_, '_> {
    /// A type with its prefix. Always takes at least one token, unless it reports an error.
    pub(super) fn type_expr(&mut self) -> TypeExpr {
        let start = self.mark();
        let prefix = self.type_prefix();
        let kind = self.nested(Self::type_kind).unwrap_or(TypeKind::Error);
        TypeExpr {
            prefix,
            kind,
            span: self.span_from(start),
        }
    }

    /// At most one prefix, but `urgent broadcast` is one (`semantics.md` 17c).
    fn type_prefix(&mut self) -> TypePrefix {
        let mut prefix = TypePrefix::default();
        match self.token() {
            Token::Const => prefix.is_const = true,
            Token::Meta => prefix.is_meta = true,
            Token::Hybrid => prefix.is_hybrid = true,
            Token::Broadcast => prefix.is_broadcast = true,
            Token::Urgent => prefix.is_urgent = true,
            _ => return prefix,
        }
        self.bump();
        if prefix.is_urgent && self.eat(Token::Broadcast) {
            prefix.is_broadcast = true;
        }
        if prefix.is_broadcast && !prefix.is_urgent && self.at(Token::Urgent) {
            self.error_here(
                "`broadcast urgent` is not a valid prefix".into(),
                Some("write `urgent broadcast chan`".into()),
            );
            self.bump();
            prefix.is_urgent = true;
        }
        prefix
    }

    fn type_kind(&mut self) -> TypeKind {
        let kind = match self.token() {
            Token::Void => TypeKind::Void,
            Token::Bool => TypeKind::Bool,
            Token::DoubleWord => TypeKind::Double,
            Token::StringWord => TypeKind::Str,
            Token::Chan => TypeKind::Chan,
            Token::Clock => TypeKind::Clock,
            Token::IntWord => {
                self.bump();
                if !self.eat(Token::LeftBracket) {
                    return TypeKind::Int;
                }
                let lo = self.expr();
                self.expect(Token::Comma, "`,` and the upper bound of the range");
                let hi = self.expr();
                self.expect(Token::RightBracket, "`]`");
                return TypeKind::Range(Box::new(lo), Box::new(hi));
            }
            Token::Scalar => {
                self.bump();
                self.expect(Token::LeftBracket, "`[` and the size of the scalar set");
                let size = self.expr();
                self.expect(Token::RightBracket, "`]`");
                return TypeKind::Scalar(Box::new(size));
            }
            Token::Struct => {
                self.bump();
                return self.struct_fields();
            }
            Token::Ident => TypeKind::Name(self.ident_here()),
            _ => {
                self.error_expected("a type");
                return TypeKind::Error;
            }
        };
        self.bump();
        kind
    }

    fn struct_fields(&mut self) -> TypeKind {
        self.expect(Token::LeftBrace, "`{` and the fields of the struct");
        let mut fields = Vec::new();
        while !self.at(Token::RightBrace) && !self.at(Token::End) {
            let before = self.mark();
            let ty = self.type_expr();
            let declarators = self.declarators(false);
            fields.push(Field { ty, declarators });
            if !self.expect(Token::Semicolon, "`;` after the field") {
                self.recover();
                if self.mark() == before {
                    self.bump();
                }
            }
        }
        if fields.is_empty() {
            self.error_expected("a field: a struct has at least one");
        }
        self.expect(Token::RightBrace, "`}`");
        TypeKind::Struct(fields)
    }

    /// `a, b[3], c = 1`
    pub(super) fn declarators(&mut self, with_init: bool) -> Vec<Declarator> {
        let mut list = Vec::new();
        loop {
            let Some(name) = self.declared_name("a name to declare") else {
                return list;
            };
            let dims = self.dims();
            let init = (with_init && self.eat(Token::Assign)).then(|| self.initialiser());
            list.push(Declarator { name, dims, init });
            if !self.eat(Token::Comma) {
                return list;
            }
        }
    }

    /// `[3][id_t]`
    pub(super) fn dims(&mut self) -> Vec<Dim> {
        let mut dims = Vec::new();
        let depth = self.depth;
        while self.eat(Token::LeftBracket) {
            dims.push(if begins_type(self.token()) {
                Dim::Type(self.type_expr())
            } else {
                Dim::Size(self.expr())
            });
            self.expect(Token::RightBracket, "`]`");
            // Every dimension nests the type one deeper.
            self.depth += 1;
            if self.nested(|_| ()).is_none() {
                break;
            }
        }
        self.depth = depth;
        dims
    }

    /// A value, or `{ … }` with or without field names.
    pub(super) fn initialiser(&mut self) -> Init {
        if !self.at(Token::LeftBrace) {
            return Init::Expr(self.expr());
        }
        let here = self.here();
        self.nested(Self::initialiser_list).unwrap_or(Init::Expr(Expr {
            kind: ExprKind::Error,
            span: here,
        }))
    }

    fn initialiser_list(&mut self) -> Init {
        let start = self.mark();
        self.bump();
        let mut items = Vec::new();
        loop {
            let name = (self.at(Token::Ident) && self.peek().0 == Token::Colon).then(|| {
                let ident = self.ident_here();
                self.bump();
                self.bump();
                ident
            });
            items.push((name, self.initialiser()));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBrace, "`}` or `,`");
        Init::List {
            items,
            span: self.span_from(start),
        }
    }

    /// Parameters up to (not including) `close`. In the old dialect they are separated by `;`, several names share a
    /// type, and they are passed by reference unless `const` (`semantics.md` 24).
    pub(super) fn parameter_list(&mut self, close: Token) -> Vec<Param> {
        let mut params = Vec::new();
        while !self.at(close) && !self.at(Token::End) {
            let before = self.mark();
            if self.is_old() {
                self.old_parameters(&mut params);
                if !self.at(close) && !self.expect(Token::Semicolon, "`;` or the end of the parameters") {
                    break;
                }
            } else {
                let ty = self.type_expr();
                let by_reference = self.eat(Token::Ampersand);
                let Some(name) = self.declared_name("the name of the parameter") else {
                    break;
                };
                let dims = self.dims();
                params.push(Param {
                    ty,
                    by_reference,
                    name,
                    dims,
                });
                if !self.at(close) && !self.expect(Token::Comma, "`,` or the end of the parameters") {
                    break;
                }
                if self.at(close) && before != self.mark() && self.previous_is_comma() {
                    self.error_expected("one more parameter");
                }
            }
            if self.mark() == before {
                break;
            }
        }
        params
    }

    fn previous_is_comma(&self) -> bool {
        self.fragment.text()[..self.previous_end].ends_with(',')
    }

    fn old_parameters(&mut self, params: &mut Vec<Param>) {
        let ty = if self.at(Token::Const) {
            let span = self.here();
            self.bump();
            let prefix = TypePrefix {
                is_const: true,
                ..TypePrefix::default()
            };
            TypeExpr {
                prefix,
                kind: TypeKind::Int,
                span,
            }
        } else {
            self.type_expr()
        };
        loop {
            let Some(name) = self.declared_name("the name of the parameter") else {
                return;
            };
            let dims = self.dims();
            let by_reference = !ty.prefix.is_const;
            params.push(Param {
                ty: ty.clone(),
                by_reference,
                name,
                dims,
            });
            if !self.eat(Token::Comma) {
                return;
            }
        }
    }

    /// `i : T, j : U`
    pub(super) fn select_list(&mut self) -> Vec<Select> {
        let mut list = Vec::new();
        loop {
            let Some(name) = self.declared_name("a name to select") else {
                return list;
            };
            self.expect(Token::Colon, "`:` and a type");
            let ty = self.type_expr();
            list.push(Select { name, ty });
            if !self.eat(Token::Comma) {
                return list;
            }
        }
    }
}
