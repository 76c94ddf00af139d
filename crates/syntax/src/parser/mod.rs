//! The parser: recursive descent, with precedence climbing for expressions.
//!
//! Parsing never fails. Each entry point returns a tree and reports what is wrong to its [`Context`]; after an error
//! it goes on at the next statement, so that one run shows many errors.

mod declaration;
mod expression;
mod limit;
mod query;
mod statement;
mod statistical;
mod system;
mod template;
mod types;

use crate::ast::{Decl, Dialect, Document, Expr, Ident, Init, Name, Param, Query, Select, Sync, SystemItem};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fragment::Fragment;
use crate::lexer::{Lexeme, Lexer};
use crate::span::Span;
use crate::token::{BUILTIN_FUNCTIONS, Grammar, Token, is_reserved_name};
pub(crate) use limit::{MAX_CODE, is_parsable};
use rustc_hash::FxHashSet;

/// How deep expressions, statements and types may nest.
pub const MAX_NESTING: usize = 1000;

/// Where parsing reports to, which dialect it reads, and the names that it has met.
#[derive(Debug)]
pub struct Context {
    /// The generation of the language.
    pub dialect: Dialect,
    /// Diagnostics so far.
    pub diagnostics: Diagnostics,
    names: FxHashSet<Name>,
}

impl Context {
    /// Creates a context without diagnostics.
    pub fn new(dialect: Dialect) -> Self {
        Context {
            dialect,
            diagnostics: Diagnostics::new(),
            names: FxHashSet::default(),
        }
    }

    /// The shared copy of a name.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name = Name::from(text);
        self.names.insert(name.clone());
        name
    }

    fn grammar(&self) -> Grammar {
        match self.dialect {
            Dialect::New => Grammar::New,
            Dialect::Old => Grammar::Old,
        }
    }
}

/// Declarations, global or of a template.
pub fn declarations(fragment: &Fragment<'_>, cx: &mut Context) -> Vec<Decl> {
    let mut p = Parser::new(fragment, cx);
    let decls = p.declarations_to_end();
    p.finish();
    decls
}

/// The system section: declarations, instantiations, the system line, progress measures.
pub fn system(fragment: &Fragment<'_>, cx: &mut Context) -> Vec<SystemItem> {
    let mut p = Parser::new(fragment, cx);
    let items = p.system_items();
    p.finish();
    items
}

/// The parameters of a template, without parentheses.
pub fn parameters(fragment: &Fragment<'_>, cx: &mut Context) -> Vec<Param> {
    let mut p = Parser::new(fragment, cx);
    let params = if p.at(Token::End) {
        Vec::new()
    } else {
        p.parameter_list(Token::End)
    };
    p.finish();
    params
}

/// The selections of an edge.
pub fn selects(fragment: &Fragment<'_>, cx: &mut Context) -> Vec<Select> {
    let mut p = Parser::new(fragment, cx);
    let selects = if p.at(Token::End) {
        Vec::new()
    } else {
        p.select_list()
    };
    p.finish();
    selects
}

/// The value of a constant: an expression, or a list in braces.
pub fn initialiser(fragment: &Fragment<'_>, cx: &mut Context) -> Init {
    let mut p = Parser::new(fragment, cx);
    let init = p.initialiser();
    p.finish();
    init
}

/// A guard, an invariant or a weight; `None` when there is nothing. In the old dialect a comma means "and".
pub fn expression(fragment: &Fragment<'_>, cx: &mut Context) -> Option<Expr> {
    let mut p = Parser::new(fragment, cx);
    let expr = (!p.at(Token::End)).then(|| p.condition());
    p.finish();
    expr
}

/// An exponential rate, `e` or `e : e`; `None` when there is nothing.
pub fn rate(fragment: &Fragment<'_>, cx: &mut Context) -> Option<(Expr, Option<Expr>)> {
    let mut p = Parser::new(fragment, cx);
    let rate = (!p.at(Token::End)).then(|| p.rate());
    p.finish();
    rate
}

/// A synchronisation; `None` when there is nothing.
pub fn sync(fragment: &Fragment<'_>, cx: &mut Context) -> Option<Sync> {
    let mut p = Parser::new(fragment, cx);
    let sync = (!p.at(Token::End)).then(|| p.sync());
    p.finish();
    sync
}

/// The updates of an edge.
pub fn updates(fragment: &Fragment<'_>, cx: &mut Context) -> Vec<Expr> {
    let mut p = Parser::new(fragment, cx);
    let updates = if p.at(Token::End) {
        Vec::new()
    } else {
        p.update_list()
    };
    if p.at(Token::Semicolon) {
        let help = "updates are separated by `,`, with no `;` at the end";
        p.error_here("unexpected `;`".into(), Some(help.into()));
        return updates;
    }
    p.finish();
    updates
}

/// One query; `None` when there is nothing but blanks and comments, or when it does not parse.
pub fn query(fragment: &Fragment<'_>, cx: &mut Context) -> Option<Query> {
    query::parse(fragment, cx)
}

/// A whole model in the textual format.
pub fn document(fragment: &Fragment<'_>, cx: &mut Context) -> Document {
    let mut p = Parser::new(fragment, cx);
    let document = p.document();
    p.finish();
    document
}

/// An identifier on its own: the name of a template or a location in an XML file. `None` when there is none.
pub fn name(fragment: &Fragment<'_>, cx: &mut Context) -> Option<Ident> {
    let text = fragment.text();
    let name = text.trim();
    if name.is_empty() {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let span = fragment.range(start, start + name.len());
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'));
    if !is_name {
        let message = format!("`{}` is not a name", excerpt(name));
        cx.diagnostics.push(
            Diagnostic::error("syntax", span, message)
                .help("a name consists of letters, digits and `_`, and does not begin with a digit"),
        );
        return None;
    }
    if is_reserved_name(name) {
        let message = format!("`{name}` is a reserved word and cannot be used as a name");
        cx.diagnostics
            .push(Diagnostic::error("syntax", span, message).help("choose another name"));
    }
    let name = cx.intern(name);
    Some(Ident { name, span })
}

/// The beginning of a text, for messages.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A token stream with one token of lookahead, more by cloning the lexer.
struct Parser<'a, 'c> {
    fragment: &'a Fragment<'a>,
    lexer: Lexer<'a>,
    current: Lexeme,
    /// Where the token before the current one ends.
    previous_end: usize,
    depth: usize,
    /// Start of the token at which the last syntax error was reported: one error a place is enough.
    last_error: Option<usize>,
    /// Whether parsing was given up: nesting too deep, or an unterminated comment.
    aborted: bool,
    cx: &'c mut Context,
}

impl<'a, 'c> Parser<'a, 'c> {
    fn new(fragment: &'a Fragment<'a>, cx: &'c mut Context) -> Self {
        let grammar = cx.grammar();
        Self::with_grammar(fragment, grammar, cx)
    }

    fn with_grammar(fragment: &'a Fragment<'a>, grammar: Grammar, cx: &'c mut Context) -> Self {
        let lexer = Lexer::new(fragment.text(), grammar);
        let start = Lexeme {
            token: Token::End,
            start: 0,
            end: 0,
        };
        let mut p = Parser {
            fragment,
            lexer,
            current: start,
            previous_end: 0,
            depth: 0,
            last_error: None,
            aborted: false,
            cx,
        };
        p.bump();
        p.previous_end = 0;
        p
    }

    fn is_old(&self) -> bool {
        self.cx.dialect == Dialect::Old
    }

    // ------------------------------------------------------------ tokens

    fn token(&self) -> Token {
        self.current.token
    }

    fn at(&self, token: Token) -> bool {
        self.current.token == token
    }

    fn text(&self) -> &'a str {
        self.lexer.slice(self.current)
    }

    /// The place of the current token.
    fn here(&self) -> Span {
        self.fragment.range(self.current.start, self.current.end)
    }

    /// Span from `start` (an offset returned by `mark`) to the end of the last token taken.
    fn span_from(&self, start: usize) -> Span {
        self.fragment.range(start, self.previous_end.max(start))
    }

    fn mark(&self) -> usize {
        self.current.start
    }

    fn bump(&mut self) {
        if self.aborted {
            return;
        }
        self.previous_end = self.current.end;
        self.current = self.lexer.next_token();
        if self.current.token == Token::Unclosed {
            let what = if self.text().starts_with('"') {
                "string"
            } else {
                "comment"
            };
            self.cx.diagnostics.push(
                Diagnostic::error("unclosed", self.here(), format!("this {what} is never closed"))
                    .label(format!("the {what} begins here")),
            );
            self.abort();
        }
    }

    /// Gives up on the rest of the text: the parser sees its end from now on.
    fn abort(&mut self) {
        self.aborted = true;
        let end = self.fragment.text().len();
        self.current = Lexeme {
            token: Token::End,
            start: end,
            end,
        };
        self.last_error = Some(end);
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// The token after the current one, and the one after that.
    fn peek(&self) -> (Token, Token) {
        let mut lexer = self.lexer.clone();
        let first = lexer.next_token().token;
        (first, lexer.next_token().token)
    }

    // ------------------------------------------------------------ errors

    fn found(&self) -> String {
        match self.token() {
            Token::End => "the end of the text".into(),
            Token::Unknown => format!("the unknown symbol `{}`", self.text()),
            Token::BigInt => format!("`{}`, which does not fit into 32 bits", self.text()),
            _ => {
                let text: String = self.text().chars().take(40).collect();
                format!("`{text}`")
            }
        }
    }

    /// Reports "expected …, found …" at the current token, once a place.
    fn error_expected(&mut self, what: &str) {
        let found = self.found();
        self.error_here(format!("expected {what}, found {found}"), None);
    }

    fn error_here(&mut self, message: String, help: Option<String>) {
        if self.last_error == Some(self.current.start) {
            return;
        }
        self.last_error = Some(self.current.start);
        let mut diagnostic = Diagnostic::error("syntax", self.here(), message);
        diagnostic.help = help;
        self.cx.diagnostics.push(diagnostic);
    }

    fn expect(&mut self, token: Token, what: &str) -> bool {
        let found = self.eat(token);
        if !found && token == Token::Semicolon && self.is_at_line_end() {
            self.error_forgotten(what);
        } else if !found {
            self.error_expected(what);
        }
        found
    }

    /// Whether nothing follows on the line of the last token.
    fn is_at_line_end(&self) -> bool {
        let between = &self.fragment.text()[self.previous_end..self.current.start];
        self.previous_end > 0 && (between.contains('\n') || self.at(Token::End))
    }

    /// Reports what is missing at the end of a line where it belongs, not where it was noticed.
    fn error_forgotten(&mut self, what: &str) {
        if self.last_error == Some(self.current.start) {
            return;
        }
        self.last_error = Some(self.current.start);
        let span = self.fragment.range(self.previous_end, self.previous_end);
        let message = format!("expected {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error("syntax", span, message);
        if what.starts_with("`;`") {
            diagnostic = diagnostic.help("end it with `;`").suggest(span, ";");
        }
        self.cx.diagnostics.push(diagnostic);
    }

    /// The end of a fragment: anything left over is an error.
    fn finish(&mut self) {
        if !self.at(Token::End) {
            let found = self.found();
            let help = match self.token() {
                Token::Assign => Some("use `==` to compare".to_string()),
                Token::Comma => Some("use `&&` to join conditions".to_string()),
                Token::Arrow => Some(
                    "`p imply q` is an implication; `p --> q` on its own asks whether q follows p"
                        .to_string(),
                ),
                Token::Ident if self.text() == "implies" => Some("use `imply`".to_string()),
                _ => None,
            };
            self.error_here(format!("unexpected {found}"), help);
        }
    }

    /// Goes on after the next `;` of this nesting level, or before a closing brace of the level around it.
    fn recover(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token() {
                Token::End => return,
                Token::Semicolon if depth == 0 => {
                    self.bump();
                    return;
                }
                Token::LeftBrace => depth += 1,
                Token::RightBrace if depth == 0 => return,
                Token::RightBrace => {
                    depth -= 1;
                    if depth == 0 {
                        self.bump();
                        // `};` and `}` alike end what was skipped.
                        self.eat(Token::Semicolon);
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Runs `parse` one nesting level deeper; too deep ends everything with an error.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_NESTING {
            if !self.aborted {
                self.cx.diagnostics.push(
                    Diagnostic::error(
                        "nesting",
                        self.here(),
                        format!("this nests deeper than {MAX_NESTING} levels"),
                    )
                    .help("split it with constants, variables or functions"),
                );
            }
            self.abort();
            return None;
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        Some(result)
    }

    // ------------------------------------------------------------ names

    fn ident_here(&mut self) -> Ident {
        let name = self.cx.intern(self.lexer.slice(self.current));
        Ident {
            name,
            span: self.here(),
        }
    }

    /// A name that refers to something.
    fn name(&mut self, what: &str) -> Option<Ident> {
        if self.at(Token::Ident) {
            let ident = self.ident_here();
            self.bump();
            Some(ident)
        } else {
            self.error_expected(what);
            None
        }
    }

    /// A name that is being declared: neither a reserved word nor a built-in function.
    fn declared_name(&mut self, what: &str) -> Option<Ident> {
        if self.at(Token::Ident) {
            let text = self.text();
            if !self.is_old() && BUILTIN_FUNCTIONS.contains(&text) {
                let message = format!("`{text}` is a built-in function and cannot be declared");
                self.error_here(message, Some("choose another name".into()));
            }
            return self.name(what);
        }
        let text = self.text();
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && self.token() != Token::Unclosed {
            let message = format!("`{text}` is a reserved word and cannot be used as a name");
            self.error_here(message, Some("choose another name".into()));
            let ident = self.ident_here();
            self.bump();
            return Some(ident);
        }
        self.error_expected(what);
        None
    }
}
