//! Statements and blocks.

use super::Parser;
use super::types::begins_type;
use crate::ast::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::token::Token;

impl Parser<'_, '_> {
    /// `{ declarations statements }`; the current token is the brace.
    pub(super) fn block(&mut self) -> Block {
        let start = self.mark();
        self.bump();
        let mut decls = Vec::new();
        while self.at_declaration() {
            match self.declaration() {
                Some(decl) => decls.push(decl),
                None => self.recover(),
            }
        }
        let mut stmts = Vec::new();
        while !self.at(Token::RightBrace) && !self.at(Token::End) {
            let before = self.mark();
            if self.at_declaration() {
                self.error_here(
                    "a declaration after a statement".into(),
                    Some("declarations come first in a block".into()),
                );
                if self.declaration().is_none() {
                    self.recover();
                }
            } else {
                stmts.push(self.statement());
            }
            if self.mark() == before {
                self.bump();
            }
        }
        self.expect(Token::RightBrace, "`}`");
        Block {
            decls,
            stmts,
            span: self.span_from(start),
        }
    }

    /// Whether a declaration begins here: a word of a type, `typedef`, or two names in a row.
    pub(super) fn at_declaration(&self) -> bool {
        match self.token() {
            Token::Typedef => true,
            Token::Ident => self.peek().0 == Token::Ident,
            token => begins_type(token),
        }
    }

    fn statement(&mut self) -> Stmt {
        let start = self.mark();
        let kind = self.nested(Self::statement_kind).unwrap_or(StmtKind::Error);
        if matches!(kind, StmtKind::Error) {
            self.recover();
        }
        Stmt {
            kind,
            span: self.span_from(start),
        }
    }

    fn statement_kind(&mut self) -> StmtKind {
        match self.token() {
            Token::LeftBrace => StmtKind::Block(self.block()),
            Token::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            Token::If => {
                self.bump();
                let condition = self.parenthesised();
                let then = Box::new(self.statement());
                let otherwise = self.eat(Token::Else).then(|| Box::new(self.statement()));
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            Token::While => {
                self.bump();
                let condition = self.parenthesised();
                StmtKind::While {
                    condition,
                    body: Box::new(self.statement()),
                }
            }
            Token::Do => {
                self.bump();
                let body = Box::new(self.statement());
                self.expect(Token::While, "`while`");
                let condition = self.parenthesised();
                self.ended(StmtKind::DoWhile { body, condition })
            }
            Token::For => self.for_statement(),
            Token::Return => {
                self.bump();
                let value = (!self.at(Token::Semicolon)).then(|| self.expr());
                self.ended(StmtKind::Return(value))
            }
            Token::Assert => {
                self.bump();
                let condition = self.expr();
                self.ended(StmtKind::Assert(condition))
            }
            _ => {
                let expr = self.expr();
                self.ended(StmtKind::Expr(expr))
            }
        }
    }

    fn ended(&mut self, kind: StmtKind) -> StmtKind {
        if self.expect(Token::Semicolon, "`;`") {
            kind
        } else {
            StmtKind::Error
        }
    }

    /// `( a, b )`: the value is that of the last expression.
    fn parenthesised(&mut self) -> Expr {
        self.expect(Token::LeftParen, "`(`");
        let expr = self.comma_expression();
        self.expect(Token::RightParen, "`)`");
        expr
    }

    /// `a, b`: rare, and only in the heads of loops. Kept as a chain of commas.
    fn comma_expression(&mut self) -> Expr {
        let mut list = self.expression_list();
        if list.len() == 1 {
            return list.remove(0);
        }
        let span = list[0].span.to(list[list.len() - 1].span);
        Expr {
            kind: ExprKind::Comma(list),
            span,
        }
    }

    fn for_statement(&mut self) -> StmtKind {
        self.bump();
        self.expect(Token::LeftParen, "`(`");
        if self.at(Token::Ident) && self.peek().0 == Token::Colon {
            let binder = self.ident_here();
            self.bump();
            self.bump();
            let ty = self.type_expr();
            self.expect(Token::RightParen, "`)`");
            return StmtKind::ForIn {
                binder,
                ty,
                body: Box::new(self.statement()),
            };
        }
        if begins_type(self.token()) || (self.at(Token::Ident) && self.peek().0 == Token::Ident) {
            self.error_here(
                "a declaration in a loop header".into(),
                Some(
                    "declare the variable at the beginning of the block, or write `for (i : int[0, 9])`"
                        .into(),
                ),
            );
            return StmtKind::Error;
        }
        let init = self.comma_expression();
        self.expect(Token::Semicolon, "`;`");
        let condition = self.comma_expression();
        self.expect(Token::Semicolon, "`;`");
        let step = self.comma_expression();
        self.expect(Token::RightParen, "`)`");
        StmtKind::For {
            init,
            condition,
            step,
            body: Box::new(self.statement()),
        }
    }
}
