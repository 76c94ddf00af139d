//! Queries. Those that zonewalk decides are parsed; the other families are recognised by their first words.

use super::{Context, Parser};
use crate::ast::{Expr, Extremum, OtherQuery, OtherQueryFamily, Query};
use crate::diagnostic::Diagnostic;
use crate::fragment::Fragment;
use crate::token::{Grammar, Token};

/// Questions about timed I/O automata.
const ECDAR: [&str; 9] = [
    "refinement:",
    "consistency:",
    "specification:",
    "implementation:",
    "determinism:",
    "bisim-min:",
    "get-component:",
    "reachability:",
    "inconsistency:",
];

/// One query; `None` when there is nothing, or after an error.
pub(super) fn parse(fragment: &Fragment<'_>, cx: &mut Context) -> Option<Query> {
    let errors = cx.diagnostics.error_count();
    let mut p = Parser::with_grammar(fragment, Grammar::Query, cx);
    if p.at(Token::End) {
        return None;
    }
    if p.has_blank_quantifier() {
        return None;
    }
    if let Some(other) = p.other_query() {
        return Some(Query::Other(other));
    }
    let query = match p.statistical() {
        Some(statistical) => Query::Statistical(Box::new(statistical?)),
        None => p.query()?,
    };
    p.finish();
    (cx.diagnostics.error_count() == errors).then_some(query)
}

impl Parser<'_, '_> {
    /// Reports `A [] p`, `E< > p` and the like: the language allows no blank there (`semantics.md` 25).
    fn has_blank_quantifier(&mut self) -> bool {
        let rest = &self.fragment.text()[self.current.start..];
        let mut signs = rest.char_indices().filter(|(_, c)| !c.is_whitespace());
        let mut sign = || signs.next().unwrap_or((0, ' '));
        let (letter, open, close) = (sign(), sign(), sign());
        let is_quantifier =
            matches!(letter.1, 'A' | 'E') && matches!((open.1, close.1), ('[', ']') | ('<', '>'));
        if !is_quantifier || close.0 == 2 {
            return false;
        }
        let written = format!("{}{}{}", letter.1, open.1, close.1);
        let start = self.current.start;
        let span = self.fragment.range(start, start + close.0 + 1);
        let message = format!("blanks inside `{written}`");
        self.cx.diagnostics.push(
            Diagnostic::error("syntax", span, message)
                .help(format!("write `{written}`"))
                .suggest(span, written),
        );
        true
    }

    /// The kind of a query that is not about plain reachability and liveness.
    fn other_query(&self) -> Option<OtherQuery> {
        use OtherQueryFamily::{Ecdar, Game, Scenario, Strategy};
        let rest = &self.fragment.text()[self.current.start..];
        let word = self.text();
        let after = rest[word.len()..].trim_start();
        let is_bounded = after.starts_with(['[', '(', '{']) || after.starts_with(|c: char| c.is_numeric());
        let (family, form) = match word {
            "Pr" | "simulate" | "E" if rest.split_whitespace().any(|word| word == "under") => {
                (Strategy, "under")
            }
            "minE" if is_bounded => (Strategy, "minE"),
            "maxE" if is_bounded => (Strategy, "maxE"),
            "minPr" if is_bounded => (Strategy, "minPr"),
            "maxPr" if is_bounded => (Strategy, "maxPr"),
            "Pmax" if is_bounded => (Strategy, "Pmax"),
            "strategy" if after.contains('=') => (Strategy, "strategy"),
            "saveStrategy" => (Strategy, "saveStrategy"),
            "loadStrategy" => (Strategy, "loadStrategy"),
            "control" if after.starts_with([':', '[']) => (Game, "control:"),
            "control_t" if after.starts_with('*') => (Game, "control_t*"),
            // `A[p U q]`, `A[p W q]` and the game quantifiers.
            "A" if after.starts_with('[') && !rest.starts_with("A[]") => (Game, "A[… U …]"),
            "E" if rest.starts_with("E<>") && is_control(&rest[3..]) => (Game, "E<> control:"),
            "{" if rest.contains("control") => (Game, "control:"),
            "sat" if after.starts_with(':') => (Scenario, "sat:"),
            "scenario" if after.starts_with(':') => (Scenario, "scenario:"),
            _ => {
                let is_asked = |form: &&str| {
                    let after = rest.strip_prefix(form.trim_end_matches(':'));
                    after.is_some_and(|after| after.trim_start().starts_with(':'))
                };
                match ECDAR.into_iter().find(is_asked) {
                    Some(form) => (Ecdar, form),
                    // A verdict under a strategy is a question about that strategy.
                    None if under_strategy(rest) => (Strategy, "under"),
                    None => return None,
                }
            }
        };
        Some(OtherQuery { family, form })
    }

    fn query(&mut self) -> Option<Query> {
        let rest = &self.fragment.text()[self.current.start..];
        let quantifier: Option<fn(Expr) -> Query> = match rest.get(..3) {
            Some("E<>") => Some(Query::Reachable),
            Some("A[]") => Some(Query::Invariant),
            Some("E[]") => Some(Query::PotentiallyAlways),
            Some("A<>") => Some(Query::Inevitable),
            _ => None,
        };
        if let Some(quantifier) = quantifier {
            // The two brackets are two tokens after the letter's, whatever the lexer makes of them.
            let end = self.current.start + 3;
            while self.current.start < end && !self.at(Token::End) {
                self.bump();
            }
            return Some(quantifier(self.expr()));
        }
        let extremum = match (self.text(), self.peek().0) {
            ("sup", Token::Colon | Token::LeftBrace) => Some(Extremum::Sup),
            ("inf", Token::Colon | Token::LeftBrace) => Some(Extremum::Inf),
            ("bounds", Token::Colon | Token::LeftBrace) => Some(Extremum::Bounds),
            _ => None,
        };
        if let Some(kind) = extremum {
            self.bump();
            let predicate = self.eat(Token::LeftBrace).then(|| {
                let predicate = self.expr();
                self.expect(Token::RightBrace, "`}`");
                predicate
            });
            self.expect(Token::Colon, "`:` and expressions");
            let exprs = self.expression_list();
            return Some(Query::Extremum {
                kind,
                predicate,
                exprs,
            });
        }
        let first = self.expr();
        if self.eat(Token::LeadsTo) {
            return Some(Query::LeadsTo(first, self.expr()));
        }
        self.error_here(
            "this is not a query".into(),
            Some("a query is one of `E<> p`, `A[] p`, `E[] p`, `A<> p`, `p --> q`, `sup: e`, `inf: e`, `bounds: e`, `Pr[<=T](<> p)`, `E[<=T; N](max: e)`, `simulate [<=T] { e }`".into()),
        );
        None
    }
}

/// Whether the text goes on with `control:`.
fn is_control(text: &str) -> bool {
    let after = text.trim_start().strip_prefix("control");
    after.is_some_and(|after| after.trim_start().starts_with(':'))
}

/// Whether the formula ends with `under NAME`.
fn under_strategy(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    let name = words.next().unwrap_or("");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && words.next() == Some("under")
}
