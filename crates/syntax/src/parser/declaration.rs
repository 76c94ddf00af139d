//! Declarations: variables, types, functions and the special sections.

use super::Parser;
use super::types::begins_type;
use crate::ast::{
    ChanPriority, Decl, Declarator, Expr, ExprKind, ExternFunction, Function, GanttBar, GanttRow, Import,
    ProgressMeasure, TypeExpr, TypeKind, TypePrefix,
};
use crate::token::Token;

impl Parser<'_, '_> {
    /// Declarations up to the end of the text.
    pub(super) fn declarations_to_end(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.at(Token::End) {
            let before = self.mark();
            match self.declaration() {
                Some(decl) => decls.push(decl),
                None => {
                    self.recover();
                    // A stray closing brace would stop recovery forever.
                    if self.mark() == before || self.at(Token::RightBrace) {
                        self.error_expected("a declaration");
                        self.bump();
                    }
                }
            }
        }
        decls
    }

    /// One declaration; `None` after an error.
    pub(super) fn declaration(&mut self) -> Option<Decl> {
        match self.token() {
            Token::Typedef => {
                self.bump();
                let ty = self.type_expr();
                let declarators = self.declarators(false);
                self.end_of(
                    &declarators,
                    Decl::Typedef {
                        ty,
                        declarators: declarators.clone(),
                    },
                )
            }
            Token::Chan if self.peek().0 == Token::Priority => self.chan_priority(),
            Token::Const if self.is_old() => self.old_constants(),
            Token::BeforeUpdate => self.update_section().map(Decl::BeforeUpdate),
            Token::AfterUpdate => self.update_section().map(Decl::AfterUpdate),
            Token::Dynamic => {
                self.bump();
                let name = self.declared_name("the name of the dynamic template")?;
                self.expect(Token::LeftParen, "`(`");
                let params = self.parameter_list(Token::RightParen);
                self.expect(Token::RightParen, "`)`");
                self.expect(Token::Semicolon, "`;`")
                    .then_some(Decl::Dynamic { name, params })
            }
            Token::Import => self.import(),
            Token::Progress => self.progress(),
            Token::Gantt => self.gantt(),
            token if begins_type(token) || token == Token::Ident => self.variables_or_function(),
            _ => {
                self.error_expected("a declaration");
                None
            }
        }
    }

    fn end_of(&mut self, declarators: &[Declarator], decl: Decl) -> Option<Decl> {
        // What follows a forgotten `;` is worth reading when it clearly begins something of its own.
        let complete = !declarators.is_empty()
            && (self.expect(Token::Semicolon, "`;`")
                || self.is_at_line_end()
                    && (self.at_declaration()
                        || matches!(
                            self.token(),
                            Token::Process | Token::State | Token::System | Token::End
                        )));
        complete.then_some(decl)
    }

    fn variables_or_function(&mut self) -> Option<Decl> {
        let ty = self.type_expr();
        if self.at(Token::Ident) && self.peek().0 == Token::LeftParen {
            return self.function(ty).map(Decl::Function);
        }
        let declarators = self.declarators(true);
        self.end_of(
            &declarators,
            Decl::Variables {
                ty,
                declarators: declarators.clone(),
            },
        )
    }

    fn function(&mut self, result: TypeExpr) -> Option<Function> {
        let name = self.declared_name("the name of the function")?;
        self.expect(Token::LeftParen, "`(`");
        let params = self.parameter_list(Token::RightParen);
        self.expect(Token::RightParen, "`)`");
        if !self.at(Token::LeftBrace) {
            self.error_expected("`{` and the body of the function");
            return None;
        }
        let body = self.block();
        Some(Function {
            result,
            name,
            params,
            body,
        })
    }

    /// `const N 3, M 4, A[2] {1, 2};` (`semantics.md` 24)
    fn old_constants(&mut self) -> Option<Decl> {
        let span = self.here();
        self.bump();
        let prefix = TypePrefix {
            is_const: true,
            ..TypePrefix::default()
        };
        let ty = TypeExpr {
            prefix,
            kind: TypeKind::Int,
            span,
        };
        let mut declarators = Vec::new();
        loop {
            let name = self.declared_name("the name of the constant")?;
            let dims = self.dims();
            let init = Some(self.initialiser());
            declarators.push(Declarator { name, dims, init });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.end_of(
            &declarators,
            Decl::Variables {
                ty,
                declarators: declarators.clone(),
            },
        )
    }

    /// `{ x = 1, y = 2 }`
    fn update_section(&mut self) -> Option<Vec<Expr>> {
        self.bump();
        self.expect(Token::LeftBrace, "`{`");
        let updates = self.expression_list();
        self.expect(Token::RightBrace, "`}` or `,`").then_some(updates)
    }

    fn chan_priority(&mut self) -> Option<Decl> {
        let start = self.mark();
        self.bump();
        self.bump();
        let mut levels = vec![vec![self.priority_channel()?]];
        loop {
            if self.eat(Token::Comma) {
                let channel = self.priority_channel()?;
                levels.last_mut()?.push(channel);
            } else if self.eat(Token::Less) {
                levels.push(vec![self.priority_channel()?]);
            } else {
                break;
            }
        }
        let span = self.span_from(start);
        let decl = Decl::ChanPriority(ChanPriority { levels, span });
        self.expect(Token::Semicolon, "`;`, `,` or `<`").then_some(decl)
    }

    /// A channel with indices, or `None` for `default`. Not an expression: `<` separates the levels.
    fn priority_channel(&mut self) -> Option<Option<Expr>> {
        if self.eat(Token::Default) {
            return Some(None);
        }
        let start = self.mark();
        let name = self.name("a channel or `default`")?;
        let mut expr = Expr {
            kind: ExprKind::Name(name.name),
            span: name.span,
        };
        let depth = self.depth;
        while self.eat(Token::LeftBracket) {
            let index = self.expr();
            self.expect(Token::RightBracket, "`]`");
            let kind = ExprKind::Index(Box::new(expr), Box::new(index));
            expr = Expr {
                kind,
                span: self.span_from(start),
            };
            self.depth += 1;
            self.nested(|_| ())?;
        }
        self.depth = depth;
        Some(Some(expr))
    }

    fn import(&mut self) -> Option<Decl> {
        let start = self.mark();
        self.bump();
        if !self.at(Token::Str) {
            self.error_expected("the path of a library in quotes");
            return None;
        }
        let library = self.text().trim_matches('"').to_string();
        let library = self.cx.intern(&library);
        self.bump();
        let mut functions = Vec::new();
        if self.eat(Token::LeftBrace) {
            while !self.at(Token::RightBrace) && !self.at(Token::End) {
                functions.push(self.extern_function()?);
            }
            self.expect(Token::RightBrace, "`}`");
            self.expect(Token::Semicolon, "`;`");
        } else {
            functions.push(self.extern_function()?);
        }
        Some(Decl::Import(Import {
            library,
            functions,
            span: self.span_from(start),
        }))
    }

    /// `int f(int x);` or `g = int f(int x);`
    fn extern_function(&mut self) -> Option<ExternFunction> {
        let alias = (self.at(Token::Ident) && self.peek().0 == Token::Assign).then(|| {
            let ident = self.ident_here();
            self.bump();
            self.bump();
            ident
        });
        let result = self.type_expr();
        let name = self.name("the name of the function")?;
        self.expect(Token::LeftParen, "`(`");
        let params = self.parameter_list(Token::RightParen);
        self.expect(Token::RightParen, "`)`");
        let function = ExternFunction {
            result,
            name: alias.unwrap_or(name),
            params,
        };
        self.expect(Token::Semicolon, "`;`").then_some(function)
    }

    fn progress(&mut self) -> Option<Decl> {
        self.bump();
        self.expect(Token::LeftBrace, "`{`");
        let mut measures = Vec::new();
        while !self.at(Token::RightBrace) && !self.at(Token::End) {
            let first = self.expr();
            let measure = if self.eat(Token::Colon) {
                ProgressMeasure {
                    guard: Some(first),
                    measure: self.expr(),
                }
            } else {
                ProgressMeasure {
                    guard: None,
                    measure: first,
                }
            };
            measures.push(measure);
            if !self.expect(Token::Semicolon, "`;`") {
                return None;
            }
        }
        self.expect(Token::RightBrace, "`}`")
            .then_some(Decl::Progress(measures))
    }

    fn gantt(&mut self) -> Option<Decl> {
        self.bump();
        self.expect(Token::LeftBrace, "`{`");
        let mut rows = Vec::new();
        while !self.at(Token::RightBrace) && !self.at(Token::End) {
            let name = self.name("the title of a row")?;
            let mut selects = Vec::new();
            if self.eat(Token::LeftParen) {
                selects = self.select_list();
                self.expect(Token::RightParen, "`)`");
            }
            self.expect(Token::Colon, "`:`");
            let mut bars = vec![self.gantt_bar()];
            while self.eat(Token::Comma) {
                bars.push(self.gantt_bar());
            }
            rows.push(GanttRow { name, selects, bars });
            if !self.expect(Token::Semicolon, "`;`") {
                return None;
            }
        }
        self.expect(Token::RightBrace, "`}`").then_some(Decl::Gantt(rows))
    }

    fn gantt_bar(&mut self) -> GanttBar {
        let mut selects = Vec::new();
        if self.eat(Token::For) {
            self.expect(Token::LeftParen, "`(`");
            selects = self.select_list();
            self.expect(Token::RightParen, "`)`");
        }
        let condition = self.expr();
        self.expect(Token::Arrow, "`->` and a colour");
        let color = self.expr();
        GanttBar {
            selects,
            condition,
            color,
        }
    }
}
