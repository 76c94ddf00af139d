//! Texts of queries to data, by recursive descent.
//!
//! `&&` binds tightest, then `||`, then the quotient `//`, and all of them join from the left. Texts that mix them without
//! parentheses get a warning, because tools differ about them.

use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

use super::lexer::{Lexeme, Token, next};
use super::{Query, System};
use crate::closest::closest;

/// How deep parentheses and negations may nest.
const MAX_NESTING: usize = 200;

/// The mark of the stricter form of consistency.
pub(super) const FULLY: &str = "fullyConsistent";

/// The kinds of queries.
const KINDS: [&str; 9] = [
    "refinement",
    "consistency",
    "determinism",
    "implementation",
    "specification",
    "reachability",
    "get-component",
    "prune",
    "bisim-minim",
];

/// Queries, and what looks wrong in their text.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The queries.
    pub queries: Vec<Query>,
    /// Where each of them is.
    pub spans: Vec<Span>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// The components that are named, with their places.
    pub mentions: Vec<(String, Span)>,
    /// The locations and clocks that are named: component, name and place.
    pub members: Vec<(String, String, Span)>,
}

impl Parsed {
    /// Each query on its own, with the names in it. Warnings stay behind.
    pub fn each(&self) -> impl Iterator<Item = Parsed> {
        let queries = self.queries.iter().zip(&self.spans);
        queries.map(|(query, span)| {
            let is_inside = |place: &Span| span.start <= place.start && place.end <= span.end;
            let mentions = self.mentions.iter().filter(|(_, place)| is_inside(place));
            let members = self.members.iter().filter(|(.., place)| is_inside(place));
            Parsed {
                queries: vec![query.clone()],
                spans: vec![*span],
                warnings: Vec::new(),
                mentions: mentions.cloned().collect(),
                members: members.cloned().collect(),
            }
        })
    }
}

/// Parses one query, or several with `;` between them. Places count from 1, as in a source map that holds nothing else.
///
/// # Errors
/// The first error of the text.
pub fn parse(text: &str) -> Result<Vec<Query>, Box<Diagnostic>> {
    parse_at(text, 1).map(|parsed| parsed.queries)
}

/// Parses a text that begins at the address `base` of a source map.
///
/// # Errors
/// The first error of the text.
pub fn parse_at(text: &str, base: u32) -> Result<Parsed, Box<Diagnostic>> {
    let mut parser = Parser {
        text,
        base,
        current: next(text, 0),
        previous_end: 0,
        depth: 0,
        parsed: Parsed::default(),
    };
    while parser.eat(Token::Semicolon) {}
    while !parser.at(Token::End) {
        let start = parser.start();
        let query = parser.query()?;
        parser.parsed.queries.push(query);
        let span = parser.span_from(start);
        parser.parsed.spans.push(span);
        if !parser.at(Token::End) && !parser.at(Token::Semicolon) {
            return Err(parser.expected("the end of the query or `;`"));
        }
        while parser.eat(Token::Semicolon) {}
    }
    if parser.parsed.queries.is_empty() {
        let end = base + text.len() as u32;
        let error = Diagnostic::error("empty-query", Span::new(end, end), "the query is empty");
        return Err(Box::new(error));
    }
    Ok(parser.parsed)
}

/// A result with an error that is seldom there.
pub(super) type ParseResult<T> = Result<T, Box<Diagnostic>>;

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    base: u32,
    current: Lexeme,
    previous_end: usize,
    depth: usize,
    pub(super) parsed: Parsed,
}

impl<'t> Parser<'t> {
    // ------------------------------------------------------------ tokens

    pub(super) fn token(&self) -> Token {
        self.current.token
    }

    pub(super) fn at(&self, token: Token) -> bool {
        self.current.token == token
    }

    pub(super) fn word(&self) -> &'t str {
        &self.text[self.current.start..self.current.end]
    }

    /// Whether the current token is this very word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Token::Word) && self.word() == word
    }

    pub(super) fn bump(&mut self) {
        self.previous_end = self.current.end;
        self.current = next(self.text, self.current.end);
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn start(&self) -> usize {
        self.current.start
    }

    /// The place of the current token.
    pub(super) fn here(&self) -> Span {
        self.span(self.current.start, self.current.end)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// Span from `start` to the end of the last token taken.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span(start, self.previous_end.max(start))
    }

    // ------------------------------------------------------------ errors

    /// "expected …, found …" at the current token.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.token() {
            Token::End => "the end of the query".to_owned(),
            Token::OpenBracket => "`[` that is never closed".to_owned(),
            Token::Unknown => format!("the unknown symbol `{}`", self.word()),
            _ => {
                let text: String = self.word().chars().take(40).collect();
                format!("`{text}`")
            }
        };
        let message = format!("expected {what}, found {found}");
        Box::new(Diagnostic::error("query-syntax", self.here(), message))
    }

    pub(super) fn expect(&mut self, token: Token, what: &str) -> ParseResult<()> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    /// Runs `parse` one level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= MAX_NESTING {
            let message = format!("this nests deeper than {MAX_NESTING} levels");
            return Err(Box::new(Diagnostic::error("nesting", self.here(), message)));
        }
        self.depth += 1;
        let found = parse(self);
        self.depth -= 1;
        found
    }

    // ------------------------------------------------------------ queries

    fn query(&mut self) -> ParseResult<Query> {
        let kind = self.kind()?;
        if kind == "refinement" {
            return self.refinement();
        }
        let system = self.system()?;
        let query = match kind {
            "consistency" => {
                let fully = self.at(Token::Bracket) && self.bracket() == FULLY;
                if fully {
                    self.bump();
                }
                Query::Consistency { system, fully }
            }
            "determinism" => Query::Determinism(system),
            "implementation" => Query::Implementation(system),
            "specification" => Query::Specification(system),
            "reachability" => return self.reachability(system),
            "get-component" => {
                let save_as = self.save_as()?;
                return Ok(Query::GetComponent { system, save_as });
            }
            "prune" => {
                let save_as = self.save_as()?;
                return Ok(Query::Prune { system, save_as });
            }
            _ => {
                self.save_as()?;
                return Ok(Query::Minimise(system));
            }
        };
        self.nothing_to_save(kind)?;
        Ok(query)
    }

    /// Some tools let every query save something; what is checked here makes nothing to save.
    fn nothing_to_save(&mut self, kind: &str) -> ParseResult<()> {
        let start = self.start();
        if self.save_as()?.is_some() {
            let message = format!("`save-as` after `{kind}:` saves nothing");
            let warning = Diagnostic::warning("save-as", self.span_from(start), message);
            let help = "only `get-component:` and `prune:` save their result";
            self.parsed.warnings.push(warning.help(help));
        }
        Ok(())
    }

    /// `refinement:` and so on.
    fn kind(&mut self) -> ParseResult<&'static str> {
        let start = self.start();
        if let Some(error) = self.refinement_without_kind() {
            return Err(error);
        }
        if !self.at(Token::Word) {
            let help = format!("a query begins with one of: {}", KINDS.join(", "));
            return Err(Box::new(
                self.expected("a kind of query, such as `refinement:`").help(help),
            ));
        }
        self.bump();
        while self.at(Token::Minus) && self.start() == self.previous_end {
            self.bump();
            if self.at(Token::Word) && self.start() == self.previous_end {
                self.bump();
            }
        }
        let word = &self.text[start..self.previous_end];
        let place = self.span_from(start);
        let Some(kind) = KINDS.into_iter().find(|kind| *kind == word) else {
            let error = Diagnostic::error("query-kind", place, format!("`{word}` is not a kind of query"));
            return Err(Box::new(match closest(word, KINDS) {
                Some(similar) => error
                    .help(format!("did you mean `{similar}`?"))
                    .suggest(place, similar),
                // Queries of UPPAAL stand in some projects of ECDAR.
                None if word == "E" => error.help(
                    "write `reachability: S @ init -> C.Location` for what UPPAAL writes as `E<> C.Location`",
                ),
                None => error.help(format!("a query begins with one of: {}", KINDS.join(", "))),
            }));
        };
        self.expect(Token::Colon, &format!("`:` after `{kind}`"))?;
        Ok(kind)
    }

    /// `A <= B` alone is probably meant as a refinement.
    fn refinement_without_kind(&self) -> Option<Box<Diagnostic>> {
        let start = self.start();
        let rest = self.text[start..].split(';').next()?.trim_end();
        // No kind of query has this sign before its colon.
        let sign = rest.find("<=").or_else(|| rest.find('≤'))?;
        if rest[..sign].contains(':') {
            return None;
        }
        let meant = format!("refinement: {rest}");
        parse_at(&meant, 1).ok()?;
        let place = self.span(start, start + rest.len());
        let message = "the query does not begin with its kind, such as `refinement:`";
        let error = Diagnostic::error("query-kind", place, message);
        let help = format!("write `{meant}`");
        Some(Box::new(
            error.help(help).suggest(self.span(start, start), "refinement: "),
        ))
    }

    fn refinement(&mut self) -> ParseResult<Query> {
        let left = self.system()?;
        if !self.eat(Token::LessEqual) {
            let error = self.expected("`<=` and the other side");
            return Err(if self.at(Token::GreaterEqual) {
                Box::new(error.help("write the refining side on the left: `B <= A` for `A >= B`"))
            } else {
                error
            });
        }
        let right = self.system()?;
        let query = Query::Refinement { left, right };
        self.nothing_to_save("refinement")?;
        Ok(query)
    }

    fn reachability(&mut self, system: System) -> ParseResult<Query> {
        let from = if self.eat(Token::At) {
            if self.at_word("init") {
                self.bump();
                None
            } else {
                Some(self.state_formula()?)
            }
        } else if self.at(Token::Arrow) {
            None
        } else {
            return Err(self.expected("`@` and the states to start from, or `@ init`"));
        };
        self.expect(Token::Arrow, "`->` and the states to reach")?;
        let to = self.state_formula()?;
        self.nothing_to_save("reachability")?;
        Ok(Query::Reachability { system, from, to })
    }

    /// `save-as N`
    fn save_as(&mut self) -> ParseResult<Option<String>> {
        if !self.at_word("save") {
            return Ok(None);
        }
        self.bump();
        self.expect(Token::Minus, "`save-as`")?;
        if !self.eat_word("as") {
            return Err(self.expected("`save-as`"));
        }
        if !matches!(self.token(), Token::Word | Token::Number) {
            return Err(self.expected("a name to save it under"));
        }
        let name = self.word().to_owned();
        self.bump();
        Ok(Some(name))
    }
}
