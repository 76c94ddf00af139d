//! Systems in queries: names and operators.

use zonewalk_syntax::diagnostic::Diagnostic;

use super::lexer::Token;
use super::parse::{FULLY, ParseResult, Parser};
use super::{Instance, System};

/// An operator that stands without parentheses around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BareOperator {
    Conjunction,
    Composition,
}

impl BareOperator {
    fn sign(self) -> &'static str {
        match self {
            BareOperator::Conjunction => "&&",
            BareOperator::Composition => "||",
        }
    }
}

impl<'t> Parser<'t> {
    /// A system: quotients of compositions of conjunctions.
    pub(super) fn system(&mut self) -> ParseResult<System> {
        let start = self.start();
        let (mut whole, mut bare) = self.composition()?;
        while self.eat(Token::Quotient) {
            let (part, other) = self.composition()?;
            if let Some(inner) = bare.or(other) {
                self.warn_mix(start, inner.sign(), "//");
            }
            bare = None;
            whole = System::Quotient {
                whole: Box::new(whole),
                part: Box::new(part),
            };
        }
        Ok(whole)
    }

    fn composition(&mut self) -> ParseResult<(System, Option<BareOperator>)> {
        let start = self.start();
        let (first, bare) = self.conjunction()?;
        if !self.at(Token::Or) {
            return Ok((first, bare));
        }
        let mut parts = vec![first];
        let mut mixed = bare.is_some();
        while self.eat(Token::Or) {
            let (part, bare) = self.conjunction()?;
            mixed |= bare.is_some();
            parts.push(part);
        }
        if mixed {
            self.warn_mix(start, "&&", "||");
        }
        Ok((System::Composition(parts), Some(BareOperator::Composition)))
    }

    fn conjunction(&mut self) -> ParseResult<(System, Option<BareOperator>)> {
        let first = self.operand()?;
        if !self.at(Token::And) {
            return Ok((first, None));
        }
        let mut parts = vec![first];
        while self.eat(Token::And) {
            parts.push(self.operand()?);
        }
        Ok((System::Conjunction(parts), Some(BareOperator::Conjunction)))
    }

    fn warn_mix(&mut self, start: usize, tighter: &str, looser: &str) {
        let message =
            format!("`{tighter}` and `{looser}` without parentheses: `{tighter}` binds tighter here");
        let warning = Diagnostic::warning("mixed-operators", self.span_from(start), message);
        let help = "tools differ here: add parentheses";
        self.parsed.warnings.push(warning.help(help));
    }

    fn operand(&mut self) -> ParseResult<System> {
        match self.token() {
            Token::LeftParen => {
                self.bump();
                let inner = self.nested(Self::system)?;
                self.expect(Token::RightParen, "`)`, or an operator: `&&`, `||`, `//`")?;
                Ok(inner)
            }
            Token::Word | Token::Number => self.instance().map(System::Component),
            _ => Err(self.expected("the name of a component, or `(`")),
        }
    }

    /// Text between the brackets.
    pub(super) fn bracket(&self) -> &'t str {
        let word = self.word();
        word.get(1..word.len() - 1).unwrap_or("").trim()
    }

    /// `Machine`, `Machine[1]`, `Node(3)`, `Node(3)[left]`
    pub(super) fn instance(&mut self) -> ParseResult<Instance> {
        let start = self.start();
        let mut name = self.word().to_owned();
        self.bump();
        if self.at(Token::LeftParen) {
            self.bump();
            name.push('(');
            loop {
                if self.eat(Token::Minus) {
                    name.push('-');
                }
                if !matches!(self.token(), Token::Number | Token::Word) {
                    return Err(self.expected("the value of a parameter"));
                }
                name.push_str(self.word());
                self.bump();
                if !self.eat(Token::Comma) {
                    break;
                }
                name.push(',');
            }
            self.expect(Token::RightParen, "`)` or `,`")?;
            name.push(')');
        }
        let place = self.span_from(start);
        self.parsed.mentions.push((name.clone(), place));
        let tag = (self.at(Token::Bracket) && self.bracket() != FULLY).then(|| {
            let tag = self.bracket().to_owned();
            self.bump();
            tag
        });
        Ok(Instance { name, tag })
    }
}
