//! The system section, and whole documents in the textual format.

use super::Parser;
use crate::ast::{Direction, Document, Instantiation, IoLine, Queries, Sync, SystemItem, SystemLine};
use crate::span::Span;
use crate::token::Token;

impl Parser<'_, '_> {
    /// Declarations, instantiations and the system line, up to the end of the text.
    pub(super) fn system_items(&mut self) -> Vec<SystemItem> {
        let mut items = Vec::new();
        while !self.at(Token::End) {
            let before = self.mark();
            match self.system_item() {
                Some(item) => items.push(item),
                None => self.recover(),
            }
            if self.mark() == before {
                self.bump();
            }
        }
        items
    }

    fn system_item(&mut self) -> Option<SystemItem> {
        match self.token() {
            Token::System => self.system_line().map(SystemItem::System),
            Token::Io => self.io_line().map(SystemItem::Io),
            Token::Ident if matches!(self.peek().0, Token::Assign | Token::LeftParen) => {
                self.instantiation().map(SystemItem::Instantiation)
            }
            _ => self.declaration().map(SystemItem::Decl),
        }
    }

    /// `system A, B < C;`
    fn system_line(&mut self) -> Option<SystemLine> {
        let start = self.mark();
        self.bump();
        let mut levels = vec![vec![self.name("the name of a process")?]];
        loop {
            if self.eat(Token::Comma) {
                let name = self.name("the name of a process")?;
                levels.last_mut()?.push(name);
            } else if self.eat(Token::Less) {
                levels.push(vec![self.name("the name of a process")?]);
            } else {
                break;
            }
        }
        let line = SystemLine {
            levels,
            span: self.span_from(start),
        };
        self.expect(Token::Semicolon, "`;`, `,` or `<`").then_some(line)
    }

    /// `IO A(i) { in[i]?, out! }`, with or without a `;`
    fn io_line(&mut self) -> Option<IoLine> {
        let start = self.mark();
        self.bump();
        let process = self.name("the name of a template or a process")?;
        let args = if self.at(Token::LeftParen) {
            self.arguments()
        } else {
            Vec::new()
        };
        if !self.expect(Token::LeftBrace, "`{` and actions") {
            return None;
        }
        let mut actions = Vec::new();
        while !matches!(self.token(), Token::RightBrace | Token::End) {
            actions.push(self.io_action());
            if !self.eat(Token::Comma) {
                break;
            }
        }
        let line = IoLine {
            process,
            args,
            actions,
            span: self.span_from(start),
        };
        if !self.expect(Token::RightBrace, "`,` or `}`") {
            return None;
        }
        self.eat(Token::Semicolon);
        Some(line)
    }

    fn io_action(&mut self) -> Sync {
        let start = self.mark();
        let channel = self.postfix();
        let direction = if self.eat(Token::Exclamation) {
            Direction::Send
        } else if self.eat(Token::Question) {
            Direction::Receive
        } else {
            self.error_expected("`!` or `?`");
            Direction::Together
        };
        Sync {
            channel,
            direction,
            span: self.span_from(start),
        }
    }

    /// `Q(const T i) = P(i, 3);`, `Q := P();`
    fn instantiation(&mut self) -> Option<Instantiation> {
        let start = self.mark();
        let name = self.declared_name("the name of a process")?;
        let mut params = Vec::new();
        if self.eat(Token::LeftParen) {
            params = self.parameter_list(Token::RightParen);
            self.expect(Token::RightParen, "`)`");
        }
        if !self.expect(Token::Assign, "`=` and a template") {
            return None;
        }
        let template = self.name("the name of a template")?;
        if !self.at(Token::LeftParen) {
            self.error_expected("`(` and the arguments of the template");
            return None;
        }
        let args = self.arguments();
        let span = self.span_from(start);
        self.expect(Token::Semicolon, "`;`").then_some(Instantiation {
            name,
            params,
            template,
            args,
            span,
        })
    }

    /// A whole textual model: declarations and templates, then the system section. What is declared after the first
    /// instantiation belongs to the system section, where templates do not see it.
    pub(super) fn document(&mut self) -> Document {
        let mut document = Document {
            dialect: self.cx.dialect,
            decls: Vec::new(),
            templates: Vec::new(),
            charts: Vec::new(),
            system: Vec::new(),
            end: Span::NONE,
            queries: Queries::default(),
        };
        while !self.at(Token::End) {
            let before = self.mark();
            if !self.document_item(&mut document) {
                self.recover();
                if self.at(Token::RightBrace) {
                    self.error_expected("a declaration");
                    self.bump();
                }
            }
            if self.mark() == before {
                self.bump();
            }
        }
        document.end = self.here();
        document
    }

    /// One item of a document; false after an error.
    fn document_item(&mut self, document: &mut Document) -> bool {
        match self.token() {
            Token::Process => self.template().map(|t| document.templates.push(t)).is_some(),
            Token::Query => self.skip_query(),
            _ => match self.system_item() {
                Some(SystemItem::Decl(decl)) if document.system.is_empty() => {
                    document.decls.push(decl);
                    true
                }
                Some(item) => {
                    document.system.push(item);
                    true
                }
                None => false,
            },
        }
    }

    /// `query { … }` after the system line: queries of a textual model are read from query files.
    fn skip_query(&mut self) -> bool {
        self.bump();
        if !self.expect(Token::LeftBrace, "`{`") {
            return false;
        }
        while !matches!(self.token(), Token::RightBrace | Token::End) {
            self.bump();
        }
        self.expect(Token::RightBrace, "`}`")
    }
}
