//! Templates in the textual format: `process P(…) { state … init … trans … }`.

use super::Parser;
use crate::ast::{Branchpoint, Drawing, Edge, Ident, Location, Template};
use crate::token::Token;

impl Parser<'_, '_> {
    /// A template; the current token is `process`. `None` after an error in its head.
    pub(super) fn template(&mut self) -> Option<Template> {
        let start = self.mark();
        self.bump();
        let name = self.declared_name("the name of the template")?;
        let mut params = Vec::new();
        if self.at(Token::LeftParen) {
            self.bump();
            params = self.parameter_list(Token::RightParen);
            self.expect(Token::RightParen, "`)`");
        } else if !self.is_old() {
            self.error_expected("`(` and the parameters of the template");
        }
        if !self.expect(Token::LeftBrace, "`{` and the body of the template") {
            return None;
        }
        let mut template = Template {
            name,
            params,
            decls: Vec::new(),
            locations: Vec::new(),
            branchpoints: Vec::new(),
            initial: None,
            edges: Vec::new(),
            is_textual: true,
            span: self.span_from(start),
        };
        self.template_body(&mut template);
        self.expect(Token::RightBrace, "`}` at the end of the template");
        template.span = self.span_from(start);
        Some(template)
    }

    fn template_body(&mut self, template: &mut Template) {
        while !matches!(self.token(), Token::State | Token::RightBrace | Token::End) {
            let before = self.mark();
            match self.declaration() {
                Some(decl) => template.decls.push(decl),
                None => self.recover(),
            }
            if self.mark() == before {
                self.bump();
            }
        }
        if self.eat(Token::State) {
            self.comma_list(Self::location, &mut template.locations);
        }
        if self.eat(Token::Branchpoint) {
            let branchpoint = |p: &mut Self| {
                let name = p.declared_name("the name of a branchpoint")?;
                Some(Branchpoint {
                    name,
                    drawing: Drawing::default(),
                })
            };
            self.comma_list(branchpoint, &mut template.branchpoints);
        }
        loop {
            let committed = match self.token() {
                Token::Commit => true,
                Token::Urgent => false,
                _ => break,
            };
            self.bump();
            let mut names: Vec<Ident> = Vec::new();
            self.comma_list(|p| p.name("the name of a location"), &mut names);
            for name in names {
                match template.locations.iter_mut().find(|l| l.name.name == name.name) {
                    Some(location) if committed => location.committed = true,
                    Some(location) => location.urgent = true,
                    None => self.cx.diagnostics.push(crate::diagnostic::Diagnostic::error(
                        "unknown-name",
                        name.span,
                        format!("the template has no location `{}`", name.name),
                    )),
                }
            }
        }
        if self.eat(Token::Init) {
            template.initial = self.name("the name of the initial location");
            if !self.expect(Token::Semicolon, "`;`") {
                self.recover();
            }
        }
        if self.eat(Token::Trans) {
            self.edges(&mut template.edges);
        }
    }

    /// `a, b, c;`
    fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>, list: &mut Vec<T>) {
        loop {
            match item(self) {
                Some(value) => list.push(value),
                None => return self.recover(),
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        if !self.expect(Token::Semicolon, "`;` or `,`") {
            self.recover();
        }
    }

    /// `L`, `L { invariant }`, `L { invariant; rate }`, `L { ; rate }`
    fn location(&mut self) -> Option<Location> {
        let start = self.mark();
        let name = self.declared_name("the name of a location")?;
        let mut invariant = None;
        let mut rate = None;
        if self.eat(Token::LeftBrace) {
            if !self.at(Token::Semicolon) {
                invariant = Some(self.condition());
            }
            if self.eat(Token::Semicolon) {
                rate = Some(self.rate());
            }
            if !self.expect(Token::RightBrace, "`}`") {
                return None;
            }
        }
        Some(Location {
            name,
            is_named: true,
            invariant,
            rate,
            committed: false,
            urgent: false,
            span: self.span_from(start),
            drawing: Drawing::default(),
        })
    }

    /// `s -> t { … }, -> u { … }, v -u-> w { … };` A missing source is that of the edge before (`semantics.md` 24a).
    fn edges(&mut self, edges: &mut Vec<Edge>) {
        let mut previous: Option<Ident> = None;
        loop {
            let start = self.mark();
            let source = match (self.token(), previous.take()) {
                (Token::Arrow | Token::UncontrollableArrow, Some(source)) => source,
                _ => match self.name("the source of an edge") {
                    Some(source) => source,
                    None => return self.recover(),
                },
            };
            let controllable = !self.at(Token::UncontrollableArrow);
            if !self.eat(Token::UncontrollableArrow) && !self.expect(Token::Arrow, "`->`") {
                return self.recover();
            }
            let Some(target) = self.name("the target of an edge") else {
                return self.recover();
            };
            let edge = self.edge_labels(source.clone(), target, controllable, start);
            edges.push(edge);
            previous = Some(source);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        if !self.expect(Token::Semicolon, "`;` or `,`") {
            self.recover();
        }
    }

    fn edge_labels(&mut self, source: Ident, target: Ident, controllable: bool, start: usize) -> Edge {
        let mut edge = Edge {
            source,
            target,
            selects: Vec::new(),
            guard: None,
            sync: None,
            updates: Vec::new(),
            weight: None,
            controllable,
            action: None,
            span: self.span_from(start),
            drawing: Drawing::default(),
        };
        if !self.expect(Token::LeftBrace, "`{` and the labels of the edge") {
            return edge;
        }
        loop {
            let label = self.token();
            match label {
                Token::Select => {
                    self.bump();
                    edge.selects = self.select_list();
                }
                Token::Guard => {
                    self.bump();
                    edge.guard = Some(self.condition());
                }
                Token::Sync => {
                    self.bump();
                    edge.sync = Some(self.sync());
                }
                Token::AssignWord => {
                    self.bump();
                    edge.updates = self.expression_list();
                }
                Token::Probability => {
                    self.bump();
                    edge.weight = Some(self.expr());
                }
                _ => break,
            }
            if !self.expect(Token::Semicolon, "`;` after the label") {
                self.recover();
            }
        }
        self.expect(
            Token::RightBrace,
            "`select`, `guard`, `sync`, `assign`, `probability` or `}`",
        );
        edge.span = self.span_from(start);
        edge
    }
}
