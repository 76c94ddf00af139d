//! Statistical queries: `Pr`, `E[…]`, `simulate`.

use super::Parser;
use crate::ast::{BinaryOp, BoundAxis, Filter, Mitl, Path, RunBound, Sampled, Statistical, Times, Written};
use crate::diagnostic::Diagnostic;
use crate::token::Token;

/// Operands of comparisons.
const ABOVE_COMPARISONS: u8 = 8;

impl Parser<'_, '_> {
    /// A statistical query, if the text begins like one. An error has been reported for `Some(None)`.
    pub(super) fn statistical(&mut self) -> Option<Option<Statistical>> {
        let rest = &self.fragment.text()[self.current.start..];
        match self.text() {
            "Pr" => Some(self.probability()),
            "simulate" => Some(self.simulation()),
            // `E[<=100; 50](max: x)`: the plain `E[]` has nothing between its brackets.
            "E" if self.peek().0 == Token::LeftBracket && !rest.starts_with("E[]") => {
                Some(self.expectation())
            }
            _ => None,
        }
    }

    fn probability(&mut self) -> Option<Statistical> {
        let is_bounded = self.peek().0 == Token::LeftBracket;
        if !is_bounded {
            self.bump();
            return self.mitl_query();
        }
        let first = self.sampled()?;
        let is_at_least = match self.token() {
            Token::GreaterEqual => true,
            Token::LessEqual => false,
            _ => {
                // `Pr[<=T](<> p) ?`, as the first versions of the language wrote it.
                if self.at(Token::Question) {
                    self.bump();
                }
                return Some(Statistical::Probability(first));
            }
        };
        self.bump();
        if self.text() == "Pr" {
            if !is_at_least {
                self.error_here(
                    "two probabilities are compared with `>=`".into(),
                    Some("exchange the two sides".into()),
                );
                return None;
            }
            let second = self.sampled()?;
            return Some(Statistical::Comparison(Box::new(first), Box::new(second)));
        }
        let span = self.here();
        let threshold = match self.token() {
            Token::Int | Token::BigInt | Token::Double => self.text().parse::<f64>().ok(),
            _ => None,
        };
        let Some(threshold) = threshold else {
            self.error_expected("a probability such as `0.9`, or another `Pr[…]`");
            return None;
        };
        self.bump();
        if !(0.0..=1.0).contains(&threshold) {
            let error = Diagnostic::error("probability", span, "this is not a probability")
                .help("a probability is between 0 and 1");
            self.cx.diagnostics.push(error);
        }
        Some(Statistical::Test {
            sampled: first,
            is_at_least,
            threshold,
            span,
        })
    }

    /// `Pr[<=T](<> p)`
    fn sampled(&mut self) -> Option<Sampled> {
        self.bump();
        let bound = self.run_bound()?;
        if !self.expect(Token::LeftParen, "`(` and a formula such as `<> p`") {
            return None;
        }
        let path = if self.eat_diamond() {
            Path::Eventually(self.expr())
        } else if self.eat_box() {
            Path::Always(self.expr())
        } else {
            let first = self.expr();
            if !self.at_word("U") {
                self.error_here(
                    format!("expected `<>`, `[]` or `p U q`, found {}", self.found()),
                    Some("write `Pr[<=T](<> p)`, `Pr[<=T]([] p)` or `Pr[<=T](p U q)`".into()),
                );
                return None;
            }
            self.bump();
            Path::Until(first, self.expr())
        };
        self.expect(Token::RightParen, "`)`");
        Some(Sampled { bound, path })
    }

    /// `[<=T]`, `[#<=N]`, `[x<=N]`, each with `; RUNS` or without.
    fn run_bound(&mut self) -> Option<RunBound> {
        let start = self.mark();
        if !self.expect(Token::LeftBracket, "`[` and a bound such as `<=100`") {
            return None;
        }
        let axis = if self.at(Token::LessEqual) {
            BoundAxis::Time
        } else if self.text() == "#" {
            self.bump();
            BoundAxis::Steps
        } else if self.at(Token::Less) {
            self.error_here("a bound on runs is written with `<=`".into(), None);
            return None;
        } else {
            BoundAxis::Clock(self.binary(ABOVE_COMPARISONS))
        };
        if !self.expect(Token::LessEqual, "`<=`") {
            return None;
        }
        let limit = self.expr();
        let runs = if self.eat(Token::Semicolon) {
            Some(self.natural("the number of runs")?)
        } else {
            None
        };
        self.expect(Token::RightBracket, "`]`");
        Some(RunBound {
            axis,
            limit,
            runs,
            span: self.span_from(start),
        })
    }

    /// A number literal.
    fn natural(&mut self, what: &str) -> Option<u64> {
        let value = match self.token() {
            Token::Int | Token::BigInt => self.text().parse::<u64>().ok(),
            _ => None,
        };
        if value.is_none() {
            self.error_expected(what);
            return None;
        }
        self.bump();
        value
    }

    /// `E[<=T; N](max: e)`
    fn expectation(&mut self) -> Option<Statistical> {
        self.bump();
        let bound = self.run_bound()?;
        if !self.expect(Token::LeftParen, "`(max:` or `(min:`") {
            return None;
        }
        let is_maximum = match self.text() {
            "max" => true,
            "min" => false,
            _ => {
                self.error_expected("`max:` or `min:`");
                return None;
            }
        };
        self.bump();
        self.expect(Token::Colon, "`:` and an expression");
        let expr = self.expr();
        self.expect(Token::RightParen, "`)`");
        Some(Statistical::Expectation {
            bound,
            is_maximum,
            expr,
        })
    }

    /// `simulate [<=T; N] { e, … } : K : p`, and with the number of runs in front, as UPPAAL 4 has it.
    fn simulation(&mut self) -> Option<Statistical> {
        self.bump();
        let in_front = if self.at(Token::LeftBracket) {
            None
        } else {
            Some(self.natural("`[` and a bound, or a number of runs")?)
        };
        let mut bound = self.run_bound()?;
        if let Some(runs) = in_front {
            if bound.runs.is_some() {
                let message = "the number of runs is given twice";
                let error = Diagnostic::error("syntax", bound.span, message).help("leave out one of them");
                self.cx.diagnostics.push(error);
                return None;
            }
            bound.runs = Some(runs);
        }
        if !self.expect(Token::LeftBrace, "`{` and expressions") {
            return None;
        }
        let mut exprs = Vec::new();
        loop {
            let start = self.mark();
            let expr = self.expr();
            let end = self.previous_end.max(start);
            let words = self.fragment.text()[start..end].split_whitespace();
            exprs.push(Written {
                expr,
                text: words.collect::<Vec<_>>().join(" "),
            });
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightBrace, "`}`");
        let filter = if self.eat(Token::Colon) {
            let is_count =
                matches!(self.token(), Token::Int | Token::BigInt) && self.peek().0 == Token::Colon;
            let keep = if is_count {
                let keep = self.natural("a number of runs")?;
                self.bump();
                Some(keep)
            } else {
                None
            };
            Some(Filter {
                keep,
                expr: self.expr(),
            })
        } else {
            None
        };
        Some(Statistical::Simulation { bound, exprs, filter })
    }

    // ------------------------------------------------------------ MITL

    fn mitl_query(&mut self) -> Option<Statistical> {
        if !self.at(Token::LeftParen) || !self.is_temporal_group() {
            self.error_here(
                format!(
                    "expected a bound in brackets, or a formula with times, found {}",
                    self.found()
                ),
                Some(
                    "write `Pr[<=T](<> p)`, or with times `Pr(<>[a,b] p)`, `Pr([][a,b] p)`, `Pr(p U[a,b] q)`"
                        .into(),
                ),
            );
            return None;
        }
        let formula = self.mitl()?;
        if matches!(self.token(), Token::GreaterEqual | Token::LessEqual) {
            self.error_here(
                "the probability of a formula with times is estimated, not tested".into(),
                Some("leave out the comparison".into()),
            );
            return None;
        }
        Some(Statistical::Mitl(formula))
    }

    /// Alternatives.
    fn mitl(&mut self) -> Option<Mitl> {
        let parsed = self.nested(|p| {
            let mut any = vec![p.mitl_conjunction()?];
            while matches!(p.token(), Token::BarBar | Token::Or) {
                p.bump();
                any.push(p.mitl_conjunction()?);
            }
            Some(if any.len() == 1 {
                any.swap_remove(0)
            } else {
                Mitl::Or(any)
            })
        });
        parsed.flatten()
    }

    fn mitl_conjunction(&mut self) -> Option<Mitl> {
        let mut all = vec![self.mitl_part()?];
        while matches!(self.token(), Token::AmpAmp | Token::And) {
            self.bump();
            all.push(self.mitl_part()?);
        }
        Some(if all.len() == 1 {
            all.swap_remove(0)
        } else {
            Mitl::And(all)
        })
    }

    fn mitl_part(&mut self) -> Option<Mitl> {
        if self.eat_diamond() {
            let times = self.times()?;
            let inner = self.nested(Self::mitl_part).flatten()?;
            return Some(Mitl::Eventually(times, Box::new(inner)));
        }
        if self.eat_box() {
            let times = self.times()?;
            let inner = self.nested(Self::mitl_part).flatten()?;
            return Some(Mitl::Always(times, Box::new(inner)));
        }
        if self.at_word("X") && self.begins_operand_after() {
            self.bump();
            let inner = self.nested(Self::mitl_part).flatten()?;
            return Some(Mitl::Next(Box::new(inner)));
        }
        if !(self.at(Token::LeftParen) && self.is_temporal_group()) {
            return Some(Mitl::Atom(self.binary(BinaryOp::And.precedence() + 1)));
        }
        self.bump();
        let first = self.mitl()?;
        let formula = if self.at_word("U") || self.at_word("R") {
            let is_until = self.at_word("U");
            self.bump();
            let times = self.times()?;
            let second = Box::new(self.mitl()?);
            if is_until {
                Mitl::Until(Box::new(first), times, second)
            } else {
                Mitl::Release(Box::new(first), times, second)
            }
        } else {
            first
        };
        if !self.expect(Token::RightParen, "`)`, `U[a,b]` or `R[a,b]`") {
            return None;
        }
        Some(formula)
    }

    /// `[a,b]`
    fn times(&mut self) -> Option<Times> {
        let start = self.mark();
        if !self.expect(Token::LeftBracket, "an interval of time such as `[0,10]`") {
            return None;
        }
        let from = self.natural("a natural number")?;
        self.expect(Token::Comma, "`,`");
        let to = self.natural("a natural number")?;
        self.expect(Token::RightBracket, "`]`");
        if from > to {
            let message = format!("the interval from {from} to {to} is empty");
            let span = self.span_from(start);
            self.cx
                .diagnostics
                .push(Diagnostic::error("syntax", span, message).help("write the smaller number first"));
        }
        Some(Times { from, to })
    }

    /// Whether there are temporal operators between the parenthesis here and the one that closes it.
    fn is_temporal_group(&self) -> bool {
        let mut lexer = self.lexer.clone();
        let (mut depth, mut before) = (1usize, self.current);
        while depth > 0 {
            let next = lexer.next_token();
            let is_adjacent = before.end == next.start;
            match next.token {
                Token::End | Token::Unclosed => return false,
                Token::LeftParen => depth += 1,
                Token::RightParen => depth -= 1,
                Token::Greater if before.token == Token::Less && is_adjacent => return true,
                Token::RightBracket if before.token == Token::LeftBracket => return true,
                // `a U[0,1] b`; an array called U follows no operand.
                Token::Ident
                    if matches!(lexer.slice(next), "U" | "R" | "X") && ends_operand(before.token) =>
                {
                    return true;
                }
                // `X p`; a variable called X is followed by an operator.
                Token::Ident if lexer.slice(next) == "X" => {
                    let mut ahead = lexer.clone();
                    let (first, second) = (ahead.next_token(), ahead.next_token());
                    if begins_operand(first.token, second.token, first.end == second.start) {
                        return true;
                    }
                }
                _ => {}
            }
            before = next;
        }
        false
    }

    /// Whether what follows the present word begins an operand.
    fn begins_operand_after(&self) -> bool {
        let mut ahead = self.lexer.clone();
        let (first, second) = (ahead.next_token(), ahead.next_token());
        begins_operand(first.token, second.token, first.end == second.start)
    }

    /// `<>`
    fn eat_diamond(&mut self) -> bool {
        let is_there = self.fragment.text()[self.current.start..].starts_with("<>");
        if is_there {
            self.bump();
            self.bump();
        }
        is_there
    }

    /// `[]`
    fn eat_box(&mut self) -> bool {
        let is_there = self.at(Token::LeftBracket) && self.peek().0 == Token::RightBracket;
        if is_there {
            self.bump();
            self.bump();
        }
        is_there
    }

    fn at_word(&self, word: &str) -> bool {
        self.at(Token::Ident) && self.text() == word
    }
}

/// Whether two tokens begin an operand of a formula: `p`, `(`, `!`, `<>`, `[]`.
fn begins_operand(first: Token, second: Token, is_adjacent: bool) -> bool {
    match first {
        Token::Less => second == Token::Greater && is_adjacent,
        Token::LeftBracket => second == Token::RightBracket,
        Token::Ident
        | Token::Int
        | Token::BigInt
        | Token::Double
        | Token::True
        | Token::False
        | Token::LeftParen
        | Token::Not
        | Token::Exclamation
        | Token::Forall
        | Token::Exists => true,
        _ => false,
    }
}

fn ends_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Ident
            | Token::Int
            | Token::BigInt
            | Token::Double
            | Token::True
            | Token::False
            | Token::RightParen
            | Token::RightBracket
            | Token::Deadlock
            | Token::Prime
    )
}
