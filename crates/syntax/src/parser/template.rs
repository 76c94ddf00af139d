//! Templates in the textual format: `process P(…) { state … init … trans … }`.

use super::Parser;
use crate::ast::{Branchpoint, Drawing, Edge, Expr, Ident, Location, Template};
use crate::diagnostic::Diagnostic;
use crate::token::Token;

const ORDER: &str =
    "the order is: declarations, `state`, `branchpoint`, `commit` and `urgent`, `init`, `trans`";

/// The parts of a template after its declarations, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    State,
    Branchpoint,
    /// `commit` and `urgent`, as many as there are.
    Flags,
    Init,
    Trans,
}

impl Section {
    fn at(token: Token) -> Option<Self> {
        Some(match token {
            Token::State => Section::State,
            Token::Branchpoint => Section::Branchpoint,
            Token::Commit | Token::Urgent => Section::Flags,
            Token::Init => Section::Init,
            Token::Trans => Section::Trans,
            _ => return None,
        })
    }
}

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
        self.sections(template);
    }

    /// Parses the sections after the declarations. A section that is repeated or comes too late is one mistake, and is read all
    /// the same.
    fn sections(&mut self, template: &mut Template) {
        let mut flagged: Vec<(bool, Ident)> = Vec::new();
        let mut last = None;
        while let Some(section) = Section::at(self.token()) {
            self.expect_section(section, last);
            last = Some(section).max(last);
            let is_commit = self.at(Token::Commit);
            self.bump();
            match section {
                Section::State => self.comma_list(Self::location, &mut template.locations),
                Section::Branchpoint => {
                    let branchpoint = |p: &mut Self| {
                        let name = p.declared_name("the name of a branchpoint")?;
                        Some(Branchpoint {
                            name,
                            drawing: Drawing::default(),
                        })
                    };
                    self.comma_list(branchpoint, &mut template.branchpoints);
                }
                Section::Flags => {
                    let name = |p: &mut Self| Some((is_commit, p.name("the name of a location")?));
                    self.comma_list(name, &mut flagged);
                }
                Section::Init => {
                    let name = self.name("the name of the initial location");
                    template.initial = template.initial.take().or(name);
                    if !self.expect(Token::Semicolon, "`;`") {
                        self.recover();
                    }
                }
                Section::Trans => self.edges(&mut template.edges),
            }
        }
        for (is_commit, name) in flagged {
            match template.locations.iter_mut().find(|l| l.name.name == name.name) {
                Some(location) if is_commit => location.committed = true,
                Some(location) => location.urgent = true,
                None => self.cx.diagnostics.push(Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("the template has no location `{}`", name.name),
                )),
            }
        }
    }

    /// Reports a part that may not follow those before it, of which `last` is to come last.
    fn expect_section(&mut self, section: Section, last: Option<Section>) {
        let is_repeated = last == Some(section) && section != Section::Flags;
        if !is_repeated && last <= Some(section) {
            return;
        }
        let (message, help) = match section {
            Section::State => (
                "a template has one list of locations".to_owned(),
                "join the lists with a comma: `state a, b, c;`",
            ),
            Section::Trans => (
                "a template has one list of edges".to_owned(),
                "join the lists with a comma: `trans a -> b { }, b -> c { };`",
            ),
            _ if is_repeated => (format!("a second {} in a template", self.found()), ORDER),
            _ => (format!("{} comes too late in the template", self.found()), ORDER),
        };
        self.error_here(message, Some(help.to_owned()));
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
            id: None,
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

    /// Updates with `,` between them. One `;` instead is told about, and the others with it.
    pub(super) fn update_list(&mut self) -> Vec<Expr> {
        let mut updates = self.expression_list();
        let mut is_told = false;
        while self.at(Token::Semicolon) && begins_update(self.peek().0) {
            if !std::mem::replace(&mut is_told, true) {
                let (span, message) = (self.here(), "`;` between updates");
                self.cx.diagnostics.push(
                    Diagnostic::error("syntax", span, message)
                        .help("updates are separated by `,`")
                        .suggest(span, ","),
                );
            }
            self.bump();
            updates.extend(self.expression_list());
        }
        updates
    }

    fn edge_labels(&mut self, source: Ident, target: Ident, controllable: bool, start: usize) -> Edge {
        let mut edge = Edge {
            id: None,
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
                    edge.updates = self.update_list();
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

/// Whether an assignment or a call can begin with this token.
fn begins_update(token: Token) -> bool {
    matches!(
        token,
        Token::Ident | Token::LeftParen | Token::Increment | Token::Decrement
    )
}
